//! What a pair remembers where models are large against what is near, or far apart: certificates are measured from an anchor there. Answers
//! are those of cold queries, and memory saves as much as between ordinary models.

use feeler::internals::model::VolumeKind;
use feeler::internals::query::*;
use feeler::{BuildParams, Inline, Model, Pair, Transform};
use feeler_tools::scenes::{self, Array};
use feeler_tools::{Mesh, Random, meshes};
use glam::{DMat3, DQuat, DVec3};

fn build(mesh: &Mesh, volume: VolumeKind) -> Model {
    let mut model = Model::new(&mesh.source()).unwrap();
    model.build_with(&BuildParams { volume, ..BuildParams::default() }, &Inline).unwrap();
    model
}

/// One vertex of a scan that is far away: its triangle is a needle that begins among the others.
fn with_needle(mesh: &Mesh, far: f64) -> Mesh {
    let [from, to] = [mesh.vertices[0], mesh.vertices[1]];
    mesh.clone().with(&Mesh::soup([[from, to, DVec3::new(-0.6, 0.64, 0.48) * far]]))
}

/// Parts, `spread` apart from each other.
fn scene(part: &Mesh, spread: f64) -> Mesh {
    let mut scene = Mesh::default();
    for number in 0..12 {
        let at = DVec3::new((number % 2) as f64, (number / 2 % 2) as f64, (number / 4) as f64) * spread;
        scene = scene.with(&part.clone().map(|vertex| vertex + at));
    }
    scene
}

/// Two meshes, and where the middle of what is near is in each of them.
struct Large {
    name: String,
    meshes: [Mesh; 2],
    middles: [DVec3; 2],
    away: f64,
}

fn large(random: &mut Random, number: usize) -> Large {
    let parts =
        [meshes::sphere(9, 7), meshes::torus(12, 6, 0.3), meshes::random_soup(60, 0.4, 3), meshes::lattice_box(3)];
    let part = |random: &mut Random| parts[random.bits() as usize % parts.len()].clone();
    let [a, b] = [part(random), part(random)];
    let far = 10f64.powf(6.0 + 3.0 * random.number());
    let named = |name: &str, meshes: [Mesh; 2], middles: [DVec3; 2]| Large {
        name: format!("{name}, {far:e}"),
        meshes,
        middles,
        away: 2.0,
    };
    let none = [DVec3::ZERO; 2];
    match number % 9 {
        0 => named("stray of A", [scenes::with_stray(&a, far), b], none),
        1 => named("stray of B", [a, scenes::with_stray(&b, far)], none),
        2 => named("strays of both", [scenes::with_stray(&a, far), scenes::with_stray(&b, far).map(|v| -v)], none),
        3 => named("needle of A", [with_needle(&a, far), scenes::with_stray(&b, far)], none),
        4 => named("needle of B", [a, with_needle(&b, far)], none),
        5 => named("a tool in a scene", [scene(&a, far), b], [DVec3::new(far, far, 2.0 * far), DVec3::ZERO]),
        6 => named("a scene past a tool", [a, scene(&b, far)], [DVec3::ZERO, DVec3::new(far, 0.0, far)]),
        7 => named("two scenes", [scene(&a, far), scene(&b, far)], [DVec3::splat(far), DVec3::new(0.0, far, far)]),
        _ => Large { away: 10f64.powf(3.5 + 2.0 * random.number()), ..named("far apart", [a, b], none) },
    }
}

/// Where a model is: the place of its middle, which it turns about.
#[derive(Clone, Copy)]
struct Body {
    rotation: DQuat,
    centre: DVec3,
    middle: DVec3,
    scale: DVec3,
}

impl Body {
    fn transform(&self) -> Transform {
        let rotation = DMat3::from_quat(self.rotation);
        Transform { rotation, translation: self.centre - rotation * (self.scale * self.middle), scale: self.scale }
    }
}

struct Replay<'m> {
    coherent: Pair<&'m Model>,
    cold: Pair<&'m Model>,
    bodies: [Body; 2],
    random: Random,
    size: f64,
    away: f64,
    label: String,
}

