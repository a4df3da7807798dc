//! feeler: how near are two triangle meshes, and where do they touch?
//!
//! Make a [`Model`] of each mesh, put two models into a [`Pair`], place them by [`Transform`]s, ask:
//!
//! ```
//! use feeler::glam::DVec3;
//! use feeler::{BuildParams, DistanceParams, Model, Pair, Transform};
//!
//! let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y];
//! let mut triangle = Model::new(&(&vertices[..], &[[0, 1, 2]][..]))?;
//! triangle.build(&BuildParams::default())?;
//!
//! let mut pair = Pair::new(&triangle, &triangle)?;
//! pair.set_transforms(None, Some(&Transform { translation: DVec3::Z * 2.0, ..Transform::IDENTITY }))?;
//! let answer = pair.distance(&DistanceParams::default());
//! assert_eq!(answer.upper, 2.0);
//! assert_eq!(answer.nearest.unwrap().normal, DVec3::Z);
//! # Ok::<(), feeler::Error>(())
//! ```
//!
//! Queries do not allocate, and the same question has the same answer, to the bit, on every machine. The folder `examples`
//! has longer programs.
//!
//! # Inside
//!
//! The folders draw the architecture, arrows point down only:
//! `ffi` > `pair` > `reference` > `query` > `search` > `posed` > `coherence` > `model` > `tree` > `volume` > `primitive` > `math` > `simd`.
//! `reference` is the definition that the queries are tested against; shipped builds do not have it.

#![deny(unsafe_code)]

mod allocation;
mod coherence;
mod error;
#[allow(unsafe_code)] // the C boundary: raw pointers, bytewise copies, handles
mod ffi;
mod math;
mod model;
mod pair;
mod posed;
mod primitive;
mod query;
#[cfg(any(test, feature = "internals"))]
mod reference;
mod search;
#[allow(unsafe_code)] // lanes and run-time dispatch
mod simd;
mod tree;
mod volume;

pub use error::{Error, Status};
/// The vectors and matrices of this interface.
pub use glam;
pub use math::transform::Transform;
pub use model::{BuildParams, HybridSelection, MeshSource, Model, ModelInfo, Quality, SplitRule, VolumeKind};
pub use pair::{Pair, PairParams, SweepAnswer, SweepParams};
pub use query::contact_sink::{ContactList, ContactSink};
pub use query::{
    CastAnswer, CastParams, ClosestParams, CollideAnswer, CollideParams, Contact, ContactsAnswer, ContactsParams,
    Counters, DistanceAnswer, DistanceParams, Hit, MinimaParams, Minimum, NO_TRIANGLE, Room, SearchOrder, Side,
    SurfacePoint, ToleranceAnswer, ToleranceParams,
};
pub use tree::build::workers::{Inline, Threads, Workers};

/// What the tests and the measuring tools of this repository need of the inside; no promise holds here.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    macro_rules! open {
        ($($room:ident)*) => {
            $(pub mod $room {
                pub use crate::$room::*;
            })*
        };
    }
    open!(coherence ffi math model pair posed primitive query reference search simd tree volume);
}
