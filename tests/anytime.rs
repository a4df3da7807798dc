//! Answers on a budget and answers with an error: certified for every budget, never widened by more work, and a still
//! scene asked again and again ends at the exact answer.

use feeler::internals::model::VolumeKind;
use feeler::internals::pair::PairParams;
use feeler::internals::query::*;
use feeler::{BuildParams, Model, Pair, Transform};
use feeler_tools::scenes::{Array, Shape, Walk};
use feeler_tools::{Random, meshes, scenes};
use glam::DVec3;

/// One expansion, and the eight triangle pairs that it can bring: what a budget may be overshot by.
const ONE_EXPANSION: u64 = 9;

struct Scene<'s> {
    a: &'s Shape,
    b: &'s Shape,
    kinds: (VolumeKind, VolumeKind),
    poses: [Transform; 2],
    label: String,
}

/// Scenes that need some hundred units of work each, on every pairing of volumes: apart, nearly touching, intersecting.
fn for_scenes(seed: u64, count: usize, mut visit: impl FnMut(Scene)) {
    let volumes = scenes::volumes();
    let pairings = scenes::pairings();
    let mut random = Random(seed);
    let shapes = [
        Shape::new("torus", meshes::torus(14, 7, 0.3), &volumes),
        Shape::new("sphere", meshes::sphere(12, 8), &volumes),
        Shape::new("soup", meshes::random_soup(90, 0.25, 3), &volumes),
        Shape::new("box", meshes::lattice_box(3), &volumes),
        Shape::new("eight", meshes::random_soup(8, 0.7, 8), &volumes),
        Shape::new("triangle", meshes::random_soup(1, 1.0, 5), &volumes),
    ];
    for number in 0..count {
        let (a, b) = (&shapes[random.bits() as usize % 6], &shapes[random.bits() as usize % 6]);
        let kinds = pairings[number % pairings.len()];
        let rotation = scenes::random_rotation(&mut random);
        let at_a = scenes::pose(scenes::random_rotation(&mut random), random.point(), 1.0);
        let mut at_b = scenes::pose(rotation, random.point() * 3.0, 1.0);
        let mut pair = Pair::new(a.model(kinds.0), b.model(kinds.1)).unwrap();
        pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
        if number % 3 == 1 {
            let nearest = cold(&mut pair, &DistanceParams::default()).nearest.unwrap();
            at_b.translation -= nearest.normal * nearest.distance * [0.9, 1.0, 1.1][number / 3 % 3];
        }
        if number % 11 == 0 {
            at_b.translation *= 1e5;
        }
        let label = format!("{} {} {} {}, scene {number}", kinds.0.name(), a.name, kinds.1.name(), b.name);
        visit(Scene { a, b, kinds, poses: [at_a, at_b], label });
    }
}

impl<'s> Scene<'s> {
    fn pair(&self, max_queue: u32) -> Pair<&'s feeler::Model> {
        let params = PairParams { max_queue, ..Default::default() };
        let mut pair = Pair::with_params(self.a.model(self.kinds.0), self.b.model(self.kinds.1), &params).unwrap();
        pair.set_transforms(Some(&self.poses[0]), Some(&self.poses[1])).unwrap();
        pair
    }
}

fn cold(pair: &mut Pair<&feeler::Model>, params: &DistanceParams) -> DistanceAnswer {
    pair.distance(&DistanceParams { cold: true, ..*params })
}

/// All budgets up to a few hundred, then in larger steps, then one that always suffices.
fn budgets(needed: u64) -> impl Iterator<Item = u64> {
    let step = (needed / 200).max(1);
    (1..=40).chain((41..needed + 3).step_by(step as usize)).chain([needed.max(1) * 2, u64::MAX])
}

