//! All pairs of triangles within a threshold, or the first one that a visitor is content with.
//!
//! One depth-first walk. The threshold never changes, so the order matters only for the first find. While no pair is within the
//! threshold, a pass along the front of earlier walks tells it sooner.

use crate::posed::bound_frame::BoundFrame;
use crate::posed::expansion::{Ask, Certify, Expand, Request, TestCounts};
use crate::posed::posed_models::PosedModels;
use crate::posed::survivors::{Survivor, Survivors};
use crate::search::RunSearch;
use crate::search::along_front::{AlongFront, Goal, GoesOn, along_front};
use crate::search::counters::Counters;
use crate::search::incumbent::MeasuredPair;
use crate::search::memory::{Memory, ResumeKey, Suspended};
use crate::search::triangle_batch::{NEVER, TriangleBatch};
use crate::search::two_by_two::{Opening, joined};
use crate::search::workspace::Workspace;
use crate::tree::node::Child;
use crate::tree::node_pair::Next;
use fearless_simd::Simd;

/// Receives the pairs that are near enough.
pub trait PairVisitor {
    /// Whether the order of the pairs does not matter, as long as all are visited.
    fn takes_any_order(&self) -> bool;

    /// Whether a pair at this distance in the working frame is near enough. Monotonic.
    fn takes(&self, distance: f64) -> bool;

    /// The slots of a pair and its distance in the working frame (0 when touching); false ends the walk.
    fn near(&mut self, slots: (u32, u32), distance: f64) -> bool;

    /// `near` for those of some pairs that touch, as bits.
    #[inline(always)]
    fn touching(&mut self, slots: &[(u32, u32)], mut hits: u32) -> bool {
        let mut go_on = true;
        while go_on && hits != 0 {
            go_on = self.near(slots[hits.trailing_zeros() as usize], 0.0);
            hits &= hits - 1;
        }
        go_on
    }

    /// Forgets what was visited, because all pairs are going to be visited again.
    fn start_over(&mut self);

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

/// A visitor that searches are compiled for.
pub trait NearPairVisitor: PairVisitor {
    /// Whether only the first find matters: then a pair may be visited ahead of its turn, and again in its turn.
    const FIRST_ONLY: bool;
}

/// A visitor of all near pairs, whichever it is. Each pair costs one more call, and the walk is compiled once for all such visitors.
pub struct VisitAll<'v>(pub &'v mut dyn PairVisitor);

impl PairVisitor for VisitAll<'_> {
    fn takes_any_order(&self) -> bool {
        self.0.takes_any_order()
    }

    #[inline(always)]
    fn takes(&self, distance: f64) -> bool {
        self.0.takes(distance)
    }

    #[inline(always)]
    fn near(&mut self, slots: (u32, u32), distance: f64) -> bool {
        self.0.near(slots, distance)
    }

    #[inline(always)]
    fn touching(&mut self, slots: &[(u32, u32)], hits: u32) -> bool {
        self.0.touching(slots, hits)
    }

    fn start_over(&mut self) {
        self.0.start_over();
    }

    #[inline(always)]
    fn allow(&mut self, left: u64) {
        self.0.allow(left);
    }

    #[inline(always)]
    fn take_work(&mut self) -> u64 {
        self.0.take_work()
    }

    #[inline(always)]
    fn near_by(&mut self, slots: (u32, u32), distance: f64, candidate: f64) -> bool {
        self.0.near_by(slots, distance, candidate)
    }
}

impl NearPairVisitor for VisitAll<'_> {
    const FIRST_ONLY: bool = false;
}

/// The threshold is rounded up. Pairs that are nearer by this factor are within what it was rounded from.
pub const NEAR_ENOUGH: f64 = 1.0 - f64::from_bits((1023 - 40) << 52);

/// A search for the first pair that found nothing in so many pairs of triangles goes on elsewhere, from the largest volumes that
/// wait, because pairs near each other mostly touch or miss together. Then it waits twice as long, so that it also ends where
/// only one place has near pairs. A multiple of a batch.
pub const FIRST_PATIENCE: u32 = 8;

/// A search for the first pair takes pairs of nodes two by two after so many expansions: many such searches end before.
const PAIRS_FROM: u64 = 16;

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
    /// Working frame: no pair of triangles is nearer. 0 for a walk that certifies nothing or did not end.
    pub clearance: f64,
}

/// How much farther than its threshold a walk looks in order to certify a clearance, in working units, and the work that this may
/// take. A walk that needs more certifies nothing and goes on with its threshold.
#[derive(Clone, Copy, Debug)]
pub struct LookBeyond {
    pub beyond: f64,
    pub most_work: u64,
}

