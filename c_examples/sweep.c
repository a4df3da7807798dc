/* A bullet and a thin plate: between two frames the bullet is in front of the plate and then behind it. Asking both
 * frames whether the models touch answers no twice; a sweep answers when and where they meet. Metres, seconds. */
#include <feeler.h>

#include <stdio.h>

static const double plate_vertices[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
static const uint32_t plate_triangles[] = {0, 1, 2, 0, 2, 3};

/* An octahedron of 5 mm radius. */
static const double bullet_vertices[] = {0.005, 0, 0, -0.005, 0, 0, 0, 0.005, 0, 0, -0.005, 0, 0, 0, 0.005, 0, 0, -0.005};
static const uint32_t bullet_triangles[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};

static int failed(const char *what) {
    fprintf(stderr, "sweep: %s: %s\n", what, feeler_last_error_message());
    return 1;
}

static feeler_model *make_model(const double *vertices, size_t vertex_count, const uint32_t *triangles, size_t count) {
    feeler_mesh mesh = feeler_mesh_default();
    feeler_model *model = NULL;
    mesh.scalar = FEELER_SCALAR_F64;
    mesh.vertices = vertices;
    mesh.vertex_count = vertex_count;
    mesh.indices = triangles;
    mesh.triangle_count = count;
    if (feeler_model_create(&mesh, &model) != FEELER_STATUS_OK || feeler_model_build(model, NULL) != FEELER_STATUS_OK) {
        feeler_model_destroy(model);
        return NULL;
    }
    return model;
}

/* Whether the models touch with the bullet at this height; -1 when the question failed. */
static int touches_at(feeler_pair *pair, const feeler_transform *bullet) {
    feeler_collide_result result = feeler_collide_result_default();
    if (feeler_pair_set_transforms(pair, NULL, bullet) != FEELER_STATUS_OK ||
        feeler_pair_collide(pair, NULL, &result) != FEELER_STATUS_OK) {
        return -1;
    }
    return (int)result.colliding;
}

int main(void) {
    const double speed = 900, frame = 1.0 / 60;
    feeler_model *plate = make_model(plate_vertices, 4, plate_triangles, 2);
    feeler_model *bullet = make_model(bullet_vertices, 6, bullet_triangles, 8);
    feeler_pair *pair = NULL;
    feeler_transform from = feeler_transform_identity(), to = feeler_transform_identity(), at = from;
    feeler_sweep_params params = feeler_sweep_params_default();
    feeler_sweep_result result = feeler_sweep_result_default();
    int status = 1, before, after;

    from.translation[0] = 0.1;
    from.translation[2] = 6;
    to = from;
    to.translation[2] -= speed * frame; /* 15 m further down, tumbling */
    (void)feeler_transform_from_quaternion((const double[4]){0.6, 0.3, 0.1, 0.7}, to.translation, &to);
    params.tolerance = 1e-4;

    if (plate == NULL || bullet == NULL || feeler_pair_create(plate, bullet, NULL, &pair) != FEELER_STATUS_OK) {
        status = failed("making the models");
    } else {
        after = touches_at(pair, &to);
        before = touches_at(pair, &from); /* the pose that the sweep begins with */
        printf("at the first frame the bullet %s, at the second it %s\n", before ? "touches" : "is above the plate",
               after ? "touches" : "is below");
        if (feeler_pair_sweep(pair, NULL, &to, &params, &result) != FEELER_STATUS_OK ||
            feeler_model_pose_between(bullet, &from, &to, result.time_hit, &at) != FEELER_STATUS_OK) {
            status = failed("sweeping");
        } else if (result.hit) {
            printf("they meet %.3f ms after the first, at (%.3f, %.3f, %.3f), with the bullet %.2f mm above the plate\n",
                   1000 * frame * result.time_hit, result.point_a[0], result.point_a[1], result.point_a[2],
                   1000 * at.translation[2]);
            printf("free of contact for certain up to %.3f ms\n", 1000 * frame * result.time_free);
            status = 0;
        } else {
            printf("they do not meet\n");
        }
    }
    feeler_pair_destroy(pair);
    feeler_model_destroy(bullet);
    feeler_model_destroy(plate);
    return status;
}
