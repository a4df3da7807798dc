/* For the address sanitizer: a client that says its array is larger than it is. The writes beyond its end are the library's,
 * and this program must not live to say so. */
#include "check.h"

int main(void) {
    grid g = grid_make(2);
    feeler_model *model = model_of(&g.mesh);
    feeler_pair *pair = pair_of(model, model);
    feeler_contacts_result result = feeler_contacts_result_default();
    feeler_contact *out = malloc(2 * sizeof *out);
    CHECK_OK(feeler_pair_contacts(pair, NULL, out, 64, &result));
    printf("nobody noticed that %llu contacts were written to an array of 2\n", (unsigned long long)result.written);
    free(out);
    feeler_pair_destroy(pair);
    feeler_model_destroy(model);
    grid_free(&g);
    return 0;
}
