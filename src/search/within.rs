//! All pairs of triangles within a threshold, or the first one that a visitor is content with.
//!
//! One depth-first walk. The threshold never changes, so the order matters only for the first find.

use crate::posed::bound_frame::BoundFrame;
use crate::posed::expansion::{Ask, Expand, Request, TestCounts};
use crate::posed::survivors::Survivors;
use crate::search::RunSearch;
use crate::search::counters::Counters;
use crate::search::incumbent::MeasuredPair;
use crate::search::memory::{Memory, ResumeKey, Suspended};
use crate::search::stack::Stack;
use crate::search::triangle_batch::{NEVER, TriangleBatch};
use crate::tree::node::Child;
use crate::tree::node_pair::Next;
use fearless_simd::Simd;

/// Receives the pairs that are near enough.
pub trait NearPairVisitor {
    /// Whether only the first find matters: then a pair may be visited ahead of its turn, and again in its turn.
    const FIRST_ONLY: bool;

    /// Whether the order of the pairs does not matter, as long as all are visited.
    fn takes_any_order(&self) -> bool;

    /// Whether a pair at this distance in the working frame is near enough. Monotonic.
    fn takes(&self, distance: f64) -> bool;

    /// The slots of a pair and its distance in the working frame (0 when touching); false ends the walk.
    fn near(&mut self, slots: (u32, u32), distance: f64) -> bool;

    /// How much more work the visitor may do itself before it is asked again what it did.
    #[inline(always)]
    fn allow(&mut self, _left: u64) {}

    /// The work that the visitor did itself since it was last asked, in the unit of the counters.
    #[inline(always)]
    fn take_work(&mut self) -> u64 {
        0
    }

    /// `near` for a pair that was measured, with the kernel's candidate (see `primitive::closest_by`).
    #[inline(always)]
    fn near_by(&mut self, slots: (u32, u32), distance: f64, _candidate: f64) -> bool {
        self.near(slots, distance)
    }
}

/// The threshold is rounded up. Pairs that are nearer by this factor are within what it was rounded from.
const NEAR_ENOUGH: f64 = 1.0 - f64::from_bits((1023 - 40) << 52);

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every pair within the threshold was visited.
    Exhausted,
    /// The visitor had seen enough.
    Stopped,
    /// The budget ran out.
    Spent,
}

/// What a walk found besides what its visitor received.
#[derive(Clone, Copy, Debug)]
pub struct WithinAnswer {
    pub end: End,
    /// A lower bound of everything that a spent walk did not look at.
    pub lower: f64,
    /// The nearest pair that was measured; infinitely far when none was.
    pub nearest: MeasuredPair,
    /// The pair that ended the walk, if it was measured and not only told to touch.
    pub ended_by: MeasuredPair,
}

/// A search for pairs within a threshold, and the memory that it uses.
pub struct WithinSearch<'s, N> {
    pub visitor: &'s mut N,
    /// Working frame; pairs at most this far apart are visited. None: only touching pairs, which the cheaper test tells.
    pub threshold: Option<f64>,
    pub max_work: u64,
    /// The pair of slots that an earlier query remembered; it is tested first.
    pub remembered: Option<(u32, u32)>,
    /// The resume_key, if the walk may continue a suspended one and may be continued itself.
    pub resume_key: Option<ResumeKey>,
    pub stack: &'s mut Stack,
    pub memory: &'s mut Memory,
    pub counters: &'s mut Counters,
}

impl<N: NearPairVisitor> RunSearch for WithinSearch<'_, N> {
    type Answer = WithinAnswer;

    #[inline(always)]
    fn run<S: Simd, X: Expand<S>>(self, simd: S, frame: &BoundFrame, nodes: &X) -> WithinAnswer {
        Walk { frame, nodes, search: self, nearest: MeasuredPair::NONE, ended_by: MeasuredPair::NONE }.run(simd)
    }
}

/// A walk under way.
struct Walk<'a, 's, X, N> {
    frame: &'a BoundFrame<'a>,
    nodes: &'a X,
    search: WithinSearch<'s, N>,
    /// The nearest pair that was measured, for the interval of an unfinished walk.
    nearest: MeasuredPair,
    /// The pair that ended the walk.
    ended_by: MeasuredPair,
}

