//! The smallest sphere around points (Welzl), by pivoting on the farthest point (Gärtner).
//!
//! There is no random order and no recursion:
//! 1. Find the point farthest from the sphere so far.
//! 2. Solve the problem for that point and the at most four points that carry the sphere.
//! 3. Repeat until no point is outside.
//!
//! The radius grows strictly, so no set of carriers comes twice. Nothing is allocated. A duplicate is never farther
//! than its original.

use crate::math::bounds::Bounds;
use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

/// When more than four points lie on the sphere, rounding could make two rounds undo each other. This limit ends that.
const MOST_ROUNDS: usize = 100;

/// A point that is outside by less than this part of the radius counts as on the sphere.
const NEARLY: f64 = 1e-13;

/// Points that carry a sphere, in any order.
type Carriers = ArrayVec<DVec3, 5>;

/// Centre and radius of the smallest sphere around `points`. The radius belongs to the returned, rounded centre.
/// Without points: the origin and 0.
pub fn smallest_sphere(points: impl Iterator<Item = DVec3> + Clone) -> (DVec3, f64) {
    let Some(first) = points.clone().next() else { return (DVec3::ZERO, 0.0) };
    let mut carriers = Carriers::new();
    carriers.push(first);
    let (mut centre, mut radius) = (first, 0.0);
    for _ in 0..MOST_ROUNDS {
        let (farthest, square) = farthest_from(centre, points.clone());
        // If the squares underflow, the points are one point to any precision that matters.
        if square <= radius * radius * (1.0 + 2.0 * NEARLY) {
            break;
        }
        carriers.push(farthest);
        let Some((next, next_centre, next_radius)) = sphere_through_last(&carriers) else { break };
        if next_radius <= radius {
            break;
        }
        (carriers, centre, radius) = (next, next_centre, next_radius);
    }
    (centre, farthest_from(centre, points).1.sqrt())
}

/// How small a sphere has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// The smallest there is.
    Smallest,
    /// Some per cent larger, in three passes over the points.
    Near,
}

/// Centre and radius of a sphere around `points`; as `smallest_sphere`.
pub fn sphere(points: impl Iterator<Item = DVec3> + Clone, care: Care) -> (DVec3, f64) {
    match care {
        Care::Smallest => smallest_sphere(points),
        Care::Near => near_smallest_sphere(points),
    }
}

/// Begins at the middle of the bounds and moves towards points that are outside, by as much as the sphere need not grow.
fn near_smallest_sphere(points: impl Iterator<Item = DVec3> + Clone) -> (DVec3, f64) {
    let mut bounds = Bounds::EMPTY;
    points.clone().for_each(|point| bounds.add(point));
    let extent = bounds.high - bounds.low;
    let mut centre = bounds.low * 0.5 + bounds.high * 0.5;
    let mut radius = 0.5 * extent.max_element();
    points.clone().for_each(|point| {
        let square = (point - centre).length_squared();
        if square > radius * radius {
            let distance = square.sqrt();
            centre += (point - centre) * (0.5 * (distance - radius) / distance);
            radius = 0.5 * (distance + radius);
        }
    });
    let mut farthest = 0.0;
    points.for_each(|point| {
        let square = (point - centre).length_squared();
        farthest = if square > farthest { square } else { farthest };
    });
    (centre, farthest.sqrt())
}

/// Centre of the smallest sphere around a triangle: the middle of its longest edge, or its circumcentre if that is inside.
pub fn centre_of_triangle([a, b, c]: [DVec3; 3]) -> DVec3 {
    let (e, f, g) = (b - a, c - a, c - b);
    let (ee, ff, gg) = (e.length_squared(), f.length_squared(), g.length_squared());
    if ee >= ff + gg {
        return a + e * 0.5;
    }
    if ff >= ee + gg {
        return a + f * 0.5;
    }
    if gg >= ee + ff {
        return b + g * 0.5;
    }
    let normal = e.cross(f);
    let twice = 2.0 * normal.length_squared();
    let centre = a + (normal.cross(e) * ff + f.cross(normal) * ee) / twice;
    // Squares of tiny triangles vanish.
    if centre.is_finite() { centre } else { a }
}

