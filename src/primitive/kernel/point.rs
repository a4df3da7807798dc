//! The nearest candidate of a triangle and a point: `nearest_candidate` with a triangle B whose vertices are one point.
//!
//! The same bits, sooner. With b_0 = b_1 = b_2 all edges of B are zero, and of the fifteen candidates eleven are copies:
//! 1. `f`, `ff`, `ef` are zeros, `inverse_ff` and the inverse determinants are selected to be 0. Hence t is a zero, and s is
//!    `er * inverse_ee`, clamped: a zero that is added changes no number but the sign of a zero.
//! 2. The vector between is `start + (0 - s e)`, which is `start - s e`.
//! 3. The edges j = 1, 2 of B repeat j = 0 with a larger tag, and so do the vertices of B against A's face. B has no face.

use super::*;

/// The nearest candidate, and what tells how good it is.
pub struct Nearest<R> {
    /// The squared distance with the code of its candidate: 0, 7, 11 for the edges of A, 4 for its face.
    pub squared: R,
    /// Of the product of two edges of A, squared.
    pub gram: R,
    /// The longest edge of A, squared.
    pub longest: R,
}

#[inline(always)]
pub fn nearest_candidate<R: Real>(a: &Corners<R>, point: &Vector<R>) -> Nearest<R> {
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
    let longest = ee[0].larger(ee[1]).larger(ee[2]);
    Nearest { squared: smallest_of(to_edges).smaller(to_face), gram, longest }
}

/// `finish` for one point and one triangle, given the nearest candidate: the same bits, sooner.
///
/// 1. The edges of B are zeros without a sign. So sizes of B add nothing, and of three equal ways to the vertices of B the smallest is any.
/// 2. Where an edge of A is nearest, q is such an edge. Then its products are zeros, y is 0 and does not slide, x depends on p alone, and
///    `x p + y q` is `x p + 0`.
/// 3. Where the face of A is nearest, p and q are edges 0 and 2 of A, and the way begins at vertex 0.
pub fn finish(a: &Corners<f64>, point: &Vector<f64>, code: f64) -> Finished<f64> {
    let e = edges(a);
    let is_face = 3.5 < code && code < 6.5;
    let (between, squared_before, x, y) = if is_face {
        on_face(&e, &given_difference(point, &a[0]))
    } else {
        let i = (code > 6.5) as usize + (code > 10.5) as usize;
        on_edge(&e[i], &given_difference(point, &a[i]))
    };
    let squared = dot(&between, &between);
    let to_b = dot(&between, &given_difference(point, &a[0]));
    let width = to_b - dot(&between, &e[0]).larger(-dot(&between, &e[2])).larger(0.0);
    let sizes = longest_squared(&e);
    let certified = reaches(squared, width)
        & squared_before.less_or_equal(squared * GAP_ABOVE)
        & (!is_face | (y.0 - x.0).less_or_equal(1.0 + 8.0 * unit_roundoff::<f64>()))
        & sizes.less_or_equal(squared * largest_ratio_squared::<f64>())
        & SMALLEST_SQUARED.less_or_equal(squared)
        & squared.less_or_equal(LARGEST_SQUARED);
    Finished { between, squared, x: x.0 - x.1, y: y.0 - y.1, certified, width, sizes }
}

/// The way to the point, its square before the last step, and the parameters with their last steps.
type Slid = (Vector<f64>, f64, (f64, f64), (f64, f64));

#[inline(always)]
fn on_edge(p: &Vector<f64>, start: &Vector<f64>) -> Slid {
    let pp = dot(p, p);
    let inverse_pp = if SMALLEST_SQUARED_EDGE.less(pp) { 1.0 / pp } else { 0.0 };
    let x = within(-dot(start, p) * inverse_pp, -1.0, 0.0);
    let between = three(
        #[inline(always)]
        |k| start[k] + (x * p[k] + 0.0),
    );
    let squared_before = dot(&between, &between);
    let step = if x < 0.0 && -1.0 < x { dot(&between, p) * inverse_pp } else { 0.0 };
    let between = three(
        #[inline(always)]
        |k| between[k] + (-step * p[k] + -0.0),
    );
    (between, squared_before, (x, step), (0.0, 0.0))
}

#[inline(always)]
fn on_face(e: &Corners<f64>, start: &Vector<f64>) -> Slid {
    let [p, _, q] = e;
    let (pp, qq, pq) = (dot(p, p), dot(q, q), dot(p, q));
    let (along_p, along_q) = (dot(start, p), dot(start, q));
    let product = pp * qq;
    let determinant = product - pq * pq;
    let regular = spans(product, determinant);
    let inverse = inverse_or_zero(determinant, regular);
    let [inverse_pp, inverse_qq] =
        two_inverses([pp, qq], [SMALLEST_SQUARED_EDGE.less(pp), SMALLEST_SQUARED_EDGE.less(qq)]);
    let x = within((along_q * pq - along_p * qq) * inverse, -1.0, 0.0);
    let y = within((-along_q - x * pq) * inverse_qq, 0.0, 1.0);
    let x = within((-along_p - y * pq) * inverse_pp, -1.0, 0.0);
    let between = reach(start, x, p, y, q);
    let squared_before = dot(&between, &between);
    let (free_p, free_q) = (x < 0.0 && -1.0 < x, 0.0 < y && y < 1.0);
    let (residual_p, residual_q) = (dot(&between, p), dot(&between, q));
    let step_p = match free_p {
        true if free_q && regular => (residual_p * qq - residual_q * pq) * inverse,
        true => residual_p * inverse_pp,
        false => 0.0,
    };
    let step_q = if free_q { (residual_q - step_p * pq) * inverse_qq } else { 0.0 };
    (reach(&between, -step_p, p, -step_q, q), squared_before, (x, step_p), (y, step_q))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::three::map3;

    /// Signs of zeros count, because the vector becomes a normal.
    #[test]
    fn the_bits_are_those_of_two_triangles() {
        let mut state = 3u64;
        let mut next = |grid: f64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) as f64 / 2f64.powi(30) * grid).floor() / grid - 1.0
        };
        let bits = |finished: &Finished<f64>| {
            let Finished { between: [x, y, z], squared, x: first, y: second, certified, width, sizes } = *finished;
            (certified, [x, y, z, squared, first, second, width, sizes].map(f64::to_bits))
        };
        let mut certain = [0; 2];
        for round in 0..200_000 {
            let grid = [1.0, 2.0, 16.0, 1e9][round % 4];
            let size = [1.0, 1e-3, 1e-160][round / 4 % 3];
            let mut vector = || [next(grid), next(grid), next(grid)];
            let a = three(|_| map3(&vector(), |x| x * size));
            // Negative factors give zeros with a sign.
            let point = map3(&vector(), |x| x * [1.0, size, -1.0, -size][round / 12 % 4]);
            let code = nearest_candidate(&a, &point).squared.tag();
            let found = finish(&a, &point, code);
            assert_eq!(bits(&found), bits(&super::super::finish(&a, &[point; 3], code)), "{a:?} {point:?}");
            certain[(code == 4.0) as usize] += found.certified as u32;
        }
        assert!(certain.iter().all(|&count| count > 5_000), "{certain:?}");
    }
}
