//! A model: a triangle mesh in normalised f64 coordinates and, once built, its hierarchy.
//!
//! `build_params` holds the choices of a build, `built` what it makes, `hierarchy` the tree of whatever volume, `info`
//! what a model tells about itself, `show_volumes` draws its volumes as triangles. `update` moves the vertices of a deformable model,
//! `merge` makes equal vertices one, `compact` keeps numbers in few bytes, `numbering` knows which vertices are the caller's, `users` which triangles and nodes follow
//! a vertex, `topology` which triangles are neighbours.

mod build_params;
mod built;
mod compact;
mod hierarchy;
mod info;
mod merge;
mod numbering;
mod show_volumes;
mod topology;
mod update;
mod users;

pub use build_params::{BuildParams, HybridSelection, Quality, SplitRule, VolumeKind};
pub use built::Built;
pub use compact::Compact;
pub use hierarchy::{Hierarchy, TreePairVisitor, TreeVisitor};
pub use info::ModelInfo;
pub use topology::Neighbourhoods;
pub use update::VertexSource;

use crate::allocation::try_collect;
use crate::error::{Error, Status};
use crate::math::power_of_two::{exponent_above, shift};
use crate::math::transform::LARGEST_COORDINATE;
use crate::primitive::{self, Triangle};
use glam::DVec3;
use numbering::Numbering;

/// More triangles than this would need the id that means "no triangle".
pub const MOST_TRIANGLES: usize = u32::MAX as usize - 1;

/// A mesh and, once built, its hierarchy; a stored coordinate times `2^exponent` is the coordinate as given.
///
/// ```
/// use feeler::glam::DVec3;
/// use feeler::{BuildParams, Model, Status};
///
/// let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let triangles = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
/// let mut model = Model::new(&(&vertices[..], &triangles[..]))?;
/// model.build(&BuildParams::default())?;
/// assert_eq!(model.info().triangle_count, 4);
///
/// // A refusal says what is wrong.
/// let error = Model::new(&(&vertices[..], &[[0, 1, 9]][..])).unwrap_err();
/// assert_eq!(error.status, Status::InvalidMesh);
/// # Ok::<(), feeler::Error>(())
/// ```
#[derive(Debug)]
pub struct Model {
    vertices: Vec<DVec3>,
    triangles: Compact<3>,
    exponent: i32,
    bounds: [DVec3; 2],
    degenerate_count: u64,
    built: Option<Built>,
    /// Which of the vertices are the caller's.
    numbering: Numbering,
    /// Counts the changes of the vertices and of the hierarchy, and those of the hierarchy's layout alone.
    generation: u64,
    layout: u64,
}

/// Where a mesh comes from: read once, element by element, so that the caller's layout never matters.
pub trait MeshSource {
    /// How many vertices there are.
    fn vertex_count(&self) -> usize;
    /// How many triangles there are.
    fn triangle_count(&self) -> usize;
    /// The position of a vertex.
    fn vertex(&self, index: usize) -> DVec3;
    /// The vertices of a triangle.
    fn triangle(&self, index: usize) -> [u32; 3];
}

/// Vertices and triangles as plain slices.
impl MeshSource for (&[DVec3], &[[u32; 3]]) {
    fn vertex_count(&self) -> usize {
        self.0.len()
    }
    fn triangle_count(&self) -> usize {
        self.1.len()
    }
    fn vertex(&self, index: usize) -> DVec3 {
        self.0[index]
    }
    fn triangle(&self, index: usize) -> [u32; 3] {
        self.1[index]
    }
}

impl Model {
    /// Copies and checks a mesh; vertices that no triangle uses are checked, too, but do not count for the bounds.
    pub fn new(source: &impl MeshSource) -> Result<Self, Error> {
        let refuse = |sentence: core::fmt::Arguments| Err(Error::new(Status::InvalidMesh, sentence));
        let (vertex_count, triangle_count) = (source.vertex_count(), source.triangle_count());
        if triangle_count == 0 {
            return refuse(format_args!("mesh.triangle_count is 0: a mesh needs a triangle"));
        }
        if triangle_count > MOST_TRIANGLES {
            return refuse(format_args!("mesh.triangle_count {triangle_count} is above {MOST_TRIANGLES}"));
        }
        let triangles = try_collect("triangles", (0..triangle_count).map(|index| source.triangle(index)))?;
        for (index, triangle) in triangles.iter().enumerate() {
            if let Some(vertex) = triangle.iter().find(|vertex| **vertex as usize >= vertex_count) {
                return refuse(format_args!(
                    "mesh.indices: triangle {index} names vertex {vertex}, but mesh.vertex_count is {vertex_count}"
                ));
            }
        }
        let mut vertices = try_collect("vertices", (0..vertex_count).map(|index| source.vertex(index)))?;
        for (index, vertex) in vertices.iter().enumerate() {
            if !is_legal(*vertex) {
                return Err(illegal_vertex(*vertex, index));
            }
        }
        let mut bounds = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        for vertex in triangles.iter().flatten().map(|&index| vertices[index as usize]) {
            bounds = [bounds[0].min(vertex), bounds[1].max(vertex)];
        }
        let exponent = exponent_above(bounds[0].abs().max(bounds[1].abs()).max_element());
        for vertex in &mut vertices {
            *vertex = normalised(*vertex, exponent);
        }
        let mut model = Self {
            vertices,
            triangles: Compact::Long(triangles),
            exponent,
            bounds,
            degenerate_count: 0,
            built: None,
            numbering: Numbering::Given,
            generation: 0,
            layout: 0,
        };
        model.degenerate_count =
            (0..triangle_count).filter(|&slot| is_degenerate(&model.triangle_in_slot(slot))).count() as u64;
        Ok(model)
    }

