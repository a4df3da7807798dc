//! Builds a hierarchy: the same one, bit for bit, whoever does the work.
//!
//! 1. `binary` halves the triangles (`item`) by a rule (`split`) down to single ones.
//! 2. `collapse` chooses which of these halves become lanes of eight-wide nodes.
//! 3. `emit` writes those nodes and fits their volumes.
//!
//! `workers` shares the work among threads.

pub mod binary;
pub mod collapse;
pub mod emit;
pub mod item;
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

/// Levels of the binary hierarchy at most, and so of the eight-wide one; 48 are twice what ten million halved need.
pub const DEEPEST: u32 = 48;

/// Independent parts of the work: enough for many threads, and the number never depends on the threads.
const PARTS: usize = 64;

/// Below this many triangles a part of its own is not worth the trouble.
const SMALLEST_PART: usize = 1024;

/// How a hierarchy is built.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub quality: Quality,
    pub split: SplitRule,
    /// Levels at most, if that many can hold the triangles: towards the end sets are halved by count.
    pub deepest: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { quality: Quality::High, split: SplitRule::Auto, deepest: DEEPEST }
    }
}

impl Options {
    /// Sets of at most this many triangles stay undivided: they are one node, or that many lanes of one. Dividing them
    /// lets a node take some triangles of a set: 1.5 % less surface for 7 % more nodes (bunny, cave).
    pub(super) fn undivided(&self) -> usize {
        match self.quality {
            Quality::High => 1,
            Quality::Fast => 8,
        }
    }

    /// A set is turned to axes of its own when it is this many times smaller than the set whose axes it uses; at HIGH every set
    /// is, to those of its tight box, which is worth 2 % of surface over every second one (bunny).
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

/// The triangles in the order of the leaves: a slot is a place in that order.
#[derive(Debug)]
pub struct SlotOrder {
    /// Vertices of the triangles, by slot.
    pub triangles: Vec<[u32; 3]>,
    /// Number of the triangle in the order of the input, by slot.
    pub ids: Vec<u32>,
}

/// Builds over `triangles` (vertex numbers, in the caller's order); `origin` is that of the node frame.
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
    let tree = emit(&cluster, &binary, options.quality, workers)?;
    Ok((tree, SlotOrder { triangles, ids }))
}

/// Puts the items in order and fills the binary hierarchy; each set of at most `most` items is divided by one of the workers.
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
