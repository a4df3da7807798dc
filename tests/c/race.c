/* For the thread sanitizer: two threads whose pairs write to one array of contacts. The writes are the library's, and the
 * sanitizer must say so. Making and destroying a pair puts threads in order, because pairs count the users of their models. So both pairs
 * are made before either thread writes, and nothing orders the writes, however the threads are scheduled. */
#include "check.h"

#include <pthread.h>

static feeler_model *model;
static feeler_contact out[64];
static pthread_barrier_t pairs_made;

static void *write_contacts(void *unused) {
    feeler_pair *pair = pair_of(model, model);
    feeler_contacts_result result = feeler_contacts_result_default();
    pthread_barrier_wait(&pairs_made);
    CHECK_OK(feeler_pair_contacts(pair, NULL, out, 64, &result));
    feeler_pair_destroy(pair);
    return unused;
}

int main(void) {
    grid g = grid_make(2);
    pthread_t threads[2];
    int i;
    model = model_of(&g.mesh);
    pthread_barrier_init(&pairs_made, NULL, 2);
    for (i = 0; i < 2; ++i) {
        pthread_create(&threads[i], NULL, write_contacts, NULL);
    }
    for (i = 0; i < 2; ++i) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&pairs_made);
    feeler_model_destroy(model);
    grid_free(&g);
    return 0;
}
