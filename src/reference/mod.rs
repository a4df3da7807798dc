//! The definition of every answer, for tests: `plain_walk` looks at all triangle pairs.

pub mod plain_walk;
