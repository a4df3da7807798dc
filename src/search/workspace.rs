//! What one query needs while it runs: the memory of its search, allocated and touched when the pair is made, never grown.

use crate::error::Error;
use crate::search::bucket_queue::BucketQueue;
use crate::search::stack::Stack;
use crate::tree::build::DEEPEST;

/// Queue and stack of a search.
#[derive(Debug)]
pub struct Workspace {
    pub queue: BucketQueue,
    pub stack: Stack,
}

impl Workspace {
    /// Serves the deepest hierarchies that a build makes, because the models of a pair may change.
    pub fn new(max_queue: usize) -> Result<Self, Error> {
        // On every level of both hierarchies the survivors of one node wait; those of two where a search goes depth-first
        // from what a descent or a full queue left.
        let levels = 2 * (DEEPEST as usize + 1) + 2;
        Ok(Self { queue: BucketQueue::new(max_queue)?, stack: Stack::new(levels * 2)? })
    }

    pub fn memory(&self) -> usize {
        self.queue.memory() + self.stack.memory()
    }
}
