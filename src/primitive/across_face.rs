//! Whether triangles are farther apart than a limit across the plane of one of them: a twelfth of what it takes to measure them.
//!
//! For any vector n every distance is at least (min n.b_j - max n.a_i) / |n|, so that no rounding of n itself counts. Taken are the
//! normals of both triangles, which tell nearly all pairs of surfaces that face each other.
//!
//! Rounding, with u = 2^-53 and D at least the length of every difference of two vertices here:
//! 1. A product of n with a rounded difference of vertices is off by 4u |n| D, as in `kernel`. The height of a vertex of the other triangle is
//!    the sum of two such products, off by 8u |n| D + 2u |n| D.
//! 2. Heights of a triangle above its own plane are single products, off by 4u |n| D; taking them away costs 3u |n| D.
//! 3. So a gap is off by less than 17u |n| D, and 32u D in the limit leaves room.
//! 4. |n| and the product with the limit are off by a few u of the limit, which the caller leaves room for.
//! 5. Nothing overflows while D is below 2^148, because n is below 2^300. What underflows is below 2^-1070, much less than u |n| D where |n| is
//!    above 2^-300 and D above 2^-400.

use super::kernel::{Corners, Vector};
use crate::simd::lanes::Real;
use crate::simd::three::{cross, difference, dot};

/// Squares of normals below this are those of points and needles; they tell nothing.
const SMALLEST: f64 = f64::from_bits((1023 - 600) << 52);

/// Pairs that are certainly farther apart than this; it includes the roundings.
#[inline(always)]
pub fn is_beyond<R: Real>(a: &Corners<R>, b: &Corners<R>, limit: R) -> R::Mask {
    let e = [difference(&a[1], &a[0]), difference(&a[2], &a[0])];
    let f = [difference(&b[1], &b[0]), difference(&b[2], &b[0])];
    let r = difference(&b[0], &a[0]);
    let (normal_a, normal_b) = (cross(&e[0], &e[1]), cross(&f[0], &f[1]));
    let (above_a, above_b) = (dot(&normal_a, &r), dot(&normal_b, &r));
    // From A to the vertices of B along the normal of A, and from the vertices of A to B along that of B.
    let to_b = [above_a, above_a + dot(&normal_a, &f[0]), above_a + dot(&normal_a, &f[1])];
    let from_a = [above_b, above_b - dot(&normal_b, &e[0]), above_b - dot(&normal_b, &e[1])];
    is_wide(&normal_a, &to_b, &e, limit) | is_wide(&normal_b, &from_a, &f, limit)
}

/// `heights` of one triangle along the normal of the other, whose edges are given.
#[inline(always)]
fn is_wide<R: Real>(normal: &Vector<R>, heights: &[R; 3], edges: &[Vector<R>; 2], limit: R) -> R::Mask {
    let lowest = heights[0].smaller(heights[1]).smaller(heights[2]);
    let highest = heights[0].larger(heights[1]).larger(heights[2]);
    let own = dot(normal, &edges[0]).absolute().larger(dot(normal, &edges[1]).absolute());
    let squared = dot(normal, normal);
    let gap = lowest.larger(-highest) - own;
    (limit * squared.square_root()).less(gap) & limit.splat(SMALLEST).less_or_equal(squared)
}
