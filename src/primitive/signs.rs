//! Exact signs of volumes and areas in a fixed number of operations, hence in lanes: certain ones cost one comparison, signs
//! below rounding some hundred operations, zeros without a shorter proof two thousand; what is still open is left to `exact`.
//!
//! Symbols: u = 2^-53; the permanent of a determinant is the sum of the absolute values of its products.
//! 1. A volume (x times y).z of rounded differences is off by less than (7 + 56u)u times its permanent (Shewchuk 1997, orient3d,
//!    stage A), an area by less than (3 + 16u)u times; the filters use 8u and 4u.
//! 2. A permanent of 0 proves 0, because where coordinates are `in_range` no product underflows.
//! 3. Areas on a short grid are not rounded at all. With M the largest difference to a_0 and t = 2^29 M, a coordinate x for which
//!    (x + t) - t is x, and |x| at most t / 2, is a multiple of the unit in the last place of t / 2, which is above 2^-54 t = 2^-25 M.
//!    Differences are integers below 2^26 in that unit, and two products of two are summed without rounding (2 * 2^52 = 2^53).
//! 4. `volume` refined: the six products of three rounded differences are 24 numbers without loss, and `Total` sums them up.
//!    What the rounding of the differences left out is T, three volumes with one error each, at most 3.1u times the permanent.
//!    Computed in plain arithmetic T is off by 30u^2 times it, and what is of second order is below 4u^2 times it.
//!    With S the sum, S + T is off by u|S| + u|S + T| + 34u^2 times the permanent, and |S| by at most |S + T| + |T|: together below
//!    2.2u|S + T| + 40u^2 times the permanent. So 48u^2 times it decides, and without errors of differences the sum alone does.
//! 5. What that leaves is most likely 0: the 24 products of three given coordinates are 96 numbers without loss. Their sum is off by
//!    u times itself and (2 * 96u)^4 < 2^-181 times the sum of their sizes, so 2^-180 times the sum of the products decides.
//! 6. `area` refined: the six products of two given coordinates are twelve numbers without loss.

use super::kernel::{Corners, Vector};
use crate::math::error_free::{difference_error, two_product, two_sum};
use crate::simd::lanes::{Real, Truth};
use crate::simd::three::{difference, three};
use core::cmp::Ordering;
use glam::DVec3;

/// What is proved about a number; where nothing is true it is unknown.
#[derive(Clone, Copy)]
pub struct Sign<M> {
    pub positive: M,
    pub negative: M,
    pub zero: M,
}

impl<M: Truth> Sign<M> {
    #[inline(always)]
    pub fn known(&self) -> M {
        self.positive | self.negative | self.zero
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self {
            positive: self.positive | other.positive,
            negative: self.negative | other.negative,
            zero: self.zero | other.zero,
        }
    }

    /// Nothing is known where the mask is not.
    #[inline(always)]
    fn where_(self, mask: M) -> Self {
        Self { positive: self.positive & mask, negative: self.negative & mask, zero: self.zero & mask }
    }
}

#[inline(always)]
pub fn any<M: Truth>(mask: M) -> bool {
    !(!mask).all()
}

#[inline(always)]
pub fn is_zero<R: Real>(value: R) -> R::Mask {
    value.absolute().less_or_equal(value.splat(0.0))
}

const UNIT: f64 = f64::from_bits((1023 - 53) << 52);
pub(super) const VOLUME_FILTER: f64 = 8.0 * UNIT;
const AREA_FILTER: f64 = 4.0 * UNIT;
const REFINED_VOLUME: f64 = 48.0 * UNIT * UNIT;
/// Coordinates are 0 or between these: then their differences are multiples of 2^-252, and products of three, their errors and
/// all sums of them multiples of 2^-756 below 2^610, so that nothing under- or overflows.
const SMALLEST: f64 = f64::from_bits((1023 - 200) << 52);
const LARGEST: f64 = f64::from_bits((1023 + 200) << 52);

/// Where the coordinates of a pair allow signs to be known.
#[inline(always)]
pub fn in_range<R: Real>(a: &Corners<R>, b: &Corners<R>) -> R::Mask {
    let (zero, one) = (a[0][0].splat(0.0), a[0][0].splat(1.0));
    let (mut smallest, mut largest) = (one, zero);
    for v in a.iter().chain(b) {
        for x in v {
            let size = x.absolute();
            largest = largest.larger(size);
            smallest = smallest.smaller(R::select(zero.less(size), size, one));
        }
    }
    largest.less_or_equal(zero.splat(LARGEST)) & zero.splat(SMALLEST).less_or_equal(smallest)
}

