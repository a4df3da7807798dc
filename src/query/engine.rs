//! From a question in world units to a search on the right volume, arithmetic and instruction set, and back.
//!
//! Static dispatch happens here, once per query: the volumes of the two hierarchies, f32 or f64 lanes, and the
//! instruction set.

use crate::math::placement::Placement;
use crate::model::PairVisitor;
use crate::posed::expansion::{Certify, Entered, Expand, Hidden};
use crate::posed::node_pairs::{Alike, Ground, Mixed, is_inlined};
use crate::posed::posed_models::Placed;
use crate::posed::relative_frames::Frames;
use crate::primitive;
use crate::query::answer::*;
use crate::query::contact_sink::{ContactSink, Contacts};
use crate::query::write_touching::WriteTouching;
use crate::reference::plain_walk::PlainWalk;
use crate::search::along_front::FrontWalk;
use crate::search::nearest::{Best, Nearest, NearestAnswer, NearestParams};
use crate::search::within::{End, Visitor, Within, WithinAnswer};
use crate::search::workspace::{Question, QuestionKind, Scratch};
use crate::simd::level::{Operation, dispatch, dispatch_widest};
use crate::tree::node::Tree;
use crate::volume::Volume;
use fearless_simd::{Level, Simd};

/// Everything that a query of a pair reads and writes.
pub struct Engine<'p> {
    pub level: Level,
    pub placed: Placed<'p>,
    pub scratch: &'p mut Scratch,
    pub counters: &'p mut Counters,
    /// Counts the changes of the poses.
    pub generation: u64,
}

/// A search that is generic over scenes; monomorphised by `Engine::search`.
trait SearchOver {
    type Answer;
    fn over<S: Simd, X: Expand<S>>(
        self,
        simd: S,
        ground: &Ground,
        scene: &X,
        scratch: &mut Scratch,
        counters: &mut Counters,
    ) -> Self::Answer;

    /// The same over a scene that can say why pairs are apart.
    #[inline(always)]
    fn over_near<S: Simd, X: Certify<S>>(
        self,
        simd: S,
        ground: &Ground,
        scene: &X,
        scratch: &mut Scratch,
        counters: &mut Counters,
    ) -> Self::Answer
    where
        Self: Sized,
    {
        self.over(simd, ground, scene, scratch, counters)
    }
}

/// A search that waits for the types of its hierarchies.
struct Dispatched<'e, 'p, Q> {
    level: Level,
    query: Q,
    placed: Placed<'p>,
    scratch: &'e mut Scratch,
    counters: &'e mut Counters,
}

impl<Q: SearchOver> PairVisitor for Dispatched<'_, '_, Q> {
    type Output = Q::Answer;

    #[inline(always)]
    fn visit_alike<V: Volume>(self, tree_a: &Tree<V>, tree_b: &Tree<V>) -> Q::Answer {
        let (level, prepared) = (self.level, PreparedAlike { dispatched: self, tree_a, tree_b });
        if const { is_inlined::<V>() } { dispatch_widest(level, prepared) } else { dispatch(level, prepared) }
    }

    #[inline(always)]
    fn visit_mixed<A: Volume, B: Volume<Family = A::Family>>(self, tree_a: &Tree<A>, tree_b: &Tree<B>) -> Q::Answer {
        dispatch(self.level, PreparedMixed { dispatched: self, tree_a, tree_b })
    }
}

/// A search with two hierarchies of one volume, waiting for an instruction set.
struct PreparedAlike<'e, 'p, Q, V: Volume> {
    dispatched: Dispatched<'e, 'p, Q>,
    tree_a: &'e Tree<V>,
    tree_b: &'e Tree<V>,
}

impl<Q: SearchOver, V: Volume> Operation for PreparedAlike<'_, '_, Q, V> {
    type Output = Q::Answer;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Q::Answer {
        let Self { dispatched: Dispatched { query, placed, scratch, counters, .. }, tree_a, tree_b } = self;
        let frames = Frames::new(&placed, tree_a.reach, tree_b.reach);
        if frames.are_far() {
            let scene = Alike::<V, f64>::new(placed, tree_a, tree_b, &frames);
            hidden(simd, query, scene.ground(), &Entered(&scene), scratch, counters)
        } else if const { !is_inlined::<V>() } {
            let scene = Alike::<V, f32>::new(placed, tree_a, tree_b, &frames);
            hidden(simd, query, scene.ground(), &Entered(&scene), scratch, counters)
        } else {
            let scene = Alike::<V, f32>::new(placed, tree_a, tree_b, &frames);
            query.over_near(simd, scene.ground(), &scene, scratch, counters)
        }
    }
}

