//! What can be asked about a pair: one file per question, with its params, its answer and how the answer is formed.
//!
//! The questions about a pair: `collide`, `contacts`, `distance`, `tolerance`, `local_minima`. About one model: `closest_point` with
//! `side`, `cast`, `within_ball`; `kept` holds the first of many answers in the caller's memory. Each turns its params into a search and hands the search to
//! `dispatch`, which runs it over the right volumes on the right instruction set. `contact` forms answers in world space,
//! `contact_sink` and `write_touching` many of them, and `first_find` is what `collide` and `tolerance` share.

pub mod cast;
pub mod closest_point;
mod collide;
mod contact;
pub mod contact_sink;
mod contacts;
mod contenders;
pub mod dispatch;
mod distance;
mod first_find;
pub mod kept;
pub mod local_minima;
pub mod side;
mod tolerance;
pub mod within_ball;
mod write_touching;

pub use crate::search::counters::Counters;
pub use crate::search::nearest::SearchOrder;
pub use cast::{CastAnswer, CastParams, Hit};
pub use closest_point::{ClosestParams, SurfacePoint};
pub use collide::{CollideAnswer, CollideParams};
pub use contact::{Contact, NO_TRIANGLE};
pub use contacts::{ContactsAnswer, ContactsParams};
pub use distance::{DistanceAnswer, DistanceParams};
pub use kept::Room;
pub use local_minima::{MinimaParams, Minimum};
pub use side::Side;
pub use tolerance::{ToleranceAnswer, ToleranceParams};

use crate::coherence::clearance::{QueryPose, Question};
use crate::coherence::pace::Mode;
use crate::posed::posed_models::PosedModels;
use crate::search::RunSearch;
use crate::search::memory::{Memory, ResumeKey, ResumeKind};
use crate::search::within::LookBeyond;
use crate::search::workspace::Workspace;
use dispatch::Dispatch;
use fearless_simd::Level;

/// Everything that a query of a pair reads and writes: its surroundings, whatever it asks.
pub struct QueryContext<'p> {
    pub level: Level,
    pub models: PosedModels<'p>,
    pub workspace: &'p mut Workspace,
    pub memory: &'p mut Memory,
    pub counters: &'p mut Counters,
    /// Counts the changes of the poses.
    pub generation: u64,
}

/// What queries with memory cost besides what their counters tell, in the units of `Counters::cost`: a look at the clearance, what
/// walks do before and after, and a pass along the front.
pub const CLEARANCE_COST: u64 = 3;
const WALK_COST: u64 = 8;
const PASS_COST: u64 = 16;

/// A walk that looks farther than its threshold may do an eighth of the work of a cold query more (a unit of work costs about 8), and
/// a little.
const MOST_LOOKS: u64 = 64;
const FEWEST_LOOKS: u64 = 8;

