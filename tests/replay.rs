//! Frames of every kind, one after the other on one pair: what the pair remembers changes no distance and no verdict.
//!
//! Both models move, jump and change their scales; vertices are updated, models are exchanged; questions of all kinds come in any
//! order. Every answer is compared with that of a cold query. The ordinary tests replay some ten thousand frames; a million:
//! `FEELER_FRAMES=1000000 cargo test --release --test replay -- --nocapture`.

use feeler::internals::model::VolumeKind;
use feeler::internals::query::*;
use feeler::{BuildParams, Inline, Model, Pair, Transform};
use feeler_tools::scenes::{self, Array, pairings, volumes};
use feeler_tools::{Mesh, Random, deformations, meshes};
use glam::{DMat3, DQuat, DVec3};
use std::cell::Cell;
use std::ops::Deref;

/// A handle to a model that changes: to the pair every version is the same model after an update.
#[derive(Clone, Copy)]
struct Handle<'m>(&'m Cell<&'m Model>);

impl Deref for Handle<'_> {
    type Target = Model;
    fn deref(&self) -> &Model {
        self.0.get()
    }
}

/// A mesh and what became of it after updates, each with a number of its own.
fn versions(mesh: &Mesh, volume: VolumeKind, random: &mut Random) -> Vec<Model> {
    let params = BuildParams { volume, deformable: true, ..BuildParams::default() };
    (0..3)
        .map(|number| {
            let mut model = Model::new(&mesh.source()).unwrap();
            model.build_with(&params, &Inline).unwrap();
            for _ in 0..number {
                let moved = deformations::jitter(&mesh.vertices, 0.1 * number as f64, random.bits());
                model.update_vertices(&moved[..]).unwrap();
            }
            model
        })
        .collect()
}

fn bodies() -> Vec<Mesh> {
    vec![
        meshes::torus(14, 7, 0.3),
        meshes::random_soup(70, 0.4, 3),
        meshes::lattice_box(3),
        meshes::needles(30, 3),
        meshes::random_soup(1, 1.0, 5),
        scenes::with_stray(&meshes::sphere(7, 5), 1e5),
        meshes::plane(7, 6),
    ]
}

/// Where a model is.
#[derive(Clone, Copy)]
struct Body {
    rotation: DQuat,
    centre: DVec3,
    scale: f64,
}

impl Body {
    fn transform(&self) -> Transform {
        let rotation = DMat3::from_quat(self.rotation);
        Transform { rotation, translation: self.centre, scale: DVec3::splat(self.scale) }
    }

    fn turn(&mut self, axis: DVec3, angle: f64) {
        self.rotation = (DQuat::from_axis_angle(axis, angle) * self.rotation).normalize();
    }
}

fn cold_distance(pair: &mut Pair<&Model>) -> DistanceAnswer {
    pair.distance(&DistanceParams { cold: true, ..Default::default() })
}

