//! The searches: `nearest` for the nearest pair, `along_front` for the same from what the last query left, `within` for all
//! pairs within a distance.
//!
//! `incumbent` is the best pair so far, `bucket_queue` and the stack of `workspace` hold what waits, `triangle_batch`
//! measures triangles.

pub mod along_front;
pub mod around;
pub mod bucket_queue;
pub mod incumbent;
pub mod nearest;
pub mod triangle_batch;
pub mod within;
pub mod workspace;
