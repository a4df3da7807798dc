//! Where certificates are measured from if the node origins are too far away for that.
//!
//! A stray triangle makes the reach of its model a million sizes, and the detail of a large scene may be anywhere in it. Seen from the
//! node origin, positions would be rounded to a share of that reach, and the smallest turn would move some point by many sizes. Models
//! that are far apart move by much while next to nothing comes nearer. The certificates of such pairs are made as follows.
//! 1. They are measured from an anchor, a point that goes with B, in the middle of what is near. Where it was when the front was begun
//!    is the origin in A's axes. Nothing else of A is in a certificate, so that all positions are as short as B's way.
//! 2. Points of B within `reach` of the anchor go no farther than the anchor and `reach` times what B turns. That is what the front
//!    counts. Certificates of lanes that reach farther count the rest themselves (`Certificates`), and so do their deadlines.
//! 3. Bounds are relative to the base of the pose that they are asked in (`BoundFrame`), which grows and sinks with the distance `|t|` of the
//!    node origins. With `q` from the difference of A's node origin and the anchor to that of any two points, and `d` the way of the
//!    anchor, which is B's node origin there, the distance `|t + q|` grows by at least `|t + d| - |t| - 1.2 |d| |q| / |t + d|` if `|q|`
//!    and `|d|` are at most an eighth of `|t + d|`: along the way the directions of `t + q` and `t` differ by at most that share. So only
//!    the share `sway` of the way counts.

use glam::DVec3;

/// The point that certificates are measured from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// In B's stored coordinates.
    pub of_b: DVec3,
    /// Where it was when the front was begun; working frame.
    pub placed: DVec3,
    /// The distance from the anchor within which points of B are not farther than the front counts; working units.
    pub reach: f64,
}

/// What a front needs of a pose besides where B is, if certificates are measured from an anchor; working units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchored {
    pub anchor: Anchor,
    /// What a placed point may be off by.
    pub rounding: f64,
    /// What the triangle kernel may be off by, where certificates do not lose more to f32.
    pub kernel: f64,
    /// The share of the anchor's way that brings points of the models nearer, beyond what the base tells.
    pub sway: f64,
}

impl Anchored {
    /// How much nearer any points within the reach may have come, beyond what the base tells, given the way of the anchor and what B
    /// turned. Both poses round; the earlier one, which is near, by at most twice as much.
    pub fn step(&self, way: f64, turned: f64) -> f64 {
        (way * self.sway + turned * self.anchor.reach) * (1.0 + 1e-9) + 4.0 * self.rounding
    }
}

/// What is known of the place where a pass is going to look.
#[derive(Clone, Copy, Debug)]
pub struct Whereabouts {
    /// The pair of triangles that is remembered.
    pub remembered: Option<(u32, u32)>,
    /// What is farther need not be looked at; working frame.
    pub beyond: f64,
}
