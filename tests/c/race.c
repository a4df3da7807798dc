/* For the thread sanitizer: two threads whose pairs write to one array of contacts. The writes are the library's, and the
 * sanitizer must say so. */
#include "check.h"

#include <pthread.h>

static feeler_model *model;
static feeler_contact out[64];

static void *write_contacts(void *unused) {
    feeler_pair *pair = pair_of(model, model);
    feeler_contacts_result result = feeler_contacts_result_default();
    CHECK_OK(feeler_pair_contacts(pair, NULL, out, 64, &result));
    feeler_pair_destroy(pair);
    return unused;
}

int main(void) {
    grid g = grid_make(2);
    pthread_t threads[2];
    int i;
    model = model_of(&g.mesh);
    for (i = 0; i < 2; ++i) {
        pthread_create(&threads[i], NULL, write_contacts, NULL);
    }
    for (i = 0; i < 2; ++i) {
        pthread_join(threads[i], NULL);
    }
    feeler_model_destroy(model);
    grid_free(&g);
    return 0;
}
