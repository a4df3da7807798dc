//! Tori, rings, spheres and curved patches.

use super::Parts;
use crate::paths::{shifted, timed, turned};
use crate::{Mesh, Random, meshes, scenes};
use core::f64::consts::TAU;
use glam::{DMat3, DVec3};

pub fn tumbling_tori(detail: u32) -> Parts {
    let large = meshes::torus(14 * detail, 6 * detail, 0.3);
    let small = meshes::torus(12 * detail, 6 * detail, 0.35).map(|v| v * 0.5);
    // Down through the hole, off its axis, so that the small one strikes the rim and comes free again.
    let poses = timed(500, |t| {
        let sway = 0.25 * (3.0 * TAU * t).sin();
        let axis = DVec3::new(1.0, 0.3 * (TAU * t).cos(), 0.2);
        turned(axis, 2.5 * TAU * t, DVec3::new(0.1 + sway, 0.2 * (TAU * t).cos(), 1.8 - 3.6 * t))
    });
    (large, small, poses)
}

pub fn linked_rings(detail: u32) -> Parts {
    let ring = meshes::torus(16 * detail, 4 * detail, 0.1);
    let mut random = Random(11);
    let poses = (0..200).map(|_| {
        // B goes through the hole of A: its middle is near A's tube, its plane stands across A's.
        let along = random.unit() * TAU;
        let tilt = DMat3::from_rotation_x(0.9 * random.number()) * DMat3::from_rotation_y(0.9 * random.number());
        let stand = DMat3::from_rotation_z(along) * DMat3::from_rotation_x(TAU / 4.0) * tilt;
        let middle = DVec3::new(along.cos(), along.sin(), 0.0) + random.point() * 0.45;
        scenes::pose(stand, middle, 1.0)
    });
    (ring.clone(), ring, poses.collect())
}

pub fn nested_spheres(detail: u32) -> Parts {
    let sphere = meshes::sphere(18 * detail, 9 * detail);
    let inner = sphere.clone().map(|v| v * 0.94);
    let mut random = Random(12);
    let poses = (0..40).map(|k| {
        let off = [0.0, 0.03, 0.05, 0.0599][k % 4];
        scenes::pose(scenes::random_rotation(&mut random), random.direction() * off, 1.0)
    });
    (sphere, inner, poses.collect())
}

pub fn parted_spheres(detail: u32) -> Parts {
    let sphere = meshes::sphere(18 * detail, 9 * detail);
    let mut random = Random(13);
    let poses = (0..80).map(|k| {
        let gap = [0.01, 0.1, 1.0, 10.0][k % 4];
        scenes::pose(scenes::random_rotation(&mut random), random.direction() * (2.0 + gap), 1.0)
    });
    (sphere.clone(), sphere, poses.collect())
}

/// The side of a pot.
fn patch(detail: u32) -> Mesh {
    meshes::belly(16 * detail, 14 * detail)
}

pub fn bent_patches(detail: u32) -> Parts {
    let poses = (0..11).map(|k| shifted(DVec3::X * 0.2 * 0.5f64.powi(k)));
    (patch(detail), patch(detail), poses.collect())
}
