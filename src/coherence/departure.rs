//! What the poses of two models tell before the models are placed: whether spheres around them are apart, and whether they have come near
//! since the poses that a clearance was found in.
//!
//! Placing two models costs more than all else that a query without a search does. `clearance` needs the placement, and serves
//! wherever the models are; this needs only the poses, and serves where lengths are of usual sizes.
//!
//! Symbols: `R, t` the corrected rotation and the translation of a model, `s` its scale, `o` and `v` its node origin and any vertex, `w`
//! the way from the node origin of A to that of B, `e` no less than any distance of two points of the models, `p` the sum of the
//! lengths of `s o` of both models, `r` that of the radii, `u` the unit roundoff; primes tell what is so now.
//! 1. A vertex is at `R s v + t`, so that `w = t_B - t_A + R_B s o_B - R_A s o_A`. Two vertices are apart by the length of
//!    `w + R_B s (v_B - o_B) - R_A s (v_A - o_A)`. From one pose to another that shrinks by `|w' - w|` and, for each model, the turn
//!    `|R' - R|` times its radius, at most.
//! 2. A distance of the working frame is that of the world in another unit, up to roundings: rotations are orthonormal to `30 u`, and a
//!    placed vertex is off by `8 u` of its coordinates and of the translation. In one pose that is below `61 u e + 38 u p`.
//! 3. The computed `w` is off by `8 u` of its three summands, which is less than `8 u e + 16 u p`. Squares that underflow are far
//!    below `u e`, because lengths are within `LENGTHS` and units within `UNITS`.
//! 4. Departures: while the models came nearer by less than their clearance, `e` has not doubled. Both poses together are off by
//!    `3 (61 + 8) u e + 2 (38 + 16) u p` at most. `Clearance::room` leaves out `1024 u e + 128 u p`. So the room less what step 1 says
//!    is below every distance that the kernel would compute now.
//! 5. Spheres: the kernel computes no less than `|w| - r`, less `69 u (|w| + r) + 54 u p`. `ROUNDING` is `64 u p`. Of the other term a
//!    radius covers its share up to `|w| = 2 r`, because it is larger than needed by more than `300 u`; beyond, `SHORTER` does.

use crate::math::power_of_two::{exponent_above, two_to};
use core::ops::RangeInclusive;
use glam::DVec3;

/// The rows of a rotation, each followed by a 0.
pub type RotationRows = [[f64; 4]; 3];

/// Exponents of units for which squares of lengths neither overflow nor underflow.
const UNITS: RangeInclusive<i32> = -300..=300;

/// Lengths whose squares are as precise as any.
const LENGTHS: RangeInclusive<f64> = 1e-140..=1e140;

/// What rotations are off, and what is lost where squares underflow, as a turn.
const TURNED: f64 = 1e-14;

/// Products and roots of ways, relative to them.
const ROUNDED: f64 = 1.0 + 1e-9;

const ROUNDING: f64 = 32.0 * f64::EPSILON;
const SHORTER: f64 = 1.0 - 1e-9;

/// A sphere around a model; world units.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    /// Its centre, the node origin, in the scaled model's axes.
    origin: DVec3,
    /// Infinite if lengths of this size cannot be squared.
    radius: f64,
    /// How much longer `w` may be than it is.
    rounding: f64,
}

impl Ball {
    /// Of a model whose stored lengths are in units of 2^exponent.
    pub fn new(origin: DVec3, radius: f64, exponent: i32, scale: DVec3) -> Self {
        let largest = scale.abs().max_element();
        if !UNITS.contains(&exponent) || !UNITS.contains(&(exponent + exponent_above(largest))) {
            return Self { origin: DVec3::ZERO, radius: f64::INFINITY, rounding: 0.0 };
        }
        let origin = origin * scale * two_to(exponent);
        let radius = radius * largest * two_to(exponent);
        Self { origin, radius, rounding: ROUNDING * origin.abs().element_sum() }
    }
}

/// Two models in the world.
#[derive(Clone, Copy, Debug)]
pub struct WorldPoses<'p> {
    pub rows: [&'p RotationRows; 2],
    pub translations: [DVec3; 2],
    pub balls: &'p [Ball; 2],
}

