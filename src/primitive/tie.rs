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
//!
//! # An edge and a vertex
//!
//! w over the inside of an edge e of A at the point p, which is 2^-8 d or more away from the ends. B is left behind at w, and A's third vertex is as far behind e,
//! seen from both ends. Let f be an edge of B that begins or ends at w.
//! 1. A point of A's other edges is on a way of length a from an end, so that a point of B on a way of length b from w is over it only if a + b is 2^-8 d or more;
//!    and both ways go away by 2^-10 of their lengths. So all candidates but e with the two edges at w are farther by 2^-19 d.
//! 2. On e and f the kernel finds w exactly, as with two vertices: the first s is off the best one by what f.n contributes, which moves t
//!    out of its interval, and by rounding, which moves it by 2^-20 of that at most, because e is across n and f is steep.
//! 3. So two candidates are left. What the kernel computes for them is computed here in the same order.
//! 4. It is certified: the Newton step is at most 140 u d long and leaves n.e below 4 u d |e|. With the other errors of the two bounds that is
//!    less than 700 u d^2.
//!
//! v under an edge of B: the same, with the parameters in their other roles.

use super::Triangle;
use super::corners;
use super::feature;
use super::kernel::{self, Corners, FIRST_CODE, Finished, within};
use glam::DVec3;

/// A pair of triangles that plain arithmetic measured and certified: the vector between its points, and where these are.
#[derive(Clone, Copy, Debug)]
pub struct Certified {
    pub between: DVec3,
    pub squared: f64,
    pub(super) x: f64,
    pub(super) y: f64,
}

/// The pair of a candidate, where plain arithmetic proves that it is nearest there.
pub fn certified_by(a: &Triangle, b: &Triangle, candidate: f64) -> Option<Certified> {
    let finished = kernel::finish(&corners(a), &corners(b), feature::code_of(candidate));
    finished.certified.then(|| Certified::of(&finished))
}

/// Features at which other pairs may be nearest, too, by their numbers in the triangles of this pair.
#[derive(Clone, Copy, Debug)]
pub enum Shared {
    Vertices(usize, usize),
    FaceOfA(usize),
    FaceOfB(usize),
    /// An edge of A and a vertex of B.
    EdgeOfA(usize, usize),
    /// A vertex of A and an edge of B.
    EdgeOfB(usize, usize),
}

impl Certified {
    pub(super) fn of(finished: &Finished<f64>) -> Self {
        let Finished { between, squared, x, y, .. } = *finished;
        Self { between: DVec3::from_array(between), squared, x, y }
    }

    /// Where this pair is nearest; None at two edges.
    pub fn shared(&self, candidate: f64) -> Option<Shared> {
        const FACE: usize = super::FACE as usize;
        match feature::features_of(feature::code_of(candidate))?.features.map(usize::from) {
            [i, FACE] => Some(Shared::FaceOfB(i)),
            [FACE, j] => Some(Shared::FaceOfA(j)),
            [i, j] => {
                let (i, j) = (i - 3, j - 3);
                match (end_of(i, -self.x), end_of(j, self.y)) {
                    (Some(i), Some(j)) => Some(Shared::Vertices(i, j)),
                    (None, Some(j)) => Some(Shared::EdgeOfA(i, j)),
                    (Some(i), None) => Some(Shared::EdgeOfB(i, j)),
                    (None, None) => None,
                }
            }
        }
    }
}

