//! Eight lanes against one probe: the arithmetic of the volume kernels, in f32, or in f64 for models far apart.
//!
//! Nodes are stored in f32. The same kernel source runs on `f32x8` and on `f64x8`; the latter widens what it loads.

use fearless_simd::{Simd, SimdBase, SimdFloat, SimdFloatElement, SimdMask, f32x4, f32x8, f64x4, f64x8};

/// The scalar of a kernel.
pub trait Element: SimdFloatElement + Send + Sync + 'static {
    /// Unit roundoff, half the distance from 1 to the next number: the largest relative error of one operation.
    const ROUNDING: f64;
    /// Eight lanes of this scalar.
    type Lanes<S: Simd>: Eight<S, Element = Self>;
    /// Four lanes of this scalar: a vector and one number to fill.
    type Four<S: Simd>: SimdFloat<S, Element = Self>;
    /// Kernels square lengths. Up to this length, sums of squares stay finite with room to spare.
    const LONGEST: f64;
    /// A unit below this, less some roundings, is no normal number: it would be rounded by more than a part in 1 / `ROUNDING`.
    const SMALLEST_UNIT: f64;
    fn from_f64(value: f64) -> Self;
    fn from_f32(value: f32) -> Self;
    fn to_f64(self) -> f64;
    fn abs(self) -> Self;
}

impl Element for f32 {
    const ROUNDING: f64 = 5.960464477539063e-8; // 2^-24
    type Lanes<S: Simd> = f32x8<S>;
    type Four<S: Simd> = f32x4<S>;
    const LONGEST: f64 = 1e18;
    const SMALLEST_UNIT: f64 = 2.0 * f32::MIN_POSITIVE as f64;
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as f32
    }
    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        value
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f32::abs(self)
    }
}

impl Element for f64 {
    const ROUNDING: f64 = 1.1102230246251565e-16; // 2^-53
    type Lanes<S: Simd> = f64x8<S>;
    type Four<S: Simd> = f64x4<S>;
    const LONGEST: f64 = 1e150;
    const SMALLEST_UNIT: f64 = 2.0 * f64::MIN_POSITIVE;
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        value as f64
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }
}

/// Lanes of a kernel, however many.
pub trait LaneArithmetic<S: Simd>: SimdFloat<S, Element: Element> {
    #[cfg_attr(not(without_lanes), inline(always))]
    #[cfg_attr(without_lanes, inline(never))]
    fn greater(self, other: Self) -> Self::Mask {
        self.simd_gt(other)
    }
    #[cfg_attr(not(without_lanes), inline(always))]
    #[cfg_attr(without_lanes, inline(never))]
    fn larger(self, other: Self) -> Self {
        self.max(other)
    }
    #[cfg_attr(not(without_lanes), inline(always))]
    #[cfg_attr(without_lanes, inline(never))]
    fn smaller(self, other: Self) -> Self {
        self.min(other)
    }
    /// `this` where `mask`, else `other`.
    #[cfg_attr(not(without_lanes), inline(always))]
    #[cfg_attr(without_lanes, inline(never))]
    fn choose(mask: Self::Mask, this: Self, other: Self) -> Self {
        fearless_simd::Select::select(mask, this, other)
    }
}

impl<S: Simd, L: SimdFloat<S, Element: Element>> LaneArithmetic<S> for L {}

/// Eight lanes of a kernel.
pub trait Eight<S: Simd>: LaneArithmetic<S> {
    /// True for the f64 lanes, which serve models that are too far apart for f32.
    const IS_F64: bool;
    fn load(simd: S, row: &[f32; 8]) -> Self;
    /// A bound minus `base`, rounded down into f32; `base` is 0 on the f32 path.
    fn relative_down(self, simd: S, base: Self::Element) -> f32x8<S>;
}

impl<S: Simd> Eight<S> for f32x8<S> {
    const IS_F64: bool = false;
    #[inline(always)]
    fn load(simd: S, row: &[f32; 8]) -> Self {
        Self::load_array_ref(simd, row)
    }
    #[inline(always)]
    fn relative_down(self, _simd: S, _base: f32) -> f32x8<S> {
        self
    }
}

impl<S: Simd> Eight<S> for f64x8<S> {
    const IS_F64: bool = true;
    #[inline(always)]
    fn load(simd: S, row: &[f32; 8]) -> Self {
        Self::load_array(simd, row.map(|value| value as f64))
    }
    #[inline(always)]
    fn relative_down(self, simd: S, base: f64) -> f32x8<S> {
        // Subtraction and conversion err by at most a part in 2^23; the factor removes that error.
        let relative = (self - base).to_array().map(|value| value as f32 * (1.0 - 4.0 * f32::EPSILON));
        f32x8::load_array(simd, relative)
    }
}

/// The lanes of a mask as bits, lane 0 lowest.
#[cfg_attr(not(without_lanes), inline(always))]
#[cfg_attr(without_lanes, inline(never))]
pub fn bits<S: Simd, M: SimdMask<S>>(mask: M) -> u32 {
    mask.to_bitmask() as u32
}

/// The smallest of eight numbers, none of which is NaN, and the first lane that holds it.
#[cfg_attr(not(without_lanes), inline(always))]
#[cfg_attr(without_lanes, inline(never))]
pub fn smallest_lane<S: Simd>(values: f32x8<S>) -> (f32, u32) {
    let smallest = values.reduce_min();
    let lanes = bits(values.simd_eq(f32x8::splat(values.simd, smallest)));
    (smallest, lanes.trailing_zeros() % 8)
}

/// Three rows as a vector of lanes.
#[inline(always)]
pub fn load3<S: Simd, L: Eight<S>>(simd: S, rows: &[[f32; 8]; 3]) -> [L; 3] {
    [L::load(simd, &rows[0]), L::load(simd, &rows[1]), L::load(simd, &rows[2])]
}

#[inline(always)]
pub fn store3<S: Simd>(values: &[f32x8<S>; 3], rows: &mut [[f32; 8]; 3]) {
    values[0].store_slice(&mut rows[0]);
    values[1].store_slice(&mut rows[1]);
    values[2].store_slice(&mut rows[2]);
}

/// A vector of numbers, the same in all lanes.
#[inline(always)]
pub fn splat3<S: Simd, L: Eight<S>>(simd: S, vector: &[L::Element; 3]) -> [L; 3] {
    [L::splat(simd, vector[0]), L::splat(simd, vector[1]), L::splat(simd, vector[2])]
}

/// The absolute value of each entry.
#[inline(always)]
pub fn abs3<S: Simd, L: LaneArithmetic<S>>(a: &[L; 3]) -> [L; 3] {
    [a[0].abs(), a[1].abs(), a[2].abs()]
}

/// In each lane `this` where `mask`, else `other`.
#[inline(always)]
pub fn choose3<S: Simd, L: LaneArithmetic<S>>(mask: L::Mask, this: &[L; 3], other: &[L; 3]) -> [L; 3] {
    [L::choose(mask, this[0], other[0]), L::choose(mask, this[1], other[1]), L::choose(mask, this[2], other[2])]
}

/// The largest entry of a vector, in each lane.
#[inline(always)]
pub fn largest<S: Simd, L: LaneArithmetic<S>>(a: &[L; 3]) -> L {
    a[0].larger(a[1]).larger(a[2])
}