/// A search with hierarchies of different volumes, waiting for an instruction set.
struct PreparedMixed<'e, 'p, Q, A: Volume, B: Volume> {
    dispatched: Dispatched<'e, 'p, Q>,
    tree_a: &'e Tree<A>,
    tree_b: &'e Tree<B>,
}

impl<Q: SearchOver, A: Volume, B: Volume<Family = A::Family>> Operation for PreparedMixed<'_, '_, Q, A, B> {
    type Output = Q::Answer;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Q::Answer {
        let Self { dispatched: Dispatched { query, placed, scratch, counters, .. }, tree_a, tree_b } = self;
        let frames = Frames::new(&placed, tree_a.reach, tree_b.reach);
        if frames.are_far() {
            let scene = Mixed::<A, B, f64>::new(placed, tree_a, tree_b, &frames);
            hidden(simd, query, scene.ground(), &Entered(&scene), scratch, counters)
        } else {
            let scene = Mixed::<A, B, f32>::new(placed, tree_a, tree_b, &frames);
            hidden(simd, query, scene.ground(), &Entered(&scene), scratch, counters)
        }
    }
}

/// All searches but those over the default volume near by share their loops: a call through a table per expansion is
/// the price for a library that is a tenth of the size.
#[inline(never)]
fn hidden<S: Simd, Q: SearchOver>(
    simd: S,
    query: Q,
    ground: &Ground,
    scene: &dyn Expand<S>,
    scratch: &mut Scratch,
    counters: &mut Counters,
) -> Q::Answer {
    simd.vectorize(
        #[inline(always)]
        || query.over(simd, ground, &Hidden(scene), scratch, counters),
    )
}

struct NearestSearch(NearestParams);

impl SearchOver for NearestSearch {
    type Answer = NearestAnswer;

    #[inline(always)]
    fn over<S: Simd, X: Expand<S>>(
        self,
        simd: S,
        ground: &Ground,
        scene: &X,
        scratch: &mut Scratch,
        counters: &mut Counters,
    ) -> NearestAnswer {
        Nearest::run(simd, ground, scene, scratch, counters, self.0)
    }

    #[inline(always)]
    fn over_near<S: Simd, X: Certify<S>>(
        self,
        simd: S,
        ground: &Ground,
        scene: &X,
        scratch: &mut Scratch,
        counters: &mut Counters,
    ) -> NearestAnswer {
        let params = self.0;
        let is_resumed = params.question.is_some()
            && scratch.suspended.is_some_and(|suspended| Some(suspended.question) == params.question);
        if let Some(cached) = params.cached
            && params.search == Search::Auto
            && !is_resumed
        {
            let walk = FrontWalk { ground, scene, front: &mut scratch.front, counters, params };
            if let Some(answer) = along_front(simd, walk, cached) {
                scratch.suspended = None;
                return answer;
            }
        }
        let before = counters.expansions;
        let answer = self.over(simd, ground, scene, scratch, counters);
        if answer.complete && !is_resumed {
            scratch.front.note_from_roots(counters.expansions - before);
        }
        answer
    }
}

/// Apart from the search that begins at the roots, which would otherwise be compiled for two.
#[inline(never)]
fn along_front<S: Simd, X: Certify<S>>(simd: S, walk: FrontWalk<X>, cached: (u32, u32)) -> Option<NearestAnswer> {
    simd.vectorize(
        #[inline(always)]
        || walk.run(simd, cached),
    )
}

struct WithinSearch<'v, V> {
    visitor: &'v mut V,
    threshold: Option<f64>,
    max_work: u64,
    cached: Option<(u32, u32)>,
    question: Option<Question>,
}

impl<V: Visitor> SearchOver for WithinSearch<'_, V> {
    type Answer = WithinAnswer;

    #[inline(always)]
    fn over<S: Simd, X: Expand<S>>(
        self,
        simd: S,
        ground: &Ground,
        scene: &X,
        scratch: &mut Scratch,
        counters: &mut Counters,
    ) -> WithinAnswer {
        let Self { visitor, threshold, max_work, cached, question } = self;
        let (nearest, last) = (Best::NONE, Best::NONE);
        Within { ground, scene, scratch, counters, visitor, threshold, max_work, cached, question, nearest, last }
            .run(simd)
    }
}

