//! Builds a hierarchy. The result is the same, bit for bit, for every number of threads.
//!
//! The steps:
//! 1. `binary` divides the triangles (`item`) by a rule (`split`), down to single ones.
//! 2. `collapse` chooses which of these sets become lanes of eight-wide nodes.
//! 3. `emit` writes the nodes and fits their volumes.
//!
//! `workers` shares the work among threads; `looked_at` counts it for tests.

pub mod binary;
pub mod collapse;
pub mod emit;
pub mod item;
pub mod looked_at;
pub mod node_frames;
pub mod split;
pub mod workers;

use crate::allocation::try_collect;
use crate::error::{Error, Status};
use crate::tree::build::binary::{BinaryNode, Task};
use crate::tree::build::collapse::collapse;
use crate::tree::build::emit::emit;
use crate::tree::build::item::{Item, Mesh};
use crate::tree::build::split::{AxisBounds, SplitRule};
use crate::tree::build::workers::Workers;
use crate::tree::node::{Child, Tree};
use crate::volume::fit::cluster::Cluster;
use crate::volume::{Quality, Volume};
use glam::{DVec3, Vec3A};

/// Most levels of the binary hierarchy, and so of the eight-wide one. Ten million triangles need 24 levels when halved.
pub const DEEPEST: u32 = 48;

/// Number of independent parts of the work. It never depends on the threads, so the result does not, either.
const PARTS: usize = 64;

/// Smaller sets are not worth a part of their own.
const SMALLEST_PART: usize = 1024;

/// How a hierarchy is built.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub quality: Quality,
    pub split: SplitRule,
    /// Most levels, if the triangles fit into that many. Near the end sets are halved by count.
    pub deepest: u32,
    /// The vertices are going to move: nodes get no frames of their own.
    pub moves: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { quality: Quality::High, split: SplitRule::Auto, deepest: DEEPEST, moves: false }
    }
}

impl Options {
    /// Sets of at most this many triangles stay undivided: they become one node, or lanes of one node. At HIGH they are
    /// divided, so that a node can take a part of a set, which gives less surface and more nodes.
    pub(super) fn undivided(&self) -> usize {
        match self.quality {
            Quality::High => 1,
            Quality::Fast => 8,
        }
    }

    /// A set gets axes of its own when it is this many times smaller than the set whose axes it uses. At HIGH every set
    /// gets the axes of its tight box.
    pub(super) fn rebase(&self) -> usize {
        match self.quality {
            Quality::High => 1,
            Quality::Fast => 16,
        }
    }

    /// Bins along each axis.
    pub(super) fn bins(&self) -> usize {
        match self.quality {
            Quality::High => 16,
            Quality::Fast => 8,
        }
    }
}

/// A hierarchy, and the triangles in slot order.
#[derive(Debug)]
pub struct SlotOrder {
    /// Vertices of the triangles, by slot.
    pub triangles: Vec<[u32; 3]>,
    /// The caller's number of the triangle, by slot.
    pub ids: Vec<u32>,
}

/// `triangles` are vertex numbers in the caller's order. `origin` is the origin of the node frame.
pub fn build<V: Volume>(
    vertices: &[DVec3],
    origin: DVec3,
    triangles: impl ExactSizeIterator<Item = [u32; 3]>,
    options: &Options,
    workers: &dyn Workers,
) -> Result<(Tree<V>, SlotOrder), Error> {
    let count = triangles.len();
    if count == 0 || count > Child::MOST_TRIANGLES {
        let sentence = format_args!("a hierarchy holds 1 to {} triangles, not {count}", Child::MOST_TRIANGLES);
        return Err(Error::new(Status::Unsupported, sentence));
    }
    let mesh = Mesh { vertices, origin };
    let item = |(id, vertices)| Item { low: Vec3A::ZERO, high: Vec3A::ZERO, vertices, id: id as u32 };
    let mut items = try_collect("build items", triangles.enumerate().map(item))?;
    let mut binary = try_collect("binary nodes", (1..count).map(|_| BinaryNode::default()))?;
    mesh.rebase::<V>(&mut items, options.quality);
    let whole = AxisBounds::of(&items).measure::<V>();
    let most = (count / PARTS).max(SMALLEST_PART);
    divide::<V>(&mesh, options, &mut items, &mut binary, most, workers)?;
    collapse(count, &mut binary, most, whole, workers)?;
    let triangles = try_collect("triangles", items.iter().map(|item| item.vertices))?;
    let ids = try_collect("triangle numbers", items.iter().map(|item| item.id))?;
    drop(items);
    let cluster = Cluster::new(vertices, origin, &triangles);
    let tree = emit(&cluster, &binary, options, workers)?;
    Ok((tree, SlotOrder { triangles, ids }))
}

/// Puts the items into slot order and fills the binary hierarchy. One worker divides each set of at most `most` items.
fn divide<V: Volume>(
    mesh: &Mesh,
    options: &Options,
    items: &mut [Item],
    binary: &mut [BinaryNode],
    most: usize,
    workers: &dyn Workers,
) -> Result<(), Error> {
    let mut tasks = Vec::new();
    Task::new(items, binary).spread::<V>(mesh, options, most, &mut tasks)?;
    workers.run(tasks.len(), &|index| tasks[index].lock().expect("no task panics").run::<V>(mesh, options));
    Ok(())
}
