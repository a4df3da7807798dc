//! The distance query: best first, with descents that look for a good pair where the answer may be off or the budget is short,
//! then depth first when the queue is full.
//!
//! swept_sphere_volumes 3 and 6: whatever is pruned has a lower bound above the best distance found, so the order of
//! the search decides how much is looked at, never what is answered.

use crate::posed::expansion::{Ask, Expand, Request};
use crate::posed::node_pairs::Ground;
use crate::posed::survivors::{Next, Opening, Siblings, Taken};
use crate::query::answer::{Counters, Search};
use crate::search::incumbent::Incumbent;
use crate::search::triangle_batch::{NEVER, TriangleBatch};
use crate::search::workspace::{Question, Scratch, Suspended};
use crate::volume::LaneCounts;
use fearless_simd::Simd;

/// The nearest triangle pair so far, by distance, then by the caller's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// Working frame; infinite before the first pair.
    pub distance: f64,
    pub slots: (u32, u32),
    /// The kernel's candidate that this distance is from.
    pub candidate: f64,
}

impl Best {
    pub const NONE: Self = Self { distance: f64::INFINITY, slots: (0, 0), candidate: 0.0 };
}

/// What the distance query is asked, in working units.
#[derive(Clone, Copy, Debug)]
pub struct NearestParams {
    pub max_work: u64,
    pub relative_error: f64,
    pub absolute_error: f64,
    pub max_distance: f64,
    pub search: Search,
    /// A pair to start from, which also wins among equals.
    pub cached: Option<(u32, u32)>,
    /// What is asked, if the search may take up an unfinished one and may be taken up itself.
    pub question: Option<Question>,
}

#[derive(Clone, Copy, Debug)]
pub struct NearestAnswer {
    pub complete: bool,
    /// Working frame; equal to the best distance when the search was exact and complete.
    pub lower: f64,
    pub best: Option<Best>,
}

/// An approximate search follows a pair down when its sizes are at most so many times what it could be nearer than the best
/// found: of larger pairs few lead to a better one.
const PROMISING: f32 = 8.0;

/// And a first pair when they are at most so many times its distance: earlier ones lead to pairs that are far too far.
const FIRST: f32 = 2.5;

/// Errors below this share of the distance save less than following pairs costs.
const NOTICEABLE: f64 = 0.005;

/// One distance query under way.
pub struct Nearest<'a, 's, X> {
    ground: &'a Ground<'a>,
    scene: &'a X,
    scratch: &'s mut Scratch,
    counters: &'s mut Counters,
    params: NearestParams,
    is_exact: bool,
    incumbent: Incumbent,
    batch: TriangleBatch,
    /// Lanes looked at so far.
    counts: LaneCounts,
}

impl<'a, 's, X> Nearest<'a, 's, X> {
    #[inline(always)]
    pub fn run<S: Simd>(
        simd: S,
        ground: &'a Ground<'a>,
        scene: &'a X,
        scratch: &'s mut Scratch,
        counters: &'s mut Counters,
        params: NearestParams,
    ) -> NearestAnswer
    where
        X: Expand<S>,
    {
        let mut query = Self {
            ground,
            scene,
            scratch,
            counters,
            params,
            is_exact: params.relative_error == 0.0 && params.absolute_error == 0.0,
            incumbent: Incumbent::new(ground, &params),
            batch: TriangleBatch::default(),
            counts: LaneCounts::default(),
        };
        let mut complete = query.search(simd);
        if !complete {
            // The pairs that wait are paid for; left waiting they would use up a small budget again and again.
            query.measure(simd);
        }
        // Nothing is nearer than a touching pair, whenever it was met: a larger budget must not know less.
        complete |= query.incumbent.best.distance == 0.0;
        let best = (query.incumbent.best.distance < f64::INFINITY).then_some(query.incumbent.best);
        let lower = if complete {
            query.incumbent.pruned_above.min(query.incumbent.best.distance)
        } else {
            query.pending_bound()
        };
        query.scratch.suspended = match params.question {
            Some(question) if !complete => Some(Suspended { question, best: query.incumbent.best, batch: query.batch }),
            _ => None,
        };
        query.counters.volume_tests += query.counts.full;
        query.counters.cheap_tests += query.counts.cheap;
        NearestAnswer { complete, lower, best }
    }

