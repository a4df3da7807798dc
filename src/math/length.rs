//! Lengths of vectors in the caller's units, whose squares may leave the range of f64.

use super::power_of_two::{exponent_above, shift};
use glam::DVec3;

/// The length of a vector of any size.
pub fn careful_length(vector: DVec3) -> f64 {
    let exponent = exponent_above(vector.abs().max_element());
    let near_one = DVec3::from_array(vector.to_array().map(|entry| shift(entry, -exponent)));
    shift(near_one.length(), exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_scale_from_the_smallest_numbers_to_the_largest() {
        let vector = DVec3::new(3.0, -4.0, 12.0);
        for exponent in (-1060..=1019).step_by(7) {
            assert_eq!(careful_length(vector.map(|entry| shift(entry, exponent))), shift(13.0, exponent), "{exponent}");
        }
        assert_eq!(careful_length(DVec3::ZERO), 0.0);
        assert_eq!(careful_length(DVec3::X * 5e-324), 5e-324);
    }
}
