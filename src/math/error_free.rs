//! Sums and products with what rounding took from them, in any arithmetic that rounds as f64 does.
//!
//! Sums after Knuth (The Art of Computer Programming, vol. 2, 4.2.2), products after Dekker (1971), whose splitting needs no
//! fused multiply-add. Exact while no number involved leaves the range of f64; all below 2^960 and multiples of
//! 2^-960 is enough.

use crate::simd::lanes::Real;

/// `a + b` exactly: the rounded sum and its error.
#[inline(always)]
pub fn two_sum<R: Real>(a: R, b: R) -> (R, R) {
    let high = a + b;
    let part_b = high - a;
    let part_a = high - part_b;
    (high, (a - part_a) + (b - part_b))
}

/// `a + b` exactly, for `|a| >= |b|` or `a == 0`.
#[inline(always)]
pub fn quick_two_sum<R: Real>(a: R, b: R) -> (R, R) {
    let high = a + b;
    (high, b - (high - a))
}

/// What rounding took from the difference `high` of `a` and `b`.
#[inline(always)]
pub fn difference_error<R: Real>(a: R, b: R, high: R) -> R {
    let part_b = a - high;
    let part_a = high + part_b;
    (a - part_a) + (part_b - b)
}

/// Two halves of at most 26 bits each.
#[inline(always)]
fn split<R: Real>(a: R) -> (R, R) {
    let scaled = a * 134_217_729.0;
    let upper = scaled - (scaled - a);
    (upper, a - upper)
}

/// `a * b` exactly: the rounded product and its error.
#[inline(always)]
pub fn two_product<R: Real>(a: R, b: R) -> (R, R) {
    let high = a * b;
    let (a1, a0) = split(a);
    let (b1, b0) = split(b);
    (high, ((a1 * b1 - high) + a1 * b0 + a0 * b1) + a0 * b0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        let (third, tenth) = (1.0f64 / 3.0, 0.1f64);
        let (sum, error) = two_sum(1e10, third);
        assert_eq!((sum - 1e10) + error, third);
        assert!(error != 0.0);
        let (product, error) = two_product(third, tenth);
        // 2^108 times the product is an integer of fewer than 128 bits.
        let whole = |value: f64, exponent: i32| (value * 2f64.powi(exponent)) as i128;
        assert_eq!(whole(third, 54) * whole(tenth, 56), whole(product, 110) + whole(error, 110));
        let difference = tenth - 1e3;
        assert_eq!(difference_error(tenth, 1e3, difference), two_sum(tenth, -1e3).1);
    }
}
