//! The papers' scenes, made by rule with their numbers of triangles; stored ones take their place where FEELER_DATA has them.

use super::settings::Settings;
use crate::paths::{shifted, timed};
use crate::{Mesh, Random, Workload, meshes, scenes, stored, workloads};
use core::f64::consts::TAU;
use feeler::Transform;
use glam::{DMat3, DQuat, DVec3};

/// The stored workload of this name, if there is one, else what `own` makes.
pub fn stored_or(name: &str, own: impl FnOnce() -> Workload) -> Workload {
    match stored::folder() {
        Some(data) if data.join("workloads").join(name).is_dir() => stored::read(&data, name),
        _ => own(),
    }
}

/// At most this many poses at even steps.
pub fn thinned(poses: &[Transform], most: usize) -> Vec<Transform> {
    let step = poses.len().div_ceil(most).max(1);
    poses.iter().step_by(step).copied().collect()
}

fn workload(name: &str, a: Mesh, b: Mesh, poses: Vec<Transform>) -> Workload {
    Workload { name: name.to_string(), a, b, poses }
}

fn poses_of(name: &str) -> Vec<Transform> {
    workloads::find(name).expect("a workload of the project").make(1).poses
}

/// A lumpy torus of 3240 triangles lies still, a warped one of 1332 falls through its hole.
pub fn falling_tori(settings: &Settings) -> Workload {
    let most = settings.choose(250, 25);
    let mut scene = stored_or("falling_tori", || {
        let lumps = |v: DVec3| v * (1.0 + 0.05 * (7.0 * v.x).sin() * (6.0 * v.y).cos());
        let warp = |v: DVec3| 0.5 * (v + DVec3::Z * 0.25 * (v.x * v.x - v.y * v.y));
        let (large, small) = (meshes::torus(54, 30, 0.3).map(lumps), meshes::torus(37, 18, 0.35).map(warp));
        workload("falling tori", large, small, poses_of("tumbling_tori"))
    });
    scene.poses = thinned(&scene.poses, most);
    scene
}

/// A cave of about 51,000 triangles with stalactites of long triangles.
fn cave(settings: &Settings) -> Mesh {
    let mut random = Random(77);
    let detail = settings.choose(11, 4);
    let mut cave = meshes::cave(detail);
    for _ in 0..settings.choose(150, 40) {
        let direction = loop {
            let direction = random.direction();
            if direction.z.abs() > 0.45 {
                break direction;
            }
        };
        let (foot, long) = (direction * 0.97, 0.12 + 0.1 * random.unit());
        let down = -direction.z.signum() * long;
        let cone = meshes::grid(24, 1, |u, v| {
            let (sine, cosine) = (TAU * u).sin_cos();
            foot + DVec3::new(0.025 * cosine, 0.025 * sine, 0.0) * (1.0 - v) + DVec3::Z * down * v
        });
        cave = cave.with(&cone);
    }
    cave
}

/// The robot of the path planner: about 20,000 triangles.
fn wrinkled_torus(settings: &Settings) -> Mesh {
    meshes::wrinkled_torus(settings.choose(11, 4))
}

/// A wrinkled torus at random places in a cave.
pub fn path_planning(settings: &Settings) -> Workload {
    let most = settings.choose(120, 20);
    let mut scene = stored_or("torus_cave", || {
        workload("path planning", cave(settings), wrinkled_torus(settings), poses_of("cave_visits"))
    });
    scene.poses = thinned(&scene.poses, most);
    scene
}

/// The same torus along a path through the cave, in its order.
pub fn path_verification(settings: &Settings) -> Workload {
    let most = settings.choose(487, 60);
    let mut scene = stored_or("torus_cave_path", || {
        workload("path verification", cave(settings), wrinkled_torus(settings), poses_of("cave_flight"))
    });
    scene.poses.truncate(most);
    scene
}

/// A chain of ten rings of 256 triangles falls and swings. Each step gives the 45 pairs of rings.
pub fn falling_rings(settings: &Settings) -> Workload {
    let ring = meshes::torus(16, 8, 0.12);
    let mut poses = Vec::new();
    for t in (0..settings.choose(40, 4)).map(|step| step as f64 / 40.0) {
        let rings = chain(t);
        for (place, a) in rings.iter().enumerate() {
            for b in &rings[place + 1..] {
                let back = a.rotation.transpose();
                let relative = DMat3::from_quat(DQuat::from_mat3(&(back * b.rotation)).normalize());
                poses.push(scenes::pose(relative, back * (b.translation - a.translation), 1.0));
            }
        }
    }
    workload("falling rings", ring.clone(), ring, poses)
}

/// Ten rings, each through the next, at a time from 0 to 1.
fn chain(t: f64) -> Vec<Transform> {
    let mut place = DVec3::Z * -4.9 * t * t;
    (0..10)
        .map(|k| {
            let k = k as f64;
            let swing = DVec3::new(0.7 * (TAU * t + 0.4 * k).sin(), 0.4 * (2.0 * TAU * t + 0.7 * k).sin(), -1.0);
            let along = swing.normalize();
            // A ring lies in the plane of its chain direction and of a second direction, which turns by a quarter from link to link.
            let align = DMat3::from_quat(DQuat::from_rotation_arc(DVec3::X, along));
            let turn = align * DMat3::from_rotation_x(0.25 * TAU * k + 0.3 * (3.0 * t + k).sin());
            let pose = scenes::pose(turn, place, 1.0);
            place += along * (1.55 + 0.12 * (TAU * t + 2.0 * k).sin());
            pose
        })
        .collect()
}

