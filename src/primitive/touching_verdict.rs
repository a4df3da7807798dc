//! The intersection verdict for pairs that touch or nearly do, with exact signs, zeros among them: what `intersection` leaves
//! open.
//!
//! 0. Triangles between which one coordinate leaves a gap are apart: flat parts along the axes, however near.
//! 1. Triangles with a common vertex intersect.
//! 2. Six sides of vertices against the other's plane. All of one triangle strictly on one side: apart.
//! 3. Some sides not 0 in both triangles: both have an area, because a triangle without one puts all of the other's vertices
//!    into "its plane". The planes meet in a line, and the intervals that the triangles cut out of the line are ordered by the sign of two
//!    volumes (Guigue and Devillers 2003). A vertex is alone if the two others are on the other side or on the plane, or, itself on
//!    the plane, if they are both on one side.
//! 4. All six sides 0: seen along an axis along which both have an area they are apart exactly if all vertices of one are
//!    strictly outside of one edge of the other (separating lines of convex polygons).
//!
//! Everything else, triangles without an area above all, stays open.

use super::intersection::{Verdict, same};
use super::kernel::{Corners, Vector, choose};
use super::signs::{Sign, any, area, in_range, is_zero, on_short_grid, volume};
use crate::simd::lanes::{Real, Truth};
use crate::simd::three::{cross, difference, three};

type Signs<R> = [Sign<<R as Real>::Mask>; 3];

/// The verdict where `open`. `one_is_enough`: if one pair intersects, the others may stay open.
#[inline(always)]
pub fn verdict<R: Real>(a: &Corners<R>, b: &Corners<R>, open: R::Mask, one_is_enough: bool) -> Verdict<R::Mask> {
    let gap = open & leave_gap(a, b);
    let open = open & !gap;
    if !any(open) {
        return Verdict { hit: open, miss: gap };
    }
    let shared = open & shares_vertex(a, b);
    let open = open & !shared;
    if !any(open) || one_is_enough && any(shared) {
        return Verdict { hit: shared, miss: gap };
    }
    let open = open & in_range(a, b);
    let sides_b = sides::<R>(open, a, b);
    let apart = open & one_sided::<R>(&sides_b);
    let open = open & !apart;
    let sides_a = sides::<R>(open, b, a);
    let miss = gap | apart | open & one_sided::<R>(&sides_a);
    let open = open & !miss & known(&sides_a) & known(&sides_b);
    let (flat_a, flat_b) = (all_zero(&sides_a), all_zero(&sides_b));
    let mut verdict = Verdict { hit: shared, miss };
    let cutting = open & !flat_a & !flat_b;
    if any(cutting) {
        verdict = verdict.or(of_cutting::<R>(cutting, a, b, (&sides_a, &sides_b)));
    }
    let coplanar = open & flat_a & flat_b;
    if any(coplanar) {
        verdict = verdict.or(of_coplanar::<R>(coplanar, a, b));
    }
    verdict
}

/// Whether a plane across one of the axes is strictly between the triangles: comparisons do not round.
#[inline(always)]
fn leave_gap<R: Real>(a: &Corners<R>, b: &Corners<R>) -> R::Mask {
    let [x, y, z] = three(
        #[inline(always)]
        |k| {
            let (low_a, high_a) = (a[0][k].smaller(a[1][k]).smaller(a[2][k]), a[0][k].larger(a[1][k]).larger(a[2][k]));
            let (low_b, high_b) = (b[0][k].smaller(b[1][k]).smaller(b[2][k]), b[0][k].larger(b[1][k]).larger(b[2][k]));
            high_a.less(low_b) | high_b.less(low_a)
        },
    );
    x | y | z
}

#[inline(always)]
fn equal<R: Real>(p: &Vector<R>, q: &Vector<R>) -> R::Mask {
    let [x, y, z] = difference(p, q);
    is_zero(x.absolute().larger(y.absolute()).larger(z.absolute()))
}

#[inline(always)]
fn is_vertex<R: Real>(p: &Vector<R>, t: &Corners<R>) -> R::Mask {
    equal(p, &t[0]) | equal(p, &t[1]) | equal(p, &t[2])
}

#[inline(always)]
fn shares_vertex<R: Real>(a: &Corners<R>, b: &Corners<R>) -> R::Mask {
    is_vertex(&a[0], b) | is_vertex(&a[1], b) | is_vertex(&a[2], b)
}

/// On which side of the first triangle's plane the vertices of the second are.
#[inline(always)]
fn sides<R: Real>(wanted: R::Mask, t: &Corners<R>, others: &Corners<R>) -> Signs<R> {
    three(
        #[inline(always)]
        |k| volume(wanted, [&t[0], &t[1], &t[2], &others[k]]),
    )
}

#[inline(always)]
fn one_sided<R: Real>(sides: &Signs<R>) -> R::Mask {
    let [p, q, r] = sides;
    p.positive & q.positive & r.positive | p.negative & q.negative & r.negative
}

#[inline(always)]
fn known<M: Truth>(signs: &[Sign<M>; 3]) -> M {
    signs[0].known() & signs[1].known() & signs[2].known()
}

