//! Small meshes made by rule, for tests and benches.
#![allow(dead_code)] // every user needs some of them

use glam::DVec3;

/// Vertices and triangles.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// What `Model::new` takes.
    pub fn source(&self) -> (&[DVec3], &[[u32; 3]]) {
        (&self.vertices, &self.triangles)
    }

    /// Three vertices per triangle, shared with nobody.
    pub fn soup(corners: impl IntoIterator<Item = [DVec3; 3]>) -> Self {
        let mut mesh = Self::default();
        for triangle in corners {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend(triangle);
            mesh.triangles.push([first, first + 1, first + 2]);
        }
        mesh
    }

    pub fn map(mut self, change: impl Fn(DVec3) -> DVec3) -> Self {
        for vertex in &mut self.vertices {
            *vertex = change(*vertex);
        }
        self
    }
}

/// SplitMix64: good enough, and the same everywhere.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Even over [-1, 1).
    pub fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-52) - 1.0
    }

    /// Even over the cube [-1, 1)^3.
    pub fn point(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }
}

/// Triangles of about `size` scattered over a cube of half width 1.
pub fn random_soup(count: usize, size: f64, seed: u64) -> Mesh {
    let mut random = Random(seed);
    Mesh::soup((0..count).map(|_| {
        let middle = random.point();
        [(); 3].map(|()| middle + random.point() * size)
    }))
}

/// A grid of `columns` by `rows` squares, two triangles each, bent by `shape` from [0, 1]^2.
pub fn grid(columns: u32, rows: u32, shape: impl Fn(f64, f64) -> DVec3) -> Mesh {
    let mut mesh = Mesh::default();
    for row in 0..=rows {
        for column in 0..=columns {
            mesh.vertices.push(shape(column as f64 / columns as f64, row as f64 / rows as f64));
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let corner = row * (columns + 1) + column;
            let above = corner + columns + 1;
            mesh.triangles.extend([[corner, corner + 1, above + 1], [corner, above + 1, above]]);
        }
    }
    mesh
}

pub fn plane(columns: u32, rows: u32) -> Mesh {
    grid(columns, rows, |u, v| DVec3::new(u, v, 0.0))
}

pub fn sphere(columns: u32, rows: u32) -> Mesh {
    grid(columns, rows, |u, v| {
        let (longitude, latitude) = (u * core::f64::consts::TAU, v * core::f64::consts::PI);
        let radius = latitude.sin();
        DVec3::new(radius * longitude.cos(), radius * longitude.sin(), latitude.cos())
    })
}

pub fn torus(columns: u32, rows: u32, thickness: f64) -> Mesh {
    grid(columns, rows, |u, v| {
        let (along, around) = (u * core::f64::consts::TAU, v * core::f64::consts::TAU);
        let radius = 1.0 + thickness * around.cos();
        DVec3::new(radius * along.cos(), radius * along.sin(), thickness * around.sin())
    })
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
