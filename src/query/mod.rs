//! What is asked: collide, contacts, distance, tolerance.
//!
//! `answer` holds the questions and answers, `plain_walk` answers by looking at every triangle pair: it is the
//! definition that every faster query is tested against.

pub mod answer;
pub mod plain_walk;

pub use answer::*;
