//! The layouts that compiled clients rely on; `tests/c/layout.c` asserts the same numbers in C.

use super::structs::*;
use core::mem::{align_of, offset_of};

const POINTER: usize = size_of::<usize>();

// Sizes. Each is the sum of its fields, so there is no implicit padding.
const _: () = {
    assert!(size_of::<feeler_mesh>() == 16 + 5 * POINTER && align_of::<feeler_mesh>() == POINTER);
    assert!(size_of::<feeler_build_params>() == 32 && align_of::<feeler_build_params>() == 4);
    assert!(size_of::<feeler_model_info>() == 112);
    assert!(size_of::<feeler_transform>() == 120);
    assert!(size_of::<feeler_pair_params>() == 16);
    assert!(size_of::<feeler_collide_params>() == 16);
    assert!(size_of::<feeler_contacts_params>() == 24);
    assert!(size_of::<feeler_distance_params>() == 48);
    assert!(size_of::<feeler_tolerance_params>() == 24);
    assert!(size_of::<feeler_contact>() == 96);
    assert!(size_of::<feeler_collide_result>() == 48);
    assert!(size_of::<feeler_contacts_result>() == 24);
    assert!(size_of::<feeler_distance_result>() == 104);
    assert!(size_of::<feeler_tolerance_result>() == 112);
    assert!(size_of::<feeler_counters>() == 80);
};

// The size stands first in every struct that grows.
const _: () = {
    assert!(offset_of!(feeler_mesh, struct_size) == 0);
    assert!(offset_of!(feeler_build_params, struct_size) == 0);
    assert!(offset_of!(feeler_model_info, struct_size) == 0);
    assert!(offset_of!(feeler_pair_params, struct_size) == 0);
    assert!(offset_of!(feeler_collide_params, struct_size) == 0);
    assert!(offset_of!(feeler_contacts_params, struct_size) == 0);
    assert!(offset_of!(feeler_distance_params, struct_size) == 0);
    assert!(offset_of!(feeler_tolerance_params, struct_size) == 0);
    assert!(offset_of!(feeler_collide_result, struct_size) == 0);
    assert!(offset_of!(feeler_contacts_result, struct_size) == 0);
    assert!(offset_of!(feeler_distance_result, struct_size) == 0);
    assert!(offset_of!(feeler_tolerance_result, struct_size) == 0);
    assert!(offset_of!(feeler_counters, struct_size) == 0);
};

