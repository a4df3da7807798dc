//! Where B is relative to A, in the arithmetic of certificates, and how far it went since.

use super::anchor::Anchored;
use super::certificate::Proof;
use crate::simd::eight::Element;
use glam::{DMat3, DVec3};

/// What the position of a centre along a direction, and what is added to that position, may be off. In multiples of the unit
/// roundoff and of the sum of distance and reaches:
/// 1. the rotation, the shift and the centre are rounded: 3;
/// 2. three products and sums: 6;
/// 3. the product with a direction: 4;
/// 4. the offset and the radius: 3 of at most twice that sum.
const POSITION: f64 = 24.0;

/// What a certificate that is measured from an anchor may be off by in all poses together, because its lane reaches beyond the anchor: in
/// roundings of that reach. Twice `POSITION`, and four roundings of what a turn takes from it.
const BEYOND: f64 = 64.0;

/// Directions are shortened by this many roundings, more than `Volume::WITNESS` allows them to be too long by.
pub(super) const SHORTENED: f64 = 512.0;

/// The pose of B as a search finds it, in f64 and working units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativePose {
    /// Turns B's axes into A's.
    pub rotation: DMat3,
    /// From the node origin of A to that of B, in A's axes.
    pub between: DVec3,
    /// Lengths of the node frames of A and B.
    pub units: [f64; 2],
    /// How far the models reach from their node origins.
    pub reach: [f64; 2],
}

impl RelativePose {
    /// How far any vector of length 1 is turned from the other pose to this one: the norm of the difference of the rotations.
    #[inline(always)]
    pub fn turned_since(&self, other: &Self) -> f64 {
        let difference = self.rotation - other.rotation;
        let [x, y, z] = [difference.x_axis, difference.y_axis, difference.z_axis];
        let squares = x.length_squared() + y.length_squared() + z.length_squared();
        if squares == 0.0 && difference == DMat3::ZERO {
            return 0.0;
        }
        // Two singular values of a difference of rotations are equal and the third is 0; what rotations are off comes on top.
        (squares * 0.5).sqrt() * (1.0 + 1e-9) + 1e-14
    }

    /// The most that any point of B moved since the other pose, given how far it turned.
    pub fn moved_since(&self, other: &Self, turned: f64) -> f64 {
        ((self.between - other.between).length() + turned * self.reach[1]) * (1.0 + 1e-9)
    }

    /// No two points of the models are farther apart than this.
    pub fn extent(&self) -> f64 {
        self.between.length() + self.reach[0] + self.reach[1]
    }

    /// Whether f32 neither overflows nor loses small numbers where certificates are computed.
    pub fn is_in_range(&self) -> bool {
        (1e-12..=1e12).contains(&self.extent())
    }
}

/// A pose in f32, as certificates use it.
#[derive(Clone, Copy, Debug)]
pub struct CertificatePose {
    /// Columns of the rotation.
    pub columns: [[f32; 3]; 3],
    pub shift: [f32; 3],
    /// How far B turned since the front began to count, as the norms of differences of rotations added up; rounded up.
    pub turned: f32,
    /// How far the points of B went at most since the front began to count. 0 where certificates have directions.
    pub moved: f32,
    pub is_directed: bool,
    /// What a bound of a certificate may exceed the true one by in this pose.
    pub slack: f32,
    /// The same for a certificate that is made in this pose, whose direction may be off by the given roundings.
    pub fresh_slack: f32,
    /// The reach of the anchor, and what a certificate may be off by in units of the reach of its lane. 0 where there is no anchor.
    pub anchor_reach: f32,
    pub beyond: f32,
}

impl CertificatePose {
    #[inline(always)]
    pub fn new(pose: &RelativePose, (turned, moved): (f64, f64), proof: Proof, anchored: Option<&Anchored>) -> Self {
        let (witness, moved, is_directed) = match proof {
            Proof::Direction { off_by } => (off_by, 0.0, true),
            Proof::Margin => (0.0, moved, false),
        };
        let single = |v: DVec3| [v.x as f32, v.y as f32, v.z as f32];
        let [x, y, z] = [pose.rotation.x_axis, pose.rotation.y_axis, pose.rotation.z_axis];
        // Placed points are rounded in the pose that a certificate is made in and in the pose that it is asked in.
        let of_f64 = anchored.map_or(0.0, |anchored| 4.0 * anchored.rounding + anchored.kernel);
        let slack = |roundings: f64| ((roundings * f32::ROUNDING * pose.extent() + of_f64) * 1.0001) as f32;
        Self {
            columns: [single(x), single(y), single(z)],
            shift: single(pose.between),
            turned: (turned * (1.0 + 1e-6)) as f32,
            moved: moved as f32,
            is_directed,
            slack: slack(POSITION),
            // A direction that is off costs that share of the distance between the farthest points.
            fresh_slack: slack(POSITION + witness + 16.0),
            anchor_reach: anchored.map_or(0.0, |anchored| anchored.anchor.reach as f32),
            beyond: if anchored.is_some() { (BEYOND * f32::ROUNDING) as f32 } else { 0.0 },
        }
    }
}
