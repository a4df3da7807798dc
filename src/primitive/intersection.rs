//! The intersection verdict as far as plain arithmetic can prove it. `exact` takes the other pairs.
//!
//! 1. Compute the six sides of the vertices against the other triangle's plane.
//! 2. If all are certain and both planes cut, each triangle has one vertex alone on its side. Rename the vertices so
//!    that p_1 and q_1 are alone and on the positive side of the other's plane.
//! 3. Then the triangles meet the common line of the planes in two intervals. The signs of two volumes give their order
//!    (Guigue and Devillers 2003).
//!
//! Rounding, with E, F, r the largest coordinates of A's edges, of B's edges and of b_0 - a_0, M = E or F, and R = r +
//! max(E, F):
//! 1. A computed normal is off by 8uM^2 per coordinate: two products of rounded differences and their difference.
//! 2. A product n.v of it with a rounded difference of coordinates up to V is off by 3(8u + 2*2u)M^2 V + 10u M^2 V <
//!    48u M^2 V.
//! 3. The side of a vertex is the sum of two such products, n.r and that with an edge. It is at most 6M^2 R, so it is
//!    off by (48u + 6u)M^2 R.
//! 4. A volume (e x f).r of edges up to 2E and 2F and a difference up to r + E + F <= 2R is off by 8 * 48u E F R.
//! 5. The filters use 64u = 2^-47 and eight times that.

use super::kernel::{Corners, Vector, choose};
use crate::simd::lanes::{Real, Truth};
use crate::simd::three::{cross, difference, dot, three};

/// What is proved; a lane that is in neither is undecided.
#[derive(Clone, Copy)]
pub struct Verdict<M> {
    pub hit: M,
    pub miss: M,
}

pub(super) const FILTER: f64 = f64::from_bits((1023 - 47) << 52);
/// Bounds outside 2^-600 to 2^600 could come from underflown or overflown products and prove nothing.
pub(super) const SMALLEST_BOUND: f64 = f64::from_bits((1023 - 600) << 52);
pub(super) const LARGEST_BOUND: f64 = f64::from_bits((1023 + 600) << 52);

#[inline(always)]
pub(super) fn largest_coordinate<R: Real>(first: R, vectors: &[[R; 3]]) -> R {
    let mut largest = first;
    for vector in vectors {
        largest = largest.larger(vector[0].absolute().larger(vector[1].absolute()).larger(vector[2].absolute()));
    }
    largest
}

/// Whether a bound is far enough from both ends of the range of f64 to prove something.
#[inline(always)]
pub(super) fn is_in_range<R: Real>(bound: R) -> R::Mask {
    bound.splat(SMALLEST_BOUND).less_or_equal(bound) & bound.less_or_equal(bound.splat(LARGEST_BOUND))
}

#[inline(always)]
pub(super) fn same<M: Truth>(p: M, q: M) -> M {
    p & q | !(p | q)
}

#[inline(always)]
fn all_three<M: Truth>(m: &[M; 3]) -> M {
    m[0] & m[1] & m[2]
}

#[inline(always)]
fn each_one_of<M: Truth>(p: &[M; 3], q: &[M; 3]) -> M {
    (p[0] | q[0]) & (p[1] | q[1]) & (p[2] | q[2])
}

/// The vertices of a triangle relative to a point.
#[inline(always)]
pub(super) fn seen_from<R: Real>(point: &Vector<R>, t: &Corners<R>) -> Corners<R> {
    three(
        #[inline(always)]
        |k| difference(&t[k], point),
    )
}

/// Which numbers are certainly positive and which negative, when they are off by less than `bound`.
#[inline(always)]
pub(super) fn certain_signs<R: Real>(numbers: &[R; 3], bound: R) -> ([R::Mask; 3], [R::Mask; 3]) {
    let positive = three(
        #[inline(always)]
        |k| bound.less(numbers[k]),
    );
    let negative = three(
        #[inline(always)]
        |k| numbers[k].less(-bound),
    );
    (positive, negative)
}

