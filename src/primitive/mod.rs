//! Triangle against triangle, in f64 and in one frame.
//!
//! `kernel` finds the nearest points and proves them, in any arithmetic; `intersection` is the verdict as far as
//! rounding allows, `touching_verdict` with exact `signs` for pairs that touch or nearly do, `exact` for any pair.
//! `crossing` is where ordinary triangles pierce each other, `piercing` where nearly coplanar ones do, `common_point` where pairs
//! touch. `across_face` tells cheaply what is farther apart than a limit. `settle` takes what plain arithmetic leaves open, `robust` what `settle` leaves, `needle` which vertices are over thin faces; `feature` turns the kernel's codes
//! into features and points, `barycentric` points into weights; `alone` measures one pair for all that is asked of it; `tie` tells the value of pairs that are nearest where another pair is;
//! `path` tells tools which of these a pair needs. `segment_triangle` and `ball_triangle` are what casts ask; `segment_sieve` spares them
//! most triangles, and `segment_inside` most of the arithmetic of the first hit.
//!
//! A pair goes the same way alone (`distance`) and among four (`distance_4`): the kernel in f64, its certificate, the
//! proved hit, `settle`; what stays open goes to `robust`. So both give the same bits, on every instruction set.

mod across_face;
mod alone;
mod ball_triangle;
mod barycentric;
mod common_point;
mod crossing;
mod exact;
mod feature;
mod intersection;
mod kernel;
mod needle;
#[cfg(any(test, feature = "internals"))]
pub mod path;
mod piercing;
mod point_bounds;
pub mod robust;
mod segment_inside;
mod segment_sieve;
mod segment_triangle;
mod settle;
mod signs;
pub mod tie;
mod touching_verdict;

pub use across_face::is_beyond;
pub use alone::Alone;
pub use ball_triangle::first_contact;
pub use barycentric::{barycentric, winding_normal};
pub use exact::segment::segment_crosses;
pub use feature::{Named, UNCERTAIN, features_of};
pub use point_bounds::{PointBounds, point_bounds_4};
pub use segment_sieve::{Estimate, Sifted, sift};
pub use segment_triangle::{Hit as SegmentHit, first_hit, hit_inside};

use crate::simd::lanes::{Real, Truth};
use crate::simd::three::three;
use crossing::Crossing;
use fearless_simd::{Simd, SimdBase, SimdMask, f64x4, f64x8, mask64x4};
use glam::DVec3;
use kernel::Corners;

/// No pair is this near: all are measured.
pub const NEVER: f64 = -1.0;

/// The number of a triangle's inside among its features; 0-2 are its vertices, 3-5 its edges.
pub const FACE: u32 = feature::FACE;

/// Three vertices; segments and points are legal triangles.
pub type Triangle = [DVec3; 3];

/// The distance of two triangles and where it is attained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// 0 exactly when the triangles intersect.
    pub distance: f64,
    /// On A, to rounding; the same point as `point_b` when the triangles intersect.
    pub point_a: DVec3,
    pub point_b: DVec3,
    /// Unit vector from A to B; of intersecting triangles the normal of the pierced or common face, see `robust::contact`.
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

/// A direction from A to B, of length 1, and how far the triangles are apart along it at the least.
#[derive(Clone, Copy, Debug)]
pub struct Witness {
    pub direction: DVec3,
    pub gap: f64,
}

/// A distance and how it came about.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    pub distance: f64,
    /// Whether the robust path measured; only `distance` tells it.
    #[cfg_attr(not(any(test, feature = "internals")), allow(dead_code))]
    robust: bool,
    way: Way,
}

#[derive(Clone, Copy, Debug)]
enum Way {
    Intersecting,
    /// The candidate and its parameters, see `kernel::FIRST_CODE`; no normal where even double-double sees no direction.
    Apart {
        code: usize,
        x: f64,
        y: f64,
        normal: Option<DVec3>,
    },
}

impl Measurement {
    const HIT: Self = Self { distance: 0.0, robust: true, way: Way::Intersecting };
}

/// What the fast path proves.
enum Fast {
    Apart(Measurement),
    Hit,
    Open(Open),
}

struct Open {
    /// Proved not to intersect.
    disjoint: bool,
}

