//! Where a point of a triangle is, as weights of its vertices.

use super::Triangle;
use glam::DVec3;

/// Weights of the vertices, not negative and with the sum 1 to rounding, for a point that is known to be on `feature`: 0-2
/// vertex, 3-5 edge, 6 face.
pub fn barycentric(t: &Triangle, feature: u32, point: DVec3) -> [f64; 3] {
    let mut weights = [0.0; 3];
    match feature {
        0..=2 => weights[feature as usize] = 1.0,
        3..=5 => {
            let (from, to) = (feature as usize - 3, (feature as usize - 2) % 3);
            let along = share(t[from], t[to], point);
            (weights[from], weights[to]) = (1.0 - along, along);
        }
        _ => weights = on_face(t, point),
    }
    weights
}

/// How far the point is from `from` to `to`, along the coordinate in which they differ most.
fn share(from: DVec3, to: DVec3, point: DVec3) -> f64 {
    let edge = (to - from).to_array();
    let axis = (0..3).fold(0, |best, axis| if edge[axis].abs() > edge[best].abs() { axis } else { best });
    let along = (point - from).to_array()[axis] / edge[axis];
    if along.is_finite() { along.clamp(0.0, 1.0) } else { 0.0 }
}

/// Areas seen along the axis that sees most of the triangle.
fn on_face(t: &Triangle, point: DVec3) -> [f64; 3] {
    let normal = (t[1] - t[0]).cross(t[2] - t[0]).to_array();
    let axis = (0..3).fold(0, |best, axis| if normal[axis].abs() > normal[best].abs() { axis } else { best });
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let area = |p: DVec3, q: DVec3| {
        let (p, q) = ((p - point).to_array(), (q - point).to_array());
        p[u] * q[v] - p[v] * q[u]
    };
    let sign = normal[axis].signum();
    let areas = [area(t[1], t[2]), area(t[2], t[0]), area(t[0], t[1])].map(|area| (area * sign).max(0.0));
    let whole = areas[0] + areas[1] + areas[2];
    if !(whole > 0.0) {
        // No area as far as f64 can tell: along the longest edge.
        let longest = (0..3).fold(0, |best, k| {
            let length = |k: usize| (t[(k + 1) % 3] - t[k]).length_squared();
            if length(k) > length(best) { k } else { best }
        });
        return barycentric(t, longest as u32 + 3, point);
    }
    areas.map(|area| area / whole)
}

/// The point with these weights.
#[inline(always)]
pub fn point_at(t: &Triangle, weights: [f64; 3]) -> DVec3 {
    t[0] * weights[0] + t[1] * weights[1] + t[2] * weights[2]
}

/// The unit normal that the winding gives; none for triangles without an area as far as f64 can tell.
#[inline(always)]
pub fn winding_normal(t: &Triangle) -> Option<DVec3> {
    let edges = [t[1] - t[0], t[2] - t[0]];
    let largest = edges[0].abs().max(edges[1].abs()).max_element();
    if !(largest > 0.0) {
        return None;
    }
    (edges[0] / largest).cross(edges[1] / largest).try_normalize()
}