    /// Whether there is a hierarchy, so that the model can be part of a pair.
    pub fn is_built(&self) -> bool {
        self.built.is_some()
    }

    /// The volume of the hierarchy; the default one before the first build.
    pub fn volume(&self) -> VolumeKind {
        self.built.as_ref().map_or(VolumeKind::default(), |built| built.params.volume)
    }

    /// Whether the vertices of this model may move after its build.
    pub fn is_deformable(&self) -> bool {
        self.built.as_ref().is_some_and(|built| built.params.deformable)
    }

    /// Whether a build with these choices makes a hierarchy of the kind that this model has, to be used in its place.
    pub(crate) fn is_rebuilt_alike_by(&self, params: &BuildParams) -> bool {
        let has = self.built.as_ref().map(|built| built.params);
        has.is_some_and(|has| {
            let same_kind = (has.volume, has.hybrid_selection) == (params.volume, params.hybrid_selection);
            has.deformable && params.deformable && same_kind
        })
    }

    /// Figures about the mesh and its hierarchy.
    pub fn info(&self) -> ModelInfo {
        let built = self.built.as_ref();
        let topology = built.and_then(|built| built.topology.as_ref());
        ModelInfo {
            volume: self.volume(),
            deformable: self.is_deformable(),
            depth: built.map_or(0, |built| built.hierarchy.depth()),
            triangle_count: self.triangles.count() as u64,
            degenerate_count: self.degenerate_count,
            node_count: built.map_or(0, |built| built.hierarchy.node_count() as u64),
            memory_bytes: self.memory() as u64,
            bounds: self.bounds,
            build_seconds: built.map_or(0.0, |built| built.seconds),
            refit_quality: self.decay(),
            no_topology: built.is_some_and(|built| built.topology.is_none()),
            boundary_edges: topology.map_or(0, |topology| topology.boundary_edges),
            nonmanifold_edges: topology.map_or(0, |topology| topology.nonmanifold_edges),
        }
    }

    /// The triangle with the caller's number `id`, in stored coordinates.
    #[inline]
    pub fn triangle(&self, id: u32) -> Triangle {
        self.triangle_in_slot(self.slot(id))
    }

    /// How many triangles the mesh has.
    pub fn triangle_count(&self) -> usize {
        self.triangles.count()
    }

    /// Counts the changes of the vertices and of the hierarchy.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Counts the builds: a slot means another triangle afterwards.
    pub fn layout(&self) -> u64 {
        self.layout
    }

    /// A stored coordinate times two to this power is the coordinate as given.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// Smallest box of the used vertices, in the caller's coordinates.
    pub fn bounds(&self) -> [DVec3; 2] {
        self.bounds
    }

    /// The middle of that box.
    pub fn centre_of_bounds(&self) -> DVec3 {
        self.bounds[0] * 0.5 + self.bounds[1] * 0.5
    }

    /// Triangles whose three vertices lie on one line or in one point.
    pub fn degenerate_count(&self) -> u64 {
        self.degenerate_count
    }
}

/// Stored coordinates; without -0, so that equal ones have equal bits.
#[inline(always)]
fn normalised(vertex: DVec3, exponent: i32) -> DVec3 {
    // Spelt out: `map` would not be inlined.
    let [x, y, z] = vertex.to_array();
    DVec3::new(shift(x, -exponent), shift(y, -exponent), shift(z, -exponent)) + DVec3::ZERO
}

/// Whether a mesh may have this vertex.
#[inline(always)]
fn is_legal(vertex: DVec3) -> bool {
    // Every comparison fails for a NaN.
    let within = |x: f64| x.abs() <= LARGEST_COORDINATE;
    within(vertex.x) & within(vertex.y) & within(vertex.z)
}

/// Why a mesh may not have this vertex.
#[cold]
fn illegal_vertex(vertex: DVec3, number: usize) -> Error {
    let what = if vertex.is_finite() { "beyond 1e300" } else { "that is not finite" };
    Error::new(Status::InvalidMesh, format_args!("mesh.vertices: vertex {number} has a coordinate {what}"))
}

/// `primitive::is_degenerate`, sooner for triangles whose area rounding cannot hide: a product of two edges is off by less
/// than five roundings of its terms, as long as those are far from the smallest numbers.
fn is_degenerate(triangle: &Triangle) -> bool {
    let (e, f) = (triangle[1] - triangle[0], triangle[2] - triangle[0]);
    let has_area = |first: f64, second: f64| {
        let size = first.abs() + second.abs();
        (first - second).abs() > 8.0 * f64::EPSILON * size && size > 1e-250
    };
    !(has_area(e.x * f.y, e.y * f.x) || has_area(e.y * f.z, e.z * f.y) || has_area(e.z * f.x, e.x * f.z))
        && primitive::is_degenerate(triangle)
}
