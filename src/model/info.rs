//! What a model tells about itself.

use super::VolumeKind;
use glam::DVec3;

/// Figures about a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelInfo {
    /// The shape around the nodes.
    pub volume: VolumeKind,
    /// Whether the vertices may move.
    pub deformable: bool,
    /// Levels of the hierarchy; 0 before the build.
    pub depth: u32,
    /// Triangles of the mesh.
    pub triangle_count: u64,
    /// Triangles whose vertices lie on one line or in one point.
    pub degenerate_count: u64,
    /// Nodes of the hierarchy, up to eight children each.
    pub node_count: u64,
    /// Bytes that the model occupies.
    pub memory_bytes: u64,
    /// Smallest box of the used vertices, in the caller's coordinates.
    pub bounds: [DVec3; 2],
    /// What the last build took.
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
