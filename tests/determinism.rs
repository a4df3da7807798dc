//! The same bits on every instruction set, for every number of threads, and on every machine: pinned hashes.
//!
//! `ANSWERS` covers what is defined: values, ids of cold queries, points, contacts; it is the same for every volume and
//! changes only when the definition (the triangle kernel, the placement) does. `HAND` covers the queries of one model, local
//! minima, sweeps, and answers after updates, in the same way. `PATHS` covers what a search did:
//! counters and witnesses; it changes whenever trees or searches are tuned. `Extent::Part` asks a sixteenth of it all,
//! for machines that are emulated (`scripts/arm64.sh`). To print new ones:
//! `FEELER_BLESS=1 cargo test --test determinism pinned -- --nocapture --test-threads=1`.

use feeler::internals::model::{BuildParams, VolumeKind};
use feeler::internals::query::*;
use feeler::internals::simd::level;
use feeler::internals::tree::build::workers::{Inline, Threads, Workers};
use feeler::{CastParams, ClosestParams, MinimaParams, Model, Pair, SweepParams, Transform};
use feeler_tools::scenes::{Array, FixedRoom, Hash};
use feeler_tools::{Mesh, Random, meshes, scenes};
use glam::{DMat3, DVec3};

/// All of the corpus, and the part.
const ANSWERS: [u64; 2] = [0x79f573693f51c0c0, 0x066c890acc152f1f];
/// The same for what a hand asks.
const HAND: [u64; 2] = [0xf1cfe8c3e109efc8, 0x2ba3761dea6ef476];
/// Volumes that are not listed are compared between instruction sets and threads, but not pinned.
const PATHS: &[(VolumeKind, [u64; 2])] = &[
    (VolumeKind::Obb, [0x85362acac23f6001, 0x968105d0a2f71628]),
    (VolumeKind::Aabb, [0xb62b8d82c1919014, 0x79ac955355c9d192]),
    (VolumeKind::Sphere, [0xe37493b8ea89f9fa, 0x964fb240e7f6f2f1]),
    (VolumeKind::Lss, [0x101b4c21dc1d4452, 0x2c56859bcffeb2aa]),
    (VolumeKind::Rss, [0x74177d7b25a6bb5b, 0x9970a0b85ac6d892]),
    (VolumeKind::Hybrid, [0x53a50a09683ccfa2, 0x8a2adca3df196858]),
    (VolumeKind::ObbSphere, [0x419c1ec6158ac2de, 0x1a5730e7a91c36b6]),
    (VolumeKind::Shell, [0xcec646172e8986f7, 0x8695fc0722402789]),
    (VolumeKind::Kdop18, [0xefd793fc3502db27, 0x0beea5919d00ca89]),
];

/// How much of the corpus is asked.
#[derive(Clone, Copy)]
enum Extent {
    All,
    /// One pose of every other pair; every mesh and every kind of pose occurs.
    Part,
}

/// Set for the copy of this program that runs on another instruction set.
const CHILD: &str = "FEELER_DETERMINISM_CHILD";

/// Meshes made of sums, products and square roots only: no function whose last bit depends on the C library.
fn corpus() -> Vec<Mesh> {
    let ball = |cells| {
        let bump = |v: DVec3| v.normalize() * (1.0 + 0.2 * v.x * v.y * v.z);
        meshes::lattice_box(cells).map(bump)
    };
    vec![
        ball(6),
        meshes::random_soup(200, 0.2, 1),
        meshes::lattice_box(2),
        meshes::needles(60, 3),
        meshes::degenerate(40, 4),
        meshes::random_soup(1, 1.0, 5),
        ball(5).map(|v| v * 1e-9 + DVec3::X * 1e-7),
    ]
}

fn built(mesh: &Mesh, volume: VolumeKind, workers: &dyn Workers) -> Model {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    model.build_with(&BuildParams { volume, ..Default::default() }, workers).expect("a volume of this version");
    model
}

