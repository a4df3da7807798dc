//! The visitor of questions that one pair answers.

use crate::math::placement::Placement;
use crate::search::within::{NearPairVisitor, PairVisitor};

/// Remembers the first pair within the limit and ends the walk.
pub(super) struct FirstFind<'p> {
    pub placement: &'p Placement,
    /// World units; None for touching pairs only.
    pub world_limit: Option<f64>,
    pub found: Option<(u32, u32)>,
}

impl NearPairVisitor for FirstFind<'_> {
    const FIRST_ONLY: bool = true;
}

impl PairVisitor for FirstFind<'_> {
    fn takes_any_order(&self) -> bool {
        false
    }

    fn takes(&self, distance: f64) -> bool {
        self.world_limit.is_none_or(|limit| self.placement.distance_to_world(distance) <= limit)
    }

    fn start_over(&mut self) {
        self.found = None;
    }

    fn near(&mut self, slots: (u32, u32), distance: f64) -> bool {
        if self.takes(distance) {
            self.found = Some(slots);
        }
        self.found.is_none()
    }
}