/// Remembers the first pair and ends the walk.
struct First<'p> {
    placement: &'p Placement,
    /// World units; None for touching pairs only.
    limit: Option<f64>,
    found: Option<(u32, u32)>,
}

impl Visitor for First<'_> {
    const FIRST_ONLY: bool = true;

    fn takes_any_order(&self) -> bool {
        false
    }

    fn near(&mut self, slots: (u32, u32), distance: f64) -> bool {
        if self.limit.is_none_or(|limit| self.placement.distance_to_world(distance) <= limit) {
            self.found = Some(slots);
        }
        self.found.is_none()
    }
}

impl<'p> Engine<'p> {
    /// Whether spheres around the models are farther apart than the threshold, so that there is nothing to walk over. This is
    /// asked before a search is so much as prepared, because many pairs are never near.
    #[inline(always)]
    pub(super) fn is_apart(&mut self, threshold: Option<f64>) -> bool {
        let is_apart = self.placed.between_spheres() > threshold.unwrap_or(0.0);
        if is_apart {
            *self.counters = Counters::default();
            self.scratch.suspended = None;
        }
        is_apart
    }

    fn search<Q: SearchOver>(&mut self, query: Q) -> Q::Answer {
        *self.counters = Counters::default();
        let (level, placed) = (self.level, self.placed);
        let (scratch, counters) = (&mut *self.scratch, &mut *self.counters);
        let dispatched = Dispatched { level, query, placed, scratch, counters };
        placed.hierarchy_a.visit_pair(placed.hierarchy_b, dispatched).expect("a pair is made of one family")
    }

    /// Shows every pair within the threshold (touching pairs without one) to a visitor, in any order; false when the budget ran
    /// out.
    pub(super) fn visit_within(&mut self, visitor: &mut impl Visitor, threshold: Option<f64>, max_work: u64) -> bool {
        let query = WithinSearch { visitor, threshold, max_work, cached: None, question: None };
        self.search(query).end == End::Exhausted
    }

