//! The nearest pair, searched along the front of the last query [Tropp 2006, 2-3].
//!
//! A pass checks the certificates of all blocks. Lanes that may have come near are looked at again and opened; blocks that are not
//! needed any more are given back. The last nearest pair gives the limit from the start, so the order hardly matters. At the
//! end every lane is opened, or measured, or proven to be above the limit; the limit only sinks. So nothing nearer was left out.

use crate::coherence::front::{Front, NO_BLOCK, smallest};
use crate::coherence::relative_pose::CertificatePose;
use crate::posed::bound_frame::BoundFrame;
use crate::posed::expansion::{Certify, TestCounts};
use crate::search::counters::Counters;
use crate::search::incumbent::{Incumbent, MeasuredPair};
use crate::search::nearest::{NearestAnswer, NearestParams};
use crate::search::triangle_batch::TriangleBatch;
use crate::tree::node_pair::{Next, NodePair};
use fearless_simd::{Simd, f32x8};

/// Blocks are kept while their lane could come back within this share of a step like the last one: checking them costs more than
/// opening them again.
const STEPS_KEPT: f64 = 0.5;

/// What a budget must allow besides checking all blocks, or besides the expansions that building a front may take. With less, a
/// search from the roots has an interval sooner.
const ROOM: u64 = 64;

/// One pass along a front.
pub struct AlongFront<'a, 's, X> {
    pub frame: &'a BoundFrame<'a>,
    pub nodes: &'a X,
    pub front: &'s mut Front,
    pub counters: &'s mut Counters,
    pub params: NearestParams,
}

/// What changes during a pass.
struct Progress {
    pose: CertificatePose,
    /// How much farther than the limit an opened lane must be for its block to be given back.
    margin: f32,
    incumbent: Incumbent,
    batch: TriangleBatch,
    /// The blocks and lanes of the pairs in the batch.
    owners: [(u32, u32); 4],
    counts: TestCounts,
    /// The pass ends early: the budget is used up, the models touch, or the pass is lost.
    is_over: bool,
    /// The front is full, or more was opened than the front is worth.
    is_lost: bool,
    most_expansions: u64,
    /// The smallest bound among the lanes that were left out because of that.
    left_out: f32,
}

impl<X> AlongFront<'_, '_, X> {
    /// The answer, or None when the search has to begin at the roots.
    #[inline(always)]
    pub fn run<S: Simd>(mut self, simd: S, cached: (u32, u32)) -> Option<NearestAnswer>
    where
        X: Certify<S>,
    {
        let (pose, step) = self.front.go_to(&self.nodes.pose(), self.nodes.witness(), cached)?;
        let asked = self.front.used() as u64;
        let is_built = asked == 0;
        let most_expansions = self.front.most_expansions();
        let room = if is_built { most_expansions + ROOM } else { asked + ROOM };
        if self.params.max_work != 0 && self.params.max_work < room {
            return None;
        }
        let mut progress = Progress {
            pose,
            margin: (STEPS_KEPT * step) as f32,
            incumbent: Incumbent::new(self.frame, &self.params),
            batch: TriangleBatch::default(),
            owners: [(NO_BLOCK, 0); 4],
            counts: TestCounts::default(),
            is_over: false,
            is_lost: false,
            most_expansions,
            left_out: f32::INFINITY,
        };
        progress.batch.push(cached);
        self.measure(simd, &mut progress);
        // The first pair is free.
        (self.counters.work, self.counters.front_tests) = (asked, asked);
        if is_built && !progress.is_over {
            self.counters.front_rebuilds += 1;
            self.open(simd, &mut progress, &NodePair::ROOTS, (NO_BLOCK, 0));
        }
        self.go_through(simd, &mut progress);
        self.measure(simd, &mut progress);
        self.front.close_ranks();
        self.counters.add_tests(self.counters.expansions, &progress.counts);
        let Incumbent { best, pruned_above, .. } = progress.incumbent;
        self.front.note_nearest(best.slots);
        if progress.is_lost {
            self.front.give_up();
            if self.params.max_work == 0 {
                return None;
            }
        } else if is_built && best.distance == 0.0 {
            // Too little was opened to be worth keeping.
            self.front.start_over();
        } else if !is_built && !progress.is_over {
            self.front.judge(self.counters.expansions);
        }
        let complete = !progress.is_over || best.distance == 0.0;
        let found = pruned_above.min(best.distance);
        let lower = if complete { found } else { self.frame.certified(progress.left_out).min(found) };
        Some(NearestAnswer { complete, lower, best: (best.distance < f64::INFINITY).then_some(best) })
    }

