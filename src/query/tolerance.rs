//! Are the models closer than a tolerance: the first pair within it.

use super::QueryContext;
use super::contact::Contact;
use super::first_find::FirstFind;
use crate::coherence::clearance::Question;
use crate::search::memory::ResumeKind;
use crate::search::within::{End, WithinSearch};

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

impl QueryContext<'_> {
    #[inline(always)]
    pub fn tolerance(mut self, params: &ToleranceParams) -> ToleranceAnswer {
        let threshold = self.models.placement.distance_from_world(params.tolerance);
        if self.is_apart(threshold, params.cold) {
            let (lower, upper) = (params.tolerance, f64::INFINITY);
            return ToleranceAnswer { complete: true, closer: false, lower, upper, nearest: None };
        }
        self.tolerance_near(*params, threshold)
    }

    #[inline(never)]
    fn tolerance_near(mut self, params: ToleranceParams, threshold: f64) -> ToleranceAnswer {
        let models = self.models;
        let placement = models.placement;
        let mut first = FirstFind { placement, world_limit: Some(params.tolerance), found: None };
        let resume_key = self.resume_key(params.cold, ResumeKind::Tolerance, [params.tolerance, 0.0, 0.0]);
        let remembered = self.memory.remembered.filter(|_| !params.cold);
        let (looks_beyond, asks_front) = self.coherence(Question::Tolerance, params.cold, params.max_work);
        let answer = self.search(|query| WithinSearch {
            visitor: &mut first,
            threshold: Some(threshold),
            looks_beyond,
            asks_front,
            max_work: params.max_work,
            remembered,
            resume_key,
            stack: &mut query.workspace.stack,
            memory: &mut *query.memory,
            counters: &mut *query.counters,
        });
        self.note_walk(Question::Tolerance, params.cold, first.found.is_some(), answer.clearance);
        if let Some(slots) = first.found {
            self.memory.remembered = Some(slots);
            let contact = Contact::of_measured(&models, &answer.ended_by);
            let upper = contact.distance;
            return ToleranceAnswer { complete: true, closer: true, lower: 0.0, upper, nearest: Some(contact) };
        }
        if answer.end == End::Exhausted {
            let (lower, upper) = (params.tolerance, f64::INFINITY);
            return ToleranceAnswer { complete: true, closer: false, lower, upper, nearest: None };
        }
        let is_measured = answer.nearest.distance < f64::INFINITY;
        let nearest = is_measured.then(|| Contact::of_measured(&models, &answer.nearest));
        let upper = nearest.map_or(f64::INFINITY, |contact| contact.distance);
        let lower = placement.distance_to_world(answer.lower).min(params.tolerance).min(upper);
        ToleranceAnswer { complete: false, closer: false, lower, upper, nearest }
    }
}
