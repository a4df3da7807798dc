//! What a build adds to a model, and the build itself.

use super::build_params::BuildParams;
use super::compact::Compact;
use super::hierarchy::{Hierarchy, TreeVisitor, TreeVisitorMut};
use super::merge::by_first_use;
use super::numbering::Numbering;
use super::topology::{Neighbourhoods, Topology};
use super::users::Users;
use super::{Model, normalised};
use crate::allocation::try_collect;
use crate::error::Error;
use crate::math::bounds::Bounds;
use crate::primitive::Triangle;
use crate::tree::build::SlotOrder;
use crate::tree::build::workers::{Threads, Workers};
use crate::tree::node::NodeFrame;
use crate::tree::validate::validate;
use crate::tree::{Options, Tree};
use crate::volume::Volume;
use crate::volume::fit::cluster::Cluster;
use glam::DVec3;
use std::time::Instant;

/// A built model keeps its triangles in the order of the leaves ("slots") and its vertices in the order of their first
/// use there, so that a search reads memory that it has just read.
#[derive(Debug)]
pub struct Built {
    pub hierarchy: Hierarchy,
    /// The caller's number of the triangle in each slot.
    pub ids: Compact<1>,
    /// The slot of each of the caller's triangles.
    pub slots: Compact<1>,
    /// Origin of the node frame, in stored coordinates: the centre of the bounds.
    pub origin: DVec3,
    /// No point of the model is farther than this from there.
    pub radius: f64,
    /// A sphere around most of the nodes, if these have frames of their own.
    pub core: Option<NodeFrame>,
    /// Which triangles share vertices and edges, unless it was not wanted.
    pub topology: Option<Topology>,
    pub params: BuildParams,
    pub seconds: f64,
    /// What following moved vertices needs; None for models that do not.
    pub(super) following: Option<Following>,
}

/// What a deformable model keeps besides its hierarchy.
#[derive(Debug)]
pub(super) struct Following {
    /// `Model::relative_surface` as built.
    pub surface: f64,
    /// Made by the first update of a range.
    pub users: Option<Users>,
}

impl Model {
    /// How much more surface the nodes have than as built, relative to the square of the model's extent.
    pub(super) fn decay(&self) -> f64 {
        let Some(Built { hierarchy, following: Some(following), .. }) = &self.built else { return 1.0 };
        let ratio = self.relative_surface(hierarchy) / following.surface;
        // Models of few triangles, or without extent, have nothing to compare.
        if ratio.is_finite() { ratio } else { 1.0 }
    }

    /// Surface of the nodes over the squared extent of the bounds.
    fn relative_surface(&self, hierarchy: &Hierarchy) -> f64 {
        let [low, high] = self.bounds.map(|bound| normalised(bound, self.exponent));
        hierarchy.surface() / (high - low).length_squared()
    }
}

struct Prepare<'a>(Cluster<'a>);

impl TreeVisitorMut for Prepare<'_> {
    type Output = Result<(), Error>;
    fn visit<V: Volume>(self, tree: &mut Tree<V>) -> Self::Output {
        tree.prepare_refit(&self.0)
    }
}

struct Surface;

impl TreeVisitor for Surface {
    type Output = f64;
    fn visit<V: Volume>(self, tree: &Tree<V>) -> f64 {
        tree.surface()
    }
}

impl Hierarchy {
    fn prepare_refit(&mut self, cluster: &Cluster) -> Result<(), Error> {
        self.visit_mut(Prepare(*cluster))
    }

    fn surface(&self) -> f64 {
        self.visit(Surface)
    }
}

struct Core;

impl TreeVisitor for Core {
    type Output = Option<NodeFrame>;
    fn visit<V: Volume>(self, tree: &Tree<V>) -> Self::Output {
        tree.core
    }
}

struct Validation<'a>(Cluster<'a>);

impl TreeVisitor for Validation<'_> {
    type Output = Result<(), String>;
    fn visit<V: Volume>(self, tree: &Tree<V>) -> Self::Output {
        validate(tree, &self.0)
    }
}

impl Model {
    /// Builds or rebuilds the hierarchy, on threads of the standard library. A refused build leaves the model as it was.
    pub fn build(&mut self, params: &BuildParams) -> Result<(), Error> {
        let threads = match params.threads {
            0 => std::thread::available_parallelism().map_or(1, |count| count.get()),
            count => count as usize,
        };
        self.build_with(params, &Threads(threads))
    }

    /// `build` on the given workers; the hierarchy does not depend on them.
    pub fn build_with(&mut self, params: &BuildParams, workers: &dyn Workers) -> Result<(), Error> {
        let start = Instant::now();
        let options =
            Options { quality: params.quality, split: params.split, moves: params.deformable, ..Options::default() };
        let origin = self.centre();
        let triangles = (0..self.triangles.count()).map(|id| self.triangles.get(self.slot(id as u32)));
        let (hierarchy, SlotOrder { mut triangles, ids }) = Hierarchy::build(
            params.volume,
            params.hybrid_selection,
            &self.vertices,
            origin,
            triangles,
            &options,
            workers,
        )?;
        let mut slots = try_collect("slots", (0..ids.len()).map(|_| [0]))?;
        for (slot, &id) in ids.iter().enumerate() {
            slots[id as usize] = [slot as u32];
        }
        let count = ids.len();
        let ids = try_collect("triangle numbers", ids.iter().map(|&id| [id]))?;
        let (ids, slots) = (Compact::new("triangle numbers", ids, count)?, Compact::new("slots", slots, count)?);
        let (vertices, places) = by_first_use(&self.vertices, &mut triangles, !params.deformable)?;
        let radius = radius_around(origin, &vertices);
        let topology = if params.no_topology { None } else { Topology::new(vertices.len(), &triangles)? };
        let mut hierarchy = hierarchy;
        let follows = params.deformable && !matches!(self.numbering, Numbering::Forgotten);
        let following = if follows {
            hierarchy.prepare_refit(&Cluster::new(&vertices, origin, &triangles))?;
            Some(Following { surface: self.relative_surface(&hierarchy), users: None })
        } else {
            None
        };
        // Vertices that move are followed through whole slices of triangles.
        let most = if follows { usize::MAX } else { vertices.len() };
        let triangles = Compact::new("mesh triangles", triangles, most)?;
        self.numbering.renumber(places, follows);
        (self.vertices, self.triangles) = (vertices, triangles);
        (self.generation, self.layout) = (self.generation + 1, self.layout + 1);
        let seconds = start.elapsed().as_secs_f64();
        let core = hierarchy.visit(Core);
        self.built =
            Some(Built { hierarchy, ids, slots, origin, radius, core, topology, params: *params, seconds, following });
        Ok(())
    }

