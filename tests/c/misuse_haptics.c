/* Bad input to the queries of one model, to local minima and to sweeps: a status and a sentence, outputs untouched. */
#include "check.h"

static const double here[3] = {0.3, 0.4, 1.0}, there[3] = {0.5, 0.6, -1.0};
static const double bad_points[][3] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, -INFINITY}, {0, 2e300, 0}};
static feeler_model *model, *unbuilt, *bare;
static feeler_pair *pair, *bare_pair;
static uint64_t no_handle[32];

static int is_painted(const void *bytes, size_t count) {
    const unsigned char *byte = (const unsigned char *)bytes;
    size_t i;
    for (i = 0; i < count; ++i) {
        if (byte[i] != 0x5a) {
            return 0;
        }
    }
    return 1;
}

/* Poses that every query of one model refuses, and what the sentence names. */
static const struct {
    size_t entry;
    double value;
    const char *named;
} bad_poses[] = {{0, 3, "pose.rotation"},       {4, NAN, "pose.rotation"},      {8, -1, "pose.rotation"},      {9, INFINITY, "pose.translation"},
                 {11, 2e300, "pose.translation"}, {12, 0, "pose.scale"}, {13, NAN, "pose.scale"}, {14, 1e-301, "pose.scale"}};
enum { bad_pose_count = sizeof bad_poses / sizeof *bad_poses };

static feeler_transform bad_pose(size_t i) {
    feeler_transform pose = moved(0, 0, 0);
    double numbers[15];
    memcpy(numbers, &pose, sizeof numbers);
    numbers[bad_poses[i].entry] = bad_poses[i].value;
    memcpy(&pose, numbers, sizeof pose);
    return pose;
}

/* Params and results of a caller who knows more than the library does, or nothing. */
typedef struct {
    feeler_closest_params known;
    uint64_t unknown;
} newer_closest_params;
typedef struct {
    feeler_cast_params known;
    uint64_t unknown;
} newer_cast_params;
typedef struct {
    feeler_minima_params known;
    uint64_t unknown;
} newer_minima_params;
typedef struct {
    feeler_sweep_params known;
    uint64_t unknown;
} newer_sweep_params;

