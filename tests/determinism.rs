//! The same bits on every instruction set, for every number of threads, and on every machine: pinned hashes.
//!
//! `ANSWERS` covers what is defined: values, ids of cold queries, points, contacts; it is the same for every volume and
//! changes only when the definition (the triangle kernel, the placement) does. `PATHS` covers what a search did:
//! counters and witnesses; it changes whenever trees or searches are tuned. `Extent::Part` asks a sixteenth of it all,
//! for machines that are emulated (`scripts/arm64.sh`). To print new ones:
//! `FEELER_BLESS=1 cargo test --test determinism pinned -- --nocapture --test-threads=1`.

use feeler::internals::model::{BuildParams, VolumeKind};
use feeler::internals::query::*;
use feeler::internals::simd::level;
use feeler::internals::tree::build::workers::{Inline, Threads, Workers};
use feeler::{Model, Pair, Transform};
use feeler_tools::scenes::{Array, Hash};
use feeler_tools::{Mesh, Random, meshes, scenes};
use glam::{DMat3, DVec3};

/// All of the corpus, and the part.
const ANSWERS: [u64; 2] = [0x79f573693f51c0c0, 0x066c890acc152f1f];
/// Volumes that are not listed are compared between instruction sets and threads, but not pinned.
const PATHS: &[(VolumeKind, [u64; 2])] = &[
    (VolumeKind::Obb, [0xd9d15ef8acb65b22, 0xaafd8e2e35025828]),
    (VolumeKind::Aabb, [0x0e3a85480a9b0fc0, 0x9df68e86d898e11e]),
    (VolumeKind::Sphere, [0x8384c32c82f51dcd, 0xe0cfb67343aedfc6]),
    (VolumeKind::Lss, [0x5bb8dc9fb5d2eef5, 0x30f9550c88258e63]),
    (VolumeKind::Rss, [0x849bbff7277b7b0b, 0x880215b6e6fcce30]),
    (VolumeKind::Hybrid, [0xa0fb6fb2aa6dddfa, 0x2e71df1e538781d5]),
    (VolumeKind::ObbSphere, [0xf9173aed52b2b0cc, 0x9f53a59d24b440f5]),
    (VolumeKind::Shell, [0x2c77edb5004282a9, 0x1ff3682ee93cac8b]),
    (VolumeKind::Kdop18, [0x437a59588623ba05, 0x3069f8410a083d4b]),
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
fn hashes(volume: VolumeKind, extent: Extent, workers: &dyn Workers, threads: usize) -> (u64, u64) {
    let models: Vec<Model> = corpus().iter().map(|mesh| built(mesh, volume, workers)).collect();
    let count = models.len();
    let one = |number: usize| {
        let (a, b) = (&models[number / count], &models[number % count]);
        let mut pair = Pair::new(a, b).expect("equal volumes");
        let (mut answers, mut paths) = (Hash::new(), Hash::new());
        let poses = poses(&mut Random(number as u64), a, b);
        let asked = match extent {
            Extent::All => &poses[..],
            Extent::Part if number.is_multiple_of(2) => &poses[number / 2 % poses.len()..][..1],
            Extent::Part => &[],
        };
        ask(&mut pair, asked, &mut answers, &mut paths);
        if let Some(first) = asked.first() {
            stroll(&mut pair, first, 12, &mut paths);
        }
        (answers, paths)
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
    let (mut answers, mut paths) = (Hash::new(), Hash::new());
    for (answer, path) in single.into_iter().map(|hashes| hashes.expect("every pair was asked")) {
        answers.word(answer.0);
        paths.word(path.0);
    }
    (answers.0, paths.0)
}

fn report(extent: Extent, threads: usize) -> String {
    let mut text = String::new();
    for kind in scenes::volumes() {
        let (answers, paths) = hashes(kind, extent, &Inline, threads);
        text += &format!("hashes {} {answers:#018x} {paths:#018x}\n", kind.name());
    }
    text
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
    if !cfg!(target_arch = "x86_64") {
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

#[test]
fn builders_and_queries_on_many_threads_give_the_same_bits() {
    for kind in scenes::volumes() {
        let alone = hashes(kind, Extent::All, &Inline, 1);
        for threads in [1, 2, 3, 8] {
            let shared = hashes(kind, Extent::All, &Threads(threads), threads);
            assert_eq!(shared, alone, "{}, {threads} threads", kind.name());
        }
    }
}
