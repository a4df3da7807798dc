//! Queries of one model: against the walk over all triangles bit for bit, on every volume; against a pair whose second model
//! is the point; and against exact arithmetic that shares nothing with the library.

use feeler::internals::model::TreeVisitor;
use feeler::internals::reference::one_model as reference;
use feeler::internals::tree::Tree;
use feeler::internals::volume::Volume;
use feeler::{
    CastParams, ClosestParams, DistanceParams, Hit, Model, NO_TRIANGLE, Pair, Side, Status, SurfacePoint, Transform,
};
use feeler_tools::scenes::{FixedRoom, Shape, centred, lattice_rotation, pose, random_rotation};
use feeler_tools::{Mesh, Random, meshes, oracle, scenes};
use glam::DVec3;
use num_bigint::BigInt;

/// Poses of one shape, and how large things are there.
fn poses(shape: &Shape, random: &mut Random) -> Vec<(String, Transform, f64)> {
    let size = shape.reach().max(1e-3);
    let mut poses = vec![("identity".into(), Transform::IDENTITY, size)];
    poses.push(("lattice".into(), pose(lattice_rotation(random), DVec3::new(1.0, -0.5, 0.25), 1.0), size));
    for (name, scale, away) in [
        ("near", 1.0, 1.0),
        ("half", 0.37, 3.0),
        ("far", 1.0, 1e7),
        ("tiny", 1e-150, 1.0),
        ("huge", 2f64.powi(300), 1.0),
    ] {
        let centre = random.point() * size * scale * away;
        poses.push((name.into(), centred(shape, random_rotation(random), centre, scale), size * scale));
    }
    poses
}

/// Points about a posed model: near, on its vertices, and from far to very far.
fn points(shape: &Shape, pose: &Transform, size: f64, random: &mut Random) -> Vec<DVec3> {
    let centre = pose.apply(shape.centre());
    let mut points: Vec<DVec3> = (0..6).map(|_| centre + random.point() * size * 1.5).collect();
    for _ in 0..3 {
        let vertex = shape.mesh.vertices[random.bits() as usize % shape.mesh.vertices.len()];
        points.push(pose.apply(vertex));
        points.push(pose.apply(vertex) + random.point() * size * 1e-9);
    }
    for decade in [2, 5, 9, 13] {
        points.push(centre + random.point() * size * 10f64.powi(decade));
    }
    points.push(centre);
    points
}

fn check_closest(model: &Model, pose: &Transform, point: DVec3, label: &str) -> SurfacePoint {
    let (distance, id, closest) = reference::closest_point(model, pose, point).unwrap();
    let found = model.closest_point(pose, point, &ClosestParams::default()).unwrap();
    assert_eq!(found.distance.to_bits(), distance.to_bits(), "{label}: {:e} not {distance:e}", found.distance);
    assert_eq!((found.triangle, found.feature), (id, closest.feature & 0xff), "{label}");
    assert!(found.complete && found.side == Side::Unknown, "{label}");
    assert!((found.normal.length() - 1.0).abs() < 1e-9, "{label}: {}", found.normal);
    let sum: f64 = found.barycentric.iter().sum();
    assert!(found.barycentric.iter().all(|weight| (0.0..=1.0).contains(weight)) && (sum - 1.0).abs() < 1e-9, "{label}");
    let weighed = model.triangle(id).iter().zip(found.barycentric).fold(DVec3::ZERO, |s, (v, w)| s + *v * w);
    let weighed = pose.apply(DVec3::from_array(weighed.to_array().map(|x| x * 2f64.powi(model.exponent()))));
    let size = model.bounds()[1].abs().max(model.bounds()[0].abs()).max_element() * pose.scale.x;
    assert!((weighed - found.point).length() <= 1e-7 * size + 1e-12 * point.length(), "{label}: weights");
    for (limit, is_found) in
        [(distance, true), (distance.next_down().max(0.0), distance == 0.0), (distance * 2.0, true)]
    {
        let params = ClosestParams { max_distance: limit, ..ClosestParams::default() };
        let within = model.closest_point(pose, point, &params).unwrap();
        if is_found {
            assert_eq!(within, found, "{label}: within {limit:e}");
        } else {
            assert!(within.distance == f64::INFINITY && within.triangle == NO_TRIANGLE, "{label}: within {limit:e}");
        }
    }
    let hurried = model.closest_point(pose, point, &ClosestParams { max_work: 1, ..ClosestParams::default() }).unwrap();
    assert!(hurried.distance >= distance && hurried.distance < f64::INFINITY, "{label}: hurried");
    found
}

