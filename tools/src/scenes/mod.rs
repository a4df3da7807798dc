//! Pairs of models in poses, and what the definition says about them: the corpus of the query tests.

mod array;
mod corpus;
mod every_pair;
mod hash;
pub mod judge;
mod kinds;
pub mod minima;
mod poses;
mod room;
mod shape;
mod walk;

pub use array::Array;
pub use corpus::{corpus, shapes, with_heart, with_stray};
pub use every_pair::{SlotPair, every_pair};
pub use hash::Hash;
pub use judge::Judge;
pub use kinds::{build, pairings, volumes};
pub use poses::{centred, lattice_rotation, pose, poses, random_rotation, until_touching};
pub use room::FixedRoom;
pub use shape::Shape;
pub use walk::Walk;
