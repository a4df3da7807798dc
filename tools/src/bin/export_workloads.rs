//! Writes the project's own workloads as files for other programs (benches/peers):
//! `cargo run --release -p feeler-tools --bin export_workloads -- [--detail 6] [folder] [workload ...]`; the folder is
//! target/workloads by default.

use feeler_tools::arguments::{arguments, option};
use feeler_tools::workload::DETAIL;
use feeler_tools::{stored, workloads};
use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let mut arguments = arguments();
    let detail = option(&mut arguments, "--detail").map_or(DETAIL, |text| text.parse().expect("a number"));
    let mut arguments = arguments.into_iter();
    let folder = arguments.next().map_or_else(|| PathBuf::from("target/workloads"), PathBuf::from);
    let wanted: Vec<String> = arguments.collect();
    println!("| workload | what | triangles | poses | made in, ms |");
    println!("|---|---|---|---|---|");
    for recipe in workloads::ALL {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == recipe.name) {
            continue;
        }
        let start = Instant::now();
        let workload = recipe.make(detail);
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        stored::write(&folder, &workload);
        println!(
            "| {} | {} | {} x {} | {} | {milliseconds:.1} |",
            recipe.name,
            recipe.what,
            workload.a.triangles.len(),
            workload.b.triangles.len(),
            workload.poses.len()
        );
    }
}
