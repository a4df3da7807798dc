//! The family of swept spheres {SPHERE, LSS, RSS, HYBRID} [Larsen 1999, 4]: all points within a radius of a core, which
//! is a point, a segment or a rectangle.
//!
//! Every probe is a rectangle, possibly with sides of length 0. A node has points, segments or rectangles. So three
//! kernels cover all six pairs of cores, and a fourth one is faster for two segments.
//!
//! A core is the set `{centre + x0 axis0 + x1 axis1 : |xi| <= half_i}`. Its axes are the rounded f32 numbers
//! themselves, and the fit measures the radius against that set.
//!
//! # Why the bounds are sound
//!
//! For any vector n, two cores are at least as far apart as their projections on n:
//!
//! ```text
//! gap(n) = (|n . d| - sum of half |n . axis| over all axes of both cores) / |n|,     d between the centres.
//! ```
//!
//! 1. The kernels return the largest gap over a few directions. How a direction was found needs no proof, because every
//!    gap is a lower bound. [Larsen 1999, 4.3.4] falls back to this; here it is always used.
//! 2. A gap is the exact distance when n points from closest point to closest point.
//! 3. For a segment and a rectangle the closest points are exact.
//! 4. For two rectangles the directions are: between approximate closest points, found by alternating projections; both
//!    normals [Larsen 1999, 4.3.2]; and, if a lane is still undecided, across the two edges that hold the approximate
//!    points [Larsen 1999, 4.3.1].
//!
//! # Slack
//!
//! `u`, `r`, `T`, `Q`, `D` are as in `obb`.
//! 1. The probe's centre is off by `u (13.2 r + 2.8 T)`. Its axes are off by `6.9 u` each, which moves a point by `9.8
//!    u r`.
//! 2. In `gap`, `d` and its product cost `4 u D`. The products with axes cost `5 u` times halves whose sum is below
//!    `1.5 r` and `1.5 Q`. The subtractions cost `5 u (D + 1.5 r + 1.5 Q)`, the radii `u (2 r + 2 (D + r + Q))`.
//! 3. The gaps along normals leave out a core's own axes, whose product with the computed normal is below `4 u`: `6 u
//!    r` or `6 u Q`.
//! 4. Together: `u (59 r + 14 T + 34 Q)`. The relative errors of the norm, and of the length of the normals, which is
//!    not divided by, stay below `20 u`. The factor in the unit of the motion covers them.
//! 5. A point and a rectangle: the distance to an almost closest point of the rectangle exceeds the distance by at most
//!    the distance of the two points. With axes that are orthonormal to `14 u`, that is `28 u r + 5 u D`, in place of
//!    the terms of axes and normals above.
//! 6. If n is so short that its square could lose digits, the gap is divided by `SHORT` instead, which only brings it
//!    nearer to 0.
//! 7. On the f64 path the normals are not used, because their length is 1 to f32 only. A point and a rectangle err by
//!    the f32 rounding of the axes times `r`, which `Slack::stored` covers.
//!
//! `slack_shares` finds inputs that need 0.033 of it for spheres, 0.035 for segments, 0.033 for rectangles and 0.039
//! for hybrids in f32, and nothing in f64. Centre, half lengths and radius together are at most `r`, so the terms of
//! the centre, of the axes and of the radii never occur together.
//!
//! # Compilation
//!
//! The two longer kernels are not inlined. Every volume of the family can be paired with every other, and a copy of a
//! kernel in each search of each pair would cost minutes of compilation.

use crate::math::motion::Motion;
use crate::simd::eight::{Eight, Element, bits, choose3, load3, splat3};
use crate::simd::three::{cross, difference, dot, minus_scaled, plus_scaled};
use crate::volume::swept::rss::Rss;
use crate::volume::{Family, Slack};
use fearless_simd::Simd;

/// The slack of all kernels of the family.
pub const SLACK: Slack = Slack { source: 72.0, translation: 16.0, target: 40.0, stored: 8.0 };

/// Directions shorter than this are not normalised: their square would be near the smallest f32.
const SHORT: f64 = 1e-15;

/// Volumes whose core is a point, a segment or a rectangle.
pub struct SweptSpheres;

impl Family for SweptSpheres {
    type Probe<E: Element> = RectangleProbe<E>;
}

/// One swept sphere volume in the other model's frame.
#[derive(Clone, Copy, Debug)]
pub struct RectangleProbe<E> {
    pub centre: [E; 3],
    /// An axis with half length 0 may be 0 itself.
    pub axes: [[E; 3]; 2],
    pub normal: [E; 3],
    pub half: [E; 2],
    pub radius: E,
}

