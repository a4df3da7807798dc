//! Where a segment crosses the inside of a triangle: the numbers of `segment_triangle`, sooner.
//!
//! Those are quotients of volumes in double-double. Here they come with a guess by plain arithmetic (`segment_sieve`), what the guess
//! leaves of the way between segment and triangle is found in twice the precision, and plain arithmetic tells from that by how much the
//! guess is off. The numbers are kept where every number within reach of both ways rounds to the same one.
//!
//! Symbols: u = 2^-53; d is the way along the segment, g the way to its start from the triangle's first vertex, e and f the edges from
//! there, n = e x f, q = n.d. The crossing is where g + t d = b e + c f. D, R and E are the largest coordinates: of d, of the ways from the
//! start to all three vertices, and of e and f; E is at most 2R. z = g + t d - b e - c f is what a guess leaves, and Z is its largest coordinate.
//! 1. The equation is linear. So a guess is off by -n.z / q in t, by (f x d).z / q in b, and by (d x e).z / q in c.
//! 2. A way is a number and its error, exactly; so is a product of two numbers. With guesses of at most 2 the heads are at most R, 2D, 2E and 2E,
//!    and are added exactly. The other parts are at most u(32R + 10D) together and are added with twelve roundings: z is off by 512uu(R + D),
//!    and by uZ when it is rounded.
//! 3. An entry of n is off by 8uEE, so n.z by EE(54uZ + 2^12 uu(R + D)), and q by 48uEED. |q| is at least 2^10 uEED. So the
//!    quotient is off by EE / |q| times 2^13 uu(R + D) + 2^8 uZ + 2^11 uZ EED / |q|. The other two have ED in place of EE.
//! 4. The third weight is 1 - b - c. Its head and the errors of that are exact, and the rest is added with less than what step 3 has room for.
//! 5. `segment_triangle` errs by less than 40uu times the permanents of its volumes in every sum: a product in double-double by 8uu, a sum by
//!    4uu. Those of its turns are 6DRR each. So its parts of the time are off by less than 2^14 uu EE(D + R), those of its weights by 2^16 uu
//!    DR(R + E).
//! 6. Let parts of a quotient that is at most 1 be off by at most o, and what they are divided by be at least 2o. Then the quotient is off by at
//!    most 4o over that. The division itself is off by 2^-98 of the quotient.
//! 7. q is at least 2^-480 and coordinates are far below 2^100, so that D is above 2^-690. What products lose that underflow is less than
//!    a part in uu of every bound.

use super::Triangle;
use crate::math::error_free::{two_product, two_sum};
use crate::simd::eight::bits;
use crate::simd::level::Operation;
use fearless_simd::{Simd, SimdBase, f64x4};
use glam::DVec3;

const TIME_OFF: f64 = f64::from_bits((1023 - 106 + 17) << 52);
const WEIGHT_OFF: f64 = f64::from_bits((1023 - 106 + 19) << 52);
const WAY_OFF: f64 = f64::from_bits((1023 - 106 + 13) << 52);
const LEFT_OFF: f64 = f64::from_bits((1023 - 53 + 8) << 52);
const SMALLEST_SHARE: f64 = f64::from_bits((1023 - 53 + 10) << 52);
/// Numbers below this are not divided by.
const SMALLEST: f64 = f64::from_bits((1023 - 480) << 52);
const QUOTIENT_OFF: f64 = f64::from_bits((1023 - 96) << 52);
const MORE_OFF: f64 = f64::from_bits((1023 - 50) << 52);

/// The time and the weights of a crossing, from the segment, the triangle and a guess at the time and the weights of the second and the
/// third vertex; None where rounding might make another number of one of them.
pub struct Inside<'a>(pub [DVec3; 2], pub &'a Triangle, pub [f64; 3]);

impl Operation for Inside<'_> {
    type Output = Option<(f64, [f64; 3])>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Self([p, q], &[r, s, t], [time, b, c]) = self;
        let left = left(simd, self);
        let (d, g, e, f) = (q - p, p - r, s - r, t - r);
        let solving = [e.cross(f), f.cross(d), d.cross(e)];
        let whole = solving[0].dot(d);
        let inverse = 1.0 / whole;
        let [early, more_b, more_c] = solved(&solving, inverse, left);
        let (others, error) = two_sum(1.0, -b);
        let (first, other_error) = two_sum(others, -c);
        let guess = f64x4::load_array(simd, [time, first, b, c]);
        let more = f64x4::load_array(simd, [-early, (error + other_error) - more_b - more_c, more_b, more_c]);

        let (edge, along) = (largest(e).max(largest(f)), largest(d));
        let reach = largest(g).max(largest(s - p)).max(largest(t - p));
        let (size, area) = (whole.abs(), edge * edge);
        let off = {
            let share = inverse.abs();
            let of_left = WAY_OFF * (reach + along) + LEFT_OFF * largest(left) * (1.0 + 8.0 * area * along * share);
            let of_time = area * (TIME_OFF * (along + reach) + of_left) * share;
            let of_weight = along * (WEIGHT_OFF * reach * (reach + edge) + edge * of_left) * share;
            f64x4::load_array(simd, [of_time, of_weight * 2.0, of_weight, of_weight])
        };
        if !(size >= SMALLEST && size >= SMALLEST_SHARE * (area * along)) {
            return None;
        }
        let [time, x, y, z] = certain(guess, more, off)?.to_array();
        Some((time, [x, y, z]))
    }
}

#[inline(always)]
fn largest(vector: DVec3) -> f64 {
    vector.abs().max_element()
}

