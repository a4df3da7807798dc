//! The value of a pair of triangles that is nearest at given features, without computing its fifteen candidates: the bits that the
//! kernel computes.
//!
//! Symbols: u = 2^-53; n is the vector between the nearest points as computed, d its length; E, F are the longest edges of A and B.
//! A triangle is *left behind* at its vertex if for both edges x from there, along n away from the other triangle:
//! `x.n >= 2^-20 d^2` (it goes away), `x.n >= 2^-10 |x| d` (steeply), `|x| <= 16 d`, and if it is no needle: twice its area is at least
//! 2^-12 of the sum of both squares. These tests err by parts of 2^-49, so that each holds with half of its bound. Then E, F <= 33 d,
//! points of both triangles are at most 34 d apart, and the kernel's products of an edge x with such differences err by
//! less than 2^-43 |x| d.
//!
//! # Two vertices
//!
//! v of A and w of B, both triangles left behind. Let e be an edge of A and f an edge of B that begin or end there.
//! 1. The kernel finds (v, w) on e and f exactly. If e begins at v and f at w: e.n < 0 < f.n as computed. With e.f >= 0 the
//!    first parameter s is clamped to 0, so t and s are. With e.f < 0 the product s e.f is not positive, so t is clamped to 0, then s. Where an edge ends
//!    at v or w, its parameter is compared with 1 instead of 0. What it is above 1 by is at least `2^-11 |e| d / e.e`, and rounding is below
//!    2^-41 of that; a first s that must be 1 has a determinant above `2^-22 e.e f.f`, because then e and f
//!    would not be so steep if they were nearly parallel. `finish` solves the same equations. Its Newton step is 0.
//! 2. So the vector between the points is `b - a + (t f - s e)` with s, t in {0, 1}: four candidates, of which three depend on other vertices by
//!    rounding.
//! 3. All other pairs of edges have a point that is farther along n by 2^-21 d, where rounding is below 2^-44 d.
//! 4. v is not over the inside of B: its weights there are negative, one by `2^-11 d / F` at least, and they err by
//!    `2^-40 F^3 d / gram`, where gram, the square of twice the area, is at least 2^-27 F^4. Nor is w over A.
//! 5. Other vertices that seem to be over a face are over it up to 2^-12 d, and their distance is above d by 2^-21 d. As 2^-24 is
//!    less than 2^-20, so is their height.
//! 6. So the kernel takes the smallest of the four with codes in place of the last bits. It certifies it: the two bounds are less
//!    than 2^-43 apart, because `u (5d + 10E + 5F)` and the error of n, `100 u d`, are below 600 u d.
//!
//! # A face and a vertex
//!
//! w over A's face at the point p, as the kernel certified for A and another triangle at w. p is 2^-8 d or more away from A's edges, A is no needle, E <= 32 d,
//! and B is left behind at w.
//! 1. A point of A's edges is 2^-8 d beside p. To be over it, B must go away by 2^-18 d. So all candidates but (A, w) are farther by
//!    2^-19 d; what seems to be over a face is over it up to 2^-12 d.
//! 2. The height over A errs by 2^-32 d. So the kernel takes (A, w), whose points depend on A and w alone.
//! 3. The certificate: along n the other vertices of B are farther than w, which has the same product as before. So the bound is the same.
//!
//! v under B's face: the same, but the certificate has another origin. So it is computed.

use super::Triangle;
use super::corners;
use super::kernel::{self, Corners, FIRST_CODE};
use glam::DVec3;

/// A pair of triangles that plain arithmetic measured and certified: the vector between its points, and where these are.
#[derive(Clone, Copy, Debug)]
pub struct Certified {
    pub between: DVec3,
    pub squared: f64,
    x: f64,
    y: f64,
}

