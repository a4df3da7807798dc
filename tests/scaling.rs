//! Scale that differs between axes, and mirrors: every query against the plain walk over all triangle pairs.

use feeler::{
    CollideParams, ContactsParams, DistanceParams, Model, Pair, Status, ToleranceParams, Transform, VolumeKind,
};
use feeler_tools::scenes::{Array, Walk, build, pairings, random_rotation};
use feeler_tools::{Mesh, Random, meshes, scenes};
use glam::{DMat3, DVec3};

/// Every query in the pose of the pair, cold and with what earlier queries left.
fn check(pair: &mut Pair<&Model>, label: &str) {
    let walk = Walk::new(pair);
    let distance = walk.distance();
    for cold in [false, true] {
        let answer = pair.distance(&DistanceParams { cold, ..Default::default() });
        assert_eq!((answer.lower, answer.upper), (distance, distance), "{label}: distance");
        let answer = pair.collide(&CollideParams { cold, max_work: 0 });
        assert_eq!(answer.contact.is_some(), distance == 0.0, "{label}: collide, distance {distance:e}");
        for tolerance in [distance, distance.next_down().max(0.0), distance * 0.5] {
            let answer = pair.tolerance(&ToleranceParams { cold, max_work: 0, tolerance });
            assert_eq!(answer.closer, distance <= tolerance, "{label}: tolerance");
        }
    }
    for margin in [0.0, distance, distance * 1.25] {
        let expected = walk.within(margin);
        if expected.len() < 2000 {
            let mut array = Array::new(usize::MAX);
            pair.contacts(&ContactsParams { margin, ..Default::default() }, &mut array);
            assert_eq!(array.ids(), expected, "{label}: contacts within {margin:e}");
        }
    }
}

fn subjects() -> Vec<(&'static str, Mesh)> {
    let mut subjects = scenes::corpus();
    subjects
        .retain(|(name, _)| ["soup", "torus", "box", "needles", "degenerate", "off centre", "triangle"].contains(name));
    subjects
}

fn signs(random: &mut Random) -> DVec3 {
    DVec3::from_array([(); 3].map(|()| if random.bits().is_multiple_of(2) { 1.0 } else { -1.0 }))
}

fn is_stretchable(kind: VolumeKind) -> bool {
    kind == VolumeKind::Aabb
}

/// Factors that a model of this volume takes.
fn scale(kind: VolumeKind, random: &mut Random) -> DVec3 {
    let sizes = if is_stretchable(kind) {
        let strong = if random.bits().is_multiple_of(4) { 20.0 } else { 2.0 };
        DVec3::from_array([(); 3].map(|()| 2f64.powf(strong * random.number())))
    } else {
        DVec3::splat(2f64.powf(2.0 * random.number()))
    };
    sizes * signs(random)
}

#[test]
fn scaled_and_mirrored_models_answer_as_the_plain_walk() {
    let mut random = Random(21);
    for (kind_a, kind_b) in pairings() {
        let rounds = if is_stretchable(kind_a) || is_stretchable(kind_b) { 3 } else { 1 };
        for (name_a, mesh_a) in subjects() {
            for (name_b, mesh_b) in subjects().into_iter().step_by(2) {
                let (a, b) = (build(&mesh_a, kind_a).unwrap(), build(&mesh_b, kind_b).unwrap());
                let mut pair = Pair::new(&a, &b).unwrap();
                for round in 0..rounds {
                    let (scale_a, scale_b) = (scale(kind_a, &mut random), scale(kind_b, &mut random));
                    let reach = |model: &Model, scale: DVec3| {
                        let [low, high] = model.bounds();
                        ((high - low) * scale).abs().max_element()
                    };
                    let apart = [0.6, 3.0, 1e3][round] * reach(&a, scale_a).max(reach(&b, scale_b));
                    let centred = |model: &Model, scale: DVec3, rotation: DMat3, at: DVec3| {
                        let [low, high] = model.bounds();
                        let centre = scale * (low * 0.5 + high * 0.5);
                        Transform { rotation, translation: at - rotation * centre, scale }
                    };
                    let (turn_a, turn_b) = (random_rotation(&mut random), random_rotation(&mut random));
                    let at_a = centred(&a, scale_a, turn_a, DVec3::ZERO);
                    let at_b = centred(&b, scale_b, turn_b, random.point() * apart);
                    pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
                    let label = format!(
                        "{} {name_a} times {scale_a}, {} {name_b} times {scale_b}, round {round}",
                        kind_a.name(),
                        kind_b.name()
                    );
                    check(&mut pair, &label);
                }
            }
        }
    }
}