/// How much less the time and how much more the weights are than a guess that leaves this way.
#[inline(always)]
fn solved([n, across_f, across_e]: &[DVec3; 3], inverse: f64, left: DVec3) -> [f64; 3] {
    [n.dot(left) * inverse, across_f.dot(left) * inverse, across_e.dot(left) * inverse]
}

/// The way from the triangle at the guessed weights to the segment at the guessed time, rounded once.
#[inline(always)]
fn left<S: Simd>(simd: S, Inside([p, q], &[r, s, t], [time, b, c]): Inside) -> DVec3 {
    let [p, q, r, s, t] = [lanes(simd, p), lanes(simd, q), lanes(simd, r), lanes(simd, s), lanes(simd, t)];
    let (g, d, e, f) = (two_sum(p, -r), two_sum(q, -p), two_sum(s, -r), two_sum(t, -r));
    let [time, b, c] = [f64x4::splat(simd, time), f64x4::splat(simd, b), f64x4::splat(simd, c)];
    let (along, along_low) = two_product(d.0, time);
    let (first, first_low) = two_product(e.0, b);
    let (second, second_low) = two_product(f.0, c);
    let (start, start_low) = two_sum(g.0, along);
    let (nearer, nearer_low) = two_sum(start, -first);
    let (left, left_low) = two_sum(nearer, -second);
    let of_ways = g.1 + (d.1 * time - e.1 * b - f.1 * c);
    let of_products = along_low - first_low - second_low;
    let of_sums = start_low + nearer_low + left_low;
    let [x, y, z, _] = (left + (of_ways + of_products + of_sums)).to_array();
    DVec3::new(x, y, z)
}

#[inline(always)]
fn lanes<S: Simd>(simd: S, v: DVec3) -> f64x4<S> {
    f64x4::load_array(simd, [v.x, v.y, v.z, 0.0])
}

/// Sums of two numbers that are off by at most `off`, at most 2; None if rounding is not certain.
#[inline(always)]
fn certain<S: Simd>(guess: f64x4<S>, more: f64x4<S>, off: f64x4<S>) -> Option<f64x4<S>> {
    let off = guess.abs() * QUOTIENT_OFF + more.abs() * MORE_OFF + off;
    let (less, more) = (guess + (more - off), guess + (more + off));
    let is_certain = less.simd_eq(more) & guess.abs().simd_le(2.0) & off.simd_le(0.5);
    (bits(is_certain) == 15).then_some(less)
}

#[cfg(test)]
mod tests {
    use super::super::exact::segment::{Met, segment_meets};
    use super::super::segment_triangle::through;
    use super::*;
    use crate::simd::level::{dispatch, level};
    use core::cmp::Ordering;

    /// The time and two weights by plain arithmetic.
    fn guessed([p, q]: [DVec3; 2], &[r, s, t]: &Triangle) -> [f64; 3] {
        let (d, g, e, f) = (q - p, p - r, s - r, t - r);
        let solving = [e.cross(f), f.cross(d), d.cross(e)];
        let [before, b, c] = solved(&solving, 1.0 / solving[0].dot(d), g);
        [-before, b, c]
    }

    /// Short and long numbers, triangles of all sizes before and around the segment, and segments close to edges and planes.
    #[test]
    fn the_bits_are_those_of_the_longer_way() {
        let mut state = 11u64;
        let mut next = |grid: f64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) as f64 / 2f64.powi(31) * grid).floor() / grid - 0.5
        };
        let (mut certain, mut others) = (0, 0);
        for round in 0..400_000 {
            let grid = [16.0, 1e4, 16777216.0, 1e30][round % 4];
            let size = [1.0, 1e-2, 1e-5, 1e-9, 1e-200][round / 4 % 5];
            let mut point = || DVec3::new(next(grid), next(grid), next(grid));
            let at = if size < 1e-100 { point() * size } else { point() };
            let triangle = [at + point() * size, at + point() * size, at + point() * size];
            let mut weights = point().abs() + 1e-9;
            if round % 7 == 0 {
                weights.x *= 1e-13;
            }
            weights /= weights.element_sum();
            let crossing = triangle[0] * weights.x + triangle[1] * weights.y + triangle[2] * weights.z;
            let (along, normal) = (point(), (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]));
            // Some nearly run in the plane.
            let along = if round % 11 == 0 && normal.length() > 0.0 {
                along - normal * (along.dot(normal) / normal.length_squared() * (1.0 - 1e-9))
            } else {
                along
            };
            let ends = [crossing - along * 0.7, crossing + along * 1.1];
            let Some(Met::Through { sides, turns }) = segment_meets(ends, &triangle) else { continue };
            let side = sides[0];
            if side == Ordering::Equal || turns != [side; 3] {
                continue;
            }
            // Guesses that are far off may leave more open, but must not lead to other numbers.
            let off = if round % 5 == 0 { point() * [1e-3, 1e-9, 1.0][round / 5 % 3] } else { DVec3::ZERO };
            let [time, b, c] = guessed(ends, &triangle);
            let guess = [time + off.x, b + off.y, c + off.z];
            match dispatch(level(), Inside(ends, &triangle, guess)) {
                None => others += 1,
                Some((time, weights)) => {
                    assert_eq!((time, weights), through(ends, &triangle, turns), "{ends:?} {triangle:?}");
                    certain += 1;
                }
            }
        }
        println!("{certain} certain, {others} not");
        assert!(certain > 100_000 && others > 1_000, "{certain} {others}");
    }
}
