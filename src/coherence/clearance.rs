//! How far two models are apart at the least, as an earlier query found, and what is left of that in a later pose.
//!
//! Symbols: `o` and `v` are the node origin and any vertex of B, `M, t` and `M', t'` the matrices and translations that place B
//! in the earlier and in the later pose, `u` the unit roundoff.
//! 1. In the earlier pose no distance of two triangles, as the kernel computes it, is below the clearance; nor is any true
//!    distance of placed triangles below that less `KERNEL` of it.
//! 2. Both poses have the same units, so the placed vertices of A have the same bits. Those of B moved by
//!    `(M' - M)(v - o)` and by as much as the placed origin moved, up to roundings.
//! 3. `(M' - M)(v - o)` is at most the turn times the reach of B. B sees A move likewise, by at most the turn times the reach
//!    of A and the way of A's origin. Distances are the same for both, so the smaller number counts.
//! 4. Roundings: a placed vertex or origin is off by `8 u` of its coordinates and of the translation, four of these are
//!    involved, and rotations are orthonormal to `30 u`. Together below `PosedModels::rounding` twice and `512 u` of the extent.
//! 5. What is left, less `KERNEL` of it, is therefore below every distance that the kernel would compute in the later pose.
//!
//! The pose is kept, not the steps since: nothing adds up, however many poses come between.

use super::relative_pose::RelativePose;
use glam::DVec3;

/// What the triangle kernel may err by, relative to the distance, and more.
const KERNEL: f64 = 4e-12;

/// Step 4, in roundings of 2^-52.
const PLACED: f64 = 256.0;

/// Extents in which lengths are squared without loss.
const SQUARED: core::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// A walk looks beyond its threshold by a mean step, but not where steps are larger than this share of the smaller model.
const LARGEST_STEP: f64 = 0.02;

/// Steps of more than this share of the smaller model's reach are far: of what was near hardly anything is near again. Where there is
/// no clearance, which outlives large steps, that is so from the largest step of a front on.
const FAR_STEP: f64 = 0.25;
const FAR_STEP_OF_FRONTS: f64 = 0.04;

/// Walks that certify nothing after one whose clearance answered no query: doubled each time.
const SHORTEST_WAIT: u32 = 4;
const LONGEST_WAIT: u32 = 1024;

/// The questions that a clearance answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Collide,
    Tolerance,
    Contacts,
    Distance,
}

/// A clearance, the pose that it belongs to, and whether certifying pays.
#[derive(Clone, Copy, Debug)]
pub struct Clearance {
    /// Working units; 0: none is known.
    at_least: f64,
    pose: Option<Seen>,
    /// Whether the last clearance that a walk certified answered a query.
    has_served: bool,
    /// Whether a walk has certified a clearance that nothing is known of yet.
    is_tried: bool,
    wait: u32,
    next_wait: u32,
    /// Whether the last question of each kind found a pair: then there is nothing to certify.
    found: [bool; 4],
}

/// A pose from both sides.
#[derive(Clone, Copy, Debug)]
struct Seen {
    relative: RelativePose,
    /// From the node origin of A to that of B, in B's axes.
    from_b: DVec3,
    /// The change of the poses that it belongs to.
    generation: u64,
    cores: Option<Cores>,
}

/// Where most of the triangles of two models are, if those are small against the models: their steps are the steps of the models.
#[derive(Clone, Copy, Debug)]
pub struct Cores {
    /// From the middle of those of A to that of B, in A's axes; working units.
    pub between: DVec3,
    /// Radii of spheres around them.
    pub radii: [f64; 2],
}

/// The pose of a query, and what placed vertices in it may be off by because of their distance from the origins.
#[derive(Clone, Copy, Debug)]
pub struct QueryPose {
    pub relative: RelativePose,
    pub rounding: f64,
    /// No two points of the models are farther apart than this, but for roundings.
    pub extent: f64,
    /// Counts the changes of the poses.
    pub generation: u64,
    pub cores: Option<Cores>,
}