#[test]
fn the_closest_point_is_that_of_the_walk_and_of_a_pair() {
    let volumes = scenes::volumes();
    let mut random = Random(11);
    let (mut asked, mut pairs) = (0, 0);
    for (name, mesh) in scenes::corpus() {
        let shape = Shape::new(name, mesh, &volumes);
        for (pose_name, pose, size) in poses(&shape, &mut random) {
            for point in points(&shape, &pose, size, &mut random) {
                for &volume in &volumes {
                    let label = format!("{name}, {pose_name}, {point}, {}", volume.name());
                    let found = check_closest(shape.model(volume), &pose, point, &label);
                    asked += 1;
                    let only = Mesh { vertices: vec![point], triangles: vec![[0, 0, 0]] };
                    let only = scenes::build(&only, volume).unwrap();
                    let mut pair = Pair::new(shape.model(volume), &only).unwrap();
                    pair.set_transforms(Some(&pose), None).unwrap();
                    let answer = pair.distance(&DistanceParams { cold: true, ..DistanceParams::default() });
                    assert_eq!(answer.upper.to_bits(), found.distance.to_bits(), "{label}: pair");
                    let contact = answer.nearest.unwrap();
                    if found.distance > 0.0 {
                        assert_eq!(
                            (contact.triangle_a, contact.point_a),
                            (found.triangle, found.point),
                            "{label}: pair"
                        );
                        assert_eq!(contact.normal, found.normal, "{label}: pair");
                    }
                    pairs += 1;
                }
            }
        }
    }
    println!("{asked} closest points, {pairs} pairs");
}

fn check_cast(model: &Model, pose: &Transform, ends: [DVec3; 2], params: &CastParams, label: &str) -> Vec<Hit> {
    let expected = reference::cast(model, pose, ends, params).unwrap();
    let mut hits = Vec::new();
    let answer = model.cast(pose, ends, &CastParams { all: true, ..*params }, &mut hits).unwrap();
    assert_eq!(hits, expected, "{label}: all");
    assert!(answer.complete && answer.found == hits.len() as u64 && answer.written == answer.found, "{label}");
    for capacity in [0, 1, 3] {
        let mut few = FixedRoom(Vec::new(), capacity);
        let answer = model.cast(pose, ends, &CastParams { all: true, ..*params }, &mut few).unwrap();
        assert_eq!(answer.found, expected.len() as u64, "{label}");
        assert_eq!(few.0, expected[..capacity.min(expected.len())], "{label}: {capacity} of all");
    }
    let mut first = Vec::new();
    let answer = model.cast(pose, ends, &CastParams { all: false, ..*params }, &mut first).unwrap();
    assert_eq!(first.first(), expected.first(), "{label}: first");
    assert_eq!(answer.found, expected.len().min(1) as u64, "{label}: first");
    expected
}

#[test]
fn casts_and_balls_are_those_of_the_walk() {
    let volumes = scenes::volumes();
    let mut random = Random(12);
    let (mut asked, mut met) = (0, 0);
    for (name, mesh) in scenes::corpus() {
        let shape = Shape::new(name, mesh, &volumes);
        for (pose_name, pose, size) in poses(&shape, &mut random) {
            let all = points(&shape, &pose, size, &mut random);
            for round in 0..10 {
                let pick = |random: &mut Random| all[random.bits() as usize % all.len()];
                let ends = match round {
                    0 => [pick(&mut random); 2],
                    1..4 => [pick(&mut random), pick(&mut random)],
                    _ => [pose.apply(shape.centre()) + random.point() * 2.0 * size, pick(&mut random)],
                };
                let radius = [0.0, 0.0, 0.03, 0.4][round % 4] * size;
                let params = CastParams {
                    front_only: round == 5,
                    back_only: round == 6,
                    ignore_start_inside: round == 7 || round == 8,
                    radius,
                    ..CastParams::default()
                };
                for &volume in &volumes {
                    let label = format!("{name}, {pose_name}, {ends:?}, {radius:e}, {}", volume.name());
                    met += check_cast(shape.model(volume), &pose, ends, &params, &label).len();
                    let mut ids = Vec::new();
                    let ball = radius.max(0.2 * size);
                    let count = shape.model(volume).within_ball(&pose, ends[0], ball, &mut ids).unwrap();
                    let expected = reference::within_ball(shape.model(volume), &pose, ends[0], ball).unwrap();
                    assert_eq!((count, &ids), (expected.len() as u64, &expected), "{label}: ball");
                    let mut few = FixedRoom(Vec::new(), 2);
                    let count = shape.model(volume).within_ball(&pose, ends[0], ball, &mut few).unwrap();
                    assert_eq!(
                        (count, &few.0[..]),
                        (ids.len() as u64, &ids[..ids.len().min(2)]),
                        "{label}: ball of two"
                    );
                    asked += 1;
                }
            }
        }
    }
    println!("{asked} casts, {met} hits");
    assert!(met > 1000);
}

