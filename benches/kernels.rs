//! Nanoseconds per batch of four triangle pairs, on each instruction set of this machine.
//!
//! Pairs as a search meets them: size about 1, centres so far apart that distances are 0.1 to 2. `cargo bench --bench kernels`

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fearless_simd::{Level, Simd, dispatch, f64x4};
use feeler::internals::primitive::{self, Triangle};
use glam::DVec3;
use std::hint::black_box;

const BATCHES: usize = 256;

/// Four pairs, vertex by vertex, coordinate by coordinate, lane by lane.
type Batch = [[[[f64; 4]; 3]; 3]; 2];

fn next(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Pairs whose distance lies in `range`; for the intersection kernel 0 is in it.
fn pairs(count: usize, spread: f64, low: f64, high: f64) -> Vec<[Triangle; 2]> {
    let mut state = 7;
    let mut found = Vec::new();
    while found.len() < count {
        let mut triangle = |centre: DVec3| {
            [0, 1, 2].map(|_| centre + 0.5 * DVec3::new(next(&mut state), next(&mut state), next(&mut state)))
        };
        let a = triangle(DVec3::ZERO);
        let direction = triangle(DVec3::ZERO)[0].normalize_or(DVec3::X);
        let reach = triangle(DVec3::ZERO)[0].x + 0.5;
        let b = triangle(direction * reach * spread);
        let distance = primitive::distance(&a, &b).distance;
        if (low..=high).contains(&distance) {
            found.push([a, b]);
        }
    }
    found
}

fn batches(pairs: &[[Triangle; 2]]) -> Vec<Batch> {
    let convert = |four: &[[Triangle; 2]]| {
        let lane = |side: usize, v: usize, c: usize| [0, 1, 2, 3].map(|k: usize| four[k][side][v][c]);
        [0, 1].map(|side| [0, 1, 2].map(|v| [0, 1, 2].map(|c| lane(side, v, c))))
    };
    pairs.chunks_exact(4).map(convert).collect()
}

#[inline(always)]
fn load<S: Simd>(simd: S, t: &[[[f64; 4]; 3]; 3]) -> [[f64x4<S>; 3]; 3] {
    t.map(|v| v.map(|c| fearless_simd::SimdFrom::simd_from(simd, c)))
}

#[inline(always)]
fn sum_of_distances<S: Simd>(simd: S, batches: &[Batch]) -> (f64, u32) {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut sum = simd.splat_f64x4(0.0);
            let mut open = 0;
            for batch in batches {
                let measured = primitive::distance_4(
                    simd,
                    &load(simd, &batch[0]),
                    &load(simd, &batch[1]),
                    (primitive::NEVER, f64::INFINITY),
                );
                sum += measured.distances;
                open += measured.open.count_ones();
            }
            let lanes: [f64; 4] = sum.into();
            (lanes.iter().sum(), open)
        },
    )
}

#[inline(always)]
fn count_of_hits<S: Simd>(simd: S, batches: &[Batch]) -> (u32, u32) {
    simd.vectorize(
        #[inline(always)]
        || {
            let (mut hits, mut open) = (0, 0);
            for batch in batches {
                let (hit, lanes) = primitive::intersects_4(simd, &load(simd, &batch[0]), &load(simd, &batch[1]), false);
                hits += hit.count_ones();
                open += lanes.count_ones();
            }
            (hits, open)
        },
    )
}

/// The name and level of every instruction set that this machine has and the library ships.
fn levels() -> Vec<(&'static str, Level)> {
    let best = Level::new();
    let mut levels = Vec::new();
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    {
        levels.extend(best.as_sse2().map(|sse2| ("sse2", Level::Sse2(sse2))));
        levels.extend(best.as_avx2().map(|avx2| ("avx2", Level::Avx2(avx2))));
    }
    if levels.is_empty() {
        levels.push(("native", best));
    }
    levels
}

/// Nanoseconds per pair in the quietest of many short passes: what a busy machine would show if left alone.
fn quietest(name: &str, mut pass: impl FnMut()) {
    let mut shortest = f64::INFINITY;
    for _ in 0..4000 {
        let start = std::time::Instant::now();
        pass();
        shortest = shortest.min(start.elapsed().as_nanos() as f64);
    }
    println!("{name}: {:.1} ns per pair at best", shortest / (4 * BATCHES) as f64);
}

fn kernels(criterion: &mut Criterion) {
    let near = pairs(4 * BATCHES, 4.0, 0.1, 2.0);
    let mixed = pairs(4 * BATCHES, 1.0, 0.0, 2.0);
    let (near_batches, mixed_batches) = (batches(&near), batches(&mixed));
    for (name, level) in levels() {
        let mut group = criterion.benchmark_group("per pair");
        group.throughput(Throughput::Elements(4 * BATCHES as u64));
        let open = dispatch!(level, simd => sum_of_distances(simd, &near_batches)).1;
        println!("{name}: {open} of {} distance lanes stay open", 4 * BATCHES);
        quietest(&format!("distance_4, {name}"), || {
            black_box(dispatch!(level, simd => sum_of_distances(simd, black_box(&near_batches))));
        });
        group.bench_with_input(BenchmarkId::new("distance_4", name), &near_batches, |bencher, input| {
            bencher.iter(|| dispatch!(level, simd => sum_of_distances(simd, black_box(input))));
        });
        let (hits, open) = dispatch!(level, simd => count_of_hits(simd, &mixed_batches));
        println!("{name}: {hits} hits, {open} of {} intersection lanes stay open", 4 * BATCHES);
        quietest(&format!("intersects_4, {name}"), || {
            black_box(dispatch!(level, simd => count_of_hits(simd, black_box(&mixed_batches))));
        });
        group.bench_with_input(BenchmarkId::new("intersects_4", name), &mixed_batches, |bencher, input| {
            bencher.iter(|| dispatch!(level, simd => count_of_hits(simd, black_box(input))));
        });
        group.finish();
    }
    let mut group = criterion.benchmark_group("per pair");
    group.throughput(Throughput::Elements(4 * BATCHES as u64));
    group.bench_function("distance, scalar", |bencher| {
        bencher.iter(|| black_box(&near).iter().map(|[a, b]| primitive::distance(a, b).distance).sum::<f64>());
    });
    group.bench_function("robust::distance", |bencher| {
        bencher.iter(|| black_box(&near).iter().map(|[a, b]| primitive::robust::distance(a, b).distance).sum::<f64>());
    });
    // Pairs as near as 1e-5 of their size: disjoint by plain arithmetic, measured in double-double.
    let close: Vec<_> = near
        .iter()
        .map(|[a, b]| {
            let closest = primitive::closest(a, b);
            [*a, b.map(|v| v - closest.normal * (closest.distance * (1.0 - 1e-5)))]
        })
        .collect();
    group.bench_function("distance, nearly touching", |bencher| {
        bencher.iter(|| black_box(&close).iter().map(|[a, b]| primitive::distance(a, b).distance).sum::<f64>());
    });
    group.finish();
}

criterion_group!(benches, kernels);
criterion_main!(benches);
