//! The numbers that bounds are kept in: f32, in the working frame, relative to a base.
//!
//! On the f32 path the base is 0. The f64 path is taken when the models are so far apart that f32 could not tell near parts
//! from far ones. There the base is a lower bound of all distances, and what is left of a bound fits f32 again. Models with
//! strays have no useful lower bound: there the base is a guess, and all bounds below it are 0.

use crate::posed::posed_models::PosedModels;

/// Two models, and what the bounds between them are relative to.
#[derive(Clone, Copy)]
pub struct BoundFrame<'a> {
    pub models: &'a PosedModels<'a>,
    /// Working frame; no computed distance is below this, unless the base is a guess.
    pub base: f64,
    /// Whether distances may be below the base. A bound of 0 then says nothing.
    pub is_guess: bool,
}

impl BoundFrame<'_> {
    /// A distance of the working frame as a limit for relative bounds, rounded up: what is pruned above the limit is farther.
    /// The limit is finite, so that an infinite bound is above every limit.
    pub fn limit(&self, distance: f64) -> f32 {
        let mut relative = distance - self.base;
        if self.is_guess {
            relative = relative.max(0.0);
        }
        let rounded = relative as f32;
        if (rounded as f64) < relative { rounded.next_up() } else { rounded }.min(f32::MAX)
    }

    /// No relative bound of a lane is above this. Twice as far as any point, because of roundings.
    pub fn highest(&self) -> f32 {
        self.limit(self.models.farthest() * 2.0)
    }

    /// A relative bound as a certified lower bound in the working frame.
    pub fn certified(&self, bound: f32) -> f64 {
        if self.is_guess && bound <= 0.0 { 0.0 } else { self.base + bound.max(0.0) as f64 }
    }
}
