/* Two threads, two models: one thread deforms a surface as fast as it can, the other asks about it a thousand times a second
 * and never waits.
 *
 *   double_buffer [--seconds 5] [--cells 100]
 *
 * The surface exists twice. The deforming thread writes to the model that nobody asks about, then publishes it; the asking
 * thread takes what was published by feeler_pair_set_models, which allocates nothing, and hands back the other one. The
 * hand-over is one atomic word. At the end: how many frames were late, how long steps took, how often memory was allocated. */
#define _POSIX_C_SOURCE 200809L
#include "feeler.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Counts what the C library hands out while the loops run: this program stands in for its allocator on glibc. */
static atomic_long allocations;
static atomic_int counting;
#ifdef __GLIBC__
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
static void count(void) { allocations += atomic_load(&counting); }
void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}
void *calloc(size_t items, size_t size) {
    count();
    return __libc_calloc(items, size);
}
void *realloc(void *block, size_t size) {
    count();
    return __libc_realloc(block, size);
}
int posix_memalign(void **out, size_t alignment, size_t size) {
    count();
    *out = __libc_memalign(alignment, size);
    return *out == NULL ? 12 : 0;
}
void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}
#endif

enum { NOTHING = -1 };

static feeler_model *models[2];
static float *vertices;
static size_t row_length;
/* The model that waits to be taken, and the one that waits to be written to; NOTHING while there is none. */
static atomic_int published = NOTHING, returned = 1;
static atomic_int stop;
static long shapes;
static double update_sum, update_most;

