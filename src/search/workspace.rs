//! What one query needs while it runs: the memory of its search, allocated and touched when the pair is made, never grown.

use crate::error::Error;
use crate::search::bucket_queue::BucketQueue;
use crate::search::stack::Stack;

/// Queue and stack of a search.
#[derive(Debug)]
pub struct Workspace {
    pub queue: BucketQueue,
    pub stack: Stack,
}

impl Workspace {
    /// `depths` are the nodes on the longest paths of the two hierarchies.
    pub fn new(depths: (u32, u32), max_queue: usize) -> Result<Self, Error> {
        // On every level of both hierarchies the survivors of one node wait; those of two where a search goes depth-first
        // from what a descent or a full queue left.
        let levels = depths.0 as usize + depths.1 as usize + 2;
        Ok(Self { queue: BucketQueue::new(max_queue)?, stack: Stack::new(levels * 2)? })
    }

    pub fn memory(&self) -> usize {
        self.queue.memory() + self.stack.memory()
    }
}
