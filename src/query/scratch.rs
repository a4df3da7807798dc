//! The memory that the searches of a pair write to: made once, touched once, never grown.

use super::answer::Search;
use super::bucket_queue::BucketQueue;
use super::nearest::Best;
use super::pending::Pending;
use super::triangle_batch::TriangleBatch;
use crate::error::Error;

/// Queue and stack of a pair.
#[derive(Debug)]
pub struct Scratch {
    pub queue: BucketQueue,
    /// For depth-first searches: on every level of both hierarchies the children of two wait, because walks open two pairs at
    /// a time (`within`), and so do those of the greedy descent and of the search from what it left (`nearest`).
    pub stack: Stack,
    /// The search that the last query left unfinished in queue and stack, if it can be taken up again.
    pub suspended: Option<Suspended>,
    /// The pair that the last query found nearest or touching (slots): the triangle cache of swept_sphere_volumes 6.2.
    pub last: Option<(u32, u32)>,
}

/// What a search that ran out of budget knew; its pending pairs are still in the queue and on the stack.
#[derive(Clone, Copy, Debug)]
pub struct Suspended {
    pub question: Question,
    pub best: Best,
    pub batch: TriangleBatch,
}

/// Two searches with equal questions may share their work.
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

/// A stack of fixed capacity.
#[derive(Debug)]
pub struct Stack {
    items: Vec<Pending>,
    count: usize,
}

impl Stack {
    pub fn new(capacity: usize) -> Result<Self, Error> {
        let mut items = Vec::new();
        items.try_reserve_exact(capacity).map_err(|_| Error::out_of_memory("stack of a pair"))?;
        items.resize(capacity, Pending::default());
        Ok(Self { items, count: 0 })
    }

    #[inline(always)]
    pub fn push(&mut self, pending: Pending) {
        self.items[self.count] = pending;
        self.count += 1;
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<Pending> {
        if self.count == 0 {
            return None;
        }
        self.count -= 1;
        Some(self.items[self.count])
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }

    pub fn items(&self) -> &[Pending] {
        &self.items[..self.count]
    }

    pub fn smallest_bound(&self) -> f32 {
        self.items().iter().fold(f32::INFINITY, |smallest, pending| smallest.min(pending.bound))
    }
}

/// The queue that suffices for most queries (DESIGN.md section 7); beyond it the search goes depth-first.
pub const DEFAULT_QUEUE: usize = 4096;

impl Scratch {
    /// `depths` are the nodes on the longest paths of the two hierarchies; `max_queue` 0 means the default.
    pub fn new(depths: (u32, u32), max_queue: u32) -> Result<Self, Error> {
        let levels = depths.0 as usize + depths.1 as usize + 2;
        let capacity = if max_queue == 0 { DEFAULT_QUEUE } else { max_queue as usize };
        Ok(Self { queue: BucketQueue::new(capacity)?, stack: Stack::new(levels * 16)?, suspended: None, last: None })
    }

    /// Forgets everything that earlier queries left behind.
    pub fn forget(&mut self) {
        (self.suspended, self.last) = (None, None);
    }

    pub fn memory(&self) -> usize {
        self.queue.memory() + self.stack.items.capacity() * size_of::<Pending>()
    }
}