/// Whether the nodes of a model have frames of their own.
struct HasNodeFrames;

impl TreeVisitor for HasNodeFrames {
    type Output = bool;
    fn visit<V: Volume>(self, tree: &Tree<V>) -> bool {
        !tree.frames.is_empty()
    }
}

/// Fine parts of large models: a sphere with a stray triangle far away, and small spheres far from each other.
fn detailed_meshes() -> Vec<(&'static str, Mesh, DVec3)> {
    let part = meshes::sphere(7, 8);
    let mut parts = Mesh::default();
    for number in 0..8u32 {
        let at = DVec3::new((number & 1) as f64, (number >> 1 & 1) as f64, (number >> 2) as f64) * 3e6;
        let first = parts.vertices.len() as u32;
        parts.vertices.extend(part.vertices.iter().map(|vertex| *vertex + at));
        parts.triangles.extend(part.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + first)));
    }
    vec![
        ("stray at 1e5", scenes::with_stray(&part, 1e5), DVec3::ZERO),
        ("stray at 1e9", scenes::with_stray(&part, 1e9), DVec3::ZERO),
        ("parts", parts, DVec3::new(3e6, 0.0, 3e6)),
    ]
}

#[test]
fn casts_at_models_with_node_frames_are_those_of_the_walk() {
    let volumes = scenes::volumes();
    let mut random = Random(33);
    let (mut asked, mut met) = (0, 0);
    for (name, mesh, part) in detailed_meshes() {
        let shape = Shape::new(name, mesh, &volumes);
        for &volume in &volumes {
            assert!(shape.model(volume).built().unwrap().hierarchy.visit(HasNodeFrames), "{name}, {}", volume.name());
        }
        let moved = pose(random_rotation(&mut random), DVec3::new(0.7, -1.3, 0.4), 1.0);
        let scaled = pose(random_rotation(&mut random), DVec3::new(-50.0, 3.0, 8.0), 0.37);
        let mirrored = Transform { scale: DVec3::new(-1.0, 1.0, 1.0), ..moved };
        let uneven = Transform { scale: DVec3::new(0.5, 2.0, -1.25), ..moved };
        for (pose_name, pose, size) in [
            ("identity", Transform::IDENTITY, 1.0),
            ("moved", moved, 1.0),
            ("scaled", scaled, 0.37),
            ("mirrored", mirrored, 1.0),
            ("uneven", uneven, 1.0),
        ] {
            let centre = pose.apply(part);
            for round in 0..24 {
                // Through the part and past it, from near, from the middle of the model, and from beyond all of it.
                let near = |random: &mut Random| centre + random.point() * 1.5 * size;
                let vertex = pose.apply(shape.mesh.vertices[random.bits() as usize % shape.mesh.vertices.len()]);
                let ends = match round % 6 {
                    0 | 1 => [near(&mut random), near(&mut random)],
                    2 => [pose.apply(shape.centre()), near(&mut random)],
                    3 => {
                        let through = near(&mut random);
                        let away = random.point() * 1e7 * size;
                        [through - away, through + away]
                    }
                    4 => [near(&mut random), vertex],
                    _ => [centre + random.point() * 1e12 * size, near(&mut random)],
                };
                let radius = [0.0, 0.0, 0.1][round % 3] * size;
                let params =
                    CastParams { front_only: round == 7, back_only: round == 8, radius, ..CastParams::default() };
                for &volume in &volumes {
                    let label = format!("{name}, {pose_name}, {ends:?}, {radius:e}, {}", volume.name());
                    met += check_cast(shape.model(volume), &pose, ends, &params, &label).len();
                    asked += 1;
                }
            }
        }
    }
    println!("{asked} casts, {met} hits");
    assert!(met > 1000, "{met} of {asked}");
}

