//! Where B is relative to A: the one frame in which triangles are compared.
//!
//! The working frame has A's origin and axes. Its unit is `2^exponent` world units, chosen so that the larger model and
//! the separation have coordinates near one. A power of two changes no bit of any result.
//!
//! # Far models are pulled in
//!
//! A translation `t` of more than `2^36` sizes would round the vertices of B so coarsely that parts of B become one
//! point. So B is then placed at `t' = 2^-m t`, which is exact and keeps the direction, and `|t| - |t'|` is added to
//! every distance. The error is below `2^-8` units in the last place of the distance:
//! - `w` is the difference of two points of the models without `t`, and `v` its part across `t`.
//! - `s` is the exponent of the larger model.
//!
//! 1. `|t + w| - |t|` is `w.t / |t| + v^2 / (2 |t|)`, up to terms of third order.
//! 2. So both ways differ by less than `v^2 / (2 |t'|)`.
//! 3. `|v|` is below `2^(s + 1.8)` and `|t'|` is at least `2^(s + 27)`, so the difference is below `2^(s - 24)`.
//! 4. The distance is above `2^(s + 36)`, so `2^(s - 24)` is `2^-8` of its last place. The final addition rounds by
//!    more.

use super::pose::{Pose, Rows};
use super::power_of_two::{exponent_above, shift, shift_far, two_to};
use super::transform::Transform;
use crate::simd::level::{Operation, dispatch, level};
use core::ops::Deref;
use fearless_simd::{Simd, SimdBase, f64x4};
use glam::{DMat3, DVec3};

/// The working frame: how stored vertices of A get there, and where it is in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkingFrame {
    /// Factor for the vertices of A, per axis of A; a power of two when A is not scaled.
    pub scale_a: DVec3,
    /// World unit: a length `x` of the working frame is `x * 2^exponent` in the world.
    pub exponent: i32,
    /// The rows of A's rotation, each followed by a 0.
    rows_a: [[f64; 4]; 3],
    translation_a: DVec3,
    /// The vector by which B is pulled in, in world axes and units, and its length. 0 unless the models are far apart.
    pulled: DVec3,
    pulled_length: f64,
}

/// Takes stored vertices of A and B into the working frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    pub frame: WorkingFrame,
    /// Factor for the vertices of B, per axis of B, applied before the rotation.
    pub scale_b: DVec3,
    /// Turns directions of B's node frame into A's.
    pub rotation_b: DMat3,
    /// The largest factors of A and of B, whatever their signs.
    pub unit_a: f64,
    pub unit_b: f64,
    /// The signs of A's factors. Where a model is mirrored, node frames do not follow: `rotation_b` takes the mirror of B, and
    /// what is seen from A is seen in the mirror of A.
    pub signs_a: DVec3,
    /// Whether the factors of a model differ in size.
    pub is_stretched: bool,
    /// Rotation and scale for the vertices of B in one matrix.
    pub matrix_b: DMat3,
    pub translation_b: DVec3,
}

impl Deref for Placement {
    type Target = WorkingFrame;
    #[inline(always)]
    fn deref(&self) -> &WorkingFrame {
        &self.frame
    }
}

/// One model of a placement.
pub struct Side<'p, S: Simd> {
    /// Translation and scale.
    pub pose: &'p Pose,
    pub rows: Rows<S>,
    /// Exponent of the model.
    pub exponent: i32,
}

/// Models more than 2^FAR sizes apart are pulled in to 2^PULLED sizes.
const FAR: i32 = 36;
const PULLED: i32 = 28;

/// The smallest positive number.
const SMALLEST_DISTANCE: f64 = f64::from_bits(1);

impl Placement {
    /// `exponent_a` and `exponent_b` are those of the models: given coordinate = stored coordinate * 2^exponent.
    pub fn new(a: &Transform, exponent_a: i32, b: &Transform, exponent_b: i32) -> Self {
        Self::of_poses((&Pose::new(a), exponent_a), (&Pose::new(b), exponent_b))
    }

    /// `new` for poses.
    pub fn of_poses(a: (&Pose, i32), b: (&Pose, i32)) -> Self {
        dispatch(level(), Place([a, b]))
    }

    /// `of_poses` by who has entered an instruction set.
    #[inline(always)]
    pub fn of_poses_on<S: Simd>(simd: S, a: (&Pose, i32), b: (&Pose, i32)) -> Self {
        Place([a, b]).run(simd)
    }

