//! A number as the unevaluated sum of two of half its precision: about 104 bits, the arithmetic of the robust path, alone or
//! in lanes.
//!
//! Accurate while magnitudes stay between 2^-480 and 2^480.

use super::error_free::{quick_two_sum, two_product, two_sum};
use crate::simd::lanes::{Real, Truth};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// `high + low` with `|low| <= ulp(high) / 2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Double<R> {
    pub high: R,
    pub low: R,
}

/// One such number, not in lanes.
pub type DoubleDouble = Double<f64>;

#[inline(always)]
fn pair<R>((high, low): (R, R)) -> Double<R> {
    Double { high, low }
}

impl<R: Real> Double<R> {
    /// A number of the lower precision.
    #[inline(always)]
    pub fn exactly(high: R) -> Self {
        Self { high, low: high.splat(0.0) }
    }

    /// The nearest number of the lower precision.
    #[inline(always)]
    pub fn rounded(self) -> R {
        self.high + self.low
    }

    /// One Newton step in double-double from the rounded root; 0 for what is not positive.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        let root = self.high.square_root();
        let rest = self - pair(two_product(root, root));
        let (high, low) = quick_two_sum(root, rest.high / (root * 2.0));
        let zero = root.splat(0.0);
        let positive = zero.less(self.high);
        Self { high: R::select(positive, high, zero), low: R::select(positive, low, zero) }
    }
}

impl DoubleDouble {
    pub fn to_f64(self) -> f64 {
        self.rounded()
    }
}

impl From<f64> for DoubleDouble {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl<R: Real> Neg for Double<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl<R: Real> Add for Double<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let high = pair(two_sum(self.high, other.high));
        let low = pair(two_sum(self.low, other.low));
        let first = pair(quick_two_sum(high.high, high.low + low.high));
        pair(quick_two_sum(first.high, first.low + low.low))
    }
}

impl<R: Real> Sub for Double<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<R: Real> Mul for Double<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let product = pair(two_product(self.high, other.high));
        pair(quick_two_sum(product.high, product.low + (self.high * other.low + self.low * other.high)))
    }
}

impl<R: Real> Mul<f64> for Double<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: f64) -> Self {
        self.times(self.high.splat(other))
    }
}

impl<R: Real> Double<R> {
    #[inline(always)]
    fn times(self, other: R) -> Self {
        let product = pair(two_product(self.high, other));
        pair(quick_two_sum(product.high, product.low + self.low * other))
    }
}

impl<R: Real> Div for Double<R> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other.times(first);
        let second = rest.high / other.high;
        let rest = rest - other.times(second);
        let third = rest.high / other.high;
        pair(quick_two_sum(first, second)) + Self::exactly(third)
    }
}

/// Relative; and the range of what is divided.
const QUOTIENT_OFF: f64 = f64::from_bits((1023 - 96) << 52);
const SMALLEST: f64 = f64::from_bits((1023 - 480) << 52);
const LARGEST: f64 = f64::from_bits((1023 + 480) << 52);

impl<R: Real> Double<R> {
    /// `(self / other).rounded()`, sooner: the third digit of a quotient is looked for only where it might decide.
    ///
    /// With u = 2^-53, a the dividend and q the quotient: what the first digit leaves of the heads is a number, found exactly and at most
    /// u|a|. The products and sums with the tails err by less than 8uu|a| together. The second digit is at most 4u|q|, and its
    /// rounding and the tail that it is not divided by cost a part in 2u of that. So both digits are off by less than 16uu|q|, and `div` by
    /// less than 2^-98 |q|. Where 2^-96 |q| more or less make no difference to the rounded sum, it is the same for all of them.
    #[inline(always)]
    pub fn rounded_quotient(self, other: Self) -> R {
        let first = self.high / other.high;
        let product = pair(two_product(first, other.high));
        let rest = (self.high - product.high) - product.low + (self.low - first * other.low);
        let second = rest / other.high;
        let off = first.absolute() * QUOTIENT_OFF;
        let (less, more) = (first + (second - off), first + (second + off));
        let (above, below) = (self.high.absolute(), other.high.absolute());
        let in_range = less.splat(SMALLEST).less_or_equal(above.smaller(below))
            & above.larger(below).less_or_equal(less.splat(LARGEST));
        let certain = in_range & less.less_or_equal(more) & more.less_or_equal(less);
        if certain.all() { less } else { (self / other).rounded() }
    }
}

