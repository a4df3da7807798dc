//! Certificates against the truth: in whatever pose they are asked, no triangles below their lanes are nearer than they say.
//! The largest share of the slack that was needed is printed.

use crate::coherence::certificate::{Certificates, Proof};
use crate::coherence::relative_pose::{CertificatePose, RelativePose};
use crate::math::transform::Transform;
use crate::model::{BuildParams, Hierarchy, Model};
use crate::pair::Pair;
use crate::posed::expansion::{Certify, TestCounts};
use crate::posed::one_volume::OneVolume;
use crate::posed::posed_models::PosedModels;
use crate::posed::relative_frames::RelativeFrames;
use crate::posed::slack_holds::Random;
use crate::posed::through_table::certify_margins;
use crate::primitive;
use crate::simd::level::{self, Operation, dispatch};
use crate::tree::build::workers::Inline;
use crate::tree::node::{Child, Lane, Tree};
use crate::tree::node_pair::NodePair;
use crate::volume::boxes::aabb::Aabb;
use crate::volume::boxes::obb::Obb;
use crate::volume::{Kind, Volume};
use core::marker::PhantomData;
use fearless_simd::{Simd, SimdBase};
use glam::{DMat3, DQuat, DVec3};

fn point(random: &mut Random) -> DVec3 {
    DVec3::new(random.number(), random.number(), random.number())
}

fn turn(random: &mut Random, angle: f64) -> DMat3 {
    DMat3::from_quat(DQuat::from_axis_angle(point(random).normalize_or(DVec3::X), angle))
}

/// Triangles of one size around the origin; those of every third model lie on a lattice, so that boxes touch them with whole faces.
fn model(random: &mut Random, number: usize, volume: Kind) -> Model {
    let size = [0.5, 0.1, 0.02][number % 3];
    let mut vertices = Vec::new();
    for _ in 0..20 {
        let centre = point(random);
        for _ in 0..3 {
            let vertex = centre + point(random) * size;
            vertices.push(if number.is_multiple_of(3) { (vertex * 2.0).round() * 0.5 } else { vertex });
        }
    }
    let triangles: Vec<[u32; 3]> = (0..20).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let mut model = Model::new(&(&vertices[..], &triangles[..])).unwrap();
    model.build_with(&BuildParams { volume, ..BuildParams::default() }, &Inline).unwrap();
    model
}

/// A volume whose certificates have directions.
trait Directed: Volume {
    fn tree(model: &Model) -> &Tree<Self>;
}

impl Directed for Obb {
    fn tree(model: &Model) -> &Tree<Obb> {
        match &model.built().unwrap().hierarchy {
            Hierarchy::Obb(tree) => tree,
            _ => unreachable!("built so"),
        }
    }
}

impl Directed for Aabb {
    fn tree(model: &Model) -> &Tree<Aabb> {
        match &model.built().unwrap().hierarchy {
            Hierarchy::Aabb(tree) => tree,
            _ => unreachable!("built so"),
        }
    }
}

fn slots_below<V: Volume>(tree: &Tree<V>, child: Child, slots: &mut Vec<u32>) {
    if child == Child::EMPTY {
    } else if child.is_triangle() {
        slots.push(child.index() as u32);
    } else {
        (0..8).for_each(|lane| slots_below(tree, tree.nodes[child.index()].child(lane), slots));
    }
}

/// One block: made in one pose, asked in others.
struct Asked<'m, V> {
    volume: PhantomData<V>,
    models: [&'m Model; 2],
    opened: NodePair,
    poses: Vec<Transform>,
    /// Whether the certificates are margins, as those of volumes without directions.
    is_margin: bool,
}

