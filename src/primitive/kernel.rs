//! The fifteen ways in which two disjoint triangles can be nearest, and a proof that the nearest one was found.
//!
//! Written once over `Real`: for one pair in f64, for four pairs in lanes, for one pair in double-double. Without
//! branches.
//!
//! 1. `nearest_candidate` solves nine pairs of edges with clamping (Ericson, Real-Time Collision Detection, 5.1.9), and
//!    projects six vertices into the other face. Nearly parallel edges are harmless, because the last two steps project
//!    onto each edge in turn. Every candidate is a pair of points of the two triangles.
//! 2. `finish` takes the best candidate and makes the vector between its points orthogonal to the edges it slides on.
//!    This is one Newton step, which removes the lateral rounding error. Then it certifies the result by duality.
//!
//! # The certificate
//!
//! 1. For any vector n, every point of A has n.p <= max n.a_i and every point of B has n.q >= min n.b_j. So the
//!    distance is at least w / |n| with w = min n.b_j - max n.a_i.
//! 2. For the vector n between the points, of length d, this bound must reach d. Then d is the minimum and the
//!    triangles are disjoint, whatever went wrong before.
//!
//! # Rounding
//!
//! u is the unit roundoff, E and F are the longest edges, and |b_j - a_0| <= d + E + F.
//! 1. Each n.(b_j - a_0) is off by at most 4u|n|(d+E+F): three products, two sums, one rounded difference. Each n.(a_i
//!    - a_0) is off by 4u|n|E, and their difference by u|n|(d+2E+F). So the bound w/|n| is off by u(5d+10E+5F).
//! 2. The vector between the candidate's points, r + (x*p + y*q), is off by u(2d+4E+4F). The Newton step may not
//!    shorten it by more than the factor 1 + 2^-44 (checked).
//! 3. A point on a face may be outside by 8u of its size (checked), across the vector between the points: a term of
//!    second order.
//! 4. Squares, root and the comparison itself add 3u d.
//! 5. With a gap of at most 2^-43 the relative error is below 2^-43 + u(8 + 10(E+F)/d).
//! 6. E^2 + F^2 <= 2^18 d^2 bounds (E+F)/d by 725, so the error in f64 is below 1.14e-13 + 8.1e-13 < 1e-12. In
//!    double-double (u = 2^-98) the same holds while E^2 + F^2 <= 2^108 d^2.

pub mod alone;
pub mod point;

use crate::simd::lanes::Real;
#[cfg(test)]
use crate::simd::lanes::Truth;
use crate::simd::three::{cross, dot, three};

pub type Vector<R> = [R; 3];
/// Three vertices, each three coordinates.
pub type Corners<R> = [Vector<R>; 3];

#[inline(always)]
pub fn choose<R: Real>(mask: R::Mask, yes: &Vector<R>, no: &Vector<R>) -> Vector<R> {
    [R::select(mask, yes[0], no[0]), R::select(mask, yes[1], no[1]), R::select(mask, yes[2], no[2])]
}

/// `base + (x * p + y * q)`.
#[inline(always)]
fn reach<R: Real>(base: &Vector<R>, x: R, p: &Vector<R>, y: R, q: &Vector<R>) -> Vector<R> {
    [base[0] + (x * p[0] + y * q[0]), base[1] + (x * p[1] + y * q[1]), base[2] + (x * p[2] + y * q[2])]
}

/// `difference` of given vertices.
#[inline(always)]
fn given_difference<R: Real>(a: &Vector<R>, b: &Vector<R>) -> Vector<R> {
    [a[0].minus_given(b[0]), a[1].minus_given(b[1]), a[2].minus_given(b[2])]
}

#[inline(always)]
fn edges<R: Real>(t: &Corners<R>) -> Corners<R> {
    [given_difference(&t[1], &t[0]), given_difference(&t[2], &t[1]), given_difference(&t[0], &t[2])]
}

#[inline(always)]
fn longest_squared<R: Real>(e: &Corners<R>) -> R::Head {
    let squared = three(
        #[inline(always)]
        |k| {
            let [x, y, z] = [e[k][0].head(), e[k][1].head(), e[k][2].head()];
            x * x + y * y + z * z
        },
    );
    squared[0].larger(squared[1]).larger(squared[2])
}