fn poses(random: &mut Random, a: &Model, b: &Model) -> Vec<[Transform; 2]> {
    let size = |model: &Model| (model.bounds()[1] - model.bounds()[0]).max_element();
    let larger = size(a).max(size(b));
    let mut poses = Vec::new();
    for step in 0..8 {
        let mut at = |away: f64, scale: f64| {
            scenes::pose(scenes::random_rotation(random), random.point() * away * larger, scale)
        };
        poses.push(match step {
            0..5 => [at(0.5, 1.0), at(1.0, 1.0)],
            5 => [at(0.5, 1.0), at(1.0, 0.3)],
            6 => [at(0.5, 1.0), at(1e6, 1.0)],
            _ => [Transform::IDENTITY, Transform::IDENTITY],
        });
    }
    poses
}

/// What the queries of one pair say and do.
fn ask(pair: &mut Pair<&Model>, poses: &[[Transform; 2]], answers: &mut Hash, paths: &mut Hash) {
    for [at_a, at_b] in poses {
        pair.set_transforms(Some(at_a), Some(at_b)).expect("a legal pose");
        for (cold, search) in [(true, SearchOrder::Auto), (true, SearchOrder::DepthFirst), (false, SearchOrder::Auto)] {
            let answer = pair.distance(&DistanceParams { cold, search, ..Default::default() });
            answers.number(answer.lower);
            answers.number(answer.upper);
            // Which of several touching pairs is met, or which equal one a warm query keeps, is a matter of the path.
            let defined = cold && answer.upper > 0.0;
            (if defined { &mut *answers } else { &mut *paths }).contact(&answer.nearest);
            paths.counters(pair.counters());
        }
        let distance = pair.distance(&DistanceParams::default()).upper;
        for max_work in [1, 10, 50] {
            let answer = pair.distance(&DistanceParams { cold: true, max_work, ..Default::default() });
            paths.number(answer.lower);
            paths.number(answer.upper);
            paths.contact(&answer.nearest);
            paths.counters(pair.counters());
        }
        let answer = pair.distance(&DistanceParams { cold: true, relative_error: 0.1, ..Default::default() });
        paths.number(answer.lower);
        paths.contact(&answer.nearest);
        paths.counters(pair.counters());
        for tolerance in [0.0, distance * 0.9, distance, distance * 1.1] {
            for cold in [true, false] {
                let answer = pair.tolerance(&ToleranceParams { cold, tolerance, ..Default::default() });
                answers.word(answer.closer as u64);
                paths.contact(&answer.nearest);
                paths.counters(pair.counters());
            }
        }
        for cold in [true, false] {
            let answer = pair.collide(&CollideParams { cold, ..Default::default() });
            answers.word(answer.contact.is_some() as u64);
            if let Some((id_a, id_b, point)) = answer.contact {
                paths.word((id_a as u64) << 32 | id_b as u64);
                paths.vector(point);
            }
            paths.counters(pair.counters());
        }
        for (margin, capacity) in [(0.0, 9), (distance * 1.2, 7)] {
            let mut array = Array::new(capacity);
            answers.word(pair.contacts(&ContactsParams { margin, ..Default::default() }, &mut array).found);
            array.contacts.iter().for_each(|contact| answers.contact(contact));
            paths.counters(pair.counters());
        }
    }
}