impl Replay<'_> {
    fn turn(&mut self, side: usize, angle: f64) {
        let turn = DQuat::from_axis_angle(self.random.direction(), angle);
        self.bodies[side].rotation = (turn * self.bodies[side].rotation).normalize();
    }

    fn frame(&mut self, step: f64) {
        let side = (self.random.bits() % 2) as usize;
        match self.random.bits() % 64 {
            0 => self.bodies[side].centre += self.random.direction() * self.size * 2.0,
            1 => self.turn(side, 2.0),
            2..=5 => {}
            6..=12 => {
                let answer = self.cold.distance(&DistanceParams { cold: true, ..Default::default() });
                if let Some(nearest) = answer.nearest.filter(|_| answer.upper > 0.0 && answer.upper < 10.0 * self.size)
                {
                    let share = [0.01, 0.3, 0.999, 1.0, -0.7][(self.random.bits() % 5) as usize];
                    let way = nearest.normal * answer.upper * share;
                    self.bodies[side].centre += if side == 0 { way } else { -way };
                }
            }
            13..=24 => self.turn(side, step * 2.0),
            25..=34 => self.bodies[side].centre += self.random.direction() * step * self.size,
            _ => {
                for side in 0..2 {
                    self.bodies[side].centre += self.random.point() * step * self.size;
                    let angle = step * self.random.number();
                    self.turn(side, angle);
                }
                let apart = self.bodies[1].centre - self.bodies[0].centre;
                let sign = (apart.length() - self.away * self.size).signum();
                self.bodies[1].centre -= apart.normalize_or_zero() * (0.5 * step * self.size) * sign;
            }
        }
        self.place();
    }

    fn place(&mut self) {
        let [at_a, at_b] = self.bodies.map(|body| body.transform());
        for pair in [&mut self.coherent, &mut self.cold] {
            pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
        }
    }

    fn ask(&mut self, question: u64) {
        let (pair, label) = (&mut self.coherent, &self.label);
        let expected = self.cold.distance(&DistanceParams { cold: true, ..Default::default() });
        let distance = expected.upper;
        let near = [distance, distance.next_down().max(0.0), distance * 1.0001, distance * 0.7];
        let threshold = near[(self.random.bits() % 4) as usize];
        match question {
            0 => {
                let answer = pair.distance(&DistanceParams::default());
                assert_eq!((answer.lower, answer.upper), (distance, distance), "{label}: {answer:?}");
            }
            1 => {
                let answer = pair.collide(&CollideParams::default());
                assert_eq!(answer.contact.is_some(), distance == 0.0, "{label}, distance {distance:e}: {answer:?}");
            }
            2 => {
                let answer = pair.tolerance(&ToleranceParams { tolerance: threshold, ..Default::default() });
                assert_eq!(answer.closer, distance <= threshold, "{label}, {threshold:e}, {distance:e}: {answer:?}");
            }
            _ => {
                let [mut found, mut expected] = [Array::new(usize::MAX), Array::new(usize::MAX)];
                let margin = if self.random.bits().is_multiple_of(2) { 0.0 } else { threshold };
                let params = ContactsParams { margin, ..Default::default() };
                let answer = pair.contacts(&params, &mut found);
                assert_eq!(
                    answer,
                    self.cold.contacts(&ContactsParams { cold: true, ..params }, &mut expected),
                    "{label}"
                );
                assert_eq!(found.contacts, expected.contacts, "{label}, margin {margin:e}");
            }
        }
    }
}