static void closest(void) {
    feeler_surface_point out[2];
    feeler_closest_params params = feeler_closest_params_default();
    feeler_transform pose = moved(0, 0, 0);
    newer_closest_params newer;
    double points[6] = {0.3, 0.4, 1.0, 0, NAN, 0};
    size_t i;
    memset(out, 0x5a, sizeof out);
    REFUSED(NULL_ARGUMENT, "model", feeler_model_closest_point(NULL, NULL, here, NULL, out));
    REFUSED(INVALID_ARGUMENT, "model", feeler_model_closest_point((feeler_model *)(void *)no_handle, NULL, here, NULL, out));
    REFUSED(NOT_BUILT, "model", feeler_model_closest_point(unbuilt, NULL, here, NULL, out));
    REFUSED(NULL_ARGUMENT, "point", feeler_model_closest_point(model, NULL, NULL, NULL, out));
    REFUSED(NULL_ARGUMENT, "out", feeler_model_closest_point(model, NULL, here, NULL, NULL));
    for (i = 0; i < sizeof bad_points / sizeof *bad_points; ++i) {
        REFUSED(INVALID_ARGUMENT, "point[", feeler_model_closest_point(model, NULL, bad_points[i], NULL, out));
    }
    pose.rotation[0] = 3;
    REFUSED(INVALID_ARGUMENT, "pose.rotation", feeler_model_closest_point(model, &pose, here, NULL, out));
    pose = moved(NAN, 0, 0);
    REFUSED(INVALID_ARGUMENT, "pose.translation", feeler_model_closest_point(model, &pose, here, NULL, out));
    params.flags = 64;
    REFUSED(UNSUPPORTED, "params.flags", feeler_model_closest_point(model, NULL, here, &params, out));
    params.flags = FEELER_CLOSEST_SIDE;
    REFUSED(UNSUPPORTED, "topology", feeler_model_closest_point(bare, NULL, here, &params, out));
    params.max_distance = -1;
    REFUSED(INVALID_ARGUMENT, "params.max_distance", feeler_model_closest_point(model, NULL, here, &params, out));
    params.max_distance = NAN;
    REFUSED(INVALID_ARGUMENT, "params.max_distance", feeler_model_closest_point(model, NULL, here, &params, out));
    params.struct_size = 23;
    REFUSED(INVALID_STRUCT, "params", feeler_model_closest_point(model, NULL, here, &params, out));
    REFUSED(NULL_ARGUMENT, "points", feeler_model_closest_points(model, NULL, NULL, 0, 1, NULL, out));
    REFUSED(NULL_ARGUMENT, "out", feeler_model_closest_points(model, NULL, points, 0, 1, NULL, NULL));
    REFUSED(INVALID_ARGUMENT, "stride", feeler_model_closest_points(model, NULL, points, 23, 1, NULL, out));
    REFUSED(INVALID_ARGUMENT, "points[1][1]", feeler_model_closest_points(model, NULL, points, 0, 2, NULL, out));
    for (i = 0; i < bad_pose_count; ++i) {
        pose = bad_pose(i);
        REFUSED(INVALID_ARGUMENT, bad_poses[i].named, feeler_model_closest_point(model, &pose, here, NULL, out));
        REFUSED(INVALID_ARGUMENT, bad_poses[i].named, feeler_model_closest_points(model, &pose, points, 0, 1, NULL, out));
    }
    params.struct_size = 4097;
    REFUSED(INVALID_STRUCT, "params", feeler_model_closest_point(model, NULL, here, &params, out));
    newer.known = feeler_closest_params_default();
    newer.known.struct_size = sizeof newer;
    newer.unknown = 1;
    REFUSED(UNSUPPORTED, "params", feeler_model_closest_point(model, NULL, here, &newer.known, out));
    REFUSED(UNSUPPORTED, "params", feeler_model_closest_points(model, NULL, points, 0, 1, &newer.known, out));
    REFUSED(NULL_ARGUMENT, "model", feeler_model_closest_points(NULL, NULL, points, 0, 1, NULL, out));
    REFUSED(INVALID_ARGUMENT, "model", feeler_model_closest_points((feeler_model *)(void *)no_handle, NULL, points, 0, 1, NULL, out));
    REFUSED(NOT_BUILT, "model", feeler_model_closest_points(unbuilt, NULL, points, 0, 1, NULL, out));
    params = feeler_closest_params_default();
    params.flags = FEELER_CLOSEST_SIDE;
    REFUSED(UNSUPPORTED, "topology", feeler_model_closest_points(bare, NULL, points, 0, 1, &params, out));
    params.max_distance = NAN;
    REFUSED(INVALID_ARGUMENT, "params.max_distance", feeler_model_closest_points(model, NULL, points, 0, 1, &params, out));
    CHECK(is_painted(out, sizeof out));
    CHECK_OK(feeler_model_closest_points(model, NULL, NULL, 0, 0, NULL, NULL));
    CHECK_OK(feeler_model_closest_points(model, NULL, points, 0, 1, NULL, out));
    CHECK(!is_painted(out, sizeof *out) && is_painted(out + 1, sizeof *out));
    params = feeler_closest_params_default();
    params.max_distance = 1e-3;
    CHECK_OK(feeler_model_closest_point(model, NULL, here, &params, out));
    CHECK(isinf(out->distance) && out->triangle == FEELER_NO_TRIANGLE && out->side == FEELER_SIDE_UNKNOWN && out->complete);
}

