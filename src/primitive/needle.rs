//! Which vertices are over a face, also where the face is a needle.
//!
//! The kernel tells the weights of a point in a face from two edges that begin at one vertex. Of a needle from there to a short edge both are
//! nearly one direction, and whether a point is beyond the short edge is lost: of a needle 10^12 times as long as wide even
//! double-double takes points for inside that are outside by more than its width. Here each edge is asked on its own. With n the
//! normal of the face, an edge from p to q has a point r on its inner side if `((q - p) x (r - p)) . n` is not negative. That errs by few roundings of
//! `|q - p| |r - p| |n|`, and by those of n, which are below 2^-45 of it while the face is less than 2^53 times as long as wide. So a point that is told
//! to be inside is outside by 2^-44 of its distance from that edge's vertex at most.

use super::kernel::{Corners, SMALLEST_DIVISOR, Vector};
use super::{Measurement, Way, features_of, robust, settle};
use crate::math::double_double::DoubleDouble;
use crate::math::power_of_two::shift;
use crate::simd::lanes::Real;
use crate::simd::three::{cross, difference, dot};

/// A point over a face.
#[derive(Clone, Copy)]
pub struct OverFace {
    /// Of the height.
    pub squared: DoubleDouble,
    /// Across the face, towards the point.
    pub normal: Vector<DoubleDouble>,
    /// Of the vertices of the face, for the point's foot.
    pub weights: [f64; 3],
}

/// None if the point is not over the face, or if the face is too small to have a normal.
#[inline(never)]
fn over_face(face: &Corners<DoubleDouble>, point: &Vector<DoubleDouble>) -> Option<OverFace> {
    let normal = cross(&difference(&face[1], &face[0]), &difference(&face[2], &face[0]));
    let squared = dot(&normal, &normal);
    let zero = squared.splat(0.0);
    if squared.less(squared.splat(SMALLEST_DIVISOR)) {
        return None;
    }
    let mut weights = [0.0; 3];
    // From the nearest vertex the least is lost.
    let (mut height, mut nearest) = (zero, zero);
    for k in 0..3 {
        let (from, to) = (&face[k], &face[(k + 1) % 3]);
        let along = difference(point, from);
        let inwards = dot(&cross(&difference(to, from), &along), &normal);
        if inwards.less(zero) {
            return None;
        }
        weights[(k + 2) % 3] = (inwards / squared).to_f64();
        let length_squared = dot(&along, &along);
        if k == 0 || length_squared.less(nearest) {
            (height, nearest) = (dot(&normal, &along), length_squared);
        }
    }
    let normal = if height.less(zero) { normal.map(|x| -x) } else { normal };
    Some(OverFace { squared: height * height / squared, normal, weights })
}

/// B's face and a vertex of A, or A's face and a vertex of B.
#[derive(Clone, Copy)]
enum FaceAndVertex {
    OfB(usize),
    OfA(usize),
}

impl FaceAndVertex {
    /// What a code names; None if that is two edges.
    fn of(code: f64) -> Option<Self> {
        const FACE: u8 = super::FACE as u8;
        match features_of(code)?.features {
            [i, FACE] => Some(Self::OfB(i as usize)),
            [FACE, j] => Some(Self::OfA(j as usize)),
            _ => None,
        }
    }

    /// None if the vertex is not over the face.
    fn over(self, a: &Corners<DoubleDouble>, b: &Corners<DoubleDouble>) -> Option<OverFace> {
        match self {
            Self::OfB(i) => over_face(b, &a[i]),
            Self::OfA(j) => over_face(a, &b[j]),
        }
    }
}

/// Whether a candidate is a pair of points of the triangles. Pairs of edges always are.
pub fn is_pair_of_points(a: &Corners<f64>, b: &Corners<f64>, code: f64) -> bool {
    let (a, b) = (settle::precise(a), settle::precise(b));
    FaceAndVertex::of(code).is_none_or(|place| place.over(&a, &b).is_some())
}

/// `settle::nearest_code` among the pairs of edges and the vertices that are over faces; and what is known if a face is nearest.
pub fn nearest(a: &Corners<f64>, b: &Corners<f64>) -> (f64, Option<OverFace>) {
    let edges = settle::nearest_edges(a, b);
    let (a, b) = (settle::precise(a), settle::precise(b));
    let (mut smallest, mut nearest) = (edges, (edges.tag().to_f64(), None));
    for code in (0..15).map(f64::from) {
        if let Some(over) = FaceAndVertex::of(code).and_then(|place| place.over(&a, &b))
            && over.squared.less(smallest)
        {
            (smallest, nearest) = (over.squared, (code, Some(over)));
        }
    }
    nearest
}

impl OverFace {
    /// As a measurement in units of 2^exponent, for the code of this face and vertex.
    pub fn to_outcome(self, code: f64, exponent: i32) -> Option<Measurement> {
        let (weights, is_face_of_b) = match FaceAndVertex::of(code)? {
            // See `kernel::FIRST_CODE`.
            FaceAndVertex::OfB(_) => ([self.weights[2], self.weights[1]], true),
            FaceAndVertex::OfA(_) => ([self.weights[1], self.weights[2]], false),
        };
        let distance = shift(self.squared.sqrt().to_f64(), exponent);
        let from_a = if is_face_of_b { self.normal.map(|x| -x) } else { self.normal };
        let way = Way::Apart { code: code as usize, x: -weights[0], y: weights[1], normal: robust::unit(&from_a) };
        (distance > 0.0).then_some(Measurement { distance, robust: true, way })
    }
}

#[cfg(test)]
mod tests {
    use crate::primitive;
    use glam::DVec3;

    /// A needle 10^12 times as long as wide beside the vertex of another. That vertex is beyond the needle's short edge, by more than the
    /// width, and its height over the plane is less than the distance. The distance was computed in rational numbers.
    #[test]
    fn a_vertex_beyond_the_short_edge_of_a_needle_is_not_over_it() {
        let a = [
            DVec3::new(-0.46618853701292845, -0.3063403537780443, -0.2871529213246301),
            DVec3::new(1.3337097250085487e-12, 9.922598823611487e-13, 3.3893219489351985e-13),
            DVec3::new(9.862370637108795e-13, 5.902506636808226e-13, 2.551168722966997e-13),
        ];
        let b = [
            DVec3::new(-0.056187241193084145, -0.007911358519563299, -0.042313608244104364),
            DVec3::new(-6.191514792115714e-7, 6.721247934339115e-7, -1.9803494365754412e-7),
            DVec3::new(1.4981182628638079e-12, 1.5058400066959325e-12, 1.1555610246745262e-12),
        ];
        for turn in 0..9 {
            let (mut a, mut b) = (a, b);
            a.rotate_left(turn % 3);
            b.rotate_left(turn / 3);
            for (p, q) in [(a, b), (b, a), ([a[1], a[0], a[2]], b), (a, [b[1], b[0], b[2]])] {
                let distance = primitive::distance(&p, &q).distance;
                assert!((distance / 7.075091446228571e-13 - 1.0).abs() < 1e-12, "{turn}: {distance:e}");
            }
        }
    }
}