impl QueryPose {
    /// How large the models are where steps are compared with them: the smaller one.
    fn size(&self) -> f64 {
        let [a, b] = self.cores.map_or(self.relative.reach, |cores| cores.radii);
        a.min(b)
    }
}

impl Seen {
    fn new(pose: &QueryPose) -> Self {
        let relative = pose.relative;
        let from_b = relative.rotation.transpose() * relative.between;
        Self { relative, from_b, generation: pose.generation, cores: pose.cores }
    }

    /// How much nearer the models may have come since, but for roundings: as A sees it.
    #[inline(always)]
    fn seen_by_a(&self, now: &RelativePose, turned: f64) -> f64 {
        ((now.between - self.relative.between).length() + turned * now.reach[1]) * (1.0 + 1e-9)
    }

    /// And as B sees it.
    #[inline(always)]
    fn seen_by_b(&self, now: &RelativePose, turned: f64) -> f64 {
        ((now.rotation.transpose() * now.between - self.from_b).length() + turned * now.reach[0]) * (1.0 + 1e-9)
    }

    /// How far the models went since, or their cores.
    fn way(&self, now: &QueryPose) -> f64 {
        let (Some(then), Some(cores)) = (&self.cores, &now.cores) else { return self.approach(&now.relative) };
        let turned = now.relative.turned_since(&self.relative);
        let from_b = |pose: &RelativePose, cores: &Cores| pose.rotation.transpose() * cores.between;
        let seen_by_a = (cores.between - then.between).length() + turned * cores.radii[1];
        let seen_by_b =
            (from_b(&now.relative, cores) - from_b(&self.relative, then)).length() + turned * cores.radii[0];
        seen_by_a.min(seen_by_b)
    }

    /// The smaller of both.
    fn approach(&self, now: &RelativePose) -> f64 {
        let turned = now.turned_since(&self.relative);
        let seen_by_a = self.seen_by_a(now, turned);
        if turned == 0.0 { seen_by_a } else { seen_by_a.min(self.seen_by_b(now, turned)) }
    }
}

impl Clearance {
    pub const NONE: Self = Self {
        at_least: 0.0,
        pose: None,
        has_served: false,
        is_tried: false,
        wait: 0,
        next_wait: SHORTEST_WAIT,
        found: [false; 4],
    };

    /// Whether a clearance is known at all.
    #[inline(always)]
    pub fn is_known(&self) -> bool {
        self.at_least > 0.0
    }

    /// Whether no pair of triangles is within the threshold in this pose; working units. What A sees is nearly always enough.
    #[inline(always)]
    pub fn is_above(&mut self, threshold: f64, now: &QueryPose) -> bool {
        let Some(then) = self.usable(now) else { return false };
        let turned = now.relative.turned_since(&then.relative);
        let is_above = self.less(then.seen_by_a(&now.relative, turned), now) > threshold
            || self.less(then.seen_by_b(&now.relative, turned), now) > threshold;
        self.has_served |= is_above;
        is_above
    }

    /// What is left of the clearance in this pose.
    fn left(&self, now: &QueryPose) -> f64 {
        self.usable(now).map_or(0.0, |then| self.less(then.approach(&now.relative), now))
    }

    /// The pose of a clearance that is known, if it can be compared with this one.
    #[inline(always)]
    fn usable(&self, now: &QueryPose) -> Option<&Seen> {
        // The ways are roots of sums of squares, which must not vanish: what is lost here is far below the rounding.
        let is_usable = self.is_known() && SQUARED.contains(&now.extent);
        self.pose.as_ref().filter(|then| is_usable && then.relative.units == now.relative.units)
    }

    /// What is left of the clearance when the models have come nearer by this.
    #[inline(always)]
    fn less(&self, approach: f64, now: &QueryPose) -> f64 {
        let rounding = 2.0 * now.rounding + PLACED * f64::EPSILON * now.extent;
        (self.at_least * (1.0 - KERNEL) - approach - rounding) * (1.0 - KERNEL)
    }