static void casts(void) {
    feeler_hit out[2];
    feeler_cast_params params = feeler_cast_params_default();
    newer_cast_params newer;
    feeler_cast_result result, before;
    size_t i;
    memset(out, 0x5a, sizeof out);
    memset(&result, 0x5a, sizeof result);
    result.struct_size = sizeof result;
    before = result;
    REFUSED(NULL_ARGUMENT, "model", feeler_model_cast(NULL, NULL, here, there, NULL, out, 2, &result));
    REFUSED(NOT_BUILT, "model", feeler_model_cast(unbuilt, NULL, here, there, NULL, out, 2, &result));
    REFUSED(NULL_ARGUMENT, "from", feeler_model_cast(model, NULL, NULL, there, NULL, out, 2, &result));
    REFUSED(NULL_ARGUMENT, "to", feeler_model_cast(model, NULL, here, NULL, NULL, out, 2, &result));
    REFUSED(NULL_ARGUMENT, "out", feeler_model_cast(model, NULL, here, there, NULL, NULL, 2, &result));
    REFUSED(NULL_ARGUMENT, "result", feeler_model_cast(model, NULL, here, there, NULL, out, 2, NULL));
    for (i = 0; i < sizeof bad_points / sizeof *bad_points; ++i) {
        REFUSED(INVALID_ARGUMENT, "from[", feeler_model_cast(model, NULL, bad_points[i], there, NULL, out, 2, &result));
        REFUSED(INVALID_ARGUMENT, "to[", feeler_model_cast(model, NULL, here, bad_points[i], NULL, out, 2, &result));
    }
    params.radius = -1;
    REFUSED(INVALID_ARGUMENT, "params.radius", feeler_model_cast(model, NULL, here, there, &params, out, 2, &result));
    params.radius = INFINITY;
    REFUSED(INVALID_ARGUMENT, "params.radius", feeler_model_cast(model, NULL, here, there, &params, out, 2, &result));
    params.radius = NAN;
    REFUSED(INVALID_ARGUMENT, "params.radius", feeler_model_cast(model, NULL, here, there, &params, out, 2, &result));
    params.radius = 0;
    params.flags = 16;
    REFUSED(UNSUPPORTED, "params.flags", feeler_model_cast(model, NULL, here, there, &params, out, 2, &result));
    params.flags = FEELER_CAST_FRONT_ONLY | FEELER_CAST_BACK_ONLY;
    REFUSED(INVALID_ARGUMENT, "params.flags", feeler_model_cast(model, NULL, here, there, &params, out, 2, &result));
    for (i = 0; i < bad_pose_count; ++i) {
        feeler_transform pose = bad_pose(i);
        REFUSED(INVALID_ARGUMENT, bad_poses[i].named, feeler_model_cast(model, &pose, here, there, NULL, out, 2, &result));
    }
    REFUSED(INVALID_ARGUMENT, "model", feeler_model_cast((feeler_model *)(void *)no_handle, NULL, here, there, NULL, out, 2, &result));
    params = feeler_cast_params_default();
    params.struct_size = 23;
    REFUSED(INVALID_STRUCT, "params", feeler_model_cast(model, NULL, here, there, &params, out, 2, &result));
    newer.known = feeler_cast_params_default();
    newer.known.struct_size = sizeof newer;
    newer.unknown = 1;
    REFUSED(UNSUPPORTED, "params", feeler_model_cast(model, NULL, here, there, &newer.known, out, 2, &result));
    result.struct_size = before.struct_size = 4097;
    REFUSED(INVALID_STRUCT, "result", feeler_model_cast(model, NULL, here, there, NULL, out, 2, &result));
    result.struct_size = before.struct_size = 1;
    REFUSED(INVALID_STRUCT, "result", feeler_model_cast(model, NULL, here, there, NULL, out, 2, &result));
    CHECK(memcmp(&result, &before, sizeof result) == 0 && is_painted(out, sizeof out));
    result.struct_size = sizeof result;
    CHECK_OK(feeler_model_cast(model, NULL, here, there, NULL, NULL, 0, &result));
    CHECK(result.found == 1 && result.written == 0 && result.complete == 1);
    CHECK_OK(feeler_model_cast(model, NULL, here, here, NULL, out, 2, &result));
    CHECK(result.found == 0 && is_painted(out, sizeof out));
    CHECK_OK(feeler_model_cast(model, NULL, here, there, NULL, out, 2, &result));
    CHECK(result.found == 1 && result.written == 1 && out->time > 0 && out->time < 1 && is_painted(out + 1, sizeof *out));
}

