//! Builds a model of ten million triangles (or as many as the first argument says) with all threads, at both qualities;
//! validates it and asks for distances to itself, moved: `cargo run --release -p feeler-tools --bin ten_million -- [triangles]`.

use feeler::internals::model::{BuildParams, Quality};
use feeler::internals::query::{CollideParams, DistanceParams};
use feeler::{Model, Pair, Transform};
use glam::{DMat3, DVec3};
use std::time::Instant;

/// A hilly square of `side` by `side` cells, two triangles each.
fn hills(side: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let across = side + 1;
    let height = |x: f64, y: f64| 0.05 * (9.0 * x).sin() * (7.0 * y).cos() + 0.002 * (173.0 * x + 211.0 * y * y).sin();
    let vertex = |index: u32| {
        let (x, y) = ((index % across) as f64 / side as f64, (index / across) as f64 / side as f64);
        DVec3::new(x, y, height(x, y))
    };
    let cell = |index: u32| {
        let corner = index / side * across + index % side;
        [[corner, corner + 1, corner + across], [corner + across + 1, corner + across, corner + 1]]
    };
    ((0..across * across).map(vertex).collect(), (0..side * side).flat_map(cell).collect())
}

/// The most memory that this process has had, in bytes.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|word| word.parse::<f64>().ok()).unwrap_or(f64::NAN) * 1024.0
}

fn main() {
    let wanted: f64 = std::env::args().nth(1).map_or(1e7, |word| word.parse().expect("a number"));
    let (vertices, triangles) = hills((wanted / 2.0).sqrt().ceil() as u32);
    println!("{} triangles, {} vertices, the input takes {:.0} MB", triangles.len(), vertices.len(), peak() * 1e-6);
    for quality in [Quality::Fast, Quality::High] {
        let start = Instant::now();
        let mut model = Model::new(&(&vertices[..], &triangles[..])).expect("a mesh");
        let created = start.elapsed().as_secs_f64();
        model.build(&BuildParams { quality, ..Default::default() }).expect("memory");
        let info = model.info();
        println!(
            "{quality:?}: created in {created:.2} s, built in {:.2} s, {} nodes, depth {}, {:.1} bytes per triangle, \
             peak {:.0} MB",
            info.build_seconds,
            info.node_count,
            info.depth,
            info.memory_bytes as f64 / info.triangle_count as f64,
            peak() * 1e-6
        );
        let start = Instant::now();
        model.validate().expect("a valid hierarchy");
        println!("  valid, as {:.2} s of checking found", start.elapsed().as_secs_f64());
        let mut pair = Pair::new(&model, &model).expect("equal volumes");
        for (height, angle) in [(0.3, 0.0), (0.12, 0.4), (0.05, 1.0)] {
            let pose = Transform {
                rotation: DMat3::from_rotation_z(angle),
                translation: DVec3::new(0.1, 0.2, height),
                ..Transform::IDENTITY
            };
            pair.set_transforms(None, Some(&pose)).expect("a legal pose");
            let start = Instant::now();
            let answer = pair.distance(&DistanceParams { cold: true, ..Default::default() });
            let seconds = start.elapsed().as_secs_f64();
            let counters = *pair.counters();
            let touching = pair.collide(&CollideParams::default()).contact.is_some();
            assert!(answer.complete && answer.lower == answer.upper && touching == (answer.upper == 0.0));
            println!(
                "  {height} above, turned by {angle}: distance {:.6} in {:.0} us, {} expansions, {} triangle pairs",
                answer.upper,
                seconds * 1e6,
                counters.expansions,
                counters.triangle_tests
            );
        }
    }
}
