//! What a pair remembers from one query to the next.

use crate::coherence::clearance::Clearance;
use crate::coherence::departure::Departure;
use crate::coherence::front::Front;
use crate::coherence::pace::Pace;
use crate::error::Error;
use crate::search::incumbent::MeasuredPair;
use crate::search::nearest::SearchOrder;

/// Walks within a threshold open fewer nodes than distance queries.
const MOST_NEAR_BLOCKS: usize = 1024;

/// What the last queries of a pair left for the next one.
#[derive(Debug)]
pub struct Memory {
    /// The pair of slots that the last query found nearest or touching: the triangle cache of [Larsen 1999, 6.2].
    pub remembered: Option<(u32, u32)>,
    /// The candidate at which a remembered pair was nearest: a guess, so that it may belong to another pair.
    pub candidate: f64,
    /// The last distance query, block by block.
    pub front: Front,
    /// The last walk for pairs within a threshold. Distances need other blocks, so the fronts are apart.
    pub near_front: Front,
    /// How far the models are apart at the least.
    pub clearance: Clearance,
    /// Where the models were when the clearance was found.
    pub departure: Departure,
    /// Whether remembering pays, for each kind of question.
    pub paces: [Pace; 4],
    /// The search that the last query left unfinished, if a later query can continue it.
    pub suspended: Option<Suspended>,
}

/// What a search that ran out of budget knew. What it still had to look at is in the workspace.
#[derive(Clone, Copy, Debug)]
pub struct Suspended {
    pub resume_key: ResumeKey,
    pub best: MeasuredPair,
}

/// What a question must agree in with a suspended search to continue it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResumeKey {
    pub kind: ResumeKind,
    /// Counts the changes of the poses.
    pub generation: u64,
    /// Threshold, or largest distance and errors.
    pub numbers: [f64; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeKind {
    Distance(SearchOrder),
    Tolerance,
    Collide,
}

impl Memory {
    pub fn new(front_blocks: usize) -> Result<Self, Error> {
        let (front, near_front) = (Front::new(front_blocks)?, Front::new(front_blocks.min(MOST_NEAR_BLOCKS))?);
        Ok(Self {
            remembered: None,
            candidate: 0.0,
            front,
            near_front,
            clearance: Clearance::NONE,
            departure: Departure::NONE,
            paces: [Pace::NEW; 4],
            suspended: None,
        })
    }

    /// Whether the suspended search can be continued with this key.
    pub fn can_continue(&self, resume_key: Option<ResumeKey>) -> bool {
        resume_key.is_some() && self.suspended.map(|suspended| suspended.resume_key) == resume_key
    }

    /// Forgets everything that earlier queries left behind.
    pub fn forget(&mut self) {
        (self.suspended, self.remembered) = (None, None);
        (self.clearance, self.departure) = (Clearance::NONE, Departure::NONE);
        self.paces = [Pace::NEW; 4];
        self.front.forget();
        self.near_front.forget();
    }

    /// Bytes besides the struct itself.
    pub fn size(&self) -> usize {
        self.front.memory() + self.near_front.memory()
    }
}
