//! Every query with every volume, and with every pairing inside a family, answers what the plain walk answers, bit for bit.

use feeler::internals::model::{BuildParams, Model, SplitRule, VolumeKind};
use feeler::internals::query::contact_sink::ContactList;
use feeler::internals::query::*;
use feeler::internals::tree::build::workers::Inline;
use feeler::{Pair, Status, Transform};
use feeler_tools::{Mesh, Random, meshes};
use glam::{DMat3, DQuat, DVec3};

/// The volumes that this version builds.
fn volumes() -> Vec<VolumeKind> {
    let mesh = meshes::plane(1, 1);
    let supported = |kind: &VolumeKind| {
        let mut model = Model::new(&mesh.source()).expect("a legal mesh");
        match model.build_with(&BuildParams { volume: *kind, ..BuildParams::default() }, &Inline) {
            Ok(()) => true,
            Err(error) => {
                assert_eq!(error.status, Status::Unsupported);
                false
            }
        }
    };
    VolumeKind::ALL.into_iter().filter(supported).collect()
}

fn built(mesh: &Mesh, volume: VolumeKind, split: SplitRule) -> Model {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    model.build_with(&BuildParams { volume, split, ..BuildParams::default() }, &Inline).expect("a build");
    model.validate().unwrap_or_else(|defect| panic!("{}: {defect}", volume.name()));
    model
}

fn scenes() -> Vec<(&'static str, Mesh, Mesh, f64)> {
    vec![
        ("torus and sphere", meshes::torus(16, 8, 0.4), meshes::sphere(14, 8), 1.5),
        ("soups", meshes::random_soup(150, 0.3, 1), meshes::random_soup(120, 0.5, 2), 1.2),
        ("flat on flat", meshes::plane(9, 7), meshes::plane(8, 8).map(|v| v * 0.7), 0.6),
        ("needles and degenerate", meshes::needles(120, 3), meshes::degenerate(120, 4), 1.0),
        ("one triangle", meshes::random_soup(1, 0.5, 5), meshes::torus(10, 8, 0.3), 1.0),
        ("small at large", meshes::sphere(10, 6).map(|v| v * 1e-4), meshes::torus(16, 10, 0.4), 1.0),
        ("far", meshes::torus(10, 6, 0.4), meshes::sphere(10, 8), 1e5),
        ("huge", meshes::torus(8, 6, 0.4).map(|v| v * 1e200), meshes::sphere(8, 6).map(|v| v * 1e200), 1.5e200),
    ]
}

fn pose(random: &mut Random, spread: f64) -> Transform {
    let direction = random.point();
    let turn = DQuat::from_xyzw(random.number(), random.number(), random.number(), random.number()).normalize();
    Transform { rotation: DMat3::from_quat(turn), translation: direction * spread, ..Transform::IDENTITY }
}

fn compare(what: &str, a: &Model, b: &Model, poses: &[Transform]) {
    let mut pair = Pair::new(a, b).expect("one family");
    for (number, pose) in poses.iter().enumerate() {
        let what = format!("{what}, pose {number}");
        pair.set_transforms(None, Some(pose)).expect("a legal pose");
        let mut counters = Counters::default();
        let expected = pair.plain_walk().distance(&DistanceParams::default(), &mut counters);
        for search in [Search::DepthFirst, Search::BestFirst] {
            let params = DistanceParams { cold: true, search, ..DistanceParams::default() };
            let answer = pair.distance(&params);
            assert_eq!(answer.upper.to_bits(), expected.upper.to_bits(), "{what}, {search:?}");
            if expected.upper > 0.0 {
                assert_eq!(answer, expected, "{what}, {search:?}");
            }
        }
        let distance = expected.upper;
        let collide = pair.collide(&CollideParams { cold: true, ..CollideParams::default() });
        assert_eq!(collide.contact.is_some(), distance == 0.0, "{what}");
        for tolerance in [distance, distance * 0.999, distance * 1.1] {
            let params = ToleranceParams { cold: true, tolerance, ..ToleranceParams::default() };
            assert_eq!(pair.tolerance(&params).closer, distance <= tolerance, "{what}");
        }
        for margin in [0.0, distance * 1.05] {
            let params = ContactsParams { cold: true, margin, ..ContactsParams::default() };
            let (expected, contacts) = pair.plain_walk().contacts(&params, usize::MAX, &mut counters);
            let mut list = ContactList::default();
            assert_eq!(pair.contacts(&params, &mut list), expected, "{what}, margin {margin}");
            assert!(list.contacts.iter().flatten().eq(contacts.iter()), "{what}, margin {margin}");
        }
    }
}

