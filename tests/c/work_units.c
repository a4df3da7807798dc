/* What a unit of work costs at most: asks queries with a budget about meshes of which every triangle pair is hard, and lets
 * callgrind count the instructions of each (scripts/work_units.sh).
 *
 * Queries of one model and sweeps do not tell their work. One that its budget ended has spent it, or a little more; one that
 * ended earlier is counted as if it had spent nothing, which the script leaves out. */
#include "check.h"

#include <valgrind/callgrind.h>

enum { TRIANGLES = 600, SCENES = 6 };

static const char *scene_names[SCENES] = {"grids", "flat on each other", "needles", "one triangle", "every magnitude", "1e-300"};

/* The same numbers on every machine. */
static double number(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

/* TRIANGLES triangles that share no vertex. */
static void fill(int scene, double vertices[9 * TRIANGLES]) {
    uint64_t state = 7;
    int t, k;
    for (t = 0; t < TRIANGLES; ++t) {
        double *v = vertices + 9 * t, x = t % 30 / 15.0 - 1.0, y = t / 30 / 10.0 - 1.0;
        double corners[9] = {x, y, 0, x + 0.06, y, 0, x, y + 0.09, 0};
        memcpy(v, corners, sizeof corners);
        for (k = 0; k < 9; ++k) {
            double r = number(&state);
            switch (scene) {
            case 0: v[k] += k % 3 == 2 ? 0.2 * r : 0; break; /* a rough surface */
            case 1: break;
            case 2: v[k] = k < 6 ? r : v[k - 3] + 1e-9 * r; break;
            case 3: v[k] = corners[k] - (k % 3 == 0 ? x : k % 3 == 1 ? y : 0); break;
            case 4: v[k] = r * ldexp(1.0, (int)(r * 4096) % 300); break;
            default: v[k] = 1e-300 * (v[k] + (k % 3 == 2 ? 0.2 * r : 0)); break;
            }
        }
    }
}

static void tell(const char *volume, const char *query, int scene, uint64_t budget, uint64_t work) {
    char label[160];
    snprintf(label, sizeof label, "%s|%s|%s|%lu|%lu", volume, query, scene_names[scene], (unsigned long)budget, (unsigned long)work);
    CALLGRIND_DUMP_STATS_AT(label);
}

/* One query: only its instructions are counted. */
#define COUNTED(call) \
    do { \
        CALLGRIND_ZERO_STATS; \
        CALLGRIND_TOGGLE_COLLECT; \
        CHECK_OK(call); \
        CALLGRIND_TOGGLE_COLLECT; \
    } while (0)

static uint64_t work_of(feeler_pair *pair) {
    feeler_counters counters = feeler_counters_default();
    CHECK_OK(feeler_pair_get_counters(pair, &counters));
    return counters.work;
}

static void ask(const char *volume, int scene, feeler_pair *pair, double size) {
    static const uint64_t budgets[] = {1, 300};
    feeler_collide_params collide = feeler_collide_params_default();
    feeler_collide_result collided = feeler_collide_result_default();
    feeler_distance_params distance = feeler_distance_params_default();
    feeler_distance_result measured = feeler_distance_result_default();
    feeler_tolerance_params tolerance = feeler_tolerance_params_default();
    feeler_tolerance_result told = feeler_tolerance_result_default();
    feeler_contacts_params contacts = feeler_contacts_params_default();
    feeler_minima_params minima = feeler_minima_params_default();
    feeler_contacts_result found = feeler_contacts_result_default();
    static feeler_contact out[16];
    static feeler_minimum least[16];
    size_t b;
    int warm;
    for (b = 0; b < sizeof budgets / sizeof *budgets; ++b) {
        for (warm = 0; warm < 2; ++warm) {
            uint32_t flags = warm ? 0 : FEELER_QUERY_NO_COHERENCE;
            collide.flags = distance.flags = tolerance.flags = contacts.flags = minima.flags = flags;
            collide.max_work = distance.max_work = tolerance.max_work = contacts.max_work = minima.max_work = budgets[b];
            tolerance.tolerance = contacts.margin = minima.margin = 0.3 * size;
            COUNTED(feeler_pair_collide(pair, &collide, &collided));
            tell(volume, "collide", scene, budgets[b], work_of(pair));
            COUNTED(feeler_pair_distance(pair, &distance, &measured));
            tell(volume, "distance", scene, budgets[b], work_of(pair));
            tolerance.tolerance = 0.5 * measured.lower;
            COUNTED(feeler_pair_tolerance(pair, &tolerance, &told));
            tell(volume, "tolerance", scene, budgets[b], work_of(pair));
            COUNTED(feeler_pair_contacts(pair, &contacts, out, 16, &found));
            tell(volume, "contacts", scene, budgets[b], work_of(pair));
            COUNTED(feeler_pair_local_minima(pair, &minima, least, 16, &found));
            tell(volume, "local minima", scene, budgets[b], work_of(pair));
        }
    }
}

/* The work of a query that tells only whether it is complete. */
static uint64_t spent(uint32_t complete, uint64_t budget) { return complete ? 0 : budget; }

static void ask_sweep(const char *volume, int scene, feeler_pair *pair, double size) {
    static const uint64_t budgets[] = {1, 300};
    feeler_sweep_params sweep = feeler_sweep_params_default();
    feeler_sweep_result result = feeler_sweep_result_default();
    feeler_transform end = moved(0.3 * size, -0.2 * size, -0.5 * size);
    size_t b;
    sweep.tolerance = 1e-9 * size;
    for (b = 0; b < sizeof budgets / sizeof *budgets; ++b) {
        sweep.max_work = budgets[b];
        COUNTED(feeler_pair_sweep(pair, NULL, &end, &sweep, &result));
        tell(volume, "sweep", scene, budgets[b], spent(result.complete, budgets[b]));
    }
}

/* Points over, on and beside the mesh, paths through it and along it, balls that reach everything. */
static void ask_one(const char *volume, int scene, const feeler_model *model, const double *vertices, double size) {
    static const uint64_t budgets[] = {1, 100};
    static feeler_hit hits[16];
    static uint32_t ids[16];
    feeler_closest_params closest = feeler_closest_params_default();
    feeler_surface_point nearest;
    feeler_cast_params cast = feeler_cast_params_default();
    feeler_cast_result met = feeler_cast_result_default();
    size_t b, count;
    int place, k;
    for (place = 0; place < 4; ++place) {
        double point[3], end[3];
        for (k = 0; k < 3; ++k) {
            point[k] = place == 0 ? 0.05 * size * (k + 1) : vertices[9 * 77 + k] + (place == 1 ? 0 : place == 2 ? 1e-9 : 0.7) * size;
            end[k] = place == 3 ? -point[k] : vertices[9 * 410 + k];
        }
        for (b = 0; b < sizeof budgets / sizeof *budgets; ++b) {
            closest.max_work = cast.max_work = budgets[b];
            closest.flags = 0;
            COUNTED(feeler_model_closest_point(model, NULL, point, &closest, &nearest));
            tell(volume, "closest point", scene, budgets[b], spent(nearest.complete, budgets[b]));
            cast.flags = FEELER_CAST_ALL;
            cast.radius = 0;
            COUNTED(feeler_model_cast(model, NULL, point, end, &cast, hits, 16, &met));
            tell(volume, "cast, segment", scene, budgets[b], spent(met.complete, budgets[b]));
            cast.radius = 0.1 * size;
            COUNTED(feeler_model_cast(model, NULL, point, end, &cast, hits, 16, &met));
            tell(volume, "cast, sphere", scene, budgets[b], spent(met.complete, budgets[b]));
        }
        /* No budget: a node and a triangle for each triangle of the model is the most that there is to do. */
        COUNTED(feeler_model_within(model, NULL, point, 0.6 * size, ids, 16, &count));
        tell(volume, "within", scene, 0, TRIANGLES);
    }
}

int main(void) {
    static const char *names[] = {"OBB", "AABB", "SPHERE", "LSS", "RSS", "HYBRID", "OBB_SPHERE", "SHELL", "KDOP18"};
    static double vertices[9 * TRIANGLES];
    uint32_t volume, count = volume_count();
    int scene, away;
    for (volume = FEELER_VOLUME_OBB; volume < count; ++volume) {
        for (scene = 0; scene < SCENES; ++scene) {
            feeler_mesh mesh = feeler_mesh_default();
            feeler_build_params params = feeler_build_params_default();
            feeler_model *model = NULL;
            feeler_pair *pair;
            double size = scene == SCENES - 1 ? 1e-300 : 1.0;
            fill(scene, vertices);
            mesh.scalar = FEELER_SCALAR_F64;
            mesh.vertices = vertices;
            mesh.vertex_count = 3 * TRIANGLES;
            params.volume = volume;
            params.threads = 1;
            CHECK_OK(feeler_model_create(&mesh, &model));
            CHECK_OK(feeler_model_build(model, &params));
            pair = pair_of(model, model);
            for (away = 0; away < 3; ++away) {
                static const double heights[] = {0.0, 1e-6, 0.25};
                feeler_transform pose = moved(0.01 * size, 0.02 * size, heights[away] * size);
                CHECK_OK(feeler_pair_set_transforms(pair, NULL, &pose));
                ask(names[volume], scene, pair, size);
                ask_sweep(names[volume], scene, pair, size);
            }
            ask_one(names[volume], scene, model, vertices, size);
            feeler_pair_destroy(pair);
            feeler_model_destroy(model);
        }
    }
    return finish("work_units");
}
