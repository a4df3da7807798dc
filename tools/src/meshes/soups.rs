//! Triangles that belong to no surface: scattered, thin, repeated, without area.

use crate::{Mesh, Random};
use glam::DVec3;

/// Triangles of about `size` scattered over a cube of half width 1.
pub fn random_soup(count: usize, size: f64, seed: u64) -> Mesh {
    let mut random = Random(seed);
    Mesh::soup((0..count).map(|_| {
        let middle = random.point();
        [(); 3].map(|()| middle + random.point() * size)
    }))
}

/// Long thin triangles through a cube, in all directions.
pub fn needles(count: usize, seed: u64) -> Mesh {
    let mut random = Random(seed);
    Mesh::soup((0..count).map(|_| {
        let (from, to) = (random.point(), random.point());
        [from, to, to + random.point() * 1e-7]
    }))
}

/// `count` times the same triangle.
pub fn equal(count: usize) -> Mesh {
    let vertices = vec![DVec3::new(0.1, 0.2, 0.3), DVec3::new(1.0, 0.0, 0.5), DVec3::new(0.0, 1.0, -0.5)];
    Mesh { vertices, triangles: vec![[0, 1, 2]; count] }
}

/// Segments and points only.
pub fn degenerate(count: usize, seed: u64) -> Mesh {
    let mut random = Random(seed);
    Mesh::soup((0..count).map(|k| {
        let (a, b) = (random.point(), random.point());
        match k % 3 {
            0 => [a, a, a],
            1 => [a, b, a],
            _ => [a, b, a * 0.5 + b * 0.5],
        }
    }))
}