static void ok(feeler_status status, const char *what) {
    if (status != FEELER_STATUS_OK) {
        fprintf(stderr, "double_buffer: %s: %s: %s\n", what, feeler_status_name(status), feeler_last_error_message());
        exit(1);
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A wave that runs over the unit square. */
static void wave(double phase) {
    for (size_t row = 0; row < row_length; ++row) {
        for (size_t column = 0; column < row_length; ++column) {
            float *vertex = vertices + 3 * (row * row_length + column);
            double u = (double)column / (double)(row_length - 1), v = (double)row / (double)(row_length - 1);
            vertex[0] = (float)u;
            vertex[1] = (float)v;
            vertex[2] = (float)(0.05 * sin(9.0 * u + phase) * cos(7.0 * v - 0.5 * phase));
        }
    }
}

static void *deform(void *unused) {
    feeler_mesh mesh = feeler_mesh_default();
    (void)unused;
    mesh.vertices = vertices;
    mesh.vertex_count = row_length * row_length;
    while (!atomic_load(&stop)) {
        int mine = atomic_exchange(&returned, NOTHING);
        if (mine == NOTHING) { /* the other thread has not taken the last shape yet */
            struct timespec moment = {0, 50 * 1000};
            nanosleep(&moment, NULL);
            continue;
        }
        wave(0.05 * (double)++shapes);
        double start = seconds();
        ok(feeler_model_update_vertices(models[mine], &mesh), "update");
        double took = seconds() - start;
        update_sum += took;
        update_most = took > update_most ? took : update_most;
        atomic_store(&published, mine);
    }
    return NULL;
}

int main(int argc, char **argv) {
    double duration = 5.0;
    long cells = 100;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
            duration = strtod(argv[++i], NULL);
        } else if (strcmp(argv[i], "--cells") == 0 && i + 1 < argc) {
            cells = strtol(argv[++i], NULL, 10);
        } else {
            duration = 0.0;
        }
    }
    if (!(duration > 0.0 && duration < 1e5) || cells < 2 || cells > 2000) {
        fprintf(stderr, "usage: double_buffer [--seconds 5] [--cells 100]\n");
        return 2;
    }
    row_length = (size_t)cells + 1;
    vertices = malloc(row_length * row_length * 3 * sizeof *vertices);
    uint32_t *indices = malloc((size_t)cells * (size_t)cells * 6 * sizeof *indices);
    if (vertices == NULL || indices == NULL) {
        fprintf(stderr, "double_buffer: out of memory\n");
        return 1;
    }
    uint32_t *next = indices;
    for (uint32_t row = 0; row < (uint32_t)cells; ++row) {
        for (uint32_t column = 0; column < (uint32_t)cells; ++column) {
            uint32_t corner = row * (uint32_t)row_length + column, above = corner + (uint32_t)row_length;
            uint32_t cell[6] = {corner, corner + 1, above + 1, corner, above + 1, above};
            memcpy(next, cell, sizeof cell);
            next += 6;
        }
    }
    wave(0.0);
    feeler_mesh mesh = feeler_mesh_default();
    mesh.vertices = vertices;
    mesh.vertex_count = row_length * row_length;
    mesh.indices = indices;
    mesh.triangle_count = 2 * (size_t)cells * (size_t)cells;
    feeler_build_params params = feeler_build_params_default();
    params.volume = FEELER_VOLUME_AABB;
    params.flags = FEELER_BUILD_DEFORMABLE;
    for (int i = 0; i < 2; ++i) {
        ok(feeler_model_create(&mesh, &models[i]), "surface");
        ok(feeler_model_build(models[i], &params), "surface");
    }
    static const float tip[4][3] = {{0, 0, 0}, {0.01f, 0, 0.05f}, {-0.01f, 0.01f, 0.05f}, {-0.01f, -0.01f, 0.05f}};
    static const uint32_t faces[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    feeler_mesh probe_mesh = feeler_mesh_default();
    probe_mesh.vertices = tip;
    probe_mesh.vertex_count = 4;
    probe_mesh.indices = *faces;
    probe_mesh.triangle_count = 4;
    feeler_model *probe = NULL;
    feeler_pair *pair = NULL;
    ok(feeler_model_create(&probe_mesh, &probe), "probe");
    ok(feeler_model_build(probe, NULL), "probe");
    ok(feeler_pair_create(probe, models[0], NULL, &pair), "pair");

    pthread_t thread;
    if (pthread_create(&thread, NULL, deform, NULL) != 0) {
        fprintf(stderr, "double_buffer: no second thread\n");
        return 1;
    }
    atomic_store(&counting, 1);
    long frames = 0, late = 0, taken = 0, busy = 0;
    int mine = 0; /* the model that this thread asks about */
    double begun = seconds(), step_sum = 0.0, step_most = 0.0;
    for (;;) {
        double due = begun + 1e-3 * (double)frames, now = seconds();
        if (now < due) {
            double left = due - now;
            struct timespec wait = {0, (long)(left * 1e9)};
            nanosleep(&wait, NULL);
            now = seconds();
        }
        if (now - begun > duration) {
            break;
        }
        int fresh = atomic_exchange(&published, NOTHING);
        if (fresh != NOTHING) {
            ok(feeler_pair_set_models(pair, NULL, models[fresh]), "other shape");
            atomic_store(&returned, mine); /* only now may the other thread write to it */
            mine = fresh;
            ++taken;
        }
        feeler_transform at = feeler_transform_identity();
        at.translation[0] = 0.5 + 0.3 * cos(now);
        at.translation[1] = 0.5 + 0.3 * sin(now);
        at.translation[2] = 0.08;
        feeler_distance_result nearest = feeler_distance_result_default();
        ok(feeler_pair_set_transforms(pair, &at, NULL), "pose");
        feeler_status status = feeler_pair_distance(pair, NULL, &nearest);
        busy += status == FEELER_STATUS_BUSY;
        if (status != FEELER_STATUS_BUSY) {
            ok(status, "distance");
        }
        double took = seconds() - now;
        step_sum += took;
        step_most = took > step_most ? took : step_most;
        /* Late is what the step itself cost, not when the system woke this thread up. */
        late += took > 1e-3;
        ++frames;
    }
    atomic_store(&counting, 0);
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    printf("frames          %ld at 1 kHz, %ld late, %ld busy\n", frames, late, busy);
    printf("step            %.1f us mean, %.1f us most\n", step_sum * 1e6 / (double)frames, step_most * 1e6);
    printf("shapes          %ld of %zu triangles, %ld taken, %.3f ms each, %.3f ms most\n", shapes, mesh.triangle_count, taken,
           update_sum * 1e3 / (double)(shapes > 0 ? shapes : 1), update_most * 1e3);
    printf("allocations     %ld\n", (long)allocations);
    feeler_pair_destroy(pair);
    feeler_model_destroy(probe);
    feeler_model_destroy(models[0]);
    feeler_model_destroy(models[1]);
    free(vertices);
    free(indices);
    return 0;
}
