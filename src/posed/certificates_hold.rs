//! Certificates against the truth: in whatever pose they are asked, no triangles below their lanes are nearer than they say.
//! The largest share of the slack that was needed is printed.

use crate::coherence::anchor::{Anchored, Whereabouts};
use crate::coherence::certificate::{Certificates, Proof};
use crate::coherence::relative_pose::{CertificatePose, RelativePose};
use crate::math::transform::Transform;
use crate::model::{BuildParams, Hierarchy, Model};
use crate::pair::Pair;
use crate::posed::at_anchor;
use crate::posed::expansion::{Certify, TestCounts};
use crate::posed::one_volume::OneVolume;
use crate::posed::posed_models::PosedModels;
use crate::posed::relative_frames::RelativeFrames;
use crate::posed::slack_holds::Random;
use crate::posed::through_table::{InTable, ThroughTable, certify_margins};
use crate::primitive;
use crate::simd::level::{self, Operation, dispatch};
use crate::tree::build::workers::Inline;
use crate::tree::node::{Child, Lane, Tree};
use crate::tree::node_pair::NodePair;
use crate::volume::boxes::aabb::Aabb;
use crate::volume::boxes::obb::Obb;
use crate::volume::{Volume, VolumeKind};
use core::marker::PhantomData;
use fearless_simd::{Simd, SimdBase, f32x8};
use glam::{DMat3, DQuat, DVec3};

fn point(random: &mut Random) -> DVec3 {
    DVec3::new(random.number(), random.number(), random.number())
}

fn turn(random: &mut Random, angle: f64) -> DMat3 {
    DMat3::from_quat(DQuat::from_axis_angle(point(random).normalize_or(DVec3::X), angle))
}

/// Triangles of one size around the origin; those of every third model lie on a lattice, so that boxes touch them with whole faces. With
/// a stray one more triangle lies or ends so far away.
fn model(random: &mut Random, number: usize, volume: VolumeKind, stray: Option<f64>) -> Model {
    let size = [0.5, 0.1, 0.02][number % 3];
    let mut vertices = Vec::new();
    for _ in 0..20 {
        let centre = point(random);
        for _ in 0..3 {
            let vertex = centre + point(random) * size;
            vertices.push(if number.is_multiple_of(3) { (vertex * 2.0).round() * 0.5 } else { vertex });
        }
    }
    if let Some(far) = stray {
        let at = point(random) * far;
        let other = if number.is_multiple_of(2) { at } else { point(random) };
        vertices.extend([at, other + point(random) * size, other + point(random) * size]);
    }
    let triangles: Vec<[u32; 3]> = (0..vertices.len() as u32 / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
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
        let (mut certificates, mut before) = (Certificates::NONE, None::<(RelativePose, Option<Anchored>)>);
        let (mut turned, mut moved, mut share) = (0.0, 0.0, f64::NEG_INFINITY);
        let mut beyond = 0;
        let mut deadlines = [f64::NEG_INFINITY; 8];
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
            let (in_f32, in_f64);
            let (nodes, base): (&dyn InTable<S>, f64) = if frames.are_far() {
                in_f64 = OneVolume::<V, f64, false>::new(&posed, V::tree(a), V::tree(b), &frames);
                (&in_f64, in_f64.frame().base)
            } else {
                in_f32 = OneVolume::<V, f32, false>::new(&posed, V::tree(a), V::tree(b), &frames);
                (&in_f32, 0.0)
            };
            let anchor = before.and_then(|(_, anchored)| anchored).map(|anchored| anchored.anchor);
            let near = Whereabouts { remembered: Some((0, 0)), beyond: f64::INFINITY };
            let Some((pose, anchored)) = nodes.pose_of_front(anchor.as_ref(), &near) else { break };
            if before.is_some_and(|(before, _)| before.units != pose.units)
                || anchor.is_some_and(|anchor| anchored.is_none_or(|now| now.anchor != anchor))
            {
                // Another unit of length, or another anchor: a front is not asked then.
                break;
            }
            let turn = before.map_or(0.0, |(before, _)| pose.turned_since(&before));
            turned += turn;
            moved += before.map_or(0.0, |(before, _)| match anchored {
                None => pose.moved_since(&before, turn),
                Some(now) => now.step((pose.between - before.between).length(), turn),
            });
            let is_margin = self.is_margin || frames.are_far();
            let whole = OneVolume::<V, f32, true>::new(&posed, V::tree(a), V::tree(b), &frames);
            let proof = if is_margin { Proof::Margin } else { whole.directions() };
            let at = CertificatePose::new(&pose, (turned, moved), proof, anchored.as_ref());
            if before.is_none() {
                let (counts, anchor) = (&mut TestCounts::default(), anchored.as_ref().map(|anchored| &anchored.anchor));
                let (.., found) = if is_margin {
                    certify_margins(nodes, simd, &self.opened, anchor, counts)
                } else if anchor.is_some() {
                    ThroughTable(nodes).certify(simd, &self.opened, anchor, counts)
                } else {
                    whole.certify(simd, &self.opened, None, counts)
                };
                beyond = found.beyond;
                certificates.set(simd, &at, &found);
            }
            before = Some((pose, anchored));
            let bounds = certificates.bounds(simd, &at);
            let left = deadlines.map(|deadline: f64| deadline - moved);
            for (lane, left) in left.into_iter().enumerate() {
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
                let distance = nearest.0 - base;
                share = share.max((bound - distance) / at.slack as f64);
                assert!(left <= distance.max(0.0), "lane {lane}: {left} left of {distance}");
                // A pair of triangles is certified by what separates it, too, from the second pose on.
                let is_pair = slots.len() == 1 && other_slots.len() == 1;
                if is_pair && nearest.0 > 0.0 {
                    let (slot_a, slot_b) = nearest.1;
                    let closest = primitive::closest(&posed.triangle_a(slot_a), &posed.triangle_b(slot_b));
                    let (slot_a, _) = nearest.1;
                    let mut gap = closest.distance * (1.0 - 1e-11);
                    if let Some(anchored) = &anchored {
                        gap = at_anchor::kept_gap(&posed, &anchored.anchor, base, slot_a, gap);
                    }
                    certificates.set_lane(lane, &at, closest.normal, gap);
                }
            }
            let slack = f32x8::splat(simd, at.slack);
            let bounds = certificates.bounds(simd, &at) - slack;
            let counted = certificates.counted(simd, &at, bounds);
            deadlines = core::array::from_fn(|lane| {
                let left = if beyond >> lane & 1 != 0 { counted } else { bounds };
                moved + left.as_slice()[lane] as f64
            });
        }
        share
    }
}

