//! The pose of a model: scale, then rotate, then translate.

use crate::error::{Error, Status};
use glam::{DMat3, DQuat, DVec3};

/// `x_world = rotation * (scale .* x_model) + translation`; the rotation is orthonormal to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    pub rotation: DMat3,
    pub translation: DVec3,
    pub scale: DVec3,
}

/// The largest coordinate, translation or scaled extent that is accepted: beyond it squares of differences of
/// world coordinates leave the range of f64 even after normalisation of the result.
pub const LARGEST_COORDINATE: f64 = 1e300;

/// How far `rotation^T rotation` may be from the identity: twice the 1e-6 that the entries may be off.
const ORTHONORMAL_TOLERANCE: f64 = 2e-6;

impl Transform {
    pub const IDENTITY: Self = Self { rotation: DMat3::IDENTITY, translation: DVec3::ZERO, scale: DVec3::ONE };

    /// Checks the pose and replaces its rotation by the nearest true one; `name` is the argument that the sentence names.
    pub fn checked(&self, name: &str) -> Result<Self, Error> {
        let refuse = |what: &str| Err(Error::new(Status::InvalidArgument, format_args!("{name}.{what}")));
        if !self.rotation.is_finite() {
            return refuse("rotation has an entry that is not finite");
        }
        if !self.translation.is_finite() {
            return refuse("translation has an entry that is not finite");
        }
        if self.translation.abs().max_element() > LARGEST_COORDINATE {
            return refuse("translation is beyond 1e300");
        }
        if !(self.scale.is_finite() && self.scale.min_element() > 0.0) {
            return refuse("scale has an entry that is not positive and finite");
        }
        if !(self.scale.min_element() >= 1.0 / LARGEST_COORDINATE && self.scale.max_element() <= LARGEST_COORDINATE) {
            return refuse("scale is outside 1e-300 to 1e300");
        }
        let gram = self.rotation.transpose() * self.rotation - DMat3::IDENTITY;
        let off = gram.to_cols_array().iter().fold(0.0f64, |largest, entry| largest.max(entry.abs()));
        if !(off <= ORTHONORMAL_TOLERANCE) {
            return refuse("rotation is further than 1e-6 from orthonormal");
        }
        if self.rotation.determinant() < 0.0 {
            return refuse("rotation is a reflection (its determinant is negative)");
        }
        Ok(Self { rotation: nearest_rotation(self.rotation), ..*self })
    }

    /// From a unit quaternion in x, y, z, w order; any non-zero length is accepted and divided out.
    pub fn from_quaternion(xyzw: [f64; 4], translation: DVec3) -> Result<Self, Error> {
        let largest = xyzw.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        if !(largest > 0.0 && xyzw.iter().all(|v| v.is_finite())) {
            return Err(Error::new(Status::InvalidArgument, format_args!("xyzw is zero or not finite")));
        }
        let quaternion = DQuat::from_array(xyzw.map(|v| v / largest)).normalize();
        Ok(Self { rotation: DMat3::from_quat(quaternion), translation, scale: DVec3::ONE })
    }

    pub fn is_uniform(&self) -> bool {
        self.scale.x == self.scale.y && self.scale.y == self.scale.z
    }

    pub fn apply(&self, point: DVec3) -> DVec3 {
        self.rotation * (self.scale * point) + self.translation
    }
}

/// Newton's iteration for the polar factor: an error of 1e-6 becomes 1e-12, then 1e-24, then rounding.
fn nearest_rotation(rotation: DMat3) -> DMat3 {
    let mut nearest = rotation;
    for _ in 0..3 {
        nearest = nearest * ((DMat3::IDENTITY * 3.0 - nearest.transpose() * nearest) * 0.5);
    }
    nearest
}
