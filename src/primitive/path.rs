//! Which arithmetic decides, measures and locates a pair, for tools that count: the steps of `intersects_4`, `distance_4` with
//! `settle_4`, and `touching_4`, one pair at a time.

use super::{Corners, Fast, Triangle, common_point, corners, crossing, fast, intersection, kernel, nearest_code};
use super::{piercing, settle};

/// What tells whether two triangles intersect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictPath {
    /// Plain arithmetic, in lanes.
    Filter,
    /// Exact signs in a fixed number of operations, in lanes.
    Signs,
    /// Exact predicates, one pair at a time.
    Exact,
}

/// What tells the distance of two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistancePath {
    /// Plain arithmetic and its certificate, in lanes.
    Plain,
    /// The pair intersects, as the filter or the exact signs tell, in lanes.
    Touching,
    /// The nearest candidate of plain arithmetic, finished in double-double, in lanes.
    Finish,
    /// All candidates in double-double, or scaled and exact: one pair at a time.
    Robust,
}

/// What tells where two intersecting triangles touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacePath {
    /// Triangles across each other, in lanes.
    Crossing,
    /// Nearly coplanar ones that pierce each other, in lanes.
    Piercing,
    /// A vertex inside or on an edge, crossing edges, one plane: in lanes.
    CommonPoint,
    /// Exact predicates and double-double, one pair at a time.
    Exact,
}

pub fn of_verdict(a: &Triangle, b: &Triangle) -> VerdictPath {
    let (a, b) = (corners(a), corners(b));
    let plain = intersection::verdict(&a, &b);
    if plain.hit || plain.miss {
        return VerdictPath::Filter;
    }
    let signs = settle::verdict(&a, &b, true, false);
    if signs.hit || signs.miss { VerdictPath::Signs } else { VerdictPath::Exact }
}

pub fn of_distance(a: &Triangle, b: &Triangle) -> DistancePath {
    let (a, b): (Corners<f64>, Corners<f64>) = (corners(a), corners(b));
    let code = nearest_code(&a, &b);
    if kernel::finish(&a, &b, code).certified {
        return DistancePath::Plain;
    }
    match fast(&a, &b) {
        Fast::Hit => DistancePath::Touching,
        Fast::Apart(_) if settle::finish(&a, &b, code).certified => DistancePath::Finish,
        _ => DistancePath::Robust,
    }
}

/// For a pair that intersects.
pub fn of_place(a: &Triangle, b: &Triangle) -> PlacePath {
    let (a, b) = (corners(a), corners(b));
    if crossing::crossing(&a, &b).certain {
        PlacePath::Crossing
    } else if piercing::piercing(&a, &b, true).certain {
        PlacePath::Piercing
    } else if common_point::common_point(&a, &b, true).certain {
        PlacePath::CommonPoint
    } else {
        PlacePath::Exact
    }
}
