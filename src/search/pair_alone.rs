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
    /// Measures a pair into a place that is kept; the pair, or None for pairs that plain arithmetic does not measure: a batch measures these.
    /// `candidate` is where the pair was nearest. What is kept is written where it stays: a copy of what was just written would wait
    /// for it.
    #[inline(never)]
    pub fn keep<S: Simd>(
        simd: S,
        models: &PosedModels,
        slots: (u32, u32),
        candidate: f64,
        kept: &mut Option<Self>,
    ) -> Option<MeasuredPair> {
        simd.vectorize(
            #[inline(always)]
            || {
                *kept = None;
                let (a, b) = (models.triangle_a(slots.0), models.triangle_b(slots.1));
                let alone = Alone::measure(simd, a, b, candidate)?;
                let pair = MeasuredPair { distance: alone.distance, slots, candidate: alone.candidate };
                *kept = Some(Self { pair, alone });
                Some(pair)
            },
        )
    }

    /// What is farther than a pair, which may be the one that was measured alone.
    #[inline(never)]
    pub fn farther(
        alone: Option<&Self>,
        models: &PosedModels,
        pair: &MeasuredPair,
        ties: &mut TiedPairs,
    ) -> FartherPairs {
        let Some(Self { alone, .. }) = alone.filter(|alone| alone.pair == *pair) else {
            return FartherPairs::than(models, pair, Some(ties));
        };
        let [a, b] = &alone.triangles;
        FartherPairs::than_certified(models, pair, [a, b], &alone.certified, Some(ties))
    }

    pub fn closest(&self) -> Closest {
        self.alone.closest()
    }
}
