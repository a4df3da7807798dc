//! Poses, from the identity to the ends of the range.

use crate::numbers;
use arbitrary::{Result, Unstructured};
use feeler::Transform;
use feeler_tools::{Random, scenes};
use glam::{DMat3, DVec3};

fn rotation(u: &mut Unstructured) -> Result<DMat3> {
    Ok(match u.int_in_range(0..=3u8)? {
        0 => DMat3::IDENTITY,
        1 => scenes::lattice_rotation(&mut Random(u64::from(u.arbitrary::<u8>()?))),
        _ => {
            let xyzw = [(); 4].map(|()| numbers::ordinary(u).unwrap_or(0.25));
            Transform::from_quaternion(xyzw, DVec3::ZERO).map_or(DMat3::IDENTITY, |pose| pose.rotation)
        }
    })
}

/// A pose about as far from the origin as `size`; every fourth also scales, mirrors or is far.
pub fn pose(u: &mut Unstructured, size: f64, takes_any_scale: bool) -> Result<Transform> {
    let mut pose = Transform { rotation: rotation(u)?, ..Transform::IDENTITY };
    pose.translation = numbers::point(u)? * size;
    if u.ratio(1, 4u8)? {
        match u.int_in_range(0..=3u8)? {
            0 => pose.scale = DVec3::splat(1.0 + numbers::ordinary(u)?.abs()),
            1 => pose.scale = DVec3::splat(10f64.powi(u.int_in_range(-20..=20)?)),
            2 => pose.translation *= 10f64.powi(u.int_in_range(0..=20)?),
            _ => {
                pose.scale = DVec3::ONE;
                for axis in 0..3 {
                    pose.scale[axis] *= if u.arbitrary()? { -1.0 } else { 1.0 };
                    pose.scale[axis] *= if takes_any_scale { 0.25 + numbers::ordinary(u)?.abs() } else { 1.0 };
                }
            }
        }
    }
    Ok(pose)
}

/// A pose a small step away from another one.
pub fn step(u: &mut Unstructured, from: &Transform, size: f64) -> Result<Transform> {
    let small = 10f64.powi(-u.int_in_range(1..=6)?);
    let turn = numbers::point(u)? * small;
    let turned = Transform::from_quaternion([turn.x, turn.y, turn.z, 1.0], DVec3::ZERO)
        .map_or(from.rotation, |turn| turn.rotation * from.rotation);
    let translation = from.translation + numbers::point(u)? * size * small;
    Ok(Transform { rotation: if u.arbitrary()? { turned } else { from.rotation }, translation, ..*from })
}
