//! A hand: palm and five fingers, each a closed rounded body.

use super::sphere;
use crate::Mesh;
use glam::{DMat3, DVec3};

/// The fingers point along y, the palm faces -z; the hand is about 1.6 long.
pub fn hand(detail: u32) -> Mesh {
    // Middle, half axes, turn about z.
    let parts = [
        ([0.0, 0.0, 0.0], [0.42, 0.48, 0.14], 0.0),
        ([-0.34, 0.72, 0.0], [0.09, 0.36, 0.09], 0.12),
        ([-0.11, 0.82, 0.0], [0.09, 0.42, 0.09], 0.04),
        ([0.12, 0.8, 0.0], [0.09, 0.4, 0.09], -0.04),
        ([0.34, 0.66, 0.0], [0.08, 0.3, 0.08], -0.12),
        ([-0.56, 0.18, -0.06], [0.1, 0.34, 0.1], 0.8),
    ];
    parts.iter().fold(Mesh::default(), |mesh, (middle, half, turn)| {
        let (turn, half) = (DMat3::from_rotation_z(*turn), DVec3::from_array(*half));
        mesh.with(&sphere(6 * detail, 5 * detail).map(|v| turn * (v * half) + DVec3::from_array(*middle)))
    })
}
