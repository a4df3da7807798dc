//! Paths walked with and without memory: what a pair remembers changes how much is looked at, never a distance or a bound.

use feeler::internals::model::VolumeKind;
use feeler::internals::pair::PairParams;
use feeler::internals::query::*;
use feeler::{Model, Pair, Transform};
use feeler_tools::scenes::{Shape, Walk};
use feeler_tools::{Random, meshes, scenes};
use glam::{DMat3, DQuat, DVec3};

/// A walk near A: steps of a given share of B's size, towards A and away from it, with turns and pauses.
struct Wander {
    random: Random,
    rotation: DQuat,
    centre: DVec3,
    spin: DVec3,
    velocity: DVec3,
    /// A step, in world units and in radians.
    step: f64,
    turn: f64,
}

impl Wander {
    fn new(seed: u64, start: DVec3, step: f64, turn: f64) -> Self {
        let mut random = Random(seed);
        let (spin, velocity) = (random.point(), random.point());
        Self { random, rotation: DQuat::IDENTITY, centre: start, spin, velocity, step, turn }
    }

    fn next(&mut self, target: DVec3, number: usize) -> (DMat3, DVec3) {
        match number % 41 {
            0 => self.spin = self.random.point(),
            // A pause: the same pose again.
            17 | 18 => return (DMat3::from_quat(self.rotation), self.centre),
            _ => {}
        }
        // Slowly to A, past its surface and away again.
        let home = (target - self.centre) * if number % 120 < 60 { 1.0 } else { -0.5 };
        self.velocity = self.velocity * 0.9 + home.normalize_or_zero() * 0.1 + self.random.point() * 0.05;
        self.centre += self.velocity.normalize_or_zero() * self.step;
        let axis = self.spin.normalize_or(DVec3::X);
        self.rotation = (DQuat::from_axis_angle(axis, self.turn) * self.rotation).normalize();
        (DMat3::from_quat(self.rotation), self.centre)
    }
}

/// Every other path is one of the default volume, whose certificates have directions; the others have margins.
const VOLUMES: [VolumeKind; 7] = [
    VolumeKind::Obb,
    VolumeKind::Aabb,
    VolumeKind::Obb,
    VolumeKind::Kdop18,
    VolumeKind::Obb,
    VolumeKind::Rss,
    VolumeKind::Shell,
];

fn shapes() -> Vec<Shape> {
    let volumes = [VolumeKind::Obb, VolumeKind::Aabb, VolumeKind::Kdop18, VolumeKind::Rss, VolumeKind::Shell];
    vec![
        Shape::new("torus", meshes::torus(24, 12, 0.3), &volumes),
        Shape::new("sphere", meshes::sphere(18, 12), &volumes),
        Shape::new("soup", meshes::random_soup(150, 0.25, 3), &volumes),
        Shape::new("box", meshes::lattice_box(5), &volumes),
        Shape::new("needles", meshes::needles(60, 3), &volumes),
        Shape::new("degenerate", meshes::degenerate(60, 4), &volumes),
        Shape::new("eight", meshes::random_soup(8, 0.7, 8), &volumes),
        Shape::new("triangle", meshes::random_soup(1, 1.0, 5), &volumes),
        Shape::new("minute heart", scenes::with_heart(2f64.powi(-80)), &volumes),
        Shape::new("off centre", meshes::torus(9, 5, 0.4).map(|v| v + DVec3::new(700.0, -300.0, 50.0)), &volumes),
    ]
}

struct Path<'s> {
    a: &'s Model,
    b: &'s Model,
    params: PairParams,
    label: String,
}

impl<'s> Path<'s> {
    fn pair(&self) -> Pair<&'s Model> {
        Pair::with_params(self.a, self.b, &self.params).unwrap()
    }
}

