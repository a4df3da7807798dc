//! A pose from a 4 by 4 matrix, as graphics programs keep it.

use super::length::careful_length;
use super::transform::{LARGEST_COORDINATE, Transform};
use crate::error::{Error, Status};
use glam::{DMat3, DVec3};

/// Scales that differ by less than this are equal: matrices in single precision are that inexact.
const UNIFORM_TOLERANCE: f64 = 1e-6;

/// Splits a column-major affine matrix. A uniform scale within `unit_tolerance` of 1 becomes 1.
///
/// Shear is refused, because no pose has it. A reflection becomes a negative first factor of the scale.
pub fn transform_from_matrix4(m: &[f64; 16], unit_tolerance: f64) -> Result<Transform, Error> {
    let refuse = |what: core::fmt::Arguments| Err(Error::new(Status::InvalidArgument, what));
    if let Some(index) = m.iter().position(|entry| !(entry.abs() <= LARGEST_COORDINATE)) {
        return refuse(format_args!("m[{index}] is not finite or beyond 1e300"));
    }
    if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
        return refuse(format_args!("m is not affine: its last row is not 0 0 0 1"));
    }
    let columns = [0, 4, 8].map(|first| DVec3::new(m[first], m[first + 1], m[first + 2]));
    let mut scale = DVec3::from_array(columns.map(careful_length));
    if !(scale.min_element() > 0.0) {
        return refuse(format_args!("m scales an axis to zero"));
    }
    let mut rotation = DMat3::from_cols(columns[0] / scale.x, columns[1] / scale.y, columns[2] / scale.z);
    let largest = scale.max_element();
    if largest - scale.min_element() <= UNIFORM_TOLERANCE * largest {
        // Each is halved first, so that the sum of three numbers near 1e300 stays in range and equal numbers keep their
        // value.
        let middle = scale.min_element() + (largest - scale.min_element()) / 2.0;
        scale = DVec3::splat(if (middle - 1.0).abs() <= unit_tolerance { 1.0 } else { middle });
    }
    if rotation.determinant() < 0.0 {
        (scale.x, rotation.x_axis) = (-scale.x, -rotation.x_axis);
    }
    Transform { rotation, translation: DVec3::new(m[12], m[13], m[14]), scale }.checked("m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_rotation_comes_apart() {
        // A quarter turn about z, scaled by 2, moved by (5, 6, 7).
        let m = [0.0, 2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 5.0, 6.0, 7.0, 1.0];
        let pose = transform_from_matrix4(&m, 1e-12).unwrap();
        assert_eq!(pose.scale, DVec3::splat(2.0));
        assert_eq!(pose.apply(DVec3::X), DVec3::new(5.0, 8.0, 7.0));
        assert_eq!(pose.apply(DVec3::Y), DVec3::new(3.0, 6.0, 7.0));
    }

    #[test]
    fn single_precision_rotations_have_unit_scale() {
        let (sine, cosine) = (0.3f32.sin() as f64, 0.3f32.cos() as f64);
        let m = [cosine, sine, 0.0, 0.0, -sine, cosine, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        assert_eq!(transform_from_matrix4(&m, 1e-6).unwrap().scale, DVec3::ONE);
    }

    #[test]
    fn extreme_scales_survive() {
        for size in [1e-300, 1e-200, 1e200, 9e299] {
            let m = [size, 0.0, 0.0, 0.0, 0.0, size, 0.0, 0.0, 0.0, 0.0, size, 0.0, 0.0, 0.0, 0.0, 1.0];
            assert_eq!(transform_from_matrix4(&m, 1e-12).unwrap().scale, DVec3::splat(size));
        }
    }

    #[test]
    fn reflections_become_a_negative_factor() {
        for axis in 0..3 {
            let mut m = [2.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 1.0, 1.0, 1.0, 1.0];
            m[5 * axis] = -m[5 * axis];
            let pose = transform_from_matrix4(&m, 1e-12).unwrap();
            assert_eq!(pose.scale, DVec3::new(-2.0, 3.0, 5.0));
            let point = DVec3::new(0.5, 0.25, -1.0);
            let expected = DVec3::new(m[0] * point.x, m[5] * point.y, m[10] * point.z) + DVec3::ONE;
            assert_eq!(pose.apply(point), expected);
        }
    }

    #[test]
    fn shear_and_projection_are_refused() {
        let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        for (index, value) in [(4, 0.5), (3, 0.1), (0, 0.0), (12, f64::NAN)] {
            let mut m = identity;
            m[index] = value;
            assert_eq!(transform_from_matrix4(&m, 1e-12).unwrap_err().status, Status::InvalidArgument);
        }
    }
}
