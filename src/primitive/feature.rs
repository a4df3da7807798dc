//! From the code and the parameters of a candidate to the features and the points of the triangles.

use super::Triangle;
use super::kernel::FIRST_CODE;
use crate::simd::lanes::Real;
use glam::DVec3;

pub const FACE: u32 = 6;

/// Features and points of a pair, in the given coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Located {
    pub feature: u32,
    pub point_a: DVec3,
    pub point_b: DVec3,
}

/// A convex combination: both ends are exact and nothing overflows.
pub fn on_edge(t: &Triangle, edge: usize, parameter: f64) -> DVec3 {
    t[edge] * (1.0 - parameter) + t[(edge + 1) % 3] * parameter
}

fn on_face(t: &Triangle, second: f64, third: f64) -> DVec3 {
    t[0] * (1.0 - second - third) + t[1] * second + t[2] * third
}

fn edge_feature(edge: usize, parameter: f64) -> u32 {
    if parameter <= 0.0 {
        edge as u32
    } else if parameter >= 1.0 {
        (edge as u32 + 1) % 3
    } else {
        edge as u32 + 3
    }
}

pub fn encode(feature_a: u32, feature_b: u32) -> u32 {
    feature_a | feature_b << 8
}

/// The pierced pair: one edge and the other's face.
pub fn encode_pierced(edge_of_a: bool, edge: usize) -> u32 {
    let edge = edge as u32 + 3;
    if edge_of_a { encode(edge, FACE) } else { encode(FACE, edge) }
}

/// Added to the code of a candidate that plain arithmetic did not certify: its pair may be nearest elsewhere. Codes are compared and
/// truncated, so that this fraction changes nothing else.
pub const UNCERTAIN: f64 = 0.25;

/// Added to the code of a certified candidate by `with_ends`, times 1 + a + 3 b: a is 0 inside the edge of A, 1 at its first end and 2 at
/// its second; b is the same for B. Of a face they mean nothing.
const ENDS: f64 = 16.0;

/// The code without what was added to it.
pub fn code_of(candidate: f64) -> f64 {
    // Not the remainder, which is a long function. All of this is exact.
    candidate - (candidate / ENDS) as u32 as f64 * ENDS
}

/// A certified code, with the ends of edges that x and y are at, as `locate` tells them.
#[inline(always)]
pub fn with_ends<R: Real>(code: R, x: R, y: R) -> R {
    let (zero, one) = (code.splat(0.0), code.splat(1.0));
    let end_of_a = R::select(zero.less_or_equal(x), one, R::select(x.less_or_equal(-one), code.splat(2.0), zero));
    let end_of_b = R::select(y.less_or_equal(zero), one, R::select(one.less_or_equal(y), code.splat(2.0), zero));
    code + (one + end_of_a + end_of_b * 3.0) * ENDS
}

/// The features that a candidate names: 0-2 vertex, 3-5 edge, 6 face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    pub features: [u8; 2],
    /// Whether the ends of edges are told. Else, where an edge is named, the pair may be nearest at one of its vertices.
    pub is_exact: bool,
}

/// What each code names, with and without ends. Code 15 is none.
const NAMED: [[Named; 16]; 10] = {
    let mut named = [[Named { features: [0; 2], is_exact: false }; 16]; 10];
    let mut number = 0;
    while number < 10 * 16 {
        named[number / 16][number % 16] = name(number % 16, number / 16);
        number += 1;
    }
    named
};

const fn name(code: usize, ends: usize) -> Named {
    let i = (FIRST_CODE[1] as usize <= code) as usize + (FIRST_CODE[2] as usize <= code) as usize;
    let local = code - FIRST_CODE[i] as usize;
    let (end_of_a, end_of_b) = if ends == 0 { (0, 0) } else { ((ends - 1) % 3, (ends - 1) / 3) };
    let features = match local {
        3 => [i as u8, FACE as u8],
        4.. => [FACE as u8, local as u8 - 4],
        _ => [at_end(i, end_of_a), at_end(local, end_of_b)],
    };
    Named { features, is_exact: local >= 3 || ends != 0 }
}

const fn at_end(edge: usize, end: usize) -> u8 {
    match end {
        1 => edge as u8,
        2 => (edge as u8 + 1) % 3,
        _ => edge as u8 + 3,
    }
}

/// The features that a certified candidate names, or None if the candidate is not certified.
pub fn features_of(candidate: f64) -> Option<Named> {
    let whole = candidate as u32;
    let named = NAMED.get(whole as usize / 16)?[whole as usize % 16];
    (whole as f64 == candidate).then_some(named)
}

/// See `FIRST_CODE` for the meaning of the code and of x and y.
pub fn locate(a: &Triangle, b: &Triangle, code: usize, x: f64, y: f64) -> Located {
    let i = FIRST_CODE.iter().rposition(|first| *first as usize <= code).unwrap_or(0);
    let local = code - FIRST_CODE[i] as usize;
    let (second, third) = ((-x).clamp(0.0, 1.0), y.clamp(0.0, 1.0));
    match local {
        3 => Located { feature: encode(i as u32, FACE), point_a: a[i], point_b: on_face(b, third, second) },
        4..=6 => {
            let j = local - 4;
            Located { feature: encode(FACE, j as u32), point_a: on_face(a, second, third), point_b: b[j] }
        }
        _ => {
            let j = local.min(2);
            Located {
                feature: encode(edge_feature(i, second), edge_feature(j, third)),
                point_a: on_edge(a, i, second),
                point_b: on_edge(b, j, third),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_features_of_a_code_are_those_of_its_place() {
        let a = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let b = a.map(|vertex| vertex + DVec3::Z);
        let features = |located: Located| [located.feature as u8, (located.feature >> 8) as u8];
        for code in 0..15 {
            let expected = features(locate(&a, &b, code, -0.25, 0.5));
            let named = features_of(code as f64).unwrap();
            assert_eq!(named, Named { features: expected, is_exact: expected.contains(&(FACE as u8)) }, "code {code}");
            assert_eq!(features_of(code as f64 + UNCERTAIN), None);
            // Newton's step may leave the interval by rounding.
            for x in [-1.0 - 1e-16, -1.0, -0.25, -5e-324, 0.0, 1e-17] {
                for y in [-1e-17, 0.0, 5e-324, 0.5, 1.0, 1.0 + 1e-15] {
                    let candidate = with_ends(code as f64, x, y);
                    let expected = features(locate(&a, &b, code, x, y));
                    assert_eq!(
                        features_of(candidate),
                        Some(Named { features: expected, is_exact: true }),
                        "{code} {x} {y}"
                    );
                    assert_eq!(code_of(candidate), code as f64);
                }
            }
        }
    }
}
