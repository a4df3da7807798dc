//! Hierarchies: eight-wide nodes in one array, children after parents (`node`), and how they are made (`build`).
//! `shapes` are the points and segments that a model alone is asked about.
//!
//! `validate` checks a hierarchy, `statistics` says how good it is.

pub mod build;
pub mod node;
pub mod shapes;
#[cfg(any(test, feature = "internals"))]
pub mod statistics;
pub mod validate;

pub use build::split::SplitRule;
pub use build::{Options, build};
pub use node::Tree;
