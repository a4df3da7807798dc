//! The memory that the searches of a pair write to: made once, touched once, never grown.

use crate::coherence::front::Front;
use crate::error::Error;
use crate::posed::survivors::{Siblings, Taken};
use crate::query::answer::Search;
use crate::search::bucket_queue::BucketQueue;
use crate::search::nearest::Best;
use crate::search::triangle_batch::TriangleBatch;
use fearless_simd::Simd;

/// Queue and stack of a pair.
#[derive(Debug)]
pub struct Scratch {
    pub queue: BucketQueue,
    /// For depth-first searches: on every level of both hierarchies the children of one node wait, those of two where a search
    /// goes depth-first from what a descent or a full queue left (`nearest`).
    pub stack: Stack,
    /// The search that the last query left unfinished in queue and stack, if it can be taken up again.
    pub suspended: Option<Suspended>,
    /// The pair that the last query found nearest or touching (slots): the triangle cache of swept_sphere_volumes 6.2.
    pub last: Option<(u32, u32)>,
    /// The last distance query, block by block.
    pub front: Front,
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
    items: Vec<Siblings>,
    count: usize,
}

impl Stack {
    pub fn new(capacity: usize) -> Result<Self, Error> {
        let mut items = Vec::new();
        items.try_reserve_exact(capacity).map_err(|_| Error::out_of_memory("stack of a pair"))?;
        items.resize(capacity, Siblings::NONE);
        Ok(Self { items, count: 0 })
    }

    #[inline(always)]
    pub fn push(&mut self, siblings: &Siblings) {
        self.items[self.count] = *siblings;
        self.count += 1;
    }

    /// Takes the nearest pair out of what was pushed last, if it is within the limit; what is not is forgotten.
    #[inline(always)]
    pub fn pop<S: Simd>(&mut self, simd: S, limit: f32) -> Option<Taken> {
        while let Some(last) = self.count.checked_sub(1) {
            let siblings = &mut self.items[last];
            let taken = siblings.take(simd);
            self.count -= !(siblings.nearest <= limit) as usize;
            if taken.bound <= limit {
                return Some(taken);
            }
        }
        None
    }

    /// Whether `pop` would give a pair of triangles.
    pub fn ends_in_triangles(&self) -> bool {
        self.items[..self.count].last().is_some_and(|siblings| siblings.first().triangles)
    }

    /// What was pushed last, as a whole.
    pub fn pop_siblings(&mut self) -> Option<Siblings> {
        self.count = self.count.checked_sub(1)?;
        Some(self.items[self.count])
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn smallest_bound(&self) -> f32 {
        self.items[..self.count].iter().fold(f32::INFINITY, |smallest, siblings| smallest.min(siblings.nearest))
    }
}

/// The queue that suffices for most queries (DESIGN.md section 7); beyond it the search goes depth-first.
pub const DEFAULT_QUEUE: usize = 1024;

impl Scratch {
    /// `depths` are the nodes on the longest paths of the two hierarchies; `max_queue` 0 means the default.
    pub fn new(depths: (u32, u32), max_queue: u32, front_blocks: usize) -> Result<Self, Error> {
        let levels = depths.0 as usize + depths.1 as usize + 2;
        let capacity = if max_queue == 0 { DEFAULT_QUEUE } else { max_queue as usize };
        Ok(Self {
            queue: BucketQueue::new(capacity)?,
            stack: Stack::new(levels * 2)?,
            suspended: None,
            last: None,
            front: Front::new(front_blocks)?,
        })
    }

    /// Forgets everything that earlier queries left behind.
    pub fn forget(&mut self) {
        (self.suspended, self.last) = (None, None);
        self.front.forget();
    }

    pub fn memory(&self) -> usize {
        self.queue.memory() + self.stack.items.capacity() * size_of::<Siblings>() + self.front.memory()
    }
}
