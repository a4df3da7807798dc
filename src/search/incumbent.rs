//! The nearest pair that a distance query has found so far, and what that makes needless to look at.

use crate::posed::node_pairs::Ground;
use crate::posed::posed_models::Placed;
use crate::search::nearest::{Best, NearestParams};

#[derive(Clone, Copy, Debug)]
pub struct Incumbent {
    pub best: Best,
    /// What is farther than this need not be looked at: relative to the ground's base, rounded up.
    pub limit: f32,
    /// What is farther than this is no better than what was found: the same without the errors.
    pub found: f32,
    /// The limit in f64 and absolute: nothing that was pruned is nearer.
    pub pruned_above: f64,
}

impl Incumbent {
    /// Nothing was found yet.
    pub fn new(ground: &Ground, params: &NearestParams) -> Self {
        let limit = ground.limit(params.max_distance);
        Self { best: Best::NONE, limit, found: limit, pruned_above: params.max_distance }
    }

    /// Takes the pair over if it is nearer, or as near and to be preferred.
    #[inline(always)]
    pub fn offer(&mut self, placed: &Placed, params: &NearestParams, candidate: Best) {
        if candidate.distance < self.best.distance
            || candidate.distance == self.best.distance && self.wins_among_equals(placed, params, candidate.slots)
        {
            self.best = candidate;
        }
    }

    /// Cold queries take the smallest ids among equals, coherent ones keep what they had.
    fn wins_among_equals(&self, placed: &Placed, params: &NearestParams, slots: (u32, u32)) -> bool {
        let ids = |(a, b): (u32, u32)| (placed.a.id_of_slot(a as usize), placed.b.id_of_slot(b as usize));
        params.cached.is_none() && ids(slots) < ids(self.best.slots)
    }

    /// Nothing above `distance / (1 + relative)` or above `distance - absolute` is needed any more.
    pub fn tighten(&mut self, ground: &Ground, params: &NearestParams) {
        let distance = self.best.distance;
        let needed = (distance / (1.0 + params.relative_error)).min(distance - params.absolute_error).max(0.0);
        self.pruned_above = needed.min(params.max_distance);
        self.limit = ground.limit(self.pruned_above);
        self.found = ground.limit(distance.min(params.max_distance));
    }
}
