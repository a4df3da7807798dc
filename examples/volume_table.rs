//! One row per volume and workload for docs/volumes.md: memory, build, tests and time per query.
//! `cargo run --release --example volume_table -- [--volume NAME]... [workload ...]`

#[path = "../tests/common/workload.rs"]
#[allow(dead_code)]
mod workload;

use feeler::model::{BuildParams, Model, VolumeKind};
use feeler::query::*;
use feeler::tree::workers::Inline;
use feeler::{Pair, Transform};
use std::time::Instant;

/// Passes over a workload end after this many seconds; a pass that takes longer is cut short.
const PATIENCE: f64 = 4.0;

fn main() {
    let data = workload::data().expect("no ../shared/data");
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut volumes = Vec::new();
    while let Some(at) = arguments.iter().position(|argument| argument == "--volume") {
        volumes.extend(VolumeKind::ALL.into_iter().find(|kind| kind.name() == arguments[at + 1]));
        arguments.drain(at..at + 2);
    }
    if volumes.is_empty() {
        volumes = VolumeKind::ALL.into();
    }
    if arguments.is_empty() {
        let names = ["bunny_bunny_close", "torus_cave", "rings", "buddha_d1", "spheres_1e-3", "teapot_patches"];
        arguments = names.map(String::from).into();
    }
    println!(
        "| workload | volume | bytes/triangle | build s | distance: cheap + full tests | triangles | us | collide: cheap + full tests | triangles | us |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for name in arguments {
        let workload = workload::load(&data, &name);
        for &volume in &volumes {
            row(&name, &workload, volume);
        }
    }
}

fn row(name: &str, workload: &workload::Workload, volume: VolumeKind) {
    let build = |mesh: &workload::Mesh| {
        let mut model = Model::new(&(&mesh.vertices[..], &mesh.triangles[..])).unwrap();
        model.build_with(&BuildParams { volume, ..Default::default() }, &Inline).map(|()| model)
    };
    let (Ok(a), Ok(b)) = (build(&workload.a), build(&workload.b)) else { return };
    let bytes = a.memory() as f64 / a.triangle_count() as f64;
    let seconds = a.info().build_seconds + b.info().build_seconds;
    let mut pair = Pair::new(&a, &b).unwrap();
    let distance = measure(&mut pair, &workload.poses, |pair| {
        pair.distance(&DistanceParams { cold: true, ..Default::default() });
    });
    let collide = measure(&mut pair, &workload.poses, |pair| {
        pair.collide(&CollideParams { cold: true, ..Default::default() });
    });
    println!("| {name} | {} | {bytes:.0} | {seconds:.2} | {distance} | {collide} |", volume.name());
}

fn measure(pair: &mut Pair<&Model>, poses: &[Transform], ask: impl Fn(&mut Pair<&Model>)) -> String {
    let (mut best, mut spent) = (f64::INFINITY, 0.0);
    let (mut sum, mut asked) = (Counters::default(), 0);
    for pass in 0..10 {
        let mut total = 0.0;
        let mut count = 0;
        for pose in poses {
            pair.set_transforms(None, Some(pose)).unwrap();
            let start = Instant::now();
            ask(pair);
            total += start.elapsed().as_secs_f64();
            count += 1;
            if pass == 0 {
                asked += 1;
                let counters = pair.counters();
                sum.volume_tests += counters.volume_tests;
                sum.cheap_tests += counters.cheap_tests;
                sum.triangle_tests += counters.triangle_tests;
            }
            if total > PATIENCE {
                break;
            }
        }
        best = f64::min(best, total / count as f64);
        spent += total;
        if spent > 1.0 {
            break;
        }
    }
    let per = |count: u64| count as f64 / asked as f64;
    let cheap = if sum.cheap_tests > 0 { format!("{:.0} + ", per(sum.cheap_tests)) } else { String::new() };
    let cut = if asked < poses.len() { format!(" ({asked} poses)") } else { String::new() };
    format!("{cheap}{:.0} | {:.1} | {:.1}{cut}", per(sum.volume_tests), per(sum.triangle_tests), best * 1e6)
}
