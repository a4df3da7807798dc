//! The pose of a model: scale, then rotate, then translate.

use super::pose::{ORTHONORMAL_TOLERANCE, Pose};
use crate::error::{Error, Status};
use crate::simd::level::{Operation, dispatch, level};
use fearless_simd::Simd;
use glam::{DMat3, DQuat, DVec3};

/// `x_world = rotation * (scale .* x_model) + translation`; the rotation is orthonormal to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Columns are the model's axes in the world; corrected to the nearest true rotation where rounding left it off.
    pub rotation: DMat3,
    /// Where the model's origin is in the world.
    pub translation: DVec3,
    /// Along the model's axes, before the rotation.
    pub scale: DVec3,
}

/// The largest coordinate, translation or scaled extent. Beyond it, squares of differences of world coordinates leave
/// the range of f64.
pub const LARGEST_COORDINATE: f64 = 1e300;

impl Transform {
    /// The model as given.
    pub const IDENTITY: Self = Self { rotation: DMat3::IDENTITY, translation: DVec3::ZERO, scale: DVec3::ONE };

    /// This pose with the nearest rotation, or None if it is not a pose; `refusal` says why.
    pub fn corrected(&self) -> Option<Self> {
        dispatch(level(), Correct(Pose::new(self))).map(|rotation| Self { rotation, ..*self })
    }

    /// `corrected`, with a sentence that names the argument.
    pub fn checked(&self, name: &str) -> Result<Self, Error> {
        self.corrected().ok_or_else(|| self.refusal(name))
    }

    /// Why this is not a pose.
    #[cold]
    pub fn refusal(&self, name: &str) -> Error {
        let what = if !self.rotation.is_finite() {
            "rotation has an entry that is not finite"
        } else if !self.translation.is_finite() {
            "translation has an entry that is not finite"
        } else if self.translation.abs().max_element() > LARGEST_COORDINATE {
            "translation is beyond 1e300"
        } else if !self.scale.is_finite() || self.scale.abs().min_element() == 0.0 {
            "scale has an entry that is 0 or not finite"
        } else if !(self.scale.abs().min_element() >= 1.0 / LARGEST_COORDINATE
            && self.scale.abs().max_element() <= LARGEST_COORDINATE)
        {
            "scale is outside 1e-300 to 1e300"
        } else if is_orthonormal(&self.rotation, ORTHONORMAL_TOLERANCE) {
            "rotation is a reflection (its determinant is negative)"
        } else {
            "rotation is further than 1e-6 from orthonormal"
        };
        Error::new(Status::InvalidArgument, format_args!("{name}.{what}"))
    }

    /// From a quaternion in the order x, y, z, w. It is divided by its length, which must not be 0.
    ///
    /// ```
    /// use feeler::Transform;
    /// use feeler::glam::DVec3;
    ///
    /// // A quarter turn about z, then a shift.
    /// let pose = Transform::from_quaternion([0.0, 0.0, 1.0, 1.0], DVec3::new(5.0, 0.0, 0.0))?;
    /// assert!((pose.apply(DVec3::X) - DVec3::new(5.0, 1.0, 0.0)).length() < 1e-15);
    /// # Ok::<(), feeler::Error>(())
    /// ```
    pub fn from_quaternion(xyzw: [f64; 4], translation: DVec3) -> Result<Self, Error> {
        let largest = xyzw.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        if !(largest > 0.0 && xyzw.iter().all(|v| v.is_finite())) {
            return Err(Error::new(Status::InvalidArgument, format_args!("xyzw is zero or not finite")));
        }
        let quaternion = DQuat::from_array(xyzw.map(|v| v / largest)).normalize();
        Ok(Self { rotation: DMat3::from_quat(quaternion), translation, scale: DVec3::ONE })
    }

    /// Whether the scale is the same along all axes.
    pub fn is_uniform(&self) -> bool {
        let sizes = self.scale.abs();
        (sizes.x == sizes.y) & (sizes.y == sizes.z)
    }

    /// Where a point of the model is in the world.
    pub fn apply(&self, point: DVec3) -> DVec3 {
        self.rotation * (self.scale * point) + self.translation
    }
}

/// `Pose::corrected` as a matrix.
struct Correct(Pose);

impl Operation for Correct {
    type Output = Option<DMat3>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<DMat3> {
        let [r, s, t] = self.0.corrected(simd)?.to_arrays();
        Some(DMat3::from_cols(DVec3::from_slice(&r), DVec3::from_slice(&s), DVec3::from_slice(&t)).transpose())
    }
}

/// No entry of `rotation^T rotation - I` is larger than the tolerance, and none is NaN.
fn is_orthonormal(rotation: &DMat3, tolerance: f64) -> bool {
    let off = rotation.transpose() * *rotation - DMat3::IDENTITY;
    off.to_cols_array().iter().all(|entry| entry.abs() <= tolerance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_pose_with_an_entry_that_is_not_finite() {
        for entry in 0..9 {
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let mut rotation = DMat3::IDENTITY.to_cols_array();
                rotation[entry] = bad;
                let pose = Transform { rotation: DMat3::from_cols_array(&rotation), ..Transform::IDENTITY };
                assert!(pose.corrected().is_none(), "entry {entry} {bad}");
            }
        }
    }

    #[test]
    fn a_rotation_that_is_nearly_one_becomes_one() {
        let mut rotation = DMat3::from_rotation_x(0.3) * DMat3::from_rotation_z(1.2);
        rotation.x_axis.y += 9e-7;
        let pose = Transform { rotation, ..Transform::IDENTITY }.corrected().unwrap();
        assert!(is_orthonormal(&pose.rotation, 1e-15));
        rotation.x_axis.y += 1e-5;
        assert!(Transform { rotation, ..Transform::IDENTITY }.corrected().is_none());
    }
}