    /// Checks all blocks, looks at those that may have come near and at what comes of them, and refreshes one more.
    #[inline(always)]
    fn go_through<S: Simd>(&mut self, simd: S, progress: &mut Progress)
    where
        X: Certify<S>,
    {
        for index in 0..self.front.used() as u32 {
            let bounds = self.front.bounds(simd, index, &progress.pose);
            let (near, far) = self.near_and_far(simd, progress, index, bounds);
            if near | far != 0 {
                self.front.wait(index);
            }
        }
        if let Some(index) = self.front.next_to_refresh().filter(|_| !progress.is_over) {
            self.refresh(simd, progress, index);
        }
        while let Some(index) = self.front.next_waiting() {
            if progress.is_over {
                let nearest = self.front.nearest_watched(simd, index, &progress.pose);
                progress.left_out = progress.left_out.min(nearest - progress.pose.slack);
            } else {
                self.look_at(simd, progress, index);
            }
        }
    }

    #[inline(always)]
    fn put_into_batch<S: Simd>(
        &mut self,
        simd: S,
        progress: &mut Progress,
        (block, lane): (u32, u32),
        slots: (u32, u32),
    ) {
        progress.owners[progress.batch.len()] = (block, lane);
        self.front.set_measured(block, lane);
        if progress.batch.push(slots) {
            self.measure(simd, progress);
        }
    }

    /// Watched lanes that are not above the limit, and opened lanes that are too far to be needed again soon.
    #[inline(always)]
    fn near_and_far<S: Simd>(&self, simd: S, progress: &Progress, index: u32, bounds: f32x8<S>) -> (u8, u8) {
        let limit = progress.incumbent.limit + progress.pose.slack;
        self.front.near_and_far(simd, index, bounds, limit, limit + progress.margin)
    }

    /// Looks at a block with lanes that may be within the limit, or that need not be opened any more.
    #[inline(never)]
    fn look_at<S: Simd>(&mut self, simd: S, progress: &mut Progress, index: u32)
    where
        X: Certify<S>,
    {
        simd.vectorize(
            #[inline(always)]
            || self.look_again(simd, progress, index),
        )
    }

    #[inline(always)]
    fn look_again<S: Simd>(&mut self, simd: S, progress: &mut Progress, index: u32)
    where
        X: Certify<S>,
    {
        let bounds = self.front.bounds(simd, index, &progress.pose);
        let (mut near, far) = self.near_and_far(simd, progress, index, bounds);
        if far != 0 {
            self.close(simd, progress, index, far);
        }
        if !self.front.was_looked_at(index) {
            self.front.begin_look(index);
            if near & !self.front.pairs(index).triangles != 0 && !self.is_spent(progress) {
                let bounds = self.certify_again(simd, progress, index, bounds);
                near &= self.near_and_far(simd, progress, index, bounds).0;
            }
        }
        near &= !self.front.measured(index);
        while near != 0 && !self.is_spent(progress) {
            let lane = near.trailing_zeros();
            near &= near - 1;
            match self.nodes.next(self.front.pairs(index), lane) {
                Next::Triangles(slots) => self.put_into_batch(simd, progress, (index, lane), slots),
                Next::Open(pair) => {
                    if !self.open(simd, progress, &pair, (index, lane)) {
                        near |= 1 << lane;
                    }
                }
            }
        }
        if near != 0 {
            let bounds = self.front.bounds(simd, index, &progress.pose);
            progress.left_out = progress.left_out.min(smallest(simd, bounds, near) - progress.pose.slack);
        }
    }

