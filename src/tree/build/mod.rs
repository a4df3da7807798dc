//! Builds a hierarchy: the same one, bit for bit, whoever does the work.
//!
//! `binary` halves the triangles (`item`) by a rule (`split`) down to single ones, `collapse` chooses which of these
//! halves become lanes of eight-wide nodes, `emit` writes those nodes and fits their volumes, `workers` shares the
//! work among threads.

pub mod binary;
pub mod collapse;
pub mod emit;
pub mod item;
pub mod split;
pub mod workers;

use crate::allocation::try_collect;
use crate::error::{Error, Status};
use crate::tree::build::binary::{BinaryNode, Task};
use crate::tree::build::collapse::{collapse_above, least_cost};
use crate::tree::build::emit::emit;
use crate::tree::build::item::{Item, Mesh};
use crate::tree::build::split::{Bounds, SplitRule};
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

/// A hierarchy and the triangles in its order.
#[derive(Debug)]
pub struct Outcome<V: Volume> {
    pub tree: Tree<V>,
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
) -> Result<Outcome<V>, Error> {
    let count = triangles.len();
    if count == 0 || count > Child::MOST_TRIANGLES {
        let sentence = format_args!("a hierarchy holds 1 to {} triangles, not {count}", Child::MOST_TRIANGLES);
        return Err(Error::new(Status::Unsupported, sentence));
    }
    let mesh = Mesh { vertices, origin };
    let item = |(id, vertices)| Item { low: Vec3A::ZERO, high: Vec3A::ZERO, vertices, id: id as u32 };
    let mut items = try_collect("build items", triangles.enumerate().map(item))?;
    let mut binary = try_collect("binary nodes", (1..count).map(|_| BinaryNode::default()))?;
    divide_all::<V>(&mesh, options, &mut items, &mut binary, workers)?;
    let triangles = try_collect("triangles", items.iter().map(|item| item.vertices))?;
    let ids = try_collect("triangle numbers", items.iter().map(|item| item.id))?;
    drop(items);
    let cluster = Cluster { vertices, origin, triangles: &triangles };
    let tree = emit(&cluster, &binary, options.quality, workers)?;
    Ok(Outcome { tree, triangles, ids })
}

/// Puts the items in order and fills the binary hierarchy.
fn divide_all<V: Volume>(
    mesh: &Mesh,
    options: &Options,
    items: &mut [Item],
    binary: &mut [BinaryNode],
    workers: &dyn Workers,
) -> Result<(), Error> {
    let count = items.len();
    let most = (count / PARTS).max(SMALLEST_PART);
    let mut tasks = Vec::new();
    mesh.rebase::<V>(items, options.quality);
    let least = least_cost(Bounds::of(items).measure::<V>());
    Task::new(items, binary).spread::<V>(mesh, options, most, &mut tasks)?;
    workers.run(tasks.len(), &|index| tasks[index].lock().expect("no task panics").run::<V>(mesh, options, least));
    let costs = try_collect("build tasks", tasks.iter().map(|task| task.lock().expect("no task panics").costs))?;
    drop(tasks);
    let mut costs = costs.into_iter();
    collapse_above(count, binary, most, least, &mut |_| costs.next().unwrap_or_default());
    Ok(())
}
