//! What feeler's tests, benches and measuring programs share: meshes made by rule, workloads, oracles, clock, pictures.
//!
//! The programs themselves are in `src/bin`. Nothing here is part of the shipped library.

pub mod arguments;
pub mod campaign;
pub mod clock;
pub mod deformations;
pub mod document;
pub mod drawing;
pub mod ideal_tree;
pub mod kernels;
pub mod measured;
pub mod mesh;
pub mod meshes;
pub mod obj;
pub mod oracle;
pub mod papers;
pub mod paths;
pub mod random;
pub mod scenes;
pub mod stored;
pub mod tally;
pub mod volumes;
pub mod workload;
pub mod workloads;

pub use mesh::Mesh;
pub use random::Random;
pub use workload::Workload;
