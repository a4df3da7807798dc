//! Lanes and run-time dispatch: which instruction set a query runs on (`level`), eight lanes of a volume kernel (`eight`).

pub mod eight;
pub mod level;