    /// What is left of the clearance when the models have not moved, less all that roundings may hide until they came nearer by that;
    /// working units. None if the clearance is not of this pose, or if lengths of this size cannot be squared.
    pub fn room(&self, now: &QueryPose) -> Option<f64> {
        let is_of_now = self.generation() == Some(now.generation) && SQUARED.contains(&now.extent);
        let rounding = 2.0 * (now.rounding + PLACED * f64::EPSILON * now.extent);
        is_of_now.then_some((self.at_least * (1.0 - KERNEL) - rounding) * (1.0 - KERNEL))
    }

    /// The change of the poses that the clearance belongs to, if one is known.
    #[inline(always)]
    pub fn generation(&self) -> Option<u64> {
        self.pose.as_ref().filter(|_| self.is_known()).map(|pose| pose.generation)
    }

    /// Learns that the clearance answered a query.
    #[inline(always)]
    pub fn note_served(&mut self) {
        self.has_served = true;
    }

    /// Whether no query has left its pose yet.
    pub fn is_new(&self) -> bool {
        self.pose.is_none()
    }

    /// Whether the last question of this kind found a pair.
    pub fn found_last(&self, question: Question) -> bool {
        self.found[question as usize]
    }

    /// Whether a front may answer sooner than a walk: not where the last question of that kind found a pair, unless all of them are
    /// sought.
    pub fn asks_front(&self, question: Question) -> bool {
        self.pose.is_some() && (!self.found[question as usize] || question == Question::Contacts)
    }

    /// The mean step since the pose that is kept, in working units, if there is one.
    pub fn mean_step(&self, now: &QueryPose) -> Option<f64> {
        let then = self.pose.as_ref().filter(|then| then.relative.units == now.relative.units)?;
        let poses = now.generation.saturating_sub(then.generation);
        Some(then.way(now) / poses.max(1) as f64)
    }

    /// Whether a step is so large that nothing near is near again.
    pub fn is_far(&self, step: f64, now: &QueryPose) -> bool {
        let share = if self.is_known() { FAR_STEP } else { FAR_STEP_OF_FRONTS };
        !(step <= share * now.size())
    }

    /// Forgets where the models were and how far apart, but not whether certifying pays.
    pub fn leave(&mut self) {
        (self.at_least, self.pose) = (0.0, None);
    }

    /// How far beyond its threshold a walk should look, in working units: one mean step, so that the next query can be answered by
    /// the clearance. None where a clearance is not worth certifying.
    pub fn looks_beyond(&mut self, question: Question, step: f64, now: &QueryPose) -> Option<f64> {
        if self.found[question as usize] {
            return None;
        }
        if core::mem::take(&mut self.is_tried) {
            if self.has_served {
                self.next_wait = (self.next_wait / 2).max(SHORTEST_WAIT);
            } else {
                (self.wait, self.next_wait) = (self.next_wait, (self.next_wait * 2).min(LONGEST_WAIT));
            }
        }
        if self.wait > 0 {
            self.wait -= 1;
            return None;
        }
        if !(step <= LARGEST_STEP * now.size()) {
            return None;
        }
        (self.is_tried, self.has_served) = (true, false);
        Some(step)
    }

    /// Learns whether a question found a pair.
    pub fn note_found(&mut self, question: Question, found: bool) {
        self.found[question as usize] = found;
    }

    /// Learns how a walk ended: whether it found a pair, and what it certified (0 for nothing).
    pub fn note_walk(&mut self, question: Question, found: bool, certified: f64, now: &QueryPose) {
        self.found[question as usize] = found;
        self.note(certified, now);
    }

    /// Learns a lower bound of all distances in this pose, in working units.
    pub fn note(&mut self, certified: f64, now: &QueryPose) {
        if !self.is_known() || self.left(now) < certified {
            self.at_least = if certified.is_finite() { certified.max(0.0) } else { 0.0 };
            self.pose = Some(Seen::new(now));
        }
    }
}
