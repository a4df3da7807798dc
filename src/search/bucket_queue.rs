//! A priority queue of fixed memory: buckets that grow with the bounds in them, so that no scale has to be known.
//!
//! A heap would pop in exact order but costs more per operation than the exact order saves.

use crate::allocation::try_collect;
use crate::error::Error;
use crate::posed::survivors::{Survivor, Survivors};
use fearless_simd::Simd;

/// Bits that a bound loses on the way to its bucket: 64 buckets for each power of two.
const SHIFT: u32 = 17;
/// Buckets for 32 powers of two; what is below them shares the first.
const BUCKETS: usize = 2048;
/// The bucket of entries that hold nothing that matters.
const FREE: usize = BUCKETS;
/// Always in use, so that looking for a bucket in use ends.
const END: usize = BUCKETS + 1;
/// Room for these, and a power of two, so that masked indices need no checks.
const SLOTS: usize = 2 * BUCKETS;
const WORDS: usize = SLOTS / 64;
const NONE: u32 = u32::MAX;

/// Survivors in a pool of fixed capacity, ordered by the nearest lane of each; within a bucket the newest comes first.
#[derive(Debug)]
pub struct BucketQueue {
    /// First entry of each bucket.
    heads: Box<[u32; SLOTS]>,
    /// Buckets that hold something, as bits.
    used_buckets: [u64; WORDS],
    /// No word before this one has a bit.
    lowest_word: usize,
    pool: Box<[Survivors]>,
    /// Entries of the pool that were handed out once.
    used: u32,
    /// What the shifted bits of a bound are above its bucket.
    offset: i32,
    /// Bounds above this do not matter, and the bucket that it is in.
    limit: f32,
    last: usize,
    /// Nothing is between this bucket and the free ones.
    swept: usize,
}

impl BucketQueue {
    /// A queue with `capacity` entries, whose memory is written here, so that no query meets a page fault.
    pub fn new(capacity: usize) -> Result<Self, Error> {
        let what = "queue of a pair";
        let heads = try_collect(what, (0..SLOTS).map(|_| NONE))?;
        let pool = try_collect(what, (0..capacity).map(|_| Survivors::NONE))?;
        let mut queue = Self {
            heads: heads.into_boxed_slice().try_into().map_err(|_| Error::out_of_memory(what))?,
            used_buckets: [0; WORDS],
            lowest_word: 0,
            pool: pool.into_boxed_slice(),
            used: 0,
            offset: 0,
            limit: f32::MAX,
            last: BUCKETS - 1,
            swept: BUCKETS - 1,
        };
        queue.restart(1.0, f32::MAX);
        Ok(queue)
    }

    /// Empties the queue for bounds that are never above `top`, unless they are infinite.
    pub fn restart(&mut self, top: f32, limit: f32) {
        for (word, heads) in self.used_buckets.iter_mut().zip(self.heads.as_chunks_mut::<64>().0) {
            if *word != 0 {
                (*word, *heads) = (0, [NONE; 64]);
            }
        }
        self.used_buckets[END / 64] = 1 << (END % 64);
        (self.lowest_word, self.used, self.swept) = (0, 0, BUCKETS - 1);
        self.offset = (top.to_bits() as i32 >> SHIFT) - (BUCKETS as i32 - 1);
        self.set_limit(limit);
    }

    /// Bounds above this do not matter any more.
    pub fn set_limit(&mut self, limit: f32) {
        self.limit = limit;
        self.last = self.bucket(limit).min(BUCKETS - 1);
    }

    /// The bucket of a bound, by its leading bits: the first takes what is below, and what is above the top is as good as free.
    #[inline(always)]
    fn bucket(&self, bound: f32) -> usize {
        bucket_of(bound, self.offset)
    }

    /// Takes in what waits, some of which is within the limit, or says no when the pool is used up.
    #[inline(always)]
    pub fn push(&mut self, survivors: &Survivors) -> bool {
        let mut entry = self.used;
        if (entry as usize) < self.pool.len() {
            self.used += 1;
        } else {
            entry = self.recycle();
            if entry == NONE {
                return false;
            }
        }
        let bucket = self.bucket(survivors.nearest);
        let link = self.put(entry, bucket);
        let place = &mut self.pool[entry as usize];
        *place = *survivors;
        place.link = link;
        true
    }

