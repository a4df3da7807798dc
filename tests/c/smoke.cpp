// The header in C++: the same program as smoke.c, with C linkage from C++ code.
#include "feeler.h"

#include <cstdio>
#include <vector>

int main() {
    const std::vector<double> vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    feeler_mesh mesh = feeler_mesh_default();
    mesh.scalar = FEELER_SCALAR_F64;
    mesh.vertices = vertices.data();
    mesh.vertex_count = vertices.size() / 3;
    feeler_model *model = nullptr;
    feeler_pair *pair = nullptr;
    feeler_transform away = feeler_transform_identity();
    away.translation[2] = 2.5;
    feeler_distance_result result = feeler_distance_result_default();
    const bool works = feeler_model_create(&mesh, &model) == FEELER_STATUS_OK &&
                       feeler_model_build(model, nullptr) == FEELER_STATUS_OK &&
                       feeler_pair_create(model, model, nullptr, &pair) == FEELER_STATUS_OK &&
                       feeler_pair_set_transforms(pair, nullptr, &away) == FEELER_STATUS_OK &&
                       feeler_pair_distance(pair, nullptr, &result) == FEELER_STATUS_OK && result.upper == 2.5;
    feeler_pair_destroy(pair);
    feeler_model_destroy(model);
    std::printf("smoke (C++): %d passed, %d failed\n", works ? 1 : 0, works ? 0 : 1);
    return works ? 0 : 1;
}
