//! How close cold distance queries come to the ideal test tree [Larsen 1999, 5.2], which knows the distance from
//! the start: `cargo run --release -p feeler-tools --bin ideal_tree -- [workload ...]`.
//!
//! The ideal tree is a query that is told not to look beyond the answer; a collision query dilated by the distance walks
//! the same tree, which is checked.

use feeler::internals::model::BuildParams;
use feeler::internals::query::Search;
use feeler::{Pair, Transform};
use feeler_tools::arguments::arguments;
use feeler_tools::{Workload, ideal_tree};

fn main() {
    println!("| workload | poses | ideal | AUTO | BEST_FIRST | DEPTH_FIRST | triangle pairs, ideal | AUTO |");
    println!("|---|---|---|---|---|---|---|---|");
    for name in Workload::names(arguments()) {
        let workload = Workload::named(&name);
        let [a, b] = workload.models(&BuildParams::default());
        let mut pair = Pair::new(&a, &b).unwrap();
        let reach = workload.a.diagonal() + workload.b.diagonal();
        let mut sums = ideal_tree::Counts::default();
        // Every pose of short workloads, some hundred of long ones.
        let step = workload.poses.len().div_ceil(200).max(1);
        for pose in workload.poses.iter().step_by(step) {
            pair.set_transforms(Some(&Transform::IDENTITY), Some(pose)).unwrap();
            if let Some(counts) = ideal_tree::count(&mut pair) {
                // Far models' distances round in the world's units, so that the query below finds a little less than it was told.
                let (ideal, dilated) = (counts.ideal, counts.dilated);
                let walked = if pose.translation.length() > 1e3 * reach {
                    ideal.0 <= dilated.0 && ideal.1 <= dilated.1
                } else {
                    ideal == dilated
                };
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
