/* Two threads on one pair: every call is answered OK, with the right answer, or BUSY. Many pairs on one model and many
 * readers of one handle are independent. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static feeler_model *model;
static feeler_pair *shared_pair;
static feeler_distance_result expected;
static atomic_long succeeded, busy, wrong;
static atomic_int stop;

static void count(uint32_t status) {
    if (status == FEELER_STATUS_OK) {
        atomic_fetch_add(&succeeded, 1);
    } else if (status == FEELER_STATUS_BUSY && strstr(feeler_last_error_message(), "pair is in use") != NULL) {
        atomic_fetch_add(&busy, 1);
    } else {
        atomic_fetch_add(&wrong, 1);
    }
}

static void *hammer(void *unused) {
    feeler_transform pose = moved(0, 0, 2);
    (void)unused;
    while (!atomic_load(&stop)) {
        feeler_distance_result distance = feeler_distance_result_default();
        feeler_collide_result collide = feeler_collide_result_default();
        feeler_contacts_result contacts = feeler_contacts_result_default();
        feeler_tolerance_result tolerance = feeler_tolerance_result_default();
        feeler_counters counters = feeler_counters_default();
        feeler_contacts_result minima = feeler_contacts_result_default();
        feeler_sweep_params sweep_params = feeler_sweep_params_default();
        feeler_sweep_result sweep = feeler_sweep_result_default();
        uint32_t status = feeler_pair_distance(shared_pair, NULL, &distance);
        sweep_params.tolerance = 0.01;
        count(status);
        if (status == FEELER_STATUS_OK && distance.upper != expected.upper) {
            atomic_fetch_add(&wrong, 1);
        }
        count(feeler_pair_set_transforms(shared_pair, NULL, &pose));
        count(feeler_pair_collide(shared_pair, NULL, &collide));
        count(feeler_pair_contacts(shared_pair, NULL, NULL, 0, &contacts));
        count(feeler_pair_tolerance(shared_pair, NULL, &tolerance));
        count(feeler_pair_local_minima(shared_pair, NULL, NULL, 0, &minima));
        count(feeler_pair_sweep(shared_pair, NULL, &pose, &sweep_params, &sweep));
        count(feeler_pair_get_counters(shared_pair, &counters));
        feeler_pair_reset(shared_pair);
        if (feeler_pair_memory(shared_pair) == 0 || feeler_model_build(model, NULL) != FEELER_STATUS_BUSY) {
            atomic_fetch_add(&wrong, 1);
        }
    }
    return NULL;
}

/* Own pairs on a shared model: never BUSY. */
static void *independent(void *unused) {
    int i;
    (void)unused;
    for (i = 0; i < 20; ++i) {
        feeler_pair *pair = NULL;
        feeler_transform pose = moved(0, 0, 2);
        feeler_distance_result distance = feeler_distance_result_default();
        feeler_model_info info = feeler_model_info_default();
        if (feeler_pair_create(model, model, NULL, &pair) != FEELER_STATUS_OK ||
            feeler_pair_set_transforms(pair, NULL, &pose) != FEELER_STATUS_OK ||
            feeler_pair_distance(pair, NULL, &distance) != FEELER_STATUS_OK ||
            feeler_model_get_info(model, &info) != FEELER_STATUS_OK || distance.upper != expected.upper) {
            atomic_fetch_add(&wrong, 1);
        }
        feeler_pair_destroy(pair);
    }
    return NULL;
}

/* Questions about a shared model need no pair: never BUSY, always the same bytes. */
static hand_answers expected_hand;
static void *ask_the_model(void *unused) {
    int i;
    (void)unused;
    for (i = 0; i < 20; ++i) {
        feeler_pair *pair = NULL;
        feeler_transform pose = moved(0.25, 0.5, 1.5);
        hand_answers *a = (hand_answers *)malloc(sizeof *a);
        if (a == NULL || feeler_pair_create(model, model, NULL, &pair) != FEELER_STATUS_OK ||
            ask_hand(model, pair, &pose, 1.5, a) != FEELER_STATUS_OK || memcmp(a, &expected_hand, sizeof *a) != 0) {
            atomic_fetch_add(&wrong, 1);
        }
        feeler_pair_destroy(pair);
        free(a);
    }
    return NULL;
}

/* Messages belong to their thread. */
static void *own_message(void *unused) {
    (void)unused;
    if (feeler_last_error_message()[0] != '\0' || feeler_model_build(NULL, NULL) != FEELER_STATUS_NULL_ARGUMENT ||
        strcmp(feeler_last_error_message(), "model is NULL") != 0) {
        atomic_fetch_add(&wrong, 1);
    }
    return NULL;
}