/// Whole numbers up to `most`.
fn lattice_point(random: &mut Random, most: f64) -> DVec3 {
    DVec3::from_array(random.point().to_array().map(|x| (x * most).round()))
}

fn whole(p: DVec3) -> [BigInt; 3] {
    p.to_array().map(|x| BigInt::from(x as i64))
}

fn squared_distance(a: [DVec3; 3], b: [DVec3; 3]) -> f64 {
    let (numerator, denominator) = oracle::enumeration::squared_distance(&[a.map(whole), b.map(whole)]);
    let number = |whole: BigInt| whole.to_string().parse::<f64>().unwrap();
    number(numerator) / number(denominator)
}

#[test]
fn exact_arithmetic_agrees() {
    let mut random = Random(13);
    let (mut asked, mut met) = (0, 0);
    for case in 0..3000 {
        let most = [2.0, 5.0, 40.0][case % 3];
        let corners: Vec<[DVec3; 3]> = (0..6).map(|_| [(); 3].map(|()| lattice_point(&mut random, most))).collect();
        let volume = scenes::volumes()[case % scenes::volumes().len()];
        let model = scenes::build(&Mesh::soup(corners.iter().copied()), volume).unwrap();
        let ends = [lattice_point(&mut random, most), lattice_point(&mut random, most)];
        let mut hits: Vec<Hit> = Vec::new();
        let params = CastParams { all: true, ..CastParams::default() };
        model.cast(&Transform::IDENTITY, ends, &params, &mut hits).unwrap();
        let mut found: Vec<u32> = hits.iter().map(|hit| hit.triangle).collect();
        found.sort_unstable();
        let segment = [ends[0], ends[1], ends[1]];
        let expected: Vec<u32> = (0..6).filter(|&id| squared_distance(corners[id as usize], segment) == 0.0).collect();
        assert_eq!(found, expected, "{ends:?} {corners:?}");
        for hit in &hits {
            let triangle = corners[hit.triangle as usize];
            let at = ends[0] * (1.0 - hit.time) + ends[1] * hit.time;
            assert!((at - hit.point).length() < 1e-12 * most, "{hit:?} {at} {ends:?} {triangle:?}");
            let weighed = (0..3).fold(DVec3::ZERO, |s, k| s + triangle[k] * hit.barycentric[k]);
            assert!((weighed - hit.point).length() < 1e-12 * most, "{hit:?}");
            let off: f64 =
                hit.barycentric.iter().zip(0..).filter(|(_, k)| !feature_has(hit.feature, *k)).map(|(w, _)| *w).sum();
            assert!(off.abs() < 1e-9, "{hit:?}");
            // Not an instant sooner: the segment up to just before is apart, seen from far finer whole numbers.
            if hit.time > 1e-3 {
                let scale = 2f64.powi(24);
                let before = (ends[0] + (ends[1] - ends[0]) * (hit.time - 1e-3)) * scale;
                let before = DVec3::from_array(before.to_array().map(f64::round));
                let gap = squared_distance(triangle.map(|v| v * scale), [ends[0] * scale, before, before]);
                assert!(gap > 0.0 || (ends[1] - ends[0]).length() < 2.0, "{hit:?} {ends:?} {triangle:?}");
            }
        }
        met += hits.len();
        asked += 6;
        let point = lattice_point(&mut random, most);
        let surface = model.closest_point(&Transform::IDENTITY, point, &ClosestParams::default()).unwrap();
        let expected =
            corners.iter().map(|corners| squared_distance(*corners, [point; 3])).fold(f64::INFINITY, f64::min).sqrt();
        assert!((surface.distance - expected).abs() <= 1e-12 * expected, "{point} {corners:?}");
        let radius = f64::from((random.bits() % 40) as u32 + 1) * most / 40.0;
        let mut ids = Vec::new();
        model.within_ball(&Transform::IDENTITY, point, radius, &mut ids).unwrap();
        for id in 0..6u32 {
            let distance = squared_distance(corners[id as usize], [point; 3]).sqrt();
            if (distance - radius).abs() > 1e-11 * radius {
                assert_eq!(ids.contains(&id), distance <= radius, "{id}");
            }
        }
    }
    println!("{asked} segments against triangles in whole numbers, {met} of them meet");
}

