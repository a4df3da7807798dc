//! Which triangles share a vertex or an edge: the mesh features that local minima and the side of a point need.
//!
//! Corner k of the triangle in slot s has the number 3 s + k. The corners at one mesh vertex form a ring: `next` leads from
//! each to another, and around to the first. Twelve bytes per triangle say all: the triangles around a vertex are its ring,
//! those around an edge are in the ring of either end.
//!
//! Vertices of equal coordinates are one mesh vertex (-0 equals 0). Vertices of deformable models move, so that only equal
//! numbers make one mesh vertex there.

use crate::allocation::try_collect;
use crate::error::Error;
use crate::primitive::FACE;
use glam::DVec3;

/// The neighbourhoods of a mesh.
#[derive(Debug)]
pub struct Topology {
    next: Vec<u32>,
    /// Whether vertices of equal coordinates are one.
    by_value: bool,
    /// Edges of one triangle.
    pub boundary_edges: u64,
    /// Edges of three triangles or more.
    pub nonmanifold_edges: u64,
    /// Whether every edge has an even number of triangles.
    pub is_closed: bool,
}

/// A mesh as its topology sees it: triangles by slot.
#[derive(Clone, Copy)]
pub struct Neighbourhoods<'m> {
    pub topology: &'m Topology,
    pub vertices: &'m [DVec3],
    pub triangles: &'m [[u32; 3]],
    /// The caller's number of the triangle in each slot.
    pub ids: &'m [u32],
}

/// No vertex, or no corner.
const NONE: u32 = u32::MAX;

impl Topology {
    /// Of a mesh whose triangles number less than 2^32 / 3; None for larger ones.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]], by_value: bool) -> Result<Option<Self>, Error> {
        if triangles.len() > (NONE / 3) as usize {
            return Ok(None);
        }
        let welded = if by_value { weld(vertices)? } else { Vec::new() };
        let mesh_vertex = |index: u32| if by_value { welded[index as usize] } else { index };
        let mut first = try_collect("mesh vertices", vertices.iter().map(|_| NONE))?;
        let mut next = try_collect("topology", (0..3 * triangles.len()).map(|_| NONE))?;
        for (corner, &index) in triangles.iter().flatten().enumerate() {
            // The ring is closed when its last corner is known: until then it ends at the first.
            let vertex = mesh_vertex(index) as usize;
            let head = first[vertex];
            if head == NONE {
                (first[vertex], next[corner]) = (corner as u32, corner as u32);
            } else {
                next[corner] = next[head as usize];
                next[head as usize] = corner as u32;
            }
        }
        let mut topology = Self { next, by_value, boundary_edges: 0, nonmanifold_edges: 0, is_closed: true };
        topology.count_edges(&first, triangles, mesh_vertex)?;
        Ok(Some(topology))
    }

    /// Counts the edges from each vertex to vertices of larger numbers.
    fn count_edges(
        &mut self,
        first: &[u32],
        triangles: &[[u32; 3]],
        mesh_vertex: impl Fn(u32) -> u32,
    ) -> Result<(), Error> {
        let mut others: Vec<u32> = Vec::new();
        for (vertex, &head) in first.iter().enumerate().filter(|(_, head)| **head != NONE) {
            others.clear();
            let mut corner = head;
            loop {
                let triangle = triangles[corner as usize / 3];
                for step in 1..3 {
                    let other = mesh_vertex(triangle[(corner as usize % 3 + step) % 3]);
                    if other as usize > vertex {
                        others.try_reserve(1).map_err(|_| Error::out_of_memory("topology"))?;
                        others.push(other);
                    }
                }
                corner = self.next[corner as usize];
                if corner == head {
                    break;
                }
            }
            others.sort_unstable();
            for same in others.chunk_by(|p, q| p == q) {
                self.boundary_edges += (same.len() == 1) as u64;
                self.nonmanifold_edges += (same.len() > 2) as u64;
                self.is_closed &= same.len() % 2 == 0;
            }
        }
        Ok(())
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.next.capacity() * size_of::<u32>()
    }
}

impl Neighbourhoods<'_> {
    fn vertex(&self, corner: u32) -> u32 {
        self.triangles[corner as usize / 3][corner as usize % 3]
    }

    /// Whether two corners are at one mesh vertex.
    fn is_same(&self, p: u32, q: u32) -> bool {
        let (p, q) = (self.vertex(p), self.vertex(q));
        p == q || self.topology.by_value && self.vertices[p as usize] == self.vertices[q as usize]
    }

    /// Calls `visit` with every triangle (slot) that has the mesh feature, which is `feature` of the triangle in `slot`, and
    /// with its number there, until `visit` returns false; true when it never did.
    #[inline]
    pub fn around(&self, slot: u32, feature: u32, mut visit: impl FnMut(u32, u32) -> bool) -> bool {
        if feature >= FACE {
            return visit(slot, FACE);
        }
        let start = 3 * slot + feature % 3;
        let end = 3 * slot + (feature + 1) % 3;
        let mut corner = start;
        loop {
            let (found, k) = (corner / 3, corner % 3);
            let (after, before) = (3 * found + (k + 1) % 3, 3 * found + (k + 2) % 3);
            // A triangle with two equal vertices has an edge twice: the smaller number names both.
            let there = match feature < 3 {
                true => Some(k),
                false => {
                    let leaving = self.is_same(after, end).then_some(3 + k);
                    let arriving = self.is_same(before, end).then_some(3 + (k + 2) % 3);
                    leaving.into_iter().chain(arriving).min()
                }
            };
            if there.is_some_and(|there| !visit(found, there)) {
                return false;
            }
            corner = self.topology.next[corner as usize];
            if corner == start {
                return true;
            }
        }
    }

    /// The smallest of the caller's numbers among the triangles with a mesh feature, and its feature there.
    pub fn owner(&self, slot: u32, feature: u32) -> (u32, u32) {
        let mut owner = (u32::MAX, u32::MAX);
        self.around(slot, feature, |found, there| {
            owner = owner.min((self.ids[found as usize], there));
            true
        });
        owner
    }
}

