//! How much of its slack each volume needs: a search at random and then uphill.
//!
//! The error of a bound shows best where the volumes are tight: one point on the surface of each, brought together
//! along the common normal, so that volumes and contents are equally far apart. (The contents in `posed/slack_holds.rs`
//! are boxes, which only boxes fit closely.) `FEELER_SLACK_CASES=200000 cargo test --lib slack_shares -- --nocapture`
//! searches longer. The shares in the files of the volumes were found with 40000.
//!
//! Why the shares are small, for every volume:
//! - Centre and extents together are at most `r`, so the terms of the centre and of the extents do not occur together.
//! - The centres of touching volumes are no farther apart than their sizes, while `D` is counted as `T + r + Q`.
//! - Some tens of roundings would all have to be at their largest with one sign. Forty roundings of random sign add up
//!   to about a sixth of their sum.
//!
//! So half the slack does not fail here. The slack is a proved bound, not a measured one.

use crate::simd::eight::Element;
use crate::simd::level::dispatch;
use crate::volume::fit::cluster::Cluster;
use crate::volume::properties::{Kernels, Random, levels, motion};
use crate::volume::{Quality, Volume};
use glam::{DMat3, DQuat, DVec3};

/// Everything about a case as numbers between -1 and 1: two parts, spin, ratio, gap.
type Numbers = [f64; 2 * PART + 3];
/// Of one part: centre 3, rotation 4, half extents 3, direction of the surface point 3.
const PART: usize = 13;

/// All eight corners of a box.
const TRIANGLES: [[u32; 3]; 4] = [[0, 1, 3], [4, 5, 7], [2, 6, 3], [1, 5, 0]];

/// A volume, a point on its surface and the normal there.
struct Part<V: Volume> {
    wide: V::Wide,
    reach: f64,
    point: DVec3,
    normal: DVec3,
}

impl<V: Volume> Part<V> {
    fn new(numbers: &[f64]) -> Self {
        let turn = DMat3::from_quat(DQuat::from_slice(&numbers[3..7]).normalize());
        let half = DVec3::from_slice(&numbers[7..10]).to_array().map(|x| 10f64.powf(2.5 * x - 2.5));
        let corner = |c: usize| {
            let sign = |axis: usize| if c >> axis & 1 == 1 { half[axis] } else { -half[axis] };
            DVec3::from_slice(numbers) + turn * DVec3::new(sign(0), sign(1), sign(2))
        };
        let vertices: Vec<DVec3> = (0..8).map(corner).collect();
        let cluster = Cluster::new(&vertices, DVec3::ZERO, &TRIANGLES);
        let volume = V::fit(&cluster, Quality::High);
        let mut wide = V::Wide::default();
        (0..8).for_each(|lane| volume.store(&mut wide, lane));
        // From a corner, which is inside, outward to the surface.
        let direction = DVec3::from_slice(&numbers[10..13]).normalize_or(DVec3::X);
        let (mut inside, mut outside) = (0.0, 4.0 * volume.reach());
        for _ in 0..60 {
            let middle = 0.5 * (inside + outside);
            if volume.excess(vertices[0] + direction * middle) <= 0.0 { inside = middle } else { outside = middle }
        }
        let point = vertices[0] + direction * inside;
        let step = 1e-6 * f64::from(volume.enclosing_radius());
        let slope = |axis: DVec3| volume.excess(point + axis * step) - volume.excess(point - axis * step);
        let normal = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z)).normalize_or(direction);
        Self { wide, reach: volume.reach(), point, normal }
    }
}

/// The shares of the slack that the distance kernel and the overlap kernel need.
fn shares<V: Volume, E: Element>(numbers: &Numbers) -> [f64; 2] {
    let (source, target) = (Part::<V>::new(&numbers[..PART]), Part::<V>::new(&numbers[PART..2 * PART]));
    let [spin, ratio, gap] = [numbers[2 * PART], 10f64.powf(numbers[2 * PART + 1]), numbers[2 * PART + 2]];
    let facing = DQuat::from_rotation_arc(source.normal, -target.normal);
    let turn = DMat3::from_quat(DQuat::from_axis_angle(target.normal, 4.0 * spin) * facing);
    let far = E::ROUNDING < f32::ROUNDING;
    let size = (source.reach * ratio).max(target.reach);
    let gap = size * if far { 10f64.powf(3.8 + 2.5 * gap) } else { 10f64.powf(-5.0 + 3.0 * gap) };
    let shift = target.point + target.normal * gap - turn * (source.point * ratio);
    let distance = (turn * (source.point * ratio) + shift - target.point).length();
    let motion = motion::<V, E>(turn, ratio, shift, source.reach, target.reach);
    let said = dispatch(levels()[0], Kernels::<V, E> { lanes: &target.wide, source: &source.wide, motion: &motion });
    let needed = |value: f64| (value - distance / motion.unit.to_f64()) / motion.slack.to_f64();
    // The overlap kernel matters only between contents that touch, which are never on the f64 path.
    let overlap = if far { 0.0 } else { needed(said.separation[0]) };
    [needed(said.bound[0]).max(needed(said.refined[0])), overlap]
}

/// The largest share found for each kernel: many climbs, each from the best of some random cases.
fn search<V: Volume, E: Element>(cases: usize) -> [f64; 2] {
    let mut random = Random(V::VARIANT as u64 + 900);
    [0, 1].map(|kernel| {
        let mut largest = f64::NEG_INFINITY;
        for _ in 0..(cases / 400).max(1) {
            let cold = (0..100).map(|_| [(); 2 * PART + 3].map(|()| random.number()));
            let ranked = cold.map(|numbers| (shares::<V, E>(&numbers)[kernel], numbers));
            let (mut height, mut best) = ranked.max_by(|a, b| a.0.total_cmp(&b.0)).expect("some cases");
            for _ in 0..100 {
                let mut numbers = best;
                let (step, first) = (10f64.powf(2.0 * random.number() - 2.0), random.number().abs());
                for place in [first, random.number().abs()].map(|x| (x * numbers.len() as f64) as usize) {
                    numbers[place] = (numbers[place] + step * random.number()).clamp(-1.0, 1.0);
                }
                let reached = shares::<V, E>(&numbers)[kernel];
                if reached > height {
                    (height, best) = (reached, numbers);
                }
            }
            largest = height.max(largest);
        }
        largest
    })
}

macro_rules! measure {
    ($($name:ident: $volume:ty,)*) => {
        #[test]
        fn no_volume_needs_more_than_its_slack() {
            let cases = std::env::var("FEELER_SLACK_CASES").map_or(4000, |text| text.parse().expect("a number"));
            $(
                let ([near, overlap], [far, _]) = (search::<$volume, f32>(cases), search::<$volume, f64>(cases));
                let name = stringify!($name);
                println!("{name}: share of the slack: f32 distance {near:.3}, overlap {overlap:.3}; f64 {far:.3}");
                assert!(near.max(overlap).max(far) <= 1.0, "{name} needs more than its slack");
            )*
        }
    };
}

crate::volume::for_each_volume!(measure);
