//! Which sets of the binary hierarchy become lanes of eight-wide nodes.
//!
//! Opening a node costs one kernel call whenever its volume is visited, so the best hierarchy has the smallest sum of
//! surfaces over its nodes. Dynamic programming finds it exactly: the best way to show a set in j lanes is either one
//! lane (a node of its own, whose eight lanes show the set) or the best sharing of the j lanes between its two parts.

use crate::tree::build::binary::BinaryNode;
use arrayvec::ArrayVec;

/// Smallest sums of surfaces for a set shown in at most 1, 2, ... 8 lanes.
pub type Costs = [f32; 8];

/// What a node costs at least, however small its surface: so that sets without any are shown in few nodes, too.
pub fn least_cost(whole: f32) -> f32 {
    if whole > 0.0 { whole * f32::EPSILON * f32::EPSILON } else { 1.0 }
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

/// Fills in the choices of a set and of everything in it; recursion is as deep as the binary hierarchy.
pub fn collapse(count: usize, nodes: &mut [BinaryNode], least: f32) -> Costs {
    collapse_above(count, nodes, 1, least, &mut |_| Costs::default())
}

/// The same down to sets of at most `most` triangles, whose costs `known` tells, in order.
pub fn collapse_above(
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
        return core::array::from_fn(|lanes| if lanes + 1 >= count { 0.0 } else { node.measure.max(least) });
    }
    let first = node.first as usize;
    let (left, right) = rest.split_at_mut(first - 1);
    let left = collapse_above(first, left, most, least, known);
    let right = collapse_above(count - first, right, most, least, known);
    combine(node, least, &left, &right)
}

#[inline(always)]
fn combine(node: &mut BinaryNode, least: f32, left: &Costs, right: &Costs) -> Costs {
    let mut shared = [f32::INFINITY; 9];
    for lanes in 2..=8 {
        // Even shares first, so that they win among equals: sets without surface stay shallow.
        for of_left in core::iter::once(lanes / 2).chain(1..lanes) {
            let cost = left[of_left - 1] + right[lanes - of_left - 1];
            if cost < shared[lanes] {
                shared[lanes] = cost;
                node.choice[lanes - 1] = of_left as u8;
            }
        }
    }
    let whole = node.measure.max(least) + shared[8];
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
    /// Whether this set of `count` triangles is best shown as one lane when there are `budget` lanes for it.
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

/// Nodes below a set that is shown in `budget` lanes: the walk of `share`, without its lanes.
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

/// Shows the two parts of a set in `budget` lanes.
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