impl QueryContext<'_> {
    /// Whether spheres around the models are farther apart than the threshold, so that no pair is within it. This comes before
    /// anything else, because many pairs of models are never near.
    #[inline(always)]
    fn is_apart(&mut self, threshold: f64) -> bool {
        let is_apart = self.models.between_spheres() > threshold;
        if is_apart {
            self.skip();
        }
        is_apart
    }

    /// How this query deals with memory. A query with a budget may continue the last one, so that it never rests.
    #[inline(always)]
    fn mode(&mut self, question: Question, cold: bool, max_work: u64) -> Mode {
        if cold {
            Mode::Cold
        } else if max_work == 0 && self.memory.paces[question as usize].rests() {
            Mode::Resting
        } else {
            Mode::Warm
        }
    }

    /// The pair that the last query found. Where memory does not pay it still wins among equals, but not after far steps.
    fn remembered(&self, question: Question, mode: Mode) -> Option<(u32, u32)> {
        let is_kept = match mode {
            Mode::Cold => false,
            Mode::Resting => !self.memory.paces[question as usize].is_far(),
            Mode::Warm => true,
        };
        self.memory.remembered.filter(|_| is_kept)
    }

    /// Learns that a pair which was found before is still one, without a search.
    fn note_still_found(&mut self, question: Question, mode: Mode) {
        if mode.is_warm() {
            self.memory.paces[question as usize].note_warm(self.counters.cost());
        }
    }

    /// Whether what is left of a clearance is above the threshold.
    #[inline(always)]
    fn is_clear(&mut self, question: Question, mode: Mode, threshold: f64) -> bool {
        self.memory.clearance.is_known() && mode.is_warm() && self.is_still_clear(question, threshold)
    }

    /// A query that looks at nothing.
    fn skip(&mut self) {
        *self.counters = Counters::default();
        self.memory.suspended = None;
    }

    /// Inlined, because on its way through memory the pose would cost more than this test.
    #[inline(always)]
    fn is_still_clear(&mut self, question: Question, threshold: f64) -> bool {
        let pose = self.pose();
        let is_clear = !self.models.placement.is_pulled() && self.memory.clearance.is_above(threshold, &pose);
        if is_clear {
            self.skip();
            self.memory.paces[question as usize].note_warm(CLEARANCE_COST);
        }
        is_clear
    }

    /// The pose as clearances compare it.
    #[inline(always)]
    pub fn pose(&self) -> QueryPose {
        let models = &self.models;
        let (relative, rounding) = (models.relative_pose(), models.rounding);
        QueryPose { relative, rounding, extent: models.farthest(), generation: self.generation, cores: models.cores() }
    }

    /// The pose and the mean step of late, if memory may help. Models that went far end the attempt to profit from it: then the
    /// query rests. A budget is spent on the question alone.
    fn goes_far(&mut self, question: Question, mode: &mut Mode, max_work: u64) -> Option<(QueryPose, f64)> {
        if !mode.is_warm() || max_work != 0 || self.models.placement.is_pulled() {
            return None;
        }
        let pose = self.pose();
        let Memory { clearance, paces, .. } = &mut *self.memory;
        let step = clearance.mean_step(&pose)?;
        if paces[question as usize].note_step(clearance.is_far(step, &pose)) {
            clearance.leave();
            *mode = Mode::Resting;
            return None;
        }
        Some((pose, step))
    }

    /// How far beyond its threshold a walk should look, None if it should certify nothing, and whether it should ask the front.
    fn coherence(&mut self, question: Question, mode: &mut Mode, max_work: u64) -> (Option<LookBeyond>, bool) {
        let Some((pose, step)) = self.goes_far(question, mode, max_work) else { return (None, false) };
        let Memory { clearance, paces, .. } = &mut *self.memory;
        let most_work = paces[question as usize].cold() / MOST_LOOKS + FEWEST_LOOKS;
        let look = clearance.looks_beyond(question, step, &pose).map(|beyond| LookBeyond { beyond, most_work });
        (look, clearance.asks_front(question))
    }

    /// Learns how a walk ended: whether it found a pair, and the clearance that it certified.
    fn note_walk(&mut self, question: Question, mode: Mode, max_work: u64, found: bool, clearance: f64) {
        if mode == Mode::Resting {
            self.memory.clearance.note_found(question, found);
        }
        if let Some(pose) = self.note_cost(question, mode, max_work) {
            self.memory.clearance.note_walk(question, found, clearance, &pose);
        }
    }

    /// Learns a lower bound of the distance.
    fn note_distance(&mut self, mode: Mode, max_work: u64, lower: f64) {
        if let Some(pose) = self.note_cost(Question::Distance, mode, max_work) {
            self.memory.clearance.note(lower, &pose);
        }
    }

    /// Learns what a search has cost; the pose, if what the search found is to be kept.
    fn note_cost(&mut self, question: Question, mode: Mode, max_work: u64) -> Option<QueryPose> {
        let cost = self.counters.cost();
        let pace = &mut self.memory.paces[question as usize];
        match mode {
            Mode::Cold => return None,
            Mode::Resting => {
                pace.note_cold(cost);
                return None;
            }
            // The first query has nothing to use.
            Mode::Warm if max_work == 0 && self.memory.clearance.is_new() => pace.note_cold(cost),
            Mode::Warm if max_work == 0 => {
                let is_pass = self.counters.front_tests + self.counters.front_rebuilds > 0;
                // Certificates and witnesses cost half as much as what they are made of.
                pace.note_warm(WALK_COST + if is_pass { PASS_COST + cost + cost / 2 } else { cost });
            }
            Mode::Warm => {}
        }
        (!self.models.placement.is_pulled()).then(|| self.pose())
    }

    /// Runs the search that `make` prepares.
    #[inline(always)]
    fn search<'q, Q: RunSearch>(&'q mut self, make: impl FnOnce(&'q mut Self) -> Q) -> Q::Answer {
        *self.counters = Counters::default();
        let (level, models) = (self.level, self.models);
        Dispatch { level, models: &models, search: make(self) }.run()
    }

    /// The key of a search that may be continued; cold queries continue nothing.
    fn resume_key(&self, mode: Mode, kind: ResumeKind, numbers: [f64; 3]) -> Option<ResumeKey> {
        mode.is_warm().then_some(ResumeKey { kind, generation: self.generation, numbers })
    }
}
