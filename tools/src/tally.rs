//! Tests, as the papers count them.

use feeler::internals::query::Counters;

/// Tests of one query or of many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs of volumes: N_bv. A kernel call counts for each lane in use.
    pub volumes: u64,
    /// Those of them that a cheaper first stage decided.
    pub first_stage: u64,
    /// Pairs of triangles: N_p.
    pub triangles: u64,
}

impl Tally {
    pub fn add(&mut self, other: &Self) {
        self.volumes += other.volumes;
        self.first_stage += other.first_stage;
        self.triangles += other.triangles;
    }
}

impl From<&Counters> for Tally {
    fn from(counters: &Counters) -> Self {
        Self { volumes: counters.volume_tests, first_stage: counters.cheap_tests, triangles: counters.triangle_tests }
    }
}
