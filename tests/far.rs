//! Triangles that are small against their distance: what `frames::motion` assumes of the kernel there, and what follows.

use feeler::internals::math::double_double::DoubleDouble;
use feeler::internals::model::VolumeKind;
use feeler::internals::primitive;
use feeler::internals::query::*;
use feeler::{Pair, Transform};
use feeler_tools::{Mesh, Random, meshes, scenes};
use glam::{DMat3, DQuat, DVec3};

type Precise = [DoubleDouble; 3];

fn difference(a: DVec3, b: DVec3) -> Precise {
    [0, 1, 2].map(|k| DoubleDouble::from(a[k]) - DoubleDouble::from(b[k]))
}

fn dot(a: &Precise, b: &Precise) -> DoubleDouble {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `start + x p + y q`.
fn along(start: &Precise, x: DoubleDouble, p: &Precise, y: DoubleDouble, q: &Precise) -> Precise {
    [0, 1, 2].map(|k| start[k] + x * p[k] + y * q[k])
}

fn clamped(value: DoubleDouble) -> DoubleDouble {
    if value.high.is_nan() || value.high <= 0.0 {
        DoubleDouble::from(0.0)
    } else if value.high >= 1.0 {
        DoubleDouble::from(1.0)
    } else {
        value
    }
}

/// The squared distance of two segments to a hundred bits: between their ends and each other, or between their lines.
fn segments(a: [DVec3; 2], b: [DVec3; 2]) -> DoubleDouble {
    let (one, zero) = (DoubleDouble::from(1.0), DoubleDouble::from(0.0));
    let start = difference(b[0], a[0]);
    let (p, q) = (difference(a[0], a[1]), difference(b[1], b[0]));
    let (pp, qq, pq) = (dot(&p, &p), dot(&q, &q), dot(&p, &q));
    let (sp, sq) = (dot(&start, &p), dot(&start, &q));
    let determinant = pp * qq - pq * pq;
    let mut candidates = vec![];
    for x in [zero, one] {
        candidates.push((x, clamped(-(sq + x * pq) / qq)));
    }
    for y in [zero, one] {
        candidates.push((clamped(-(sp + y * pq) / pp), y));
    }
    let inside = |value: DoubleDouble| value.high > 0.0 && value.high < 1.0;
    let (x, y) = ((sq * pq - sp * qq) / determinant, (sp * pq - sq * pp) / determinant);
    if inside(x) && inside(y) {
        candidates.push((x, y));
    }
    let squared = candidates.into_iter().map(|(x, y)| {
        let between = along(&start, x, &p, y, &q);
        dot(&between, &between)
    });
    squared.reduce(|a, b| if (b - a).high < 0.0 { b } else { a }).expect("four candidates")
}

/// The kernel's value is short of the true distance by at most 80 roundings, the worst for edges that are parallel but
/// for the square root of a rounding.
#[test]
fn far_triangles_lose_less_than_eighty_roundings() {
    let mut random = Random(77);
    let mut worst = 0.0f64;
    for _ in 0..400_000 {
        let size = 10f64.powf(-0.9 - 6.0 * (random.number() + 1.0));
        let direction = random.point().normalize();
        let lateral = random.point().cross(direction).normalize() + direction * random.number() * 1e-7;
        let angle = 10f64.powf(-7.0 + 1.5 * random.number());
        let (p, q) = (lateral * size, (lateral + random.point() * angle) * size * (random.number() * 0.5 + 1.0));
        let shift = random.point() * size * 0.2;
        let a = [-p * 0.5, p * 0.5];
        let b = [direction + shift - q * 0.5, direction + shift + q * 0.5];
        let measured = primitive::distance(&[a[0], a[1], a[1]], &[b[0], b[1], b[1]]).distance;
        let squared = segments(a, b);
        // (d^2 - m^2) / (2 d^2) is the relative loss: no root has to be taken to a hundred bits.
        let measured = DoubleDouble::from(measured);
        let loss = (squared - measured * measured).to_f64() / (2.0 * squared.to_f64()) * 2f64.powi(53);
        worst = worst.max(loss);
        assert!(loss <= 80.0, "{loss} roundings: {a:?} {b:?}");
    }
    println!("the kernel is short by at most {worst:.1} roundings");
}

/// Far scenes equal the plain walk where it is hardest: faces and edges that are parallel up to rounding.
#[test]
fn far_scenes_equal_the_plain_walk() {
    let mut random = Random(5);
    let meshes = [
        meshes::lattice_box(2),
        meshes::torus(10, 6, 0.3),
        meshes::plane(5, 5),
        meshes::needles(40, 3),
        meshes::random_soup(50, 0.5, 9),
    ];
    for volume in VolumeKind::ALL {
        let models: Vec<_> = meshes.iter().filter_map(|mesh| scenes::build(mesh, volume)).collect();
        for (number, a) in models.iter().enumerate() {
            for b in &models[number..] {
                let mut pair = Pair::new(a, b).expect("equal volumes");
                for round in 0..12 {
                    let length = 10f64.powf(1.6 + 7.0 * (random.number() + 1.0));
                    let angle = if round % 3 == 0 { 1.0 } else { 10f64.powf(-8.0 + 2.0 * random.number()) };
                    let turn =
                        DQuat::from_xyzw(angle * random.number(), angle * random.number(), angle, 1.0).normalize();
                    let along = if round % 2 == 0 { random.point() } else { DVec3::X + random.point() * 1e-8 };
                    let pose = Transform {
                        rotation: DMat3::from_quat(turn),
                        translation: along.normalize() * length,
                        scale: DVec3::ONE,
                    };
                    pair.set_transforms(None, Some(&pose)).expect("a legal pose");
                    let params = DistanceParams { cold: true, ..Default::default() };
                    let answer = pair.distance(&params);
                    let walk = pair.plain_walk().distance(&params, &mut Counters::default());
                    let label = format!("{volume:?}, mesh {number}, {length:e} away");
                    assert_eq!(answer.upper.to_bits(), walk.upper.to_bits(), "{label}");
                    assert_eq!(answer.nearest, walk.nearest, "{label}");
                }
            }
        }
    }
}

/// Points that were pulled in (`math::placement`) are as far apart as the poses say, the nearest two are the nearest two,
/// and thresholds cut between one number and the next.
#[test]
fn pulled_in_models_keep_their_distance() {
    let mut random = Random(11);
    let points = |random: &mut Random| -> Vec<DVec3> { (0..8).map(|_| random.point()).collect() };
    for round in 0..600 {
        let (of_a, of_b) = (points(&mut random), points(&mut random));
        let mesh = |points: &[DVec3]| Mesh::soup(points.iter().map(|&point| [point; 3]));
        let build = |points| scenes::build(&mesh(points), VolumeKind::Obb).expect("an OBB for every mesh");
        let (a, b) = (build(&of_a), build(&of_b));
        let length = 10f64.powf(9.0 + 0.5 * (round / 12) as f64);
        let rotation = scenes::random_rotation(&mut random);
        let pose = Transform { rotation, translation: random.point().normalize() * length, scale: DVec3::ONE };
        let mut pair = Pair::new(&a, &b).expect("equal volumes");
        pair.set_transforms(None, Some(&pose)).expect("a legal pose");
        let answer = pair.distance(&DistanceParams { cold: true, ..Default::default() });
        let nearest = answer.nearest.expect("no limit was set");

        // To a hundred bits: what the pose says, less than 1e-14 of a size off at 1e18 sizes.
        let between = |i: u32, j: u32| -> Precise {
            let (p, q) = (of_a[i as usize], of_b[j as usize]);
            [0, 1, 2].map(|k| {
                let row = rotation.row(k);
                let turned = [0, 1, 2].map(|n| DoubleDouble::from(row[n]) * DoubleDouble::from(q[n]));
                turned[0] + turned[1] + turned[2] - DoubleDouble::from(p[k]) + DoubleDouble::from(pose.translation[k])
            })
        };
        let length_of = |v: &Precise| dot(v, v).sqrt();
        let every = (0..8).flat_map(|i| (0..8).map(move |j| (i, j)));
        let smallest =
            every.map(|(i, j)| length_of(&between(i, j))).reduce(|a, b| if (b - a).high < 0.0 { b } else { a });
        let smallest = smallest.expect("sixty-four pairs");
        let found = between(nearest.triangle_a, nearest.triangle_b);
        let coarse = f64::max(1e-7, length * 1e-31);
        assert!((length_of(&found) - smallest).high.abs() <= coarse, "{length:e}: not the nearest");
        let error = (DoubleDouble::from(answer.upper) - smallest).high.abs();
        assert!(error <= 4.0 * f64::EPSILON * length, "{length:e}: off by {error:e}");
        let direction = DVec3::from_array(found.map(|x| (x / smallest).high));
        assert!((nearest.normal - direction).length() < 1e-14, "{length:e}: {} {direction}", nearest.normal);
        let apart = (nearest.point_b - nearest.point_a).length();
        assert!((apart - answer.upper).abs() <= 8.0 * f64::EPSILON * length, "{length:e}: points {apart:e} apart");

        for (tolerance, closer) in [(answer.upper, true), (answer.upper.next_down(), false)] {
            let found = pair.tolerance(&ToleranceParams { tolerance, cold: true, ..Default::default() });
            assert_eq!(found.closer, closer, "{length:e}");
            let found = pair.distance(&DistanceParams { max_distance: tolerance, cold: true, ..Default::default() });
            assert_eq!(found.nearest.is_some(), closer, "{length:e}");
        }
    }
}
