//! Lanes and run-time dispatch: which instruction set a query runs on (`level`), eight lanes of a volume kernel
//! (`eight`), the arithmetic that the triangle kernels are written in (`lanes`), threes of lanes (`three`),
//! memory asked for ahead (`prefetch`).

pub mod eight;
pub mod lanes;
pub mod level;
pub mod prefetch;
pub mod three;
