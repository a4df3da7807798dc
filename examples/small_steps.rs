//! What the front of the last search saves along paths of ever smaller steps, and that it changes no distance:
//! `cargo run --release --example small_steps -- [workload ...]`. Paths of ../shared/data are divided into 1, 2, 4, ... steps.

#[path = "measure/clock.rs"]
#[allow(dead_code)]
mod clock;
#[path = "../tests/common/workload.rs"]
#[allow(dead_code)]
mod workload;

use clock::thread_seconds;
use feeler::internals::model::{BuildParams, Model};
use feeler::internals::query::*;
use feeler::internals::tree::build::workers::Inline;
use feeler::{Pair, Transform};
use glam::DQuat;

const PATHS: [&str; 6] =
    ["bunny_bunny_path", "falling_tori", "dense_armadillo", "torus_cave_path", "hand_plane", "spinning"];

fn main() {
    let data = workload::data().expect("no ../shared/data");
    let named: Vec<String> = std::env::args().skip(1).collect();
    let names = if named.is_empty() { PATHS.map(String::from).to_vec() } else { named };
    println!(
        "| path | divided by | us cold | us | cold / front | blocks | updates | rebuilds, % | expansions cold | expansions | pairs cold | pairs | different |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for name in names {
        let workload = workload::load(&data, &name);
        let build = |mesh: &workload::Mesh| {
            let mut model = Model::new(&(&mesh.vertices[..], &mesh.triangles[..])).unwrap();
            model.build_with(&BuildParams::default(), &Inline).unwrap();
            model
        };
        let (a, b) = (build(&workload.a), build(&workload.b));
        for division in divisions() {
            run(&name, &a, &b, &divided(&workload.poses, division), division);
        }
    }
}

fn divisions() -> Vec<usize> {
    std::env::var("DIVISIONS")
        .map_or(vec![1, 2, 4, 16, 64], |text| text.split(',').map(|n| n.parse().unwrap()).collect())
}

/// The first poses of the path with steps divided.
fn divided(poses: &[Transform], division: usize) -> Vec<Transform> {
    let middle = poses.len() / 4;
    let count = 2000.min(poses.len() * division);
    let steps = poses[middle..].windows(2).flat_map(|pair| {
        (0..division).map(|step| {
            let share = step as f64 / division as f64;
            let [from, to] = [&pair[0], &pair[1]].map(|pose| DQuat::from_mat3(&pose.rotation));
            Transform {
                rotation: glam::DMat3::from_quat(from.slerp(to, share).normalize()),
                translation: pair[0].translation.lerp(pair[1].translation, share),
                ..pair[0]
            }
        })
    });
    steps.take(count).collect()
}

fn run(name: &str, a: &Model, b: &Model, poses: &[Transform], division: usize) {
    let mut pair = Pair::new(a, b).unwrap();
    let mut walk = |cold: bool| {
        let (mut sum, mut distances) = (Counters::default(), Vec::with_capacity(poses.len()));
        let start = thread_seconds();
        for pose in poses {
            pair.set_transforms(None, Some(pose)).unwrap();
            distances.push(pair.distance(&DistanceParams { cold, ..Default::default() }).upper.to_bits());
            let counters = pair.counters();
            sum.expansions += counters.expansions;
            sum.triangle_tests += counters.triangle_tests;
            sum.front_tests += counters.front_tests;
            sum.front_updates += counters.front_updates;
            sum.front_rebuilds += counters.front_rebuilds;
        }
        (thread_seconds() - start, sum, distances)
    };
    let (cold_seconds, cold, exact) = walk(true);
    let (seconds, sum, distances) = walk(false);
    let different = exact.iter().zip(&distances).filter(|(one, other)| one != other).count();
    let n = poses.len() as f64;
    println!(
        "| {name} | {division} | {:.2} | {:.2} | {:.2} | {:.0} | {:.1} | {:.1} | {:.0} | {:.1} | {:.0} | {:.1} | {different} |",
        cold_seconds / n * 1e6,
        seconds / n * 1e6,
        cold_seconds / seconds,
        sum.front_tests as f64 / n,
        sum.front_updates as f64 / n,
        sum.front_rebuilds as f64 / n * 100.0,
        cold.expansions as f64 / n,
        sum.expansions as f64 / n,
        cold.triangle_tests as f64 / n,
        sum.triangle_tests as f64 / n,
    );
}
