//! The C boundary: a thin shell over `Model` and `Pair`, and the only place with raw pointers.
//!
//! Every exported function is guard, checks, one call into the core, write the result.
//!
//! Exported: `constants`, `structs`, `library`, `initialise`, `model`, `transform`, `one_model`, `pair`, `query`,
//! `minima_and_sweep`.
//!
//! Below them: `guard` (errors and panics become a status), `message` (the last error message), `growing` (structs that
//! grow between versions), `access` (who may read or write a handle), `block` (what a handle points to), `mesh` (reads
//! the caller's arrays), `checks` (numbers and flags), `float_environment`, `layout` (asserts offsets and sizes),
//! `workers` (threads for builds).
//!
//! `include/feeler.h` is generated from these files and their comments; `tests/header.rs` checks that it is current.

// The names are those of the C header.
#![allow(non_camel_case_types)]
// The top of the header says what a caller must guarantee for every function.
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

/// The items of the header, for tests.
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
