//! Local minima against their definition, spelt out over all triangle pairs with a topology of its own (`scenes::minima`).

use feeler::{DistanceParams, MinimaParams, Minimum, Model, Pair, Status, Transform};
use feeler_tools::scenes::{FixedRoom, Shape, minima::local_minima, pose, random_rotation};
use feeler_tools::{Mesh, Random, meshes, scenes};
use glam::DVec3;
use std::collections::BTreeMap;

fn minima(pair: &mut Pair<&Model>, margin: f64, merge_distance: f64) -> Vec<Minimum> {
    let mut minima = Vec::new();
    let params = MinimaParams { margin, merge_distance, ..MinimaParams::default() };
    let answer = pair.local_minima(&params, &mut minima).unwrap();
    assert!(answer.complete && answer.written <= answer.found);
    minima.truncate(answer.written as usize);
    minima
}

#[test]
fn they_are_those_of_the_definition() {
    let mut random = Random(21);
    let volumes = scenes::volumes();
    let shapes: Vec<Shape> = scenes::corpus()
        .into_iter()
        .filter(|(name, _)| ["soup", "sphere", "torus", "plane", "box", "degenerate", "triangle"].contains(name))
        .map(|(name, mesh)| Shape::new(name, mesh, &volumes))
        .collect();
    let (mut scenes_asked, mut found_in_all) = (0, 0);
    for a in &shapes {
        for b in &shapes {
            for round in 0..4 {
                let at_a = pose(random_rotation(&mut random), random.point(), 1.0);
                let away = DVec3::from_array(random.point().to_array().map(|x| x * [3.0, 2.0, 1.0, 2.5][round]));
                let at_b = match round {
                    // Faces on faces: everything is as near as everything.
                    3 => pose(at_a.rotation, at_a.translation + at_a.rotation * DVec3::new(0.25, -0.5, 2.25), 1.0),
                    _ => pose(random_rotation(&mut random), away, 0.4 + random.number().abs()),
                };
                let first = volumes[0];
                let mut pair = Pair::new(a.model(first), b.model(first)).unwrap();
                pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
                let nearest = pair.distance(&DistanceParams::default()).upper;
                let margin = [nearest * 1.3, nearest + 0.2, 0.0, nearest * (1.0 + 1e-9)][round];
                let expected = local_minima(&pair, [&a.mesh, &b.mesh], margin, 2e-12);
                for &volume in &volumes {
                    let label = format!("{}, {}, {round}, {}", a.name, b.name, volume.name());
                    let mut pair = Pair::new(a.model(volume), b.model(volume)).unwrap();
                    pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
                    let found = minima(&mut pair, margin, 0.0);
                    let ids: Vec<u64> = found.iter().map(|minimum| minimum.id).collect();
                    let mut sorted = ids.clone();
                    sorted.sort_unstable();
                    assert!(sorted.iter().eq(expected.keys()), "{label}: {sorted:?}, not {:?}", expected.keys());
                    check_each(&found, &expected, &pair, &label);
                    if nearest <= margin {
                        assert!((found[0].contact.distance - nearest).abs() <= 2e-12 * nearest, "{label}");
                    }
                    let mut few = FixedRoom(Vec::new(), 3);
                    let params = MinimaParams { margin, ..MinimaParams::default() };
                    let answer = pair.local_minima(&params, &mut few).unwrap();
                    assert_eq!(answer.found, found.len() as u64, "{label}");
                    assert_eq!(few.0, found[..found.len().min(3)], "{label}");
                    found_in_all += found.len();
                    scenes_asked += 1;
                }
            }
        }
    }
    println!("{scenes_asked} scenes, {found_in_all} minima");
}

fn check_each(found: &[Minimum], expected: &BTreeMap<u64, f64>, pair: &Pair<&Model>, label: &str) {
    for (k, minimum) in found.iter().enumerate() {
        let contact = &minimum.contact;
        let smallest = expected[&minimum.id];
        assert!((contact.distance - smallest).abs() <= 4e-12 * smallest, "{label}");
        assert_eq!(minimum.id >> 32, (8 * contact.triangle_a + (contact.feature & 0xff)) as u64, "{label}");
        assert_eq!(minimum.id & 0xffff_ffff, (8 * contact.triangle_b + (contact.feature >> 8)) as u64, "{label}");
        assert_eq!(minimum.merged, 1, "{label}");
        let (a, b) = pair.models();
        for (model, id, weights, point, is_a) in [
            (a, contact.triangle_a, minimum.barycentric_a, contact.point_a, true),
            (b, contact.triangle_b, minimum.barycentric_b, contact.point_b, false),
        ] {
            let _ = model;
            let walk = pair.plain_walk();
            let triangle = if is_a { walk.placed_a(id) } else { walk.placed_b(id) };
            let weighed = triangle[0] * weights[0] + triangle[1] * weights[1] + triangle[2] * weights[2];
            let weighed = pair.placement().point_of_a_to_world(weighed);
            assert!((weighed - point).length() < 1e-9, "{label}: {weighed} {point}");
        }
        if k > 0 {
            let before = &found[k - 1];
            assert!((before.contact.distance, before.id) < (contact.distance, minimum.id), "{label}");
        }
    }
}

