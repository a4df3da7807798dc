//! What a query did, in numbers.

/// What the last query did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Nodes that were opened.
    pub expansions: u64,
    /// Volume pairs that were tested.
    pub volume_tests: u64,
    /// Volume pairs that the first stage of a staged volume decided.
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
