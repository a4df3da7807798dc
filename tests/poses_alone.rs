//! What the poses tell before the models are placed never contradicts the definition of the answer, to the last bit of the threshold.
//!
//! The models are a few points. Around one point the sphere has no radius, so that spheres are apart by the distance itself; and a point
//! at the end of an arm comes nearer by all that its model turned. Thresholds are the distance that the plain walk computes: a bound that
//! leaves out one rounding says that nothing is within it.

use feeler::internals::coherence::clearance::{Clearance, QueryPose};
use feeler::internals::coherence::departure::{Ball, Departure, WorldPoses};
use feeler::internals::math::placement::Placement;
use feeler::internals::math::power_of_two::shift;
use feeler::internals::posed::posed_models::PosedModels;
use feeler::internals::primitive;
use feeler::internals::query::*;
use feeler::{BuildParams, Model, Pair, Transform};
use feeler_tools::Random;
use glam::{DMat3, DQuat, DVec3};

/// Triangles that are points.
fn points(vertices: &[DVec3]) -> Model {
    let triangles: Vec<[u32; 3]> = (0..vertices.len() as u32).map(|vertex| [vertex; 3]).collect();
    let mut model = Model::new(&(vertices, &triangles[..])).unwrap();
    model.build(&BuildParams::default()).unwrap();
    model
}

fn pose(random: &mut Random, far: f64, scale: f64) -> Transform {
    let rotation = DMat3::from_quat(DQuat::from_scaled_axis(random.point() * 3.0));
    Transform { rotation, translation: random.point() * far, scale: DVec3::splat(scale) }
}

/// Rows of a rotation as the library keeps them.
fn rows(pose: &Transform) -> [[f64; 4]; 3] {
    let rotation = pose.corrected().expect("a rotation").rotation;
    [0, 1, 2].map(|k| {
        let row = rotation.row(k);
        [row.x, row.y, row.z, 0.0]
    })
}

/// Two models in poses: what departures compare, and what the kernel computes.
struct Scene<'m> {
    models: [&'m Model; 2],
    poses: [Transform; 2],
}

impl Scene<'_> {
    fn placement(&self) -> Placement {
        let [a, b] = self.models;
        let [pose_a, pose_b] = self.poses.map(|pose| pose.corrected().expect("a rotation"));
        Placement::new(&pose_a, a.exponent(), &pose_b, b.exponent())
    }

    fn query_pose(&self, placement: &Placement, generation: u64) -> QueryPose {
        let posed = PosedModels::new(self.models[0], self.models[1], placement);
        let (relative, rounding) = (posed.relative_pose(), posed.rounding);
        QueryPose { relative, rounding, extent: posed.farthest(), generation, cores: posed.cores() }
    }

    /// The smallest distance that the kernel computes, in the working frame.
    fn distance(&self, placement: &Placement) -> f64 {
        let posed = PosedModels::new(self.models[0], self.models[1], placement);
        let all = |model: &Model| 0..model.triangle_count() as u32;
        all(self.models[0])
            .flat_map(|a| all(self.models[1]).map(move |b| (a, b)))
            .map(|(a, b)| primitive::distance(&posed.triangle_a(a), &posed.triangle_b(b)).distance)
            .fold(f64::INFINITY, f64::min)
    }

    fn balls(&self) -> [Ball; 2] {
        [0, 1].map(|side| {
            let (model, pose) = (self.models[side], &self.poses[side]);
            let built = model.built().expect("built");
            Ball::new(built.origin, built.radius, model.exponent(), pose.scale)
        })
    }
}

#[test]
fn spheres_of_points_are_as_far_apart_as_the_points() {
    let mut random = Random(1);
    let (mut asked, mut unlooked) = (0, 0);
    for round in 0..4000 {
        let size = [1.0, 1e-3, 1e6, 1e-20, 1e30, 1e-120, 1e120][round % 7];
        let offset = [0.0, 1.0, 1e3, 1e7][round / 7 % 4];
        let [a, b] = [(); 2].map(|_| points(&[(random.point() + random.point() * offset) * size]));
        let far = [0.0, 1.0, 1e4, 1e9][round / 28 % 4] * size;
        let mut pair: Pair<&Model> = Pair::new(&a, &b).unwrap();
        let (pose_a, mut pose_b) = (pose(&mut random, far, 1.0), pose(&mut random, far, [1.0, 0.7, 1e-3][round % 3]));
        // Points near each other, far from the origins of their models.
        let point =
            |model: &Model, pose: &Transform| pose.rotation * (pose.scale * model.bounds()[0]) + pose.translation;
        pose_b.translation += point(&a, &pose_a) - point(&b, &pose_b) + random.point() * size;
        pair.set_transforms(Some(&pose_a), Some(&pose_b)).unwrap();
        let distance = pair.plain_walk().distance(&DistanceParams::default(), &mut Counters::default()).upper;
        for (tolerance, is_near) in [(distance, true), (distance.next_down(), true), (distance * (1.0 - 1e-6), false)] {
            let answer = pair.tolerance(&ToleranceParams { cold: true, tolerance, ..Default::default() });
            assert_eq!(answer.closer, distance <= tolerance, "{distance:e} {tolerance:e}");
            asked += u64::from(!is_near);
            unlooked += u64::from(!is_near && pair.counters().work == 0);
        }
    }
    println!("{unlooked} of {asked} answered without looking");
    assert!(unlooked * 10 > asked * 9, "{unlooked} of {asked}");
}

