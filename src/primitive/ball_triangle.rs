//! The first time at which a moving ball touches a triangle.
//!
//! The distance g(t) from the centre to the triangle is convex in t, because the triangle is convex and the centre moves on
//! a line. Its slope is the product of the unit vector from the triangle to the centre and the motion. Newton's steps that
//! begin before the first contact therefore never pass it:
//! 1. A convex function lies above each of its tangents, so the tangent at t meets the radius no later than g does.
//! 2. Where g is above the radius and its slope is not negative, g never comes down to the radius again.
//!
//! The kernel's distance is off by a part in 1e12. A distance within 4e-12 of the radius counts as contact: the time is never
//! late by more than that part of the radius, and a ball that passes at a distance within it may or may not be told to touch.

use super::{Closest, Triangle, closest};
use glam::DVec3;

/// What counts as contact, as a multiple of the radius.
const CONTACT: f64 = 1.0 + 4e-12;

/// Quadratic convergence needs about six steps. A grazing ball halves what is left in each: rounding ends it before this.
const MOST_STEPS: usize = 100;

/// The first time, 0 to 1, at which a ball that moves from `from` to `to` touches the triangle, and how it does.
pub fn first_contact(t: &Triangle, from: DVec3, to: DVec3, radius: f64) -> Option<(f64, Closest)> {
    let motion = to - from;
    let mut time = 0.0;
    let mut nearest = closest(t, &[from; 3]);
    if nearest.distance <= radius {
        return Some((0.0, nearest));
    }
    if nearest.distance - radius > motion.length() * (1.0 + 1e-9) {
        return None;
    }
    for _ in 0..MOST_STEPS {
        if nearest.distance <= radius * CONTACT {
            return Some((time, nearest));
        }
        let closing = -nearest.normal.dot(motion);
        if !(closing > 0.0) {
            return None;
        }
        let next = time + (nearest.distance - radius) / closing;
        if !(next > time) {
            // Rounding hides what is left.
            return Some((time, nearest));
        }
        if next >= 1.0 {
            let last = closest(t, &[to; 3]);
            return (last.distance <= radius * CONTACT).then_some((1.0, last));
        }
        time = next;
        nearest = closest(t, &[from * (1.0 - time) + to * time; 3]);
    }
    Some((time, nearest))
}
