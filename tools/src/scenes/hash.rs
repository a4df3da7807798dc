//! A number that pins answers and counters to the bit.

use feeler::internals::query::{Contact, Counters};
use glam::DVec3;

/// 64 bits that change with every bit of what is added (FNV-1a over words, then mixed).
#[derive(Clone, Copy, Debug)]
pub struct Hash(pub u64);

impl Default for Hash {
    fn default() -> Self {
        Self::new()
    }
}

impl Hash {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    pub fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    pub fn vector(&mut self, vector: DVec3) {
        for number in vector.to_array() {
            self.number(number);
        }
    }

    pub fn contact(&mut self, contact: &Option<Contact>) {
        let Some(contact) = contact else { return self.word(u64::MAX) };
        self.word((contact.triangle_a as u64) << 32 | contact.triangle_b as u64);
        self.number(contact.distance);
        self.vector(contact.point_a);
        self.vector(contact.point_b);
        self.vector(contact.normal);
        self.word(contact.feature as u64);
    }

    pub fn counters(&mut self, counters: &Counters) {
        let Counters {
            expansions,
            volume_tests,
            cheap_tests,
            triangle_tests,
            robust_tests,
            front_tests,
            front_updates,
            front_rebuilds,
            work,
        } = *counters;
        for count in [
            expansions,
            volume_tests,
            cheap_tests,
            triangle_tests,
            robust_tests,
            front_tests,
            front_updates,
            front_rebuilds,
            work,
        ] {
            self.word(count);
        }
    }
}
