/* Models that deform, as C sees them: refusals leave the old tree, a pair follows, and of two threads one is told BUSY while
 * no query ever sees a half-updated tree. */
#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static const uint32_t VOLUMES[] = {FEELER_VOLUME_OBB, FEELER_VOLUME_AABB, FEELER_VOLUME_SPHERE,     FEELER_VOLUME_LSS,
                                   FEELER_VOLUME_RSS, FEELER_VOLUME_HYBRID, FEELER_VOLUME_OBB_SPHERE, FEELER_VOLUME_SHELL,
                                   FEELER_VOLUME_KDOP18};

static feeler_model *built(const feeler_mesh *mesh, uint32_t volume, uint32_t flags) {
    feeler_model *model = NULL;
    feeler_build_params params = feeler_build_params_default();
    params.volume = volume;
    params.flags = flags;
    params.threads = 1;
    if (feeler_model_create(mesh, &model) != FEELER_STATUS_OK || feeler_model_build(model, &params) != FEELER_STATUS_OK) {
        printf("no model: %s\n", feeler_last_error_message());
        abort();
    }
    return model;
}

/* The grid with a dent. */
static void press(const grid *g, float depth, float *out) {
    size_t i;
    for (i = 0; i < g->mesh.vertex_count; ++i) {
        const float *from = g->vertices + 3 * i;
        float x = from[0] - 3.0f, y = from[1] - 3.0f;
        out[3 * i] = from[0];
        out[3 * i + 1] = from[1];
        out[3 * i + 2] = from[2] - depth / (1.0f + x * x + y * y);
    }
}

static int same_answers(feeler_pair *left, feeler_pair *right, double z) {
    answers a, b;
    feeler_transform pose = moved(0.25, 0.5, z);
    if (ask_everything(left, &pose, 0.75, &a) != 0 || ask_everything(right, &pose, 0.75, &b) != 0) {
        return 0;
    }
    /* Of touching models any contact is a first contact, and which one is found depends on the tree. */
    if (a.collide.colliding != b.collide.colliding || a.tolerance.closer != b.tolerance.closer ||
        memcmp(&a.contacts, &b.contacts, sizeof a.contacts) != 0 || memcmp(a.contact, b.contact, sizeof a.contact) != 0) {
        return 0;
    }
    if (a.distance.upper == 0.0) {
        return b.distance.upper == 0.0;
    }
    return memcmp(&a.distance, &b.distance, sizeof a.distance) == 0;
}

/* Updated, updated in part, and built again: always the answers of a new model. */
static void follows(uint32_t volume) {
    grid g = grid_make(12), tool = grid_make(3);
    size_t numbers = 3 * g.mesh.vertex_count, i;
    float *vertices = (float *)malloc(numbers * sizeof(float));
    double *wide = (double *)malloc(numbers * sizeof(double));
    feeler_model *soft = built(&g.mesh, volume, FEELER_BUILD_DEFORMABLE), *rigid = built(&tool.mesh, volume, 0);
    feeler_pair *pair = pair_of(soft, rigid), *backward = pair_of(rigid, soft);
    feeler_build_params params = feeler_build_params_default();
    int step;
    params.volume = volume;
    params.flags = FEELER_BUILD_DEFORMABLE;
    for (step = 0; step < 6; ++step) {
        feeler_mesh mesh = g.mesh, part;
        feeler_model *fresh;
        feeler_pair *expected, *expected_backward;
        press(&g, 0.4f * (float)step, vertices);
        for (i = 0; i < numbers; ++i) {
            wide[i] = vertices[i];
        }
        mesh.vertices = vertices;
        if (step == 2) { /* the same positions as doubles, without indices */
            mesh.scalar = FEELER_SCALAR_F64;
            mesh.vertices = wide;
            mesh.indices = NULL;
            mesh.triangle_count = 0;
        }
        if (step == 4) { /* row by row */
            size_t row = 13;
            for (i = 0; i < g.mesh.vertex_count; i += row) {
                part = feeler_mesh_default();
                part.vertices = vertices + 3 * i;
                part.vertex_count = row;
                CHECK_OK(feeler_model_update_range(soft, &part, i));
            }
        } else {
            CHECK_OK(feeler_model_update_vertices(soft, &mesh));
        }
        if (step == 5) {
            params.quality = FEELER_QUALITY_FAST;
            CHECK_OK(feeler_model_build(soft, &params)); /* while two pairs use it */
        }
        mesh = g.mesh;
        mesh.vertices = vertices;
        fresh = built(&mesh, volume, 0);
        expected = pair_of(fresh, rigid);
        expected_backward = pair_of(rigid, fresh);
        CHECK(same_answers(pair, expected, 0.1));
        CHECK(same_answers(pair, expected, 2.0));
        CHECK(same_answers(backward, expected_backward, -0.3));
        feeler_pair_destroy(expected);
        feeler_pair_destroy(expected_backward);
        feeler_model_destroy(fresh);
    }
    feeler_pair_destroy(pair);
    feeler_pair_destroy(backward);
    feeler_model_destroy(soft);
    feeler_model_destroy(rigid);
    free(vertices);
    free(wide);
    grid_free(&g);
    grid_free(&tool);
}