#[test]
fn ways_are_no_shorter_than_points_go() {
    let mut random = Random(2);
    let (mut asked, mut clear) = (0, 0);
    for round in 0..6000 {
        let size = [1.0, 1e-5, 1e9, 1e-80, 1e80][round % 5];
        let offset = [0.0, 1.0, 1e4][round / 5 % 3];
        let arms = [(); 2].map(|_| {
            let middle = random.point() * offset;
            points(&[1.0, -1.0].map(|sign| (middle + DVec3::X * sign) * size))
        });
        let models = [&arms[0], &arms[1]];
        let far = [0.0, 1.0, 1e6][round / 15 % 3] * size;
        let middles = models.map(|model| model.bounds().iter().sum::<DVec3>() * 0.5);
        // B about a place near A, whatever the rotations and the offsets of the nodes.
        let placed = |pose_a: Transform, rotation: DMat3, away: DVec3| {
            let from = pose_a.rotation * middles[0] + pose_a.translation;
            let translation = from + away - rotation * middles[1];
            Scene { models, poses: [pose_a, Transform { rotation, translation, scale: DVec3::ONE }] }
        };
        let (start, rotation) = (pose(&mut random, far, 1.0), pose(&mut random, 0.0, 1.0).rotation);
        let away = random.point().normalize() * 1.3 * size;
        let then = placed(start, rotation, away);
        let placement = then.placement();
        let at_first = then.query_pose(&placement, 1);
        let distance = then.distance(&placement);
        let mut clearance = Clearance::NONE;
        clearance.note(distance, &at_first);
        let Some(room) = clearance.room(&at_first) else { continue };
        let balls = then.balls();
        let rows_then = then.poses.map(|pose| rows(&pose));
        let world_then = WorldPoses {
            rows: [&rows_then[0], &rows_then[1]],
            translations: then.poses.map(|pose| pose.translation),
            balls: &balls,
        };
        let departure = Departure::new(1, &world_then, room, placement.exponent);
        // Straight at the other model, turning about an axis across an arm, or both; and sometimes A turns instead.
        let way = shift(distance, placement.exponent) * [0.0, 1e-9, 0.1, 0.4][round % 4];
        let straight = if round % 3 == 1 { 0.0 } else { way };
        let angle = if round % 3 == 0 { 0.0 } else { way / size };
        let turn = |rotation: DMat3| {
            let axis = (rotation * DVec3::X).any_orthonormal_vector();
            DMat3::from_quat(DQuat::from_axis_angle(axis, angle)) * rotation
        };
        let now = if round % 2 == 0 {
            placed(start, turn(rotation), away - away.normalize() * straight)
        } else {
            let mut turned = Transform { rotation: turn(start.rotation), ..start };
            turned.translation += start.rotation * middles[0] - turned.rotation * middles[0];
            placed(turned, rotation, away - away.normalize() * straight)
        };
        let rows_now = now.poses.map(|pose| rows(&pose));
        let world = WorldPoses {
            rows: [&rows_now[0], &rows_now[1]],
            translations: now.poses.map(|pose| pose.translation),
            balls: &balls,
        };
        let placement = now.placement();
        let distance = placement.distance_to_world(now.distance(&placement));
        let is_clear = |threshold: f64| departure.is_clear(threshold, &world, &world.between(), [true; 2]);
        assert!(!is_clear(distance), "round {round}: {distance:e}");
        asked += 1;
        clear += u64::from(is_clear(distance * 0.5));
    }
    println!("{clear} of {asked} clear");
    assert!(clear * 3 > asked, "{clear} of {asked}");
}