/// For each vertex the first one with the same coordinates, by a table of open addresses.
fn weld(vertices: &[DVec3]) -> Result<Vec<u32>, Error> {
    let size = (vertices.len() * 2).next_power_of_two().max(16);
    let mut table = try_collect("welding vertices", (0..size).map(|_| NONE))?;
    let mut welded = try_collect("welding vertices", (0..vertices.len()).map(|_| NONE))?;
    for (index, vertex) in vertices.iter().enumerate() {
        let mut place = hash(*vertex) as usize & (size - 1);
        welded[index] = loop {
            match table[place] {
                NONE => {
                    table[place] = index as u32;
                    break index as u32;
                }
                other if vertices[other as usize] == *vertex => break other,
                _ => place = (place + 1) & (size - 1),
            }
        };
    }
    Ok(welded)
}

/// Equal for equal coordinates: adding 0 makes -0 a 0.
fn hash(vertex: DVec3) -> u64 {
    let mut mixed = 0u64;
    for coordinate in (vertex + DVec3::ZERO).to_array() {
        mixed = (mixed ^ coordinate.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^= mixed >> 29;
    }
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(vertices: &[DVec3], triangles: &[[u32; 3]], by_value: bool) -> Topology {
        Topology::new(vertices, triangles, by_value).unwrap().unwrap()
    }

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

    fn corners() -> Vec<DVec3> {
        vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]
    }

    #[test]
    fn a_tetrahedron_is_closed_and_one_without_a_face_is_not() {
        let whole = of(&corners(), &TETRAHEDRON, false);
        assert_eq!((whole.boundary_edges, whole.nonmanifold_edges, whole.is_closed), (0, 0, true));
        let open = of(&corners(), &TETRAHEDRON[1..], false);
        assert_eq!((open.boundary_edges, open.nonmanifold_edges, open.is_closed), (3, 0, false));
        let fin = of(&corners(), &[&TETRAHEDRON[..], &[[0, 1, 3]]].concat(), false);
        assert_eq!((fin.boundary_edges, fin.nonmanifold_edges, fin.is_closed), (0, 3, false));
    }

    #[test]
    fn equal_coordinates_are_one_vertex_unless_they_may_move() {
        let soup: Vec<DVec3> = TETRAHEDRON.iter().flatten().map(|&index| corners()[index as usize]).collect();
        let mut soup_with_a_negative_zero = soup.clone();
        soup_with_a_negative_zero[0] = DVec3::new(-0.0, 0.0, -0.0);
        let triangles: Vec<[u32; 3]> = (0..4).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        for vertices in [&soup, &soup_with_a_negative_zero] {
            assert!(of(vertices, &triangles, true).is_closed);
            let apart = of(vertices, &triangles, false);
            assert_eq!((apart.boundary_edges, apart.is_closed), (12, false));
        }
        let topology = of(&soup_with_a_negative_zero, &triangles, true);
        let ids = [7, 5, 6, 4];
        let surface = Neighbourhoods {
            topology: &topology,
            vertices: &soup_with_a_negative_zero,
            triangles: &triangles,
            ids: &ids,
        };
        // The edge from 0 to 1 is the last of the triangle in slot 0 and the first of that in slot 1.
        assert_eq!(surface.owner(0, 5), (5, 3));
        assert_eq!(surface.owner(1, 3), (5, 3));
        // Vertex 3 is the last of three triangles, and vertex 1 belongs to slots 0, 1, 2.
        assert_eq!(surface.owner(1, 2), (4, 2));
        assert_eq!(surface.owner(0, 2), (5, 1));
        let doubled = [corners(), vec![DVec3::ZERO]].concat();
        let topology = of(&doubled, &[[0, 4, 1], [1, 0, 2]], true);
        let surface = Neighbourhoods {
            topology: &topology,
            vertices: &doubled,
            triangles: &[[0, 4, 1], [1, 0, 2]],
            ids: &[3, 9],
        };
        // Both edges from the doubled vertex to the third are one.
        assert_eq!((surface.owner(0, 4), surface.owner(0, 5), surface.owner(1, 3)), ((3, 4), (3, 4), (3, 4)));
    }

    #[test]
    fn the_triangles_around_a_vertex_are_its_ring() {
        let topology = of(&corners(), &TETRAHEDRON, false);
        let surface =
            Neighbourhoods { topology: &topology, vertices: &corners(), triangles: &TETRAHEDRON, ids: &[7, 5, 6, 4] };
        let mut count = 0;
        surface.around(0, 0, |_, _| {
            count += 1;
            true
        });
        assert_eq!(count, 3);
    }

    #[test]
    fn a_triangle_that_is_a_segment_keeps_a_closed_mesh_closed() {
        // The edge from 0 to 1 is split by a triangle without an area.
        let vertices = [&corners()[..], &[DVec3::X * 0.5]].concat();
        let triangles = [[0, 2, 1], [0, 4, 3], [4, 1, 3], [1, 2, 3], [2, 0, 3], [0, 1, 4]];
        assert!(of(&vertices, &triangles, true).is_closed);
        assert!(of(&corners(), &[&TETRAHEDRON[..], &[[1, 1, 2]]].concat(), true).is_closed);
    }
}
