//! How often the fast path has to give up, by the kind of pair: printed, and bounded for ordinary ones.

use feeler::internals::primitive;
use feeler_tools::Random;
use glam::DVec3;

/// Share of pairs that leave the fast path: triangles of size 1 (B's of size `size`) at about `gap`, flattened by `flat`.
fn share(random: &mut Random, gap: f64, size: f64, flat: f64) -> f64 {
    let (mut count, mut robust) = (0, 0);
    while count < 20_000 {
        let squash = DVec3::new(1.0, 1.0, flat);
        let a = random.triangle().map(|v| DVec3::from_array(v) * squash);
        let b = random.triangle().map(|v| DVec3::from_array(v) * size * squash + DVec3::from_array([0.2, -0.3, 1.5]));
        let closest = primitive::closest(&a, &b);
        if closest.distance == 0.0 {
            continue;
        }
        let by = closest.normal * (gap * (0.5 + random.unit()) - closest.distance);
        let b = b.map(|v| v + by);
        robust += primitive::distance(&a, &b).robust as usize;
        count += 1;
    }
    robust as f64 / count as f64
}

#[test]
fn ordinary_pairs_stay_in_the_fast_path() {
    let mut random = Random(30);
    println!("| gap / size | size of B | flattened | robust share |");
    for gap in [2.0, 0.5, 0.1, 0.03, 0.01, 0.005, 0.002, 0.001] {
        for (size, flat) in [(1.0, 1.0), (0.1, 1.0), (10.0, 1.0), (1.0, 1e-3), (1.0, 1e-9)] {
            let share = share(&mut random, gap, size, flat);
            println!("| {gap} | {size} | {flat:e} | {:.2} % |", 100.0 * share);
            assert!(gap < 0.03 || size > 1.0 || share < 0.02, "{share} at gap {gap}, size {size}, flat {flat}");
        }
    }
}