impl<V: Directed> Operation for Asked<'_, V> {
    type Output = f64;

    /// The largest share of the slack that was needed.
    fn run<S: Simd>(self, simd: S) -> f64 {
        let [a, b] = self.models;
        let (mut certificates, mut before) = (Certificates::NONE, None::<RelativePose>);
        let (mut turned, mut moved, mut share) = (0.0, 0.0, 0.0f64);
        let side = self.opened.side();
        let [opened, other] = [V::tree(self.models[side]), V::tree(self.models[1 - side])];
        let (other_node, other_lane) = Lane(self.opened.other).split();
        let mut other_slots = Vec::new();
        slots_below(other, other.nodes[other_node].child(other_lane), &mut other_slots);
        for at_b in &self.poses {
            let mut pair = Pair::new(a, b).unwrap();
            pair.set_transforms(None, Some(at_b)).unwrap();
            let placement = pair.placement();
            let posed = PosedModels::new(a, b, &placement);
            let frames = RelativeFrames::new(&posed, V::tree(a), V::tree(b));
            let nodes = OneVolume::<V, f32>::new(&posed, V::tree(a), V::tree(b), &frames);
            let pose = Certify::<S>::pose(&nodes).unwrap();
            if before.is_some_and(|before| before.units != pose.units) {
                // Another unit of length: a front is not asked then.
                break;
            }
            let turn = before.map_or(0.0, |before| pose.turned_since(&before));
            turned += turn;
            moved += before.map_or(0.0, |before| pose.moved_since(&before, turn));
            let proof = if self.is_margin { Proof::Margin } else { Certify::<S>::proof(&nodes) };
            let at = CertificatePose::new(&pose, turned, moved, proof);
            if before.is_none() {
                let counts = &mut TestCounts::default();
                let (.., found) = if self.is_margin {
                    certify_margins(&nodes, simd, &self.opened, counts)
                } else {
                    nodes.certify(simd, &self.opened, counts)
                };
                certificates.set(simd, &at, &found);
            }
            before = Some(pose);
            let bounds = certificates.bounds(simd, &at);
            for lane in 0..8 {
                let mut slots = Vec::new();
                slots_below(opened, opened.nodes[self.opened.node as usize].child(lane), &mut slots);
                let mut nearest = (f64::INFINITY, (0, 0));
                for (&slot, &other) in slots.iter().flat_map(|slot| other_slots.iter().map(move |other| (slot, other)))
                {
                    let (slot_a, slot_b) = if side == 0 { (slot, other) } else { (other, slot) };
                    let (p, q) = (posed.triangle_a(slot_a), posed.triangle_b(slot_b));
                    let distance = primitive::distance(&p, &q).distance;
                    if distance < nearest.0 {
                        nearest = (distance, (slot_a, slot_b));
                    }
                }
                let bound = bounds.as_slice()[lane] as f64;
                share = share.max((bound - nearest.0) / at.slack as f64);
                // A pair of triangles is certified by what separates it, too, from the second pose on.
                let is_pair = slots.len() == 1 && other_slots.len() == 1;
                if is_pair && nearest.0 > 0.0 {
                    let (slot_a, slot_b) = nearest.1;
                    let closest = primitive::closest(&posed.triangle_a(slot_a), &posed.triangle_b(slot_b));
                    certificates.set_lane(lane, &at, closest.normal, closest.distance * (1.0 - 1e-11));
                }
            }
        }
        share
    }
}

#[test]
fn no_triangles_are_nearer_than_certificates_say() {
    no_triangles_are_nearer::<Obb>();
    no_triangles_are_nearer::<Aabb>();
}

fn no_triangles_are_nearer<V: Directed>() {
    let mut random = Random(7);
    let mut largest = 0.0f64;
    for number in 0..400 {
        let models = [model(&mut random, number, V::KIND), model(&mut random, number / 3, V::KIND)];
        let side = random.bits() as usize % 2;
        let [opened, other] = [V::tree(&models[side]), V::tree(&models[1 - side])];
        let node = random.bits() as usize % opened.nodes.len();
        let other_node = random.bits() as usize % other.nodes.len();
        let other_lane = random.bits() as usize % other.nodes[other_node].used().count_ones() as usize;
        let packed = Lane::new(other_node, other_lane).0;
        let node_pair = NodePair { node: node as u32, other: packed, side: side as u32 };
        let step = [1e-4, 1e-2, 0.3][number % 3];
        let mut pose = Transform { rotation: turn(&mut random, number as f64), ..Transform::IDENTITY };
        pose.translation = point(&mut random) * 3.0;
        let poses = (0..6).map(|_| {
            let at = pose;
            pose.translation += point(&mut random) * step;
            pose.rotation = turn(&mut random, step) * pose.rotation;
            at
        });
        let (models, poses) = ([&models[0], &models[1]], poses.collect());
        let is_margin = random.bits().is_multiple_of(2);
        let share =
            dispatch(level::level(), Asked { volume: PhantomData::<V>, models, opened: node_pair, poses, is_margin });
        assert!(share <= 1.0, "case {number}: {share} of the slack");
        largest = largest.max(share);
    }
    println!("largest share of the slack that was needed: {largest:.3}");
}
