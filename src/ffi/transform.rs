//! Poses: conversion between the C struct and the core, and from matrices and quaternions.

use super::constants::feeler_status;
use super::guard::{guard_computation, null_argument};
use super::structs::feeler_transform;
use crate::error::{Error, Status};
use crate::math::matrix4::transform_from_matrix4;
use crate::math::pose::Pose;
use crate::math::transform::{LARGEST_COORDINATE, Transform};
use glam::DVec3;

/// A scale from a matrix that is this near to 1 becomes 1: the rounding of the entries of the matrix.
const UNIT_TOLERANCE_F64: f64 = 1e-12;
const UNIT_TOLERANCE_F32: f64 = 1e-6;

/// Copies a pose in. NULL keeps the pose given before.
///
/// # Safety
/// `source` is NULL or readable; it may be unaligned.
#[inline(always)]
pub(super) unsafe fn read_pose(source: *const feeler_transform, given: &Pose) -> Pose {
    const { assert!(size_of::<Pose>() == size_of::<feeler_transform>()) };
    // Select the address, not the numbers: fifteen numbers would occupy fifteen registers.
    let source = if source.is_null() { &raw const given.0 } else { source.cast() };
    // SAFETY: readable as promised; the struct is fifteen numbers in the order of a pose, and every bit pattern is a value.
    Pose(unsafe { source.read_unaligned() })
}

/// # Safety
/// `destination` is writable; it may be unaligned.
pub(super) unsafe fn write_transform(destination: *mut feeler_transform, pose: &Transform) {
    let pose = feeler_transform {
        rotation: pose.rotation.transpose().to_cols_array(),
        translation: pose.translation.to_array(),
        scale: pose.scale.to_array(),
    };
    // SAFETY: writable as promised.
    unsafe { destination.write_unaligned(pose) };
}

/// A pose of the caller's, checked when it is used.
///
/// # Safety
/// `source` is readable; it may be unaligned.
pub(super) unsafe fn read_transform(source: *const feeler_transform) -> Transform {
    // SAFETY: readable as promised; the struct is fifteen numbers in the order of a pose, and every bit pattern is a value.
    Pose(unsafe { source.cast::<[f64; 15]>().read_unaligned() }).transform()
}

/// # Safety
/// `source` is NULL or readable; it may be unaligned.
pub(super) unsafe fn read_array<T: Copy, const N: usize>(source: *const T, name: &str) -> Result<[T; N], Error> {
    if source.is_null() {
        return Err(null_argument(name));
    }
    // SAFETY: readable as promised; numbers have no invalid bit patterns.
    Ok(unsafe { source.cast::<[T; N]>().read_unaligned() })
}

/// Splits an affine matrix into rotation, scale and translation. The matrix is column-major, as in OpenGL. Its last row
/// must be 0 0 0 1. Shear beyond 1e-6 is refused. A reflection becomes a negative scale[0]. Scales that agree to 1e-6
/// become equal, and a scale within 1e-12 of 1 becomes 1.
///
/// cbindgen:ptrs-as-arrays=[[m;16]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_transform_from_matrix4_f64(m: *const f64, out: *mut feeler_transform) -> feeler_status {
    guard_computation(|| {
        if out.is_null() {
            return Err(null_argument("out"));
        }
        // SAFETY: sixteen numbers and a struct of the caller's.
        unsafe {
            let pose = transform_from_matrix4(&read_array(m, "m")?, UNIT_TOLERANCE_F64)?;
            write_transform(out, &pose);
        }
        Ok(())
    })
}

/// The same as feeler_transform_from_matrix4_f64 in single precision. A scale within 1e-6 of 1 becomes 1.
///
/// cbindgen:ptrs-as-arrays=[[m;16]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_transform_from_matrix4_f32(m: *const f32, out: *mut feeler_transform) -> feeler_status {
    guard_computation(|| {
        if out.is_null() {
            return Err(null_argument("out"));
        }
        // SAFETY: sixteen numbers and a struct of the caller's.
        unsafe {
            let m: [f32; 16] = read_array(m, "m")?;
            write_transform(out, &transform_from_matrix4(&m.map(f64::from), UNIT_TOLERANCE_F32)?);
        }
        Ok(())
    })
}

/// Makes a pose from a quaternion in the order x, y, z, w and a translation. The quaternion need not have length 1; the
/// scale of the pose is 1.
///
/// cbindgen:ptrs-as-arrays=[[xyzw;4], [translation;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_transform_from_quaternion(
    xyzw: *const f64,
    translation: *const f64,
    out: *mut feeler_transform,
) -> feeler_status {
    guard_computation(|| {
        if out.is_null() {
            return Err(null_argument("out"));
        }
        // SAFETY: four numbers and three of the caller's.
        let (xyzw, translation): ([f64; 4], [f64; 3]) =
            unsafe { (read_array(xyzw, "xyzw")?, read_array(translation, "translation")?) };
        if let Some(index) = translation.iter().position(|entry| !(entry.abs() <= LARGEST_COORDINATE)) {
            return Err(Error::new(
                Status::InvalidArgument,
                format_args!("translation[{index}] is not finite or beyond 1e300"),
            ));
        }
        let pose = Transform::from_quaternion(xyzw, DVec3::from_array(translation))?;
        // SAFETY: a struct of the caller's.
        unsafe { write_transform(out, &pose) };
        Ok(())
    })
}
