//! Surfaces bent from a grid of squares.

use crate::Mesh;
use core::f64::consts::{PI, TAU};
use glam::DVec3;

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
        let (longitude, latitude) = (u * TAU, v * PI);
        let radius = latitude.sin();
        DVec3::new(radius * longitude.cos(), radius * longitude.sin(), latitude.cos())
    })
}

pub fn torus(columns: u32, rows: u32, thickness: f64) -> Mesh {
    grid(columns, rows, |u, v| {
        let (along, around) = (u * TAU, v * TAU);
        let radius = 1.0 + thickness * around.cos();
        DVec3::new(radius * along.cos(), radius * along.sin(), thickness * around.sin())
    })
}

/// The side of a pot: a belly that narrows upwards, convex everywhere.
pub fn belly(columns: u32, rows: u32) -> Mesh {
    grid(columns, rows, |u, v| {
        let (angle, height) = (1.4 * (u - 0.5), 1.2 * (v - 0.5));
        let radius = 1.0 - 0.35 * height * height - 0.15 * height;
        DVec3::new(radius * angle.cos(), radius * angle.sin(), height)
    })
}
