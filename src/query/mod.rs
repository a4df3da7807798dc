//! What is asked: collide, contacts, distance, tolerance.
//!
//! `answer` holds the questions and answers, `plain_walk` answers by looking at every triangle pair: it is the
//! definition that every faster query is tested against. The faster ones: `engine` chooses types, `placed`, `frames` and
//! `scene` say where things are, `expansion` is one step of a search, `nearest` and `within` are the searches,
//! `front_walk` is `nearest` along what the last query left, `incumbent` what both have found,
//! `siblings`, `bucket_queue`, `triangle_batch` and `scratch` what they keep, `contact_sink` and `write_touching` what contacts
//! become.

pub mod answer;
pub mod bucket_queue;
#[cfg(test)]
mod certificates_hold;
pub mod contact_sink;
pub mod engine;
pub mod expansion;
pub mod frames;
pub mod front_walk;
pub mod incumbent;
pub mod nearest;
pub mod placed;
pub mod plain_walk;
pub mod scene;
pub mod scratch;
pub mod siblings;
#[cfg(test)]
mod slack;
pub mod triangle_batch;
pub mod within;
pub mod write_touching;

pub use answer::*;
