/* Every misuse of every function: its status, a sentence that names the argument, and untouched outputs. */
#include "check.h"

#include <float.h>

static grid small;
static feeler_model *model, *unbuilt;
static feeler_pair *pair;

/* Numbers that no length may be. */
static const double not_lengths[] = {NAN, -INFINITY, -1.0, -DBL_MIN, -4.9e-324};

/* Any memory that is no handle; aligned as handles are. */
static _Alignas(64) unsigned char no_handle[256];

static void versions_and_names(void) {
    CHECK(feeler_last_error_message() != NULL);
    CHECK(feeler_last_error_message()[0] == '\0');
    CHECK(feeler_status_name(12345) != NULL);
}

static void initialisers(void) {
    unsigned char bytes[8192], before[8192];
    memset(bytes, 0xa5, sizeof bytes);
    memcpy(before, bytes, sizeof bytes);
#define INIT_MISUSE(name) \
    { \
        feeler_##name *s = (feeler_##name *)(void *)bytes; \
        CHECK(feeler_##name##_init(NULL, sizeof *s) == FEELER_STATUS_NULL_ARGUMENT); \
        CHECK(strstr(feeler_last_error_message(), "is NULL") != NULL); \
        REFUSED(INVALID_STRUCT, "size 0", feeler_##name##_init(s, 0)); \
        REFUSED(INVALID_STRUCT, "size", feeler_##name##_init(s, first_sizes.name - 1)); \
        REFUSED(INVALID_STRUCT, "size 4097", feeler_##name##_init(s, 4097)); \
        REFUSED(INVALID_STRUCT, "size", feeler_##name##_init(s, SIZE_MAX)); \
        CHECK(memcmp(bytes, before, sizeof bytes) == 0); \
        CHECK_OK(feeler_##name##_init(s, sizeof *s)); \
        CHECK(memcmp(bytes + sizeof *s, before + sizeof *s, sizeof bytes - sizeof *s) == 0); \
        memcpy(bytes, before, sizeof bytes); \
        CHECK_OK(feeler_##name##_init(s, 4096)); \
        CHECK(bytes[4095] == 0 && bytes[4096] == 0xa5); \
        memcpy(bytes, before, sizeof bytes); \
    }
    FOR_EVERY_STRUCT(INIT_MISUSE)
}

/* The output handle becomes NULL, whatever it was. */
#define CREATE_REFUSED(expected, word, mesh) \
    do { \
        feeler_model *out = (feeler_model *)(void *)no_handle; \
        REFUSED(expected, word, feeler_model_create((mesh), &out)); \
        CHECK(out == NULL); \
    } while (0)

static void model_create(void) {
    feeler_mesh mesh;
    feeler_model *out = NULL;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    size_t i, corner;
    REFUSED(NULL_ARGUMENT, "out", feeler_model_create(&small.mesh, NULL));
    CREATE_REFUSED(NULL_ARGUMENT, "mesh", NULL);

    mesh = small.mesh;
    mesh.struct_size = 0;
    CREATE_REFUSED(INVALID_STRUCT, "mesh", &mesh);
    mesh.struct_size = sizeof mesh - 1;
    CREATE_REFUSED(INVALID_STRUCT, "mesh", &mesh);
    mesh.struct_size = 4097;
    CREATE_REFUSED(INVALID_STRUCT, "mesh", &mesh);
    mesh.struct_size = UINT32_MAX;
    CREATE_REFUSED(INVALID_STRUCT, "mesh", &mesh);

    mesh = small.mesh;
    mesh.scalar = 2;
    CREATE_REFUSED(INVALID_ARGUMENT, "mesh.scalar", &mesh);
    mesh.scalar = UINT32_MAX;
    CREATE_REFUSED(INVALID_ARGUMENT, "mesh.scalar", &mesh);
    mesh = small.mesh;
    mesh.flags = 1;
    CREATE_REFUSED(UNSUPPORTED, "mesh.flags", &mesh);
    mesh = small.mesh;
    mesh.reserved = 1;
    CREATE_REFUSED(UNSUPPORTED, "mesh.reserved", &mesh);

    mesh = small.mesh;
    mesh.vertices = NULL;
    CREATE_REFUSED(NULL_ARGUMENT, "mesh.vertices", &mesh);
    mesh = small.mesh;
    mesh.vertex_count = 0;
    CREATE_REFUSED(INVALID_MESH, "mesh.vertex_count", &mesh);
    mesh = feeler_mesh_default();
    CREATE_REFUSED(INVALID_MESH, "mesh.vertex_count", &mesh);
    mesh = small.mesh;
    mesh.vertex_count = SIZE_MAX;
    CREATE_REFUSED(INVALID_MESH, "mesh.vertex_count", &mesh);
    mesh = small.mesh; /* arrays that would go round the end of memory */
    mesh.vertices = (const void *)(UINTPTR_MAX - 8);
    CREATE_REFUSED(INVALID_MESH, "mesh.vertex_count", &mesh);
    mesh = small.mesh;
    mesh.indices = (const uint32_t *)(UINTPTR_MAX - 7);
    CREATE_REFUSED(INVALID_MESH, "mesh.triangle_count", &mesh);
    mesh = small.mesh;
    mesh.vertex_stride = 11;
    CREATE_REFUSED(INVALID_ARGUMENT, "mesh.vertex_stride", &mesh);
    mesh.vertex_stride = SIZE_MAX;
    CREATE_REFUSED(INVALID_MESH, "mesh.vertex_count", &mesh);
    mesh = small.mesh;
    mesh.scalar = FEELER_SCALAR_F64;
    mesh.vertex_stride = 23;
    CREATE_REFUSED(INVALID_ARGUMENT, "mesh.vertex_stride", &mesh);

    mesh = small.mesh;
    mesh.triangle_count = 0;
    CREATE_REFUSED(INVALID_MESH, "mesh.triangle_count", &mesh);
    mesh.triangle_count = UINT32_MAX;
    CREATE_REFUSED(INVALID_MESH, "mesh.triangle_count", &mesh);
    mesh.triangle_count = SIZE_MAX;
    CREATE_REFUSED(INVALID_MESH, "mesh.triangle_count", &mesh);
    mesh = small.mesh;
    mesh.indices = NULL;
    mesh.triangle_count = 0;
    mesh.vertex_count = 8;
    CREATE_REFUSED(INVALID_MESH, "mesh.vertex_count", &mesh);
    if (sizeof(size_t) > 4) {
        mesh.vertex_count = (size_t)UINT32_MAX + 3; /* a multiple of three, one vertex more than 32 bits can name */
        CREATE_REFUSED(INVALID_MESH, "mesh.vertex_count", &mesh);
    }
    mesh.vertex_count = 6;
    mesh.triangle_count = 3;
    CREATE_REFUSED(INVALID_MESH, "mesh.triangle_count", &mesh);

    /* A bad index anywhere is named. */
    for (corner = 0; corner < 3 * small.mesh.triangle_count; ++corner) {
        char word[64];
        uint32_t kept = small.indices[corner];
        snprintf(word, sizeof word, "mesh.indices: triangle %u", (unsigned)(corner / 3));
        small.indices[corner] = (uint32_t)small.mesh.vertex_count;
        CREATE_REFUSED(INVALID_MESH, word, &small.mesh);
        small.indices[corner] = UINT32_MAX;
        CREATE_REFUSED(INVALID_MESH, word, &small.mesh);
        small.indices[corner] = kept;
    }
    /* A bad coordinate anywhere is named. */
    for (corner = 0; corner < 3 * small.mesh.vertex_count; ++corner) {
        char word[64];
        float kept = small.vertices[corner];
        snprintf(word, sizeof word, "mesh.vertices: vertex %u", (unsigned)(corner / 3));
        for (i = 0; i < sizeof bad / sizeof *bad; ++i) {
            small.vertices[corner] = (float)bad[i];
            CREATE_REFUSED(INVALID_MESH, word, &small.mesh);
        }
        small.vertices[corner] = kept;
    }
    {
        double doubles[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
        mesh = feeler_mesh_default();
        mesh.scalar = FEELER_SCALAR_F64;
        mesh.vertices = doubles;
        mesh.vertex_count = 3;
        doubles[7] = 1.1e300;
        CREATE_REFUSED(INVALID_MESH, "vertex 2", &mesh);
        doubles[7] = -DBL_MAX;
        CREATE_REFUSED(INVALID_MESH, "vertex 2", &mesh);
        doubles[7] = 1e300;
        CHECK_OK(feeler_model_create(&mesh, &out));
        feeler_model_destroy(out);
    }
    /* Legal oddities: unaligned arrays, any stride, a soup, degenerate triangles. */
    {
        char *bytes = malloc(1 + 3 * 29);
        feeler_model_info info = feeler_model_info_default();
        for (i = 0; i < 3; ++i) {
            memcpy(bytes + 1 + 29 * i, small.vertices + 3 * i, 12);
        }
        mesh = feeler_mesh_default();
        mesh.vertices = bytes + 1;
        mesh.vertex_stride = 29;
        mesh.vertex_count = 3;
        CHECK_OK(feeler_model_create(&mesh, &out));
        CHECK_OK(feeler_model_get_info(out, &info));
        CHECK(info.triangle_count == 1 && info.node_count == 0 && info.memory_bytes > 0);
        CHECK(info.bounds_min[0] == 0.0 && info.bounds_max[0] == 2.0);
        feeler_model_destroy(out);
        free(bytes);
    }
}

static void model_functions(void) {
    feeler_model_info info, before;
    feeler_build_params params = feeler_build_params_default();
    feeler_model *other = model_of(&small.mesh);
    uint32_t value;

    memset(&info, 0x5a, sizeof info);
    info.struct_size = sizeof info;
    before = info;
    REFUSED(NULL_ARGUMENT, "model", feeler_model_get_info(NULL, &info));
    REFUSED(NULL_ARGUMENT, "info", feeler_model_get_info(model, NULL));
    REFUSED(INVALID_ARGUMENT, "model", feeler_model_get_info((feeler_model *)(void *)no_handle, &info));
    REFUSED(INVALID_ARGUMENT, "model", feeler_model_get_info((feeler_model *)(void *)(no_handle + 1), &info));
    REFUSED(INVALID_ARGUMENT, "model", feeler_model_get_info((feeler_model *)(void *)pair, &info));
    CHECK(memcmp(&info, &before, sizeof info) == 0);
    for (value = 0; value < 2; ++value) {
        info.struct_size = value ? 4097 : 111; /* 112 bytes in version 0.1 */
        before = info;
        REFUSED(INVALID_STRUCT, "info", feeler_model_get_info(model, &info));
        CHECK(memcmp(&info, &before, sizeof info) == 0);
    }

    REFUSED(NULL_ARGUMENT, "model", feeler_model_build(NULL, NULL));
    REFUSED(INVALID_ARGUMENT, "model", feeler_model_build((feeler_model *)(void *)pair, NULL));
    params.struct_size = 31;
    REFUSED(INVALID_STRUCT, "params", feeler_model_build(other, &params));
    params.struct_size = 5000;
    REFUSED(INVALID_STRUCT, "params", feeler_model_build(other, &params));
    params = feeler_build_params_default();
    params.flags = 4;
    REFUSED(UNSUPPORTED, "params.flags", feeler_model_build(other, &params));
    params.flags = 0x80000001u;
    REFUSED(UNSUPPORTED, "params.flags", feeler_model_build(other, &params));
    params = feeler_build_params_default();
    for (value = FEELER_VOLUME_OBB; value < volume_count(); ++value) {
        params.volume = value; /* every volume of the header can be built */
        CHECK_OK(feeler_model_build(other, &params));
    }
    params.volume = volume_count();
    REFUSED(INVALID_ARGUMENT, "params.volume", feeler_model_build(other, &params));
    params.volume = UINT32_MAX;
    REFUSED(INVALID_ARGUMENT, "params.volume", feeler_model_build(other, &params));
    params = feeler_build_params_default();
    params.quality = 2;
    REFUSED(INVALID_ARGUMENT, "params.quality", feeler_model_build(other, &params));
    params = feeler_build_params_default();
    params.split = 5;
    REFUSED(INVALID_ARGUMENT, "params.split", feeler_model_build(other, &params));
    params = feeler_build_params_default();
    params.hybrid_selection = 2;
    REFUSED(INVALID_ARGUMENT, "params.hybrid_selection", feeler_model_build(other, &params));
    params = feeler_build_params_default();
    params.reserved = 1;
    REFUSED(UNSUPPORTED, "params.reserved", feeler_model_build(other, &params));
    /* A refused build leaves the model built. */
    {
        feeler_pair *still = pair_of(other, other);
        feeler_pair_destroy(still);
    }
    /* The tree that a pair uses stays; without pairs it can be built again. */
    REFUSED(BUSY, "model is used by a living pair", feeler_model_build(model, NULL));
    params = feeler_build_params_default();
    params.flags = FEELER_BUILD_DEFORMABLE;
    params.threads = 1;
    CHECK_OK(feeler_model_build(other, &params));
    info = feeler_model_info_default();
    CHECK_OK(feeler_model_get_info(other, &info));
    CHECK(info.flags == FEELER_BUILD_DEFORMABLE && info.refit_quality == 1.0);

    REFUSED(NULL_ARGUMENT, "model", feeler_model_update_vertices(NULL, &small.mesh));
    REFUSED(NULL_ARGUMENT, "mesh", feeler_model_update_vertices(other, NULL));
    REFUSED(INVALID_ARGUMENT, "model", feeler_model_update_vertices((feeler_model *)(void *)no_handle, &small.mesh));
    /* Its first build was another one. */
    REFUSED(UNSUPPORTED, "model", feeler_model_update_vertices(other, &small.mesh));

    feeler_model_destroy(other);
    feeler_model_destroy(NULL);
    /* No handle: nothing happens but a message. */
    feeler_model_destroy((feeler_model *)(void *)no_handle);
    feeler_model_destroy((feeler_model *)(void *)pair);
    CHECK(strstr(feeler_last_error_message(), "model is not a feeler_model") != NULL);
}

static void transforms(void) {
    double m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1}, quaternion[4] = {0, 0, 0, 1};
    double translation[3] = {1, 2, 3};
    float f[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1};
    const double bad[] = {NAN, INFINITY, -INFINITY, 1.1e300};
    feeler_transform out, before;
    size_t i, k;
    memset(&out, 0x5a, sizeof out);
    before = out;
    REFUSED(NULL_ARGUMENT, "m is NULL", feeler_transform_from_matrix4_f64(NULL, &out));
    REFUSED(NULL_ARGUMENT, "m is NULL", feeler_transform_from_matrix4_f32(NULL, &out));
    REFUSED(NULL_ARGUMENT, "out", feeler_transform_from_matrix4_f64(m, NULL));
    REFUSED(NULL_ARGUMENT, "out", feeler_transform_from_matrix4_f32(f, NULL));
    REFUSED(NULL_ARGUMENT, "xyzw", feeler_transform_from_quaternion(NULL, translation, &out));
    REFUSED(NULL_ARGUMENT, "translation", feeler_transform_from_quaternion(quaternion, NULL, &out));
    REFUSED(NULL_ARGUMENT, "out", feeler_transform_from_quaternion(quaternion, translation, NULL));
    for (i = 0; i < 16; ++i) {
        double kept = m[i];
        float kept_f = f[i];
        for (k = 0; k < 4; ++k) {
            m[i] = bad[k];
            REFUSED(INVALID_ARGUMENT, "m[", feeler_transform_from_matrix4_f64(m, &out));
            f[i] = (float)bad[k % 3];
            REFUSED(INVALID_ARGUMENT, "m[", feeler_transform_from_matrix4_f32(f, &out));
        }
        m[i] = kept;
        f[i] = kept_f;
    }
    m[3] = 0.5;
    REFUSED(INVALID_ARGUMENT, "m is not affine", feeler_transform_from_matrix4_f64(m, &out));
    m[3] = 0.0;
    m[15] = 2.0;
    REFUSED(INVALID_ARGUMENT, "m is not affine", feeler_transform_from_matrix4_f64(m, &out));
    m[15] = 1.0;
    m[0] = -1.0; /* a mirror becomes a negative factor */
    {
        feeler_transform mirror = feeler_transform_identity();
        CHECK_OK(feeler_transform_from_matrix4_f64(m, &mirror));
        CHECK(mirror.scale[0] == -1.0 && mirror.scale[1] == 1.0 && mirror.scale[2] == 1.0 && mirror.rotation[0] == 1.0);
    }
    m[0] = 0.0;
    REFUSED(INVALID_ARGUMENT, "m scales", feeler_transform_from_matrix4_f64(m, &out));
    m[0] = 1.0;
    m[4] = 1e-5;
    REFUSED(INVALID_ARGUMENT, "m.rotation", feeler_transform_from_matrix4_f64(m, &out));
    m[4] = 0.0;
    for (i = 0; i < 4; ++i) {
        for (k = 0; k < 3; ++k) {
            double kept = quaternion[i];
            quaternion[i] = bad[k];
            REFUSED(INVALID_ARGUMENT, "xyzw", feeler_transform_from_quaternion(quaternion, translation, &out));
            quaternion[i] = kept;
        }
    }
    quaternion[3] = 0.0;
    REFUSED(INVALID_ARGUMENT, "xyzw", feeler_transform_from_quaternion(quaternion, translation, &out));
    quaternion[3] = 1.0;
    for (i = 0; i < 3; ++i) {
        for (k = 0; k < 4; ++k) {
            double kept = translation[i];
            translation[i] = bad[k];
            REFUSED(INVALID_ARGUMENT, "translation", feeler_transform_from_quaternion(quaternion, translation, &out));
            translation[i] = kept;
        }
    }
    CHECK(memcmp(&out, &before, sizeof out) == 0);
    CHECK_OK(feeler_transform_from_matrix4_f64(m, &out));
    CHECK(out.translation[0] == 4.0 && out.scale[0] == 1.0 && out.rotation[0] == 1.0);
    CHECK_OK(feeler_transform_from_matrix4_f32(f, &out));
    CHECK(out.translation[2] == 6.0);
    quaternion[2] = 7.0; /* a quarter turn about z, of any length */
    quaternion[3] = 7.0;
    CHECK_OK(feeler_transform_from_quaternion(quaternion, translation, &out));
    CHECK(fabs(out.rotation[3] - 1.0) < 1e-15 && fabs(out.rotation[1] + 1.0) < 1e-15 && out.translation[1] == 2.0);
}

static void pair_create(void) {
    feeler_pair_params params = feeler_pair_params_default();
    feeler_pair *out;
#define PAIR_REFUSED(expected, word, a, b, p) \
    do { \
        out = (feeler_pair *)(void *)no_handle; \
        REFUSED(expected, word, feeler_pair_create((a), (b), (p), &out)); \
        CHECK(out == NULL); \
    } while (0)
    REFUSED(NULL_ARGUMENT, "out", feeler_pair_create(model, model, NULL, NULL));
    PAIR_REFUSED(NULL_ARGUMENT, "a is NULL", NULL, model, NULL);
    PAIR_REFUSED(NULL_ARGUMENT, "b is NULL", model, NULL, NULL);
    PAIR_REFUSED(INVALID_ARGUMENT, "a is not a feeler_model", (feeler_model *)(void *)no_handle, model, NULL);
    PAIR_REFUSED(INVALID_ARGUMENT, "b is not a feeler_model", model, (feeler_model *)(void *)pair, NULL);
    PAIR_REFUSED(NOT_BUILT, "a has not been built", unbuilt, model, NULL);
    PAIR_REFUSED(NOT_BUILT, "b has not been built", model, unbuilt, NULL);
    params.struct_size = 15;
    PAIR_REFUSED(INVALID_STRUCT, "params", model, model, &params);
    params.struct_size = 4097;
    PAIR_REFUSED(INVALID_STRUCT, "params", model, model, &params);
    params = feeler_pair_params_default();
    params.flags = 2;
    PAIR_REFUSED(UNSUPPORTED, "params.flags", model, model, &params);
    params = feeler_pair_params_default();
    params.max_front = UINT32_MAX;
    PAIR_REFUSED(INVALID_ARGUMENT, "params.max_front is 4294967295, more than 1048576", model, model, &params);
    params.max_front = 1048577;
    PAIR_REFUSED(INVALID_ARGUMENT, "params.max_front", model, model, &params);
    params.max_front = 1048576;
    CHECK_OK(feeler_pair_create(model, model, &params, &out));
    CHECK(feeler_pair_memory(out) < 200u << 20);
    feeler_pair_destroy(out);
    params.flags = FEELER_PAIR_NO_FRONT;
    params.max_queue = params.max_front = 1;
    CHECK_OK(feeler_pair_create(model, model, &params, &out));
    CHECK(feeler_pair_memory(out) > 0);
    feeler_pair_destroy(out);
    feeler_pair_destroy(NULL);
    feeler_pair_destroy((feeler_pair *)(void *)no_handle);
    CHECK(strstr(feeler_last_error_message(), "pair is not a feeler_pair") != NULL);
    /* What NULL is documented for is no failure: the message stays. */
    feeler_pair_reset(NULL);
    CHECK(feeler_pair_memory(NULL) == 0);
    feeler_model_destroy(NULL);
    feeler_pair_destroy(NULL);
    CHECK(strstr(feeler_last_error_message(), "pair is not a feeler_pair") != NULL);
    feeler_pair_reset((feeler_pair *)(void *)model);
    CHECK(feeler_pair_memory((feeler_pair *)(void *)no_handle) == 0);
}

static void set_transforms(void) {
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const double bad_scale[] = {NAN, INFINITY, 0.0, -0.0, -INFINITY, -1.1e300, 4.9e-324, DBL_MAX};
    feeler_transform t = moved(0, 0, 3), good = moved(0, 0, 2);
    feeler_distance_result first = feeler_distance_result_default(), last = feeler_distance_result_default();
    size_t i, k;
    CHECK_OK(feeler_pair_set_transforms(pair, NULL, &good));
    CHECK_OK(feeler_pair_distance(pair, NULL, &first));
    REFUSED(NULL_ARGUMENT, "pair", feeler_pair_set_transforms(NULL, &t, &t));
    REFUSED(INVALID_ARGUMENT, "pair", feeler_pair_set_transforms((feeler_pair *)(void *)no_handle, &t, &t));
#define POSE_REFUSED(expected, what) \
    do { \
        REFUSED(expected, "a." what, feeler_pair_set_transforms(pair, &t, NULL)); \
        REFUSED(expected, "b." what, feeler_pair_set_transforms(pair, NULL, &t)); \
        REFUSED(expected, "b." what, feeler_pair_set_transforms(pair, &good, &t)); \
        t = moved(0, 0, 3); \
    } while (0)
    for (i = 0; i < 9; ++i) {
        for (k = 0; k < 3; ++k) {
            t.rotation[i] = bad[k];
            POSE_REFUSED(INVALID_ARGUMENT, "rotation");
        }
        t.rotation[i] += 1e-5;
        POSE_REFUSED(INVALID_ARGUMENT, "rotation");
        t.rotation[i] += 5.0;
        POSE_REFUSED(INVALID_ARGUMENT, "rotation");
    }
    for (i = 0; i < 3; ++i) {
        for (k = 0; k < 3; ++k) {
            t.translation[i] = bad[k];
            POSE_REFUSED(INVALID_ARGUMENT, "translation");
        }
        t.translation[i] = -1.1e300;
        POSE_REFUSED(INVALID_ARGUMENT, "translation");
        for (k = 0; k < sizeof bad_scale / sizeof *bad_scale; ++k) {
            t.scale[i] = bad_scale[k];
            POSE_REFUSED(INVALID_ARGUMENT, "scale");
        }
        t.scale[i] = 2.0;
        POSE_REFUSED(UNSUPPORTED, "scale");
        t.rotation[4 * i] = -1.0;
        POSE_REFUSED(INVALID_ARGUMENT, "rotation is a reflection");
    }
    for (i = 0; i < 9; ++i) {
        t.rotation[i] = 0.0;
    }
    POSE_REFUSED(INVALID_ARGUMENT, "rotation");
    t.scale[0] = t.scale[1] = t.scale[2] = 9e299; /* times the model's size it is beyond 1e300 */
    POSE_REFUSED(INVALID_ARGUMENT, "scale");
    /* After all this the pose is still the good one. */
    CHECK_OK(feeler_pair_distance(pair, NULL, &last));
    CHECK(memcmp(&first, &last, sizeof first) == 0);
    /* An almost orthonormal rotation is taken, and so are poses at odd addresses. */
    t.rotation[1] = 9e-7;
    CHECK_OK(feeler_pair_set_transforms(pair, &t, &t));
    {
        char bytes[sizeof t + 1];
        memcpy(bytes + 1, &good, sizeof good);
        CHECK_OK(feeler_pair_set_transforms(pair, NULL, (const feeler_transform *)(const void *)(bytes + 1)));
    }
    t = feeler_transform_identity();
    CHECK_OK(feeler_pair_set_transforms(pair, &t, &good));
    CHECK_OK(feeler_pair_set_transforms(pair, NULL, NULL));
}

/* What all four queries refuse; `make` fills the result with a pattern, `ask` asks. */
#define QUERY_MISUSE(name, RESULT, PARAMS, CALL, good_flags) \
    static void RESULT##_untouched(feeler_##RESULT *r, const feeler_##RESULT *before) { \
        CHECK(memcmp(r, before, sizeof *r) == 0); \
    } \
    static void name##_common(void) { \
        feeler_##PARAMS params = feeler_##PARAMS##_default(); \
        feeler_##RESULT result, before; \
        feeler_pair *asked = pair; \
        feeler_##PARAMS *with = &params; \
        feeler_##RESULT *to = &result; \
        uint32_t bit; \
        memset(&result, 0x5a, sizeof result); \
        result.struct_size = sizeof result; \
        before = result; \
        asked = NULL; \
        REFUSED(NULL_ARGUMENT, "pair is NULL", CALL); \
        asked = (feeler_pair *)(void *)no_handle; \
        REFUSED(INVALID_ARGUMENT, "pair is not a feeler_pair", CALL); \
        asked = (feeler_pair *)(void *)(no_handle + 3); \
        REFUSED(INVALID_ARGUMENT, "pair is not a feeler_pair", CALL); \
        asked = (feeler_pair *)(void *)model; \
        REFUSED(INVALID_ARGUMENT, "pair is not a feeler_pair", CALL); \
        asked = pair; \
        to = NULL; \
        REFUSED(NULL_ARGUMENT, "result is NULL", CALL); \
        to = &result; \
        for (bit = 0; bit < 32; ++bit) { \
            params.flags = UINT32_C(1) << bit; \
            if ((params.flags & (good_flags)) == 0) { \
                REFUSED(UNSUPPORTED, "params.flags", CALL); \
            } \
        } \
        params.flags = 0; \
        params.struct_size = sizeof params - 1; \
        REFUSED(INVALID_STRUCT, "params", CALL); \
        params.struct_size = 4097; \
        REFUSED(INVALID_STRUCT, "params", CALL); \
        params.struct_size = 0; \
        REFUSED(INVALID_STRUCT, "params", CALL); \
        params.struct_size = sizeof params; \
        RESULT##_untouched(&result, &before); \
        result.struct_size = sizeof result - 1; \
        before = result; \
        REFUSED(INVALID_STRUCT, "result", CALL); \
        RESULT##_untouched(&result, &before); \
        result.struct_size = 4097; \
        before = result; \
        REFUSED(INVALID_STRUCT, "result", CALL); \
        RESULT##_untouched(&result, &before); \
        /* Right use, with params and without; the result keeps its size. */ \
        result.struct_size = sizeof result; \
        CHECK_OK(CALL); \
        CHECK(result.struct_size == sizeof result && result.complete == 1); \
        before = result; \
        with = NULL; \
        CHECK_OK(CALL); \
        RESULT##_untouched(&result, &before); \
        /* At odd addresses as well. */ \
        { \
            char bytes[sizeof result + sizeof params + 8]; \
            memcpy(bytes + 1, &before, sizeof before); \
            memcpy(bytes + sizeof before + 2, &params, sizeof params); \
            to = (feeler_##RESULT *)(void *)(bytes + 1); \
            with = (feeler_##PARAMS *)(void *)(bytes + sizeof before + 2); \
            CHECK_OK(CALL); \
            CHECK(memcmp(bytes + 1, &before, sizeof before) == 0); \
        } \
    }

QUERY_MISUSE(collide, collide_result, collide_params, feeler_pair_collide(asked, with, to), FEELER_QUERY_NO_COHERENCE)
QUERY_MISUSE(contacts, contacts_result, contacts_params, feeler_pair_contacts(asked, with, NULL, 0, to),
             (FEELER_QUERY_NO_COHERENCE | FEELER_CONTACTS_STOP_WHEN_FULL | FEELER_CONTACTS_IDS_ONLY))
QUERY_MISUSE(distance, distance_result, distance_params, feeler_pair_distance(asked, with, to),
             FEELER_QUERY_NO_COHERENCE)
QUERY_MISUSE(tolerance, tolerance_result, tolerance_params, feeler_pair_tolerance(asked, with, to),
             FEELER_QUERY_NO_COHERENCE)

static void query_numbers(void) {
    feeler_contacts_params contacts = feeler_contacts_params_default();
    feeler_distance_params distance = feeler_distance_params_default();
    feeler_tolerance_params tolerance = feeler_tolerance_params_default();
    feeler_contacts_result contacts_result, contacts_before;
    feeler_distance_result distance_result, distance_before;
    feeler_tolerance_result tolerance_result, tolerance_before;
    feeler_contact out[4], out_before[4];
    size_t i;
    memset(&contacts_result, 0x5a, sizeof contacts_result);
    memset(&distance_result, 0x5a, sizeof distance_result);
    memset(&tolerance_result, 0x5a, sizeof tolerance_result);
    memset(out, 0x5a, sizeof out);
    contacts_result.struct_size = sizeof contacts_result;
    distance_result.struct_size = sizeof distance_result;
    tolerance_result.struct_size = sizeof tolerance_result;
    contacts_before = contacts_result;
    distance_before = distance_result;
    tolerance_before = tolerance_result;
    memcpy(out_before, out, sizeof out);
    for (i = 0; i <= sizeof not_lengths / sizeof *not_lengths; ++i) {
        int infinite = i == sizeof not_lengths / sizeof *not_lengths;
        double bad = infinite ? INFINITY : not_lengths[i];
        contacts.margin = bad;
        REFUSED(INVALID_ARGUMENT, "params.margin", feeler_pair_contacts(pair, &contacts, out, 4, &contacts_result));
        tolerance.tolerance = bad;
        REFUSED(INVALID_ARGUMENT, "params.tolerance", feeler_pair_tolerance(pair, &tolerance, &tolerance_result));
        distance.relative_error = bad;
        REFUSED(INVALID_ARGUMENT, "params.relative_error", feeler_pair_distance(pair, &distance, &distance_result));
        distance.relative_error = 0.0;
        distance.absolute_error = bad;
        REFUSED(INVALID_ARGUMENT, "params.absolute_error", feeler_pair_distance(pair, &distance, &distance_result));
        distance.absolute_error = 0.0;
        if (!infinite) {
            distance.max_distance = bad;
            REFUSED(INVALID_ARGUMENT, "params.max_distance", feeler_pair_distance(pair, &distance, &distance_result));
            distance.max_distance = INFINITY;
        }
    }
    distance.search = 3;
    REFUSED(INVALID_ARGUMENT, "params.search", feeler_pair_distance(pair, &distance, &distance_result));
    distance.search = UINT32_MAX;
    REFUSED(INVALID_ARGUMENT, "params.search", feeler_pair_distance(pair, &distance, &distance_result));
    distance.search = 0;
    distance.reserved = 1;
    REFUSED(UNSUPPORTED, "params.reserved", feeler_pair_distance(pair, &distance, &distance_result));
    distance.reserved = 0;
    contacts.margin = 0.0;
    REFUSED(NULL_ARGUMENT, "out", feeler_pair_contacts(pair, &contacts, NULL, 1, &contacts_result));
    REFUSED(NULL_ARGUMENT, "out", feeler_pair_contacts(pair, &contacts, NULL, SIZE_MAX, &contacts_result));
    CHECK(memcmp(&contacts_result, &contacts_before, sizeof contacts_result) == 0);
    CHECK(memcmp(&distance_result, &distance_before, sizeof distance_result) == 0);
    CHECK(memcmp(&tolerance_result, &tolerance_before, sizeof tolerance_result) == 0);
    CHECK(memcmp(out, out_before, sizeof out) == 0);

    /* 0 is a legal limit: the models are farther apart. */
    distance.max_distance = 0.0;
    CHECK_OK(feeler_pair_distance(pair, &distance, &distance_result));
    CHECK(distance_result.complete == 1 && distance_result.lower == 0.0 && isinf(distance_result.upper));
    CHECK(distance_result.triangle_a == FEELER_NO_TRIANGLE && distance_result.triangle_b == FEELER_NO_TRIANGLE);
}

/* With FEELER_CONTACTS_IDS_ONLY every triangle pair within 100 units, and those that touch: the same triangles, and zeros. */
static void ids_only(const feeler_contact *expected, uint64_t found) {
    feeler_contacts_params params = feeler_contacts_params_default();
    feeler_contacts_result result = feeler_contacts_result_default();
    feeler_contact zero;
    uint64_t i;
    int all;
    memset(&zero, 0, sizeof zero);
    params.flags = FEELER_CONTACTS_IDS_ONLY;
    for (all = 0; all < 2; ++all) {
        feeler_contact *out = malloc((size_t)found * sizeof *out);
        memset(out, 0x77, (size_t)found * sizeof *out);
        params.margin = all ? 100.0 : 0.0;
        CHECK_OK(feeler_pair_contacts(pair, &params, out, (size_t)found, &result));
        CHECK(result.written == result.found && (!all || result.found == found));
        for (i = 0; i < result.written; ++i) {
            CHECK(!all || (out[i].triangle_a == expected[i].triangle_a && out[i].triangle_b == expected[i].triangle_b));
            out[i].triangle_a = out[i].triangle_b = 0;
            CHECK(memcmp(&out[i], &zero, sizeof zero) == 0);
        }
        free(out);
    }
}

static void contact_arrays(void) {
    feeler_contacts_params params = feeler_contacts_params_default();
    feeler_contacts_result counted = feeler_contacts_result_default(), result = feeler_contacts_result_default();
    feeler_contact *out;
    uint64_t i;
    size_t shift, room;
    char *bytes;
    params.margin = 100.0; /* every triangle pair */
    CHECK_OK(feeler_pair_contacts(pair, &params, NULL, 0, &counted));
    CHECK(counted.found == small.mesh.triangle_count * small.mesh.triangle_count && counted.written == 0);
    CHECK(counted.complete == 1);
    out = malloc((size_t)counted.found * sizeof *out);
    CHECK_OK(feeler_pair_contacts(pair, &params, out, (size_t)counted.found, &result));
    CHECK(result.found == counted.found && result.written == counted.found && result.complete == 1);
    for (i = 1; i < result.written; ++i) {
        CHECK(out[i - 1].triangle_a < out[i].triangle_a ||
              (out[i - 1].triangle_a == out[i].triangle_a && out[i - 1].triangle_b < out[i].triangle_b));
    }
    for (i = 0; i < result.written; ++i) {
        CHECK(out[i].reserved == 0 && (out[i].feature & 0xff) <= FEELER_FEATURE_FACE &&
              (out[i].feature >> 8) <= FEELER_FEATURE_FACE);
    }
    /* Less room: the first ones, nothing beyond, found tells about the others. The array is unaligned, too. */
    bytes = malloc(5 * sizeof *out + 8);
    for (shift = 0; shift < 8; ++shift) {
        for (room = 1; room <= 4; ++room) {
            memset(bytes, 0x77, 5 * sizeof *out + 8);
            CHECK_OK(feeler_pair_contacts(pair, &params, (feeler_contact *)(void *)(bytes + shift), room, &result));
            CHECK(result.found == counted.found && result.written == room);
            CHECK(memcmp(bytes + shift, out, room * sizeof *out) == 0);
            for (i = 0; i < 5 * sizeof *out + 8; ++i) {
                CHECK((i >= shift && i < shift + room * sizeof *out) || bytes[i] == 0x77);
            }
        }
    }
    /* A capacity beyond all memory is legal while what is found fits. */
    CHECK_OK(feeler_pair_contacts(pair, &params, out, SIZE_MAX, &result));
    CHECK(result.written == counted.found && result.complete == 1);
    ids_only(out, counted.found);
    /* The params may lie where the contacts go. */
    memcpy(bytes, &params, sizeof params);
    CHECK_OK(feeler_pair_contacts(pair, (feeler_contacts_params *)(void *)bytes, (feeler_contact *)(void *)bytes, 3,
                                  &result));
    CHECK(result.written == 3 && memcmp(bytes, out, 3 * sizeof *out) == 0);
    params.flags = FEELER_CONTACTS_STOP_WHEN_FULL;
    CHECK_OK(feeler_pair_contacts(pair, &params, out, 3, &result));
    CHECK(result.complete == 0 && result.written == 3 && result.found == 3);
    free(bytes);
    free(out);
}

static void counters(void) {
    feeler_counters c, before;
    memset(&c, 0x5a, sizeof c);
    c.struct_size = sizeof c;
    before = c;
    REFUSED(NULL_ARGUMENT, "pair", feeler_pair_get_counters(NULL, &c));
    REFUSED(NULL_ARGUMENT, "counters", feeler_pair_get_counters(pair, NULL));
    REFUSED(INVALID_ARGUMENT, "pair", feeler_pair_get_counters((feeler_pair *)(void *)no_handle, &c));
    CHECK(memcmp(&c, &before, sizeof c) == 0);
    c.struct_size = 79;
    REFUSED(INVALID_STRUCT, "counters", feeler_pair_get_counters(pair, &c));
    c.struct_size = 80;
    CHECK_OK(feeler_pair_get_counters(pair, &c));
    CHECK(c.struct_size == 80 && c.work > 0 && c.reserved == 0);
    feeler_pair_reset(pair);
    CHECK_OK(feeler_pair_get_counters(pair, &c));
    CHECK(c.work == 0);
}

/* Destruction in any order, a dead handle whose model a pair keeps alive, and a handle destroyed twice. */
static void lifetimes(void) {
    feeler_model *a = model_of(&small.mesh), *b = model_of(&small.mesh);
    feeler_pair *first = pair_of(a, b), *second = pair_of(b, b);
    feeler_distance_result result = feeler_distance_result_default();
    feeler_model_info info = feeler_model_info_default();
    feeler_pair *out = (feeler_pair *)(void *)no_handle;
    feeler_model_destroy(a);
    CHECK_OK(feeler_pair_distance(first, NULL, &result));
    REFUSED(INVALID_ARGUMENT, "model is not a feeler_model, or was destroyed", feeler_model_get_info(a, &info));
    REFUSED(INVALID_ARGUMENT, "model", feeler_model_build(a, NULL));
    REFUSED(INVALID_ARGUMENT, "model", feeler_model_update_vertices(a, &small.mesh));
    REFUSED(INVALID_ARGUMENT, "a is not", feeler_pair_create(a, b, NULL, &out));
    CHECK(out == NULL);
    feeler_model_destroy(a);
    feeler_model_destroy(a);
    CHECK_OK(feeler_pair_distance(first, NULL, &result));
    feeler_pair_destroy(first);
    CHECK_OK(feeler_pair_distance(second, NULL, &result));
    REFUSED(BUSY, "model", feeler_model_build(b, NULL));
    feeler_pair_destroy(second);
    CHECK_OK(feeler_model_build(b, NULL));
    second = pair_of(b, b);
    feeler_model_destroy(b);
    CHECK_OK(feeler_pair_distance(second, NULL, &result));
    feeler_pair_destroy(second);
    /* A deformable model is locked during queries, and unlocked after them. */
    {
        feeler_build_params params = feeler_build_params_default();
        feeler_model *soft = NULL;
        int i;
        params.flags = FEELER_BUILD_DEFORMABLE;
        CHECK_OK(feeler_model_create(&small.mesh, &soft));
        CHECK_OK(feeler_model_build(soft, &params));
        first = pair_of(soft, soft);
        for (i = 0; i < 3; ++i) {
            CHECK_OK(feeler_pair_distance(first, NULL, &result));
            CHECK_OK(feeler_model_update_vertices(soft, &small.mesh));
        }
        feeler_pair_destroy(first);
        CHECK_OK(feeler_model_build(soft, &params));
        feeler_model_destroy(soft);
    }
}

int main(void) {
    feeler_transform away = moved(0.25, 0.125, 2.0);
    versions_and_names();
    small = grid_make(2);
    model = model_of(&small.mesh);
    CHECK_OK(feeler_model_create(&small.mesh, &unbuilt));
    pair = pair_of(model, model);
    initialisers();
    model_create();
    model_functions();
    transforms();
    pair_create();
    set_transforms();
    CHECK_OK(feeler_pair_set_transforms(pair, NULL, &away));
    collide_common();
    contacts_common();
    distance_common();
    tolerance_common();
    query_numbers();
    contact_arrays();
    counters();
    lifetimes();
    feeler_pair_destroy(pair);
    feeler_model_destroy(unbuilt);
    feeler_model_destroy(model);
    grid_free(&small);
    return finish("misuse");
}
