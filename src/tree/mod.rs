//! Hierarchies: eight-wide nodes in one array, parents before children (`node`), and how they are built (`build`).
//! `shapes` are the points and segments that a model alone is asked about.
//!
//! `refit` follows vertices that move. `validate` checks a hierarchy. `statistics` measures its quality.

pub mod build;
pub mod node;
pub mod node_pair;
pub mod refit;
pub mod shapes;
#[cfg(any(test, feature = "internals"))]
pub mod statistics;
pub mod validate;

pub use build::split::SplitRule;
pub use build::{Options, build};
pub use node::Tree;
