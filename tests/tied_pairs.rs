//! Pairs whose values are told, because they are nearest where another pair is, have these values, to the last bit; and most ties
//! are told.

use fearless_simd::{Level, dispatch};
use feeler::Transform;
use feeler::internals::primitive;
use feeler::internals::search::farther_pairs::FartherPairs;
use feeler::internals::search::incumbent::MeasuredPair;
use feeler::internals::search::tied_pairs::TiedPairs;
use feeler_tools::scenes::every_pair;
use feeler_tools::{Mesh, Random, scenes};
use glam::DVec3;

/// Pairs that were told, those among them that are as near as the nearest pair to 2^-40, and all that are so near.
#[derive(Debug, Default)]
struct Tally {
    told: u64,
    told_tied: u64,
    tied: u64,
}

fn check(a: &Mesh, b: &Mesh, pose: &Transform, tally: &mut Tally) {
    let mut nearest = f64::INFINITY;
    let [answer, plain] = every_pair([a, b], pose, |models, pairs| {
        nearest = pairs.iter().map(|(_, distance)| *distance).fold(f64::INFINITY, f64::min);
        let is_tied = |value: f64| value <= nearest * (1.0 + 2f64.powi(-40));
        // Every tied pair may be the best one of a search.
        for &(slots, distance) in pairs.iter().filter(|(_, distance)| is_tied(*distance)).step_by(3) {
            for candidate in 0..15 {
                let mut ties = TiedPairs::default();
                let measured = MeasuredPair { distance, slots, candidate: f64::from(candidate) };
                // Candidates that are not the nearest have no proof, and nothing is told.
                if FartherPairs::than(models, &measured, Some(&mut ties)).are_unknown() {
                    continue;
                }
                for &(other, value) in pairs {
                    tally.tied += u64::from(is_tied(value));
                    let Some(told) = dispatch!(Level::new(), simd => ties.tell(simd, models, other)) else { continue };
                    let label = || format!("{other:?} at {value:e}, {slots:?} at {distance:e}");
                    assert_eq!(told.distance.to_bits(), value.to_bits(), "{}", label());
                    let (a, b) = (models.triangle_a(other.0), models.triangle_b(other.1));
                    assert_eq!(primitive::closest_by(&a, &b, told.candidate), primitive::closest(&a, &b));
                    tally.told += 1;
                    tally.told_tied += u64::from(is_tied(value));
                }
            }
        }
    });
    assert_eq!(plain.upper.to_bits(), answer.upper.to_bits());
    if nearest > 0.0 {
        let ids = |answer: &feeler::DistanceAnswer| answer.nearest.map(|c| (c.triangle_a, c.triangle_b));
        assert_eq!(ids(&plain), ids(&answer), "the smallest numbers among equals");
    }
}

/// Exponents of two between which the scenes' slopes and lengths are, in units of the distance.
#[derive(Clone, Copy)]
struct Ranges {
    /// Of the edges from a nearest vertex; and the lengths of those.
    slope: (f64, f64),
    long: (f64, f64),
    /// Of the angle between two of them, in their usual angles.
    angle: (f64, f64),
    /// Of the ends of an edge and the corners of a face that are nearest.
    beside: (f64, f64),
}

const TAME: Ranges = Ranges { slope: (-6.0, 1.0), long: (-3.0, 3.0), angle: (-1.0, 0.0), beside: (-3.0, 3.0) };

/// One thing is out of all proportion.
const WILD: [Ranges; 7] = [
    Ranges { slope: (-56.0, 0.0), ..TAME },
    Ranges { long: (0.0, 40.0), ..TAME },
    Ranges { long: (-50.0, 0.0), ..TAME },
    Ranges { angle: (-50.0, 0.0), ..TAME },
    Ranges { beside: (-50.0, 3.0), ..TAME },
    Ranges { beside: (0.0, 40.0), ..TAME },
    Ranges { slope: (-30.0, 0.0), long: (-20.0, 12.0), angle: (-25.0, 0.0), beside: (-20.0, 12.0) },
];

fn between(random: &mut Random, (low, high): (f64, f64)) -> f64 {
    2f64.powf(low + random.unit() * (high - low))
}

/// A way upwards.
fn upwards(random: &mut Random, sideways: DVec3, ranges: &Ranges) -> DVec3 {
    let slope = between(random, ranges.slope);
    (sideways.normalize_or(DVec3::X) + DVec3::Z * slope).normalize() * between(random, ranges.long)
}

