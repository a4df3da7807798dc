//! `feeler_<struct>_init`: writes the defaults of every struct that can grow. These are plain functions because the
//! header generator does not look into macros.

use super::constants::feeler_status;
use super::growing;
use super::guard::guard;
use super::structs::*;

/// Writes the defaults of feeler_mesh to the caller's struct. size is sizeof(feeler_mesh). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_mesh_init(mesh: *mut feeler_mesh, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(mesh, size, "mesh") })
}

/// Writes the defaults of feeler_build_params to the caller's struct. size is sizeof(feeler_build_params). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_build_params_init(params: *mut feeler_build_params, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults of feeler_model_info to the caller's struct. size is sizeof(feeler_model_info). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_info_init(info: *mut feeler_model_info, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(info, size, "info") })
}

/// Writes the defaults of feeler_pair_params to the caller's struct. size is sizeof(feeler_pair_params). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_params_init(params: *mut feeler_pair_params, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults of feeler_collide_params to the caller's struct. size is sizeof(feeler_collide_params). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_collide_params_init(params: *mut feeler_collide_params, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults of feeler_contacts_params to the caller's struct. size is sizeof(feeler_contacts_params). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_contacts_params_init(
    params: *mut feeler_contacts_params,
    size: usize,
) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults of feeler_distance_params to the caller's struct. size is sizeof(feeler_distance_params). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_distance_params_init(
    params: *mut feeler_distance_params,
    size: usize,
) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults of feeler_tolerance_params to the caller's struct. size is sizeof(feeler_tolerance_params). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_tolerance_params_init(
    params: *mut feeler_tolerance_params,
    size: usize,
) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults of feeler_collide_result to the caller's struct. size is sizeof(feeler_collide_result). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_collide_result_init(result: *mut feeler_collide_result, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(result, size, "result") })
}

/// Writes the defaults of feeler_contacts_result to the caller's struct. size is sizeof(feeler_contacts_result). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_contacts_result_init(
    result: *mut feeler_contacts_result,
    size: usize,
) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(result, size, "result") })
}

/// Writes the defaults of feeler_distance_result to the caller's struct. size is sizeof(feeler_distance_result). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_distance_result_init(
    result: *mut feeler_distance_result,
    size: usize,
) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(result, size, "result") })
}

/// Writes the defaults of feeler_tolerance_result to the caller's struct. size is sizeof(feeler_tolerance_result). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_tolerance_result_init(
    result: *mut feeler_tolerance_result,
    size: usize,
) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(result, size, "result") })
}

/// Writes the defaults of feeler_counters to the caller's struct. size is sizeof(feeler_counters). A field that this library does
/// not know yet becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_counters_init(counters: *mut feeler_counters, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(counters, size, "counters") })
}
