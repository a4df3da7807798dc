//! Ways to move the vertices of a mesh, from harmless to absurd.

use crate::Random;
use glam::{DMat3, DVec3};

/// Turned about the z axis by `angle` per unit of height.
pub fn twist(vertex: DVec3, angle: f64) -> DVec3 {
    DMat3::from_rotation_z(angle * vertex.z) * vertex
}

/// A bump that grows out of the surface near the x axis.
pub fn blow_up(vertex: DVec3, height: f64) -> DVec3 {
    let near = (-4.0 * (vertex - DVec3::X).length_squared()).exp();
    vertex + vertex.normalize_or_zero() * (height * near)
}

/// A wave along x that moves the surface up and down.
pub fn wave(vertex: DVec3, height: f64, phase: f64) -> DVec3 {
    vertex + DVec3::Z * (height * (3.0 * vertex.x + phase).sin())
}

/// Every vertex somewhere else, at random.
pub fn jitter(vertices: &[DVec3], size: f64, seed: u64) -> Vec<DVec3> {
    let mut random = Random(seed);
    vertices.iter().map(|vertex| *vertex + random.point() * size).collect()
}

/// What a model has to take, with a name each.
pub fn all(vertices: &[DVec3], seed: u64) -> Vec<(String, Vec<DVec3>)> {
    let map = |change: &dyn Fn(DVec3) -> DVec3| vertices.iter().map(|vertex| change(*vertex)).collect::<Vec<_>>();
    let turn = DMat3::from_rotation_x(0.8) * DMat3::from_rotation_y(0.5);
    let mut random = Random(seed);
    let far = random.point() * 1e7;
    vec![
        ("nothing".into(), vertices.to_vec()),
        ("twist".into(), map(&|vertex| twist(vertex, 1.5))),
        ("blow-up".into(), map(&|vertex| blow_up(vertex, 2.0))),
        ("wave".into(), map(&|vertex| wave(vertex, 0.3, 0.4))),
        ("slight jitter".into(), jitter(vertices, 1e-3, seed)),
        ("jitter".into(), jitter(vertices, 1.5, seed)),
        ("turned".into(), map(&|vertex| turn * vertex)),
        ("moved far".into(), map(&|vertex| vertex + far)),
        ("half as large".into(), map(&|vertex| vertex * 0.5)),
        ("grown".into(), map(&|vertex| vertex * 1e150)),
        ("shrunk".into(), map(&|vertex| vertex * 1e-200)),
        ("stretched".into(), map(&|vertex| vertex * DVec3::new(1e4, 1.0, 1e-5))),
        ("flat".into(), map(&|vertex| vertex * DVec3::new(1.0, 1.0, 0.0))),
        ("a line".into(), map(&|vertex| DVec3::splat(vertex.x))),
        ("a point".into(), map(&|_| DVec3::new(0.5, -0.25, 3.0))),
        ("nowhere".into(), map(&|_| DVec3::ZERO)),
    ]
}
