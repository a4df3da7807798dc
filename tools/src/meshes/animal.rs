//! A closed bumpy surface with the parts of an animal, about as uneven as a scanned one: body, head, ears, legs, tail.

use crate::Mesh;
use glam::DVec3;
use std::collections::HashMap;

/// Where a part sticks out, how far, and how sharply the part ends.
const PARTS: [([f64; 3], f64, f64); 9] = [
    ([1.0, 0.45, 0.0], 0.5, 9.0),
    ([0.62, 1.0, 0.22], 0.7, 90.0),
    ([0.62, 1.0, -0.22], 0.7, 90.0),
    ([0.7, -0.9, 0.45], 0.35, 40.0),
    ([0.7, -0.9, -0.45], 0.35, 40.0),
    ([-0.6, -0.9, 0.5], 0.35, 25.0),
    ([-0.6, -0.9, -0.5], 0.35, 25.0),
    ([-1.0, 0.15, 0.0], 0.25, 60.0),
    ([-0.4, 0.8, 0.0], 0.12, 4.0),
];

/// How far the surface is from the middle in a unit direction: every ray meets the surface once.
pub fn animal_radius(direction: DVec3) -> f64 {
    let body = (direction / DVec3::new(0.9, 0.62, 0.55)).length().recip();
    let parts: f64 = PARTS
        .iter()
        .map(|(towards, height, sharpness)| {
            let towards = DVec3::from_array(*towards).normalize();
            height * (sharpness * (direction.dot(towards) - 1.0)).exp()
        })
        .sum();
    let fur = 0.012 * (23.0 * direction.x).sin() * (19.0 * direction.y + 3.0 * direction.z).cos();
    body + parts + fur
}

/// An icosahedron, every face divided into `(4 detail)^2` triangles, its vertices moved out to the surface.
pub fn animal(detail: u32) -> Mesh {
    let mesh = divided_icosahedron(4 * detail);
    mesh.map(|vertex| {
        let direction = vertex.normalize();
        direction * animal_radius(direction)
    })
}

/// Faces are seen counter-clockwise from outside; neighbours share their vertices.
fn divided_icosahedron(division: u32) -> Mesh {
    let golden = 0.5 + 1.25f64.sqrt();
    let mut corners = Vec::new();
    for (one, other) in [(-1.0, -golden), (1.0, -golden), (-1.0, golden), (1.0, golden)] {
        corners.extend([DVec3::new(0.0, one, other), DVec3::new(one, other, 0.0), DVec3::new(other, 0.0, one)]);
    }
    let mut mesh = Mesh::default();
    // A vertex by what it is made of: corners with their weights, in order.
    let mut known: HashMap<[(usize, u32); 3], u32> = HashMap::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                let [p, q, r] = [corners[a], corners[b], corners[c]];
                // Edges of this icosahedron have length 2.
                if [p - q, q - r, r - p].iter().any(|edge| (edge.length() - 2.0).abs() > 1e-9) {
                    continue;
                }
                let outwards = (q - p).cross(r - p).dot(p) > 0.0;
                let (b, c) = if outwards { (b, c) } else { (c, b) };
                let mut vertex = |i: u32, j: u32| {
                    let mut parts = [(a, division - i - j), (b, i), (c, j)];
                    parts.sort_unstable();
                    // A corner without weight is no part.
                    let name =
                        parts.map(|(corner, weight)| if weight == 0 { (usize::MAX, 0) } else { (corner, weight) });
                    let mut name = name;
                    name.sort_unstable();
                    *known.entry(name).or_insert_with(|| {
                        let sum: DVec3 = parts.iter().map(|(corner, weight)| corners[*corner] * *weight as f64).sum();
                        mesh.vertices.push(sum / division as f64);
                        mesh.vertices.len() as u32 - 1
                    })
                };
                let mut triangles = Vec::new();
                for i in 0..division {
                    for j in 0..division - i {
                        triangles.push([vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)]);
                        if i + j + 1 < division {
                            triangles.push([vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)]);
                        }
                    }
                }
                mesh.triangles.extend(triangles);
            }
        }
    }
    mesh
}
