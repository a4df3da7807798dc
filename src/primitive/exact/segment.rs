//! A segment against a triangle without rounding: casts and the parity of crossings.
//!
//! Both are closed sets, and every sign is exact. A segment through a shared edge or vertex therefore meets all the
//! triangles there, and none of it slips through a closed mesh.

use super::*;

/// How a segment meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Met {
    /// At one point of the triangle's plane: the sides of the ends, and how the segment turns around each edge.
    Through { sides: [Ordering; 2], turns: [Ordering; 3] },
    /// Within the plane.
    InPlane,
    /// The triangle is a segment or a point.
    Degenerate,
}

/// The sign of `normal . (point - plane)`, with the normal that the winding of the triangle gives.
fn side(volume: Ordering) -> Ordering {
    // det(a - d, b - d, c - d) is negative for d on the side that the normal points to.
    volume.reverse()
}

/// Whether and how a closed segment, which may be a point, meets a closed triangle.
pub fn segment_meets(p: [DVec3; 2], t: &Triangle) -> Option<Met> {
    let signs = signs_for(&[t, &[p[0], p[1], p[1]]]);
    // Spelt out: `map` is a call.
    let volumes = [signs.volume(t[0], t[1], t[2], p[0]), signs.volume(t[0], t[1], t[2], p[1])];
    if strictly_same(volumes) {
        return None;
    }
    if volumes == [Ordering::Equal; 2] {
        return match signs.open_axis(t[0], t[1], t[2]) {
            None => signs.segments_meet(p, extent(t)).then_some(Met::Degenerate),
            Some(axis) => signs.segment_meets(p, t, axis).map(|_| Met::InPlane),
        };
    }
    let turn = |k: usize| signs.volume(p[0], p[1], t[k], t[(k + 1) % 3]);
    let turns = [turn(0), turn(1), turn(2)];
    if turns.contains(&Ordering::Less) && turns.contains(&Ordering::Greater) {
        return None;
    }
    Some(Met::Through { sides: [side(volumes[0]), side(volumes[1])], turns })
}

/// Whether a segment crosses the inside of a triangle; None when it touches the boundary or runs in the plane, so that
/// crossings cannot be counted along it.
pub fn segment_crosses(p: [DVec3; 2], t: &Triangle) -> Option<bool> {
    let signs = signs_for(&[t, &[p[0], p[1], p[1]]]);
    if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
        // No area and no inside: nothing is crossed.
        return Some(false);
    }
    let turns = [0, 1, 2].map(|k| signs.volume(p[0], p[1], t[k], t[(k + 1) % 3]));
    if turns.contains(&Ordering::Less) && turns.contains(&Ordering::Greater) {
        return Some(false);
    }
    let volumes = p.map(|end| signs.volume(t[0], t[1], t[2], end));
    if strictly_same(volumes) {
        return Some(false);
    }
    if turns.contains(&Ordering::Equal) || volumes.contains(&Ordering::Equal) {
        return None;
    }
    Some(true)
}

/// Whether a point lies on a closed triangle.
pub fn contains_point(t: &Triangle, point: DVec3) -> bool {
    segment_meets([point; 2], t).is_some()
}
