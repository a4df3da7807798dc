//! Triangle against triangle, in f64 and in one frame.
//!
//! Provisional signatures: the kernels follow in the next commits.

use glam::DVec3;

/// Three vertices; segments and points are legal triangles.
pub type Triangle = [DVec3; 3];

/// The distance of two triangles and where it is attained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// 0 exactly when the triangles intersect.
    pub distance: f64,
    pub point_a: DVec3,
    pub point_b: DVec3,
    /// Unit vector from A to B.
    pub normal: DVec3,
    /// Nearest features: that of A in the low byte, that of B in the next; 0-2 vertex, 3-5 edge, 6 face.
    pub feature: u32,
}

/// A distance and whether it needed the robust path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    pub distance: f64,
    pub robust: bool,
}

pub fn is_degenerate(triangle: &Triangle) -> bool {
    (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]) == DVec3::ZERO
}

pub fn intersects(a: &Triangle, b: &Triangle) -> bool {
    distance(a, b).distance == 0.0
}

/// The value of `closest`, bit for bit, without the points.
pub fn distance(a: &Triangle, b: &Triangle) -> Measured {
    Measured { distance: closest(a, b).distance, robust: false }
}

pub fn closest(a: &Triangle, b: &Triangle) -> Closest {
    let between = b[0] - a[0];
    let distance = between.length();
    Closest { distance, point_a: a[0], point_b: b[0], normal: between / distance, feature: 0 }
}