fn corners(t: &Triangle) -> Corners<f64> {
    [t[0].to_array(), t[1].to_array(), t[2].to_array()]
}

fn fast(a: &Corners<f64>, b: &Corners<f64>) -> Fast {
    fast_by(a, b, nearest_code(a, b))
}

/// Called, so that what follows does not wait on the stack of this.
#[inline(never)]
fn nearest_code(a: &Corners<f64>, b: &Corners<f64>) -> f64 {
    kernel::nearest_candidate(a, b).tag()
}

/// `fast`, given the nearest candidate.
fn fast_by(a: &Corners<f64>, b: &Corners<f64>, code: f64) -> Fast {
    let finished = kernel::finish(a, b, code);
    if finished.certified {
        return Fast::Apart(certified(code, &finished));
    }
    let verdict = intersection::verdict(a, b);
    if verdict.hit {
        return Fast::Hit;
    }
    let settled = settle::settle(a, b, code, (true, verdict.miss), false, |_| settle::nearest_code(a, b));
    if settled.hit {
        return Fast::Hit;
    }
    match settled.finished {
        Some((code, finished)) if finished.certified => Fast::Apart(robust::to_outcome(code, &finished, 0, false)),
        _ => Fast::Open(Open { disjoint: settled.miss }),
    }
}

#[inline(always)]
fn certified(code: f64, finished: &kernel::Finished<f64>) -> Measurement {
    let distance = finished.squared.sqrt();
    let normal = DVec3::from_array(finished.between) / distance;
    let way = Way::Apart { code: code as usize, x: finished.x, y: finished.y, normal: Some(normal) };
    Measurement { distance, robust: false, way }
}

fn measure(a: &Triangle, b: &Triangle) -> Measurement {
    outcome(a, b, fast(&corners(a), &corners(b)))
}

fn outcome(a: &Triangle, b: &Triangle, fast: Fast) -> Measurement {
    match fast {
        Fast::Apart(outcome) => outcome,
        Fast::Hit => Measurement { robust: false, ..Measurement::HIT },
        Fast::Open(_) => robust::measure(a, b),
    }
}

/// The three vertices lie exactly on one line, or on one point.
pub fn is_degenerate(triangle: &Triangle) -> bool {
    exact::is_degenerate(triangle)
}

/// Whether the closed triangles have a common point: exact for the given vertices.
#[cfg(any(test, feature = "internals"))]
pub fn intersects(a: &Triangle, b: &Triangle) -> bool {
    let verdict = intersection::verdict(&corners(a), &corners(b));
    verdict.hit || (!verdict.miss && robust::intersects(a, b))
}

/// The value of `closest`, bit for bit, without the points.
#[cfg(any(test, feature = "internals"))]
pub fn distance(a: &Triangle, b: &Triangle) -> Measured {
    let outcome = measure(a, b);
    Measured { distance: outcome.distance, robust: outcome.robust }
}

/// Lengths above this are squared without underflow.
const SMALLEST_LENGTH: f64 = f64::from_bits((1023 - 480) << 52);

/// The smallest distance between a vertex of A and one of B, rounded up: `distance` is not above it. Infinite where
/// vertices are too near to be measured so.
pub fn between_vertices(a: &Triangle, b: &Triangle) -> f64 {
    let mut smallest = f64::INFINITY;
    for p in a {
        for q in b {
            smallest = smallest.min((*p - *q).length());
        }
    }
    // Squares that underflow say nothing.
    if smallest < SMALLEST_LENGTH {
        return f64::INFINITY;
    }
    // What the kernel may add to the true distance: a part in 1e12 of it, or 2^-98 of the longest edge (docs/accuracy.md).
    let edges = a[0].distance(a[1]) + a[0].distance(a[2]) + b[0].distance(b[1]) + b[0].distance(b[2]);
    smallest * (1.0 + 2f64.powi(-38)) + edges * 2f64.powi(-96)
}

/// The distance, the nearest points, the normal and the features.
pub fn closest(a: &Triangle, b: &Triangle) -> Closest {
    located(a, b, measure(a, b))
}

