//! When a search asks whether its pairs are farther apart than the best one across the plane of one triangle (`primitive/across_face.rs`).
//!
//! Where surfaces lie close along each other, nearly all pairs are told so, and the rest is measured as before: the question needs what a
//! measurement has gathered. A search asks once it has measured some pairs, and rests while the answers do not pay.

use crate::posed::posed_models::PosedModels;

/// Whether to ask, and about what.
#[derive(Clone, Copy, Debug)]
pub struct FaceGaps {
    /// Batches that are measured without asking.
    rest: u32,
    /// How long a search goes on asking: what a question costs is taken away, what an answer saves is added.
    credit: u32,
}

/// Few searches that end sooner have surfaces that lie along each other.
const FIRST_REST: u32 = 16;
const REST: u32 = 64;
/// Questions that may be in vain, and how many a measurement costs.
const CREDIT: u32 = 8;
const SAVED: u32 = 10;
const MOST_CREDIT: u32 = 64;

/// A value is below the true distance by a part in 2^38 at most (`Finished::is_beyond`); the rest is for |n| and the product with it.
const MARGIN: f64 = 1.0 + f64::from_bits((1023 - 37) << 52);
const ROUNDING: f64 = 32.0 * f64::from_bits((1023 - 53) << 52);
/// Limits within which nothing underflows or overflows: D is at most 2^48 times the limit, and not below the distance.
const SMALLEST: f64 = f64::from_bits((1023 - 400) << 52);
const LARGEST: f64 = f64::from_bits((1023 + 100) << 52);

/// What pairs have to be apart across a plane to be strictly farther than this distance, as both are computed; infinite if nothing tells.
#[inline(always)]
pub fn limit_beyond(models: &PosedModels, distance: f64) -> f64 {
    // Vertices of one model are at most twice its radius apart.
    let longest = 2.0 * models.farthest() + models.rounding;
    let limit = distance * MARGIN + longest * ROUNDING;
    if distance >= SMALLEST && limit <= LARGEST { limit } else { f64::INFINITY }
}

impl FaceGaps {
    pub const NONE: Self = Self { rest: FIRST_REST, credit: CREDIT };

    /// `limit_beyond` for the next batch; infinite while the search does not ask.
    #[inline(always)]
    pub fn limit(&mut self, models: &PosedModels, distance: f64) -> f64 {
        if self.rest > 0 {
            self.rest -= 1;
            return f64::INFINITY;
        }
        limit_beyond(models, distance)
    }

    /// Whether a batch that was asked about need not be measured.
    #[inline(always)]
    pub fn note(&mut self, is_saved: bool) {
        if is_saved {
            self.credit = (self.credit + SAVED).min(MOST_CREDIT);
        } else {
            self.credit -= 1;
            if self.credit == 0 {
                (self.credit, self.rest) = (CREDIT, REST);
            }
        }
    }
}
