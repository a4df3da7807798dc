//! A priority queue of fixed memory: buckets of equal width over the bounds that can still matter.
//!
//! A heap would pop in exact order but costs more per operation than the exact order saves (DESIGN.md section 7).

use super::pending::Pending;
use crate::error::Error;

const BUCKETS: usize = 256;
const NONE: u32 = u32::MAX;

/// Pending pairs by lower bound, in a pool of fixed capacity; within a bucket the newest comes first.
#[derive(Debug)]
pub struct BucketQueue {
    heads: [u32; BUCKETS],
    /// One bit for every bucket that is not empty.
    filled: [u64; BUCKETS / 64],
    pool: Vec<(Pending, u32)>,
    /// Entries of the pool that were handed out at least once, and the list of those that came back.
    touched: usize,
    returned: u32,
    scale: f32,
}

impl BucketQueue {
    /// A queue for `capacity` pairs whose memory is written once here, so that no query meets a page fault.
    pub fn new(capacity: usize) -> Result<Self, Error> {
        let mut pool = Vec::new();
        pool.try_reserve_exact(capacity).map_err(|_| Error::out_of_memory("queue of a pair"))?;
        pool.resize(capacity, (Pending::default(), NONE));
        Ok(Self { heads: [NONE; BUCKETS], filled: [0; BUCKETS / 64], pool, touched: 0, returned: NONE, scale: 1.0 })
    }

    /// Empties the queue and spreads its buckets over the bounds 0 to `largest`.
    pub fn restart(&mut self, largest: f32) {
        self.heads = [NONE; BUCKETS];
        self.filled = [0; BUCKETS / 64];
        self.touched = 0;
        self.returned = NONE;
        let scale = BUCKETS as f32 / largest;
        self.scale = if scale.is_finite() { scale } else { f32::MAX };
    }

    /// Takes the pair in, or says no when the pool is used up.
    #[inline(always)]
    pub fn push(&mut self, pending: Pending) -> bool {
        let entry = if self.returned != NONE {
            let entry = self.returned;
            self.returned = self.pool[entry as usize].1;
            entry
        } else if self.touched < self.pool.len() {
            self.touched += 1;
            self.touched as u32 - 1
        } else {
            return false;
        };
        // A float converts to an integer saturating, so negative and huge bounds land in the outer buckets.
        let bucket = ((pending.bound * self.scale) as u32 as usize).min(BUCKETS - 1);
        self.pool[entry as usize] = (pending, self.heads[bucket]);
        self.heads[bucket] = entry;
        self.filled[bucket / 64] |= 1 << (bucket % 64);
        true
    }

    /// A pair of the lowest bucket.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Pending> {
        let word = self.filled.iter().position(|&word| word != 0)?;
        let bucket = word * 64 + self.filled[word].trailing_zeros() as usize;
        let entry = self.heads[bucket];
        let (pending, next) = self.pool[entry as usize];
        self.heads[bucket] = next;
        self.filled[word] &= !((u64::from(next == NONE)) << (bucket % 64));
        self.pool[entry as usize].1 = self.returned;
        self.returned = entry;
        Some(pending)
    }

    /// The smallest bound in the queue, looked for only when a query ends early.
    pub fn smallest_bound(&self) -> f32 {
        let Some(word) = self.filled.iter().position(|&word| word != 0) else { return f32::INFINITY };
        let mut entry = self.heads[word * 64 + self.filled[word].trailing_zeros() as usize];
        let mut smallest = f32::INFINITY;
        while entry != NONE {
            let (pending, next) = self.pool[entry as usize];
            smallest = smallest.min(pending.bound);
            entry = next;
        }
        smallest
    }

    pub fn memory(&self) -> usize {
        self.pool.capacity() * size_of::<(Pending, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_by_bucket_and_reuses_its_pool() {
        let mut queue = BucketQueue::new(4).unwrap();
        queue.restart(1.0);
        let at = |bound: f32| Pending { bound, a: 1, b: 2 };
        for bound in [0.9, 0.1, 0.5, 5.0] {
            assert!(queue.push(at(bound)));
        }
        assert!(!queue.push(at(0.2)), "a full queue says no");
        assert_eq!(queue.smallest_bound(), 0.1);
        assert_eq!(queue.pop().unwrap().bound, 0.1);
        assert!(queue.push(at(-1.0)));
        let rest: Vec<f32> = core::iter::from_fn(|| queue.pop()).map(|pending| pending.bound).collect();
        assert_eq!(rest[..2], [-1.0, 0.5]);
        assert!(queue.pop().is_none());
    }
}