    /// True when nothing is left that could be nearer.
    #[inline(always)]
    fn search<S: Simd>(&mut self, simd: S) -> bool
    where
        X: Expand<S>,
    {
        if let (Some(suspended), Some(question)) = (self.scratch.suspended.take(), self.params.question)
            && suspended.question == question
        {
            (self.incumbent.best, self.batch) = (suspended.best, suspended.batch);
            self.tighten();
            return self.depth_first(simd) && self.best_first(simd);
        }
        self.scratch.stack.clear();
        // Twice as far, because of roundings.
        self.scratch.queue.restart(self.ground.limit(self.ground.placed.farthest() * 2.0), self.incumbent.limit);
        if let Some(cached) = self.params.cached {
            // The triangle cache of swept_sphere_volumes 6.2.
            self.batch.push(cached, 0.0);
            self.measure(simd);
            if self.params.max_work != 0 {
                self.counters.work = 0;
            }
            if self.incumbent.best.distance == 0.0 {
                return true;
            }
        } else if self.params.max_work != 0 {
            // The first pair is free, so that every budget gives a finite interval.
            self.batch.push((0, 0), 0.0);
            self.measure(simd);
            self.counters.work = 0;
        }
        let best_first = match self.params.search {
            Search::DepthFirst => false,
            Search::BestFirst | Search::Auto => true,
        };
        self.scratch.stack.push(&self.scene.roots());
        if !best_first {
            return self.depth_first(simd);
        }
        if self.params.cached.is_none() && self.params.max_work != 0 {
            // What best first opens is opened by every search, so that a descent before it costs more than it saves, but best
            // first finds its pairs last, which is too late for a budget.
            if !self.descend(simd) {
                return false;
            }
            self.measure(simd);
        }
        self.stack_to_queue(simd) && self.best_first(simd)
    }

    /// Lets what waits on the stack wait in the queue instead.
    #[inline(always)]
    fn stack_to_queue<S: Simd>(&mut self, simd: S) -> bool
    where
        X: Expand<S>,
    {
        while let Some(siblings) = self.scratch.stack.pop_siblings() {
            if siblings.nearest <= self.incumbent.limit && !self.scratch.queue.push(&siblings) {
                // A full queue, or one smaller than a descent: what does not fit is searched depth-first at once.
                self.scratch.stack.push(&siblings);
                if !self.depth_first(simd) {
                    return false;
                }
            }
        }
        true
    }

    /// Follows the nearest of what was put on the stack last down to the first triangles, which go to the batch; siblings are
    /// left on the stack. Compiled once, not at both places that need it.
    #[inline(never)]
    fn descend<S: Simd>(&mut self, simd: S) -> bool
    where
        X: Expand<S>,
    {
        simd.vectorize(
            #[inline(always)]
            || self.follow(simd),
        )
    }

    #[inline(always)]
    fn follow<S: Simd>(&mut self, simd: S) -> bool
    where
        X: Expand<S>,
    {
        // Beyond the limit a pair is not needed, but one that is half way to the best found moves the limit.
        let within = self.incumbent.limit + (self.incumbent.found - self.incumbent.limit) * 0.5;
        while !self.is_spent() {
            let Some(nearest) = self.scratch.stack.pop(simd, within) else { return true };
            match self.scene.next(&nearest) {
                Next::Open(opening) => {
                    let siblings = self.open(simd, &opening, within);
                    if !(siblings.nearest <= within) {
                        return true;
                    }
                    self.scratch.stack.push(&siblings);
                }
                Next::Triangles(slots) => {
                    if self.batch.push(slots, nearest.bound) || self.fill_batch(simd, within) {
                        self.measure(simd);
                    }
                    return true;
                }
            }
        }
        false
    }

    /// Pairs of triangles next to those that a descent ended with are measured along: the lanes would be idle. True when the
    /// batch is full.
    #[inline(always)]
    fn fill_batch<S: Simd>(&mut self, simd: S, within: f32) -> bool
    where
        X: Expand<S>,
    {
        while self.scratch.stack.ends_in_triangles() && !self.is_spent() {
            let Some(pair) = self.scratch.stack.pop(simd, within) else { return false };
            if let Next::Triangles(slots) = self.scene.next(&pair)
                && self.batch.push(slots, pair.bound)
            {
                return true;
            }
        }
        false
    }

    /// Whether what is below a pair is likely to end an approximate search sooner. Best first alone is late to find a good pair, and
    /// volumes of sizes s that are b apart hold points that are hardly farther apart than b + s.
    #[inline(always)]
    fn is_promising<S: Simd>(&self, pair: &Taken) -> bool
    where
        X: Expand<S>,
    {
        if self.is_exact {
            return false;
        }
        let NearestParams { relative_error, absolute_error, cached, .. } = self.params;
        let Incumbent { best, found, .. } = self.incumbent;
        let is_first = best.distance == f64::INFINITY;
        let apart = self.ground.certified(pair.bound);
        // The last query's pair says little where the models have moved far: this search has its first pair to find all the same.
        let first = if is_first || cached == Some(best.slots) { FIRST * apart as f32 } else { f32::INFINITY };
        let gain = first.min(PROMISING * (found - pair.bound));
        // Most pairs of models that are close overlap: their sizes need not be read.
        gain > 0.0
            && (relative_error > NOTICEABLE
                || absolute_error > NOTICEABLE * if is_first { apart } else { best.distance })
            && self.scene.size(pair) <= gain
    }

