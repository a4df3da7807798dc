//! The distance of two small point sets by the algorithm of Gilbert, Johnson and Keerthi: what [Larsen 1999, 4.3.5] compares
//! its rectangles with.

use glam::DVec3;

/// The distance of the convex hulls.
pub fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let mut simplex: Vec<DVec3> = vec![a[0] - b[0]];
    let mut nearest = simplex[0];
    for _ in 0..64 {
        let squared = nearest.length_squared();
        let support = farthest(a, -nearest) - farthest(b, nearest);
        // No point of the difference is much nearer along this direction.
        if squared - nearest.dot(support) <= 1e-10 * squared || simplex.contains(&support) {
            break;
        }
        simplex.push(support);
        (nearest, simplex) = reduced(&simplex);
        if simplex.len() == 4 {
            return 0.0;
        }
    }
    nearest.length()
}

fn farthest(points: &[DVec3], direction: DVec3) -> DVec3 {
    let mut best = points[0];
    for point in &points[1..] {
        if point.dot(direction) > best.dot(direction) {
            best = *point;
        }
    }
    best
}

/// The point of a simplex nearest to the origin, and the smallest face that holds it: the nearest among all faces whose own
/// nearest point is inside of them.
fn reduced(simplex: &[DVec3]) -> (DVec3, Vec<DVec3>) {
    let mut best = (f64::INFINITY, simplex[0], vec![simplex[0]]);
    for chosen in 1u32..1 << simplex.len() {
        let face: Vec<DVec3> = (0..simplex.len()).filter(|k| chosen >> k & 1 != 0).map(|k| simplex[k]).collect();
        if let Some(point) = nearest_inside(&face) {
            let squared = point.length_squared();
            if squared < best.0 {
                best = (squared, point, face);
            }
        }
    }
    (best.1, best.2)
}

/// The point of the affine hull nearest to the origin, if it is inside of the face.
fn nearest_inside(face: &[DVec3]) -> Option<DVec3> {
    let p = face[0];
    match face {
        [_] => Some(p),
        [_, q] => {
            let edge = *q - p;
            let t = -p.dot(edge) / edge.length_squared();
            (0.0..=1.0).contains(&t).then(|| p + edge * t)
        }
        [_, q, r] => {
            let (u, v) = (*q - p, *r - p);
            let (uu, uv, vv, up, vp) = (u.dot(u), u.dot(v), v.dot(v), -u.dot(p), -v.dot(p));
            let determinant = uu * vv - uv * uv;
            let (s, t) = ((vv * up - uv * vp) / determinant, (uu * vp - uv * up) / determinant);
            (s >= 0.0 && t >= 0.0 && s + t <= 1.0).then(|| p + u * s + v * t)
        }
        _ => {
            // Whether the origin is inside of the tetrahedron.
            let [q, r, s] = [face[1] - p, face[2] - p, face[3] - p];
            let volume = q.dot(r.cross(s));
            let weights = [-p.dot(r.cross(s)) / volume, -q.dot(p.cross(s)) / volume, -q.dot(r.cross(p)) / volume];
            let is_inside = weights.iter().all(|weight| *weight >= 0.0) && weights.iter().sum::<f64>() <= 1.0;
            is_inside.then_some(DVec3::ZERO)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use feeler::internals::primitive;

    #[test]
    fn the_distance_of_triangles_is_found() {
        let mut random = Random(9);
        for _ in 0..200 {
            let a = [(); 3].map(|()| random.point());
            let b = [(); 3].map(|()| random.point() + DVec3::X * 1.5);
            let exact = primitive::distance(&a, &b).distance;
            assert!((distance(&a, &b) - exact).abs() < 1e-5, "{} is not {exact}", distance(&a, &b));
        }
    }
}
