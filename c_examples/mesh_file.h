/* Reads triangle meshes from OBJ and STL files (ascii and binary), enough for the models of an existing simulator. */
#ifndef MESH_FILE_H
#define MESH_FILE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mesh_file {
    double *vertices;      /* three per vertex */
    size_t vertex_count;
    uint32_t *indices;     /* three per triangle */
    size_t triangle_count;
    char message[512];     /* why reading failed */
} mesh_file;

/* Returns 1, or 0 with the reason in mesh->message. Free the mesh in both cases. */
int mesh_file_read(const char *path, mesh_file *mesh);
void mesh_file_free(mesh_file *mesh);

#ifdef __cplusplus
}
#endif

#endif
