//! Plain mathematics below the geometry: poses (`transform`), in lanes (`pose`), and the 4x4 matrices they come from (`matrix4`), the
//! relative placement of two models (`placement`) and the motion between their node frames (`motion`), powers of two
//! (`power_of_two`), twice the precision of f64 (`double_double`), eigenvectors (`eigen`), boxes along the axes
//! (`bounds`), smallest spheres (`enclosing_sphere`).

pub mod bounds;
pub mod double_double;
pub mod eigen;
pub mod enclosing_sphere;
pub mod matrix4;
pub mod motion;
pub mod placement;
pub mod pose;
pub mod power_of_two;
pub mod transform;
pub mod turning;
