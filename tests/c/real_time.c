/* A query makes no system call, allocates nothing and takes no lock of the C library, its first call included: the kernel
 * and this program's own allocator end the process otherwise. The same holds for updates of a deformable model, once its index
 * is made. Prints how deep the stack of each goes; the limits in bytes are the arguments: for the queries of a pair, and for
 * those of one model, local minima and sweeps. Updates have none. */
#include "check.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

/* Whether this thread is inside a query. */
static __thread volatile int is_inside;

static void refuse(void) {
    if (is_inside) {
        __builtin_trap();
    }
}
void *malloc(size_t size) { return refuse(), __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return refuse(), __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return refuse(), __libc_realloc(block, size); }
void *memalign(size_t alignment, size_t size) { return refuse(), __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    *out = memalign(alignment, size);
    return *out == NULL ? ENOMEM : 0;
}
void free(void *block) {
    refuse();
    __libc_free(block);
}

/* From here on this thread may write and end, nothing else. */
static int allow_only_write_and_exit(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Where the stack ended when the library was called. */
static unsigned char *entered;

static inline __attribute__((always_inline)) void enter(void) {
#if defined(__x86_64__)
    __asm__ volatile("mov %%rsp, %0" : "=r"(entered));
#else
    __asm__ volatile("mov %0, sp" : "=r"(entered));
#endif
}

/* What is asked. */
static feeler_pair *pair;
static feeler_model *model;
static feeler_mesh all_vertices, some_vertices;
static int is_deformable;
static feeler_transform pose;
static uint32_t flags;
static double margin;
static uint64_t max_work;
static feeler_contact contacts[256];
static uint32_t status;

static void ask_set_transforms(void) {
    enter();
    status |= feeler_pair_set_transforms(pair, NULL, &pose);
}
static void ask_collide(void) {
    feeler_collide_params params = feeler_collide_params_default();
    feeler_collide_result result = feeler_collide_result_default();
    params.flags = flags;
    params.max_work = max_work;
    enter();
    status |= feeler_pair_collide(pair, &params, &result);
}
static void ask_contacts(void) {
    feeler_contacts_params params = feeler_contacts_params_default();
    feeler_contacts_result result = feeler_contacts_result_default();
    params.flags = flags;
    params.max_work = max_work;
    params.margin = margin;
    enter();
    status |= feeler_pair_contacts(pair, &params, contacts, sizeof contacts / sizeof *contacts, &result);
}
static void ask_distance(void) {
    feeler_distance_params params = feeler_distance_params_default();
    feeler_distance_result result = feeler_distance_result_default();
    uint32_t search;
    params.flags = flags;
    params.max_work = max_work;
    enter();
    for (search = FEELER_SEARCH_AUTO; search <= FEELER_SEARCH_BEST_FIRST; ++search) {
        params.search = search;
        params.relative_error = 0.0;
        status |= feeler_pair_distance(pair, &params, &result);
        params.relative_error = 0.1;
        status |= feeler_pair_distance(pair, &params, &result);
    }
}
static void ask_tolerance(void) {
    feeler_tolerance_params params = feeler_tolerance_params_default();
    feeler_tolerance_result result = feeler_tolerance_result_default();
    params.flags = flags;
    params.max_work = max_work;
    params.tolerance = margin;
    enter();
    status |= feeler_pair_tolerance(pair, &params, &result);
}
static void ask_counters(void) {
    feeler_counters counters = feeler_counters_default();
    enter();
    status |= feeler_pair_get_counters(pair, &counters);
}
/* Failures are told without help of the system as well. */
static void ask_wrongly(void) {
    feeler_distance_params params = feeler_distance_params_default();
    feeler_distance_result result = feeler_distance_result_default();
    params.max_distance = -1.0;
    enter();
    status |= feeler_pair_distance(pair, &params, &result) != FEELER_STATUS_INVALID_ARGUMENT;
    status |= feeler_pair_collide(NULL, NULL, NULL) != FEELER_STATUS_NULL_ARGUMENT;
    status |= feeler_last_error_message()[0] == '\0';
}
static void ask_reset(void) {
    enter();
    feeler_pair_reset(pair);
}

static const double points[9] = {0.3, 0.4, 1.0, 1.7, 0.2, -0.5, 1.0, 1.0, 40.0};
static const feeler_transform half_turn = {{0, -1, 0, 1, 0, 0, 0, 0, 1}, {0.5, 0.25, -2.0}, {1, 1, 1}};

static void ask_closest(void) {
    feeler_closest_params params = feeler_closest_params_default();
    feeler_surface_point out[3];
    params.flags = FEELER_CLOSEST_SIDE;
    params.max_work = max_work;
    enter();
    status |= feeler_model_closest_point(model, &pose, points, &params, out);
    status |= feeler_model_closest_points(model, NULL, points, 0, 3, &params, out);
}
static void ask_cast(void) {
    feeler_cast_params params = feeler_cast_params_default();
    feeler_cast_result result = feeler_cast_result_default();
    feeler_hit out[8];
    params.max_work = max_work;
    enter();
    status |= feeler_model_cast(model, &pose, points, points + 3, &params, out, 8, &result);
    params.flags = FEELER_CAST_ALL;
    status |= feeler_model_cast(model, &pose, points + 3, points + 6, &params, out, 8, &result);
    params.radius = 0.25;
    status |= feeler_model_cast(model, NULL, points, points + 3, &params, out, 8, &result);
}
static void ask_within(void) {
    uint32_t out[8];
    size_t found;
    enter();
    status |= feeler_model_within(model, &pose, points, 0.1 + margin, out, 8, &found);
}
static void ask_pose_between(void) {
    feeler_transform out;
    enter();
    status |= feeler_model_pose_between(model, &pose, &half_turn, 0.25, &out);
}
static void ask_minima(void) {
    static feeler_minimum out[64];
    feeler_minima_params params = feeler_minima_params_default();
    feeler_contacts_result result = feeler_contacts_result_default();
    params.flags = flags;
    params.max_work = max_work;
    params.margin = margin;
    params.merge_distance = 0.1;
    enter();
    status |= feeler_pair_local_minima(pair, &params, out, sizeof out / sizeof *out, &result);
}
static void ask_sweep(void) {
    feeler_sweep_params params = feeler_sweep_params_default();
    feeler_sweep_result result = feeler_sweep_result_default();
    params.flags = flags;
    params.max_work = max_work == 0 ? 20000 : max_work;
    params.tolerance = 0.01;
    enter();
    status |= feeler_pair_sweep(pair, NULL, &half_turn, &params, &result);
}
static void ask_set_models(void) {
    enter();
    status |= feeler_pair_set_models(pair, model, NULL);
}

/* The vertices stay where they are, but everything follows them. */
static void ask_update(void) {
    enter();
    status |= feeler_model_update_vertices(model, &all_vertices);
}
static void ask_update_range(void) {
    enter();
    status |= feeler_model_update_range(model, &some_vertices, 5);
}

static const struct query {
    const char *name;
    void (*ask)(void);
    enum { OF_PAIR, OF_HAND, UPDATE } kind;
} queries[] = {
    {"set_transforms", ask_set_transforms, OF_PAIR},
    {"collide", ask_collide, OF_PAIR},
    {"contacts", ask_contacts, OF_PAIR},
    {"distance", ask_distance, OF_PAIR},
    {"tolerance", ask_tolerance, OF_PAIR},
    {"counters", ask_counters, OF_PAIR},
    {"failures", ask_wrongly, OF_PAIR},
    {"closest", ask_closest, OF_HAND},
    {"cast", ask_cast, OF_HAND},
    {"within", ask_within, OF_HAND},
    {"pose_between", ask_pose_between, OF_HAND},
    {"minima", ask_minima, OF_HAND},
    {"sweep", ask_sweep, OF_HAND},
    {"set_models", ask_set_models, OF_PAIR},
    {"reset", ask_reset, OF_PAIR},
    {"update", ask_update, UPDATE},
    {"update_range", ask_update_range, UPDATE},
};
enum { QUERIES = sizeof queries / sizeof *queries, STACK = 256 * 1024, PAINT = 0xa5 };

static unsigned char *stack;

/* Asks once; the number of bytes that the library used of the stack. */
static size_t __attribute__((noinline)) depth_of(const struct query *query) {
    unsigned char *here = __builtin_frame_address(0);
    volatile unsigned char *byte;
    for (byte = stack; byte < here - 512; ++byte) {
        *byte = PAINT;
    }
    is_inside = 1;
    query->ask();
    is_inside = 0;
    for (byte = stack; *byte == PAINT; ++byte) {
    }
    return (size_t)(entered - byte);
}

/* Of each kind; 0 is none. */
static size_t limits[UPDATE + 1];

static void say(const char *text) {
    if (write(1, text, strlen(text)) < 0) {
        _exit(3);
    }
}

/* One volume, on a stack of its own: the models touch, are near, are far, and move in small steps. */
static void *audit(void *name) {
    static const double heights[] = {0.01, 0.0101, 0.0102, 0.3, 2.0, 2.001, 50.0, 1e9, 0.0, -0.1};
    size_t deepest[QUERIES] = {0}, q, h;
    char line[640];
    int length, cold;
    if (!allow_only_write_and_exit()) {
        say("no filter\n");
        _exit(3);
    }
    for (cold = 0; cold < 2; ++cold) {
        flags = cold ? FEELER_QUERY_NO_COHERENCE : 0;
        for (max_work = 0; max_work <= 20; max_work += 20) {
            for (h = 0; h < sizeof heights / sizeof *heights; ++h) {
                pose = feeler_transform_identity();
                pose.translation[0] = 0.25;
                pose.translation[2] = heights[h];
                margin = h % 2 == 0 ? 0.25 : 0.0;
                for (q = 0; q < QUERIES; ++q) {
                    if (queries[q].kind != UPDATE || is_deformable) {
                        size_t depth = depth_of(&queries[q]);
                        deepest[q] = depth > deepest[q] ? depth : deepest[q];
                    }
                }
            }
        }
    }
    length = snprintf(line, sizeof line, "  %-16s", (const char *)name);
    for (q = 0; q < QUERIES; ++q) {
        length += snprintf(line + length, sizeof line - (size_t)length, " %14zu", deepest[q]);
        status |= limits[queries[q].kind] > 0 && deepest[q] > limits[queries[q].kind];
    }
    snprintf(line + length, sizeof line - (size_t)length, "\n");
    say(line);
    _exit(status == FEELER_STATUS_OK ? 0 : 4);
    return NULL;
}

/* The audit can fail: what it forbids ends the process. */
static void *call_the_system(void *unused) {
    if (allow_only_write_and_exit()) {
        syscall(SYS_getpid);
    }
    _exit(0);
    return unused;
}
static void *allocate(void *unused) {
    if (allow_only_write_and_exit()) {
        void *volatile block;
        is_inside = 1;
        block = malloc(1);
        (void)block;
    }
    _exit(0);
    return unused;
}

/* Runs a thread in a process of its own; the process's end as waitpid tells it. */
static int run_apart(void *(*thread)(void *), void *argument) {
    int end = -1;
    pid_t child;
    fflush(stdout);
    child = fork();
    if (child == 0) {
        pthread_attr_t attributes;
        pthread_t id;
        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, stack, STACK);
        if (pthread_create(&id, &attributes, thread, argument) != 0) {
            _exit(5);
        }
        pthread_join(id, NULL);
        _exit(6);
    }
    if (child < 0 || waitpid(child, &end, 0) != child) {
        return -1;
    }
    return end;
}