/// `closest`, given the candidate that `distance_4` or `witness_4` found the nearest: the same numbers, without finding it again.
pub fn closest_by(a: &Triangle, b: &Triangle, candidate: f64) -> Closest {
    located(a, b, outcome(a, b, fast_by(&corners(a), &corners(b), feature::code_of(candidate))))
}

/// A triangle and a point, measured by the nearest candidate, a code alone: the numbers of `closest_by`. None where plain arithmetic does
/// not certify them.
pub fn measure_point(a: &Triangle, point: DVec3, candidate: f64) -> Option<Measurement> {
    let finished = kernel::point::finish(&corners(a), &point.to_array(), candidate);
    finished.certified.then(|| certified(candidate, &finished))
}

/// Where that is.
pub fn closest_of_point(a: &Triangle, point: DVec3, measured: Measurement) -> Closest {
    located(a, &[point; 3], measured)
}

fn located(a: &Triangle, b: &Triangle, outcome: Measurement) -> Closest {
    match outcome.way {
        Way::Intersecting => closest_of_intersecting(a, b),
        Way::Apart { code, x, y, normal } => {
            let located = feature::locate(a, b, code, x, y);
            Closest {
                distance: outcome.distance,
                point_a: located.point_a,
                point_b: located.point_b,
                normal: normal.unwrap_or_else(|| robust::contact(a, b).normal),
                feature: located.feature,
            }
        }
    }
}

/// `closest` for a pair that is known to intersect: the common point, the normal and the features.
pub fn closest_of_intersecting(a: &Triangle, b: &Triangle) -> Closest {
    certain(&crossing::crossing(&corners(a), &corners(b))).unwrap_or_else(|| closest_by_piercing(a, b))
}

/// Apart from the above, because it is rarely needed and long.
#[cold]
fn closest_by_piercing(a: &Triangle, b: &Triangle) -> Closest {
    let (corners_a, corners_b) = (corners(a), corners(b));
    certain(&piercing::piercing(&corners_a, &corners_b, true)).unwrap_or_else(|| {
        let common = common_point::common_point(&corners_a, &corners_b, true);
        if !common.certain {
            return closest_of_awkward(a, b);
        }
        let feature = feature::encode(common.feature_a as u32, common.feature_b as u32);
        touching(DVec3::from_array(common.point), DVec3::from_array(common.normal), feature)
    })
}

fn certain(crossing: &Crossing<f64>) -> Option<Closest> {
    let feature = feature::encode_pierced(crossing.edge_of_a, crossing.edge as usize);
    let (point, normal) = (DVec3::from_array(crossing.point), DVec3::from_array(crossing.normal));
    crossing.certain.then_some(touching(point, normal, feature))
}

/// `closest_of_intersecting` for triangles of which no arithmetic but the exact one is certain: thin ones, or such that
/// touch at a vertex or an edge.
pub fn closest_of_awkward(a: &Triangle, b: &Triangle) -> Closest {
    let contact = robust::contact(a, b);
    touching(contact.point, contact.normal, contact.feature)
}

fn touching(point: DVec3, normal: DVec3, feature: u32) -> Closest {
    Closest { distance: 0.0, point_a: point, point_b: point, normal, feature }
}

/// `closest_of_intersecting` of four pairs.
#[derive(Clone, Copy)]
pub struct Touching<S: Simd> {
    /// Lanes in which all this means something, as bits; the others are for `closest_of_awkward`.
    pub certain: u32,
    pub point: [f64x4<S>; 3],
    pub normal: [f64x4<S>; 3],
    pub features: [u32; 4],
}

/// Where four pairs touch that are known to intersect.
#[inline(always)]
pub fn touching_4<S: Simd>(a: &Corners<f64x4<S>>, b: &Corners<f64x4<S>>) -> Touching<S> {
    touching_by(a, b, crossing::crossing(a, b))
}

