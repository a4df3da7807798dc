//! The nearest pair of triangles: along the front of the last query if there is one, else from the roots.
//!
//! From the roots the search is best-first, and depth-first when the queue is full. Where the answer may be approximate or the
//! budget is short, descents look for a good pair early. Whatever is pruned has a lower bound above the best distance found,
//! so the order decides how much is looked at, never what is answered [Larsen 1999, 3 and 6].

use crate::posed::bound_frame::BoundFrame;
use crate::posed::expansion::{Ask, Certify, Expand, Request, TestCounts};
use crate::posed::posed_models::PosedModels;
use crate::posed::survivors::{Survivor, Survivors};
use crate::search::RunSearch;
use crate::search::along_front::{AlongFront, Goal, GoesOn, along_front};
use crate::search::counters::Counters;
use crate::search::face_gaps::FaceGaps;
use crate::search::farther_pairs::FartherPairs;
use crate::search::flat_pairs::FlatPairs;
use crate::search::incumbent::{Incumbent, MeasuredPair};
use crate::search::memory::{Memory, ResumeKey, Suspended};
use crate::search::open_pairs::OpenPairs;
use crate::search::triangle_batch::{NEVER, PairDistances, TriangleBatch};
use crate::search::two_by_two::{Opening, joined};
use crate::search::within::FIRST_PATIENCE;
use crate::search::workspace::Workspace;
use crate::tree::node_pair::{Next, NodePair};
use fearless_simd::Simd;

/// In which order a search opens nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SearchOrder {
    /// The library chooses.
    #[default]
    Auto,
    DepthFirst,
    BestFirst,
}

/// What a search for the nearest pair is given, in working units.
#[derive(Clone, Copy, Debug)]
pub struct NearestParams {
    pub max_work: u64,
    pub relative_error: f64,
    pub absolute_error: f64,
    pub max_distance: f64,
    pub search: SearchOrder,
    /// A pair to start from, which also wins among equals.
    pub remembered: Option<(u32, u32)>,
    /// Whether a pass along the front of the last query comes first.
    pub asks_front: bool,
    /// The resume_key, if the search may continue a suspended one and may be continued itself.
    pub resume_key: Option<ResumeKey>,
}

#[derive(Clone, Copy, Debug)]
pub struct NearestAnswer {
    pub complete: bool,
    /// Working frame; equal to the best distance when the search was exact and complete.
    pub lower: f64,
    pub best: Option<MeasuredPair>,
}

/// An approximate search descends into a pair if its radii are at most `PROMISING * (best - bound)`: of larger pairs few lead to
/// a better one.
const PROMISING: f32 = 8.0;

/// Before the first pair is found, a search descends if the radii are at most `FIRST * bound`: larger pairs lead to triangles
/// that are far too far.
const FIRST: f32 = 2.5;

/// Pairs that are measured before the direction of the best one is asked for: among the first the best one changes too often.
const BEFORE_DIRECTIONS: u64 = 8;

/// Pairs at the same features are as near as each other to this factor.
const NEARLY: f64 = 1.0 + f64::from_bits((1023 - 40) << 52);

/// Pairs at the same features after which a search looks whether these are vertices.
const VERTEX_TIES: u64 = 12;

/// Ties after which a search looks whether they are flat.
const MANY_TIES: u64 = 12;

/// A search that has opened this many pairs, and still meets volumes that overlap, dives for touching triangles, and once more
/// when it has opened `SECOND_DIVE`. A dive may open one pair for every `PER_DIVE` that were opened before it.
const FIRST_DIVE: u64 = 256;
const SECOND_DIVE: u64 = 4096;
const PER_DIVE: u64 = 4;

/// Looks for farther pairs that a search may make in vain, and how many looks the time of measuring one pair is worth: 91 and 525
/// instructions. Where all faces are parallel no pair is farther.
const LOOKS: u32 = 32;
const LOOKS_SAVED: u32 = 5;

/// A search that stopped looking tries a few times again after so many pairs, because the first pairs of a search tell little of the
/// later ones. That costs 2 % of measuring these pairs.
const PAIRS_UNSEEN: u32 = 64;
const LOOKS_AGAIN: u32 = 8;

/// Errors below this share of the distance save less than descents cost.
const NOTICEABLE: f64 = 0.005;

/// A search for the nearest pair, and the memory that it uses.
pub struct NearestSearch<'s> {
    pub params: NearestParams,
    pub workspace: &'s mut Workspace,
    pub memory: &'s mut Memory,
    pub counters: &'s mut Counters,
}

