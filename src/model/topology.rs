//! Which triangles share a vertex or an edge: the mesh features that local minima and the side of a point need.
//!
//! Corner k of the triangle in slot s has the number 3 s + k. The corners at one mesh vertex form a ring: `Links` leads from
//! each to another, and around to the first. Seven bytes per triangle say all: the triangles around a vertex are its ring,
//! those around an edge are in the ring of either end.
//!
//! Equal numbers make one mesh vertex. A build gives equal coordinates equal numbers, unless the vertices may move.

use super::compact::Compact;
use crate::allocation::try_collect;
use crate::error::Error;
use crate::primitive::FACE;

/// The neighbourhoods of a mesh.
#[derive(Debug)]
pub struct Topology {
    links: Links,
    /// Edges of one triangle.
    pub boundary_edges: u64,
    /// Edges of three triangles or more.
    pub nonmanifold_edges: u64,
    /// Whether every edge has an even number of triangles.
    pub is_closed: bool,
}

/// The corner after each one in its ring.
#[derive(Debug)]
enum Links {
    /// Steps to corners near by, or `FAR`; corners with a far one and where that is, in order. Neighbours have near slots.
    Steps(Vec<i16>, Vec<(u32, u32)>),
    /// For meshes of which neighbours are not near.
    Corners(Vec<u32>),
}

/// The next corner is too far for a step.
const FAR: i16 = i16::MIN;

impl Links {
    fn new(next: Vec<u32>) -> Result<Self, Error> {
        let step = |(corner, &next): (usize, &u32)| i16::try_from(next as i64 - corner as i64).unwrap_or(FAR);
        let steps = try_collect("topology", next.iter().enumerate().map(step))?;
        let count = steps.iter().filter(|step| **step == FAR).count();
        // A step and now and then a far corner must take less memory than a corner each time.
        if count > next.len() / 8 {
            return Ok(Self::Corners(next));
        }
        let mut far = Vec::new();
        far.try_reserve_exact(count).map_err(|_| Error::out_of_memory("topology"))?;
        let links = next.iter().enumerate().filter(|(corner, _)| steps[*corner] == FAR);
        far.extend(links.map(|(corner, &next)| (corner as u32, next)));
        Ok(Self::Steps(steps, far))
    }

    #[inline]
    fn after(&self, corner: u32) -> u32 {
        match self {
            Self::Steps(steps, far) => match steps[corner as usize] {
                FAR => far[far.partition_point(|link| link.0 < corner)].1,
                step => corner.wrapping_add_signed(step as i32),
            },
            Self::Corners(next) => next[corner as usize],
        }
    }

    fn memory(&self) -> usize {
        match self {
            Self::Steps(steps, far) => steps.capacity() * size_of::<i16>() + far.capacity() * size_of::<(u32, u32)>(),
            Self::Corners(next) => next.capacity() * size_of::<u32>(),
        }
    }
}

/// A mesh as its topology sees it: triangles by slot.
#[derive(Clone, Copy)]
pub struct Neighbourhoods<'m> {
    pub topology: &'m Topology,
    pub triangles: &'m Compact<3>,
    /// The caller's number of the triangle in each slot.
    pub ids: &'m Compact<1>,
}

/// No vertex, or no corner.
const NONE: u32 = u32::MAX;

impl Topology {
    /// Of a mesh whose triangles number less than 2^32 / 3; None for larger ones.
    pub fn new(vertex_count: usize, triangles: &[[u32; 3]]) -> Result<Option<Self>, Error> {
        if triangles.len() > (NONE / 3) as usize {
            return Ok(None);
        }
        let mut first = try_collect("mesh vertices", (0..vertex_count).map(|_| NONE))?;
        let mut next = try_collect("topology", (0..3 * triangles.len()).map(|_| NONE))?;
        for (corner, &index) in triangles.iter().flatten().enumerate() {
            // The ring is closed when its last corner is known: until then it ends at the first.
            let head = first[index as usize];
            if head == NONE {
                (first[index as usize], next[corner]) = (corner as u32, corner as u32);
            } else {
                next[corner] = next[head as usize];
                next[head as usize] = corner as u32;
            }
        }
        let mut topology =
            Self { links: Links::Corners(Vec::new()), boundary_edges: 0, nonmanifold_edges: 0, is_closed: true };
        topology.count_edges(&first, &next, triangles)?;
        topology.links = Links::new(next)?;
        Ok(Some(topology))
    }

    /// Counts the edges from each vertex to vertices of larger numbers.
    fn count_edges(&mut self, first: &[u32], next: &[u32], triangles: &[[u32; 3]]) -> Result<(), Error> {
        let mut others: Vec<u32> = Vec::new();
        for (vertex, &head) in first.iter().enumerate().filter(|(_, head)| **head != NONE) {
            others.clear();
            let mut corner = head;
            loop {
                let triangle = triangles[corner as usize / 3];
                for step in 1..3 {
                    let other = triangle[(corner as usize % 3 + step) % 3];
                    if other as usize > vertex {
                        others.try_reserve(1).map_err(|_| Error::out_of_memory("topology"))?;
                        others.push(other);
                    }
                }
                corner = next[corner as usize];
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
        self.links.memory()
    }
}

impl Neighbourhoods<'_> {
    /// The caller's number of the triangle in a slot.
    pub fn id(&self, slot: u32) -> u32 {
        self.ids.get(slot as usize)[0]
    }

    fn vertex(&self, corner: u32) -> u32 {
        self.triangles.get(corner as usize / 3)[corner as usize % 3]
    }

    /// Whether two corners are at one mesh vertex.
    fn is_same(&self, p: u32, q: u32) -> bool {
        self.vertex(p) == self.vertex(q)
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
            corner = self.topology.links.after(corner);
            if corner == start {
                return true;
            }
        }
    }

