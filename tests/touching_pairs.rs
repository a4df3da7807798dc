//! Pairs that touch, or nearly do, at every angle, scale and offset: verdicts in lanes against the exact predicates, and the points
//! that are told of them against the triangles. Prints the share of pairs that the lanes leave to the scalar path.

use fearless_simd::{Level, Simd, SimdFrom, dispatch, f64x4};
use feeler::internals::math::power_of_two::shift;
use feeler::internals::primitive::{self, Triangle};
use feeler_tools::Random;
use glam::{DMat3, DVec3};

type Pair = [Triangle; 2];

#[inline(always)]
fn load<S: Simd>(simd: S, four: &[Pair; 4], side: usize) -> [[f64x4<S>; 3]; 3] {
    [0, 1, 2].map(|v| [0, 1, 2].map(|c| f64x4::simd_from(simd, [0, 1, 2, 3].map(|lane: usize| four[lane][side][v][c]))))
}

/// What the lanes say: hits, undecided ones, and the places of the pairs that touch.
struct Lanes {
    hits: u32,
    undecided: u32,
    /// The same where one hit is enough.
    of_first: (u32, u32),
    placed: u32,
    points: [DVec3; 4],
    normals: [DVec3; 4],
    features: [u32; 4],
}

#[inline(always)]
fn ask<S: Simd>(simd: S, four: &[Pair; 4]) -> Lanes {
    simd.vectorize(
        #[inline(always)]
        || {
            let (a, b) = (load(simd, four, 0), load(simd, four, 1));
            let (hits, undecided) = primitive::intersects_4(simd, &a, &b, false);
            let touching = primitive::touching_4(&a, &b);
            Lanes {
                hits,
                undecided,
                of_first: primitive::intersects_4(simd, &a, &b, true),
                placed: touching.certain,
                points: primitive::vectors(&touching.point),
                normals: primitive::vectors(&touching.normal),
                features: touching.features,
            }
        },
    )
}

fn levels() -> Vec<(&'static str, Level)> {
    let best = Level::new();
    let mut levels = Vec::new();
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    {
        levels.extend(best.as_sse2().map(|sse2| ("sse2", Level::Sse2(sse2))));
        levels.extend(best.as_avx2().map(|avx2| ("avx2", Level::Avx2(avx2))));
    }
    levels.push(("best", best));
    levels
}

#[derive(Default)]
struct Tally {
    pairs: usize,
    touching: usize,
    undecided: usize,
    unplaced: usize,
    off: f64,
}

/// Distance of a point from a triangle, in plain f64: good to rounding of the coordinates.
fn off_triangle(p: DVec3, t: &Triangle) -> f64 {
    let on_segment = |p: DVec3, q0: DVec3, q1: DVec3| {
        let e = q1 - q0;
        let s = if e.length_squared() > 0.0 { ((p - q0).dot(e) / e.length_squared()).clamp(0.0, 1.0) } else { 0.0 };
        (p - (q0 + e * s)).length()
    };
    let mut off = (0..3).map(|k| on_segment(p, t[k], t[(k + 1) % 3])).fold(f64::INFINITY, f64::min);
    let n = (t[1] - t[0]).cross(t[2] - t[0]);
    let inside = (0..3).all(|k| n.dot((t[(k + 1) % 3] - t[k]).cross(p - t[k])) >= 0.0);
    if inside && n.length() > 0.0 {
        off = off.min(((p - t[0]).dot(n) / n.length()).abs());
    }
    off
}

/// Whether the point is on the feature, to rounding.
fn off_feature(p: DVec3, t: &Triangle, feature: u32) -> f64 {
    match feature {
        0..3 => (p - t[feature as usize]).length(),
        3..6 => {
            let (q, r) = (t[feature as usize - 3], t[(feature as usize - 2) % 3]);
            off_triangle(p, &[q, r, r])
        }
        _ => off_triangle(p, t),
    }
}

