//! A priority queue of fixed memory: buckets of equal width over the bounds that can still matter.
//!
//! A heap would pop in exact order but costs more per operation than the exact order saves (DESIGN.md section 7).

use super::siblings::{Siblings, Taken};
use crate::error::Error;
use crate::memory::try_collect;
use fearless_simd::Simd;

/// Number of buckets; also the largest capacity is a power of two, so that masked indices need no checks.
const BUCKETS: usize = 256;
/// The largest capacity; a larger one did not pay.
pub const LARGEST: usize = 1024;
const NONE: u32 = u32::MAX;
/// The list of entries that hold nothing that matters.
const FREE: usize = BUCKETS;

/// What waits, by the lower bound of the nearest of each siblings, in a pool of fixed capacity; within a bucket the newest
/// comes first.
#[derive(Debug)]
pub struct BucketQueue {
    /// First entry of each bucket, and of the free ones.
    heads: [u32; BUCKETS + 1],
    /// No bucket before this one holds anything.
    lowest: usize,
    pool: Box<[Siblings; LARGEST]>,
    capacity: u32,
    /// Entries of the pool that were handed out once.
    used: u32,
    /// The bucket of a bound is `(bound - start) * scale`.
    start: f32,
    scale: f32,
    /// Bounds above this do not matter, and the bucket that it is in.
    limit: f32,
    last: usize,
}

impl BucketQueue {
    /// A queue with `capacity` entries (at most `LARGEST`), whose memory is written here, so that no query meets a page
    /// fault.
    pub fn new(capacity: usize) -> Result<Self, Error> {
        let what = "queue of a pair";
        let pool = try_collect(what, (0..LARGEST).map(|_| Siblings::NONE))?;
        Ok(Self {
            heads: [NONE; BUCKETS + 1],
            lowest: 0,
            pool: pool.into_boxed_slice().try_into().map_err(|_| Error::out_of_memory(what))?,
            capacity: capacity.min(LARGEST) as u32,
            used: 0,
            start: 0.0,
            scale: 1.0,
            limit: f32::MAX,
            last: BUCKETS - 1,
        })
    }

    /// Empties the queue and spreads its buckets over the bounds from `lowest` to the limit.
    pub fn restart(&mut self, lowest: f32, limit: f32) {
        self.heads = [NONE; BUCKETS + 1];
        (self.lowest, self.used) = (0, 0);
        let scale = (BUCKETS - 1) as f32 / (limit - lowest);
        (self.start, self.scale) = if scale.is_finite() { (lowest, scale) } else { (0.0, f32::MAX) };
        self.set_limit(limit);
    }

    /// Bounds above this do not matter any more.
    pub fn set_limit(&mut self, limit: f32) {
        self.limit = limit;
        self.last = self.bucket(limit);
    }

    /// The bucket of a bound: the outer ones take what is beyond.
    #[inline(always)]
    fn bucket(&self, bound: f32) -> usize {
        let place = (bound - self.start) * self.scale;
        let place = if place > 0.0 { place } else { 0.0 };
        let place = if place < (BUCKETS - 1) as f32 { place } else { (BUCKETS - 1) as f32 };
        // A number of 2^23 and more has its integer part in its last bits.
        (place + (1u32 << 23) as f32).to_bits() as usize % BUCKETS
    }

    /// Takes in what waits, some of which is within the limit, or says no when the pool is used up.
    #[inline(always)]
    pub fn push(&mut self, siblings: &Siblings) -> bool {
        let mut entry = self.used;
        if entry < self.capacity {
            self.used += 1;
        } else {
            entry = self.heads[FREE];
            if entry == NONE {
                self.collect();
                entry = self.heads[FREE];
                if entry == NONE {
                    return false;
                }
            }
            self.heads[FREE] = self.pool[entry as usize % LARGEST].link;
        }
        let bucket = self.bucket(siblings.nearest);
        let link = self.heads[bucket];
        self.pool[entry as usize % LARGEST] = Siblings { link, ..*siblings };
        self.heads[bucket] = entry;
        self.lowest = self.lowest.min(bucket);
        true
    }

