//! Stored workloads against the answers on which PQP and FCL agree; skipped unless FEELER_DATA names the folder.
//!
//! The peers take a rotation as it is written; feeler takes the nearest true rotation. Where the
//! poses are orthonormal to 1e-6 only (falling_tori), distances differ by that much of the model's reach, and contacts by
//! pairs that graze. A verdict that differs is therefore looked at again by the plain walk on the pose as written: if that
//! agrees with the peers the difference is the pose, if it agrees with feeler it is the peers' arithmetic.

use feeler::internals::math::placement::Placement;
use feeler::internals::model::VolumeKind;
use feeler::internals::query::*;
use feeler::internals::reference::plain_walk::PlainWalk;
use feeler::{Model, Pair, Transform};
use feeler_tools::scenes::Array;
use feeler_tools::{obj, scenes, stored};
use glam::DMat3;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Poses that are asked of each workload: about this many, all where there are fewer, and few where each takes long.
const POSES: usize = 55;
const POSES_OF_LARGE: usize = 2;
/// Triangle pairs beyond which a short list of poses is known to be a hard one.
const LARGE: usize = 2_000_000_000;
/// Farther away neighbouring numbers are farther apart than the models are large: all pairs are tied, and all are asked.
const FARTHEST: f64 = 2e14;
/// A plain walk over more pairs than this is not affordable here.
const AFFORDABLE: usize = 6_000_000;

/// The folder, or a message.
fn data() -> Option<PathBuf> {
    let data = stored::folder();
    if data.is_none() {
        println!("skipped: FEELER_DATA is not set");
    }
    data
}

/// Models by file, each built once.
#[derive(Default)]
struct Models(HashMap<PathBuf, Model>);

impl Models {
    fn load(&mut self, path: &Path) -> PathBuf {
        let path = stored::resolved(path).canonicalize().expect("a model");
        self.0
            .entry(path.clone())
            .or_insert_with(|| scenes::build(&obj::read(&path), VolumeKind::default()).expect("the default volume"));
        path
    }
}

/// How far rotations are from orthonormal: the largest entry of `R^T R - I`.
fn off_orthonormal(pose: &Transform) -> f64 {
    let gram = pose.rotation.transpose() * pose.rotation - DMat3::IDENTITY;
    gram.to_cols_array().iter().fold(0.0, |largest, entry| largest.max(entry.abs()))
}

fn reach(model: &Model) -> f64 {
    model.bounds().iter().fold(0.0, |reach, corner| reach.max(corner.length()))
}

/// What the plain walk says of the pose as written, without taking the nearest rotation.
struct AsWritten<'m> {
    a: &'m Model,
    b: &'m Model,
    placement: Placement,
}

impl<'m> AsWritten<'m> {
    fn new(a: &'m Model, b: &'m Model, pose: &Transform) -> Option<Self> {
        let affordable = a.triangle_count() * b.triangle_count() <= AFFORDABLE;
        let placement = Placement::new(&Transform::IDENTITY, a.exponent(), pose, b.exponent());
        affordable.then_some(Self { a, b, placement })
    }

    fn walk(&self) -> PlainWalk<'_> {
        PlainWalk { a: self.a, b: self.b, placement: self.placement }
    }

    fn contacts(&self) -> u64 {
        self.walk().contacts(&ContactsParams::default(), 0, &mut Counters::default()).0.found
    }
}

/// Why feeler and the peers differ, by count.
#[derive(Default, Debug)]
struct Differences {
    /// The plain walk on the pose as written agrees with the peers.
    pose: usize,
    /// It agrees with feeler: the exact verdict is not the peers'.
    peers: usize,
    /// It agrees with neither.
    both: usize,
    /// Too many pairs for a plain walk.
    unknown: usize,
}

impl Differences {
    fn count(&self) -> usize {
        self.pose + self.peers + self.both + self.unknown
    }
}

