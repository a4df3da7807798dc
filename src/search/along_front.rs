//! A search along the front of the last query [Tropp 2006, 2-3]: for the nearest pair, or for a pair within a threshold.
//!
//! A pass checks the certificates of the blocks whose deadlines are due. Lanes that may have come near are looked at again and
//! opened; blocks that are not needed any more are given back. The limit is the threshold, or the distance of the last nearest
//! pair, so the order hardly matters. At the end every lane is opened, or measured, or proven to be above the limit; the limit
//! only sinks. So nothing nearer was left out.

use crate::coherence::anchor::Whereabouts;
use crate::coherence::front::{Front, NO_BLOCK, chosen};
use crate::coherence::relative_pose::CertificatePose;
use crate::posed::at_anchor::kept_gap;
use crate::posed::bound_frame::BoundFrame;
use crate::posed::expansion::{Certify, TestCounts};
use crate::posed::posed_models::PosedModels;
use crate::posed::survivors::Survivors;
use crate::primitive::Witness;
use crate::search::bucket_queue::BucketQueue;
use crate::search::counters::Counters;
use crate::search::farther_pairs::FartherPairs;
use crate::search::incumbent::MeasuredPair;
use crate::search::pair_alone::PairAlone;
use crate::search::tied_pairs::TiedPairs;
use crate::search::triangle_batch::TriangleBatch;
use crate::tree::node_pair::{Next, NodePair};
use fearless_simd::{Simd, SimdBase, f32x8};

/// Blocks are kept while their lane could come back within this share of a step like the last one: checking them costs more than
/// opening them again.
const STEPS_KEPT: f64 = 0.5;

/// What a budget must allow besides checking all blocks, or besides the expansions that building a front may take. With less, a
/// search from the roots has an interval sooner.
const ROOM: u64 = 64;

/// Looks for farther pairs that a pass may make in vain, and how many looks the time of measuring one pair is worth.
const LOOKS: u32 = 8;
const LOOKS_SAVED: u32 = 5;

/// What a pass looks for. Passes reach it through a table, so that they are compiled once for all goals.
pub trait Goal {
    /// What is farther need not be looked at; relative to the base of the bounds, rounded up. It never grows.
    fn limit(&self) -> f32;

    /// Pairs that are farther than this need not be measured; working frame.
    fn beyond(&self) -> f64;

    /// Whether it is enough to know of touching pairs that they touch.
    fn seeks_touching(&self) -> bool {
        false
    }

    fn offer(&mut self, models: &PosedModels, pair: MeasuredPair);

    /// The nearest pair so far, where the direction between its points may tell that other pairs are farther.
    fn guide(&self) -> Option<&MeasuredPair> {
        None
    }

    /// Takes over a pair that is nearer than the guide and was told without measuring.
    fn take_over(&mut self, _frame: &BoundFrame, _told: MeasuredPair) {}

    /// Draws conclusions from what was offered; whether nothing more needs to be looked at.
    fn settle(&mut self, frame: &BoundFrame) -> bool;
}

/// One pass along a front.
pub struct AlongFront<'a, 's, X> {
    pub frame: &'a BoundFrame<'a>,
    pub nodes: &'a X,
    pub front: &'s mut Front,
    pub counters: &'s mut Counters,
    pub goal: &'s mut dyn Goal,
    pub max_work: u64,
    /// Takes what a pass that has cost too much leaves to a search without a front; None if that search begins at the roots.
    pub rest: Option<&'s mut BucketQueue>,
    /// Tells the values of pairs that are nearest where the guide is; None without a guide.
    pub ties: Option<&'s mut TiedPairs>,
    /// Takes the remembered pair if it could be measured alone; None where no pair is remembered.
    pub alone: Option<&'s mut Option<PairAlone>>,
    /// Where that pair was nearest.
    pub candidate: f64,
    /// Whether the limit is the threshold of a question, and not the distance of the nearest pair so far. Then a pass measures again
    /// what it measured in the same pose.
    pub is_limit_fixed: bool,
}

/// Where a search without a front goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoesOn {
    FromRest,
    FromRoots,
}

/// How a pass ended.
#[derive(Clone, Copy, Debug)]
pub struct PassEnd {
    /// Whether everything was looked at, or the goal needs no more.
    pub complete: bool,
    /// Whether a search without a front has to go on: with what the pass left it, if it left anything, else from the roots.
    pub goes_on: Option<GoesOn>,
    /// The smallest bound of what was not looked at, for a pass that is not complete.
    pub left_out: f32,
    /// For a pass with a fixed limit that looked at everything: no pair that was not measured is nearer.
    pub clearance: f32,
}

