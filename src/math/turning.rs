//! From one pose to another: the centre moves straight, and the rotation turns about one axis at a constant rate.
//!
//! Sine, cosine and angle are computed here, because those of the C library differ in their last bits from one machine to
//! another.

use super::transform::Transform;
use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use glam::{DMat3, DVec3};

/// What is missing of pi in the f64 next to it.
const REST_OF_PI: f64 = 1.224_646_799_147_353_2e-16;

/// Sine and cosine of an angle from 0 to pi, to a few roundings.
fn sine_cosine(angle: f64) -> (f64, f64) {
    if angle > FRAC_PI_2 {
        let (sine, cosine) = sine_cosine((PI - angle) + REST_OF_PI);
        return (sine, -cosine);
    }
    if angle > FRAC_PI_4 {
        let (sine, cosine) = series((FRAC_PI_2 - angle) + 0.5 * REST_OF_PI);
        return (cosine, sine);
    }
    series(angle)
}

/// Taylor's series up to the 19th power, which is enough up to pi / 4.
fn series(angle: f64) -> (f64, f64) {
    let square = angle * angle;
    let (mut sine, mut cosine) = (1.0, 1.0);
    for k in (1..10).rev() {
        let k = 2.0 * f64::from(k);
        sine = 1.0 - square / (k * (k + 1.0)) * sine;
        cosine = 1.0 - square / (k * (k - 1.0)) * cosine;
    }
    (angle * sine, cosine)
}

/// The angle from 0 to pi with this sine and cosine.
fn angle_of(sine: f64, cosine: f64) -> f64 {
    let mut angle = ((1.0 - cosine) * FRAC_PI_2).clamp(0.0, PI);
    // Each step leaves the sixth part of the cube of what was missing, at first a third at most.
    for _ in 0..4 {
        let (s, c) = sine_cosine(angle);
        angle = (angle + (sine * c - cosine * s)).clamp(0.0, PI);
    }
    angle
}

/// A way from one pose to another.
#[derive(Clone, Copy, Debug)]
pub struct PosePath {
    from: Transform,
    to: Transform,
    /// Unit vector, world; any where nothing turns.
    axis: DVec3,
    /// From 0 to pi.
    angle: f64,
    /// What moves straight, scaled, in the model's axes; and where that begins and ends in the world.
    centre: DVec3,
    pub start: DVec3,
    pub end: DVec3,
}

impl PosePath {
    /// Between poses with true rotations and equal scales; `centre` in the model's coordinates.
    pub fn new(from: &Transform, to: &Transform, centre: DVec3) -> Self {
        let (axis, angle) = turn_between(&from.rotation, &to.rotation);
        let centre = from.scale * centre;
        let start = from.rotation * centre + from.translation;
        let end = to.rotation * centre + to.translation;
        Self { from: *from, to: *to, axis, angle, centre, start, end }
    }

    /// The angle that is turned by in all.
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// The pose at a time from 0 to 1; the given poses at both ends.
    pub fn at(&self, time: f64) -> Transform {
        if time <= 0.0 {
            return self.from;
        }
        if time >= 1.0 {
            return self.to;
        }
        let rotation = rotation_about(self.axis, self.angle * time) * self.from.rotation;
        let place = self.start * (1.0 - time) + self.end * time;
        Transform { rotation, translation: place - rotation * self.centre, scale: self.from.scale }
    }
}

/// Rodrigues' formula, with 1 - cos from the half angle, so that small turns keep their digits.
fn rotation_about(axis: DVec3, angle: f64) -> DMat3 {
    let (sine, _) = sine_cosine(angle);
    let (half, _) = sine_cosine(0.5 * angle);
    let DVec3 { x, y, z } = axis;
    let across = DMat3::from_cols(DVec3::new(0.0, z, -y), DVec3::new(-z, 0.0, x), DVec3::new(y, -x, 0.0));
    DMat3::IDENTITY + across * sine + across * across * (2.0 * half * half)
}

/// Below this the sine of the angle is rounding: the turn is by 180 degrees.
const HALF_TURN: f64 = 8e-15;

