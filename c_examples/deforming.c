/* A membrane that a ball presses: the membrane deforms in every frame, its tree follows, contacts are found.
 *
 *   deforming [--frames 200] [--picture deforming.svg]
 *
 * The ball is rigid and has oriented boxes; the membrane has axis-aligned boxes, which follow vertices fastest. At the end a
 * table compares following with rebuilding: what each costs, and what queries cost afterwards. */
#include "feeler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELLS = 100, ROWS = CELLS + 1, MERIDIANS = 48, PARALLELS = 24, MOST_CONTACTS = 4096 };

static const double RADIUS = 0.2, DEEPEST = 0.12, TURN = 6.283185307179586;

static float membrane[ROWS * ROWS][3];
static uint32_t membrane_triangles[2 * CELLS * CELLS][3];
static float ball[(MERIDIANS + 1) * (PARALLELS + 1)][3];
static uint32_t ball_triangles[2 * MERIDIANS * PARALLELS][3];
static feeler_contact contacts[MOST_CONTACTS];

static void ok(feeler_status status, const char *what) {
    if (status != FEELER_STATUS_OK) {
        fprintf(stderr, "deforming: %s: %s: %s\n", what, feeler_status_name(status), feeler_last_error_message());
        exit(1);
    }
}

static double seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Two triangles for every cell of a grid of columns x rows cells. */
static void make_grid(uint32_t columns, uint32_t rows, uint32_t (*triangles)[3]) {
    for (uint32_t row = 0; row < rows; ++row) {
        for (uint32_t column = 0; column < columns; ++column) {
            uint32_t corner = row * (columns + 1) + column, above = corner + columns + 1;
            uint32_t cell[6] = {corner, corner + 1, above + 1, corner, above + 1, above};
            memcpy(*triangles, cell, sizeof cell);
            triangles += 2;
        }
    }
}

static void make_ball(void) {
    for (int row = 0; row <= PARALLELS; ++row) {
        for (int column = 0; column <= MERIDIANS; ++column) {
            double across = TURN / 2 * row / PARALLELS, around = TURN * column / MERIDIANS;
            float *vertex = ball[row * (MERIDIANS + 1) + column];
            vertex[0] = (float)(RADIUS * sin(across) * cos(around));
            vertex[1] = (float)(RADIUS * sin(across) * sin(around));
            vertex[2] = (float)(RADIUS * cos(across));
        }
    }
    make_grid(MERIDIANS, PARALLELS, ball_triangles);
}

/* The membrane is the unit square with a dent as deep as the ball is below it. */
static void press(double x, double y, double depth) {
    /* Narrower than the ball near its bottom, so that they touch. */
    double width = 1.6 * RADIUS * depth + 1e-9;
    for (int row = 0; row < ROWS; ++row) {
        for (int column = 0; column < ROWS; ++column) {
            double u = (double)column / CELLS, v = (double)row / CELLS;
            double square = (u - x) * (u - x) + (v - y) * (v - y);
            float *vertex = membrane[row * ROWS + column];
            vertex[0] = (float)u;
            vertex[1] = (float)v;
            vertex[2] = (float)(-depth / (1.0 + square / width));
        }
    }
}

static feeler_mesh mesh_of(const float *vertices, size_t vertex_count, const uint32_t *indices, size_t triangle_count) {
    feeler_mesh mesh = feeler_mesh_default();
    mesh.vertices = vertices;
    mesh.vertex_count = vertex_count;
    mesh.indices = indices;
    mesh.triangle_count = triangle_count;
    return mesh;
}

/* Lines of the membrane seen from above the front edge, and the contacts. */
static int draw(const char *path, size_t contact_count, const feeler_transform *at) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "deforming: %s cannot be written\n", path);
        return 0;
    }
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-40 -60 780 520\" font-family=\"sans-serif\">\n"
                  "<rect x=\"-40\" y=\"-60\" width=\"780\" height=\"520\" fill=\"#fff\"/>\n"
                  "<text x=\"0\" y=\"-30\" font-size=\"18\">A membrane of %d triangles, pressed</text>\n",
            2 * CELLS * CELLS);
#define SEEN_X(p) (500.0 * (p)[0] + 200.0 * (p)[1])
#define SEEN_Y(p) (400.0 - 330.0 * (p)[1] - 700.0 * ((p)[2] + DEEPEST * 0.5))
    for (int way = 0; way < 2; ++way) {
        for (int line = 0; line < ROWS; line += 4) {
            fprintf(file, "<polyline fill=\"none\" stroke=\"#4a6fa5\" stroke-width=\"0.7\" points=\"");
            for (int i = 0; i < ROWS; ++i) {
                const float *vertex = membrane[way == 0 ? line * ROWS + i : i * ROWS + line];
                fprintf(file, "%.1f,%.1f ", SEEN_X(vertex), SEEN_Y(vertex));
            }
            fprintf(file, "\"/>\n");
        }
    }
    for (size_t i = 0; i < contact_count; ++i) {
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.6\" fill=\"#c0392b\"/>\n", SEEN_X(contacts[i].point_b),
                SEEN_Y(contacts[i].point_b));
    }
    fprintf(file, "<text x=\"0\" y=\"440\" font-size=\"14\">%zu contacts of the ball at %.2f, %.2f, %.2f</text>\n</svg>\n",
            contact_count, at->translation[0], at->translation[1], at->translation[2]);
    return fclose(file) == 0;
}

