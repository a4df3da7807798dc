//! Laws that hold whatever the scene: symmetry, units, common motions, history, determinism, search order, queue.

use feeler::internals::model::VolumeKind;
use feeler::internals::pair::PairParams;
use feeler::internals::query::*;
use feeler::{Model, Pair, Transform};
use feeler_tools::scenes::{Array, Hash, Shape};
use feeler_tools::{Random, meshes, scenes};
use glam::DVec3;

fn shapes(volumes: &[VolumeKind]) -> Vec<Shape> {
    let make = |(name, mesh): (&'static str, _)| Shape::new(name, mesh, volumes);
    let mut shapes: Vec<Shape> = scenes::corpus().into_iter().map(make).collect();
    shapes.push(Shape::new("fine torus", meshes::torus(40, 20, 0.3), volumes));
    shapes.push(Shape::new("fine sphere", meshes::sphere(40, 20), volumes));
    shapes
}

/// Calls `law` with some pairs of shapes on every pairing of volumes, in ordinary poses.
fn for_ordinary_scenes(seed: u64, count: usize, mut law: impl FnMut(&Shape, &Shape, [VolumeKind; 2], [Transform; 2])) {
    let volumes = scenes::volumes();
    let (shapes, pairings) = (shapes(&volumes), scenes::pairings());
    let mut random = Random(seed);
    for number in 0..count {
        let a = &shapes[random.bits() as usize % shapes.len()];
        let b = &shapes[random.bits() as usize % shapes.len()];
        let (kind_a, kind_b) = pairings[number % pairings.len()];
        let size = a.reach().max(b.reach());
        let ratio = 2f64.powf(random.number() * 2.0);
        let at_a = scenes::centred(a, scenes::random_rotation(&mut random), random.point() * size, 1.0);
        let away = random.point() * 3.0 * size * ratio.max(1.0);
        let at_b = scenes::centred(b, scenes::random_rotation(&mut random), away, ratio);
        law(a, b, [kind_a, kind_b], [at_a, at_b]);
    }
}

fn asked<'m>(a: &'m Model, b: &'m Model, poses: &[Transform; 2]) -> Pair<&'m Model> {
    let mut pair = Pair::new(a, b).expect("a pair of one family");
    pair.set_transforms(Some(&poses[0]), Some(&poses[1])).expect("a legal pose");
    pair
}

fn cold(pair: &mut Pair<&Model>) -> DistanceAnswer {
    pair.distance(&DistanceParams { cold: true, ..Default::default() })
}

/// What a distance may change by when the same scene is computed in another frame: roundings of placed coordinates.
fn rounding(a: &Shape, b: &Shape, poses: &[Transform; 2], distance: f64) -> f64 {
    let farthest = |shape: &Shape, pose: &Transform| {
        (shape.centre().length() + 2.0 * shape.reach()) * pose.scale.x + pose.translation.length()
    };
    64.0 * f64::EPSILON * (farthest(a, &poses[0]) + farthest(b, &poses[1])) + 2e-12 * distance
}

#[test]
fn swapped_models_have_the_same_distance() {
    let mut worst = 0.0f64;
    for_ordinary_scenes(1, 600, |a, b, [kind_a, kind_b], poses| {
        let there = cold(&mut asked(a.model(kind_a), b.model(kind_b), &poses)).upper;
        let back = cold(&mut asked(b.model(kind_b), a.model(kind_a), &[poses[1], poses[0]])).upper;
        let allowed = rounding(a, b, &poses, there);
        worst = worst.max((there - back).abs() / allowed);
        assert!((there - back).abs() <= allowed, "{} {}: {there:e} {back:e}", a.name, b.name);
    });
    println!("largest share of the allowed rounding: {worst:.3}");
}

#[test]
fn a_common_motion_changes_nothing_but_rounding() {
    let mut random = Random(5);
    let mut worst = 0.0f64;
    for_ordinary_scenes(2, 600, |a, b, [kind_a, kind_b], poses| {
        let here = cold(&mut asked(a.model(kind_a), b.model(kind_b), &poses)).upper;
        let (turn, shift) = (scenes::random_rotation(&mut random), random.point() * 10.0);
        let moved = poses.map(|pose| Transform {
            rotation: turn * pose.rotation,
            translation: turn * pose.translation + shift,
            ..pose
        });
        let there = cold(&mut asked(a.model(kind_a), b.model(kind_b), &moved)).upper;
        let allowed = rounding(a, b, &moved, here);
        worst = worst.max((there - here).abs() / allowed);
        assert!((there - here).abs() <= allowed, "{} {}: {here:e} {there:e}", a.name, b.name);
    });
    println!("largest share of the allowed rounding: {worst:.3}");
}

/// Scaled by 2^k, as poses or as vertices: the same bits, shifted, and the same work.
#[test]
fn powers_of_two_shift_the_answers() {
    let mut random = Random(6);
    for_ordinary_scenes(3, 400, |a, b, [kind_a, kind_b], poses| {
        let (model_a, model_b) = (a.model(kind_a), b.model(kind_b));
        let mut pair = asked(model_a, model_b, &poses);
        let exponent = (random.bits() % 1200) as i32 - 600;
        let unit = 2f64.powi(exponent);
        let scaled =
            poses.map(|pose| Transform { translation: pose.translation * unit, scale: pose.scale * unit, ..pose });
        let built = |shape: &Shape, kind| {
            let mesh = shape.mesh.clone().map(|vertex| vertex * unit);
            scenes::build(&mesh, kind).expect("a volume of this version")
        };
        let (grown_a, grown_b) = (built(a, kind_a), built(b, kind_b));
        let grown = poses.map(|pose| Transform { translation: pose.translation * unit, ..pose });
        let mut others = [asked(model_a, model_b, &scaled), asked(&grown_a, &grown_b, &grown)];
        let label = format!("{} {} {} {} times 2^{exponent}", kind_a.name(), a.name, kind_b.name(), b.name);
        for params in [
            DistanceParams { cold: true, ..Default::default() },
            DistanceParams { cold: true, max_work: 25, ..Default::default() },
            DistanceParams { cold: true, relative_error: 0.2, ..Default::default() },
        ] {
            let here = pair.distance(&params);
            let counters = *pair.counters();
            for other in &mut others {
                let there = other.distance(&params);
                let shifted = DistanceAnswer {
                    complete: here.complete,
                    lower: here.lower * unit,
                    upper: here.upper * unit,
                    nearest: here.nearest.map(|contact| Contact {
                        distance: contact.distance * unit,
                        point_a: contact.point_a * unit,
                        point_b: contact.point_b * unit,
                        ..contact
                    }),
                };
                assert_eq!(there, shifted, "{label}: {params:?}");
                assert_eq!(*other.counters(), counters, "{label}: {params:?}");
            }
        }
        let distance = cold(&mut pair).upper;
        for tolerance in [distance * 0.5, distance, distance * 1.5] {
            let here = pair.tolerance(&ToleranceParams { cold: true, tolerance, ..Default::default() });
            let counters = *pair.counters();
            for other in &mut others {
                let params = ToleranceParams { cold: true, tolerance: tolerance * unit, ..Default::default() };
                let there = other.tolerance(&params);
                assert_eq!((there.closer, there.upper), (here.closer, here.upper * unit), "{label}: {tolerance:e}");
                assert_eq!(*other.counters(), counters, "{label}: tolerance {tolerance:e}");
            }
        }
    });
}

/// Along a path, with questions of every kind in between, finished or not: value and verdict are those of a cold query.
#[test]
fn history_never_shows_in_value_or_verdict() {
    let volumes = scenes::volumes();
    let (shapes, pairings) = (shapes(&volumes), scenes::pairings());
    let mut random = Random(7);
    for path in 0..80 {
        let a = &shapes[random.bits() as usize % shapes.len()];
        let b = &shapes[random.bits() as usize % shapes.len()];
        let (kind_a, kind_b) = pairings[path % pairings.len()];
        let params = PairParams { max_queue: [0, 2, 64][path % 3], ..Default::default() };
        let mut warm = Pair::with_params(a.model(kind_a), b.model(kind_b), &params).unwrap();
        let mut cool = Pair::new(a.model(kind_a), b.model(kind_b)).unwrap();
        let size = a.reach().max(b.reach()).max(1e-3);
        let (mut at, direction) = (random.point() * 2.0 * size, -random.point() * 0.1 * size);
        let mut rotation = scenes::random_rotation(&mut random);
        let turn = glam::DMat3::from_axis_angle(random.point().normalize_or(DVec3::X), 0.03);
        for step in 0..40 {
            let label = format!("{} {} {} {}, step {step}", kind_a.name(), a.name, kind_b.name(), b.name);
            let at_a = scenes::centred(a, glam::DMat3::IDENTITY, DVec3::ZERO, 1.0);
            let at_b = scenes::centred(b, rotation, at, 1.0);
            for pair in [&mut warm, &mut cool] {
                pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
            }
            let truth = cold(&mut cool);
            for _ in 0..4 {
                let max_work = if random.bits().is_multiple_of(2) { 0 } else { 1 + random.bits() % 30 };
                match random.bits() % 4 {
                    0 => {
                        let search = [Search::Auto, Search::DepthFirst, Search::BestFirst][random.bits() as usize % 3];
                        let answer = warm.distance(&DistanceParams { max_work, search, ..Default::default() });
                        assert!(answer.lower <= truth.upper && truth.upper <= answer.upper, "{label}: {answer:?}");
                        if answer.complete {
                            assert_eq!((answer.lower, answer.upper), (truth.lower, truth.upper), "{label}");
                        }
                    }
                    1 => {
                        let answer = warm.collide(&CollideParams { cold: false, max_work });
                        let touching = truth.upper == 0.0;
                        assert!(touching || answer.contact.is_none(), "{label}: {answer:?}");
                        assert!(!answer.complete || answer.contact.is_some() == touching, "{label}: {answer:?}");
                    }
                    2 => {
                        let tolerance = truth.upper * (1.0 + random.number() * 0.01);
                        let answer = warm.tolerance(&ToleranceParams { cold: false, max_work, tolerance });
                        let closer = truth.upper <= tolerance;
                        assert!(answer.lower <= truth.upper && truth.upper <= answer.upper, "{label}: {answer:?}");
                        assert!(closer || !answer.closer, "{label}: {answer:?}");
                        assert!(!answer.complete || answer.closer == closer, "{label}: {answer:?}");
                    }
                    _ => {
                        let params = ContactsParams { margin: 0.02 * size, ..Default::default() };
                        let (mut ours, mut theirs) = (Array::new(10), Array::new(10));
                        assert_eq!(warm.contacts(&params, &mut ours), cool.contacts(&params, &mut theirs), "{label}");
                        assert_eq!(ours.contacts, theirs.contacts, "{label}");
                    }
                }
            }
            at += direction;
            rotation = turn * rotation;
        }
    }
}

/// Asks a sequence of questions that depends on nothing but the seed, and sums up all the answers and counters.
fn sequence(pair: &mut Pair<&Model>, a: &Shape, b: &Shape, seed: u64) -> u64 {
    let mut random = Random(seed);
    let mut hash = Hash::new();
    let size = a.reach().max(b.reach()).max(1e-3);
    for _ in 0..40 {
        if random.bits().is_multiple_of(3) {
            let at_a = scenes::centred(a, scenes::random_rotation(&mut random), random.point() * size, 1.0);
            let at_b = scenes::centred(b, scenes::random_rotation(&mut random), random.point() * 2.0 * size, 1.0);
            pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
        }
        let (cold, max_work) = (random.bits().is_multiple_of(4), random.bits() % 40);
        match random.bits() % 4 {
            0 => {
                let answer = pair.distance(&DistanceParams { cold, max_work, ..Default::default() });
                hash.number(answer.lower);
                hash.number(answer.upper);
                hash.contact(&answer.nearest);
            }
            1 => {
                let answer = pair.collide(&CollideParams { cold, max_work });
                let ids = answer.contact.map_or((0, 0), |(id_a, id_b, _)| (id_a, id_b));
                hash.word(answer.complete as u64 | (ids.0 as u64) << 1 | (ids.1 as u64) << 33);
            }
            2 => {
                let answer = pair.tolerance(&ToleranceParams { cold, max_work, tolerance: 0.3 * size });
                hash.number(answer.lower);
                hash.number(answer.upper);
                hash.contact(&answer.nearest);
            }
            _ => {
                let mut array = Array::new(4);
                let params = ContactsParams {
                    cold,
                    max_work,
                    margin: 0.1 * size,
                    stop_when_full: random.bits().is_multiple_of(2),
                    ids_only: false,
                };
                hash.word(pair.contacts(&params, &mut array).found);
                array.contacts.iter().for_each(|contact| hash.contact(contact));
            }
        }
        hash.counters(pair.counters());
    }
    hash.0
}

#[test]
fn the_same_calls_give_the_same_bits() {
    let volumes = scenes::volumes();
    let (shapes, pairings) = (shapes(&volumes), scenes::pairings());
    for number in 0..60 {
        let (a, b) = (&shapes[number % shapes.len()], &shapes[(number * 7 + 3) % shapes.len()]);
        let (kind_a, kind_b) = pairings[number % pairings.len()];
        let mut pair = Pair::new(a.model(kind_a), b.model(kind_b)).unwrap();
        let start = Transform::IDENTITY;
        pair.set_transforms(Some(&start), Some(&start)).unwrap();
        let first = sequence(&mut pair, a, b, number as u64);
        pair.set_transforms(Some(&start), Some(&start)).unwrap();
        pair.reset();
        assert_eq!(sequence(&mut pair, a, b, number as u64), first, "{} {} after a reset", a.name, b.name);
        let mut fresh = Pair::new(a.model(kind_a), b.model(kind_b)).unwrap();
        assert_eq!(sequence(&mut fresh, a, b, number as u64), first, "{} {} on a new pair", a.name, b.name);
    }
}

/// Order and memory of the search decide how long it takes, not what it finds.
#[test]
fn order_and_queue_do_not_matter() {
    for_ordinary_scenes(8, 300, |a, b, [kind_a, kind_b], poses| {
        let truth = cold(&mut asked(a.model(kind_a), b.model(kind_b), &poses));
        for max_queue in [0, 1, 2, 8] {
            let params = PairParams { max_queue, ..Default::default() };
            let mut pair = Pair::with_params(a.model(kind_a), b.model(kind_b), &params).unwrap();
            pair.set_transforms(Some(&poses[0]), Some(&poses[1])).unwrap();
            for search in [Search::Auto, Search::DepthFirst, Search::BestFirst] {
                for cold in [true, false] {
                    let answer = pair.distance(&DistanceParams { cold, search, ..Default::default() });
                    let label = format!("{} {}, queue {max_queue}, {search:?}, cold {cold}", a.name, b.name);
                    assert_eq!((answer.lower, answer.upper), (truth.lower, truth.upper), "{label}");
                    if cold && truth.upper > 0.0 {
                        assert_eq!(answer.nearest, truth.nearest, "{label}");
                    }
                }
            }
        }
    });
}
