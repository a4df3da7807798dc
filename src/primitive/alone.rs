//! A pair of triangles that is measured alone, and all that is asked of it later: the distance, what is tied with it, the points.
//!
//! What a query remembers is one pair, whose points it mostly returns. `distance_4` would measure it with three idle lanes.

use super::kernel::{self, alone::nearest_code};
use super::tie::Certified;
use super::{Closest, Measurement, Triangle, Way, corners, feature, located};
use fearless_simd::Simd;

/// A pair whose distance plain arithmetic proves: the numbers of `witness_4` and `closest_by`.
#[derive(Clone, Copy, Debug)]
pub struct Alone {
    pub triangles: [Triangle; 2],
    pub distance: f64,
    pub candidate: f64,
    pub certified: Certified,
}

impl Alone {
    /// None where plain arithmetic proves nothing. `candidate` is where the pair may be nearest, as it was a moment ago. It is finished
    /// while the fifteen candidates are looked at, because neither waits for the other; if it is the nearest one, that is all. To be
    /// inlined into a function that runs under `Simd::vectorize`.
    #[inline(always)]
    pub fn measure<S: Simd>(simd: S, a: Triangle, b: Triangle, candidate: f64) -> Option<Self> {
        let (corners_a, corners_b) = (corners(&a), corners(&b));
        let (mut code, mut is_chosen) = (feature::code_of(candidate), false);
        // Written as a loop, so that what it holds is compiled once.
        let finished = loop {
            let finished = kernel::finish(&corners_a, &corners_b, code);
            if is_chosen {
                break finished;
            }
            let nearest = nearest_code(simd, &corners_a, &corners_b);
            if nearest == code {
                break finished;
            }
            (code, is_chosen) = (nearest, true);
        };
        finished.certified.then(|| Self {
            triangles: [a, b],
            distance: finished.squared.sqrt(),
            candidate: feature::with_ends(code, finished.x, finished.y),
            certified: Certified::of(&finished),
        })
    }

    /// `closest_by` of this pair.
    pub fn closest(&self) -> Closest {
        let Self { triangles: [a, b], distance, candidate, certified } = self;
        let normal = Some(certified.between / *distance);
        let code = feature::code_of(*candidate) as usize;
        let way = Way::Apart { code, x: certified.x, y: certified.y, normal };
        located(a, b, Measurement { distance: *distance, robust: false, way })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitive::closest;
    use crate::simd::level::{level, on_level};
    use glam::DVec3;

    #[test]
    fn a_pair_alone_has_the_numbers_of_any_pair() {
        let mut seed = 7u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0, seed >> 60)
        };
        let mut measured = 0;
        for round in 0..20_000 {
            let mut triangle = |height: f64| {
                [0; 3].map(|_| {
                    let [(x, _), (y, _), (z, coarse)] = [number(), number(), number()];
                    DVec3::new(x, y, if coarse < 4 { 0.0 } else { z } + height)
                })
            };
            let (a, b) = (triangle(0.0), triangle(round as f64 * 2e-4));
            let guess = (round % 15) as f64;
            let Some(alone) = on_level!(level(), simd => Alone::measure(simd, a, b, guess)) else { continue };
            let again = on_level!(level(), simd => Alone::measure(simd, a, b, alone.candidate)).unwrap();
            assert_eq!((again.distance, again.candidate), (alone.distance, alone.candidate));
            assert_eq!(alone.closest(), closest(&a, &b));
            assert_eq!(alone.closest(), super::super::closest_by(&a, &b, alone.candidate));
            measured += 1;
        }
        assert!(measured > 10_000, "{measured}");
    }
}