/// A search for pairs within a threshold, and the memory that it uses.
pub struct WithinSearch<'s, N> {
    pub visitor: &'s mut N,
    /// Working frame; pairs at most this far apart are visited. None: only touching pairs, which the cheaper test tells.
    pub threshold: Option<f64>,
    /// None: the walk certifies nothing.
    pub looks_beyond: Option<LookBeyond>,
    /// Whether a pass along the front of earlier walks comes first.
    pub asks_front: bool,
    pub max_work: u64,
    /// The pair of slots that an earlier query remembered; it is tested first.
    pub remembered: Option<(u32, u32)>,
    /// The resume_key, if the walk may continue a suspended one and may be continued itself.
    pub resume_key: Option<ResumeKey>,
    pub workspace: &'s mut Workspace,
    pub memory: &'s mut Memory,
    pub counters: &'s mut Counters,
}

impl<N: NearPairVisitor> RunSearch for WithinSearch<'_, N> {
    type Answer = WithinAnswer;

    #[inline(always)]
    fn run<S: Simd, X: Certify<S>, const CERTIFIES: bool>(
        mut self,
        simd: S,
        frame: &BoundFrame,
        nodes: &X,
    ) -> WithinAnswer {
        let mut goes_on = None;
        if self.asks_front {
            match self.ask_front(simd, frame, nodes) {
                Asked::Answered(answer) => return answer,
                Asked::Left(left) => goes_on = left,
            }
        }
        let before = *self.counters;
        let Self { visitor, threshold, looks_beyond, asks_front, max_work, remembered, resume_key, .. } = self;
        let (workspace, memory, counters) = (self.workspace, self.memory, self.counters);
        let search = WithinSearch {
            visitor,
            threshold,
            looks_beyond,
            asks_front,
            max_work,
            remembered,
            resume_key,
            workspace,
            memory: &mut *memory,
            counters: &mut *counters,
        };
        let is_from_rest = goes_on == Some(GoesOn::FromRest);
        let answer = Walk::<_, _, CERTIFIES>::new(frame, nodes, search, is_from_rest).run(simd);
        if !is_from_rest {
            memory.near_front.note_from_roots(counters.expansions - before.expansions, counters.cost() - before.cost());
        }
        if goes_on.is_some() {
            memory.near_front.judge(false, counters.expansions);
        }
        answer
    }

    fn certifies_from_roots(&self) -> bool {
        self.looks_beyond.is_some() && !self.memory.near_front.is_available()
    }
}

impl<N: NearPairVisitor> WithinSearch<'_, N> {
    /// A pass along the front: the first pair within the threshold or all of them, and how far everything is apart if there is none.
    #[inline(always)]
    fn ask_front<S: Simd, X: Certify<S>>(&mut self, simd: S, frame: &BoundFrame, nodes: &X) -> Asked {
        let threshold = self.threshold.unwrap_or(0.0);
        // A front that is built looks no farther, so that this costs little more than a walk.
        let is_built = self.memory.near_front.used() == 0;
        let beyond = self.looks_beyond.filter(|_| !is_built).map_or(0.0, |look| look.beyond);
        let measured = threshold + beyond;
        let visits = !N::FIRST_ONLY && self.visitor.takes_any_order();
        let (limit, nearest) = (frame.limit(measured), MeasuredPair::NONE);
        let looks = self.looks_beyond.map_or(0, |look| look.most_work);
        let mut goal = WithinGoal { visitor: &mut *self.visitor, visits, threshold, measured, limit, nearest, looks };
        let pass = AlongFront {
            frame,
            nodes,
            front: &mut self.memory.near_front,
            counters: &mut *self.counters,
            goal: &mut goal,
            max_work: 0,
            // What has an order of its own is found from the roots.
            rest: (visits || N::FIRST_ONLY).then_some(&mut self.workspace.queue),
            ties: None,
            alone: None,
            candidate: 0.0,
            is_limit_fixed: true,
        };
        let end = along_front(simd, pass, None);
        let (nearest, measured) = (goal.nearest, goal.measured);
        let goes_on = end.and_then(|end| end.goes_on);
        let Some(end) = end.filter(|_| goes_on.is_none()) else {
            if goes_on != Some(GoesOn::FromRest) {
                self.visitor.start_over();
            }
            return Asked::Left(goes_on);
        };
        let mut answer =
            WithinAnswer { end: End::Exhausted, lower: 0.0, nearest, ended_by: MeasuredPair::NONE, clearance: 0.0 };
        if nearest.distance <= threshold {
            if !visits {
                // What has an order of its own is found from the roots.
                if !N::FIRST_ONLY || self.visitor.near_by(nearest.slots, nearest.distance, nearest.candidate) {
                    return Asked::Left(None);
                }
                (answer.end, answer.ended_by) = (End::Stopped, nearest);
            }
        } else {
            let apart = if end.clearance < f32::MAX { frame.certified(end.clearance) } else { f64::INFINITY };
            let unmeasured = if self.counters.triangle_tests > 0 { measured } else { f64::INFINITY };
            answer.clearance = apart.min(nearest.distance).min(unmeasured);
        }
        self.memory.suspended = None;
        Asked::Answered(answer)
    }
}