/// First code of the candidates that start from each vertex of A.
///
/// 0-6 start at a_0, 7-10 at a_1, 11-14 at a_2. The first three of each range are that edge of A against edges 0, 1, 2
/// of B, the fourth is the vertex of A against B's face, and 4-6 are B's vertices against A's face.
/// The vector between the points is `b_j - a_i + x p + y q` with x in -1..0 and y in 0..1:
/// edges: p = edge i of A, q = edge j of B; vertex a_i, face B: j = 0, p = edge 2 of B, q = edge 0 of B;
/// vertex b_j, face A: i = 0, p = edge 0 of A, q = edge 2 of A; of a face, -x and y are barycentric.
pub const FIRST_CODE: [u64; 3] = [0, 7, 11];

#[inline(always)]
pub fn within<R: Real>(value: R, low: R, high: R) -> R {
    value.larger(low).smaller(high)
}

/// What is divided by is at least 2^-500: shorter edges (below 2^-125, against distances from 2^-60 on) count as points,
/// which moves a candidate by less than rounding, and products of two such divisors stay normal.
pub const SMALLEST_DIVISOR: f64 = f64::from_bits((1023 - 500) << 52);
/// The same for squared lengths, of which three are multiplied.
const SMALLEST_SQUARED_EDGE: f64 = f64::from_bits((1023 - 300) << 52);
/// Stands for "no candidate": larger than any squared distance of the fast path, and finite, so that it can be tagged.
const NO_CANDIDATE: f64 = f64::from_bits((1023 + 1000) << 52);

/// 1 / value where `regular`, else 0: a point has no direction to slide along.
#[inline(always)]
fn inverse_or_zero<R: Real>(value: R, regular: R::Mask) -> R {
    R::select(regular, value.splat(1.0) / value, value.splat(0.0))
}

/// Two inverses for one division, 0 where not `regular`.
#[inline(always)]
fn two_inverses<R: Real>(values: [R; 2], regular: [R::Mask; 2]) -> [R; 2] {
    let zero = values[0].splat(0.0);
    let one = values[0].splat(1.0);
    let safe = [R::select(regular[0], values[0], one), R::select(regular[1], values[1], one)];
    let inverse = one / (safe[0] * safe[1]);
    [R::select(regular[0], inverse * safe[1], zero), R::select(regular[1], inverse * safe[0], zero)]
}

/// Inverses of squared edge lengths, three for one division.
#[inline(always)]
pub fn inverse_squares<R: Real>(values: [R; 3]) -> [R; 3] {
    let zero = values[0].splat(0.0);
    let one = values[0].splat(1.0);
    let smallest = values[0].splat(SMALLEST_SQUARED_EDGE);
    let regular = three(
        #[inline(always)]
        |k| smallest.less(values[k]),
    );
    let safe = three(
        #[inline(always)]
        |k| R::select(regular[k], values[k], one),
    );
    let product = safe[0] * safe[1];
    let inverse = one / (product * safe[2]);
    let inverse_product = inverse * safe[2];
    let inverses = [inverse_product * safe[1], inverse_product * safe[0], inverse * product];
    three(
        #[inline(always)]
        |k| R::select(regular[k], inverses[k], zero),
    )
}

/// Two directions span a plane as far as the arithmetic can tell: below that the determinant is noise.
#[inline(always)]
fn spans<R: Real>(product: R, determinant: R) -> R::Mask {
    (product * (8.0 * unit_roundoff::<R>())).less(determinant) & product.splat(SMALLEST_DIVISOR).less(determinant)
}

/// A face whose inside can be told from its outside: barycentric numerators are differences of products as large as
/// `product`, so below 1024 roundings of it they are noise. In double-double that leaves out needles thinner than 6e12 to
/// one. What these rules get wrong is not certified, and `needle` looks again.
#[inline(always)]
fn has_inside<R: Real>(product: R, gram: R) -> R::Mask {
    (product * (1024.0 * unit_roundoff::<R>())).less(gram)
}

#[inline(always)]
pub fn smallest_of<R: Real>(values: [R; 3]) -> R {
    values[0].smaller(values[1]).smaller(values[2])
}

