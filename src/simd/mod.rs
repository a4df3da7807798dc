//! Lanes (`lanes`: the arithmetic that kernels are written in) and run-time dispatch (`level`: which instruction set).

pub mod lanes;
pub mod level;
