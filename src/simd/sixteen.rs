//! Eight lanes of one node and eight of another in one register, where registers are that wide.

use crate::simd::three::three;
use fearless_simd::{Simd, SimdBase, f32x8, f32x16};

/// Whether one instruction handles sixteen lanes of f32.
#[inline(always)]
pub const fn are_one_register<S: Simd>() -> bool {
    <S::f32s as SimdBase<S>>::LEN == 16
}

#[inline(always)]
pub fn load_both3<S: Simd>(simd: S, [low, high]: [&[[f32; 8]; 3]; 2]) -> [f32x16<S>; 3] {
    three(
        #[inline(always)]
        |k| simd.combine_f32x8(f32x8::load_array_ref(simd, &low[k]), f32x8::load_array_ref(simd, &high[k])),
    )
}

/// One number in the lanes of the first node, another in those of the second.
#[inline(always)]
pub fn splat_both<S: Simd>(simd: S, [low, high]: [f32; 2]) -> f32x16<S> {
    simd.combine_f32x8(f32x8::splat(simd, low), f32x8::splat(simd, high))
}

#[inline(always)]
pub fn splat_both3<S: Simd>(simd: S, [low, high]: [&[f32; 3]; 2]) -> [f32x16<S>; 3] {
    three(
        #[inline(always)]
        |k| splat_both(simd, [low[k], high[k]]),
    )
}