impl<E: Element> RectangleProbe<E> {
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, source: &Rss, motion: &Motion<E>) -> Self {
        let axes = [motion.turn(simd, source.axes[0]), motion.turn(simd, source.axes[1])];
        Self {
            centre: motion.place(simd, source.centre),
            axes,
            normal: cross(&axes[0], &axes[1]),
            half: [E::from_f32(source.half[0]) * motion.ratio, E::from_f32(source.half[1]) * motion.ratio],
            radius: E::from_f32(source.radius) * motion.ratio,
        }
    }
}

/// The product with a vector that is the same in all lanes.
#[inline(always)]
fn clamp<S: Simd, L: Eight<S>>(value: L, half: L) -> L {
    value.larger(-half).smaller(half)
}

/// From the probe's centre to the lanes' centres.
#[inline(always)]
fn between<S: Simd, L: Eight<S>>(simd: S, centre: &[[f32; 8]; 3], probe: &RectangleProbe<L::Element>) -> [L; 3] {
    let centre = load3::<S, L>(simd, centre);
    difference(&centre, &probe.centre)
}

/// Half the width of the probe's projection on `n`, times the length of `n`.
#[inline(always)]
fn probe_radius<S: Simd, L: Eight<S>>(n: &[L; 3], probe: &RectangleProbe<L::Element>) -> L {
    dot(n, &probe.axes[0]).abs() * probe.half[0] + dot(n, &probe.axes[1]).abs() * probe.half[1]
}

/// `numerator / |n|`, and `|n|`.
#[inline(always)]
fn per_length<S: Simd, L: Eight<S>>(simd: S, numerator: L, n: &[L; 3]) -> (L, L) {
    let length = dot(n, n).sqrt();
    (numerator / length.larger(L::splat(simd, L::Element::from_f64(SHORT))), length)
}

/// Distance of the lanes' points from the probe's rectangle.
#[inline(always)]
pub fn point_rectangle<S: Simd, L: Eight<S>>(simd: S, centre: &[[f32; 8]; 3], probe: &RectangleProbe<L::Element>) -> L {
    let d = between::<S, L>(simd, centre, probe);
    let (first, second) = (&probe.axes[0], &probe.axes[1]);
    let s0 = clamp(dot(&d, first), L::splat(simd, probe.half[0]));
    let s1 = clamp(dot(&d, second), L::splat(simd, probe.half[1]));
    let x: [L; 3] = minus_scaled(&minus_scaled(&d, s0, first), s1, second);
    dot(&x, &x).sqrt()
}

/// Eight segments; rows of eight lanes.
pub struct Segments<'a> {
    pub centre: &'a [[f32; 8]; 3],
    pub axis: &'a [[f32; 8]; 3],
    pub half: &'a [f32; 8],
}

/// A lower bound of the distance of the lanes' segments from the probe's rectangle, exact to rounding.
///
/// The squared distance from the rectangle of the point at `t` along the segment is convex. Half its derivative is `d .
/// b + t - s0(t) R0 - s1(t) R1`, with `si(t)` the clamped coordinates on the rectangle. It is linear between the at
/// most four places where a coordinate meets an end of its side. The signs at these places bracket the root.
#[inline(never)]
pub fn segment_rectangle<S: Simd, L: Eight<S>>(simd: S, lanes: &Segments, probe: &RectangleProbe<L::Element>) -> L {
    simd.vectorize(
        #[inline(always)]
        || {
            // Most probes of an LSS hierarchy are segments, and the second side of the rectangle is most of the work.
            if probe.half[1] == L::Element::from_f64(0.0) {
                segment_segment(simd, lanes, probe)
            } else {
                segment_rectangle_inline(simd, lanes, probe)
            }
        },
    )
}

/// The same bound for a probe whose rectangle is a segment: the nearest points of the lines, each clamped to its
/// segment.
#[inline(always)]
fn segment_segment<S: Simd, L: Eight<S>>(simd: S, lanes: &Segments, probe: &RectangleProbe<L::Element>) -> L {
    let d = between::<S, L>(simd, lanes.centre, probe);
    let b = load3::<S, L>(simd, lanes.axis);
    let (half, probe_half) = (L::load(simd, lanes.half), L::splat(simd, probe.half[0]));
    let first = &probe.axes[0];
    let (r, x, along) = (dot(&b, first), dot(&d, first), dot(&d, &b));
    let one = L::splat(simd, L::Element::from_f64(1.0));
    // On parallel lines any point is good to begin with.
    let apart = (one - r * r).larger(L::splat(simd, L::Element::from_f64(SHORT)));
    let s = clamp((x - r * along) / apart, probe_half);
    let t = clamp(s * r - along, half);
    let s = clamp(x + t * r, probe_half);
    let n: [L; 3] = minus_scaled(&plus_scaled(&d, t, &b), s, first);
    let numerator = dot(&n, &d).abs() - dot(&n, first).abs() * probe.half[0] - dot(&n, &b).abs() * half;
    per_length(simd, numerator, &n).0
}

