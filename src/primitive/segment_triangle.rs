//! The first point at which a segment meets a triangle.
//!
//! Whether they meet is exact (`exact::segment`). The time is computed in double-double from the same volumes. For segments
//! through the plane it is off by less than 2^-40 of the segment unless the segment is within 2^-50 of the plane; ends that
//! lie on the triangle have the times 0 and 1 exactly.

use super::barycentric::{barycentric, point_at};
use super::exact::segment::{Met, contains_point, segment_meets};
use super::kernel::Vector;
use super::segment_inside::Inside;
use super::{Triangle, closest};
use crate::math::double_double::{Double, DoubleDouble};
use crate::math::power_of_two::{exponent_above, shift};
use crate::simd::lanes::Real;
use crate::simd::level::{Operation, dispatch, level};
use crate::simd::three::{cross, difference, dot, three};
use core::cmp::Ordering;
use fearless_simd::{Simd, SimdBase, f64x4};
use glam::DVec3;

/// Where a segment first meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// 0 at the start of the segment, 1 at its end.
    pub time: f64,
    pub point: DVec3,
    pub barycentric: [f64; 3],
    /// 0-2 vertex, 3-5 edge, 6 face.
    pub feature: u32,
    /// Greater: the segment comes from the side that the winding's normal points to; Less: from the other; Equal: neither.
    pub from_side: Ordering,
}

/// A vector in double-double.
fn precise(v: DVec3) -> Vector<DoubleDouble> {
    [v.x.into(), v.y.into(), v.z.into()]
}

/// A quotient as a share of a whole.
fn as_share(part: DoubleDouble, whole: DoubleDouble) -> f64 {
    clamped((part / whole).to_f64())
}

fn clamped(share: f64) -> f64 {
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}

/// Where a segment crosses a plane: when, and the weights of the triangle's vertices there.
struct Through<'a> {
    p: [DVec3; 2],
    t: &'a Triangle,
    turns: [Ordering; 3],
}

impl Operation for Through<'_> {
    type Output = (f64, [f64; 3]);

    /// Five volumes `(b - a) x (c - a) . (d - a)`: of the triangle and each end, and of the segment and each edge. Each vertex weighs
    /// as much as the segment turns around the edge that faces it.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Self { p, t, turns } = self;
        let lanes = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| {
            let row = |a, b, c, d| Double::exactly(f64x4::load_array(simd, [a, b, c, d]));
            [row(a.x, b.x, c.x, d.x), row(a.y, b.y, c.y, d.y), row(a.z, b.z, c.z, d.z)]
        };
        let given = |a: &Vector<Double<f64x4<S>>>, b: &Vector<Double<f64x4<S>>>| {
            three(
                #[inline(always)]
                |k| a[k].minus_given(b[k]),
            )
        };
        let from = lanes(t[0], p[0], p[0], p[0]);
        let first = given(&lanes(t[1], p[1], p[1], p[1]), &from);
        let second = given(&lanes(t[2], t[0], t[1], t[2]), &from);
        let normal = cross(&first, &second);
        let volumes = dot(&normal, &given(&lanes(p[0], t[1], t[2], t[0]), &from));
        let (high, low) = (volumes.high.to_array(), volumes.low.to_array());
        let volume = |lane: usize| DoubleDouble { high: high[lane], low: low[lane] };
        let normal = normal.map(|entry| DoubleDouble { high: entry.high.to_array()[0], low: entry.low.to_array()[0] });
        let to_end = precise(p[1]);
        let corner = precise(t[0]);
        let to_end = three(
            #[inline(always)]
            |k| to_end[k].minus_given(corner[k]),
        );
        let (start, end) = (volume(0), dot(&normal, &to_end));
        let turn = |k: usize| match turns[k] {
            Ordering::Equal => DoubleDouble::from(0.0),
            _ => volume(k + 1),
        };
        let turn = [turn(0), turn(1), turn(2)];
        let (length, whole) = (start - end, turn[0] + turn[1] + turn[2]);
        let pack = |[a, b, c, d]: [DoubleDouble; 4]| Double {
            high: f64x4::load_array(simd, [a.high, b.high, c.high, d.high]),
            low: f64x4::load_array(simd, [a.low, b.low, c.low, d.low]),
        };
        let parts = pack([start, turn[1], turn[2], turn[0]]);
        let [time, x, y, z] = parts.rounded_quotient(pack([length, whole, whole, whole])).to_array();
        let weights = [clamped(x), clamped(y), clamped(z)];
        // A segment that nearly runs in the plane may leave no sum that double-double can tell from 0.
        (clamped(time), if weights == [0.0; 3] { [1.0 / 3.0; 3] } else { weights })
    }
}

