//! A cave and what flies through it.

use super::{sphere, torus};
use crate::Mesh;

/// A closed hall with bulging walls, about 1 in radius: something inside it is near walls on all sides.
pub fn cave(detail: u32) -> Mesh {
    sphere(18 * detail, 10 * detail).map(|v| {
        let bulge = 0.16 * (3.0 * v.x + 1.0).sin() * (4.0 * v.y).cos() + 0.08 * (9.0 * v.z + 5.0 * v.x).sin();
        v * (1.0 + bulge)
    })
}

/// A torus of outer radius about 0.42 with folds across its tube.
pub fn wrinkled_torus(detail: u32) -> Mesh {
    let wrinkle = |v: glam::DVec3| 1.0 + 0.06 * (12.0 * v.y.atan2(v.x)).sin() * (5.0 * v.z).cos();
    torus(14 * detail, 6 * detail, 0.4).map(|v| v * wrinkle(v) * 0.3)
}
