//! What the fuzz targets make of arbitrary bytes: numbers, meshes, poses and builds that are legal, and mostly awkward.

pub mod builds;
pub mod meshes;
pub mod numbers;
pub mod poses;
pub mod questions;
pub mod structs;

/// Ends the target with the words of a verdict.
pub fn demand(verdict: feeler_tools::scenes::judge::Verdict, context: impl FnOnce() -> String) {
    if let Err(words) = verdict {
        panic!("{words}\n{}", context());
    }
}
