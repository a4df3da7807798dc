//! The nearest candidate of a triangle and a point: `nearest_candidate` with a triangle B whose vertices are one point.
//!
//! The same bits, sooner. With b_0 = b_1 = b_2 all edges of B are zero, and of the fifteen candidates eleven are copies:
//! 1. `f`, `ff`, `ef` are zeros, `inverse_ff` and the inverse determinants are selected to be 0. Hence t is a zero, and s is
//!    `er * inverse_ee`, clamped: a zero that is added changes no number but the sign of a zero.
//! 2. The vector between is `start + (0 - s e)`, which is `start - s e`.
//! 3. The edges j = 1, 2 of B repeat j = 0 with a larger tag, and so do the vertices of B against A's face. B has no face.

use super::*;

/// The squared distance with the code of its candidate: 0, 7, 11 for the edges of A, 4 for its face.
#[inline(always)]
pub fn nearest_candidate<R: Real>(a: &Corners<R>, point: &Vector<R>) -> R {
    let zero = a[0][0].splat(0.0);
    let one = a[0][0].splat(1.0);
    let e = edges(a);
    let ee = three(
        #[inline(always)]
        |i| dot(&e[i], &e[i]),
    );
    let start = three(
        #[inline(always)]
        |i| given_difference(point, &a[i]),
    );
    let er = three(
        #[inline(always)]
        |i| dot(&e[i], &start[i]),
    );
    let inverse_ee = inverse_squares(ee);
    let to_edges = three(
        #[inline(always)]
        |i| {
            let s = within(er[i] * inverse_ee[i], zero, one);
            let between = three(
                #[inline(always)]
                |c| start[i][c] - s * e[i][c],
            );
            dot(&between, &between).tagged(FIRST_CODE[i])
        },
    );
    let normal = cross(&e[0], &e[2]);
    let gram = dot(&normal, &normal);
    let spanning = zero.splat(SMALLEST_DIVISOR).less(gram) & has_inside(ee[0] * ee[2], gram);
    let inverse_gram = inverse_or_zero(gram, spanning);
    let e02 = dot(&e[0], &e[2]);
    let (g0, g2) = (er[0], er[2] - ee[2]);
    let x = g2 * e02 - g0 * ee[2];
    let y = g0 * e02 - g2 * ee[0];
    let inside = x.less_or_equal(zero) & zero.less_or_equal(y) & (y - x).less_or_equal(gram) & spanning;
    let height = dot(&normal, &start[0]);
    let to_face = R::select(inside, height * height * inverse_gram, zero.splat(NO_CANDIDATE)).tagged(4);
    smallest_of(to_edges).smaller(to_face)
}