impl WorldPoses<'_> {
    /// The vector between the translations, and `w`.
    #[inline(always)]
    pub fn between(&self) -> Between {
        let turned = |side: usize| {
            let (rows, origin) = (self.rows[side], self.balls[side].origin);
            let along = |row: &[f64; 4]| row[0] * origin.x + row[1] * origin.y + row[2] * origin.z;
            DVec3::new(along(&rows[0]), along(&rows[1]), along(&rows[2]))
        };
        let translation = self.translations[1] - self.translations[0];
        Between { translation, origins: translation + (turned(1) - turned(0)) }
    }

    /// Whether spheres around the models are farther apart than the threshold, in world units, so that no pair of triangles is within it.
    #[inline(always)]
    pub fn are_apart(&self, between: &Between, threshold: f64) -> bool {
        let [a, b] = self.balls;
        let length = between.origins.length();
        let apart = (length - (a.radius + b.radius) - (a.rounding + b.rounding)) * SHORTER;
        LENGTHS.contains(&length) & is_above(apart, threshold)
    }
}

/// From A to B in the world.
#[derive(Clone, Copy, Debug)]
pub struct Between {
    translation: DVec3,
    origins: DVec3,
}

/// The poses that a clearance was found in.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// The change of the poses that these are the poses of.
    generation: u64,
    rows: [RotationRows; 2],
    origins: DVec3,
    radii: [f64; 2],
    /// How much nearer the models may come before anything is within 0; world units. 0: nothing is known.
    room: f64,
    /// The largest entry of the vector between the translations for which the unit of the working frame is the same.
    translation: [f64; 2],
}

impl Departure {
    /// No departure is known.
    pub const NONE: Self = Self {
        generation: u64::MAX,
        rows: [[[0.0; 4]; 3]; 2],
        origins: DVec3::ZERO,
        radii: [0.0; 2],
        room: 0.0,
        translation: [0.0; 2],
    };

    /// `room` is that of `Clearance::room`, in working units of 2^exponent; the models are not pulled in.
    pub fn new(generation: u64, poses: &WorldPoses, room: f64, exponent: i32) -> Self {
        let radii = [poses.balls[0].radius, poses.balls[1].radius];
        if !UNITS.contains(&exponent) || radii[0] + radii[1] == f64::INFINITY {
            return Self::NONE;
        }
        let (between, unit) = (poses.between(), two_to(exponent));
        // The unit is above the larger model and above the vector between the translations; see `Placement::of_rows`.
        let is_by_translation = between.translation.abs().max_element() >= 0.5 * unit;
        let translation = [if is_by_translation { 0.5 * unit } else { 0.0 }, unit];
        let rows = [*poses.rows[0], *poses.rows[1]];
        Self { generation, rows, origins: between.origins, radii, room: room * unit, translation }
    }

    /// The change of the poses that this departure belongs to.
    #[inline(always)]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether no pair of triangles is within the threshold, in world units, now that the models are in these poses; `moved` says which of
    /// them moved since.
    #[inline(always)]
    pub fn is_clear(&self, threshold: f64, poses: &WorldPoses, between: &Between, moved: [bool; 2]) -> bool {
        let [low, high] = self.translation;
        let translation = between.translation.abs().max_element();
        let turned = |side: usize| {
            if moved[side] { turned(poses.rows[side], &self.rows[side]) * self.radii[side] } else { 0.0 }
        };
        let nearer = (between.origins - self.origins).length() + turned(0) + turned(1);
        (translation >= low) & (translation < high) & is_above(self.room - nearer * ROUNDED, threshold)
    }
}

/// How far any vector of length 1 is turned from one rotation to the other, at most.
#[inline(always)]
fn turned(now: &RotationRows, then: &RotationRows) -> f64 {
    let row = |k: usize| DVec3::new(now[k][0] - then[k][0], now[k][1] - then[k][1], now[k][2] - then[k][2]);
    let squares = row(0).length_squared() + row(1).length_squared() + row(2).length_squared();
    // Two singular values of a difference of rotations are equal and the third is 0.
    (squares * 0.5).sqrt() * ROUNDED + TURNED
}

/// Whether lengths above the first are above the second in every unit: roundings of the last difference and of the threshold are far less
/// than the factors say. A threshold that is no number is below nothing.
#[inline(always)]
fn is_above(length: f64, threshold: f64) -> bool {
    (threshold >= 0.0) & (length * (1.0 - 1e-14) > threshold * (1.0 + 1e-14))
}
