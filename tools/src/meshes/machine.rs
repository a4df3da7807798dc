//! Machine parts: bodies around the z axis, and plates with holes.

use super::{grid, plane};
use crate::Mesh;
use core::f64::consts::{FRAC_PI_4, TAU};
use glam::DVec3;

/// A rectangle turned about the z axis, whose inner and outer radius depend on the angle: `columns` around, `rows` along
/// each side of the rectangle. An inner radius of 0 closes the body.
pub fn ring_of_rectangles(
    columns: u32,
    rows: u32,
    half_height: f64,
    inner: impl Fn(f64) -> f64,
    outer: impl Fn(f64) -> f64,
) -> Mesh {
    grid(columns, 4 * rows, |u, v| {
        let angle = u * TAU;
        let (low, high) = (inner(angle), outer(angle));
        let side = (4.0 * v).min(3.999_999_999_999);
        let along = 4.0 * v - side.floor();
        let between = |from: f64, to: f64| from + (to - from) * along;
        let (radius, height) = match side as u32 {
            0 => (high, between(-half_height, half_height)),
            1 => (between(high, low), half_height),
            2 => (low, between(half_height, -half_height)),
            _ => (between(low, high), -half_height),
        };
        DVec3::new(radius * angle.cos(), radius * angle.sin(), height)
    })
}

/// A solid cylinder of this radius along z.
pub fn peg(detail: u32, radius: f64, half_height: f64) -> Mesh {
    ring_of_rectangles(14 * detail, detail, half_height, |_| 0.0, |_| radius)
}

/// A gear of pitch radius 1 with `teeth` teeth and a bore; a tooth is at angle 0.
pub fn gear(detail: u32, teeth: u32) -> Mesh {
    let depth = 1.8 / teeth as f64;
    // A tooth has four columns: flank, tip, flank, root.
    let profile = move |angle: f64| 1.0 + depth * (1.6 * (angle * teeth as f64).cos() - 0.3).clamp(-1.0, 1.0);
    ring_of_rectangles(4 * teeth * detail, detail, 0.2, |_| 0.35, profile)
}

/// A pen along z with the tip at the origin and its body above.
pub fn stylus(detail: u32) -> Mesh {
    grid(8 * detail, 6 * detail, |u, v| {
        let angle = u * TAU;
        let (radius, height) = match v {
            ..0.4 => (0.05 * v / 0.4, 0.25 * v / 0.4),
            ..0.9 => (0.05, 0.25 + 0.55 * (v - 0.4) / 0.5),
            _ => (0.05 * (1.0 - v) / 0.1, 0.8),
        };
        DVec3::new(radius * angle.cos(), radius * angle.sin(), height)
    })
}

/// A plate of `count` by `count` cells of side 2 with a round hole of radius 0.6 in each, centred at the origin.
pub fn drilled_plate(detail: u32, count: u32, half_height: f64) -> Mesh {
    let half = count as f64;
    let mut mesh = Mesh::default();
    // Eight divides the columns, so that the corners of the square are vertices.
    let columns = 8 * detail;
    let square = |angle: f64| {
        let within = (angle + FRAC_PI_4).rem_euclid(2.0 * FRAC_PI_4) - FRAC_PI_4;
        1.0 / within.cos()
    };
    for row in 0..count {
        for column in 0..count {
            let middle = DVec3::new(2.0 * column as f64 + 1.0 - half, 2.0 * row as f64 + 1.0 - half, 0.0);
            // Upper face, wall of the hole, lower face.
            let cell = grid(columns, 3 * detail, |u, v| {
                let angle = u * TAU;
                let (side, along) = ((3.0 * v).min(2.999_999_999_999).floor(), 3.0 * v);
                let (radius, height) = match side as u32 {
                    0 => (square(angle) + (0.6 - square(angle)) * along, half_height),
                    1 => (0.6, half_height * (3.0 - 2.0 * along)),
                    _ => (0.6 + (square(angle) - 0.6) * (along - 2.0), -half_height),
                };
                middle + DVec3::new(radius * angle.cos(), radius * angle.sin(), height)
            });
            mesh = mesh.with(&cell);
        }
    }
    for quarter in 0..4 {
        let turn = glam::DMat3::from_rotation_z(quarter as f64 * 2.0 * FRAC_PI_4);
        let rim = plane(count * detail, detail)
            .map(|v| turn * DVec3::new(half, (2.0 * v.x - 1.0) * half, (2.0 * v.y - 1.0) * half_height));
        mesh = mesh.with(&rim);
    }
    mesh
}