/// Which models, and how far apart.
#[derive(Clone, Copy, Debug)]
enum Scene {
    Ordinary,
    /// One or both with a stray.
    Strays,
    Far,
}

#[test]
fn no_triangles_are_nearer_than_certificates_say() {
    no_triangles_are_nearer::<Obb>(Scene::Ordinary);
    no_triangles_are_nearer::<Aabb>(Scene::Ordinary);
}

#[test]
fn no_triangles_are_nearer_than_certificates_at_an_anchor_say() {
    no_triangles_are_nearer::<Obb>(Scene::Strays);
    no_triangles_are_nearer::<Aabb>(Scene::Strays);
    no_triangles_are_nearer::<Obb>(Scene::Far);
    no_triangles_are_nearer::<Aabb>(Scene::Far);
}

fn no_triangles_are_nearer<V: Directed>(scene: Scene) {
    let mut random = Random(7);
    let mut largest = f64::NEG_INFINITY;
    for number in 0..400 {
        let stray = |random: &mut Random, side: usize| {
            let is_stray = matches!(scene, Scene::Strays) && (number % 3 == side || number % 3 == 2);
            is_stray.then(|| 10f64.powf(7.0 + 2.0 * random.number()))
        };
        let strays = [stray(&mut random, 0), stray(&mut random, 1)];
        let models =
            [model(&mut random, number, V::KIND, strays[0]), model(&mut random, number / 3, V::KIND, strays[1])];
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
        if matches!(scene, Scene::Far) {
            pose.translation *= 10f64.powf(4.0 + 2.5 * random.number());
        }
        let turns = !number.is_multiple_of(5) as u64 as f64;
        let poses = (0..6).map(|_| {
            let at = pose;
            pose.translation += point(&mut random) * step;
            pose.rotation = turn(&mut random, step * turns) * pose.rotation;
            at
        });
        let (models, poses) = ([&models[0], &models[1]], poses.collect());
        let is_margin = random.bits().is_multiple_of(2);
        let share =
            dispatch(level::level(), Asked { volume: PhantomData::<V>, models, opened: node_pair, poses, is_margin });
        assert!(share <= 1.0, "case {number}: {share} of the slack");
        largest = largest.max(share);
    }
    println!("{:?}, {scene:?}: largest share of the slack that was needed: {largest:.3}", V::KIND);
}
