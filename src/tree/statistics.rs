//! How good a hierarchy is, in numbers that can be compared between ways to build it.

use super::node::Tree;
use crate::volume::Volume;

/// Figures of one hierarchy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    pub nodes: usize,
    pub depth: u32,
    /// Lanes in use, of all lanes below the root.
    pub fill: f64,
    /// Sum over lanes that lead to nodes of their surface, relative to the root: expected openings of a small probe.
    pub node_cost: f64,
    /// The same over lanes that hold triangles.
    pub triangle_cost: f64,
}

/// `surface` measures a volume: its surface, or what is like it.
pub fn statistics<V: Volume>(tree: &Tree<V>, surface: impl Fn(&V) -> f64) -> Statistics {
    let root = surface(&V::load(&tree.nodes[0].wide, 0));
    let mut figures = Statistics { nodes: tree.nodes.len(), depth: tree.depth, ..Statistics::default() };
    let mut used = 0;
    for node in &tree.nodes[1..] {
        let lanes = node.used().trailing_ones() as usize;
        used += lanes;
        for lane in 0..lanes {
            let share = surface(&V::load(&node.wide, lane)) / root;
            if node.child[lane].is_triangle() {
                figures.triangle_cost += share;
            } else {
                figures.node_cost += share;
            }
        }
    }
    figures.fill = used as f64 / (8 * (tree.nodes.len() - 1)).max(1) as f64;
    figures
}
