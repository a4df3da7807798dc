/* Who allocates: this program stands in for the C library's allocator, counts every call, and makes chosen ones fail.
 * Queries must not call it at all; create, build and pair creation must survive the failure of each single call. */
#include "check.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

/* Atomic, because a build may use threads. */
static struct {
    atomic_long allocations, frees, maps; /* calls since reset */
    atomic_long living;                   /* blocks since the start */
    atomic_long fail_at;                  /* the allocation that fails, counted from 1; 0 = none */
    atomic_long threads;                  /* threads that were started */
} seen;

static void reset(long fail_at) {
    seen.allocations = seen.frees = seen.maps = 0;
    seen.fail_at = fail_at;
}

static int fails(void) {
    int is_chosen = ++seen.allocations == seen.fail_at;
    errno = is_chosen ? ENOMEM : errno;
    return is_chosen;
}

static void *counted(void *block) {
    seen.living += block != NULL;
    return block;
}

void *malloc(size_t size) { return fails() ? NULL : counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : counted(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return fails() ? NULL : counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
void *realloc(void *block, size_t size) {
    void *moved_block;
    if (fails()) {
        return NULL;
    }
    moved_block = __libc_realloc(block, size);
    seen.living += block == NULL && moved_block != NULL;
    return moved_block;
}
int posix_memalign(void **out, size_t alignment, size_t size) {
    void *block = memalign(alignment, size);
    if (block == NULL) {
        return ENOMEM;
    }
    *out = block;
    return 0;
}
void free(void *block) {
    if (block != NULL) {
        ++seen.frees;
        --seen.living;
        __libc_free(block);
    }
}
void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    ++seen.maps;
    return (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}

typedef int start_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument) {
    static _Atomic(void *) real;
    start_thread *start;
    void *found = real;
    int status;
    if (found == NULL) {
        found = real = dlsym(RTLD_NEXT, "pthread_create");
    }
    memcpy(&start, &found, sizeof start);
    status = start(thread, attributes, begin, argument);
    seen.threads += status == 0;
    return status;
}

/* Not once, from the first query on, hit or miss, success or failure. */
static void queries(void) {
    grid g = grid_make(6);
    feeler_model *model = model_of(&g.mesh);
    feeler_pair *pair = pair_of(model, model);
    answers a;
    hand_answers h;
    feeler_sweep_params no_tolerance = feeler_sweep_params_default();
    const double nowhere[3] = {0, NAN, 0};
    feeler_transform pose, bad = moved(NAN, 0, 0);
    feeler_distance_params wrong = feeler_distance_params_default();
    feeler_counters counters = feeler_counters_default();
    uint32_t status = 0;
    long calls = 0;
    int step;
    reset(0);
    for (step = 0; step < 50; ++step) {
        pose = moved(0.01 * step, 0.02 * step, 3.0 - 0.1 * step);
        status |= ask_everything(pair, &pose, 0.5, &a);
        status |= feeler_pair_get_counters(pair, &counters);
        status |= ask_hand(model, pair, &pose, 0.5, &h);
        feeler_pair_reset(pair);
        calls += 16;
    }
    CHECK(seen.allocations == 0 && seen.frees == 0 && seen.maps == 0);
    CHECK(status == FEELER_STATUS_OK);
    printf("  %ld successful calls on a pair: %ld allocations, %ld frees, %ld maps\n", calls, seen.allocations,
           seen.frees, seen.maps);
    reset(0);
    wrong.max_distance = -1.0;
    for (step = 0; step < 50; ++step) {
        status = feeler_pair_set_transforms(pair, NULL, &bad) == FEELER_STATUS_INVALID_ARGUMENT;
        status &= feeler_pair_distance(pair, &wrong, &a.distance) == FEELER_STATUS_INVALID_ARGUMENT;
        status &= feeler_pair_collide(NULL, NULL, &a.collide) == FEELER_STATUS_NULL_ARGUMENT;
        status &= feeler_pair_contacts(pair, NULL, NULL, 1, &a.contacts) == FEELER_STATUS_NULL_ARGUMENT;
        a.tolerance.struct_size = 1;
        status &= feeler_pair_tolerance(pair, NULL, &a.tolerance) == FEELER_STATUS_INVALID_STRUCT;
        status &= feeler_pair_get_counters(pair, NULL) == FEELER_STATUS_NULL_ARGUMENT;
        status &= feeler_model_closest_point(model, NULL, nowhere, NULL, h.point) == FEELER_STATUS_INVALID_ARGUMENT;
        status &= feeler_model_cast(model, &bad, nowhere, nowhere, NULL, h.hit, 1, &h.cast) == FEELER_STATUS_INVALID_ARGUMENT;
        status &= feeler_model_within(model, NULL, nowhere, 1, NULL, 0, &h.touched) == FEELER_STATUS_INVALID_ARGUMENT;
        status &= feeler_pair_local_minima(pair, NULL, NULL, 1, &h.minima) == FEELER_STATUS_NULL_ARGUMENT;
        status &= feeler_pair_sweep(pair, NULL, NULL, &no_tolerance, &h.sweep) == FEELER_STATUS_INVALID_ARGUMENT;
        status &= feeler_model_build(model, NULL) == FEELER_STATUS_BUSY;
        status &= feeler_model_get_info(NULL, NULL) == FEELER_STATUS_NULL_ARGUMENT;
        status &= strlen(feeler_last_error_message()) > 0;
        if (status != 1) {
            break;
        }
    }
    CHECK(status == 1);
    CHECK(seen.allocations == 0 && seen.frees == 0 && seen.maps == 0);
    printf("  %d failing calls: %ld allocations, %ld frees, %ld maps\n", 13 * step, seen.allocations, seen.frees,
           seen.maps);
    feeler_pair_destroy(pair);
    feeler_model_destroy(model);
    grid_free(&g);
}

/* Lets the n-th allocation of a call fail, n = 1, 2, ... until it succeeds. Returns how many there were. */
#define FAIL_EACH(call, after_failure) \
    do { \
        long n; \
        for (n = 1; n < 100000; ++n) { \
            long living = seen.living; \
            uint32_t status; \
            reset(n); \
            status = (call); \
            if (status == FEELER_STATUS_OK && seen.allocations < n) { \
                reset(0); \
                break; \
            } \
            reset(0); \
            CHECK(status == FEELER_STATUS_OUT_OF_MEMORY); \
            CHECK(strstr(feeler_last_error_message(), "out of memory") != NULL); \
            CHECK(seen.living == living); \
            after_failure; \
        } \
        printf("  %s: survived the failure of each of %ld allocations\n", #call, n - 1); \
    } while (0)

static void failures(void) {
    long before = seen.living;
    grid g = grid_make(20);
    feeler_model *model = NULL, *other = NULL;
    feeler_pair *pair = NULL;
    feeler_build_params params = feeler_build_params_default();
    feeler_model_info info = feeler_model_info_default();
    FAIL_EACH(feeler_model_create(&g.mesh, &model), CHECK(model == NULL));
    FAIL_EACH(feeler_model_build(model, NULL),
              CHECK(feeler_pair_create(model, model, NULL, &pair) == FEELER_STATUS_NOT_BUILT));
    params.quality = FEELER_QUALITY_FAST;
    params.threads = 2;
    /* Building anew: after a failure the old tree is still there. */
    FAIL_EACH(feeler_model_build(model, &params), {
        CHECK_OK(feeler_pair_create(model, model, NULL, &pair));
        feeler_pair_destroy(pair);
    });
    CHECK_OK(feeler_model_get_info(model, &info));
    CHECK_OK(feeler_model_create(&g.mesh, &other));
    CHECK_OK(feeler_model_build(other, NULL));
    FAIL_EACH(feeler_pair_create(model, other, NULL, &pair), {
        CHECK(pair == NULL);
        CHECK_OK(feeler_model_build(model, NULL)); /* a pair that failed does not hold its models */
    });
    {
        answers a;
        feeler_transform pose = moved(0, 0, 1);
        CHECK_OK(ask_everything(pair, &pose, 1.5, &a));
    }
    feeler_model_destroy(model);
    feeler_model_destroy(other);
    feeler_pair_destroy(pair);
    grid_free(&g);
    CHECK(seen.living == before);
}

/* More than two parts of 1024 triangles, which are what threads share. */
enum { ENOUGH_FOR_THREADS = 34 };

/* Every volume, built by one thread and by four: the n-th allocation of create, build, update and pair creation fails, whichever
 * it is. A thread that cannot be started is no failure, since fewer do the work. */
static void failures_of_all_volumes(void) {
    long before, tried = 0, refused = 0;
    grid g = grid_make(ENOUGH_FOR_THREADS);
    feeler_mesh part = g.mesh;
    feeler_build_params params = feeler_build_params_default();
    const uint32_t count_of_volumes = volume_count();
    feeler_model *first = model_of(&g.mesh);
    /* The C library keeps the stacks of threads that ended, and a block of its own with each. */
    params.threads = 4;
    params.quality = FEELER_QUALITY_FAST;
    CHECK_OK(feeler_model_build(first, &params));
    feeler_model_destroy(first);
    CHECK(seen.threads > 0);
    part.indices = NULL;
    part.triangle_count = 0;
    part.vertex_count = 7;
    params.flags = FEELER_BUILD_DEFORMABLE;
    before = seen.living;
    for (params.volume = FEELER_VOLUME_OBB; params.volume < count_of_volumes; ++params.volume) {
        for (params.threads = 1; params.threads <= 4; params.threads += 3) {
            int is_done = 0;
            long n;
            for (n = 1; n < 100000 && !is_done; ++n) {
                feeler_model *model = NULL;
                feeler_pair *pair = NULL;
                uint32_t status;
                reset(n);
                status = feeler_model_create(&g.mesh, &model);
                status = status ? status : feeler_model_build(model, &params);
                status = status ? status : feeler_model_update_vertices(model, &g.mesh);
                status = status ? status : feeler_model_update_range(model, &part, 3);
                status = status ? status : feeler_pair_create(model, model, NULL, &pair);
                is_done = seen.allocations < n;
                reset(0);
                CHECK(status == FEELER_STATUS_OUT_OF_MEMORY || status == FEELER_STATUS_OK);
                CHECK((pair != NULL) == (status == FEELER_STATUS_OK));
                CHECK(status == FEELER_STATUS_OK || strstr(feeler_last_error_message(), "out of memory") != NULL);
                feeler_pair_destroy(pair);
                feeler_model_destroy(model);
                refused += status != FEELER_STATUS_OK;
                ++tried;
            }
        }
    }
    CHECK(refused > 100);
    CHECK(seen.living == before);
    grid_free(&g);
    printf("  all volumes, 1 and 4 threads: %ld allocations failed, %ld times out of memory, %ld threads started\n", tried,
           refused, (long)seen.threads);
}

/* Updates allocate nothing but what the first update of a range needs, and survive its failure; pairs change their models
 * without allocating, and a model that pairs use is built again or stays as it was. */
static void updates(uint32_t volume, uint32_t threads) {
    long before = seen.living;
    grid g = grid_make(20);
    feeler_model *model = NULL, *other = NULL;
    feeler_pair *pair = NULL;
    feeler_build_params params = feeler_build_params_default();
    feeler_mesh part = g.mesh;
    answers a, b;
    feeler_transform pose = moved(0.25, 0.5, 0.1);
    uint32_t status = 0;
    int step;
    params.volume = volume;
    params.flags = FEELER_BUILD_DEFORMABLE;
    params.threads = threads;
    CHECK_OK(feeler_model_create(&g.mesh, &model));
    CHECK_OK(feeler_model_create(&g.mesh, &other));
    FAIL_EACH(feeler_model_build(model, &params),
              CHECK(feeler_pair_create(model, model, NULL, &pair) == FEELER_STATUS_NOT_BUILT));
    CHECK_OK(feeler_model_build(other, &params));
    CHECK_OK(feeler_pair_create(model, other, NULL, &pair));
    reset(0);
    for (step = 0; step < 20; ++step) {
        g.vertices[3 * step + 2] += 0.5f;
        status |= feeler_model_update_vertices(model, &g.mesh);
        status |= ask_everything(pair, &pose, 0.5, &a);
        status |= feeler_pair_set_models(pair, step % 2 ? model : other, step % 3 ? model : other);
        status |= ask_everything(pair, &pose, 0.5, &a);
    }
    CHECK(status == FEELER_STATUS_OK);
    CHECK(seen.allocations == 0 && seen.frees == 0 && seen.maps == 0);
    printf("  %d updates, changes of models and queries: %ld allocations, %ld frees, %ld maps\n", 7 * step, seen.allocations,
           seen.frees, seen.maps);
    CHECK_OK(feeler_pair_set_models(pair, model, other));
    CHECK_OK(ask_everything(pair, &pose, 0.5, &a));
    part.indices = NULL;
    part.triangle_count = 0;
    part.vertex_count = 7;
    FAIL_EACH(feeler_model_update_range(model, &part, 0), {
        CHECK_OK(ask_everything(pair, &pose, 0.5, &b));
        CHECK(memcmp(&a, &b, sizeof a) == 0);
    });
    reset(0);
    for (step = 0, status = 0; step < 20; ++step) {
        g.vertices[3 * step + 2] -= 0.25f;
        status |= feeler_model_update_range(model, &part, 0);
        status |= ask_everything(pair, &pose, 0.5, &a);
    }
    CHECK(status == FEELER_STATUS_OK);
    CHECK(seen.allocations == 0 && seen.frees == 0 && seen.maps == 0);
    params.quality = FEELER_QUALITY_FAST;
    FAIL_EACH(feeler_model_build(model, &params), {
        CHECK_OK(ask_everything(pair, &pose, 0.5, &b));
        CHECK(memcmp(&a, &b, sizeof a) == 0);
    });
    CHECK_OK(ask_everything(pair, &pose, 0.5, &b));
    /* Of several pairs at distance 0 another tree may meet another one first. */
    CHECK(memcmp(&a.distance.lower, &b.distance.lower, sizeof a.distance.lower) == 0);
    CHECK(memcmp(&a.distance.upper, &b.distance.upper, sizeof a.distance.upper) == 0);
    feeler_pair_destroy(pair);
    feeler_model_destroy(model);
    feeler_model_destroy(other);
    grid_free(&g);
    CHECK(seen.living == before);
}

int main(void) {
    uint32_t volume, count_of_volumes = volume_count();
    /* The first printf and the first look at the processor are not the library's queries. */
    printf("  instruction set %s\n", feeler_instruction_set());
    reset(0);
    {
        void *volatile probe = malloc(1);
        free(probe);
    }
    CHECK(seen.allocations == 1 && seen.frees == 1); /* the stand-in works */
    queries();
    failures();
    failures_of_all_volumes();
    for (volume = FEELER_VOLUME_OBB; volume < count_of_volumes; ++volume) {
        updates(volume, 1);
    }
    return finish("allocations");
}
