//! Four pairs in lanes give the bits of one pair alone, on every instruction set of this machine.

use fearless_simd::{Level, Simd, SimdFrom, dispatch, f64x4};
use feeler::internals::primitive::{self, Triangle};
use feeler_tools::Random;
use glam::DVec3;

type Four = [[Triangle; 2]; 4];

#[inline(always)]
fn load<S: Simd>(simd: S, four: &Four, side: usize) -> [[f64x4<S>; 3]; 3] {
    [0, 1, 2].map(|v| [0, 1, 2].map(|c| f64x4::simd_from(simd, [0, 1, 2, 3].map(|lane: usize| four[lane][side][v][c]))))
}

#[inline(always)]
fn measure<S: Simd>(simd: S, four: &Four) -> ([f64; 4], u32, u32, u32) {
    simd.vectorize(
        #[inline(always)]
        || {
            let (a, b) = (load(simd, four, 0), load(simd, four, 1));
            let plain = primitive::distance_4(simd, &a, &b, (primitive::NEVER, f64::INFINITY));
            let primitive::Distances { distances, open, .. } = primitive::settle_4(simd, &a, &b, &plain, false);
            let (hits, undecided) = primitive::intersects_4(simd, &a, &b, false);
            (distances.into(), open, hits, undecided)
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

#[test]
fn lanes_match_scalar() {
    let mut random = Random(20);
    let mut open_lanes = [0usize; 2];
    let mut lanes = 0;
    for round in 0..60_000 {
        let four: Four = [0, 1, 2, 3].map(|_| {
            let offset = DVec3::from_array(random.point().to_array()) * (round % 4) as f64 * 0.7;
            let scale = 2f64.powi((random.below(40) as i32 - 20) * if round % 50 == 0 { 30 } else { 1 });
            let kind = random.below(6);
            [DVec3::ZERO, offset].map(|by| {
                let mut t = random.triangle().map(|v| DVec3::from_array(v) + by);
                match kind {
                    0 => t = t.map(|v| (v * 2.0).round()),
                    1 => t[2] = t[0] + (t[1] - t[0]) * 0.25,
                    2 => t = t.map(|v| v * DVec3::new(1.0, 1.0, 1e-9)),
                    _ => {}
                }
                t.map(|v| v * scale)
            })
        });
        for (name, level) in levels() {
            let (distances, open, hits, undecided) = dispatch!(level, simd => measure(simd, &four));
            for lane in 0..4 {
                let [a, b] = &four[lane];
                let scalar = primitive::distance(a, b);
                let is_open = open >> lane & 1 == 1;
                let value = if is_open { primitive::robust::distance(a, b).distance } else { distances[lane] };
                assert_eq!(value.to_bits(), scalar.distance.to_bits(), "{name} {a:?} {b:?}");
                assert_eq!(is_open, scalar.robust, "{name} {a:?} {b:?}");
                let meets = primitive::intersects(a, b);
                let decided = undecided >> lane & 1 == 0;
                let hit = if decided { hits >> lane & 1 == 1 } else { primitive::robust::intersects(a, b) };
                assert_eq!(hit, meets, "{name} {a:?} {b:?}");
                assert_eq!(meets, scalar.distance == 0.0);
                open_lanes[0] += is_open as usize;
                open_lanes[1] += !decided as usize;
                lanes += 1;
            }
        }
    }
    println!("{lanes} lanes, {} open in settle_4, {} in intersects_4", open_lanes[0], open_lanes[1]);
}

/// Where a pair touches, lane by lane: certain, the point, the normal and the features.
type Touch = (bool, [u64; 3], [u64; 3], u32);

#[inline(always)]
fn touches<S: Simd>(touching: &primitive::Touching<S>) -> [Touch; 4] {
    let (points, normals) = (primitive::vectors(&touching.point), primitive::vectors(&touching.normal));
    [0, 1, 2, 3].map(|lane| {
        let bits = |vector: DVec3| vector.to_array().map(f64::to_bits);
        (touching.certain >> lane & 1 != 0, bits(points[lane]), bits(normals[lane]), touching.features[lane])
    })
}

#[inline(always)]
fn verdict_and_place<S: Simd>(simd: S, four: &Four) -> (u32, u32, [Touch; 4]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let (a, b) = (load(simd, four, 0), load(simd, four, 1));
            let (hits, undecided) = primitive::intersects_4(simd, &a, &b, false);
            (hits, undecided, touches(&primitive::touching_4(&a, &b)))
        },
    )
}

#[inline(always)]
fn of_eight<S: Simd>(simd: S, halves: &[Four; 2]) -> (u32, u32, [[Touch; 4]; 2]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let halves = [0, 1].map(|half: usize| [load(simd, &halves[half], 0), load(simd, &halves[half], 1)]);
            let (hits, undecided) = primitive::intersects_8(simd, &halves);
            let [first, second] = primitive::touching_8(simd, &halves);
            (hits, undecided, [touches(&first), touches(&second)])
        },
    )
}

