//! The ends of the range of f64: subnormal numbers, and parts of one scene that differ by more than squares can hold. The laws
//! hold there too: tolerance(0), collide and distance 0 are one verdict, and tolerance and contacts agree with the distance.

use feeler::{
    BuildParams, CastParams, ClosestParams, CollideParams, ContactList, ContactsParams, DistanceParams, MinimaParams,
    Model, Pair, ToleranceParams, Transform, VolumeKind,
};
use feeler_tools::scenes::judge::{self, Judge, Verdict};
use feeler_tools::{Mesh, Random, meshes};
use glam::DVec3;

type Corners = [[f64; 3]; 3];

fn model(corners: &Corners) -> Model {
    let vertices = corners.map(DVec3::from_array);
    let mut model = Model::new(&(&vertices[..], &[[0u32, 1, 2]][..])).expect("a legal mesh");
    model.build(&Default::default()).expect("a volume of this version");
    model
}

/// What the four queries say, compared with each other; the distance.
fn laws(a: &Corners, b: &Corners, moved: DVec3) -> f64 {
    let (model_a, model_b) = (model(a), model(b));
    let mut pair = Pair::new(&model_a, &model_b).expect("equal volumes");
    let at_b = Transform { translation: moved, ..Transform::IDENTITY };
    pair.set_transforms(Some(&Transform::IDENTITY), Some(&at_b)).expect("a legal pose");
    let label = format!("{a:?} {b:?} moved by {moved:?}");
    let distance = pair.distance(&DistanceParams { cold: true, ..Default::default() });
    let d = distance.upper;
    assert_eq!(distance.lower, d, "{label}");
    let touching = pair.collide(&CollideParams { cold: true, ..Default::default() }).contact.is_some();
    assert_eq!(touching, d == 0.0, "{label}: distance {d:e}");
    let nearest = distance.nearest.expect("a pair");
    assert!(d > 0.0 || nearest.point_a == nearest.point_b, "{label}: {nearest:?}");
    for tolerance in [0.0, 5e-324, d * 0.5, d.next_down().max(0.0), d, d.next_up(), d * 2.0] {
        let closer = pair.tolerance(&ToleranceParams { cold: true, tolerance, ..Default::default() }).closer;
        assert_eq!(closer, d <= tolerance, "{label}: distance {d:e}, tolerance {tolerance:e}");
        let params = ContactsParams { cold: true, margin: tolerance, ..Default::default() };
        let found = pair.contacts(&params, &mut ContactList::default()).found;
        assert_eq!(found == 1, d <= tolerance, "{label}: distance {d:e}, margin {tolerance:e}");
    }
    d
}

const ORIGIN: Corners = [[0.0; 3]; 3];

#[test]
fn a_point_and_a_triangle_whose_squares_vanish() {
    let e = 1e-162;
    let d = laws(&ORIGIN, &[[0.0, 0.0, e], [e, 0.0, e], [0.0, e, e]], DVec3::ZERO);
    assert!((d / e - 1.0).abs() < 1e-12, "{d:e}");
}

#[test]
fn nearer_than_squares_can_tell() {
    let a = [[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]];
    assert!(laws(&a, &[[0.0, 0.0, 1e-170], [0.1, 0.0, 0.1], [0.0, 0.1, 0.1]], DVec3::ZERO) > 0.0);
}

#[test]
fn a_subnormal_distance() {
    let a = [[0.0; 3], [-3e-310, 0.0, 0.0], [0.0, -3e-310, 0.0]];
    let b = [[1e-310, 1e-310, 0.0], [4e-310, 1e-310, 3e-310], [1e-310, 5e-310, 2e-310]];
    let d = laws(&a, &b, DVec3::ZERO);
    assert!((d / 1.414e-310 - 1.0).abs() < 1e-3, "{d:e}");
}

/// Coordinates are placed in units of the larger model: what is below 2^-1074 of it is 0, and the laws hold for what is placed.
#[test]
fn the_smallest_height_over_a_unit_triangle() {
    let a = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let at = |height: f64| [[0.1, 0.1, height], [0.3, 0.1, height], [0.1, 0.3, height]];
    laws(&a, &at(5e-324), DVec3::ZERO);
    assert!(laws(&a, &at(1e-322), DVec3::ZERO) > 0.0);
    assert!(laws(&a, &at(0.0), DVec3::new(0.0, 0.0, 1e-322)) > 0.0);
}

#[test]
fn a_small_triangle_moved_by_far_less() {
    let size = 4e-38;
    let a = [[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0]];
    for moved in [DVec3::new(0.0, 0.0, 1e-300), DVec3::new(1e-300, 0.0, 0.0), DVec3::splat(1e-300)] {
        laws(&a, &a, moved);
    }
}

