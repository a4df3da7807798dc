//! A point of both triangles of a pair that is known to intersect, where `crossing` and `piercing` are not certain: pairs that
//! touch, lie in one plane, or nearly do.
//!
//! Candidates in this order: a common vertex, a vertex of A on B, a vertex of B on A, edges that cross in a common plane, an edge
//! of A through B's plane, an edge of B through A's. Each is on its own triangle by construction, and taken if it is on the other
//! one to rounding: `CLOSE` units in the last place of the largest coordinate above its plane and beyond its edges. So nothing
//! here needs to be exact: the pair is known to touch, and a candidate is what it was measured to be.
//!
//! Rounding, with u = 2^-53, L the largest coordinate, n the normal from the two shorter edges f and g: a height n.r / |n| is off by
//! 48uL |f||g| / |n| (see `intersection`), which faces with |n| at least `FLAT_ENOUGH` |f||g| bound; a distance from an edge, seen along
//! the axis of the largest coordinate of n, is off by 4uL.

use super::crossing::{Face, face};
use super::kernel::{Corners, Vector, choose};
use super::signs::is_zero;
use super::touching_verdict::Seen;
use crate::simd::lanes::{Real, Truth};
use crate::simd::three::{difference, dot, three};

/// Units in the last place of the largest coordinate that a point may be off the other triangle.
const CLOSE: f64 = 4.0 * f64::from_bits((1023 - 53) << 52);
/// A face whose normal is shorter than this part of the product of its shorter edges has none that is good enough.
const FLAT_ENOUGH: f64 = 1.0 / 16.0;
/// Sizes of faces between these: their squares are far from both ends of the range of f64.
const SMALLEST_SIZE: f64 = f64::from_bits((1023 - 240) << 52);
const LARGEST_SIZE: f64 = f64::from_bits((1023 + 240) << 52);

/// A point of both triangles.
#[derive(Clone, Copy)]
pub struct Common<R: Real> {
    /// Where this is false the rest means nothing.
    pub certain: R::Mask,
    pub point: Vector<R>,
    /// Of unit length, towards B.
    pub normal: Vector<R>,
    /// 0-2 vertex, 3-5 edge, 6 face.
    pub feature_a: R,
    pub feature_b: R,
}

/// A triangle as the other one's points are compared with it.
struct Ground<R: Real> {
    corner: Vector<R>,
    /// Of unit length.
    normal: Vector<R>,
    usable: R::Mask,
    seen: Seen<R>,
    corners: [[R; 2]; 3],
    /// Seen edges, turned such that the inside is on their positive side, and how far a point may be off in their product.
    edges: [[R; 2]; 3],
    slack: [R; 3],
    close: R,
}

/// How a point lies above a triangle.
#[derive(Clone, Copy)]
struct Above<R: Real> {
    height: R,
    /// The products with the three edges: positive inside.
    inside: [R; 3],
}

impl<R: Real> Ground<R> {
    #[inline(always)]
    fn of(t: &Corners<R>, largest: R) -> Self {
        let Face { normal, sizes } = face(t);
        let length = dot(&normal, &normal).square_root();
        let usable = (sizes * FLAT_ENOUGH).less_or_equal(length)
            & sizes.splat(SMALLEST_SIZE).less_or_equal(sizes)
            & sizes.less_or_equal(sizes.splat(LARGEST_SIZE));
        let seen = Seen::<R>::along(&normal);
        let corners = seen.points(t);
        let turn = {
            let (e, f) = (minus(&corners[1], &corners[0]), minus(&corners[2], &corners[0]));
            wedge(&e, &f).less(length.splat(0.0))
        };
        let close = largest * CLOSE;
        let edges = three(
            #[inline(always)]
            |k| {
                let [x, y] = minus(&corners[(k + 1) % 3], &corners[k]);
                [R::select(turn, -x, x), R::select(turn, -y, y)]
            },
        );
        let slack = three(
            #[inline(always)]
            |k| (edges[k][0].absolute() + edges[k][1].absolute()) * close,
        );
        let normal = [normal[0] / length, normal[1] / length, normal[2] / length];
        Self { corner: t[0], normal, usable, seen, corners, edges, slack, close }
    }

    #[inline(always)]
    fn above(&self, point: &Vector<R>) -> Above<R> {
        let seen = self.seen.point(point);
        Above {
            height: dot(&self.normal, &difference(point, &self.corner)),
            inside: three(
                #[inline(always)]
                |k| wedge(&self.edges[k], &minus(&seen, &self.corners[k])),
            ),
        }
    }

    #[inline(always)]
    fn is_low(&self, height: R) -> R::Mask {
        height.absolute().less_or_equal(self.close)
    }

    /// Whether a point is on the triangle, to rounding.
    #[inline(always)]
    fn holds(&self, above: &Above<R>) -> R::Mask {
        self.usable
            & self.is_low(above.height)
            & (-self.slack[0]).less_or_equal(above.inside[0])
            & (-self.slack[1]).less_or_equal(above.inside[1])
            & (-self.slack[2]).less_or_equal(above.inside[2])
    }

