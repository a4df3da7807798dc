//! Bounded time on garbage: trees of meshes that are meant to cost time stay small and shallow, their builds grow as n log n, and
//! no query spends more than its budget. Prints work and times beside those of an ordinary mesh of the size:
//! `cargo test --test hostile -- --nocapture`.

use feeler::internals::tree::build::{DEEPEST, looked_at};
use feeler::{
    BuildParams, CollideParams, ContactsParams, DistanceParams, Inline, MinimaParams, Model, Pair, SweepParams,
    ToleranceParams, Transform, VolumeKind,
};
use feeler_tools::clock::thread_seconds;
use feeler_tools::scenes::{Array, FixedRoom, pose};
use feeler_tools::{Mesh, meshes};
use glam::{DMat3, DVec3};

/// A model, what a build of it looked at, and the shortest of some builds.
fn built(mesh: &Mesh, volume: VolumeKind, times: usize) -> (Model, u64, f64) {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    let (mut shortest, mut looked) = (f64::INFINITY, 0);
    for _ in 0..times {
        let before = thread_seconds();
        looked_at::take();
        let params = BuildParams { volume, ..BuildParams::default() };
        model.build_with(&params, &Inline).expect("a legal build");
        looked = looked_at::take();
        shortest = shortest.min(thread_seconds() - before);
    }
    (model, looked, shortest)
}

const SMALL: u32 = 2000;
const LARGE: u32 = 16_000;

/// By counts, because clocks scatter: how many triangles all passes of a build look at (`tree/build/looked_at.rs`). Times are printed.
#[test]
fn builds_grow_as_n_log_n() {
    let mut worst = [0.0f64; 3];
    for volume in VolumeKind::ALL {
        let mut ordinary = 0.0;
        for ((name, small), (_, large)) in meshes::hostile(SMALL).iter().zip(&meshes::hostile(LARGE)) {
            let ((_, before, _), (model, after, seconds)) = (built(small, volume, 1), built(large, volume, 2));
            let info = model.info();
            let count = info.triangle_count;
            let n_log_n = |n: u64| n as f64 * (n as f64).log2();
            let share = after as f64 / n_log_n(count);
            let growth = share / (before as f64 / n_log_n(small.triangles.len() as u64));
            ordinary = if ordinary == 0.0 { seconds } else { ordinary };
            println!(
                "{:10} {name:38} {count:6} triangles: {:5} nodes, depth {:2}, build {:7.1} ms, {:5.2} times ordinary, \
                 looked at {share:5.2} n log n, growth {growth:4.2}",
                volume.name(),
                info.node_count,
                info.depth,
                seconds * 1e3,
                seconds / ordinary
            );
            worst = [worst[0].max(seconds / ordinary), worst[1].max(share), worst[2].max(growth)];
            // A node has eight places, of which a build leaves at most five empty on average.
            assert!(info.node_count <= count / 3 + 1, "{name}: {info:?}");
            assert!(info.depth <= DEEPEST, "{name}: {info:?}");
            model.validate().unwrap_or_else(|defect| panic!("{name}: {defect}"));
        }
    }
    let [times, share, growth] = worst;
    println!("at most {times:.2} times an ordinary build; looked at most at {share:.2} n log n, growth {growth:.2}");
    // Six passes for each of `DEEPEST` levels are the most. A quadratic build of eight times the triangles would grow by six; a fan
    // that gets finer with every triangle is another mesh when it is larger, and grows by two.
    assert!(share < 16.0 && growth < 3.0, "{worst:?}");
}