impl Tally {
    fn check(&mut self, four: &[Pair; 4]) {
        let truth = [0, 1, 2, 3].map(|lane: usize| primitive::robust::intersects(&four[lane][0], &four[lane][1]));
        let mut first: Option<Lanes> = None;
        for (name, level) in levels() {
            let lanes = dispatch!(level, simd => ask(simd, four));
            let (few, left) = lanes.of_first;
            assert_eq!(few & !lanes.hits, 0, "{name} {four:?}");
            let undecided = if lanes.hits == 0 { lanes.undecided } else { 0 };
            assert_eq!((few != 0, left), (lanes.hits != 0, undecided), "{name} {four:?}");
            for lane in 0..4 {
                let [a, b] = &four[lane];
                let decided = lanes.undecided >> lane & 1 == 0;
                assert!(!decided || (lanes.hits >> lane & 1 == 1) == truth[lane], "{name} {a:?} {b:?}");
                if !truth[lane] {
                    continue;
                }
                let alone = primitive::closest_of_intersecting(a, b);
                if lanes.placed >> lane & 1 == 1 {
                    assert_eq!(alone.point_a, lanes.points[lane], "{name} {a:?} {b:?}");
                    assert_eq!(alone.normal, lanes.normals[lane], "{name} {a:?} {b:?}");
                    assert_eq!(alone.feature, lanes.features[lane], "{name} {a:?} {b:?}");
                }
                if first.is_none() {
                    self.check_place(a, b, &alone, lanes.placed >> lane & 1 == 1);
                }
            }
            if let Some(first) = &first {
                assert_eq!((first.hits, first.undecided), (lanes.hits, lanes.undecided), "{name} {four:?}");
            }
            first.get_or_insert(lanes);
        }
        let undecided = first.expect("a level").undecided;
        self.pairs += 4;
        self.touching += truth.iter().filter(|hit| **hit).count();
        self.undecided += undecided.count_ones() as usize;
    }

    fn check_place(&mut self, a: &Triangle, b: &Triangle, place: &primitive::Closest, in_lanes: bool) {
        self.unplaced += !in_lanes as usize;
        let largest = a.iter().chain(b).fold(0.0f64, |m, v| m.max(v.abs().max_element()));
        let near = |t: &Triangle| t.map(|v| v / largest);
        let (point, near_a, near_b) = (place.point_a / largest, near(a), near(b));
        let (feature_a, feature_b) = (place.feature & 0xff, place.feature >> 8);
        let off = off_feature(point, &near_a, feature_a).max(off_feature(point, &near_b, feature_b));
        self.off = self.off.max(off);
        // What src/primitive/crossing.rs derives for pairs that intersect.
        assert!(off <= 2e-13, "off by {off:e}: {place:?} of {a:?} {b:?}");
        assert!((place.normal.length() - 1.0).abs() < 4e-15, "{place:?} of {a:?} {b:?}");
        assert_eq!(place.point_a, place.point_b);
    }

    fn print(&self, family: &str) {
        let share = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
        println!(
            "| {family} | {} | {:.1} % | {:.3} % | {:.3} % | {:.1e} |",
            self.pairs,
            share(self.touching, self.pairs),
            share(self.undecided, self.pairs),
            share(self.unplaced, self.touching),
            self.off
        );
    }
}

/// How a family is turned: not at all, by quarter turns, by 45 degrees about an axis, by anything.
fn turn(random: &mut Random, kind: usize) -> DMat3 {
    let axis = [DVec3::X, DVec3::Y, DVec3::Z][random.bits() as usize % 3];
    match kind {
        0 => DMat3::IDENTITY,
        1 => {
            let next = DVec3::new(axis.z, axis.x, axis.y);
            DMat3::from_cols(next, axis, next.cross(axis))
        }
        2 => DMat3::from_axis_angle(axis, core::f64::consts::FRAC_PI_4),
        _ => {
            let axis = random.point().normalize_or(DVec3::X);
            DMat3::from_axis_angle(axis, core::f64::consts::PI * random.number())
        }
    }
}

