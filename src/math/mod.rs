//! Plain mathematics below the geometry: poses (`transform`), the relative placement of two models (`placement`),
//! poses from graphics matrices (`matrix4`), powers of two (`power_of_two`).

pub mod matrix4;
pub mod placement;
pub mod power_of_two;
pub mod transform;