impl<R: Real> Real for Double<R> {
    type Mask = R::Mask;
    type Head = R;
    const ROUNDOFF_EXPONENT: i32 = -98;

    #[inline(always)]
    fn splat(self, value: f64) -> Self {
        Self::exactly(self.high.splat(value))
    }
    #[inline(always)]
    fn absolute(self) -> Self {
        Self::select(self.high.less(self.high.splat(0.0)), -self, self)
    }
    #[inline(always)]
    fn square_root(self) -> Self {
        self.sqrt()
    }
    #[inline(always)]
    fn less(self, other: Self) -> Self::Mask {
        self.high.less(other.high) | self.high.less_or_equal(other.high) & self.low.less(other.low)
    }
    #[inline(always)]
    fn less_or_equal(self, other: Self) -> Self::Mask {
        self.high.less(other.high) | self.high.less_or_equal(other.high) & self.low.less_or_equal(other.low)
    }
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self::select(self.less(other), self, other)
    }
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self::select(other.less(self), self, other)
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self { high: R::select(mask, yes.high, no.high), low: R::select(mask, yes.low, no.low) }
    }
    #[inline(always)]
    fn tagged(self, code: u64) -> Self {
        Self { high: self.high, low: self.low.tagged(code) }
    }
    #[inline(always)]
    fn tag(self) -> Self {
        Self::exactly(self.low.tag())
    }
    #[inline(always)]
    fn head(self) -> R {
        self.high
    }
    #[inline(always)]
    fn minus_given(self, other: Self) -> Self {
        pair(two_sum(self.high, -other.high))
    }
    #[inline(always)]
    fn apart<T>(self, work: impl FnOnce() -> T) -> T {
        self.high.apart(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirds_and_roots_are_accurate_to_a_hundred_bits() {
        let third = DoubleDouble::from(1.0) / DoubleDouble::from(3.0);
        let off = third * 3.0 - DoubleDouble::from(1.0);
        assert!(off.to_f64().abs() < 2f64.powi(-103));
        let root = DoubleDouble::from(2.0).sqrt();
        let off = root * root - DoubleDouble::from(2.0);
        assert!(off.to_f64().abs() < 2f64.powi(-101));
    }

    /// Quotients near the middle between two numbers and beyond the range of the shortcut, too.
    #[test]
    fn the_rounded_quotient_is_that_of_the_division() {
        let mut state = 5u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / 2f64.powi(53) + 0.5
        };
        let mut sum = 0;
        for round in 0..300_000 {
            let scale = 2f64.powi([0, 40, -300, 470, -1000, 600][round % 6]);
            let b = pair(quick_two_sum(next() * scale, next() * scale * 2f64.powi(-54)));
            let a = match round % 4 {
                0 => pair(quick_two_sum(next() * scale, -next() * scale * 2f64.powi(-55))),
                1 => b * next(),
                // Between two numbers, to some bits of the second digit.
                2 => b * (DoubleDouble::from(next()) + DoubleDouble::from(2f64.powi(-54))),
                _ => {
                    b * (DoubleDouble::from(next())
                        + DoubleDouble::from(2f64.powi(-54) * (1.0 + next() * 2f64.powi(-40))))
                }
            };
            let (found, expected) = (a.rounded_quotient(b), (a / b).rounded());
            assert!(found.to_bits() == expected.to_bits(), "{a:?} / {b:?}");
            sum += (found > 1.0) as u32;
        }
        assert!(sum > 1000);
    }

    #[test]
    fn sums_keep_what_f64_drops() {
        let sum = DoubleDouble::from(1.0) + DoubleDouble::from(1e-25);
        assert_eq!((sum - DoubleDouble::from(1.0)).to_f64(), 1e-25);
    }
}
