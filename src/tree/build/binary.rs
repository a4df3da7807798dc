//! The binary hierarchy that the eight-wide one is made from: which triangles belong together, at every scale.
//!
//! A set of `n` triangles has `n - 1` inner nodes: its own node, then the nodes of its first part, then those of its
//! second part. So every set knows its place in the array before it is divided, and threads can fill their parts
//! independently.

use crate::error::Error;
use crate::tree::build::Options;
use crate::tree::build::item::{Item, Mesh};
use crate::tree::build::split::{AxisBounds, divide, halve};
use crate::volume::Volume;
use std::sync::Mutex;

/// Smaller sets keep the axes of the set that they come from.
const LEAST_REBASED: usize = 16;

/// A set of two or more triangles, divided.
#[derive(Clone, Copy, Debug, Default)]
pub struct BinaryNode {
    /// Number of triangles in the first part. 0 for a set of two to eight triangles that stays undivided.
    pub first: u32,
    /// `Volume::measure` of the set: the chance that a search visits it grows with this number.
    pub measure: f32,
    /// For a budget of j = 2..8 lanes: bit j of the first byte means "one lane for the whole set"; else byte j - 1 is
    /// the number of lanes for the first part.
    pub choice: [u8; 8],
}

/// A set that is still to be divided, with its part of the arrays.
pub struct Task<'a> {
    items: &'a mut [Item],
    nodes: &'a mut [BinaryNode],
    level: u32,
    /// Number of triangles of the set along whose axes the items are bounded.
    based: usize,
}

impl<'a> Task<'a> {
    /// All triangles, bounded along axes of their own.
    pub fn new(items: &'a mut [Item], nodes: &'a mut [BinaryNode]) -> Self {
        let based = items.len();
        Self { items, nodes, level: 0, based }
    }

    /// Divides this set and everything in it.
    pub fn run<V: Volume>(&mut self, mesh: &Mesh, options: &Options) {
        grow::<V>(mesh, options, self.items, self.nodes, self.level, self.based);
    }

    /// Divides sets of more than `most` triangles, and leaves the others as tasks, in order.
    pub fn spread<V: Volume>(
        self,
        mesh: &Mesh,
        options: &Options,
        most: usize,
        tasks: &mut Vec<Mutex<Task<'a>>>,
    ) -> Result<(), Error> {
        let Self { items, nodes, level, mut based } = self;
        if items.len() <= most {
            tasks.try_reserve(1).map_err(|_| Error::out_of_memory("build tasks"))?;
            tasks.push(Mutex::new(Task { items, nodes, level, based }));
            return Ok(());
        }
        let first = step::<V>(mesh, options, items, nodes, level, &mut based);
        let (items, second_items) = items.split_at_mut(first);
        let (nodes, second_nodes) = nodes[1..].split_at_mut(first - 1);
        let level = level + 1;
        Task { items, nodes, level, based }.spread::<V>(mesh, options, most, tasks)?;
        Task { items: second_items, nodes: second_nodes, level, based }.spread::<V>(mesh, options, most, tasks)
    }
}

/// Divides a set of two or more and describes it in `nodes[0]`.
fn step<V: Volume>(
    mesh: &Mesh,
    options: &Options,
    items: &mut [Item],
    nodes: &mut [BinaryNode],
    level: u32,
    based: &mut usize,
) -> usize {
    let count = items.len();
    if count >= LEAST_REBASED && count <= *based / options.rebase() {
        mesh.rebase::<V>(items, options.quality);
        *based = count;
    }
    let bounds = AxisBounds::of(items);
    // Halving needs as many levels as the count has bits. It starts when only that many levels are left.
    let needed = usize::BITS - (count - 1).leading_zeros();
    let capped = level + needed >= options.deepest;
    let first = if capped { halve(items, &bounds) } else { divide::<V>(items, &bounds, options) };
    nodes[0] = BinaryNode { first: first as u32, measure: bounds.measure::<V>(), choice: [0; 8] };
    first
}

/// The recursion is at most `options.deepest` deep.
fn grow<V: Volume>(
    mesh: &Mesh,
    options: &Options,
    items: &mut [Item],
    nodes: &mut [BinaryNode],
    level: u32,
    mut based: usize,
) {
    if items.len() <= options.undivided() {
        if let Some(node) = nodes.first_mut() {
            *node = BinaryNode { first: 0, measure: AxisBounds::of(items).measure::<V>(), choice: [0; 8] };
        }
        return;
    }
    let first = step::<V>(mesh, options, items, nodes, level, &mut based);
    let (items, second_items) = items.split_at_mut(first);
    let (nodes, second_nodes) = nodes[1..].split_at_mut(first - 1);
    grow::<V>(mesh, options, items, nodes, level + 1, based);
    grow::<V>(mesh, options, second_items, second_nodes, level + 1, based);
}