/// `touching_4` of eight pairs.
#[inline(always)]
pub fn touching_8<S: Simd>(simd: S, halves: &[[Corners<f64x4<S>>; 2]; 2]) -> [Touching<S>; 2] {
    let [a, b] = joined(simd, halves);
    let both = crossing::crossing(&a, &b);
    let (certain, edge_of_a) = (both.certain.to_bitmask(), both.edge_of_a.to_bitmask());
    let point = split(simd, &both.point);
    let normal = split(simd, &both.normal);
    let edge = simd.split_f64x8(both.edge);
    let half = |half: usize, edge: f64x4<S>| Crossing {
        certain: mask64x4::from_bitmask(simd, certain >> (4 * half) & 15),
        edge_of_a: mask64x4::from_bitmask(simd, edge_of_a >> (4 * half) & 15),
        edge,
        point: point[half],
        normal: normal[half],
    };
    let [first, second] = halves;
    [touching_by(&first[0], &first[1], half(0, edge.0)), touching_by(&second[0], &second[1], half(1, edge.1))]
}

/// Four pairs after four pairs: A and B in eight lanes.
#[inline(always)]
fn joined<S: Simd>(simd: S, [first, second]: &[[Corners<f64x4<S>>; 2]; 2]) -> [Corners<f64x8<S>>; 2] {
    let join = |t: usize| {
        three(
            #[inline(always)]
            |v| {
                three(
                    #[inline(always)]
                    |k| simd.combine_f64x4(first[t][v][k], second[t][v][k]),
                )
            },
        )
    };
    [join(0), join(1)]
}

#[inline(always)]
fn split<S: Simd>(simd: S, [x, y, z]: &[f64x8<S>; 3]) -> [[f64x4<S>; 3]; 2] {
    let [x, y, z] = [simd.split_f64x8(*x), simd.split_f64x8(*y), simd.split_f64x8(*z)];
    [[x.0, y.0, z.0], [x.1, y.1, z.1]]
}

#[inline(always)]
fn touching_by<S: Simd>(a: &Corners<f64x4<S>>, b: &Corners<f64x4<S>>, mut crossing: Crossing<f64x4<S>>) -> Touching<S> {
    if !crossing.certain.all() {
        crossing = crossing.or(piercing::piercing(a, b, !crossing.certain));
    }
    let mut touching = piercing_edges(&crossing);
    if !crossing.certain.all() {
        add_common_points(a, b, !crossing.certain, &mut touching);
    }
    touching
}

#[inline(always)]
fn piercing_edges<S: Simd>(crossing: &Crossing<f64x4<S>>) -> Touching<S> {
    let Crossing { certain, edge_of_a, edge, point, normal } = *crossing;
    // Edge 1 or 2, and edge 2: as bits, because a number is expensive to make an index of.
    let (later, last) = (edge.splat(0.5).less(edge).to_bitmask(), edge.splat(1.5).less(edge).to_bitmask());
    let edge_of_a = edge_of_a.to_bitmask();
    let feature = |lane: usize| {
        let edge = (later >> lane & 1) + (last >> lane & 1);
        feature::encode_pierced(edge_of_a >> lane & 1 != 0, edge as usize)
    };
    let features = [feature(0), feature(1), feature(2), feature(3)];
    Touching { certain: certain.to_bitmask() as u32, point, normal, features }
}

#[inline(always)]
fn add_common_points<S: Simd>(
    a: &Corners<f64x4<S>>,
    b: &Corners<f64x4<S>>,
    open: mask64x4<S>,
    touching: &mut Touching<S>,
) {
    let common = common_point::common_point(a, b, open);
    touching.point = kernel::choose::<f64x4<S>>(common.certain, &common.point, &touching.point);
    touching.normal = kernel::choose::<f64x4<S>>(common.certain, &common.normal, &touching.normal);
    let certain = common.certain.to_bitmask() as u32;
    let features = (common.feature_a + common.feature_b * 256.0).to_array();
    for (lane, feature) in features.into_iter().enumerate() {
        if certain >> lane & 1 != 0 {
            touching.features[lane] = feature as u32;
        }
    }
    touching.certain |= certain;
}

/// The vectors of four lanes.
#[inline(always)]
pub fn vectors<S: Simd>(lanes: &[f64x4<S>; 3]) -> [DVec3; 4] {
    let [x, y, z] = [lanes[0].to_array(), lanes[1].to_array(), lanes[2].to_array()];
    [
        DVec3::new(x[0], y[0], z[0]),
        DVec3::new(x[1], y[1], z[1]),
        DVec3::new(x[2], y[2], z[2]),
        DVec3::new(x[3], y[3], z[3]),
    ]
}