/// A hand of about 400 triangles moves over a table of about 157,000.
pub fn hand(settings: &Settings) -> Workload {
    stored_or("hand_plane", || mixed("hand_over_table", settings.choose(20, 5), 1))
}

/// A peg of about 5,500 triangles is pushed into a hole in a block of about 1,000.
pub fn flange(settings: &Settings) -> Workload {
    mixed("peg_in_hole", 2, settings.choose(7, 3))
}

/// A workload of the project, with a fineness of its own for each mesh.
fn mixed(name: &str, detail_a: u32, detail_b: u32) -> Workload {
    let recipe = workloads::find(name).expect("a workload of the project");
    Workload { b: recipe.make(detail_b).b, ..recipe.make(detail_a) }
}

/// A box from one corner to the other, each side in this many strips along its longer direction.
fn strips(low: DVec3, high: DVec3, count: u32) -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        let (mut across, mut along) = ((axis + 1) % 3, (axis + 2) % 3);
        if high[across] - low[across] > high[along] - low[along] {
            (across, along) = (along, across);
        }
        for side in [low[axis], high[axis]] {
            mesh = mesh.with(&meshes::grid(count, 1, |u, v| {
                let mut point = DVec3::ZERO;
                point[axis] = side;
                point[across] = low[across] + (high[across] - low[across]) * u;
                point[along] = low[along] + (high[along] - low[along]) * v;
                point
            }));
        }
    }
    mesh
}

/// Pistons move up and down in an engine block. All triangles are long and along the axes.
pub fn engine(settings: &Settings) -> Workload {
    let bores = 4;
    let mut block = strips(DVec3::new(-1.3, -1.3, -3.0), DVec3::new(7.9, 1.3, 3.0), 40);
    for bore in 0..bores {
        let middle = DVec3::X * 2.2 * bore as f64;
        block = block.with(&strips(middle - DVec3::new(1.0, 1.0, 2.9), middle + DVec3::new(1.0, 1.0, 2.9), 40));
        // Rings of the bearing below, and guides beside the rod.
        for side in [-0.55, 0.55] {
            let guide = middle + DVec3::new(side, 0.0, -2.2);
            block = block.with(&strips(guide - DVec3::new(0.08, 0.9, 0.6), guide + DVec3::new(0.08, 0.9, 0.6), 20));
        }
    }
    let piston = strips(DVec3::new(-0.97, -0.97, 0.0), DVec3::new(0.97, 0.97, 0.8), 30)
        .with(&strips(DVec3::new(-0.2, -0.2, -1.6), DVec3::new(0.2, 0.2, 0.0), 20))
        .with(&strips(DVec3::new(-0.4, -0.6, -1.7), DVec3::new(0.4, 0.6, -1.5), 10));
    let steps = settings.choose(50, 6);
    let poses = (0..bores).flat_map(|bore| {
        timed(steps, move |t| {
            let phase = TAU * (t + 0.25 * bore as f64);
            // The pistons lean to one wall and then to the other, within their play of 0.03.
            let play = (0.012 * (2.0 * phase).sin(), 0.009 * (3.0 * phase).sin());
            shifted(DVec3::new(2.2 * bore as f64 + play.0, play.1, 0.4 + 0.9 * phase.sin()))
        })
    });
    workload("engine", block, piston, poses.collect())
}

/// A closed pot with a handle and a spout, in place of the teapot.
pub fn pot(detail: u32) -> Mesh {
    let belly = meshes::grid(12 * detail, 8 * detail, |u, v| {
        let (sine, cosine) = (TAU * u).sin_cos();
        let height = 1.4 * v - 0.6;
        let radius = (v * (1.0 - v)).sqrt() * 2.0 * (1.0 - 0.25 * height);
        DVec3::new(radius * cosine, radius * sine, height)
    });
    let tube = |path: fn(f64) -> DVec3, thick: fn(f64) -> f64| {
        meshes::grid(4 * detail, 6 * detail, move |u, v| {
            let (sine, cosine) = (TAU * u).sin_cos();
            let along = (path(v + 1e-3) - path(v - 1e-3)).normalize();
            path(v) + (DVec3::Y * cosine + along.cross(DVec3::Y) * sine) * thick(v)
        })
    };
    let handle = tube(|v| DVec3::new(-0.9 - 0.5 * (0.5 * TAU * v).sin(), 0.0, 0.5 - 0.8 * v), |_| 0.07);
    let spout = tube(|v| DVec3::new(0.7 + 0.9 * v, 0.0, -0.2 + 0.8 * v * v), |v| 0.2 - 0.12 * v);
    belly.with(&handle).with(&spout)
}

/// A swept wing: thin, long, with few triangles along the span and small ones at its edge.
pub fn wing(detail: u32) -> Mesh {
    let half = |side: f64| {
        meshes::grid(20 * detail, 6 * detail, move |u, v| {
            let (chord, span) = (u * u, 2.0 * v - 1.0);
            let thick = side * 0.12 * (chord.sqrt() - chord) * (1.2 - span.abs());
            DVec3::new(chord * (1.2 - 0.7 * span.abs()) + 0.8 * span.abs(), 2.0 * span, thick)
        })
    };
    half(1.0).with(&half(-1.0))
}
