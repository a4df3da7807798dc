#include <feeler.h>
#include <stdio.h>

int main(void) {
    const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; /* a tetrahedron */
    const uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    feeler_mesh mesh = feeler_mesh_default();
    feeler_transform moved = feeler_transform_identity();
    feeler_distance_result nearest = feeler_distance_result_default();
    feeler_model *model = NULL;
    feeler_pair *pair = NULL;
    mesh.vertices = corners, mesh.vertex_count = 4;
    mesh.indices = triangles[0], mesh.triangle_count = 4;
    moved.translation[0] = moved.translation[1] = moved.translation[2] = 1;
    if (feeler_model_create(&mesh, &model) || feeler_model_build(model, NULL) ||
        feeler_pair_create(model, model, NULL, &pair) || feeler_pair_set_transforms(pair, NULL, &moved) ||
        feeler_pair_distance(pair, NULL, &nearest))
        return fprintf(stderr, "%s\n", feeler_last_error_message()), 1;
    printf("distance %g between triangle %u at (%g, %g, %g) and triangle %u at (%g, %g, %g)\n", nearest.upper,
           nearest.triangle_a, nearest.point_a[0], nearest.point_a[1], nearest.point_a[2],
           nearest.triangle_b, nearest.point_b[0], nearest.point_b[1], nearest.point_b[2]);
    feeler_pair_destroy(pair);
    feeler_model_destroy(model);
    return 0;
}
