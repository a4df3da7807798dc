//! A pair of triangles as integers, and exact comparison of a computed distance with a squared fraction.

use super::Pair;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// value = mantissa * 2^exponent, with a sign.
pub fn decompose(value: f64) -> (i64, i32) {
    let bits = value.to_bits();
    let field = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
    let twos = if mantissa == 0 { 0 } else { mantissa.trailing_zeros() as i32 };
    let sign = if value < 0.0 { -1 } else { 1 };
    (sign * (mantissa >> twos), if mantissa == 0 { 0 } else { exponent + twos })
}

/// Integer vertices in units of 2^unit.
pub struct Grid {
    pub vertices: [[[BigInt; 3]; 3]; 2],
    pub unit: i32,
}

impl Grid {
    pub fn of(pair: &Pair) -> Self {
        let numbers = || pair.iter().flatten().flatten();
        let unit = numbers().filter(|v| **v != 0.0).map(|v| decompose(*v).1).min().unwrap_or(0);
        let convert = |v: f64| {
            let (mantissa, exponent) = decompose(v);
            if mantissa == 0 { BigInt::zero() } else { BigInt::from(mantissa) << (exponent - unit) as usize }
        };
        Self { vertices: pair.map(|t| t.map(|p| p.map(convert))), unit }
    }
}

/// distance^2 / (numerator / denominator * 4^unit) - 1, halved: the relative error of the distance.
pub fn relative_error(distance: f64, numerator: &BigInt, denominator: &BigInt, unit: i32) -> f64 {
    if numerator.is_zero() {
        return if distance == 0.0 { 0.0 } else { f64::INFINITY };
    }
    let (mantissa, exponent) = decompose(distance);
    let mut top = BigInt::from(mantissa) * BigInt::from(mantissa) * denominator;
    let mut bottom = numerator.clone();
    let shift = 2 * (exponent - unit);
    if shift >= 0 {
        top <<= shift as usize;
    } else {
        bottom <<= (-shift) as usize;
    }
    let resolution = 100;
    let off: BigInt = (top << resolution) / bottom - (BigInt::one() << resolution);
    off.abs().to_f64().unwrap_or(f64::INFINITY) / 2f64.powi(resolution + 1)
}