/// Along a path of small steps, with scales that change on the way: nothing that a query remembers goes wrong.
#[test]
fn memory_survives_changes_of_scale() {
    let mut random = Random(31);
    let (mesh_a, mesh_b) = (meshes::torus(10, 5, 0.4), meshes::sphere(8, 5));
    for (kind_a, kind_b) in pairings() {
        let (a, b) = (build(&mesh_a, kind_a).unwrap(), build(&mesh_b, kind_b).unwrap());
        let mut pair = Pair::new(&a, &b).unwrap();
        let (mut scale_a, mut scale_b) = (DVec3::ONE, DVec3::ONE);
        let mut at = DVec3::new(2.1, 0.3, 0.2);
        for step in 0..60 {
            if step % 12 == 6 {
                (scale_a, scale_b) = (scale(kind_a, &mut random), scale(kind_b, &mut random));
                (scale_a, scale_b) = (scale_a / scale_a.abs().max_element(), scale_b / scale_b.abs().max_element());
            }
            if step % 12 == 9 {
                // A mirror alone: the sizes stay.
                (scale_a.x, scale_b.z) = (-scale_a.x, -scale_b.z);
            }
            at += random.point() * 2e-3;
            let turn = DMat3::from_rotation_y(0.002 * step as f64);
            let pose_a = Transform { rotation: DMat3::IDENTITY, translation: DVec3::ZERO, scale: scale_a };
            let pose_b = Transform { rotation: turn, translation: at, scale: scale_b };
            pair.set_transforms(Some(&pose_a), Some(&pose_b)).unwrap();
            let expected = Walk::new(&pair).distance();
            let answer = pair.distance(&DistanceParams::default());
            let label = format!("{} {}, step {step}, {scale_a} {scale_b}", kind_a.name(), kind_b.name());
            assert_eq!((answer.lower, answer.upper), (expected, expected), "{label}");
            let touching = pair.collide(&CollideParams::default()).contact.is_some();
            assert_eq!(touching, expected == 0.0, "{label}");
        }
    }
}

/// Fronts of mirrored models: their certificates live in frames that are not mirrored.
#[test]
fn fronts_hold_in_a_mirror() {
    let (a, b) = (meshes::random_soup(90, 0.3, 5), meshes::random_soup(80, 0.3, 6));
    let (a, b) = (build(&a, VolumeKind::Obb).unwrap(), build(&b, VolumeKind::Obb).unwrap());
    let mut asked = 0;
    for (number, signs) in [[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, -1.0, -1.0]].into_iter().enumerate() {
        for mirrors_a in [true, false] {
            let mut pair = Pair::new(&a, &b).unwrap();
            let mirror = DVec3::from_array(signs);
            let (scale_a, scale_b) = if mirrors_a { (mirror, DVec3::ONE) } else { (DVec3::ONE, mirror) };
            for step in 0..150 {
                let turn = 0.004 * step as f64;
                let rotation = DMat3::from_rotation_z(turn) * DMat3::from_rotation_y(0.3 * number as f64 + 0.5 * turn);
                let translation = DVec3::new(2.6 - 0.3 * turn, 0.4 * turn, 0.2);
                let at_a = Transform { rotation: DMat3::IDENTITY, translation: DVec3::ZERO, scale: scale_a };
                let at_b = Transform { rotation, translation, scale: scale_b };
                pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
                let expected = Walk::new(&pair).distance();
                let answer = pair.distance(&DistanceParams::default());
                assert_eq!(
                    (answer.lower, answer.upper),
                    (expected, expected),
                    "{mirror} of A: {mirrors_a}, step {step}"
                );
                asked += pair.counters().front_tests;
            }
        }
    }
    assert!(asked > 1000, "{asked} blocks of fronts were asked");
}

