#include "mesh_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STL_HEADER = 84, STL_TRIANGLE = 50 };

static int fail(mesh_file *mesh, const char *path, const char *format, ...) {
    va_list arguments;
    int used = snprintf(mesh->message, sizeof mesh->message, "%.300s: ", path);
    va_start(arguments, format);
    vsnprintf(mesh->message + used, sizeof mesh->message - (size_t)used, format, arguments);
    va_end(arguments);
    return 0;
}

/* Makes room for one more group of three in an array of count groups. The array doubles at powers of two. */
static int grow(void **array, size_t count, size_t group_size) {
    void *larger;
    if (count != 0 && (count & (count - 1)) != 0)
        return 1;
    if (count > SIZE_MAX / 2 / group_size)
        return 0;
    larger = realloc(*array, (count ? count * 2 : 1) * group_size);
    if (larger == NULL)
        return 0;
    *array = larger;
    return 1;
}

static int add_vertex(mesh_file *mesh, const double position[3]) {
    if (!grow((void **)&mesh->vertices, mesh->vertex_count, 3 * sizeof(double)))
        return 0;
    memcpy(mesh->vertices + 3 * mesh->vertex_count++, position, 3 * sizeof(double));
    return 1;
}

static int add_triangle(mesh_file *mesh, uint32_t first, uint32_t second, uint32_t third) {
    uint32_t *triangle;
    if (!grow((void **)&mesh->indices, mesh->triangle_count, 3 * sizeof(uint32_t)))
        return 0;
    triangle = mesh->indices + 3 * mesh->triangle_count++;
    triangle[0] = first, triangle[1] = second, triangle[2] = third;
    return 1;
}

/* Reads the whole file and adds a NUL, so that text functions stop there. */
static char *read_all(const char *path, size_t *size, mesh_file *mesh) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t capacity = 0;
    *size = 0;
    if (file == NULL) {
        fail(mesh, path, "%s", strerror(errno));
        return NULL;
    }
    for (;;) {
        size_t got;
        if (capacity - *size < 2) {
            char *larger = realloc(bytes, capacity = capacity ? capacity * 2 : 65536);
            if (larger == NULL) {
                fail(mesh, path, "out of memory");
                break;
            }
            bytes = larger;
        }
        got = fread(bytes + *size, 1, capacity - *size - 1, file);
        *size += got;
        if (got == 0) {
            if (ferror(file)) {
                fail(mesh, path, "%s", strerror(errno));
                break;
            }
            bytes[*size] = 0;
            fclose(file);
            return bytes;
        }
    }
    fclose(file);
    free(bytes);
    return NULL;
}

/* Reads three numbers from this line and moves *text behind them. */
static int three_numbers(char **text, double numbers[3]) {
    int axis;
    for (axis = 0; axis < 3; ++axis) {
        char *end;
        *text += strspn(*text, " \t");
        if (**text == '\n' || **text == '\r')
            return 0;
        numbers[axis] = strtod(*text, &end);
        if (end == *text)
            return 0;
        *text = end;
    }
    return 1;
}

static int read_obj(const char *path, char *text, mesh_file *mesh) {
    size_t line = 1;
    while (*text) {
        text += strspn(text, " \t");
        if (text[0] == 'v' && (text[1] == ' ' || text[1] == '\t')) {
            double position[3];
            ++text;
            if (!three_numbers(&text, position))
                return fail(mesh, path, "line %zu: a vertex needs three numbers", line);
            if (!add_vertex(mesh, position))
                return fail(mesh, path, "out of memory");
        } else if (text[0] == 'f' && (text[1] == ' ' || text[1] == '\t')) {
            uint32_t first = 0, previous = 0;
            size_t corners = 0;
            ++text;
            for (;; ++corners) {
                long long number;
                char *end;
                text += strspn(text, " \t");
                if (*text == '\n' || *text == '\r' || *text == '#' || *text == 0)
                    break;
                number = strtoll(text, &end, 10);
                if (end == text)
                    return fail(mesh, path, "line %zu: a face needs vertex numbers", line);
                if (number < 0)
                    number += (long long)mesh->vertex_count + 1; /* negative numbers count back from the last vertex */
                if (number < 1 || (unsigned long long)number > mesh->vertex_count || number > UINT32_MAX)
                    return fail(mesh, path, "line %zu: vertex %.20s is not among the %zu vertices read so far", line,
                                text, mesh->vertex_count);
                text = end + strcspn(end, " \t\r\n"); /* texture and normal numbers are not used */
                if (corners == 0)
                    first = (uint32_t)(number - 1);
                if (corners >= 2 && !add_triangle(mesh, first, previous, (uint32_t)(number - 1)))
                    return fail(mesh, path, "out of memory");
                previous = (uint32_t)(number - 1);
            }
            if (corners < 3)
                return fail(mesh, path, "line %zu: a face needs three corners, not %zu", line, corners);
        }
        text += strcspn(text, "\n");
        if (*text == '\n')
            ++text, ++line;
    }
    return 1;
}