    /// Makes the certificates of a block again where that proves more; the bounds in this pose.
    #[inline(always)]
    fn certify_again<S: Simd>(&mut self, simd: S, progress: &mut Progress, index: u32, bounds: f32x8<S>) -> f32x8<S>
    where
        X: Certify<S>,
    {
        self.counters.expansions += 1;
        self.counters.work += 1;
        self.counters.front_updates += 1;
        let pair = self.front.pairs(index).opened;
        let (.., found) = self.nodes.certify(simd, &pair, &mut progress.counts);
        self.front.improve(simd, index, &progress.pose, &found, bounds)
    }

    /// Makes the certificates of a block again although none of its lanes came near, so that lanes may be closed.
    #[inline(always)]
    fn refresh<S: Simd>(&mut self, simd: S, progress: &mut Progress, index: u32)
    where
        X: Certify<S>,
    {
        if self.front.was_looked_at(index) || self.is_spent(progress) {
            return;
        }
        self.front.begin_look(index);
        let bounds = self.front.bounds(simd, index, &progress.pose);
        let bounds = self.certify_again(simd, progress, index, bounds);
        let (_, far) = self.near_and_far(simd, progress, index, bounds);
        if far != 0 {
            self.close(simd, progress, index, far);
        }
    }

    /// Gives back the blocks of lanes that went far away.
    #[cold]
    fn close<S: Simd>(&mut self, simd: S, progress: &mut Progress, index: u32, far: u8) {
        // Pairs that wait to be measured may belong to what is given back.
        self.measure(simd, progress);
        self.front.close(index, far);
    }

    /// Opens a pair: a new block, which waits to be looked at. False when there is no room for it.
    #[inline(always)]
    fn open<S: Simd>(&mut self, simd: S, progress: &mut Progress, pair: &NodePair, parent: (u32, u32)) -> bool
    where
        X: Certify<S>,
    {
        let claimed = if self.counters.expansions < progress.most_expansions { self.front.claim() } else { None };
        let Some(index) = claimed else {
            (progress.is_lost, progress.is_over) = (true, true);
            return false;
        };
        self.counters.expansions += 1;
        self.counters.work += 1;
        let certified = self.nodes.certify(simd, pair, &mut progress.counts);
        self.front.fill(simd, index, &progress.pose, certified, parent);
        true
    }

    #[inline(always)]
    fn is_spent(&self, progress: &mut Progress) -> bool {
        let spent = self.counters.work + progress.batch.len() as u64;
        progress.is_over |= self.params.max_work != 0 && spent >= self.params.max_work;
        progress.is_over
    }

    /// Measures the pairs of the batch, tightens the limit, and keeps what holds them apart.
    #[inline(never)]
    fn measure<S: Simd>(&mut self, simd: S, progress: &mut Progress) {
        let count = progress.batch.len();
        if count == 0 {
            return;
        }
        self.counters.triangle_tests += count as u64;
        self.counters.work += count as u64;
        let (models, robust) = (&self.frame.models, &mut self.counters.robust_tests);
        let incumbent = &mut progress.incumbent;
        let (measures, witnesses) = progress.batch.witnesses(simd, models, incumbent.best.distance, robust);
        let before = incumbent.best.distance;
        for (lane, &slots) in progress.batch.slots().iter().enumerate() {
            let (distance, candidate) = (measures.distances[lane], measures.candidates[lane]);
            incumbent.offer(models, &self.params, MeasuredPair { distance, slots, candidate });
            let (witness, (block, of_block)) = (&witnesses[lane], progress.owners[lane]);
            if block != NO_BLOCK && witness.gap > 0.0 {
                // Certificates live in A's node frame, which does not follow a mirror.
                let direction = witness.direction * models.placement.signs_a;
                self.front.set_lane(block, of_block, &progress.pose, direction, witness.gap);
            }
        }
        progress.batch.clear();
        if incumbent.best.distance < before {
            incumbent.tighten(self.frame, &self.params);
        }
        progress.is_over |= incumbent.best.distance == 0.0;
    }
}
