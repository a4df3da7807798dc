//! Which sets of the binary hierarchy become lanes of eight-wide nodes.
//!
//! A search pays one kernel call for each node that it opens, and it opens a node with a chance that grows with the
//! surface of its volume. So the best hierarchy has the smallest sum of surfaces over its nodes. Every node is charged
//! the share of one triangle in its surface besides: without that, sets of a few triangles are spread over nodes of few lanes,
//! which saves no expansions and takes memory. Dynamic programming finds the hierarchy:
//! 1. A set in one lane costs a node of its own, whose eight lanes show the set.
//! 2. A set in j lanes costs the least of that and of every way to share the j lanes between its two parts.

use crate::allocation::try_collect;
use crate::error::Error;
use crate::tree::build::binary::BinaryNode;
use crate::tree::build::workers::Workers;
use arrayvec::ArrayVec;
use std::sync::Mutex;

/// Smallest sums of surfaces for a set in at most 1, 2, ... 8 lanes.
type Costs = [f32; 8];

/// Chooses for every set the best way to show it in 2 to 8 lanes. Workers do sets of at most `most` triangles independently.
/// `whole` is the measure of all triangles.
pub fn collapse(
    count: usize,
    nodes: &mut [BinaryNode],
    most: usize,
    whole: f32,
    workers: &dyn Workers,
) -> Result<(), Error> {
    let least = least_cost(whole);
    let mut parts = Vec::new();
    divide_into_parts(count, nodes, most, &mut parts)?;
    workers.run(parts.len(), &|index| {
        let mut part = parts[index].lock().expect("no task panics");
        let Part { count, nodes, costs } = &mut *part;
        *costs = choose(*count, nodes, 1, least, &mut |_| Costs::default());
    });
    let costs = try_collect("build tasks", parts.iter().map(|part| part.lock().expect("no task panics").costs))?;
    drop(parts);
    let mut costs = costs.into_iter();
    choose(count, nodes, most, least, &mut |_| costs.next().unwrap_or_default());
    Ok(())
}

/// A set whose choices do not depend on those of other sets, with its part of the binary hierarchy.
struct Part<'a> {
    count: usize,
    nodes: &'a mut [BinaryNode],
    costs: Costs,
}

/// The largest sets of at most `most` triangles, in order. `most` is at least 8; larger sets are divided.
fn divide_into_parts<'a>(
    count: usize,
    nodes: &'a mut [BinaryNode],
    most: usize,
    parts: &mut Vec<Mutex<Part<'a>>>,
) -> Result<(), Error> {
    if count <= most {
        parts.try_reserve(1).map_err(|_| Error::out_of_memory("build tasks"))?;
        parts.push(Mutex::new(Part { count, nodes, costs: Costs::default() }));
        return Ok(());
    }
    let first = nodes[0].first as usize;
    let (left, right) = nodes[1..].split_at_mut(first - 1);
    divide_into_parts(first, left, most, parts)?;
    divide_into_parts(count - first, right, most, parts)
}

/// The least cost of a node. Without it, sets without surface would be spread over needless nodes.
fn least_cost(whole: f32) -> f32 {
    if whole > 0.0 { whole * f32::EPSILON * f32::EPSILON } else { 1.0 }
}

/// What a node that shows a set of `count` triangles costs: its surface, and the share of one triangle in that.
#[inline(always)]
fn cost_of(node: &BinaryNode, count: usize, least: f32) -> f32 {
    (node.measure + node.measure / count as f32).max(least)
}

/// A set that is one lane of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneSet {
    /// Slot of its first triangle.
    pub first: usize,
    pub count: usize,
    /// Index of its binary node, if it has more than one triangle.
    pub node: usize,
}