#[test]
fn every_volume_and_pairing_equals_the_plain_walk() {
    let volumes = volumes();
    assert!(volumes.contains(&VolumeKind::Obb));
    for (name, mesh_a, mesh_b, spread) in scenes() {
        let mut random = Random(name.len() as u64);
        let poses: Vec<Transform> = (0..4).map(|_| pose(&mut random, spread)).collect();
        let build = |mesh: &Mesh| -> Vec<Model> {
            volumes.iter().map(|&volume| built(mesh, volume, SplitRule::Auto)).collect()
        };
        let (models_a, models_b) = (build(&mesh_a), build(&mesh_b));
        for a in &models_a {
            for b in models_b.iter().filter(|b| a.volume().pairs_with(b.volume())) {
                compare(&format!("{name}: {} and {}", a.volume().name(), b.volume().name()), a, b, &poses);
            }
        }
    }
}

#[test]
fn every_volume_takes_every_split() {
    let mesh = meshes::torus(12, 8, 0.3);
    let poses = [pose(&mut Random(1), 1.2), pose(&mut Random(2), 2.0)];
    for volume in volumes() {
        let other = built(&meshes::sphere(10, 6), volume, SplitRule::Auto);
        for split in [SplitRule::SurfaceArea, SplitRule::Midpoint, SplitRule::Mean, SplitRule::Median] {
            compare(&format!("{}, {split:?}", volume.name()), &built(&mesh, volume, split), &other, &poses);
        }
    }
}

/// The refusal names both volumes and says what to do.
#[test]
fn other_mixtures_are_refused() {
    let models: Vec<Model> =
        volumes().into_iter().map(|volume| built(&meshes::sphere(6, 4), volume, SplitRule::Auto)).collect();
    for a in &models {
        for b in &models {
            let (first, second) = (a.volume(), b.volume());
            match Pair::new(a, b) {
                Ok(_) => assert!(first.pairs_with(second)),
                Err(error) => {
                    assert!(!first.pairs_with(second));
                    assert_eq!(error.status, Status::Incompatible);
                    for word in [first.name(), second.name(), "build"] {
                        assert!(error.message.contains(word), "{word} is missing in: {}", error.message);
                    }
                }
            }
        }
    }
}

/// Volume tests and triangle tests of collide, summed over the poses; none of them may touch.
fn collide_counts(mesh: &Mesh, volume: VolumeKind, poses: &[Transform]) -> (u64, u64) {
    let model = built(mesh, volume, SplitRule::Auto);
    let mut pair = Pair::new(&model, &model).expect("one volume");
    let (mut volumes, mut triangles) = (0, 0);
    for pose in poses {
        pair.set_transforms(None, Some(pose)).expect("a legal pose");
        let answer = pair.collide(&CollideParams { cold: true, ..CollideParams::default() });
        assert!(answer.contact.is_none(), "meant to be apart");
        volumes += pair.counters().volume_tests;
        triangles += pair.counters().triangle_tests;
    }
    (volumes, triangles)
}

/// [Krishnan 1998, table 1]: shells follow a curved surface, so a near copy of that surface needs fewer tests.
#[test]
fn shells_need_fewer_tests_than_boxes_in_parallel_proximity() {
    let patch = meshes::grid(80, 80, |u, v| {
        let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        DVec3::new(x, y, -0.35 * x * x - 0.25 * y * y + 0.05 * x * y * y)
    });
    for displacement in [0.02, 0.006, 0.002] {
        let pose = Transform { translation: DVec3::Z * displacement, ..Transform::IDENTITY };
        let (shells, _) = collide_counts(&patch, VolumeKind::Shell, &[pose]);
        let (boxes, _) = collide_counts(&patch, VolumeKind::Obb, &[pose]);
        println!("displaced by {displacement}: {shells} tests of shells, {boxes} of boxes");
        assert!(shells < boxes, "displaced by {displacement}: {shells} tests of shells, {boxes} of boxes");
    }
}

/// [Larsen 1999, 7.4]: a sphere around a long triangle is mostly empty.
#[test]
fn spheres_lose_on_long_triangles() {
    let tube = |around: u32, along: u32| {
        meshes::grid(around, along, |u, v| {
            let (sine, cosine) = (u * core::f64::consts::TAU).sin_cos();
            DVec3::new(0.5 * cosine, 0.5 * sine, 4.0 * v - 2.0)
        })
    };
    let poses = [0.3, 1.0, 1.8].map(|angle| Transform {
        rotation: DMat3::from_rotation_x(angle),
        translation: DVec3::X * 1.1,
        ..Transform::IDENTITY
    });
    let ratio = |mesh: &Mesh| {
        let (_, spheres) = collide_counts(mesh, VolumeKind::Sphere, &poses);
        let (_, rectangles) = collide_counts(mesh, VolumeKind::Rss, &poses);
        println!("triangle tests: {spheres} with spheres, {rectangles} with rectangle swept spheres");
        spheres as f64 / rectangles.max(1) as f64
    };
    let (long, compact) = (ratio(&tube(200, 1)), ratio(&tube(16, 12)));
    assert!(long > 10.0 * compact, "{long} times the triangles for long ones, {compact} for compact ones");
}
