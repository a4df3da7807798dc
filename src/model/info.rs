//! What a model tells about itself.

use super::VolumeKind;
use glam::DVec3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelInfo {
    pub volume: VolumeKind,
    pub deformable: bool,
    /// Levels of the hierarchy; 0 before the build.
    pub depth: u32,
    pub triangle_count: u64,
    pub degenerate_count: u64,
    pub node_count: u64,
    pub memory_bytes: u64,
    /// Smallest box of the used vertices, in the caller's coordinates.
    pub bounds: [DVec3; 2],
    pub build_seconds: f64,
    /// 1 as built, grows as a refitted hierarchy decays.
    pub refit_quality: f64,
    /// The model was built without neighbourhoods.
    pub no_topology: bool,
    /// Edges of one triangle; 0 without topology.
    pub boundary_edges: u64,
    /// Edges of three triangles or more.
    pub nonmanifold_edges: u64,
}