/// A right triangle of a box's face with sides of some cells, in the plane z = height.
fn cell(random: &mut Random, cells: u64, height: f64) -> Triangle {
    let mut whole = |below: u64| (random.bits() % below) as f64;
    let (x, y) = (whole(cells), whole(cells));
    let (width, depth) = (1.0 + whole(3), 1.0 + whole(3));
    let corner = DVec3::new(x, y, height);
    let other = corner + DVec3::new(width, depth, 0.0);
    match whole(2) as u32 {
        0 => [corner, DVec3::new(other.x, corner.y, height), other],
        _ => [corner, other, DVec3::new(corner.x, other.y, height)],
    }
}

/// The triangle itself, or standing on one of its edges, or leaning.
fn standing(random: &mut Random, t: Triangle) -> Triangle {
    match random.bits() % 4 {
        0 => [t[0], t[1], t[1] + DVec3::Z],
        1 => [t[0], t[1], t[0] + DVec3::new(1.0, 0.0, 2.0)],
        2 => [t[0], t[0] + DVec3::new(0.0, 1.0, 1.0), t[0] + DVec3::Z],
        _ => t,
    }
}

/// Flat families: triangles of two plates in one plane, some standing on the other, all moved together.
#[test]
fn plates_at_every_angle_scale_and_offset() {
    println!("| plates | pairs | touching | undecided in lanes | placed outside lanes | worst place |");
    for (name, kind) in [("as they are", 0), ("quarter turns", 1), ("45 degrees", 2), ("any angle", 3)] {
        for (size, away) in [(1.0, 0.0), (0.125, 16.0), (0.1, 0.0), (1e-7, 0.0), (1.0 / 3.0, 1e3), (1e5, 1e9)] {
            let mut random = Random(kind as u64 + 10);
            let mut tally = Tally::default();
            for _ in 0..9000 {
                let together = turn(&mut random, kind);
                let aside = DVec3::new(random.number(), random.number(), random.number()) * away;
                let four = [0, 1, 2, 3].map(|_: usize| {
                    let a = cell(&mut random, 4, 0.0);
                    let mut b = cell(&mut random, 4, 0.0);
                    b = standing(&mut random, b);
                    // Every third one is turned in the plane as well.
                    if random.bits().is_multiple_of(3) {
                        let (cosine, sine) = if kind == 1 { (0.0, 1.0) } else { (0.8, 0.6) };
                        b = b.map(|v| DVec3::new(cosine * v.x - sine * v.y, sine * v.x + cosine * v.y, v.z));
                    }
                    [a, b].map(|t| t.map(|v| together * (v * size) + aside))
                });
                tally.check(&four);
            }
            tally.print(&format!("{name}, size {size:.1e}, {away:.0e} away"));
            assert!(tally.undecided * 10_000 <= tally.pairs, "{name}: too many pairs need the exact predicates");
        }
    }
}

/// One triangle where another is: shared, swapped, moved by rounding.
#[test]
fn coincident_triangles() {
    println!("| coincident | pairs | touching | undecided in lanes | placed outside lanes | worst place |");
    let mut random = Random(20);
    for (name, noise) in [("the same", 0.0), ("to rounding", 1e-16), ("to 1e-12", 1e-12), ("to 1e-6", 1e-6)] {
        let mut tally = Tally::default();
        for _ in 0..20_000 {
            let four = [0, 1, 2, 3].map(|_: usize| {
                let a: Triangle = [random.point(), random.point(), random.point()];
                let mut b = a;
                b.rotate_left(random.bits() as usize % 3);
                // Neighbours share an edge or a vertex.
                for v in b.iter_mut().take(random.bits() as usize % 3) {
                    *v = random.point();
                }
                if random.bits().is_multiple_of(2) {
                    b.swap(0, 1);
                }
                [a, b.map(|v| v + random.point() * noise)]
            });
            tally.check(&four);
        }
        tally.print(name);
    }
}