    /// The vertex, edge or face that a point of the triangle is on.
    #[inline(always)]
    fn feature(&self, above: &Above<R>) -> R {
        let on = three(
            #[inline(always)]
            |k| above.inside[k].less_or_equal(self.slack[k]),
        );
        let [zero, one, two] = [self.close.splat(0.0), self.close.splat(1.0), self.close.splat(2.0)];
        let [three, four, five, six] =
            [self.close.splat(3.0), self.close.splat(4.0), self.close.splat(5.0), self.close.splat(6.0)];
        let vertex = R::select(on[0] & on[1], one, R::select(on[1] & on[2], two, zero));
        let edge = R::select(on[0], three, R::select(on[1], four, five));
        let on_two = on[0] & on[1] | on[1] & on[2] | on[2] & on[0];
        R::select(on_two, vertex, R::select(on[0] | on[1] | on[2], edge, six))
    }
}

#[inline(always)]
fn minus<R: Real>(p: &[R; 2], q: &[R; 2]) -> [R; 2] {
    [p[0] - q[0], p[1] - q[1]]
}

#[inline(always)]
fn wedge<R: Real>(p: &[R; 2], q: &[R; 2]) -> R {
    p[0] * q[1] - p[1] * q[0]
}

/// A convex combination, as `feature::on_edge`.
#[inline(always)]
fn on_edge<R: Real>(from: &Vector<R>, to: &Vector<R>, parameter: R) -> Vector<R> {
    let rest = parameter.splat(1.0) - parameter;
    three(
        #[inline(always)]
        |k| from[k] * rest + to[k] * parameter,
    )
}

/// What was found so far; the first candidate that is on both triangles is kept.
struct Found<R: Real> {
    certain: R::Mask,
    point: Vector<R>,
    normal: Vector<R>,
    features: [R; 2],
}

impl<R: Real> Found<R> {
    #[inline(always)]
    fn offer(&mut self, holds: R::Mask, point: &Vector<R>, normal: &Vector<R>, features: [R; 2]) {
        let taken = holds & !self.certain;
        self.point = choose::<R>(taken, point, &self.point);
        self.normal = choose::<R>(taken, normal, &self.normal);
        self.features =
            [R::select(taken, features[0], self.features[0]), R::select(taken, features[1], self.features[1])];
        self.certain = self.certain | holds;
    }
}

/// A common point, where `open`. Called, not inlined: it is long, and rarely needed.
#[inline(never)]
pub fn common_point<R: Real>(a: &Corners<R>, b: &Corners<R>, open: R::Mask) -> Common<R> {
    a[0][0].apart(
        #[inline(always)]
        || find(a, b, open),
    )
}

#[inline(always)]
fn find<R: Real>(a: &Corners<R>, b: &Corners<R>, open: R::Mask) -> Common<R> {
    let zero = a[0][0].splat(0.0);
    let mut largest = zero;
    for v in a.iter().chain(b) {
        largest = largest.larger(v[0].absolute().larger(v[1].absolute()).larger(v[2].absolute()));
    }
    let (ground_a, ground_b) = (Ground::<R>::of(a, largest), Ground::<R>::of(b, largest));
    let mut found = Found::<R> { certain: !open, point: a[0], normal: ground_a.normal, features: [zero, zero] };

    offer_common_vertex(&mut found, a, b, (&ground_a, &ground_b));
    if !found.certain.all() {
        let above_b = [ground_b.above(&a[0]), ground_b.above(&a[1]), ground_b.above(&a[2])];
        let above_a = [ground_a.above(&b[0]), ground_a.above(&b[1]), ground_a.above(&b[2])];
        let on = Vertex::first_on(a, &ground_b, &above_b);
        found.offer(on.is_on, &on.point, &ground_b.normal, [on.number, ground_b.feature(&on.above)]);
        let on = Vertex::first_on(b, &ground_a, &above_a);
        found.offer(on.is_on, &on.point, &ground_a.normal, [ground_a.feature(&on.above), on.number]);
        if !found.certain.all() {
            offer_crossing_edges(&mut found, a, (&ground_a, &above_a), (&ground_b, &above_b));
        }
        if !found.certain.all() {
            offer_edges_through(&mut found, a, &above_b, &ground_b, false);
        }
        if !found.certain.all() {
            offer_edges_through(&mut found, b, &above_a, &ground_a, true);
        }
    }
    let towards = three(
        #[inline(always)]
        |k| (b[0][k] - a[0][k]) + (b[1][k] - a[1][k]) + (b[2][k] - a[2][k]),
    );
    let backward = dot(&found.normal, &towards).less(zero);
    let normal = choose::<R>(backward, &[-found.normal[0], -found.normal[1], -found.normal[2]], &found.normal);
    let [feature_a, feature_b] = found.features;
    Common { certain: open & found.certain, point: found.point, normal, feature_a, feature_b }
}

