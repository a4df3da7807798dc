//! What a pair remembers from one query to the next.

use crate::coherence::front::Front;
use crate::error::Error;
use crate::search::incumbent::MeasuredPair;
use crate::search::nearest::Search;

/// What the last queries of a pair left for the next one.
#[derive(Debug)]
pub struct Memory {
    /// The pair of slots that the last query found nearest or touching: the triangle cache of [Larsen 1999, 6.2].
    pub last: Option<(u32, u32)>,
    /// The last distance query, block by block.
    pub front: Front,
    /// The search that the last query left unfinished, if a later query can continue it.
    pub suspended: Option<Suspended>,
}

/// What a search that ran out of budget knew. What it still had to look at is in the workspace.
#[derive(Clone, Copy, Debug)]
pub struct Suspended {
    pub question: Question,
    pub best: MeasuredPair,
}

/// A search may continue a suspended one if their questions are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    pub kind: QuestionKind,
    /// Counts the changes of the poses.
    pub generation: u64,
    /// Threshold, or largest distance and errors.
    pub numbers: [f64; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    Distance(Search),
    Tolerance,
    Collide,
}

impl Memory {
    pub fn new(front_blocks: usize) -> Result<Self, Error> {
        Ok(Self { last: None, front: Front::new(front_blocks)?, suspended: None })
    }

    /// Whether the suspended search answers this question.
    pub fn can_continue(&self, question: Option<Question>) -> bool {
        question.is_some() && self.suspended.map(|suspended| suspended.question) == question
    }

    /// Forgets everything that earlier queries left behind.
    pub fn forget(&mut self) {
        (self.suspended, self.last) = (None, None);
        self.front.forget();
    }

    /// Bytes besides the struct itself.
    pub fn size(&self) -> usize {
        self.front.memory()
    }
}
