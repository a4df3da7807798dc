//! Hierarchies: eight-wide nodes in one array, children after parents (`node`), and how they are made (`build`).
//!
//! `binary` halves the triangles (`item`) by a rule (`split`) down to single ones, `collapse` chooses which of these
//! halves become lanes of eight-wide nodes, `emit` writes those nodes and fits their volumes, `workers` shares the
//! work among threads. `validate` checks the outcome, `statistics` says how good it is.

pub mod binary;
pub mod build;
pub mod collapse;
pub mod emit;
pub mod item;
pub mod node;
pub mod node_frames;
pub mod split;
pub mod statistics;
pub mod validate;
pub mod workers;

pub use build::{Options, build};
pub use node::Tree;
pub use split::SplitRule;
