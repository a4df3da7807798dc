//! Follows vertices that moved: every volume is fitted again, children before parents, which is from the back of the array
//! because children come after their parents [van den Bergen 1997].
//!
//! What leads where stays. Each volume has a rule of its own (`Volume::refit`). Boxes along fixed directions unite what the
//! nodes below know, so that the pass is linear; the others look at the vertices below them, each of which is in one lane of
//! each level.

use crate::allocation::try_collect;
use crate::error::Error;
use crate::tree::node::{Child, Lane, Node, Tree};
use crate::volume::fit::cluster::Cluster;
use crate::volume::{Union, Volume};

/// What is below a node, for a hierarchy that follows its vertices.
#[derive(Clone, Copy, Debug)]
pub struct Below<U> {
    /// First and end of the slots of its triangles.
    slots: (u32, u32),
    /// First and end of the vertices that its triangles use and none of a lower slot does: vertices are numbered in the
    /// order of their first use.
    own: (u32, u32),
    /// The lane that leads to the node; that of the root itself for node 0.
    parent: Lane,
    /// The farthest reach of its lanes and of all lanes below.
    reach: f64,
    /// Surfaces of the lanes here and below that lead to nodes, the root aside.
    surface: f64,
    union: U,
}

impl<V: Volume> Tree<V> {
    /// Makes what a refit needs of a hierarchy as built; `cluster` holds all triangles in slot order.
    pub fn prepare_refit(&mut self, cluster: &Cluster) -> Result<(), Error> {
        let nothing =
            Below { slots: (0, 0), own: (0, 0), parent: Lane(0), reach: 0.0, surface: 0.0, union: V::Union::NONE };
        let mut below = try_collect("what is below nodes", self.nodes.iter().map(|_| nothing))?;
        let used_before = vertices_used_before(cluster.triangles)?;
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let lanes = lanes_of(node);
            let slots = |lane: usize, below: &[Below<V::Union>]| match node.child(lane) {
                child if child.is_triangle() => (child.index() as u32, child.index() as u32 + 1),
                child => below[child.index()].slots,
            };
            let (first, end) = (slots(0, &below).0, slots(lanes - 1, &below).1);
            below[index].slots = (first, end);
            below[index].own = (used_before[first as usize], used_before[end as usize]);
            for lane in (0..lanes).filter(|&lane| !node.child(lane).is_triangle()) {
                below[node.child(lane).index()].parent = Lane::new(index, lane);
            }
        }
        self.below = below;
        for index in (0..self.nodes.len()).rev() {
            self.sum_up(index, cluster);
        }
        Ok(())
    }

    /// Fits every volume again.
    pub fn refit(&mut self, cluster: &Cluster) {
        for index in (0..self.nodes.len()).rev() {
            self.refit_node(index, cluster);
        }
        self.reach = self.below[0].reach;
    }

    /// Fits the volumes of the marked nodes again (bits by node): those above triangles that moved.
    pub fn refit_marked(&mut self, marks: &mut [u64], cluster: &Cluster) {
        for (word, marks) in marks.iter_mut().enumerate().rev() {
            while *marks != 0 {
                let bit = 63 - marks.leading_zeros() as usize;
                *marks &= !(1 << bit);
                self.refit_node(word * 64 + bit, cluster);
            }
        }
        self.reach = self.below[0].reach;
    }

    /// Marks a node and all above it.
    pub fn mark(&self, node: usize, marks: &mut [u64]) {
        let mut index = node;
        loop {
            let (word, bit) = (&mut marks[index / 64], 1 << (index % 64));
            if *word & bit != 0 {
                return;
            }
            *word |= bit;
            if index == 0 {
                return;
            }
            index = self.below[index].parent.split().0;
        }
    }

    /// Surfaces of all lanes that lead to nodes, the root aside: of random searches in a given space, as many more open a node
    /// as this is larger.
    pub fn surface(&self) -> f64 {
        self.below.first().map_or(0.0, |root| root.surface)
    }

    fn refit_node(&mut self, index: usize, cluster: &Cluster) {
        let node = &mut self.nodes[index];
        for lane in 0..lanes_of(node) {
            let child = node.child(lane);
            let before = V::load(&node.wide, lane);
            let after = if child.is_triangle() {
                let slot = child.index();
                let triangles = &cluster.triangles[slot..slot + 1];
                before.refit(&union_of::<V>(cluster, slot), &cluster.part(triangles, ALL_CORNERS))
            } else {
                let Below { slots, own, ref union, .. } = self.below[child.index()];
                let triangles = &cluster.triangles[slots.0 as usize..slots.1 as usize];
                before.refit(union, &cluster.part(triangles, own))
            };
            after.store(&mut node.wide, lane);
        }
        self.sum_up(index, cluster);
    }

    /// What a node has below it, from its lanes and its children.
    fn sum_up(&mut self, index: usize, cluster: &Cluster) {
        let node = &self.nodes[index];
        let (mut reach, mut surface, mut union) = (0.0f64, 0.0, V::Union::NONE);
        for lane in 0..lanes_of(node) {
            let (child, volume) = (node.child(lane), V::load(&node.wide, lane));
            reach = reach.max(volume.reach());
            if child.is_triangle() {
                union.unite(&union_of::<V>(cluster, child.index()));
            } else {
                let below = &self.below[child.index()];
                reach = reach.max(below.reach);
                // Every search looks at the root.
                surface += below.surface + if index == 0 { 0.0 } else { volume.surface() };
                union.unite(&below.union);
            }
        }
        let below = &mut self.below[index];
        (below.reach, below.surface, below.union) = (reach, surface, union);
    }
}

