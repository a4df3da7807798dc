/* Counting checks, and the scenes that all tests of the boundary share. */
#ifndef FEELER_TESTS_CHECK_H
#define FEELER_TESTS_CHECK_H

#include "feeler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long checks_passed, checks_failed;

static inline int check_that(int holds, const char *what, const char *file, int line) {
    if (holds) {
        ++checks_passed;
    } else {
        ++checks_failed;
        printf("%s:%d: %s; last message: %s\n", file, line, what, feeler_last_error_message());
    }
    return holds;
}

#define CHECK(condition) check_that((condition) != 0, #condition, __FILE__, __LINE__)
#define CHECK_OK(call) CHECK((call) == FEELER_STATUS_OK)

/* The status is as expected and the sentence names the argument. */
static inline int check_refused(uint32_t status, uint32_t expected, const char *word, const char *what,
                                const char *file, int line) {
    int holds = status == expected && strstr(feeler_last_error_message(), word) != NULL;
    if (!holds) {
        printf("expected %s naming \"%s\", got %s\n", feeler_status_name(expected), word, feeler_status_name(status));
    }
    return check_that(holds, what, file, line);
}

#define REFUSED(expected, word, call) \
    check_refused((call), FEELER_STATUS_##expected, word, #call, __FILE__, __LINE__)

static inline int finish(const char *name) {
    printf("%s: %lu passed, %lu failed\n", name, checks_passed, checks_failed);
    return checks_failed == 0 && checks_passed > 0 ? 0 : 1;
}

/* A bumpy square of 2 * side * side triangles in the plane z = 0, as packed floats and indices. */
typedef struct grid {
    float *vertices;
    uint32_t *indices;
    feeler_mesh mesh;
} grid;

static inline grid grid_make(uint32_t side) {
    grid g;
    uint32_t x, y, corner = 0;
    size_t vertex_count = (size_t)(side + 1) * (side + 1), triangle_count = 2 * (size_t)side * side;
    /* Exactly as large as said, so that valgrind sees every byte read beyond. */
    g.vertices = (float *)malloc(vertex_count * 3 * sizeof(float));
    g.indices = (uint32_t *)malloc(triangle_count * 3 * sizeof(uint32_t));
    if (g.vertices == NULL || g.indices == NULL) {
        abort();
    }
    for (y = 0; y <= side; ++y) {
        for (x = 0; x <= side; ++x) {
            float *vertex = g.vertices + 3 * ((size_t)y * (side + 1) + x);
            vertex[0] = (float)x;
            vertex[1] = (float)y;
            vertex[2] = (float)((7 * x + 5 * y) % 11) * 0.03125f;
        }
    }
    for (y = 0; y < side; ++y) {
        for (x = 0; x < side; ++x) {
            uint32_t first = y * (side + 1) + x, above = first + side + 1;
            g.indices[corner++] = first;
            g.indices[corner++] = first + 1;
            g.indices[corner++] = above;
            g.indices[corner++] = first + 1;
            g.indices[corner++] = above + 1;
            g.indices[corner++] = above;
        }
    }
    g.mesh = feeler_mesh_default();
    g.mesh.vertices = g.vertices;
    g.mesh.vertex_count = vertex_count;
    g.mesh.indices = g.indices;
    g.mesh.triangle_count = triangle_count;
    return g;
}

static inline void grid_free(grid *g) {
    free(g->vertices);
    free(g->indices);
}

static inline feeler_model *model_of(const feeler_mesh *mesh) {
    feeler_model *model = NULL;
    if (feeler_model_create(mesh, &model) != FEELER_STATUS_OK || feeler_model_build(model, NULL) != FEELER_STATUS_OK) {
        printf("no model: %s\n", feeler_last_error_message());
        abort();
    }
    return model;
}

static inline feeler_pair *pair_of(const feeler_model *a, const feeler_model *b) {
    feeler_pair *pair = NULL;
    if (feeler_pair_create(a, b, NULL, &pair) != FEELER_STATUS_OK) {
        printf("no pair: %s\n", feeler_last_error_message());
        abort();
    }
    return pair;
}

/* How many volumes there are: their numbers have no gaps, and the first number that is refused ends them. Fewer than in version
 * 0.1 would leave a test empty, so they end it. */
static inline uint32_t volume_count(void) {
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t triangle[3] = {0, 1, 2};
    feeler_mesh mesh = feeler_mesh_default();
    feeler_build_params params = feeler_build_params_default();
    feeler_model *model = NULL;
    uint32_t status;
    mesh.vertices = corners;
    mesh.vertex_count = 3;
    mesh.indices = triangle;
    mesh.triangle_count = 1;
    params.threads = 1;
    if (feeler_model_create(&mesh, &model) != FEELER_STATUS_OK) {
        printf("no model: %s\n", feeler_last_error_message());
        abort();
    }
    for (params.volume = 0; (status = feeler_model_build(model, &params)) == FEELER_STATUS_OK; ++params.volume) {
    }
    if (status != FEELER_STATUS_INVALID_ARGUMENT || params.volume <= FEELER_VOLUME_KDOP18) {
        printf("volume %u: %s\n", (unsigned)params.volume, feeler_last_error_message());
        abort();
    }
    feeler_model_destroy(model);
    return params.volume;
}

static inline feeler_transform moved(double x, double y, double z) {
    feeler_transform t = feeler_transform_identity();
    t.translation[0] = x;
    t.translation[1] = y;
    t.translation[2] = z;
    return t;
}

/* Answers of all queries at one pose, comparable by memcmp. */
enum { ROOM = 64 };
typedef struct answers {
    feeler_collide_result collide;
    feeler_contacts_result contacts;
    feeler_distance_result distance;
    feeler_tolerance_result tolerance;
    feeler_counters counters;
    feeler_contact contact[ROOM];
} answers;

static inline uint32_t ask_everything(feeler_pair *pair, const feeler_transform *b, double margin, answers *a) {
    feeler_contacts_params contacts = feeler_contacts_params_default();
    feeler_tolerance_params tolerance = feeler_tolerance_params_default();
    feeler_collide_params collide = feeler_collide_params_default();
    feeler_distance_params distance = feeler_distance_params_default();
    uint32_t status;
    collide.flags = contacts.flags = distance.flags = tolerance.flags = FEELER_QUERY_NO_COHERENCE;
    contacts.margin = tolerance.tolerance = margin;
    memset(a, 0, sizeof *a);
    a->collide = feeler_collide_result_default();
    a->contacts = feeler_contacts_result_default();
    a->distance = feeler_distance_result_default();
    a->tolerance = feeler_tolerance_result_default();
    a->counters = feeler_counters_default();
    if ((status = feeler_pair_set_transforms(pair, NULL, b)) != 0) return status;
    if ((status = feeler_pair_collide(pair, &collide, &a->collide)) != 0) return status;
    if ((status = feeler_pair_contacts(pair, &contacts, a->contact, ROOM, &a->contacts)) != 0) return status;
    if ((status = feeler_pair_distance(pair, &distance, &a->distance)) != 0) return status;
    if ((status = feeler_pair_tolerance(pair, &tolerance, &a->tolerance)) != 0) return status;
    return feeler_pair_get_counters(pair, &a->counters);
}

/* Answers about one model, of local minima and of a sweep, comparable by memcmp. */
typedef struct hand_answers {
    feeler_surface_point point[3];
    feeler_cast_result cast, ball;
    feeler_contacts_result minima;
    feeler_sweep_result sweep;
    feeler_hit hit[ROOM];
    feeler_minimum minimum[ROOM];
    feeler_transform between;
    uint32_t triangles[ROOM];
    size_t touched;
} hand_answers;

static inline uint32_t ask_hand(const feeler_model *model, feeler_pair *pair, const feeler_transform *b, double margin,
                                hand_answers *a) {
    const double points[9] = {0.3, 0.4, 1.0, 1.7, 0.2, -0.5, 1.0, 1.0, 40.0};
    const double above[3] = {0.4, 0.6, 3.0}, below[3] = {0.9, 1.1, -3.0};
    const feeler_transform end = {{0, -1, 0, 1, 0, 0, 0, 0, 1}, {0.5, 0.25, -2.0}, {1, 1, 1}};
    feeler_closest_params closest = feeler_closest_params_default();
    feeler_cast_params cast = feeler_cast_params_default();
    feeler_minima_params minima = feeler_minima_params_default();
    feeler_sweep_params sweep = feeler_sweep_params_default();
    uint32_t status;
    memset(a, 0, sizeof *a);
    a->cast = a->ball = feeler_cast_result_default();
    a->minima = feeler_contacts_result_default();
    a->sweep = feeler_sweep_result_default();
    closest.flags = FEELER_CLOSEST_SIDE;
    minima.margin = margin;
    minima.flags = sweep.flags = FEELER_QUERY_NO_COHERENCE;
    sweep.tolerance = 0.01;
    if ((status = feeler_model_closest_point(model, b, points, &closest, a->point)) != 0) return status;
    if ((status = feeler_model_closest_points(model, NULL, points, 0, 3, NULL, a->point)) != 0) return status;
    if ((status = feeler_model_cast(model, NULL, above, below, NULL, a->hit, ROOM, &a->cast)) != 0) return status;
    cast.flags = FEELER_CAST_ALL;
    cast.radius = 0.25;
    if ((status = feeler_model_cast(model, b, above, below, &cast, a->hit, ROOM, &a->ball)) != 0) return status;
    if ((status = feeler_model_within(model, NULL, points, 1.5, a->triangles, ROOM, &a->touched)) != 0) return status;
    if ((status = feeler_model_pose_between(model, b, &end, 0.25, &a->between)) != 0) return status;
    if ((status = feeler_pair_set_transforms(pair, NULL, b)) != 0) return status;
    if ((status = feeler_pair_local_minima(pair, &minima, a->minimum, ROOM, &a->minima)) != 0) return status;
    return feeler_pair_sweep(pair, NULL, &end, &sweep, &a->sweep);
}

/* The size of each struct when it first appeared, on 64-bit machines; a client compiled then passes these for ever. The last
 * six came with version 0.2. */
static const struct {
    uint32_t mesh, build_params, model_info, pair_params, collide_params, contacts_params, distance_params,
        tolerance_params, collide_result, contacts_result, distance_result, tolerance_result, counters;
    uint32_t closest_params, cast_params, cast_result, minima_params, sweep_params, sweep_result;
} first_sizes __attribute__((unused)) = {16 + 5 * sizeof(void *), 32, 112, 16, 16, 24, 48, 24, 48, 24, 104, 112, 80,
                                   24, 24, 24, 32, 24, 112};

/* Every struct that grows. */
#define FOR_EVERY_STRUCT(X) \
    X(mesh) X(build_params) X(model_info) X(pair_params) X(collide_params) X(contacts_params) X(distance_params) \
    X(tolerance_params) X(collide_result) X(contacts_result) X(distance_result) X(tolerance_result) X(counters) \
    X(closest_params) X(cast_params) X(cast_result) X(minima_params) X(sweep_params) X(sweep_result)

#endif
