//! Local minima by their definition: all triangle pairs, and a topology that shares nothing with the library's.

use crate::Mesh;
use feeler::internals::primitive;
use feeler::{Model, Pair};
use glam::DVec3;
use std::collections::BTreeMap;

/// Features of a mesh by the coordinates of their vertices.
struct Features {
    /// For each triangle and feature the triangles that have it, smallest id first.
    stars: Vec<[Vec<u32>; 7]>,
    /// And the smallest triangle that has it, with the feature's number there.
    owners: Vec<[(u32, u32); 7]>,
}

fn key(v: DVec3) -> [u64; 3] {
    (v + DVec3::ZERO).to_array().map(f64::to_bits)
}

impl Features {
    fn new(mesh: &Mesh) -> Self {
        let corner = |id: usize, k: usize| key(mesh.vertices[mesh.triangles[id][k % 3] as usize]);
        let name = |id: usize, feature: usize| {
            let mut name = match feature {
                0..=2 => vec![corner(id, feature)],
                3..=5 => vec![corner(id, feature - 3), corner(id, feature - 2)],
                _ => vec![[id as u64; 3], [u64::MAX; 3], [u64::MAX; 3]],
            };
            name.sort_unstable();
            name
        };
        let mut all: BTreeMap<Vec<[u64; 3]>, Vec<(u32, u32)>> = BTreeMap::new();
        for id in 0..mesh.triangles.len() {
            for feature in 0..7 {
                all.entry(name(id, feature)).or_default().push((id as u32, feature as u32));
            }
        }
        let of = |id: usize, feature: usize| &all[&name(id, feature)];
        let stars = (0..mesh.triangles.len())
            .map(|id| {
                [0, 1, 2, 3, 4, 5, 6].map(|feature| {
                    let mut star: Vec<u32> = of(id, feature).iter().map(|(id, _)| *id).collect();
                    star.dedup();
                    star
                })
            })
            .collect();
        let owners = (0..mesh.triangles.len())
            .map(|id| [0, 1, 2, 3, 4, 5, 6].map(|feature| *of(id, feature).iter().min().expect("the triangle itself")))
            .collect();
        Self { stars, owners }
    }
}

/// The ids of all local minima within the margin, each with the smallest distance that was measured there. A neighbour is
/// nearer when its distance is below the minimum's by more than the share `error`.
pub fn local_minima(pair: &Pair<&Model>, [a, b]: [&Mesh; 2], margin: f64, error: f64) -> BTreeMap<u64, f64> {
    let (features_a, features_b) = (Features::new(a), Features::new(b));
    let walk = pair.plain_walk();
    let placement = pair.placement();
    let placed_a: Vec<_> = (0..a.triangles.len() as u32).map(|id| walk.placed_a(id)).collect();
    let placed_b: Vec<_> = (0..b.triangles.len() as u32).map(|id| walk.placed_b(id)).collect();
    let distance = |s: u32, t: u32| primitive::distance(&placed_a[s as usize], &placed_b[t as usize]).distance;
    let mut found = BTreeMap::new();
    for (s, triangle_a) in placed_a.iter().enumerate() {
        for (t, triangle_b) in placed_b.iter().enumerate() {
            let closest = primitive::closest(triangle_a, triangle_b);
            let world = placement.distance_to_world(closest.distance);
            if world > margin {
                continue;
            }
            let (f, g) = (closest.feature as usize & 0xff, closest.feature as usize >> 8 & 0xff);
            let is_minimum = closest.distance == 0.0
                || features_a.stars[s][f].iter().all(|&other_s| {
                    let near = |other_t: &u32| distance(other_s, *other_t) >= closest.distance * (1.0 - error);
                    features_b.stars[t][g].iter().all(near)
                });
            if is_minimum {
                let name = |(id, feature): (u32, u32)| (8 * id + feature) as u64;
                let id = name(features_a.owners[s][f]) << 32 | name(features_b.owners[t][g]);
                let smallest: &mut f64 = found.entry(id).or_insert(world);
                *smallest = smallest.min(world);
            }
        }
    }
    found
}
