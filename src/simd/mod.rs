//! Lanes and run-time dispatch: the instruction set of a query (`level`), eight lanes of a volume kernel (`eight`) and two
//! times eight (`sixteen`), the arithmetic of the triangle kernels (`lanes`), arrays of three lanes (`three`), prefetching (`prefetch`).

pub mod eight;
pub mod lanes;
pub mod level;
pub mod prefetch;
pub mod sixteen;
pub mod three;