    /// A pair of the lowest bucket, if it is not beyond the limit, and the entry that it is in: its siblings wait outside the
    /// queue until `put_back`, because finding the nearest of them takes longer than it is needed.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<(Taken, u32)> {
        while self.lowest <= self.last {
            let bucket = self.lowest % BUCKETS;
            let entry = self.heads[bucket];
            if entry == NONE {
                self.lowest += 1;
                continue;
            }
            let siblings = &mut self.pool[entry as usize % LARGEST];
            self.heads[bucket] = siblings.link;
            let first = siblings.first();
            if first.bound <= self.limit {
                return Some((first, entry));
            }
            siblings.link = self.heads[FREE];
            self.heads[FREE] = entry;
        }
        None
    }

    /// Lets the siblings of a popped pair wait where the nearest of them belongs.
    #[inline(always)]
    pub fn put_back<S: Simd>(&mut self, simd: S, entry: u32) {
        let siblings = &mut self.pool[entry as usize % LARGEST];
        siblings.drop_first(simd);
        let nearest = siblings.nearest;
        let bucket = core::hint::select_unpredictable(nearest <= self.limit, self.bucket(nearest), FREE);
        self.pool[entry as usize % LARGEST].link = self.heads[bucket];
        self.heads[bucket] = entry;
        self.lowest = self.lowest.min(bucket);
    }

    /// Frees what is beyond the limit by now.
    #[cold]
    fn collect(&mut self) {
        for bucket in self.last + 1..BUCKETS {
            while self.heads[bucket] != NONE {
                let entry = self.heads[bucket];
                let link = &mut self.pool[entry as usize].link;
                self.heads[bucket] = *link;
                *link = self.heads[FREE];
                self.heads[FREE] = entry;
            }
        }
    }

    /// Whether `pop` might give a pair.
    pub fn has_more(&self) -> bool {
        self.heads[..=self.last].iter().any(|&head| head != NONE)
    }

    /// The smallest bound in the queue, looked for only when a query ends early.
    pub fn smallest_bound(&self) -> f32 {
        let mut smallest = f32::INFINITY;
        if let Some(&head) = self.heads[..BUCKETS].iter().find(|&&head| head != NONE) {
            let mut entry = head;
            while entry != NONE {
                smallest = smallest.min(self.pool[entry as usize].nearest);
                entry = self.pool[entry as usize].link;
            }
        }
        smallest
    }

    pub fn memory(&self) -> usize {
        size_of_val(self.pool.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::Level;

    /// Lanes with these bounds, named by `node`.
    fn siblings(node: u32, bounds: [f32; 8]) -> Siblings {
        let nearest = bounds.into_iter().fold(f32::INFINITY, f32::min);
        let lane = bounds.iter().position(|&bound| bound == nearest).unwrap() as u32;
        Siblings { bounds, nearest, lane, node, ..Siblings::NONE }
    }

    fn one(bound: f32) -> Siblings {
        let mut bounds = [f32::INFINITY; 8];
        bounds[3] = bound;
        siblings(0, bounds)
    }

    fn pop<S: Simd>(simd: S, queue: &mut BucketQueue) -> Option<Taken> {
        let (pair, entry) = queue.pop()?;
        queue.put_back(simd, entry);
        Some(pair)
    }

    #[test]
    fn pops_by_bucket_and_reuses_its_pool() {
        fearless_simd::dispatch!(Level::new(), simd => {
            let mut queue = BucketQueue::new(3).unwrap();
            queue.restart(0.0, 1.0);
            for bound in [0.9, 0.1, 0.5] {
                assert!(queue.push(&one(bound)));
            }
            assert!(!queue.push(&one(0.2)), "a full queue says no");
            assert_eq!(queue.smallest_bound(), 0.1);
            assert_eq!(pop(simd, &mut queue).unwrap().bound, 0.1);
            assert!(queue.push(&one(-1.0)), "what is empty is used again");
            queue.set_limit(0.6);
            assert!(queue.push(&one(0.55)), "and so is what is beyond the limit");
            assert!(!queue.push(&one(0.3)));
            let rest: Vec<f32> = core::iter::from_fn(|| pop(simd, &mut queue)).map(|pair| pair.bound).collect();
            assert_eq!(rest, [-1.0, 0.5, 0.55]);
            assert!(!queue.has_more());
        })
    }

    /// Against a list: every lane comes back once, bucket by bucket, whatever was used again in between.
    #[test]
    fn nothing_is_lost() {
        fearless_simd::dispatch!(Level::new(), simd => {
            let mut queue = BucketQueue::new(64).unwrap();
            queue.restart(0.0, 1.0);
            let (mut inside, mut seed, mut refused) = (Vec::new(), 1u32, 0);
            let mut random = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                seed >> 8
            };
            for step in 0..20_000 {
                if random() % 16 == 0 || step % 10 == 0 {
                    let bounds: [f32; 8] = core::array::from_fn(|_| match random() {
                        number if number % 3 == 0 => f32::INFINITY,
                        number => number as f32 / (1 << 24) as f32,
                    });
                    if bounds == [f32::INFINITY; 8] {
                    } else if queue.push(&siblings(step, bounds)) {
                        let lanes = (0..8).filter(|&lane| bounds[lane] < f32::INFINITY);
                        inside.extend(lanes.map(|lane| (step, lane as u32, bounds[lane])));
                    } else {
                        refused += 1;
                    }
                } else if let Some(pair) = pop(simd, &mut queue) {
                    let same = |&(node, lane, bound): &_| (node, lane, bound) == (pair.node, pair.lane, pair.bound);
                    inside.swap_remove(inside.iter().position(same).expect("a lane that was pushed"));
                    let lowest = inside.iter().fold(f32::INFINITY, |lowest, &(_, _, bound)| lowest.min(bound));
                    assert!(queue.bucket(pair.bound) <= queue.bucket(lowest));
                }
            }
            assert!(refused > 0);
            assert_eq!(core::iter::from_fn(|| pop(simd, &mut queue)).count(), inside.len());
        })
    }
}
