//! Where two triangles pierce each other, as far as plain arithmetic can tell. `piercing` takes the other pairs.
//!
//! 1. The planes of the triangles meet in a line along D, the product of their normals.
//! 2. Each triangle has one vertex alone on its side of the other's plane. The two edges from that vertex cross the
//!    line and cut an interval out of it.
//! 3. The triangles intersect, so the intervals overlap. The overlap begins where an edge of one triangle enters the
//!    other.
//!
//! Rounding, with f and g the two shorter edges and R the largest coordinate of the differences b_j - a_i:
//! 1. A normal f x g is off by 8u |f| |g| per coordinate, and a side n.r by 48u |f| |g| R (as in `intersection`).
//! 2. So a crossing is off in height by 48u R times |f| |g| / |n|.
//! 3. The crossing is on its own edge, so it is in the plane of its own triangle, and that far from the other plane. It
//!    is farther from the line by the factor 1 / sine of the angle of the planes. The same holds for the point of the
//!    other interval at the same place along D.
//! 4. With the product of these factors at most `AMPLIFIED`, the point is within 1600u R of the other face at worst,
//!    and within about ten for most pairs.

use super::intersection::{LARGEST_BOUND, SMALLEST_BOUND, certain_signs, largest_coordinate, same, seen_from};
use super::kernel::{Corners, Vector, choose};
use crate::simd::lanes::{Real, Truth};
use crate::simd::three::{cross, difference, dot, three};

/// The rounding of a side, as in `intersection`.
const FILTER: f64 = super::intersection::FILTER;
/// How much thin faces and nearly parallel planes may amplify a rounding.
const AMPLIFIED: f64 = 32.0;
/// Fourth powers of products of two sizes between these are far from both ends of the range of f64.
const SMALLEST_SIZE: f64 = f64::from_bits((1023 - 240) << 52);
const LARGEST_SIZE: f64 = f64::from_bits((1023 + 240) << 52);

/// An edge that passes through the face of the other triangle.
#[derive(Clone, Copy)]
pub struct Crossing<R: Real> {
    /// Where this is false the rest means nothing.
    pub certain: R::Mask,
    pub edge_of_a: R::Mask,
    /// 0, 1 or 2.
    pub edge: R,
    pub point: Vector<R>,
    /// Of the pierced face, of unit length, towards B.
    pub normal: Vector<R>,
}

impl<R: Real> Crossing<R> {
    /// Itself where it is certain, else the other.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        let first = self.certain;
        Self {
            certain: first | other.certain,
            edge_of_a: first & self.edge_of_a | !first & other.edge_of_a,
            edge: R::select(first, self.edge, other.edge),
            point: choose::<R>(first, &self.point, &other.point),
            normal: choose::<R>(first, &self.normal, &other.normal),
        }
    }
}

/// How one triangle crosses the plane of the other.
struct Cut<R: Real> {
    certain: R::Mask,
    /// Where the earlier and the later crossing are along D, as products with it.
    place: R,
    end: R,
    edge: R,
    parameter: R,
    from: Vector<R>,
    to: Vector<R>,
}

/// `sides` are those of the vertices against the other's plane, off by at most `bound`, `places` their products with D.
#[inline(always)]
fn cut<R: Real>(t: &Corners<R>, sides: &[R; 3], bound: R, places: &[R; 3]) -> Cut<R> {
    let (positive, negative) = certain_signs(sides, bound);
    let known = (positive[0] | negative[0]) & (positive[1] | negative[1]) & (positive[2] | negative[2]);
    let mixed = (positive[0] | positive[1] | positive[2]) & (negative[0] | negative[1] | negative[2]);
    // Which vertex is alone: two edges cross, the one that ends there and the one that starts there.
    let (first, second) = (same(positive[1], positive[2]), same(positive[0], positive[2]));
    let pick =
        |at_first: R, at_second: R, at_third: R| R::select(first, at_first, R::select(second, at_second, at_third));
    let (alone, next, last) =
        (pick(sides[0], sides[1], sides[2]), pick(sides[1], sides[2], sides[0]), pick(sides[2], sides[0], sides[1]));
    let (place, place_next, place_last) = (
        pick(places[0], places[1], places[2]),
        pick(places[1], places[2], places[0]),
        pick(places[2], places[0], places[1]),
    );
    let (leaving, arriving) = (alone / (alone - next), last / (last - alone));
    let place_leaving = place + (place_next - place) * leaving;
    let place_arriving = place_last + (place - place_last) * arriving;
    let leaves = place_leaving.less(place_arriving);
    let [zero, one, two] = [alone.splat(0.0), alone.splat(1.0), alone.splat(2.0)];
    let edge = R::select(leaves, pick(zero, one, two), pick(two, zero, one));
    let vertex = |edge: R, k: usize| {
        choose::<R>(edge.less(one), &t[k], &choose::<R>(edge.less(two), &t[(k + 1) % 3], &t[(k + 2) % 3]))
    };
    Cut {
        certain: known & mixed,
        place: R::select(leaves, place_leaving, place_arriving),
        end: R::select(leaves, place_arriving, place_leaving),
        edge,
        parameter: R::select(leaves, leaving, arriving),
        from: vertex(edge, 0),
        to: vertex(edge, 1),
    }
}

