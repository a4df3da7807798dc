//! Meshes: scattered and indexed triangles from the bytes themselves, and surfaces by rule, bent by the bytes.

use crate::numbers;
use arbitrary::{Result, Unstructured};
use feeler_tools::{Mesh, meshes, scenes};
use glam::DVec3;

/// A legal mesh of at most about `most` triangles.
pub fn mesh(u: &mut Unstructured, most: u32) -> Result<Mesh> {
    let mut mesh = match u.int_in_range(0..=9u8)? {
        0..=2 => soup(u, most)?,
        3..=5 => indexed(u, most)?,
        _ => by_rule(u, most)?,
    };
    mesh.triangles.truncate(most as usize);
    match u.int_in_range(0..=11u8)? {
        0 => {
            let unit = 10f64.powi(u.int_in_range(-300..=290)?);
            mesh = mesh.map(|v| v * unit);
        }
        1 => {
            let offset = numbers::point(u)? * 10f64.powi(u.int_in_range(0..=12)?);
            mesh = mesh.map(|v| v + offset);
        }
        2 => mesh = mesh.map(|v| v * DVec3::new(1.0, 1.0, 0.0)),
        3 => mesh = mesh.map(|v| v * DVec3::new(1.0, 1e-7, 1e-14)),
        4 => mesh = scenes::with_stray(&mesh, 10f64.powi(u.int_in_range(1..=12)?)),
        5 => {
            // Every other triangle once more.
            let twice: Vec<_> = mesh.triangles.iter().step_by(2).copied().collect();
            mesh.triangles.extend(twice);
        }
        _ => {}
    }
    // A mesh by rule may leave the range when it is scaled.
    let largest = 1e300;
    Ok(mesh.map(|v| if v.is_finite() { v.clamp(DVec3::splat(-largest), DVec3::splat(largest)) } else { DVec3::ZERO }))
}

fn soup(u: &mut Unstructured, most: u32) -> Result<Mesh> {
    let count = u.int_in_range(1..=most.min(12))?;
    let mut corners = Vec::new();
    for _ in 0..count {
        corners.push([numbers::point(u)?, numbers::point(u)?, numbers::point(u)?]);
    }
    Ok(Mesh::soup(corners))
}

fn indexed(u: &mut Unstructured, most: u32) -> Result<Mesh> {
    let (vertices, triangles) = (u.int_in_range(1..=16u32)?, u.int_in_range(1..=most)?);
    let mut mesh = Mesh::default();
    for _ in 0..vertices {
        mesh.vertices.push(if u.ratio(1, 16u8)? { numbers::any_point(u)? } else { numbers::point(u)? });
    }
    for _ in 0..triangles {
        let mut corner = || u.int_in_range(0..=vertices - 1);
        mesh.triangles.push([corner()?, corner()?, corner()?]);
    }
    Ok(mesh)
}

fn by_rule(u: &mut Unstructured, most: u32) -> Result<Mesh> {
    let seed = u64::from(u.arbitrary::<u8>()?);
    // A grid of n by n squares has 2 n^2 triangles.
    let side = ((f64::from(most) / 2.0).sqrt() as u32).max(2);
    let (columns, rows) = (u.int_in_range(1..=side)?, u.int_in_range(1..=side)?);
    let count = u.int_in_range(1..=most)? as usize;
    let mut mesh = match u.int_in_range(0..=9u8)? {
        0 => meshes::plane(columns, rows),
        1 => meshes::sphere(columns.max(3), rows.max(2)),
        2 => meshes::torus(columns.max(3), rows.max(3), 0.3),
        3 => meshes::lattice_box((columns / 3).max(1)),
        4 => meshes::needles(count, seed),
        5 => meshes::degenerate(count, seed),
        6 => meshes::equal(count),
        7 => meshes::random_soup(count, 0.4, seed),
        8 => fan(count as u32),
        _ => scenes::with_heart(2f64.powi(-u.int_in_range(0..=100)?)),
    };
    // Some vertices elsewhere.
    for _ in 0..u.int_in_range(0..=2u8)? {
        let place = u.choose_index(mesh.vertices.len())?;
        mesh.vertices[place] = numbers::any_point(u)?;
    }
    Ok(mesh)
}

/// Triangles around one vertex.
fn fan(count: u32) -> Mesh {
    let rim = (0..=count).map(|k| {
        let angle = f64::from(k) * 0.1;
        DVec3::new(angle.cos(), angle.sin(), 0.01 * f64::from(k))
    });
    let vertices = core::iter::once(DVec3::ZERO).chain(rim).collect();
    Mesh { vertices, triangles: (0..count).map(|k| [0, k + 1, k + 2]).collect() }
}
