//! What the front of the last search saves along paths of ever smaller steps, and that it changes no distance:
//! `cargo run --release -p feeler-tools --bin small_steps -- [workload ...]`. Paths are divided into 1, 2, 4, ... steps.

use feeler::internals::model::{BuildParams, Model};
use feeler::internals::query::*;
use feeler::{Pair, Transform};
use feeler_tools::arguments::arguments;
use feeler_tools::clock::thread_seconds;
use feeler_tools::{Workload, paths};

const STORED: &[&str] =
    &["bunny_bunny_path", "falling_tori", "dense_armadillo", "torus_cave_path", "hand_plane", "spinning"];
const OWN: &[&str] =
    &["animals_path", "tumbling_tori", "stylus_on_animal", "cave_flight", "hand_over_table", "meshing_gears"];

fn main() {
    println!(
        "| path | divided by | us cold | us | cold / front | blocks | updates | rebuilds, % | expansions cold | expansions | pairs cold | pairs | different |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for name in Workload::names_or(arguments(), STORED, OWN) {
        let workload = Workload::named(&name);
        let [a, b] = workload.models(&BuildParams::default());
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
    paths::divided(&poses[middle..], division).take(count).collect()
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