/// The products of edges that the candidates share.
#[derive(Clone, Copy)]
pub struct Products<R> {
    e: [Vector<R>; 3],
    f: [Vector<R>; 3],
    ee: [R; 3],
    ff: [R; 3],
    ef: [[R; 3]; 3],
    /// er[i][j] = e_i . (b_j - a_i), fr[i][j] = f_j . (b_j - a_i).
    er: [[R; 3]; 3],
    fr: [[R; 3]; 3],
}

impl<R: Real> Products<R> {
    #[inline(always)]
    pub fn new(a: &Corners<R>, b: &Corners<R>) -> Self {
        Self::with(
            a,
            b,
            #[inline(always)]
            |x, y| dot(x, y),
        )
    }

    /// `new` with another way to call the product of two vectors.
    #[inline(always)]
    pub fn with(a: &Corners<R>, b: &Corners<R>, dot: impl Fn(&Vector<R>, &Vector<R>) -> R) -> Self {
        let e = edges(a);
        let f = edges(b);
        let ee = three(
            #[inline(always)]
            |i| dot(&e[i], &e[i]),
        );
        let ff = three(
            #[inline(always)]
            |j| dot(&f[j], &f[j]),
        );
        let ef: [[R; 3]; 3] = three(
            #[inline(always)]
            |i| {
                three(
                    #[inline(always)]
                    |j| dot(&e[i], &f[j]),
                )
            },
        );
        // One product each, the others by walking along edges.
        let er: [[R; 3]; 3] = three(
            #[inline(always)]
            |i| {
                let first = dot(&e[i], &given_difference(&b[0], &a[i]));
                [first, first + ef[i][0], first - ef[i][2]]
            },
        );
        let fr0 = three(
            #[inline(always)]
            |j| dot(&f[j], &given_difference(&b[j], &a[0])),
        );
        let fr: [[R; 3]; 3] = [
            fr0,
            [fr0[0] - ef[0][0], fr0[1] - ef[0][1], fr0[2] - ef[0][2]],
            [fr0[0] + ef[2][0], fr0[1] + ef[2][1], fr0[2] + ef[2][2]],
        ];
        Self { e, f, ee, ff, ef, er, fr }
    }

    #[inline(always)]
    pub fn inverse_squares(&self) -> [[R; 3]; 2] {
        [inverse_squares(self.ee), inverse_squares(self.ff)]
    }

    /// The nearest of the three candidates between edge i of A and the edges of B.
    #[inline(always)]
    pub fn nearest_edge_pair(&self, a: &Corners<R>, b: &Corners<R>, inverses: &[[R; 3]; 2], i: usize) -> R {
        let Self { e, f, ee, ff, ef, er, fr } = self;
        let [inverse_ee, inverse_ff] = inverses;
        let zero = ee[0].splat(0.0);
        let one = ee[0].splat(1.0);
        let product = three(
            #[inline(always)]
            |j| ee[i] * ff[j],
        );
        let determinant = three(
            #[inline(always)]
            |j| product[j] - ef[i][j] * ef[i][j],
        );
        let regular = three(
            #[inline(always)]
            |j| spans(product[j], determinant[j]),
        );
        let [first, second] = two_inverses([determinant[0], determinant[1]], [regular[0], regular[1]]);
        let inverse = [first, second, inverse_or_zero(determinant[2], regular[2])];
        // Written with `three`, not with loops: a loop would keep its arrays in memory.
        smallest_of(three(
            #[inline(always)]
            |j| {
                let s = within((er[i][j] * ff[j] - fr[i][j] * ef[i][j]) * inverse[j], zero, one);
                let t = within((s * ef[i][j] - fr[i][j]) * inverse_ff[j], zero, one);
                let s = within((t * ef[i][j] + er[i][j]) * inverse_ee[i], zero, one);
                let start = given_difference(&b[j], &a[i]);
                let between = three(
                    #[inline(always)]
                    |c| start[c] + (t * f[j][c] - s * e[i][c]),
                );
                dot(&between, &between).tagged(FIRST_CODE[i] + j as u64)
            },
        ))
    }

