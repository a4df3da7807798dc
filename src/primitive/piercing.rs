//! An edge that certainly passes through the inside of the other triangle, for intersecting pairs that `crossing`
//! leaves open. Most of them are nearly coplanar.
//!
//! The doubled area of the face is at least 1/16 of its squared size. So the computed side of a vertex is off by less
//! than 16 * 48u R in units of length (see `intersection`), and the point is in the plane of the face to some hundred
//! roundings of the size of the pair at worst. Where the planes are nearly parallel that may move the point far along
//! its edge, out of the face. So a point counts only if it is inside, to `CLOSE` of the largest coordinate.

use super::crossing::Crossing;
use super::intersection::{FILTER, certain_signs, is_in_range, largest_coordinate};
use super::kernel::{Corners, Vector, choose};
use crate::simd::lanes::{Real, Truth};
use crate::simd::three::{cross, difference, dot, three};

/// A face whose doubled area is below this part of its longest edge squared has a normal too coarse for a contact.
const FLAT_ENOUGH: f64 = 1.0 / 16.0;
/// Units in the last place of the largest coordinate that a point may be outside of the face.
const CLOSE: f64 = 8.0 * f64::from_bits((1023 - 53) << 52);

/// An edge of one triangle and whether it passes through the other.
struct Edge<R: Real> {
    inside: R::Mask,
    number: R,
    from: Vector<R>,
    to: Vector<R>,
    /// The sides of its ends against the other's plane.
    sides: [R; 2],
}

/// An edge and the normal of the face that it passes through, not of unit length.
struct Through<R: Real> {
    edge: Edge<R>,
    normal: Vector<R>,
}

impl<R: Real> Edge<R> {
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        let first = self.inside;
        Self {
            inside: first | other.inside,
            number: R::select(first, self.number, other.number),
            from: choose::<R>(first, &self.from, &other.from),
            to: choose::<R>(first, &self.to, &other.to),
            sides: [R::select(first, self.sides[0], other.sides[0]), R::select(first, self.sides[1], other.sides[1])],
        }
    }
}

/// The first edge that provably pierces the other triangle, edges of A before those of B, where `open`.
#[inline(always)]
pub fn piercing<R: Real>(a: &Corners<R>, b: &Corners<R>, open: R::Mask) -> Crossing<R> {
    let mut through = edge_through::<R>(a, b, open);
    let edge_of_a = through.edge.inside;
    let left = open & !edge_of_a;
    if !(!left).all() {
        let other = edge_through::<R>(b, a, left);
        through.normal = choose::<R>(edge_of_a, &through.normal, &other.normal);
        through.edge = through.edge.or(other.edge);
    }
    let Through { edge: Edge { inside, number, from, to, sides }, normal } = through;
    let (zero, one) = (a[0][0].splat(0.0), a[0][0].splat(1.0));
    if (!inside).all() {
        return Crossing { certain: inside, edge_of_a, edge: number, point: from, normal };
    }
    let parameter = sides[0] / (sides[0] - sides[1]);
    let rest = one - parameter;
    // A convex combination, as `feature::on_edge`.
    let point = three(
        #[inline(always)]
        |k| from[k] * rest + to[k] * parameter,
    );
    let shortened = one / dot(&normal, &normal).square_root();
    let unit = [normal[0] * shortened, normal[1] * shortened, normal[2] * shortened];
    let between = three(
        #[inline(always)]
        |k| difference(&b[k], &a[k]),
    );
    let towards = three(
        #[inline(always)]
        |k| between[0][k] + between[1][k] + between[2][k],
    );
    let pierced = [
        choose::<R>(edge_of_a, &b[0], &a[0]),
        choose::<R>(edge_of_a, &b[1], &a[1]),
        choose::<R>(edge_of_a, &b[2], &a[2]),
    ];
    let inside = inside & is_inside(&pierced, &unit, &point);
    let backward = dot(&unit, &towards).less(zero);
    let normal = choose::<R>(backward, &[-unit[0], -unit[1], -unit[2]], &unit);
    Crossing { certain: inside, edge_of_a, edge: number, point, normal }
}