#[inline(always)]
fn segment_rectangle_inline<S: Simd, L: Eight<S>>(simd: S, lanes: &Segments, probe: &RectangleProbe<L::Element>) -> L {
    let d = between::<S, L>(simd, lanes.centre, probe);
    let b = load3::<S, L>(simd, lanes.axis);
    let half = L::load(simd, lanes.half);
    let (first, second) = (&probe.axes[0], &probe.axes[1]);
    let halves = [L::splat(simd, probe.half[0]), L::splat(simd, probe.half[1])];
    let r = [dot(&b, first), dot(&b, second)];
    let x = [dot(&d, first), dot(&d, second)];
    let along = dot(&d, &b);
    let slope = Slope { along, x, r, halves };
    let short = L::splat(simd, L::Element::from_f64(SHORT));
    let zero = L::splat(simd, L::Element::from_f64(0.0));
    let one = L::splat(simd, L::Element::from_f64(1.0));
    let inverse = [one / r[0].abs().larger(short).copysign(r[0]), one / r[1].abs().larger(short).copysign(r[1])];
    let whole = Bracket { low: -half, at_low: slope.at(-half), high: half, at_high: slope.at(half) };
    // The derivative never falls, so places and values of each side can be compared independently.
    let near = [
        whole.with(&slope, clamp((-halves[0] - x[0]) * inverse[0], half), zero),
        whole.with(&slope, clamp((halves[0] - x[0]) * inverse[0], half), zero),
        whole.with(&slope, clamp((-halves[1] - x[1]) * inverse[1], half), zero),
        whole.with(&slope, clamp((halves[1] - x[1]) * inverse[1], half), zero),
    ];
    let Bracket { low, at_low, high, at_high } = near[0].and(&near[1]).and(&near[2].and(&near[3]));
    // If the derivative has not changed its sign, the end itself is the nearest point.
    let (fall, rise) = ((-at_low).larger(zero), at_high.larger(zero));
    let share = fall / (fall + rise).larger(short);
    let t = low + (high - low) * share.smaller(one);
    let s0 = clamp(x[0] + t * r[0], halves[0]);
    let s1 = clamp(x[1] + t * r[1], halves[1]);
    let n: [L; 3] = minus_scaled(&minus_scaled(&plus_scaled(&d, t, &b), s0, first), s1, second);
    let numerator = dot(&n, &d).abs() - probe_radius(&n, probe) - dot(&n, &b).abs() * half;
    per_length(simd, numerator, &n).0
}

/// Half the derivative of the squared distance from a rectangle along a segment.
struct Slope<L> {
    along: L,
    x: [L; 2],
    r: [L; 2],
    halves: [L; 2],
}

impl<L> Slope<L> {
    #[inline(always)]
    fn at<S: Simd>(&self, t: L) -> L
    where
        L: Eight<S>,
    {
        let s0 = clamp(self.x[0] + t * self.r[0], self.halves[0]);
        let s1 = clamp(self.x[1] + t * self.r[1], self.halves[1]);
        self.along + t - s0 * self.r[0] - s1 * self.r[1]
    }
}

/// A place where the derivative is negative and a place where it is not, with its values there.
#[derive(Clone, Copy)]
struct Bracket<L> {
    low: L,
    at_low: L,
    high: L,
    at_high: L,
}

impl<L> Bracket<L> {
    /// The bracket narrowed by one more place.
    #[inline(always)]
    fn with<S: Simd>(&self, slope: &Slope<L>, place: L, zero: L) -> Self
    where
        L: Eight<S>,
    {
        let value = slope.at(place);
        let descends = zero.greater(value);
        Self {
            low: L::choose(descends, place, self.low),
            at_low: L::choose(descends, value, self.at_low),
            high: L::choose(descends, self.high, place),
            at_high: L::choose(descends, self.at_high, value),
        }
    }

