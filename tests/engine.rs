//! Every query against the plain walk over all triangle pairs, bit for bit, on every volume and pairing of volumes.

use feeler::internals::model::VolumeKind;
use feeler::internals::pair::PairParams;
use feeler::internals::primitive;
use feeler::internals::query::*;
use feeler::{Model, Pair, Transform};
use feeler_tools::scenes::{Array, Shape, Walk};
use feeler_tools::{Random, meshes, scenes};

const ORDERS: [Search; 3] = [Search::Auto, Search::DepthFirst, Search::BestFirst];

/// Everything that is asked in one scene; `label` names it in a failure.
fn check(pair: &mut Pair<&Model>, walk: &Walk, random: &mut Random, label: &str) {
    let distance = walk.distance();
    check_distance(pair, walk, random, label);
    for cold in [true, false] {
        let answer = pair.collide(&CollideParams { cold, max_work: 0 });
        assert!(answer.complete, "{label}");
        assert_eq!(answer.contact.is_some(), distance == 0.0, "{label}: collide, distance {distance:e}");
        if let Some((id_a, id_b, point)) = answer.contact {
            let contact = pair.plain_walk().contact(id_a, id_b);
            assert_eq!(contact.distance, 0.0, "{label}: the witness of collide touches");
            assert_eq!(contact.point_a, point, "{label}");
        }
        for tolerance in
            [distance, distance.next_up(), distance.next_down().max(0.0), 0.0, distance * 0.5, distance * 3.0]
        {
            check_tolerance(pair, walk, cold, tolerance, label);
        }
    }
    let margin = distance + (distance + f64::MIN_POSITIVE) * (random.number() + 1.0);
    for margin in [0.0, distance, distance.next_down().max(0.0), margin] {
        check_contacts(pair, walk, margin, random, label);
    }
}

fn check_distance(pair: &mut Pair<&Model>, walk: &Walk, random: &mut Random, label: &str) {
    let distance = walk.distance();
    let exact = |answer: DistanceAnswer, cold: bool, what: &str| {
        assert!(answer.complete, "{label}: {what}");
        assert_eq!(answer.upper.to_bits(), distance.to_bits(), "{label}: {what}: {:e}, not {distance:e}", answer.upper);
        assert_eq!(answer.lower.to_bits(), distance.to_bits(), "{label}: {what}: lower {:e}", answer.lower);
        let nearest = answer.nearest.expect("a nearest pair");
        if cold && distance > 0.0 {
            assert_eq!(nearest, walk.nearest, "{label}: {what}: the smallest ids");
        } else {
            let (id_a, id_b) = (nearest.triangle_a, nearest.triangle_b);
            assert_eq!(walk.of(id_a, id_b).to_bits(), distance.to_bits(), "{label}: {what}: a real witness");
        }
        nearest
    };
    for search in ORDERS {
        let nearest = exact(pair.distance(&DistanceParams { cold: true, search, ..Default::default() }), true, "cold");
        assert_eq!(nearest, pair.plain_walk().contact(nearest.triangle_a, nearest.triangle_b), "{label}");
        assert!((nearest.normal.length() - 1.0).abs() < 1e-12, "{label}: normal {}", nearest.normal);
        exact(pair.distance(&DistanceParams { search, ..Default::default() }), false, "warm");
    }
    // An unfinished search may be lying around when the next question comes.
    let max_work = 1 + random.bits() % 20;
    pair.distance(&DistanceParams { max_work, ..Default::default() });
    if random.bits().is_multiple_of(2) {
        pair.collide(&CollideParams { cold: false, max_work });
    }
    exact(pair.distance(&DistanceParams::default()), false, "after an unfinished search");

    for max_distance in [distance, distance.next_up(), distance * 2.0] {
        let params = DistanceParams { cold: true, max_distance, ..Default::default() };
        exact(pair.distance(&params), true, "max_distance above");
    }
    for max_distance in [distance.next_down(), distance * 0.9, 0.0] {
        if max_distance < 0.0 || max_distance >= distance {
            continue;
        }
        for cold in [true, false] {
            let answer = pair.distance(&DistanceParams { cold, max_distance, ..Default::default() });
            let expected = DistanceAnswer { complete: true, lower: max_distance, upper: f64::INFINITY, nearest: None };
            assert_eq!(answer, expected, "{label}: max_distance {max_distance:e} below {distance:e}");
        }
    }
}

