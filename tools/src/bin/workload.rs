//! Runs the queries over workloads and prints time, counts and, of stored ones, agreement with the stored answers:
//! `cargo run --release -p feeler-tools --bin workload -- [--volume NAME] [--dynamic] [workload ...]`.
//! QUERIES=collide,distance:warm in the environment asks only those, PASSES=1 asks once per pose.

use feeler::internals::model::{BuildParams, HybridSelection, Model, VolumeKind};
use feeler::internals::query::contact_sink::ContactList;
use feeler::internals::query::*;
use feeler::{Pair, Transform};
use feeler_tools::Workload;
use feeler_tools::arguments::{arguments, flag, option};
use feeler_tools::clock::thread_seconds;
use std::time::Instant;

fn main() {
    let mut arguments = arguments();
    let hybrid_selection =
        if flag(&mut arguments, "--dynamic") { HybridSelection::Dynamic } else { HybridSelection::Static };
    let volume = option(&mut arguments, "--volume").map_or(VolumeKind::Obb, |name| {
        VolumeKind::ALL.into_iter().find(|kind| kind.name() == name).expect("no such volume")
    });
    for name in Workload::names(arguments) {
        run(&Workload::named(&name), &BuildParams { volume, hybrid_selection, ..Default::default() });
    }
}

fn run(workload: &Workload, params: &BuildParams) {
    let [a, b] = workload.models(params);
    let bytes = a.info().memory_bytes as f64 / a.triangle_count() as f64;
    println!(
        "{}: {} x {} triangles, {} poses, {bytes:.0} bytes/triangle, built in {:.0} ms",
        workload.name,
        a.triangle_count(),
        b.triangle_count(),
        workload.poses.len(),
        (a.info().build_seconds + b.info().build_seconds) * 1e3
    );
    let [low, high] = a.bounds();
    let tolerance = (high - low).length() * 0.01;
    let mut pair = Pair::new(&a, &b).unwrap();
    let queries = std::env::var("QUERIES").unwrap_or_default();
    for (query, cold) in [
        ("collide", true),
        ("collide", false),
        ("contacts", true),
        ("contacts", false),
        ("distance", true),
        ("distance", false),
        ("approx", true),
        ("tolerance", true),
        ("tolerance", false),
    ] {
        let mode = if cold { "cold" } else { "warm" };
        let asked = |wanted: &str| wanted == query || wanted.split_once(':') == Some((query, mode));
        if !queries.is_empty() && !queries.split(',').any(asked) {
            continue;
        }
        let answers = workload.answers(query);
        let mut wrong = 0;
        let mut sum = Counters::default();
        pair.reset();
        let mut seconds = f64::INFINITY;
        let mut spent = 0.0;
        for pass in 0..std::env::var("PASSES").map_or(20, |text| text.parse().unwrap()) {
            if spent > 0.6 && std::env::var("PASSES").is_err() {
                break;
            }
            let start = thread_seconds();
            let wall = Instant::now();
            for (index, pose) in workload.poses.iter().enumerate() {
                let value = ask(&mut pair, pose, query, cold, tolerance);
                if pass == 0 {
                    if let Some(&expected) = answers.get(index)
                        && (value - expected).abs() > 1e-9 * expected.abs().max(1e-6)
                    {
                        wrong += 1;
                        if wrong <= 3 {
                            println!("  {query} pose {index}: {value}, expected {expected}");
                        }
                    }
                    let counters = pair.counters();
                    sum.expansions += counters.expansions;
                    sum.volume_tests += counters.volume_tests;
                    sum.cheap_tests += counters.cheap_tests;
                    sum.triangle_tests += counters.triangle_tests;
                    sum.robust_tests += counters.robust_tests;
                }
                if wall.elapsed().as_secs_f64() > 20.0 {
                    break;
                }
            }
            let total = thread_seconds() - start;
            spent += total;
            seconds = seconds.min(total);
        }
        let n = workload.poses.len() as f64;
        println!(
            "  {query:9} {:5} {:10.2} us  {:9.1} expansions  {:9.1} + {:9.1} volumes  {:8.1} triangle pairs  {:5.2} % robust  {:5.1} ns/unit  {wrong} wrong of {}",
            mode,
            seconds / n * 1e6,
            sum.expansions as f64 / n,
            sum.volume_tests as f64 / n,
            sum.cheap_tests as f64 / n,
            sum.triangle_tests as f64 / n,
            100.0 * sum.robust_tests as f64 / (sum.triangle_tests as f64).max(1.0),
            seconds * 1e9 / (sum.expansions + sum.triangle_tests) as f64,
            answers.len()
        );
    }
}

/// Never inlined, because scripts/instructions.sh counts what happens in here.
#[inline(never)]
fn ask(pair: &mut Pair<&Model>, pose: &Transform, query: &str, cold: bool, tolerance: f64) -> f64 {
    pair.set_transforms(None, Some(pose)).unwrap();
    match query {
        "collide" => pair.collide(&CollideParams { cold, ..Default::default() }).contact.is_some() as u32 as f64,
        "contacts" => {
            pair.contacts(&ContactsParams { cold, ..Default::default() }, &mut ContactList::default()).found as f64
        }
        "distance" => pair.distance(&DistanceParams { cold, ..Default::default() }).upper,
        "approx" => pair.distance(&DistanceParams { cold, relative_error: 0.1, ..Default::default() }).upper,
        _ => pair.tolerance(&ToleranceParams { cold, tolerance, ..Default::default() }).closer as u32 as f64,
    }
}
