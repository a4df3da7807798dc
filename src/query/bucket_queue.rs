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
const NONE: u32 = u32::MAX;

/// Which bounds go where: bucket `(bound - lowest) * scale`.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    pub lowest: f32,
    /// Buckets per unit of bound.
    pub scale: f32,
}

/// The lanes of a node that survived, as bits, and for each lane its bound and bucket; the first stands for the pair of lanes
/// `first`, each further one for `1 << shift` more.
pub struct Children<'a> {
    pub survivors: u32,
    pub bounds: &'a [f32; 8],
    pub buckets: &'a [i32; 8],
    pub first: u64,
    pub shift: u32,
}

/// Pending pairs by lower bound, in a pool of fixed capacity; within a bucket the newest comes first.
#[derive(Debug)]
pub struct BucketQueue {
    heads: [u32; BUCKETS],
    /// No bucket before this one holds anything.
    lowest: usize,
    pool: Box<[Pending; LARGEST]>,
    capacity: u32,
    /// Entries of the pool that were handed out; what was popped comes back when `reclaim` moves the others together.
    used: u32,
    /// Entries that were popped since.
    popped: u32,
    spread: Spread,
    /// The last bucket that can hold a bound within the limit; later ones are never looked at.
    last: usize,
}

impl BucketQueue {
    /// A queue for `capacity` pairs (at most `LARGEST`), whose memory is written here, so that no query meets a page
    /// fault.
    pub fn new(capacity: usize) -> Result<Self, Error> {
        let what = "queue of a pair";
        let pool = try_collect(what, (0..LARGEST).map(|_| Pending::default()))?;
        Ok(Self {
            heads: [NONE; BUCKETS],
            lowest: 0,
            pool: pool.into_boxed_slice().try_into().map_err(|_| Error::out_of_memory(what))?,
            capacity: capacity.min(LARGEST) as u32,
            used: 0,
            popped: 0,
            spread: Spread { lowest: 0.0, scale: 1.0 },
            last: BUCKETS - 1,
        })
    }

    /// Empties the queue and spreads its buckets over the bounds from `lowest` to `largest`.
    pub fn restart(&mut self, lowest: f32, largest: f32) {
        self.heads = [NONE; BUCKETS];
        self.lowest = 0;
        (self.used, self.popped) = (0, 0);
        let scale = BUCKETS as f32 / (largest - lowest);
        self.spread =
            if scale.is_finite() { Spread { lowest, scale } } else { Spread { lowest: 0.0, scale: f32::MAX } };
        self.last = BUCKETS - 1;
    }

    /// Bounds above this do not matter any more.
    pub fn set_limit(&mut self, limit: f32) {
        self.last = self.bucket(limit);
    }

    #[inline(always)]
    pub fn spread(&self) -> Spread {
        self.spread
    }

    /// The bucket of a bound; a float converts to an integer saturating, so the outer buckets take what is beyond.
    #[inline(always)]
    pub fn bucket(&self, bound: f32) -> usize {
        (((bound - self.spread.lowest) * self.spread.scale) as u32 as usize).min(BUCKETS - 1)
    }

    /// Takes the pair in, or says no when the pool is used up.
    #[inline(always)]
    pub fn push(&mut self, bucket: usize, bound: f32, lanes: u64) -> bool {
        if self.used >= self.capacity && !self.reclaim() {
            return false;
        }
        self.lowest = self.lowest.min(bucket);
        self.put(bucket, bound, lanes, self.used);
        self.used += 1;
        true
    }

    #[inline(always)]
    fn put(&mut self, bucket: usize, bound: f32, lanes: u64, entry: u32) {
        let bucket = bucket % BUCKETS;
        self.pool[entry as usize % LARGEST] = Pending { bound, link: self.heads[bucket], lanes };
        self.heads[bucket] = entry;
    }

    /// Whether so many pairs can be put in without asking.
    #[inline(always)]
    pub fn has_room(&self, count: u32) -> bool {
        self.used + count <= self.capacity
    }

    /// Takes in the survivors of one node, for which there is room; none is in a bucket before `from`.
    #[inline(always)]
    pub fn push_children(&mut self, from: usize, children: &Children) {
        self.lowest = from;
        let (mut left, mut entry) = (children.survivors, self.used);
        while left != 0 {
            let lane = left.trailing_zeros() as usize % 8;
            left &= left - 1;
            let lanes = children.first + ((lane as u64) << (children.shift % 64));
            self.put(children.buckets[lane] as usize, children.bounds[lane], lanes, entry);
            entry += 1;
        }
        self.used = entry;
    }

    /// The bucket that the last pair came from.
    #[inline(always)]
    pub fn lowest(&self) -> usize {
        self.lowest
    }