/// What a hand asks about A in its pose, and about the pair.
fn ask_hand(pair: &mut Pair<&Model>, [at_a, at_b]: &[Transform; 2], random: &mut Random, hand: &mut Hash) {
    let a = pair.models().0;
    let [low, high] = a.bounds();
    let (centre, half) = (a.centre_of_bounds(), (high - low) * 0.5);
    let mut about = || at_a.apply(centre + half * random.point() * 2.0);
    for _ in 0..3 {
        let params = ClosestParams { side: true, ..Default::default() };
        let found = a.closest_point(at_a, about(), &params).expect("a legal point");
        hand.number(found.distance);
        hand.vector(found.point);
        hand.vector(found.normal);
        found.barycentric.iter().for_each(|weight| hand.number(*weight));
        hand.word(u64::from(found.triangle) << 8 | u64::from(found.feature) << 4 | found.side as u64);
    }
    let size = half.max_element() * at_a.scale.max_element();
    for radius in [0.0, 0.1 * size] {
        let mut room = FixedRoom(Vec::new(), 5);
        let params = CastParams { all: true, radius, ..Default::default() };
        hand.word(a.cast(at_a, [about(), about()], &params, &mut room).expect("legal ends").found);
        for hit in &room.0 {
            hand.number(hit.time);
            hand.vector(hit.point);
            hand.vector(hit.normal);
            hit.barycentric.iter().for_each(|weight| hand.number(*weight));
            hand.word(u64::from(hit.triangle) << 4 | u64::from(hit.feature));
        }
    }
    let mut room = FixedRoom(Vec::new(), 5);
    hand.word(a.within_ball(at_a, about(), 0.7 * size, &mut room).expect("a legal ball"));
    room.0.iter().for_each(|id| hand.word(u64::from(*id)));
    let distance = pair.distance(&DistanceParams { cold: true, ..Default::default() }).upper;
    let mut room = FixedRoom(Vec::new(), 7);
    let params = MinimaParams { margin: distance * 1.3, merge_distance: 0.05 * size, ..Default::default() };
    hand.word(pair.local_minima(&params, &mut room).expect("models with topology").found);
    for minimum in &room.0 {
        hand.contact(&Some(minimum.contact));
        hand.word(minimum.id);
        hand.word(u64::from(minimum.merged));
        minimum.barycentric_a.iter().chain(&minimum.barycentric_b).for_each(|weight| hand.number(*weight));
    }
    let turn = DMat3::from_axis_angle(DVec3::new(0.48, 0.6, 0.64), 0.75);
    let end = Transform { rotation: turn * at_b.rotation, translation: at_a.apply(centre), ..*at_b };
    let params = SweepParams { cold: true, max_work: 0, tolerance: (0.1 * distance).max(0.02 * size) };
    let swept = pair.sweep(None, Some(&end), &params).expect("legal ends");
    hand.number(swept.time_free);
    hand.number(swept.time_hit);
    if let Some(hit) = swept.hit.filter(|hit| hit.distance > 0.0) {
        hand.contact(&Some(hit));
    }
}

/// What deformable models answer after updates of all vertices and of some.
fn updates(volume: VolumeKind, extent: Extent) -> Hash {
    let mut hand = Hash::new();
    let meshes = corpus();
    let few = match extent {
        Extent::All => &meshes[..],
        Extent::Part => &meshes[1..4],
    };
    for (number, mesh) in few.iter().enumerate() {
        let mut model = Model::new(&mesh.source()).expect("a legal mesh");
        let params = BuildParams { volume, deformable: true, ..Default::default() };
        model.build_with(&params, &Inline).expect("a volume of this version");
        let mut vertices: Vec<DVec3> = mesh.vertices.iter().map(|v| *v * DVec3::new(1.25, 0.75, 1.0) + v.x).collect();
        model.update_vertices(&vertices[..]).expect("as many vertices");
        for step in 0..3 {
            let (first, count) = (step * vertices.len() / 5, vertices.len() / 4);
            vertices[first..first + count].iter_mut().for_each(|v| *v *= 1.0625);
            model.update_range(&vertices[first..first + count], first).expect("vertices of the model");
            let mut random = Random((number * 3 + step) as u64);
            let poses = poses(&mut random, &model, &model);
            let mut pair = Pair::new(&model, &model).expect("one model");
            let [at_a, at_b] = &poses[step];
            pair.set_transforms(Some(at_a), Some(at_b)).expect("a legal pose");
            let answer = pair.distance(&DistanceParams { cold: true, ..Default::default() });
            hand.number(answer.upper);
            hand.contact(&answer.nearest.filter(|nearest| nearest.distance > 0.0));
            ask_hand(&mut pair, &poses[step], &mut random, &mut hand);
        }
    }
    hand
}

