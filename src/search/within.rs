//! Everything nearer than a threshold: collide (first touching pair), tolerance (first pair within reach) and contacts
//! (all of them). One depth-first walk; the threshold never changes, so the order matters only for the first answer.

use crate::posed::expansion::{Ask, Expand, Request};
use crate::posed::node_pairs::Ground;
use crate::posed::survivors::{Next, Siblings, slots_by_side};
use crate::query::answer::Counters;
use crate::search::nearest::Best;
use crate::search::triangle_batch::{NEVER, TriangleBatch};
use crate::search::workspace::{Question, Scratch, Suspended};
use crate::tree::node::Child;
use crate::volume::LaneCounts;
use fearless_simd::Simd;

/// What to do with the pairs that are near enough.
pub trait Visitor {
    /// Whether the first find is all that matters: then a pair may be shown ahead of its turn and once more in its turn.
    const FIRST_ONLY: bool;

    /// Whether it is all one in which order pairs are shown, as long as all are.
    fn takes_any_order(&self) -> bool;

    /// The slots of a pair and its distance in the working frame (0 when touching); false ends the walk.
    fn near(&mut self, slots: (u32, u32), distance: f64) -> bool;
}

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

/// What a walk found out besides what it told its visitor.
#[derive(Clone, Copy, Debug)]
pub struct WithinAnswer {
    pub end: End,
    /// A lower bound of everything that a spent walk did not look at.
    pub lower: f64,
    /// The nearest pair that was measured; infinitely far when none was.
    pub nearest: Best,
    /// The pair that ended the walk, if it was measured and not only told to touch.
    pub last: Best,
}

/// A walk under way.
pub struct Within<'a, 's, X, V> {
    pub ground: &'a Ground<'a>,
    pub scene: &'a X,
    pub scratch: &'s mut Scratch,
    pub counters: &'s mut Counters,
    pub visitor: &'s mut V,
    /// Working frame; pairs at most this far apart are visited. None: only touching pairs, told by the cheaper test.
    pub threshold: Option<f64>,
    pub max_work: u64,
    /// A pair that is asked first.
    pub cached: Option<(u32, u32)>,
    /// What is asked, if the walk may take up an unfinished one and may be taken up itself.
    pub question: Option<Question>,
    /// The nearest pair that was measured, for the interval of an unfinished walk.
    pub nearest: Best,
    /// The pair that ended the walk.
    pub last: Best,
}

impl<X, V: Visitor> Within<'_, '_, X, V> {
    #[inline(always)]
    pub fn run<S: Simd>(mut self, simd: S) -> WithinAnswer
    where
        X: Expand<S>,
    {
        let mut counts = LaneCounts::default();
        let mut batch = TriangleBatch::default();
        let end = self.walk(simd, &mut batch, &mut counts);
        self.counters.volume_tests += counts.full;
        self.counters.cheap_tests += counts.cheap;
        let mut lower = 0.0;
        if end == End::Spent {
            lower = self.ground.certified(self.scratch.stack.smallest_bound().min(batch.smallest_bound()));
            self.scratch.suspended = self.question.map(|question| Suspended { question, best: self.nearest, batch });
        }
        WithinAnswer { end, lower, nearest: self.nearest, last: self.last }
    }