impl<X, N: NearPairVisitor> Walk<'_, '_, X, N> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> WithinAnswer
    where
        X: Expand<S>,
    {
        let mut counts = TestCounts::default();
        let end = self.walk(simd, &mut TriangleBatch::default(), &mut counts);
        let WithinSearch { resume_key, stack, memory, counters, .. } = self.search;
        counters.add_tests(counters.expansions, &counts);
        let mut lower = 0.0;
        if end == End::Spent {
            lower = self.frame.certified(stack.smallest_bound());
            memory.suspended = resume_key.map(|resume_key| Suspended { resume_key, best: self.nearest });
        }
        WithinAnswer { end, lower, nearest: self.nearest, ended_by: self.ended_by }
    }

    #[inline(always)]
    fn walk<S: Simd>(&mut self, simd: S, batch: &mut TriangleBatch, counts: &mut TestCounts) -> End
    where
        X: Expand<S>,
    {
        let (ask, limit) = match self.search.threshold {
            Some(threshold) => (Ask::Distance, self.frame.limit(threshold)),
            None => (Ask::Overlap, 0.0),
        };
        let suspended = self.search.memory.suspended.take();
        if let Some(suspended) = suspended.filter(|suspended| Some(suspended.resume_key) == self.search.resume_key) {
            self.nearest = suspended.best;
        } else {
            // The first pair is free: the remembered one. For tolerance with a budget it is any pair, so that `upper` is finite;
            // collide shares this and ignores it.
            let any_pair = (N::FIRST_ONLY && self.search.max_work != 0).then_some((0, 0));
            if let Some(remembered) = self.search.remembered.or(any_pair) {
                batch.push(remembered);
                let go_on = self.test_batch(simd, batch);
                self.search.counters.work = 0;
                if !go_on {
                    return End::Stopped;
                }
            }
            self.search.stack.clear();
            self.search.stack.push(&self.nodes.roots());
        }
        let any_order = !N::FIRST_ONLY && self.search.max_work == 0 && self.search.visitor.takes_any_order();
        while !self.is_spent(batch) {
            let Some(pair) = self.search.stack.pop(simd, limit) else { break };
            match self.nodes.next(&pair.pairs, pair.lane) {
                Next::Open(opened) => {
                    self.search.counters.expansions += 1;
                    self.search.counters.work += 1;
                    let request = Request { ask, limit, bound: pair.bound };
                    let survivors = self.nodes.expand(simd, &opened, request, counts);
                    if !(survivors.nearest <= limit) {
                        continue;
                    }
                    if any_order && survivors.pairs.triangles != 0 {
                        if !self.take_triangles(simd, &survivors, limit, batch) {
                            return End::Stopped;
                        }
                    } else {
                        self.search.stack.push(&survivors);
                    }
                }
                Next::Triangles(slots) => {
                    if batch.push(slots) && !self.test_batch(simd, batch) {
                        return End::Stopped;
                    }
                }
            }
        }
        // The pairs that wait are paid for; left waiting they would use up a small budget again and again.
        if !batch.is_empty() && !self.test_batch(simd, batch) {
            return End::Stopped;
        }
        if self.search.stack.is_empty() { End::Exhausted } else { End::Spent }
    }

    /// Measures the triangles among the survivors without giving each its turn; the other lanes wait.
    #[inline(always)]
    fn take_triangles<S: Simd>(&mut self, simd: S, survivors: &Survivors, limit: f32, batch: &mut TriangleBatch) -> bool
    where
        X: Expand<S>,
    {
        let children = self.nodes.children(&survivors.pairs.opened);
        let others = survivors.without_triangles(simd, children);
        if others.nearest <= limit {
            self.search.stack.push(&others);
        }
        let mut left = survivors.triangles_within(simd, limit);
        while left != 0 {
            let lane = left.trailing_zeros() as usize % 8;
            left &= left - 1;
            if batch.push(survivors.pairs.slots(Child(children[lane]))) && !self.test_batch(simd, batch) {
                return false;
            }
        }
        true
    }

    #[inline(always)]
    fn is_spent(&self, batch: &TriangleBatch) -> bool {
        self.search.max_work != 0 && self.search.counters.work + batch.len() as u64 >= self.search.max_work
    }

    /// Tests or measures the pairs that wait, and hands those that are near enough to the visitor.
    #[inline(always)]
    fn test_batch<S: Simd>(&mut self, simd: S, batch: &mut TriangleBatch) -> bool {
        self.search.counters.triangle_tests += batch.len() as u64;
        self.search.counters.work += batch.len() as u64;
        if self.search.max_work != 0 {
            self.search.visitor.allow(self.search.max_work.saturating_sub(self.search.counters.work));
        }
        let models = &self.frame.models;
        let robust_tests = &mut self.search.counters.robust_tests;
        let mut go_on = true;
        match self.search.threshold {
            None => {
                let mut hits = batch.intersections(simd, models, robust_tests);
                while go_on && hits != 0 {
                    let lane = hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    go_on = self.search.visitor.near(batch.slots()[lane], 0.0);
                }
            }
            Some(threshold) => {
                // A first find is measured by whoever tells of it.
                let near = threshold * NEAR_ENOUGH;
                let near = if N::FIRST_ONLY && self.search.visitor.takes(near) { near } else { NEVER };
                let measures = batch.distances(simd, models, (near, threshold), robust_tests);
                for (lane, &slots) in batch.slots().iter().enumerate() {
                    let (distance, candidate) = (measures.distances[lane], measures.candidates[lane]);
                    if distance < self.nearest.distance {
                        self.nearest = MeasuredPair { distance, slots, candidate };
                    }
                    if go_on && distance <= threshold && !self.search.visitor.near_by(slots, distance, candidate) {
                        self.ended_by = MeasuredPair { distance, slots, candidate };
                        go_on = false;
                    }
                }
            }
        }
        batch.clear();
        self.search.counters.work += self.search.visitor.take_work();
        go_on
    }
}