#[test]
fn the_peers_agree() {
    let Some(data) = data() else { return };
    let mut models = Models::default();
    let mut total = Differences::default();
    for name in stored::names(&data) {
        let start = Instant::now();
        let folder = data.join("workloads").join(&name);
        let (path_a, path_b) = (models.load(&folder.join("a.obj")), models.load(&folder.join("b.obj")));
        let built = start.elapsed().as_secs_f64();
        let (a, b) = (&models.0[&path_a], &models.0[&path_b]);
        let poses = stored::read_poses(&folder);
        let answers = |query| stored::answers(&data, &name, query);
        let (collide, contacts) = (answers("collide"), answers("contacts"));
        let (distance, tolerance) = (answers("distance"), answers("tolerance"));
        let [low, high] = a.bounds();
        let limit = (high - low).length() * 0.01;
        let mut pair = Pair::new(a, b).expect("equal volumes");
        let (mut worst, mut worst_off) = (0.0f64, 0.0f64);
        let (mut asked, mut open) = (0, 0);
        let mut differences = Differences::default();
        let hard = poses.len() < POSES && a.triangle_count() * b.triangle_count() > LARGE;
        let step = poses.len().div_ceil(if hard { POSES_OF_LARGE } else { POSES });
        for number in (0..poses.len()).step_by(step) {
            let pose = &poses[number];
            if pose.translation.length() > FARTHEST {
                continue;
            }
            asked += 1;
            pair.set_transforms(None, Some(pose)).expect("a legal pose");
            let label = format!("{name}, pose {number}");
            let off = off_orthonormal(pose);
            worst_off = worst_off.max(off);
            // Turning by half of what the rotation is off moves a point of B by that much of its reach; the peers
            // round coordinates of this size in double.
            let coordinates = reach(a) + reach(b) + pose.translation.length();
            let moved = off * reach(b) + 32.0 * f64::EPSILON * coordinates;
            let mut value = None;
            // Cold, then warm after every other query: the same answers.
            for cold in [true, false] {
                let answer = pair.distance(&DistanceParams { cold, ..Default::default() });
                let (lower, upper) = (answer.lower, answer.upper);
                assert!(answer.complete && lower == upper, "{label}: {answer:?}");
                assert_eq!(*value.get_or_insert(upper), upper, "{label}: warm and cold");
                let touching = pair.collide(&CollideParams { cold, ..Default::default() }).contact.is_some();
                assert_eq!(touching, upper == 0.0, "{label}");
                let closer = pair.tolerance(&ToleranceParams { cold, tolerance: limit, ..Default::default() }).closer;
                assert_eq!(closer, upper <= limit, "{label}");
            }
            let value = value.expect("asked");
            if let Some(&expected) = distance.get(number) {
                let allowed = moved + 1e-9 * expected;
                worst = worst.max((value - expected).abs() / allowed);
                assert!(
                    (value - expected).abs() <= allowed,
                    "{label}: {value:e}, the peers {expected:e} +- {allowed:e}"
                );
            }
            if let Some(&expected) = collide.get(number) {
                let same = (value == 0.0) == (expected == 1.0);
                assert!(same || value <= moved, "{label}: distance {value:e}, collide of the peers {expected}");
                open += usize::from(!same);
            }
            if let Some(&expected) = tolerance.get(number) {
                let same = (value <= limit) == (expected == 1.0);
                assert!(same || (value - limit).abs() <= moved, "{label}: distance {value:e}, tolerance {expected}");
                open += usize::from(!same);
            }
            if let Some(&expected) = contacts.get(number) {
                let found = pair.contacts(&ContactsParams::default(), &mut Array::new(0)).found;
                if found != expected as u64 {
                    let written = AsWritten::new(a, b, pose).map(|written| written.contacts());
                    match written {
                        None => differences.unknown += 1,
                        Some(count) if count == expected as u64 => differences.pose += 1,
                        Some(count) if count == found => differences.peers += 1,
                        Some(_) => differences.both += 1,
                    }
                    if differences.count() <= 4 {
                        println!("  {label}: {found} contacts, the peers {expected}, as written {written:?}");
                    }
                }
            }
        }
        println!(
            "{name}: {asked} poses, distance within {worst:.2} of what is allowed, off orthonormal by {worst_off:.1e}, \
             {open} verdicts within rounding, contacts that differ: {differences:?}, built {built:.1} s, all {:.1} s",
            start.elapsed().as_secs_f64()
        );
        total.pose += differences.pose;
        total.peers += differences.peers;
        total.both += differences.both;
        total.unknown += differences.unknown;
        let ordinary = !name.starts_with("robust") && name != "falling_tori";
        assert!(!ordinary || differences.count() == 0, "{name}: {differences:?}");
    }
    println!("contacts that differ: {total:?}");
}

/// Far translations keep pruning: expansions against those of the same scene moved close along the same direction.
#[test]
fn far_poses_need_no_more_than_near_ones() {
    let Some(data) = data() else { return };
    let folder = data.join("workloads/robust_far");
    let mut models = Models::default();
    let (path_a, path_b) = (models.load(&folder.join("a.obj")), models.load(&folder.join("b.obj")));
    let (a, b) = (&models.0[&path_a], &models.0[&path_b]);
    let mut pair = Pair::new(a, b).expect("equal volumes");
    println!("| translation | expansions, pairs | at 10 sizes | ratio |");
    for pose in stored::read_poses(&folder) {
        let mut ask = |pose: &Transform| {
            pair.set_transforms(None, Some(pose)).expect("a legal pose");
            pair.distance(&DistanceParams { cold: true, ..Default::default() });
            *pair.counters()
        };
        let far = ask(&pose);
        let direction = pose.translation.normalize();
        let near = ask(&Transform { translation: direction * 10.0 * (reach(a) + reach(b)), ..pose });
        let ratio = far.expansions as f64 / near.expansions as f64;
        let length = pose.translation.length();
        println!(
            "| {length:.0e} | {}, {} | {}, {} | {ratio:.2}{} |",
            far.expansions,
            far.triangle_tests,
            near.expansions,
            near.triangle_tests,
            if ratio > 2.0 { ", above 2" } else { "" }
        );
        assert!(ratio <= 2.0, "{length:e}: {far:?} against {near:?}");
    }
}