/// Whether a point of a triangle's plane is in the triangle, to rounding.
#[inline(always)]
fn is_inside<R: Real>(t: &Corners<R>, unit: &Vector<R>, point: &Vector<R>) -> R::Mask {
    let close = largest_coordinate(point[0].absolute(), t) * CLOSE;
    let slack = three(
        #[inline(always)]
        |k| {
            let edge = difference(&t[(k + 1) % 3], &t[k]);
            let inward = dot(&cross(unit, &edge), &difference(point, &t[k]));
            inward + largest_coordinate(close.splat(0.0), &[edge]) * close
        },
    );
    close.splat(0.0).less_or_equal(slack[0].smaller(slack[1]).smaller(slack[2]))
}

/// The first edge of a triangle that passes through the other one, where `open`.
#[inline(always)]
fn edge_through<R: Real>(from: &Corners<R>, to: &Corners<R>, open: R::Mask) -> Through<R> {
    let zero = from[0][0].splat(0.0);
    let (f, g) = (difference(&to[1], &to[0]), difference(&to[2], &to[0]));
    let normal = cross(&f, &g);
    let r = three(
        #[inline(always)]
        |k| difference(&from[k], &to[0]),
    );
    let sides = three(
        #[inline(always)]
        |k| dot(&normal, &r[k]),
    );
    let size_f = largest_coordinate(zero, &[f, g]);
    let square_f = size_f * size_f;
    let bound = square_f * largest_coordinate(zero, &r) * FILTER;
    let smallest = square_f * FLAT_ENOUGH;
    let usable = open & !dot(&normal, &normal).less(smallest * smallest) & is_in_range(bound);
    let (positive, negative) = certain_signs(&sides, bound);
    let crosses = three(
        #[inline(always)]
        |k| {
            let next = (k + 1) % 3;
            usable & (positive[k] & negative[next] | negative[k] & positive[next])
        },
    );
    let one = crosses[0] | crosses[1] | crosses[2];
    if (!one).all() {
        let edge = Edge { inside: one, number: zero, from: from[0], to: from[1], sides: [sides[0], sides[1]] };
        return Through { edge, normal };
    }
    // No more than two edges can cross a plane.
    let first = tested::<R>(from, to, &sides, (crosses[0], crosses[1]), one);
    let another = crosses[0] & (crosses[1] | crosses[2]) | crosses[1] & crosses[2];
    let left = another & !first.inside;
    if (!left).all() {
        return Through { edge: first, normal };
    }
    let never = zero.less(zero);
    let second = tested::<R>(from, to, &sides, (never, crosses[0] & crosses[1]), left);
    Through { edge: first.or(second), normal }
}

/// Edge 0, 1 or 2, and where it crosses the other's plane whether it does so inside.
#[inline(always)]
fn tested<R: Real>(
    from: &Corners<R>,
    to: &Corners<R>,
    sides: &[R; 3],
    (is_first, is_second): (R::Mask, R::Mask),
    crosses: R::Mask,
) -> Edge<R> {
    let zero = from[0][0].splat(0.0);
    let pick =
        |k: usize| choose::<R>(is_first, &from[k], &choose::<R>(is_second, &from[(k + 1) % 3], &from[(k + 2) % 3]));
    let side = |k: usize| R::select(is_first, sides[k], R::select(is_second, sides[(k + 1) % 3], sides[(k + 2) % 3]));
    let (start, end) = (pick(0), pick(1));
    let along = difference(&end, &start);
    let corners = three(
        #[inline(always)]
        |k| difference(&to[k], &start),
    );
    let volumes = three(
        #[inline(always)]
        |k| dot(&along, &cross(&corners[k], &corners[(k + 1) % 3])),
    );
    let size_corners = largest_coordinate(zero, &corners);
    let bound = largest_coordinate(zero, &[along]) * size_corners * size_corners * FILTER;
    let (positive, negative) = certain_signs(&volumes, bound);
    let inside = positive[0] & positive[1] & positive[2] | negative[0] & negative[1] & negative[2];
    Edge {
        inside: crosses & inside & is_in_range(bound),
        number: R::select(is_first, zero, R::select(is_second, zero.splat(1.0), zero.splat(2.0))),
        from: start,
        to: end,
        sides: [side(0), side(1)],
    }
}
