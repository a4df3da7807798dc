//! Vectors of three: of numbers or of lanes, as arrays.
//!
//! `core::array::from_fn` and `map` are not always inlined, and a function that is not inlined loses the target features of
//! its caller: every lane operation becomes a call. So these functions are spelt out.

use core::ops::{Add, Mul, Sub};

/// `[make(0), make(1), make(2)]`.
#[inline(always)]
pub fn three<T>(mut make: impl FnMut(usize) -> T) -> [T; 3] {
    [make(0), make(1), make(2)]
}

/// `[change(x), change(y), change(z)]`.
#[inline(always)]
pub fn map3<T: Copy, U>(values: &[T; 3], mut change: impl FnMut(T) -> U) -> [U; 3] {
    [change(values[0]), change(values[1]), change(values[2])]
}

/// The product of two vectors; of lanes also with a vector of numbers, which is the same in all lanes.
#[inline(always)]
pub fn dot<T, U>(a: &[T; 3], b: &[U; 3]) -> T
where
    T: Copy + Mul<U, Output = T> + Add<Output = T>,
    U: Copy,
{
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub fn cross<T>(a: &[T; 3], b: &[T; 3]) -> [T; 3]
where
    T: Copy + Mul<Output = T> + Sub<Output = T>,
{
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `a - b`.
#[inline(always)]
pub fn difference<T: Copy + Sub<U, Output = T>, U: Copy>(a: &[T; 3], b: &[U; 3]) -> [T; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a * factor`.
#[inline(always)]
pub fn scaled<T: Copy + Mul<U, Output = T>, U: Copy>(a: &[T; 3], factor: U) -> [T; 3] {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// `a + factor * b`.
#[inline(always)]
pub fn plus_scaled<T, U>(a: &[T; 3], factor: T, b: &[U; 3]) -> [T; 3]
where
    T: Copy + Mul<U, Output = T> + Add<Output = T>,
    U: Copy,
{
    [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]]
}

/// `a - factor * b`.
#[inline(always)]
pub fn minus_scaled<T, U>(a: &[T; 3], factor: T, b: &[U; 3]) -> [T; 3]
where
    T: Copy + Mul<U, Output = T> + Sub<Output = T>,
    U: Copy,
{
    [a[0] - factor * b[0], a[1] - factor * b[1], a[2] - factor * b[2]]
}

/// `weights[0] * vectors[0] + weights[1] * vectors[1] + weights[2] * vectors[2]`.
#[inline(always)]
pub fn combination<T, U>(weights: &[T; 3], vectors: &[[U; 3]; 3]) -> [T; 3]
where
    T: Copy + Mul<U, Output = T> + Add<Output = T>,
    U: Copy,
{
    three(
        #[inline(always)]
        |k| weights[0] * vectors[0][k] + weights[1] * vectors[1][k] + weights[2] * vectors[2][k],
    )
}

/// One lane of three rows.
#[inline(always)]
pub fn column(rows: &[[f32; 8]; 3], lane: usize) -> [f32; 3] {
    [rows[0][lane], rows[1][lane], rows[2][lane]]
}