/// A vertex on a face, on an edge, an edge across an edge: on a grid exactly, elsewhere to rounding.
#[test]
fn features_on_features() {
    println!("| features | pairs | touching | undecided in lanes | placed outside lanes | worst place |");
    for (name, grid) in [("on a grid of 1/8", Some(8.0)), ("on a grid of 1/1000", Some(1000.0)), ("anywhere", None)] {
        for kind in 0..4 {
            let mut random = Random(30 + kind as u64);
            let mut tally = Tally::default();
            for _ in 0..12_000 {
                let together = turn(&mut random, kind);
                let four = [0, 1, 2, 3].map(|lane: usize| {
                    let mut point = || {
                        let point = random.point();
                        grid.map_or(point, |cells: f64| (point * cells).round() / cells)
                    };
                    let a: Triangle = [point(), point(), point()];
                    let on_edge = a[0] * 0.5 + a[1] * 0.5;
                    let in_face = on_edge * 0.5 + a[2] * 0.5;
                    let b = match lane {
                        0 => [in_face, point(), point()],
                        1 => [point(), on_edge, point()],
                        2 => {
                            let beyond = point();
                            [on_edge + (on_edge - beyond) * 0.5, point(), beyond]
                        }
                        _ => [in_face, on_edge, point()],
                    };
                    [a, b].map(|t| t.map(|v| together * v))
                });
                tally.check(&four);
            }
            tally.print(&format!("{name}, turned {kind}"));
        }
    }
}

/// Small integers: every way of touching occurs, triangles without an area among them.
#[test]
fn small_integers() {
    println!("| integers | pairs | touching | undecided in lanes | placed outside lanes | worst place |");
    for extent in [1u64, 2, 3, 8] {
        let mut random = Random(40 + extent);
        let mut tally = Tally::default();
        for _ in 0..40_000 {
            let four = [0, 1, 2, 3].map(|_: usize| {
                let mut whole = || (random.bits() % (2 * extent + 1)) as f64 - extent as f64;
                let mut triangle = || [0, 1, 2].map(|_: usize| DVec3::new(whole(), whole(), whole()));
                [triangle(), triangle()]
            });
            tally.check(&four);
        }
        tally.print(&format!("-{extent}..{extent}"));
    }
}

/// Numbers so small that products of three vanish: no zero is to be seen where there is none.
#[test]
fn underflow_fakes_no_zero() {
    for exponent in [-1074, -1060, -1022, -700, -400, -350, -300, -262, -258, -210, -200, -190, 190, 210, 300, 340, 900]
    {
        let mut random = Random(50);
        for _ in 0..1500 {
            let unit = shift(1.0, exponent);
            let four = [0, 1, 2, 3].map(|_: usize| {
                let mut whole = || (random.bits() % 5) as f64 - 2.0;
                let mut triangle = |mixed: bool| {
                    [0, 1, 2].map(|k: usize| {
                        let v = DVec3::new(whole(), whole(), whole());
                        if mixed { v * DVec3::new(1.0, 1.0, if k == 0 { unit } else { 1.0 }) } else { v * unit }
                    })
                };
                let mixed = exponent % 4 == 0;
                [triangle(mixed), triangle(mixed)]
            });
            let truth = four.map(|[a, b]| primitive::robust::intersects(&a, &b));
            for (name, level) in levels() {
                let lanes = dispatch!(level, simd => ask(simd, &four));
                for lane in 0..4 {
                    let decided = lanes.undecided >> lane & 1 == 0;
                    assert!(
                        !decided || (lanes.hits >> lane & 1 == 1) == truth[lane],
                        "{name} 2^{exponent} {:?}",
                        four[lane]
                    );
                }
            }
        }
    }
}