/// What changes during a pass.
struct Progress {
    pose: CertificatePose,
    /// How much farther than the limit an opened lane must be for its block to be given back.
    margin: f32,
    /// The goal's, and what it was when the blocks were checked.
    limit: f32,
    checked_limit: f32,
    beyond: f64,
    batch: TriangleBatch,
    /// The blocks and lanes of the pairs in the batch.
    owners: [(u32, u32); 4],
    counts: TestCounts,
    /// The pass ends early: the budget is used up, the goal is reached, or the pass is lost.
    is_over: bool,
    is_reached: bool,
    /// The front is full, or the pass has cost more than a part of a search from the roots.
    is_lost: bool,
    most_cost: u64,
    /// Whether something was left to a search without a front, and whether there was room for all of it.
    is_rest_begun: bool,
    is_all_left: bool,
    /// The smallest bound among the lanes that were left out because of that.
    left_out: f32,
    /// The smallest bound among the watched lanes that were not measured.
    clearance: f32,
    /// What is farther than the goal's guide, whether the guide has changed since, and how many looks for farther pairs may still be in vain.
    farther: FartherPairs,
    is_farther_old: bool,
    credit: u32,
}

impl Progress {
    /// Draws conclusions from what was offered; pairs beyond `before` were not measured. Called, so that it is compiled once.
    #[inline(never)]
    fn conclude(&mut self, goal: &mut dyn Goal, frame: &BoundFrame, before: f64) {
        self.is_reached |= goal.settle(frame);
        self.is_over |= self.is_reached;
        self.beyond = goal.beyond();
        if self.beyond < before {
            // A nearer pair tells of more pairs that they are farther.
            (self.is_farther_old, self.credit) = (true, self.credit.max(LOOKS));
        }
        self.limit = goal.limit();
    }
}