/// The vertex at which a parameter on an edge ends.
fn end_of(edge: usize, parameter: f64) -> Option<usize> {
    if parameter == 0.0 {
        Some(edge)
    } else if parameter == 1.0 {
        Some((edge + 1) % 3)
    } else {
        None
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
fn is_left_behind([x, y]: [DVec3; 2], away: DVec3, squared: f64) -> bool {
    let (xx, yy) = (x.length_squared(), y.length_squared());
    goes_away(x.dot(away), xx, squared) & goes_away(y.dot(away), yy, squared) & is_no_needle(x, y, xx + yy)
}

#[inline(always)]
fn goes_away(along: f64, length_squared: f64, squared: f64) -> bool {
    (along >= AWAY * squared)
        & (along * along >= STEEP * squared * length_squared)
        & (length_squared <= LONGEST * squared)
}

/// Of a triangle by two edges and the sum of their squares.
#[inline(always)]
fn is_no_needle(x: DVec3, y: DVec3, sum: f64) -> bool {
    x.cross(y).length_squared() >= NO_NEEDLE * sum * sum
}

/// The edges at a vertex, both directed away from it.
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
    codes: [u64; 2],
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
            codes: [FIRST_CODE[begins], FIRST_CODE[ends]],
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
            codes: [begins as u64, ends as u64],
        })
    }

    /// The distance of two triangles and the candidate that it belongs to.
    #[inline(always)]
    pub fn nearest(&self, a: &Corner, b: &Corner) -> (f64, f64) {
        let between = (b.before - a.before) + (b.edge - a.edge);
        let nearest = nearer((self.squared, a.codes[0] + b.codes[0]), (a.squared, a.codes[1] + b.codes[0]));
        let other = nearer((b.squared, a.codes[0] + b.codes[1]), (between.dot(between), a.codes[1] + b.codes[1]));
        let nearest = nearer(nearest, other);
        (nearest.0.sqrt(), nearest.1 as f64)
    }
}