#[test]
fn no_query_spends_more_than_its_budget() {
    for volume in [VolumeKind::Obb, VolumeKind::Aabb, VolumeKind::Rss] {
        let (mut ordinary, mut ordinary_seconds) = (0, 0.0);
        for (name, mesh) in meshes::hostile(SMALL) {
            let (model, _, _) = built(&mesh, volume, 1);
            let mut pair = Pair::new(&model, &model).expect("one model");
            let [low, high] = model.bounds();
            let size = (high * 0.5 - low * 0.5).max_element().max(1e-300);
            let turn = DMat3::from_axis_angle(DVec3::new(0.48, 0.6, 0.64), 0.4);
            let (mut needed, mut seconds) = (0, 0.0);
            for away in [0.0, 0.3, 2.5] {
                let limit = DVec3::splat(1e300);
                let place = (DVec3::new(0.3, -0.5, 1.0) * size * away).clamp(-limit, limit);
                let at_b = pose(turn, place, 1.0);
                pair.set_transforms(Some(&Transform::IDENTITY), Some(&at_b)).expect("a legal pose");
                for max_work in [1, 50, 1000] {
                    let cold = max_work != 50;
                    let mut spent = Vec::new();
                    let before = thread_seconds();
                    let mut note = |pair: &Pair<&Model>| spent.push(pair.counters().work);
                    pair.distance(&DistanceParams { cold, max_work, ..Default::default() });
                    note(&pair);
                    pair.collide(&CollideParams { cold, max_work });
                    note(&pair);
                    pair.tolerance(&ToleranceParams { cold, max_work, tolerance: 0.1 * size });
                    note(&pair);
                    pair.contacts(
                        &ContactsParams { cold, max_work, margin: 0.1 * size, ..Default::default() },
                        &mut Array::new(50),
                    );
                    note(&pair);
                    let params = MinimaParams { cold, max_work, margin: 0.1 * size, merge_distance: 0.0 };
                    pair.local_minima(&params, &mut FixedRoom(Vec::new(), 50)).expect("models with topology");
                    note(&pair);
                    let params = SweepParams { cold, max_work, tolerance: 1e-3 * size };
                    pair.sweep(None, Some(&Transform::IDENTITY), &params).expect("legal ends");
                    note(&pair);
                    seconds += thread_seconds() - before;
                    assert!(spent.iter().all(|spent| *spent <= max_work + 9), "{name}, {max_work}: {spent:?}");
                }
                // All that the exact distance needs, as far as a large budget goes: equal triangles are all equally near.
                pair.distance(&DistanceParams { cold: true, max_work: 100_000, ..Default::default() });
                needed = needed.max(pair.counters().work);
            }
            if ordinary == 0 {
                (ordinary, ordinary_seconds) = (needed, seconds);
            }
            println!(
                "{:10} {name:38} exact distance: {needed:7} units of work, {:8.2} times ordinary; \
                 queries with a budget: {:6.1} ms, {:6.2} times ordinary",
                volume.name(),
                needed as f64 / ordinary as f64,
                seconds * 1e3,
                seconds / ordinary_seconds
            );
        }
    }
}

/// A vertex of many triangles: what is looked at around a minimum is work, so that a unit of work costs about the same everywhere.
#[test]
fn neighbourhoods_are_paid_for() {
    let seconds_per_unit = |mesh: &Mesh| {
        let (model, _, _) = built(mesh, VolumeKind::Obb, 1);
        let mut pair = Pair::new(&model, &model).expect("one model");
        let at_b = pose(DMat3::from_axis_angle(DVec3::X, 0.3), DVec3::new(0.1, 0.2, 1.5), 1.0);
        pair.set_transforms(None, Some(&at_b)).expect("a legal pose");
        let params = MinimaParams { cold: true, max_work: 2000, margin: 3.0, merge_distance: 0.0 };
        let before = thread_seconds();
        let mut work = 0;
        for _ in 0..5 {
            pair.local_minima(&params, &mut FixedRoom(Vec::new(), 50)).expect("models with topology");
            work += pair.counters().work;
        }
        assert!(work > 1000, "{work}");
        (thread_seconds() - before) / work as f64
    };
    let all = meshes::hostile(600);
    let named = |wanted: &str| &all.iter().find(|(name, _)| *name == wanted).expect("a mesh of the list").1;
    let ordinary = seconds_per_unit(named("ordinary sphere"));
    for name in ["one triangle, many times", "one point, many times", "fan around one vertex"] {
        let ratio = seconds_per_unit(named(name)) / ordinary;
        println!("local minima, {name}: {ratio:.2} times the time of an ordinary unit of work");
        assert!(ratio < 30.0, "{name}: {ratio}");
    }
}
