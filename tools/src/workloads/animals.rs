//! Uneven closed surfaces near each other.

use super::Parts;
use crate::paths::timed;
use crate::{Random, meshes, scenes};
use core::f64::consts::TAU;
use feeler::internals::model::VolumeKind;
use feeler::internals::query::DistanceParams;
use feeler::{Pair, Transform};
use glam::{DMat3, DQuat, DVec3};

/// Poses found in detail 1, so that they are the same in every detail.
fn close_poses() -> Vec<Transform> {
    let coarse = scenes::build(&meshes::animal(1), VolumeKind::default()).expect("the default volume");
    let mut pair = Pair::new(&coarse, &coarse).expect("equal volumes");
    let mut random = Random(31);
    let mut place = |k: usize| {
        let mut pose = scenes::pose(scenes::random_rotation(&mut random), random.direction() * 4.0, 1.0);
        pair.set_transforms(None, Some(&pose)).expect("a legal pose");
        let nearest = pair.distance(&DistanceParams::default()).nearest.expect("apart");
        let gap = [0.0, 0.002, 0.01, 0.04][k % 4];
        pose.translation -= nearest.normal * (nearest.distance - gap);
        pose
    };
    (0..160).map(&mut place).collect()
}

pub fn close(detail: u32) -> Parts {
    (meshes::animal(detail), meshes::animal(detail), close_poses())
}

pub fn path(detail: u32) -> Parts {
    let poses = timed(500, |t| {
        let around = DMat3::from_rotation_y(TAU * t) * DMat3::from_rotation_z(0.5 * (2.0 * TAU * t).sin());
        let turn = DMat3::from_axis_angle(DVec3::new(0.3, 1.0, 0.5).normalize(), 1.5 * TAU * t);
        scenes::pose(turn, around * DVec3::X * (1.75 + 0.15 * (5.0 * TAU * t).sin()), 1.0)
    });
    (meshes::animal(detail), meshes::animal(detail), poses)
}

pub fn stylus(detail: u32) -> Parts {
    let poses = timed(500, |t| {
        let direction = DVec3::new((TAU * t).cos(), 0.6 * (3.0 * TAU * t).sin(), (TAU * t).sin()).normalize();
        let height = 0.008 + 0.02 * (11.0 * TAU * t).sin();
        let rotation = DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Z, direction));
        scenes::pose(rotation, direction * (meshes::animal_radius(direction) + height), 1.0)
    });
    (meshes::animal(detail), meshes::stylus(detail), poses)
}