/// Which of two candidates the kernel takes, by squared distances and codes.
#[inline(always)]
fn nearer(x: (f64, u64), y: (f64, u64)) -> (f64, u64) {
    let tagged = |(squared, code): (f64, u64)| squared.to_bits() & !15 | code;
    if tagged(x) < tagged(y) { x } else { y }
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
        let longest = edges[0].length_squared().max(edges[1].length_squared()).max(edges[2].length_squared());
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

/// An edge of one model and a vertex of the other that a certified pair is nearest at.
#[derive(Clone, Copy, Debug)]
pub struct EdgeAndVertex {
    is_edge_of_b: bool,
    between: DVec3,
    squared: f64,
}

/// A triangle that is behind its edge of an `EdgeAndVertex`.
#[derive(Clone, Copy, Debug)]
pub struct EdgeSide {
    begin: DVec3,
    edge: DVec3,
    square: f64,
    /// 1 / square as the kernel has it.
    inverse: f64,
    /// What the edge adds to a candidate's code.
    code: u64,
}

/// A triangle that is left behind at its vertex of an `EdgeAndVertex`.
#[derive(Clone, Copy, Debug)]
pub struct VertexSide {
    triangle: Triangle,
    edges: [DVec3; 3],
    corner: usize,
}

impl EdgeAndVertex {
    /// None where the vertex is not surely over the inside of the edge.
    pub fn new(edge: DVec3, is_edge_of_b: bool, pair: &Certified) -> Option<Self> {
        let Certified { between, squared, x, y } = *pair;
        let parameter = if is_edge_of_b { y } else { -x };
        let to_end = parameter.min(1.0 - parameter);
        let is_sure = (SMALLEST_SQUARED..=LARGEST_SQUARED).contains(&squared)
            && to_end > 0.0
            && to_end * to_end * edge.length_squared() >= INSIDE * squared;
        is_sure.then_some(Self { is_edge_of_b, between, squared })
    }

    /// The triangle with the edge of this number.
    pub fn edge_side(&self, triangle: &Triangle, edge: usize) -> Option<EdgeSide> {
        let [p, q, third] = [triangle[edge % 3], triangle[(edge + 1) % 3], triangle[(edge + 2) % 3]];
        let away = if self.is_edge_of_b { self.between } else { -self.between };
        let (along, x, y) = (q - p, third - p, third - q);
        let (xx, yy, square) = (x.length_squared(), y.length_squared(), along.length_squared());
        let is_behind = goes_away(x.dot(away), xx, self.squared)
            & goes_away(y.dot(away), yy, self.squared)
            & (square <= LONGEST * self.squared)
            & is_no_needle(x, along, xx + square);
        if !is_behind {
            return None;
        }
        let [e0, e1, e2] = edges_of(triangle);
        let inverse = kernel::inverse_squares([e0.dot(e0), e1.dot(e1), e2.dot(e2)])[edge % 3];
        let code = if self.is_edge_of_b { edge as u64 } else { FIRST_CODE[edge % 3] };
        Some(EdgeSide { begin: p, edge: along, square: along.dot(along), inverse, code })
    }

    /// The triangle with the vertex at this corner.
    pub fn vertex_side(&self, triangle: &Triangle, corner: usize) -> Option<VertexSide> {
        let away = if self.is_edge_of_b { -self.between } else { self.between };
        is_left_behind(edges_at(triangle, corner), away, self.squared).then_some(VertexSide {
            triangle: *triangle,
            edges: edges_of(triangle),
            corner: corner % 3,
        })
    }

    /// The distance of two triangles and the candidate that it belongs to; None where rounding takes the vertex to an end of the edge.
    #[inline(always)]
    pub fn nearest(&self, edge: &EdgeSide, vertex: &VertexSide) -> Option<(f64, f64)> {
        if self.is_edge_of_b { nearest_at_edge_of_b(vertex, edge) } else { nearest_at_edge_of_a(edge, vertex) }
    }
}

#[inline(always)]
fn edges_of(triangle: &Triangle) -> [DVec3; 3] {
    [triangle[1] - triangle[0], triangle[2] - triangle[1], triangle[0] - triangle[2]]
}

/// An edge of A and a vertex of B: `Products`, `nearest_edge_pair` and `finish` of the kernel with y in {0, 1}.
#[inline(always)]
fn nearest_at_edge_of_a(a: &EdgeSide, b: &VertexSide) -> Option<(f64, f64)> {
    let (e, f, j) = (a.edge, &b.edges, b.corner % 3);
    let before = if j == 0 { 2 } else { j - 1 };
    let ef = [e.dot(f[0]), e.dot(f[1]), e.dot(f[2])];
    let first = e.dot(b.triangle[0] - a.begin);
    let er = [first, first + ef[0], first - ef[2]];
    let starts = [b.triangle[j] - a.begin, b.triangle[before] - a.begin];
    let s = within(er[j] * a.inverse, 0.0, 1.0);
    let begins = starts[0] + -(s * e);
    let s = within((ef[before] + er[before]) * a.inverse, 0.0, 1.0);
    let ends = starts[1] + (f[before] - s * e);
    let codes = [a.code + j as u64, a.code + before as u64];
    let is_begin = nearer((begins.dot(begins), codes[0]), (ends.dot(ends), codes[1])).1 == codes[0];
    let (start, code, k, y) = if is_begin { (starts[0], codes[0], j, 0.0) } else { (starts[1], codes[1], before, 1.0) };
    let q = f[k];
    let qq = q.dot(q);
    let inverse = 1.0 / (a.square * qq) * qq;
    let x = within((-start.dot(e) - y * ef[k]) * inverse, -1.0, 0.0);
    let between = start + (x * e + y * q);
    let step = between.dot(e) * inverse;
    let between = between + -step * e;
    (-1.0 < x && x < 0.0).then(|| (between.dot(between).sqrt(), code as f64))
}

/// A vertex of A and an edge of B: the same with x in {0, -1}.
#[inline(always)]
fn nearest_at_edge_of_b(a: &VertexSide, b: &EdgeSide) -> Option<(f64, f64)> {
    let (e, f, i) = (&a.edges, b.edge, a.corner % 3);
    let before = if i == 0 { 2 } else { i - 1 };
    let ef = [e[0].dot(f), e[1].dot(f), e[2].dot(f)];
    let first = f.dot(b.begin - a.triangle[0]);
    let fr = [first, first - ef[0], first + ef[2]];
    let starts = [b.begin - a.triangle[i], b.begin - a.triangle[before]];
    let t = within(-fr[i] * b.inverse, 0.0, 1.0);
    let begins = starts[0] + t * f;
    let t = within((ef[before] - fr[before]) * b.inverse, 0.0, 1.0);
    let ends = starts[1] + (t * f - e[before]);
    let codes = [FIRST_CODE[i] + b.code, FIRST_CODE[before] + b.code];
    let is_begin = nearer((begins.dot(begins), codes[0]), (ends.dot(ends), codes[1])).1 == codes[0];
    let (start, code, k, x) =
        if is_begin { (starts[0], codes[0], i, 0.0) } else { (starts[1], codes[1], before, -1.0) };
    let p = e[k];
    let pp = p.dot(p);
    let inverse = 1.0 / (pp * b.square) * pp;
    let y = within((-start.dot(f) - x * ef[k]) * inverse, 0.0, 1.0);
    let between = start + (x * p + y * f);
    let step = between.dot(f) * inverse;
    let between = between + -step * f;
    (0.0 < y && y < 1.0).then(|| (between.dot(between).sqrt(), code as f64))
}