    /// The smallest of the caller's numbers among the triangles with a mesh feature, and its feature there.
    pub fn owner(&self, slot: u32, feature: u32) -> (u32, u32) {
        let mut owner = (u32::MAX, u32::MAX);
        self.around(slot, feature, |found, there| {
            owner = owner.min((self.id(found), there));
            true
        });
        owner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(vertex_count: usize, triangles: &[[u32; 3]]) -> Topology {
        Topology::new(vertex_count, triangles).unwrap().unwrap()
    }

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

    #[test]
    fn a_tetrahedron_is_closed_and_one_without_a_face_is_not() {
        let whole = of(4, &TETRAHEDRON);
        assert_eq!((whole.boundary_edges, whole.nonmanifold_edges, whole.is_closed), (0, 0, true));
        let open = of(4, &TETRAHEDRON[1..]);
        assert_eq!((open.boundary_edges, open.nonmanifold_edges, open.is_closed), (3, 0, false));
        let fin = of(4, &[&TETRAHEDRON[..], &[[0, 1, 3]]].concat());
        assert_eq!((fin.boundary_edges, fin.nonmanifold_edges, fin.is_closed), (0, 3, false));
    }

    #[test]
    fn features_have_owners() {
        let topology = of(4, &TETRAHEDRON);
        let (triangles, ids) = (Compact::Long(TETRAHEDRON.to_vec()), Compact::Long(vec![[7], [5], [6], [4]]));
        let surface = Neighbourhoods { topology: &topology, triangles: &triangles, ids: &ids };
        // The edge from 0 to 1 is the last of the triangle in slot 0 and the first of that in slot 1.
        assert_eq!(surface.owner(0, 5), (5, 3));
        assert_eq!(surface.owner(1, 3), (5, 3));
        // Vertex 3 is the last of three triangles, and vertex 1 belongs to slots 0, 1, 2.
        assert_eq!(surface.owner(1, 2), (4, 2));
        assert_eq!(surface.owner(0, 2), (5, 1));
        let segment = [[0, 0, 1], [1, 0, 2]];
        let topology = of(3, &segment);
        let (triangles, ids) = (Compact::Short(vec![[0, 0, 1], [1, 0, 2]]), Compact::Short(vec![[3], [9]]));
        let surface = Neighbourhoods { topology: &topology, triangles: &triangles, ids: &ids };
        // Both edges from the doubled vertex to the third are one.
        assert_eq!((surface.owner(0, 4), surface.owner(0, 5), surface.owner(1, 3)), ((3, 4), (3, 4), (3, 4)));
    }

    #[test]
    fn the_triangles_around_a_vertex_are_its_ring() {
        let topology = of(4, &TETRAHEDRON);
        let (triangles, ids) = (Compact::Long(TETRAHEDRON.to_vec()), Compact::Long(vec![[7], [5], [6], [4]]));
        let surface = Neighbourhoods { topology: &topology, triangles: &triangles, ids: &ids };
        let mut count = 0;
        surface.around(0, 0, |_, _| {
            count += 1;
            true
        });
        assert_eq!(count, 3);
    }

    /// Strips of triangles whose ends share a vertex with one another, near or far: both kinds of links, and the far ones among steps.
    #[test]
    fn rings_lead_around_whether_neighbours_are_near_or_far() {
        for (count, stride, is_near) in [(40_000u32, 20_000, true), (40_000, 1, false)] {
            let pairs = if is_near { 50 } else { count / 2 };
            let mut triangles: Vec<[u32; 3]> = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
            for k in 0..pairs {
                // Corner 0 of these is at one vertex.
                let partner = if is_near { k + stride } else { count - 1 - k };
                triangles[partner as usize][0] = 3 * k;
            }
            let topology = of(3 * count as usize, &triangles);
            assert_eq!(matches!(topology.links, Links::Steps(..)), is_near);
            assert!(topology.memory() < count as usize * if is_near { 7 } else { 13 });
            let (triangles, ids) = (Compact::Long(triangles), Compact::Long((0..count).map(|id| [id]).collect()));
            let surface = Neighbourhoods { topology: &topology, triangles: &triangles, ids: &ids };
            for k in 0..pairs {
                let partner = if is_near { k + stride } else { count - 1 - k };
                assert_eq!((surface.owner(partner, 0), surface.owner(k, 0)), ((k, 0), (k, 0)));
                let mut found = Vec::new();
                surface.around(k, 0, |slot, _| {
                    found.push(slot);
                    true
                });
                assert_eq!(found, [k, partner]);
                assert_eq!(surface.owner(k, 1), (k, 1));
            }
        }
    }

    #[test]
    fn a_triangle_that_is_a_segment_keeps_a_closed_mesh_closed() {
        // The edge from 0 to 1 is split by a triangle without an area.
        let triangles = [[0, 2, 1], [0, 4, 3], [4, 1, 3], [1, 2, 3], [2, 0, 3], [0, 1, 4]];
        assert!(of(5, &triangles).is_closed);
        assert!(of(4, &[&TETRAHEDRON[..], &[[1, 1, 2]]].concat()).is_closed);
    }
}
