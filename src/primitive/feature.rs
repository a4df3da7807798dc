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