/// One pair of volumes, replayed for some frames.
struct Replay<'m> {
    cells: [&'m Cell<&'m Model>; 2],
    /// For each side two models with their versions, and which model it is.
    models: [[&'m [Model]; 2]; 2],
    current: [usize; 2],
    coherent: Pair<Handle<'m>>,
    cold: Pair<&'m Model>,
    bodies: [Body; 2],
    random: Random,
    label: String,
    /// Queries that looked at nothing, and all.
    skipped: u64,
    asked: u64,
}

impl Replay<'_> {
    /// Half the diameter of the smaller model, without strays.
    fn size(&self) -> f64 {
        self.bodies[0].scale.min(self.bodies[1].scale)
    }

    fn frame(&mut self, step: f64) {
        let side = (self.random.bits() % 2) as usize;
        let axis = self.random.direction();
        let size = self.size();
        match self.random.bits() % 64 {
            0 => self.bodies[side].centre += self.random.direction() * size * 2.0,
            1 => self.bodies[side].scale *= [0.5, 2.0, 1.25, 0.8][(self.random.bits() % 4) as usize],
            2 => {
                let to = (self.random.bits() % 3) as usize;
                self.cells[side].set(&self.models[side][self.current[side]][to]);
                self.coherent.follow_models().unwrap();
            }
            3 => {
                // Another model, or the old one again.
                self.current[side] = 1 - self.current[side];
                self.cells[side].set(&self.models[side][self.current[side]][0]);
                let handle = Handle(self.cells[side]);
                let (a, b) = if side == 0 { (Some(handle), None) } else { (None, Some(handle)) };
                self.coherent.set_models(a, b).unwrap();
            }
            4 => self.coherent.reset(),
            5..=9 => {}
            10..=19 => {
                // Straight at the other model: nearly as far, exactly as far, or a little farther than there is room for.
                let answer = cold_distance(&mut self.cold);
                if let Some(nearest) = answer.nearest.filter(|_| answer.upper > 0.0) {
                    let share = [0.3, 0.5, 0.999, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, -0.7][(self.random.bits() % 7) as usize];
                    let way = nearest.normal * answer.upper * share;
                    self.bodies[side].centre += if side == 0 { way } else { -way };
                }
            }
            20..=29 => self.bodies[side].turn(axis, step * 3.0),
            _ => {
                for body in &mut self.bodies {
                    body.centre += self.random.point() * step * size;
                    body.turn(axis, step * self.random.number());
                }
                // Models that part for ever tell little, and so do models that lie in each other.
                let apart = self.bodies[1].centre - self.bodies[0].centre;
                let wanted = self.bodies[0].scale + self.bodies[1].scale;
                self.bodies[1].centre -= apart * (0.5 * step) * (apart.length() - wanted).signum();
            }
        }
        self.place();
    }

    fn place(&mut self) {
        let models = [self.cells[0].get(), self.cells[1].get()];
        let [at_a, at_b] = self.bodies.map(|body| body.transform());
        self.coherent.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
        self.cold.set_models(Some(models[0]), Some(models[1])).unwrap();
        self.cold.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
    }

    fn ask(&mut self) {
        let distance = cold_distance(&mut self.cold).upper;
        for _ in 0..1 + self.random.bits() % 3 {
            self.ask_one(distance);
            let counters = self.coherent.counters();
            self.skipped += (counters.work + counters.front_tests + counters.triangle_tests == 0) as u64;
            self.asked += 1;
        }
    }

    fn ask_one(&mut self, distance: f64) {
        let label = format!("{}, distance {distance:e}", self.label);
        let near =
            [distance, distance.next_down().max(0.0), distance * (1.0 - 1e-10), distance * 1.0001, distance * 0.7];
        let threshold = near[(self.random.bits() % 5) as usize];
        let (pair, cold_pair) = (&mut self.coherent, &mut self.cold);
        let cold = self.random.bits().is_multiple_of(16);
        match self.random.bits() % 10 {
            0..=3 => {
                let answer = pair.collide(&CollideParams { cold, ..Default::default() });
                assert!(answer.complete, "{label}");
                assert_eq!(answer.contact.is_some(), distance == 0.0, "{label}: {answer:?}");
            }
            4 | 5 => {
                let answer = pair.tolerance(&ToleranceParams { cold, tolerance: threshold, max_work: 0 });
                assert_eq!(answer.closer, distance <= threshold, "{label}, tolerance {threshold:e}: {answer:?}");
                assert!(answer.complete && answer.lower <= distance && distance <= answer.upper, "{label}: {answer:?}");
            }
            6 | 7 => {
                let margin = if self.random.bits().is_multiple_of(2) { 0.0 } else { threshold };
                let [mut found, mut expected] = [Array::new(usize::MAX), Array::new(usize::MAX)];
                let answer = pair.contacts(&ContactsParams { cold, margin, ..Default::default() }, &mut found);
                let params = ContactsParams { cold: true, margin, ..Default::default() };
                assert_eq!(answer, cold_pair.contacts(&params, &mut expected), "{label}, margin {margin:e}");
                assert_eq!(found.contacts, expected.contacts, "{label}, margin {margin:e}");
            }
            8 => {
                let answer = pair.distance(&DistanceParams { cold, ..Default::default() });
                assert_eq!((answer.lower, answer.upper), (distance, distance), "{label}: {answer:?}");
            }
            _ => {
                let answer = pair.distance(&DistanceParams { cold, max_distance: threshold, ..Default::default() });
                let expected = if distance <= threshold { distance } else { f64::INFINITY };
                assert_eq!(answer.upper, expected, "{label}, at most {threshold:e}: {answer:?}");
            }
        }
    }
}

/// Replays frames of a pair of volumes; how many queries looked at nothing, and how many were asked.
fn replay((volume_a, volume_b): (VolumeKind, VolumeKind), seed: u64, frames: u64) -> (u64, u64) {
    let mut random = Random(seed);
    let meshes = bodies();
    let mut pick = |volume: VolumeKind| {
        let mesh = &meshes[(random.bits() % meshes.len() as u64) as usize];
        versions(mesh, volume, &mut random)
    };
    let [a, b, other_a, other_b] = [pick(volume_a), pick(volume_b), pick(volume_a), pick(volume_b)];
    let cells = [Cell::new(&a[0]), Cell::new(&b[0])];
    let body = |centre: DVec3| Body { rotation: DQuat::IDENTITY, centre, scale: 1.0 };
    let start = random.direction() * 1.5;
    let scale = 10f64.powi([0, 0, 0, -7, 6][(random.bits() % 5) as usize]);
    let mut replay = Replay {
        cells: [&cells[0], &cells[1]],
        models: [[&a, &other_a], [&b, &other_b]],
        current: [0, 0],
        coherent: Pair::new(Handle(&cells[0]), Handle(&cells[1])).unwrap(),
        cold: Pair::new(&a[0], &b[0]).unwrap(),
        bodies: [Body { scale, ..body(random.point() * scale) }, Body { scale, ..body(start * scale) }],
        random,
        label: String::new(),
        skipped: 0,
        asked: 0,
    };
    let step = [1e-2, 1e-3, 1e-4, 1e-5][(seed % 4) as usize];
    replay.place();
    for number in 0..frames {
        replay.label = format!("{} {}, seed {seed}, frame {number}", volume_a.name(), volume_b.name());
        replay.frame(step);
        replay.ask();
    }
    (replay.skipped, replay.asked)
}