/// What `distance_4` and `settle_4` find.
pub struct Distances<S: Simd> {
    pub distances: f64x4<S>,
    /// The nearest candidates, for `closest_by`.
    pub candidates: f64x4<S>,
    /// A bit per lane that is left open.
    pub open: u32,
}

/// Four pairs at once, vertex by vertex and coordinate by coordinate, in plain arithmetic.
///
/// An open lane's distance is not meaningful: `settle_4` goes on with such lanes. A lane that plain arithmetic cannot measure
/// but can prove to be farther than `beyond` is closed as infinitely far, and one that it can prove to be nearer than `near` as
/// something between its distance and `near`. Every other lane has the bits of `distance`. To be inlined into a function that
/// runs under `Simd::vectorize`.
#[inline(always)]
pub fn distance_4<S: Simd>(
    simd: S,
    a: &Corners<f64x4<S>>,
    b: &Corners<f64x4<S>>,
    (near, beyond): (f64, f64),
) -> Distances<S> {
    let candidates = kernel::nearest_candidate(a, b).tag();
    closed(simd, candidates, &kernel::finish(a, b, candidates), (near, beyond))
}

/// `distance_4` of four triangles and one point, as a triangle B with three equal vertices: the same bits, sooner.
#[inline(always)]
pub fn point_distance_4<S: Simd>(simd: S, a: &Corners<f64x4<S>>, point: &[f64x4<S>; 3], beyond: f64) -> Distances<S> {
    let candidates = kernel::point::nearest_candidate(a, point).squared.tag();
    let b = [*point; 3];
    closed(simd, candidates, &kernel::finish(a, &b, candidates), (NEVER, beyond))
}

/// `distance_4`, and for each pair a direction from A to B and how far they are apart along it at the least; no numbers, or
/// numbers that say little, for pairs that touch or nearly do. Certified candidates tell the ends of edges, too.
#[inline(always)]
pub fn witness_4<S: Simd>(
    simd: S,
    a: &Corners<f64x4<S>>,
    b: &Corners<f64x4<S>>,
    beyond: f64,
) -> (Distances<S>, [Witness; 4]) {
    let candidates = kernel::nearest_candidate(a, b).tag();
    let finished = kernel::finish(a, b, candidates);
    let mut distances = closed(simd, candidates, &finished, (NEVER, beyond));
    let named = feature::with_ends(candidates, finished.x, finished.y);
    distances.candidates = Real::select(finished.certified, named, candidates);
    let (direction, gap) = finished.witness();
    let ([p, q, r, s], gaps) = (vectors(&direction), gap.to_array());
    let witnesses = [
        Witness { direction: p, gap: gaps[0] },
        Witness { direction: q, gap: gaps[1] },
        Witness { direction: r, gap: gaps[2] },
        Witness { direction: s, gap: gaps[3] },
    ];
    (distances, witnesses)
}

/// The candidate that is told by the last bits of its squared distance.
#[inline(always)]
pub fn tag_of(squared: f64) -> f64 {
    squared.tag()
}

#[inline(always)]
fn closed<S: Simd>(
    simd: S,
    candidates: f64x4<S>,
    finished: &kernel::Finished<f64x4<S>>,
    (near, beyond): (f64, f64),
) -> Distances<S> {
    let distances = finished.squared.square_root();
    if finished.certified.all() {
        return Distances { distances, candidates, open: 0 };
    }
    let far = !finished.certified & finished.is_beyond(beyond);
    let distances = Real::select(far, simd.splat_f64x4(f64::INFINITY), distances);
    let (above, is_near) = finished.is_within(near);
    let is_near = !finished.certified & is_near;
    let distances = Real::select(is_near, above, distances);
    Distances { distances, candidates, open: (!(finished.certified | far | is_near)).to_bitmask() as u32 }
}

