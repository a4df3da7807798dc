//! Two models in their poses, as searches see them.
//!
//! `posed_models` holds the models and where they are, `relative_frames` how their node frames lie to each other,
//! `node_frames` the same node by node for models with strays, `at_anchor` what fronts of such models and of far ones are measured
//! from. `bound_frame`
//! says in which numbers bounds are kept. `expansion` is the step of every search, `node_test` tests the lanes of one node,
//! `one_volume` and `two_volumes` are the hierarchies to step through, `through_table` hides which of them it is, and `survivors`
//! is what a step leaves.

pub mod at_anchor;
pub mod bound_frame;
#[cfg(test)]
mod certificates_hold;
pub mod expansion;
pub mod node_frames;
pub mod node_test;
pub mod one_volume;
pub mod posed_models;
pub mod relative_frames;
pub mod shape;
#[cfg(test)]
pub(crate) mod slack_holds;
pub mod survivors;
pub mod through_table;
pub mod two_volumes;
