//! Sweeps against dense sampling of the same path: nothing is passed, and the hit is within the tolerance.

use feeler::{DistanceParams, Model, Pair, Status, SweepAnswer, SweepParams, Transform};
use feeler_tools::scenes::{Shape, pose, random_rotation};
use feeler_tools::{Mesh, Random, meshes, scenes};
use glam::{DMat3, DVec3};

fn distance(pair: &mut Pair<&Model>) -> f64 {
    pair.distance(&DistanceParams { cold: true, ..DistanceParams::default() }).upper
}

/// Sweeps with and without memory, and looks at the path in many places.
///
/// The two answers may differ in their last digits: of several pairs that are equally near, a query with memory keeps its own,
/// and the next step depends on the direction between the points.
fn check(a: &Model, b: &Model, from: [Transform; 2], to: [Transform; 2], tolerance: f64, label: &str) -> SweepAnswer {
    let mut pair = Pair::new(a, b).unwrap();
    let mut sweep = |cold: bool| {
        pair.set_transforms(Some(&from[0]), Some(&from[1])).unwrap();
        let before = distance(&mut pair);
        let params = SweepParams { cold, max_work: 0, tolerance };
        let answer = pair.sweep(Some(&to[0]), Some(&to[1]), &params).unwrap();
        assert_eq!(distance(&mut pair).to_bits(), before.to_bits(), "{label}: the poses stay");
        answer
    };
    let answers = [sweep(false), sweep(true)];
    assert_eq!(answers[0].hit.is_some(), answers[1].hit.is_some(), "{label}");
    let mut at = |time: f64| {
        let poses = [a.pose_between(&from[0], &to[0], time).unwrap(), b.pose_between(&from[1], &to[1], time).unwrap()];
        pair.set_transforms(Some(&poses[0]), Some(&poses[1])).unwrap();
        distance(&mut pair)
    };
    for answer in answers {
        assert!(answer.complete, "{label}: {answer:?}");
        assert!((0.0..=1.0).contains(&answer.time_free) && answer.time_free <= answer.time_hit, "{label}: {answer:?}");
        if answer.time_free > 0.0 {
            for k in 0..=200 {
                let apart = at(answer.time_free * f64::from(k) / 200.0);
                assert!(apart > 0.5 * tolerance, "{label}: {apart:e} at {k} of 200 up to {}", answer.time_free);
            }
        }
        match answer.hit {
            Some(hit) => {
                let apart = at(answer.time_hit);
                assert!(apart <= tolerance && apart.to_bits() == hit.distance.to_bits(), "{label}: {apart:e}");
            }
            None => assert!(answer.time_hit == 1.0 && answer.time_free == 1.0, "{label}: {answer:?}"),
        }
    }
    answers[0]
}

fn moved(by: DVec3) -> Transform {
    Transform { translation: by, ..Transform::IDENTITY }
}

#[test]
fn sweeps_agree_with_sampling() {
    let mut random = Random(31);
    let volumes = scenes::volumes();
    let shapes: Vec<Shape> = scenes::corpus()
        .into_iter()
        .filter(|(name, _)| ["soup", "sphere", "torus", "plane", "box", "needles"].contains(name))
        .map(|(name, mesh)| Shape::new(name, mesh, &volumes))
        .collect();
    let (mut hits, mut asked) = (0, 0);
    for a in &shapes {
        for b in &shapes {
            for round in 0..4 {
                let mut some = |spread: f64| pose(random_rotation(&mut random), random.point() * spread, 1.0);
                let [a0, a1, b0, b1] = [some(1.0), some(1.0), some(4.0), some(4.0)];
                let (from, to) = match round {
                    0 => ([a0, b0], [a0, b1]),
                    1 => ([a0, b0], [a1, b0]),
                    // Pure rotation.
                    2 => ([a0, b0], [a0, Transform { rotation: b1.rotation, ..b0 }]),
                    _ => ([a0, b0], [a1, b1]),
                };
                let volume = volumes[(asked / 3) % volumes.len()];
                let label = format!("{} {} {round} {}", a.name, b.name, volume.name());
                let tolerance = [1e-3, 0.02][asked % 2];
                let answer = check(a.model(volume), b.model(volume), from, to, tolerance, &label);
                hits += answer.hit.is_some() as usize;
                asked += 1;
            }
        }
    }
    println!("{asked} sweeps, {hits} hits");
    assert!(hits > asked / 8);
}

#[test]
fn a_bullet_does_not_pass_a_thin_plate() {
    let volume = scenes::volumes()[0];
    let plate = scenes::build(&meshes::plane(8, 8).map(|v| v - DVec3::new(0.5, 0.5, 0.0)), volume).unwrap();
    let bullet = scenes::build(&meshes::lattice_box(1).map(|v| v * 0.005), volume).unwrap();
    for speed in [1.0, 100.0, 1e5] {
        let from = [Transform::IDENTITY, moved(DVec3::new(0.01, 0.02, -0.3))];
        let to = [Transform::IDENTITY, moved(DVec3::new(0.03, 0.01, -0.3 + speed))];
        let answer = check(&plate, &bullet, from, to, 1e-4, "bullet");
        let expected = (0.3 - 0.005) / speed;
        assert!(answer.hit.is_some() && answer.time_hit <= expected, "{answer:?}");
        assert!((expected - answer.time_hit) * speed < 1.1e-4, "{answer:?} {expected}");
    }
    // Past the edge of the plate there is nothing to hit.
    let from = [Transform::IDENTITY, moved(DVec3::new(0.6, 0.0, -0.3))];
    assert!(check(&plate, &bullet, from, [from[0], moved(DVec3::new(0.6, 0.0, 0.3))], 1e-4, "past").hit.is_none());
}