/// Small steps away from a pose, for what a pair remembers between them.
fn stroll(pair: &mut Pair<&Model>, [at_a, at_b]: &[Transform; 2], steps: usize, paths: &mut Hash) {
    let (a, b) = pair.models();
    let [size_a, size_b] = [a, b].map(|model| (model.bounds()[1] - model.bounds()[0]).max_element());
    pair.reset();
    for step in 0..steps {
        let turn = DMat3::from_axis_angle(DVec3::new(0.48, 0.6, 0.64), step as f64 * 2e-3);
        let away = DVec3::new(1.0, -0.5, 0.25) * (step as f64 * 1e-3 * size_a.min(size_b));
        let at_b = Transform { rotation: turn * at_b.rotation, translation: at_b.translation + away, ..*at_b };
        pair.set_transforms(Some(at_a), Some(&at_b)).expect("a legal pose");
        let answer = pair.distance(&DistanceParams::default());
        paths.number(answer.upper);
        paths.contact(&answer.nearest);
        paths.counters(pair.counters());
    }
}

/// The hashes of one volume; models are built by `workers`, and `threads` threads share the pairs among them.
fn hashes(volume: VolumeKind, extent: Extent, workers: &dyn Workers, threads: usize) -> [u64; 3] {
    let models: Vec<Model> = corpus().iter().map(|mesh| built(mesh, volume, workers)).collect();
    let count = models.len();
    let one = |number: usize| {
        let (a, b) = (&models[number / count], &models[number % count]);
        let mut pair = Pair::new(a, b).expect("equal volumes");
        let [mut answers, mut paths, mut hand] = [Hash::new(); 3];
        let poses = poses(&mut Random(number as u64), a, b);
        let asked = match extent {
            Extent::All => &poses[..],
            Extent::Part if number.is_multiple_of(2) => &poses[number / 2 % poses.len()..][..1],
            Extent::Part => &[],
        };
        ask(&mut pair, asked, &mut answers, &mut paths);
        if let Some(first) = asked.first() {
            stroll(&mut pair, first, 12, &mut paths);
            pair.reset();
            pair.set_transforms(Some(&first[0]), Some(&first[1])).expect("a legal pose");
            ask_hand(&mut pair, first, &mut Random(number as u64), &mut hand);
        }
        [answers, paths, hand]
    };
    let mut single = vec![None; count * count];
    if threads <= 1 {
        single.iter_mut().enumerate().for_each(|(number, place)| *place = Some(one(number)));
    } else {
        // Interleaved, so that several threads read the same models at the same time.
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads)
                .map(|thread| {
                    let one = &one;
                    scope.spawn(move || {
                        (thread..count * count).step_by(threads).map(|number| (number, one(number))).collect::<Vec<_>>()
                    })
                })
                .collect();
            for (number, hashes) in handles.into_iter().flat_map(|handle| handle.join().expect("no panic")) {
                single[number] = Some(hashes);
            }
        });
    }
    let mut all = [Hash::new(), Hash::new(), updates(volume, extent)];
    for hashes in single.into_iter().map(|hashes| hashes.expect("every pair was asked")) {
        all.iter_mut().zip(hashes).for_each(|(all, hash)| all.word(hash.0));
    }
    all.map(|hash| hash.0)
}

/// Two volumes at a time: where lanes are made of single numbers this takes minutes.
fn report(extent: Extent, threads: usize) -> String {
    let kinds = scenes::volumes();
    let line = |kind: VolumeKind| {
        let [answers, paths, hand] = hashes(kind, extent, &Inline, threads);
        format!("hashes {} {answers:#018x} {paths:#018x} {hand:#018x}\n", kind.name())
    };
    let lines = |first: usize| kinds.iter().skip(first).step_by(2).map(|kind| line(*kind)).collect::<String>();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| lines(1));
        lines(0) + &second.join().expect("a hash of every volume")
    })
}