#[test]
fn every_budget_gives_a_certified_interval_that_never_widens() {
    let mut largest_overshoot = 0;
    for_scenes(1, 150, |scene| {
        let mut pair = scene.pair([0, 0, 1, 8][scene.label.len() % 4]);
        let distance = Walk::new(&pair).distance();
        for search in [SearchOrder::Auto, SearchOrder::DepthFirst, SearchOrder::BestFirst] {
            cold(&mut pair, &DistanceParams { search, ..Default::default() });
            let needed = pair.counters().work;
            let (mut lower, mut upper, mut complete) = (0.0, f64::INFINITY, false);
            for max_work in budgets(needed) {
                let answer = cold(&mut pair, &DistanceParams { search, max_work, ..Default::default() });
                let label = format!("{}, {search:?}, budget {max_work}, distance {distance:e}", scene.label);
                assert!(answer.lower <= distance && distance <= answer.upper, "{label}: {answer:?}");
                assert!(answer.upper.is_finite() && answer.nearest.is_some(), "{label}: the first pair is free");
                assert!(answer.lower >= lower, "{label}: {} after {lower}", answer.lower);
                assert!(answer.upper <= upper, "{label}: {} after {upper}", answer.upper);
                assert!(answer.complete >= complete, "{label}: complete with less");
                assert!(
                    !answer.complete || answer.lower == distance && answer.upper == distance,
                    "{label}: {answer:?}"
                );
                assert!(
                    pair.counters().work <= max_work.saturating_add(ONE_EXPANSION),
                    "{label}: {:?}",
                    pair.counters()
                );
                largest_overshoot = largest_overshoot.max(pair.counters().work.saturating_sub(max_work));
                (lower, upper, complete) = (answer.lower, answer.upper, answer.complete);
            }
            assert!(complete, "{}: a budget without end", scene.label);
        }
    });
    println!("largest overshoot: {largest_overshoot} units of work");
}

/// Budgets together with errors and with a largest distance.
#[test]
fn budgets_with_errors_are_certified() {
    for_scenes(2, 150, |scene| {
        let mut pair = scene.pair(0);
        let distance = Walk::new(&pair).distance();
        for params in [
            DistanceParams { relative_error: 0.1, ..Default::default() },
            DistanceParams { absolute_error: 0.2, ..Default::default() },
            DistanceParams { max_distance: distance * 0.8, ..Default::default() },
            DistanceParams { max_distance: distance * 1.3, relative_error: 0.05, ..Default::default() },
        ] {
            cold(&mut pair, &params);
            for max_work in budgets(pair.counters().work) {
                let answer = cold(&mut pair, &DistanceParams { max_work, ..params });
                let label = format!("{}, {params:?}, budget {max_work}, distance {distance:e}", scene.label);
                assert!(answer.lower <= distance && distance <= answer.upper, "{label}: {answer:?}");
                if !answer.complete {
                    assert!(answer.upper.is_finite() && answer.nearest.is_some(), "{label}: {answer:?}");
                } else if distance > params.max_distance {
                    assert_eq!((answer.lower, answer.upper), (params.max_distance, f64::INFINITY), "{label}");
                } else {
                    assert!(is_near_enough(&answer, distance, &params), "{label}: {answer:?}");
                }
            }
        }
    });
}

/// The meaning of the errors: either is met, to rounding.
fn is_near_enough(answer: &DistanceAnswer, distance: f64, params: &DistanceParams) -> bool {
    let rounded = 1.0 + 4.0 * f64::EPSILON;
    answer.upper <= distance * (1.0 + params.relative_error) * rounded
        || answer.upper <= (distance + params.absolute_error) * rounded
}

#[test]
fn verdicts_on_a_budget_are_right_or_open() {
    for_scenes(3, 150, |scene| {
        let mut pair = scene.pair(0);
        let walk = Walk::new(&pair);
        let distance = walk.distance();
        for max_work in budgets(400) {
            let label = format!("{}, budget {max_work}, distance {distance:e}", scene.label);
            let answer = pair.collide(&CollideParams { cold: true, max_work });
            let touching = distance == 0.0;
            assert!(touching || answer.contact.is_none(), "{label}: {answer:?}");
            assert!(!answer.complete || answer.contact.is_some() == touching, "{label}: {answer:?}");
            assert!(pair.counters().work <= max_work.saturating_add(ONE_EXPANSION), "{label}: {:?}", pair.counters());
            for tolerance in [distance * 0.7, distance, distance * 1.4] {
                let answer = pair.tolerance(&ToleranceParams { cold: true, max_work, tolerance });
                let closer = distance <= tolerance;
                assert!(answer.lower <= distance && distance <= answer.upper, "{label}: {answer:?}");
                assert!(answer.complete || !answer.closer, "{label}: an open verdict says no: {answer:?}");
                assert!(answer.complete || answer.upper.is_finite(), "{label}: the first pair is free: {answer:?}");
                assert!(!answer.complete || answer.closer == closer, "{label}: {answer:?}");
                assert!(pair.counters().work <= max_work.saturating_add(ONE_EXPANSION), "{label}");
            }
            let mut array = Array::new(1000);
            let answer = pair.contacts(&ContactsParams { margin: 0.1, max_work, ..Default::default() }, &mut array);
            let expected = walk.within(0.1);
            assert!(!answer.complete || answer.found == expected.len() as u64, "{label}: {answer:?}");
            assert!(answer.found <= expected.len() as u64, "{label}: {answer:?}");
            assert!(array.ids().iter().all(|ids| expected.binary_search(ids).is_ok()), "{label}");
            assert!(array.ids().windows(2).all(|two| two[0] < two[1]), "{label}: a contact twice: {:?}", array.ids());
        }
    });
}

