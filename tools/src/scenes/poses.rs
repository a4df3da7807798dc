//! Poses, at random and on a lattice, and those in which two shapes are asked about each other.

use super::{Shape, Walk};
use crate::Random;
use feeler::Transform;
use glam::{DMat3, DQuat, DVec3};

pub fn random_rotation(random: &mut Random) -> DMat3 {
    loop {
        let [x, y, z, w] = [(); 4].map(|()| random.number());
        let length = x * x + y * y + z * z + w * w;
        if (0.01..1.0).contains(&length) {
            return DMat3::from_quat(DQuat::from_xyzw(x, y, z, w).normalize());
        }
    }
}

/// One of the 24 rotations that map the axes to each other, without rounding.
pub fn lattice_rotation(random: &mut Random) -> DMat3 {
    let mut axes = [DVec3::X, DVec3::Y, DVec3::Z];
    axes.rotate_left((random.bits() % 3) as usize);
    if random.bits().is_multiple_of(2) {
        axes = [-axes[0], -axes[1], axes[2]];
    }
    if random.bits().is_multiple_of(2) {
        axes = [axes[0], -axes[1], -axes[2]];
    }
    if random.bits().is_multiple_of(2) {
        axes = [axes[1], -axes[0], axes[2]];
    }
    DMat3::from_cols(axes[0], axes[1], axes[2])
}

pub fn pose(rotation: DMat3, translation: DVec3, scale: f64) -> Transform {
    Transform { rotation, translation, scale: DVec3::splat(scale) }
}

/// A pose that brings the model's centre to `centre`.
pub fn centred(shape: &Shape, rotation: DMat3, centre: DVec3, scale: f64) -> Transform {
    pose(rotation, centre - rotation * (shape.centre() * scale), scale)
}

/// The poses of A and B that every pair of shapes is asked in, with a name each.
pub fn poses(a: &Shape, b: &Shape, random: &mut Random) -> Vec<(String, Transform, Transform)> {
    let mut poses = Vec::new();
    let mut add = |name: String, at_a: Transform, at_b: Transform| poses.push((name, at_a, at_b));
    let size = a.reach().max(b.reach());
    add("identity".into(), Transform::IDENTITY, Transform::IDENTITY);
    let same = centred(a, random_rotation(random), random.point(), 1.0);
    add("same pose".into(), same, same);
    for k in 0..6 {
        let at_a = centred(a, random_rotation(random), random.point() * size, 1.0);
        let at_b = centred(b, random_rotation(random), random.point() * size * (0.5 + k as f64), 1.0);
        add(format!("random {k}"), at_a, at_b);
    }
    for k in 0..4 {
        let by = DVec3::from_array(random.point().to_array().map(|x| (x * 8.0).round() / 4.0));
        let at_a = pose(lattice_rotation(random), DVec3::ZERO, 1.0);
        add(format!("lattice {k}"), at_a, pose(lattice_rotation(random), by, 1.0));
    }
    for (k, scale) in [0.3, 0.05].into_iter().enumerate() {
        let at_a = centred(a, random_rotation(random), random.point() * 0.1 * size, 1.0);
        let small = scale * a.reach().max(1e-3) / b.reach().max(1e-3);
        add(format!("nested {k}"), at_a, centred(b, random_rotation(random), DVec3::ZERO, small));
    }
    for decade in 3..=12 {
        let direction = random.point().normalize_or(DVec3::X);
        let away = direction * size.max(1e-3) * 10f64.powi(decade);
        let at_a = centred(a, random_rotation(random), random.point() * size, 1.0);
        add(format!("far 1e{decade}"), at_a, centred(b, random_rotation(random), away, 1.0));
    }
    for unit in [2f64.powi(-700), 2f64.powi(40), 1e-290, 1e-150, 1e-12, 1e12, 1e150, 1e290] {
        let at_a = centred(a, random_rotation(random), random.point() * size * unit, unit);
        let at_b = centred(b, random_rotation(random), random.point() * 3.0 * size * unit, unit);
        add(format!("both in units of {unit:e}"), at_a, at_b);
    }
    for ratio in [1e-3, 0.1, 7.0, 1e4, 1e-15, 1e-22, 1e22, 1e-30, 1e30, 1e-42, 1e42, 1e-120, 1e120, 1e-200, 1e200] {
        // The smaller one sits beside the larger, nearer than its size or as near as that size allows to say.
        let at_a = centred(a, random_rotation(random), random.point() * 0.5 * size, 1.0);
        let scale = ratio * a.reach().max(1e-3) / b.reach().max(1e-3);
        let near = random.point() * 2.0 * size * ratio.max(1.0);
        add(format!("B times {ratio:e}"), at_a, centred(b, random_rotation(random), near, scale));
    }
    poses
}

/// B moved along the normal of the nearest pair until the two touch, as far as rounding lets them.
pub fn until_touching(walk: &Walk, at_b: &Transform) -> Transform {
    let contact = &walk.nearest;
    Transform { translation: at_b.translation - contact.normal * contact.distance, ..*at_b }
}
