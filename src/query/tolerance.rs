//! Are the models closer than a tolerance: the first pair within it.

use super::QueryContext;
use super::contact::Contact;
use super::first_find::FirstFind;
use crate::coherence::clearance::Question;
use crate::coherence::pace::Mode;
use crate::search::incumbent::MeasuredPair;
use crate::search::memory::ResumeKind;
use crate::search::pair_alone::PairAlone;
use crate::search::triangle_batch::{NEVER, TriangleBatch};
use crate::search::within::{End, NEAR_ENOUGH, PairVisitor, WithinSearch};
use crate::simd::level::on_level;

/// How `Pair::tolerance` asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct ToleranceParams {
    /// Use nothing that earlier queries left.
    pub cold: bool,
    /// Expansions and triangle pairs to spend at most; 0 is unlimited.
    pub max_work: u64,
    /// World units.
    pub tolerance: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToleranceAnswer {
    /// Whether the answer is final; false when `max_work` was spent before.
    pub complete: bool,
    /// Whether a pair within the tolerance was found.
    pub closer: bool,
    /// The distance of the models is at least this, and at most `upper`; world units.
    pub lower: f64,
    pub upper: f64,
    /// The pair that `upper` is from.
    pub nearest: Option<Contact>,
}

impl ToleranceAnswer {
    /// The models are farther apart than the tolerance.
    pub fn farther(tolerance: f64) -> Self {
        Self { complete: true, closer: false, lower: tolerance, upper: f64::INFINITY, nearest: None }
    }
}

impl QueryContext<'_> {
    #[inline(always)]
    pub fn tolerance(mut self, params: &ToleranceParams) -> ToleranceAnswer {
        let threshold = self.models.placement.distance_from_world(params.tolerance);
        if self.is_apart(threshold) {
            return ToleranceAnswer::farther(params.tolerance);
        }
        let mode = self.mode(Question::Tolerance, params.cold, params.max_work);
        if self.is_clear(Question::Tolerance, mode, threshold) {
            return ToleranceAnswer::farther(params.tolerance);
        }
        self.tolerance_near(*params, mode, threshold)
    }

    #[inline(never)]
    fn tolerance_near(mut self, params: ToleranceParams, mut mode: Mode, threshold: f64) -> ToleranceAnswer {
        let models = self.models;
        let placement = models.placement;
        let mut first = FirstFind { placement, world_limit: Some(params.tolerance), found: None };
        let resume_key = self.resume_key(mode, ResumeKind::Tolerance, [params.tolerance, 0.0, 0.0]);
        let mut remembered = self.remembered(Question::Tolerance, mode);
        let was_near = params.max_work == 0 && self.memory.clearance.found_last(Question::Tolerance);
        if let Some(slots) = remembered.filter(|_| was_near) {
            if let Some((pair, contact)) = self.still_near(slots, threshold, &mut first) {
                self.note_still_found(Question::Tolerance, mode);
                return self.closer(&pair, contact);
            }
            remembered = None;
        }
        remembered = remembered.filter(|_| mode.is_warm());
        let (looks_beyond, asks_front) = self.coherence(Question::Tolerance, &mut mode, params.max_work);
        let answer = self.search(|query| WithinSearch {
            visitor: &mut first,
            threshold: Some(threshold),
            looks_beyond,
            asks_front,
            max_work: params.max_work,
            remembered,
            resume_key,
            workspace: &mut *query.workspace,
            memory: &mut *query.memory,
            counters: &mut *query.counters,
        });
        self.note_walk(Question::Tolerance, mode, params.max_work, first.found.is_some(), answer.clearance);
        if first.found.is_some() {
            return self.closer(&answer.ended_by, Contact::of_measured(&models, &answer.ended_by));
        }
        if answer.end == End::Exhausted {
            return ToleranceAnswer::farther(params.tolerance);
        }
        let is_measured = answer.nearest.distance < f64::INFINITY;
        let nearest = is_measured.then(|| Contact::of_measured(&models, &answer.nearest));
        let upper = nearest.map_or(f64::INFINITY, |contact| contact.distance);
        let lower = placement.distance_to_world(answer.lower).min(params.tolerance).min(upper);
        ToleranceAnswer { complete: false, closer: false, lower, upper, nearest }
    }

    /// The pair that an earlier query found, if it is still within the tolerance: measured before a search is prepared.
    fn still_near(
        &mut self,
        slots: (u32, u32),
        threshold: f64,
        first: &mut FirstFind,
    ) -> Option<(MeasuredPair, Contact)> {
        let (models, candidate, mut robust_tests) = (self.models, self.memory.candidate, 0);
        let kept = &mut self.workspace.alone;
        if let Some(pair) = on_level!(self.level, simd => PairAlone::keep(simd, &models, slots, candidate, kept)) {
            let is_found = pair.distance <= threshold && !first.near(slots, pair.distance);
            let contact = kept.as_ref().filter(|_| is_found).map(|alone| Contact::of_alone(&models, alone))?;
            self.note_still_near(robust_tests);
            return Some((pair, contact));
        }
        let mut batch = TriangleBatch::default();
        batch.push(slots);
        // A pair that is hard to measure is measured by `closer`.
        let near = threshold * NEAR_ENOUGH;
        let limits = (if first.takes(near) { near } else { NEVER }, threshold);
        let measures = on_level!(self.level, simd => batch.distances(simd, &models, limits, true, &mut robust_tests));
        let (distance, candidate) = (measures.distances[0], measures.candidates[0]);
        let is_found = distance <= threshold && !first.near(slots, distance);
        if !is_found {
            return None;
        }
        self.note_still_near(robust_tests);
        let pair = MeasuredPair { distance, slots, candidate };
        Some((pair, Contact::of_measured(&models, &pair)))
    }

    /// Nothing but this pair was measured.
    fn note_still_near(&mut self, robust_tests: u64) {
        self.skip();
        (self.counters.triangle_tests, self.counters.robust_tests) = (1, robust_tests);
    }

    fn closer(&mut self, pair: &MeasuredPair, contact: Contact) -> ToleranceAnswer {
        (self.memory.remembered, self.memory.candidate) = (Some(pair.slots), pair.candidate);
        let upper = contact.distance;
        ToleranceAnswer { complete: true, closer: true, lower: 0.0, upper, nearest: Some(contact) }
    }
}