/* Bad input: a status, a sentence, and the old tree. */
static void refusals(uint32_t volume) {
    grid g = grid_make(5);
    size_t count = g.mesh.vertex_count, numbers = 3 * count;
    float *vertices = (float *)malloc(numbers * sizeof(float));
    uint32_t *indices = (uint32_t *)malloc(3 * g.mesh.triangle_count * sizeof(uint32_t));
    feeler_model *soft = built(&g.mesh, volume, FEELER_BUILD_DEFORMABLE), *rigid = built(&g.mesh, volume, 0), *raw = NULL;
    feeler_pair *pair = pair_of(soft, rigid);
    feeler_mesh mesh = g.mesh;
    feeler_build_params params = feeler_build_params_default();
    answers before, after;
    feeler_transform pose = moved(0.3, 0.1, 0.2);
    CHECK_OK(ask_everything(pair, &pose, 0.5, &before));
    memcpy(vertices, g.vertices, numbers * sizeof(float));
    memcpy(indices, g.indices, 3 * g.mesh.triangle_count * sizeof(uint32_t));
    CHECK_OK(feeler_model_create(&g.mesh, &raw));
    REFUSED(NOT_BUILT, "model", feeler_model_update_vertices(raw, &mesh));
    REFUSED(NOT_BUILT, "model", feeler_model_update_range(raw, &mesh, 0));
    REFUSED(UNSUPPORTED, "DEFORMABLE", feeler_model_update_vertices(rigid, &mesh));
    REFUSED(UNSUPPORTED, "DEFORMABLE", feeler_model_update_range(rigid, &mesh, 0));
    REFUSED(NULL_ARGUMENT, "model", feeler_model_update_range(NULL, &mesh, 0));
    REFUSED(NULL_ARGUMENT, "mesh", feeler_model_update_range(soft, NULL, 0));
    mesh.vertex_count = count - 1;
    REFUSED(INVALID_MESH, "vertex_count", feeler_model_update_vertices(soft, &mesh));
    mesh.vertex_count = 0;
    REFUSED(INVALID_MESH, "vertex_count", feeler_model_update_vertices(soft, &mesh));
    mesh.vertex_count = count;
    mesh.triangle_count -= 1;
    REFUSED(INVALID_MESH, "triangle_count", feeler_model_update_vertices(soft, &mesh));
    mesh.triangle_count += 1;
    mesh.indices = indices;
    indices[7] = (indices[7] + 1) % (uint32_t)count;
    REFUSED(INVALID_MESH, "triangle 2", feeler_model_update_vertices(soft, &mesh));
    indices[7] = 4000000000u;
    REFUSED(INVALID_MESH, "triangle 2", feeler_model_update_vertices(soft, &mesh));
    mesh.indices = NULL;
    mesh.triangle_count = 0;
    mesh.vertices = vertices;
    vertices[numbers - 1] = NAN;
    REFUSED(INVALID_MESH, "vertex", feeler_model_update_vertices(soft, &mesh));
    vertices[numbers - 1] = INFINITY;
    REFUSED(INVALID_MESH, "vertex", feeler_model_update_range(soft, &mesh, 0));
    vertices[numbers - 1] = 0.0f;
    REFUSED(INVALID_ARGUMENT, "first_vertex", feeler_model_update_range(soft, &mesh, 1));
    mesh.vertex_count = 1;
    REFUSED(INVALID_ARGUMENT, "first_vertex", feeler_model_update_range(soft, &mesh, count));
    REFUSED(INVALID_ARGUMENT, "first_vertex", feeler_model_update_range(soft, &mesh, (size_t)-1));
    mesh.vertex_stride = 3;
    REFUSED(INVALID_ARGUMENT, "vertex_stride", feeler_model_update_range(soft, &mesh, 0));
    /* While a pair uses it: only a tree of the same kind. */
    params.volume = volume == FEELER_VOLUME_SPHERE ? FEELER_VOLUME_RSS : FEELER_VOLUME_SPHERE;
    params.flags = FEELER_BUILD_DEFORMABLE;
    REFUSED(BUSY, "model", feeler_model_build(soft, &params));
    params.volume = volume;
    params.flags = 0;
    REFUSED(BUSY, "model", feeler_model_build(soft, &params));
    params.flags = FEELER_BUILD_DEFORMABLE;
    REFUSED(BUSY, "model", feeler_model_build(rigid, &params));
    CHECK_OK(ask_everything(pair, &pose, 0.5, &after));
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    CHECK_OK(feeler_model_build(soft, &params));
    feeler_pair_destroy(pair);
    feeler_model_destroy(soft);
    feeler_model_destroy(rigid);
    feeler_model_destroy(raw);
    free(vertices);
    free(indices);
    grid_free(&g);
}