impl RunSearch for NearestSearch<'_> {
    type Answer = NearestAnswer;

    #[inline(always)]
    fn run<S: Simd, X: Certify<S>, const CERTIFIES: bool>(
        self,
        simd: S,
        frame: &BoundFrame,
        nodes: &X,
    ) -> NearestAnswer {
        let Self { params, workspace, memory, counters } = self;
        workspace.ties.forget(true);
        workspace.alone = None;
        let (mut begun, mut is_lost) = (None, false);
        let is_continued = memory.can_continue(params.resume_key);
        let touched = params.remembered.filter(|_| memory.front.touched() && params.max_work == 0 && !is_continued);
        if let Some(slots) = touched {
            // Models that touched a moment ago may still touch elsewhere. How soon a touching pair is met is a matter of order, and
            // only the order of a cold query makes this query cost no more than a cold one.
            if still_touches(simd, frame.models, slots, counters) {
                memory.suspended = None;
                let best = Some(MeasuredPair { distance: 0.0, slots, candidate: 0.0 });
                return NearestAnswer { complete: true, lower: 0.0, best };
            }
            begun = Some((GoesOn::FromRoots, Incumbent::new(frame, &params)));
        } else if let Some(remembered) = params.remembered
            && params.asks_front
            && !is_continued
        {
            workspace.ties.forget(false);
            let mut goal = NearestGoal { incumbent: Incumbent::new(frame, &params), params: &params };
            let pass = AlongFront {
                frame,
                nodes,
                front: &mut memory.front,
                counters: &mut *counters,
                goal: &mut goal,
                max_work: params.max_work,
                rest: (params.max_work == 0).then_some(&mut workspace.queue),
                ties: Some(&mut workspace.ties),
                alone: Some(&mut workspace.alone),
                candidate: memory.candidate,
                is_limit_fixed: false,
            };
            let end = along_front(simd, pass, Some(remembered));
            let goes_on = end.and_then(|end| end.goes_on);
            if let Some(end) = end.filter(|_| goes_on.is_none()) {
                memory.suspended = None;
                let Incumbent { best, pruned_above, .. } = goal.incumbent;
                memory.front.note_nearest(best.slots, best.distance == 0.0);
                let found = pruned_above.min(best.distance);
                let lower = if end.complete { found } else { frame.certified(end.left_out).min(found) };
                let best = (best.distance < f64::INFINITY).then_some(best);
                return NearestAnswer { complete: end.complete, lower, best };
            }
            is_lost = goes_on.is_some();
            begun = goes_on.map(|goes_on| (goes_on, goal.incumbent));
        }
        let before = *counters;
        let search = NearestSearch { params, workspace, memory: &mut *memory, counters: &mut *counters };
        let answer = run_apart(simd, search, frame, nodes, begun, touched);
        let is_from_roots = !begun.is_some_and(|(goes_on, _)| goes_on == GoesOn::FromRest);
        if answer.complete && !is_continued && is_from_roots {
            memory.front.note_from_roots(counters.expansions - before.expansions, counters.cost() - before.cost());
        }
        if is_lost {
            memory.front.judge(false, counters.expansions);
        }
        let touches = answer.best.is_some_and(|best| best.distance == 0.0);
        match answer.best {
            Some(best) if begun.is_some() => memory.front.note_nearest(best.slots, touches),
            _ if params.asks_front || params.remembered.is_some() => memory.front.note_touching(touches),
            _ => {}
        }
        answer
    }
}

// The search along the front and that from the roots are called, so that each is compiled for itself and neither waits on the
// stack of the other.

#[inline(never)]
fn run_apart<S: Simd, X: Expand<S>>(
    simd: S,
    search: NearestSearch,
    frame: &BoundFrame,
    nodes: &X,
    begun: Option<(GoesOn, Incumbent)>,
    touched: Option<(u32, u32)>,
) -> NearestAnswer {
    simd.vectorize(
        #[inline(always)]
        || {
            let NearestSearch { params, workspace, memory, counters } = search;
            FromRoots {
                frame,
                nodes,
                workspace,
                memory,
                // A budget is spent on what waits.
                next_dive: if params.max_work == 0 { counters.expansions + FIRST_DIVE } else { u64::MAX },
                counters,
                params,
                is_exact: params.relative_error == 0.0 && params.absolute_error == 0.0,
                incumbent: begun.map_or_else(|| Incumbent::new(frame, &params), |(_, incumbent)| incumbent),
                goes_on: begun.map(|(goes_on, _)| goes_on),
                touched,
                farther: FartherPairs::NONE,
                is_farther_old: begun.is_some(),
                ties: 0,
                flat: None,
                near: 0,
                is_tie_known: false,
                credit: LOOKS,
                unseen: 0,
                face_gaps: FaceGaps::NONE,
                batch: TriangleBatch::default(),
                open_pairs: OpenPairs::NONE,
                overlaps: false,
                counts: TestCounts::default(),
            }
            .run(simd)
        },
    )
}