/// The pair of a candidate, where plain arithmetic proves that it is nearest there.
pub fn certified_by(a: &Triangle, b: &Triangle, candidate: f64) -> Option<Certified> {
    let finished = kernel::finish(&corners(a), &corners(b), candidate);
    let (between, squared) = (DVec3::from_array(finished.between), finished.squared);
    finished.certified.then_some(Certified { between, squared, x: finished.x, y: finished.y })
}

/// Features at which other pairs may be nearest, too, by their numbers in the triangles of this pair.
#[derive(Clone, Copy, Debug)]
pub enum Shared {
    Vertices(usize, usize),
    FaceOfA(usize),
    FaceOfB(usize),
}

impl Certified {
    /// Where this pair is nearest; None at edges.
    pub fn shared(&self, candidate: f64) -> Option<Shared> {
        let code = candidate as u64;
        let i = FIRST_CODE.iter().rposition(|first| *first <= code).unwrap_or(0);
        match (code - FIRST_CODE[i]) as usize {
            3 => Some(Shared::FaceOfB(i)),
            j @ 4.. => Some(Shared::FaceOfA(j - 4)),
            j => {
                let end = |edge: usize, parameter: f64| match parameter {
                    0.0 => Some(edge),
                    1.0 => Some((edge + 1) % 3),
                    _ => None,
                };
                Some(Shared::Vertices(end(i, -self.x)?, end(j, self.y)?))
            }
        }
    }
}

/// Squared distances for which no product here overflows or underflows.
const SMALLEST_SQUARED: f64 = f64::from_bits((1023 - 100) << 52);
const LARGEST_SQUARED: f64 = f64::from_bits((1023 + 100) << 52);

const fn two_to(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

const AWAY: f64 = two_to(-20);
/// Squares of the bounds of the text above.
const STEEP: f64 = two_to(-20);
const LONGEST: f64 = two_to(8);
const NO_NEEDLE: f64 = two_to(-24);
const LONGEST_OF_FACE: f64 = two_to(10);
const INSIDE: f64 = two_to(-16);

/// Whether a triangle with these edges from a vertex is left behind there, seen along `away`, which has this square.
#[inline(always)]
fn is_left_behind(edges: [DVec3; 2], away: DVec3, squared: f64) -> bool {
    let along = edges.map(|edge| edge.dot(away));
    let squares = edges.map(|edge| edge.length_squared());
    let goes_away = |k: usize| {
        (along[k] >= AWAY * squared)
            & (along[k] * along[k] >= STEEP * squared * squares[k])
            & (squares[k] <= LONGEST * squared)
    };
    let sum = squares[0] + squares[1];
    goes_away(0) & goes_away(1) & (edges[0].cross(edges[1]).length_squared() >= NO_NEEDLE * sum * sum)
}

/// The edges that begin at a vertex, if both are directed away from it.
#[inline(always)]
fn edges_at(triangle: &Triangle, corner: usize) -> [DVec3; 2] {
    [triangle[(corner + 1) % 3] - triangle[corner], triangle[(corner + 2) % 3] - triangle[corner]]
}

/// A vertex of A and a vertex of B.
#[derive(Clone, Copy, Debug)]
pub struct VertexPair {
    from: DVec3,
    to: DVec3,
    between: DVec3,
    squared: f64,
}

/// A triangle that is left behind at its vertex of a `VertexPair`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Corner {
    /// The vertex before that one, and the edge from there.
    before: DVec3,
    edge: DVec3,
    /// The squared distance of the pair as seen from there.
    squared: f64,
    /// What the edges that begin and end at the vertex add to a candidate's code.
    codes: [u8; 2],
}

impl VertexPair {
    pub fn new(from: DVec3, to: DVec3) -> Option<Self> {
        let between = to - from;
        let squared = between.dot(between);
        (SMALLEST_SQUARED..=LARGEST_SQUARED).contains(&squared).then_some(Self { from, to, between, squared })
    }

