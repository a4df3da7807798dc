//! A priority queue of fixed memory: buckets of equal width over the bounds that can still matter.
//!
//! A heap would pop in exact order but costs more per operation than the exact order saves (DESIGN.md section 7).

use super::pending::Pending;
use crate::error::Error;
use crate::memory::try_collect;

/// Number of buckets; also the largest capacity is a power of two, so that masked indices need no checks.
pub const BUCKETS: usize = 256;
/// The largest capacity; a larger one did not pay.
pub const LARGEST: usize = 4096;
const NONE: u16 = u16::MAX;

/// Pending pairs by lower bound, in a pool of fixed capacity; within a bucket the newest comes first.
#[derive(Debug)]
pub struct BucketQueue {
    heads: [u16; BUCKETS],
    /// One bit for every bucket that is not empty.
    filled: [u64; BUCKETS / 64],
    pool: Box<[Pending; LARGEST]>,
    /// The entry that follows in the same bucket, or in the list of entries that came back.
    following: Box<[u16; LARGEST]>,
    capacity: u16,
    /// Entries of the pool that were handed out at least once, and the list of those that came back.
    touched: u16,
    returned: u16,
    scale: f32,
    /// The last bucket that can hold a bound within the limit; later ones are never looked at.
    last: usize,
}

impl BucketQueue {
    /// A queue for `capacity` pairs (at most `LARGEST`), whose memory is written here, so that no query meets a page
    /// fault.
    pub fn new(capacity: usize) -> Result<Self, Error> {
        let what = "queue of a pair";
        let pool = try_collect(what, (0..LARGEST).map(|_| Pending::default()))?;
        let following = try_collect(what, (0..LARGEST).map(|_| NONE))?;
        let refused = || Error::out_of_memory(what);
        Ok(Self {
            heads: [NONE; BUCKETS],
            filled: [0; BUCKETS / 64],
            pool: pool.into_boxed_slice().try_into().map_err(|_| refused())?,
            following: following.into_boxed_slice().try_into().map_err(|_| refused())?,
            capacity: capacity.min(LARGEST) as u16,
            touched: 0,
            returned: NONE,
            scale: 1.0,
            last: BUCKETS - 1,
        })
    }

    /// Empties the queue and spreads its buckets over the bounds 0 to `largest`.
    pub fn restart(&mut self, largest: f32) {
        self.heads = [NONE; BUCKETS];
        self.filled = [0; BUCKETS / 64];
        self.touched = 0;
        self.returned = NONE;
        let scale = BUCKETS as f32 / largest;
        self.scale = if scale.is_finite() { scale } else { f32::MAX };
        self.last = BUCKETS - 1;
    }

    /// Bounds above this do not matter any more.
    pub fn set_limit(&mut self, limit: f32) {
        self.last = self.bucket(limit);
    }

    /// Buckets per unit of bound.
    #[inline(always)]
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// The bucket of a bound; a float converts to an integer saturating, so the outer buckets take what is beyond.
    #[inline(always)]
    pub fn bucket(&self, bound: f32) -> usize {
        ((bound * self.scale) as u32 as usize).min(BUCKETS - 1)
    }

    /// Takes the pair in, or says no when the pool is used up.
    #[inline(always)]
    pub fn push(&mut self, bucket: usize, pending: Pending) -> bool {
        let bucket = bucket % BUCKETS;
        let entry = if self.returned != NONE {
            let entry = self.returned;
            self.returned = self.following[entry as usize % LARGEST];
            entry
        } else if self.touched < self.capacity {
            self.touched += 1;
            self.touched - 1
        } else {
            return false;
        };
        self.pool[entry as usize % LARGEST] = pending;
        self.following[entry as usize % LARGEST] = self.heads[bucket];
        self.heads[bucket] = entry;
        self.filled[bucket / 64] |= 1 << (bucket % 64);
        true
    }

    /// A pair of the lowest bucket, if it is not beyond the limit.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Pending> {
        let word = self.lowest_word()?;
        let bucket = (word * 64 + self.filled[word].trailing_zeros() as usize) % BUCKETS;
        if bucket > self.last {
            return None;
        }
        let entry = self.heads[bucket];
        let next = self.following[entry as usize % LARGEST];
        self.heads[bucket] = next;
        self.filled[word] &= !((u64::from(next == NONE)) << (bucket % 64));
        self.following[entry as usize % LARGEST] = self.returned;
        self.returned = entry;
        Some(self.pool[entry as usize % LARGEST])
    }

    #[inline(always)]
    fn lowest_word(&self) -> Option<usize> {
        (0..BUCKETS / 64).find(|&word| self.filled[word] != 0)
    }

    /// The smallest bound in the queue, looked for only when a query ends early.
    pub fn smallest_bound(&self) -> f32 {
        let Some(word) = self.lowest_word() else { return f32::INFINITY };
        let mut entry = self.heads[word * 64 + self.filled[word].trailing_zeros() as usize];
        let mut smallest = f32::INFINITY;
        while entry != NONE {
            smallest = smallest.min(self.pool[entry as usize].bound);
            entry = self.following[entry as usize];
        }
        smallest
    }

    pub fn memory(&self) -> usize {
        size_of_val(self.pool.as_ref()) + size_of_val(self.following.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_by_bucket_and_reuses_its_pool() {
        let mut queue = BucketQueue::new(4).unwrap();
        queue.restart(1.0);
        let at = |bound: f32| Pending { bound, ..Default::default() };
        for bound in [0.9, 0.1, 0.5, 5.0] {
            assert!(queue.push(queue.bucket(bound), at(bound)));
        }
        assert!(!queue.push(queue.bucket(0.2), at(0.2)), "a full queue says no");
        assert_eq!(queue.smallest_bound(), 0.1);
        assert_eq!(queue.pop().unwrap().bound, 0.1);
        assert!(queue.push(queue.bucket(-1.0), at(-1.0)));
        let rest: Vec<f32> = core::iter::from_fn(|| queue.pop()).map(|pending| pending.bound).collect();
        assert_eq!(rest[..2], [-1.0, 0.5]);
        assert!(queue.pop().is_none());
    }
}