    fn walk_over_all(&self) -> PlainWalk<'p> {
        let Placed { a, b, placement, .. } = self.placed;
        PlainWalk { a, b, placement }
    }

    fn contact(&self, found: &Best) -> Contact {
        let (Placed { a, b, .. }, (slot_a, slot_b)) = (self.placed, found.slots);
        let closest =
            primitive::closest_by(&self.placed.triangle_a(slot_a), &self.placed.triangle_b(slot_b), found.candidate);
        let (id_a, id_b) = (a.id_of_slot(slot_a as usize), b.id_of_slot(slot_b as usize));
        self.walk_over_all().in_world(id_a, id_b, closest)
    }

    fn question(&self, cold: bool, kind: QuestionKind, numbers: [f64; 3]) -> Option<Question> {
        (!cold).then_some(Question { kind, generation: self.generation, numbers })
    }

    #[inline(always)]
    pub fn collide(mut self, params: &CollideParams) -> CollideAnswer {
        if self.is_apart(None) {
            return CollideAnswer { complete: true, contact: None };
        }
        self.collide_near(*params)
    }

    #[inline(never)]
    fn collide_near(mut self, params: CollideParams) -> CollideAnswer {
        let mut first = First { placement: self.placed.placement, limit: None, found: None };
        let answer = self.search(WithinSearch {
            visitor: &mut first,
            threshold: None,
            max_work: params.max_work,
            cached: self.scratch.last.filter(|_| !params.cold),
            question: self.question(params.cold, QuestionKind::Collide, [0.0; 3]),
        });
        if first.found.is_some() {
            self.scratch.last = first.found;
        }
        let contact = first.found.map(|(slot_a, slot_b)| {
            let Placed { a, b, .. } = self.placed;
            let (id_a, id_b) = (a.id_of_slot(slot_a as usize), b.id_of_slot(slot_b as usize));
            (id_a, id_b, self.walk_over_all().touching_contact(id_a, id_b).point_a)
        });
        CollideAnswer { complete: answer.end != End::Spent, contact }
    }

    #[inline(always)]
    pub fn tolerance(mut self, params: &ToleranceParams) -> ToleranceAnswer {
        let threshold = self.placed.placement.distance_from_world(params.tolerance);
        if self.is_apart(Some(threshold)) {
            let (lower, upper) = (params.tolerance, f64::INFINITY);
            return ToleranceAnswer { complete: true, closer: false, lower, upper, nearest: None };
        }
        self.tolerance_near(*params, threshold)
    }

    #[inline(never)]
    fn tolerance_near(mut self, params: ToleranceParams, threshold: f64) -> ToleranceAnswer {
        let placement = self.placed.placement;
        let mut first = First { placement, limit: Some(params.tolerance), found: None };
        let answer = self.search(WithinSearch {
            visitor: &mut first,
            threshold: Some(threshold),
            max_work: params.max_work,
            cached: self.scratch.last.filter(|_| !params.cold),
            question: self.question(params.cold, QuestionKind::Tolerance, [params.tolerance, 0.0, 0.0]),
        });
        if let Some(slots) = first.found {
            self.scratch.last = Some(slots);
            let contact = self.contact(&answer.last);
            let upper = contact.distance;
            return ToleranceAnswer { complete: true, closer: true, lower: 0.0, upper, nearest: Some(contact) };
        }
        if answer.end == End::Exhausted {
            let (lower, upper) = (params.tolerance, f64::INFINITY);
            return ToleranceAnswer { complete: true, closer: false, lower, upper, nearest: None };
        }
        let nearest = (answer.nearest.distance < f64::INFINITY).then(|| self.contact(&answer.nearest));
        let upper = nearest.map_or(f64::INFINITY, |contact| contact.distance);
        let lower = placement.distance_to_world(answer.lower).min(params.tolerance).min(upper);
        ToleranceAnswer { complete: false, closer: false, lower, upper, nearest }
    }

    pub fn distance(mut self, params: &DistanceParams) -> DistanceAnswer {
        let placement = self.placed.placement;
        let numbers = [params.relative_error, params.absolute_error, params.max_distance];
        let answer = self.search(NearestSearch(NearestParams {
            max_work: params.max_work,
            relative_error: params.relative_error,
            absolute_error: placement.length_from_world(params.absolute_error),
            max_distance: self.placed.placement.distance_from_world(params.max_distance),
            search: params.search,
            cached: self.scratch.last.filter(|_| !params.cold),
            question: self.question(params.cold, QuestionKind::Distance(params.search), numbers),
        }));
        let nearest = answer.best.map(|best| {
            self.scratch.last = Some(best.slots);
            self.contact(&best)
        });
        match nearest {
            Some(contact) if !answer.complete || contact.distance <= params.max_distance => {
                let upper = contact.distance;
                let lower = if answer.lower < answer.best.map_or(0.0, |best| best.distance) {
                    placement.distance_to_world(answer.lower).min(upper)
                } else {
                    upper
                };
                DistanceAnswer { complete: answer.complete, lower, upper, nearest }
            }
            _ if answer.complete => {
                DistanceAnswer { complete: true, lower: params.max_distance, upper: f64::INFINITY, nearest: None }
            }
            _ => {
                let lower = placement.distance_to_world(answer.lower).min(params.max_distance);
                DistanceAnswer { complete: false, lower, upper: f64::INFINITY, nearest: None }
            }
        }
    }

    #[inline(always)]
    pub fn contacts(mut self, params: &ContactsParams, sink: &mut impl ContactSink) -> ContactsAnswer {
        let threshold = (params.margin > 0.0).then(|| self.placed.placement.distance_from_world(params.margin));
        if self.is_apart(threshold) {
            return ContactsAnswer { complete: true, found: 0, written: 0 };
        }
        self.contacts_near(*params, threshold, sink)
    }

    #[inline(never)]
    fn contacts_near(
        mut self,
        params: ContactsParams,
        threshold: Option<f64>,
        sink: &mut impl ContactSink,
    ) -> ContactsAnswer {
        let mut contacts = Contacts::new(self.placed, &params, sink);
        let answer = self.search(WithinSearch {
            visitor: &mut contacts,
            threshold,
            max_work: params.max_work,
            cached: None,
            question: None,
        });
        let (found, written) = (contacts.found, contacts.written);
        contacts.sort();
        if params.margin > 0.0 {
            for index in (0..written).rev() {
                let (triangle_a, triangle_b) = sink.key(index);
                sink.write(index, self.walk_over_all().contact(triangle_a, triangle_b));
            }
        } else {
            dispatch(self.level, WriteTouching { placed: self.placed, sink, written });
        }
        ContactsAnswer { complete: answer.end == End::Exhausted, found, written: written as u64 }
    }
}
