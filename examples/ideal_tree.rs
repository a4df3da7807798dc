//! How close cold distance queries come to the ideal test tree of swept_sphere_volumes 5.2, which knows the distance from
//! the start: `cargo run --release --example ideal_tree -- [workload ...]`.
//!
//! The ideal tree is a query that is told not to look beyond the answer; a collision query dilated by the distance walks
//! the same tree, which is checked.

#[path = "../tests/common/ideal.rs"]
mod ideal;
#[path = "../tests/common/workload.rs"]
#[allow(dead_code)]
mod workload;

use feeler::internals::model::{BuildParams, Model};
use feeler::internals::query::Search;
use feeler::{Pair, Transform};

fn main() {
    let data = workload::data().expect("no ../shared/data");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names = if arguments.is_empty() { workload::names(&data) } else { arguments };
    println!("| workload | poses | ideal | AUTO | BEST_FIRST | DEPTH_FIRST | triangle pairs, ideal | AUTO |");
    println!("|---|---|---|---|---|---|---|---|");
    for name in names {
        let workload = workload::load(&data, &name);
        let build = |mesh: &workload::Mesh| {
            let mut model = Model::new(&(&mesh.vertices[..], &mesh.triangles[..])).unwrap();
            model.build(&BuildParams::default()).unwrap();
            model
        };
        let (a, b) = (build(&workload.a), build(&workload.b));
        let mut pair = Pair::new(&a, &b).unwrap();
        let mut sums = ideal::Counts::default();
        // Every pose of short workloads, some hundred of long ones.
        let step = workload.poses.len().div_ceil(200).max(1);
        for pose in workload.poses.iter().step_by(step) {
            pair.set_transforms(Some(&Transform::IDENTITY), Some(pose)).unwrap();
            if let Some(counts) = ideal::count(&mut pair) {
                // Far models' distances round in the world's units, so that the query below finds a little less than it was told.
                let (ideal, dilated) = (counts.ideal, counts.dilated);
                let walked =
                    if name == "robust_far" { ideal.0 <= dilated.0 && ideal.1 <= dilated.1 } else { ideal == dilated };
                assert!(walked, "{name}: the dilated collision query walks the ideal tree, {ideal:?} {dilated:?}");
                sums.add(&counts);
            }
        }
        let ratio = |search: Search| sums.of(search).0 as f64 / sums.ideal.0 as f64;
        println!(
            "| {name} | {} | {:.1} | {:.3} | {:.3} | {:.3} | {:.1} | {:.3} |",
            sums.poses,
            sums.ideal.0 as f64 / sums.poses as f64,
            ratio(Search::Auto),
            ratio(Search::BestFirst),
            ratio(Search::DepthFirst),
            sums.ideal.1 as f64 / sums.poses as f64,
            sums.of(Search::Auto).1 as f64 / sums.ideal.1 as f64,
        );
    }
}