/// A cube of edge 2 on its own triangles, and a plate of two.
fn cube_and_plate() -> (Model, Model) {
    let plate = Mesh {
        vertices: vec![
            DVec3::new(-40.0, -30.0, 0.0),
            DVec3::new(40.0, -30.0, 0.0),
            DVec3::new(40.0, 30.0, 0.0),
            DVec3::new(-40.0, 30.0, 0.0),
        ],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    let cube = meshes::lattice_box(1);
    let volume = scenes::volumes()[0];
    (scenes::build(&plate, volume).unwrap(), scenes::build(&cube, volume).unwrap())
}

#[test]
fn a_sliding_cube_keeps_its_ids_and_its_force() {
    let (plate, cube) = cube_and_plate();
    let mut pair = Pair::new(&plate, &cube).unwrap();
    // Tilted a little, so that one corner is the lowest, and well inside of one triangle of the plate.
    let tilted = glam::DMat3::from_rotation_x(0.02) * glam::DMat3::from_rotation_y(0.03);
    let mut last: Option<Vec<Minimum>> = None;
    for step in 0..400 {
        let place = DVec3::new(20.0 - 0.02 * f64::from(step), -15.0 + 0.01 * f64::from(step), 1.1);
        pair.set_transforms(None, Some(&pose(tilted, place, 1.0))).unwrap();
        let found = minima(&mut pair, 0.2, 0.0);
        assert!(!found.is_empty() && found.len() <= 4, "{}", found.len());
        if let Some(last) = last {
            assert!(last.iter().map(|m| m.id).eq(found.iter().map(|m| m.id)), "step {step}");
            for (before, now) in last.iter().zip(&found) {
                assert!((before.contact.distance - now.contact.distance).abs() < 1e-12);
                assert!((before.contact.normal - now.contact.normal).length() < 1e-9);
            }
        }
        last = Some(found);
    }
    // Flat on the plate every corner is as near as every other; the force of a spring for each must not jump.
    let mut force: Option<f64> = None;
    for step in 0..400 {
        let place = DVec3::new(20.0 - 0.02 * f64::from(step), -15.0 + 0.01 * f64::from(step), 1.05);
        pair.set_transforms(None, Some(&pose(glam::DMat3::IDENTITY, place, 1.0))).unwrap();
        let found = minima(&mut pair, 0.2, 0.0);
        assert!(!found.is_empty() && found.len() <= 16);
        let mean = found.iter().map(|m| 0.2 - m.contact.distance).sum::<f64>() / found.len() as f64;
        assert!(found.iter().all(|m| (m.contact.normal - DVec3::Z).length() < 1e-9));
        assert!(force.is_none_or(|force| (force - mean).abs() < 1e-12), "step {step}");
        force = Some(mean);
    }
}

#[test]
fn merging_keeps_the_nearest_and_counts_the_others() {
    let (plate, cube) = cube_and_plate();
    let mut pair = Pair::new(&plate, &cube).unwrap();
    let tilted = glam::DMat3::from_rotation_x(0.002) * glam::DMat3::from_rotation_y(0.003);
    pair.set_transforms(None, Some(&pose(tilted, DVec3::new(10.0, -8.0, 1.1), 1.0))).unwrap();
    let apart = minima(&mut pair, 0.2, 0.0);
    let merged = minima(&mut pair, 0.2, 100.0);
    assert_eq!(merged.len(), 1);
    assert_eq!((merged[0].id, merged[0].merged as usize), (apart[0].id, apart.len()));
}

fn moved(translation: DVec3) -> Transform {
    Transform { translation, ..Transform::IDENTITY }
}

/// Squares of such lengths are 0 or infinite.
#[test]
fn merging_is_the_same_in_every_unit() {
    let volume = scenes::volumes()[0];
    let counts = [0, -1000, -600, 600, 980].map(|exponent| {
        let unit = 2f64.powi(exponent);
        let plate = scenes::build(&meshes::plane(1, 1).map(|v| (v - DVec3::splat(0.5)) * 20.0 * unit), volume).unwrap();
        let cube = scenes::build(&meshes::lattice_box(1).map(|v| v * unit), volume).unwrap();
        let mut pair = Pair::new(&plate, &cube).unwrap();
        // Flat on the plate, so that every corner is a minimum.
        pair.set_transforms(None, Some(&moved(DVec3::new(1.0, -2.0, -8.9) * unit))).unwrap();
        [0.0, 1.0, 2.5, 100.0].map(|merge| minima(&mut pair, 0.2 * unit, merge * unit).len())
    });
    assert!(counts[0][0] > counts[0][3] && counts[0][3] == 1, "{counts:?}");
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

#[test]
fn models_without_topology_are_refused() {
    let mut bare = Model::new(&meshes::lattice_box(1).source()).unwrap();
    bare.build(&feeler::BuildParams { no_topology: true, ..Default::default() }).unwrap();
    let mut pair = Pair::new(&bare, &bare).unwrap();
    pair.set_transforms(None, Some(&Transform { translation: DVec3::X * 3.0, ..Transform::IDENTITY })).unwrap();
    let error =
        pair.local_minima(&MinimaParams { margin: 2.0, ..MinimaParams::default() }, &mut Vec::new()).unwrap_err();
    assert_eq!(error.status, Status::Unsupported);
}