#[test]
fn two_points_far_nearer_than_their_unit() {
    let d = laws(&ORIGIN, &ORIGIN, DVec3::new(1e-185, 0.0, 0.0));
    assert!((d / 1e-185 - 1.0).abs() < 1e-12, "{d:e}");
}

/// Every magnitude in one pair.
#[test]
fn any_magnitudes() {
    let mut random = Random(1);
    let mut touching = 0;
    for number in 0..6000 {
        let mut power = |low: i32| 10f64.powi(low + random.below((300 - low) as u64) as i32);
        let (whole_a, whole_b) = (power(-300), power(-300));
        let mut corners = |whole: f64| {
            [(); 3].map(|()| {
                [(); 3].map(|()| {
                    let digit = (random.below(5) as f64 - 2.0) * if number % 3 == 0 { 0.1 } else { 1.0 };
                    if number % 2 == 0 { digit * whole } else { digit * 10f64.powi(-(random.below(320) as i32)) }
                })
            })
        };
        let (a, b) = (corners(whole_a), corners(whole_b));
        touching += (laws(&a, &b, DVec3::ZERO) == 0.0) as usize;
    }
    println!("{touching} of 6000 pairs touch");
}

/// Small spheres, and points that are models: units so different that f32 has no number for their ratio. Every query
/// of every volume is held against all triangle pairs.
#[test]
fn points_before_models_of_any_smallness() {
    let mut touching = 0;
    for volume in VolumeKind::ALL {
        for exponent in [-60, -119, -126, -130, -149, -152, -240, -1000] {
            let small = meshes::sphere(5, 4).map(|vertex| vertex * 2f64.powi(exponent));
            for point in [DVec3::ZERO, DVec3::new(0.75, -0.5, 0.3)] {
                // Seven triangles that are all one point: more than one lane of a node.
                let points = Mesh::soup([[point; 3]; 7]);
                let models = [built(&points, volume), built(&small, volume)];
                for (number, to) in [small.vertices[3], small.vertices[9] * 1.5, DVec3::ZERO].into_iter().enumerate() {
                    // The point is on the sphere, beside it, or at its middle, as far as coordinates can tell.
                    let pose = Transform { translation: point - to, ..Transform::IDENTITY };
                    touching += check_pair([&models[0], &models[1]], [&Transform::IDENTITY, &pose], number) as usize;
                    touching += check_pair([&models[1], &models[0]], [&pose, &Transform::IDENTITY], number) as usize;
                }
            }
            check_one_model(&small, &built(&small, volume), 2f64.powi(exponent));
        }
    }
    println!("{touching} touch");
    assert!(touching > 300);
}

fn built(mesh: &Mesh, volume: VolumeKind) -> Model {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    model.build(&BuildParams { volume, ..Default::default() }).expect("a legal build");
    model
}

/// Whether the models touch.
fn check_pair(models: [&Model; 2], poses: [&Transform; 2], number: usize) -> bool {
    let mut pair = Pair::new(models[0], models[1]).expect("one family");
    pair.set_transforms(Some(poses[0]), Some(poses[1])).expect("a legal pose");
    let judge = Judge::new(&pair);
    let value = judge.value();
    let label = || format!("{} {:?} {poses:?} {number} {value:e}", models[0].volume().name(), models[1].bounds());
    for cold in [true, false] {
        let demand = |verdict: Verdict| verdict.unwrap_or_else(|words| panic!("{words}\n{}", label()));
        demand(judge.distance(&mut pair, &DistanceParams { cold, ..Default::default() }));
        demand(judge.collide(&mut pair, &CollideParams { cold, ..Default::default() }));
        for tolerance in [0.0, value.next_down().max(0.0), value, value * 1.25] {
            demand(judge.tolerance(&mut pair, &ToleranceParams { cold, tolerance, ..Default::default() }));
            let params = ContactsParams { cold, margin: tolerance, ..Default::default() };
            demand(judge.contacts(&mut pair, &params, 1000));
        }
    }
    value == 0.0
}

fn check_one_model(mesh: &Mesh, model: &Model, size: f64) {
    for pose in [DVec3::ZERO, DVec3::new(0.75, -0.5, 0.3), DVec3::splat(size)] {
        let pose = Transform { translation: pose, ..Transform::IDENTITY };
        for point in [DVec3::ZERO, pose.translation, pose.apply(mesh.vertices[5]), pose.apply(mesh.vertices[8] * 1.5)] {
            let label = || format!("{} {size:e} {pose:?} {point}", model.volume().name());
            let demand = |verdict: Verdict| verdict.unwrap_or_else(|words| panic!("{words}\n{}", label()));
            demand(judge::closest_point(model, &pose, point, &ClosestParams::default()));
            demand(judge::within_ball(model, &pose, point, size, 1000));
            for end in [point, pose.translation, pose.apply(mesh.vertices[11] * 2.0)] {
                for radius in [0.0, size * 0.1] {
                    let params = CastParams { all: true, radius, ..Default::default() };
                    demand(judge::cast(model, &pose, [point, end], &params, 1000));
                }
            }
        }
    }
}

