//! The pair that a search remembers, measured alone before anything else.

use crate::posed::posed_models::PosedModels;
use crate::primitive::{Alone, Closest};
use crate::search::farther_pairs::FartherPairs;
use crate::search::incumbent::MeasuredPair;
use crate::search::tied_pairs::TiedPairs;
use fearless_simd::Simd;

/// A pair and what was found about it in this pose.
#[derive(Clone, Copy, Debug)]
pub struct PairAlone {
    pub pair: MeasuredPair,
    alone: Alone,
}

impl PairAlone {
    /// None for pairs that plain arithmetic does not measure; a batch measures these.
    #[inline(never)]
    pub fn measure<S: Simd>(simd: S, models: &PosedModels, slots: (u32, u32)) -> Option<Self> {
        simd.vectorize(
            #[inline(always)]
            || {
                let alone = Alone::measure(simd, models.triangle_a(slots.0), models.triangle_b(slots.1))?;
                let pair = MeasuredPair { distance: alone.distance, slots, candidate: alone.candidate };
                Some(Self { pair, alone })
            },
        )
    }

    /// What is farther than this pair.
    pub fn farther(&self, models: &PosedModels, ties: &mut TiedPairs) -> FartherPairs {
        let Alone { triangles: [a, b], certified, .. } = &self.alone;
        FartherPairs::than_certified(models, &self.pair, [a, b], certified, Some(ties))
    }

    pub fn closest(&self) -> Closest {
        self.alone.closest()
    }
}
