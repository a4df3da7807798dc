//! From the code and the parameters of a candidate to the features and the points of the triangles.

use super::Triangle;
use super::kernel::FIRST_CODE;
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

/// The features that a certified candidate names, whatever x and y are: where it names an edge, the pair may be nearest at one of its
/// vertices. None if the candidate is not certified.
pub fn features_of(code: f64) -> Option<[u32; 2]> {
    let whole = code as u64;
    if whole as f64 != code {
        return None;
    }
    let i = FIRST_CODE.iter().rposition(|first| *first <= whole).unwrap_or(0);
    let local = (whole - FIRST_CODE[i]) as u32;
    Some(match local {
        3 => [i as u32, FACE],
        4.. => [FACE, local - 4],
        _ => [i as u32 + 3, local + 3],
    })
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
        for code in 0..15 {
            let located = locate(&a, &b, code, -0.25, 0.5);
            let expected = [located.feature & 0xff, located.feature >> 8];
            assert_eq!(features_of(code as f64), Some(expected), "code {code}");
            assert_eq!(features_of(code as f64 + UNCERTAIN), None);
        }
    }
}
