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
}