    /// A pair of the lowest bucket, if it is not beyond the limit.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Pending> {
        while self.lowest <= self.last {
            let bucket = self.lowest % BUCKETS;
            let entry = self.heads[bucket];
            if entry != NONE {
                let pending = self.pool[entry as usize % LARGEST];
                self.heads[bucket] = pending.link;
                self.popped += 1;
                return Some(pending);
            }
            self.lowest += 1;
        }
        None
    }

    /// Moves what can still matter to the front of the pool; no if too little would be gained to be worth it.
    #[cold]
    fn reclaim(&mut self) -> bool {
        if self.popped <= self.capacity / 8 {
            return false;
        }
        let mut live = [0u64; LARGEST / 64];
        for bucket in 0..BUCKETS {
            if bucket > self.last {
                self.heads[bucket] = NONE;
            }
            let mut entry = self.heads[bucket];
            while entry != NONE {
                live[entry as usize / 64] |= 1 << (entry % 64);
                entry = self.pool[entry as usize].link;
            }
        }
        // The new place of an entry is the number of live entries before it; links never point beyond what moved.
        let mut before = [0u32; LARGEST / 64];
        let mut count = 0;
        for (word, start) in live.iter().zip(&mut before) {
            *start = count;
            count += word.count_ones();
        }
        let place = |entry: u32| match entry {
            NONE => NONE,
            _ => {
                let word = entry as usize / 64;
                before[word] + (live[word] & ((1 << (entry % 64)) - 1)).count_ones()
            }
        };
        for head in &mut self.heads {
            *head = place(*head);
        }
        for (word, &bits) in live.iter().enumerate() {
            let mut left = bits;
            while left != 0 {
                let entry = word as u32 * 64 + left.trailing_zeros();
                left &= left - 1;
                let pending = self.pool[entry as usize];
                self.pool[place(entry) as usize] = Pending { link: place(pending.link), ..pending };
            }
        }
        (self.used, self.popped) = (count, 0);
        count < self.capacity
    }

    /// Whether `pop` would give a pair.
    pub fn has_more(&self) -> bool {
        self.heads[..=self.last].iter().any(|&head| head != NONE)
    }

    /// The smallest bound in the queue, looked for only when a query ends early.
    pub fn smallest_bound(&self) -> f32 {
        let mut smallest = f32::INFINITY;
        if let Some(&head) = self.heads.iter().find(|&&head| head != NONE) {
            let mut entry = head;
            while entry != NONE {
                smallest = smallest.min(self.pool[entry as usize].bound);
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

    fn push(queue: &mut BucketQueue, bound: f32) -> bool {
        queue.push(queue.bucket(bound), bound, bound.to_bits() as u64)
    }

    #[test]
    fn pops_by_bucket_and_reuses_its_pool() {
        let mut queue = BucketQueue::new(4).unwrap();
        queue.restart(0.0, 1.0);
        for bound in [0.9, 0.1, 0.5, 5.0] {
            assert!(push(&mut queue, bound));
        }
        assert!(!push(&mut queue, 0.2), "a full queue says no");
        assert_eq!(queue.smallest_bound(), 0.1);
        assert_eq!(queue.pop().unwrap().bound, 0.1);
        assert!(push(&mut queue, -1.0));
        let rest: Vec<f32> = core::iter::from_fn(|| queue.pop()).map(|pending| pending.bound).collect();
        assert_eq!(rest[..2], [-1.0, 0.5]);
        assert!(queue.pop().is_none());
        assert!(!queue.has_more());
    }

    /// Against a sorted list: every pair comes back once, bucket by bucket, whatever was reclaimed in between.
    #[test]
    fn nothing_is_lost_when_the_pool_is_reclaimed() {
        let mut queue = BucketQueue::new(64).unwrap();
        queue.restart(0.0, 1.0);
        let (mut inside, mut seed, mut refused) = (Vec::new(), 1u32, 0);
        for step in 0..20_000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let bound = (seed >> 8) as f32 / (1 << 24) as f32;
            if seed >> 31 == 0 || step % 3 == 0 {
                if push(&mut queue, bound) {
                    inside.push(bound);
                } else {
                    refused += 1;
                }
            } else if let Some(pending) = queue.pop() {
                assert_eq!(pending.lanes, pending.bound.to_bits() as u64);
                let at = inside.iter().position(|&bound| bound == pending.bound).expect("a pair that was pushed");
                inside.swap_remove(at);
                let lowest = inside.iter().fold(f32::INFINITY, |lowest, &bound| lowest.min(bound));
                assert!(queue.bucket(pending.bound) <= queue.bucket(lowest));
            }
        }
        assert!(refused > 0);
        assert_eq!(core::iter::from_fn(|| queue.pop()).count(), inside.len());
    }
}
