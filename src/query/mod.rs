//! What is asked: collide, contacts, distance, tolerance.
//!
//! `answer` holds the questions and answers, `engine` chooses types and asks a search, `contact_sink` and `write_touching` make
//! contacts.

pub mod answer;
pub mod contact_sink;
pub mod engine;
pub mod write_touching;

pub use answer::*;
