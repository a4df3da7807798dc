//! Between which numbers the distance of a point and a triangle is: what the nearest candidate alone proves, without `finish`.
//!
//! Symbols: u = 2^-53; t is the true distance, v that of the kernel, E the longest edge and W = t + E, so that no vertex is farther from
//! the point than W. e and f are the edges of the triangle at its first vertex, n = e x f; c is the computed candidate and r its root.
//! Only triangles with nn >= 2^-16 EEEE are told about. So |n| >= 2^-8 |e||f|, and no edge is below 2^-8 E.
//! 1. Where a point of an edge is nearest to the point: a product of an edge and a way is off by 6u|e|W, its quotient by 20uW/|e|. So
//!    the place on the edge is off by 20uW, and being clamped it is on the edge. The vector from there to the point is off by 6u(W + E).
//! 2. n is off by 14u|e||f|, so its product with a way by 2^-39 |n|W, and the height r of a face by 2^-37 W.
//! 3. The numbers that say whether the point is before the face are off by 30u|e||f|(W + E) times the longer of |e| and |f|, and nn by 2^-39
//!    of itself. Relative to nn >= 2^-16 EEEE that moves the border of the face by less than 2^-30 (W + E), which is at most 2^-29 (t + E).
//! 4. A point before the face is there by the computed numbers, or it is within that way of an edge (step 1). A point that is wrongly seen
//!    before the face is within that way of being so. The code in the last bits of c costs 2^-49 of r. So r and t are
//!    within 2^-28 (t + E) of each other; v and t are, by `docs/accuracy.md`, within 2^-39 t + 2^-97 E.
//! 5. With k = 2^-27 this gives r <= v + k(v + E) and v <= r + k(r + E), hence |rr - vv| <= k(4rr + 2EE) by 2vE <= vv + EE. `OFF` is twice
//!    as much as that needs.
//! 6. Lengths are in a range in which no square underflows in a way that matters or overflows; edges that the kernel takes for points
//!    are far below it.

use super::kernel::{self, Corners, Vector};
use crate::simd::eight::bits;
use fearless_simd::{Simd, SimdBase, f64x4};

/// What is known about four triangles.
#[derive(Clone, Copy, Debug)]
pub struct PointBounds {
    /// Lanes as bits: those that nothing is told about, and those that may be as near as asked.
    pub untold: u32,
    pub near: u32,
    /// Squares of the distance that the kernel gives are between these.
    pub low: [f64; 4],
    pub high: [f64; 4],
    /// The nearest candidates, in the last bits.
    pub squared: [f64; 4],
}

const OFF: f64 = f64::from_bits((1023 - 24) << 52);
const FLATTEST: f64 = f64::from_bits((1023 - 16) << 52);
const SMALLEST_SQUARED: f64 = f64::from_bits((1023 - 110) << 52);
const SMALLEST_EDGE: f64 = f64::from_bits((1023 - 200) << 52);
const LARGEST_SQUARED: f64 = f64::from_bits((1023 + 100) << 52);

/// Bounds for four triangles; `most` is the square of what is near.
#[inline(always)]
pub fn point_bounds_4<S: Simd>(simd: S, a: &Corners<f64x4<S>>, point: &Vector<f64x4<S>>, most: f64) -> PointBounds {
    let kernel::point::Nearest { squared, gram, longest } = kernel::point::nearest_candidate(a, point);
    let off = (squared + longest) * OFF;
    let (low, high) = (squared - off, squared + off);
    let told = gram.simd_ge(longest * longest * FLATTEST)
        & longest.simd_ge(SMALLEST_EDGE)
        & squared.simd_ge(SMALLEST_SQUARED)
        & squared.max(longest).simd_le(LARGEST_SQUARED);
    PointBounds {
        untold: !bits(told) & 15,
        near: bits(low.simd_le(f64x4::splat(simd, most))),
        low: low.to_array(),
        high: high.to_array(),
        squared: squared.to_array(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Triangle, distance};
    use super::*;
    use crate::simd::level::{Operation, dispatch, level};
    use crate::simd::three::three;
    use glam::DVec3;

    struct Bounds(DVec3, [Triangle; 4]);

    impl Operation for Bounds {
        type Output = PointBounds;
        fn run<S: Simd>(self, simd: S) -> PointBounds {
            let row = |v: usize, k: usize| f64x4::load_array(simd, self.1.map(|triangle| triangle[v][k]));
            let corners = three(|v| three(|k| row(v, k)));
            let point = three(|k| f64x4::splat(simd, self.0[k]));
            point_bounds_4(simd, &corners, &point, f64::INFINITY)
        }
    }

    /// Triangles of all sizes and thin ones, points near and far, before faces, edges and vertices.
    #[test]
    fn the_distance_is_between_its_bounds() {
        let mut state = 5u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / 2f64.powi(30) - 1.0
        };
        let (mut told, mut untold) = (0, 0);
        for round in 0..100_000 {
            let size = [1.0, 1e-3, 1e-9, 1e-20][round % 4];
            let height = [1.0, 1e-2, 1e-6, 1e-12, 0.0][round / 4 % 5];
            let thin = [1.0, 0.1, 0.02, 1e-4][round / 20 % 4];
            let mut point = || DVec3::new(next(), next(), next());
            let triangles = [(); 4].map(|_| {
                let (at, e, f) = (point() * 0.5, point() * size, point() * size);
                let slanted = e * point().x + f * thin;
                let corners = [at, at + e, at + slanted];
                [corners[round % 3], corners[(round + 1) % 3], corners[(round + 2) % 3]]
            });
            let [r, s, t] = triangles[round % 4];
            let weights = point();
            let on_plane = r + (s - r) * weights.x * 1.5 + (t - r) * if round % 7 == 0 { 0.0 } else { weights.y * 1.5 };
            let asked = on_plane + point() * height;
            let bounds = dispatch(level(), Bounds(asked, triangles));
            for (lane, triangle) in triangles.iter().enumerate() {
                if bounds.untold >> lane & 1 != 0 {
                    untold += 1;
                    continue;
                }
                told += 1;
                let distance = distance(triangle, &[asked; 3]).distance;
                let (low, high) = (bounds.low[lane], bounds.high[lane]);
                let squared = distance * distance;
                assert!(low <= squared && squared <= high, "{asked:?} {triangle:?}: {low} {squared} {high}");
            }
        }
        println!("{told} told, {untold} not");
        assert!(told > 200_000 && untold > 10_000, "{told} {untold}");
    }
}
