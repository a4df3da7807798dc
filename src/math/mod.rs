//! Plain mathematics below the geometry: poses (`transform`), the relative placement of two models (`placement`),
//! powers of two (`power_of_two`), eigenvectors (`eigen`), boxes of points (`bounds`).

pub mod bounds;
pub mod eigen;
pub mod motion;
pub mod placement;
pub mod power_of_two;
pub mod transform;
