/* What a host does with its threads: it has large thread-local variables, cancels a thread that is building, and has
 * signals of its own. */
#include "check.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library takes these out of the stack of every thread. */
enum { LARGE = 490 * 1024 };
static __thread volatile char large[LARGE];

enum { THREADS = 8, ROUNDS = 6 };
static feeler_model *model;
static grid g;
static atomic_int building, built, builder;
static uint32_t status;

static uint32_t build(void) {
    feeler_build_params params = feeler_build_params_default();
    params.threads = THREADS;
    return feeler_model_build(model, &params);
}

static void *builder_thread(void *unused) {
    (void)unused;
    large[LARGE - 1] = 1;
    builder = (int)syscall(SYS_gettid);
    building = 1;
    status = build();
    built = 1;
    while (built) {
        pthread_testcancel();
        usleep(1000);
    }
    return NULL;
}

/* Which of the signals 1 to 64 a thread blocks; 0 when the thread is gone. */
static unsigned long long blocked_by(const char *id) {
    char path[64], line[128];
    unsigned long long mask = 0;
    FILE *file;
    snprintf(path, sizeof path, "/proc/self/task/%.20s/status", id);
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "SigBlk: %llx", &mask) == 1) {
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return mask;
}

/* Looks at the threads that are neither this one nor the one that builds. */
static void look_at_workers(long *seen, long *open_to_signals) {
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *entry;
    while (tasks != NULL && (entry = readdir(tasks)) != NULL) {
        int id = atoi(entry->d_name);
        char path[64];
        unsigned long long mask;
        if (id == 0 || id == (int)syscall(SYS_gettid) || id == builder) {
            continue;
        }
        mask = blocked_by(entry->d_name);
        snprintf(path, sizeof path, "/proc/self/task/%d", id);
        if (access(path, F_OK) == 0) {
            ++*seen;
            *open_to_signals += (mask & (1ull << (SIGUSR1 - 1))) == 0 || (mask & (1ull << (SIGTERM - 1))) == 0;
        }
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
}

static long looked;

static void cancelled_while_building(void) {
    pthread_t thread;
    void *result = NULL;
    long seen = 0, open_to_signals = 0;
    building = built = 0;
    status = 12345;
    CHECK(pthread_create(&thread, NULL, builder_thread, NULL) == 0);
    while (!building) {
        usleep(100);
    }
    usleep(2000);
    CHECK(pthread_cancel(thread) == 0);
    while (!built) {
        look_at_workers(&seen, &open_to_signals);
    }
    CHECK(pthread_join(thread, &result) == 0);
    /* The build ended, and only then the cancellation took place. */
    CHECK(result == PTHREAD_CANCELED);
    CHECK_OK(status);
    CHECK(open_to_signals == 0);
    looked += seen;
}

int main(void) {
    sigset_t before, after;
    int cancel_state = -1, round;
    memset(&before, 0, sizeof before);
    memset(&after, 0, sizeof after);
    g = grid_make(250);
    CHECK_OK(feeler_model_create(&g.mesh, &model));
    large[0] = 1;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    CHECK_OK(build());
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &cancel_state);
    CHECK(cancel_state == PTHREAD_CANCEL_ENABLE);
    for (round = 0; round < ROUNDS; ++round) {
        cancelled_while_building();
    }
    CHECK(looked > 0);
    printf("  %d builds were cancelled, workers were looked at %ld times\n", ROUNDS, looked);
    feeler_model_destroy(model);
    grid_free(&g);
    return finish("host_threads");
}