/// Fills in the choices of a set and of all sets in it, down to sets of at most `most` triangles; `known` gives the costs of
/// those, in order. The recursion is as deep as the binary hierarchy.
fn choose(
    count: usize,
    nodes: &mut [BinaryNode],
    most: usize,
    least: f32,
    known: &mut dyn FnMut(usize) -> Costs,
) -> Costs {
    if count <= most {
        return known(count);
    }
    let Some((node, rest)) = nodes.split_first_mut() else { return Costs::default() };
    if node.first == 0 {
        // As many lanes as triangles, or one lane.
        let cost = cost_of(node, count, least);
        return core::array::from_fn(|lanes| if lanes + 1 >= count { 0.0 } else { cost });
    }
    let first = node.first as usize;
    let (left, right) = rest.split_at_mut(first - 1);
    let left = choose(first, left, most, least, known);
    let right = choose(count - first, right, most, least, known);
    let cost = cost_of(node, count, least);
    combine(node, cost, &left, &right)
}

#[inline(always)]
fn combine(node: &mut BinaryNode, cost: f32, left: &Costs, right: &Costs) -> Costs {
    let mut shared = [f32::INFINITY; 9];
    for lanes in 2..=8 {
        // Even shares come first, so that they win among equal costs: sets without surface stay shallow.
        for of_left in core::iter::once(lanes / 2).chain(1..lanes) {
            let cost = left[of_left - 1] + right[lanes - of_left - 1];
            if cost < shared[lanes] {
                shared[lanes] = cost;
                node.choice[lanes - 1] = of_left as u8;
            }
        }
    }
    let whole = cost + shared[8];
    let mut costs = [whole; 8];
    for lanes in 2..=8 {
        if whole <= shared[lanes] {
            node.choice[0] |= 1 << (lanes - 1);
        } else {
            costs[lanes - 1] = shared[lanes];
        }
    }
    costs
}

impl BinaryNode {
    /// Whether one lane is the best choice for this set of `count` triangles when `budget` lanes are left.
    fn is_one_lane(&self, count: usize, budget: usize) -> bool {
        if self.first == 0 { budget < count } else { budget == 1 || self.choice[0] & 1 << (budget - 1) != 0 }
    }
}

/// The lanes of the node that shows `set` (two triangles or more), in slot order.
pub fn lanes(nodes: &[BinaryNode], set: LaneSet) -> ArrayVec<LaneSet, 8> {
    let mut lanes = ArrayVec::new();
    share(nodes, set, 8, &mut lanes);
    lanes
}

/// Nodes below the one that shows `set` (two triangles or more).
pub fn count_below(nodes: &[BinaryNode], set: LaneSet) -> usize {
    count_shared(nodes, set, 8)
}

/// Nodes below a set in `budget` lanes: the recursion of `share`, without its lanes.
fn count_shared(nodes: &[BinaryNode], set: LaneSet, budget: usize) -> usize {
    let node = &nodes[set.node];
    if node.first == 0 {
        return 0;
    }
    let (left, right) = parts(node, set);
    let of_left = node.choice[budget - 1] as usize;
    let below = |part: LaneSet, budget: usize| {
        if part.count == 1 {
            0
        } else if nodes[part.node].is_one_lane(part.count, budget) {
            1 + count_shared(nodes, part, 8)
        } else {
            count_shared(nodes, part, budget)
        }
    };
    below(left, of_left) + below(right, budget - of_left)
}

/// The two parts of a set that is divided.
#[inline(always)]
fn parts(node: &BinaryNode, set: LaneSet) -> (LaneSet, LaneSet) {
    let first = node.first as usize;
    let left = LaneSet { first: set.first, count: first, node: set.node + 1 };
    let right = LaneSet { first: set.first + first, count: set.count - first, node: set.node + first };
    (left, right)
}

/// Spreads the two parts of a set over `budget` lanes.
fn share(nodes: &[BinaryNode], set: LaneSet, budget: usize, lanes: &mut ArrayVec<LaneSet, 8>) {
    let node = &nodes[set.node];
    if node.first == 0 {
        lanes.extend((set.first..set.first + set.count).map(|first| LaneSet { first, count: 1, node: 0 }));
        return;
    }
    let of_left = node.choice[budget - 1] as usize;
    let (left, right) = parts(node, set);
    for (part, budget) in [(left, of_left), (right, budget - of_left)] {
        if part.count == 1 || nodes[part.node].is_one_lane(part.count, budget) {
            lanes.push(part);
        } else {
            share(nodes, part, budget, lanes);
        }
    }
}
