/* Handles come and go without end: a million models, and pairs by the ten thousand, leave nothing behind. */
#include "check.h"

#include <malloc.h>

/* Bytes that the program has from the allocator. */
static size_t in_use(void) {
    struct mallinfo2 information = mallinfo2();
    return information.uordblks + information.hblkhd;
}

int main(void) {
    enum { MODELS = 1000000, PAIRS = 20000 };
    grid g = grid_make(1);
    feeler_build_params params = feeler_build_params_default();
    feeler_model *model = NULL;
    feeler_pair *pair = NULL;
    size_t before = 0, after;
    long i, failed = 0;
    for (i = -200; i < MODELS; ++i) { /* the first ones fill what the allocator keeps at hand */
        before = i == 0 ? in_use() : before;
        failed += feeler_model_create(&g.mesh, &model) != FEELER_STATUS_OK;
        feeler_model_destroy(model);
    }
    after = in_use();
    CHECK(failed == 0 && after == before);
    printf("  %d models: %zu bytes before, %zu after\n", MODELS, before, after);
    for (i = -200; i < PAIRS; ++i) {
        before = i == 0 ? in_use() : before;
        failed += feeler_model_create(&g.mesh, &model) != FEELER_STATUS_OK;
        params.volume = (uint32_t)(i + 200) % (FEELER_VOLUME_KDOP18 + 1);
        params.threads = 1 + (uint32_t)(i + 200) % 2;
        failed += feeler_model_build(model, &params) != FEELER_STATUS_OK;
        failed += feeler_pair_create(model, model, NULL, &pair) != FEELER_STATUS_OK;
        feeler_model_destroy(model);
        failed += feeler_pair_collide(pair, NULL, NULL) != FEELER_STATUS_NULL_ARGUMENT;
        feeler_pair_destroy(pair);
    }
    after = in_use();
    CHECK(failed == 0 && after == before);
    printf("  %d built models with pairs: %zu bytes before, %zu after\n", PAIRS, before, after);
    grid_free(&g);
    return finish("cycles");
}
