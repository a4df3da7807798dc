//! Questions and answers of the four queries, in world space.

use glam::DVec3;

/// The triangle id that names no triangle.
pub const NO_TRIANGLE: u32 = u32::MAX;

/// How far two triangles of a pair are from each other and where; points and normal in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    pub triangle_a: u32,
    pub triangle_b: u32,
    pub distance: f64,
    pub point_a: DVec3,
    pub point_b: DVec3,
    /// Unit vector from A to B.
    pub normal: DVec3,
    /// Which features are nearest: that of A in the low byte, that of B in the next (see `primitive::feature`).
    pub feature: u32,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct CollideParams {
    /// Forget what earlier queries left behind.
    pub cold: bool,
    /// Expansions and triangle pairs to spend at most; 0 is unlimited.
    pub max_work: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollideAnswer {
    pub complete: bool,
    /// The touching pair and a common point.
    pub contact: Option<(u32, u32, DVec3)>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct ContactsParams {
    pub cold: bool,
    /// End the walk when the caller's array is full.
    pub stop_when_full: bool,
    pub max_work: u64,
    /// Pairs at most this far apart count as contacts; 0 = touching.
    pub margin: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactsAnswer {
    pub complete: bool,
    pub found: u64,
    pub written: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Search {
    #[default]
    Auto,
    DepthFirst,
    BestFirst,
}

#[derive(Clone, Copy, Debug)]
pub struct DistanceParams {
    pub cold: bool,
    pub max_work: u64,
    pub relative_error: f64,
    pub absolute_error: f64,
    /// Nothing farther than this is looked for.
    pub max_distance: f64,
    pub search: Search,
}

impl Default for DistanceParams {
    fn default() -> Self {
        Self {
            cold: false,
            max_work: 0,
            relative_error: 0.0,
            absolute_error: 0.0,
            max_distance: f64::INFINITY,
            search: Search::Auto,
        }
    }
}

/// A certified interval of the distance and the nearest pair that was met, if any.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceAnswer {
    pub complete: bool,
    pub lower: f64,
    pub upper: f64,
    pub nearest: Option<Contact>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct ToleranceParams {
    pub cold: bool,
    pub max_work: u64,
    pub tolerance: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToleranceAnswer {
    pub complete: bool,
    pub closer: bool,
    pub lower: f64,
    pub upper: f64,
    pub nearest: Option<Contact>,
}

/// What the last query did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub expansions: u64,
    pub volume_tests: u64,
    pub cheap_tests: u64,
    pub triangle_tests: u64,
    pub robust_tests: u64,
    pub front_tests: u64,
    pub front_updates: u64,
    pub front_rebuilds: u64,
    pub work: u64,
}

impl Counters {
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