/// `FEELER_FRAMES=1000000` replays as many.
#[test]
fn answers_are_those_of_cold_queries() {
    let volumes = [VolumeKind::Obb, VolumeKind::Aabb, VolumeKind::Rss, VolumeKind::Obb, VolumeKind::Kdop18];
    let frames: usize = std::env::var("FEELER_FRAMES").map_or(36_000, |text| text.parse().unwrap());
    let (mut asked, mut with_front) = (0, [0; 9]);
    for number in 0..frames.div_ceil(200) {
        let mut random = Random(number as u64 + 1);
        let Large { name, meshes, middles, away } = large(&mut random, number);
        let volume = volumes[number % volumes.len()];
        // Boxes of two kinds, too.
        let other = if volume == VolumeKind::Aabb && number % 2 == 0 { VolumeKind::Obb } else { volume };
        let (a, b) = (build(&meshes[0], volume), build(&meshes[1], other));
        let size = 10f64.powi([0, 0, -7, 6][(random.bits() % 4) as usize]);
        let scales = [DVec3::ONE, DVec3::ONE, DVec3::new(1.0, -1.0, 1.0), DVec3::splat(0.5)];
        let mut body = |middle: DVec3, centre: DVec3| {
            let scale = scales[(random.bits() % 4) as usize] * size;
            Body { rotation: DQuat::IDENTITY, centre: centre * size, middle, scale }
        };
        let bodies = [body(middles[0], DVec3::new(0.3, -0.2, 0.1)), body(middles[1], DVec3::new(0.6, 0.0, 0.8) * away)];
        let params = feeler::PairParams { max_front: [0, 0, 0, 64][number % 4], ..Default::default() };
        let [coherent, cold] = [(); 2].map(|_| Pair::with_params(&a, &b, &params).unwrap());
        let mut replay = Replay { coherent, cold, bodies, random, size, away, label: String::new() };
        let step = [1e-2, 1e-3, 1e-4, 1e-5][number / 9 % 4];
        // A question of its own, or all of them in turn.
        let question = replay.random.bits() % 6;
        for frame in 0..200 {
            replay.label = format!("{name}, {volume:?}, scene {number}, frame {frame}, step {step}");
            replay.frame(step);
            let question = if question < 4 { question } else { replay.random.bits() % 4 };
            replay.ask(question);
            asked += 1;
            let counters = replay.coherent.counters();
            with_front[number % 9] += (counters.front_tests + counters.front_updates > 0) as u32;
        }
    }
    println!("{asked} queries; those that asked a front, by scene: {with_front:?}");
    assert!(with_front.iter().all(|&count| count * 100 > asked as u32 / 9), "{with_front:?}");
}

/// The mean work of queries along a path past A, in steps of a share of B's size, while B turns by as much, and how many per cent of them
/// asked a front.
fn work(a: &Model, b: &Model, middles: [DVec3; 2], away: f64, share: f64, cold: bool) -> (f64, u32) {
    let mut pair = Pair::new(a, b).unwrap();
    let axis = DVec3::new(0.36, 0.48, 0.8);
    let (count, mut sum, mut asked) = (400, 0, 0);
    for number in 0..count {
        let way = 2.0 * share * (number as f64 - 0.5 * count as f64);
        let rotation = DQuat::from_axis_angle(axis, share * number as f64);
        let centre = middles[0] + DVec3::new(0.6 * way, away, 0.8 * way);
        let at_b = Body { rotation, centre, middle: middles[1], scale: DVec3::ONE }.transform();
        pair.set_transforms(None, Some(&at_b)).unwrap();
        pair.distance(&DistanceParams { cold, ..Default::default() });
        sum += pair.counters().work;
        asked += (pair.counters().front_tests + pair.counters().front_updates > 0) as u32;
    }
    (sum as f64 / count as f64, asked * 100 / count as u32)
}

