//! The smallest sphere around points.
//!
//! Welzl's problem solved with pivoting (Gaertner 1999): the farthest point joins the support, and the support becomes
//! that of the smallest sphere around itself. The radius grows with every step, so no support comes twice; duplicates
//! and cospherical points only make supports that are skipped as singular.

use arrayvec::ArrayVec;
use glam::DVec3;

/// Steps at most; more than a dozen are rare, and an unfinished sphere is only a little too large once it is measured.
const STEPS: usize = 48;

/// What farther away still counts as enclosed, relative to the squared radius.
const TOLERANCE: f64 = 1e-12;

/// A sphere of points on its surface, with its radius squared.
#[derive(Clone, Copy)]
struct Ball {
    centre: DVec3,
    square: f64,
}

impl Ball {
    fn holds(&self, point: DVec3) -> bool {
        (point - self.centre).length_squared() <= self.square * (1.0 + TOLERANCE)
    }
}

/// Centre and radius, right to rounding: whoever needs every point inside measures the radius from the centre.
pub fn smallest_sphere(points: impl Iterator<Item = DVec3> + Clone) -> (DVec3, f64) {
    // Relative to the first point, so that no digits are lost to the offset.
    let Some(reference) = points.clone().next() else { return (DVec3::ZERO, 0.0) };
    let mut ball = Ball { centre: DVec3::ZERO, square: 0.0 };
    let mut support: ArrayVec<DVec3, 5> = ArrayVec::new();
    support.push(DVec3::ZERO);
    for _ in 0..STEPS {
        let (mut farthest, mut most) = (DVec3::ZERO, 0.0);
        for point in points.clone() {
            let square = (point - reference - ball.centre).length_squared();
            if square > most {
                (farthest, most) = (point - reference, square);
            }
        }
        if most <= ball.square * (1.0 + TOLERANCE) || support.contains(&farthest) {
            break;
        }
        support.push(farthest);
        let Some((larger, on_surface)) = around_few(&support) else { break };
        (ball, support) = (larger, on_surface);
    }
    (ball.centre + reference, ball.square.sqrt())
}

/// The smallest sphere around at most five points of which the last is on its surface, and those that determine it.
fn around_few(points: &ArrayVec<DVec3, 5>) -> Option<(Ball, ArrayVec<DVec3, 5>)> {
    let (last, others) = points.split_last()?;
    let mut best: Option<(Ball, ArrayVec<DVec3, 5>)> = None;
    for chosen in 1u32..1 << others.len() {
        if chosen.count_ones() > 3 {
            continue;
        }
        let mut subset: ArrayVec<DVec3, 5> = ArrayVec::new();
        subset.extend(others.iter().enumerate().filter(|(k, _)| chosen >> k & 1 == 1).map(|(_, &point)| point));
        let Some(ball) = through(*last, &subset) else { continue };
        let smaller = best.as_ref().is_none_or(|(other, _)| ball.square < other.square);
        if smaller && others.iter().all(|&point| ball.holds(point)) {
            subset.push(*last);
            best = Some((ball, subset));
        }
    }
    best
}

/// The smallest sphere with all of one to four points on its surface; None when they have no such sphere.
fn through(origin: DVec3, others: &[DVec3]) -> Option<Ball> {
    // centre = origin + sum of weight_k edge_k with 2 centre . edge_k = |edge_k|^2: Gauss-Jordan on the Gram matrix.
    let mut edges = [DVec3::ZERO; 3];
    let mut rows = [[0.0; 4]; 3];
    let count = others.len();
    for (edge, point) in edges.iter_mut().zip(others) {
        *edge = *point - origin;
    }
    for (row, edge) in rows.iter_mut().zip(&edges[..count]) {
        for (entry, other) in row.iter_mut().zip(&edges[..count]) {
            *entry = edge.dot(*other);
        }
        row[3] = 0.5 * edge.length_squared();
    }
    for k in 0..count {
        // A pivot is the squared height of an edge over those before it.
        if rows[k][k] <= edges[k].length_squared() * 1e-14 {
            return None;
        }
        let pivot = rows[k];
        for (i, row) in rows[..count].iter_mut().enumerate() {
            if i != k {
                let factor = row[k] / pivot[k];
                for (entry, above) in row.iter_mut().zip(pivot) {
                    *entry -= factor * above;
                }
            }
        }
    }
    let mut offset = DVec3::ZERO;
    for k in 0..count {
        offset += edges[k] * (rows[k][3] / rows[k][k]);
    }
    Some(Ball { centre: origin + offset, square: offset.length_squared() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(points: &[DVec3], centre: DVec3, radius: f64) {
        let (found, size) = smallest_sphere(points.iter().copied());
        assert!((size - radius).abs() <= 1e-9 * radius.max(1e-30), "radius {size}, not {radius}");
        assert!((found - centre).length() <= 1e-6 * radius.max(1e-30), "{found}, not {centre}");
    }

    #[test]
    fn known_spheres() {
        let corner = |k: u32| DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2 & 1) as f64);
        let cube: Vec<DVec3> = (0..8).chain(0..8).map(corner).collect();
        check(&cube, DVec3::splat(0.5), 0.75f64.sqrt());
        check(&[DVec3::ONE; 9], DVec3::ONE, 0.0);
        check(&[DVec3::X, -DVec3::X, DVec3::ZERO, DVec3::X], DVec3::ZERO, 1.0);
        check(&[DVec3::X, -DVec3::X, DVec3::Y], DVec3::ZERO, 1.0);
        // An obtuse triangle has the sphere of its longest side.
        check(&[DVec3::X, -DVec3::X, DVec3::Y * 0.1], DVec3::ZERO, 1.0);
        let around: Vec<DVec3> = (0..500)
            .map(|k| {
                let z = 1.0 - (k as f64 + 0.5) / 250.0;
                let (sine, cosine) = (k as f64 * 2.399963).sin_cos();
                DVec3::new(cosine, sine, 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z + DVec3::splat(7.0)
            })
            .collect();
        let (_, radius) = smallest_sphere(around.iter().copied());
        assert!(radius <= 1.0 + 1e-12 && radius > 0.99);
    }

    #[test]
    fn no_sphere_is_smaller_and_all_points_are_inside() {
        let mut state = 3u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for count in [2, 3, 4, 5, 10, 200] {
            for _ in 0..100 {
                let flat = if next() < 0.3 { 0.0 } else { 1.0 };
                let points: Vec<DVec3> = (0..count).map(|_| DVec3::new(next(), next(), flat * next())).collect();
                let (centre, radius) = smallest_sphere(points.iter().copied());
                let farthest = |from: DVec3| points.iter().map(|p| (*p - from).length()).fold(0.0, f64::max);
                assert!(farthest(centre) <= radius * (1.0 + 1e-11));
                for step in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE, DVec3::new(1.0, -1.0, 0.3)] {
                    for sign in [-1e-4, 1e-4] {
                        assert!(farthest(centre + step * sign) >= radius, "a better centre is near {centre}");
                    }
                }
            }
        }
    }
}
