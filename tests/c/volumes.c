/* The volumes of a model as triangles: counted, filled, refused. */
#include "check.h"

enum { DEPTHS = 3 };

/* Every vertex of the mesh lies within the bounds of what is shown, up to the flat triangles of round volumes. */
static void covers(const grid *g, const double *triangles, size_t count) {
    size_t vertex, number;
    int axis;
    for (axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY, slack;
        for (number = 0; number < 3 * count; ++number) {
            low = fmin(low, triangles[3 * number + axis]);
            high = fmax(high, triangles[3 * number + axis]);
        }
        slack = 0.05 * (high - low);
        for (vertex = 0; vertex < g->mesh.vertex_count; ++vertex) {
            double coordinate = g->vertices[3 * vertex + axis];
            if (!(coordinate >= low - slack && coordinate <= high + slack)) {
                CHECK(!"a vertex is outside of all volumes");
            }
        }
    }
}

static void shows(uint32_t volume) {
    grid g = grid_make(12);
    feeler_model *model = NULL;
    feeler_model_info info = feeler_model_info_default();
    feeler_build_params params = feeler_build_params_default();
    uint32_t depth, status;
    size_t before = 0;
    params.volume = volume;
    CHECK_OK(feeler_model_create(&g.mesh, &model));
    status = feeler_model_build(model, &params);
    CHECK(status == FEELER_STATUS_OK || status == FEELER_STATUS_UNSUPPORTED);
    if (status == FEELER_STATUS_OK) {
        CHECK_OK(feeler_model_get_info(model, &info));
        CHECK(info.depth >= DEPTHS);
        for (depth = 0; depth < info.depth; ++depth) {
            size_t count = 0, again = 0, number;
            double *triangles;
            CHECK_OK(feeler_model_export_volumes(model, depth, NULL, 0, &count));
            CHECK(count > before);
            before = count;
            triangles = (double *)malloc(9 * count * sizeof(double));
            CHECK_OK(feeler_model_export_volumes(model, depth, triangles, count, &again));
            CHECK(again == count);
            covers(&g, triangles, count);
            /* Nothing is written beyond the capacity. */
            for (number = 0; number < 9 * count; ++number) {
                triangles[number] = -1e30;
            }
            CHECK_OK(feeler_model_export_volumes(model, depth, triangles, count - 1, &again));
            CHECK(again == count && triangles[9 * (count - 1) - 1] != -1e30 && triangles[9 * (count - 1)] == -1e30);
            free(triangles);
        }
        before = 7;
        REFUSED(INVALID_ARGUMENT, "depth", feeler_model_export_volumes(model, info.depth, NULL, 0, &before));
        REFUSED(INVALID_ARGUMENT, "depth", feeler_model_export_volumes(model, UINT32_MAX, NULL, 0, &before));
        REFUSED(NULL_ARGUMENT, "triangles", feeler_model_export_volumes(model, 0, NULL, 1, &before));
        REFUSED(NULL_ARGUMENT, "count", feeler_model_export_volumes(model, 0, NULL, 0, NULL));
        REFUSED(NULL_ARGUMENT, "model", feeler_model_export_volumes(NULL, 0, NULL, 0, &before));
        CHECK(before == 7);
    }
    feeler_model_destroy(model);
    grid_free(&g);
}

int main(void) {
    uint32_t volume, count_of_volumes = volume_count();
    grid g = grid_make(2);
    feeler_model *model = NULL;
    size_t count = 3;
    for (volume = FEELER_VOLUME_OBB; volume < count_of_volumes; ++volume) {
        shows(volume);
    }
    CHECK_OK(feeler_model_create(&g.mesh, &model));
    REFUSED(NOT_BUILT, "model", feeler_model_export_volumes(model, 0, NULL, 0, &count));
    CHECK(count == 3);
    feeler_model_destroy(model);
    grid_free(&g);
    return finish("volumes");
}
