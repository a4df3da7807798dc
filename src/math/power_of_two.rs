//! Scaling by powers of two. It is exact while the result stays normal, so the library needs no epsilon with a unit.

/// Exponent `e` with `2^(e-1) <= |value| < 2^e`. 0 for zero, so that a model of zeros keeps its unit.
#[inline]
pub fn exponent_above(value: f64) -> i32 {
    if value == 0.0 {
        return 0;
    }
    let field = |v: f64| ((v.to_bits() >> 52) & 0x7ff) as i32;
    match field(value) {
        0 => field(value * two_to(64)) - 1022 - 64,
        normal => normal - 1022,
    }
}

/// `2^exponent` for exponents of normal numbers.
#[inline]
pub fn two_to(exponent: i32) -> f64 {
    debug_assert!((-1022..=1023).contains(&exponent));
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// `value * 2^exponent` for any exponent. Rounds at most once, when the result is subnormal.
#[inline]
pub fn shift(value: f64, exponent: i32) -> f64 {
    if (-1022..=1023).contains(&exponent) {
        // The power is a normal number, so one product rounds at most once.
        return value * two_to(exponent);
    }
    shift_far(value, exponent)
}

/// `shift` by a power that is not a normal number itself.
#[cold]
pub(super) fn shift_far(value: f64, exponent: i32) -> f64 {
    let target = exponent_above(value).saturating_add(exponent);
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    if target > 1024 {
        return value.signum() * f64::INFINITY;
    }
    if target >= -1021 {
        return shift_exactly(value, exponent);
    }
    // The result is subnormal: move exactly near it, then round in one product.
    let near = target.max(-1100) + 100;
    shift_exactly(value, near - exponent_above(value)) * two_to(-100)
}

/// For normal results: every step between two normal numbers is exact.
fn shift_exactly(value: f64, exponent: i32) -> f64 {
    let (mut value, mut left) = (value, exponent);
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        value *= two_to(step);
        left -= step;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponent_brackets_the_value() {
        for value in [1.0, 0.999, 1.001, 5e-324, 1e-310, 2.2250738585072014e-308, 1e300, f64::MAX] {
            let e = exponent_above(value);
            let mantissa = shift(value, -e);
            assert!((0.5..1.0).contains(&mantissa), "{value} {e} {mantissa}");
            assert_eq!(shift(mantissa, e), value);
        }
    }

    #[test]
    fn one_product_is_what_the_careful_steps_give() {
        let mut state = 1u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let value = f64::from_bits(state ^ (state >> 31));
            let exponent = (state >> 40) as i32 % 1023;
            if value.is_finite() {
                for exponent in [exponent, -exponent] {
                    assert_eq!(shift(value, exponent).to_bits(), shift_far(value, exponent).to_bits());
                }
            }
        }
    }

    #[test]
    fn shift_rounds_once() {
        assert_eq!(shift(1.0, -1074), 5e-324);
        assert_eq!(shift(1.5, -1074), 1e-323);
        assert_eq!(shift(1.0, -1076), 0.0);
        assert_eq!(shift(1e300, -2000), 1e300 * two_to(-1000) * two_to(-1000));
        assert_eq!(shift(1.0, 2000), f64::INFINITY);
        assert_eq!(shift(5e-324, 2000), f64::from_bits((2000 - 1074 + 1023) << 52));
        assert_eq!(shift(3.0, 4), 48.0);
    }
}