/// A still scene: what a query did not finish the next one goes on with, also when the caller sets the same poses again.
#[test]
fn repeated_small_budgets_reach_the_exact_answer() {
    for_scenes(4, 150, |scene| {
        let distance = Walk::new(&scene.pair(0)).distance();
        let mut pair = scene.pair([0, 2][scene.label.len() % 2]);
        cold(&mut pair, &DistanceParams { search: SearchOrder::DepthFirst, ..Default::default() });
        let enough = 40 + 8 * pair.counters().work;
        for max_work in [1, 2, 3, 4, 5, 7, 16] {
            for again in [false, true] {
                let next = |pair: &mut Pair<_>| {
                    if again {
                        pair.set_transforms(Some(&scene.poses[0]), Some(&scene.poses[1])).unwrap();
                    }
                };
                let label = format!("{}, budget {max_work}, poses set again: {again}", scene.label);
                for search in [SearchOrder::Auto, SearchOrder::DepthFirst, SearchOrder::BestFirst] {
                    pair.reset();
                    let (mut calls, mut lower, mut upper) = (0, 0.0, f64::INFINITY);
                    loop {
                        next(&mut pair);
                        let answer = pair.distance(&DistanceParams { max_work, search, ..Default::default() });
                        assert!(answer.lower <= distance && distance <= answer.upper, "{label}: {answer:?}");
                        assert!(answer.lower >= lower && answer.upper <= upper, "{label}: {answer:?} widens");
                        (lower, upper) = (answer.lower, answer.upper);
                        if answer.complete {
                            assert_eq!((lower, upper), (distance, distance), "{label}");
                            break;
                        }
                        calls += 1;
                        assert!(calls < enough, "{label}, {search:?}: distance does not converge");
                    }
                }
                for tolerance in [distance * 0.99, distance, distance * 1.01] {
                    pair.reset();
                    let mut calls = 0;
                    loop {
                        next(&mut pair);
                        let answer = pair.tolerance(&ToleranceParams { cold: false, max_work, tolerance });
                        assert!(answer.lower <= distance && distance <= answer.upper, "{label}: {answer:?}");
                        if answer.complete {
                            assert_eq!(answer.closer, distance <= tolerance, "{label}");
                            break;
                        }
                        calls += 1;
                        assert!(calls < enough, "{label}: tolerance does not converge");
                    }
                }
                pair.reset();
                let mut calls = 0;
                loop {
                    next(&mut pair);
                    let answer = pair.collide(&CollideParams { cold: false, max_work });
                    if answer.complete {
                        assert_eq!(answer.contact.is_some(), distance == 0.0, "{label}");
                        break;
                    }
                    calls += 1;
                    assert!(calls < enough, "{label}: collide does not converge");
                }
            }
        }
    });
}

#[test]
fn errors_mean_what_they_say() {
    for_scenes(5, 400, |scene| {
        let mut pair = scene.pair(0);
        let distance = Walk::new(&pair).distance();
        for (relative_error, absolute_error) in
            [(0.01, 0.0), (0.1, 0.0), (1.0, 0.0), (10.0, 0.0), (0.0, 0.01), (0.0, 0.3), (0.0, 10.0), (0.05, 0.1)]
        {
            for search in [SearchOrder::Auto, SearchOrder::DepthFirst, SearchOrder::BestFirst] {
                for cold in [true, false] {
                    let params = DistanceParams { cold, relative_error, absolute_error, search, ..Default::default() };
                    let answer = pair.distance(&params);
                    assert!(answer.proves(&params), "{}: {answer:?}", scene.label);
                    let label = format!("{}, {params:?}, distance {distance:e}", scene.label);
                    assert!(answer.complete && answer.nearest.is_some(), "{label}: {answer:?}");
                    assert!(answer.lower <= distance && distance <= answer.upper, "{label}: {answer:?}");
                    assert!(is_near_enough(&answer, distance, &params), "{label}: {answer:?}");
                    if cold {
                        pair.reset();
                    }
                }
            }
        }
    });
}

