//! Where a segment crosses the inside of a triangle: the numbers of `segment_triangle`, sooner.
//!
//! Those are quotients of volumes in double-double. Here the volumes are sums whose parts are put in order once at the end, and they
//! are found from fewer products. The quotients are kept where every number within reach of both ways rounds to the same one.
//!
//! Symbols: u = 2^-53; d is the way along the segment, a the way from its start to the triangle's first vertex, e and f the edges from
//! there, n = e x f, w = d x a, q = n.d. Then `segment_triangle`'s volumes are -n.a at the start and -n.a + q at the end; its turns are
//! w.e, q - w.e + w.f and -w.f, and their sum is q. D, R and E are the largest coordinates: of d, of the ways from the start to all
//! three vertices, and of e and f; E is at most 2R. A volume's permanent, the sum of the sizes of its products, is at most six times the
//! product of three largest coordinates.
//! 1. A difference is a number and its error, exactly. Of the product of two such, the product of both errors is left out: a part in
//!    uu. What rounding takes from the product of the heads is found exactly.
//! 2. An entry of a cross product, with M the size of its two products: the difference of the heads' products is exact in two numbers.
//!    The other parts are at most 5uM together and are added with ten roundings: off by less than 64uuM.
//! 3. A volume with the permanent P: its heads' products are added exactly. The other parts are at most 9uP and are added with sixteen
//!    roundings: off by 64uuP more for the entries, 9 * 16uuP for these, 5uuP for what is left out. In all less than 256uuP.
//! 4. The third turn is a sum of three volumes, added in the same way: less than 1024uuP with P the sum of their permanents.
//! 5. `segment_triangle` errs by less than 40uu times the permanents of its volumes in every sum: a product in double-double by 8uu, a sum by
//!    4uu. Those of its turns are 6DRR each.
//! 6. So both ways agree on the parts of the time to 2^14 uu EE(D + R), and on those of the weights to 2^16 uu DR(R + E). Products that
//!    underflow are in `TINY`, as in `segment_sieve`.
//! 7. Let parts a and b of a quotient be off by at most o, with |b| at least 2o. Then the quotient is off by at most 2o (1 + |a/b|) / |b|.
//! 8. The first digit is that of the heads, and what it leaves of them is a number, found exactly. With the lower parts it is at most 40uP for
//!    volumes with the permanent P. So three roundings on the way to the second digit and two of the division cost 280uuP / |b|, which
//!    the bounds of step 6 have room for. The division of the other way is off by 2^-98 of the quotient.

use super::Triangle;
use crate::math::double_double::Double;
use crate::math::error_free::{two_product, two_sum};
use crate::simd::eight::bits;
use crate::simd::level::Operation;
use crate::simd::three::three;
use fearless_simd::{Simd, SimdBase, f64x4};
use glam::DVec3;

const TINY: f64 = f64::from_bits((1023 - 900) << 52);
const TIME_OFF: f64 = f64::from_bits((1023 - 106 + 14) << 52);
const WEIGHT_OFF: f64 = f64::from_bits((1023 - 106 + 16) << 52);

/// A number in two parts that need not be in order: the second may be as large as rounding makes it.
type Parts<R> = Double<R>;

/// The time and the weights of a crossing; None where rounding might make another number of one of them.
pub struct Inside<'a>(pub [DVec3; 2], pub &'a Triangle);

impl Operation for Inside<'_> {
    type Output = Option<(f64, [f64; 3])>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Self([p, q], [r, s, t]) = self;
        // The lanes are the volumes n.d, n.a, w.e and w.f.
        let first = ways(simd, [*s, *s, q, q], [*r, *r, p, p]);
        let second = ways(simd, [*t, *t, *r, *r], [*r, *r, p, p]);
        let third = ways(simd, [q, *r, *s, *t], [p, p, *r, *r]);
        let normals = [minor(&first, &second, 1, 2), minor(&first, &second, 2, 0), minor(&first, &second, 0, 1)];
        let volumes = volume(&normals, &third);
        let ([whole, before, _, _], [whole_low, before_low, _, _]) = arrays(volumes);
        let ([_, _, one, minus_three], [_, _, one_low, minus_three_low]) = arrays(volumes);
        // q - w.e + w.f
        let (sum, error) = two_sum(whole, -one);
        let (two, other_error) = two_sum(sum, minus_three);
        let two_low = (whole_low - one_low) + minus_three_low + (error + other_error);
        let parts = Double {
            high: f64x4::load_array(simd, [before, two, -minus_three, one]),
            low: f64x4::load_array(simd, [before_low, two_low, -minus_three_low, one_low]),
        };
        let off = {
            let (edge, along) = (largest(*s - *r).max(largest(*t - *r)), largest(q - p));
            let reach = largest(*r - p).max(largest(*s - p)).max(largest(*t - p));
            let of_time = TIME_OFF * (edge * edge * (along + reach)) + TINY;
            let of_weights = WEIGHT_OFF * (along * reach * (reach + edge)) + TINY;
            f64x4::load_array(simd, [of_time, of_weights, of_weights, of_weights])
        };
        let whole = Double { high: f64x4::splat(simd, whole), low: f64x4::splat(simd, whole_low) };
        let quotients = quotients(parts, whole, off)?;
        let [time, x, y, z] = quotients.to_array();
        Some((time, [x, y, z]))
    }
}

fn largest(vector: DVec3) -> f64 {
    vector.abs().max_element()
}

#[inline(always)]
fn arrays<S: Simd>(parts: Parts<f64x4<S>>) -> ([f64; 4], [f64; 4]) {
    (parts.high.to_array(), parts.low.to_array())
}

