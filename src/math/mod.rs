//! Mathematics below the geometry: poses (`transform`), poses in lanes (`pose`) and from 4x4 matrices (`matrix4`), the
//! relative placement of two models (`placement`), the motion between their node frames (`motion`), powers of two
//! (`power_of_two`), sums and products without loss (`error_free`), double-double numbers (`double_double`),
//! eigenvectors (`eigen`), axis-aligned boxes (`bounds`), lengths of any size (`length`), smallest spheres (`enclosing_sphere`), rounding up
//! (`rounding`).

pub mod bounds;
pub mod double_double;
pub mod eigen;
pub mod enclosing_sphere;
pub mod error_free;
pub mod length;
pub mod matrix4;
pub mod motion;
pub mod placement;
pub mod pose;
pub mod power_of_two;
pub mod rounding;
pub mod transform;
pub mod turning;