/// The point farthest from the centre, the first of several, and its squared distance.
fn farthest_from(centre: DVec3, points: impl Iterator<Item = DVec3>) -> (DVec3, f64) {
    let mut farthest = (centre, -1.0);
    for point in points {
        let square = (point - centre).length_squared();
        if square > farthest.1 {
            farthest = (point, square);
        }
    }
    farthest
}

/// The smallest sphere around at most five points with the last one on it, and the points that carry it.
///
/// A sphere through some points is the smallest around all of them if it encloses the others and its centre is in the
/// hull of those it goes through. So subsets are tried from small to large.
fn sphere_through_last(points: &Carriers) -> Option<(Carriers, DVec3, f64)> {
    let (last, others) = points.split_last()?;
    // The smallest sphere has a radius of at most sqrt(3/8) of the diameter (Jung), which is at most twice the way from the last
    // point. A larger one goes through points that are on one line to rounding; it may have no finite square.
    let largest = 4.0 * others.iter().map(|point| (point - last).length_squared()).fold(0.0, f64::max);
    let mut best: Option<(Carriers, DVec3, f64)> = None;
    for size in 1..=3 {
        for set in 1u32..1 << others.len() {
            if set.count_ones() != size {
                continue;
            }
            let mut chosen = Carriers::new();
            chosen.push(*last);
            chosen.extend((0..others.len()).filter(|other| set & 1 << other != 0).map(|other| others[other]));
            let Some((centre, is_within)) = circumcentre(&chosen) else { continue };
            let square = (last - centre).length_squared();
            if !(square <= largest) {
                continue;
            }
            if points.iter().any(|point| (point - centre).length_squared() > square * (1.0 + 1e-12)) {
                continue;
            }
            let radius = square.sqrt();
            if is_within {
                return Some((chosen, centre, radius));
            }
            // Rounding may put a centre that lies on an edge of its hull outside. Then take the smallest sphere that
            // encloses all points.
            if best.as_ref().is_none_or(|best| radius < best.2) {
                best = Some((chosen, centre, radius));
            }
        }
    }
    best
}