/// Four differences, exactly.
#[inline(always)]
fn ways<S: Simd>(simd: S, to: [DVec3; 4], from: [DVec3; 4]) -> [Parts<f64x4<S>>; 3] {
    let row = |[a, b, c, d]: [DVec3; 4], k: usize| f64x4::load_array(simd, [a[k], b[k], c[k], d[k]]);
    three(
        #[inline(always)]
        |k| in_order(Double { high: row(to, k), low: -row(from, k) }),
    )
}

/// The sum of two numbers, exactly.
#[inline(always)]
fn in_order<S: Simd>(parts: Parts<f64x4<S>>) -> Double<f64x4<S>> {
    let (high, low) = two_sum(parts.high, parts.low);
    Double { high, low }
}

/// An entry of a cross product: `a[i] b[j] - a[j] b[i]`.
#[inline(always)]
fn minor<S: Simd>(a: &[Parts<f64x4<S>>; 3], b: &[Parts<f64x4<S>>; 3], i: usize, j: usize) -> Parts<f64x4<S>> {
    let (p, p_error) = two_product(a[i].high, b[j].high);
    let (q, q_error) = two_product(a[j].high, b[i].high);
    let (high, error) = two_sum(p, -q);
    let mixed = (a[i].high * b[j].low + a[i].low * b[j].high) - (a[j].high * b[i].low + a[j].low * b[i].high);
    Double { high, low: (error + (p_error - q_error)) + mixed }
}

/// The product of two vectors.
#[inline(always)]
fn volume<S: Simd>(n: &[Parts<f64x4<S>>; 3], v: &[Parts<f64x4<S>>; 3]) -> Parts<f64x4<S>> {
    let [x, y, z] = three(
        #[inline(always)]
        |k| two_product(n[k].high, v[k].high),
    );
    let [x_mixed, y_mixed, z_mixed] = three(
        #[inline(always)]
        |k| n[k].high * v[k].low + n[k].low * v[k].high,
    );
    let (sum, error) = two_sum(x.0, y.0);
    let (high, other_error) = two_sum(sum, z.0);
    let exact = (x.1 + y.1) + z.1 + (error + other_error);
    Double { high, low: exact + ((x_mixed + y_mixed) + z_mixed) }
}

/// Numbers below this are not divided.
const SMALLEST: f64 = f64::from_bits((1023 - 480) << 52);
const QUOTIENT_OFF: f64 = f64::from_bits((1023 - 96) << 52);

/// Rounded quotients of numbers that are off by at most `off`, at least 0 and not far above 1; None if rounding is not certain.
#[inline(always)]
fn quotients<S: Simd>(a: Parts<f64x4<S>>, b: Parts<f64x4<S>>, off: f64x4<S>) -> Option<f64x4<S>> {
    // Of the first parts alone: the others come later.
    let first = a.high / b.high;
    let (product, error) = two_product(first, b.high);
    let rest = (a.high - product) - error + (a.low - first * b.low);
    let whole = b.rounded();
    let (second, size) = (rest / whole, whole.abs());
    let off = first.abs() * QUOTIENT_OFF + off * 8.0 / size;
    let (less, more) = (first + (second - off), first + (second + off));
    let is_certain = less.simd_eq(more)
        & first.abs().simd_le(2.0)
        & off.simd_le(0.5)
        & a.high.abs().min(b.high.abs()).min(size).simd_ge(SMALLEST);
    (bits(is_certain) == 15).then_some(less)
}

#[cfg(test)]
mod tests {
    use super::super::exact::segment::{Met, segment_meets};
    use super::super::segment_triangle::through;
    use super::*;
    use crate::simd::level::{dispatch, level};
    use core::cmp::Ordering;

    /// Short and long numbers, triangles of all sizes before and around the segment, and segments close to edges and planes.
    #[test]
    fn the_bits_are_those_of_the_longer_way() {
        let mut state = 11u64;
        let mut next = |grid: f64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) as f64 / 2f64.powi(31) * grid).floor() / grid - 0.5
        };
        let (mut certain, mut others) = (0, 0);
        for round in 0..400_000 {
            let grid = [16.0, 1e4, 16777216.0, 1e30][round % 4];
            let size = [1.0, 1e-2, 1e-5, 1e-9, 1e-200][round / 4 % 5];
            let mut point = || DVec3::new(next(grid), next(grid), next(grid));
            let at = if size < 1e-100 { point() * size } else { point() };
            let triangle = [at + point() * size, at + point() * size, at + point() * size];
            let mut weights = point().abs() + 1e-9;
            if round % 7 == 0 {
                weights.x *= 1e-13;
            }
            weights /= weights.element_sum();
            let crossing = triangle[0] * weights.x + triangle[1] * weights.y + triangle[2] * weights.z;
            let (along, normal) = (point(), (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]));
            // Some nearly run in the plane.
            let along = if round % 11 == 0 && normal.length() > 0.0 {
                along - normal * (along.dot(normal) / normal.length_squared() * (1.0 - 1e-9))
            } else {
                along
            };
            let ends = [crossing - along * 0.7, crossing + along * 1.1];
            let Some(Met::Through { sides, turns }) = segment_meets(ends, &triangle) else { continue };
            let side = sides[0];
            if side == Ordering::Equal || turns != [side; 3] {
                continue;
            }
            match dispatch(level(), Inside(ends, &triangle)) {
                None => others += 1,
                Some((time, weights)) => {
                    assert_eq!((time, weights), through(ends, &triangle, turns), "{ends:?} {triangle:?}");
                    certain += 1;
                }
            }
        }
        println!("{certain} certain, {others} not");
        assert!(certain > 100_000 && others > 1_000, "{certain} {others}");
    }
}