#[test]
fn coherent_answers_are_those_of_cold_queries() {
    let all: u64 = std::env::var("FEELER_FRAMES").map_or(30_000, |text| text.parse().unwrap());
    let pairings = pairings();
    // Each pairing gets several scenes, the default volume with itself a fifth of all.
    let frames = 150;
    let scenes = all.div_ceil(frames);
    let (mut skipped, mut asked) = (0, 0);
    for scene in 0..scenes {
        let pairing = if scene % 5 == 0 { 0 } else { scene as usize % pairings.len() };
        let (more, of) = replay(pairings[pairing], scene, frames);
        (skipped, asked) = (skipped + more, asked + of);
    }
    println!("{} frames, {asked} queries, {skipped} of them looked at nothing", scenes * frames);
    assert!(skipped * 10 > asked, "{skipped} of {asked} queries were answered without looking");
}

/// A pass along the front that leaves the rest to a walk must leave each lane once, even where a block waits twice: this scene counted
/// three contacts twice.
#[test]
fn what_a_pass_leaves_is_visited_once() {
    let (scene, pairings) = (4501, pairings());
    replay(pairings[scene % pairings.len()], scene as u64, 150);
}

fn single(corners: [DVec3; 3], volume: VolumeKind) -> Model {
    let mut model = Model::new(&(&corners[..], &[[0, 1, 2]][..])).unwrap();
    model.build_with(&BuildParams { volume, ..BuildParams::default() }, &Inline).unwrap();
    model
}

/// Motions that use a clearance up: a needle above the tip of a pin sinks, or turns about its middle so that its end comes straight
/// down. The tolerance is the distance after the step, so that any clearance that is left too large answers wrongly.
#[test]
fn a_clearance_is_used_up_by_the_motion() {
    let mut random = Random(77);
    let mut nearest = [f64::INFINITY; 4];
    for volume in volumes() {
        // The ends are farthest from the middle of its box, which it turns about.
        let needle = single([DVec3::X, -DVec3::X, DVec3::new(0.1, 0.01, 0.0)], volume);
        for number in 0..200 {
            let (swaps, turns) = (number % 2 == 1, number % 4 > 1);
            let angle = 10f64.powf(-1.0 - 3.0 * random.unit());
            let gap = 10f64.powf(-2.0 * random.unit());
            let (start, sinks) = if turns { (-angle, 0.0) } else { (angle, gap * random.unit()) };
            let tip = DVec3::X * angle.cos();
            let pin = single([tip, tip + DVec3::new(0.05, 0.02, -1.0), tip + DVec3::new(-0.05, -0.02, -1.0)], volume);
            let (a, b) = if swaps { (&needle, &pin) } else { (&pin, &needle) };
            let [mut pair, mut cold] = [(); 2].map(|_| Pair::new(a, b).unwrap());
            let place = |pair: &mut Pair<&Model>, turn: f64, height: f64| {
                let (rotation, translation) = (DMat3::from_rotation_y(turn), DVec3::Z * height);
                let at = Transform { rotation, translation, scale: DVec3::ONE };
                let (at_a, at_b) = if swaps { (at, Transform::IDENTITY) } else { (Transform::IDENTITY, at) };
                pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
            };
            let height = angle.sin() + gap;
            place(&mut pair, start, height);
            let far = pair.distance(&DistanceParams::default()).upper;
            place(&mut pair, angle, height - sinks);
            place(&mut cold, angle, height - sinks);
            let near = cold_distance(&mut cold).upper;
            for (tolerance, closer) in [(near, true), (near * (1.0 - 1e-5), false), (near * 0.5, false)] {
                let answer = pair.tolerance(&ToleranceParams { tolerance, ..Default::default() });
                let label = format!("{}, {number}: from {far:e} to {near:e}", volume.name());
                assert_eq!(answer.closer, closer, "{label}: {answer:?}");
                if !closer && pair.counters().work == 0 {
                    let left = &mut nearest[number % 4];
                    *left = left.min(1.0 - tolerance / near);
                }
            }
        }
    }
    println!("answered without looking up to these shares of the distance: {nearest:?}");
    assert!(nearest.iter().all(|&share| share < 1.1e-5), "{nearest:?}");
}
