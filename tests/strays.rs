//! Fine detail in a large model: one stray triangle far away, or small parts in a large scene, must not cost more than the
//! detail alone.

use feeler::internals::model::{BuildParams, Model, VolumeKind};
use feeler::internals::query::*;
use feeler::{Pair, Transform};
use feeler_tools::{Mesh, Random, meshes, scenes};
use glam::DVec3;

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

/// Work that is not worth comparing: a search has to leave the levels of both hierarchies that hold the stray.
const UPPER_LEVELS: u64 = 64;

fn is_as_cheap(with: u64, without: u64, poses: usize) -> bool {
    with as f64 <= 1.5 * (without + UPPER_LEVELS * poses as u64) as f64
}

#[test]
fn a_stray_triangle_costs_nothing() {
    let sphere = meshes::sphere(50, 50);
    for volume in scenes::volumes() {
        // Ten sizes away a stray is large enough for the sphere around the model, and too near to cost precision.
        let near = [
            build(&scenes::with_stray(&sphere, 10.0), volume),
            build(&scenes::with_stray(&sphere, 10.0).map(|v| -v), volume),
        ];
        for gap in [-0.1, 0.05, 1.0] {
            let poses = poses(gap);
            let (without, distances) = asked(&mut Pair::new(&near[0], &near[1]).unwrap(), &poses);
            for far in [1e3, 1e6] {
                let model = build(&scenes::with_stray(&sphere, far), volume);
                model.validate().unwrap();
                let other = build(&scenes::with_stray(&sphere, far).map(|v| -v), volume);
                let (with, same) = asked(&mut Pair::new(&model, &other).unwrap(), &poses);
                println!("{} gap {gap} stray {far:e}: work {with:?}, without {without:?}", volume.name());
                for query in 0..4 {
                    let label = format!("{} gap {gap} stray {far:e} query {query}", volume.name());
                    assert!(is_as_cheap(with[query], without[query], poses.len()), "{label}: {with:?} {without:?}");
                }
                for (a, b) in distances.iter().zip(&same) {
                    assert!((a - b).abs() <= 1e-12 * a + 1e-15 * far, "{a} {b}");
                }
            }
        }
    }
}

/// Parts of one unit, `spread` units apart from each other.
fn scene(part: &Mesh, spread: f64) -> Mesh {
    let mut scene = Mesh::default();
    for number in 0..27 {
        let at = DVec3::new((number % 3) as f64, (number / 3 % 3) as f64, (number / 9) as f64) * spread;
        let first = scene.vertices.len() as u32;
        scene.vertices.extend(part.vertices.iter().map(|vertex| *vertex + at));
        scene.triangles.extend(part.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + first)));
    }
    scene
}

#[test]
fn parts_of_a_large_scene_are_as_cheap_as_in_a_small_one() {
    let part = meshes::sphere(30, 30);
    for volume in scenes::volumes() {
        let (small, tool) = (build(&scene(&part, 8.0), volume), build(&meshes::sphere(20, 20), volume));
        let large = build(&scene(&part, 5e6), volume);
        large.validate().unwrap();
        for gap in [-0.1, 0.05] {
            let poses = poses(gap);
            let (without, distances) = asked(&mut Pair::new(&small, &tool).unwrap(), &poses);
            // At the first part, which is at the origin, and at the last one, whose coordinates are rounded.
            let (with, same) = asked(&mut Pair::new(&large, &tool).unwrap(), &poses);
            assert_eq!(distances, same, "{} gap {gap}", volume.name());
            let at_last: Vec<Transform> = poses
                .iter()
                .map(|pose| Transform { translation: pose.translation + DVec3::splat(1e7), ..*pose })
                .collect();
            let (with_last, _) = asked(&mut Pair::new(&large, &tool).unwrap(), &at_last);
            println!("{} gap {gap}: work {with:?} {with_last:?}, small {without:?}", volume.name());
            // The lane of a part is stored in the frame of a node that spans the scene. Until it is opened nothing is pruned, which a
            // collide that opens little notices; the default volume does not.
            let queries: &[usize] = if volume == VolumeKind::Obb { &[0, 1, 2, 3] } else { &[0, 2] };
            for &query in queries {
                for with in [with, with_last] {
                    let label = format!("{} gap {gap} query {query}", volume.name());
                    assert!(is_as_cheap(with[query], without[query], poses.len()), "{label}: {with:?} {without:?}");
                }
            }
        }
    }
}
