//! Building hierarchies of meshes made by rule, on one thread: `cargo bench --bench build`

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use feeler::Model;
use feeler::internals::model::{BuildParams, Quality, VolumeKind};
use feeler::internals::tree::build::workers::Inline;
use feeler_tools::meshes;
use std::hint::black_box;
use std::time::Duration;

fn build(criterion: &mut Criterion) {
    let meshes = [
        ("torus", meshes::torus(200, 100, 0.3)),
        ("soup", meshes::random_soup(40_000, 0.02, 1)),
        ("small", meshes::torus(16, 8, 0.3)),
    ];
    for (name, mesh) in meshes {
        let mut group = criterion.benchmark_group(format!("build {name}"));
        group.throughput(Throughput::Elements(mesh.triangles.len() as u64));
        group.bench_function("create", |bencher| {
            bencher.iter(|| Model::new(&black_box(&mesh).source()).expect("a legal mesh"));
        });
        for volume in VolumeKind::ALL {
            for quality in [Quality::High, Quality::Fast] {
                let params = BuildParams { volume, quality, ..Default::default() };
                let mut model = Model::new(&mesh.source()).expect("a legal mesh");
                if model.build_with(&params, &Inline).is_err() {
                    continue; // not in this version
                }
                group.bench_function(BenchmarkId::new(volume.name(), format!("{quality:?}")), |bencher| {
                    bencher.iter(|| black_box(&mut model).build_with(&params, &Inline).expect("memory"));
                });
            }
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    targets = build
}
criterion_main!(benches);
