/* The library opened at run time in a program whose memory is used up: the first failure on a new thread is told, with its
 * sentence, and needs no memory; a thread that had a failure may end after the library was closed. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

/* Types and constants only; the functions come from dlsym. */
#include "check.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_int is_used_up;
static atomic_long refused_allocations;

static int refuse(void) {
    refused_allocations += is_used_up;
    errno = is_used_up ? ENOMEM : errno;
    return is_used_up;
}
void *malloc(size_t size) { return refuse() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return refuse() ? NULL : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return refuse() ? NULL : __libc_realloc(block, size); }
void *memalign(size_t alignment, size_t size) { return refuse() ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    void *block = memalign(alignment, size);
    *out = block;
    return block == NULL ? ENOMEM : 0;
}

static void *library;
static __typeof__(&feeler_mesh_init) mesh_init;
static __typeof__(&feeler_model_create) model_create;
static __typeof__(&feeler_last_error_message) last_error_message;
static uint32_t null_status, memory_status;
static char before[8], null_message[256], memory_message[256];
static pthread_barrier_t asked, closed;

#define LOAD(name, to) \
    { \
        void *symbol = dlsym(library, #name); \
        CHECK(symbol != NULL); \
        memcpy(&to, &symbol, sizeof symbol); \
    }

static void *first_failure(void *unused) {
    static const float vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    feeler_mesh mesh;
    feeler_model *model = NULL;
    (void)unused;
    is_used_up = 1;
    strncpy(before, last_error_message(), sizeof before - 1);
    null_status = model_create(NULL, &model);
    strncpy(null_message, last_error_message(), sizeof null_message - 1);
    mesh_init(&mesh, sizeof mesh);
    mesh.vertices = vertices;
    mesh.vertex_count = 3;
    memory_status = model_create(&mesh, &model);
    strncpy(memory_message, last_error_message(), sizeof memory_message - 1);
    is_used_up = 0;
    pthread_barrier_wait(&asked);
    pthread_barrier_wait(&closed);
    return NULL;
}

const char *feeler_last_error_message(void) { return "(not linked)"; }
const char *feeler_status_name(uint32_t status) { return status == 0 ? "0" : "not 0"; }
#define NOT_LINKED(name) \
    feeler_status feeler_##name##_init(struct feeler_##name *s, size_t size) { \
        memset(s, 0, size); \
        return FEELER_STATUS_INTERNAL; \
    }
FOR_EVERY_STRUCT(NOT_LINKED)

int main(int count, char **arguments) {
    int round;
    if (count != 2) {
        return 2;
    }
    printf("  first failures of a new thread without memory\n");
    for (round = 0; round < 3; ++round) {
        pthread_t thread;
        library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        if (!CHECK(library != NULL)) {
            printf("%s\n", dlerror());
            return 1;
        }
        LOAD(feeler_mesh_init, mesh_init)
        LOAD(feeler_model_create, model_create)
        LOAD(feeler_last_error_message, last_error_message)
        pthread_barrier_init(&asked, NULL, 2);
        pthread_barrier_init(&closed, NULL, 2);
        CHECK(pthread_create(&thread, NULL, first_failure, NULL) == 0);
        pthread_barrier_wait(&asked);
        CHECK(before[0] == '\0');
        CHECK(null_status == FEELER_STATUS_NULL_ARGUMENT && strcmp(null_message, "mesh is NULL") == 0);
        CHECK(memory_status == FEELER_STATUS_OUT_OF_MEMORY && strstr(memory_message, "out of memory") != NULL);
        CHECK(last_error_message()[0] == '\0'); /* a failure of another thread is not this thread's */
        CHECK(dlclose(library) == 0);
        pthread_barrier_wait(&closed);
        CHECK(pthread_join(thread, NULL) == 0);
    }
    CHECK(refused_allocations >= 3);
    return finish("loaded_late");
}