/// Whether a vertex belongs to a feature.
fn feature_has(feature: u32, vertex: u32) -> bool {
    match feature {
        0..=2 => vertex == feature,
        3..=5 => vertex == feature - 3 || vertex == (feature - 2) % 3,
        _ => true,
    }
}

/// Distance to a triangle by the regions of its plane (Ericson, Real-Time Collision Detection, 5.1.5).
fn distance_to(triangle: &[DVec3; 3], p: DVec3) -> f64 {
    let to_edge = |a: DVec3, b: DVec3| {
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        (a + (b - a) * t - p).length()
    };
    let [a, b, c] = *triangle;
    let normal = (b - a).cross(c - a);
    let inside = [(a, b), (b, c), (c, a)].into_iter().all(|(from, to)| normal.dot((to - from).cross(p - from)) >= 0.0);
    let edges = to_edge(a, b).min(to_edge(b, c)).min(to_edge(c, a));
    if inside { (normal.normalize().dot(p - a)).abs().min(edges) } else { edges }
}

#[test]
fn a_moving_ball_stops_where_sampling_says() {
    let mut random = Random(14);
    let mesh = meshes::torus(14, 9, 0.35);
    let model = scenes::build(&mesh, scenes::volumes()[0]).unwrap();
    let corners: Vec<[DVec3; 3]> = mesh.triangles.iter().map(|t| t.map(|k| mesh.vertices[k as usize])).collect();
    let nearest = |p: DVec3| corners.iter().map(|t| distance_to(t, p)).fold(f64::INFINITY, f64::min);
    let mut met = 0;
    for _ in 0..400 {
        let (ends, radius) = ([random.point() * 2.0, random.point() * 2.0], 0.02 + 0.1 * random.number().abs());
        let mut hits = Vec::new();
        model.cast(&Transform::IDENTITY, ends, &CastParams { radius, ..CastParams::default() }, &mut hits).unwrap();
        let end = hits.first().map_or(1.0, |hit: &Hit| hit.time);
        if let Some(hit) = hits.first() {
            met += 1;
            let centre = ends[0] + (ends[1] - ends[0]) * hit.time;
            if hit.time > 0.0 {
                assert!((nearest(centre) - radius).abs() < 1e-10, "{hit:?}");
                assert!(
                    ((centre - hit.point).length() - radius).abs() < 1e-10 && hit.normal.dot(centre - hit.point) > 0.0
                );
            } else {
                assert!(nearest(centre) <= radius * (1.0 + 1e-12));
            }
        }
        for k in 0..if end > 0.0 { 300 } else { 0 } {
            let time = end * f64::from(k) / 300.0;
            assert!(nearest(ends[0] + (ends[1] - ends[0]) * time) > radius * (1.0 - 1e-10), "{ends:?} {time} of {end}");
        }
    }
    println!("400 moving balls, {met} of them stopped");
}

