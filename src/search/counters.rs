//! What a query did, in numbers.

use crate::posed::expansion::TestCounts;

/// What the last query did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Nodes that were opened.
    pub expansions: u64,
    /// Volume pairs that were tested.
    pub volume_tests: u64,
    /// Those of them that a cheaper first stage decided: the spheres of OBB_SPHERE, the points and lines of HYBRID.
    pub cheap_tests: u64,
    /// Triangle pairs that were measured.
    pub triangle_tests: u64,
    /// Triangle pairs that needed the robust path.
    pub robust_tests: u64,
    /// Blocks of the front that were tested.
    pub front_tests: u64,
    /// Blocks of the front whose certificates were made again.
    pub front_updates: u64,
    /// Times the front was built.
    pub front_rebuilds: u64,
    /// What counts against `max_work`: expansions, triangle pairs and front blocks.
    pub work: u64,
}

impl Counters {
    /// Adds the tests of the last `expansions`.
    pub fn add_tests(&mut self, expansions: u64, counts: &TestCounts) {
        self.volume_tests += 8 * expansions - counts.empty;
        self.cheap_tests += counts.by_first_stage;
    }

    /// What measuring a pair of triangles adds to `cost`.
    pub const PAIR_COST: u64 = 5;

    /// About what a query cost, in units of some fifty instructions: what `coherence::pace` compares.
    pub fn cost(&self) -> u64 {
        8 * self.expansions + Self::PAIR_COST * self.triangle_tests + self.front_tests
    }

    /// Adds what another query did.
    pub fn add(&mut self, other: &Self) {
        self.expansions += other.expansions;
        self.volume_tests += other.volume_tests;
        self.cheap_tests += other.cheap_tests;
        self.triangle_tests += other.triangle_tests;
        self.robust_tests += other.robust_tests;
        self.front_tests += other.front_tests;
        self.front_updates += other.front_updates;
        self.front_rebuilds += other.front_rebuilds;
        self.work += other.work;
    }
}
