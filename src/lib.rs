//! feeler: how near are two triangle meshes, and where do they touch?
//!
//! The folders draw the architecture, arrows point down only:
//! `ffi` > `pair` > `query` > `search` > `posed` > `coherence` > `model` > `tree` > `volume` > `primitive` > `simd`, `math`.
//! `reference` is the definition that the queries are tested against.

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
mod reference;
mod search;
#[allow(unsafe_code)] // lanes and run-time dispatch
mod simd;
mod tree;
mod volume;

pub use error::{Error, Status};
pub use math::transform::Transform;
pub use model::{BuildParams, HybridSelection, MeshSource, Model, ModelInfo, Quality, SplitRule, VolumeKind};
pub use pair::{Pair, PairParams, SweepAnswer, SweepParams};
pub use query::contact_sink::{ContactList, ContactSink};
pub use query::{
    CastAnswer, CastParams, ClosestParams, CollideAnswer, CollideParams, Contact, ContactsAnswer, ContactsParams,
    Counters, DistanceAnswer, DistanceParams, Hit, MinimaParams, Minimum, NO_TRIANGLE, Room, Search, Side,
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
