//! A number as the unevaluated sum of two f64, about 104 bits: the arithmetic of the robust path.
//!
//! Exact sums after Knuth (The Art of Computer Programming, volume 2, 4.2.2), exact products after Dekker (1971), whose
//! splitting needs no fused multiply-add. Accurate while magnitudes stay between 2^-480 and 2^480.

use crate::simd::lanes::Real;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// `high + low` with `|low| <= ulp(high) / 2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleDouble {
    pub high: f64,
    pub low: f64,
}

/// `a + b` exactly.
fn two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let part_b = high - a;
    let part_a = high - part_b;
    DoubleDouble { high, low: (a - part_a) + (b - part_b) }
}

/// `a + b` exactly, for `|a| >= |b|` or `a == 0`.
fn quick_two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    DoubleDouble { high, low: b - (high - a) }
}

/// Two halves of at most 26 bits each.
fn split(a: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * a;
    let upper = scaled - (scaled - a);
    (upper, a - upper)
}

/// `a * b` exactly.
fn two_product(a: f64, b: f64) -> DoubleDouble {
    let high = a * b;
    let (a1, a0) = split(a);
    let (b1, b0) = split(b);
    DoubleDouble { high, low: ((a1 * b1 - high) + a1 * b0 + a0 * b1) + a0 * b0 }
}

impl DoubleDouble {
    pub const ZERO: Self = Self { high: 0.0, low: 0.0 };

    pub fn to_f64(self) -> f64 {
        self.high + self.low
    }

    /// One Newton step in double-double from the f64 root. 0 for numbers that are not positive.
    pub fn sqrt(self) -> Self {
        let root = self.high.sqrt();
        if self.high <= 0.0 || root.is_nan() {
            return Self::ZERO;
        }
        let rest = self - two_product(root, root);
        quick_two_sum(root, rest.high / (2.0 * root))
    }
}

impl From<f64> for DoubleDouble {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Add for DoubleDouble {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let high = two_sum(self.high, other.high);
        let low = two_sum(self.low, other.low);
        let first = quick_two_sum(high.high, high.low + low.high);
        quick_two_sum(first.high, first.low + low.low)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = two_product(self.high, other.high);
        quick_two_sum(product.high, product.low + (self.high * other.low + self.low * other.high))
    }
}

impl Mul<f64> for DoubleDouble {
    type Output = Self;
    fn mul(self, other: f64) -> Self {
        let product = two_product(self.high, other);
        quick_two_sum(product.high, product.low + self.low * other)
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * first;
        let second = rest.high / other.high;
        let rest = rest - other * second;
        let third = rest.high / other.high;
        quick_two_sum(first, second) + Self::from(third)
    }
}

impl Real for DoubleDouble {
    type Mask = bool;
    const ROUNDOFF_EXPONENT: i32 = -98;

    fn splat(self, value: f64) -> Self {
        value.into()
    }
    fn absolute(self) -> Self {
        if self.high < 0.0 { -self } else { self }
    }
    fn square_root(self) -> Self {
        self.sqrt()
    }
    fn less(self, other: Self) -> bool {
        self.high < other.high || (self.high == other.high && self.low < other.low)
    }
    fn less_or_equal(self, other: Self) -> bool {
        self.high < other.high || (self.high == other.high && self.low <= other.low)
    }
    fn smaller(self, other: Self) -> Self {
        if self.less(other) { self } else { other }
    }
    fn larger(self, other: Self) -> Self {
        if other.less(self) { self } else { other }
    }
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    fn tagged(self, code: u64) -> Self {
        Self { high: self.high, low: self.low.tagged(code) }
    }
    fn tag(self) -> Self {
        self.low.tag().into()
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

    #[test]
    fn sums_keep_what_f64_drops() {
        let sum = DoubleDouble::from(1.0) + DoubleDouble::from(1e-25);
        assert_eq!((sum - DoubleDouble::from(1.0)).to_f64(), 1e-25);
    }
}
