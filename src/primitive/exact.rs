//! The intersection verdict without rounding, for any finite vertices: coplanar, touching and degenerate ones included.
//!
//! The signs of volumes come from plain arithmetic where its error allows, else from a sum of exact products in fixed integers
//! that span all of f64. The signs of areas come from the adaptive predicate of the crate `robust` (Shewchuk 1997). Plain
//! arithmetic and that predicate are asked only while the coordinates of the pair lie within 2^-260 to 2^290: there nothing can
//! underflow or overflow.

pub mod segment;

use super::{Triangle, signs};
use core::cmp::Ordering;
use glam::DVec3;
use robust::Coord;

/// Where two intersecting triangles were found to meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meeting {
    /// Edge `edge` of A (or of B) passes through the other's plane inside the other triangle.
    Pierced { edge_of_a: bool, edge: usize },
    /// They touch in a common plane or line: some vertex or edge of each comes to distance zero.
    Flat,
}

/// A sum of products of two or three f64, exact: what is added and what is subtracted, as integers in units of 2^-3222.
struct ExactSum {
    added: [u64; Self::WORDS],
    subtracted: [u64; Self::WORDS],
}

/// |value| = mantissa * 2^exponent.
fn decompose(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let field = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) }
}

impl ExactSum {
    /// Three of the smallest f64 multiplied.
    const LOWEST_EXPONENT: i32 = -3222;
    /// Three of the largest multiplied are below 2^3072, and 24 of such products below 2^(64 * 101 - 3222).
    const WORDS: usize = 101;

    fn new() -> Self {
        Self { added: [0; Self::WORDS], subtracted: [0; Self::WORDS] }
    }

    fn add_product(&mut self, negative: bool, x: f64, y: f64, z: f64) {
        let ((mx, ex), (my, ey), (mz, ez)) = (decompose(x), decompose(y), decompose(z));
        let negative = negative ^ x.is_sign_negative() ^ y.is_sign_negative() ^ z.is_sign_negative();
        let xy = mx as u128 * my as u128;
        let low = (xy as u64) as u128 * mz as u128;
        let high = (xy >> 64) * mz as u128 + (low >> 64);
        let product = [low as u64, high as u64, (high >> 64) as u64];
        let shift = (ex + ey + ez - Self::LOWEST_EXPONENT) as usize;
        let (word, bit) = (shift / 64, shift % 64);
        let spill = |piece: u64| if bit == 0 { 0 } else { piece >> (64 - bit) };
        let terms = [
            product[0] << bit,
            product[1] << bit | spill(product[0]),
            product[2] << bit | spill(product[1]),
            spill(product[2]),
        ];
        let words = if negative { &mut self.subtracted } else { &mut self.added };
        let mut carry = false;
        for (index, slot) in words.iter_mut().skip(word).enumerate() {
            if index > 3 && !carry {
                break;
            }
            let (sum, first) = slot.overflowing_add(terms.get(index).copied().unwrap_or(0));
            let (sum, second) = sum.overflowing_add(carry as u64);
            *slot = sum;
            carry = first | second;
        }
    }

    fn sign(&self) -> Ordering {
        self.added.iter().rev().cmp(self.subtracted.iter().rev())
    }
}

/// The vector of x that is left when axis `axis` is dropped.
fn drop_axis(v: DVec3, axis: usize) -> [f64; 2] {
    match axis {
        0 => [v.y, v.z],
        1 => [v.z, v.x],
        _ => [v.x, v.y],
    }
}

/// Exact signs for the points of one pair.
#[derive(Clone, Copy)]
struct Signs {
    /// The coordinates span so many binades that expansions would underflow.
    wide: bool,
}

