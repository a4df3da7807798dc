//! Meshes that are legal and meant to cost time: for builders that divide by place, and for searches that prune by distance.

use super::{degenerate, equal, lattice_box, needles, sphere};
use crate::Mesh;
use glam::DVec3;

/// About `count` triangles each, with a name; the first is an ordinary surface to compare with.
pub fn hostile(count: u32) -> Vec<(&'static str, Mesh)> {
    let side = (f64::from(count) / 2.0).sqrt().ceil() as u32;
    let ordinary = sphere(side, side);
    let far = DVec3::new(0.8, -0.36, 0.48);
    let stray = |away: f64| Mesh::soup([[far * away, far * away + DVec3::X * 0.01, far * away + DVec3::Y * 0.01]]);
    vec![
        ("ordinary sphere", ordinary.clone()),
        ("one triangle, many times", equal(count as usize)),
        ("one point, many times", Mesh { vertices: vec![DVec3::ONE], triangles: vec![[0, 0, 0]; count as usize] }),
        ("needles through each other", needles(count as usize, 3)),
        ("segments and points", degenerate(count as usize, 4)),
        ("fan around one vertex", fan(count)),
        ("fan, much finer at one end", fine_fan(count)),
        ("lattice", lattice_box((f64::from(count) / 12.0).sqrt().ceil() as u32)),
        ("each half as large as the one before", shrinking(count)),
        ("a line of equal steps", line(count)),
        ("sphere of size 1e-300", ordinary.clone().map(|v| v * 1e-300)),
        ("sphere of size 1e300", ordinary.clone().map(|v| v * 5e299)),
        ("sphere and a stray, 1e9 sizes away", ordinary.clone().with(&stray(1e9))),
        ("sphere and a stray, 1e200 sizes away", ordinary.with(&stray(1e200))),
    ]
}

/// Triangles around one vertex.
fn fan(count: u32) -> Mesh {
    let rim = (0..=count).map(|k| {
        let angle = f64::from(k) / f64::from(count) * 6.0;
        DVec3::new(angle.cos(), angle.sin(), 0.0)
    });
    let vertices = core::iter::once(DVec3::ZERO).chain(rim).collect();
    Mesh { vertices, triangles: (0..count).map(|k| [0, k + 1, k + 2]).collect() }
}

/// The same with angles that shrink by a constant factor.
fn fine_fan(count: u32) -> Mesh {
    let rim = (0..=count).map(|k| {
        let angle = 3.0 * 0.99f64.powi(k as i32);
        DVec3::new(angle.cos(), angle.sin(), 0.0)
    });
    let vertices = core::iter::once(DVec3::ZERO).chain(rim).collect();
    Mesh { vertices, triangles: (0..count).map(|k| [0, k + 1, k + 2]).collect() }
}

/// Every cut in the middle of such a row leaves all but one triangle on one side; it starts over before numbers run out.
fn shrinking(count: u32) -> Mesh {
    Mesh::soup((0..count).map(|k| {
        let size = 0.5f64.powi((k % 900) as i32);
        let at = DVec3::new(size, f64::from(k / 900) * 1e-3, 0.0);
        [at, at + DVec3::X * size * 0.25, at + DVec3::Y * size * 0.25]
    }))
}

fn line(count: u32) -> Mesh {
    Mesh::soup((0..count).map(|k| {
        let at = DVec3::X * f64::from(k);
        [at, at + DVec3::X, at + DVec3::X * 0.5]
    }))
}