#[test]
fn eight_pairs_are_two_times_four() {
    let mut random = Random(22);
    let (mut hit, mut uncertain, mut open) = (0, 0, 0);
    for round in 0..20_000 {
        // Halves of ordinary pairs, of flat ones, and of one of each.
        let halves: [Four; 2] = [0, 1].map(|half: u32| {
            let is_flat = round >> half & 1 != 0;
            [0, 1, 2, 3].map(|_| {
                [0, 1].map(|_| {
                    let triangle = random.triangle().map(DVec3::from_array);
                    if is_flat { triangle.map(|v| (v * 3.0).round()) } else { triangle }
                })
            })
        });
        for (name, level) in levels() {
            let fours = halves.map(|four| dispatch!(level, simd => verdict_and_place(simd, &four)));
            let (hits, undecided, touches) = dispatch!(level, simd => of_eight(simd, &halves));
            assert_eq!(undecided, fours[0].1 | fours[1].1 << 4, "{name} {halves:?}");
            assert_eq!(hits & !undecided, (fours[0].0 | fours[1].0 << 4) & !undecided, "{name} {halves:?}");
            for lane in (0..8).filter(|lane| hits >> lane & 1 != 0) {
                let (found, expected) = (touches[lane / 4][lane % 4], fours[lane / 4].2[lane % 4]);
                assert_eq!(found.0, expected.0, "{name} {halves:?}");
                assert!(!found.0 || found == expected, "{name} {found:?} {expected:?} {halves:?}");
                (hit, uncertain) = (hit + 1, uncertain + u32::from(!found.0));
            }
            open += undecided.count_ones();
        }
    }
    println!("{hit} lanes touch, {uncertain} of them somewhere else, {open} are open");
    // For each instruction set; processors have one at least.
    assert!(hit > 10_000 * levels().len() as u32);
}

/// What `near` closes is near: the value is between the distance and `near`.
#[test]
fn lanes_that_are_near_enough_need_not_be_measured() {
    let mut random = Random(21);
    let mut closed = 0;
    for round in 0..40_000 {
        let four: Four = [0, 1, 2, 3].map(|_| {
            let scale = 2f64.powi((random.below(40) as i32 - 20) * if round % 10 == 0 { 30 } else { 1 });
            let lift = DVec3::Z * [0.0, 1e-12, 1e-7, 1e-3][random.below(4) as usize];
            [DVec3::ZERO, lift].map(|by| {
                let flat = random.triangle().map(|v| DVec3::from_array(v) * DVec3::new(1.0, 1.0, 0.0));
                flat.map(|v| (v + by) * scale)
            })
        });
        let values = four.map(|[a, b]| primitive::distance(&a, &b).distance);
        let near = values[random.below(4) as usize] * [0.0, 0.5, 1.0, 1.0 + 1e-9, 2.0][random.below(5) as usize];
        for (name, level) in levels() {
            let (found, open): ([f64; 4], u32) = dispatch!(level, simd => simd.vectorize(
                #[inline(always)]
                || {
                    let (a, b) = (load(simd, &four, 0), load(simd, &four, 1));
                    let found = primitive::distance_4(simd, &a, &b, (near, f64::INFINITY));
                    (found.distances.into(), found.open)
                },
            ));
            for lane in (0..4).filter(|lane| open >> lane & 1 == 0) {
                let is_between = values[lane] <= found[lane] && found[lane] <= near;
                assert!(
                    found[lane] == values[lane] || is_between,
                    "{name}: {} for {}, near {near}",
                    found[lane],
                    values[lane]
                );
                closed += (found[lane] != values[lane]) as usize;
            }
        }
    }
    assert!(closed > 10_000, "{closed}");
}