/* Microseconds of a distance and of a contacts query, cold. */
static void time_queries(feeler_pair *pair, double *distance_time, double *contacts_time) {
    enum { TIMES = 200 };
    feeler_distance_params distance = feeler_distance_params_default();
    feeler_contacts_params touching = feeler_contacts_params_default();
    feeler_distance_result nearest = feeler_distance_result_default();
    feeler_contacts_result found = feeler_contacts_result_default();
    distance.flags = touching.flags = FEELER_QUERY_NO_COHERENCE;
    double start = seconds();
    for (int i = 0; i < TIMES; ++i) {
        ok(feeler_pair_distance(pair, &distance, &nearest), "distance");
    }
    double middle = seconds();
    for (int i = 0; i < TIMES; ++i) {
        ok(feeler_pair_contacts(pair, &touching, contacts, MOST_CONTACTS, &found), "contacts");
    }
    *distance_time = (middle - start) * 1e6 / TIMES;
    *contacts_time = (seconds() - middle) * 1e6 / TIMES;
}

int main(int argc, char **argv) {
    long frames = 200;
    const char *picture = "deforming.svg";
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--frames") == 0 && i + 1 < argc) {
            frames = strtol(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--picture") == 0 && i + 1 < argc) {
            picture = argv[++i];
        } else {
            frames = 0;
        }
    }
    if (frames < 1 || frames > 1000000) {
        fprintf(stderr, "usage: deforming [--frames 200] [--picture deforming.svg]\n");
        return 2;
    }
    make_ball();
    make_grid(CELLS, CELLS, membrane_triangles);
    press(0.5, 0.5, 0.0);

    feeler_mesh soft_mesh = mesh_of(*membrane, ROWS * ROWS, *membrane_triangles, 2 * CELLS * CELLS);
    feeler_mesh tool_mesh = mesh_of(*ball, (MERIDIANS + 1) * (PARALLELS + 1), *ball_triangles, 2 * MERIDIANS * PARALLELS);
    feeler_model *soft = NULL, *tool = NULL;
    feeler_pair *pair = NULL;
    feeler_build_params params = feeler_build_params_default();
    params.volume = FEELER_VOLUME_AABB;
    params.flags = FEELER_BUILD_DEFORMABLE; /* from the first build on */
    params.threads = 1;
    ok(feeler_model_create(&soft_mesh, &soft), "membrane");
    ok(feeler_model_build(soft, &params), "membrane");
    ok(feeler_model_create(&tool_mesh, &tool), "ball");
    ok(feeler_model_build(tool, NULL), "ball");
    ok(feeler_pair_create(tool, soft, NULL, &pair), "pair");

    double refit_sum = 0.0, refit_most = 0.0, query_sum = 0.0;
    feeler_transform at = feeler_transform_identity();
    feeler_contacts_result found = feeler_contacts_result_default();
    feeler_model_info info = feeler_model_info_default();
    for (long frame = 0; frame < frames; ++frame) {
        double part = (double)(frame + 1) / (double)frames;
        double x = 0.5 + 0.2 * cos(TURN * part), y = 0.5 + 0.2 * sin(TURN * part), depth = DEEPEST * sqrt(part);
        press(x, y, depth);
        at.translation[0] = x;
        at.translation[1] = y;
        at.translation[2] = RADIUS - depth;
        double start = seconds();
        ok(feeler_model_update_vertices(soft, &soft_mesh), "update");
        double middle = seconds();
        ok(feeler_pair_set_transforms(pair, &at, NULL), "pose");
        ok(feeler_pair_contacts(pair, NULL, contacts, MOST_CONTACTS, &found), "contacts");
        double end = seconds();
        refit_sum += middle - start;
        refit_most = middle - start > refit_most ? middle - start : refit_most;
        query_sum += end - middle;
        if (frame % 10 == 0 || frame + 1 == frames) {
            ok(feeler_model_get_info(soft, &info), "info");
            printf("\rframe %4ld of %ld  depth %.3f  %4llu contacts  quality %.2f", frame + 1, frames, depth,
                   (unsigned long long)found.found, info.refit_quality);
            fflush(stdout);
        }
    }
    printf("\nfollowing       %.3f ms mean, %.3f ms most\ncontacts        %.1f us mean\n", refit_sum * 1e3 / (double)frames,
           refit_most * 1e3, query_sum * 1e6 / (double)frames);
    if (!draw(picture, found.written, &at)) {
        return 1;
    }
    printf("picture         %s\n\n%-26s %10s %12s %12s\n", picture, "tree", "made in ms", "distance us", "contacts us");
    double distance_time, contacts_time;
    time_queries(pair, &distance_time, &contacts_time);
    printf("%-26s %10.3f %12.1f %12.1f\n", "followed", refit_sum * 1e3 / (double)frames, distance_time, contacts_time);
    for (int fast = 1; fast >= 0; --fast) {
        params.quality = fast ? FEELER_QUALITY_FAST : FEELER_QUALITY_HIGH;
        double start = seconds();
        ok(feeler_model_build(soft, &params), "rebuild"); /* the pair stays */
        double made = seconds() - start;
        time_queries(pair, &distance_time, &contacts_time);
        printf("%-26s %10.3f %12.1f %12.1f\n", fast ? "rebuilt, FAST" : "rebuilt, HIGH", made * 1e3, distance_time,
               contacts_time);
    }
    feeler_pair_destroy(pair);
    feeler_model_destroy(soft);
    feeler_model_destroy(tool);
    return 0;
}
