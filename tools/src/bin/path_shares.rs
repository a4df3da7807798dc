//! Which arithmetic the pairs of flat workloads need, as they are and turned, scaled and moved:
//! `cargo run --release -p feeler-tools --bin path_shares -- [workload ...]`.
//!
//! Looked at are the pairs of triangles within 2^-22 of the size of the scene: what contacts and collide test, and what a distance
//! query between touching or nearly touching faces measures. Shares are per mille of these pairs, places of those that touch.
//! The time is that of the contacts query, with points and normals, divided by these pairs: the best of three.

use feeler::internals::model::{BuildParams, Model};
use feeler::internals::primitive::path::{self, DistancePath, PlacePath, VerdictPath};
use feeler::internals::primitive::{Triangle, intersects};
use feeler::internals::query::ContactsParams;
use feeler::{ContactList, Pair, Transform};
use feeler_tools::Workload;
use feeler_tools::arguments::arguments;
use glam::{DMat3, DVec3};
use std::time::Instant;

const STORED: &[&str] = &["robust_boxes", "robust_coincident"];
const OWN: &[&str] =
    &["boxes_touching", "boxes_coinciding", "box_on_table", "boxes_stacked", "tori_coinciding", "machine_parts"];
/// Poses of each workload, spread over all.
const POSES: usize = 12;

/// Both meshes in another frame: v becomes `turn * v * scale + shift`.
struct Frame {
    name: &'static str,
    turn: DMat3,
    scale: f64,
    shift: DVec3,
}

fn frames() -> Vec<Frame> {
    let frame = |name, turn, scale, shift| Frame { name, turn, scale, shift };
    let arbitrary = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), 0.7);
    vec![
        frame("as it is", DMat3::IDENTITY, 1.0, DVec3::ZERO),
        frame("turned by 90 degrees", DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z), 1.0, DVec3::ZERO),
        frame("turned by 45 degrees", DMat3::from_rotation_z(std::f64::consts::FRAC_PI_4), 1.0, DVec3::ZERO),
        frame("turned anyhow", arbitrary, 1.0, DVec3::ZERO),
        frame("times 0.1", DMat3::IDENTITY, 0.1, DVec3::ZERO),
        frame("moved by 1000", DMat3::IDENTITY, 1.0, DVec3::new(1000.0, -700.0, 300.1)),
    ]
}

impl Frame {
    fn of(&self, workload: &Workload) -> Workload {
        let mesh = |mesh: &feeler_tools::Mesh| mesh.clone().map(|v| self.turn * v * self.scale + self.shift);
        let pose = |pose: &Transform| {
            let rotation = self.turn * pose.rotation * self.turn.transpose();
            // What keeps the models as they are to each other: the frame, the pose, and the frame undone.
            let translation = self.turn * pose.translation * self.scale + self.shift - rotation * self.shift;
            Transform { rotation, translation, ..*pose }
        };
        let (a, b) = (mesh(&workload.a), mesh(&workload.b));
        Workload { name: workload.name.clone(), a, b, poses: workload.poses.iter().map(pose).collect() }
    }
}

#[derive(Default)]
struct Shares {
    pairs: u64,
    touching: u64,
    verdicts: [u64; 3],
    distances: [u64; 4],
    places: [u64; 4],
    seconds: f64,
}

impl Shares {
    fn add(&mut self, a: &Triangle, b: &Triangle) {
        self.pairs += 1;
        self.verdicts[match path::of_verdict(a, b) {
            VerdictPath::Filter => 0,
            VerdictPath::Signs => 1,
            VerdictPath::Exact => 2,
        }] += 1;
        self.distances[match path::of_distance(a, b) {
            DistancePath::Plain => 0,
            DistancePath::Touching => 1,
            DistancePath::Finish => 2,
            DistancePath::Robust => 3,
        }] += 1;
        if intersects(a, b) {
            self.touching += 1;
            self.places[match path::of_place(a, b) {
                PlacePath::Crossing => 0,
                PlacePath::Piercing => 1,
                PlacePath::CommonPoint => 2,
                PlacePath::Exact => 3,
            }] += 1;
        }
    }
}

fn measure(workload: &Workload) -> Shares {
    let [a, b] = workload.models(&BuildParams::default());
    let margin = workload.a.diagonal() * 2f64.powi(-22);
    let mut pair: Pair<&Model> = Pair::new(&a, &b).expect("equal volumes");
    let mut shares = Shares::default();
    let count = workload.poses.len();
    for number in (0..POSES.min(count)).map(|k| k * count / POSES.min(count)) {
        pair.set_transforms(None, Some(&workload.poses[number])).expect("a legal pose");
        let mut near = ContactList::default();
        let params = ContactsParams { cold: true, margin, ids_only: true, ..Default::default() };
        pair.contacts(&params, &mut near);
        let walk = pair.plain_walk();
        for contact in near.contacts.iter().flatten() {
            shares.add(&walk.placed_a(contact.triangle_a), &walk.placed_b(contact.triangle_b));
        }
        let mut ask = || {
            let start = Instant::now();
            pair.contacts(&ContactsParams { cold: true, ..Default::default() }, &mut ContactList::default());
            start.elapsed().as_secs_f64()
        };
        shares.seconds += ask().min(ask()).min(ask());
    }
    shares
}

fn main() {
    println!(
        "| workload | frame | pairs | touch | verdict: filter, signs, exact | distance: plain, touching, double-double, robust | \
         place: crossing, piercing, common point, exact | ns per pair |"
    );
    println!("|---|---|--:|--:|---|---|---|--:|");
    let mut names = Workload::names_or(arguments(), STORED, &[]);
    if names.iter().map(String::as_str).eq(STORED.iter().copied()) || names.is_empty() {
        names.extend(OWN.iter().map(|name| name.to_string()));
    }
    for name in names {
        let workload = Workload::named(&name);
        for frame in frames() {
            let shares = measure(&frame.of(&workload));
            let list = |counts: &[u64], of: u64| {
                let shares: Vec<_> =
                    counts.iter().map(|&count| format!("{:.0}", 1e3 * count as f64 / of.max(1) as f64)).collect();
                shares.join(", ")
            };
            let nanoseconds = shares.seconds * 1e9 / shares.pairs.max(1) as f64;
            println!(
                "| {name} | {} | {} | {} | {} | {} | {} | {nanoseconds:.0} |",
                frame.name,
                shares.pairs,
                shares.touching,
                list(&shares.verdicts, shares.pairs),
                list(&shares.distances, shares.pairs),
                list(&shares.places, shares.touching),
            );
        }
    }
}