    /// The nearest of the three candidates between the vertices of A and the inside of B.
    #[inline(always)]
    pub fn nearest_to_face_of_b(&self, a: &Corners<R>, b: &Corners<R>) -> R {
        let Self { f, ff, fr, .. } = self;
        let zero = ff[0].splat(0.0);
        let none = zero.splat(NO_CANDIDATE);
        let smallest = zero.splat(SMALLEST_DIVISOR);
        let normal = cross(&f[0], &f[2]);
        let gram = dot(&normal, &normal);
        let spanning = smallest.less(gram) & has_inside(ff[0] * ff[2], gram);
        let inverse_gram = inverse_or_zero(gram, spanning);
        let f02 = dot(&f[0], &f[2]);
        smallest_of(three(
            #[inline(always)]
            |i| {
                let (g0, g2) = (fr[i][0], fr[i][2] + ff[2]);
                let y = g2 * f02 - g0 * ff[2];
                let x = g0 * f02 - g2 * ff[0];
                let inside = zero.less_or_equal(y) & x.less_or_equal(zero) & (y - x).less_or_equal(gram) & spanning;
                let height = dot(&normal, &given_difference(&b[0], &a[i]));
                let squared = R::select(inside, height * height * inverse_gram, none);
                squared.tagged(FIRST_CODE[i] + 3)
            },
        ))
    }

    /// The nearest of the three candidates between the inside of A and the vertices of B.
    #[inline(always)]
    pub fn nearest_to_face_of_a(&self, a: &Corners<R>, b: &Corners<R>) -> R {
        let Self { e, ee, er, .. } = self;
        let zero = ee[0].splat(0.0);
        let none = zero.splat(NO_CANDIDATE);
        let smallest = zero.splat(SMALLEST_DIVISOR);
        let normal = cross(&e[0], &e[2]);
        let gram = dot(&normal, &normal);
        let spanning = smallest.less(gram) & has_inside(ee[0] * ee[2], gram);
        let inverse_gram = inverse_or_zero(gram, spanning);
        let e02 = dot(&e[0], &e[2]);
        smallest_of(three(
            #[inline(always)]
            |j| {
                let (g0, g2) = (er[0][j], er[2][j] - ee[2]);
                let x = g2 * e02 - g0 * ee[2];
                let y = g0 * e02 - g2 * ee[0];
                let inside = x.less_or_equal(zero) & zero.less_or_equal(y) & (y - x).less_or_equal(gram) & spanning;
                let height = dot(&normal, &given_difference(&b[j], &a[0]));
                let squared = R::select(inside, height * height * inverse_gram, none);
                squared.tagged(4 + j as u64)
            },
        ))
    }
}

/// The nearest of the fifteen candidates: its squared distance, with its code in place of the last bits.
///
/// The code costs a relative 2^-48 of the squared distance in the choice between candidates, nothing in the result.
#[inline(always)]
pub fn nearest_candidate<R: Real>(a: &Corners<R>, b: &Corners<R>) -> R {
    let products = Products::new(a, b);
    let inverses = products.inverse_squares();
    let edge_pairs = three(
        #[inline(always)]
        |i| products.nearest_edge_pair(a, b, &inverses, i),
    );
    smallest_of([smallest_of(edge_pairs), products.nearest_to_face_of_b(a, b), products.nearest_to_face_of_a(a, b)])
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
    /// `w` of the certificate, and E^2 + F^2.
    width: R,
    sizes: R::Head,
}

impl<R: Real> Finished<R> {
    #[inline(always)]
    pub fn select(mask: R::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            between: choose::<R>(mask, &yes.between, &no.between),
            squared: R::select(mask, yes.squared, no.squared),
            x: R::select(mask, yes.x, no.x),
            y: R::select(mask, yes.y, no.y),
            certified: mask & yes.certified | !mask & no.certified,
            width: R::select(mask, yes.width, no.width),
            sizes: R::Head::select(mask, yes.sizes, no.sizes),
        }
    }
}

