//! Model queries over volumes, searches, budgets and coherence, against the definition.

use super::{Tallies, Tally};
use crate::scenes::judge::{self, Judge, Verdict};
use crate::scenes::{self, Shape};
use crate::{Mesh, Random, meshes};
use feeler::{
    CastParams, ClosestParams, CollideParams, ContactsParams, DistanceParams, MinimaParams, Model, Pair, SearchOrder,
    SweepParams, ToleranceParams, Transform, VolumeKind,
};
use glam::{DMat3, DVec3};

/// Queries of one chunk.
pub const CHUNK: u64 = 5000;

/// Small enough to be walked in whole, and other ones in every chunk.
fn mesh(random: &mut Random) -> (&'static str, Mesh) {
    let seed = random.bits();
    let mut corpus = scenes::corpus();
    match random.below(4) {
        0 => ("soup", meshes::random_soup(20 + random.below(40) as usize, 0.1 + random.unit(), seed)),
        1 => ("needles", meshes::needles(10 + random.below(40) as usize, seed)),
        _ => corpus.swap_remove(random.below(corpus.len() as u64) as usize),
    }
}

pub fn chunk(number: u64, tallies: &mut Tallies) {
    let mut random = Random(number.wrapping_mul(0x51_7C_C1).wrapping_add(5));
    let volumes = VolumeKind::ALL;
    let mut asked = 0;
    while asked < CHUNK {
        let kind = volumes[random.below(volumes.len() as u64) as usize];
        let partners: Vec<_> = volumes.into_iter().filter(|other| kind.pairs_with(*other)).collect();
        let other = partners[random.below(partners.len() as u64) as usize];
        let [(name_a, mesh_a), (name_b, mesh_b)] = [mesh(&mut random), mesh(&mut random)];
        let (a, b) = (Shape::new(name_a, mesh_a, &[kind]), Shape::new(name_b, mesh_b, &[other]));
        let mut poses = scenes::poses(&a, &b, &mut random);
        let (name, at_a, at_b) = poses.swap_remove(random.below(poses.len() as u64) as usize);
        let mut scene = Scene {
            label: format!("{} {} {} {}, {name}, chunk {number}", kind.name(), a.name, other.name(), b.name),
            pair: Pair::new(a.model(kind), b.model(other)).expect("one family"),
            model: a.model(kind),
            shapes: [&a, &b],
            at: [at_a, at_b],
            volume: kind.name(),
            tallies,
            asked: 0,
        };
        scene.walk(&mut random);
        asked += scene.asked;
    }
}

struct Scene<'s> {
    label: String,
    pair: Pair<&'s Model>,
    /// A.
    model: &'s Model,
    shapes: [&'s Shape; 2],
    at: [Transform; 2],
    volume: &'static str,
    tallies: &'s mut Tallies,
    asked: u64,
}