/// What a pass along the front came to.
enum Asked {
    Answered(WithinAnswer),
    /// A walk has to tell, which goes on where the pass has ended, or begins at the roots.
    Left(Option<GoesOn>),
}

/// The first pair within a threshold, or all of them, as what a pass along the front looks for.
struct WithinGoal<'v, N> {
    visitor: &'v mut N,
    /// Whether all pairs within the threshold are visited during the pass; else the pass ends with the first.
    visits: bool,
    /// Working frame; and up to where pairs are measured, which is not less.
    threshold: f64,
    measured: f64,
    limit: f32,
    nearest: MeasuredPair,
    /// Pairs beyond the threshold that may still be measured. After these the pass goes on with its threshold.
    looks: u64,
}

impl<N: NearPairVisitor> Goal for WithinGoal<'_, N> {
    fn limit(&self) -> f32 {
        self.limit
    }

    fn beyond(&self) -> f64 {
        self.measured
    }

    fn seeks_touching(&self) -> bool {
        self.visits && self.threshold == 0.0
    }

    fn offer(&mut self, _models: &PosedModels, pair: MeasuredPair) {
        if pair.distance < self.nearest.distance {
            self.nearest = pair;
        }
        if pair.distance > self.threshold {
            self.looks = self.looks.saturating_sub(1);
        } else if self.visits {
            self.visitor.near_by(pair.slots, pair.distance, pair.candidate);
        }
    }

    fn settle(&mut self, frame: &BoundFrame) -> bool {
        if self.looks == 0 && self.measured > self.threshold {
            (self.measured, self.limit) = (self.threshold, frame.limit(self.threshold));
        }
        !self.visits && self.nearest.distance <= self.threshold
    }
}

/// A walk under way. CERTIFIES says whether the walk can certify a clearance; code that is compiled whole leaves that to the front.
struct Walk<'a, 's, X, N, const CERTIFIES: bool> {
    frame: &'a BoundFrame<'a>,
    nodes: &'a X,
    search: WithinSearch<'s, N>,
    /// The nearest pair that was measured, for the interval of an unfinished walk.
    nearest: MeasuredPair,
    /// The pair that ended the walk.
    ended_by: MeasuredPair,
    /// The smallest bound of what was pruned by a walk that certifies.
    left_out: f32,
    /// Whether the walk goes on with what a pass along the front left in the queue.
    is_from_rest: bool,
}

impl<'a, 's, X, N: NearPairVisitor, const CERTIFIES: bool> Walk<'a, 's, X, N, CERTIFIES> {
    #[inline(always)]
    fn new(frame: &'a BoundFrame<'a>, nodes: &'a X, mut search: WithinSearch<'s, N>, is_from_rest: bool) -> Self {
        let (nearest, ended_by) = (MeasuredPair::NONE, MeasuredPair::NONE);
        if is_from_rest {
            // What the pass proved of the lanes that it did not leave is not known here.
            search.looks_beyond = None;
        }
        Walk { frame, nodes, search, nearest, ended_by, left_out: f32::INFINITY, is_from_rest }
    }

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> WithinAnswer
    where
        X: Expand<S>,
    {
        let mut counts = TestCounts::default();
        let before = self.search.counters.expansions;
        let end = self.walk(simd, &mut self.batch::<S>(), &mut counts);
        let clearance = if end == End::Exhausted { self.clearance() } else { 0.0 };
        let WithinSearch { resume_key, workspace, memory, counters, .. } = self.search;
        counters.add_tests(counters.expansions - before, &counts);
        let mut lower = 0.0;
        if end == End::Spent {
            lower = self.frame.certified(workspace.stack.smallest_bound());
            memory.suspended = resume_key.map(|resume_key| Suspended { resume_key, best: self.nearest });
        }
        WithinAnswer { end, lower, nearest: self.nearest, ended_by: self.ended_by, clearance }
    }

