//! `feeler_<struct>_init`: writes the defaults of every struct that can grow. These are plain functions because the
//! header generator does not look into macros.

use super::constants::feeler_status;
use super::growing;
use super::guard::guard;
use super::structs::*;

/// Writes the defaults of feeler_mesh to a struct of size bytes; pass sizeof(feeler_mesh).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_mesh_init(mesh: *mut feeler_mesh, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(mesh, size, "mesh") })
}

/// Writes the defaults of feeler_build_params to a struct of size bytes; pass sizeof(feeler_build_params).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_build_params_init(params: *mut feeler_build_params, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults of feeler_model_info to a struct of size bytes; pass sizeof(feeler_model_info).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_info_init(info: *mut feeler_model_info, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(info, size, "info") })
}

/// Writes the defaults of feeler_pair_params to a struct of size bytes; pass sizeof(feeler_pair_params).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_params_init(params: *mut feeler_pair_params, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults of feeler_collide_params to a struct of size bytes; pass sizeof(feeler_collide_params).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_collide_params_init(params: *mut feeler_collide_params, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults of feeler_contacts_params to a struct of size bytes; pass sizeof(feeler_contacts_params).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_contacts_params_init(
    params: *mut feeler_contacts_params,
    size: usize,
) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults of feeler_distance_params to a struct of size bytes; pass sizeof(feeler_distance_params).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_distance_params_init(
    params: *mut feeler_distance_params,
    size: usize,
) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults of feeler_tolerance_params to a struct of size bytes; pass sizeof(feeler_tolerance_params).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_tolerance_params_init(
    params: *mut feeler_tolerance_params,
    size: usize,
) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults of feeler_collide_result to a struct of size bytes; pass sizeof(feeler_collide_result).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_collide_result_init(result: *mut feeler_collide_result, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(result, size, "result") })
}

/// Writes the defaults of feeler_contacts_result to a struct of size bytes; pass sizeof(feeler_contacts_result).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_contacts_result_init(
    result: *mut feeler_contacts_result,
    size: usize,
) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(result, size, "result") })
}

/// Writes the defaults of feeler_distance_result to a struct of size bytes; pass sizeof(feeler_distance_result).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_distance_result_init(
    result: *mut feeler_distance_result,
    size: usize,
) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(result, size, "result") })
}

/// Writes the defaults of feeler_tolerance_result to a struct of size bytes; pass sizeof(feeler_tolerance_result).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_tolerance_result_init(
    result: *mut feeler_tolerance_result,
    size: usize,
) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(result, size, "result") })
}

/// Writes the defaults of feeler_counters to a struct of size bytes; pass sizeof(feeler_counters).
/// Fields that this library does not know become 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_counters_init(counters: *mut feeler_counters, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(counters, size, "counters") })
}

/// Writes the defaults and the size, sizeof(feeler_closest_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_closest_params_init(params: *mut feeler_closest_params, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults and the size, sizeof(feeler_cast_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_cast_params_init(params: *mut feeler_cast_params, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults and the size, sizeof(feeler_cast_result), to a struct of the caller; a later field of a newer caller
/// becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_cast_result_init(result: *mut feeler_cast_result, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(result, size, "result") })
}

/// Writes the defaults and the size, sizeof(feeler_minima_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_minima_params_init(params: *mut feeler_minima_params, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults and the size, sizeof(feeler_sweep_params), to a struct of the caller; a later field of a newer caller
/// becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_sweep_params_init(params: *mut feeler_sweep_params, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(params, size, "params") })
}

/// Writes the defaults and the size, sizeof(feeler_sweep_result), to a struct of the caller; a later field of a newer caller
/// becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_sweep_result_init(result: *mut feeler_sweep_result, size: usize) -> feeler_status {
    // SAFETY: the caller owns `size` bytes there.
    guard(|| unsafe { growing::initialise(result, size, "result") })
}
