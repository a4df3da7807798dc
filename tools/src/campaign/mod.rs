//! The chunks of the oracle campaign (`src/bin/campaign.rs`) and their tallies.

pub mod pairs;
pub mod queries;
mod tally;

pub use tally::{Tallies, Tally};
