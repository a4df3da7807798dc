//! Numbers on which arithmetic is likely to fail.

use arbitrary::{Result, Unstructured};
use glam::DVec3;

/// The ends of the range, and neighbours of special values.
const SPECIAL: [f64; 12] =
    [0.0, -0.0, 5e-324, f64::MIN_POSITIVE, 1e-300, 1e-150, 1e-30, f64::EPSILON, 16777217.0, 1e30, 1e150, 1e300];

/// Near one, and often equal to others: most meshes have ties.
pub fn ordinary(u: &mut Unstructured) -> Result<f64> {
    Ok(match u.int_in_range(0..=4u8)? {
        0 => f64::from(u.arbitrary::<i8>()?) / 16.0,
        1 => f64::from(u.int_in_range(-3..=3i8)?),
        2 | 3 => f64::from(u.arbitrary::<i32>()?) * 2f64.powi(-31),
        // A few roundings beside a point of a grid.
        _ => {
            let bits = (f64::from(u.int_in_range(-8..=8i8)?) / 4.0).to_bits();
            let nudged = f64::from_bits(bits.wrapping_add_signed(i64::from(u.int_in_range(-3..=3i8)?)));
            if nudged.is_finite() { nudged } else { 0.0 }
        }
    })
}

/// Finite and at most 1e300 in magnitude.
pub fn any(u: &mut Unstructured) -> Result<f64> {
    Ok(match u.int_in_range(0..=9u8)? {
        0..=7 => ordinary(u)?,
        8 => f64::from(u.arbitrary::<i8>()?) * 10f64.powi(u.int_in_range(-12..=12)?),
        _ => *u.choose(&SPECIAL)? * if u.arbitrary()? { 1.0 } else { -1.0 },
    })
}

/// Any bits: NaN and infinity, too.
pub fn garbage(u: &mut Unstructured) -> Result<f64> {
    if u.ratio(1, 4u8)? { Ok(f64::from_bits(u.arbitrary()?)) } else { any(u) }
}

/// Not negative: a tolerance, a margin, a radius.
pub fn length(u: &mut Unstructured) -> Result<f64> {
    any(u).map(f64::abs)
}

pub fn point(u: &mut Unstructured) -> Result<DVec3> {
    Ok(DVec3::new(ordinary(u)?, ordinary(u)?, ordinary(u)?))
}

pub fn any_point(u: &mut Unstructured) -> Result<DVec3> {
    Ok(DVec3::new(any(u)?, any(u)?, any(u)?))
}

/// 0, which means no limit, or a budget that runs out soon.
pub fn work(u: &mut Unstructured) -> Result<u64> {
    Ok(if u.ratio(1, 4u8)? { u64::from(u.arbitrary::<u8>()?) } else { 0 })
}
