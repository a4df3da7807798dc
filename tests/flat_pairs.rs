//! Flat pairs that one coordinate tells to be no nearer are no nearer, as they are computed; and ties are told.

use feeler::Transform;
use feeler::internals::search::flat_pairs::FlatPairs;
use feeler::internals::search::incumbent::MeasuredPair;
use feeler_tools::scenes::every_pair;
use feeler_tools::{Mesh, Random, meshes};
use glam::DVec3;

/// Pairs that were compared with a reference, those told to be no nearer, and those among them that are exactly as near.
#[derive(Default)]
struct Tally {
    compared: u64,
    told: u64,
    tied: u64,
}

fn check(a: &Mesh, b: &Mesh, pose: &Transform, tally: &mut Tally) {
    let (mut nearest, mut smallest) = (f64::INFINITY, (0, 0));
    let [answer, plain] = every_pair([a, b], pose, |models, pairs| {
        nearest = pairs.iter().map(|(_, distance)| *distance).fold(f64::INFINITY, f64::min);
        let ties = pairs.iter().filter(|(_, distance)| *distance == nearest);
        smallest = ties.map(|(slots, _)| models.ids(*slots)).min().expect("some pair");
        // Every pair is the best one for some search: those that are as near as the nearest, and some others.
        for (index, &(slots, reference)) in pairs.iter().enumerate() {
            if reference != nearest && index % 97 != 0 {
                continue;
            }
            let measured = MeasuredPair { distance: reference, slots, candidate: 0.0 };
            let Some(flat) = FlatPairs::than(models, &measured) else { continue };
            for &(other, value) in pairs {
                tally.compared += 1;
                let told = flat.have(models, other);
                assert!(!told || value >= reference, "{other:?} at {value:e}, {slots:?} at {reference:e}");
                tally.told += u64::from(told);
                tally.tied += u64::from(told && value == reference);
            }
        }
    });
    let contact = answer.nearest.expect("a pair");
    assert_eq!(plain.upper, answer.upper);
    if nearest > 0.0 {
        assert_eq!((contact.triangle_a, contact.triangle_b), smallest, "the smallest numbers among equals");
    }
}

/// A plate with walls: its triangles are flat, upright or slanted, and some have no area.
fn tray(cells: u32, random: &mut Random, jitter: f64) -> Mesh {
    let plate = meshes::grid(cells, cells, |u, v| DVec3::new(u + jitter * (v - 0.5) * (u - 0.5), v, 0.0));
    let mut triangles = plate.corners();
    for _ in 0..cells {
        let at = DVec3::new(random.unit(), random.unit(), 0.0);
        let along = DVec3::new(random.unit(), random.unit(), 0.0) * 0.3;
        triangles.push([at, at + along, at - DVec3::Z * random.unit()]);
        triangles.push([at, at + along, at + along * 0.5]);
        triangles.push([at, at + along, at + DVec3::new(0.1, 0.0, -0.01)]);
    }
    Mesh::soup(triangles)
}

#[test]
fn faces_across_an_axis_at_any_gap_scale_and_place() {
    let (mut random, mut tally) = (Random(73), Tally::default());
    for round in 0..120u32 {
        let gap = 10f64.powi(-(round as i32 % 17)) * (0.5 + random.unit());
        let size = [1.0, 1e-3, 0.1, 1e6, 3e-9, 1e-140][round as usize % 6];
        let place = random.point() * [0.0, 1.0, 1e3][round as usize % 3];
        // Each axis in turn; a gap up or down.
        let turned = |v: DVec3| match round % 3 {
            0 => v,
            1 => DVec3::new(v.z, v.x, v.y),
            _ => DVec3::new(v.y, v.z, v.x),
        };
        let [below, above] = [(); 2].map(|()| tray(3, &mut random, [0.0, 0.1][round as usize / 2 % 2]));
        let below = below.map(|v| turned(v + place) * size);
        let above = above.map(|v| turned(DVec3::new(v.x, v.y, -v.z) * 0.9 + place) * size);
        let pose = Transform { translation: turned(DVec3::new(0.07, 0.03, gap)) * size, ..Transform::IDENTITY };
        if round % 2 == 0 {
            check(&below, &above, &pose, &mut tally);
        } else {
            let back = Transform { translation: -pose.translation, ..pose };
            check(&above, &below, &back, &mut tally);
        }
    }
    println!("{} of {} pairs told to be no nearer, {} of them tied", tally.told, tally.compared, tally.tied);
    assert!(tally.told > tally.compared / 4, "hardly anything is told");
    assert!(tally.tied > tally.compared / 50, "hardly any tie is told");
}