/// Where seen coordinates lie on a grid on which areas are not rounded: step 3 of the proof.
#[inline(always)]
pub fn on_short_grid<R: Real>(a: &[[R; 2]; 3], b: &[[R; 2]; 3]) -> R::Mask {
    let zero = a[0][0].splat(0.0);
    let (mut largest, mut reach) = (zero, zero);
    for v in a.iter().chain(b) {
        for k in 0..2 {
            largest = largest.larger(v[k].absolute());
            reach = reach.larger((v[k] - a[0][k]).absolute());
        }
    }
    let large = reach * GRID;
    let mut off = zero;
    for v in a.iter().chain(b) {
        for x in v {
            off = off.larger((((*x + large) - large) - *x).absolute());
        }
    }
    is_zero(off) & (largest * 2.0).less_or_equal(large)
}

const GRID: f64 = f64::from_bits((1023 + 29) << 52);

/// A sum of numbers, without loss until the last step: the rounded sum of all, the rounded sum of its errors, and so on, four
/// levels deep (Ogita, Rump and Oishi 2005, SumK with K = 5, one number at a time instead of one level at a time). n numbers are
/// off by u times the sum and (2nu)^5 times the sum of their sizes; the proofs here need (2nu)^4.
#[derive(Clone, Copy)]
struct Total<R> {
    levels: [R; LEVELS],
    /// The errors of the last level: their sum, and that of their sizes.
    rest: R,
    left: R,
}

const LEVELS: usize = 4;

impl<R: Real> Total<R> {
    #[inline(always)]
    fn new(zero: R) -> Self {
        Self { levels: [zero; LEVELS], rest: zero, left: zero }
    }

    #[inline(always)]
    fn add(&mut self, term: R) {
        self.add_from(0, term);
    }

    #[inline(always)]
    fn add_from(&mut self, level: usize, mut term: R) {
        for sum in &mut self.levels[level..] {
            (*sum, term) = two_sum(term, *sum);
        }
        self.rest = self.rest + term;
        self.left = self.left + term.absolute();
    }

    /// The value, and where nothing is left at all: proof that the sum is 0.
    #[inline(always)]
    fn finish(mut self) -> (R, R::Mask) {
        for level in 1..LEVELS {
            self.add_from(level, self.levels[level - 1]);
        }
        let last = self.levels[LEVELS - 1];
        (self.rest + last, is_zero(self.left + last.absolute()))
    }
}

#[inline(always)]
fn minor<R: Real>(x: &Vector<R>, y: &Vector<R>, k: usize, l: usize) -> (R, R) {
    let (p, q) = (x[k] * y[l], x[l] * y[k]);
    (p - q, p.absolute() + q.absolute())
}

/// The volume of three differences and its permanent.
#[inline(always)]
pub(super) fn plain_volume<R: Real>(x: &Vector<R>, y: &Vector<R>, z: &Vector<R>) -> (R, R) {
    let (m0, m1, m2) = (minor(x, y, 1, 2), minor(x, y, 2, 0), minor(x, y, 0, 1));
    (m0.0 * z[0] + m1.0 * z[1] + m2.0 * z[2], m0.1 * z[0].absolute() + m1.1 * z[1].absolute() + m2.1 * z[2].absolute())
}

