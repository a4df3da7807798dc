//! The nearest pair that a distance query has found so far, and what need not be looked at because of it.

use crate::posed::bound_frame::BoundFrame;
use crate::posed::posed_models::PosedModels;
use crate::search::nearest::NearestParams;

/// A pair of triangles that was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredPair {
    /// Working frame; infinite before the first pair.
    pub distance: f64,
    pub slots: (u32, u32),
    /// The candidate of the triangle kernel that this distance is from.
    pub candidate: f64,
}

impl MeasuredPair {
    pub const NONE: Self = Self { distance: f64::INFINITY, slots: (0, 0), candidate: 0.0 };
}

/// The nearest pair so far, by distance, then by the caller's numbers.
#[derive(Clone, Copy, Debug)]
pub struct Incumbent {
    pub best: MeasuredPair,
    /// What is farther than this need not be looked at; relative to the base of the bounds, rounded up.
    pub limit: f32,
    /// What is farther than this is no better than `best`: the limit of a search without errors.
    pub found: f32,
    /// The limit in f64 and absolute: nothing that was pruned is nearer.
    pub pruned_above: f64,
}

impl Incumbent {
    /// Nothing was found yet.
    pub fn new(frame: &BoundFrame, params: &NearestParams) -> Self {
        let limit = frame.limit(params.max_distance);
        Self { best: MeasuredPair::NONE, limit, found: limit, pruned_above: params.max_distance }
    }

    /// Takes the pair over if it is nearer, or as near and to be preferred.
    #[inline(always)]
    pub fn offer(&mut self, models: &PosedModels, params: &NearestParams, candidate: MeasuredPair) {
        if candidate.distance < self.best.distance
            || candidate.distance == self.best.distance && self.wins_among_equals(models, params, candidate.slots)
        {
            self.best = candidate;
        }
    }

    /// Cold queries take the smallest ids among equals, coherent ones keep what they had.
    pub fn wins_among_equals(&self, models: &PosedModels, params: &NearestParams, slots: (u32, u32)) -> bool {
        params.remembered.is_none() && models.ids(slots) < models.ids(self.best.slots)
    }

    /// Nothing above `distance / (1 + relative)` or above `distance - absolute` is needed any more; both rounded up, so that
    /// the bound proves the error. A pair beyond `max_distance` is no answer, so that the errors do not refer to it.
    pub fn tighten(&mut self, frame: &BoundFrame, params: &NearestParams) {
        let distance = self.best.distance;
        if distance > params.max_distance {
            return;
        }
        let rounded_up = |bound: f64, is_proof: bool| if is_proof { bound } else { bound.next_up() };
        let factor = 1.0 + params.relative_error;
        let relative = rounded_up(distance / factor, distance / factor * factor >= distance);
        let absolute = distance - params.absolute_error;
        let absolute = rounded_up(absolute, distance - absolute <= params.absolute_error);
        let needed = relative.min(absolute).max(0.0);
        self.pruned_above = needed.min(params.max_distance);
        self.limit = frame.limit(self.pruned_above);
        self.found = frame.limit(distance.min(params.max_distance));
    }
}