fn check_tolerance(pair: &mut Pair<&Model>, walk: &Walk, cold: bool, tolerance: f64, label: &str) {
    let distance = walk.distance();
    let answer = pair.tolerance(&ToleranceParams { cold, max_work: 0, tolerance });
    let closer = distance <= tolerance;
    assert!(answer.complete, "{label}");
    assert_eq!(answer.closer, closer, "{label}: tolerance {tolerance:e} at distance {distance:e}, cold {cold}");
    assert!(answer.lower <= distance && distance <= answer.upper, "{label}: {answer:?} at {distance:e}");
    match answer.nearest {
        Some(contact) => {
            assert!(closer && contact.distance <= tolerance, "{label}: {contact:?}");
            assert_eq!(answer.upper, contact.distance, "{label}");
            assert_eq!(contact, pair.plain_walk().contact(contact.triangle_a, contact.triangle_b), "{label}");
        }
        None => assert!(!closer && answer.lower == tolerance, "{label}: {answer:?}"),
    }
}

fn check_contacts(pair: &mut Pair<&Model>, walk: &Walk, margin: f64, random: &mut Random, label: &str) {
    let expected = walk.within(margin);
    let count = expected.len();
    let label = format!("{label}, margin {margin:e}");
    // Few enough that each contact can be written out, else only counted.
    let whole = if count <= 300 { usize::MAX } else { 5 };
    for capacity in [whole, 0, 1, random.bits() as usize % (count.min(40) + 2)] {
        let mut array = Array::new(capacity);
        let answer = pair.contacts(&ContactsParams { margin, ..Default::default() }, &mut array);
        let written = count.min(capacity);
        if capacity == usize::MAX && array.ids() != expected {
            report_difference(pair, walk, &array.ids(), &expected);
        }
        let right = ContactsAnswer { complete: true, found: count as u64, written: written as u64 };
        assert_eq!(answer, right, "{label}, capacity {capacity}");
        assert_eq!(array.ids(), expected[..written], "{label}, capacity {capacity}");
        for contact in array.contacts.iter().flatten() {
            assert_eq!(*contact, pair.plain_walk().contact(contact.triangle_a, contact.triangle_b), "{label}");
        }
    }
    // A budget that suffices changes nothing.
    let mut array = Array::new(5);
    let answer = pair.contacts(&ContactsParams { margin, max_work: u64::MAX, ..Default::default() }, &mut array);
    assert_eq!((answer.complete, answer.found), (true, count as u64), "{label}: with a budget");
    assert_eq!(array.ids(), expected[..count.min(5)], "{label}: with a budget");
    // Ids only: the same ids, and nothing else.
    let mut array = Array::new(count + 1);
    let answer = pair.contacts(&ContactsParams { margin, ids_only: true, ..Default::default() }, &mut array);
    assert_eq!((answer.complete, answer.found), (true, count as u64), "{label}: ids only");
    assert_eq!(array.ids(), expected, "{label}: ids only");
    let zero = glam::DVec3::ZERO;
    for contact in array.contacts.iter().flatten() {
        let vectors = (contact.point_a, contact.point_b, contact.normal);
        assert_eq!((vectors, contact.distance, contact.feature), ((zero, zero, zero), 0.0, 0), "{label}: ids only");
    }
    // Stopping when full: some of the contacts, and told so.
    let mut array = Array::new(3);
    let answer = pair.contacts(&ContactsParams { margin, stop_when_full: true, ..Default::default() }, &mut array);
    assert_eq!(answer.complete, count <= 3, "{label}: stop when full, {count} contacts");
    assert_eq!(answer.written, count.min(3) as u64, "{label}");
    assert!(array.ids().windows(2).all(|two| two[0] < two[1]), "{label}: {:?}", array.ids());
    assert!(array.ids().iter().all(|ids| expected.binary_search(ids).is_ok()), "{label}: {:?}", array.ids());
}

/// Which pairs only one side has, and what every way to measure says about them.
fn report_difference(pair: &Pair<&Model>, walk: &Walk, found: &[(u32, u32)], expected: &[(u32, u32)]) {
    let plain = pair.plain_walk();
    let missing = expected.iter().filter(|ids| !found.contains(ids));
    for &(id_a, id_b) in missing.chain(found.iter().filter(|ids| !expected.contains(ids))) {
        let (a, b) = (plain.placed_a(id_a), plain.placed_b(id_b));
        println!(
            "{id_a} {id_b}: walk {:e}, distance {:e}, robust {:e}, closest {:e}, intersects {}\n{a:?}\n{b:?}",
            walk.of(id_a, id_b),
            primitive::distance(&a, &b).distance,
            primitive::robust::distance(&a, &b).distance,
            primitive::closest(&a, &b).distance,
            primitive::intersects(&a, &b),
        );
    }
}