    /// Eight at a time where all pairs are told to touch or not, in any order.
    #[inline(always)]
    fn batch<S: Simd>(&self) -> TriangleBatch {
        let takes_eight = self.takes_any_order() && self.search.threshold.is_none() && self.looks_beyond().is_none();
        if takes_eight { TriangleBatch::of_widest::<S>() } else { TriangleBatch::default() }
    }

    #[inline(always)]
    fn takes_any_order(&self) -> bool {
        !N::FIRST_ONLY && self.search.max_work == 0 && self.search.visitor.takes_any_order()
    }

    /// Known to be None where nothing is certified.
    #[inline(always)]
    fn looks_beyond(&self) -> Option<f64> {
        if CERTIFIES { self.search.looks_beyond.map(|look| look.beyond) } else { None }
    }

    /// Counts the work of looking beyond the threshold; whether there was too much of it. Then the walk certifies nothing.
    #[inline(always)]
    fn looked_beyond(&mut self, work: u64) -> bool {
        let Some(look) = self.search.looks_beyond.as_mut().filter(|_| CERTIFIES) else { return false };
        match look.most_work.checked_sub(work) {
            Some(left) => look.most_work = left,
            None => self.search.looks_beyond = None,
        }
        self.search.looks_beyond.is_none()
    }

    /// What a walk that went through everything certifies: what was pruned, what was measured, and what was so far that it was
    /// not measured.
    fn clearance(&self) -> f64 {
        let Some(beyond) = self.looks_beyond() else { return 0.0 };
        let (threshold, pruned) = match self.search.threshold {
            Some(threshold) => (threshold, self.frame.certified(self.left_out)),
            None => (0.0, self.left_out.max(0.0) as f64),
        };
        let unmeasured = if self.search.counters.triangle_tests > 0 { threshold + beyond } else { f64::INFINITY };
        pruned.min(self.nearest.distance).min(unmeasured)
    }