impl Signs {
    /// Sign of det(a - d, b - d, c - d). The adaptive predicate of the crate would take three times the stack and, for zeros,
    /// more time than the whole sum.
    fn volume(self, a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Ordering {
        let certain = if self.wide { None } else { signs::plain_sign(a, b, c, d) };
        certain.unwrap_or_else(|| Self::volume_as_sum(a, b, c, d))
    }

    #[cold]
    #[inline(never)]
    fn volume_as_sum(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Ordering {
        let mut sum = ExactSum::new();
        for (p, q, r, negative) in [(a, b, c, false), (d, b, c, true), (a, d, c, true), (a, b, d, true)] {
            for (x, y, z) in [(p.x, q.y, r.z), (p.y, q.z, r.x), (p.z, q.x, r.y)] {
                sum.add_product(negative, x, y, z);
            }
            for (x, y, z) in [(p.x, q.z, r.y), (p.y, q.x, r.z), (p.z, q.y, r.x)] {
                sum.add_product(!negative, x, y, z);
            }
        }
        sum.sign()
    }

    /// Sign of the area of a, b, c seen along `axis`.
    fn area(self, axis: usize, a: DVec3, b: DVec3, c: DVec3) -> Ordering {
        let (a, b, c) = (drop_axis(a, axis), drop_axis(b, axis), drop_axis(c, axis));
        if !self.wide {
            let coordinates = |v: [f64; 2]| Coord { x: v[0], y: v[1] };
            let value = robust::orient2d(coordinates(a), coordinates(b), coordinates(c));
            return value.partial_cmp(&0.0).unwrap_or(Ordering::Equal);
        }
        Self::area_of_wide(a, b, c)
    }

    #[cold]
    #[inline(never)]
    fn area_of_wide(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Ordering {
        let mut sum = ExactSum::new();
        for (p, q) in [(a, b), (b, c), (c, a)] {
            sum.add_product(false, p[0], q[1], 1.0);
            sum.add_product(true, p[1], q[0], 1.0);
        }
        sum.sign()
    }

    /// An axis along which the three points are seen with an area, or none if they are on a line.
    fn open_axis(self, a: DVec3, b: DVec3, c: DVec3) -> Option<usize> {
        (0..3).find(|axis| self.area(*axis, a, b, c) != Ordering::Equal)
    }

    /// Closed segments in one plane, seen along an axis that sees the plane.
    fn segments_cross(self, axis: usize, p: [DVec3; 2], q: [DVec3; 2]) -> bool {
        let q_sides = [self.area(axis, p[0], p[1], q[0]), self.area(axis, p[0], p[1], q[1])];
        let p_sides = [self.area(axis, q[0], q[1], p[0]), self.area(axis, q[0], q[1], p[1])];
        if strictly_same(q_sides) || strictly_same(p_sides) {
            return false;
        }
        if q_sides == [Ordering::Equal; 2] && p_sides == [Ordering::Equal; 2] {
            return ranges_meet(&p, &q);
        }
        true
    }

    /// Point in a closed triangle of the same plane that has an area along `axis`.
    fn contains(self, axis: usize, t: &Triangle, p: DVec3) -> bool {
        let sides = [0, 1, 2].map(|k| self.area(axis, t[k], t[(k + 1) % 3], p));
        !(sides.contains(&Ordering::Less) && sides.contains(&Ordering::Greater))
    }

    /// Closed segment against a triangle that has an area; says whether it passes through the plane at one point.
    fn segment_meets(self, p: [DVec3; 2], t: &Triangle, axis: usize) -> Option<Passing> {
        let sides = p.map(|point| self.volume(t[0], t[1], t[2], point));
        if strictly_same(sides) {
            return None;
        }
        if sides == [Ordering::Equal; 2] {
            let meets =
                self.contains(axis, t, p[0]) || (0..3).any(|k| self.segments_cross(axis, p, [t[k], t[(k + 1) % 3]]));
            return meets.then_some(Passing::InPlane);
        }
        let turns = [0, 1, 2].map(|k| self.volume(p[0], p[1], t[k], t[(k + 1) % 3]));
        let meets = !(turns.contains(&Ordering::Less) && turns.contains(&Ordering::Greater));
        meets.then_some(Passing::Through)
    }

    /// The edges of one triangle against another that has an area along `axis`; a passage through its plane goes first.
    fn edges_meet(self, edge_of_a: bool, from: &Triangle, to: &Triangle, axis: usize) -> Option<Meeting> {
        let mut found = None;
        for edge in 0..3 {
            match self.segment_meets([from[edge], from[(edge + 1) % 3]], to, axis) {
                Some(Passing::Through) => return Some(Meeting::Pierced { edge_of_a, edge }),
                Some(Passing::InPlane) => found = Some(Meeting::Flat),
                None => {}
            }
        }
        found
    }

    /// Closed segments anywhere in space; either may be a point.
    fn segments_meet(self, p: [DVec3; 2], q: [DVec3; 2]) -> bool {
        if self.volume(p[0], p[1], q[0], q[1]) != Ordering::Equal {
            return false;
        }
        let axis = self
            .open_axis(p[0], p[1], q[0])
            .or_else(|| self.open_axis(p[0], p[1], q[1]))
            .or_else(|| self.open_axis(q[0], q[1], p[0]))
            .or_else(|| self.open_axis(q[0], q[1], p[1]));
        match axis {
            Some(axis) => self.segments_cross(axis, p, q),
            None => ranges_meet(&p, &q),
        }
    }
}

enum Passing {
    Through,
    InPlane,
}

fn strictly_same(signs: [Ordering; 2]) -> bool {
    signs[0] == signs[1] && signs[0] != Ordering::Equal
}

/// Order by x, then y, then z: along any line it is the order of the line.
fn before(p: DVec3, q: DVec3) -> bool {
    (p.x, p.y, p.z) < (q.x, q.y, q.z)
}

/// First and last of points on one line.
fn extent(points: &[DVec3]) -> [DVec3; 2] {
    let mut range = [points[0]; 2];
    for point in points {
        if before(*point, range[0]) {
            range[0] = *point;
        }
        if before(range[1], *point) {
            range[1] = *point;
        }
    }
    range
}

/// Two segments of one line.
fn ranges_meet(p: &[DVec3; 2], q: &[DVec3; 2]) -> bool {
    let (p, q) = (extent(p), extent(q));
    !before(p[1], q[0]) && !before(q[1], p[0])
}

const SMALLEST_NARROW: f64 = f64::from_bits((1023 - 260) << 52);
const LARGEST_NARROW: f64 = f64::from_bits((1023 + 290) << 52);

#[inline]
fn signs_for(triangles: &[&Triangle]) -> Signs {
    let narrow = |value: f64| value == 0.0 || (SMALLEST_NARROW..=LARGEST_NARROW).contains(&value.abs());
    let wide = triangles.iter().any(|t| t.iter().any(|v| !(narrow(v.x) && narrow(v.y) && narrow(v.z))));
    Signs { wide }
}

/// The three vertices lie exactly on one line, or on one point.
pub fn is_degenerate(t: &Triangle) -> bool {
    signs_for(&[t]).open_axis(t[0], t[1], t[2]).is_none()
}

/// How the closed triangles meet, or none if they do not.
pub fn meeting(a: &Triangle, b: &Triangle) -> Option<Meeting> {
    let signs = signs_for(&[a, b]);
    let axis_a = signs.open_axis(a[0], a[1], a[2]);
    let axis_b = signs.open_axis(b[0], b[1], b[2]);
    let edge = |t: &Triangle, k: usize| [t[k], t[(k + 1) % 3]];
    match (axis_a, axis_b) {
        (None, None) => signs.segments_meet(extent(a), extent(b)).then_some(Meeting::Flat),
        (Some(axis), None) => signs.edges_meet(false, b, a, axis),
        (None, Some(axis)) => signs.edges_meet(true, a, b, axis),
        (Some(axis_a), Some(axis_b)) => {
            let sides_b = b.map(|point| signs.volume(a[0], a[1], a[2], point));
            if sides_b == [Ordering::Less; 3] || sides_b == [Ordering::Greater; 3] {
                return None;
            }
            if sides_b == [Ordering::Equal; 3] {
                let contained = signs.contains(axis_a, b, a[0]) || signs.contains(axis_a, a, b[0]);
                let crossing =
                    || (0..9).any(|index| signs.segments_cross(axis_a, edge(a, index / 3), edge(b, index % 3)));
                return (contained || crossing()).then_some(Meeting::Flat);
            }
            let from_a = signs.edges_meet(true, a, b, axis_b);
            if matches!(from_a, Some(Meeting::Pierced { .. })) {
                return from_a;
            }
            signs.edges_meet(false, b, a, axis_a).or(from_a)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_sum_cancels_over_the_whole_range() {
        let mut sum = ExactSum::new();
        sum.add_product(false, f64::MAX, f64::MAX, f64::MAX);
        sum.add_product(false, 5e-324, 5e-324, -5e-324);
        assert_eq!(sum.sign(), Ordering::Greater);
        sum.add_product(true, f64::MAX, f64::MAX, f64::MAX);
        assert_eq!(sum.sign(), Ordering::Less);
        sum.add_product(false, 5e-324, 5e-324, 5e-324);
        assert_eq!(sum.sign(), Ordering::Equal);
    }

    #[test]
    fn wide_and_narrow_signs_agree() {
        let points = [0, 1, 2, 3, 4, 5, 6, 7].map(|k: i32| {
            DVec3::new(f64::from((k * 7) % 5) * 0.1, f64::from((k * 3) % 7) * 0.3, f64::from((k * 5) % 3) * 0.7)
        });
        let (narrow, wide) = (Signs { wide: false }, Signs { wide: true });
        for a in points {
            for b in points {
                for c in points {
                    for axis in 0..3 {
                        assert_eq!(narrow.area(axis, a, b, c), wide.area(axis, a, b, c));
                    }
                    for d in points {
                        assert_eq!(narrow.volume(a, b, c, d), wide.volume(a, b, c, d));
                    }
                }
            }
        }
    }
}
