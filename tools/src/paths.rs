//! Poses along the way: between two poses, and along paths in smaller steps.

use feeler::Transform;
use glam::{DMat3, DQuat, DVec3};

/// The pose a share of the way from one pose to another: straight on, turning evenly.
pub fn between(from: &Transform, to: &Transform, share: f64) -> Transform {
    let [first, last] = [from, to].map(|pose| DQuat::from_mat3(&pose.rotation));
    Transform {
        rotation: DMat3::from_quat(first.slerp(last, share).normalize()),
        translation: from.translation.lerp(to.translation, share),
        ..*from
    }
}

/// A path with every step divided into this many; the last pose is left out.
pub fn divided(poses: &[Transform], division: usize) -> impl Iterator<Item = Transform> {
    let shares = move |two: &[Transform]| {
        let [from, to] = [two[0], two[1]];
        (0..division).map(move |step| between(&from, &to, step as f64 / division as f64))
    };
    poses.windows(2).flat_map(shares)
}

/// How far a body of this diagonal moves at most, about: its origin's way and its turn at half the diagonal.
pub fn motion(from: &Transform, to: &Transform, diagonal: f64) -> f64 {
    let [first, last] = [from, to].map(|pose| DQuat::from_mat3(&pose.rotation));
    (to.translation - from.translation).length() + 0.5 * diagonal * first.angle_between(last)
}

/// The first `count` poses of a path in steps of `share` of the diagonal of B.
pub fn small_steps(poses: &[Transform], diagonal: f64, share: f64, count: usize) -> Vec<Transform> {
    let pieces = poses.windows(2).flat_map(|two| {
        let steps = (motion(&two[0], &two[1], diagonal) / (share * diagonal)).ceil().max(1.0) as usize;
        divided(two, steps)
    });
    pieces.take(count).collect()
}

/// The pose at time 0 to 1 in `steps` steps.
pub fn timed(steps: usize, pose: impl Fn(f64) -> Transform) -> Vec<Transform> {
    (0..steps).map(|step| pose(step as f64 / steps as f64)).collect()
}

/// A turn about an axis, then a shift.
pub fn turned(axis: DVec3, angle: f64, translation: DVec3) -> Transform {
    Transform { rotation: DMat3::from_axis_angle(axis.normalize(), angle), translation, ..Transform::IDENTITY }
}

/// A shift.
pub fn shifted(translation: DVec3) -> Transform {
    Transform { translation, ..Transform::IDENTITY }
}