    /// `new` for poses whose rotations are already corrected.
    #[inline(always)]
    pub fn of_rows<S: Simd>(simd: S, a: Side<S>, b: Side<S>) -> Self {
        let (scale_a, scale_b) = (a.pose.scale(), b.pose.scale());
        let between = b.pose.translation() - a.pose.translation();
        let (sizes_a, sizes_b) = (scale_a.abs(), scale_b.abs());
        let (unit_a, unit_b) = (sizes_a.max_element(), sizes_b.max_element());
        let is_mirrored = (scale_a != sizes_a) | (scale_b != sizes_b);
        let size = (a.exponent + exponent_above(unit_a)).max(b.exponent + exponent_above(unit_b));
        let apart = Some(between.abs().max_element()).filter(|&length| length > 0.0).map_or(size, exponent_above);
        let pull = if apart > size + FAR { apart - size - PULLED } else { 0 };
        let exponent = size.max(apart - pull);
        let scale_b = shift_vector(scale_b, b.exponent - exponent);
        let (pulled, pulled_length) = if pull == 0 { (DVec3::ZERO, 0.0) } else { pulled_in(between, apart, pull) };
        // A column of the product of A's inverse and B is A's inverse times a column of B.
        let [[xx, yx, zx, _], [xy, yy, zy, _], [xz, yz, zz, _]] = b.rows.to_arrays();
        let x = a.rows.turn_back(simd, [xx, xy, xz]);
        let y = a.rows.turn_back(simd, [yx, yy, yz]);
        let z = a.rows.turn_back(simd, [zx, zy, zz]);
        let scaled = |axis: f64x4<S>, factor: f64| vector(axis * f64x4::splat(simd, factor));
        let rotation = DMat3::from_cols(vector(x), vector(y), vector(z));
        Self {
            frame: WorkingFrame {
                scale_a: shift_vector(scale_a, a.exponent - exponent),
                exponent,
                rows_a: a.rows.to_arrays(),
                translation_a: a.pose.translation(),
                pulled,
                pulled_length,
            },
            scale_b,
            unit_a: shift(unit_a, a.exponent - exponent),
            unit_b: shift(unit_b, b.exponent - exponent),
            signs_a: if is_mirrored { scale_a.signum() } else { DVec3::ONE },
            is_stretched: (sizes_a != DVec3::splat(unit_a)) | (sizes_b != DVec3::splat(unit_b)),
            rotation_b: if is_mirrored { mirrored(rotation, scale_a, scale_b) } else { rotation },
            matrix_b: DMat3::from_cols(scaled(x, scale_b.x), scaled(y, scale_b.y), scaled(z, scale_b.z)),
            translation_b: vector(a.rows.turn_back(simd, shift_vector(between, -exponent - pull).to_array())),
        }
    }

    /// The order of these operations defines the placed vertex, so every instruction set uses the same order.
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
}

impl WorkingFrame {
    /// That of two models that are both where they are given.
    #[inline(always)]
    pub fn of_identities(exponent_a: i32, exponent_b: i32) -> Self {
        let exponent = exponent_a.max(exponent_b) + 1;
        Self {
            scale_a: DVec3::splat(shift(1.0, exponent_a - exponent)),
            exponent,
            rows_a: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
            translation_a: DVec3::ZERO,
            pulled: DVec3::ZERO,
            pulled_length: 0.0,
        }
    }

    #[inline]
    pub fn place_a(&self, vertex: DVec3) -> DVec3 {
        vertex * self.scale_a
    }

    /// The distance between a point of A and a point of B in world units, from its working length. Monotonic, and 0 for the
    /// length 0 alone: triangles that do not touch are never at distance 0.
    #[inline]
    pub fn distance_to_world(&self, length: f64) -> f64 {
        let distance = shift(length, self.exponent) + self.pulled_length;
        if length > 0.0 { distance.max(SMALLEST_DISTANCE) } else { distance }
    }

    /// A longer length in the working frame is certainly more than `distance` in the world.
    pub fn distance_from_world(&self, distance: f64) -> f64 {
        // A number that rounds to `distance` is below the next number; lengths are rounded only to subnormal distances.
        let left = match self.pulled_length {
            0.0 if distance < f64::MIN_POSITIVE => distance.next_up(),
            0.0 => distance,
            pulled => (distance.next_up() - pulled).next_up(),
        };
        self.length_from_world(left).next_up()
    }

    /// A world length in the working frame; exact unless the result is subnormal.
    pub fn length_from_world(&self, length: f64) -> f64 {
        shift(length, -self.exponent)
    }

