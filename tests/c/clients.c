/* Clients of other versions: structs of version 0.1 by their sizes, whatever the header says today, and structs of a
 * later version with fields that this library does not know. */
#include "check.h"

/* Each struct at the end of its own block, followed by a pattern that must survive. */
typedef struct framed {
    unsigned char bytes[512];
} framed;

#define IN(frame) ((void *)(frame)->bytes)

static void paint(framed *frame) { memset(frame, 0xa5, sizeof *frame); }

static int intact_from(const framed *frame, size_t offset) {
    for (; offset < sizeof frame->bytes; ++offset) {
        if (frame->bytes[offset] != 0xa5) {
            return 0;
        }
    }
    return 1;
}

static void old_client(grid *g) {
    framed frame;
    feeler_model *model = NULL;
    feeler_pair *pair = NULL;
    feeler_mesh *mesh;
    feeler_contact out[2];
    feeler_transform away = moved(0, 0, 2);
#define OLD_STRUCT(name) \
    paint(&frame); \
    CHECK_OK(feeler_##name##_init(IN(&frame), first_sizes.name)); \
    CHECK(intact_from(&frame, first_sizes.name)); \
    CHECK(*(uint32_t *)IN(&frame) == first_sizes.name);
    FOR_EVERY_STRUCT(OLD_STRUCT)

    OLD_STRUCT(mesh)
    mesh = IN(&frame);
    mesh->vertices = g->vertices;
    mesh->vertex_count = g->mesh.vertex_count;
    mesh->indices = g->indices;
    mesh->triangle_count = g->mesh.triangle_count;
    CHECK_OK(feeler_model_create(mesh, &model));
    OLD_STRUCT(build_params)
    CHECK_OK(feeler_model_build(model, IN(&frame)));
    OLD_STRUCT(model_info)
    CHECK_OK(feeler_model_get_info(model, IN(&frame)));
    CHECK(intact_from(&frame, first_sizes.model_info));
    CHECK(((feeler_model_info *)IN(&frame))->triangle_count == g->mesh.triangle_count);
    OLD_STRUCT(pair_params)
    CHECK_OK(feeler_pair_create(model, model, IN(&frame), &pair));
    CHECK_OK(feeler_pair_set_transforms(pair, NULL, &away));
#define OLD_QUERY(query, ...) \
    { \
        framed params; \
        paint(&params); \
        CHECK_OK(feeler_##query##_params_init(IN(&params), first_sizes.query##_params)); \
        OLD_STRUCT(query##_result) \
        CHECK_OK(feeler_pair_##query(pair, IN(&params), __VA_ARGS__ IN(&frame))); \
        CHECK(intact_from(&frame, first_sizes.query##_result) && intact_from(&params, first_sizes.query##_params)); \
        CHECK(((feeler_##query##_result *)IN(&frame))->complete == 1); \
    }
#define NOTHING
    OLD_QUERY(collide, NOTHING)
    OLD_QUERY(contacts, out, 2, )
    OLD_QUERY(distance, NOTHING)
    OLD_QUERY(tolerance, NOTHING)
    OLD_STRUCT(counters)
    CHECK_OK(feeler_pair_get_counters(pair, IN(&frame)));
    CHECK(intact_from(&frame, first_sizes.counters));
    feeler_pair_destroy(pair);
    feeler_model_destroy(model);
}

/* A client of a later version, whose structs are 40 bytes longer. */
static void newer_client(grid *g) {
    feeler_model *model = model_of(&g->mesh), *out = NULL;
    feeler_pair *pair = pair_of(model, model), *out_pair = NULL;
    framed frame, result;
    size_t known, offset;
#define NEW_STRUCT(name) \
    known = sizeof(feeler_##name); \
    paint(&frame); \
    CHECK_OK(feeler_##name##_init(IN(&frame), known + 40)); \
    CHECK(intact_from(&frame, known + 40)); \
    for (offset = known; offset < known + 40; ++offset) { \
        CHECK(frame.bytes[offset] == 0); \
    }
    FOR_EVERY_STRUCT(NEW_STRUCT)
#define UNKNOWN_TAIL(word, call) \
    for (offset = known; offset < known + 40; offset += 13) { \
        frame.bytes[offset] = 1; \
        REFUSED(UNSUPPORTED, word, call); \
        frame.bytes[offset] = 0; \
    }
    NEW_STRUCT(mesh)
    memcpy(frame.bytes + 4, (const char *)&g->mesh + 4, sizeof g->mesh - 4);
    UNKNOWN_TAIL("mesh", feeler_model_create(IN(&frame), &out))
    CHECK_OK(feeler_model_create(IN(&frame), &out));
    NEW_STRUCT(build_params)
    UNKNOWN_TAIL("params", feeler_model_build(out, IN(&frame)))
    CHECK_OK(feeler_model_build(out, IN(&frame)));
    NEW_STRUCT(pair_params)
    UNKNOWN_TAIL("params", feeler_pair_create(model, out, IN(&frame), &out_pair))
    CHECK_OK(feeler_pair_create(model, out, IN(&frame), &out_pair));
    NEW_STRUCT(model_info)
    CHECK_OK(feeler_model_get_info(model, IN(&frame)));
    CHECK(((feeler_model_info *)IN(&frame))->struct_size == known + 40 && frame.bytes[known] == 0);
#define NEW_QUERY(query, ...) \
    { \
        size_t size = sizeof(feeler_##query##_result) + 40; \
        paint(&result); \
        CHECK_OK(feeler_##query##_result_init(IN(&result), size)); \
        NEW_STRUCT(query##_params) \
        UNKNOWN_TAIL("params", feeler_pair_##query(pair, IN(&frame), __VA_ARGS__ IN(&result))) \
        CHECK_OK(feeler_pair_##query(pair, IN(&frame), __VA_ARGS__ IN(&result))); \
        CHECK(*(uint32_t *)IN(&result) == size && intact_from(&result, size)); \
        CHECK(((feeler_##query##_result *)IN(&result))->complete == 1); \
    }
    NEW_QUERY(collide, NOTHING)
    NEW_QUERY(contacts, NULL, 0, )
    NEW_QUERY(distance, NOTHING)
    NEW_QUERY(tolerance, NOTHING)
    NEW_STRUCT(counters)
    CHECK_OK(feeler_pair_get_counters(pair, IN(&frame)));
    CHECK(intact_from(&frame, known + 40));
    feeler_pair_destroy(pair);
    feeler_pair_destroy(out_pair);
    feeler_model_destroy(model);
    feeler_model_destroy(out);
}

int main(void) {
    grid g = grid_make(2);
    old_client(&g);
    newer_client(&g);
    grid_free(&g);
    return finish("clients");
}
