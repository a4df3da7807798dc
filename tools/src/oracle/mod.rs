//! Oracles for triangle pairs that share no code with the library.
//!
//! `enumeration`: exact integers, every pair of faces of the two triangles; `minimum_norm`: Wolfe's algorithm on the
//! difference body in fixed point. Both work on a pair brought to integers by one power of two (`grid`).

pub mod enumeration;
pub mod grid;
pub mod minimum_norm;

pub type Pair = [[[f64; 3]; 3]; 2];
