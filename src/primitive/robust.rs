//! The pairs that the certificate refuses: exact verdict first, then the same kernel in double-double.
//!
//! The pair is scaled by a power of two so that its largest coordinate difference is near one, which changes no bit of
//! what follows. Where even then the candidate of plain arithmetic is not proved, all fifteen are computed in double-double.

use super::exact::{self, Meeting};
use super::kernel::{self, Corners, Finished, Vector};
use super::{Fast, Measured, Measurement, Triangle, Way, corners, fast, needle, settle};
use crate::math::double_double::DoubleDouble;
use crate::math::power_of_two::{exponent_above, shift};
use crate::simd::three::{cross, difference, dot};
use glam::DVec3;

/// The distance of a pair that a fast path left open.
pub fn distance(a: &Triangle, b: &Triangle) -> Measured {
    Measured { distance: measure(a, b).distance, robust: true }
}

/// The exact verdict for a pair that a fast path left open.
pub fn intersects(a: &Triangle, b: &Triangle) -> bool {
    exact::meeting(a, b).is_some()
}

/// The smallest distance of triangles that do not intersect.
const SMALLEST_DISTANCE: f64 = f64::from_bits(1);

fn shift_triangle(t: &Triangle, exponent: i32) -> Triangle {
    t.map(|v| DVec3::new(shift(v.x, exponent), shift(v.y, exponent), shift(v.z, exponent)))
}

/// Both triangles in units of 2^exponent, such that their largest coordinate difference is in 1/2..1 (or as near to it
/// as keeps every coordinate below 2^900).
pub fn normalise(a: &Triangle, b: &Triangle) -> (Triangle, Triangle, i32) {
    let vertices = || a.iter().chain(b);
    let largest = vertices().fold(0.0f64, |m, v| m.max(v.abs().max_element()));
    let first = exponent_above(largest);
    let origin = shift_triangle(&[a[0]; 3], -first)[0];
    let span = vertices().fold(0.0f64, |m, v| {
        let near = shift_triangle(&[*v; 3], -first)[0];
        m.max((near - origin).abs().max_element())
    });
    let exponent = first + exponent_above(span).max(-900);
    (shift_triangle(a, -exponent), shift_triangle(b, -exponent), exponent)
}

pub fn precise_corners(t: &Triangle) -> Corners<DoubleDouble> {
    t.map(|v| [v.x.into(), v.y.into(), v.z.into()])
}

pub(super) fn unit(v: &Vector<DoubleDouble>) -> Option<DVec3> {
    let direction = DVec3::new(v[0].to_f64(), v[1].to_f64(), v[2].to_f64());
    let largest = direction.abs().max_element();
    if largest == 0.0 || !direction.is_finite() {
        return None;
    }
    let exponent = exponent_above(largest);
    let near = DVec3::new(shift(direction.x, -exponent), shift(direction.y, -exponent), shift(direction.z, -exponent));
    Some(near / near.length())
}

/// `finished` in units of 2^exponent.
pub(super) fn to_outcome(code: f64, finished: &Finished<DoubleDouble>, exponent: i32, robust: bool) -> Measurement {
    let distance = shift(finished.squared.sqrt().to_f64(), exponent);
    let distance = if distance > 0.0 { distance } else { SMALLEST_DISTANCE };
    Measurement {
        distance,
        robust,
        way: Way::Apart {
            code: code as usize,
            x: finished.x.to_f64(),
            y: finished.y.to_f64(),
            normal: unit(&finished.between),
        },
    }
}

/// Everything about a pair that the fast path left open.
#[cold]
#[inline(never)]
pub(super) fn measure(a: &Triangle, b: &Triangle) -> Measurement {
    let (near_a, near_b, exponent) = normalise(a, b);
    let verdict = match fast_again(&near_a, &near_b) {
        Fast::Apart(outcome) => {
            return Measurement { distance: shift(outcome.distance, exponent), robust: true, ..outcome };
        }
        Fast::Hit => Some(true),
        Fast::Open(open) => open.disjoint.then_some(false),
    };
    // A verdict on scaled vertices counts if nothing was lost: parts that are far smaller than the pair may have become one.
    let is_lossless = || shift_triangle(&near_a, exponent) == *a && shift_triangle(&near_b, exponent) == *b;
    let is_hit = verdict.filter(|_| is_lossless()).unwrap_or_else(|| exact::meeting(a, b).is_some());
    if is_hit {
        return Measurement::HIT;
    }
    let (measured, between) = (precisely(&near_a, &near_b, exponent), nearest_vertices(a, b));
    if between.distance < measured.distance { between } else { measured }
}

/// The nearest two vertices of a pair without a common one. What is not certified is not above it, as
/// `between_vertices` promises.
#[inline(never)]
fn nearest_vertices(a: &Triangle, b: &Triangle) -> Measurement {
    let mut nearest = Measurement { distance: f64::INFINITY, ..Measurement::HIT };
    for (i, p) in a.iter().enumerate() {
        for (j, q) in b.iter().enumerate() {
            let between = *q - *p;
            let exponent = exponent_above(between.abs().max_element());
            let near = shift_triangle(&[between; 3], -exponent)[0];
            let distance = shift(near.length(), exponent);
            if distance < nearest.distance {
                let code = kernel::FIRST_CODE[i] as usize + j;
                let way = Way::Apart { code, x: 0.0, y: 0.0, normal: Some(near / near.length()) };
                nearest = Measurement { distance, robust: true, way };
            }
        }
    }
    nearest
}

