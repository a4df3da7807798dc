//! What following vertices costs, and what the followed hierarchy is worth: `cargo run --release -p feeler-tools --bin refit_table`.
//!
//! The first table: build, update, update of a range and rebuild of every volume, on one thread. The second: after severe
//! deformations the refitted hierarchy against a rebuilt one, by volume tests and time of distance and collide queries.

use feeler::{
    BuildParams, CollideParams, DistanceParams, HybridSelection, Inline, Model, Pair, Quality, Transform, VolumeKind,
};
use feeler_tools::clock::{quietest, thread_seconds};
use feeler_tools::{Mesh, Random, deformations, meshes};
use glam::{DMat3, DQuat, DVec3};
use std::hint::black_box;

fn volumes() -> Vec<(&'static str, BuildParams)> {
    let with =
        |volume, hybrid_selection| BuildParams { volume, hybrid_selection, deformable: true, ..Default::default() };
    let mut all: Vec<_> =
        VolumeKind::ALL.into_iter().map(|kind| (kind.name(), with(kind, HybridSelection::Static))).collect();
    all.push(("HYBRID, dynamic", with(VolumeKind::Hybrid, HybridSelection::Dynamic)));
    all
}

fn built(mesh: &Mesh, params: &BuildParams) -> Model {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    model.build_with(params, &Inline).expect("a build");
    model
}

fn times(mesh: &Mesh) {
    let count = mesh.triangles.len();
    println!("\n{count} triangles, one thread; updates in millions of triangles per second\n");
    println!("| volume | build HIGH ms | build FAST ms | update ms | M triangles/s | 1 % range ms | HIGH / update |");
    println!("|---|---|---|---|---|---|---|");
    for (name, params) in volumes() {
        let fast = BuildParams { quality: Quality::Fast, ..params };
        let mut model = built(mesh, &params);
        let high_seconds = quietest(3, || model.build_with(&params, &Inline).expect("a build"));
        let fast_seconds = quietest(3, || model.build_with(&fast, &Inline).expect("a build"));
        model.build_with(&params, &Inline).expect("a build");
        let mut phase = 0.0;
        let mut vertices = mesh.vertices.clone();
        let mut update_seconds = f64::INFINITY;
        for _ in 0..9 {
            phase += 0.1;
            vertices.iter_mut().zip(&mesh.vertices).for_each(|(to, from)| *to = deformations::wave(*from, 0.05, phase));
            update_seconds =
                update_seconds.min(quietest(1, || model.update_vertices(&vertices[..]).expect("an update")));
        }
        let (first, some) = (vertices.len() / 2, vertices.len() / 100);
        let range_seconds = quietest(9, || {
            vertices[first..first + some].iter_mut().for_each(|vertex| *vertex *= 0.999);
            model.update_range(&vertices[first..first + some], first).expect("an update");
        });
        println!(
            "| {name} | {:.2} | {:.2} | {:.3} | {:.1} | {:.3} | {:.1} |",
            1e3 * high_seconds,
            1e3 * fast_seconds,
            1e3 * update_seconds,
            count as f64 / update_seconds * 1e-6,
            1e3 * range_seconds,
            high_seconds / update_seconds
        );
    }
}

/// Poses of a tool around the unit sphere, near and touching.
fn poses() -> Vec<Transform> {
    let mut random = Random(5);
    (0..300)
        .map(|_| {
            let [x, y, z, w] = [(); 4].map(|()| random.number());
            let turn = DQuat::from_xyzw(x, y, z, w).normalize();
            let direction = random.point().normalize_or(DVec3::X);
            let away = 1.1 + 0.6 * random.number().abs();
            Transform { rotation: DMat3::from_quat(turn), translation: direction * away, scale: DVec3::splat(0.25) }
        })
        .collect()
}

/// Volume tests and microseconds per query: distance, then collide.
fn queries(model: &Model, tool: &Model) -> [(f64, f64); 2] {
    let mut pair = Pair::new(model, tool).expect("a pair");
    let poses = poses();
    let mut results = [(0.0, f64::INFINITY); 2];
    for _ in 0..3 {
        for (kind, (tests, best)) in results.iter_mut().enumerate() {
            let mut sum = 0;
            let start = thread_seconds();
            for pose in &poses {
                pair.set_transforms(None, Some(pose)).expect("a pose");
                if kind == 0 {
                    black_box(pair.distance(&DistanceParams { cold: true, ..Default::default() }));
                } else {
                    black_box(pair.collide(&CollideParams { cold: true, max_work: 0 }));
                }
                sum += pair.counters().volume_tests + pair.counters().cheap_tests;
            }
            *best = (thread_seconds() - start).min(*best / 1e6 * poses.len() as f64) * 1e6 / poses.len() as f64;
            *tests = sum as f64 / poses.len() as f64;
        }
    }
    results
}

fn decay(mesh: &Mesh, names: &[&str]) {
    println!("\nAfter a deformation: refitted against rebuilt ({} triangles)\n", mesh.triangles.len());
    println!("| volume | deformation | refit_quality | distance: tests | time | collide: tests | time |");
    println!("|---|---|---|---|---|---|---|");
    let map = |change: &dyn Fn(DVec3) -> DVec3| mesh.vertices.iter().map(|vertex| change(*vertex)).collect::<Vec<_>>();
    let shapes: Vec<(&str, Vec<DVec3>)> = vec![
        ("none", mesh.vertices.clone()),
        ("wave, 20 % of the size", map(&|vertex| deformations::wave(vertex, 0.2, 0.4))),
        ("twist, 90 degrees", map(&|vertex| deformations::twist(vertex, 0.785))),
        ("twist, 360 degrees", map(&|vertex| deformations::twist(vertex, core::f64::consts::PI))),
        ("blow-up, 2 radii", map(&|vertex| deformations::blow_up(vertex, 2.0))),
        ("jitter, 1 %", deformations::jitter(&mesh.vertices, 0.02, 1)),
        ("jitter, 10 %", deformations::jitter(&mesh.vertices, 0.2, 1)),
        ("turned 45 degrees", map(&|vertex| DMat3::from_rotation_x(0.785) * vertex)),
    ];
    for (name, params) in volumes().into_iter().filter(|(name, _)| names.contains(name)) {
        let tool = built(&meshes::torus(40, 20, 0.3), &params);
        for (how, vertices) in &shapes {
            let mut model = built(mesh, &params);
            model.update_vertices(&vertices[..]).expect("an update");
            let quality = model.info().refit_quality;
            let refitted = queries(&model, &tool);
            model.build_with(&params, &Inline).expect("a build");
            let rebuilt = queries(&model, &tool);
            let ratio = |k: usize| (refitted[k].0 / rebuilt[k].0, refitted[k].1 / rebuilt[k].1);
            let ((distance, distance_time), (collide, collide_time)) = (ratio(0), ratio(1));
            println!(
                "| {name} | {how} | {quality:.2} | {distance:.2} | {distance_time:.2} | {collide:.2} | {collide_time:.2} |"
            );
        }
    }
}

fn main() {
    let few = std::env::args().any(|argument| argument == "--quick");
    times(&meshes::sphere(100, 50));
    if !few {
        times(&meshes::sphere(500, 250));
    }
    let all: Vec<_> = volumes().iter().map(|(name, _)| *name).collect();
    decay(&meshes::sphere(200, 100), if few { &["AABB", "OBB"] } else { &all });
}
