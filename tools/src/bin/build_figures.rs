//! Prints build speed and figures of the hierarchy of an OBJ file:
//! `cargo run --release -p feeler-tools --bin build_figures -- mesh.obj [high|fast] [threads]`.

use feeler::Model;
use feeler::internals::model::{BuildParams, Hierarchy, Quality, SplitRule};
use feeler::internals::tree::build::workers::{Inline, Threads, Workers};
use feeler::internals::tree::statistics::statistics;
use feeler::internals::volume::boxes::obb::Obb;
use feeler_tools::clock::thread_seconds;
use feeler_tools::obj;
use std::path::Path;

fn surface(volume: &Obb) -> f64 {
    let [x, y, z] = volume.half.map(f64::from);
    x * y + y * z + z * x
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let mesh = obj::read(Path::new(&arguments[1]));
    let quality = if arguments.get(2).is_some_and(|word| word == "fast") { Quality::Fast } else { Quality::High };
    let threads = arguments.get(3).map_or(1, |word| word.parse().expect("a number"));
    let workers: &dyn Workers = if threads > 1 { &Threads(threads) } else { &Inline };
    for split in [SplitRule::Auto, SplitRule::Midpoint, SplitRule::Mean, SplitRule::Median] {
        let mut best = f64::INFINITY;
        let mut model = None;
        for _ in 0..if split == SplitRule::Auto { 15 } else { 1 } {
            let start = thread_seconds();
            let mut built = Model::new(&mesh.source()).expect("a mesh");
            built.build_with(&BuildParams { quality, split, ..BuildParams::default() }, workers).expect("memory");
            best = best.min(thread_seconds() - start);
            model = Some(built);
        }
        let model = model.expect("built above");
        model.validate().expect("a valid hierarchy");
        let built = model.built().expect("built above");
        let Hierarchy::Obb(tree) = &built.hierarchy else { unreachable!("the default volume") };
        println!(
            "{split:?}: {:.3} M triangles/s, {:.1} bytes per triangle, {:?}",
            mesh.triangles.len() as f64 / best * 1e-6,
            model.memory() as f64 / mesh.triangles.len() as f64,
            statistics(tree, surface)
        );
    }
}