/* A pair that is asked about other models. */
static void other_models(void) {
    grid small = grid_make(3), large = grid_make(40);
    feeler_model *boxes = built(&small.mesh, FEELER_VOLUME_AABB, 0), *oriented = built(&large.mesh, FEELER_VOLUME_OBB, 0),
                 *soft = built(&large.mesh, FEELER_VOLUME_AABB, FEELER_BUILD_DEFORMABLE),
                 *spheres = built(&small.mesh, FEELER_VOLUME_SPHERE, 0), *raw = NULL;
    feeler_pair *pair = pair_of(boxes, boxes), *expected;
    size_t memory = feeler_pair_memory(pair);
    feeler_model *pairs[][2] = {{oriented, boxes}, {soft, oriented}, {soft, soft}, {boxes, soft}, {oriented, oriented}};
    size_t i;
    CHECK_OK(feeler_model_create(&small.mesh, &raw));
    for (i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        CHECK_OK(feeler_pair_set_models(pair, pairs[i][0], pairs[i][1]));
        expected = pair_of(pairs[i][0], pairs[i][1]);
        CHECK(same_answers(pair, expected, 0.2));
        CHECK(same_answers(pair, expected, 1.5));
        CHECK_OK(feeler_pair_set_models(pair, NULL, boxes));
        CHECK_OK(feeler_pair_set_models(expected, NULL, boxes));
        CHECK(same_answers(pair, expected, 0.3));
        REFUSED(INCOMPATIBLE, "SPHERE", feeler_pair_set_models(pair, spheres, NULL));
        REFUSED(INCOMPATIBLE, "SPHERE", feeler_pair_set_models(pair, NULL, spheres));
        REFUSED(NOT_BUILT, "b ", feeler_pair_set_models(pair, NULL, raw));
        REFUSED(NULL_ARGUMENT, "pair", feeler_pair_set_models(NULL, boxes, boxes));
        CHECK(same_answers(pair, expected, 0.3));
        CHECK_OK(feeler_pair_set_models(pair, NULL, NULL));
        CHECK(feeler_pair_memory(pair) == memory);
        feeler_pair_destroy(expected);
    }
    /* A model that lost its handle goes when the last pair lets it go. */
    CHECK_OK(feeler_pair_set_models(pair, soft, soft));
    feeler_model_destroy(soft);
    CHECK_OK(feeler_pair_set_models(pair, boxes, boxes));
    feeler_pair_destroy(pair);
    feeler_model_destroy(boxes);
    feeler_model_destroy(oriented);
    feeler_model_destroy(spheres);
    feeler_model_destroy(raw);
    grid_free(&small);
    grid_free(&large);
}

static struct {
    feeler_model *model;
    feeler_pair *pairs[2];
    const float *flat, *dented;
    size_t vertex_count;
    double answers[2];
    atomic_long updates, rebuilds, queries, busy, wrong;
    atomic_int stop;
} shared;

