//! Plain mathematics below the geometry: poses (`transform`), the relative placement of two models (`placement`),
//! powers of two (`power_of_two`), numbers of 104 bits (`double_double`).

pub mod double_double;
pub mod placement;
pub mod power_of_two;
pub mod transform;
