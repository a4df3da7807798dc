//! The meshes on which every query is compared with the definition.

use super::Shape;
use crate::{Mesh, meshes};
use feeler::internals::model::VolumeKind;
use glam::DVec3;

/// Small enough for the plain walk, and of every kind that is known to be hard.
pub fn corpus() -> Vec<(&'static str, Mesh)> {
    vec![
        ("soup", meshes::random_soup(60, 0.4, 1)),
        ("sphere", meshes::sphere(9, 6)),
        ("torus", meshes::torus(12, 5, 0.3)),
        ("plane", meshes::plane(6, 5)),
        ("box", meshes::lattice_box(2)),
        ("degenerate", meshes::degenerate(45, 4)),
        ("needles", meshes::needles(40, 3)),
        ("equal", meshes::equal(30)),
        ("triangle", meshes::random_soup(1, 1.0, 5)),
        ("eight", meshes::random_soup(8, 0.7, 8)),
        ("point", Mesh::soup([[DVec3::new(0.25, 0.5, -0.125); 3]])),
        ("line", meshes::degenerate(20, 5).map(|v| DVec3::new(v.x, 2.0 * v.x, -v.x))),
        ("minute heart", with_heart(2f64.powi(-80))),
        ("stray", with_stray(&meshes::sphere(8, 6), 1e6)),
        ("off centre", meshes::torus(9, 5, 0.4).map(|v| v + DVec3::new(700.0, -300.0, 50.0))),
    ]
}

/// A loose shell around a part whose size is `size` of the whole, in the middle: lengths whose squares leave f32.
pub fn with_heart(size: f64) -> Mesh {
    meshes::torus(6, 4, 0.1).with(&meshes::random_soup(24, 0.5, 17).map(|vertex| vertex * size))
}

/// The mesh and one triangle of a hundredth of its size, `far` units away: its nodes need frames of their own.
pub fn with_stray(mesh: &Mesh, far: f64) -> Mesh {
    let at = DVec3::new(0.8, -0.36, 0.48) * far;
    mesh.clone().with(&Mesh::soup([[at, at + DVec3::X * 0.01, at + DVec3::Y * 0.01]]))
}

pub fn shapes(volumes: &[VolumeKind]) -> Vec<Shape> {
    corpus().into_iter().map(|(name, mesh)| Shape::new(name, mesh, volumes)).collect()
}
