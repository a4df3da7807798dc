//! Arrays of three lanes. `core::array::from_fn` and `map` are not always inlined, and a function that is not inlined
//! loses the target features of its caller: every lane operation becomes a call.

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
