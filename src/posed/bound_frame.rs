//! The numbers that bounds are kept in: f32, in the working frame, relative to a base.
//!
//! On the f32 path the base is 0. The f64 path is taken when the models are so far apart that f32 could not tell near parts
//! from far ones. There the base is a lower bound of all distances, and what is left of a bound fits f32 again.

use crate::posed::posed_models::PosedModels;

/// Two models, and what the bounds between them are relative to.
#[derive(Clone, Copy)]
pub struct BoundFrame<'a> {
    pub models: PosedModels<'a>,
    /// Working frame; no computed distance is below this.
    pub base: f64,
}

impl BoundFrame<'_> {
    /// A distance of the working frame as a limit for relative bounds, rounded up: what is pruned above the limit is farther.
    /// The limit is finite, so that an infinite bound is above every limit.
    pub fn limit(&self, distance: f64) -> f32 {
        let relative = distance - self.base;
        let rounded = relative as f32;
        if (rounded as f64) < relative { rounded.next_up() } else { rounded }.min(f32::MAX)
    }

    /// A relative bound as a certified lower bound in the working frame.
    pub fn certified(&self, bound: f32) -> f64 {
        self.base + bound.max(0.0) as f64
    }
}