    /// A pair of the lowest bucket, if it is not beyond the limit, and its entry, which stays outside the queue until
    /// `put_back`. Finding the next-nearest lane is slow, so it is left to `put_back`.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<(Survivor, u32)> {
        loop {
            let mut buckets = self.used_buckets[self.lowest_word % WORDS];
            while buckets == 0 {
                self.lowest_word += 1;
                buckets = self.used_buckets[self.lowest_word % WORDS];
            }
            let lowest = self.lowest_word * 64 + buckets.trailing_zeros() as usize;
            if lowest > self.last {
                return None;
            }
            let head = &mut self.heads[lowest % SLOTS];
            let entry = *head;
            let survivors = &self.pool[entry as usize];
            *head = survivors.link;
            let without = buckets & (buckets - 1);
            self.used_buckets[self.lowest_word % WORDS] = if survivors.link == NONE { without } else { buckets };
            let first = survivors.first();
            if first.bound <= self.limit {
                return Some((first, entry));
            }
            self.pool[entry as usize].link = self.put(entry, FREE);
        }
    }

    /// Lets the survivors of a popped pair wait where the nearest of them belongs.
    #[inline(always)]
    pub fn put_back<S: Simd>(&mut self, simd: S, entry: u32) {
        let survivors = &mut self.pool[entry as usize];
        survivors.drop_first(simd);
        let nearest = survivors.nearest;
        let is_needed = nearest <= self.limit;
        let bucket = core::hint::select_unpredictable(is_needed, bucket_of(nearest, self.offset), FREE);
        survivors.link = add(&mut self.heads, &mut self.used_buckets, &mut self.lowest_word, entry, bucket);
    }

    /// Makes an entry the first of a bucket; returns the entry after it.
    #[inline(always)]
    fn put(&mut self, entry: u32, bucket: usize) -> u32 {
        add(&mut self.heads, &mut self.used_buckets, &mut self.lowest_word, entry, bucket)
    }

    /// An entry that holds nothing within the limit, or none.
    #[cold]
    fn recycle(&mut self) -> u32 {
        // What is beyond the limit when it is put away is free; buckets fall behind the limit only when it moves.
        while self.heads[FREE] == NONE && self.swept > self.last {
            let bucket = self.swept;
            let entry = core::mem::replace(&mut self.heads[bucket], NONE);
            self.heads[FREE] = entry;
            self.used_buckets[bucket / 64] &= !(1 << (bucket % 64));
            self.swept -= 1;
        }
        let entry = self.heads[FREE];
        if entry != NONE {
            self.heads[FREE] = self.pool[entry as usize].link;
        }
        entry
    }

    /// The lowest bucket that holds something, or the end.
    fn lowest(&self) -> usize {
        let word = self.used_buckets.iter().position(|&word| word != 0).expect("the end is in use");
        word * 64 + self.used_buckets[word].trailing_zeros() as usize
    }

    /// Whether `pop` might give a pair.
    pub fn has_more(&self) -> bool {
        self.lowest() <= self.last
    }

    /// The smallest bound in the queue, looked for only when a query ends early.
    pub fn smallest_bound(&self) -> f32 {
        let (mut smallest, mut entry) = (f32::INFINITY, self.heads[self.lowest()]);
        while entry != NONE {
            smallest = smallest.min(self.pool[entry as usize].nearest);
            entry = self.pool[entry as usize].link;
        }
        smallest
    }

    pub fn memory(&self) -> usize {
        size_of_val(&*self.pool) + size_of_val(self.heads.as_ref())
    }
}

/// The bucket of a bound.
#[inline(always)]
fn bucket_of(bound: f32, offset: i32) -> usize {
    ((bound.to_bits() as i32 >> SHIFT) - offset).clamp(0, FREE as i32) as usize
}

/// Makes an entry the first of a bucket; returns the entry after it. Apart from the pool, so that each operation looks up its entry
/// there once.
#[inline(always)]
fn add(
    heads: &mut [u32; SLOTS],
    used_buckets: &mut [u64; WORDS],
    lowest_word: &mut usize,
    entry: u32,
    bucket: usize,
) -> u32 {
    let next = core::mem::replace(&mut heads[bucket % SLOTS], entry);
    let word = bucket / 64;
    used_buckets[word % WORDS] |= 1 << (bucket % 64);
    *lowest_word = (*lowest_word).min(word);
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::node_pair::LanePairs;
    use fearless_simd::Level;

    /// Lanes with these bounds, named by `node`.
    fn survivors(node: u32, bounds: [f32; 8]) -> Survivors {
        let nearest = bounds.into_iter().fold(f32::INFINITY, f32::min);
        let lane = bounds.iter().position(|&bound| bound == nearest).unwrap() as u32;
        let mut pairs = LanePairs::NONE;
        pairs.opened.node = node;
        Survivors { bounds, nearest, lane, pairs, ..Survivors::NONE }
    }

    fn one(bound: f32) -> Survivors {
        let mut bounds = [f32::INFINITY; 8];
        bounds[3] = bound;
        survivors(0, bounds)
    }

    fn pop<S: Simd>(simd: S, queue: &mut BucketQueue) -> Option<Survivor> {
        let (pair, entry) = queue.pop()?;
        queue.put_back(simd, entry);
        Some(pair)
    }

    #[test]
    fn pops_by_bucket_and_reuses_its_pool() {
        fearless_simd::dispatch!(Level::new(), simd => {
            let mut queue = BucketQueue::new(3).unwrap();
            queue.restart(1.0, 1.0);
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
            queue.restart(1.0, 1.0);
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
                    } else if queue.push(&survivors(step, bounds)) {
                        let lanes = (0..8).filter(|&lane| bounds[lane] < f32::INFINITY);
                        inside.extend(lanes.map(|lane| (step, lane as u32, bounds[lane])));
                    } else {
                        refused += 1;
                    }
                } else if let Some(pair) = pop(simd, &mut queue) {
                    let same = |&(node, lane, bound): &_| (node, lane, bound) == (pair.pairs.opened.node, pair.lane, pair.bound);
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
