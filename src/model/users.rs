//! Who follows a vertex: the triangles that use it, and the nodes above those. Made by the first update of a range.

use crate::allocation::try_collect;
use crate::error::Error;
use crate::tree::Tree;
use crate::tree::node::Child;
use crate::volume::Volume;

/// For each vertex its triangles, and for each triangle its node.
#[derive(Debug)]
pub(super) struct Users {
    /// Of vertex v the slots `slots[first[v]..first[v + 1]]`.
    first: Vec<u32>,
    slots: Vec<u32>,
    /// The node with a lane for the triangle of each slot.
    nodes: Vec<u32>,
    /// A bit for each node: those that are to be fitted again.
    marks: Vec<u64>,
}

impl Users {
    pub fn new<V: Volume>(tree: &Tree<V>, triangles: &[[u32; 3]], vertex_count: usize) -> Result<Self, Error> {
        let what = "users of vertices";
        let mut first = try_collect(what, (0..vertex_count + 1).map(|_| 0u32))?;
        let mut slots = try_collect(what, (0..3 * triangles.len()).map(|_| 0u32))?;
        let mut nodes = try_collect(what, triangles.iter().map(|_| 0u32))?;
        let marks = try_collect(what, (0..tree.nodes.len().div_ceil(64)).map(|_| 0u64))?;
        for &vertex in triangles.as_flattened() {
            first[vertex as usize] += 1;
        }
        // Counts become ends, and the ends sink to firsts while the slots are filled in from the back.
        let mut end = 0;
        for count in &mut first {
            end += *count;
            *count = end;
        }
        for (slot, triangle) in triangles.iter().enumerate().rev() {
            for &vertex in triangle {
                let place = &mut first[vertex as usize];
                *place -= 1;
                slots[*place as usize] = slot as u32;
            }
        }
        for (index, node) in tree.nodes.iter().enumerate() {
            for child in node.children.map(Child) {
                if child != Child::EMPTY && child.is_triangle() {
                    nodes[child.index()] = index as u32;
                }
            }
        }
        Ok(Self { first, slots, nodes, marks })
    }

    /// The slots of the triangles that use a vertex.
    pub fn slots_of(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.slots[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }

    /// Marks the nodes above the triangles of a vertex.
    pub fn mark<V: Volume>(&mut self, tree: &Tree<V>, vertex: u32) {
        let vertex = vertex as usize;
        for &slot in &self.slots[self.first[vertex] as usize..self.first[vertex + 1] as usize] {
            tree.mark(self.nodes[slot as usize] as usize, &mut self.marks);
        }
    }

    /// The marks; a refit takes them away.
    pub fn marks(&mut self) -> &mut [u64] {
        &mut self.marks
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.first) + size_of_val(&*self.slots) + size_of_val(&*self.nodes) + size_of_val(&*self.marks)
    }
}