/// Triangles above the plane z = 0 that touch it at the origin with a vertex, an edge or a face, in any order of their vertices.
fn above(random: &mut Random, kind: u32, ranges: &Ranges) -> Vec<[DVec3; 3]> {
    let around = |random: &mut Random, corner: DVec3, count: u32, triangles: &mut Vec<[DVec3; 3]>| {
        let step = std::f64::consts::TAU / f64::from(count);
        let ring: Vec<_> = (0..count)
            .map(|k| {
                // Two by two beside each other.
                let angle = f64::from(k / 2 * 2) * step + f64::from(k % 2) * step * between(random, ranges.angle);
                corner + upwards(random, DVec3::new(angle.cos(), angle.sin(), 0.0), ranges)
            })
            .collect();
        triangles.extend((0..ring.len()).map(|k| [corner, ring[k], ring[(k + 1) % ring.len()]]));
    };
    let mut triangles = Vec::new();
    match kind {
        0 => around(random, DVec3::ZERO, 6, &mut triangles),
        1 => {
            let sideways = DVec3::new(random.number(), random.number(), 0.0).normalize_or(DVec3::X);
            let ends = [-1.0, 1.0].map(|sign| sideways * sign * between(random, ranges.beside));
            let across = DVec3::new(-sideways.y, sideways.x, 0.0);
            for side in [across, -across] {
                let toward = side + sideways * random.number();
                let third = ends[random.below(2) as usize] + upwards(random, toward, ranges);
                triangles.push([ends[0], ends[1], third]);
            }
            around(random, ends[0], 4, &mut triangles);
        }
        _ => {
            let turn = random.unit() * std::f64::consts::TAU;
            let corner = |random: &mut Random, k: f64| {
                let angle = turn + k * std::f64::consts::TAU / 3.0 + random.number() * 0.4;
                DVec3::new(angle.cos(), angle.sin(), 0.0) * between(random, ranges.beside)
            };
            let face = [0.0, 1.0, 2.0].map(|k| corner(random, k));
            triangles.push(face);
            triangles.push([face[0], face[1], face[1] + upwards(random, face[1], ranges)]);
        }
    }
    for triangle in &mut triangles {
        triangle.rotate_left(random.below(3) as usize);
        if random.below(2) == 0 {
            triangle.swap(0, 1);
        }
    }
    triangles
}

fn sweep(seed: u64, rounds: u32, ranges: &[Ranges]) -> Tally {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    for round in 0..rounds {
        let (kind_a, kind_b) = (round % 3, round / 3 % 3);
        let wild = &ranges[random.below(ranges.len() as u64) as usize];
        // Both, or one of both.
        let [ranges_a, ranges_b] = [[wild, wild], [wild, &TAME], [&TAME, wild]][random.below(3) as usize];
        let distance = between(&mut random, (-2.0, 2.0));
        let size = [1.0, 1e-3, 0.1, 1e6, 3e-9][round as usize % 5];
        let turn = scenes::random_rotation(&mut random);
        let place = random.point() * [0.0, 1.0, 30.0][round as usize % 7 % 3];
        let below = Mesh::soup(above(&mut random, kind_a, ranges_a)).map(|v| DVec3::new(v.x, v.y, -v.z) * distance);
        let over = Mesh::soup(above(&mut random, kind_b, ranges_b)).map(|v| (v + DVec3::Z) * distance);
        // As it is, or turned anyhow.
        let (pose, turn) = if round % 4 == 0 {
            (Transform::IDENTITY, glam::DMat3::IDENTITY)
        } else {
            (scenes::pose(scenes::random_rotation(&mut random), random.point() * size, 1.0), turn)
        };
        let a = below.map(|v| (turn * v + place) * size).map(|v| pose.rotation * v + pose.translation);
        let b = over.map(|v| (turn * v + place) * size);
        check(&a, &b, &pose, &mut tally);
    }
    println!("{tally:?}");
    tally
}

#[test]
fn values_of_ties_are_told_exactly() {
    let tally = sweep(81, 9000, &[TAME]);
    assert!(tally.told_tied > tally.tied / 2, "hardly any tie is told");
}

/// Slopes, lengths and angles far beyond the limits within which ties are told.
#[test]
fn values_beyond_proportion_are_told_exactly_or_not_at_all() {
    let tally = sweep(82, 60_000, &WILD);
    assert!(tally.told_tied > tally.tied / 10, "hardly any tie is told");
}