/// The axis and the smaller angle of the turn from one rotation to another. At 180 degrees the first component of the axis
/// that is not 0 is positive.
fn turn_between(from: &DMat3, to: &DMat3) -> (DVec3, f64) {
    let q = *to * from.transpose();
    let twist = 0.5 * DVec3::new(q.y_axis.z - q.z_axis.y, q.z_axis.x - q.x_axis.z, q.x_axis.y - q.y_axis.x);
    let cosine = (0.5 * (q.x_axis.x + q.y_axis.y + q.z_axis.z - 1.0)).clamp(-1.0, 1.0);
    let sine = twist.length();
    let angle = angle_of(sine, cosine);
    if cosine > -0.5 {
        return (twist.try_normalize().unwrap_or(DVec3::X), angle);
    }
    // (Q + Q^T) / 2 is cos I + (1 - cos) a a^T: the longest column of what is left gives the axis, but for its sign.
    let symmetric = (q + q.transpose()) * 0.5;
    let left = symmetric - DMat3::IDENTITY * cosine;
    let longest = [left.x_axis, left.y_axis, left.z_axis]
        .into_iter()
        .fold(DVec3::ZERO, |best, column| if column.length_squared() > best.length_squared() { column } else { best });
    let axis = longest.normalize_or(DVec3::X);
    if sine > HALF_TURN {
        return (if axis.dot(twist) < 0.0 { -axis } else { axis }, angle);
    }
    let first = axis.to_array().into_iter().find(|entry| entry.abs() > HALF_TURN).unwrap_or(1.0);
    (if first < 0.0 { -axis } else { axis }, PI)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_agree_with_the_library() {
        for k in 0..=100_000 {
            let angle = PI * f64::from(k) / 1e5;
            let (sine, cosine) = sine_cosine(angle);
            assert!((sine - angle.sin()).abs() < 4e-16 && (cosine - angle.cos()).abs() < 4e-16, "{angle}");
            assert!((angle_of(sine, cosine) - angle).abs() < 8e-16, "{angle}");
        }
    }

    #[test]
    fn a_path_ends_where_it_should_and_turns_evenly() {
        let mut state = 1u64;
        let mut number = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 * 2f64.powi(-52) - 1.0
        };
        for case in 0..20_000 {
            let angle = match case % 4 {
                0 => PI,
                1 => PI * (1.0 - 1e-9 * number().abs()),
                2 => 1e-9 * number().abs(),
                _ => PI * number().abs(),
            };
            let axis = DVec3::new(number(), number(), number()).normalize();
            let from = DMat3::from_axis_angle(DVec3::new(number(), number(), number()).normalize(), 3.0 * number());
            let to = DMat3::from_axis_angle(axis, angle) * from;
            let (found, turned) = turn_between(&from, &to);
            assert!((turned - angle).abs() < 1e-14, "{angle} {turned}");
            let again = rotation_about(found, turned) * from;
            assert!((again - to).to_cols_array().iter().all(|entry| entry.abs() < 1e-14), "{case} {angle}");
            let pose = |rotation| Transform { rotation, translation: axis, scale: DVec3::ONE };
            let path = PosePath::new(&pose(from), &pose(to), from.x_axis);
            let half = path.at(0.5);
            let way = half.rotation * from.x_axis + half.translation - 0.5 * (path.start + path.end);
            assert!(way.length() < 1e-14);
        }
    }

    #[test]
    fn half_a_turn_takes_the_axis_with_a_positive_first_entry() {
        for axis in [DVec3::X, DVec3::NEG_X, DVec3::NEG_Y, DVec3::new(0.0, -0.6, 0.8), DVec3::new(-0.6, 0.8, 0.0)] {
            let (found, angle) = turn_between(&DMat3::IDENTITY, &DMat3::from_axis_angle(axis, PI));
            let first = found.to_array().into_iter().find(|entry| entry.abs() > 1e-9).unwrap();
            assert!(angle == PI && first > 0.0 && (found.dot(axis).abs() - 1.0).abs() < 1e-12, "{axis} {found}");
        }
    }
}
