//! A small generator with a fixed seed: the same pairs on every machine.

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// In -1..1.
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// In 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        (self.bits() >> 20) % limit
    }

    pub fn point(&mut self) -> [f64; 3] {
        [self.signed(), self.signed(), self.signed()]
    }

    pub fn triangle(&mut self) -> [[f64; 3]; 3] {
        [self.point(), self.point(), self.point()]
    }
}