/// Poses of both models along paths of many step sizes, scales and places.
fn for_paths(seed: u64, count: usize, mut visit: impl FnMut(&Path, &mut dyn Iterator<Item = (Transform, Transform)>)) {
    let shapes = shapes();
    let mut random = Random(seed);
    for number in 0..count {
        let [a, b] = [(); 2].map(|_| &shapes[random.bits() as usize % shapes.len()]);
        let scale = 10f64.powi([0, 0, -9, 7][number % 4]);
        let step = [1e-5, 1e-4, 1e-3, 5e-3, 0.1][number % 5];
        let size = b.reach().min(a.reach()) * scale;
        let rotation_a = scenes::random_rotation(&mut random);
        let centre_a = random.point() * 3.0 * scale;
        let start = centre_a + random.point().normalize() * (a.reach() + b.reach()) * 0.8 * scale;
        let mut wander = Wander::new(random.bits() | 1, start, step * size, step * [1.0, 0.1, 3.0][number % 3]);
        let max_front = [0, 0, 0, 1, 40, 400][number % 6];
        let label = format!("{} {}, path {number}, scale {scale:e}, step {step}, front {max_front}", a.name, b.name);
        let params = PairParams { max_front, ..Default::default() };
        let volume = VOLUMES[number % VOLUMES.len()];
        let label = format!("{label}, {volume:?}");
        let path = Path { a: a.model(volume), b: b.model(volume), params, label };
        let at_a = scenes::centred(a, rotation_a, centre_a, scale);
        let mut poses = (0..150).map(|number| {
            let (rotation, centre) = wander.next(centre_a, number);
            (at_a, scenes::centred(b, rotation, centre, scale))
        });
        visit(&path, &mut poses);
    }
}

fn exact(cold: bool) -> DistanceParams {
    DistanceParams { cold, ..Default::default() }
}

#[test]
fn distances_along_paths_are_those_of_cold_queries() {
    let (mut queries, mut asked, mut rebuilt) = (0, 0, 0);
    for_paths(1, 132, |path, poses| {
        let [mut coherent, mut cold] = [path.pair(), path.pair()];
        for (number, (at_a, at_b)) in poses.enumerate() {
            for pair in [&mut coherent, &mut cold] {
                pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
            }
            let (answer, expected) = (coherent.distance(&exact(false)), cold.distance(&exact(true)));
            let label = format!("{}, step {number}", path.label);
            assert!(answer.complete && answer.lower == answer.upper, "{label}: {answer:?}");
            assert_eq!(answer.upper.to_bits(), expected.upper.to_bits(), "{label}: {answer:?} {expected:?}");
            queries += 1;
            let counters = coherent.counters();
            asked += (counters.front_tests + counters.front_updates > 0) as u32;
            rebuilt += coherent.counters().front_rebuilds;
            let work = counters.expansions + counters.triangle_tests + counters.front_tests;
            assert!(counters.work <= work, "{label}: {counters:?}");
        }
    });
    println!("{queries} queries, {asked} asked a front, {rebuilt} built one");
    // Small models and small fronts do not pay, and large steps never do.
    assert!(asked > 1500, "the front was asked in {asked} of {queries} queries only");
}