// What `measure` needs is apart from it, so that its own stack is small while the exact verdict, which needs the most, is
// found.

#[inline(never)]
fn fast_again(near_a: &Triangle, near_b: &Triangle) -> Fast {
    fast(&corners(near_a), &corners(near_b))
}

/// The distance of a pair that is apart.
#[inline(never)]
fn precisely(near_a: &Triangle, near_b: &Triangle, exponent: i32) -> Measurement {
    let (a, b) = (corners(near_a), corners(near_b));
    let code = settle::nearest_code(&a, &b);
    let finished = settle::finish(&a, &b, code);
    if !finished.certified
        && let Some(outcome) = of_needles(&a, &b, code, exponent)
    {
        return outcome;
    }
    to_outcome(code, &finished, exponent, true)
}

/// The distance of needles that are apart, where it is not that of the nearest candidate.
#[inline(never)]
fn of_needles(a: &Corners<f64>, b: &Corners<f64>, code: f64, exponent: i32) -> Option<Measurement> {
    let (nearest, over) = needle::nearest(a, b);
    if nearest == code {
        return None;
    }
    let finished = settle::finish(a, b, nearest);
    match over {
        _ if finished.certified => Some(to_outcome(nearest, &finished, exponent, true)),
        Some(over) => over.to_outcome(nearest, exponent),
        // Among pairs of edges the kernel's choice is as good.
        None if needle::is_pair_of_points(a, b, code) => None,
        None => Some(to_outcome(nearest, &finished, exponent, true)),
    }
}

/// Where an intersecting pair meets: a point of both triangles, the features, and a unit normal.
pub struct RobustContact {
    pub point: DVec3,
    pub feature: u32,
    pub normal: DVec3,
}

/// The meeting point of a pair that intersects.
///
/// The normal is that of the pierced face; for pairs in one plane that of A, or of B where A has none, or across both
/// segments. It points to the side on which B's vertices lie on average, as seen from A's.
#[cold]
#[inline(never)]
pub fn contact(a: &Triangle, b: &Triangle) -> RobustContact {
    let meeting = exact::meeting(a, b).unwrap_or(Meeting::Flat);
    let (near_a, near_b, _) = normalise(a, b);
    let (precise_a, precise_b) = (precise_corners(&near_a), precise_corners(&near_b));
    let face = |t: &Corners<DoubleDouble>| cross(&difference(&t[1], &t[0]), &difference(&t[2], &t[0]));
    let (normal_a, normal_b) = (face(&precise_a), face(&precise_b));
    let (point, feature, preferred) = match meeting {
        Meeting::Pierced { edge_of_a, edge } => {
            let (from, given, to, normal) =
                if edge_of_a { (&precise_a, a, &precise_b, &normal_b) } else { (&precise_b, b, &precise_a, &normal_a) };
            let start = dot(normal, &difference(&from[edge], &to[0]));
            let end = dot(normal, &difference(&from[(edge + 1) % 3], &to[0]));
            let parameter = (start / (start - end)).to_f64();
            let parameter = if parameter.is_finite() { parameter.clamp(0.0, 1.0) } else { 0.5 };
            (super::feature::on_edge(given, edge, parameter), super::feature::encode_pierced(edge_of_a, edge), *normal)
        }
        Meeting::Flat => {
            let (corners_a, corners_b) = (corners(&near_a), corners(&near_b));
            let code = settle::nearest_code(&corners_a, &corners_b);
            let finished = settle::finish(&corners_a, &corners_b, code);
            let located = super::feature::locate(a, b, code as usize, finished.x.to_f64(), finished.y.to_f64());
            (located.point_a, located.feature, normal_a)
        }
    };
    let normal = unit(&preferred)
        .or_else(|| unit(&normal_a))
        .or_else(|| unit(&normal_b))
        .or_else(|| across_segments(&precise_a, &precise_b))
        .unwrap_or(DVec3::X);
    let middle = |t: &Triangle| t[0] + t[1] + t[2];
    let toward = normal.dot(middle(&near_b) - middle(&near_a));
    RobustContact { point, feature, normal: if toward < 0.0 { -normal } else { normal } }
}

/// A direction across two segments, or across one of them where the other is a point.
fn across_segments(a: &Corners<DoubleDouble>, b: &Corners<DoubleDouble>) -> Option<DVec3> {
    let longest = |t: &Corners<DoubleDouble>| {
        let mut best = difference(&t[1], &t[0]);
        for candidate in [difference(&t[2], &t[1]), difference(&t[0], &t[2])] {
            if dot(&candidate, &candidate).high > dot(&best, &best).high {
                best = candidate;
            }
        }
        best
    };
    let (along_a, along_b) = (longest(a), longest(b));
    unit(&cross(&along_a, &along_b)).or_else(|| {
        let along = unit(&along_a).or_else(|| unit(&along_b))?;
        Some(along.any_orthonormal_vector())
    })
}
