//! Any two swept sphere volumes answer every query about each other like the plain walk, bit for bit, in both orders.

use feeler::internals::model::{BuildParams, HybridSelection, Model, VolumeKind};
use feeler::internals::query::contact_sink::ContactList;
use feeler::internals::query::*;
use feeler::internals::tree::build::workers::Inline;
use feeler::{Pair, Transform};
use feeler_tools::{Mesh, Random, meshes};
use glam::{DMat3, DVec3};

const VOLUMES: [(VolumeKind, HybridSelection); 5] = [
    (VolumeKind::Sphere, HybridSelection::Static),
    (VolumeKind::Lss, HybridSelection::Static),
    (VolumeKind::Rss, HybridSelection::Static),
    (VolumeKind::Hybrid, HybridSelection::Static),
    (VolumeKind::Hybrid, HybridSelection::Dynamic),
];

fn built(mesh: &Mesh, (volume, hybrid_selection): (VolumeKind, HybridSelection)) -> Model {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    model.build_with(&BuildParams { volume, hybrid_selection, ..Default::default() }, &Inline).expect("memory");
    model.validate().expect("a valid hierarchy");
    model
}

/// Near, touching and far poses.
fn poses(count: usize, seed: u64) -> Vec<Transform> {
    let mut random = Random(seed);
    (0..count)
        .map(|index| {
            let reach = [0.3, 1.0, 1.6, 2.5, 2000.0][index % 5];
            let turn = glam::DQuat::from_scaled_axis(random.point() * 3.0);
            Transform {
                rotation: DMat3::from_quat(turn.normalize()),
                translation: random.point() * reach,
                scale: DVec3::splat([1.0, 0.5, 2.0][index % 3]),
            }
        })
        .collect()
}

fn corpus() -> Vec<(&'static str, Mesh)> {
    vec![
        ("torus", meshes::torus(16, 8, 0.3)),
        ("soup", meshes::random_soup(60, 0.4, 1)),
        ("needles", meshes::needles(60, 3)),
        ("degenerate", meshes::degenerate(60, 4)),
        ("one point", meshes::degenerate(9, 6).map(|_| DVec3::new(0.3, -0.7, 11.0))),
        ("plane", meshes::plane(7, 5)),
    ]
}

#[test]
fn every_pair_of_swept_spheres_answers_like_the_plain_walk() {
    let corpus = corpus();
    let models: Vec<Vec<Model>> =
        corpus.iter().map(|(_, mesh)| VOLUMES.iter().map(|&volume| built(mesh, volume)).collect()).collect();
    for (first, of_first) in models.iter().enumerate() {
        let second = (first + 1) % models.len();
        let mut pairs = Vec::new();
        for (a, volume_a) in of_first.iter().zip(VOLUMES) {
            for (b, volume_b) in models[second].iter().zip(VOLUMES) {
                let name = format!("{} as {volume_a:?}, {} as {volume_b:?}", corpus[first].0, corpus[second].0);
                pairs.push((name, Pair::new(a, b).expect("one family")));
            }
        }
        for (index, pose) in poses(10, first as u64 + 1).iter().enumerate() {
            let mut expected = None;
            for (name, pair) in &mut pairs {
                pair.set_transforms(None, Some(pose)).expect("a legal pose");
                // Ids and coordinates, and so these answers, do not depend on the volumes.
                let expected = expected.get_or_insert_with(|| Expected::new(pair));
                expected.check(pair, &format!("{name}, pose {index}"));
            }
        }
    }
}

/// What the plain walk says.
struct Expected {
    distance: f64,
    touching: u64,
    margin: f64,
    near: u64,
}

impl Expected {
    fn new(pair: &Pair<&Model>) -> Self {
        let (plain, counters) = (pair.plain_walk(), &mut Counters::default());
        let distance = plain.distance(&DistanceParams::default(), counters).upper;
        let margin = distance * 1.01 + 1e-9;
        let mut count = |margin| plain.contacts(&ContactsParams { margin, ..Default::default() }, 0, counters).0.found;
        Self { distance, touching: count(0.0), margin, near: count(margin) }
    }

    fn check(&self, pair: &mut Pair<&Model>, name: &str) {
        let found = pair.distance(&DistanceParams { cold: true, ..Default::default() });
        assert!(found.complete, "{name}");
        assert_eq!(found.upper.to_bits(), self.distance.to_bits(), "{name}: {} {}", found.upper, self.distance);
        let touching = pair.collide(&CollideParams { cold: true, ..Default::default() }).contact.is_some();
        assert_eq!(touching, self.touching > 0, "{name}");
        for (margin, expected) in [(0.0, self.touching), (self.margin, self.near)] {
            let params = ContactsParams { cold: true, margin, ..Default::default() };
            assert_eq!(pair.contacts(&params, &mut ContactList::default()).found, expected, "{name} within {margin}");
        }
        for (factor, closer) in [(0.99, false), (1.01, true)] {
            let tolerance = self.distance * factor;
            if tolerance > 0.0 {
                let answer = pair.tolerance(&ToleranceParams { cold: true, tolerance, ..Default::default() });
                assert_eq!(answer.closer, closer, "{name} at {factor}");
            }
        }
    }
}

/// [Larsen 1999, 4.2]: the cheap shapes decide lanes that would otherwise cost a test of rectangles.
#[test]
fn dynamic_selection_makes_fewer_tight_tests_than_rss() {
    let mesh = meshes::torus(60, 30, 0.3);
    let count = |volume| {
        let (a, b) = (built(&mesh, volume), built(&mesh, volume));
        let mut pair = Pair::new(&a, &b).expect("one family");
        let (mut tight, mut cheap) = (0, 0);
        for pose in poses(50, 9) {
            pair.set_transforms(None, Some(&pose)).expect("a legal pose");
            pair.distance(&DistanceParams { cold: true, ..Default::default() });
            let counters = pair.counters();
            tight += counters.volume_tests - counters.cheap_tests;
            cheap += counters.cheap_tests;
        }
        (tight, cheap)
    };
    let (rss, _) = count((VolumeKind::Rss, HybridSelection::Static));
    let (tight, cheap) = count((VolumeKind::Hybrid, HybridSelection::Dynamic));
    println!("tight tests: RSS {rss}, dynamic hybrid {tight}, and {cheap} that cheaper shapes decided");
    assert!(tight < rss && cheap > 0);
}
