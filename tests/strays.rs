//! Fine detail in a large model: one stray triangle far away, or small parts in a large scene, must not cost more than the
//! detail alone.

#[path = "common/meshes.rs"]
mod meshes;
#[path = "common/scenes.rs"]
mod scenes;

use feeler::internals::model::{BuildParams, Model, VolumeKind};
use feeler::internals::query::*;
use feeler::{Pair, Transform};
use glam::DVec3;
use meshes::{Mesh, Random};

/// The mesh and one triangle of a hundredth of its size, `far` sizes away.
fn with_stray(mesh: &Mesh, far: f64, direction: DVec3) -> Mesh {
    let mut mesh = mesh.clone();
    let (first, at) = (mesh.vertices.len() as u32, direction * far);
    mesh.vertices.extend([at, at + DVec3::X * 0.01, at + DVec3::Y * 0.01]);
    mesh.triangles.push([first, first + 1, first + 2]);
    mesh
}

fn build(mesh: &Mesh, volume: VolumeKind) -> Model {
    let mut model = Model::new(&mesh.source()).unwrap();
    model.build(&BuildParams { volume, threads: 1, ..BuildParams::default() }).unwrap();
    model
}

/// Work of each query over some poses, and the answers.
fn asked(pair: &mut Pair<&Model>, poses: &[Transform]) -> ([u64; 4], Vec<f64>) {
    let (mut work, mut distances) = ([0; 4], vec![]);
    for pose in poses {
        pair.set_transforms(None, Some(pose)).unwrap();
        let nearest = pair.distance(&DistanceParams { cold: true, ..DistanceParams::default() });
        assert!(nearest.complete && nearest.lower == nearest.upper);
        distances.push(nearest.upper);
        work[0] += pair.counters().work;
        let colliding = pair.collide(&CollideParams { cold: true, ..CollideParams::default() });
        assert_eq!(colliding.contact.is_some(), nearest.upper == 0.0);
        work[1] += pair.counters().work;
        let tolerance = ToleranceParams { cold: true, tolerance: nearest.upper * 0.99, ..ToleranceParams::default() };
        assert_eq!(pair.tolerance(&tolerance).closer, nearest.upper == 0.0);
        work[2] += pair.counters().work;
        let mut list = contact_sink::ContactList::default();
        let contacts = ContactsParams { margin: 0.01, ..ContactsParams::default() };
        pair.contacts(&contacts, &mut list);
        work[3] += pair.counters().work;
    }
    (work, distances)
}

fn poses(gap: f64) -> Vec<Transform> {
    let mut random = Random(7);
    (0..8)
        .map(|_| {
            let direction = random.point().normalize();
            scenes::pose(scenes::random_rotation(&mut random), direction * (2.0 + gap), 1.0)
        })
        .collect()
}

#[test]
fn a_stray_triangle_costs_nothing() {
    let sphere = meshes::sphere(100, 100);
    for volume in scenes::volumes() {
        let alone = build(&sphere, volume);
        for gap in [-0.1, 0.05, 30.0] {
            let poses = poses(gap);
            let (without, distances) = asked(&mut Pair::new(&alone, &alone).unwrap(), &poses);
            for far in [1e2, 1e3, 1e4, 1e6, 1e9] {
                let model = build(&with_stray(&sphere, far, DVec3::new(0.8, 0.6, 0.0)), volume);
                model.validate().unwrap();
                let other = build(&with_stray(&sphere, far, DVec3::new(-0.6, 0.0, 0.8)), volume);
                let (with, same) = asked(&mut Pair::new(&model, &other).unwrap(), &poses);
                let factors: Vec<f64> = (0..4).map(|k| with[k] as f64 / without[k].max(1) as f64).collect();
                println!("{} gap {gap} stray {far:e}: {factors:.2?} of {without:?}", volume.name());
                for (a, b) in distances.iter().zip(&same) {
                    assert!((a - b).abs() <= 1e-12 * a + 1e-15 * far, "{a} {b}");
                }
            }
        }
    }
}
