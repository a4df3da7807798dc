//! Where B is as seen from A: the one frame in which triangles meet.
//!
//! The working frame has A's origin and axes and a unit of `2^exponent` world units, chosen so that the larger of
//! the two models and their separation have coordinates near one. A power of two changes no bit of any result.

use super::power_of_two::{exponent_above, shift, two_to};
use super::transform::Transform;
use glam::{DMat3, DVec3};

/// Brings normalised vertices of A and of B into the working frame.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// Factor for the vertices of A, per axis of A; a power of two when A is not scaled.
    pub scale_a: DVec3,
    /// Factor for the vertices of B, per axis of B, before they are turned.
    pub scale_b: DVec3,
    /// Turns directions of B into A's axes.
    pub rotation_b: DMat3,
    /// Rotation and scale for the vertices of B in one matrix.
    pub matrix_b: DMat3,
    pub translation_b: DVec3,
    /// World unit: a length `x` of the working frame is `x * 2^exponent` in the world.
    pub exponent: i32,
    rotation_a: DMat3,
    translation_a: DVec3,
}

impl Placement {
    /// `exponent_a` and `exponent_b` are those of the models: given coordinate = stored coordinate * 2^exponent.
    pub fn new(a: &Transform, exponent_a: i32, b: &Transform, exponent_b: i32) -> Self {
        let between = b.translation - a.translation;
        let exponent = (exponent_a + exponent_above(a.scale.max_element()))
            .max(exponent_b + exponent_above(b.scale.max_element()))
            .max(exponent_above(between.abs().max_element()));
        let unit = |v: DVec3, e: i32| match e {
            // One product rounds at most once.
            -1022..=1023 => v * two_to(e),
            _ => DVec3::new(shift(v.x, e), shift(v.y, e), shift(v.z, e)),
        };
        let scale_b = unit(b.scale, exponent_b - exponent);
        let inverse_a = a.rotation.transpose();
        let rotation_b = inverse_a * b.rotation;
        Self {
            scale_a: unit(a.scale, exponent_a - exponent),
            scale_b,
            rotation_b,
            matrix_b: DMat3::from_cols(
                rotation_b.x_axis * scale_b.x,
                rotation_b.y_axis * scale_b.y,
                rotation_b.z_axis * scale_b.z,
            ),
            translation_b: inverse_a * unit(between, -exponent),
            exponent,
            rotation_a: a.rotation,
            translation_a: a.translation,
        }
    }

    #[inline]
    pub fn place_a(&self, vertex: DVec3) -> DVec3 {
        vertex * self.scale_a
    }

    /// The order of these operations defines the placed vertex, on every instruction set.
    #[inline]
    pub fn place_b(&self, vertex: DVec3) -> DVec3 {
        let m = &self.matrix_b;
        let t = &self.translation_b;
        DVec3::new(
            m.x_axis.x * vertex.x + m.y_axis.x * vertex.y + m.z_axis.x * vertex.z + t.x,
            m.x_axis.y * vertex.x + m.y_axis.y * vertex.y + m.z_axis.y * vertex.z + t.y,
            m.x_axis.z * vertex.x + m.y_axis.z * vertex.y + m.z_axis.z * vertex.z + t.z,
        )
    }

    /// A length of the working frame in world units.
    pub fn length_to_world(&self, length: f64) -> f64 {
        shift(length, self.exponent)
    }

    /// A world length in the working frame; both directions are exact unless the result is subnormal.
    pub fn length_from_world(&self, length: f64) -> f64 {
        shift(length, -self.exponent)
    }

    pub fn point_to_world(&self, point: DVec3) -> DVec3 {
        let e = self.exponent;
        self.rotation_a * DVec3::new(shift(point.x, e), shift(point.y, e), shift(point.z, e)) + self.translation_a
    }

    pub fn direction_to_world(&self, direction: DVec3) -> DVec3 {
        self.rotation_a * direction
    }
}