/// The point in the span of two, three or four points that is equally far from all, and whether it is in their hull.
/// None when they are not independent.
fn circumcentre(points: &[DVec3]) -> Option<(DVec3, bool)> {
    let origin = points[0];
    let edge = |k: usize| if k < points.len() { points[k] - origin } else { DVec3::ZERO };
    // In units of the largest edge, so that fourth powers of lengths do not underflow or overflow.
    let unit = (1..points.len()).fold(0.0, |most: f64, k| most.max(edge(k).abs().max_element()));
    let (a, b, c) = (edge(1) / unit, edge(2) / unit, edge(3) / unit);
    // Weights w with (w_a a + w_b b + w_c c) . e = e . e / 2 for every edge e, by Cramer's rule.
    let weights = match points.len() {
        2 => DVec3::new(0.5, 0.0, 0.0),
        3 => {
            let (aa, ab, bb) = (a.length_squared(), a.dot(b), b.length_squared());
            // |a x b|^2 keeps the digits that aa bb - ab ab loses.
            let twice = 2.0 * a.cross(b).length_squared();
            DVec3::new(bb * (aa - ab) / twice, aa * (bb - ab) / twice, 0.0)
        }
        _ => {
            let matrix = DMat3::from_cols(a, b, c).transpose();
            let halves = DVec3::new(a.length_squared(), b.length_squared(), c.length_squared()) * 0.5;
            let centre = matrix.inverse() * halves;
            DMat3::from_cols(a, b, c).inverse() * centre
        }
    };
    let centre = origin + (a * weights.x + b * weights.y + c * weights.z) * unit;
    centre.is_finite().then(|| (centre, weights.min_element() >= 0.0 && weights.element_sum() <= 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_is_near_and_triangles_are_exact() {
        let mut state = 9;
        for count in [3usize, 4, 9, 40, 300] {
            for _ in 0..200 {
                let points: Vec<DVec3> = (0..count).map(|_| random(&mut state)).collect();
                let smallest = smallest_sphere(points.iter().copied()).1;
                let (centre, radius) = sphere(points.iter().copied(), Care::Near);
                assert!(points.iter().all(|point| (*point - centre).length() <= radius * (1.0 + 1e-12)));
                assert!(radius >= smallest * (1.0 - 1e-12) && radius <= smallest * 1.25, "{radius} {smallest}");
                if count == 3 {
                    let centre = centre_of_triangle([points[0], points[1], points[2]]);
                    let radius = points.iter().map(|point| (*point - centre).length()).fold(0.0, f64::max);
                    assert!((radius - smallest).abs() <= 1e-9 * smallest, "{radius} {smallest}");
                }
            }
        }
    }

    /// As a stray makes them: the points are nearer to each other than their coordinates can tell the middle of, and nearly on a
    /// line, so that a sphere through three of them may have no finite radius.
    #[test]
    fn points_on_a_line_to_rounding_have_a_finite_sphere() {
        let points = [
            [3.3735033217261207e-80, 0.2784313725490084, 4.0215293667718976e-237],
            [3.373503542910236e-80, 0.2784313725490084, 0.0],
            [3.3735035228025894e-80, 0.2784313725490084, 4.021529366771898e-88],
            [3.373503723879057e-80, 0.2784313725490084, 4.021529366771898e-88],
            [3.3735031005420056e-80, 0.2784313725490084, 0.0],
            [3.3735031206496523e-80, 0.2784313725490084, 4.021529366771898e-88],
            [3.3735028793578905e-80, 0.2784313725490084, 0.0],
            [3.373502919573184e-80, 0.2784313725490084, 4.021529366771898e-88],
        ];
        let (centre, radius) = smallest_sphere(points.into_iter().map(DVec3::from_array));
        assert!(radius <= 1e-85, "{centre} {radius:e}");
    }

    fn random(state: &mut u64) -> DVec3 {
        DVec3::from_array(core::array::from_fn(|_| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }))
    }

    /// Smallest sphere by trying every subset of up to four points.
    fn by_trying(points: &[DVec3]) -> f64 {
        let mut best = f64::INFINITY;
        let count = points.len();
        let mut consider = |chosen: &[DVec3]| {
            let centre = if chosen.len() == 1 { Some(chosen[0]) } else { circumcentre(chosen).map(|found| found.0) };
            let Some(centre) = centre else { return };
            let radius = farthest_from(centre, points.iter().copied()).1.sqrt();
            if (chosen[0] - centre).length() >= radius * (1.0 - 1e-9) {
                best = best.min(radius);
            }
        };
        for a in 0..count {
            consider(&[points[a]]);
            for b in 0..a {
                consider(&[points[a], points[b]]);
                for c in 0..b {
                    consider(&[points[a], points[b], points[c]]);
                    for d in 0..c {
                        consider(&[points[a], points[b], points[c], points[d]]);
                    }
                }
            }
        }
        best
    }

    fn check(points: &[DVec3], expected: f64) {
        let (centre, radius) = smallest_sphere(points.iter().copied());
        for point in points {
            assert!((point - centre).length() <= radius * (1.0 + 1e-15), "{point} is outside");
        }
        assert!((radius - expected).abs() <= 1e-9 * expected, "{radius}, not {expected}, for {points:?}");
    }

    #[test]
    fn equals_the_best_of_all_subsets() {
        let mut state = 1;
        for round in 0..400 {
            let flat = [1.0, 1e-3, 1e-9, 0.0][round % 4];
            let points: Vec<DVec3> = (0..1 + round % 9)
                .map(|_| random(&mut state) * DVec3::new(1.0, if round % 7 == 0 { flat } else { 1.0 }, flat))
                .collect();
            check(&points, by_trying(&points));
        }
    }

    #[test]
    fn duplicates_lines_and_cospherical_points() {
        let mut state = 2;
        check(&[DVec3::ONE; 20], 0.0);
        check(&[DVec3::ZERO, DVec3::X, DVec3::X * 0.3, DVec3::X, DVec3::ZERO], 0.5);
        let corners: Vec<DVec3> =
            (0..8).map(|k| DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64)).collect();
        check(&corners, 0.75f64.sqrt());
        let ring: Vec<DVec3> =
            (0..90).map(|k| (k as f64 * 0.07).sin_cos()).map(|(y, x)| DVec3::new(x, y, 0.0)).collect();
        check(&ring, 1.0);
        for scale in [1.0, 1e-100, 1e100] {
            let sphere: Vec<DVec3> = (0..3000).map(|_| random(&mut state).normalize() * scale).collect();
            let (centre, radius) = smallest_sphere(sphere.iter().copied());
            assert!(centre.length() < 0.01 * scale && (0.99..1.000001).contains(&(radius / scale)), "{radius}");
        }
    }
}
