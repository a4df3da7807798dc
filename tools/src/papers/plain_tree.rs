//! Trees as the papers have them: two or four children per node, cut at the mean or in the middle of the longest side of a
//! box, one triangle per leaf.
//!
//! The library fits the volumes and writes the nodes. A node of two children uses two of its eight lanes, so the kernels of
//! the library test it as they are.

use crate::Mesh;
use feeler::Threads;
use feeler::internals::primitive::Triangle;
use feeler::internals::tree::build::binary::BinaryNode;
use feeler::internals::tree::build::emit::emit;
use feeler::internals::tree::{Options, Tree};
use feeler::internals::volume::boxes::aabb::Aabb;
use feeler::internals::volume::boxes::obb::Obb;
use feeler::internals::volume::fit::cluster::Cluster;
use feeler::internals::volume::fit::turned_bounds;
use feeler::internals::volume::shells::shell::Shell;
use feeler::internals::volume::{Quality, Volume};
use glam::{DMat3, DVec3};

/// Where a set of triangles is cut, along the longest side of its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// At the mean of the triangles' centres [Larsen 1999, 4.1].
    Mean,
    /// In the middle of the box [van den Bergen 1997].
    Middle,
    /// In halves of equal count.
    Median,
    /// Through the axis of the set's shell, across the direction of the vertex that limits the shell [Krishnan 1998, 7].
    LimitingVertex,
}

/// A mesh with a tree over it.
pub struct PlainModel<V: Volume> {
    pub tree: Tree<V>,
    /// In the order of the leaves, in the node frame.
    pub triangles: Vec<Triangle>,
    /// Origin of the node frame, in coordinates of the mesh.
    pub origin: DVec3,
}

impl<V: Volume> PlainModel<V> {
    /// A binary tree.
    pub fn new(mesh: &Mesh, cut: Cut) -> Self {
        Self::of_width(mesh, cut, 2)
    }

    /// A tree with 2, 4 or 8 children per node.
    pub fn of_width(mesh: &Mesh, cut: Cut, width: usize) -> Self {
        Self::along(mesh, cut, width, split_axes::<V>)
    }

    /// The same, with sets cut along the axes that a function gives.
    pub fn along(mesh: &Mesh, cut: Cut, width: usize, axes: fn(&Cluster) -> DMat3) -> Self {
        let origin = middle(mesh);
        let mut slots = mesh.triangles.clone();
        let mut binary = vec![BinaryNode { choice: lanes(width), ..BinaryNode::default() }; slots.len() - 1];
        divide(&Cluster::new(&mesh.vertices, origin, &[]), axes, cut, &mut slots, &mut binary);
        let cluster = Cluster::new(&mesh.vertices, origin, &slots);
        // Vertices that may move: all nodes then share the frame of the model.
        let options = Options { moves: true, ..Options::default() };
        let workers = Threads(std::thread::available_parallelism().map_or(1, |count| count.get()));
        let tree = emit(&cluster, &binary, &options, &workers).expect("memory");
        let triangles = (0..slots.len()).map(|slot| cluster.triangle(slot)).collect();
        Self { tree, triangles, origin }
    }
}

/// The middle of the box along the axes.
fn middle(mesh: &Mesh) -> DVec3 {
    let first = mesh.vertices[0];
    let low = mesh.vertices.iter().fold(first, |low, vertex| low.min(*vertex));
    let high = mesh.vertices.iter().fold(first, |high, vertex| high.max(*vertex));
    (low + high) * 0.5
}

/// Axis-aligned boxes are cut along the axes of the model, all other volumes along the set's oriented box, as in
/// [Larsen 1999, 4.1].
fn split_axes<V: Volume>(cluster: &Cluster) -> DMat3 {
    if V::KIND == Aabb::KIND { DMat3::IDENTITY } else { Obb::cut_axes(cluster, Quality::High) }
}

/// What `BinaryNode::choice` says for nodes of this many lanes: a set is shared between so many lanes, and then is one.
fn lanes(width: usize) -> [u8; 8] {
    match width {
        2 => [0xff, 0, 0, 0, 0, 0, 0, 4],
        4 => [!(1 << 3), 0, 0, 2, 0, 0, 0, 4],
        8 => [!(1 << 3 | 1 << 1), 1, 0, 2, 0, 0, 0, 4],
        _ => panic!("a node has 2, 4 or 8 lanes"),
    }
}

/// Puts the triangles of a set into order and describes how it is divided.
fn divide(all: &Cluster, axes: fn(&Cluster) -> DMat3, cut: Cut, slots: &mut [[u32; 3]], nodes: &mut [BinaryNode]) {
    if slots.len() == 1 {
        return;
    }
    let first = divide_once(all, axes, cut, slots);
    nodes[0].first = first as u32;
    let (slots, second_slots) = slots.split_at_mut(first);
    let (nodes, second_nodes) = nodes[1..].split_at_mut(first - 1);
    divide(all, axes, cut, slots, nodes);
    divide(all, axes, cut, second_slots, second_nodes);
}

/// Divides a set in two along the axes that a function gives; returns the size of the first part.
pub fn divide_once(all: &Cluster, axes: fn(&Cluster) -> DMat3, cut: Cut, slots: &mut [[u32; 3]]) -> usize {
    let cluster = Cluster::new(all.vertices, all.origin, slots);
    if cut == Cut::LimitingVertex {
        let (base, direction) = limit(&cluster);
        let side =
            |triangle: &[u32; 3]| triangle.iter().map(|&index| direction.dot(all.point(index) - base)).sum::<f64>();
        slots.sort_by(|a, b| side(a).total_cmp(&side(b)));
        return inner(slots.partition_point(|triangle| side(triangle) < 0.0), slots.len());
    }
    let inverse = axes(&cluster).transpose();
    let bounds = turned_bounds::of_cluster(&cluster, &inverse);
    let extent = bounds.high - bounds.low;
    let longest = if extent.x >= extent.y.max(extent.z) { 0 } else { 1 + (extent.z > extent.y) as usize };
    let direction = inverse.row(longest);
    let centre = |triangle: &[u32; 3]| triangle.iter().map(|&index| direction.dot(all.point(index))).sum::<f64>() / 3.0;
    let place = match cut {
        Cut::Mean => slots.iter().map(centre).sum::<f64>() / slots.len() as f64,
        Cut::Middle => 0.5 * (bounds.low[longest] + bounds.high[longest]),
        Cut::Median | Cut::LimitingVertex => f64::NEG_INFINITY,
    };
    slots.sort_by(|a, b| centre(a).total_cmp(&centre(b)));
    let first = slots.partition_point(|triangle| centre(triangle) < place);
    inner(first, slots.len())
}

/// The size of the first part, or half where one part would be empty.
fn inner(first: usize, count: usize) -> usize {
    if first == 0 || first == count { count / 2 } else { first }
}

/// A point on the axis of the shell of a set, and the direction from the axis to the vertex that limits its cone.
fn limit(cluster: &Cluster) -> (DVec3, DVec3) {
    let shell = Shell::fit(cluster, Quality::High);
    let [base, axis] = [shell.base, shell.axis].map(|v| DVec3::from_array(v.map(f64::from)));
    let from_base = |point: DVec3| point - base;
    let far = cluster.points().map(from_base).max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    let far = far.expect("a set is not empty");
    (base, far - axis * axis.dot(far))
}