/// Whether a pair of triangles touches, which is told sooner than how far apart it is.
#[inline(never)]
fn still_touches<S: Simd>(simd: S, models: &PosedModels, slots: (u32, u32), counters: &mut Counters) -> bool {
    let mut batch = TriangleBatch::default();
    batch.push(slots);
    counters.triangle_tests += 1;
    batch.intersections(simd, models, true, &mut counters.robust_tests) != 0
}

/// The nearest pair, as what a pass along the front looks for.
struct NearestGoal<'p> {
    incumbent: Incumbent,
    params: &'p NearestParams,
}

impl Goal for NearestGoal<'_> {
    fn limit(&self) -> f32 {
        self.incumbent.limit
    }

    fn beyond(&self) -> f64 {
        self.incumbent.best.distance
    }

    fn offer(&mut self, models: &PosedModels, pair: MeasuredPair) {
        self.incumbent.offer(models, self.params, pair);
    }

    fn guide(&self) -> Option<&MeasuredPair> {
        Some(&self.incumbent.best)
    }

    fn take_over(&mut self, frame: &BoundFrame, told: MeasuredPair) {
        self.incumbent.best = told;
        self.incumbent.tighten(frame, self.params);
    }

    fn settle(&mut self, frame: &BoundFrame) -> bool {
        self.incumbent.tighten(frame, self.params);
        self.incumbent.best.distance == 0.0
    }
}

/// A search that begins at the roots, under way.
struct FromRoots<'a, 's, X> {
    frame: &'a BoundFrame<'a>,
    nodes: &'a X,
    workspace: &'s mut Workspace,
    memory: &'s mut Memory,
    counters: &'s mut Counters,
    params: NearestParams,
    is_exact: bool,
    incumbent: Incumbent,
    /// Whether a pass along the front went before, which knows the incumbent, and where this search goes on.
    goes_on: Option<GoesOn>,
    /// The pair that touched in the last query and does not now: it wins among equals, but is measured only if no pair touches.
    touched: Option<(u32, u32)>,
    /// What is farther than the incumbent, or than an earlier one if it is old, as the direction of that one tells.
    farther: FartherPairs,
    is_farther_old: bool,
    /// Pairs as near as the incumbent that were measured since it was found.
    ties: u64,
    /// What is no nearer than the incumbent because it is flat; looked for among ties only.
    flat: Option<FlatPairs>,
    /// Pairs as near as the incumbent to rounding that were measured, and whether `TiedPairs` knows of it: most incumbents have few
    /// before they are replaced.
    near: u64,
    is_tie_known: bool,
    /// How long farther pairs are still looked for: what a look costs is taken away, what a pair found saves is added.
    credit: u32,
    /// Pairs that were not looked at since the credit was used up.
    unseen: u32,
    /// What is farther than the incumbent across a face, looked for while it pays.
    face_gaps: FaceGaps,
    batch: TriangleBatch,
    /// Pairs that do not touch and are not measured yet.
    open_pairs: OpenPairs,
    /// Whether the last pair of triangles that was taken from the queue is one of volumes that overlap.
    overlaps: bool,
    /// Expansions at which the search dives.
    next_dive: u64,
    /// Lanes tested so far.
    counts: TestCounts,
}

/// Where a search stands before its best-first part.
enum Begun {
    InQueue,
    Ended { complete: bool },
}

impl Begun {
    /// With everything that waits in the queue, or out of budget.
    #[inline(always)]
    fn if_in_queue(is_in_queue: bool) -> Self {
        if is_in_queue { Self::InQueue } else { Self::Ended { complete: false } }
    }
}

