//! Small bodies in large surroundings.

use super::Parts;
use crate::paths::{timed, turned};
use crate::{Random, meshes, scenes};
use core::f64::consts::TAU;
use glam::DVec3;

pub fn cave_visits(detail: u32) -> Parts {
    let mut random = Random(21);
    let poses = (0..200).map(|_| {
        let place = random.direction() * (0.35 + 0.2 * random.unit());
        scenes::pose(scenes::random_rotation(&mut random), place, 1.0)
    });
    (meshes::cave(detail), meshes::wrinkled_torus(detail), poses.collect())
}

pub fn cave_flight(detail: u32) -> Parts {
    let poses = timed(500, |t| {
        let place = DVec3::new((TAU * t).cos(), (TAU * t).sin(), 0.6 * (2.0 * TAU * t).sin());
        turned(DVec3::new(1.0, 0.4, 0.7), 3.0 * TAU * t, place * (0.34 + 0.1 * (3.0 * TAU * t).sin()))
    });
    (meshes::cave(detail), meshes::wrinkled_torus(detail), poses)
}

pub fn hand_over_table(detail: u32) -> Parts {
    let table = meshes::grid(14 * detail, 14 * detail, |u, v| {
        let (x, y) = (6.0 * u - 3.0, 6.0 * v - 3.0);
        DVec3::new(x, y, 0.03 * (3.0 * x).sin() * (2.0 * y).cos())
    });
    let poses = timed(500, |t| {
        let height = 0.12 + 0.35 * (5.0 * TAU * t).sin().abs();
        let tilt = 0.25 * (3.0 * TAU * t).sin();
        turned(DVec3::new(1.0, 0.2, 0.6), tilt, DVec3::new(1.6 * (TAU * t).cos(), 1.2 * (2.0 * TAU * t).sin(), height))
    });
    (table, meshes::hand(detail), poses)
}
