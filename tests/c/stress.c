/* Many threads at once for some seconds: they query shared models, update a model that others query, and create, build, hand
 * over and destroy models and pairs of their own. Every answer is right or BUSY. The seconds are the first argument. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { QUERYING = 3, MAKING = 2 };
static grid g, large; /* builds of the large one share their work among threads */
static feeler_model *shared, *moving;
static uint64_t expected;
static atomic_long queries, made, handed, updates, busy, wrong;
static atomic_int stop;

/* The pair that goes from the thread that made it to the one that destroys it. */
static _Atomic(feeler_pair *) offered;

static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static int is_right(feeler_pair *pair) {
    feeler_transform pose = moved(0.25, 0.5, 3.0);
    answers a;
    return ask_everything(pair, &pose, 3.5, &a) == FEELER_STATUS_OK && bits_of(a.distance.upper) == expected &&
           a.collide.colliding == 0 && a.tolerance.closer == 1 && a.contacts.found > 0;
}

static void *query_shared(void *unused) {
    feeler_pair *pair = pair_of(shared, shared);
    uint32_t status;
    (void)unused;
    while (!stop) {
        feeler_model_info info = feeler_model_info_default();
        wrong += !is_right(pair);
        status = feeler_model_get_info(shared, &info); /* BUSY while another thread is refused its build */
        wrong += status != FEELER_STATUS_OK && status != FEELER_STATUS_BUSY;
        wrong += feeler_model_build(shared, NULL) != FEELER_STATUS_BUSY;
        ++queries;
    }
    feeler_pair_destroy(pair);
    return NULL;
}

/* The vertices stay where they are, so that the answer does, too. */
static void *update_moving(void *unused) {
    (void)unused;
    while (!stop) {
        uint32_t status = feeler_model_update_vertices(moving, &g.mesh);
        wrong += status != FEELER_STATUS_OK && status != FEELER_STATUS_BUSY && status != FEELER_STATUS_UNSUPPORTED;
        ++updates;
    }
    return NULL;
}

static void *query_moving(void *unused) {
    feeler_pair *pair = NULL;
    feeler_transform pose = moved(0.25, 0.5, 3.0);
    (void)unused;
    while (feeler_pair_create(moving, shared, NULL, &pair) == FEELER_STATUS_BUSY) {
    }
    wrong += feeler_pair_set_transforms(pair, NULL, &pose) == FEELER_STATUS_INVALID_ARGUMENT;
    while (!stop) {
        feeler_distance_result result = feeler_distance_result_default();
        uint32_t status = feeler_pair_set_transforms(pair, NULL, &pose);
        if (status == FEELER_STATUS_OK) {
            status = feeler_pair_distance(pair, NULL, &result);
            wrong += status == FEELER_STATUS_OK && bits_of(result.upper) != expected;
        }
        wrong += status != FEELER_STATUS_OK && status != FEELER_STATUS_BUSY;
        busy += status == FEELER_STATUS_BUSY;
        ++queries;
    }
    feeler_pair_destroy(pair);
    return NULL;
}

static void build_large(feeler_build_params params) {
    feeler_model *model = NULL;
    params.threads = 3;
    params.quality = FEELER_QUALITY_FAST;
    wrong += feeler_model_create(&large.mesh, &model) != FEELER_STATUS_OK;
    wrong += feeler_model_build(model, &params) != FEELER_STATUS_OK;
    feeler_model_destroy(model);
}

static void *make_and_hand_over(void *unused) {
    feeler_build_params params = feeler_build_params_default();
    const uint32_t volumes = volume_count();
    (void)unused;
    params.threads = 2;
    while (!stop) {
        feeler_model *model = NULL;
        feeler_pair *pair = NULL;
        wrong += feeler_model_create(&g.mesh, &model) != FEELER_STATUS_OK;
        params.volume = (uint32_t)(made % volumes);
        if (made % 13 == 0) {
            build_large(params);
        }
        wrong += feeler_model_build(model, &params) != FEELER_STATUS_OK;
        wrong += feeler_pair_create(model, model, NULL, &pair) != FEELER_STATUS_OK;
        feeler_model_destroy(model); /* the pair keeps it */
        wrong += !is_right(pair);
        ++made;
        feeler_pair_destroy(atomic_exchange(&offered, pair));
    }
    return NULL;
}

static void *take_over(void *unused) {
    (void)unused;
    while (!stop) {
        feeler_pair *pair = atomic_exchange(&offered, NULL);
        if (pair != NULL) {
            wrong += !is_right(pair);
            feeler_pair_destroy(pair);
            ++handed;
        }
    }
    return NULL;
}

int main(int count, char **arguments) {
    struct timespec pause = {count > 1 ? atoi(arguments[1]) : 2, 0};
    void *(*roles[QUERYING + MAKING + 3])(void *);
    pthread_t threads[sizeof roles / sizeof *roles];
    feeler_build_params params = feeler_build_params_default();
    feeler_pair *pair;
    feeler_transform pose = moved(0.25, 0.5, 3.0);
    answers a;
    size_t role, started = 0;
    g = grid_make(8);
    large = grid_make(34);
    shared = model_of(&g.mesh);
    CHECK_OK(feeler_model_create(&g.mesh, &moving));
    params.flags = FEELER_BUILD_DEFORMABLE;
    CHECK_OK(feeler_model_build(moving, &params));
    pair = pair_of(shared, shared);
    CHECK_OK(ask_everything(pair, &pose, 3.5, &a));
    expected = bits_of(a.distance.upper);
    for (role = 0; role < QUERYING; ++role) {
        roles[started++] = query_shared;
    }
    for (role = 0; role < MAKING; ++role) {
        roles[started++] = make_and_hand_over;
    }
    roles[started++] = take_over;
    roles[started++] = update_moving;
    roles[started++] = query_moving;
    for (role = 0; role < started; ++role) {
        CHECK(pthread_create(&threads[role], NULL, roles[role], NULL) == 0);
    }
    nanosleep(&pause, NULL);
    stop = 1;
    for (role = 0; role < started; ++role) {
        pthread_join(threads[role], NULL);
    }
    feeler_pair_destroy(atomic_exchange(&offered, NULL));
    feeler_pair_destroy(pair);
    feeler_model_destroy(shared);
    feeler_model_destroy(moving);
    grid_free(&g);
    grid_free(&large);
    CHECK(wrong == 0 && queries > 0 && made > 0 && updates > 0);
    printf("  %ld rounds of queries, %ld models made, %ld pairs handed over, %ld updates tried, %ld BUSY, %ld wrong\n",
           (long)queries, (long)made, (long)handed, (long)updates, (long)busy, (long)wrong);
    return finish("stress");
}