impl<R: Real<Head = R>> Finished<R> {
    /// Whether the pair is provably farther apart than `limit`, certified or not: the true distance is at least
    /// `w / |n| - u(5d + 10(E+F))`, with `E + F <= sqrt(2 (E^2 + F^2))`; 32u leaves twice the room, and the limit is taken
    /// a part in 2^38 higher than it is, more than any computed distance errs.
    #[inline(always)]
    pub fn is_beyond(&self, limit: f64) -> R::Mask {
        let (length, error) = self.length_and_error();
        let limit = self.squared.splat(limit) * (1.0 + f64::from_bits((1023 - 38) << 52));
        ((limit + error) * length).less(self.width)
            & self.squared.splat(SMALLEST_SQUARED).less_or_equal(self.squared)
            & self.squared.less_or_equal(self.squared.splat(LARGEST_SQUARED))
    }

    /// What is not below the value of the pair, and whether that is at most `limit`: the points are on the triangles, to rounding,
    /// and the value is above the true distance by a part in 2^38 at most, or by much less than 32u of the edges.
    #[inline(always)]
    pub fn is_within(&self, limit: f64) -> (R, R::Mask) {
        let (length, error) = self.length_and_error();
        let above = (length + error) * (1.0 + f64::from_bits((1023 - 38) << 52));
        let in_range = self.sizes.splat(SMALLEST_SQUARED).less_or_equal(self.sizes)
            & self.squared.less_or_equal(self.squared.splat(LARGEST_SQUARED));
        (above, above.less_or_equal(self.squared.splat(limit)) & in_range)
    }

    #[inline(always)]
    fn length_and_error(&self) -> (R, R) {
        let length = self.squared.square_root();
        (length, (length + self.sizes.square_root()) * (32.0 * unit_roundoff::<R>()))
    }

    /// The unit vector along `between`, and no more than what the triangles are apart along it, certified or not; not numbers
    /// where the triangles touch.
    #[inline(always)]
    pub fn witness(&self) -> (Vector<R>, R) {
        let (length, error) = self.length_and_error();
        let direction = three(
            #[inline(always)]
            |k| self.between[k] / length,
        );
        (direction, self.width / length - error)
    }
}

/// Squared distances outside 2^-120 to 2^120 leave the fast path, so that no product of lengths can overflow, or
/// underflow in a way that changes bits; the robust path comes back with the pair scaled by a power of two.
const SMALLEST_SQUARED: f64 = f64::from_bits((1023 - 120) << 52);
const LARGEST_SQUARED: f64 = f64::from_bits((1023 + 120) << 52);
/// 1 - 2^-43 and 1 + 2^-43: how far the two bounds of the squared distance may be apart, see the certificate.
const GAP_BELOW: f64 = 1.0 - f64::from_bits((1023 - 43) << 52);
const GAP_ABOVE: f64 = 1.0 + f64::from_bits((1023 - 43) << 52);
fn unit_roundoff<R: Real>() -> f64 {
    f64::from_bits(((1023 + R::ROUNDOFF_EXPONENT) as u64) << 52)
}