/// The walk of this file is the plain walk of the library.
fn check_definition(pair: &Pair<&Model>, walk: &Walk, label: &str) {
    let plain = pair.plain_walk();
    let mut counters = Counters::default();
    let answer = plain.distance(&DistanceParams::default(), &mut counters);
    assert_eq!((answer.upper, answer.nearest), (walk.distance(), Some(walk.nearest)), "{label}");
    assert_eq!(plain.collide(&mut counters).contact.is_some(), walk.distance() == 0.0, "{label}");
    let (_, contacts) =
        plain.contacts(&ContactsParams { margin: walk.distance(), ..Default::default() }, 7, &mut counters);
    let ids: Vec<_> = contacts.iter().map(|contact| (contact.triangle_a, contact.triangle_b)).collect();
    let within = walk.within(walk.distance());
    assert_eq!(ids, within[..within.len().min(7)], "{label}");
}

/// Asks the default volume in every scene, and another pairing in turn.
struct Runner {
    pairings: Vec<(VolumeKind, VolumeKind)>,
    scenes: usize,
}

impl Runner {
    fn run(&mut self, a: &Shape, b: &Shape, (name, at_a, at_b): &(String, Transform, Transform), random: &mut Random) {
        let mut walk = None;
        let mut asked = vec![self.pairings[0]];
        if self.pairings.len() > 1 {
            asked.push(self.pairings[1 + self.scenes % (self.pairings.len() - 1)]);
        }
        for (volume_a, volume_b) in asked {
            let (model_a, model_b) = (a.model(volume_a), b.model(volume_b));
            let label = format!("{} {} {} {}, {name}", volume_a.name(), a.name, volume_b.name(), b.name);
            let max_queue = [0, 0, 0, 1, 2, 8][self.scenes % 6];
            let mut pair =
                Pair::with_params(model_a, model_b, &PairParams { max_queue, ..Default::default() }).unwrap();
            // Leave something behind from another pose.
            pair.distance(&DistanceParams::default());
            pair.set_transforms(Some(at_a), Some(at_b)).unwrap_or_else(|error| panic!("{label}: {error}"));
            let walk = walk.get_or_insert_with(|| {
                let walk = Walk::new(&pair);
                if self.scenes.is_multiple_of(16) {
                    check_definition(&pair, &walk, &label);
                }
                walk
            });
            check(&mut pair, walk, random, &label);
        }
        self.scenes += 1;
    }
}

fn run_all(seed: u64, share: impl Fn(usize) -> bool) {
    let volumes = scenes::volumes();
    let shapes = scenes::shapes(&volumes);
    let mut runner = Runner { pairings: scenes::pairings(), scenes: 0 };
    let mut random = Random(seed);
    for (first, a) in shapes.iter().enumerate() {
        for (second, b) in shapes.iter().enumerate() {
            // Every two shapes once, in alternating order: which is A makes no difference to the code.
            let number = first + second;
            if !share(number / 2) || first != second && (first < second) != (number % 2 == 0) {
                continue;
            }
            for scene in scenes::poses(a, b, &mut random) {
                runner.run(a, b, &scene, &mut random);
                let mut pair = Pair::new(a.model(volumes[0]), b.model(volumes[0])).unwrap();
                if !scene.0.starts_with("random") || pair.set_transforms(Some(&scene.1), Some(&scene.2)).is_err() {
                    continue;
                }
                let touching = scenes::until_touching(&Walk::new(&pair), &scene.2);
                runner.run(a, b, &(format!("{}, touching", scene.0), scene.1, touching), &mut random);
            }
        }
    }
    println!("{} scenes", runner.scenes);
}

// Two halves, so that two cores can share the work.
#[test]
fn every_query_is_the_plain_walk_even() {
    run_all(1, |number| number % 2 == 0);
}

#[test]
fn every_query_is_the_plain_walk_odd() {
    run_all(2, |number| number % 2 == 1);
}

/// The vertices themselves may be tiny or huge, not only the poses.
#[test]
fn models_of_every_magnitude() {
    let volumes = scenes::volumes();
    let mut runner = Runner { pairings: scenes::pairings(), scenes: 0 };
    let mut random = Random(3);
    let units = [2f64.powi(-900), 1e-290, 1e-150, 1e-30, 1e-12, 1.0, 1e12, 1e30, 1e150, 1e290, 2f64.powi(900)];
    for (name, mesh) in [("torus", meshes::torus(9, 5, 0.3)), ("soup", meshes::random_soup(30, 0.5, 2))] {
        let scaled = units.map(|unit| Shape::new(name, mesh.clone().map(|v| v * unit), &volumes));
        for (a, unit_a) in scaled.iter().zip(units) {
            for (b, unit_b) in scaled.iter().zip(units) {
                let larger = unit_a.max(unit_b);
                let at_a = scenes::pose(scenes::random_rotation(&mut random), random.point() * larger, 1.0);
                let at_b = scenes::pose(scenes::random_rotation(&mut random), random.point() * 3.0 * larger, 1.0);
                let name = format!("units {unit_a:e} and {unit_b:e}");
                runner.run(a, b, &(name.clone(), at_a, at_b), &mut random);
                runner.run(
                    a,
                    b,
                    &(format!("{name}, at the origin"), Transform::IDENTITY, Transform::IDENTITY),
                    &mut random,
                );
            }
        }
    }
}