/// The vertices along a direction.
#[inline(always)]
fn along<R: Real>(direction: &Vector<R>, t: &Corners<R>) -> [R; 3] {
    three(
        #[inline(always)]
        |k| dot(direction, &t[k]),
    )
}

/// A normal, and the product of the largest coordinates of the edges that it is made of.
pub(super) struct Face<R> {
    pub normal: Vector<R>,
    pub sizes: R,
}

/// The normal from the two shorter edges, which is the most precise one when the triangle is a needle.
#[inline(always)]
pub(super) fn face<R: Real>(t: &Corners<R>) -> Face<R> {
    let e = [difference(&t[1], &t[0]), difference(&t[2], &t[1]), difference(&t[0], &t[2])];
    let squares = three(
        #[inline(always)]
        |k| dot(&e[k], &e[k]),
    );
    let first_longest = squares[1].less_or_equal(squares[0]) & squares[2].less_or_equal(squares[0]);
    let second_longest = squares[2].less_or_equal(squares[1]);
    let pick = |at_first: usize, at_second: usize, at_third: usize| {
        choose::<R>(first_longest, &e[at_first], &choose::<R>(second_longest, &e[at_second], &e[at_third]))
    };
    let (f, g) = (pick(1, 2, 0), pick(2, 0, 1));
    let zero = t[0][0].splat(0.0);
    Face { normal: cross(&f, &g), sizes: largest_coordinate(zero, &[f]) * largest_coordinate(zero, &[g]) }
}

/// Where the overlap of two triangles begins that are known to intersect.
#[inline(always)]
pub fn crossing<R: Real>(a: &Corners<R>, b: &Corners<R>) -> Crossing<R> {
    let (zero, one) = (a[0][0].splat(0.0), a[0][0].splat(1.0));
    let (from_b0, from_a0) = (seen_from(&b[0], a), seen_from(&a[0], b));
    let (face_a, face_b) = (face(a), face(b));
    let (normal_a, normal_b) = (face_a.normal, face_b.normal);
    let line = cross(&normal_a, &normal_b);
    let size_r = largest_coordinate(zero, &from_b0).larger(largest_coordinate(zero, &from_a0));
    let (bound_a, bound_b) = (face_b.sizes * size_r * FILTER, face_a.sizes * size_r * FILTER);
    let (square_a, square_b) = (dot(&normal_a, &normal_a), dot(&normal_b, &normal_b));
    let in_range = a[0][0].splat(SMALLEST_BOUND).less_or_equal(bound_a.smaller(bound_b))
        & bound_a.larger(bound_b).less_or_equal(a[0][0].splat(LARGEST_BOUND))
        & a[0][0].splat(SMALLEST_SIZE).less_or_equal(face_a.sizes.smaller(face_b.sizes))
        & face_a.sizes.larger(face_b.sizes).less_or_equal(a[0][0].splat(LARGEST_SIZE));
    // The sum of two factors squared is at most twice the sum of their squares.
    let amplified = (face_b.sizes * face_b.sizes * square_a + face_a.sizes * face_a.sizes * square_b) * 2.0;
    let usable = in_range & amplified.less_or_equal(dot(&line, &line) * (AMPLIFIED * AMPLIFIED));
    if (!usable).all() {
        let nowhere = [zero, zero, zero];
        return Crossing { certain: usable, edge_of_a: usable, edge: zero, point: nowhere, normal: nowhere };
    }

    let cut_a = cut::<R>(a, &along(&normal_b, &from_b0), bound_a, &along(&line, &from_b0));
    let cut_b = cut::<R>(b, &along(&normal_a, &from_a0), bound_b, &along(&line, &seen_from(&b[0], b)));
    let edge_of_a = cut_b.place.less_or_equal(cut_a.place);
    // An edge nearly in the other's plane crosses it anywhere, as far as rounding goes: then the intervals may seem apart.
    let overlapping = cut_a.place.larger(cut_b.place).less_or_equal(cut_a.end.smaller(cut_b.end));
    let parameter = R::select(edge_of_a, cut_a.parameter, cut_b.parameter);
    let (from, to) = (choose::<R>(edge_of_a, &cut_a.from, &cut_b.from), choose::<R>(edge_of_a, &cut_a.to, &cut_b.to));
    // A convex combination, as `feature::on_edge`.
    let rest = one - parameter;
    let point =
        [from[0] * rest + to[0] * parameter, from[1] * rest + to[1] * parameter, from[2] * rest + to[2] * parameter];
    let pierced = choose::<R>(edge_of_a, &normal_b, &normal_a);
    let length = R::select(edge_of_a, square_b, square_a).square_root();
    let towards = [
        from_a0[0][0] + difference(&b[1], &a[1])[0] + difference(&b[2], &a[2])[0],
        from_a0[0][1] + difference(&b[1], &a[1])[1] + difference(&b[2], &a[2])[1],
        from_a0[0][2] + difference(&b[1], &a[1])[2] + difference(&b[2], &a[2])[2],
    ];
    let signed = R::select(dot(&pierced, &towards).less(zero), -length, length);
    Crossing {
        certain: usable & cut_a.certain & cut_b.certain & overlapping,
        edge_of_a,
        edge: R::select(edge_of_a, cut_a.edge, cut_b.edge),
        point,
        normal: [pierced[0] / signed, pierced[1] / signed, pierced[2] / signed],
    }
}
