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
use crate::posed::posed_models::PosedModels;
use crate::search::RunSearch;
use crate::search::memory::{Memory, ResumeKey, ResumeKind};
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

impl QueryContext<'_> {
    /// Whether spheres around the models are farther apart than the threshold, or a clearance is left that says so, so that no pair
    /// is within it. This comes before a search is even prepared, because many pairs of models are never near.
    #[inline(always)]
    fn is_apart(&mut self, threshold: f64, cold: bool) -> bool {
        let is_apart = self.models.between_spheres() > threshold;
        if is_apart {
            self.skip();
        }
        is_apart || self.is_clear(threshold, cold)
    }

    /// Whether what is left of a clearance is above the threshold.
    #[inline(always)]
    fn is_clear(&mut self, threshold: f64, cold: bool) -> bool {
        self.memory.clearance.is_known() && !cold && self.is_still_clear(threshold)
    }

    /// A query that looks at nothing.
    fn skip(&mut self) {
        *self.counters = Counters::default();
        self.memory.suspended = None;
    }

    #[inline(never)]
    fn is_still_clear(&mut self, threshold: f64) -> bool {
        let pose = self.pose();
        let is_clear = !self.models.placement.is_pulled() && self.memory.clearance.is_above(threshold, &pose);
        if is_clear {
            self.skip();
        }
        is_clear
    }

    fn pose(&self) -> QueryPose {
        let models = &self.models;
        QueryPose { relative: models.relative_pose(), rounding: models.rounding, generation: self.generation }
    }

    /// How far beyond its threshold a walk should look, None if it should certify nothing, and whether it should ask the front. A
    /// budget is spent on the question alone.
    fn coherence(&mut self, question: Question, cold: bool, max_work: u64) -> (Option<f64>, bool) {
        if cold || max_work != 0 || self.models.placement.is_pulled() {
            return (None, false);
        }
        let pose = self.pose();
        let clearance = &mut self.memory.clearance;
        (clearance.looks_beyond(question, &pose), clearance.asks_front(question))
    }

    /// Learns how a walk ended: whether it found a pair, and the clearance that it certified.
    fn note_walk(&mut self, question: Question, cold: bool, found: bool, clearance: f64) {
        if !cold && !self.models.placement.is_pulled() {
            let pose = self.pose();
            self.memory.clearance.note_walk(question, found, clearance, &pose);
        }
    }

    /// Learns a lower bound of the distance.
    fn note_distance(&mut self, cold: bool, lower: f64) {
        if !cold && !self.models.placement.is_pulled() {
            let pose = self.pose();
            self.memory.clearance.note(lower, &pose);
        }
    }

    /// Runs the search that `make` prepares.
    #[inline(always)]
    fn search<'q, Q: RunSearch>(&'q mut self, make: impl FnOnce(&'q mut Self) -> Q) -> Q::Answer {
        *self.counters = Counters::default();
        let (level, models) = (self.level, self.models);
        Dispatch { level, models: &models, search: make(self) }.run()
    }

    /// The key of a search that may be continued; cold queries continue nothing.
    fn resume_key(&self, cold: bool, kind: ResumeKind, numbers: [f64; 3]) -> Option<ResumeKey> {
        (!cold).then_some(ResumeKey { kind, generation: self.generation, numbers })
    }
}