// Some fields in the middle and at the end: together with the sizes they fix the order.
const _: () = {
    assert!(offset_of!(feeler_mesh, scalar) == 4);
    assert!(offset_of!(feeler_mesh, flags) == 8);
    assert!(offset_of!(feeler_mesh, vertices) == 16);
    assert!(offset_of!(feeler_mesh, vertex_count) == 16 + POINTER);
    assert!(offset_of!(feeler_mesh, vertex_stride) == 16 + 2 * POINTER);
    assert!(offset_of!(feeler_mesh, indices) == 16 + 3 * POINTER);
    assert!(offset_of!(feeler_mesh, triangle_count) == 16 + 4 * POINTER);
    assert!(offset_of!(feeler_build_params, flags) == 4);
    assert!(offset_of!(feeler_build_params, volume) == 8);
    assert!(offset_of!(feeler_build_params, quality) == 12);
    assert!(offset_of!(feeler_build_params, split) == 16);
    assert!(offset_of!(feeler_build_params, threads) == 20);
    assert!(offset_of!(feeler_build_params, hybrid_selection) == 24);
    assert!(offset_of!(feeler_model_info, volume) == 4);
    assert!(offset_of!(feeler_model_info, depth) == 8);
    assert!(offset_of!(feeler_model_info, flags) == 12);
    assert!(offset_of!(feeler_model_info, triangle_count) == 16);
    assert!(offset_of!(feeler_model_info, degenerate_count) == 24);
    assert!(offset_of!(feeler_model_info, node_count) == 32);
    assert!(offset_of!(feeler_model_info, memory_bytes) == 40);
    assert!(offset_of!(feeler_model_info, bounds_min) == 48);
    assert!(offset_of!(feeler_model_info, bounds_max) == 72);
    assert!(offset_of!(feeler_model_info, build_seconds) == 96);
    assert!(offset_of!(feeler_model_info, refit_quality) == 104);
    assert!(offset_of!(feeler_transform, rotation) == 0);
    assert!(offset_of!(feeler_transform, translation) == 72);
    assert!(offset_of!(feeler_transform, scale) == 96);
    assert!(offset_of!(feeler_pair_params, max_queue) == 8);
    assert!(offset_of!(feeler_pair_params, max_front) == 12);
    assert!(offset_of!(feeler_collide_params, max_work) == 8);
    assert!(offset_of!(feeler_contacts_params, max_work) == 8);
    assert!(offset_of!(feeler_contacts_params, margin) == 16);
    assert!(offset_of!(feeler_distance_params, max_work) == 8);
    assert!(offset_of!(feeler_distance_params, relative_error) == 16);
    assert!(offset_of!(feeler_distance_params, absolute_error) == 24);
    assert!(offset_of!(feeler_distance_params, max_distance) == 32);
    assert!(offset_of!(feeler_distance_params, search) == 40);
    assert!(offset_of!(feeler_tolerance_params, max_work) == 8);
    assert!(offset_of!(feeler_tolerance_params, tolerance) == 16);
    assert!(offset_of!(feeler_contact, triangle_b) == 4);
    assert!(offset_of!(feeler_contact, distance) == 8);
    assert!(offset_of!(feeler_contact, point_a) == 16);
    assert!(offset_of!(feeler_contact, point_b) == 40);
    assert!(offset_of!(feeler_contact, normal) == 64);
    assert!(offset_of!(feeler_contact, feature) == 88);
    assert!(offset_of!(feeler_collide_result, complete) == 4);
    assert!(offset_of!(feeler_collide_result, colliding) == 8);
    assert!(offset_of!(feeler_collide_result, triangle_a) == 12);
    assert!(offset_of!(feeler_collide_result, triangle_b) == 16);
    assert!(offset_of!(feeler_collide_result, point) == 24);
    assert!(offset_of!(feeler_contacts_result, complete) == 4);
    assert!(offset_of!(feeler_contacts_result, found) == 8);
    assert!(offset_of!(feeler_contacts_result, written) == 16);
    assert!(offset_of!(feeler_distance_result, complete) == 4);
    assert!(offset_of!(feeler_distance_result, lower) == 8);
    assert!(offset_of!(feeler_distance_result, upper) == 16);
    assert!(offset_of!(feeler_distance_result, point_a) == 24);
    assert!(offset_of!(feeler_distance_result, point_b) == 48);
    assert!(offset_of!(feeler_distance_result, normal) == 72);
    assert!(offset_of!(feeler_distance_result, triangle_a) == 96);
    assert!(offset_of!(feeler_tolerance_result, complete) == 4);
    assert!(offset_of!(feeler_tolerance_result, closer) == 8);
    assert!(offset_of!(feeler_tolerance_result, lower) == 16);
    assert!(offset_of!(feeler_tolerance_result, upper) == 24);
    assert!(offset_of!(feeler_tolerance_result, point_a) == 32);
    assert!(offset_of!(feeler_tolerance_result, point_b) == 56);
    assert!(offset_of!(feeler_tolerance_result, normal) == 80);
    assert!(offset_of!(feeler_tolerance_result, triangle_a) == 104);
    assert!(offset_of!(feeler_counters, expansions) == 8);
    assert!(offset_of!(feeler_counters, volume_tests) == 16);
    assert!(offset_of!(feeler_counters, cheap_tests) == 24);
    assert!(offset_of!(feeler_counters, triangle_tests) == 32);
    assert!(offset_of!(feeler_counters, robust_tests) == 40);
    assert!(offset_of!(feeler_counters, front_tests) == 48);
    assert!(offset_of!(feeler_counters, front_updates) == 56);
    assert!(offset_of!(feeler_counters, front_rebuilds) == 64);
    assert!(offset_of!(feeler_counters, work) == 72);
};
