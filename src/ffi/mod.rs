//! The C boundary: a thin shell over `Model` and `Pair`, and the only place with raw pointers.
//!
//! Every exported function is guard, checks, one call into the core, write the result. What is exported:
//! `constants` and `structs` (the vocabulary), `library`, `initialise`, `model`, `transform`, `one_model`, `pair`, `query`,
//! `minima_and_sweep`.
//! What they stand on: `guard` (panics become a status), `message` (the sentence of the last failure), `growing`
//! (structs that grow between versions), `access` (who may read or write a handle), `block` (what a handle points
//! to), `mesh` (reading the caller's arrays), `checks` (numbers and flags), `float_environment`,
//! `workers` (threads for builds).
//! `include/feeler.h` is generated from these files and their comments; `tests/header.rs` proves it current.

// The names are those of the C header, which is generated from them.
#![allow(non_camel_case_types)]
// What a caller owes to every function is said once, at the top of the header.
#![allow(clippy::missing_safety_doc)]

mod access;
mod block;
mod checks;
mod constants;
mod float_environment;
mod growing;
mod guard;
mod initialise;
mod layout;
mod library;
mod mesh;
mod message;
mod minima_and_sweep;
mod model;
mod one_model;
mod pair;
mod query;
mod structs;
mod transform;
#[cfg(unix)]
mod workers;

/// What the header declares, for tests.
#[cfg(feature = "internals")]
pub mod exported {
    pub use super::constants::*;
    pub use super::initialise::*;
    pub use super::library::*;
    pub use super::minima_and_sweep::*;
    pub use super::model::*;
    pub use super::one_model::*;
    pub use super::pair::*;
    pub use super::query::*;
    pub use super::structs::*;
    pub use super::transform::*;
}
