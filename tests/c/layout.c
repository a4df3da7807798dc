/* The layouts that compiled clients rely on; src/ffi/layout.rs asserts the same numbers in Rust. */
#include "check.h"

#define SIZE(type, size) _Static_assert(sizeof(struct feeler_##type) == (size), "size of feeler_" #type)
#define AT(type, field, offset) \
    _Static_assert(offsetof(feeler_##type, field) == (offset), "offset of feeler_" #type "." #field)

SIZE(mesh, 16 + 5 * sizeof(void *));
AT(mesh, struct_size, 0);
AT(mesh, scalar, 4);
AT(mesh, flags, 8);
AT(mesh, reserved, 12);
AT(mesh, vertices, 16);
AT(mesh, vertex_count, 16 + sizeof(void *));
AT(mesh, vertex_stride, 16 + 2 * sizeof(void *));
AT(mesh, indices, 16 + 3 * sizeof(void *));
AT(mesh, triangle_count, 16 + 4 * sizeof(void *));

SIZE(build_params, 32);
AT(build_params, struct_size, 0);
AT(build_params, flags, 4);
AT(build_params, volume, 8);
AT(build_params, quality, 12);
AT(build_params, split, 16);
AT(build_params, threads, 20);
AT(build_params, hybrid_selection, 24);
AT(build_params, reserved, 28);

SIZE(model_info, 128);
AT(model_info, struct_size, 0);
AT(model_info, volume, 4);
AT(model_info, depth, 8);
AT(model_info, flags, 12);
AT(model_info, triangle_count, 16);
AT(model_info, degenerate_count, 24);
AT(model_info, node_count, 32);
AT(model_info, memory_bytes, 40);
AT(model_info, bounds_min, 48);
AT(model_info, bounds_max, 72);
AT(model_info, build_seconds, 96);
AT(model_info, refit_quality, 104);
AT(model_info, boundary_edges, 112);
AT(model_info, nonmanifold_edges, 120);

SIZE(transform, 120);
AT(transform, rotation, 0);
AT(transform, translation, 72);
AT(transform, scale, 96);

SIZE(pair_params, 16);
AT(pair_params, struct_size, 0);
AT(pair_params, flags, 4);
AT(pair_params, max_queue, 8);
AT(pair_params, max_front, 12);

SIZE(collide_params, 16);
AT(collide_params, struct_size, 0);
AT(collide_params, flags, 4);
AT(collide_params, max_work, 8);

SIZE(contacts_params, 24);
AT(contacts_params, struct_size, 0);
AT(contacts_params, flags, 4);
AT(contacts_params, max_work, 8);
AT(contacts_params, margin, 16);

SIZE(distance_params, 48);
AT(distance_params, struct_size, 0);
AT(distance_params, flags, 4);
AT(distance_params, max_work, 8);
AT(distance_params, relative_error, 16);
AT(distance_params, absolute_error, 24);
AT(distance_params, max_distance, 32);
AT(distance_params, search, 40);
AT(distance_params, reserved, 44);

SIZE(tolerance_params, 24);
AT(tolerance_params, struct_size, 0);
AT(tolerance_params, flags, 4);
AT(tolerance_params, max_work, 8);
AT(tolerance_params, tolerance, 16);

SIZE(contact, 96);
AT(contact, triangle_a, 0);
AT(contact, triangle_b, 4);
AT(contact, distance, 8);
AT(contact, point_a, 16);
AT(contact, point_b, 40);
AT(contact, normal, 64);
AT(contact, feature, 88);
AT(contact, reserved, 92);

SIZE(collide_result, 48);
AT(collide_result, struct_size, 0);
AT(collide_result, complete, 4);
AT(collide_result, colliding, 8);
AT(collide_result, triangle_a, 12);
AT(collide_result, triangle_b, 16);
AT(collide_result, reserved, 20);
AT(collide_result, point, 24);

SIZE(contacts_result, 24);
AT(contacts_result, struct_size, 0);
AT(contacts_result, complete, 4);
AT(contacts_result, found, 8);
AT(contacts_result, written, 16);

SIZE(distance_result, 104);
AT(distance_result, struct_size, 0);
AT(distance_result, complete, 4);
AT(distance_result, lower, 8);
AT(distance_result, upper, 16);
AT(distance_result, point_a, 24);
AT(distance_result, point_b, 48);
AT(distance_result, normal, 72);
AT(distance_result, triangle_a, 96);
AT(distance_result, triangle_b, 100);

SIZE(tolerance_result, 112);
AT(tolerance_result, struct_size, 0);
AT(tolerance_result, complete, 4);
AT(tolerance_result, closer, 8);
AT(tolerance_result, reserved, 12);
AT(tolerance_result, lower, 16);
AT(tolerance_result, upper, 24);
AT(tolerance_result, point_a, 32);
AT(tolerance_result, point_b, 56);
AT(tolerance_result, normal, 80);
AT(tolerance_result, triangle_a, 104);
AT(tolerance_result, triangle_b, 108);

SIZE(counters, 80);
AT(counters, struct_size, 0);
AT(counters, reserved, 4);
AT(counters, expansions, 8);
AT(counters, volume_tests, 16);
AT(counters, cheap_tests, 24);
AT(counters, triangle_tests, 32);
AT(counters, robust_tests, 40);
AT(counters, front_tests, 48);
AT(counters, front_updates, 56);
AT(counters, front_rebuilds, 64);
AT(counters, work, 72);

SIZE(closest_params, 24);
AT(closest_params, struct_size, 0);
AT(closest_params, flags, 4);
AT(closest_params, max_work, 8);
AT(closest_params, max_distance, 16);

SIZE(surface_point, 96);
AT(surface_point, distance, 0);
AT(surface_point, point, 8);
AT(surface_point, normal, 32);
AT(surface_point, barycentric, 56);
AT(surface_point, triangle, 80);
AT(surface_point, feature, 84);
AT(surface_point, side, 88);
AT(surface_point, complete, 92);

SIZE(cast_params, 24);
AT(cast_params, struct_size, 0);
AT(cast_params, flags, 4);
AT(cast_params, max_work, 8);
AT(cast_params, radius, 16);

SIZE(hit, 88);
AT(hit, time, 0);
AT(hit, point, 8);
AT(hit, normal, 32);
AT(hit, barycentric, 56);
AT(hit, triangle, 80);
AT(hit, feature, 84);

SIZE(cast_result, 24);
AT(cast_result, struct_size, 0);
AT(cast_result, complete, 4);
AT(cast_result, found, 8);
AT(cast_result, written, 16);

SIZE(minima_params, 32);
AT(minima_params, struct_size, 0);
AT(minima_params, flags, 4);
AT(minima_params, max_work, 8);
AT(minima_params, margin, 16);
AT(minima_params, merge_distance, 24);

SIZE(minimum, 160);
AT(minimum, contact, 0);
AT(minimum, id, 96);
AT(minimum, barycentric_a, 104);
AT(minimum, barycentric_b, 128);
AT(minimum, merged, 152);
AT(minimum, reserved, 156);

SIZE(sweep_params, 24);
AT(sweep_params, struct_size, 0);
AT(sweep_params, flags, 4);
AT(sweep_params, max_work, 8);
AT(sweep_params, tolerance, 16);

SIZE(sweep_result, 112);
AT(sweep_result, struct_size, 0);
AT(sweep_result, complete, 4);
AT(sweep_result, hit, 8);
AT(sweep_result, reserved, 12);
AT(sweep_result, time_free, 16);
AT(sweep_result, time_hit, 24);
AT(sweep_result, point_a, 32);
AT(sweep_result, point_b, 56);
AT(sweep_result, normal, 80);
AT(sweep_result, triangle_a, 104);
AT(sweep_result, triangle_b, 108);

/* The library agrees with the header that this program was compiled with. */
int main(void) {
    char text[64];
    CHECK(feeler_version() == FEELER_VERSION);
    CHECK(FEELER_VERSION == FEELER_VERSION_MAJOR * 10000 + FEELER_VERSION_MINOR * 100 + FEELER_VERSION_PATCH);
    snprintf(text, sizeof text, "%d.%d.%d", FEELER_VERSION_MAJOR, FEELER_VERSION_MINOR, FEELER_VERSION_PATCH);
    CHECK(strcmp(text, feeler_version_string()) == 0);
    CHECK(strlen(feeler_instruction_set()) > 0);
#define SIZE_AGREES(name) CHECK(feeler_##name##_default().struct_size == sizeof(feeler_##name));
    FOR_EVERY_STRUCT(SIZE_AGREES)
    CHECK(isinf(feeler_distance_params_default().max_distance));
    CHECK(feeler_transform_identity().rotation[4] == 1.0 && feeler_transform_identity().scale[2] == 1.0);
    for (uint32_t status = FEELER_STATUS_OK; status <= FEELER_STATUS_INTERNAL; ++status) {
        CHECK(strncmp(feeler_status_name(status), "FEELER_STATUS_", 14) == 0);
    }
    CHECK(strcmp(feeler_status_name(FEELER_STATUS_BUSY), "FEELER_STATUS_BUSY") == 0);
    CHECK(strcmp(feeler_status_name(11), "unknown status") == 0);
    CHECK(strcmp(feeler_status_name(UINT32_MAX), "unknown status") == 0);
    return finish("layout");
}
