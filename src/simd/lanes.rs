//! The arithmetic of the triangle kernels: one source for a plain number, four or eight lanes, or twice their precision
//! (`math::double_double`).
//!
//! Every operation is correctly rounded on its own: no fused multiply-add, no approximate reciprocal. So a kernel gives
//! the same bits on every instruction set.
//!
//! Where lanes are made of single numbers (`without_lanes`, build.rs), a comparison or a choice is a branch for each lane. Those are
//! called and not inlined: else a kernel is one function of a hundred thousand branches, and compilers take hours for it.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};
use fearless_simd::{
    Bytes, Select, Simd, SimdBase, SimdFloat, SimdMask, f64x4, f64x8, mask64x4, mask64x8, u64x4, u64x8,
};

/// A truth value per lane.
pub trait Truth: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    fn all(self) -> bool;
}

/// A number per lane.
pub trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
{
    type Mask: Truth;
    /// The leading part: the number itself, or half of its precision.
    type Head: Real<Mask = Self::Mask>;

    /// Unit roundoff of one operation as a power of two; for double-double with room for its less exact last bits.
    const ROUNDOFF_EXPONENT: i32;

    /// The same constant in every lane. `self` only says which instruction set to use.
    fn splat(self, value: f64) -> Self;
    fn absolute(self) -> Self;
    fn square_root(self) -> Self;
    fn less(self, other: Self) -> Self::Mask;
    fn less_or_equal(self, other: Self) -> Self::Mask;
    /// The sign of zero and the choice at NaN differ between instruction sets.
    fn smaller(self, other: Self) -> Self;
    fn larger(self, other: Self) -> Self;
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// The same number with its last four bits replaced by `code`. A minimum then still knows which candidate it came
    /// from.
    fn tagged(self, code: u64) -> Self;
    /// The code of a tagged number, as a number.
    fn tag(self) -> Self;
    fn head(self) -> Self::Head;
    /// The difference of two numbers that are heads alone, as given coordinates are.
    fn minus_given(self, other: Self) -> Self;
    /// Runs work with the lanes' instruction set: for functions that are too long to be inlined where they are called.
    fn apart<T>(self, work: impl FnOnce() -> T) -> T;
}

/// The bits that carry a code.
const TAG: u64 = 15;
/// 2^52, whose last bits are the integers below 2^52.
const INTEGER_BASE: f64 = 4_503_599_627_370_496.0;

impl Truth for bool {
    #[inline(always)]
    fn all(self) -> bool {
        self
    }
}

impl Real for f64 {
    type Mask = bool;
    type Head = Self;
    const ROUNDOFF_EXPONENT: i32 = -53;

    #[inline(always)]
    fn splat(self, value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn absolute(self) -> Self {
        self.abs()
    }
    #[inline(always)]
    fn square_root(self) -> Self {
        self.sqrt()
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn less_or_equal(self, other: Self) -> bool {
        self <= other
    }
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn tagged(self, code: u64) -> Self {
        f64::from_bits(self.to_bits() & !TAG | code)
    }
    #[inline(always)]
    fn tag(self) -> Self {
        (self.to_bits() & TAG) as f64
    }
    #[inline(always)]
    fn head(self) -> Self {
        self
    }
    #[inline(always)]
    fn minus_given(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn apart<T>(self, work: impl FnOnce() -> T) -> T {
        work()
    }
}

/// Spelt out for both widths, because the operations of a width are those of its type.
macro_rules! lanes {
    ($lanes:ident, $mask:ident, $bits:ident, $splat:ident, $splat_bits:ident) => {
        impl<S: Simd> Truth for $mask<S> {
            #[cfg_attr(not(without_lanes), inline(always))]
            #[cfg_attr(without_lanes, inline(never))]
            fn all(self) -> bool {
                self.all_true()
            }
        }

        impl<S: Simd> Real for $lanes<S> {
            type Mask = $mask<S>;
            type Head = Self;
            const ROUNDOFF_EXPONENT: i32 = -53;

            #[inline(always)]
            fn splat(self, value: f64) -> Self {
                self.simd.$splat(value)
            }
            #[cfg_attr(not(without_lanes), inline(always))]
            #[cfg_attr(without_lanes, inline(never))]
            fn absolute(self) -> Self {
                self.abs()
            }
            #[cfg_attr(not(without_lanes), inline(always))]
            #[cfg_attr(without_lanes, inline(never))]
            fn square_root(self) -> Self {
                self.sqrt()
            }
            #[cfg_attr(not(without_lanes), inline(always))]
            #[cfg_attr(without_lanes, inline(never))]
            fn less(self, other: Self) -> Self::Mask {
                self.simd_lt(other)
            }
            #[cfg_attr(not(without_lanes), inline(always))]
            #[cfg_attr(without_lanes, inline(never))]
            fn less_or_equal(self, other: Self) -> Self::Mask {
                self.simd_le(other)
            }
            #[cfg_attr(not(without_lanes), inline(always))]
            #[cfg_attr(without_lanes, inline(never))]
            fn smaller(self, other: Self) -> Self {
                self.min(other)
            }
            #[cfg_attr(not(without_lanes), inline(always))]
            #[cfg_attr(without_lanes, inline(never))]
            fn larger(self, other: Self) -> Self {
                self.max(other)
            }
            #[cfg_attr(not(without_lanes), inline(always))]
            #[cfg_attr(without_lanes, inline(never))]
            fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
                mask.select(yes, no)
            }
            #[inline(always)]
            fn tagged(self, code: u64) -> Self {
                let bits: $bits<S> = self.bitcast();
                (bits & self.simd.$splat_bits(!TAG) | self.simd.$splat_bits(code)).bitcast()
            }
            #[inline(always)]
            fn tag(self) -> Self {
                let bits: $bits<S> = self.bitcast();
                let integer: Self =
                    (bits & self.simd.$splat_bits(TAG) | self.simd.$splat_bits(INTEGER_BASE.to_bits())).bitcast();
                integer - self.splat(INTEGER_BASE)
            }
            #[inline(always)]
            fn head(self) -> Self {
                self
            }
            #[inline(always)]
            fn minus_given(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn apart<T>(self, work: impl FnOnce() -> T) -> T {
                self.simd.vectorize(work)
            }
        }
    };
}

lanes!(f64x4, mask64x4, u64x4, splat_f64x4, splat_u64x4);
lanes!(f64x8, mask64x8, u64x8, splat_f64x8, splat_u64x8);

/// Whether eight numbers are one register, so that eight pairs cost hardly more than four.
#[inline(always)]
pub const fn holds_eight<S: Simd>() -> bool {
    size_of::<S::f64s>() == size_of::<[f64; 8]>()
}