/// Nearer than rounding of the triangle can tell: the direction between nearest points means nothing, and a minimum is one by what
/// its neighbours measure.
#[test]
fn a_minimum_whose_direction_is_rounding() {
    let point = DVec3::new(7.267848527990277e-301, -6.1500509176403245e-301, -8.124999999999995e-301);
    let corners = [DVec3::ZERO, DVec3::new(0.0, 0.0, 1.4375), DVec3::new(0.4999999999999999, -5.875, 3.0)];
    let (points, triangle) = (Mesh::soup([[point; 3]; 4]), Mesh::soup([corners]));
    for volume in VolumeKind::ALL {
        let models = [built(&points, volume), built(&triangle, volume)];
        let mut pair = Pair::new(&models[0], &models[1]).expect("one family");
        pair.set_transforms(None, None).expect("a legal pose");
        let judge = Judge::new(&pair);
        for margin in [judge.value(), judge.value() * 1.5] {
            let params = MinimaParams { cold: true, margin, ..Default::default() };
            judge.minima(&mut pair, [&points, &triangle], &params, 100).unwrap_or_else(|words| panic!("{words}"));
        }
    }
}

/// In units of a stray at 1e300 all other triangles are so small that squares of their edges vanish.
#[test]
fn minima_beside_a_stray_at_the_end_of_the_range() {
    // It reaches back to the others, so that all distances are small.
    let stray = Mesh::soup([[DVec3::ZERO, DVec3::new(1e300, 1e300, 0.0), DVec3::new(1e300, 0.0, 1e300)]]);
    for seed in 1..9 {
        let soups = [meshes::random_soup(12, 0.6, seed).with(&stray), meshes::random_soup(12, 0.6, seed + 50)];
        let models = [built(&soups[0], VolumeKind::Obb), built(&soups[1], VolumeKind::Obb)];
        let mut pair = Pair::new(&models[0], &models[1]).expect("one family");
        pair.set_transforms(None, None).expect("a legal pose");
        let judge = Judge::new(&pair);
        for margin in [0.5, 6.0] {
            let params = MinimaParams { cold: true, margin, ..Default::default() };
            judge.minima(&mut pair, [&soups[0], &soups[1]], &params, 1000).unwrap_or_else(|words| panic!("{words}"));
        }
    }
}

/// A vertex of ordinary triangles that a huge one shares: next to it distances are below 2^-53 of an edge, and the kernel's error
/// is not bounded. Some pairs at the same features are minima then, and others are not.
#[test]
fn minima_at_vertices_that_a_huge_triangle_shares() {
    let mut told = 0;
    for size in [1e10, 1e14, 1e17, 1e20, 1e60, 1e120, 1e145, 1e155, 1e200, 1e300] {
        for seed in 0..6 {
            // No coordinate is so small that it would be rounded beside the huge ones.
            let ball = meshes::lattice_box(2).map(|v| v.normalize());
            let last = ball.vertices.len() - 1;
            let fans = [last - seed, 3 + seed, 7].map(|vertex| {
                [ball.vertices[vertex], DVec3::new(size, size, 0.1 * size), DVec3::new(size, -size, 0.3 * size)]
            });
            let meshes = [ball.with(&Mesh::soup(fans)), meshes::random_soup(12, 0.6, seed as u64 + 1)];
            for volume in [VolumeKind::Obb, VolumeKind::Aabb, VolumeKind::Sphere] {
                let models = [built(&meshes[0], volume), built(&meshes[1], volume)];
                let mut pair = Pair::new(&models[0], &models[1]).expect("one family");
                let at_b = Transform { translation: DVec3::new(0.0, 0.4, 2.1), ..Transform::IDENTITY };
                pair.set_transforms(None, Some(&at_b)).expect("a legal pose");
                let judge = Judge::new(&pair);
                for margin in [0.5, 3.0] {
                    let params = MinimaParams { cold: true, margin, ..Default::default() };
                    judge
                        .minima(&mut pair, [&meshes[0], &meshes[1]], &params, 1000)
                        .unwrap_or_else(|words| panic!("{size:e} {seed} {margin}: {words}"));
                    told += 1;
                }
            }
        }
    }
    println!("{told} questions");
}
