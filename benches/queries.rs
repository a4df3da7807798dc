//! The four queries on scenes made by rule: no files are needed. `cargo bench --bench queries`
//!
//! Every iteration asks a whole path of poses in order, as a caller would: a pose repeated in place would flatter caches.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use feeler::internals::model::BuildParams;
use feeler::internals::query::contact_sink::ContactList;
use feeler::internals::query::*;
use feeler::{Model, Pair, Transform};
use feeler_tools::{Mesh, meshes};
use glam::{DMat3, DVec3};
use std::hint::black_box;
use std::time::Duration;

struct Scene {
    name: &'static str,
    a: Model,
    b: Model,
    poses: Vec<Transform>,
}

fn built(mesh: &Mesh) -> Model {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    model.build(&BuildParams::default()).expect("memory");
    model
}

/// A path on which B turns slowly; `place` gives its position over the time 0 to 1.
fn path(steps: usize, place: impl Fn(f64) -> DVec3) -> Vec<Transform> {
    let pose = |step: usize| {
        let time = step as f64 / steps as f64;
        let rotation = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 2.0 * time);
        Transform { rotation, translation: place(time), scale: DVec3::ONE }
    };
    (0..steps).map(pose).collect()
}

fn scenes() -> Vec<Scene> {
    let torus = || meshes::torus(160, 60, 0.3);
    let bumpy = || {
        meshes::sphere(160, 80).map(|v| v * (1.0 + 0.05 * ((9.0 * v.x).sin() + (7.0 * v.y).sin() + (8.0 * v.z).sin())))
    };
    let linked = |t: f64| DVec3::new(1.0, 0.2 * t - 0.1, 0.3);
    vec![
        Scene {
            name: "close",
            a: built(&bumpy()),
            b: built(&torus()),
            poses: path(50, |t| DVec3::new(2.4, t - 0.5, 0.3)),
        },
        Scene { name: "apart", a: built(&bumpy()), b: built(&torus()), poses: path(50, |t| DVec3::new(5.0, t, 1.0)) },
        Scene { name: "linked", a: built(&torus()), b: built(&torus()), poses: path(50, linked) },
        Scene {
            name: "nested",
            a: built(&bumpy()),
            b: built(&bumpy().map(|v| v * 0.7)),
            poses: path(10, |t| DVec3::new(0.05 * t, 0.0, 0.02)),
        },
        Scene {
            name: "small",
            a: built(&meshes::torus(16, 8, 0.3)),
            b: built(&meshes::sphere(12, 8)),
            poses: path(50, |t| DVec3::new(2.5, t - 0.5, 0.2)),
        },
    ]
}

fn queries(criterion: &mut Criterion) {
    for scene in scenes() {
        let mut pair = Pair::new(&scene.a, &scene.b).expect("equal volumes");
        let mut group = criterion.benchmark_group(scene.name);
        group.throughput(Throughput::Elements(scene.poses.len() as u64));
        let mut bench = |name: &str, ask: &mut dyn FnMut(&mut Pair<&Model>)| {
            pair.reset();
            group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
                bencher.iter(|| {
                    for pose in &scene.poses {
                        pair.set_transforms(None, Some(black_box(pose))).expect("a legal pose");
                        ask(&mut pair);
                    }
                });
            });
        };
        for cold in [true, false] {
            let label = |query: &str| format!("{query}, {}", if cold { "cold" } else { "warm" });
            bench(&label("distance"), &mut |pair| {
                black_box(pair.distance(&DistanceParams { cold, ..Default::default() }));
            });
            bench(&label("collide"), &mut |pair| {
                black_box(pair.collide(&CollideParams { cold, ..Default::default() }));
            });
            bench(&label("tolerance"), &mut |pair| {
                black_box(pair.tolerance(&ToleranceParams { cold, tolerance: 0.05, ..Default::default() }));
            });
        }
        bench("distance within 10 %, cold", &mut |pair| {
            black_box(pair.distance(&DistanceParams { cold: true, relative_error: 0.1, ..Default::default() }));
        });
        bench("distance, 100 units of work", &mut |pair| {
            black_box(pair.distance(&DistanceParams { cold: true, max_work: 100, ..Default::default() }));
        });
        let mut list = ContactList::default();
        bench("contacts", &mut |pair| {
            black_box(pair.contacts(&ContactsParams::default(), &mut list));
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600));
    targets = queries
}
criterion_main!(benches);
