//! Every pair of triangles of a posed scene with its distance, for tests of what is told without measuring.

use super::kinds::build;
use crate::Mesh;
use feeler::internals::model::VolumeKind;
use feeler::internals::posed::posed_models::PosedModels;
use feeler::internals::primitive;
use feeler::{Counters, DistanceAnswer, DistanceParams, Model, Pair, Transform};

/// The slots of a pair and the distance of its triangles in the working frame.
pub type SlotPair = ((u32, u32), f64);

/// Hands all pairs of two meshes, B in this pose, to `check`; returns the answers of a cold distance query and of the plain walk.
pub fn every_pair(
    [a, b]: [&Mesh; 2],
    pose: &Transform,
    check: impl FnOnce(&PosedModels, &[SlotPair]),
) -> [DistanceAnswer; 2] {
    let [model_a, model_b] = [a, b].map(|mesh| build(mesh, VolumeKind::default()).expect("the default volume"));
    let mut pair: Pair<&Model> = Pair::new(&model_a, &model_b).expect("equal volumes");
    pair.set_transforms(None, Some(pose)).expect("a legal pose");
    let walk = pair.plain_walk();
    let models = PosedModels::new(walk.a, walk.b, &walk.placement);
    let counts = (model_a.triangle_count() as u32, model_b.triangle_count() as u32);
    let distance = |(slot_a, slot_b): (u32, u32)| {
        primitive::distance(&models.triangle_a(slot_a), &models.triangle_b(slot_b)).distance
    };
    let slots = (0..counts.0).flat_map(|slot_a| (0..counts.1).map(move |slot_b| (slot_a, slot_b)));
    let pairs: Vec<SlotPair> = slots.map(|slots| (slots, distance(slots))).collect();
    check(&models, &pairs);
    let plain = walk.distance(&DistanceParams::default(), &mut Counters::default());
    [pair.distance(&DistanceParams { cold: true, ..DistanceParams::default() }), plain]
}
