//! What breaks careless arithmetic: surfaces that coincide, triangles without area, places far away.

use super::Parts;
use crate::{Random, meshes, scenes};
use core::f64::consts::TAU;
use feeler::Transform;
use glam::{DMat3, DVec3};

pub fn tori_coinciding(detail: u32) -> Parts {
    let columns = 12 * detail;
    let torus = meshes::torus(columns, 5 * detail, 0.35);
    let mut poses = vec![Transform::IDENTITY];
    // By whole columns, by half a column, and by half a column with a shift in the size of rounding.
    for k in 1..=10 {
        let turn = DMat3::from_rotation_z(k as f64 * TAU / 24.0);
        let shift = if k % 3 == 0 { 1e-15 } else { 0.0 };
        poses.push(scenes::pose(turn, DVec3::splat(shift), 1.0));
    }
    (torus.clone(), torus, poses)
}

pub fn needles_and_points(detail: u32) -> Parts {
    let count = (60 * detail * detail) as usize;
    let a =
        meshes::degenerate(count, 51).with(&meshes::needles(count, 52)).with(&meshes::random_soup(count / 4, 0.5, 57));
    let b = meshes::needles(count, 53).with(&meshes::degenerate(count, 54)).map(|v| v * 0.5);
    let mut random = Random(55);
    let poses = (0..60).map(|k| {
        let place = random.direction() * [0.3, 1.5, 4.0][k % 3];
        scenes::pose(scenes::random_rotation(&mut random), place, 1.0)
    });
    (a, b, poses.collect())
}

pub fn far_apart(detail: u32) -> Parts {
    let torus = meshes::torus(14 * detail, 6 * detail, 0.3);
    let mut random = Random(56);
    let poses = (1..=12).map(|decade| {
        let place = random.direction() * 3.0 * 10f64.powi(decade);
        scenes::pose(scenes::random_rotation(&mut random), place, 1.0)
    });
    (torus.clone(), torus, poses.collect())
}