/// The vertices may be far from their own origin, where they are as coarse as the numbers there, and so are placed ones.
#[test]
fn models_far_from_their_own_origin() {
    let volumes = scenes::volumes();
    let mut runner = Runner { pairings: scenes::pairings(), scenes: 0 };
    let mut random = Random(6);
    let offsets = [0.0, 1e3, 1e6, 1e9, 1e11, 1e13, 1e15];
    for (name, mesh) in [("torus", meshes::torus(9, 5, 0.3)), ("soup", meshes::random_soup(30, 0.5, 2))] {
        let moved = offsets.map(|offset| {
            let by = random.point() * offset;
            Shape::new(name, mesh.clone().map(|v| v + by), &volumes)
        });
        for (a, offset_a) in moved.iter().zip(offsets) {
            for (b, offset_b) in moved.iter().zip(offsets) {
                let turned = scenes::random_rotation(&mut random);
                let at_a = scenes::centred(a, scenes::random_rotation(&mut random), random.point(), 1.0);
                let at_b = scenes::centred(b, turned, at_a.apply(a.centre()) + random.point() * 2.0, 1.0);
                let label = format!("{offset_a:e} and {offset_b:e} from their origins");
                runner.run(a, b, &(label.clone(), at_a, at_b), &mut random);
                let mut pair = Pair::new(a.model(volumes[0]), b.model(volumes[0])).unwrap();
                pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
                let touching = scenes::until_touching(&Walk::new(&pair), &at_b);
                runner.run(a, b, &(format!("{label}, touching"), at_a, touching), &mut random);
            }
        }
    }
}

/// Coinciding and coplanar faces: many pairs at distance zero, many at the same positive distance.
#[test]
fn coplanar_and_tied() {
    let volumes = scenes::volumes();
    let mut runner = Runner { pairings: scenes::pairings(), scenes: 0 };
    let mut random = Random(4);
    let shapes = [
        Shape::new("box", meshes::lattice_box(2), &volumes),
        Shape::new("plane", meshes::plane(5, 5), &volumes),
        Shape::new("equal", meshes::equal(12), &volumes),
    ];
    for a in &shapes {
        for b in &shapes {
            for step in 0..40 {
                // Multiples of a quarter: faces, edges and corners meet, or stay apart by equal distances.
                let by = random.point().to_array().map(|x| (x * 12.0).round() / 4.0);
                let rotation = scenes::lattice_rotation(&mut random);
                let at_b = scenes::pose(rotation, by.into(), [1.0, 0.5, 2.0][step % 3]);
                runner.run(a, b, &(format!("lattice {step}"), Transform::IDENTITY, at_b), &mut random);
            }
        }
    }
}

/// Thin shapes that touch to rounding, with margins of that size: what the kernels tell apart only with care.
#[test]
fn touching_to_rounding() {
    let volumes = scenes::volumes();
    let shapes = scenes::shapes(&volumes);
    let thin = |name: &str| shapes.iter().find(|shape| shape.name == name).expect("a shape of the corpus");
    let mut random = Random(5);
    for (a, b) in [("soup", "line"), ("line", "soup"), ("eight", "degenerate"), ("degenerate", "needles")] {
        let (a, b) = (thin(a), thin(b));
        for number in 0..200 {
            let mut pair = Pair::new(a.model(volumes[0]), b.model(volumes[0])).unwrap();
            let at_a = scenes::centred(a, scenes::random_rotation(&mut random), random.point(), 1.0);
            let at_b = scenes::centred(b, scenes::random_rotation(&mut random), random.point() * 2.0, 1.0);
            pair.set_transforms(Some(&at_a), Some(&at_b)).unwrap();
            let touching = scenes::until_touching(&Walk::new(&pair), &at_b);
            pair.set_transforms(Some(&at_a), Some(&touching)).unwrap();
            let walk = Walk::new(&pair);
            let label = format!("{} {}, touching {number}", a.name, b.name);
            for margin in [0.0, 1e-16, 3e-16, 1e-15, 1e-14, 1e-3, 1e-1] {
                check_contacts(&mut pair, &walk, margin, &mut random, &label);
            }
            check_distance(&mut pair, &walk, &mut random, &label);
        }
    }
}
