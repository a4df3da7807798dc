/* The header needs nothing before it; types have both spellings. */
#include "feeler.h"

struct feeler_mesh tagged;
feeler_mesh named;
uint32_t none = FEELER_NO_TRIANGLE;
feeler_status fine = FEELER_STATUS_OK;

int feeler_header_alone(void);
int feeler_header_alone(void) {
    struct feeler_transform identity = feeler_transform_identity();
    feeler_distance_params params = feeler_distance_params_default();
    return identity.scale[0] == 1.0 && params.max_distance > 0.0 && FEELER_VERSION >= 100;
}
