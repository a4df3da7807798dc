//! The fifteen ways in which two disjoint triangles can be nearest, and a proof that the nearest was found.
//!
//! Written once over `Real`: for one pair in f64, for four pairs in lanes, for one pair in double-double. Branch-free.
//!
//! 1. `nearest_candidate`: nine pairs of edges, each solved with clamping (Ericson, Real-Time Collision Detection,
//!    5.1.9; nearly parallel edges are harmless, because the last two steps project onto each edge in turn), and six
//!    vertices that project into the other face. Every candidate is a pair of points of the two triangles.
//! 2. `finish`: takes the best candidate, makes the vector between its points orthogonal to the edges it slides on (one
//!    Newton step, which removes the lateral rounding error), and certifies it by duality.
//!
//! The certificate. For any vector n every point of A has n.p <= max n.a_i and every point of B has n.q >= min n.b_j,
//! so the distance is at least w / |n| with w = min n.b_j - max n.a_i. For the vector n = between of length d this
//! must reach d: then d is the minimum and the triangles are disjoint, whatever went wrong before.
//! Rounding, with u the unit roundoff, E and F the longest edges, and |b_j - a_0| <= d + E + F:
//! - each n.(b_j - a_0) is off by at most 4u|n|(d+E+F) (three products, two sums, one rounded difference), each
//!   n.(a_i - a_0) by 4u|n|E, their difference by u|n|(d+2E+F): the bound w/|n| is off by u(5d+10E+5F);
//! - the vector between the candidate's points, r + (x*p + y*q), is off by u(2d+4E+4F), and the Newton step may not
//!   shorten it by more than the factor 1 + 2^-44 (checked);
//! - squares, root and the comparison itself add 3u d.
//!
//! With a gap of at most 2^-43 the relative error is below 2^-43 + u(8 + 10(E+F)/d); demanding E^2 + F^2 <= 2^18 d^2
//! bounds (E+F)/d by 725, hence the error in f64 by 1.14e-13 + 8.1e-13 < 1e-12. In double-double (u = 2^-98) the same
//! holds while E^2 + F^2 <= 2^108 d^2.

use crate::simd::lanes::Real;
#[cfg(test)]
use crate::simd::lanes::Truth;

pub type Vector<R> = [R; 3];
/// Three vertices, each three coordinates.
pub type Corners<R> = [Vector<R>; 3];

