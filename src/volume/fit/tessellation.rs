//! Triangles that show a volume.

use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

/// Meridians of a tessellated sphere; there are half as many bands from pole to pole.
const MERIDIANS: usize = 12;

/// A convex polygon, with room for a square that is clipped by as many planes as any volume has.
type Polygon = ArrayVec<DVec3, 32>;

/// `{centre + edges x : |x_j| <= 1}`.
pub fn parallelepiped(centre: DVec3, edges: DMat3, emit: &mut dyn FnMut([DVec3; 3])) {
    let inside_out = edges.determinant() < 0.0;
    for axis in 0..3 {
        let (u, v) = (edges.col((axis + 1) % 3), edges.col((axis + 2) % 3));
        for side in [1.0, -1.0] {
            let middle = centre + edges.col(axis) * side;
            let corners = [middle - u - v, middle + u - v, middle + u + v, middle - u + v];
            fan(&corners, (side < 0.0) != inside_out, emit);
        }
    }
}

/// A strictly convex set by its farthest points along the directions of a sphere. `farthest(n)` is the point of the set
/// with the largest product with the unit vector `n`. The flat parts of a swept set appear, too: as triangles between
/// directions where the farthest point jumps.
pub fn strictly_convex(farthest: &dyn Fn(DVec3) -> DVec3, emit: &mut dyn FnMut([DVec3; 3])) {
    let bands = MERIDIANS / 2;
    let point = |band: usize, meridian: usize| {
        // Half a step beside the axes, so that no direction is orthogonal to an edge along an axis.
        let polar = core::f64::consts::PI * band as f64 / bands as f64;
        let around = core::f64::consts::TAU * ((meridian % MERIDIANS) as f64 + 0.5) / MERIDIANS as f64;
        let ((height, ring), (y, x)) = ((polar.cos(), polar.sin()), around.sin_cos());
        farthest(DVec3::new(ring * x, ring * y, height))
    };
    for band in 0..bands {
        for meridian in 0..MERIDIANS {
            let corners = [
                point(band, meridian),
                point(band + 1, meridian),
                point(band + 1, meridian + 1),
                point(band, meridian + 1),
            ];
            fan(&corners, false, emit);
        }
    }
}

/// `{x : normal . x <= offset for every plane}`, which must be bounded. Every face comes from clipping a large square.
pub fn polytope(planes: &[(DVec3, f64)], emit: &mut dyn FnMut([DVec3; 3])) {
    let size = planes.iter().fold(0.0, |most: f64, plane| most.max(plane.1.abs())) * 8.0;
    for (index, &(normal, offset)) in planes.iter().enumerate() {
        let unit = normal.normalize();
        let (u, v) = unit.any_orthonormal_pair();
        let middle = unit * (offset / normal.length());
        let mut face: Polygon = [-u - v, u - v, u + v, v - u].iter().map(|corner| middle + *corner * size).collect();
        if u.cross(v).dot(unit) < 0.0 {
            face.reverse();
        }
        for (other, &(normal, offset)) in planes.iter().enumerate() {
            if other != index {
                face = clipped(&face, normal, offset);
            }
        }
        fan(&face, false, emit);
    }
}

/// The part of a convex polygon with `normal . x <= offset`.
fn clipped(polygon: &[DVec3], normal: DVec3, offset: f64) -> Polygon {
    let mut kept = Polygon::new();
    for (index, &here) in polygon.iter().enumerate() {
        let next = polygon[(index + 1) % polygon.len()];
        let (inside, next_inside) = (normal.dot(here) - offset, normal.dot(next) - offset);
        if inside <= 0.0 {
            kept.push(here);
        }
        if (inside <= 0.0) != (next_inside <= 0.0) {
            kept.push(here + (next - here) * (inside / (inside - next_inside)));
        }
    }
    kept
}

fn fan(corners: &[DVec3], reverse: bool, emit: &mut dyn FnMut([DVec3; 3])) {
    for k in 2..corners.len() {
        let [a, b, c] = [corners[0], corners[k - 1], corners[k]];
        if a != b && b != c && c != a {
            emit(if reverse { [a, c, b] } else { [a, b, c] });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume inside closed, outward triangles, and twice the sum of their area vectors.
    fn measure(show: impl Fn(&mut dyn FnMut([DVec3; 3]))) -> (f64, DVec3) {
        let (mut volume, mut area) = (0.0, DVec3::ZERO);
        show(&mut |[a, b, c]| {
            volume += a.dot(b.cross(c));
            area += (b - a).cross(c - a);
        });
        (volume / 6.0, area)
    }

    #[test]
    fn surfaces_are_closed_and_outward() {
        let edges = DMat3::from_cols(DVec3::X, DVec3::new(0.5, 2.0, 0.0), DVec3::new(0.0, 0.3, -3.0));
        let (volume, area) = measure(|emit| parallelepiped(DVec3::new(5.0, 6.0, 7.0), edges, emit));
        assert!((volume - 48.0).abs() < 1e-9 && area.length() < 1e-9, "{volume} {area}");
        let (volume, area) = measure(|emit| strictly_convex(&|n| DVec3::ONE + n * 2.0, emit));
        // A ball of radius 2 from inside. With so few meridians, a ninth of its volume is missing.
        assert!(0.88 * 33.51 < volume && volume < 33.51 && area.length() < 1e-9, "{volume} {area}");
        let planes: Vec<_> = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|n| [(n, 3.0), (-n, -1.0)]).collect();
        let (volume, area) = measure(|emit| polytope(&planes, emit));
        assert!((volume - 8.0).abs() < 1e-9 && area.length() < 1e-9, "{volume} {area}");
    }
}