/// The vertices in cyclic order from the one that is alone on its side; sides are certain and mixed.
#[inline(always)]
fn alone_first<R: Real>(t: &Corners<R>, positive: &[R::Mask; 3]) -> (Corners<R>, R::Mask) {
    let first = same(positive[1], positive[2]);
    let second = same(positive[0], positive[2]);
    let renamed = three(
        #[inline(always)]
        |k| choose::<R>(first, &t[k], &choose::<R>(second, &t[(k + 1) % 3], &t[(k + 2) % 3])),
    );
    // The one alone is positive exactly when not two are.
    let two = positive[0] & positive[1] | positive[1] & positive[2] | positive[0] & positive[2];
    (renamed, !two)
}

#[inline(always)]
fn swap_last<R: Real>(mask: R::Mask, t: &Corners<R>) -> Corners<R> {
    [t[0], choose::<R>(mask, &t[2], &t[1]), choose::<R>(mask, &t[1], &t[2])]
}

#[inline(always)]
pub fn verdict<R: Real>(a: &Corners<R>, b: &Corners<R>) -> Verdict<R::Mask> {
    let zero = a[0][0].splat(0.0);
    let nowhere = zero.less(zero);
    let e = [difference(&a[1], &a[0]), difference(&a[2], &a[0])];
    let f = [difference(&b[1], &b[0]), difference(&b[2], &b[0])];
    let r = difference(&b[0], &a[0]);
    let normal_a = cross(&e[0], &e[1]);
    let normal_b = cross(&f[0], &f[1]);
    let (below_a, above_b) = (dot(&normal_b, &r), dot(&normal_a, &r));
    // How far the vertices of A are below B's plane, and those of B above A's.
    let depths_a = [below_a, below_a - dot(&normal_b, &e[0]), below_a - dot(&normal_b, &e[1])];
    let sides_b = [above_b, above_b + dot(&normal_a, &f[0]), above_b + dot(&normal_a, &f[1])];
    let size_e = largest_coordinate(zero, &e);
    let size_f = largest_coordinate(zero, &f);
    let size_r = largest_coordinate(zero, &[r]) + size_e.larger(size_f);
    let bound_a = size_f * size_f * size_r * FILTER;
    let bound_b = size_e * size_e * size_r * FILTER;
    let in_range = a[0][0].splat(SMALLEST_BOUND).less_or_equal(bound_a.smaller(bound_b))
        & bound_a.larger(bound_b).less_or_equal(a[0][0].splat(LARGEST_BOUND));

    let (negative_a, positive_a) = certain_signs(&depths_a, bound_a);
    let (positive_b, negative_b) = certain_signs(&sides_b, bound_b);
    let miss =
        in_range & (all_three(&positive_a) | all_three(&negative_a) | all_three(&positive_b) | all_three(&negative_b));
    let cutting = in_range & !miss & each_one_of(&positive_a, &negative_a) & each_one_of(&positive_b, &negative_b);
    if (!cutting).all() {
        return Verdict { hit: nowhere, miss };
    }

    let (p, p_positive) = alone_first::<R>(a, &positive_a);
    let (q, q_positive) = alone_first::<R>(b, &positive_b);
    // A triangle's last two vertices change places where the first of the other is on the negative side; in both at once that
    // exchanges the volumes.
    let q = swap_last::<R>(!same(p_positive, q_positive), &q);
    let r = difference(&q[0], &p[0]);
    let one = dot(&cross(&difference(&p[1], &p[0]), &difference(&q[1], &q[0])), &r);
    let other = dot(&cross(&difference(&p[2], &p[0]), &difference(&q[2], &q[0])), &r);
    let (second, third) = (R::select(q_positive, one, other), R::select(q_positive, other, one));
    let bound = size_e * size_f * size_r * (FILTER * 8.0);
    let cutting = cutting & is_in_range(bound);
    let hit = cutting & bound.less(second) & third.less(-bound);
    let miss = miss | cutting & (second.less(-bound) | bound.less(third));
    Verdict { hit, miss }
}