static void balls(void) {
    uint32_t out[4];
    size_t count = 77, i;
    memset(out, 0x5a, sizeof out);
    REFUSED(NULL_ARGUMENT, "model", feeler_model_within(NULL, NULL, here, 1, out, 4, &count));
    REFUSED(NOT_BUILT, "model", feeler_model_within(unbuilt, NULL, here, 1, out, 4, &count));
    REFUSED(NULL_ARGUMENT, "centre", feeler_model_within(model, NULL, NULL, 1, out, 4, &count));
    REFUSED(NULL_ARGUMENT, "triangles", feeler_model_within(model, NULL, here, 1, NULL, 4, &count));
    REFUSED(NULL_ARGUMENT, "count", feeler_model_within(model, NULL, here, 1, out, 4, NULL));
    REFUSED(INVALID_ARGUMENT, "model", feeler_model_within((feeler_model *)(void *)no_handle, NULL, here, 1, out, 4, &count));
    for (i = 0; i < sizeof bad_points / sizeof *bad_points; ++i) {
        REFUSED(INVALID_ARGUMENT, "centre[", feeler_model_within(model, NULL, bad_points[i], 1, out, 4, &count));
    }
    for (i = 0; i < bad_pose_count; ++i) {
        feeler_transform pose = bad_pose(i);
        REFUSED(INVALID_ARGUMENT, bad_poses[i].named, feeler_model_within(model, &pose, here, 1, out, 4, &count));
    }
    REFUSED(INVALID_ARGUMENT, "radius", feeler_model_within(model, NULL, here, -1, out, 4, &count));
    REFUSED(INVALID_ARGUMENT, "radius", feeler_model_within(model, NULL, here, NAN, out, 4, &count));
    REFUSED(INVALID_ARGUMENT, "radius", feeler_model_within(model, NULL, here, INFINITY, out, 4, &count));
    CHECK(count == 77 && is_painted(out, sizeof out));
    CHECK_OK(feeler_model_within(model, NULL, here, 100, NULL, 0, &count));
    CHECK(count == 8);
    CHECK_OK(feeler_model_within(model, NULL, here, 100, out, 3, &count));
    CHECK(count == 8 && out[0] == 0 && out[1] == 1 && out[2] == 2 && is_painted(out + 3, sizeof *out));
}

static void minima(void) {
    feeler_minimum out[2];
    feeler_minima_params params = feeler_minima_params_default();
    newer_minima_params newer;
    feeler_contacts_result result, before;
    memset(out, 0x5a, sizeof out);
    memset(&result, 0x5a, sizeof result);
    result.struct_size = sizeof result;
    before = result;
    REFUSED(NULL_ARGUMENT, "pair", feeler_pair_local_minima(NULL, NULL, out, 2, &result));
    REFUSED(INVALID_ARGUMENT, "pair", feeler_pair_local_minima((feeler_pair *)(void *)no_handle, NULL, out, 2, &result));
    REFUSED(NULL_ARGUMENT, "out", feeler_pair_local_minima(pair, NULL, NULL, 2, &result));
    REFUSED(NULL_ARGUMENT, "result", feeler_pair_local_minima(pair, NULL, out, 2, NULL));
    params.margin = -1;
    REFUSED(INVALID_ARGUMENT, "params.margin", feeler_pair_local_minima(pair, &params, out, 2, &result));
    params.margin = INFINITY;
    REFUSED(INVALID_ARGUMENT, "params.margin", feeler_pair_local_minima(pair, &params, out, 2, &result));
    params.margin = NAN;
    REFUSED(INVALID_ARGUMENT, "params.margin", feeler_pair_local_minima(pair, &params, out, 2, &result));
    params.margin = 3;
    params.merge_distance = -1;
    REFUSED(INVALID_ARGUMENT, "params.merge_distance", feeler_pair_local_minima(pair, &params, out, 2, &result));
    params.merge_distance = NAN;
    REFUSED(INVALID_ARGUMENT, "params.merge_distance", feeler_pair_local_minima(pair, &params, out, 2, &result));
    params.merge_distance = 0;
    params.flags = 2;
    REFUSED(UNSUPPORTED, "params.flags", feeler_pair_local_minima(pair, &params, out, 2, &result));
    params.flags = 0;
    REFUSED(UNSUPPORTED, "topology", feeler_pair_local_minima(bare_pair, &params, out, 2, &result));
    params.struct_size = 31;
    REFUSED(INVALID_STRUCT, "params", feeler_pair_local_minima(pair, &params, out, 2, &result));
    params.struct_size = sizeof params;
    newer.known = params;
    newer.known.struct_size = sizeof newer;
    newer.unknown = 1;
    REFUSED(UNSUPPORTED, "params", feeler_pair_local_minima(pair, &newer.known, out, 2, &result));
    result.struct_size = before.struct_size = 1;
    REFUSED(INVALID_STRUCT, "result", feeler_pair_local_minima(pair, &params, out, 2, &result));
    CHECK(memcmp(&result, &before, sizeof result) == 0);
    result.struct_size = before.struct_size = sizeof result;
    CHECK(memcmp(&result, &before, sizeof result) == 0 && is_painted(out, sizeof out));
    CHECK_OK(feeler_pair_local_minima(pair, &params, NULL, 0, &result));
    CHECK(result.found > 0 && result.written == 0 && result.complete == 1);
    CHECK_OK(feeler_pair_local_minima(pair, &params, out, 1, &result));
    CHECK(result.written == 1 && out->merged == 1 && out->reserved == 0 && is_painted(out + 1, sizeof *out));
    CHECK(out->id == (((uint64_t)(8 * out->contact.triangle_a + (out->contact.feature & 255)) << 32) |
                      (8 * out->contact.triangle_b + (out->contact.feature >> 8))));
}

