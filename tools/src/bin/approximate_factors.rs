//! What an error of 10 % saves a cold distance query, beside what it saves PQP:
//! `cargo run --release -p feeler-tools --bin approximate_factors -- [workload ...]`.
//!
//! Work is expansions and triangle pairs. Least is what has to be looked at to know that nothing is nearer than distance / 1.1:
//! no order of the search does with less. PQP's factors are those of its times in benches/peers/clock.csv; what time makes of work,
//! `scripts/instructions.sh --queries "distance:cold approx"` counts.

use feeler::internals::model::BuildParams;
use feeler::internals::query::{DistanceParams, Search};
use feeler::{Pair, Transform};
use feeler_tools::Workload;
use feeler_tools::arguments::arguments;

const ERROR: f64 = 0.1;

/// Expansions and triangle pairs.
#[derive(Clone, Copy, Default)]
struct Work(u64, u64);

impl Work {
    fn total(self) -> f64 {
        (self.0 + self.1) as f64
    }
}

fn main() {
    let peers = include_str!("../../../benches/peers/clock.csv");
    println!("| workload | exact | 10 % | least | mean error | factor | of the least | PQP's |");
    println!("|---|---|---|---|---|---|---|---|");
    for name in Workload::names(arguments()) {
        let workload = Workload::named(&name);
        let [a, b] = workload.models(&BuildParams::default());
        let mut pair = Pair::new(&a, &b).unwrap();
        let (mut exact, mut approximate, mut least, mut errors) =
            (Work::default(), Work::default(), Work::default(), 0.0);
        for pose in &workload.poses {
            pair.set_transforms(Some(&Transform::IDENTITY), Some(pose)).unwrap();
            let mut ask = |params: DistanceParams, sum: &mut Work| {
                let upper = pair.distance(&DistanceParams { cold: true, ..params }).upper;
                *sum = Work(sum.0 + pair.counters().expansions, sum.1 + pair.counters().triangle_tests);
                upper
            };
            let distance = ask(DistanceParams::default(), &mut exact);
            let upper = ask(DistanceParams { relative_error: ERROR, ..Default::default() }, &mut approximate);
            if distance > 0.0 {
                errors += upper / distance - 1.0;
                let max_distance = distance / (1.0 + ERROR);
                ask(DistanceParams { search: Search::DepthFirst, max_distance, ..Default::default() }, &mut least);
            } else {
                // Touching models need a search that is lucky, and exact is as good a one as any.
                ask(DistanceParams::default(), &mut least);
            }
        }
        let poses = workload.poses.len() as f64;
        let shown = |work: Work| format!("{:.1} + {:.1}", work.0 as f64 / poses, work.1 as f64 / poses);
        println!(
            "| {name} | {} | {} | {} | {:.1} % | {:.2} | {:.2} | {} |",
            shown(exact),
            shown(approximate),
            shown(least),
            errors / poses * 100.0,
            exact.total() / approximate.total(),
            exact.total() / least.total(),
            peer_factor(peers, &name).map_or_else(String::new, |factor| format!("{factor:.2}")),
        );
    }
}

/// The better cold exact time of PQP over its better cold approximate one.
fn peer_factor(peers: &str, name: &str) -> Option<f64> {
    let time = |query: &str| {
        let line = peers.lines().find(|line| line.starts_with(&format!("{query},{name},")))?;
        line.split(',').skip(5).take(2).filter_map(|field| field.parse().ok()).reduce(f64::min)
    };
    Some(time("distance")? / time("approx")?)
}