/// A mirrored model is the model of the mirrored mesh.
#[test]
fn a_mirrored_model_is_the_model_of_the_mirrored_mesh() {
    let mut random = Random(41);
    let mesh = meshes::torus(12, 6, 0.4);
    let tool = meshes::random_soup(12, 0.5, 4);
    for factors in [DVec3::new(-1.0, 1.0, 1.0), DVec3::new(0.5, -2.0, 4.0), DVec3::new(-1.0, -0.25, -8.0)] {
        let scaled = mesh.clone().map(|vertex| vertex * factors);
        let (posed, made) = (build(&mesh, VolumeKind::Aabb).unwrap(), build(&scaled, VolumeKind::Aabb).unwrap());
        let tool = build(&tool, VolumeKind::Obb).unwrap();
        let (mut by_pose, mut by_mesh) = (Pair::new(&posed, &tool).unwrap(), Pair::new(&made, &tool).unwrap());
        for _ in 0..40 {
            let rotation = random_rotation(&mut random);
            let at = Transform { rotation, translation: random.point() * 4.0, scale: DVec3::ONE };
            by_pose.set_transforms(Some(&Transform { scale: factors, ..Transform::IDENTITY }), Some(&at)).unwrap();
            by_mesh.set_transforms(None, Some(&at)).unwrap();
            let (left, right) =
                (by_pose.distance(&DistanceParams::default()), by_mesh.distance(&DistanceParams::default()));
            // Powers of two: not one rounding differs.
            assert_eq!(left.upper, right.upper, "{factors}");
        }
    }
}

#[test]
fn scales_that_a_volume_cannot_take_are_refused() {
    let mesh = meshes::torus(8, 5, 0.4);
    for kind in VolumeKind::ALL {
        let model = build(&mesh, kind).unwrap();
        let mut pair = Pair::new(&model, &model).unwrap();
        let mut status = |scale: DVec3| {
            let pose = Transform { scale, ..Transform::IDENTITY };
            pair.set_transforms(Some(&pose), None).map_err(|error| error.status)
        };
        for sign in [-1.0, 1.0] {
            assert_eq!(status(DVec3::new(2.0, sign * 2.0, 2.0)), Ok(()));
            let unequal = status(DVec3::new(2.0, sign * 3.0, 2.0));
            assert_eq!(
                unequal,
                if is_stretchable(kind) { Ok(()) } else { Err(Status::Unsupported) },
                "{}",
                kind.name()
            );
        }
        for bad in [0.0, -0.0, f64::NAN, f64::INFINITY, 1e-301, 1e301, -1e301] {
            assert_eq!(status(DVec3::new(1.0, bad, 1.0)), Err(Status::InvalidArgument), "{bad}");
        }
        assert_eq!(status(DVec3::splat(-9.9e299)), Err(Status::InvalidArgument));
        let reflection =
            Transform { rotation: DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)), ..Transform::IDENTITY };
        let refused = pair.set_transforms(Some(&reflection), None).unwrap_err();
        assert_eq!(refused.status, Status::InvalidArgument);
    }
    // Other models bring other volumes.
    let (boxes, oriented) = (build(&mesh, VolumeKind::Aabb).unwrap(), build(&mesh, VolumeKind::Obb).unwrap());
    let mut pair = Pair::new(&boxes, &oriented).unwrap();
    let pose = Transform { scale: DVec3::new(1.0, 2.0, 1.0), ..Transform::IDENTITY };
    pair.set_transforms(Some(&pose), None).unwrap();
    assert_eq!(pair.set_models(Some(&oriented), None).unwrap_err().status, Status::Unsupported);
    pair.set_models(Some(&boxes), Some(&boxes)).unwrap();
    check(&mut pair, "other models");
}
