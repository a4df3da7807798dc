//! What memory saves where models are large or far apart: strays, fine parts in a large scene, models many reaches apart. B goes past A
//! in steps of a share of its size and turns by as much; the same path is walked with ordinary models beside it.
//! `cargo run --release -p feeler-tools --bin large_models -- [volume ...]`; `POSES=2000` poses of each path.
//!
//! Work is that of the mean query: expansions, triangle pairs and front blocks. The last column counts answers that differ.

use feeler::internals::model::{BuildParams, Model, VolumeKind};
use feeler::internals::query::*;
use feeler::{Pair, Transform};
use feeler_tools::arguments::arguments;
use feeler_tools::{Mesh, meshes, scenes};
use glam::{DMat3, DVec3};

fn build(mesh: &Mesh, volume: VolumeKind) -> Model {
    let mut model = Model::new(&mesh.source()).unwrap();
    model.build(&BuildParams { volume, ..BuildParams::default() }).unwrap();
    model
}

/// B passes A within `away` of its middle, `start` being where A's middle is.
fn poses(start: DVec3, away: f64, step: f64, count: usize) -> Vec<Transform> {
    let axis = DVec3::new(0.36, 0.48, 0.8);
    (0..count)
        .map(|number| {
            let way = step * (number as f64 - 0.5 * count as f64);
            let at = start + DVec3::new(0.6 * way, away + 0.2 * (way * 3.0).sin(), 0.8 * way);
            scenes::pose(DMat3::from_axis_angle(axis, step * number as f64), at, 1.0)
        })
        .collect()
}

/// Twenty-seven parts, `spread` apart.
fn scene(part: &Mesh, spread: f64) -> Mesh {
    let mut scene = Mesh::default();
    for number in 0..27 {
        let at = DVec3::new((number % 3) as f64, (number / 3 % 3) as f64, (number / 9) as f64) * spread;
        scene = scene.with(&part.clone().map(|vertex| vertex + at));
    }
    scene
}

#[derive(Clone, Copy, PartialEq)]
enum Question {
    Distance,
    Collide,
    Tolerance,
    Contacts,
}

/// What one query says, as a number.
fn ask(pair: &mut Pair<&Model>, question: Question, tolerance: f64, cold: bool) -> u64 {
    match question {
        Question::Distance => pair.distance(&DistanceParams { cold, ..Default::default() }).upper.to_bits(),
        Question::Collide => pair.collide(&CollideParams { cold, ..Default::default() }).contact.is_some() as u64,
        Question::Tolerance => pair.tolerance(&ToleranceParams { tolerance, cold, ..Default::default() }).closer as u64,
        Question::Contacts => {
            let mut list = feeler::ContactList::default();
            let params = ContactsParams { margin: tolerance, cold, ..Default::default() };
            pair.contacts(&params, &mut list);
            list.contacts.len() as u64
        }
    }
}

fn run(name: &str, [a, b]: [&Model; 2], poses: &[Transform], tolerance: f64) {
    use Question::*;
    for (question, label) in
        [(Distance, "distance"), (Collide, "collide"), (Tolerance, "tolerance"), (Contacts, "contacts")]
    {
        let mut pair = Pair::new(a, b).unwrap();
        let mut walk = |cold: bool| {
            let (mut sum, mut answers) = (Counters::default(), Vec::with_capacity(poses.len()));
            for pose in poses {
                pair.set_transforms(None, Some(pose)).unwrap();
                answers.push(ask(&mut pair, question, tolerance, cold));
                let counters = pair.counters();
                sum.work += counters.work;
                sum.expansions += counters.expansions;
                sum.triangle_tests += counters.triangle_tests;
                sum.front_tests += counters.front_tests;
                sum.front_rebuilds += counters.front_rebuilds;
            }
            (sum, answers)
        };
        let ((cold, expected), (warm, answers)) = (walk(true), walk(false));
        let different = expected.iter().zip(&answers).filter(|(one, other)| one != other).count();
        let mean = |count: u64| count as f64 / poses.len() as f64;
        println!(
            "| {name} | {label} | {:.1} | {:.2} | {:.2} | {:.2} | {:.1} | {:.4} | {different} |",
            mean(cold.work),
            mean(warm.work),
            mean(warm.expansions),
            mean(warm.triangle_tests),
            mean(warm.front_tests),
            mean(warm.front_rebuilds),
        );
    }
}

fn main() {
    let wanted = arguments();
    let count = std::env::var("POSES").map_or(1000, |text| text.parse().expect("a number of poses"));
    println!("| path | query | work cold | work | expansions | pairs | blocks | rebuilds | different |");
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|");
    let (sphere, tool, part) = (meshes::sphere(50, 50), meshes::sphere(40, 30), meshes::sphere(30, 30));
    for volume in VolumeKind::ALL {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == volume.name())
            || wanted.is_empty() && volume != VolumeKind::Obb
        {
            continue;
        }
        let without = build(&sphere, volume);
        let tool = build(&tool, volume);
        let mirrored = |mesh: &Mesh| mesh.clone().map(|vertex| -vertex);
        for share in [1e-3, 1e-4] {
            let step = 2.0 * share;
            let name = |what: &str| format!("{}, {what}, steps of {} %", volume.name(), share * 100.0);
            let past = poses(DVec3::ZERO, 2.3, step, count);
            run(&name("spheres"), [&without, &without], &past, 0.25);
            for far in [1e6, 1e9] {
                let stray = build(&scenes::with_stray(&sphere, far), volume);
                let other = build(&mirrored(&scenes::with_stray(&sphere, far)), volume);
                run(&name(&format!("stray of A at {far:e}")), [&stray, &without], &past, 0.25);
                run(&name(&format!("stray of B at {far:e}")), [&without, &stray], &past, 0.25);
                run(&name(&format!("strays of both at {far:e}")), [&stray, &other], &past, 0.25);
            }
            for spread in [8.0, 5e6] {
                let large = build(&scene(&part, spread), volume);
                let at_last = poses(DVec3::splat(2.0 * spread), 2.3, step, count);
                run(&name(&format!("tool in a scene {spread:e} apart")), [&large, &tool], &at_last, 0.25);
                let turned: Vec<_> = at_last.iter().map(inverse).collect();
                run(&name(&format!("scene {spread:e} apart past a tool")), [&tool, &large], &turned, 0.25);
            }
            for away in [12.0, 100.0, 1e3, 1e6] {
                run(
                    &name(&format!("{away} reaches apart")),
                    [&without, &without],
                    &poses(DVec3::ZERO, away, step, count),
                    away - 2.3,
                );
            }
        }
    }
}

fn inverse(pose: &Transform) -> Transform {
    let rotation = pose.rotation.transpose();
    scenes::pose(rotation, -(rotation * pose.translation), 1.0)
}
