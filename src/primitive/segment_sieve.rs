//! What plain arithmetic can tell about a segment and a triangle: most casts need no more about most triangles.
//!
//! Symbols: u = 2^-53; a volume is that of three rounded differences, as in `signs`, whose filter says how far it is off.
//! 1. Products that underflow are off by 2^-1074 each, times another factor at most. Placed coordinates are far below 2^100, so
//!    that `TINY` is more than all of them together.
//! 2. With s and e the volumes of the ends over the triangle, off by at most b and c, and S and E the true ones, all of them
//!    certain and of opposite signs, the time s / (s - e) is off by |sE - Se| / (|s - e| |S - E|). That is at most
//!    max(b, c) / |S - E|, and 2 max(b, c) / |s - e| where b + c is at most half of |s - e|.
//! 3. The time that `segment_triangle` computes in double-double is off by less than a millionth of that, the quotient by 4 u.
//!    Taking b + c in place of the maximum and adding 4 u covers both.

use super::Triangle;
use super::signs::{VOLUME_FILTER, plain_volume};
use crate::simd::eight::bits;
use core::cmp::Ordering;
use fearless_simd::{Simd, SimdBase, f64x4};
use glam::DVec3;

/// What is certain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sifted {
    Missed,
    /// The segment crosses the inside of the triangle. The computed time is between these, which are above 0; the side as in
    /// `SegmentHit`.
    Crossed {
        early: f64,
        late: f64,
        from_side: Ordering,
    },
    Unsure,
}

const UNIT: f64 = f64::from_bits((1023 - 53) << 52);
const TINY: f64 = f64::from_bits((1023 - 900) << 52);

/// How the segment from `p[0]` to `p[1]` meets a triangle, as far as plain arithmetic proves it.
#[inline(always)]
pub fn sift<S: Simd>(simd: S, p: [DVec3; 2], t: &Triangle) -> Sifted {
    let (a, b, c, along) = (t[0] - p[0], t[1] - p[0], t[2] - p[0], p[1] - p[0]);
    // A lane for each edge; the last lane repeats the third.
    let lanes = |x: f64, y: f64, z: f64| f64x4::load_array(simd, [x, y, z, z]);
    let from = [lanes(a.x, b.x, c.x), lanes(a.y, b.y, c.y), lanes(a.z, b.z, c.z)];
    let to = [lanes(b.x, c.x, a.x), lanes(b.y, c.y, a.y), lanes(b.z, c.z, a.z)];
    let direction = [f64x4::splat(simd, along.x), f64x4::splat(simd, along.y), f64x4::splat(simd, along.z)];
    let (turn, permanent) = plain_volume(&direction, &from, &to);
    let bound = permanent * VOLUME_FILTER + TINY;
    let (positive, negative) = (bits(turn.simd_gt(bound)), bits(turn.simd_lt(-bound)));
    if positive != 0 && negative != 0 {
        return Sifted::Missed;
    }
    let (edge, other) = ((t[1] - t[0]).to_array(), (t[2] - t[0]).to_array());
    let over = |point: DVec3| {
        let (volume, permanent) = plain_volume(&edge, &other, &(point - t[0]).to_array());
        (volume, permanent * VOLUME_FILTER + TINY)
    };
    let ((start, start_off), (end, end_off)) = (over(p[0]), over(p[1]));
    let are_certain = start.abs() > start_off && end.abs() > end_off;
    if are_certain && (start > 0.0) == (end > 0.0) {
        return Sifted::Missed;
    }
    let (whole, off) = ((start - end).abs(), start_off + end_off);
    let is_inside = (positive | negative).count_ones() == 4;
    if !(are_certain && is_inside && off <= 0.5 * whole) {
        return Sifted::Unsure;
    }
    let (time, error) = (start.abs() / whole, 2.0 * off / whole + 4.0 * UNIT);
    let from_side = if start > 0.0 { Ordering::Greater } else { Ordering::Less };
    let (early, late) = (time - error, time + error);
    if early > 0.0 { Sifted::Crossed { early, late, from_side } } else { Sifted::Unsure }
}

#[cfg(test)]
mod tests {
    use super::super::first_hit;
    use super::*;
    use crate::simd::level::{Operation, dispatch, level};

    struct Sift([DVec3; 2], Triangle);

    impl Operation for Sift {
        type Output = Sifted;
        fn run<S: Simd>(self, simd: S) -> Sifted {
            sift(simd, self.0, &self.1)
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
        let (mut missed, mut crossed, mut unsure) = (0, 0, 0);
        for round in 0..600_000 {
            let grid = [2.0, 4.0, 1e3, 1e9][round % 4];
            let size = [1.0, 1e-5, 1e-12, 1e-290][round / 4 % 4];
            let mut point = || DVec3::new(next(grid), next(grid), next(grid));
            let triangle = [point() * size, point() * size, point() * size];
            let ends = [point(), point() * size];
            let exact = first_hit(ends, &triangle);
            match dispatch(level(), Sift(ends, triangle)) {
                Sifted::Missed => {
                    assert_eq!(exact, None, "{ends:?} {triangle:?}");
                    missed += 1;
                }
                Sifted::Crossed { early, late, from_side } => {
                    let exact = exact.unwrap_or_else(|| panic!("{ends:?} {triangle:?}"));
                    assert!(early <= exact.time && exact.time <= late && exact.from_side == from_side);
                    assert!(early > 0.0);
                    crossed += 1;
                }
                Sifted::Unsure => unsure += 1,
            }
        }
        println!("{missed} missed, {crossed} crossed, {unsure} unsure");
        assert!(missed > 200_000 && crossed > 10_000 && unsure > 10_000, "{missed} {crossed} {unsure}");
    }
}