/// The sum of the solid angles of all triangles over 4 pi: 1 inside of a closed mesh, 0 outside.
fn winding_number(corners: &[[DVec3; 3]], p: DVec3) -> f64 {
    let angle = |t: &[DVec3; 3]| {
        let [a, b, c] = t.map(|v| v - p);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        2.0 * a.dot(b.cross(c)).atan2(la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
    };
    corners.iter().map(angle).sum::<f64>() / (4.0 * core::f64::consts::PI)
}

#[test]
fn the_side_is_that_of_the_winding_number() {
    let mut random = Random(15);
    let closed_torus = |columns: u32, rows: u32| {
        let mut mesh = Mesh::default();
        for row in 0..rows {
            for column in 0..columns {
                let [u, v] =
                    [column as f64 / columns as f64, row as f64 / rows as f64].map(|x| x * core::f64::consts::TAU);
                let radius = 1.0 + 0.4 * v.cos();
                mesh.vertices.push(DVec3::new(radius * u.cos(), radius * u.sin(), 0.4 * v.sin()));
                let at = |c: u32, r: u32| (r % rows) * columns + c % columns;
                let [p, q, r, s] = [at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)];
                mesh.triangles.extend([[p, q, r], [p, r, s]]);
            }
        }
        mesh
    };
    let mut asked = [0, 0];
    for (name, mesh) in [("torus", closed_torus(17, 9)), ("box", meshes::lattice_box(3)), ("tube", closed_torus(3, 3))]
    {
        let corners: Vec<[DVec3; 3]> = mesh.triangles.iter().map(|t| t.map(|k| mesh.vertices[k as usize])).collect();
        for volume in scenes::volumes() {
            let model = scenes::build(&mesh, volume).unwrap();
            let info = model.info();
            assert_eq!((info.boundary_edges, info.nonmanifold_edges), (0, 0), "{name}");
            for case in 0..120 {
                // Points of a lattice lie in the planes of many triangles.
                let point = if case % 2 == 0 { random.point() * 1.6 } else { lattice_point(&mut random, 6.0) / 4.0 };
                let at = pose(lattice_rotation(&mut random), random.point() * 3.0, 1.0 + random.number().abs());
                let params = ClosestParams { side: true, ..ClosestParams::default() };
                let found = model.closest_point(&at, at.apply(point), &params).unwrap();
                // The box is wound as it comes: parity needs no winding.
                let is_inside = if name == "box" {
                    point.abs().max_element() < 1.0
                } else {
                    winding_number(&corners, point).abs() > 0.5
                };
                if found.distance > 1e-9 {
                    assert_eq!(found.side, if is_inside { Side::Inside } else { Side::Outside }, "{name} {point}");
                    asked[is_inside as usize] += 1;
                }
                let on_it =
                    model.closest_point(&Transform::IDENTITY, corners[case % corners.len()][0], &params).unwrap();
                assert!(on_it.distance == 0.0 && on_it.side == Side::Unknown);
            }
        }
    }
    println!("{} points outside, {} inside", asked[0], asked[1]);
    let open = scenes::build(&meshes::plane(3, 3), scenes::volumes()[0]).unwrap();
    let params = ClosestParams { side: true, ..ClosestParams::default() };
    assert_eq!(open.closest_point(&Transform::IDENTITY, DVec3::Z, &params).unwrap().side, Side::Unknown);
    assert_eq!(open.info().boundary_edges, 12);
    let mut bare = Model::new(&meshes::plane(3, 3).source()).unwrap();
    bare.build(&feeler::BuildParams { no_topology: true, ..Default::default() }).unwrap();
    assert_eq!(bare.closest_point(&Transform::IDENTITY, DVec3::Z, &params).unwrap_err().status, Status::Unsupported);
}

#[test]
fn nothing_slips_through_a_closed_mesh() {
    let mesh = meshes::lattice_box(4);
    let mut random = Random(16);
    let mut cast = 0;
    for volume in scenes::volumes() {
        let model = scenes::build(&mesh, volume).unwrap();
        for turn in 0..4 {
            let at = pose(random_rotation(&mut random), random.point() * 2.0, [1.0, 0.3, 7.0, 1e-9][turn]);
            for _ in 0..60 {
                let triangle = mesh.triangles[random.bits() as usize % mesh.triangles.len()];
                let corner = |k: usize| mesh.vertices[triangle[k] as usize];
                for target in [corner(0), (corner(0) + corner(1)) * 0.5, corner(1) * 0.25 + corner(2) * 0.75] {
                    let ends = [at.apply(random.point() * 0.9), at.apply(target * 2.0)];
                    let aimed = [at.apply(DVec3::ZERO), at.apply(target * 2.0)];
                    for ends in [ends, aimed] {
                        let answer = model.cast(&at, ends, &CastParams::default(), &mut Vec::new()).unwrap();
                        assert_eq!(answer.found, 1, "{ends:?}");
                        cast += 1;
                    }
                }
            }
        }
    }
    println!("{cast} segments from inside to outside");
}

#[test]
fn a_segment_too_short_for_its_square_has_a_time() {
    let origin = Mesh { vertices: vec![DVec3::ZERO], triangles: vec![[0, 0, 0]; 3] };
    let still = Transform::IDENTITY;
    for volume in scenes::volumes() {
        let model = scenes::build(&origin, volume).unwrap();
        for size in [1e-300, 1e-200, 1e-160] {
            let ends = [DVec3::new(-1.0, 0.5, -0.25) * size, DVec3::new(3.0, -1.5, 0.75) * size];
            let mut hits: Vec<Hit> = Vec::new();
            model.cast(&still, ends, &CastParams { all: true, ..CastParams::default() }, &mut hits).unwrap();
            assert_eq!(hits.len(), 3);
            assert!(hits.iter().all(|hit| hit.time == 0.25), "{hits:?}");
        }
    }
}