    pub fn built(&self) -> Option<&Built> {
        self.built.as_ref()
    }

    /// Where the triangle with the caller's number `id` is kept.
    #[inline]
    pub fn slot(&self, id: u32) -> usize {
        self.built.as_ref().map_or(id as usize, |built| built.slots.get(id as usize)[0] as usize)
    }

    /// The caller's number of the triangle in a slot.
    #[inline]
    pub fn id_of_slot(&self, slot: usize) -> u32 {
        self.built.as_ref().map_or(slot as u32, |built| built.ids.get(slot)[0])
    }

    /// Asks for the numbers of the vertices of the triangle in a slot.
    #[inline(always)]
    pub fn prefetch_triangle(&self, slot: usize) {
        self.triangles.prefetch(slot);
    }

    /// Asks for the memory that `id_of_slot` reads.
    #[inline(always)]
    pub fn prefetch_id(&self, slot: usize) {
        if let Some(built) = &self.built {
            built.ids.prefetch(slot);
        }
    }

    /// The triangle in a slot, in stored coordinates.
    #[inline(always)]
    pub fn triangle_in_slot(&self, slot: usize) -> Triangle {
        self.corners(self.triangles.get(slot))
    }

    /// The vertices, in stored coordinates, and where those of the triangles in four slots are among them.
    #[inline(always)]
    pub fn corners_in_slots(&self, slots: [u32; 4]) -> (&[DVec3], [[usize; 3]; 4]) {
        (&self.vertices, self.triangles.four(slots))
    }

    #[inline(always)]
    fn corners(&self, [a, b, c]: [u32; 3]) -> Triangle {
        [self.vertices[a as usize], self.vertices[b as usize], self.vertices[c as usize]]
    }

    /// The numbers of the vertices of the triangle in a slot: equal numbers mean equal coordinates.
    #[inline(always)]
    pub fn numbers_in_slot(&self, slot: usize) -> [u32; 3] {
        self.triangles.get(slot)
    }

    /// One vertex of the triangle in a slot, in stored coordinates.
    #[inline(always)]
    pub fn vertex_in_slot(&self, slot: usize, vertex: usize) -> DVec3 {
        self.vertices[self.triangles.get(slot)[vertex] as usize]
    }

    /// The mesh and its neighbourhoods, if those were wanted.
    pub fn neighbourhoods(&self) -> Option<Neighbourhoods<'_>> {
        let built = self.built.as_ref()?;
        let topology = built.topology.as_ref()?;
        Some(Neighbourhoods { topology, triangles: &self.triangles, ids: &built.ids })
    }

    /// Bytes that this model occupies, itself included.
    pub fn memory(&self) -> usize {
        let built = self.built.as_ref().map_or(0, |built| {
            let topology = built.topology.as_ref().map_or(0, Topology::memory);
            let users = built.following.as_ref().and_then(|following| following.users.as_ref());
            let numbers = built.ids.memory() + built.slots.memory();
            built.hierarchy.memory() + numbers + topology + users.map_or(0, Users::memory)
        });
        let mesh = self.vertices.capacity() * size_of::<DVec3>() + self.triangles.memory();
        size_of::<Self>() + mesh + built + self.numbering.memory()
    }

    /// Checks the hierarchy; the error is a sentence about its first defect.
    pub fn validate(&self) -> Result<(), String> {
        let Some(built) = &self.built else { return Err("not built".into()) };
        for slot in 0..self.triangles.count() {
            let id = self.id_of_slot(slot);
            if self.slot(id) != slot {
                return Err(format!("slot {slot} holds triangle {id}, which is in slot {}", self.slot(id)));
            }
        }
        let triangles: Vec<_> = (0..self.triangles.count()).map(|slot| self.triangles.get(slot)).collect();
        let cluster = Cluster::new(&self.vertices, built.origin, &triangles);
        built.hierarchy.visit(Validation(cluster))
    }

    /// Centre of the bounds of the used vertices, in stored coordinates.
    fn centre(&self) -> DVec3 {
        let mut bounds = Bounds::EMPTY;
        for slot in 0..self.triangles.count() {
            self.triangle_in_slot(slot).into_iter().for_each(|vertex| bounds.add(vertex));
        }
        bounds.low * 0.5 + bounds.high * 0.5
    }
}

/// Of a sphere around all vertices; the factor covers the rounding of squares and root.
pub(super) fn radius_around(centre: DVec3, vertices: &[DVec3]) -> f64 {
    let squared = vertices.iter().fold(0.0, |largest: f64, vertex| largest.max((*vertex - centre).length_squared()));
    squared.sqrt() * (1.0 + 1e-12)
}