impl<X> AlongFront<'_, '_, X> {
    /// How the pass ended, or None when the search has to begin at the roots. The remembered pair is measured first.
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S, remembered: Option<(u32, u32)>) -> Option<PassEnd>
    where
        X: Certify<S>,
    {
        let last = remembered.filter(|_| !self.is_limit_fixed);
        let near = Whereabouts { remembered, beyond: self.goal.beyond() };
        let (pose, step) = self.nodes.go_to(self.front, last, &near)?;
        let asked = self.front.used() as u64;
        let is_built = asked == 0;
        let most_cost = self.front.most_cost();
        let room = if is_built { most_cost / 8 + ROOM } else { asked + ROOM };
        if self.max_work != 0 && self.max_work < room {
            return None;
        }
        let mut progress = Progress {
            pose,
            margin: (STEPS_KEPT * step) as f32,
            limit: self.goal.limit(),
            checked_limit: f32::INFINITY,
            beyond: near.beyond,
            batch: TriangleBatch::default(),
            owners: [(NO_BLOCK, 0); 4],
            counts: TestCounts::default(),
            is_over: false,
            is_reached: false,
            is_lost: false,
            most_cost,
            is_rest_begun: false,
            is_all_left: self.rest.is_some(),
            left_out: f32::INFINITY,
            clearance: f32::INFINITY,
            farther: FartherPairs::NONE,
            is_farther_old: true,
            credit: LOOKS,
        };
        if let Some(remembered) = remembered {
            self.measure_remembered(simd, &mut progress, remembered);
        }
        // The first pair is free.
        self.counters.work = 0;
        if is_built && !progress.is_over {
            self.counters.front_rebuilds += 1;
            self.open(simd, &mut progress, &NodePair::ROOTS, (NO_BLOCK, 0));
        }
        self.go_through(simd, &mut progress);
        self.measure(simd, &mut progress);
        self.front.close_ranks();
        self.counters.add_tests(self.counters.expansions, &progress.counts);
        let Progress { is_over, is_reached, is_lost, is_rest_begun, is_all_left, left_out, clearance, .. } = progress;
        let mut goes_on = None;
        if is_lost && !is_reached {
            if self.max_work == 0 {
                let is_left = is_all_left && is_rest_begun;
                goes_on = Some(if is_left { GoesOn::FromRest } else { GoesOn::FromRoots });
            } else {
                // With a budget the next query begins at the roots, where it can be continued.
                self.front.give_up();
            }
        } else if is_built && is_reached {
            // Too little was opened to be worth keeping.
            self.front.start_over();
        } else if !is_over {
            self.front.judge(true, if is_built { 0 } else { self.counters.expansions });
        }
        Some(PassEnd { complete: !is_over || is_reached, goes_on, left_out, clearance })
    }

    /// Checks the blocks that are due, looks at those that may have come near and at what comes of them, and refreshes one more.
    #[inline(always)]
    fn go_through<S: Simd>(&mut self, simd: S, progress: &mut Progress)
    where
        X: Certify<S>,
    {
        if !progress.is_over {
            self.tell_tied(simd, progress);
            self.check_due(simd, progress);
        }
        if let Some(index) = self.front.next_to_refresh().filter(|_| !progress.is_over) {
            self.refresh(simd, progress, index);
        }
        while let Some(index) = self.front.next_waiting() {
            if progress.is_lost {
                let bounds = self.front.bounds(simd, index, &progress.pose);
                let (mut near, _) = self.near_and_far(simd, progress, index, bounds);
                if !self.front.was_looked_at(index) {
                    self.front.begin_look(index);
                    if near & !self.front.pairs(index).triangles != 0 {
                        // A cold query opens this pair, too. Without that it would be opened for lanes that only seem to be near.
                        let bounds = self.certify_again(simd, progress, index, bounds);
                        near &= self.near_and_far(simd, progress, index, bounds).0;
                    }
                }
                self.leave(simd, progress, index, near & !self.front.measured(index));
            } else if progress.is_over {
                let nearest = self.front.nearest_watched(simd, index, &progress.pose, 0);
                progress.left_out = progress.left_out.min(nearest - progress.pose.slack);
            } else {
                self.look_at(simd, progress, index);
            }
        }
    }

    /// Checks the blocks whose deadlines are due; those with lanes that may have come near wait to be looked at. Nothing tells beforehand which
    /// they are, so that every block goes the same way.
    #[inline(always)]
    fn check_due<S: Simd>(&mut self, simd: S, progress: &mut Progress)
    where
        X: Certify<S>,
    {
        progress.checked_limit = progress.limit;
        let (due, moved) = (f32x8::splat(simd, self.front.due(progress.limit)), self.front.moved_down());
        let mut least = f32x8::splat(simd, f32::INFINITY);
        let mut checked = 0;
        for group in 0..self.front.used().div_ceil(8) {
            let mut blocks = self.front.due_in_group(simd, group, due, &mut least);
            checked += blocks.count_ones() as u64;
            while blocks != 0 {
                let index = 8 * group as u32 + blocks.trailing_zeros();
                blocks &= blocks - 1;
                let bounds = self.front.bounds(simd, index, &progress.pose);
                let nearest = self.front.set_deadline(simd, index, bounds, progress.pose.slack, moved);
                let (near, far) = self.near_and_far(simd, progress, index, bounds);
                let waits = self.front.wait_if_any(index, near, far);
                if self.is_limit_fixed && !waits {
                    progress.clearance = progress.clearance.min(nearest);
                }
            }
        }
        progress.clearance = progress.clearance.min(self.front.left_of(least.reduce_min()));
        if self.front.anchor().is_some() {
            self.front.lower_deadlines(simd, &progress.pose);
        }
        self.counters.work += checked;
        self.counters.front_tests += checked;
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
        let limit = progress.limit + progress.pose.slack;
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
        let mut near = self.front.known_to_be_near(index);
        if near == 0 || progress.limit < progress.checked_limit {
            let bounds = self.front.bounds(simd, index, &progress.pose);
            let far;
            (near, far) = self.near_and_far(simd, progress, index, bounds);
            if far != 0 {
                self.close(simd, progress, index, far);
            }
        }
        if !self.front.was_looked_at(index) {
            self.front.begin_look(index);
            if near & !self.front.pairs(index).triangles != 0 && !self.is_spent(progress) {
                let bounds = self.front.bounds(simd, index, &progress.pose);
                let bounds = self.certify_again(simd, progress, index, bounds);
                near &= self.near_and_far(simd, progress, index, bounds).0;
            }
        }
        near &= !self.front.measured(index);
        let mut goes_on = near != 0 && self.may_go_on(progress);
        while goes_on {
            let lane = near.trailing_zeros();
            near &= near - 1;
            let is_told = match self.nodes.next(self.front.pairs(index), lane) {
                Next::Triangles(slots) => {
                    let is_farther = self.is_farther(simd, progress, (index, lane), slots);
                    if !is_farther {
                        self.put_into_batch(simd, progress, (index, lane), slots);
                    }
                    is_farther
                }
                Next::Open(pair) => {
                    if !self.open(simd, progress, &pair, (index, lane)) {
                        near |= 1 << lane;
                    }
                    false
                }
            };
            goes_on = near != 0 && (is_told || self.may_go_on(progress));
        }
        if near != 0 {
            self.leave(simd, progress, index, near);
        }
        if self.is_limit_fixed {
            self.note_clearance(simd, progress, index);
        }
    }

    /// Leaves lanes of a block to be looked at later.
    #[inline(always)]
    fn leave<S: Simd>(&mut self, simd: S, progress: &mut Progress, index: u32, near: u8) {
        if near == 0 {
            return;
        }
        let bounds = chosen(simd, self.front.bounds(simd, index, &progress.pose), near) - progress.pose.slack;
        progress.left_out = progress.left_out.min(bounds.reduce_min());
        if let Some(rest) = self.rest.as_deref_mut().filter(|_| progress.is_lost) {
            if !core::mem::replace(&mut progress.is_rest_begun, true) {
                rest.restart(self.frame.highest(), progress.limit);
            }
            progress.is_all_left &= rest.push(&Survivors::new(*self.front.pairs(index), bounds));
            // A block that was given back and filled again may wait twice. Its lanes are left once.
            self.front.set_all_measured(index, near);
        }
    }

    /// Learns what the nearest pair so far tells of others.
    #[inline(never)]
    fn learn_from_guide(&mut self, progress: &mut Progress) {
        let Some(ties) = self.ties.as_deref_mut() else { return };
        progress.is_farther_old = false;
        let (alone, models) = (self.alone.as_deref().and_then(Option::as_ref), self.frame.models);
        let guide = self.goal.guide();
        progress.farther = guide.map_or(FartherPairs::NONE, |pair| PairAlone::farther(alone, models, pair, ties));
    }

    /// Whether the value of a pair of triangles is told without measuring; the pair is taken over if it is nearer.
    #[inline(always)]
    fn tell<S: Simd>(&mut self, simd: S, progress: &mut Progress, slots: (u32, u32)) -> bool {
        let Some(told) = self.ties.as_deref_mut().and_then(|ties| ties.tell(simd, self.frame.models, slots)) else {
            return false;
        };
        if told.distance < progress.beyond {
            self.goal.take_over(self.frame, told);
            (progress.limit, progress.beyond) = (self.goal.limit(), told.distance);
        }
        true
    }

    /// Tells the values of the lanes that were tied in the last pose. Those that are not any more are watched again.
    #[inline(always)]
    fn tell_tied<S: Simd>(&mut self, simd: S, progress: &mut Progress) {
        if self.front.tied().is_empty() {
            return;
        }
        self.learn_from_guide(progress);
        let mut at = 0;
        while let Some(tied) = self.front.tied().get(at) {
            let slots = tied.slots;
            if self.tell(simd, progress, slots) {
                at += 1;
            } else {
                self.front.untie(at);
            }
        }
    }

    /// Whether a pair of triangles is farther than the nearest one so far, as the direction of that one tells. Then the direction is kept
    /// as what keeps the pair apart.
    #[inline(always)]
    fn is_farther<S: Simd>(
        &mut self,
        simd: S,
        progress: &mut Progress,
        (block, lane): (u32, u32),
        slots: (u32, u32),
    ) -> bool {
        let models = self.frame.models;
        if self.ties.is_none() {
            return false;
        }
        if progress.is_farther_old && progress.credit > 0 {
            self.learn_from_guide(progress);
        }
        if self.tell(simd, progress, slots) {
            // It will be this near in the next pose, too.
            self.front.set_measured(block, lane);
            self.front.tie((block, lane), slots);
            return true;
        }
        if progress.credit == 0 {
            return false;
        }
        if progress.farther.are_unknown() {
            return false;
        }
        let Some(witness) = progress.farther.witness(models, slots) else {
            progress.credit -= 1;
            return false;
        };
        progress.credit += LOOKS_SAVED;
        self.front.set_measured(block, lane);
        self.keep_witness(progress, (block, lane), slots, &witness);
        true
    }

    /// Makes a direction the certificate of a pair of triangles. Certificates live in A's node frame, which does not follow a mirror.
    #[inline(always)]
    fn keep_witness(&mut self, progress: &Progress, (block, lane): (u32, u32), slots: (u32, u32), witness: &Witness) {
        let direction = witness.direction * self.frame.models.placement.signs_a;
        let mut gap = witness.gap;
        if let Some(anchor) = self.front.anchor() {
            gap = kept_gap(self.frame.models, anchor, self.frame.base, slots.0, gap);
        }
        self.front.set_lane(block, lane, &progress.pose, direction, gap);
    }

    /// Learns how far the watched lanes of a block are that were not measured.
    #[inline(always)]
    fn note_clearance<S: Simd>(&mut self, simd: S, progress: &mut Progress, index: u32) {
        let measured = self.front.measured(index);
        let nearest = self.front.nearest_watched(simd, index, &progress.pose, measured) - progress.pose.slack;
        progress.clearance = progress.clearance.min(nearest);
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
        let (.., found) = self.nodes.certify(simd, &pair, self.front.anchor(), &mut progress.counts);
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
            self.note_clearance(simd, progress, index);
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
        let Some(index) = self.front.claim() else {
            (progress.is_lost, progress.is_over) = (true, true);
            return false;
        };
        self.counters.expansions += 1;
        self.counters.work += 1;
        let certified = self.nodes.certify(simd, pair, self.front.anchor(), &mut progress.counts);
        self.front.fill(simd, index, &progress.pose, certified, parent);
        true
    }

    /// Whether the pass may look at more. What is told without measuring costs too little to ask again.
    #[inline(always)]
    fn may_go_on(&self, progress: &mut Progress) -> bool {
        !self.is_spent(progress) && !self.is_too_dear(progress)
    }

    /// Whether the pass has cost its share of a cold query while there is more to look at.
    #[inline(always)]
    fn is_too_dear(&self, progress: &mut Progress) -> bool {
        // Pairs that a search for the nearest one measures are not lost: a cold query would measure most of them, too.
        let kept = if self.is_limit_fixed { 0 } else { Counters::PAIR_COST * self.counters.triangle_tests };
        // A budget is a limit of its own: with one nothing goes on elsewhere, and the answer would not be complete.
        let is_too_dear = self.max_work == 0 && self.counters.cost() - kept >= progress.most_cost;
        progress.is_lost |= is_too_dear;
        progress.is_over |= is_too_dear;
        is_too_dear
    }

    #[inline(always)]
    fn is_spent(&self, progress: &mut Progress) -> bool {
        let spent = self.counters.work + progress.batch.len() as u64;
        progress.is_over |= self.max_work != 0 && spent >= self.max_work;
        progress.is_over
    }

    /// Measures the pair that is remembered. It belongs to no lane, so that what keeps it apart is of no use.
    #[inline(always)]
    fn measure_remembered<S: Simd>(&mut self, simd: S, progress: &mut Progress, slots: (u32, u32)) {
        let before = self.goal.beyond();
        if let Some(kept) = self.alone.as_deref_mut()
            && let Some(pair) = PairAlone::keep(simd, self.frame.models, slots, self.candidate, kept)
        {
            self.counters.triangle_tests += 1;
            self.goal.offer(self.frame.models, pair);
            progress.conclude(self.goal, self.frame, before);
        } else {
            progress.batch.push(slots);
            self.measure(simd, progress);
        }
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
        let (models, robust) = (self.frame.models, &mut self.counters.robust_tests);
        if self.goal.seeks_touching() {
            // Pairs that touch have nothing that keeps them apart; the others are measured for that.
            let touching = progress.batch.intersections(simd, models, false, robust);
            let Progress { batch, owners, .. } = progress;
            let all = core::mem::take(batch);
            for (lane, &slots) in all.slots().iter().enumerate() {
                if touching >> lane & 1 != 0 {
                    self.goal.offer(models, MeasuredPair { distance: 0.0, slots, candidate: 0.0 });
                } else {
                    owners[batch.len()] = owners[lane];
                    batch.push(slots);
                }
            }
            if batch.is_empty() {
                return;
            }
        }
        let before = self.goal.beyond();
        let (measures, witnesses) = progress.batch.witnesses(simd, models, before, robust);
        for (lane, &slots) in progress.batch.slots().iter().enumerate() {
            let (distance, candidate) = (measures.distances[lane], measures.candidates[lane]);
            self.goal.offer(models, MeasuredPair { distance, slots, candidate });
            let (witness, owner) = (&witnesses[lane], progress.owners[lane]);
            // What does not keep a pair beyond a threshold would not spare the next pass anything.
            let least = if self.is_limit_fixed { before } else { 0.0 };
            if owner.0 != NO_BLOCK && witness.gap > least {
                self.keep_witness(progress, owner, slots, witness);
            }
        }
        progress.batch.clear();
        progress.conclude(self.goal, self.frame, before);
    }
}

/// One pass, apart from the search that begins at the roots, so that each is compiled for itself.
#[inline(never)]
pub fn along_front<S: Simd, X: Certify<S>>(
    simd: S,
    pass: AlongFront<X>,
    remembered: Option<(u32, u32)>,
) -> Option<PassEnd> {
    simd.vectorize(
        #[inline(always)]
        || pass.run(simd, remembered),
    )
}