static void sweeps(void) {
    feeler_sweep_params params = feeler_sweep_params_default();
    newer_sweep_params newer;
    feeler_sweep_result result, before;
    feeler_transform end = moved(0, 0, -2), wrong = moved(0, 0, -2), between, painted, scaled;
    memset(&result, 0x5a, sizeof result);
    result.struct_size = sizeof result;
    before = result;
    params.tolerance = 0.01;
    REFUSED(NULL_ARGUMENT, "pair", feeler_pair_sweep(NULL, NULL, &end, &params, &result));
    REFUSED(NULL_ARGUMENT, "result", feeler_pair_sweep(pair, NULL, &end, &params, NULL));
    REFUSED(INVALID_ARGUMENT, "params.tolerance", feeler_pair_sweep(pair, NULL, &end, NULL, &result));
    params.tolerance = -1;
    REFUSED(INVALID_ARGUMENT, "params.tolerance", feeler_pair_sweep(pair, NULL, &end, &params, &result));
    params.tolerance = NAN;
    REFUSED(INVALID_ARGUMENT, "params.tolerance", feeler_pair_sweep(pair, NULL, &end, &params, &result));
    params.tolerance = INFINITY;
    REFUSED(INVALID_ARGUMENT, "params.tolerance", feeler_pair_sweep(pair, NULL, &end, &params, &result));
    params.tolerance = 0.01;
    REFUSED(INVALID_ARGUMENT, "pair", feeler_pair_sweep((feeler_pair *)(void *)no_handle, NULL, &end, &params, &result));
    params.struct_size = 23;
    REFUSED(INVALID_STRUCT, "params", feeler_pair_sweep(pair, NULL, &end, &params, &result));
    params.struct_size = sizeof params;
    newer.known = params;
    newer.known.struct_size = sizeof newer;
    newer.unknown = 1;
    REFUSED(UNSUPPORTED, "params", feeler_pair_sweep(pair, NULL, &end, &newer.known, &result));
    result.struct_size = before.struct_size = 1;
    REFUSED(INVALID_STRUCT, "result", feeler_pair_sweep(pair, NULL, &end, &params, &result));
    CHECK(memcmp(&result, &before, sizeof result) == 0);
    result.struct_size = before.struct_size = sizeof result;
    wrong.rotation[0] = -1;
    REFUSED(INVALID_ARGUMENT, "b_end.rotation", feeler_pair_sweep(pair, NULL, &wrong, &params, &result));
    wrong = moved(0, 0, -2);
    wrong.scale[0] = wrong.scale[1] = wrong.scale[2] = 2;
    REFUSED(INVALID_ARGUMENT, "b_end.scale", feeler_pair_sweep(pair, NULL, &wrong, &params, &result));
    wrong = moved(0, NAN, 0);
    REFUSED(INVALID_ARGUMENT, "a_end.translation", feeler_pair_sweep(pair, &wrong, NULL, &params, &result));
    params.flags = 2;
    REFUSED(UNSUPPORTED, "params.flags", feeler_pair_sweep(pair, NULL, &end, &params, &result));
    params.flags = 0;
    CHECK(memcmp(&result, &before, sizeof result) == 0);
    CHECK_OK(feeler_pair_sweep(pair, NULL, NULL, &params, &result));
    CHECK(result.hit == 0 && result.time_free == 1 && result.time_hit == 1 && result.triangle_a == FEELER_NO_TRIANGLE);
    CHECK_OK(feeler_pair_sweep(pair, NULL, &end, &params, &result));
    CHECK(result.hit == 1 && result.time_hit > 0 && result.time_hit < 1 && result.time_free <= result.time_hit);

    memset(&between, 0x5a, sizeof between);
    painted = between;
    REFUSED(NULL_ARGUMENT, "model", feeler_model_pose_between(NULL, &end, &end, 0.5, &between));
    REFUSED(NULL_ARGUMENT, "from", feeler_model_pose_between(model, NULL, &end, 0.5, &between));
    REFUSED(NULL_ARGUMENT, "to", feeler_model_pose_between(model, &end, NULL, 0.5, &between));
    REFUSED(NULL_ARGUMENT, "out", feeler_model_pose_between(model, &end, &end, 0.5, NULL));
    REFUSED(INVALID_ARGUMENT, "time", feeler_model_pose_between(model, &end, &end, 1.5, &between));
    REFUSED(INVALID_ARGUMENT, "time", feeler_model_pose_between(model, &end, &end, NAN, &between));
    REFUSED(INVALID_ARGUMENT, "time", feeler_model_pose_between(model, &end, &end, -0.5, &between));
    REFUSED(INVALID_ARGUMENT, "model", feeler_model_pose_between((feeler_model *)(void *)no_handle, &end, &end, 0.5, &between));
    REFUSED(INVALID_ARGUMENT, "from.translation", feeler_model_pose_between(model, &wrong, &end, 0.5, &between));
    scaled = end;
    scaled.scale[0] = 2;
    REFUSED(INVALID_ARGUMENT, "scale", feeler_model_pose_between(model, &end, &scaled, 0.5, &between));
    REFUSED(INVALID_ARGUMENT, "to.translation", feeler_model_pose_between(model, &end, &wrong, 0.5, &between));
    CHECK(memcmp(&between, &painted, sizeof between) == 0);
    wrong = moved(0, 0, 6);
    CHECK_OK(feeler_model_pose_between(model, &end, &wrong, 0.25, &between));
    CHECK(between.translation[2] == 0 && between.rotation[0] == 1 && between.scale[1] == 1);
}