/// Goes on with the lanes that `distance_4` left open. Apart from it, so that the stack of one is free when the other runs.
///
/// For a lane that is still open take `robust::distance` of that pair. `until_touching`: if a lane is proved to intersect, the
/// lanes that would need more than a verdict are closed as infinitely far.
#[inline(always)]
pub fn settle_4<S: Simd>(
    simd: S,
    a: &Corners<f64x4<S>>,
    b: &Corners<f64x4<S>>,
    found: &Distances<S>,
    until_touching: bool,
) -> Distances<S> {
    let Distances { distances, candidates, open } = *found;
    let (zero, infinity) = (simd.splat_f64x4(0.0), simd.splat_f64x4(f64::INFINITY));
    let open = mask64x4::from_bitmask(simd, open as u64);
    let verdict = intersection::verdict(a, b);
    let hit = open & verdict.hit;
    let open = open & !hit;
    let distances = Real::select(hit, zero, distances);
    if (!open).all() || until_touching && signs::any(hit) {
        return Distances { distances: Real::select(open, infinity, distances), candidates, open: 0 };
    }
    let nearest = |wanted: mask64x4<S>| nearest_one_by_one(simd, a, b, wanted.to_bitmask() as u32);
    let settled = settle::settle(a, b, candidates, (open, verdict.miss), until_touching, nearest);
    let distances = Real::select(settled.hit, zero, distances);
    let open = open & !settled.hit;
    let Some((_, finished)) = settled.finished else {
        return Distances { distances: Real::select(open, infinity, distances), candidates, open: 0 };
    };
    let certified = open & finished.certified;
    let distances = Real::select(certified, finished.squared.square_root().rounded(), distances);
    Distances { distances, candidates, open: (open & !certified).to_bitmask() as u32 }
}

/// The nearest candidates of those of four pairs that are wanted, in double-double, one pair after the other: the same bits as in
/// lanes, in a quarter of the stack.
#[inline(never)]
fn nearest_one_by_one<S: Simd>(simd: S, a: &Corners<f64x4<S>>, b: &Corners<f64x4<S>>, wanted: u32) -> f64x4<S> {
    let pair = |corners: &Corners<f64x4<S>>, lane: usize| -> Corners<f64> {
        [0, 1, 2].map(|vertex| [0, 1, 2].map(|axis| corners[vertex][axis].as_slice()[lane]))
    };
    let mut codes = [0.0; 4];
    for (lane, code) in codes.iter_mut().enumerate() {
        if wanted >> lane & 1 != 0 {
            *code = settle::nearest_code(&pair(a, lane), &pair(b, lane));
        }
    }
    f64x4::load_array(simd, codes)
}

/// Four verdicts at once: a bit per lane that intersects, and a bit per lane that is left open.
///
/// For an open lane take `robust::intersects` of that pair. `one_is_enough`: once a lane intersects, lanes that are not decided
/// count as apart.
#[inline(always)]
pub fn intersects_4<S: Simd>(
    _simd: S,
    a: &Corners<f64x4<S>>,
    b: &Corners<f64x4<S>>,
    one_is_enough: bool,
) -> (u32, u32) {
    let verdict = intersection::verdict(a, b);
    let open = !(verdict.hit | verdict.miss);
    let hits = verdict.hit.to_bitmask() as u32;
    if (!open).all() || one_is_enough && hits != 0 {
        return (hits, 0);
    }
    let settled = settle::verdict(a, b, open, one_is_enough);
    let hits = hits | settled.hit.to_bitmask() as u32;
    if one_is_enough && hits != 0 {
        return (hits, 0);
    }
    (hits, (open & !settled.hit & !settled.miss).to_bitmask() as u32)
}

/// `intersects_4` of eight pairs, all of which are decided.
#[inline(always)]
pub fn intersects_8<S: Simd>(simd: S, halves: &[[Corners<f64x4<S>>; 2]; 2]) -> (u32, u32) {
    let [a, b] = joined(simd, halves);
    let verdict = intersection::verdict(&a, &b);
    let mut hits = verdict.hit.to_bitmask() as u32;
    let mut open = (!(verdict.hit | verdict.miss)).to_bitmask() as u32;
    for (half, [a, b]) in halves.iter().enumerate() {
        let undecided = open >> (4 * half) & 15;
        if undecided != 0 {
            let settled = settle::verdict(a, b, mask64x4::from_bitmask(simd, undecided as u64), false);
            hits |= (settled.hit.to_bitmask() as u32) << (4 * half);
            open &= !(((settled.hit | settled.miss).to_bitmask() as u32) << (4 * half));
        }
    }
    (hits, open)
}
