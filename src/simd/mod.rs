//! Lanes and run-time dispatch: which instruction set a query runs on (`level`).

pub mod level;