/// The largest (E^2 + F^2) / d^2 that the rounding bound allows: 2^18 in f64, 2^108 in double-double.
fn largest_ratio_squared<R: Real>() -> f64 {
    let exponent = 18 + 2 * (-53 - R::ROUNDOFF_EXPONENT);
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// What the triangles are apart along `between`, times its length.
#[inline(always)]
fn width_by<R: Real>(between: &Vector<R>, a: &Corners<R>, b: &Corners<R>, e: &Corners<R>) -> R {
    let b_along = three(
        #[inline(always)]
        |j| dot(between, &given_difference(&b[j], &a[0])),
    );
    let a_along = [dot(between, &e[0]), -dot(between, &e[2])];
    let zero = between[0].splat(0.0);
    b_along[0].smaller(b_along[1]).smaller(b_along[2]) - a_along[0].larger(a_along[1]).larger(zero)
}

/// `width` of the certificate for a vector between points, as `finish` computes it.
pub fn width(between: &Vector<f64>, a: &Corners<f64>, b: &Corners<f64>) -> f64 {
    width_by(between, a, b, &edges(a))
}

/// Whether the lower bound reaches the squared length of the vector, as the certificate demands.
#[inline(always)]
pub fn reaches<R: Real>(squared: R, width: R) -> R::Mask {
    (squared * GAP_BELOW).less_or_equal(width)
}

#[inline(always)]
pub fn finish<R: Real>(a: &Corners<R>, b: &Corners<R>, code: R) -> Finished<R> {
    let zero = code.splat(0.0);
    let one = code.splat(1.0);
    let e = edges(a);
    let f = edges(b);

    let from_0 = code.less(code.splat(6.5));
    let from_1 = code.less(code.splat(10.5));
    let local = code - R::select(from_0, zero, R::select(from_1, code.splat(7.0), code.splat(11.0)));
    let face_of_a = code.splat(3.5).less(local);
    let face_of_b = code.splat(2.5).less(local) & !face_of_a;
    // Which vertex of B: 0, 1, 2 for edges, 3 (meaning 0) for its face, 4, 5, 6 for its vertices.
    let vertex_of_b = local - R::select(face_of_a, code.splat(4.0), R::select(face_of_b, code.splat(3.0), zero));
    let from_2_of_b = code.splat(1.5).less(vertex_of_b);
    let from_1_of_b = code.splat(0.5).less(vertex_of_b);
    let start_a = choose::<R>(from_0, &a[0], &choose::<R>(from_1, &a[1], &a[2]));
    let start_b = choose::<R>(from_2_of_b, &b[2], &choose::<R>(from_1_of_b, &b[1], &b[0]));
    let p = choose::<R>(from_0, &e[0], &choose::<R>(from_1, &e[1], &e[2]));
    let p = choose::<R>(face_of_b, &f[2], &p);
    let q = choose::<R>(from_2_of_b, &f[2], &choose::<R>(from_1_of_b, &f[1], &f[0]));
    let q = choose::<R>(face_of_a, &e[2], &q);
    let start = given_difference(&start_b, &start_a);

    // The candidate's points again, now for all kinds alike.
    let (pp, qq, pq) = (dot(&p, &p), dot(&q, &q), dot(&p, &q));
    let (along_p, along_q) = (dot(&start, &p), dot(&start, &q));
    let product = pp * qq;
    let determinant = product - pq * pq;
    let regular = spans(product, determinant);
    let inverse = inverse_or_zero(determinant, regular);
    let smallest = code.splat(SMALLEST_SQUARED_EDGE);
    let [inverse_pp, inverse_qq] = two_inverses([pp, qq], [smallest.less(pp), smallest.less(qq)]);
    let x = within((along_q * pq - along_p * qq) * inverse, -one, zero);
    let y = within((-along_q - x * pq) * inverse_qq, zero, one);
    let x = within((-along_p - y * pq) * inverse_pp, -one, zero);
    let between = reach(&start, x, &p, y, &q);
    let squared_before = dot(&between, &between);

    // The Newton step: solve the normal equations for the directions that are free to slide.
    let free_p = x.less(zero) & (-one).less(x);
    let free_q = zero.less(y) & y.less(one);
    let (residual_p, residual_q) = (dot(&between, &p), dot(&between, &q));
    let both = free_p & free_q & regular;
    let step_p = R::select(both, (residual_p * qq - residual_q * pq) * inverse, residual_p * inverse_pp);
    let step_p = R::select(free_p, step_p, zero);
    let step_q = R::select(free_q, (residual_q - step_p * pq) * inverse_qq, zero);
    let between = reach(&between, -step_p, &p, -step_q, &q);
    let squared = dot(&between, &between);

    let width = width_by(&between, a, b, &e);
    let sizes = longest_squared(&e) + longest_squared(&f);
    let certified = reaches(squared, width)
        & squared_before.less_or_equal(squared * GAP_ABOVE)
        & (!(face_of_a | face_of_b) | (y - x).less_or_equal(code.splat(1.0 + 8.0 * unit_roundoff::<R>())))
        & sizes.less_or_equal(squared.head() * largest_ratio_squared::<R>())
        & code.splat(SMALLEST_SQUARED).less_or_equal(squared)
        & squared.less_or_equal(code.splat(LARGEST_SQUARED));
    Finished { between, squared, x: x - step_p, y: y - step_q, certified, width, sizes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_squares_are_certified() {
        let a = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let b = [[0.0, 0.0, 0.25], [1.0, 0.0, 0.25], [0.0, 1.0, 0.25]];
        let finished = finish(&a, &b, nearest_candidate(&a, &b).tag());
        assert!(finished.certified.all());
        assert_eq!(finished.squared, 0.0625);
    }
}