int main(int count, char **arguments) {
    grid small = grid_make(6), large = grid_make(24);
    uint32_t volume, count_of_volumes = volume_count();
    char name[32];
    size_t q;
    int end;
    limits[0] = count > 2 ? (size_t)atol(arguments[1]) : 0;
    limits[1] = count > 2 ? (size_t)atol(arguments[2]) : 0;
    stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(stack != MAP_FAILED);
    end = run_apart(call_the_system, NULL);
    CHECK(WIFSIGNALED(end) && WTERMSIG(end) == SIGSYS);
    end = run_apart(allocate, NULL);
    CHECK(WIFSIGNALED(end) && (WTERMSIG(end) == SIGILL || WTERMSIG(end) == SIGTRAP));
    printf("  %-16s", "bytes of stack");
    for (q = 0; q < QUERIES; ++q) {
        printf(" %14s", queries[q].name);
    }
    printf("\n");
    all_vertices = some_vertices = large.mesh;
    all_vertices.indices = some_vertices.indices = NULL;
    all_vertices.triangle_count = some_vertices.triangle_count = 0;
    some_vertices.vertices = large.vertices + 3 * 5;
    some_vertices.vertex_count = 7;
    /* The hybrid of which every node keeps all volumes comes last. */
    for (volume = FEELER_VOLUME_OBB; volume <= count_of_volumes; ++volume) {
        for (is_deformable = 0; is_deformable < 2; ++is_deformable) {
            feeler_model *a = NULL, *b = NULL;
            feeler_build_params params = feeler_build_params_default();
            params.volume = volume < count_of_volumes ? volume : FEELER_VOLUME_HYBRID;
            params.hybrid_selection = volume < count_of_volumes ? FEELER_HYBRID_STATIC : FEELER_HYBRID_DYNAMIC;
            params.threads = 1;
            params.flags = is_deformable ? FEELER_BUILD_DEFORMABLE : 0;
            CHECK_OK(feeler_model_create(&large.mesh, &a));
            CHECK_OK(feeler_model_create(&small.mesh, &b));
            CHECK_OK(feeler_model_build(a, &params));
            CHECK_OK(feeler_model_build(b, &params));
            CHECK_OK(feeler_pair_create(a, b, NULL, &pair));
            if (is_deformable) {
                CHECK_OK(feeler_model_update_range(a, &some_vertices, 5));
            }
            model = a;
            snprintf(name, sizeof name, "%s%u%s", volume < count_of_volumes ? "volume " : "dynamic ",
                     volume < count_of_volumes ? (unsigned)volume : (unsigned)FEELER_VOLUME_HYBRID, is_deformable ? ", moves" : "");
            end = run_apart(audit, name);
            if (!CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0)) {
                printf("volume %u: %s %d\n", volume, WIFSIGNALED(end) ? "signal" : "exit status",
                       WIFSIGNALED(end) ? WTERMSIG(end) : WEXITSTATUS(end));
            }
            feeler_pair_destroy(pair);
            feeler_model_destroy(a);
            feeler_model_destroy(b);
        }
    }
    grid_free(&small);
    grid_free(&large);
    return finish("real_time");
}
