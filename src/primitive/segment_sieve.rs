//! What plain arithmetic can tell about a segment and four triangles: most casts need no more about most triangles.
//!
//! Symbols: u = 2^-53; d is the way from the start of the segment to its end, a the way from there to a triangle's first vertex, e
//! and f the triangle's edges from that vertex, n = e x f and w = d x a; capitals are the true values and D, R and E the largest
//! coordinates of d, of a, and of e and f together.
//! 1. A volume of three rounded differences is off by less than 8u times its permanent (`signs`), which is at most six times the
//!    product of three largest coordinates. So q = n.d is off by 48u EED, s = n.a by 48u EER, and the turns e.w and -f.w around two
//!    edges by 48u EDR. The turn around the third edge is q less both. It is off by the sum of their errors and by u(12 EED + 18 EDR):
//!    below 120u ED(R + E). What is left of the segment behind the triangle, q - s, is off by 54u EE(D + R).
//! 2. Products that underflow are off by 2^-1074 each, times another factor at most. Placed coordinates are far below 2^100, so
//!    that `TINY` is more than all of them together.
//! 3. The line of the segment passes inside where all turns have the sign of q, and misses where two have different signs. It meets the
//!    plane at the time s / q.
//! 4. With s and q off by at most b, where q is at least 4b and s at most q, the time is off by |sQ - Sq| / |qQ|, which is at most
//!    2b / |Q| and 4b / |q|.
//! 5. The time that `segment_triangle` computes in double-double is off by less than a millionth of that. The quotient, which is below 1,
//!    is off by 2u and uu as a product with 1 / q, and adding the error to it rounds by u: 4u is more.

use super::kernel::{Corners, Vector};
use crate::simd::eight::bits;
use crate::simd::three::{cross, difference, dot};
use fearless_simd::{Simd, SimdBase, SimdFloat, f64x4};
use glam::DVec3;

/// What is certain about four triangles; lanes as bits. Of a lane that is in none of the first two nothing is known.
#[derive(Clone, Copy, Debug)]
pub struct Sifted<S: Simd> {
    pub missed: u32,
    /// The segment crosses the inside of the triangle.
    pub crossed: u32,
    /// Of those, the lanes where it comes from the side that the winding's normal points to.
    pub from_front: u32,
    /// Where it is crossed: the time, and the weights of the second and the third vertex, as plain arithmetic has them.
    about: [f64x4<S>; 3],
    /// What the time may be off by.
    error: f64x4<S>,
}

/// Where a segment crosses the inside of a triangle, as far as plain arithmetic tells. The computed time is between `early` and `late`,
/// which are above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub early: f64,
    pub late: f64,
    /// The time, and the weights of the second and the third vertex.
    pub about: [f64; 3],
}

impl<S: Simd> Sifted<S> {
    /// Nothing is known.
    #[inline(always)]
    pub fn unknown(simd: S) -> Self {
        let none = f64x4::splat(simd, 0.0);
        Self { missed: 0, crossed: 0, from_front: 0, about: [none; 3], error: none }
    }

    /// What is known of a triangle that is crossed.
    #[inline(always)]
    pub fn estimate(&self, lane: usize) -> Estimate {
        let [time, b, c] = self.about;
        let of_lane = |lanes: f64x4<S>| lanes.to_array()[lane % 4];
        let (early, late) = (of_lane(time - self.error), of_lane(time + self.error));
        Estimate { early, late, about: [of_lane(time), of_lane(b), of_lane(c)] }
    }
}

const UNIT: f64 = f64::from_bits((1023 - 53) << 52);
const TINY: f64 = f64::from_bits((1023 - 900) << 52);
const TURN_FILTER: f64 = 128.0 * UNIT;
const PLANE_FILTER: f64 = 64.0 * UNIT;

