//! When a moving ball enters boxes: the path against three pairs of planes, each moved outward by the radius.
//!
//! A ball whose centre touches nothing of the moved planes' inside touches nothing of the box. Rounding is in `Ray::ball`:
//! with u the unit roundoff, D the distance from the path to the centre and l its length, the centre's place along an axis
//! is off by 6 u D, what the path goes along the axis by 4 u l, the axes' rounding moves the planes by less than 20 u of the
//! half extents, and the quotients cost 3 u of what they divide.

use crate::simd::three::three;
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, f32x8};

/// How far the path goes before it enters each box, infinite where it misses; along three axes of each box: from the start
/// of the path to the centre (`offset`), the direction of the path, and half of the box.
#[inline(always)]
pub(super) fn slab_entry<S: Simd>(
    simd: S,
    [offset, direction, half]: [[f32x8<S>; 3]; 3],
    (ball, length): (f32, f32),
) -> f32x8<S> {
    let one = f32x8::splat(simd, 1.0);
    // Along a plane nothing is entered or left: dividing by next to nothing says so.
    let smallest = f32x8::splat(simd, 1e-20);
    let slabs = three(
        #[inline(always)]
        |k| {
            let inverse = one / direction[k].abs().max(smallest);
            let (ahead, wide) = (offset[k] * one.copysign(direction[k]), half[k] + ball);
            [(ahead - wide) * inverse, (ahead + wide) * inverse]
        },
    );
    let enter = slabs[0][0].max(slabs[1][0]).max(slabs[2][0]).max(f32x8::splat(simd, 0.0));
    let leave = slabs[0][1].min(slabs[1][1]).min(slabs[2][1]).min(f32x8::splat(simd, length));
    enter.simd_le(leave).select(enter, f32x8::splat(simd, f32::INFINITY))
}