    #[inline(always)]
    fn walk<S: Simd>(&mut self, simd: S, batch: &mut TriangleBatch, counts: &mut LaneCounts) -> End
    where
        X: Expand<S>,
    {
        let (ask, limit) = match self.threshold {
            Some(threshold) => (Ask::Distance, self.ground.limit(threshold)),
            None => (Ask::Overlap, 0.0),
        };
        let suspended = self.scratch.suspended.take().filter(|suspended| Some(suspended.question) == self.question);
        if let Some(suspended) = suspended {
            (self.nearest, *batch) = (suspended.best, suspended.batch);
        } else {
            // The first pair is free: the cached one, or any when the budget asks for a finite interval.
            if let Some(first) = self.cached.or((V::FIRST_ONLY && self.max_work != 0).then_some((0, 0))) {
                batch.push(first, 0.0);
                let go_on = self.measure(simd, batch);
                self.counters.work = 0;
                if !go_on {
                    return End::Stopped;
                }
            }
            self.scratch.stack.clear();
            self.scratch.stack.push(&self.scene.roots());
        }
        let any_order = !V::FIRST_ONLY && self.max_work == 0 && self.visitor.takes_any_order();
        while !self.is_spent(batch) {
            let Some(pair) = self.scratch.stack.pop(simd, limit) else { break };
            match self.scene.next(&pair) {
                Next::Open(opening) => {
                    self.counters.expansions += 1;
                    self.counters.work += 1;
                    let siblings = self.scene.expand(simd, &opening, Request { ask, limit }, counts);
                    if !(siblings.nearest <= limit) {
                        continue;
                    }
                    if any_order && siblings.triangles != 0 {
                        if !self.take_triangles(simd, &siblings, limit, batch) {
                            return End::Stopped;
                        }
                    } else {
                        self.scratch.stack.push(&siblings);
                    }
                }
                Next::Triangles(slots) => {
                    if batch.push(slots, pair.bound) && !self.measure(simd, batch) {
                        return End::Stopped;
                    }
                }
            }
        }
        // The pairs that wait are paid for; left waiting they would use up a small budget again and again.
        if !batch.is_empty() && !self.measure(simd, batch) {
            return End::Stopped;
        }
        if self.scratch.stack.is_empty() { End::Exhausted } else { End::Spent }
    }

    /// Measures the triangles among siblings without giving each its turn; the others wait.
    #[inline(always)]
    fn take_triangles<S: Simd>(&mut self, simd: S, siblings: &Siblings, limit: f32, batch: &mut TriangleBatch) -> bool
    where
        X: Expand<S>,
    {
        let children = self.scene.children(siblings);
        let others = siblings.without_triangles(simd, children);
        if others.nearest <= limit {
            self.scratch.stack.push(&others);
        }
        let (kept, side) = (Child(siblings.kept_child), siblings.side as u32);
        let mut left = siblings.triangles_within(simd, limit);
        while left != 0 {
            let lane = left.trailing_zeros() as usize % 8;
            left &= left - 1;
            // The bound is for the interval of a walk that is spent, which this one will not be.
            if batch.push(slots_by_side(side, Child(children[lane]), kept), 0.0) && !self.measure(simd, batch) {
                return false;
            }
        }
        true
    }

    #[inline(always)]
    fn is_spent(&self, batch: &TriangleBatch) -> bool {
        self.max_work != 0 && self.counters.work + batch.len() as u64 >= self.max_work
    }

    #[inline(always)]
    fn measure<S: Simd>(&mut self, simd: S, batch: &mut TriangleBatch) -> bool {
        self.counters.triangle_tests += batch.len() as u64;
        self.counters.work += batch.len() as u64;
        let placed = &self.ground.placed;
        let robust_tests = &mut self.counters.robust_tests;
        let mut go_on = true;
        match self.threshold {
            None => {
                let mut hits = batch.intersections(simd, placed, robust_tests);
                while go_on && hits != 0 {
                    let lane = hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    go_on = self.visitor.near(batch.slots()[lane], 0.0);
                }
            }
            Some(threshold) => {
                // A first find is measured by whoever tells of it.
                let near = if V::FIRST_ONLY { threshold } else { NEVER };
                let measures = batch.distances(simd, placed, (near, threshold), robust_tests);
                for (lane, &slots) in batch.slots().iter().enumerate() {
                    let (distance, candidate) = (measures.distances[lane], measures.candidates[lane]);
                    if distance < self.nearest.distance {
                        self.nearest = Best { distance, slots, candidate };
                    }
                    if go_on && distance <= threshold && !self.visitor.near(slots, distance) {
                        self.last = Best { distance, slots, candidate };
                        go_on = false;
                    }
                }
            }
        }
        batch.clear();
        go_on
    }
}
