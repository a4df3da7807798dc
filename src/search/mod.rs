//! The searches: `nearest` for the nearest pair of triangles, from the roots or `along_front`, and `within` for all pairs within
//! a threshold.
//!
//! A search uses a `workspace` (`bucket_queue` and `stack`) while it runs, and leaves a `memory` for the next query. `incumbent`
//! is the best pair so far, `farther_pairs`, `face_gaps`, `flat_pairs` and `tied_pairs` tell what need not be measured, `open_pairs`
//! what is measured last. `two_by_two` is how pairs of nodes are taken, `triangle_batch` measures triangles, `pair_alone` the pair that is
//! remembered, `waiting_pairs` keeps those that may be local minima, `counters` says what was done. `around` walks one model alone.

pub mod along_front;
pub mod around;
pub mod bucket_queue;
pub mod counters;
pub mod face_gaps;
pub mod farther_pairs;
pub mod flat_pairs;
pub mod incumbent;
pub mod memory;
pub mod nearest;
pub mod open_pairs;
pub mod pair_alone;
pub mod stack;
pub mod tied_pairs;
pub mod triangle_batch;
pub mod two_by_two;
pub mod waiting_pairs;
pub mod within;
pub mod workspace;

use crate::posed::bound_frame::BoundFrame;
use crate::posed::expansion::Certify;
use fearless_simd::Simd;

/// A search that runs over any two posed hierarchies, on any instruction set.
pub trait RunSearch: Sized {
    type Answer;

    /// Whether the search certifies a clearance from the roots, which code that is compiled whole does not.
    fn certifies_from_roots(&self) -> bool {
        false
    }

    /// Runs along the front of the last query where that pays, else from the roots. CERTIFIES says whether a search from the roots may
    /// certify a clearance, which code that is compiled whole leaves to the front.
    fn run<S: Simd, X: Certify<S>, const CERTIFIES: bool>(self, simd: S, frame: &BoundFrame, nodes: &X)
    -> Self::Answer;
}