    /// A triangle of A with the vertex at this corner.
    pub fn corner_of_a(&self, triangle: &Triangle, corner: usize) -> Option<Corner> {
        let (before, begins, ends) = (triangle[(corner + 2) % 3], corner % 3, (corner + 2) % 3);
        let edge = self.from - before;
        let between = (self.to - before) - edge;
        is_left_behind(edges_at(triangle, corner), -self.between, self.squared).then_some(Corner {
            before,
            edge,
            squared: between.dot(between),
            codes: [FIRST_CODE[begins] as u8, FIRST_CODE[ends] as u8],
        })
    }

    /// A triangle of B.
    pub fn corner_of_b(&self, triangle: &Triangle, corner: usize) -> Option<Corner> {
        let (before, begins, ends) = (triangle[(corner + 2) % 3], corner % 3, (corner + 2) % 3);
        let edge = self.to - before;
        let between = (before - self.from) + edge;
        is_left_behind(edges_at(triangle, corner), self.between, self.squared).then_some(Corner {
            before,
            edge,
            squared: between.dot(between),
            codes: [begins as u8, ends as u8],
        })
    }

    /// The distance of two triangles and the candidate that it belongs to.
    #[inline(always)]
    pub fn nearest(&self, a: &Corner, b: &Corner) -> (f64, f64) {
        let between = (b.before - a.before) + (b.edge - a.edge);
        let tagged = |squared: f64, code: u8| squared.to_bits() & !15 | u64::from(code);
        let candidates = [
            (self.squared, a.codes[0] + b.codes[0]),
            (a.squared, a.codes[1] + b.codes[0]),
            (b.squared, a.codes[0] + b.codes[1]),
            (between.dot(between), a.codes[1] + b.codes[1]),
        ];
        let mut nearest = candidates[0];
        for candidate in &candidates[1..] {
            if tagged(candidate.0, candidate.1) < tagged(nearest.0, nearest.1) {
                nearest = *candidate;
            }
        }
        (nearest.0.sqrt(), f64::from(nearest.1))
    }
}

/// A face of one model and a vertex of the other that a certified pair is nearest at.
#[derive(Clone, Copy, Debug)]
pub struct FaceAndVertex {
    face: Triangle,
    is_face_of_b: bool,
    between: DVec3,
    squared: f64,
}

impl FaceAndVertex {
    /// None where the vertex is not surely over the inside of the face.
    pub fn new(face: &Triangle, is_face_of_b: bool, pair: &Certified) -> Option<Self> {
        let Certified { between, squared, x, y } = *pair;
        let edges = [face[1] - face[0], face[2] - face[1], face[0] - face[2]];
        let longest = edges.map(|edge| edge.length_squared()).into_iter().fold(0.0, f64::max);
        let gram = edges[0].cross(edges[2]).length_squared();
        let weight = y.min(-x).min(1.0 + x - y);
        let is_sure = (SMALLEST_SQUARED..=LARGEST_SQUARED).contains(&squared)
            && longest <= LONGEST_OF_FACE * squared
            && gram >= NO_NEEDLE * longest * longest
            && weight > 0.0
            && weight * weight * gram >= INSIDE * squared * longest;
        is_sure.then_some(Self { face: *face, is_face_of_b, between, squared })
    }

    /// The distance of the face from a triangle with the vertex at this corner, and the candidate that it belongs to.
    pub fn nearest(&self, triangle: &Triangle, corner: usize) -> Option<(f64, f64)> {
        let away = if self.is_face_of_b { -self.between } else { self.between };
        if !is_left_behind(edges_at(triangle, corner), away, self.squared) {
            return None;
        }
        let code = if self.is_face_of_b {
            let (a, b): (Corners<f64>, Corners<f64>) = (corners(triangle), corners(&self.face));
            if !kernel::reaches(self.squared, kernel::width(&self.between.to_array(), &a, &b)) {
                return None;
            }
            FIRST_CODE[corner % 3] + 3
        } else {
            4 + corner as u64
        };
        Some((self.squared.sqrt(), code as f64))
    }
}
