//! The vertices that a build keeps: those that triangles use, in the order of their first use, and equal ones once.

use super::numbering::UNUSED;
use crate::allocation::try_collect;
use crate::error::Error;
use glam::DVec3;

/// The used vertices in the order of their first use, and where each vertex went; the triangles are renumbered accordingly. Equal
/// vertices go to one place if `merges`: vertices that may move must be able to part.
pub(super) fn by_first_use(
    vertices: &[DVec3],
    triangles: &mut [[u32; 3]],
    merges: bool,
) -> Result<(Vec<DVec3>, Vec<u32>), Error> {
    let mut places = try_collect("vertex numbers", vertices.iter().map(|_| UNUSED))?;
    let mut firsts = if merges { Firsts::new(vertices.len())? } else { Firsts(Vec::new()) };
    let mut used = 0;
    for index in triangles.iter_mut().flatten() {
        let mut place = places[*index as usize];
        if place == UNUSED {
            let first = if merges { firsts.find(vertices, *index) } else { *index };
            if first == *index {
                place = used;
                used += 1;
            } else {
                place = places[first as usize];
            }
            places[*index as usize] = place;
        }
        *index = place;
    }
    let mut ordered = try_collect("vertices", (0..used).map(|_| DVec3::ZERO))?;
    for (vertex, &place) in vertices.iter().zip(&places) {
        if place != UNUSED {
            ordered[place as usize] = *vertex;
        }
    }
    Ok((ordered, places))
}

/// For each position the number of the vertex that was there first: a table of open addresses.
struct Firsts(Vec<u32>);

impl Firsts {
    fn new(vertex_count: usize) -> Result<Self, Error> {
        let size = (vertex_count * 2).next_power_of_two().max(16);
        Ok(Self(try_collect("merging vertices", (0..size).map(|_| UNUSED))?))
    }

    /// The first vertex that was looked up and is where this one is: itself if there is none.
    #[inline]
    fn find(&mut self, vertices: &[DVec3], index: u32) -> u32 {
        let vertex = vertices[index as usize];
        let last = self.0.len() - 1;
        let mut place = hash(vertex) as usize & last;
        loop {
            match self.0[place] {
                UNUSED => {
                    self.0[place] = index;
                    return index;
                }
                other if vertices[other as usize] == vertex => return other,
                _ => place = (place + 1) & last,
            }
        }
    }
}

/// Stored vertices have no -0, so that equal coordinates have equal bits.
fn hash(vertex: DVec3) -> u64 {
    let mut mixed = 0u64;
    for coordinate in vertex.to_array() {
        mixed = (mixed ^ coordinate.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^= mixed >> 29;
    }
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_vertices_become_one_unless_they_may_move() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let tetrahedron = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let mut soup: Vec<DVec3> = tetrahedron.iter().flatten().map(|&index: &u32| corners[index as usize]).collect();
        // No triangle uses the last one.
        soup.push(DVec3::ONE);
        let triangles: Vec<[u32; 3]> = (0..4).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();

        let mut merged = triangles.clone();
        let (vertices, places) = by_first_use(&soup, &mut merged, true).unwrap();
        assert_eq!(vertices, [DVec3::ZERO, DVec3::Y, DVec3::X, DVec3::Z]);
        assert_eq!(places, [0, 1, 2, 0, 2, 3, 2, 1, 3, 1, 0, 3, UNUSED]);

        let mut apart = triangles.clone();
        let (kept, places) = by_first_use(&soup, &mut apart, false).unwrap();
        assert_eq!((kept.len(), &apart), (12, &triangles));
        assert_eq!(places.last(), Some(&UNUSED));
        for (slot, given) in triangles.iter().enumerate() {
            assert_eq!(merged[slot].map(|index| vertices[index as usize]), given.map(|index| soup[index as usize]));
        }
    }
}
