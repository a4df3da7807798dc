//! What memory saves over the size of a step, for OBB and AABB and every question; a table, and a plot where a file is named:
//! `cargo run --release -p feeler-tools --bin coherence_sweep -- [--svg FILE] [--poses N] [path ...]`.
//! Each path is walked in steps of 0.003 to 30 % of B's diagonal, with memory and without. Printed is the time with memory divided by
//! the time without, as the geometric mean over the paths; beside it the same of the counted cost, which no load changes.

use feeler::internals::model::VolumeKind;
use feeler::internals::query::contact_sink::ContactList;
use feeler::internals::query::*;
use feeler::{BuildParams, Model, Pair, Transform};
use feeler_tools::arguments::{arguments, option};
use feeler_tools::clock::thread_seconds;
use feeler_tools::papers::plot::Chart;
use feeler_tools::{Workload, paths};

const STORED: &[&str] = &["bunny_bunny_path", "falling_tori", "dense_armadillo", "torus_cave_path", "hand_plane"];
const OWN: &[&str] = &["animals_path", "tumbling_tori", "stylus_on_animal", "cave_flight", "hand_over_table"];
const STEPS: [f64; 9] = [3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3];
const QUESTIONS: [&str; 4] = ["collide", "tolerance", "contacts", "distance"];

fn main() {
    let mut arguments = arguments();
    let svg = option(&mut arguments, "--svg");
    let poses: usize = option(&mut arguments, "--poses").map_or(600, |text| text.parse().expect("a number of poses"));
    let names = Workload::names_or(arguments, STORED, OWN);
    println!("| volume | question | measure | {} |", STEPS.map(|step| format!("{} %", step * 100.0)).join(" | "));
    println!("|---|---|---|{}", "--:|".repeat(STEPS.len()));
    let mut chart = Chart::new("step, % of B's diagonal", "time with memory / without").logarithmic(true, true);
    for volume in [VolumeKind::Obb, VolumeKind::Aabb] {
        let scenes: Vec<_> = names
            .iter()
            .map(|name| {
                let workload = Workload::named(name);
                let models = workload.models(&BuildParams { volume, ..Default::default() });
                (workload, models)
            })
            .collect();
        for question in QUESTIONS {
            let mut times = Vec::new();
            let mut costs = Vec::new();
            for step in STEPS {
                let ratios = scenes.iter().map(|(workload, models)| ratios(workload, models, question, step, poses));
                let (mut time, mut cost, mut count) = (0.0, 0.0, 0.0);
                for (by_time, by_cost) in ratios {
                    (time, cost, count) = (time + by_time.ln(), cost + by_cost.ln(), count + 1.0);
                }
                times.push(f64::exp(time / count));
                costs.push(f64::exp(cost / count));
            }
            for (measure, values) in [("time", &times), ("cost", &costs)] {
                let cells: Vec<String> = values.iter().map(|value| format!("{value:.2}")).collect();
                println!("| {} | {question} | {measure} | {} |", volume.name(), cells.join(" | "));
            }
            let points = STEPS.iter().zip(&times).map(|(step, time)| (step * 100.0, *time)).collect();
            let name = format!("{}, {question}", volume.name());
            if volume == VolumeKind::Obb { chart.curve(&name, points) } else { chart.dashed(&name, points) }
        }
    }
    if let Some(file) = svg {
        std::fs::write(&file, chart.svg("What memory saves over the size of a step")).expect("a file to write");
    }
}

/// Time and cost with memory, divided by those without.
fn ratios(workload: &Workload, [a, b]: &[Model; 2], question: &str, step: f64, count: usize) -> (f64, f64) {
    let diagonal = |model: &Model| {
        let [low, high] = model.bounds();
        (high - low).length()
    };
    let tolerance = 0.01 * diagonal(a);
    let path = walked(&workload.poses, diagonal(b), step, count);
    let mut pair = Pair::new(a, b).expect("one family");
    let mut walk = |cold: bool| {
        let (mut best, mut cost) = (f64::INFINITY, 0);
        for _ in 0..3 {
            pair.reset();
            cost = 0;
            let start = thread_seconds();
            for pose in &path {
                pair.set_transforms(None, Some(pose)).expect("a legal pose");
                assert!(ask(&mut pair, question, cold, tolerance));
                cost += pair.counters().cost() + 1;
            }
            best = best.min(thread_seconds() - start);
        }
        (best, cost as f64)
    };
    let (cold, warm) = (walk(true), walk(false));
    (warm.0 / cold.0, warm.1 / cold.1)
}

/// The path in steps of this size: divided where its steps are larger, poses left out where they are smaller.
fn walked(poses: &[Transform], diagonal: f64, step: f64, count: usize) -> Vec<Transform> {
    let from = &poses[poses.len() / 4..];
    let mut kept: Vec<Transform> = Vec::new();
    for pose in from {
        if kept.last().is_none_or(|last| paths::motion(last, pose, diagonal) >= 0.5 * step * diagonal) {
            kept.push(*pose);
        }
    }
    paths::small_steps(&kept, diagonal, step, count)
}

/// Asks, and returns whether the answer is complete.
fn ask(pair: &mut Pair<&Model>, question: &str, cold: bool, tolerance: f64) -> bool {
    match question {
        "collide" => pair.collide(&CollideParams { cold, ..Default::default() }).complete,
        "contacts" => {
            pair.contacts(&ContactsParams { cold, ..Default::default() }, &mut ContactList::default()).complete
        }
        "distance" => pair.distance(&DistanceParams { cold, ..Default::default() }).complete,
        _ => pair.tolerance(&ToleranceParams { cold, tolerance, ..Default::default() }).complete,
    }
}