/// Other queries in between change what the pair remembers: the last pair, and with `reset` everything.
#[test]
fn other_queries_in_between_change_no_distance() {
    for_paths(2, 80, |path, poses| {
        let [mut coherent, mut cold] = [path.pair(), path.pair()];
        let mut random = Random(path.label.len() as u64 + 1);
        for (number, (at_a, at_b)) in poses.enumerate() {
            for pair in [&mut coherent, &mut cold] {
                pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
            }
            let distance = cold.distance(&exact(true)).upper;
            let label = format!("{}, step {number}, distance {distance:e}", path.label);
            for _ in 0..3 {
                match random.bits() % 9 {
                    0 => {
                        let tolerance = distance * [0.9, 1.1, 3.0][number % 3];
                        let answer = coherent.tolerance(&ToleranceParams { tolerance, ..Default::default() });
                        assert_eq!(answer.closer, distance <= tolerance, "{label}: {answer:?}");
                    }
                    1 => {
                        let answer = coherent.collide(&CollideParams::default());
                        assert_eq!(answer.contact.is_some(), distance == 0.0, "{label}: {answer:?}");
                    }
                    2 if number % 13 == 0 => coherent.reset(),
                    3 => drop(coherent.distance(&DistanceParams { search: SearchOrder::BestFirst, ..exact(false) })),
                    4 => {
                        let params = DistanceParams { relative_error: 0.1, ..exact(false) };
                        let answer = coherent.distance(&params);
                        assert!(answer.lower <= distance && distance <= answer.upper, "{label}: {answer:?}");
                        assert!(answer.upper <= distance * 1.1 * (1.0 + 1e-15), "{label}: {answer:?}");
                    }
                    5 => {
                        let max_distance = distance * [0.5, 1.5][number % 2];
                        let answer = coherent.distance(&DistanceParams { max_distance, ..exact(false) });
                        let expected = if distance <= max_distance { distance } else { f64::INFINITY };
                        assert_eq!(answer.upper, expected, "{label}: {answer:?}");
                    }
                    6 => {
                        let max_work = 1 + random.bits() % 1200;
                        let answer = coherent.distance(&DistanceParams { max_work, ..exact(false) });
                        assert!(answer.lower <= distance && distance <= answer.upper, "{label}: {answer:?}");
                        assert!(answer.upper.is_finite(), "{label}: {answer:?}");
                        let work = coherent.counters().work;
                        assert!(work <= max_work + 9, "{label}: {work} of {max_work}");
                    }
                    _ => {
                        let answer = coherent.distance(&exact(false));
                        assert_eq!(answer.upper.to_bits(), distance.to_bits(), "{label}: {answer:?}");
                    }
                }
            }
        }
    });
}

/// The pair that a coherent query names is as near as it says.
#[test]
fn nearest_pairs_of_coherent_queries_are_nearest() {
    for_paths(3, 30, |path, poses| {
        let mut pair = path.pair();
        for (at_a, at_b) in poses.step_by(7) {
            pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
            let nearest = pair.distance(&exact(false)).nearest.unwrap();
            let walk = Walk::new(&pair);
            assert_eq!(walk.distance(), walk.of(nearest.triangle_a, nearest.triangle_b), "{}", path.label);
        }
    });
}

/// A budget that a front fits in: a still scene asked again and again ends at the exact answer.
#[test]
fn budgets_along_a_front_reach_the_exact_answer() {
    for_paths(4, 40, |path, poses| {
        let [mut coherent, mut cold] = [path.pair(), path.pair()];
        for (number, (at_a, at_b)) in poses.enumerate() {
            for pair in [&mut coherent, &mut cold] {
                pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
            }
            let distance = cold.distance(&exact(true)).upper;
            if number % 5 != 0 {
                coherent.distance(&exact(false));
                continue;
            }
            let max_work = [70, 150, 400, 1000][number % 4];
            let mut calls = 0;
            loop {
                let answer = coherent.distance(&DistanceParams { max_work, ..exact(false) });
                assert!(answer.lower <= distance && distance <= answer.upper, "{}: {answer:?}", path.label);
                if answer.complete {
                    assert_eq!(answer.upper.to_bits(), distance.to_bits(), "{}", path.label);
                    break;
                }
                calls += 1;
                assert!(calls < 1000, "{}, step {number}: no end with budget {max_work}", path.label);
            }
        }
    });
}

/// A spin of many turns: what B turned and moved is counted into the certificates again and again. Ten million frames, of which one in
/// a hundred is compared: `FEELER_SPINS=10000000 cargo test --release --test coherence long_spins`.
#[test]
fn long_spins_wear_no_certificate_out() {
    let all: u64 = std::env::var("FEELER_SPINS").map_or(3000, |text| text.parse().unwrap());
    for volume in [VolumeKind::Obb, VolumeKind::Aabb] {
        long_spin(volume, all);
    }
}

