/* The smallest useful program: two triangles, one distance. */
#include "feeler.h"

#include <stdio.h>

int main(void) {
    const float vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    feeler_mesh mesh = feeler_mesh_default();
    feeler_model *model = NULL;
    feeler_pair *pair = NULL;
    feeler_transform away = feeler_transform_identity();
    feeler_distance_result result = feeler_distance_result_default();
    int works;
    mesh.vertices = vertices;
    mesh.vertex_count = 3;
    away.translation[2] = 2.5;
    if (feeler_model_create(&mesh, &model) || feeler_model_build(model, NULL) ||
        feeler_pair_create(model, model, NULL, &pair) || feeler_pair_set_transforms(pair, NULL, &away) ||
        feeler_pair_distance(pair, NULL, &result)) {
        printf("%s\n", feeler_last_error_message());
        return 1;
    }
    printf("  feeler %s (%s): distance %g\n", feeler_version_string(), feeler_instruction_set(), result.upper);
    feeler_model_destroy(model);
    feeler_pair_destroy(pair);
    works = result.upper == 2.5 && feeler_version() == FEELER_VERSION;
    printf("smoke: %d passed, %d failed\n", works, !works);
    return !works;
}
