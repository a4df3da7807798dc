//! What one query needs while it runs: the memory of its search, allocated and touched when the pair is made, never grown.

use crate::allocation::try_collect;
use crate::error::Error;
use crate::search::bucket_queue::BucketQueue;
use crate::search::pair_alone::PairAlone;
use crate::search::stack::Stack;
use crate::search::tied_pairs::TiedPairs;
use crate::search::waiting_pairs::WaitingPairs;
use crate::tree::build::DEEPEST;

/// Queue, stack and ties of a search, the pair that it measured alone, and one room for pairs that wait to be judged: none while a query has taken it.
#[derive(Debug)]
pub struct Workspace {
    pub queue: BucketQueue,
    pub stack: Stack,
    pub ties: TiedPairs,
    pub alone: Option<PairAlone>,
    pub waiting: Vec<WaitingPairs>,
}

impl Workspace {
    /// Serves the deepest hierarchies that a build makes, because the models of a pair may change.
    pub fn new(max_queue: usize) -> Result<Self, Error> {
        // On every level of both hierarchies the survivors of one node wait; those of two where a search goes depth-first
        // from what a descent or a full queue left.
        let levels = 2 * (DEEPEST as usize + 1) + 2;
        let waiting = try_collect("pairs that wait", [WaitingPairs::default()].into_iter())?;
        Ok(Self {
            queue: BucketQueue::new(max_queue)?,
            stack: Stack::new(levels * 2)?,
            ties: TiedPairs::default(),
            alone: None,
            waiting,
        })
    }

    pub fn memory(&self) -> usize {
        self.queue.memory() + self.stack.memory() + size_of_val(&*self.waiting)
    }
}
