//! Random placements of two models in a cube whose size makes a given share of them touch [van den Bergen 1997].

use crate::{Mesh, Random, scenes};
use feeler::internals::model::{BuildParams, Model};
use feeler::internals::tree::build::workers::Inline;
use feeler::{CollideParams, Pair, Transform};

/// The share of placements that touch; the paper's number is lost.
pub const HIT_RATE: f64 = 0.6;

/// Turns even over all rotations, places even over a cube of this half width.
fn placements(count: usize, half: f64, seed: u64) -> Vec<Transform> {
    let mut random = Random(seed);
    (0..count)
        .map(|_| {
            let between = random.point() * half - random.point() * half;
            scenes::pose(scenes::random_rotation(&mut random), between, 1.0)
        })
        .collect()
}

fn hit_rate(pair: &mut Pair<&Model>, poses: &[Transform]) -> f64 {
    let touching = poses.iter().filter(|pose| {
        pair.set_transforms(None, Some(pose)).expect("a legal pose");
        pair.collide(&CollideParams { cold: true, max_work: 0 }).contact.is_some()
    });
    touching.count() as f64 / poses.len() as f64
}

/// Placements of a mesh against itself, and the share of them that touch.
pub fn tuned(mesh: &Mesh, count: usize) -> (Vec<Transform>, f64) {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    model.build_with(&BuildParams::default(), &Inline).expect("memory");
    let mut pair = Pair::new(&model, &model).expect("one volume");
    let (mut low, mut high) = (0.0, 2.0 * mesh.diagonal());
    for _ in 0..12 {
        let half = 0.5 * (low + high);
        let is_dense = hit_rate(&mut pair, &placements(300, half, 1)) > HIT_RATE;
        if is_dense {
            low = half;
        } else {
            high = half;
        }
    }
    let poses = placements(count, low, 2);
    let rate = hit_rate(&mut pair, &poses);
    (poses, rate)
}