#[inline(always)]
pub fn difference<R: Real>(a: &Vector<R>, b: &Vector<R>) -> Vector<R> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub fn dot<R: Real>(a: &Vector<R>, b: &Vector<R>) -> R {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub fn cross<R: Real>(a: &Vector<R>, b: &Vector<R>) -> Vector<R> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub fn choose<R: Real>(mask: R::Mask, yes: &Vector<R>, no: &Vector<R>) -> Vector<R> {
    [R::select(mask, yes[0], no[0]), R::select(mask, yes[1], no[1]), R::select(mask, yes[2], no[2])]
}

/// `base + (x * p + y * q)`.
#[inline(always)]
fn reach<R: Real>(base: &Vector<R>, x: R, p: &Vector<R>, y: R, q: &Vector<R>) -> Vector<R> {
    [base[0] + (x * p[0] + y * q[0]), base[1] + (x * p[1] + y * q[1]), base[2] + (x * p[2] + y * q[2])]
}

#[inline(always)]
fn edges<R: Real>(t: &Corners<R>) -> Corners<R> {
    [difference(&t[1], &t[0]), difference(&t[2], &t[1]), difference(&t[0], &t[2])]
}

#[inline(always)]
fn longest_squared<R: Real>(e: &Corners<R>) -> R {
    dot(&e[0], &e[0]).larger(dot(&e[1], &e[1])).larger(dot(&e[2], &e[2]))
}

/// Which of the fifteen candidates it is, and where its points are.
///
/// Codes are laid out so that the vertex of A that the candidate starts from is a range of them:
/// 0-6 start at a_0, 7-10 at a_1, 11-14 at a_2. The first three of each range are that edge of A against edges 0, 1, 2
/// of B, the fourth is the vertex of A against B's face, and 4-6 are B's vertices against A's face.
/// The vector between the points is `b_j - a_i + x p + y q`:
/// edges: p = edge i of A, q = edge j of B, x in -1..0, y in 0..1; vertex a_i, face B: j = 0, p = edge 2 of B,
/// q = edge 0 of B, -x and y barycentric; vertex b_j, face A: i = 0, p = edge 0 of A, q = edge 2 of A, -x and y
/// barycentric.
#[derive(Clone, Copy)]
pub struct Candidate<R> {
    pub squared: R,
    pub code: R,
    pub x: R,
    pub y: R,
}

/// First code of each vertex of A.
pub const FIRST_CODE: [i32; 3] = [0, 7, 11];

impl<R: Real> Candidate<R> {
    #[inline(always)]
    fn keep_nearer(&mut self, allowed: R::Mask, squared: R, code: i32, x: R, y: R) {
        let nearer = allowed & squared.less(self.squared);
        self.squared = R::select(nearer, squared, self.squared);
        self.code = R::select(nearer, squared.splat(code as f64), self.code);
        self.x = R::select(nearer, x, self.x);
        self.y = R::select(nearer, y, self.y);
    }
}

#[inline(always)]
fn unit_interval<R: Real>(value: R) -> R {
    let zero = value.splat(0.0);
    let one = value.splat(1.0);
    value.larger(zero).smaller(one)
}

/// 1 / value, or 0 where there is nothing to divide by: a point has no direction to slide along.
#[inline(always)]
fn inverse_or_zero<R: Real>(value: R) -> R {
    let zero = value.splat(0.0);
    R::select(zero.less(value), value.splat(1.0) / value, zero)
}

/// The nearest of the fifteen candidates.
#[inline(always)]
pub fn nearest_candidate<R: Real>(a: &Corners<R>, b: &Corners<R>) -> Candidate<R> {
    let zero = a[0][0].splat(0.0);
    let one = a[0][0].splat(1.0);
    let everywhere = zero.less(one);
    let e = edges(a);
    let f = edges(b);
    let r: [Corners<R>; 3] = [0, 1, 2].map(|i| [0, 1, 2].map(|j| difference(&b[j], &a[i])));

    let ee = [0, 1, 2].map(|i| dot(&e[i], &e[i]));
    let ff = [0, 1, 2].map(|j| dot(&f[j], &f[j]));
    let ef: [[R; 3]; 3] = [0, 1, 2].map(|i| [0, 1, 2].map(|j| dot(&e[i], &f[j])));
    // er[i][j] = e_i . (b_j - a_i), fr[i][j] = f_j . (b_j - a_i): one product each, the others by walking along edges.
    let er: [[R; 3]; 3] = [0, 1, 2].map(|i| {
        let first = dot(&e[i], &r[i][0]);
        [first, first + ef[i][0], first - ef[i][2]]
    });
    let fr0 = [0, 1, 2].map(|j| dot(&f[j], &r[0][j]));
    let fr: [[R; 3]; 3] = [
        fr0,
        [fr0[0] - ef[0][0], fr0[1] - ef[0][1], fr0[2] - ef[0][2]],
        [fr0[0] + ef[2][0], fr0[1] + ef[2][1], fr0[2] + ef[2][2]],
    ];
    let inverse_ee = ee.map(inverse_or_zero);
    let inverse_ff = ff.map(inverse_or_zero);

    let mut best = Candidate { squared: zero.splat(f64::INFINITY), code: zero, x: zero, y: zero };
    for i in 0..3 {
        for j in 0..3 {
            let determinant = ee[i] * ff[j] - ef[i][j] * ef[i][j];
            let s = (er[i][j] * ff[j] - fr[i][j] * ef[i][j]) / determinant;
            let s = R::select(zero.less(determinant), unit_interval(s), zero);
            let t = unit_interval((s * ef[i][j] - fr[i][j]) * inverse_ff[j]);
            let s = unit_interval((t * ef[i][j] + er[i][j]) * inverse_ee[i]);
            let between = reach(&r[i][j], -s, &e[i], t, &f[j]);
            best.keep_nearer(everywhere, dot(&between, &between), FIRST_CODE[i] + j as i32, -s, t);
        }
    }

    let f02 = dot(&f[0], &f[2]);
    let gram = ff[0] * ff[2] - f02 * f02;
    let inverse_gram = inverse_or_zero(gram);
    for i in 0..3 {
        let (g0, g2) = (fr[i][0], fr[i][2] + ff[2]);
        let y = g2 * f02 - g0 * ff[2];
        let x = g0 * f02 - g2 * ff[0];
        let inside = zero.less_or_equal(y) & x.less_or_equal(zero) & (y - x).less_or_equal(gram) & zero.less(gram);
        let (x, y) = (x * inverse_gram, y * inverse_gram);
        let between = reach(&r[i][0], x, &f[2], y, &f[0]);
        best.keep_nearer(inside, dot(&between, &between), FIRST_CODE[i] + 3, x, y);
    }

    let e02 = dot(&e[0], &e[2]);
    let gram = ee[0] * ee[2] - e02 * e02;
    let inverse_gram = inverse_or_zero(gram);
    for j in 0..3 {
        let (g0, g2) = (er[0][j], er[2][j] - ee[2]);
        let x = g2 * e02 - g0 * ee[2];
        let y = g0 * e02 - g2 * ee[0];
        let inside = x.less_or_equal(zero) & zero.less_or_equal(y) & (y - x).less_or_equal(gram) & zero.less(gram);
        let (x, y) = (x * inverse_gram, y * inverse_gram);
        let between = reach(&r[0][j], x, &e[0], y, &e[2]);
        best.keep_nearer(inside, dot(&between, &between), 4 + j as i32, x, y);
    }
    best
}

/// The best candidate made precise, and whether it is proved to be the minimum.
#[derive(Clone, Copy)]
pub struct Finished<R: Real> {
    /// From the point of A to the point of B.
    pub between: Vector<R>,
    pub squared: R,
    /// The candidate's parameters after the Newton step; they may leave their interval by rounding.
    pub x: R,
    pub y: R,
    pub certified: R::Mask,
}

/// Squared distances outside 2^-200 to 2^200 leave the fast path, so that no product of four lengths can underflow in a
/// way that would change bits; the robust path comes back with the pair scaled by a power of two.
const SMALLEST_SQUARED: f64 = f64::from_bits((1023 - 200) << 52);
const LARGEST_SQUARED: f64 = f64::from_bits((1023 + 200) << 52);
/// 1 - 2^-43 and 1 + 2^-43: how far the two bounds of the squared distance may be apart, see the certificate.
const GAP_BELOW: f64 = 1.0 - f64::from_bits((1023 - 43) << 52);
const GAP_ABOVE: f64 = 1.0 + f64::from_bits((1023 - 43) << 52);
/// Two edges whose angle has a squared sine below this are made orthogonal in turn instead of together.
const NEARLY_PARALLEL: f64 = f64::from_bits((1023 - 30) << 52);

/// The largest (E^2 + F^2) / d^2 that the rounding bound allows: 2^18 in f64, 2^108 in double-double.
fn largest_ratio_squared<R: Real>() -> f64 {
    let exponent = 18 + 2 * (-53 - R::ROUNDOFF_EXPONENT);
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[inline(always)]
pub fn finish<R: Real>(a: &Corners<R>, b: &Corners<R>, candidate: &Candidate<R>) -> Finished<R> {
    let Candidate { code, x, y, .. } = *candidate;
    let number = |value: f64| code.splat(value);
    let zero = number(0.0);
    let one = number(1.0);
    let e = edges(a);
    let f = edges(b);

    let from_0 = code.less(number(6.5));
    let from_1 = code.less(number(10.5));
    let local = code - R::select(from_0, zero, R::select(from_1, number(7.0), number(11.0)));
    let from_2_of_b = number(1.5).less(local) & local.less(number(2.5)) | number(5.5).less(local);
    let from_1_of_b =
        number(0.5).less(local) & local.less(number(1.5)) | number(4.5).less(local) & local.less(number(5.5));
    let face_of_b = number(2.5).less(local) & local.less(number(3.5));
    let face_of_a = number(3.5).less(local);
    let start_a = choose::<R>(from_0, &a[0], &choose::<R>(from_1, &a[1], &a[2]));
    let start_b = choose::<R>(from_2_of_b, &b[2], &choose::<R>(from_1_of_b, &b[1], &b[0]));
    let p = choose::<R>(from_0, &e[0], &choose::<R>(from_1, &e[1], &e[2]));
    let p = choose::<R>(face_of_b, &f[2], &p);
    let q = choose::<R>(from_2_of_b, &f[2], &choose::<R>(from_1_of_b, &f[1], &f[0]));
    let q = choose::<R>(face_of_a, &e[2], &q);
    let start = difference(&start_b, &start_a);
    let between = reach(&start, x, &p, y, &q);
    let squared_before = dot(&between, &between);

    // The Newton step: solve the normal equations for the directions that are free to slide.
    let free = |value: R| zero.less(value.absolute()) & value.absolute().less(one);
    let (free_p, free_q) = (free(x), free(y));
    let (residual_p, residual_q) = (dot(&between, &p), dot(&between, &q));
    let (pp, qq, pq) = (dot(&p, &p), dot(&q, &q), dot(&p, &q));
    let product = pp * qq;
    let determinant = product - pq * pq;
    let both = free_p & free_q & (product * NEARLY_PARALLEL).less(determinant);
    let step_p = R::select(both, residual_p * qq - residual_q * pq, residual_p) / R::select(both, determinant, pp);
    let step_p = R::select(free_p, step_p, zero);
    let step_q = R::select(free_q, (residual_q - step_p * pq) / qq, zero);
    let between = reach(&between, -step_p, &p, -step_q, &q);
    let squared = dot(&between, &between);

    let b_along = [0, 1, 2].map(|j| dot(&between, &difference(&b[j], &a[0])));
    let a_along = [dot(&between, &e[0]), -dot(&between, &e[2])];
    let width = b_along[0].smaller(b_along[1]).smaller(b_along[2]) - a_along[0].larger(a_along[1]).larger(zero);
    let sizes = longest_squared(&e) + longest_squared(&f);
    let certified = (squared * GAP_BELOW).less_or_equal(width)
        & squared_before.less_or_equal(squared * GAP_ABOVE)
        & sizes.less_or_equal(squared * largest_ratio_squared::<R>())
        & number(SMALLEST_SQUARED).less_or_equal(squared)
        & squared.less_or_equal(number(LARGEST_SQUARED));
    Finished { between, squared, x: x - step_p, y: y - step_q, certified }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_squares_are_certified() {
        let a = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let b = [[0.0, 0.0, 0.25], [1.0, 0.0, 0.25], [0.0, 1.0, 0.25]];
        let finished = finish(&a, &b, &nearest_candidate(&a, &b));
        assert!(finished.certified.all());
        assert_eq!(finished.squared, 0.0625);
    }
}