    /// The intersection of both brackets.
    #[inline(always)]
    fn and<S: Simd>(&self, other: &Self) -> Self
    where
        L: Eight<S>,
    {
        Self {
            low: self.low.larger(other.low),
            at_low: self.at_low.larger(other.at_low),
            high: self.high.smaller(other.high),
            at_high: self.at_high.smaller(other.at_high),
        }
    }
}

/// A lower bound of the distance of the lanes' rectangles from the probe's rectangle. Lanes that are already beyond
/// `beyond`, or that no bound can bring there, are not refined.
#[inline(never)]
pub fn rectangle_rectangle<S: Simd, L: Eight<S>>(
    simd: S,
    centre: &[[f32; 8]; 3],
    axes: &[[[f32; 8]; 3]; 2],
    half: &[[f32; 8]; 2],
    probe: &RectangleProbe<L::Element>,
    beyond: L,
) -> L {
    simd.vectorize(
        #[inline(always)]
        || rectangle_rectangle_inline(simd, centre, axes, half, probe, beyond),
    )
}

#[inline(always)]
fn rectangle_rectangle_inline<S: Simd, L: Eight<S>>(
    simd: S,
    centre: &[[f32; 8]; 3],
    axes: &[[[f32; 8]; 3]; 2],
    half: &[[f32; 8]; 2],
    probe: &RectangleProbe<L::Element>,
    beyond: L,
) -> L {
    let d = between::<S, L>(simd, centre, probe);
    let b = [load3::<S, L>(simd, &axes[0]), load3::<S, L>(simd, &axes[1])];
    let k = [L::load(simd, &half[0]), L::load(simd, &half[1])];
    let h = [L::splat(simd, probe.half[0]), L::splat(simd, probe.half[1])];
    let (a0, a1) = (&probe.axes[0], &probe.axes[1]);
    let r = [[dot(&b[0], a0), dot(&b[1], a0)], [dot(&b[0], a1), dot(&b[1], a1)]];
    let d_probe = [dot(&d, a0), dot(&d, a1)];
    let d_lane = [dot(&d, &b[0]), dot(&d, &b[1])];
    // Alternating projections, from the point of the probe nearest to the lane's centre. One round only: each step
    // waits for the one before, and a second round gains little.
    let s = [clamp(d_probe[0], h[0]), clamp(d_probe[1], h[1])];
    let t = [
        clamp(r[0][0] * s[0] + r[1][0] * s[1] - d_lane[0], k[0]),
        clamp(r[0][1] * s[0] + r[1][1] * s[1] - d_lane[1], k[1]),
    ];
    let s = [
        clamp(r[0][0] * t[0] + r[0][1] * t[1] + d_probe[0], h[0]),
        clamp(r[1][0] * t[0] + r[1][1] * t[1] + d_probe[1], h[1]),
    ];
    let n: [L; 3] =
        minus_scaled(&minus_scaled(&plus_scaled(&plus_scaled(&d, t[0], &b[0]), t[1], &b[1]), s[0], a0), s[1], a1);
    let lane_radius = dot(&n, &b[0]).abs() * k[0] + dot(&n, &b[1]).abs() * k[1];
    let numerator = dot(&n, &d).abs() - probe_radius(&n, probe) - lane_radius;
    let (mut bound, upper) = per_length(simd, numerator, &n);
    if L::IS_F64 {
        return bound;
    }
    let along_probe =
        dot(&d, &probe.normal).abs() - dot(&b[0], &probe.normal).abs() * k[0] - dot(&b[1], &probe.normal).abs() * k[1];
    let normal = cross(&b[0], &b[1]);
    let along_lane = dot(&d, &normal).abs() - probe_radius(&normal, probe);
    bound = bound.larger(along_probe).larger(along_lane);
    let undecided = !bound.greater(beyond) & upper.greater(beyond);
    if bits(undecided) == 0 {
        return bound;
    }
    // Across the edges that hold the two points, or are nearest to hold them: those along which the points are more
    // central.
    let first_probe = (s[1].abs() * h[0]).greater(s[0].abs() * h[1]);
    let first_lane = (t[1].abs() * k[0]).greater(t[0].abs() * k[1]);
    let edge_probe: [L; 3] = choose3(first_probe, &splat3(simd, a0), &splat3(simd, a1));
    let edge_lane: [L; 3] = choose3(first_lane, &b[0], &b[1]);
    let n = cross(&edge_probe, &edge_lane);
    let lane_radius = dot(&n, &b[0]).abs() * k[0] + dot(&n, &b[1]).abs() * k[1];
    let numerator = dot(&n, &d).abs() - probe_radius(&n, probe) - lane_radius;
    bound.larger(per_length(simd, numerator, &n).0)
}
