/* Haptics threads are small: all queries run on a stack of 64 KiB. They use less than 16 KiB of it. */
#include "check.h"

#include <pthread.h>
#include <sys/mman.h>

/* On 64-bit ARM the C library takes no stack below 128 KiB. */
#if defined(__aarch64__)
#define KIB 128
#else
#define KIB 64
#endif
enum { STACK = KIB * 1024, LIMIT = 16 * 1024, PAINT = 0xa5 };

static feeler_pair *pair;
static feeler_model *model;
static answers first, second;
static hand_answers third;
static uint32_t status;

static void *nothing(void *unused) { return unused; }

static void *queries(void *unused) {
    feeler_transform near_pose = moved(0.25, 0.5, 0.01), far_pose = moved(100, 50, 20);
    status = ask_everything(pair, &near_pose, 0.25, &first);
    if (status == 0) {
        status = ask_everything(pair, &far_pose, 0.25, &second);
    }
    if (status == 0 && feeler_pair_collide(NULL, NULL, NULL) != FEELER_STATUS_NULL_ARGUMENT) {
        status = FEELER_STATUS_INTERNAL;
    }
    return unused;
}

static void *queries_of_hand(void *unused) {
    feeler_transform near_pose = moved(0.25, 0.5, 0.01), far_pose = moved(100, 50, 20);
    status = ask_hand(model, pair, &near_pose, 0.25, &third);
    if (status == 0) {
        status = ask_hand(model, pair, &far_pose, 0.25, &third);
    }
    return unused;
}

/* Bytes of a painted stack that a thread changed. */
static size_t used_by(void *(*work)(void *)) {
    pthread_attr_t attributes;
    pthread_t thread;
    size_t untouched = 0;
    unsigned char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(stack != MAP_FAILED);
    memset(stack, PAINT, STACK);
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstack(&attributes, stack, STACK) == 0);
    if (CHECK(pthread_create(&thread, &attributes, work, NULL) == 0)) {
        CHECK(pthread_join(thread, NULL) == 0);
    }
    pthread_attr_destroy(&attributes);
    while (untouched < STACK && stack[untouched] == PAINT) {
        ++untouched;
    }
    munmap(stack, STACK);
    return STACK - untouched;
}

/* Asks a pair of models built of one volume; the second number is for the queries of a hand. */
static size_t used_with(const grid *g, uint32_t volume, size_t *of_hand) {
    feeler_build_params params = feeler_build_params_default();
    size_t used;
    params.volume = volume;
    CHECK_OK(feeler_model_create(&g->mesh, &model));
    CHECK_OK(feeler_model_build(model, &params));
    pair = pair_of(model, model);
    used = used_by(queries);
    CHECK_OK(status);
    *of_hand = used_by(queries_of_hand);
    CHECK_OK(status);
    CHECK(first.distance.complete == 1 && second.distance.complete == 1);
    feeler_pair_destroy(pair);
    feeler_model_destroy(model);
    return used;
}

int main(void) {
    grid g = grid_make(6);
    size_t idle = used_by(nothing);
    uint32_t volume, count_of_volumes = volume_count();
    for (volume = FEELER_VOLUME_OBB; volume < count_of_volumes; ++volume) {
        size_t of_hand, busy = used_with(&g, volume, &of_hand);
        CHECK(busy < STACK && of_hand < STACK);
        CHECK(busy - idle < LIMIT);
        CHECK(of_hand - idle < LIMIT);
        printf("  stack of a thread: %zu bytes idle; volume %u: %zu more with queries of a pair, %zu with those of a hand\n", idle,
               (unsigned)volume, busy - idle, of_hand - idle);
    }
    grid_free(&g);
    return finish("small_stack");
}
