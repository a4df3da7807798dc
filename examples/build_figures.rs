//! Prints build speed and figures of the hierarchy of an OBJ file: `build_figures mesh.obj [high|fast] [threads]`.

use feeler::Model;
use feeler::internals::model::{BuildParams, Hierarchy, Quality, SplitRule};
use feeler::internals::tree::build::workers::{Inline, Threads, Workers};
use feeler::internals::tree::statistics::statistics;
use feeler::internals::volume::boxes::obb::Obb;
use glam::DVec3;

fn read(path: &str) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for line in std::fs::read_to_string(path).expect("a readable file").lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f64> = words.take(3).map(|word| word.parse().expect("a number")).collect();
                vertices.push(DVec3::from_slice(&numbers));
            }
            Some("f") => {
                let number = |word: &str| word.split('/').next().and_then(|n| n.parse::<u32>().ok()).expect("an index");
                let corners: Vec<u32> = words.map(|word| number(word) - 1).collect();
                triangles.extend((2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]));
            }
            _ => {}
        }
    }
    (vertices, triangles)
}

/// Seconds that this thread has computed: other programs on the machine do not count.
fn computed() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the struct is ours.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn surface(volume: &Obb) -> f64 {
    let [x, y, z] = volume.half.map(f64::from);
    x * y + y * z + z * x
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (vertices, triangles) = read(&arguments[1]);
    let quality = if arguments.get(2).is_some_and(|word| word == "fast") { Quality::Fast } else { Quality::High };
    let threads = arguments.get(3).map_or(1, |word| word.parse().expect("a number"));
    let workers: &dyn Workers = if threads > 1 { &Threads(threads) } else { &Inline };
    for split in [SplitRule::Auto, SplitRule::Midpoint, SplitRule::Mean, SplitRule::Median] {
        let mut best = f64::INFINITY;
        let mut model = None;
        for _ in 0..if split == SplitRule::Auto { 15 } else { 1 } {
            let start = computed();
            let mut built = Model::new(&(&vertices[..], &triangles[..])).expect("a mesh");
            built.build_with(&BuildParams { quality, split, ..BuildParams::default() }, workers).expect("memory");
            best = best.min(computed() - start);
            model = Some(built);
        }
        let model = model.expect("built above");
        model.validate().expect("a valid hierarchy");
        let built = model.built().expect("built above");
        let Hierarchy::Obb(tree) = &built.hierarchy else { unreachable!("the default volume") };
        println!(
            "{split:?}: {:.3} M triangles/s, {:.1} bytes per triangle, {:?}",
            triangles.len() as f64 / best * 1e-6,
            model.memory() as f64 / triangles.len() as f64,
            statistics(tree, surface)
        );
    }
}
