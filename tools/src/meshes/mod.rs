//! Meshes made by rule.

mod animal;
mod boxes;
mod cave;
mod hand;
mod hostile;
mod machine;
mod soups;
mod surfaces;

pub use animal::{animal, animal_radius};
pub use boxes::lattice_box;
pub use cave::{cave, wrinkled_torus};
pub use hand::hand;
pub use hostile::hostile;
pub use machine::{drilled_plate, gear, peg, ring_of_rectangles, stylus};
pub use soups::{degenerate, equal, needles, random_soup};
pub use surfaces::{belly, grid, plane, sphere, torus};