#[inline(always)]
fn offer_common_vertex<R: Real>(
    found: &mut Found<R>,
    a: &Corners<R>,
    b: &Corners<R>,
    (ground_a, ground_b): (&Ground<R>, &Ground<R>),
) {
    let [zero, one, two] = [a[0][0].splat(0.0), a[0][0].splat(1.0), a[0][0].splat(2.0)];
    let (mut is_common, mut point, mut feature_a, mut feature_b) = (zero.less(zero), a[0], zero, zero);
    for (i, number) in [zero, one, two].into_iter().enumerate() {
        let same = three(
            #[inline(always)]
            |j| {
                let [x, y, z] = difference(&b[j], &a[i]);
                is_zero(x.absolute().larger(y.absolute()).larger(z.absolute()))
            },
        );
        let taken = !is_common & (same[0] | same[1] | same[2]);
        is_common = is_common | taken;
        point = choose::<R>(taken, &a[i], &point);
        feature_a = R::select(taken, number, feature_a);
        feature_b = R::select(taken, R::select(same[0], zero, R::select(same[1], one, two)), feature_b);
    }
    let normal = choose::<R>(ground_a.usable, &ground_a.normal, &ground_b.normal);
    found.offer(is_common & (ground_a.usable | ground_b.usable), &point, &normal, [feature_a, feature_b]);
}

/// The first vertex of a triangle that is on the other one.
struct Vertex<R: Real> {
    is_on: R::Mask,
    number: R,
    point: Vector<R>,
    above: Above<R>,
}

impl<R: Real> Vertex<R> {
    #[inline(always)]
    fn first_on(t: &Corners<R>, ground: &Ground<R>, above: &[Above<R>; 3]) -> Self {
        let on = three(
            #[inline(always)]
            |k| ground.holds(&above[k]),
        );
        let [zero, one, two] = [ground.close.splat(0.0), ground.close.splat(1.0), ground.close.splat(2.0)];
        let number = R::select(on[0], zero, R::select(on[1], one, two));
        let inside = three(
            #[inline(always)]
            |k| R::select(on[0], above[0].inside[k], R::select(on[1], above[1].inside[k], above[2].inside[k])),
        );
        let point = choose::<R>(on[0], &t[0], &choose::<R>(on[1], &t[1], &t[2]));
        Self { is_on: on[0] | on[1] | on[2], number, point, above: Above { height: above[0].height, inside } }
    }
}

/// The first edge of A that crosses an edge of B, both of which lie in one plane as far as they cross.
#[inline(always)]
fn offer_crossing_edges<R: Real>(
    found: &mut Found<R>,
    a: &Corners<R>,
    (ground_a, above_a): (&Ground<R>, &[Above<R>; 3]),
    (ground_b, above_b): (&Ground<R>, &[Above<R>; 3]),
) {
    let zero = a[0][0].splat(0.0);
    let mut crosses = zero.less(zero);
    let (mut parameter, mut edge) = (zero, zero);
    let (mut from, mut to) = (a[0], a[0]);
    for i in 0..3 {
        let next = (i + 1) % 3;
        for j in 0..3 {
            let (start, end) = (above_b[i].inside[j], above_b[next].inside[j]);
            let (first, second) = (above_a[j].inside[i], above_a[(j + 1) % 3].inside[i]);
            let taken = !crosses & opposite(start, end) & opposite(first, second);
            parameter = R::select(taken, start / (start - end), parameter);
            edge = R::select(taken, zero.splat(3.0 + i as f64), edge);
            from = choose::<R>(taken, &a[i], &from);
            to = choose::<R>(taken, &a[next], &to);
            crosses = crosses | taken;
        }
    }
    let point = on_edge(&from, &to, parameter);
    let above = ground_b.above(&point);
    let holds = crosses & ground_b.holds(&above) & ground_a.usable;
    found.offer(holds, &point, &ground_a.normal, [edge, ground_b.feature(&above)]);
}

#[inline(always)]
fn opposite<R: Real>(p: R, q: R) -> R::Mask {
    let zero = p.splat(0.0);
    p.less(zero) & zero.less(q) | q.less(zero) & zero.less(p)
}

/// The edges of a triangle that pass through the other one's plane.
#[inline(always)]
fn offer_edges_through<R: Real>(
    found: &mut Found<R>,
    t: &Corners<R>,
    above: &[Above<R>; 3],
    ground: &Ground<R>,
    is_second: bool,
) {
    for i in 0..3 {
        let next = (i + 1) % 3;
        let (start, end) = (above[i].height, above[next].height);
        let point = on_edge(&t[i], &t[next], start / (start - end));
        let above = ground.above(&point);
        let (edge, face) = (start.splat(3.0 + i as f64), ground.feature(&above));
        let features = if is_second { [face, edge] } else { [edge, face] };
        found.offer(opposite(start, end) & ground.holds(&above), &point, &ground.normal, features);
    }
}
