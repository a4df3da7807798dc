//! The definition of every answer, for tests: `plain_walk` looks at all triangle pairs, `one_model` at all triangles.

#[cfg(feature = "internals")]
pub mod one_model;
pub mod plain_walk;