static int read_stl_ascii(const char *path, char *text, mesh_file *mesh) {
    size_t line = 1;
    int ended = 0;
    while (*text) {
        text += strspn(text, " \t\r");
        if (strncmp(text, "vertex", 6) == 0) {
            double position[3];
            text += 6;
            if (!three_numbers(&text, position))
                return fail(mesh, path, "line %zu: a vertex needs three numbers", line);
            if (!add_vertex(mesh, position))
                return fail(mesh, path, "out of memory");
        } else if (strncmp(text, "endfacet", 8) == 0) {
            size_t count = mesh->vertex_count;
            if (count != 3 * mesh->triangle_count + 3)
                return fail(mesh, path, "line %zu: a facet needs three vertices", line);
            if (count > UINT32_MAX)
                return fail(mesh, path, "too many vertices");
            if (!add_triangle(mesh, (uint32_t)count - 3, (uint32_t)count - 2, (uint32_t)count - 1))
                return fail(mesh, path, "out of memory");
        } else if (strncmp(text, "endsolid", 8) == 0) {
            ended = 1;
        }
        text += strcspn(text, "\n");
        if (*text == '\n')
            ++text, ++line;
    }
    if (!ended)
        return fail(mesh, path, "the file is truncated: no endsolid up to line %zu", line);
    return 1;
}

static uint32_t little_endian(const unsigned char *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static int read_stl_binary(const char *path, const unsigned char *bytes, size_t size, mesh_file *mesh) {
    size_t promised, there, triangle;
    if (size < STL_HEADER)
        return fail(mesh, path, "the file is truncated: %zu bytes are less than the header of an STL file", size);
    promised = little_endian(bytes + 80);
    there = (size - STL_HEADER) / STL_TRIANGLE;
    if (there < promised)
        return fail(mesh, path, "the file is truncated: it promises %zu triangles and holds %zu", promised, there);
    if (promised > UINT32_MAX / 3)
        return fail(mesh, path, "too many triangles");
    for (triangle = 0; triangle < promised; ++triangle) {
        const unsigned char *corner = bytes + STL_HEADER + triangle * STL_TRIANGLE + 12; /* behind the normal */
        int number;
        for (number = 0; number < 3; ++number, corner += 12) {
            double position[3];
            int axis;
            for (axis = 0; axis < 3; ++axis) {
                uint32_t bits = little_endian(corner + 4 * axis);
                float coordinate;
                memcpy(&coordinate, &bits, 4);
                position[axis] = coordinate;
            }
            if (!add_vertex(mesh, position))
                return fail(mesh, path, "out of memory");
        }
        if (!add_triangle(mesh, (uint32_t)(3 * triangle), (uint32_t)(3 * triangle + 1), (uint32_t)(3 * triangle + 2)))
            return fail(mesh, path, "out of memory");
    }
    return 1;
}

static int ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), of_ending = strlen(ending), index;
    if (length < of_ending)
        return 0;
    for (index = 0; index < of_ending; ++index) {
        char letter = path[length - of_ending + index];
        if (letter >= 'A' && letter <= 'Z')
            letter = (char)(letter - 'A' + 'a');
        if (letter != ending[index])
            return 0;
    }
    return 1;
}

/* Ascii files begin with "solid", but so do some binary files. So compare the size with the one in the header. */
static int is_stl_ascii(const char *bytes, size_t size) {
    if (size >= STL_HEADER) {
        size_t promised = little_endian((const unsigned char *)bytes + 80);
        if (size - STL_HEADER == promised * STL_TRIANGLE)
            return 0;
    }
    return strncmp(bytes, "solid", 5) == 0;
}

int mesh_file_read(const char *path, mesh_file *mesh) {
    size_t size;
    char *bytes;
    int good;
    memset(mesh, 0, sizeof *mesh);
    bytes = read_all(path, &size, mesh);
    if (bytes == NULL)
        return 0;
    if (ends_with(path, ".obj"))
        good = read_obj(path, bytes, mesh);
    else if (ends_with(path, ".stl"))
        good = is_stl_ascii(bytes, size) ? read_stl_ascii(path, bytes, mesh)
                                         : read_stl_binary(path, (const unsigned char *)bytes, size, mesh);
    else
        good = fail(mesh, path, "only files that end in .obj or .stl are understood");
    free(bytes);
    if (good && mesh->triangle_count == 0)
        good = fail(mesh, path, "there is no triangle in it");
    return good;
}

void mesh_file_free(mesh_file *mesh) {
    free(mesh->vertices);
    free(mesh->indices);
    memset(mesh, 0, sizeof *mesh);
}
