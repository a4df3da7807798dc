//! Pairs that the direction of another pair or the plane of a triangle tells to be farther are farther, strictly, as they are computed;
//! and many are told.

use feeler::Transform;
use feeler::internals::primitive;
use feeler::internals::search::face_gaps;
use feeler::internals::search::farther_pairs::FartherPairs;
use feeler::internals::search::incumbent::MeasuredPair;
use feeler_tools::scenes::every_pair;
use feeler_tools::{Mesh, Random, meshes, scenes};
use glam::DVec3;

/// Pairs that were compared with a reference, those told to be farther by a direction and by a plane, and those that are as near as the
/// reference to 2^-40.
#[derive(Default)]
struct Tally {
    compared: u64,
    told: u64,
    told_by_plane: u64,
    tied: u64,
}

/// Compares all pairs with some of them.
fn check(a: &Mesh, b: &Mesh, pose: &Transform, random: &mut Random, tally: &mut Tally) {
    every_pair([a, b], pose, |models, pairs| {
        let nearest = *pairs.iter().min_by(|(_, x), (_, y)| x.total_cmp(y)).expect("some pair");
        let others = (0..3).map(|_| pairs[random.below(pairs.len() as u64) as usize]);
        for (slots, reference) in core::iter::once(nearest).chain(others) {
            let limit = face_gaps::limit_beyond(models, reference);
            for &(other, value) in pairs {
                let corners_a = models.triangle_a(other.0).map(|vertex| vertex.to_array());
                let corners_b = models.triangle_b(other.1).map(|vertex| vertex.to_array());
                let told = primitive::is_beyond(&corners_a, &corners_b, limit);
                let own = face_gaps::limit_beyond(models, value);
                assert!(!primitive::is_beyond(&corners_a, &corners_b, own), "{other:?} farther than itself, {value:e}");
                assert!(!told || value > reference, "{other:?} at {value:e} by a plane, {slots:?} at {reference:e}");
                tally.told_by_plane += u64::from(told);
            }
            for candidate in 0..15 {
                let measured = MeasuredPair { distance: reference, slots, candidate: candidate as f64 };
                // Candidates that are not the nearest have no proof, and nothing is told.
                let farther = FartherPairs::than(models, &measured, None);
                for &(other, value) in pairs {
                    tally.compared += 1;
                    let told = farther.have(models, other);
                    assert!(!told || value > reference, "{other:?} at {value:e}, {slots:?} at {reference:e}");
                    tally.told += u64::from(told);
                    tally.tied += u64::from((value / reference - 1.0).abs() < 2f64.powi(-40));
                }
            }
        }
    });
}

#[test]
fn triangles_anywhere() {
    let (mut random, mut tally) = (Random(71), Tally::default());
    for round in 0..40 {
        let size = 10f64.powi(round % 9 - 4);
        let [a, b] = [(); 2].map(|()| {
            Mesh::soup((0..24).map(|_| {
                let at = random.point() * size;
                [0; 3].map(|_| at + random.point() * 0.3 * size)
            }))
        });
        let away = random.point() * size * [0.5, 3.0, 30.0, 3e5][round as usize % 4];
        check(&a, &b, &scenes::pose(scenes::random_rotation(&mut random), away, 1.0), &mut random, &mut tally);
    }
    println!("{} of {} pairs told to be farther, {} by a plane", tally.told, tally.compared, tally.told_by_plane);
    assert!(tally.told > tally.compared / 100, "hardly anything is told");
    assert!(tally.told_by_plane > tally.compared / 1000, "hardly anything is told by a plane");
}

/// The normals of needles are noise, and the needles are not across them.
#[test]
fn needles_are_not_flat() {
    let (mut random, mut tally) = (Random(73), Tally::default());
    for round in 0..40 {
        let thin = 10f64.powi(-(round % 5) * 4);
        let [a, b] = [(); 2].map(|()| {
            Mesh::soup((0..24).map(|_| {
                let at = random.point();
                let [from, to] = [0; 2].map(|_| at + random.point() * 0.3);
                [from, to, from.lerp(to, random.unit()) + random.point() * thin]
            }))
        });
        let away = random.point() * [0.1, 0.5, 3.0, 30.0][round as usize % 4];
        check(&a, &b, &scenes::pose(scenes::random_rotation(&mut random), away, 1.0), &mut random, &mut tally);
    }
    println!("{} of {} pairs of needles told to be farther by a plane", tally.told_by_plane, tally.compared);
    assert!(tally.told_by_plane > tally.compared / 10_000, "hardly anything is told by a plane");
}

/// Parallel grids: pairs face each other at one distance, which is computed with other roundings for each of them.
#[test]
fn ties_are_not_farther() {
    let (mut random, mut tally) = (Random(72), Tally::default());
    for round in 0..40 {
        let turn = scenes::random_rotation(&mut random);
        let shift = random.point() * [0.0, 1.0, 1e3, 1e6][round % 4];
        let grid = |height: f64| {
            meshes::grid(4, 4, |u, v| DVec3::new(u, v, height)).map(|v| turn * (v + DVec3::new(0.3, 0.1, 0.2)) + shift)
        };
        let height = [0.3, 0.1, 1.0 / 3.0, 0.7][round % 4 / 2 + round % 2];
        let pose = scenes::pose(scenes::random_rotation(&mut random), random.point(), 1.0);
        // A in the pose of B, so that B's vertices are rounded on their way into A's frame.
        let a = grid(0.0).map(|v| pose.rotation * v + pose.translation);
        check(&a, &grid(height), &pose, &mut random, &mut tally);
    }
    println!(
        "{} of {} pairs tied, {} told to be farther",
        tally.tied,
        tally.compared,
        tally.told + tally.told_by_plane
    );
    assert!(tally.tied > tally.compared / 20, "no ties to be wrong about");
}
