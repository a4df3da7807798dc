//! feeler: how near are two triangle meshes, and where do they touch?
//!
//! The folders draw the architecture, arrows point down only:
//! `ffi` over `pair` and `model` over `query` over `coherence` and `tree` over `volume` and `primitive` over `simd` and `math`.

#![deny(unsafe_code)]

pub mod coherence;
mod error;
#[allow(unsafe_code)] // the C boundary: raw pointers, bytewise copies, handles
pub mod ffi;
pub mod math;
mod memory;
pub mod model;
pub mod pair;
pub mod primitive;
pub mod query;
#[allow(unsafe_code)] // lanes and run-time dispatch
pub mod simd;
pub mod tree;
pub mod volume;

pub use error::{Error, Status};
pub use math::transform::Transform;
pub use model::Model;
pub use pair::Pair;
