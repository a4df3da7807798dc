/* Tries feeler on your own models. Input: two mesh files and a list of poses. Output: a table of answers. */
#include "mesh_file.h"

#include <feeler.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "usage: load_and_query A B [POSES] [--margin M]\n"
    "  A, B     mesh files: .obj, or .stl in ascii or binary\n"
    "  POSES    one pose of B in the frame of A per line: 12 numbers, a row-major 3x4 matrix [R|t];\n"
    "           the first line may be the number of poses; lines that begin with # are skipped;\n"
    "           without this file B stays where it is\n"
    "  --margin also count the triangle pairs that are at most M apart (default 0: those that touch)\n";

static double seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static feeler_model *load(const char *path) {
    feeler_mesh mesh = feeler_mesh_default();
    feeler_model_info info = feeler_model_info_default();
    feeler_model *model = NULL;
    mesh_file file;
    if (!mesh_file_read(path, &file)) {
        fprintf(stderr, "load_and_query: %s\n", file.message);
        mesh_file_free(&file);
        return NULL;
    }
    mesh.scalar = FEELER_SCALAR_F64;
    mesh.vertices = file.vertices;
    mesh.vertex_count = file.vertex_count;
    mesh.indices = file.indices;
    mesh.triangle_count = file.triangle_count;
    if (feeler_model_create(&mesh, &model) || feeler_model_build(model, NULL) || feeler_model_get_info(model, &info)) {
        fprintf(stderr, "load_and_query: %s: %s\n", path, feeler_last_error_message());
        feeler_model_destroy(model);
        model = NULL;
    } else {
        printf("%s: %llu triangles (%llu degenerate), built in %.3f s, %.1f MB\n", path,
               (unsigned long long)info.triangle_count, (unsigned long long)info.degenerate_count, info.build_seconds,
               (double)info.memory_bytes / 1e6);
    }
    mesh_file_free(&file); /* the model has its own copy */
    return model;
}

/* Reads the next pose. Returns 1 for a pose, 0 at the end, -1 for a line that is not a pose. */
static int next_pose(FILE *file, size_t *line, int *started, feeler_transform *pose) {
    char text[4096];
    while (fgets(text, sizeof text, file)) {
        double numbers[12];
        int count = 0;
        char *rest = text, *end;
        ++*line;
        rest += strspn(rest, " \t\r\n");
        if (*rest == 0 || *rest == '#')
            continue;
        for (; count < 12; ++count, rest = end) {
            numbers[count] = strtod(rest, &end);
            if (end == rest)
                break;
        }
        rest += strspn(rest, " \t\r\n");
        if (count == 1 && *rest == 0 && !*started) {
            *started = 1; /* the count */
            continue;
        }
        *started = 1;
        if (count != 12 || *rest != 0)
            return -1;
        *pose = feeler_transform_identity();
        for (count = 0; count < 12; ++count) {
            if (count % 4 == 3)
                pose->translation[count / 4] = numbers[count];
            else
                pose->rotation[count / 4 * 3 + count % 4] = numbers[count];
        }
        return 1;
    }
    return 0;
}

/* Runs the queries at the current pose and prints a line of the table. Returns 0 on failure. */
static int answer(feeler_pair *pair, size_t number, double margin, double *elapsed) {
    feeler_distance_result nearest = feeler_distance_result_default();
    feeler_contacts_params within = feeler_contacts_params_default();
    feeler_contacts_result contacts = feeler_contacts_result_default();
    double start = seconds();
    within.margin = margin;
    if (feeler_pair_distance(pair, NULL, &nearest) || feeler_pair_contacts(pair, &within, NULL, 0, &contacts))
        return 0;
    *elapsed += seconds() - start;
    printf("%6zu  %-5s  %13.9g  %8llu  %9u  %9u  %12.6g %12.6g %12.6g  %12.6g %12.6g %12.6g\n", number,
           nearest.upper == 0 ? "touch" : "apart", nearest.upper, (unsigned long long)contacts.found,
           nearest.triangle_a, nearest.triangle_b, nearest.point_a[0], nearest.point_a[1], nearest.point_a[2],
           nearest.point_b[0], nearest.point_b[1], nearest.point_b[2]);
    return 1;
}

static int answer_all(feeler_pair *pair, const char *path, double margin) {
    FILE *file = path ? fopen(path, "r") : NULL;
    feeler_transform pose = feeler_transform_identity();
    size_t number = 0, line = 0;
    double elapsed = 0;
    int started = 0, more = 1;
    if (path && file == NULL) {
        fprintf(stderr, "load_and_query: %s: %s\n", path, strerror(errno));
        return 0;
    }
    printf("%6s  %-5s  %13s  %8s  %9s  %9s  %38s  %38s\n", "pose", "", "distance", "contacts", "triangle", "triangle",
           "point on A", "point on B");
    while (more == 1 && (file == NULL || (more = next_pose(file, &line, &started, &pose)) == 1)) {
        if (feeler_pair_set_transforms(pair, NULL, &pose) || !answer(pair, number, margin, &elapsed)) {
            fprintf(stderr, "load_and_query: %s, line %zu: %s\n", path ? path : "identity", line,
                    feeler_last_error_message());
            more = -2;
        } else {
            ++number;
            more = file ? 1 : 0;
        }
    }
    if (more == -1)
        fprintf(stderr, "load_and_query: %s, line %zu: a pose is 12 numbers\n", path, line);
    if (more == 0 && number == 0) {
        fprintf(stderr, "load_and_query: %s: there is no pose in it\n", path);
        more = -1;
    }
    if (number > 0)
        printf("%zu poses, %.2f us per pose for distance and contacts together\n", number,
               1e6 * elapsed / (double)number);
    if (file)
        fclose(file);
    return more == 0;
}

int main(int count, char **arguments) {
    const char *paths[3] = {NULL, NULL, NULL};
    int given = 0, index, good;
    double margin = 0;
    feeler_model *a, *b = NULL;
    feeler_pair *pair = NULL;
    for (index = 1; index < count; ++index) {
        if (strcmp(arguments[index], "--margin") == 0 && index + 1 < count) {
            char *end;
            margin = strtod(arguments[++index], &end);
            if (*end || end == arguments[index] || !(margin >= 0) || isinf(margin)) {
                fprintf(stderr, "load_and_query: the margin %s is not a distance\n", arguments[index]);
                return 2;
            }
        } else if (arguments[index][0] == '-' || given == 3) {
            fputs(usage, stderr);
            return 2;
        } else {
            paths[given++] = arguments[index];
        }
    }
    if (given < 2) {
        fputs(usage, stderr);
        return 2;
    }
    a = load(paths[0]);
    if (a)
        b = load(paths[1]);
    good = a && b;
    if (good && feeler_pair_create(a, b, NULL, &pair)) {
        fprintf(stderr, "load_and_query: %s\n", feeler_last_error_message());
        good = 0;
    }
    good = good && answer_all(pair, paths[2], margin);
    feeler_pair_destroy(pair);
    feeler_model_destroy(a);
    feeler_model_destroy(b);
    return good ? 0 : 1;
}
