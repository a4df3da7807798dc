//! The nearest candidate of one pair, whose candidates take the lanes that four pairs would take: `nearest_candidate` of plain
//! numbers, bit for bit, sooner.
//!
//! 1. Lane i holds edge i and vertex i of A, for candidates between edges and over B's face. Lane j holds vertex j of B, for
//!    candidates over A's face. The last lane repeats the third.
//! 2. So every lane makes the operations of its candidate in the same order. All operands are the same, too: `fr_0 - ef_0` is
//!    `fr_0 + -ef_0`, and `fr_0` is `fr_0 + -0`.
//! 3. A lane tags its candidates with the codes of the first lane. What its own codes are above these is the same for all of them, so
//!    that it is added to the smallest alone.

use super::*;
use fearless_simd::{Bytes, Simd, SimdBase, f64x4, u64x4};

/// The code of the candidate.
#[inline(always)]
pub fn nearest_code<S: Simd>(simd: S, a: &Corners<f64>, b: &Corners<f64>) -> f64 {
    let (e, f) = (edges(a), edges(b));
    let squares =
        |edges: &Corners<f64>| [dot(&edges[0], &edges[0]), dot(&edges[1], &edges[1]), dot(&edges[2], &edges[2])];
    let (ee, ff) = (squares(&e), squares(&f));
    let (a_in_lanes, e_in_lanes) = (in_lanes(simd, a), in_lanes(simd, &e));
    let (b_everywhere, f_everywhere) = (everywhere(simd, b), everywhere(simd, &f));
    let ef = three(
        #[inline(always)]
        |j| dot(&e_in_lanes, &f[j]),
    );
    let first = dot(&e_in_lanes, &given_difference(&b_everywhere[0], &a_in_lanes));
    let er = [first, first + ef[0], first - ef[2]];
    let fr = three(
        #[inline(always)]
        |j| {
            let fr_0 = dot(&f[j], &given_difference(&b[j], &a[0]));
            let [ef_0, _, ef_2, _] = ef[j].to_array();
            simd.splat_f64x4(fr_0) + load(simd, [-0.0, -ef_0, ef_2])
        },
    );
    let of_a = Products {
        e: [e_in_lanes; 3],
        f: f_everywhere,
        ee: [load(simd, ee); 3],
        ff: splat(simd, &ff),
        ef: [ef; 3],
        er: [er; 3],
        fr: [fr; 3],
    };
    let inverses = [[load(simd, inverse_squares(ee)); 3], splat(simd, &inverse_squares(ff))];
    let edge_pairs = of_a.nearest_edge_pair(&[a_in_lanes; 3], &b_everywhere, &inverses, 0);
    let over_face_of_b = of_a.nearest_to_face_of_b(&[a_in_lanes; 3], &b_everywhere);
    let er = [er[0].to_array(), er[1].to_array(), er[2].to_array()];
    let er = three(
        #[inline(always)]
        |i| load(simd, [er[0][i], er[1][i], er[2][i]]),
    );
    let of_b =
        Products { e: everywhere(simd, &e), ee: splat(simd, &ee), er: [[er[0]; 3], [er[1]; 3], [er[2]; 3]], ..of_a };
    let over_face_of_a = of_b.nearest_to_face_of_a(&everywhere(simd, a), &[in_lanes(simd, b); 3]);
    let nearest = later(simd, edge_pairs.smaller(over_face_of_b), FIRST_CODE);
    let [x, y, z, _] = nearest.smaller(later(simd, over_face_of_a, [0, 1, 2])).to_array();
    smallest_of([x, y, z]).tag()
}

/// One number for each of the first three lanes; the last repeats the third.
#[inline(always)]
fn load<S: Simd>(simd: S, [x, y, z]: [f64; 3]) -> f64x4<S> {
    f64x4::load_array(simd, [x, y, z, z])
}

/// One vector for each lane.
#[inline(always)]
fn in_lanes<S: Simd>(simd: S, vectors: &Corners<f64>) -> Vector<f64x4<S>> {
    three(
        #[inline(always)]
        |k| load(simd, [vectors[0][k], vectors[1][k], vectors[2][k]]),
    )
}

/// The same numbers in every lane.
#[inline(always)]
fn splat<S: Simd>(simd: S, numbers: &[f64; 3]) -> [f64x4<S>; 3] {
    [simd.splat_f64x4(numbers[0]), simd.splat_f64x4(numbers[1]), simd.splat_f64x4(numbers[2])]
}

#[inline(always)]
fn everywhere<S: Simd>(simd: S, vectors: &Corners<f64>) -> Corners<f64x4<S>> {
    [splat(simd, &vectors[0]), splat(simd, &vectors[1]), splat(simd, &vectors[2])]
}

/// Adds to the codes of the lanes: the sums are codes, so that nothing is carried out of their bits.
#[inline(always)]
fn later<S: Simd>(simd: S, tagged: f64x4<S>, [x, y, z]: [u64; 3]) -> f64x4<S> {
    let bits: u64x4<S> = tagged.bitcast();
    (bits + u64x4::load_array(simd, [x, y, z, z])).bitcast()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::level::{level, on_level};
    use glam::DVec3;

    /// Coordinates between -1 and 1; of a grid, so that edges are parallel and vertices coincide.
    fn numbers(seed: &mut u64, grid: f64) -> f64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
        if grid > 0.0 { (number * grid).round() / grid } else { number }
    }

    #[test]
    fn the_code_is_that_of_plain_numbers() {
        let mut seen = [0u32; 15];
        let mut seed = 1;
        for round in 0..60_000u32 {
            let grid = [0.0, 2.0, 5.0, 1000.0][round as usize % 4];
            let mut triangle = |shift: DVec3, size: f64| {
                [0; 3].map(|_| {
                    let [x, y, z] = [0; 3].map(|_| numbers(&mut seed, grid));
                    (DVec3::new(x, y, z) * size + shift).to_array()
                })
            };
            let a = triangle(DVec3::ZERO, 1.0);
            let b = triangle(DVec3::new(0.0, 0.25, (round / 4 % 8) as f64 * 0.5), [1.0, 0.1, 10.0][round as usize % 3]);
            let expected = nearest_candidate(&a, &b).tag();
            assert_eq!(on_level!(level(), simd => nearest_code(simd, &a, &b)), expected, "{a:?} {b:?}");
            seen[expected as usize] += 1;
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }
}