    #[inline(always)]
    fn best_first<S: Simd>(&mut self, simd: S) -> bool
    where
        X: Expand<S>,
    {
        loop {
            if self.is_spent() && self.scratch.queue.has_more() {
                return false;
            }
            let Some((pair, entry)) = self.scratch.queue.pop() else {
                if self.batch.is_empty() {
                    return true;
                }
                self.measure(simd);
                if self.incumbent.best.distance == 0.0 {
                    return true;
                }
                continue;
            };
            match self.scene.next(&pair) {
                Next::Open(opening) => {
                    self.scene.prefetch(&opening);
                    let siblings = self.open(simd, &opening, self.incumbent.limit);
                    self.scratch.queue.put_back(simd, entry);
                    if siblings.nearest <= self.incumbent.limit {
                        let follow = self.is_promising(&pair);
                        if follow || !self.scratch.queue.push(&siblings) {
                            self.scratch.stack.push(&siblings);
                            let finished = if follow {
                                let finished = self.descend(simd);
                                if self.incumbent.best.distance == f64::INFINITY {
                                    self.measure(simd);
                                }
                                finished && self.stack_to_queue(simd)
                            } else {
                                self.depth_first(simd)
                            };
                            if !finished {
                                return false;
                            }
                        }
                    }
                }
                Next::Triangles(slots) => {
                    self.scratch.queue.put_back(simd, entry);
                    if self.batch.push(slots, pair.bound) {
                        self.measure(simd);
                    }
                }
            }
            if self.incumbent.best.distance == 0.0 {
                return true;
            }
        }
    }

    /// Empties the stack, nearest child first.
    #[inline(always)]
    fn depth_first<S: Simd>(&mut self, simd: S) -> bool
    where
        X: Expand<S>,
    {
        while !self.scratch.stack.is_empty() {
            if self.is_spent() {
                return false;
            }
            let Some(pair) = self.scratch.stack.pop(simd, self.incumbent.limit) else { break };
            match self.scene.next(&pair) {
                Next::Open(opening) => {
                    let siblings = self.open(simd, &opening, self.incumbent.limit);
                    if siblings.nearest <= self.incumbent.limit {
                        self.scratch.stack.push(&siblings);
                    }
                }
                Next::Triangles(slots) => {
                    if self.batch.push(slots, pair.bound) {
                        self.measure(simd);
                        if self.incumbent.best.distance == 0.0 {
                            return true;
                        }
                    }
                }
            }
        }
        self.measure(simd);
        true
    }

    #[inline(always)]
    fn open<S: Simd>(&mut self, simd: S, opening: &Opening, limit: f32) -> Siblings
    where
        X: Expand<S>,
    {
        self.counters.expansions += 1;
        self.counters.work += 1;
        self.scene.expand(simd, opening, Request { ask: Ask::Distance, limit }, &mut self.counts)
    }

    /// Whether the budget is used up.
    #[inline(always)]
    fn is_spent(&self) -> bool {
        self.params.max_work != 0 && self.counters.work + self.batch.len() as u64 >= self.params.max_work
    }

    /// Measures the pairs of the batch and tightens the limit.
    #[inline(always)]
    fn measure<S: Simd>(&mut self, simd: S) {
        let count = self.batch.len();
        if count == 0 {
            return;
        }
        self.counters.triangle_tests += count as u64;
        self.counters.work += count as u64;
        let (placed, robust) = (&self.ground.placed, &mut self.counters.robust_tests);
        let measures = self.batch.distances(simd, placed, (NEVER, self.incumbent.best.distance), robust);
        let before = self.incumbent.best.distance;
        for (lane, &slots) in self.batch.slots().iter().enumerate() {
            let (distance, candidate) = (measures.distances[lane], measures.candidates[lane]);
            self.incumbent.offer(placed, &self.params, Best { distance, slots, candidate });
        }
        self.batch.clear();
        if self.incumbent.best.distance < before {
            self.tighten();
        }
    }

    /// Lets the queue know what the incumbent makes needless.
    fn tighten(&mut self) {
        self.incumbent.tighten(self.ground, &self.params);
        self.scratch.queue.set_limit(self.incumbent.limit);
    }

    /// A lower bound of everything that was not looked at.
    fn pending_bound(&self) -> f64 {
        let smallest = self
            .scratch
            .queue
            .smallest_bound()
            .min(self.scratch.stack.smallest_bound())
            .min(self.batch.smallest_bound());
        self.ground.certified(smallest).min(self.incumbent.pruned_above).min(self.incumbent.best.distance)
    }
}