/// Lengths of the world are multiples of 2^-1074: with so few steps between 0 and the distance, the bound of a search with
/// errors rounds to a step that proves too little.
#[test]
fn errors_are_proved_near_underflow() {
    let size = 1e-300;
    let corners = [DVec3::ZERO, DVec3::X * size, DVec3::Y * size];
    let mut model = Model::new(&(&corners[..], &[[0, 1, 2]][..])).unwrap();
    model.build(&BuildParams::default()).unwrap();
    let step = f64::from_bits(1);
    for steps in 1..40 {
        let distance = step * f64::from(steps);
        let away = Transform { translation: DVec3::Z * distance, ..Transform::IDENTITY };
        for (relative_error, absolute_error) in
            [(0.01, 0.0), (0.1, 0.0), (0.3, 0.0), (0.5, 0.0), (1.0, 0.0), (3.0, 0.0), (0.0, step), (0.0, 5.0 * step)]
        {
            for max_work in [0, 1, 2, 3] {
                let mut pair = Pair::new(&model, &model).unwrap();
                pair.set_transforms(None, Some(&away)).unwrap();
                let params = DistanceParams { relative_error, absolute_error, max_work, ..Default::default() };
                let answer = pair.distance(&params);
                assert!(answer.lower <= distance && distance <= answer.upper, "{steps} steps: {answer:?}");
                assert!(answer.complete || max_work > 0, "{steps} steps: {answer:?}");
                assert!(!answer.complete || answer.proves(&params), "{steps} steps, {relative_error}: {answer:?}");
                assert!(max_work == 0 || pair.counters().work <= max_work + ONE_EXPANSION);
            }
        }
    }
}

/// An approximate answer costs less: on larger models, for every volume.
#[test]
fn approximate_answers_cost_less() {
    let (mesh_a, mesh_b) = (meshes::torus(80, 40, 0.3), meshes::sphere(80, 50));
    let mut random = Random(9);
    for kind in scenes::volumes() {
        let (a, b) = (scenes::build(&mesh_a, kind).unwrap(), scenes::build(&mesh_b, kind).unwrap());
        let mut pair = Pair::new(&a, &b).unwrap();
        let errors = [0.0, 0.001, 0.01, 0.1, 0.5];
        let mut work = [0; 5];
        let mut tests = [0; 5];
        for _ in 0..30 {
            let away = random.point().normalize() * (2.1 + 0.3 * random.number());
            pair.set_transforms(None, Some(&scenes::pose(scenes::random_rotation(&mut random), away, 1.0))).unwrap();
            for (place, relative_error) in errors.into_iter().enumerate() {
                cold(&mut pair, &DistanceParams { relative_error, ..Default::default() });
                work[place] += pair.counters().work;
                tests[place] += pair.counters().volume_tests;
            }
        }
        println!("{}: work {work:?}, volume tests {tests:?} at relative errors {errors:?}", kind.name());
        assert!(work.windows(2).all(|two| two[1] <= two[0]), "{}: {work:?}", kind.name());
        // An exact search that is already lean (RSS) has less to save than the default volume.
        assert!(work[3] * 3 < work[0] * 2, "{}: {work:?}", kind.name());
        assert!(kind != VolumeKind::Obb || work[3] * 2 < work[0], "{}: {work:?}", kind.name());
        assert!(tests[3] < tests[0], "{}: {tests:?}", kind.name());
    }
}

/// Errors refer to pairs within `max_distance`: one beyond it, met first, must not hide those in between.
#[test]
fn errors_hide_nothing_within_the_largest_distance() {
    let mut within = 0;
    for_scenes(9, 240, |scene| {
        let mut pair = scene.pair(0);
        let distance = cold(&mut pair, &DistanceParams::default()).upper;
        for max_distance in [distance, distance * 1.1, distance.next_up(), distance.next_down().max(0.0)] {
            for (relative_error, absolute_error) in [(0.5, 0.0), (0.0, distance * 0.4), (3.0, distance)] {
                for (search, is_cold, max_work) in [
                    (SearchOrder::DepthFirst, true, 0),
                    (SearchOrder::BestFirst, true, 0),
                    (SearchOrder::Auto, false, 0),
                    (SearchOrder::Auto, true, 150),
                ] {
                    let params = DistanceParams {
                        cold: is_cold,
                        max_work,
                        relative_error,
                        absolute_error,
                        max_distance,
                        search,
                    };
                    let answer = pair.distance(&params);
                    let label = format!("{}: {distance:e} {answer:?} {params:?}", scene.label);
                    assert!(answer.lower <= distance && distance <= answer.upper, "{label}");
                    if answer.complete {
                        assert_eq!(answer.nearest.is_some(), distance <= max_distance, "{label}");
                        assert!(answer.proves(&params), "{label}");
                        within += answer.nearest.is_some() as usize;
                    }
                }
            }
        }
    });
    assert!(within > 3000, "{within}");
}