/// How the segment from `p[0]` to `p[1]` meets triangles, as far as plain arithmetic proves it.
#[inline(always)]
pub fn sift<S: Simd>(simd: S, p: [DVec3; 2], t: &Corners<f64x4<S>>) -> Sifted<S> {
    let splat = |v: DVec3| [f64x4::splat(simd, v.x), f64x4::splat(simd, v.y), f64x4::splat(simd, v.z)];
    let (start, along) = (splat(p[0]), p[1] - p[0]);
    let (d, length) = (splat(along), f64x4::splat(simd, along.abs().max_element()));
    let (a, e, f) = (difference(&t[0], &start), difference(&t[1], &t[0]), difference(&t[2], &t[0]));
    let (n, w) = (cross(&e, &f), cross(&d, &a));
    let (q, s, first, third) = (dot(&n, &d), dot(&n, &a), dot(&e, &w), -dot(&f, &w));
    let second = q - first - third;
    let (reach, edge) = (largest(&a), largest(&e).max(largest(&f)));
    let turn_off = edge * length * (reach + edge) * TURN_FILTER + TINY;
    let plane_off = edge * edge * (length + reach) * PLANE_FILTER + TINY;
    // Seen from where the segment comes from.
    let sign = f64x4::splat(simd, 1.0).copysign(q);
    let (q, s) = (q.abs(), s * sign);
    let turns = [first * sign, second * sign, third * sign];
    let least = turns[0].min(turns[1]).min(turns[2]);
    let most = turns[0].max(turns[1]).max(turns[2]);
    let left = q - s;
    let beside = least.simd_lt(-turn_off) & most.simd_gt(turn_off);
    let before_or_behind = q.simd_gt(plane_off) & s.min(left).simd_lt(-plane_off);
    let missed = bits(beside | before_or_behind);
    let inside = least.simd_gt(turn_off) & q.simd_gt(plane_off * 4.0);
    let crossed = bits(inside & s.min(left).simd_gt(plane_off));
    if crossed == 0 {
        return Sifted { missed, ..Sifted::unknown(simd) };
    }
    let share = f64x4::splat(simd, 1.0) / q;
    let (time, error) = (s * share, plane_off * 4.0 * share + 4.0 * UNIT);
    Sifted {
        missed,
        crossed: crossed & bits((time - error).simd_gt(0.0)),
        from_front: bits(sign.simd_lt(0.0)),
        about: [time, turns[2] * share, turns[0] * share],
        error,
    }
}

/// The largest coordinate, whatever its sign.
#[inline(always)]
fn largest<S: Simd>(v: &Vector<f64x4<S>>) -> f64x4<S> {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

#[cfg(test)]
mod tests {
    use super::super::{Triangle, first_hit};
    use super::*;
    use crate::simd::level::{Operation, dispatch, level};
    use crate::simd::three::three;
    use core::cmp::Ordering;

    struct Sift([DVec3; 2], [Triangle; 4]);

    /// The bits of `Sifted`, and the estimates.
    type Found = ([u32; 3], [Option<Estimate>; 4]);

    impl Operation for Sift {
        type Output = Found;
        fn run<S: Simd>(self, simd: S) -> Found {
            let row = |v: usize, k: usize| f64x4::load_array(simd, self.1.map(|triangle| triangle[v][k]));
            let corners = three(|v| three(|k| row(v, k)));
            let sifted = sift(simd, self.0, &corners);
            let estimate = |lane: usize| (sifted.crossed >> lane & 1 != 0).then(|| sifted.estimate(lane));
            ([sifted.missed, sifted.crossed, sifted.from_front], core::array::from_fn(estimate))
        }
    }

    /// Coordinates on grids of all sizes: many segments run through edges, vertices and planes, or nearly so.
    #[test]
    fn what_is_certain_is_true() {
        let mut state = 7u64;
        let mut next = |grid: f64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) as f64 / 2f64.powi(31) * grid).floor() / grid - 0.5
        };
        let (mut missed, mut crossed, mut unsure, mut far) = (0, 0, 0, 0);
        for round in 0..150_000 {
            let grid = [2.0, 4.0, 1e3, 1e9][round % 4];
            let size = [1.0, 1e-5, 1e-12, 1e-290][round / 4 % 4];
            let mut point = || DVec3::new(next(grid), next(grid), next(grid));
            let triangles = [(); 4].map(|_| [point() * size, point() * size, point() * size]);
            let ends = [point(), point() * size];
            let ([missed_lanes, crossed_lanes, from_front], estimates) = dispatch(level(), Sift(ends, triangles));
            assert_eq!(missed_lanes & crossed_lanes, 0);
            for (lane, triangle) in triangles.iter().enumerate() {
                let exact = first_hit(ends, triangle);
                if missed_lanes >> lane & 1 != 0 {
                    assert_eq!(exact, None, "{ends:?} {triangle:?}");
                    missed += 1;
                } else if let Some(Estimate { early, late, about: [time, b, c] }) = estimates[lane] {
                    let exact = exact.unwrap_or_else(|| panic!("{ends:?} {triangle:?}"));
                    assert!(early <= exact.time && exact.time <= late);
                    let from_side = if from_front >> lane & 1 != 0 { Ordering::Greater } else { Ordering::Less };
                    assert_eq!(exact.from_side, from_side);
                    assert!(early > 0.0 && early <= time && time <= late);
                    // The weights need only be near: whoever uses them finds out by how much they are off.
                    let off = (b - exact.barycentric[1]).abs().max((c - exact.barycentric[2]).abs());
                    assert!(off < 0.5, "{ends:?} {triangle:?}");
                    // Of a triangle that is tiny from where the segment begins few digits are seen from there.
                    far += (off > 1e-6 && size >= 1e-5) as u32;
                    crossed += 1;
                } else {
                    unsure += 1;
                }
            }
        }
        println!("{missed} missed, {crossed} crossed, {unsure} unsure, weights far off for {far}");
        assert!(missed > 200_000 && crossed > 10_000 && unsure > 10_000, "{missed} {crossed} {unsure}");
        assert!(far < crossed / 100, "{far} of {crossed}");
    }
}
