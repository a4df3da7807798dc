/* A client as it was written and compiled for version 0.1: the header of that version, its struct sizes, every function.
 * The library that it runs against is a later one. */
#include "feeler-0.1.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned long passed, failed;

static void check(int holds, const char *what, int line) {
    if (holds) {
        ++passed;
    } else {
        ++failed;
        printf("client.c:%d: %s; last message: %s\n", line, what, feeler_last_error_message());
    }
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)
#define CHECK_OK(call) CHECK((call) == FEELER_STATUS_OK)

/* A struct of 0.1 and what lies behind it in the client's memory. */
#define FRAMED(name, value) \
    struct { \
        feeler_##name s; \
        unsigned char behind[256]; \
    } value; \
    memset(&value, 0xa5, sizeof value); \
    CHECK_OK(feeler_##name##_init(&value.s, sizeof value.s)); \
    CHECK(value.s.struct_size == sizeof(feeler_##name))
#define INTACT(value) CHECK(is_intact(value.behind, sizeof value.behind))

static int is_intact(const unsigned char *bytes, size_t count) {
    size_t i;
    for (i = 0; i < count; ++i) {
        if (bytes[i] != 0xa5) {
            return 0;
        }
    }
    return 1;
}

static const float tetrahedron[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static feeler_model *tetrahedron_model(uint32_t volume) {
    feeler_model *model = NULL;
    double triangles[9];
    size_t count = 0;
    FRAMED(mesh, mesh);
    FRAMED(build_params, build);
    FRAMED(model_info, info);
    CHECK(mesh.s.scalar == FEELER_SCALAR_F32);
    mesh.s.vertices = tetrahedron;
    mesh.s.vertex_count = 4;
    mesh.s.indices = faces;
    mesh.s.triangle_count = 4;
    CHECK_OK(feeler_model_create(&mesh.s, &model));
    build.s.volume = volume;
    CHECK_OK(feeler_model_build(model, &build.s));
    CHECK_OK(feeler_model_get_info(model, &info.s));
    CHECK(info.s.triangle_count == 4 && info.s.volume == volume && info.s.node_count > 0 && info.s.memory_bytes > 0);
    CHECK(info.s.bounds_min[0] == 0.0 && info.s.bounds_max[2] == 1.0 && info.s.degenerate_count == 0);
    CHECK_OK(feeler_model_export_volumes(model, 0, triangles, 1, &count));
    CHECK(count > 1);
    INTACT(mesh);
    INTACT(build);
    INTACT(info);
    return model;
}

/* B stands `gap` above A's upper corner, or touches it when the gap is 0. */
static void ask(feeler_pair *pair, double gap) {
    feeler_contact contacts[16];
    feeler_transform pose = feeler_transform_identity();
    FRAMED(collide_params, collide_params);
    FRAMED(contacts_params, contacts_params);
    FRAMED(distance_params, distance_params);
    FRAMED(tolerance_params, tolerance_params);
    FRAMED(collide_result, collide);
    FRAMED(contacts_result, found);
    FRAMED(distance_result, distance);
    FRAMED(tolerance_result, tolerance);
    FRAMED(counters, counters);
    CHECK(isinf(distance_params.s.max_distance));
    pose.translation[2] = 1.0 + gap;
    CHECK_OK(feeler_pair_set_transforms(pair, NULL, &pose));

    CHECK_OK(feeler_pair_collide(pair, &collide_params.s, &collide.s));
    CHECK(collide.s.complete == 1 && collide.s.colliding == (gap == 0.0));
    CHECK((collide.s.triangle_a == FEELER_NO_TRIANGLE) == (gap > 0.0));

    contacts_params.s.margin = gap;
    memset(contacts, 0xa5, sizeof contacts);
    CHECK_OK(feeler_pair_contacts(pair, &contacts_params.s, contacts, 2, &found.s));
    CHECK(found.s.complete == 1 && found.s.found == 9 && found.s.written == 2); /* three triangles at each corner */
    CHECK(contacts[0].distance == gap && contacts[0].triangle_a <= contacts[1].triangle_a);
    CHECK(is_intact((const unsigned char *)(contacts + 2), 14 * sizeof *contacts));

    CHECK_OK(feeler_pair_distance(pair, &distance_params.s, &distance.s));
    CHECK(distance.s.complete == 1 && distance.s.lower == gap && distance.s.upper == gap);
    CHECK(distance.s.triangle_a < 4 && distance.s.triangle_b < 4);
    CHECK(distance.s.point_a[2] == 1.0 && distance.s.point_b[2] == 1.0 + gap);

    tolerance_params.s.tolerance = 0.125;
    CHECK_OK(feeler_pair_tolerance(pair, &tolerance_params.s, &tolerance.s));
    CHECK(tolerance.s.complete == 1 && tolerance.s.closer == (gap <= 0.125));

    CHECK_OK(feeler_pair_get_counters(pair, &counters.s));
    CHECK(counters.s.work <= counters.s.expansions + counters.s.triangle_tests + counters.s.front_tests);
    INTACT(collide_params);
    INTACT(contacts_params);
    INTACT(distance_params);
    INTACT(tolerance_params);
    INTACT(collide);
    INTACT(found);
    INTACT(distance);
    INTACT(tolerance);
    INTACT(counters);
}

int main(void) {
    const double quaternion[4] = {0, 0, 0, 1}, origin[3] = {0, 0, 0};
    const double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const float matrix_f32[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const feeler_transform identity = feeler_transform_identity();
    feeler_transform made[3];
    uint32_t volume;
    CHECK(FEELER_VERSION == 100 && feeler_version() >= FEELER_VERSION && feeler_version() < 10000);
    CHECK(strlen(feeler_version_string()) > 0 && strlen(feeler_instruction_set()) > 0);
    CHECK(strcmp(feeler_status_name(FEELER_STATUS_BUSY), "FEELER_STATUS_BUSY") == 0);
    CHECK_OK(feeler_transform_from_matrix4_f64(matrix, &made[0]));
    CHECK_OK(feeler_transform_from_matrix4_f32(matrix_f32, &made[1]));
    CHECK_OK(feeler_transform_from_quaternion(quaternion, origin, &made[2]));
    CHECK(memcmp(&made[0], &identity, sizeof identity) == 0 && memcmp(&made[1], &identity, sizeof identity) == 0 &&
          memcmp(&made[2], &identity, sizeof identity) == 0);
    for (volume = FEELER_VOLUME_OBB; volume <= FEELER_VOLUME_KDOP18; ++volume) {
        feeler_model *model = tetrahedron_model(volume);
        feeler_pair *pair = NULL;
        FRAMED(pair_params, params);
        CHECK_OK(feeler_pair_create(model, model, &params.s, &pair));
        INTACT(params);
        CHECK(feeler_pair_memory(pair) > 0);
        feeler_model_destroy(model);
        ask(pair, 0.25);
        ask(pair, 0.0);
        feeler_pair_reset(pair);
        ask(pair, 0.125);
        CHECK(feeler_pair_distance(pair, NULL, NULL) == FEELER_STATUS_NULL_ARGUMENT);
        feeler_pair_destroy(pair);
    }
    printf("client of 0.1: %lu passed, %lu failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