/// Not a test by itself: what the copy of this program on another instruction set runs.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_some() {
        print!("level {}\n{}", level::name(), report(Extent::All, 1));
    }
}

fn of_child(instruction_set: &str) -> (String, String) {
    let output = std::process::Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "child", "--nocapture", "--test-threads=1"])
        .env("FEELER_ISA", instruction_set)
        .env(CHILD, "1")
        .output()
        .expect("this program runs again");
    assert!(output.status.success(), "{instruction_set}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("plain text");
    // The harness writes the name of the test before the first line of its output.
    let level = text.lines().find_map(|line| line.split_once("level ")).expect("a level").1;
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("hashes")).collect();
    (level.to_string(), lines.join("\n") + "\n")
}

/// Compares a report with the pinned hashes, or prints it if it is to be pinned.
fn compare(report: &str, extent: Extent) {
    if std::env::var_os("FEELER_BLESS").is_some() {
        println!("{report}");
        return;
    }
    for line in report.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let answers = format!("{:#018x}", ANSWERS[extent as usize]);
        assert_eq!(words[2], answers, "{}: the answers changed; see the head of this file", words[1]);
        let hand = format!("{:#018x}", HAND[extent as usize]);
        assert_eq!(words[4], hand, "{}: the answers to a hand changed; see the head of this file", words[1]);
        match PATHS.iter().find(|(kind, _)| kind.name() == words[1]) {
            Some((_, paths)) => {
                let paths = format!("{:#018x}", paths[extent as usize]);
                assert_eq!(words[3], paths, "{}: the paths changed; see the head", words[1]);
            }
            None => println!("{} is not pinned: {}", words[1], words[3]),
        }
    }
}

#[test]
fn a_part_gives_the_pinned_bits() {
    println!("level {}", level::name());
    compare(&report(Extent::Part, 2), Extent::Part);
}

#[test]
fn every_instruction_set_gives_the_pinned_bits() {
    let here = report(Extent::All, 1);
    compare(&here, Extent::All);
    // Elsewhere a process has one instruction set, and an emulated program cannot start itself again.
    if !cfg!(target_arch = "x86_64") || level::name() == "portable" {
        return;
    }
    let mut levels = Vec::new();
    for instruction_set in ["sse2", "avx2", "avx512", ""] {
        let (level, there) = of_child(instruction_set);
        assert_eq!(there, here, "{level}, asked for {instruction_set:?}");
        levels.push(level);
    }
    println!("levels {levels:?}");
    assert_eq!(levels[0], "sse2", "FEELER_ISA forces the smaller set");
}

/// A mesh of several parts of 1024 triangles, which are what threads share: every tree is the same to the last bit.
#[test]
fn every_number_of_threads_builds_the_same_tree() {
    let mesh = meshes::lattice_box(20).map(|v| v.normalize() * (1.0 + 0.2 * v.x * v.y * v.z));
    for kind in scenes::volumes() {
        let text = |workers: &dyn Workers| {
            let model = built(&mesh, kind, workers);
            let built = model.built().expect("a built model");
            format!("{:?} {:?}", built.hierarchy, built.ids)
        };
        let alone = text(&Inline);
        for threads in 1..=8 {
            assert!(text(&Threads(threads)) == alone, "{}, {threads} threads", kind.name());
        }
    }
}

#[test]
fn builders_and_queries_on_many_threads_give_the_same_bits() {
    for kind in scenes::volumes() {
        let alone = hashes(kind, Extent::All, &Inline, 1);
        let shared = hashes(kind, Extent::All, &Threads(8), 8);
        assert_eq!(shared, alone, "{}, 8 threads", kind.name());
        // What threads could change is the tree, and all paths tell that.
        let part = hashes(kind, Extent::Part, &Inline, 1);
        for threads in 1..8 {
            let shared = hashes(kind, Extent::Part, &Threads(threads), threads);
            assert_eq!(shared, part, "{}, {threads} threads", kind.name());
        }
    }
}