fn long_spin(volume: VolumeKind, all: u64) {
    let shapes = shapes();
    let (a, b) = (shapes[0].model(volume), shapes[3].model(volume));
    let [mut coherent, mut cold] = [(); 2].map(|_| Pair::new(a, b).unwrap());
    let mut asked = 0;
    let compared_every = if all > 100_000 { 101 } else { 1 };
    for number in 0..all {
        let turn = DMat3::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), number as f64 * 0.004);
        let at_b = scenes::pose(turn, DVec3::new(3.2 + 0.6 * (number as f64 * 0.002).sin(), 0.3, 0.1), 1.0);
        coherent.set_transforms(None, Some(&at_b)).unwrap();
        let answer = coherent.distance(&exact(false));
        if number % compared_every == 0 {
            cold.set_transforms(None, Some(&at_b)).unwrap();
            let expected = cold.distance(&exact(true));
            assert_eq!(answer.upper.to_bits(), expected.upper.to_bits(), "{volume:?}, step {number}");
            let tolerance = expected.upper * [0.999999, 1.000001][number as usize % 2];
            let closer = coherent.tolerance(&ToleranceParams { tolerance, ..Default::default() }).closer;
            assert_eq!(closer, expected.upper <= tolerance, "{volume:?}, step {number}");
            coherent.distance(&exact(false));
        }
        // A pass along a front whose blocks are all far enough away still refreshes one.
        let counters = coherent.counters();
        asked += (counters.front_tests + counters.front_updates > 0) as u32;
    }
    assert!(volume != VolumeKind::Obb || asked * 3 > all as u32 * 2, "{asked}");
}

#[test]
fn a_pair_without_a_front_keeps_none() {
    let shapes = shapes();
    let model = shapes[0].model(VolumeKind::Obb);
    let mut pair = Pair::with_params(model, model, &PairParams { no_front: true, ..Default::default() }).unwrap();
    assert!(pair.memory() < Pair::new(model, model).unwrap().memory());
    for number in 0..20 {
        let at_b = scenes::pose(DMat3::IDENTITY, DVec3::new(3.0, number as f64 * 1e-3, 0.0), 1.0);
        pair.set_transforms(None, Some(&at_b)).unwrap();
        pair.distance(&exact(false));
        let counters = pair.counters();
        assert_eq!((counters.front_tests, counters.front_updates, counters.front_rebuilds), (0, 0, 0));
    }
}

/// Two cubes that slide over each other: every point of the common faces is equally near, and the pair that was named last is named
/// again as long as it is one of the nearest. Cold queries take the smallest numbers instead.
#[test]
fn among_equally_near_pairs_the_last_answer_is_kept() {
    for volume in scenes::volumes() {
        let cube = Shape::new("cube", meshes::lattice_box(3), &[volume]);
        let model = cube.model(volume);
        let reach = cube.reach();
        // A gap, and faces that touch.
        for gap in [0.25, 0.0] {
            let mut pair = Pair::new(model, model).unwrap();
            let (mut last, mut changes, mut frames) = (None, 0, 0);
            for number in 0..400 {
                let slide = DVec3::new(number as f64 * 0.00071, number as f64 * 0.00037, 2.0 * reach + gap);
                let at_b = scenes::pose(DMat3::IDENTITY, slide, 1.0);
                pair.set_transforms(None, Some(&at_b)).unwrap();
                let walk = Walk::new(&pair);
                let nearest = pair.distance(&exact(false)).nearest.unwrap();
                let named = (nearest.triangle_a, nearest.triangle_b);
                let label = format!("{}, gap {gap}, step {number}", volume.name());
                assert_eq!(nearest.distance, walk.distance(), "{label}");
                if let Some((a, b)) = last.filter(|&before| before != named) {
                    assert!(walk.of(a, b) > walk.distance(), "{label}: {named:?} after {:?}, as near", (a, b));
                    changes += 1;
                }
                if gap == 0.0 {
                    let contact = pair.collide(&CollideParams::default()).contact.expect("the faces touch");
                    assert_eq!((contact.0, contact.1), named, "{label}");
                }
                (last, frames) = (Some(named), frames + 1);
            }
            assert!(changes * 10 < frames, "{}, gap {gap}: {changes} changes in {frames} steps", volume.name());
        }
    }
}