int main(void) {
    grid g = grid_make(2);
    feeler_build_params params = feeler_build_params_default();
    feeler_model_info info = feeler_model_info_default();
    feeler_transform away = moved(0.25, 0.125, 2.0);
    model = model_of(&g.mesh);
    CHECK_OK(feeler_model_create(&g.mesh, &unbuilt));
    CHECK_OK(feeler_model_create(&g.mesh, &bare));
    params.flags = FEELER_BUILD_NO_TOPOLOGY;
    CHECK_OK(feeler_model_build(bare, &params));
    CHECK_OK(feeler_model_get_info(bare, &info));
    CHECK(info.flags == FEELER_BUILD_NO_TOPOLOGY && info.boundary_edges == 0);
    CHECK_OK(feeler_model_get_info(model, &info));
    CHECK(info.flags == 0 && info.boundary_edges == 8 && info.nonmanifold_edges == 0);
    pair = pair_of(model, model);
    bare_pair = pair_of(bare, model);
    CHECK_OK(feeler_pair_set_transforms(pair, NULL, &away));
    CHECK_OK(feeler_pair_set_transforms(bare_pair, NULL, &away));
    closest();
    casts();
    balls();
    minima();
    sweeps();
    feeler_pair_destroy(bare_pair);
    feeler_pair_destroy(pair);
    feeler_model_destroy(bare);
    feeler_model_destroy(unbuilt);
    feeler_model_destroy(model);
    grid_free(&g);
    return finish("misuse_haptics");
}