/// `first_hit` for a segment that is known to cross the inside of the triangle, from the given side. `about` is a guess at the time and
/// at the weights of the second and the third vertex.
#[inline(always)]
pub fn hit_inside<S: Simd>(simd: S, p: [DVec3; 2], t: &Triangle, about: [f64; 3], from_side: Ordering) -> Hit {
    let (time, weights) = Inside(p, t, about).run(simd).unwrap_or_else(|| through(p, t, [from_side; 3]));
    Hit { time, point: point_at(t, weights), barycentric: weights, feature: ON_FACE, from_side }
}

/// The time and the weights where a segment crosses a plane and turns like that around a triangle's edges.
#[inline(never)]
pub(super) fn through(p: [DVec3; 2], t: &Triangle, turns: [Ordering; 3]) -> (f64, [f64; 3]) {
    dispatch(level(), Through { p, t, turns })
}

/// Where the closed segment from `p[0]` to `p[1]` first meets the closed triangle; the segment may be a point.
pub fn first_hit(p: [DVec3; 2], t: &Triangle) -> Option<Hit> {
    Some(match segment_meets(p, t)? {
        Met::Through { sides, turns } => {
            let (time, weights) = through(p, t, turns);
            let time = match sides {
                [Ordering::Equal, _] => 0.0,
                [_, Ordering::Equal] => 1.0,
                _ => time,
            };
            let from_side = if sides[0] == Ordering::Equal { sides[1].reverse() } else { sides[0] };
            Hit { time, point: point_at(t, weights), barycentric: weights, feature: feature_of(turns), from_side }
        }
        Met::InPlane => at(p, t, time_in_plane(p, t)),
        Met::Degenerate => at(p, t, time_on_line(p, t)),
    })
}

/// The feature of hits inside of a triangle.
const ON_FACE: u32 = 6;

/// On an edge where the segment does not turn around the edge, on a vertex where that is true of two.
fn feature_of(turns: [Ordering; 3]) -> u32 {
    match turns.map(|turn| turn == Ordering::Equal) {
        [true, _, true] => 0,
        [true, true, _] => 1,
        [_, true, true] => 2,
        [true, ..] => 3,
        [_, true, _] => 4,
        [.., true] => 5,
        _ => ON_FACE,
    }
}

/// A hit in the plane of the triangle.
fn at(p: [DVec3; 2], t: &Triangle, time: f64) -> Hit {
    let on_segment = p[0] * (1.0 - time) + p[1] * time;
    let nearest = closest(t, &[on_segment; 3]);
    let feature = nearest.feature & 0xff;
    let weights = barycentric(t, feature, nearest.point_a);
    Hit { time, point: nearest.point_a, barycentric: weights, feature, from_side: Ordering::Equal }
}

/// The time at which a segment in the triangle's plane has crossed the last of the edges whose outer side it starts on.
fn time_in_plane(p: [DVec3; 2], t: &Triangle) -> f64 {
    if p[0] == p[1] || contains_point(t, p[0]) {
        return 0.0;
    }
    let corners = t.map(precise);
    let normal = cross(&difference(&corners[1], &corners[0]), &difference(&corners[2], &corners[0]));
    let mut time: f64 = 0.0;
    for k in 0..3 {
        let edge = difference(&corners[(k + 1) % 3], &corners[k]);
        let inward = cross(&normal, &edge);
        let [start, end] = p.map(|end| dot(&inward, &difference(&precise(end), &corners[k])));
        if start.to_f64() < 0.0 {
            time = time.max(as_share(start, start - end));
        }
    }
    time
}

/// The time at which a segment meets a triangle that is a segment or a point.
fn time_on_line(p: [DVec3; 2], t: &Triangle) -> f64 {
    if p[0] == p[1] || contains_point(t, p[0]) {
        return 0.0;
    }
    // In units of the segment, whose square may be below all numbers.
    let exponent = exponent_above((p[1] - p[0]).abs().max_element());
    let from_start = |point: DVec3| DVec3::from_array((point - p[0]).to_array().map(|x| shift(x, -exponent)));
    let along = from_start(p[1]);
    let time = |point: DVec3| (from_start(point).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    // Along one line the first vertex on the segment is met first, across it the one common point.
    let on_segment = t.iter().filter(|vertex| contains_point(&[p[0], p[1], p[1]], **vertex));
    on_segment
        .map(|vertex| time(*vertex))
        .reduce(f64::min)
        .unwrap_or_else(|| time(closest(t, &[p[0], p[1], p[1]]).point_b))
}
