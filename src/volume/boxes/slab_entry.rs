//! When a moving ball enters boxes: the path against three pairs of planes, each moved outward by the radius.
//!
//! A ball whose centre touches nothing of the moved planes' inside touches nothing of the box. Rounding is in `Line::ball`:
//! with u the unit roundoff, D the distance from the path to the centre and l its length, the centre's place along an axis
//! is off by 6 u D, what the path goes along the axis by 4 u l, and the axes' rounding moves the planes by less than 20 u of the
//! half extents. The products with the inverse and their sum cost 4 u of what they multiply: of the distance to the planes.

use crate::simd::three::three;
use crate::volume::ray::{Entries, Line, SMALLEST};
use fearless_simd::{Simd, SimdBase, SimdFloat, f32x8};

/// One over each number, with its sign and not larger than for `SMALLEST`.
#[inline(always)]
pub(super) fn inverse<S: Simd>(simd: S, direction: f32x8<S>) -> f32x8<S> {
    f32x8::splat(simd, 1.0).copysign(direction) / direction.abs().max(f32x8::splat(simd, SMALLEST))
}

/// How far the path goes before it enters each box, and which boxes it enters within `limit`; along three axes of each box: from the
/// start of the path to the centre (`offset`), one over the direction of the path, and half of the box.
#[inline(always)]
pub(super) fn slab_entry<S: Simd>(
    simd: S,
    [offset, inverse, half]: [[f32x8<S>; 3]; 3],
    line: &Line,
    limit: f32,
) -> Entries<S> {
    let slabs = three(
        #[inline(always)]
        |k| {
            let (middle, wide) = (offset[k] * inverse[k], (half[k] + line.ball) * inverse[k].abs());
            [middle - wide, middle + wide]
        },
    );
    let enter = slabs[0][0].max(slabs[1][0]).max(slabs[2][0]).max(f32x8::splat(simd, 0.0));
    let leave = slabs[0][1].min(slabs[1][1]).min(slabs[2][1]).min(f32x8::splat(simd, limit));
    Entries { gone: enter, entered: enter.simd_le(leave) }
}
