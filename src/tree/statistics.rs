//! The quality of a hierarchy, in numbers that can be compared between ways of building.

use crate::tree::node::Tree;
use crate::volume::Volume;

/// Figures of one hierarchy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    pub nodes: usize,
    pub depth: u32,
    /// Share of the lanes that are in use, without node 0.
    pub fill: f64,
    /// Surface of the lanes that lead to nodes, divided by the surface of the lanes that hold triangles. The first
    /// grows with the nodes that a search opens; the second hardly depends on the build.
    pub cost: f64,
}

/// `surface` measures a volume by its surface or something similar.
pub fn statistics<V: Volume>(tree: &Tree<V>, surface: impl Fn(&V) -> f64) -> Statistics {
    let mut figures = Statistics { nodes: tree.nodes.len(), depth: tree.depth, ..Statistics::default() };
    let (mut used, mut of_nodes, mut of_triangles) = (0, 0.0, 0.0);
    for node in &tree.nodes[1..] {
        let lanes = node.used().trailing_ones() as usize;
        used += lanes;
        for lane in 0..lanes {
            let sum = if node.child(lane).is_triangle() { &mut of_triangles } else { &mut of_nodes };
            *sum += surface(&V::load(&node.wide, lane));
        }
    }
    figures.fill = used as f64 / (8 * (tree.nodes.len() - 1)).max(1) as f64;
    figures.cost = of_nodes / of_triangles;
    figures
}
