/* The library opened at run time: by name, used, closed, and opened again. The path is the first argument. */
#include <dlfcn.h>

/* Types and constants only; the functions come from dlsym. */
#include "check.h"

#define LOAD(name) \
    __typeof__(&name) load_##name; \
    { \
        void *symbol = dlsym(library, #name); \
        CHECK(symbol != NULL); \
        memcpy(&load_##name, &symbol, sizeof symbol); \
    }

static void use(const char *path) {
    const float vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    feeler_mesh mesh;
    feeler_model *model = NULL;
    feeler_pair *pair = NULL;
    feeler_transform away = moved(0, 0, 2.5);
    feeler_distance_result result;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!CHECK(library != NULL)) {
        printf("%s\n", dlerror());
        return;
    }
    LOAD(feeler_version)
    LOAD(feeler_last_error_message)
    LOAD(feeler_mesh_init)
    LOAD(feeler_distance_result_init)
    LOAD(feeler_model_create)
    LOAD(feeler_model_build)
    LOAD(feeler_model_destroy)
    LOAD(feeler_pair_create)
    LOAD(feeler_pair_set_transforms)
    LOAD(feeler_pair_distance)
    LOAD(feeler_pair_destroy)
    CHECK(load_feeler_version() == FEELER_VERSION);
    CHECK(load_feeler_last_error_message()[0] == '\0');
    CHECK(load_feeler_model_create(NULL, &model) == FEELER_STATUS_NULL_ARGUMENT);
    CHECK(strcmp(load_feeler_last_error_message(), "mesh is NULL") == 0);
    CHECK_OK(load_feeler_mesh_init(&mesh, sizeof mesh));
    CHECK_OK(load_feeler_distance_result_init(&result, sizeof result));
    mesh.vertices = vertices;
    mesh.vertex_count = 3;
    CHECK_OK(load_feeler_model_create(&mesh, &model));
    CHECK_OK(load_feeler_model_build(model, NULL));
    CHECK_OK(load_feeler_pair_create(model, model, NULL, &pair));
    CHECK_OK(load_feeler_pair_set_transforms(pair, NULL, &away));
    CHECK_OK(load_feeler_pair_distance(pair, NULL, &result));
    CHECK(result.upper == 2.5);
    load_feeler_model_destroy(model);
    load_feeler_pair_destroy(pair);
    CHECK(dlclose(library) == 0);
}

/* check.h prints the last message of a linked library; this program links none. */
const char *feeler_last_error_message(void) { return "(not linked)"; }
const char *feeler_status_name(uint32_t status) { return status == 0 ? "0" : "not 0"; }
#define NOT_LINKED(name) \
    feeler_status feeler_##name##_init(struct feeler_##name *s, size_t size) { \
        memset(s, 0, size); \
        return FEELER_STATUS_INTERNAL; \
    }
FOR_EVERY_STRUCT(NOT_LINKED)

int main(int count, char **arguments) {
    if (count != 2) {
        return 2;
    }
    use(arguments[1]);
    use(arguments[1]);
    return finish("dynamic_loading");
}
