//! The one source of random numbers: SplitMix64, good enough here and the same on every machine.

use glam::DVec3;

/// The state; any number is a seed.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Even over [-1, 1).
    pub fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-52) - 1.0
    }

    /// Even over [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-53)
    }

    /// A whole number below `limit`, even for the small limits that tests need.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// Even over the cube [-1, 1)^3.
    pub fn point(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    /// A unit vector, even over the sphere.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let point = self.point();
            if (0.01..1.0).contains(&point.length_squared()) {
                return point.normalize();
            }
        }
    }

    /// Three points of the cube [-1, 1)^3, as plain numbers.
    pub fn triangle(&mut self) -> [[f64; 3]; 3] {
        [(); 3].map(|()| self.point().to_array())
    }
}