#[test]
fn starts_in_contact_slides_and_half_turns() {
    let volume = scenes::volumes()[0];
    let block = scenes::build(&meshes::lattice_box(1), volume).unwrap();
    let still = Transform::IDENTITY;
    let start = check(&block, &block, [still, moved(DVec3::X * 1.5)], [still, moved(DVec3::X * 9.0)], 1e-3, "inside");
    assert!(start.time_hit == 0.0 && start.time_free == 0.0 && start.hit.is_some());
    let start = check(&block, &block, [still, moved(DVec3::X * 2.0005)], [still, moved(DVec3::X * 9.0)], 1e-3, "near");
    assert!(start.time_hit == 0.0 && start.time_free == 0.0 && start.hit.is_some());
    // Parallel faces that slide along each other just outside of the tolerance.
    let slide = [moved(DVec3::new(-1.5, 0.0, 2.01)), moved(DVec3::new(1.5, 0.5, 2.01))];
    let slid = check(&block, &block, [still, slide[0]], [still, slide[1]], 5e-3, "slide");
    assert!(slid.hit.is_none() && slid.time_free == 1.0);
    // Half a turn about the axis with a positive first entry.
    let half = Transform { rotation: DMat3::from_rotation_z(core::f64::consts::PI), ..still };
    let bar = Mesh { vertices: block_of(DVec3::new(3.0, 0.2, 0.2)), triangles: meshes::lattice_box(1).triangles };
    let bar = scenes::build(&bar, volume).unwrap();
    let post = moved(DVec3::new(0.0, 2.5, 0.0));
    let small = scenes::build(&meshes::lattice_box(1).map(|v| v * 0.3), volume).unwrap();
    let turned = check(&bar, &small, [still, post], [half, post], 1e-3, "half a turn");
    assert!(turned.hit.is_some() && turned.time_hit > 0.3 && turned.time_hit < 0.5, "{turned:?}");
    let both = check(&bar, &small, [still, still], [moved(DVec3::X), moved(DVec3::X)], 1e-3, "nested");
    assert!(both.hit.is_some() || both.time_free == 1.0);
}

/// The vertices of `lattice_box(1)`, stretched.
fn block_of(half: DVec3) -> Vec<DVec3> {
    meshes::lattice_box(1).vertices.iter().map(|v| *v * half).collect()
}

#[test]
fn bad_ends_are_refused_and_little_work_certifies_a_part() {
    let volume = scenes::volumes()[0];
    let block = scenes::build(&meshes::torus(40, 20, 0.3), volume).unwrap();
    let mut pair = Pair::new(&block, &block).unwrap();
    let start = moved(DVec3::new(0.0, 0.3, 4.0));
    pair.set_transforms(None, Some(&start)).unwrap();
    let params = SweepParams { cold: false, max_work: 0, tolerance: 1e-4 };
    let scaled = Transform { scale: DVec3::splat(2.0), ..Transform::IDENTITY };
    assert_eq!(pair.sweep(Some(&scaled), None, &params).unwrap_err().status, Status::InvalidArgument);
    let end = pose(DMat3::from_rotation_x(1.0), DVec3::new(0.0, 0.3, -4.0), 1.0);
    let whole = pair.sweep(None, Some(&end), &params).unwrap();
    assert!(whole.hit.is_some());
    let mut last = 0.0;
    for max_work in [1, 10, 100, 1000, 10_000, 1_000_000] {
        pair.reset();
        let part = pair.sweep(None, Some(&end), &SweepParams { max_work, ..params }).unwrap();
        assert!(part.time_free <= whole.time_hit, "{part:?}");
        assert!(part.complete || part.hit.is_none() && part.time_hit == 1.0, "{part:?}");
        last = part.time_free;
    }
    assert_eq!(last, whole.time_free);
    assert!(pair.counters().work > 0);
}

/// Squares of such lengths are 0 or infinite.
#[test]
fn sweeps_are_the_same_in_every_unit() {
    let volume = scenes::volumes()[0];
    let mut times = Vec::new();
    for exponent in [0, -1000, -600, 600, 980] {
        let unit = 2f64.powi(exponent);
        let block = scenes::build(&meshes::lattice_box(1).map(|v| v * unit), volume).unwrap();
        let at = |x: f64| moved(DVec3::new(x, 0.25, 0.5) * unit);
        let turned = Transform { rotation: DMat3::from_rotation_y(0.7), ..at(-9.0) };
        let label = format!("2^{exponent}");
        let answer = check(&block, &block, [at(0.0), at(4.0)], [at(0.0), turned], 1e-3 * unit, &label);
        times.push((answer.time_free.to_bits(), answer.time_hit.to_bits(), answer.hit.is_some()));
    }
    assert!(times[0].2 && times.iter().all(|time| *time == times[0]), "{times:?}");
}