/// No vertex is the triangle's own: all corners are looked at.
const ALL_CORNERS: (u32, u32) = (u32::MAX, u32::MAX);

/// Lanes in use: those in front.
#[inline(always)]
fn lanes_of<W>(node: &Node<W>) -> usize {
    node.children.iter().take_while(|&&child| child != Child::EMPTY.0).count()
}

#[inline(always)]
fn union_of<V: Volume>(cluster: &Cluster, slot: usize) -> V::Union {
    let mut union = V::Union::NONE;
    let [a, b, c] = cluster.triangle(slot);
    union.add_point(a);
    union.add_point(b);
    union.add_point(c);
    union
}

/// For each slot, and for the end, how many vertices the triangles in front of it use; these are numbered in that order.
fn vertices_used_before(triangles: &[[u32; 3]]) -> Result<Vec<u32>, Error> {
    let mut before = try_collect("vertices used before", (0..triangles.len() + 1).map(|_| 0))?;
    let mut used = 0;
    for (slot, &[a, b, c]) in triangles.iter().enumerate() {
        used = used.max(a + 1).max(b + 1).max(c + 1);
        before[slot + 1] = used;
    }
    Ok(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::build::workers::Inline;
    use crate::tree::{Options, build};
    use crate::volume::boxes::aabb::Aabb;
    use crate::volume::properties::Random;
    use crate::volume::slabs::kdop18::Kdop18;
    use crate::volume::{Quality, Volume};
    use glam::DVec3;

    /// A strip of triangles with shared vertices, numbered by first use after the build.
    fn moved<V: Volume>(check: impl Fn(&Tree<V>, &Cluster)) {
        let mut random = Random(3);
        let mut vertices: Vec<DVec3> = (0..700).map(|_| random.point()).collect();
        let triangles: Vec<[u32; 3]> = (0..698).map(|k| [k, k + 1, k + 2]).collect();
        let (mut tree, order) =
            build::<V>(&vertices, DVec3::ZERO, triangles.iter().copied(), &Options::default(), &Inline).unwrap();
        let mut triangles = order.triangles;
        let mut places = vec![u32::MAX; vertices.len()];
        let mut used = 0;
        for index in triangles.iter_mut().flatten() {
            if places[*index as usize] == u32::MAX {
                places[*index as usize] = used;
                used += 1;
            }
            *index = places[*index as usize];
        }
        tree.prepare_refit(&Cluster::new(&vertices, DVec3::ZERO, &triangles)).unwrap();
        for _ in 0..5 {
            vertices.iter_mut().for_each(|vertex| *vertex += random.point() * 0.3);
            let origin = random.point();
            let cluster = Cluster::new(&vertices, origin, &triangles);
            tree.refit(&cluster);
            check(&tree, &cluster);
        }
    }

    /// Boxes along fixed directions are those that a fit to all triangles below gives, bit for bit.
    fn is_fitted<V: Volume + PartialEq>() {
        moved::<V>(|tree, cluster| {
            for node in &tree.nodes {
                for lane in 0..lanes_of(node) {
                    let child = node.child(lane);
                    let (first, end) = match child.is_triangle() {
                        true => (child.index(), child.index() + 1),
                        false => {
                            let (first, end) = tree.below[child.index()].slots;
                            (first as usize, end as usize)
                        }
                    };
                    let triangles = &cluster.triangles[first..end];
                    let fitted = V::fit(&Cluster::new(cluster.vertices, cluster.origin, triangles), Quality::High);
                    assert!(V::load(&node.wide, lane) == fitted);
                }
            }
        });
    }

    #[test]
    fn fixed_directions_are_refitted_exactly() {
        is_fitted::<Aabb>();
        is_fitted::<Kdop18>();
    }

    macro_rules! sound {
        ($($name:ident: $volume:ty,)*) => {
            #[test]
            fn every_volume_is_refitted_soundly() {
                $(moved::<$volume>(|tree, cluster| {
                    crate::tree::validate::validate(tree, cluster).unwrap_or_else(|defect| panic!("{}: {defect}", stringify!($name)));
                });)*
            }
        };
    }

    crate::volume::for_each_volume!(sound);
}
