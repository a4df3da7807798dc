//! From f64 to f32, never below.

/// The smallest f32 that is not below `value`.
pub fn round_up(value: f64) -> f32 {
    let rounded = value as f32;
    if (rounded as f64) < value { rounded.next_up() } else { rounded }
}

/// `round_up` of a number that is not negative, without a branch that every other number would mispredict.
#[inline(always)]
pub fn round_up_length(value: f64) -> f32 {
    let rounded = value as f32;
    f32::from_bits(rounded.to_bits() + ((rounded as f64) < value) as u32)
}