#[test]
fn memory_saves_as_much_as_between_ordinary_models() {
    let mut dear = Vec::new();
    let mut compare = |name: &str, (warm, asked): (f64, u32), (other, _): (f64, u32), most: f64| {
        println!("{name}: {warm} where {asked} % asked a front, beside {other}");
        if warm > most * other + 16.0 || asked < 50 {
            dear.push(name.to_string());
        }
    };
    let (sphere, tool) = (meshes::sphere(40, 40), meshes::sphere(24, 20));
    let none = [DVec3::ZERO; 2];
    for volume in [VolumeKind::Obb, VolumeKind::Aabb, VolumeKind::Rss] {
        let (without, tool) = (build(&sphere, volume), build(&tool, volume));
        let (small, large) = (build(&scene(&sphere, 8.0), volume), build(&scene(&sphere, 5e6), volume));
        for share in [1e-3, 1e-4] {
            let name = |what: &str| format!("{volume:?}, {what}, step {share}");
            let ordinary = work(&without, &without, none, 2.3, share, false);
            for far in [1e5, 1e6] {
                let stray = build(&scenes::with_stray(&sphere, far), volume);
                let other = build(&scenes::with_stray(&sphere, far).map(|v| -v), volume);
                for (whose, [a, b]) in
                    [("A", [&stray, &without]), ("B", [&without, &stray]), ("both", [&stray, &other])]
                {
                    let warm = work(a, b, none, 2.3, share, false);
                    compare(&name(&format!("stray of {whose} at {far:e}")), warm, ordinary, 1.5);
                }
            }
            let (near, far) = (DVec3::splat(8.0), DVec3::splat(5e6));
            let ordinary = work(&small, &tool, [near, DVec3::ZERO], 2.3, share, false);
            let warm = work(&large, &tool, [far, DVec3::ZERO], 2.3, share, false);
            compare(&name("a tool in a scene"), warm, ordinary, 1.5);
            let ordinary = work(&tool, &small, [DVec3::ZERO, near], 2.3, share, false);
            let warm = work(&tool, &large, [DVec3::ZERO, far], 2.3, share, false);
            compare(&name("a scene past a tool"), warm, ordinary, 1.5);
            for away in [40.0, 1e3, 1e5] {
                let [cold, warm] = [true, false].map(|cold| work(&without, &without, none, away, share, cold));
                compare(&name(&format!("{away} away")), warm, cold, 0.8);
            }
        }
    }
    assert!(dear.is_empty(), "{dear:?}");
}

/// The strays of two models meet far away while the models turn by so little that nothing else notices: lanes that reach beyond the anchor
/// lose what they turn times how far away they are.
#[test]
fn strays_that_meet_are_met() {
    let (sphere, far, step) = (meshes::sphere(20, 16), 1e5, 2e-6);
    let (centre, stray) = (DVec3::X * 2.5, DVec3::new(0.0, far, 0.0));
    let triangle = |at: DVec3| Mesh::soup([[at, at + DVec3::X * 0.01, at + DVec3::Z * 0.01]]);
    let turned = |number: f64| DMat3::from_rotation_z(step * number);
    for volume in [VolumeKind::Obb, VolumeKind::Aabb, VolumeKind::Rss, VolumeKind::Kdop18] {
        for (middle, past) in [(150.3, 0.05), (290.6, 0.2)] {
            let of_b = turned(middle).transpose() * (stray + DVec3::Z * past - centre);
            let a = build(&sphere.clone().with(&triangle(stray)), volume);
            let b = build(&sphere.clone().with(&triangle(of_b)), volume);
            let [mut distances, mut tolerances, mut cold] = [(); 3].map(|_| Pair::new(&a, &b).unwrap());
            let (mut met, mut asked) = (0, 0);
            for number in 0..400 {
                let at_b = scenes::pose(turned(number as f64), centre, 1.0);
                for pair in [&mut distances, &mut tolerances, &mut cold] {
                    pair.set_transforms(None, Some(&at_b)).unwrap();
                }
                let expected = cold.distance(&DistanceParams { cold: true, ..Default::default() }).upper;
                let label = format!("{volume:?}, past {past}, frame {number}");
                assert_eq!(distances.distance(&DistanceParams::default()).upper, expected, "{label}");
                asked += (distances.counters().front_tests + distances.counters().front_updates > 0) as u32;
                let params = ToleranceParams { tolerance: 0.35, ..Default::default() };
                assert_eq!(tolerances.tolerance(&params).closer, expected <= 0.35, "{label}, {expected}");
                met += (expected < 0.4) as u32;
            }
            println!("{volume:?}: {met} frames near the strays, {asked} with a front");
            assert!(met > 0 && met < 20 && asked > 200, "{volume:?}: {met} {asked}");
        }
    }
}