impl<X> FromRoots<'_, '_, X> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> NearestAnswer
    where
        X: Expand<S>,
    {
        let before = self.counters.expansions;
        let mut complete = self.search(simd);
        if !self.open_pairs.is_empty() && self.incumbent.best.distance > 0.0 {
            self.measure_open_pairs(simd);
        }
        if !complete {
            // The pairs that wait are paid for; left waiting they would use up a small budget again and again.
            self.measure(simd);
        }
        if let Some(slots) = self.touched.filter(|_| complete && self.incumbent.best.distance > 0.0) {
            self.prefer(simd, slots);
        }
        // Nothing is nearer than a touching pair, whenever it was met: a larger budget must not know less.
        complete |= self.incumbent.best.distance == 0.0;
        let best = (self.incumbent.best.distance < f64::INFINITY).then_some(self.incumbent.best);
        let lower =
            if complete { self.incumbent.pruned_above.min(self.incumbent.best.distance) } else { self.pending_bound() };
        self.memory.suspended = match self.params.resume_key {
            Some(resume_key) if !complete => Some(Suspended { resume_key, best: self.incumbent.best }),
            _ => None,
        };
        self.counters.add_tests(self.counters.expansions - before, &self.counts);
        NearestAnswer { complete, lower, best }
    }

    /// Makes this pair the nearest if it is as near.
    #[cold]
    fn prefer<S: Simd>(&mut self, simd: S, slots: (u32, u32)) {
        let best = self.incumbent.best.distance;
        self.batch.push(slots);
        self.counters.triangle_tests += 1;
        self.counters.work += 1;
        let (models, robust) = (self.frame.models, &mut self.counters.robust_tests);
        let measures = self.batch.distances(simd, models, (NEVER, best), true, robust);
        self.batch.clear();
        let (distance, candidate) = (measures.distances[0], measures.candidates[0]);
        if distance <= best {
            self.incumbent.best = MeasuredPair { distance, slots, candidate };
        }
    }

    /// True when nothing is left that could be nearer.
    #[inline(always)]
    fn search<S: Simd>(&mut self, simd: S) -> bool
    where
        X: Expand<S>,
    {
        match self.begin(simd) {
            Begun::Ended { complete } => complete,
            Begun::InQueue => self.best_first(simd),
        }
    }

    /// Fills the queue: with what a suspended search left, or from the roots.
    #[inline(always)]
    fn begin<S: Simd>(&mut self, simd: S) -> Begun
    where
        X: Expand<S>,
    {
        if let (Some(suspended), Some(resume_key)) = (self.memory.suspended.take(), self.params.resume_key)
            && suspended.resume_key == resume_key
        {
            self.incumbent.best = suspended.best;
            self.tighten();
            return Begun::if_in_queue(self.depth_first(simd));
        }
        self.workspace.stack.clear();
        if self.goes_on == Some(GoesOn::FromRest) {
            return Begun::InQueue;
        }
        self.workspace.queue.restart(self.frame.highest(), self.incumbent.limit);
        if let Some(remembered) = self.params.remembered.filter(|_| self.goes_on.is_none()) {
            // The triangle cache of [Larsen 1999, 6.2].
            self.batch.push(remembered);
            self.measure(simd);
            if self.params.max_work != 0 {
                self.counters.work = 0;
            }
            if self.incumbent.best.distance == 0.0 {
                return Begun::Ended { complete: true };
            }
        } else if self.params.max_work != 0 {
            // The first pair is free, so that every budget gives a finite interval.
            self.batch.push((0, 0));
            self.measure(simd);
            self.counters.work = 0;
        }
        let best_first = match self.params.search {
            SearchOrder::DepthFirst => false,
            SearchOrder::BestFirst | SearchOrder::Auto => true,
        };
        self.workspace.stack.push(&self.nodes.roots());
        if !best_first {
            return Begun::Ended { complete: self.depth_first(simd) };
        }
        if self.params.remembered.is_none() && self.params.max_work != 0 {
            // Every search opens what best-first opens, so that a descent before it costs more than it saves. But best-first finds
            // its pairs last, which is too late for a budget.
            if !self.descend(simd) {
                return Begun::Ended { complete: false };
            }
            self.measure(simd);
        }
        Begun::if_in_queue(self.stack_to_queue(simd))
    }

    /// Moves what waits on the stack into the queue.
    #[inline(always)]
    fn stack_to_queue<S: Simd>(&mut self, simd: S) -> bool
    where
        X: Expand<S>,
    {
        while let Some(survivors) = self.workspace.stack.pop_all() {
            if survivors.nearest <= self.incumbent.limit && !self.workspace.queue.push(&survivors) {
                // A full queue, or one smaller than a descent: what does not fit is searched depth-first at once.
                self.workspace.stack.push(&survivors);
                if !self.depth_first(simd) {
                    return false;
                }
            }
        }
        true
    }

    /// Follows the nearest of what was put on the stack last down to the first triangles, which go to the batch; survivors are
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
            let Some(nearest) = self.workspace.stack.pop(simd, within) else { return true };
            match self.nodes.next(&nearest.pairs, nearest.lane) {
                Next::Open(opened) => {
                    let survivors = self.open(simd, &opened, nearest.bound, within);
                    if !(survivors.nearest <= within) {
                        return true;
                    }
                    self.workspace.stack.push(&survivors);
                }
                Next::Triangles(slots) => {
                    if !self.is_farther(simd, slots) && self.batch.push(slots) || self.fill_batch(simd, within) {
                        self.measure(simd);
                    }
                    return true;
                }
            }
        }
        false
    }

    /// Adds triangle pairs next to those that a descent ended with, whose lanes would be idle otherwise. True when the batch is
    /// full.
    #[inline(always)]
    fn fill_batch<S: Simd>(&mut self, simd: S, within: f32) -> bool
    where
        X: Expand<S>,
    {
        while self.workspace.stack.ends_in_triangles() && !self.is_spent() {
            let Some(pair) = self.workspace.stack.pop(simd, within) else { return false };
            if let Next::Triangles(slots) = self.nodes.next(&pair.pairs, pair.lane)
                && !self.is_farther(simd, slots)
                && self.batch.push(slots)
            {
                return true;
            }
        }
        false
    }

    /// Whether a descent into this pair is likely to end an approximate search sooner. Best-first alone finds a good pair late, and
    /// volumes with radii that add up to r and that are b apart hold points that are hardly farther apart than b + r.
    #[inline(always)]
    fn is_promising<S: Simd>(&self, pair: &Survivor) -> bool
    where
        X: Expand<S>,
    {
        if self.is_exact {
            return false;
        }
        let NearestParams { relative_error, absolute_error, remembered, .. } = self.params;
        let Incumbent { best, found, .. } = self.incumbent;
        let is_first = best.distance == f64::INFINITY;
        let apart = self.frame.certified(pair.bound);
        // The pair of the last query says little where the models moved far: this search still has to find its first pair.
        let first = if is_first || remembered == Some(best.slots) { FIRST * apart as f32 } else { f32::INFINITY };
        let gain = first.min(PROMISING * (found - pair.bound));
        // Most pairs of models that are close overlap: their radii need not be read.
        gain > 0.0
            && (relative_error > NOTICEABLE
                || absolute_error > NOTICEABLE * if is_first { apart } else { best.distance })
            && self.nodes.radii(&pair.pairs, pair.lane) <= gain
    }

    #[inline(always)]
    fn best_first<S: Simd>(&mut self, simd: S) -> bool
    where
        X: Expand<S>,
    {
        let pairs_up = self.nodes.pairs_up() && self.is_exact && self.params.max_work == 0;
        let mut waiting: Option<Opening> = None;
        loop {
            if self.is_spent() && self.workspace.queue.has_more() {
                return false;
            }
            let Some(pair) = self.workspace.queue.pop(simd) else {
                if let Some(last) = waiting.take().filter(|last| last.bound <= self.incumbent.limit) {
                    if !self.open_pairs_of_nodes(simd, last, None) {
                        return false;
                    }
                    if self.incumbent.best.distance == 0.0 {
                        return true;
                    }
                    continue;
                }
                if self.batch.is_empty() {
                    return true;
                }
                self.measure(simd);
                if self.incumbent.best.distance == 0.0 {
                    return true;
                }
                continue;
            };
            match self.nodes.next(&pair.pairs, pair.lane) {
                Next::Open(opened) => {
                    self.nodes.prefetch(&opened);
                    if !self.open_pairs.is_empty() && pair.bound > 0.0 {
                        self.measure_open_pairs(simd);
                    }
                    if self.counters.expansions >= self.next_dive && pair.bound <= 0.0 {
                        self.dive(simd);
                        if self.incumbent.best.distance == 0.0 {
                            return true;
                        }
                    }
                    if self.is_promising(&pair) {
                        let survivors = self.open(simd, &opened, pair.bound, self.incumbent.limit);
                        if survivors.nearest <= self.incumbent.limit && !self.go_deeper(simd, survivors) {
                            return false;
                        }
                    } else {
                        let taken = Opening { pair: opened, bound: pair.bound };
                        // Of pairs that overlap one may lead to triangles that touch, and then no other is opened.
                        let is_needed = pair.bound > 0.0 || self.counters.expansions >= FIRST_DIVE;
                        if waiting.is_some_and(|first| first.bound > self.incumbent.limit) {
                            waiting = None;
                        }
                        if pairs_up && is_needed && waiting.is_none() {
                            waiting = Some(taken);
                            continue;
                        }
                        let (first, second) = joined(&mut waiting, taken);
                        if !self.open_pairs_of_nodes(simd, first, second) {
                            return false;
                        }
                    }
                }
                Next::Triangles(slots) => {
                    if !self.is_farther(simd, slots) && self.batch.push(slots) {
                        self.overlaps = pair.bound <= 0.0;
                        if self.overlaps || self.open_pairs.is_empty() {
                            self.measure(simd);
                        } else {
                            self.measure_open_pairs(simd);
                        }
                    }
                }
            }
            if self.incumbent.best.distance == 0.0 {
                return true;
            }
        }
    }

    /// Opens one pair or two. Where both leave something in one bucket, what is left of the first is taken first.
    #[inline(always)]
    fn open_pairs_of_nodes<S: Simd>(&mut self, simd: S, first: Opening, second: Option<Opening>) -> bool
    where
        X: Expand<S>,
    {
        let limit = self.incumbent.limit;
        if self.nodes.takes_two()
            && let Some(second) = second
        {
            self.counters.expansions += 2;
            self.counters.work += 2;
            let request = |bound| Request { ask: Ask::Distance, limit, pruned_above: limit, bound };
            let requests = [request(first.bound), request(second.bound)];
            let [low, high] = self.nodes.expand_two(simd, [&first.pair, &second.pair], requests, &mut self.counts);
            return self.put_away(simd, high) && self.put_away(simd, low);
        }
        let mut then = second.is_some().then_some(first);
        let mut now = second.unwrap_or(first);
        loop {
            let survivors = self.open(simd, &now.pair, now.bound, limit);
            if !self.put_away(simd, survivors) {
                return false;
            }
            let Some(next) = then.take() else { return true };
            now = next;
        }
    }

    #[inline(always)]
    fn put_away<S: Simd>(&mut self, simd: S, survivors: Survivors) -> bool
    where
        X: Expand<S>,
    {
        let is_left = survivors.nearest <= self.incumbent.limit;
        !is_left || self.workspace.queue.push(&survivors) || self.search_at_once(simd, survivors)
    }

    /// Searches depth first what the queue has no room for.
    #[cold]
    #[inline(never)]
    fn search_at_once<S: Simd>(&mut self, simd: S, survivors: Survivors) -> bool
    where
        X: Expand<S>,
    {
        self.leave_queue(simd, &survivors);
        self.depth_first(simd)
    }

    /// Puts survivors on the stack. What goes depth first needs the limit that the open pairs give.
    #[inline(always)]
    fn leave_queue<S: Simd>(&mut self, simd: S, survivors: &Survivors) {
        self.overlaps = false;
        if !self.open_pairs.is_empty() {
            self.measure_open_pairs(simd);
        }
        self.workspace.stack.push(survivors);
    }

    /// Follows what an approximate search expects to lead to a good pair.
    #[inline(always)]
    fn go_deeper<S: Simd>(&mut self, simd: S, survivors: Survivors) -> bool
    where
        X: Expand<S>,
    {
        self.leave_queue(simd, &survivors);
        let finished = self.descend(simd);
        if self.incumbent.best.distance == f64::INFINITY {
            self.measure(simd);
        }
        finished && self.stack_to_queue(simd)
    }

    /// Looks for touching triangles as collide does: from the roots, depth first, the deepest overlap first. Models that touch are
    /// found touching so, while all volumes that overlap are alike to best first, of which there may be any number. Nothing that
    /// waits is taken away, so that a dive in vain costs no more than itself.
    #[cold]
    #[inline(never)]
    fn dive<S: Simd>(&mut self, simd: S)
    where
        X: Expand<S>,
    {
        let end = self.counters.expansions + self.counters.expansions / PER_DIVE;
        self.next_dive = if self.next_dive < SECOND_DIVE { SECOND_DIVE } else { u64::MAX };
        let waiting = core::mem::take(&mut self.batch);
        simd.vectorize(
            #[inline(always)]
            || self.follow_overlaps(simd, end),
        );
        self.workspace.stack.clear();
        self.batch = waiting;
    }

    #[inline(always)]
    fn follow_overlaps<S: Simd>(&mut self, simd: S, end: u64)
    where
        X: Expand<S>,
    {
        let (mut patience, mut fruitless) = (FIRST_PATIENCE, 0);
        self.workspace.stack.push(&self.nodes.roots().of_any_depth());
        while self.counters.expansions < end {
            let Some(pair) = self.workspace.stack.pop(simd, 0.0) else { break };
            match self.nodes.next(&pair.pairs, pair.lane) {
                Next::Open(opened) => {
                    let request = Request { ask: Ask::Overlap, limit: 0.0, pruned_above: 0.0, bound: pair.bound };
                    let survivors = self.expand(simd, &opened, request);
                    if survivors.nearest <= 0.0 {
                        self.workspace.stack.push(&survivors);
                    }
                }
                Next::Triangles(slots) => {
                    if !self.batch.push(slots) {
                        continue;
                    }
                    if self.asks_batch(simd) {
                        return;
                    }
                    fruitless += 4;
                    if fruitless == patience {
                        self.workspace.stack.raise_first(simd, 0.0);
                        (patience, fruitless) = (2 * patience, 0);
                    }
                }
            }
        }
        self.asks_batch(simd);
    }

    /// Empties the batch of a dive; whether one of its pairs touches.
    #[inline(always)]
    fn asks_batch<S: Simd>(&mut self, simd: S) -> bool {
        let count = self.batch.len() as u64;
        self.counters.triangle_tests += count;
        self.counters.work += count;
        let touches = count != 0 && self.meets_touching(simd);
        self.batch.clear();
        touches
    }

    /// Whether a pair of the batch touches; then it is the nearest. No pair is measured.
    #[inline(never)]
    fn meets_touching<S: Simd>(&mut self, simd: S) -> bool {
        let hits = self.batch.intersections(simd, self.frame.models, true, &mut self.counters.robust_tests);
        if hits == 0 {
            return false;
        }
        let slots = self.batch.slots()[hits.trailing_zeros() as usize];
        self.incumbent.best = MeasuredPair { distance: 0.0, slots, candidate: 0.0 };
        self.tighten();
        true
    }

    /// Empties the stack, nearest child first. Compiled once, not at all the places that need it.
    #[inline(never)]
    fn depth_first<S: Simd>(&mut self, simd: S) -> bool
    where
        X: Expand<S>,
    {
        simd.vectorize(
            #[inline(always)]
            || self.empty_stack(simd),
        )
    }

    #[inline(always)]
    fn empty_stack<S: Simd>(&mut self, simd: S) -> bool
    where
        X: Expand<S>,
    {
        while !self.workspace.stack.is_empty() {
            if self.is_spent() {
                return false;
            }
            let Some(pair) = self.workspace.stack.pop(simd, self.incumbent.limit) else { break };
            match self.nodes.next(&pair.pairs, pair.lane) {
                Next::Open(opened) => {
                    let survivors = self.open(simd, &opened, pair.bound, self.incumbent.limit);
                    if survivors.nearest <= self.incumbent.limit {
                        self.workspace.stack.push(&survivors);
                    }
                }
                Next::Triangles(slots) => {
                    if !self.is_farther(simd, slots) && self.batch.push(slots) {
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
    fn open<S: Simd>(&mut self, simd: S, pair: &NodePair, bound: f32, limit: f32) -> Survivors
    where
        X: Expand<S>,
    {
        self.expand(simd, pair, Request { ask: Ask::Distance, limit, pruned_above: limit, bound })
    }

    #[inline(always)]
    fn expand<S: Simd>(&mut self, simd: S, pair: &NodePair, request: Request) -> Survivors
    where
        X: Expand<S>,
    {
        self.counters.expansions += 1;
        self.counters.work += 1;
        self.nodes.expand(simd, pair, request, &mut self.counts)
    }

    /// Whether a pair of triangles need not be measured: it is certainly farther than the incumbent, or as far and not preferred.
    #[inline(always)]
    fn is_farther<S: Simd>(&mut self, simd: S, slots: (u32, u32)) -> bool {
        if let Some(flat) = &self.flat
            && flat.have(self.frame.models, slots)
            && !self.incumbent.wins_among_equals(self.frame.models, &self.params, slots)
        {
            return true;
        }
        if self.is_farther_old && self.credit > 0 && self.counters.triangle_tests >= BEFORE_DIRECTIONS {
            self.is_farther_old = false;
            self.is_tie_known = self.near >= VERTEX_TIES;
            let ties = self.is_tie_known.then_some(&mut self.workspace.ties);
            self.farther = FartherPairs::than(self.frame.models, &self.incumbent.best, ties);
        }
        if let Some(told) = self.workspace.ties.tell(simd, self.frame.models, slots) {
            self.take_over(told);
            return true;
        }
        self.is_strictly_farther(slots)
    }

    /// Offers a pair whose value is told.
    #[inline(always)]
    fn take_over(&mut self, told: MeasuredPair) {
        let before = self.incumbent.best.distance;
        if told.distance <= before {
            self.incumbent.offer(self.frame.models, &self.params, told);
        }
        if told.distance < before {
            self.tighten();
            // What was farther than the incumbent is farther than this, too.
            (self.ties, self.flat) = (0, None);
        }
    }

    #[inline(always)]
    fn is_strictly_farther(&mut self, slots: (u32, u32)) -> bool {
        if self.credit == 0 {
            self.unseen += 1;
            if self.unseen < PAIRS_UNSEEN {
                return false;
            }
            (self.credit, self.unseen) = (LOOKS_AGAIN, 0);
        }
        if self.farther.are_unknown() {
            return false;
        }
        let is_farther = self.farther.have(self.frame.models, slots);
        self.credit = if is_farther { self.credit + LOOKS_SAVED } else { self.credit - 1 };
        is_farther
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
        let models = self.frame.models;
        let beyond = self.incumbent.best.distance;
        let across = self.face_gaps.limit(models, beyond);
        let (mut measures, open) = self.batch.plain_distances(simd, models, beyond, across);
        if across < f64::INFINITY {
            let is_farther = measures.distances == [f64::INFINITY; 4];
            self.face_gaps.note(is_farther);
            if is_farther {
                self.batch.clear();
                return;
            }
        }
        if open != 0 && self.settle(simd, open, &mut measures) {
            return;
        }
        let before = self.incumbent.best.distance;
        for (lane, &slots) in self.batch.slots().iter().enumerate() {
            let (distance, candidate) = (measures.distances[lane], measures.candidates[lane]);
            self.incumbent.offer(models, &self.params, MeasuredPair { distance, slots, candidate });
        }
        self.batch.clear();
        self.count_near(&measures.distances[..count], before);
        if self.incumbent.best.distance < before {
            self.tighten();
            (self.is_farther_old, self.ties, self.flat) = (true, 0, None);
        } else {
            self.count_ties(&measures.distances[..count]);
        }
    }

    /// Goes on with the pairs of the batch that plain arithmetic leaves open. They are set aside while overlapping volumes are taken
    /// from the queue, for an exact answer without a budget, which may not come to their measurement. True if one touches: then the
    /// search has ended.
    #[cold]
    #[inline(never)]
    fn settle<S: Simd>(&mut self, simd: S, open: u32, measures: &mut PairDistances) -> bool {
        if !(self.overlaps && self.is_exact && self.params.max_work == 0 && self.open_pairs.have_room()) {
            let robust = &mut self.counters.robust_tests;
            self.batch.settle_distances(simd, self.frame.models, open, robust, measures);
            return false;
        }
        if self.meets_touching(simd) {
            self.batch.clear();
            return true;
        }
        self.open_pairs.add(&self.batch, open);
        for lane in 0..4 {
            if open >> lane & 1 != 0 {
                // Not a distance yet: not the nearest, no tie, and not near.
                measures.distances[lane] = f64::NAN;
            }
        }
        false
    }

    /// Measures the pairs that were set aside, and before them the batch.
    #[cold]
    #[inline(never)]
    fn measure_open_pairs<S: Simd>(&mut self, simd: S) {
        self.overlaps = false;
        self.measure(simd);
        while self.incumbent.best.distance > 0.0
            && let Some(slots) = self.open_pairs.take()
        {
            if !self.is_farther(simd, slots) && self.batch.push(slots) {
                self.measure(simd);
            }
        }
        self.measure(simd);
    }

    /// Counts the distances that are as near as the incumbent to rounding.
    #[inline(always)]
    fn count_near(&mut self, distances: &[f64], before: f64) {
        let near = self.incumbent.best.distance * NEARLY;
        if before > near {
            (self.near, self.is_tie_known) = (0, false);
        }
        self.near += distances.iter().filter(|&&distance| distance <= near).count() as u64;
        self.is_farther_old |= self.near >= VERTEX_TIES && !self.is_tie_known;
    }

    /// Between flat faces most pairs are ties. Elsewhere there are a few, around one vertex.
    #[inline(always)]
    fn count_ties(&mut self, distances: &[f64]) {
        let before = self.ties;
        self.ties += distances.iter().filter(|&&distance| distance == self.incumbent.best.distance).count() as u64;
        if before < MANY_TIES && self.ties >= MANY_TIES {
            self.flat = FlatPairs::than(self.frame.models, &self.incumbent.best);
        }
    }

    /// Tells the queue what need not be looked at any more.
    fn tighten(&mut self) {
        self.incumbent.tighten(self.frame, &self.params);
        self.workspace.queue.set_limit(self.incumbent.limit);
    }

    /// A lower bound of everything that was not looked at.
    fn pending_bound(&self) -> f64 {
        let smallest = self.workspace.queue.smallest_bound().min(self.workspace.stack.smallest_bound());
        self.frame.certified(smallest).min(self.incumbent.pruned_above).min(self.incumbent.best.distance)
    }
}