#[inline(always)]
fn all_zero<M: Truth>(signs: &[Sign<M>; 3]) -> M {
    signs[0].zero & signs[1].zero & signs[2].zero
}

/// Whether a vertex is alone, and whether it then counts as on the positive side.
#[inline(always)]
fn alone<M: Truth>(this: &Sign<M>, next: &Sign<M>, last: &Sign<M>) -> (M, M) {
    let up = this.positive & !next.positive & !last.positive | this.zero & next.negative & last.negative;
    let down = this.negative & !next.negative & !last.negative | this.zero & next.positive & last.positive;
    (up | down, up)
}

/// The vertices in cyclic order from one that is alone, and whether that one counts as on the positive side.
#[inline(always)]
fn alone_first<R: Real>(t: &Corners<R>, [p, q, r]: &Signs<R>) -> (Corners<R>, R::Mask) {
    let ((first, first_up), (second, second_up), (_, third_up)) = (alone(p, q, r), alone(q, r, p), alone(r, p, q));
    let renamed = three(
        #[inline(always)]
        |k| choose::<R>(first, &t[k], &choose::<R>(second, &t[(k + 1) % 3], &t[(k + 2) % 3])),
    );
    (renamed, first & first_up | !first & (second & second_up | !second & third_up))
}

#[inline(always)]
fn of_cutting<R: Real>(
    wanted: R::Mask,
    a: &Corners<R>,
    b: &Corners<R>,
    (sides_a, sides_b): (&Signs<R>, &Signs<R>),
) -> Verdict<R::Mask> {
    let (p, p_up) = alone_first::<R>(a, sides_a);
    let (q, q_up) = alone_first::<R>(b, sides_b);
    let swapped = !same(p_up, q_up);
    let q = [q[0], choose::<R>(swapped, &q[2], &q[1]), choose::<R>(swapped, &q[1], &q[2])];
    let one = volume(wanted, [&p[0], &p[1], &q[1], &q[0]]);
    let other = volume(wanted, [&p[0], &p[2], &q[2], &q[0]]);
    let known = wanted & one.known() & other.known();
    // Which of the two must not be negative and which not positive.
    let apart = q_up & (one.negative | other.positive) | !q_up & (other.negative | one.positive);
    Verdict { hit: known & !apart, miss: wanted & apart }
}

/// The two coordinates that are left when the axis is dropped along which a normal is largest.
pub struct Seen<R: Real> {
    along_x: R::Mask,
    along_y: R::Mask,
}

impl<R: Real> Seen<R> {
    #[inline(always)]
    pub fn along(normal: &Vector<R>) -> Self {
        let [x, y, z] = [normal[0].absolute(), normal[1].absolute(), normal[2].absolute()];
        let along_x = y.less_or_equal(x) & z.less_or_equal(x);
        Self { along_x, along_y: !along_x & z.less_or_equal(y) }
    }

    #[inline(always)]
    fn pick(&self, x: R, y: R, z: R) -> R {
        R::select(self.along_x, x, R::select(self.along_y, y, z))
    }

    #[inline(always)]
    pub fn point(&self, p: &Vector<R>) -> [R; 2] {
        [self.pick(p[1], p[2], p[0]), self.pick(p[2], p[0], p[1])]
    }

    #[inline(always)]
    pub fn points(&self, t: &Corners<R>) -> [[R; 2]; 3] {
        [self.point(&t[0]), self.point(&t[1]), self.point(&t[2])]
    }
}

#[inline(always)]
fn of_coplanar<R: Real>(wanted: R::Mask, a: &Corners<R>, b: &Corners<R>) -> Verdict<R::Mask> {
    let seen = Seen::<R>::along(&cross(&difference(&a[1], &a[0]), &difference(&a[2], &a[0])));
    let (a, b) = (seen.points(a), seen.points(b));
    let short = on_short_grid(&a, &b);
    let turn_a = area(wanted, short, [&a[0], &a[1], &a[2]]);
    let turn_b = area(wanted, short, [&b[0], &b[1], &b[2]]);
    let wanted = wanted & (turn_a.positive | turn_a.negative) & (turn_b.positive | turn_b.negative);
    let nowhere = wanted & !wanted;
    let mut verdict = Verdict { hit: wanted, miss: nowhere };
    for (t, turn, others) in [(&a, &turn_a, &b), (&b, &turn_b, &a)] {
        for k in 0..3 {
            // Once apart, a lane needs no more signs.
            let wanted = wanted & !verdict.miss;
            let (from, to) = (&t[k], &t[(k + 1) % 3]);
            let signs = three(
                #[inline(always)]
                |j| area(wanted, short, [from, to, &others[j]]),
            );
            let [first, second, third] = three(
                #[inline(always)]
                |j| turn.positive & signs[j].negative | turn.negative & signs[j].positive,
            );
            verdict.miss = verdict.miss | wanted & first & second & third;
            verdict.hit =
                verdict.hit & (signs[0].known() & !first | signs[1].known() & !second | signs[2].known() & !third);
        }
    }
    verdict
}

impl<M: Truth> Verdict<M> {
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self { hit: self.hit | other.hit, miss: self.miss | other.miss }
    }
}