static void *deform(void *unused) {
    feeler_mesh mesh = feeler_mesh_default();
    feeler_build_params params = feeler_build_params_default();
    unsigned long turn = 0;
    (void)unused;
    params.volume = FEELER_VOLUME_AABB;
    params.flags = FEELER_BUILD_DEFORMABLE;
    params.quality = FEELER_QUALITY_FAST;
    params.threads = 1;
    mesh.vertex_count = shared.vertex_count;
    while (!atomic_load(&shared.stop)) {
        uint32_t status;
        sched_yield();
        ++turn;
        if (turn % 16 == 0) {
            status = feeler_model_build(shared.model, &params);
            atomic_fetch_add(&shared.rebuilds, status == FEELER_STATUS_OK);
        } else {
            mesh.vertices = turn % 2 == 0 ? shared.flat : shared.dented;
            status = feeler_model_update_vertices(shared.model, &mesh);
            atomic_fetch_add(&shared.updates, status == FEELER_STATUS_OK);
        }
        if (status == FEELER_STATUS_BUSY) {
            atomic_fetch_add(&shared.busy, 1);
        } else if (status != FEELER_STATUS_OK) {
            atomic_fetch_add(&shared.wrong, 1);
        }
    }
    return NULL;
}

static void *ask(void *which) {
    feeler_pair *pair = *(feeler_pair **)which;
    long asked = 0;
    while (!atomic_load(&shared.stop)) {
        feeler_distance_result distance = feeler_distance_result_default();
        uint32_t status = feeler_pair_distance(pair, NULL, &distance);
        if (status == FEELER_STATUS_OK) {
            atomic_fetch_add(&shared.queries, 1);
            if (distance.upper != shared.answers[0] && distance.upper != shared.answers[1]) {
                atomic_fetch_add(&shared.wrong, 1);
            }
            if (++asked > 1000 && atomic_load(&shared.updates) > 50 && atomic_load(&shared.rebuilds) > 0) {
                atomic_store(&shared.stop, 1);
            }
            sched_yield();
        } else if (status == FEELER_STATUS_BUSY && strstr(feeler_last_error_message(), "in use") != NULL) {
            atomic_fetch_add(&shared.busy, 1);
        } else {
            atomic_fetch_add(&shared.wrong, 1);
        }
    }
    return NULL;
}

/* One thread deforms without asking anybody, two ask: every answer is that of one of the two shapes. */
static void two_threads(void) {
    grid g = grid_make(24), tool = grid_make(2);
    float *dented = (float *)malloc(3 * g.mesh.vertex_count * sizeof(float));
    feeler_model *rigid = built(&tool.mesh, FEELER_VOLUME_OBB, 0);
    feeler_mesh mesh = g.mesh;
    feeler_transform pose = moved(2.0, 2.0, 1.5);
    pthread_t threads[3];
    size_t i;
    press(&g, 3.0f, dented);
    shared.model = built(&g.mesh, FEELER_VOLUME_AABB, FEELER_BUILD_DEFORMABLE);
    shared.flat = g.vertices;
    shared.dented = dented;
    shared.vertex_count = g.mesh.vertex_count;
    for (i = 0; i < 2; ++i) {
        feeler_distance_result distance = feeler_distance_result_default();
        shared.pairs[i] = pair_of(rigid, shared.model);
        CHECK_OK(feeler_pair_set_transforms(shared.pairs[i], &pose, NULL));
        mesh.vertices = i == 0 ? shared.flat : shared.dented;
        CHECK_OK(feeler_model_update_vertices(shared.model, &mesh));
        CHECK_OK(feeler_pair_distance(shared.pairs[i], NULL, &distance));
        shared.answers[i] = distance.upper;
    }
    CHECK(shared.answers[0] < shared.answers[1]);
    pthread_create(&threads[0], NULL, deform, NULL);
    pthread_create(&threads[1], NULL, ask, &shared.pairs[0]);
    pthread_create(&threads[2], NULL, ask, &shared.pairs[1]);
    for (i = 0; i < 3; ++i) {
        pthread_join(threads[i], NULL);
    }
    CHECK(shared.wrong == 0);
    CHECK(shared.updates > 0 && shared.queries > 0);
    printf("  two readers and a writer: %ld updates, %ld rebuilds, %ld queries, %ld times BUSY, %ld wrong\n", shared.updates,
           shared.rebuilds, shared.queries, shared.busy, shared.wrong);
    feeler_pair_destroy(shared.pairs[0]);
    feeler_pair_destroy(shared.pairs[1]);
    feeler_model_destroy(shared.model);
    feeler_model_destroy(rigid);
    free(dented);
    grid_free(&g);
    grid_free(&tool);
}

int main(void) {
    size_t i;
    for (i = 0; i < sizeof VOLUMES / sizeof *VOLUMES; ++i) {
        follows(VOLUMES[i]);
        refusals(VOLUMES[i]);
    }
    other_models();
    two_threads();
    return finish("deforming");
}
