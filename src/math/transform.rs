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

    /// This pose with its rotation replaced by the nearest true one, or None if it is no pose; `refusal` says why.
    ///
    /// Every comparison is written so that a NaN fails it, and none is skipped: all are true of nearly every pose.
    #[inline(always)]
    pub fn corrected(&self) -> Option<Self> {
        let gram = Gram::new(&self.rotation);
        let (t, s) = (self.translation, self.scale);
        let in_place = |x: f64| x.abs() <= LARGEST_COORDINATE;
        let in_scale = |x: f64| (x >= 1.0 / LARGEST_COORDINATE) & (x <= LARGEST_COORDINATE);
        let fine = gram.is_within(ORTHONORMAL_TOLERANCE)
            & (self.rotation.determinant() > 0.0)
            & (in_place(t.x) & in_place(t.y) & in_place(t.z))
            & (in_scale(s.x) & in_scale(s.y) & in_scale(s.z));
        fine.then(|| Self { rotation: nearest_rotation(self.rotation, gram), ..*self })
    }

    /// Whether the two are the same pose; what moves most is compared first.
    #[inline(always)]
    pub fn is_same(&self, other: &Self) -> bool {
        let same = |u: DVec3, v: DVec3| (u.x == v.x) & (u.y == v.y) & (u.z == v.z);
        let (r, q) = (&self.rotation, &other.rotation);
        same(self.translation, other.translation)
            && same(r.x_axis, q.x_axis) & same(r.y_axis, q.y_axis) & same(r.z_axis, q.z_axis)
                & same(self.scale, other.scale)
    }

    /// `corrected`, with a sentence that names the argument.
    pub fn checked(&self, name: &str) -> Result<Self, Error> {
        self.corrected().ok_or_else(|| self.refusal(name))
    }

    /// Why this is no pose.
    #[cold]
    pub fn refusal(&self, name: &str) -> Error {
        let what = if !self.rotation.is_finite() {
            "rotation has an entry that is not finite"
        } else if !self.translation.is_finite() {
            "translation has an entry that is not finite"
        } else if self.translation.abs().max_element() > LARGEST_COORDINATE {
            "translation is beyond 1e300"
        } else if !(self.scale.is_finite() && self.scale.min_element() > 0.0) {
            "scale has an entry that is not positive and finite"
        } else if !(self.scale.min_element() >= 1.0 / LARGEST_COORDINATE
            && self.scale.max_element() <= LARGEST_COORDINATE)
        {
            "scale is outside 1e-300 to 1e300"
        } else if Gram::new(&self.rotation).is_within(ORTHONORMAL_TOLERANCE) {
            "rotation is a reflection (its determinant is negative)"
        } else {
            "rotation is further than 1e-6 from orthonormal"
        };
        Error::new(Status::InvalidArgument, format_args!("{name}.{what}"))
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

    #[inline(always)]
    pub fn is_uniform(&self) -> bool {
        (self.scale.x == self.scale.y) & (self.scale.y == self.scale.z)
    }

    pub fn apply(&self, point: DVec3) -> DVec3 {
        self.rotation * (self.scale * point) + self.translation
    }
}

/// The products of the columns of a rotation minus the identity: xx, yy, zz, xy, xz, yz.
#[derive(Clone, Copy)]
struct Gram([f64; 6]);

impl Gram {
    #[inline(always)]
    fn new(rotation: &DMat3) -> Self {
        let (x, y, z) = (rotation.x_axis, rotation.y_axis, rotation.z_axis);
        Self([x.dot(x) - 1.0, y.dot(y) - 1.0, z.dot(z) - 1.0, x.dot(y), x.dot(z), y.dot(z)])
    }

    /// No entry is larger than the tolerance, and none is NaN.
    #[inline(always)]
    fn is_within(&self, tolerance: f64) -> bool {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        let small = |entry: f64| entry.abs() <= tolerance;
        small(xx) & small(yy) & small(zz) & small(xy) & small(xz) & small(yz)
    }
}

/// Newton's iteration for the polar factor: an error of 1e-6 becomes 1e-12, then rounding. A matrix that is orthonormal to
/// rounding is its own nearest rotation as far as f64 can tell.
#[inline(always)]
fn nearest_rotation(rotation: DMat3, gram: Gram) -> DMat3 {
    if gram.is_within(4.0 * f64::EPSILON) {
        return rotation;
    }
    let once = newton_step(rotation, gram);
    if gram.is_within(1e-8) {
        return once;
    }
    second_step(once)
}

/// For poses of single precision and worse.
#[cold]
fn second_step(once: DMat3) -> DMat3 {
    newton_step(once, Gram::new(&once))
}

/// `R (I - (R^T R - I) / 2)`.
#[inline(always)]
fn newton_step(rotation: DMat3, Gram([xx, yy, zz, xy, xz, yz]): Gram) -> DMat3 {
    let (x, y, z) = (rotation.x_axis, rotation.y_axis, rotation.z_axis);
    DMat3::from_cols(
        x - (x * xx + y * xy + z * xz) * 0.5,
        y - (x * xy + y * yy + z * yz) * 0.5,
        z - (x * xz + y * yz + z * zz) * 0.5,
    )
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
        assert!(Gram::new(&pose.rotation).is_within(1e-15));
        rotation.x_axis.y += 1e-5;
        assert!(Transform { rotation, ..Transform::IDENTITY }.corrected().is_none());
    }
}
