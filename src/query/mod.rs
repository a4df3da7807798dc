//! What is asked: collide, contacts, distance, tolerance.
//!
//! `answer` holds the questions and answers, `engine` chooses types and asks a search, `contact_sink` and `write_touching` make
//! contacts.

pub mod answer;
pub mod cast;
pub mod closest_point;
pub mod contact_sink;
pub mod engine;
pub mod kept;
pub mod local_minima;
pub mod side;
pub mod within_ball;
pub mod write_touching;

pub use answer::*;
pub use cast::{CastAnswer, CastParams, Hit};
pub use closest_point::{ClosestParams, SurfacePoint};
pub use kept::Room;
pub use local_minima::{Minimum, MinimaParams};
pub use side::Side;