/// The sign of the volume of a - d, b - d and c - d if plain arithmetic proves it, for coordinates that differ by at least 2^-312
/// and at most 2^291 where they differ: no product that matters underflows.
#[inline]
pub fn plain_sign(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Option<Ordering> {
    let (value, permanent) = plain_volume(&(a - d).to_array(), &(b - d).to_array(), &(c - d).to_array());
    if value.abs() > permanent * VOLUME_FILTER { value.partial_cmp(&0.0) } else { None }
}

/// The sign of the volume of q - p, r - p and s - p, where `wanted`.
#[inline(always)]
pub fn volume<R: Real>(wanted: R::Mask, [p, q, r, s]: [&Vector<R>; 4]) -> Sign<R::Mask> {
    let (value, permanent) = plain_volume(&difference(q, p), &difference(r, p), &difference(s, p));
    let bound = permanent * VOLUME_FILTER;
    let sign =
        Sign { positive: bound.less(value), negative: value.less(-bound), zero: is_zero(permanent) }.where_(wanted);
    let open = wanted & !sign.known();
    if any(open) { sign.or(refined_volume(open, [p, q, r, s], permanent)) } else { sign }
}

/// Called, not inlined: it is long and has many callers.
#[inline(never)]
fn refined_volume<R: Real>(open: R::Mask, points: [&Vector<R>; 4], permanent: R) -> Sign<R::Mask> {
    permanent.apart(
        #[inline(always)]
        || {
            let sign = volume_of_differences(points, permanent).where_(open);
            let open = open & !sign.known();
            if any(open) { sign.or(volume_of_coordinates(points).where_(open)) } else { sign }
        },
    )
}

/// Step 4 of the proof above.
#[inline(always)]
fn volume_of_differences<R: Real>([p, q, r, s]: [&Vector<R>; 4], permanent: R) -> Sign<R::Mask> {
    let (u, v, w) = (difference(q, p), difference(r, p), difference(s, p));
    let zero = permanent.splat(0.0);
    let mut total = Total::new(zero);
    add_products(&mut total, [&u, &v, &w]);
    let (total, nothing) = total.finish();
    let (du, dv, dw) = (errors(q, p, &u), errors(r, p, &v), errors(s, p, &w));
    let mut left = zero;
    for error in du.iter().chain(&dv).chain(&dw) {
        left = left + error.absolute();
    }
    let exact = is_zero(left);
    let correction = plain_volume(&du, &v, &w).0 + plain_volume(&u, &dv, &w).0 + plain_volume(&u, &v, &dw).0;
    let value = total + correction;
    let bound = permanent * REFINED_VOLUME;
    Sign { positive: bound.less(value), negative: value.less(-bound), zero: exact & nothing }
}

/// Step 5.
#[inline(always)]
fn volume_of_coordinates<R: Real>([p, q, r, s]: [&Vector<R>; 4]) -> Sign<R::Mask> {
    let mut sizes = p[0].splat(0.0);
    let mut total = Total::new(sizes);
    for factors in [[q, r, s], [p, s, r], [q, s, p], [q, p, r]] {
        sizes = sizes + add_products(&mut total, factors);
    }
    let (total, nothing) = total.finish();
    let bound = sizes * f64::from_bits((1023 - 180) << 52);
    Sign { positive: bound.less(total), negative: total.less(-bound), zero: nothing }
}

/// Adds the six products of (x times y).z; the sum of their sizes.
#[inline(always)]
fn add_products<R: Real>(total: &mut Total<R>, [x, y, z]: [&Vector<R>; 3]) -> R {
    let mut sizes = x[0].splat(0.0);
    for (number, (k, l, m)) in CYCLES.into_iter().enumerate() {
        let terms = product(x[k], y[l], if number < 3 { z[m] } else { -z[m] });
        for term in terms {
            total.add(term);
        }
        sizes = sizes + terms[3].absolute();
    }
    sizes
}

/// The axes of the six products of a volume: three of even order, then three of odd order.
const CYCLES: [(usize, usize, usize); 6] = [(1, 2, 0), (2, 0, 1), (0, 1, 2), (2, 1, 0), (0, 2, 1), (1, 0, 2)];

/// A product of three numbers without loss, small parts first.
#[inline(always)]
fn product<R: Real>(x: R, y: R, z: R) -> [R; 4] {
    let (high, low) = two_product(x, y);
    let (first, second) = (two_product(low, z), two_product(high, z));
    [first.1, second.1, first.0, second.0]
}

#[inline(always)]
fn errors<R: Real>(to: &Vector<R>, from: &Vector<R>, rounded: &Vector<R>) -> Vector<R> {
    three(
        #[inline(always)]
        |k| difference_error(to[k], from[k], rounded[k]),
    )
}

/// The sign of the area of three points in a plane, where `wanted`; `short` is where they are on a short grid.
#[inline(always)]
pub fn area<R: Real>(wanted: R::Mask, short: R::Mask, [p, q, r]: [&[R; 2]; 3]) -> Sign<R::Mask> {
    let left = (q[0] - p[0]) * (r[1] - p[1]);
    let right = (q[1] - p[1]) * (r[0] - p[0]);
    let (value, permanent) = (left - right, left.absolute() + right.absolute());
    let zero = value.splat(0.0);
    let bound = R::select(short, zero, permanent * AREA_FILTER);
    let sign = Sign {
        positive: bound.less(value),
        negative: value.less(-bound),
        zero: is_zero(permanent) | short & is_zero(value),
    }
    .where_(wanted);
    let open = wanted & !sign.known();
    if any(open) { sign.or(refined_area(p, q, r).where_(open)) } else { sign }
}

/// Called, not inlined, as above.
#[inline(never)]
fn refined_area<R: Real>(p: &[R; 2], q: &[R; 2], r: &[R; 2]) -> Sign<R::Mask> {
    p[0].apart(
        #[inline(always)]
        || refined_area_inline(p, q, r),
    )
}

#[inline(always)]
fn refined_area_inline<R: Real>(p: &[R; 2], q: &[R; 2], r: &[R; 2]) -> Sign<R::Mask> {
    let zero = p[0].splat(0.0);
    let mut total = Total::new(zero);
    let mut sizes = zero;
    for (s, t) in [(p, q), (q, r), (r, p)] {
        for (product, error) in [two_product(s[0], t[1]), two_product(-s[1], t[0])] {
            total.add(error);
            total.add(product);
            sizes = sizes + product.absolute();
        }
    }
    let (total, nothing) = total.finish();
    // (2 * 12 u)^4 is below 2^-193.
    let bound = sizes * f64::from_bits((1023 - 190) << 52);
    Sign { positive: bound.less(total), negative: total.less(-bound), zero: nothing }
}
