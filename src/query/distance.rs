//! How far the models are apart, and where.

use super::QueryContext;
use super::contact::Contact;
use crate::coherence::clearance::Question;
use crate::search::memory::ResumeKind;
use crate::search::nearest::{NearestParams, NearestSearch, SearchOrder};

/// How `Pair::distance` asks.
#[derive(Clone, Copy, Debug)]
pub struct DistanceParams {
    /// Use nothing that earlier queries left.
    pub cold: bool,
    /// Expansions, triangle pairs and front blocks to spend at most; 0 is unlimited.
    pub max_work: u64,
    /// The answer may be too large by this share of the distance.
    pub relative_error: f64,
    /// The answer may be too large by this; world units.
    pub absolute_error: f64,
    /// Nothing farther than this is looked for; world units.
    pub max_distance: f64,
    pub search: SearchOrder,
}

impl Default for DistanceParams {
    fn default() -> Self {
        Self {
            cold: false,
            max_work: 0,
            relative_error: 0.0,
            absolute_error: 0.0,
            max_distance: f64::INFINITY,
            search: SearchOrder::Auto,
        }
    }
}

/// A certified interval of the distance and the nearest pair that was met, if any.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceAnswer {
    /// Whether the answer is final; false when `max_work` was spent before.
    pub complete: bool,
    /// The distance of the models is at least this, and at most `upper`; world units.
    pub lower: f64,
    pub upper: f64,
    /// The pair that `upper` is from.
    pub nearest: Option<Contact>,
}

impl DistanceAnswer {
    /// Nothing is within `max_distance`.
    pub fn beyond(max_distance: f64) -> Self {
        Self { complete: true, lower: max_distance, upper: f64::INFINITY, nearest: None }
    }

    /// Whether the interval is as narrow as was asked, or there is nothing within `max_distance`.
    pub fn proves(&self, params: &DistanceParams) -> bool {
        self.upper <= self.lower
            || self.upper <= self.lower * (1.0 + params.relative_error)
            || self.upper - self.lower <= params.absolute_error
            || self.nearest.is_none() && self.lower >= params.max_distance
    }
}

impl QueryContext<'_> {
    pub fn distance(mut self, params: &DistanceParams) -> DistanceAnswer {
        let models = self.models;
        let placement = models.placement;
        let mut mode = self.mode(Question::Distance, params.cold, params.max_work);
        self.goes_far(Question::Distance, &mut mode, params.max_work);
        let numbers = [params.relative_error, params.absolute_error, params.max_distance];
        let nearest = NearestParams {
            max_work: params.max_work,
            relative_error: params.relative_error,
            absolute_error: placement.length_from_world(params.absolute_error),
            max_distance: placement.distance_from_world(params.max_distance),
            search: params.search,
            remembered: self.remembered(Question::Distance, mode),
            asks_front: mode.is_warm(),
            resume_key: self.resume_key(mode, ResumeKind::Distance(params.search), numbers),
        };
        let is_bounded = params.max_distance < f64::INFINITY;
        if is_bounded && self.is_clear(Question::Distance, mode, nearest.max_distance) {
            return DistanceAnswer::beyond(params.max_distance);
        }
        let answer = self.search(|query| NearestSearch {
            params: nearest,
            workspace: &mut *query.workspace,
            memory: &mut *query.memory,
            counters: &mut *query.counters,
        });
        self.note_distance(mode, params.max_work, answer.lower);
        let nearest = answer.best.map(|best| {
            (self.memory.remembered, self.memory.candidate) = (Some(best.slots), best.candidate);
            match &self.workspace.alone {
                Some(alone) if alone.pair == best => Contact::of_alone(&models, alone),
                _ => Contact::of_measured(&models, &best),
            }
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
                // A pair beyond `max_distance` by a rounding may have ended a search with errors before one within it was met.
                let is_exact = params.relative_error == 0.0 && params.absolute_error == 0.0;
                let certified = if is_exact { f64::INFINITY } else { placement.distance_to_world(answer.lower) };
                let lower = params.max_distance.min(certified);
                DistanceAnswer { complete: true, lower, upper: f64::INFINITY, nearest: None }
            }
            _ => {
                let lower = placement.distance_to_world(answer.lower).min(params.max_distance);
                DistanceAnswer { complete: false, lower, upper: f64::INFINITY, nearest: None }
            }
        }
    }
}