static void *read_counters(void *unused) {
    int i;
    (void)unused;
    for (i = 0; i < 20000; ++i) {
        feeler_counters counters = feeler_counters_default();
        if (feeler_pair_get_counters(shared_pair, &counters) != FEELER_STATUS_OK) {
            atomic_fetch_add(&wrong, 1);
        }
    }
    return NULL;
}

static void run_two(void *(*work)(void *)) {
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; ++i) {
        CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
    }
    if (work == hammer) {
        /* Until both answers were seen, at most ten seconds. */
        struct timespec pause = {0, 50000000};
        for (i = 0; i < 200 && (i < 10 || atomic_load(&busy) == 0 || atomic_load(&succeeded) < 10); ++i) {
            nanosleep(&pause, NULL);
        }
        atomic_store(&stop, 1);
    }
    for (i = 0; i < 2; ++i) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    CHECK(atomic_load(&wrong) == 0);
}

/* Failures on more threads at once than the library keeps sentences for: each thread has its own, or is told that it was
 * lost; when those threads are gone there is room again. */
enum { MANY = 530 };
static pthread_barrier_t all_failed;
static atomic_long kept, lost;

static void *fail_beside_others(void *wait) {
    feeler_model *none = NULL;
    uint32_t status = feeler_model_create(NULL, &none);
    if (wait != NULL) {
        pthread_barrier_wait(&all_failed);
    }
    atomic_fetch_add(&wrong, status != FEELER_STATUS_NULL_ARGUMENT);
    atomic_fetch_add(&kept, strcmp(feeler_last_error_message(), "mesh is NULL") == 0);
    atomic_fetch_add(&lost, strstr(feeler_last_error_message(), "was lost") != NULL);
    if (wait != NULL) {
        pthread_barrier_wait(&all_failed);
    }
    return NULL;
}

static void many_failures(void) {
    static pthread_t threads[MANY];
    pthread_attr_t attributes;
    int i;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    pthread_barrier_init(&all_failed, NULL, MANY);
    for (i = 0; i < MANY; ++i) {
        if (!CHECK(pthread_create(&threads[i], &attributes, fail_beside_others, &all_failed) == 0)) {
            abort(); /* the others would wait for ever */
        }
    }
    for (i = 0; i < MANY; ++i) {
        pthread_join(threads[i], NULL);
    }
    CHECK(atomic_load(&wrong) == 0 && atomic_load(&kept) + atomic_load(&lost) == MANY && atomic_load(&kept) >= 500);
    printf("  %d threads failed at once: %ld sentences kept, %ld lost\n", MANY, atomic_load(&kept), atomic_load(&lost));
    atomic_store(&lost, 0);
    CHECK(pthread_create(&threads[0], &attributes, fail_beside_others, NULL) == 0);
    pthread_join(threads[0], NULL);
    CHECK(atomic_load(&lost) == 0);
}

int main(void) {
    grid g = grid_make(6);
    feeler_transform pose = moved(0, 0, 2);
    model = model_of(&g.mesh);
    shared_pair = pair_of(model, model);
    expected = feeler_distance_result_default();
    CHECK_OK(feeler_pair_set_transforms(shared_pair, NULL, &pose));
    CHECK_OK(feeler_pair_distance(shared_pair, NULL, &expected));
    run_two(hammer);
    CHECK(atomic_load(&succeeded) > 0);
    CHECK(atomic_load(&busy) > 0);
    printf("  %ld calls succeeded, %ld were told that the pair is in use\n", atomic_load(&succeeded),
           atomic_load(&busy));
    run_two(independent);
    pose = moved(0.25, 0.5, 1.5);
    CHECK_OK(ask_hand(model, shared_pair, &pose, 1.5, &expected_hand));
    CHECK(expected_hand.cast.found == 1 && expected_hand.touched > 0 && expected_hand.minima.found > 0 &&
          expected_hand.sweep.hit == 1);
    run_two(ask_the_model);
    REFUSED(NULL_ARGUMENT, "pair is NULL", feeler_pair_distance(NULL, NULL, NULL));
    run_two(own_message);
    CHECK(strcmp(feeler_last_error_message(), "pair is NULL") == 0);
    run_two(read_counters);
    many_failures();
    feeler_pair_destroy(shared_pair);
    feeler_model_destroy(model);
    grid_free(&g);
    return finish("threads");
}
