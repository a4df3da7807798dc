//! Machine parts that fit each other.

use super::Parts;
use crate::paths::{shifted, timed, turned};
use crate::{Mesh, meshes, scenes};
use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};
use glam::{DMat3, DVec3};

pub fn peg_in_hole(detail: u32) -> Parts {
    // A square block of half width 1 with a round hole of radius 0.5.
    let square = |angle: f64| 1.0 / ((angle + FRAC_PI_4).rem_euclid(FRAC_PI_2) - FRAC_PI_4).cos();
    let block = meshes::ring_of_rectangles(16 * detail, 2 * detail, 0.6, |_| 0.5, square);
    let peg = meshes::peg(detail, 0.47, 0.8);
    // The peg comes down, strikes the rim, finds the hole and wriggles in.
    let poses = timed(300, |t| {
        let play = 0.12 * (1.0 - t) * (1.0 - t) + 0.015;
        let place = DVec3::new(play * (7.0 * TAU * t).cos(), play * (7.0 * TAU * t).sin(), 1.8 - 1.8 * t);
        turned(DVec3::new((5.0 * t).cos(), (5.0 * t).sin(), 0.3), 0.05 * (1.0 - t), place)
    });
    (block, peg, poses)
}

pub fn meshing_gears(detail: u32) -> Parts {
    let (teeth_a, teeth_b) = (9, 12);
    let [a, b] = [(teeth_a, 1.0), (teeth_b, teeth_b as f64 / teeth_a as f64)]
        .map(|(teeth, radius)| meshes::gear(detail, teeth).map(|v| v * DVec3::new(radius, radius, 1.0)));
    // Both turn; B is seen from A, which turns the other way. A tooth of A meets a gap of B, and the shafts swing between too far
    // and too close.
    let distance = |t: f64| 1.0 + teeth_b as f64 / teeth_a as f64 + 0.06 + 0.1 * (3.0 * TAU * t).sin();
    let half_tooth = TAU / 2.0 / teeth_b as f64;
    let poses = timed(240, |t| {
        let (turn_a, turn_b) = (TAU * t, -TAU * t * teeth_a as f64 / teeth_b as f64);
        let unturn = DMat3::from_rotation_z(-turn_a);
        let gear_b = DMat3::from_rotation_z(TAU / 2.0 + half_tooth + turn_b);
        scenes::pose(unturn * gear_b, unturn * DVec3::new(distance(t), 0.0, 0.05 * (TAU * t).sin()), 1.0)
    });
    (a, b, poses)
}

pub fn drilled_plates(detail: u32) -> Parts {
    let plate = meshes::drilled_plate(detail, 2, 0.2);
    // Parallel at small gaps, then tilted until they strike.
    let poses = timed(240, |t| {
        let (slide, tilt) = (DVec3::new(2.5 * (TAU * t).sin(), 1.5 * (2.0 * TAU * t).sin(), 0.0), (t - 0.5).max(0.0));
        turned(DVec3::new(1.0, 0.5, 0.0), 0.2 * tilt, slide + DVec3::Z * (0.402 + 0.05 * t))
    });
    (plate.clone(), plate, poses)
}

/// A carriage with a peg, a plate, a gear and a box comes down on a base with their counterparts. At rest the peg is in its hole with
/// play all around, the plate and the box lie face to face on theirs, exactly, and the teeth are between each other.
pub fn machine_parts(detail: u32) -> Parts {
    let square = |angle: f64| 1.0 / ((angle + FRAC_PI_4).rem_euclid(FRAC_PI_2) - FRAC_PI_4).cos();
    let block = meshes::ring_of_rectangles(8 * detail, detail, 0.75, |_| 0.5, square);
    let plate = meshes::drilled_plate(detail.div_ceil(2), 2, 0.25);
    let (cube, teeth) = (meshes::lattice_box(detail), 12);
    let gear = meshes::gear(detail.div_ceil(2), teeth);
    let turned_gear = gear.clone().map(|v| DMat3::from_rotation_z(TAU / 2.0 / teeth as f64) * v);
    let at = |mesh: &Mesh, x: f64, y: f64, z: f64| mesh.clone().map(|v| v + DVec3::new(x, y, z));
    let base = at(&block, 0.0, 0.0, 0.0)
        .with(&at(&plate, 4.0, 0.0, 0.0))
        .with(&at(&gear, 0.0, 4.0, 0.0))
        .with(&at(&cube, 3.0, 4.0, 0.0))
        .with(&at(&cube, 5.0, 4.0, 0.0));
    let carriage = at(&meshes::peg(detail, 0.4375, 1.0), 0.0, 0.0, 0.5)
        .with(&at(&plate, 4.0, 0.0, 0.5))
        .with(&at(&turned_gear, 2.125, 4.0, 0.0))
        .with(&at(&cube, 4.0, 4.5, 2.0));
    // Down with a wriggle, at rest in slides of 1/256, up with a tilt.
    let mut poses = timed(160, |t| {
        let play = 0.03 * (1.0 - t);
        shifted(DVec3::new(play * (7.0 * TAU * t).cos(), play * (7.0 * TAU * t).sin(), 2.0 * (1.0 - t) * (1.0 - t)))
    });
    poses.extend((0..16).map(|k| shifted(DVec3::new((k % 4) as f64 / 256.0, (k / 4) as f64 / 256.0, 0.0))));
    poses.extend(timed(64, |t| turned(DVec3::new(1.0, 0.5, 0.0), 0.05 * t, DVec3::Z * t)));
    (base, carriage, poses)
}
