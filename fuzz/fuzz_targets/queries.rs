//! Every query, with any options, on any volumes, is held against the definition: all triangle pairs, one by one.
#![no_main]

use arbitrary::{Result, Unstructured};
use feeler::{Model, Pair, PairParams, Status, SweepParams, Transform, VolumeKind};
use feeler_fuzz::{builds, demand, meshes, numbers, poses, questions};
use feeler_tools::Mesh;
use feeler_tools::scenes::judge::{self, Judge};
use glam::DVec3;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = check(&mut Unstructured::new(data));
});

/// Two models of one question.
struct Scene<'s> {
    meshes: [&'s Mesh; 2],
    models: [&'s Model; 2],
    poses: [Transform; 2],
}

fn check(u: &mut Unstructured) -> Result<()> {
    let kinds = builds::volumes(u)?;
    let meshes = [meshes::mesh(u, 40)?, meshes::mesh(u, 40)?];
    let params = [builds::params(u, kinds[0], false)?, builds::params(u, kinds[1], false)?];
    let models = [builds::model(&meshes[0], &params[0]), builds::model(&meshes[1], &params[1])];
    let size = builds::size(&models[0]).max(builds::size(&models[1]));
    let max_queue = if u.arbitrary()? { u.int_in_range(1..=20)? } else { 0 };
    let max_front = if u.arbitrary()? { u.int_in_range(1..=90)? } else { 0 };
    let pair_params = PairParams { no_front: u.ratio(1, 8u8)?, max_queue, max_front };
    let mut pair = Pair::with_params(&models[0], &models[1], &pair_params).expect("one family");
    for _ in 0..u.int_in_range(1..=2u8)? {
        let mut next = |side: usize| -> Result<Transform> {
            let centre = models[side].centre_of_bounds();
            let mut pose = poses::pose(u, size, kinds[side] == VolumeKind::Aabb)?;
            // Brings the middles together, so that most models are near each other.
            if u.ratio(3, 4u8)? {
                pose.translation -= pose.rotation * (pose.scale * centre);
            }
            Ok(pose)
        };
        let scene =
            Scene { meshes: [&meshes[0], &meshes[1]], models: [&models[0], &models[1]], poses: [next(0)?, next(1)?] };
        match pair.set_transforms(Some(&scene.poses[0]), Some(&scene.poses[1])) {
            Err(error) => assert!([Status::InvalidArgument, Status::Unsupported].contains(&error.status), "{error}"),
            Ok(()) => check_scene(u, &scene, &mut pair, size)?,
        }
    }
    Ok(())
}

fn check_scene(u: &mut Unstructured, scene: &Scene, pair: &mut Pair<&Model>, size: f64) -> Result<()> {
    let judge = Judge::new(pair);
    let value = judge.value();
    assert!(value >= 0.0 && value.is_finite(), "{value:e}");
    let told = || {
        let volumes = scene.models.map(|model| model.volume().name());
        format!("{volumes:?} {:?} {:?}", scene.meshes, scene.poses)
    };
    for _ in 0..u.int_in_range(1..=6u8)? {
        let side = usize::from(u.arbitrary::<bool>()?);
        let (model, pose) = (scene.models[side], &scene.poses[side]);
        let about = |u: &mut Unstructured| -> Result<DVec3> {
            if u.arbitrary()? {
                let vertex = scene.meshes[side].vertices[u.choose_index(scene.meshes[side].vertices.len())?];
                let near = if u.arbitrary()? { numbers::point(u)? * size * 1e-3 } else { DVec3::ZERO };
                Ok(pose.apply(vertex + near))
            } else {
                Ok(pose.apply(numbers::any_point(u)? * size))
            }
        };
        match u.int_in_range(0..=9u8)? {
            0 | 1 => demand(judge.distance(pair, &questions::distance(u, value)?), told),
            2 => demand(judge.collide(pair, &questions::collide(u)?), told),
            3 => demand(judge.tolerance(pair, &questions::tolerance(u, value)?), told),
            4 => {
                let (params, capacity) = questions::contacts(u, value)?;
                demand(judge.contacts(pair, &params, capacity), told);
            }
            5 => {
                let (params, capacity) = questions::minima(u, value)?;
                demand(judge.minima(pair, scene.meshes, &params, capacity), told);
            }
            6 => {
                let point = about(u)?;
                let params = questions::closest(u, size)?;
                if point.is_finite() && point.abs().max_element() <= 1e300 {
                    demand(judge::closest_point(model, pose, point, &params), || format!("{point} {}", told()));
                }
            }
            7 => {
                let ends = [about(u)?, about(u)?];
                let (params, capacity) = questions::cast(u, size)?;
                if ends.iter().all(|end| end.is_finite() && end.abs().max_element() <= 1e300) {
                    demand(judge::cast(model, pose, ends, &params, capacity), told);
                }
            }
            8 => {
                let (centre, radius) = (about(u)?, questions::near(u, size)?);
                if centre.is_finite() && centre.abs().max_element() <= 1e300 && radius.is_finite() {
                    demand(judge::within_ball(model, pose, centre, radius, questions::capacity(u)?), told);
                }
            }
            _ => {
                let mut end = |side: usize| -> Result<Transform> {
                    let to = poses::pose(u, size, false)?;
                    Ok(Transform { scale: scene.poses[side].scale, ..to })
                };
                let (to_a, to_b) = (end(0)?, end(1)?);
                let tolerance = (questions::near(u, value * 0.5)?).max(size * 1e-6);
                // A budget, because a tolerance that is small against the way is a question of any length.
                let max_work = 1 + u64::from(u.arbitrary::<u16>()?);
                let params = SweepParams { cold: u.arbitrary()?, max_work, tolerance };
                let [from_a, from_b] = &scene.poses;
                demand(judge::sweep(pair, [from_a, from_b], [&to_a, &to_b], &params, 9), told);
            }
        }
    }
    Ok(())
}
