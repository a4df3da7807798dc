//! Where the two models of a query are: both models (`posed_models`), how their node frames lie to each other
//! (`relative_frames`), their hierarchies (`node_pairs`), the step from a pair of nodes to its children (`expansion`) and what
//! is left after it (`survivors`).

#[cfg(test)]
mod certificates_hold;
pub mod expansion;
pub mod node_pairs;
pub mod posed_models;
pub mod relative_frames;
#[cfg(test)]
pub(crate) mod slack_holds;
pub mod shape;
pub mod survivors;
