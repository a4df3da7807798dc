//! Writes the eight-wide nodes: first the links, then the volumes, in parallel.

use crate::allocation::try_collect;
use crate::error::Error;
use crate::tree::build::Options;
use crate::tree::build::binary::BinaryNode;
use crate::tree::build::collapse::{LaneSet, count_below, lanes};
use crate::tree::build::looked_at::look_at;
use crate::tree::build::node_frames::{core_of, is_detailed, origin};
use crate::tree::build::workers::Workers;
use crate::tree::node::{Child, Node, NodeFrame, Tree};
use crate::tree::shapes::Shapes;
use crate::volume::fit::cluster::Cluster;
use crate::volume::{Quality, Volume};
use std::sync::Mutex;

/// Shares of the fitting work. The number does not depend on the threads.
const SHARES: usize = 64;

/// First slot of each of the eight lanes of a node, and the slot behind the last lane.
pub type Slots = [u32; 9];

/// The hierarchy over triangles that are in slot order.
pub fn emit<V: Volume>(
    cluster: &Cluster,
    binary: &[BinaryNode],
    options: &Options,
    workers: &dyn Workers,
) -> Result<Tree<V>, Error> {
    let quality = options.quality;
    let root = LaneSet { first: 0, count: cluster.triangles.len(), node: 0 };
    let count = if root.count == 1 { 1 } else { 2 + count_below(binary, root) };
    let mut nodes = try_collect("nodes", (0..count).map(|_| Node::<V::Wide>::empty()))?;
    let mut slots = try_collect("slots of nodes", (0..count).map(|_| Slots::default()))?;
    slots[0] = [root.count as u32; 9];
    slots[0][0] = 0;
    let mut layout = Layout::<V> { binary, nodes: &mut nodes, slots: &mut slots, used: 1 };
    let child = layout.child(root);
    layout.nodes[0].set_child(0, child);
    let depth = if child.is_triangle() { 1 } else { 1 + layout.write(child.index(), root) };
    let (mut frames, mut core) = (Vec::new(), None);
    let mut reach = fit_all::<V>(cluster, &mut nodes, &mut frames, &slots, quality, workers)?;
    // Vertices that move take their nodes along: one frame serves them all.
    if !options.moves && is_detailed::<V>(&nodes, reach) {
        let frame = |slots| NodeFrame { origin: origin(cluster, slots), reach: 0.0 };
        frames = try_collect("node frames", slots.iter().map(frame))?;
        reach = fit_all::<V>(cluster, &mut nodes, &mut frames, &slots, quality, workers)?;
        core = Some(core_of(&frames)?);
    }
    Ok(Tree { nodes, frames, core, reach, depth, below: Vec::new(), shapes: Shapes::new() })
}

struct Layout<'a, V: Volume> {
    binary: &'a [BinaryNode],
    nodes: &'a mut [Node<V::Wide>],
    slots: &'a mut [Slots],
    used: usize,
}

impl<V: Volume> Layout<'_, V> {
    /// Takes the next free node for a set that needs one.
    fn child(&mut self, set: LaneSet) -> Child {
        if set.count == 1 {
            return Child::triangle(set.first);
        }
        self.used += 1;
        Child::node(self.used - 1)
    }

    /// Siblings are neighbours in memory, because a search that opens a node often opens several of its children next.
    /// Behind them comes all that is below the first, then below the second, and so on. Returns the depth in nodes.
    fn write(&mut self, index: usize, set: LaneSet) -> u32 {
        let lanes = lanes(self.binary, set);
        let mut slots = [(set.first + set.count) as u32; 9];
        for (lane, part) in lanes.iter().enumerate() {
            let child = self.child(*part);
            self.nodes[index].set_child(lane, child);
            slots[lane] = part.first as u32;
        }
        self.slots[index] = slots;
        let mut deepest = 0;
        for (lane, part) in lanes.into_iter().enumerate() {
            let child = self.nodes[index].child(lane);
            if !child.is_triangle() {
                deepest = deepest.max(self.write(child.index(), part));
            }
        }
        deepest + 1
    }
}

/// Consecutive nodes for one worker to fit.
struct Share<'a, W> {
    nodes: &'a mut [Node<W>],
    /// As many as nodes, or none where the nodes share the frame of the model.
    frames: &'a mut [NodeFrame],
    slots: &'a [Slots],
    reach: f64,
}

/// Fits the volumes of all lanes and returns the farthest reach.
fn fit_all<V: Volume>(
    cluster: &Cluster,
    mut nodes: &mut [Node<V::Wide>],
    mut frames: &mut [NodeFrame],
    mut slots: &[Slots],
    quality: Quality,
    workers: &dyn Workers,
) -> Result<f64, Error> {
    let weight = |slots: &Slots| (slots[8] - slots[0]) as usize;
    let fair = slots.iter().map(weight).sum::<usize>() / SHARES;
    let mut shares = Vec::new();
    while !nodes.is_empty() {
        let mut sum = 0;
        let mut count = 0;
        while count < nodes.len() && (count == 0 || sum + weight(&slots[count]) <= fair) {
            sum += weight(&slots[count]);
            count += 1;
        }
        let (share, other_nodes) = nodes.split_at_mut(count);
        let (share_frames, other_frames) = frames.split_at_mut(count.min(frames.len()));
        let (share_slots, other_slots) = slots.split_at(count);
        shares.try_reserve(1).map_err(|_| Error::out_of_memory("build tasks"))?;
        shares.push(Mutex::new(Share { nodes: share, frames: share_frames, slots: share_slots, reach: 0.0 }));
        (nodes, frames, slots) = (other_nodes, other_frames, other_slots);
    }
    workers.run(shares.len(), &|index| {
        let mut share = shares[index].lock().expect("no task panics");
        let share = &mut *share;
        for (number, (node, slots)) in share.nodes.iter_mut().zip(share.slots).enumerate() {
            let reach = if let Some(frame) = share.frames.get_mut(number) {
                frame.reach = fit_node::<V>(&cluster.around(frame.origin), node, slots, quality);
                frame.reach_from(cluster.origin)
            } else {
                fit_node::<V>(cluster, node, slots, quality)
            };
            share.reach = share.reach.max(reach);
        }
    });
    Ok(shares.into_iter().map(|share| share.into_inner().expect("no task panics").reach).fold(0.0, f64::max))
}

fn fit_node<V: Volume>(cluster: &Cluster, node: &mut Node<V::Wide>, slots: &Slots, quality: Quality) -> f64 {
    let mut reach: f64 = 0.0;
    for lane in 0..8 {
        if node.child(lane) == Child::EMPTY {
            break;
        }
        let triangles = &cluster.triangles[slots[lane] as usize..slots[lane + 1] as usize];
        look_at(triangles.len());
        let volume = V::fit(&Cluster::new(cluster.vertices, cluster.origin, triangles), quality);
        volume.store(&mut node.wide, lane);
        reach = reach.max(volume.reach());
    }
    reach
}
