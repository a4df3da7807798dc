//! The node: eight volumes and what is below each of them.

use crate::tree::refit::Below;
use crate::tree::shapes::Shapes;
use crate::volume::Volume;
use crate::volume::boxes::{aabb::Aabb, obb::Obb, obb_sphere::ObbSphere};
use crate::volume::shells::shell::Shell;
use crate::volume::slabs::kdop18::Kdop18;
use glam::DVec3;

/// What a lane leads to: a node, a triangle, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Child(pub u32);

impl Child {
    /// Set for triangles, and in `EMPTY`.
    pub const TRIANGLE: u32 = 1 << 31;
    /// No child. A search never enters the lane, whatever its volume is.
    pub const EMPTY: Self = Self(u32::MAX);
    /// The most triangles that a hierarchy can have.
    pub const MOST_TRIANGLES: usize = (Self::TRIANGLE - 1) as usize;

    pub fn node(index: usize) -> Self {
        debug_assert!(index < Self::TRIANGLE as usize);
        Self(index as u32)
    }

    /// `slot` is the place of the triangle in the order of the leaves.
    pub fn triangle(slot: usize) -> Self {
        debug_assert!(slot < Self::MOST_TRIANGLES);
        Self(slot as u32 | Self::TRIANGLE)
    }

    #[inline(always)]
    pub fn is_triangle(self) -> bool {
        self.0 & Self::TRIANGLE != 0
    }

    /// Index of the node, or slot of the triangle.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & !Self::TRIANGLE) as usize
    }
}

/// Eight volumes and their children; used lanes come first.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Node<W> {
    pub wide: W,
    /// As `Child`. Plain words, because kernels read them as lanes.
    pub children: [u32; 8],
}

const _: () = {
    assert!(size_of::<Node<<Obb as Volume>::Wide>>() == 416);
    assert!(size_of::<Node<<Aabb as Volume>::Wide>>() == 256);
    assert!(size_of::<Node<<ObbSphere as Volume>::Wide>>() == 544);
    assert!(size_of::<Node<<Shell as Volume>::Wide>>() == 384);
    assert!(size_of::<Node<<Kdop18 as Volume>::Wide>>() == 640);
};

impl<W: Default> Node<W> {
    pub fn empty() -> Self {
        Self { wide: W::default(), children: [Child::EMPTY.0; 8] }
    }
}

impl<W> Node<W> {
    /// Lanes in use, as bits.
    pub fn used(&self) -> u32 {
        (0..8).fold(0, |used, lane| used | ((self.child(lane) != Child::EMPTY) as u32) << lane)
    }

    pub fn set_child(&mut self, lane: usize, child: Child) {
        self.children[lane] = child.0;
    }

    #[inline(always)]
    pub fn child(&self, lane: usize) -> Child {
        Child(self.children[lane])
    }
}

/// A hierarchy over the triangles of one model.
///
/// Node 0 holds the root volume in lane 0 and nothing else, so the root is a lane like any other. Every other node
/// comes after its parent.
#[derive(Debug)]
pub struct Tree<V: Volume> {
    pub nodes: Vec<Node<V::Wide>>,
    /// A frame for each node of a model whose detail is small against its reach. Empty for all other models: their nodes
    /// share the frame of the model.
    pub frames: Vec<NodeFrame>,
    /// A sphere around most of the nodes of such a model: about where searches end.
    pub core: Option<NodeFrame>,
    /// The largest distance of a point of any volume from the origin of the model's frame.
    pub reach: f64,
    /// Nodes on the longest path from the root to a triangle.
    pub depth: u32,
    /// For each node what is below it, if the vertices may move; else empty.
    pub below: Vec<Below<V::Union>>,
    /// A point and a segment in volumes of this kind.
    pub shapes: Shapes<V>,
}

/// The frame that the lanes of one node are stored in: the model's axes around an origin near the lanes.
///
/// The f32 numbers of a lane are then rounded relative to its node. In the frame of the model they are rounded relative to the
/// whole model, and one stray triangle far away makes all bounds coarse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeFrame {
    /// In stored coordinates of the model.
    pub origin: DVec3,
    /// The largest distance of a point of the node's volumes from that origin.
    pub reach: f64,
}

impl NodeFrame {
    /// How far the volumes of the node reach from another point, rounded up.
    pub fn reach_from(&self, point: DVec3) -> f64 {
        (self.origin - point).length() * (1.0 + 1e-12) + self.reach
    }
}

impl<V: Volume> Tree<V> {
    /// The frame of a node; `origin` is that of the model's frame, in stored coordinates.
    #[inline(always)]
    pub fn frame(&self, node: usize, origin: DVec3) -> NodeFrame {
        self.frames.get(node).copied().unwrap_or(NodeFrame { origin, reach: self.reach })
    }
}

/// A lane of a node, packed: node index times eight plus lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Lane(pub u32);

impl Lane {
    #[inline(always)]
    pub fn new(node: usize, lane: usize) -> Self {
        Self((node << 3 | lane) as u32)
    }

    #[inline(always)]
    pub fn split(self) -> (usize, usize) {
        (self.0 as usize >> 3, self.0 as usize & 7)
    }
}
