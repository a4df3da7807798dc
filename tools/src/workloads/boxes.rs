//! Boxes in poses without rounding: contacts are exact, and most triangles are parallel to others.

use super::Parts;
use crate::paths::{shifted, timed};
use crate::{Mesh, Random, meshes, scenes};
use feeler::Transform;
use glam::{DMat3, DVec3};

pub fn touching(detail: u32) -> Parts {
    let cube = meshes::lattice_box(2 * detail);
    let mut random = Random(41);
    let mut poses = Vec::new();
    // Faces, edges and corners meet, wholly or in part; a quarter apart; overlapping with faces in one plane.
    for x in [2.0, 2.25] {
        for y in [0.0, 0.5, 2.0] {
            for z in [0.0, 0.25, 2.0] {
                let by = scenes::lattice_rotation(&mut random) * DVec3::new(x, y, z);
                poses.push(scenes::pose(scenes::lattice_rotation(&mut random), by, 1.0));
            }
        }
    }
    for by in [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.5, 0.25, 1.0], [1.5, 2.0, 2.0]] {
        poses.push(shifted(DVec3::from_array(by)));
    }
    (cube.clone(), cube, poses)
}

pub fn coinciding(detail: u32) -> Parts {
    let cube = meshes::lattice_box(2 * detail);
    let mut random = Random(42);
    let mut poses = vec![Transform::IDENTITY];
    poses.extend((0..11).map(|_| scenes::pose(scenes::lattice_rotation(&mut random), DVec3::ZERO, 1.0)));
    (cube.clone(), cube, poses)
}

pub fn on_table(detail: u32) -> Parts {
    let table = meshes::grid(8 * detail, 8 * detail, |u, v| DVec3::new(8.0 * u - 4.0, 8.0 * v - 4.0, 0.0));
    // Slid by eighths and turned by quarters; every third pose lifts the box by an eighth.
    let poses = (0..64).map(|k| {
        let turn = DMat3::from_cols_array_2d(&match k % 4 {
            0 => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            1 => [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
            2 => [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]],
            _ => [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        });
        let height = if k % 3 == 2 { 1.125 } else { 1.0 };
        scenes::pose(turn, DVec3::new(k as f64 / 16.0 - 2.0, k as f64 / 32.0 - 1.0, height), 1.0)
    });
    (table, meshes::lattice_box(2 * detail), poses.collect())
}

pub fn stacked(detail: u32) -> Parts {
    let cube = meshes::lattice_box(detail);
    // Two below with a gap of a box between them, one across, one on top.
    let places = [[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.5, 0.25, 4.0]];
    let stack = places
        .iter()
        .fold(Mesh::default(), |stack, place| stack.with(&cube.clone().map(|v| v + DVec3::from_array(*place))));
    // Down onto the stack, in an exact fit between the lower two, along their side.
    let mut poses = timed(32, |t| shifted(DVec3::new(0.25, -0.5, 10.0 - 4.0 * t)));
    poses.push(shifted(DVec3::new(0.25, -0.5, 6.0)));
    poses.extend(timed(32, |t| shifted(DVec3::new(0.0, -4.0 + 4.0 * t, 0.0))));
    poses.extend(timed(16, |t| shifted(DVec3::new(-3.0 + t, 2.0, 0.0))));
    (stack, meshes::lattice_box(2 * detail), poses)
}