    #[inline(always)]
    pub fn point_of_a_to_world(&self, point: DVec3) -> DVec3 {
        self.turned_to_world(self.in_world_units(point)) + self.translation_a
    }

    pub fn point_of_b_to_world(&self, point: DVec3) -> DVec3 {
        self.point_of_a_to_world(point) + self.pulled
    }

    /// A direction from A to B of the working frame, in the world.
    #[inline(always)]
    pub fn normal_to_world(&self, normal: DVec3, point_a: DVec3, point_b: DVec3) -> DVec3 {
        if self.pulled_length == 0.0 {
            return self.turned_to_world(normal);
        }
        // Relative to the length, so that no square leaves the range of f64.
        let between = self.turned_to_world(self.in_world_units(point_b - point_a));
        (self.pulled / self.pulled_length + between / self.pulled_length).normalize()
    }

    /// Whether the models are so far apart that B is pulled in.
    pub fn is_pulled(&self) -> bool {
        self.pulled_length != 0.0
    }

    #[inline(always)]
    fn turned_to_world(&self, vector: DVec3) -> DVec3 {
        let along = |[x, y, z, _]: &[f64; 4]| x * vector.x + y * vector.y + z * vector.z;
        let [first, second, third] = &self.rows_a;
        DVec3::new(along(first), along(second), along(third))
    }

    /// The factor, rotation and translation that take points of A to the world. None if the models are pulled in or the
    /// factor is not a normal number.
    pub fn world_motion(&self) -> Option<(f64, DMat3, DVec3)> {
        let is_plain = self.pulled_length == 0.0 && (-1022..=1023).contains(&self.exponent);
        is_plain.then(|| (two_to(self.exponent), self.rotation_a(), self.translation_a))
    }

    fn rotation_a(&self) -> DMat3 {
        let [r, s, t] = &self.rows_a;
        DMat3::from_cols(DVec3::new(r[0], s[0], t[0]), DVec3::new(r[1], s[1], t[1]), DVec3::new(r[2], s[2], t[2]))
    }

    #[inline(always)]
    fn in_world_units(&self, vector: DVec3) -> DVec3 {
        let e = self.exponent;
        DVec3::new(shift(vector.x, e), shift(vector.y, e), shift(vector.z, e))
    }
}

/// `Placement::of_rows` for rotations as they are given.
struct Place<'p>([(&'p Pose, i32); 2]);

impl Operation for Place<'_> {
    type Output = Placement;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Placement {
        let Self([(a, exponent_a), (b, exponent_b)]) = self;
        let side_a = Side { pose: a, rows: a.rows(simd), exponent: exponent_a };
        Placement::of_rows(simd, side_a, Side { pose: b, rows: b.rows(simd), exponent: exponent_b })
    }
}

#[inline(always)]
fn vector<S: Simd>(lanes: f64x4<S>) -> DVec3 {
    let [x, y, z, _] = lanes.to_array();
    DVec3::new(x, y, z)
}

/// The rotation between frames that are mirrored themselves.
#[cold]
fn mirrored(rotation: DMat3, scale_a: DVec3, scale_b: DVec3) -> DMat3 {
    DMat3::from_diagonal(scale_a.signum()) * rotation * DMat3::from_diagonal(scale_b.signum())
}

/// `shift` of every entry.
#[inline(always)]
fn shift_vector(vector: DVec3, exponent: i32) -> DVec3 {
    match exponent {
        // One product rounds at most once.
        -1022..=1023 => vector * two_to(exponent),
        _ => DVec3::new(shift_far(vector.x, exponent), shift_far(vector.y, exponent), shift_far(vector.z, exponent)),
    }
}

/// `between` minus a part in `2^pull` of it, and the length of that difference. `apart` is the exponent of `between`.
#[cold]
fn pulled_in(between: DVec3, apart: i32, pull: i32) -> (DVec3, f64) {
    let part = |x: f64| x - shift(x, -pull);
    let length = DVec3::new(shift(between.x, -apart), shift(between.y, -apart), shift(between.z, -apart)).length();
    (DVec3::new(part(between.x), part(between.y), part(between.z)), part(shift(length, apart)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_identities_are_placed_like_any_poses() {
        for a in [-1100, -7, 0, 1, 30, 1020] {
            for b in [-1090, -3, 0, 2, 900] {
                let identity = Transform::IDENTITY;
                assert_eq!(
                    WorkingFrame::of_identities(a, b),
                    Placement::new(&identity, a, &identity, b).frame,
                    "{a} {b}"
                );
            }
        }
    }
}