    #[inline(always)]
    fn walk<S: Simd>(&mut self, simd: S, batch: &mut TriangleBatch, counts: &mut TestCounts) -> End
    where
        X: Expand<S>,
    {
        let beyond = self.looks_beyond().unwrap_or(0.0);
        let (ask, mut limit, threshold) = match self.search.threshold {
            Some(threshold) => {
                (Ask::DistanceOrDepth, self.frame.limit(threshold + beyond), self.frame.limit(threshold))
            }
            None => (Ask::Overlap, beyond as f32, 0.0),
        };
        let suspended = self.search.memory.suspended.take();
        if let Some(suspended) = suspended.filter(|suspended| Some(suspended.resume_key) == self.search.resume_key) {
            // What the suspended walk pruned is not known.
            (self.nearest, self.left_out) = (suspended.best, 0.0);
        } else if self.is_from_rest {
            self.search.workspace.stack.clear();
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
            self.search.workspace.stack.clear();
            self.search.workspace.stack.push(&self.nodes.roots().of_any_depth());
        }
        let mut patience = FIRST_PATIENCE;
        let mut fruitless = 0;
        let any_order = self.takes_any_order();
        // The order decides how soon a first pair is found, so it is the same on every processor. Where all pairs are looked at, it changes
        // neither answers nor counters, and only processors that gain by it take two pairs of nodes.
        let takes_two = if N::FIRST_ONLY { self.nodes.pairs_up() } else { any_order && self.nodes.takes_two() };
        let pairs_up = !CERTIFIES && takes_two && self.search.max_work == 0;
        let from = if N::FIRST_ONLY { self.search.counters.expansions + PAIRS_FROM } else { 0 };
        let mut waiting: Option<Opening> = None;
        while !self.is_spent(batch) {
            let (first, second) = if let Some(pair) = self.next_pair(simd, limit) {
                if CERTIFIES && pair.bound > threshold {
                    if self.looked_beyond(1) {
                        limit = threshold;
                    }
                    if pair.bound > limit {
                        continue;
                    }
                }
                match self.nodes.next(&pair.pairs, pair.lane) {
                    Next::Open(opened) => {
                        let taken = Opening { pair: opened, bound: pair.bound };
                        let may_wait = pairs_up && self.search.counters.expansions >= from;
                        if may_wait && waiting.is_none() && self.search.workspace.stack.has_room_for_two() {
                            self.nodes.prefetch(&opened);
                            waiting = Some(taken);
                            continue;
                        }
                        joined(&mut waiting, taken)
                    }
                    Next::Triangles(slots) => {
                        if !batch.push(slots) {
                            continue;
                        }
                        if !self.test_batch(simd, batch) {
                            return End::Stopped;
                        }
                        fruitless += 4;
                        if N::FIRST_ONLY && fruitless == patience {
                            self.search.workspace.stack.raise_first(simd, limit);
                            (patience, fruitless) = (2 * patience, 0);
                        }
                        continue;
                    }
                }
            } else if let Some(last) = waiting.take() {
                (last, None)
            } else {
                break;
            };
            if self.nodes.takes_two()
                && let Some(second) = second
            {
                self.search.counters.expansions += 2;
                self.search.counters.work += 2;
                let request = |bound| Request { ask, limit, pruned_above: limit, bound };
                let requests = [request(first.bound), request(second.bound)];
                let [low, high] = self.nodes.expand_two(simd, [&first.pair, &second.pair], requests, counts);
                let go_on = self.put_away(simd, high, limit, any_order, batch)
                    && self.put_away(simd, low, limit, any_order, batch);
                if !go_on {
                    return End::Stopped;
                }
                continue;
            }
            let mut then = second.is_some().then_some(first);
            let mut now = second.unwrap_or(first);
            loop {
                self.search.counters.expansions += 1;
                self.search.counters.work += 1;
                let certifies = self.looks_beyond().is_some();
                // A walk that certifies sees what it prunes.
                let pruned_above = if certifies { f32::MAX } else { limit };
                let request = Request { ask, limit, pruned_above, bound: now.bound };
                let mut survivors = self.nodes.expand(simd, &now.pair, request, counts);
                if CERTIFIES && !(survivors.nearest <= limit) {
                    self.left_out = self.left_out.min(survivors.nearest);
                } else if certifies {
                    self.left_out = self.left_out.min(survivors.prune(simd, limit));
                    if any_order && survivors.pairs.triangles != 0 {
                        let all = survivors.triangles_within(simd, limit);
                        let beyond = all & !survivors.triangles_within(simd, threshold);
                        if self.looked_beyond(beyond.count_ones() as u64) {
                            limit = threshold;
                        }
                    }
                }
                if !self.put_away(simd, survivors, limit, any_order, batch) {
                    return End::Stopped;
                }
                let Some(next) = then.take() else { break };
                now = next;
            }
        }
        // The pairs that wait are paid for; left waiting they would use up a small budget again and again.
        if !batch.is_empty() && !self.test_batch(simd, batch) {
            return End::Stopped;
        }
        if self.search.workspace.stack.is_empty() { End::Exhausted } else { End::Spent }
    }

    /// The pair to look at next.
    #[inline(always)]
    fn next_pair<S: Simd>(&mut self, simd: S, limit: f32) -> Option<Survivor> {
        let workspace = &mut *self.search.workspace;
        let pair = workspace.stack.pop(simd, limit);
        if pair.is_none() && self.is_from_rest { workspace.queue.pop(simd) } else { pair }
    }

    /// Lets wait what is within the limit, or measures the triangles of it at once; false ends the walk.
    #[inline(always)]
    fn put_away<S: Simd>(
        &mut self,
        simd: S,
        survivors: Survivors,
        limit: f32,
        any_order: bool,
        batch: &mut TriangleBatch,
    ) -> bool
    where
        X: Expand<S>,
    {
        if !(survivors.nearest <= limit) {
            return true;
        }
        if any_order && survivors.pairs.triangles != 0 {
            return self.take_triangles(simd, &survivors, limit, batch);
        }
        self.search.workspace.stack.push(&survivors);
        true
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
            self.search.workspace.stack.push(&others);
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
        let models = self.frame.models;
        let beyond = self.looks_beyond();
        let robust_tests = &mut self.search.counters.robust_tests;
        let mut go_on = true;
        match (self.search.threshold, beyond) {
            (None, None) => {
                let hits = batch.intersections(simd, models, N::FIRST_ONLY, robust_tests);
                if hits != 0 {
                    go_on = self.search.visitor.touching(batch.slots(), hits);
                }
            }
            (threshold, beyond) => {
                let threshold = threshold.unwrap_or(0.0);
                let measured = threshold + beyond.unwrap_or(0.0);
                // A first find is measured by whoever tells of it.
                let near = threshold * NEAR_ENOUGH;
                let near = if N::FIRST_ONLY && self.search.visitor.takes(near) { near } else { NEVER };
                let measures = batch.distances(simd, models, (near, measured), N::FIRST_ONLY, robust_tests);
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