impl Scene<'_> {
    /// The first pose, then a few small steps from it.
    fn walk(&mut self, random: &mut Random) {
        let size = self.shapes[0].reach().max(self.shapes[1].reach()) * self.at[1].scale.abs().max_element();
        for step in 0..4 {
            let (at_a, at_b) = (self.at[0], self.at[1]);
            if self.pair.set_transforms(Some(&at_a), Some(&at_b)).is_err() {
                return;
            }
            self.ask(random, step > 0);
            let turn = DMat3::from_axis_angle(random.direction(), 1e-3 * random.unit());
            self.at[1].rotation = turn * self.at[1].rotation;
            self.at[1].translation += random.point() * size * 10f64.powi(-(random.below(5) as i32) - 1);
        }
    }

    fn count(&mut self, query: &str, how: &str, is_touching: bool, verdict: Verdict) {
        if let Err(words) = &verdict {
            self.tallies.note(format!("{}: {words}", self.label));
        }
        let tally =
            Tally { count: 1, touching: is_touching as u64, wrong: verdict.is_err() as u64, ..Tally::default() };
        let isa = self.tallies.instruction_set.clone();
        let rows = [
            ("queries-1 query", query),
            ("queries-2 how", how),
            ("queries-3 volume of A", self.volume),
            ("queries-4 instruction set", &isa),
        ];
        self.tallies.add(&rows, tally);
        self.asked += 1;
    }

    fn ask(&mut self, random: &mut Random, is_later: bool) {
        let judge = Judge::new(&self.pair);
        let value = judge.value();
        let touching = value == 0.0;
        let budget = 1 + random.below(200);
        for cold in [true, false] {
            let how = if cold {
                "0@cold, exact"
            } else if is_later {
                "1@after small steps, exact"
            } else {
                "2@warm, exact"
            };
            for (search, name) in [
                (SearchOrder::Auto, "00@distance, order chosen by the library"),
                (SearchOrder::DepthFirst, "01@distance, depth first"),
                (SearchOrder::BestFirst, "02@distance, best first"),
            ] {
                let params = DistanceParams { cold, search, ..DistanceParams::default() };
                let verdict = judge.distance(&mut self.pair, &params);
                self.count(name, how, touching, verdict);
                let verdict = judge.distance(&mut self.pair, &DistanceParams { max_work: budget, ..params });
                self.count(name, "3@with a budget", touching, verdict);
                let near = value * [0.5, 1.0, 1.5][random.below(3) as usize];
                let loose = DistanceParams { relative_error: random.unit(), absolute_error: value * 0.1, ..params };
                let verdict = judge.distance(&mut self.pair, &loose);
                self.count(name, "4@with errors allowed", touching, verdict);
                let verdict = judge.distance(&mut self.pair, &DistanceParams { max_distance: near, ..loose });
                self.count(name, "5@with errors and a largest distance", touching, verdict);
            }
            let verdict = judge.collide(&mut self.pair, &CollideParams { cold, max_work: 0 });
            self.count("03@collide", how, touching, verdict);
            let verdict = judge.collide(&mut self.pair, &CollideParams { cold, max_work: budget });
            self.count("03@collide", "3@with a budget", touching, verdict);
            for tolerance in [value, value.next_down().max(0.0), value * 1.3] {
                let verdict = judge.tolerance(&mut self.pair, &ToleranceParams { cold, max_work: 0, tolerance });
                self.count("04@tolerance", how, touching, verdict);
                let verdict = judge.tolerance(&mut self.pair, &ToleranceParams { cold, max_work: budget, tolerance });
                self.count("04@tolerance", "3@with a budget", touching, verdict);
            }
        }
        for margin in [0.0, value, value * 1.3] {
            let params = ContactsParams { margin, ..ContactsParams::default() };
            let verdict = judge.contacts(&mut self.pair, &params, 64);
            self.count("05@contacts", "0@cold, exact", touching, verdict);
            let verdict = judge.contacts(&mut self.pair, &ContactsParams { max_work: budget, ..params }, 64);
            self.count("05@contacts", "3@with a budget", touching, verdict);
        }
        let meshes = [&self.shapes[0].mesh, &self.shapes[1].mesh];
        let params = MinimaParams { margin: value * 1.2, ..MinimaParams::default() };
        let verdict = judge.minima(&mut self.pair, meshes, &params, 64);
        self.count("06@local minima", "1@after small steps, exact", touching, verdict);
        self.ask_one_model(random, touching);
        if !is_later && touching != (random.below(8) > 0) {
            self.sweep(random, value);
        }
    }

    fn ask_one_model(&mut self, random: &mut Random, touching: bool) {
        let (model, pose, shape) = (self.model, self.at[0], self.shapes[0]);
        let size = shape.reach().max(1e-9) * pose.scale.abs().max_element();
        let centre = pose.apply(shape.centre());
        let point = |random: &mut Random| {
            let vertex = shape.mesh.vertices[random.below(shape.mesh.vertices.len() as u64) as usize];
            if random.below(3) == 0 { pose.apply(vertex) } else { centre + random.point() * size * 2.0 }
        };
        let max_work = if random.below(3) == 0 { 1 + random.below(40) } else { 0 };
        let how = if max_work == 0 { "0@cold, exact" } else { "3@with a budget" };
        let params = ClosestParams { max_work, ..ClosestParams::default() };
        let verdict = judge::closest_point(model, &pose, point(random), &params);
        self.count("07@closest point", how, touching, verdict);
        let radius = if random.below(2) == 0 { 0.0 } else { size * 0.1 * random.unit() };
        let params = CastParams { all: random.below(2) == 0, max_work, radius, ..CastParams::default() };
        let verdict = judge::cast(model, &pose, [point(random), point(random)], &params, 32);
        self.count(if radius == 0.0 { "08@cast, segment" } else { "09@cast, sphere" }, how, touching, verdict);
        let verdict = judge::within_ball(model, &pose, point(random), size * random.unit(), 32);
        self.count("10@within a ball", "0@cold, exact", touching, verdict);
    }

    fn sweep(&mut self, random: &mut Random, value: f64) {
        let [from_a, from_b] = self.at;
        let size = self.shapes[0].reach().max(self.shapes[1].reach()) * from_b.scale.abs().max_element();
        let towards = from_a.translation - from_b.translation + random.point() * size;
        let to_b = Transform {
            rotation: scenes::random_rotation(random) * from_b.rotation,
            translation: from_b.translation + towards,
            ..from_b
        };
        let tolerance = (value * 0.01).max(size * 1e-3);
        if !(tolerance.is_finite() && tolerance > 0.0 && to_b.translation.is_finite()) || towards == DVec3::ZERO {
            return;
        }
        let params = SweepParams { cold: random.below(2) == 0, max_work: 100_000, tolerance };
        let verdict = judge::sweep(&mut self.pair, [&from_a, &from_b], [&from_a, &to_b], &params, 12);
        self.count("11@sweep", "3@with a budget", value == 0.0, verdict);
        let _ = self.pair.set_transforms(Some(&from_a), Some(&from_b));
    }
}
