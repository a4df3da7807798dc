//! A pair of triangles as an answer: ids, points, normal and distance in world space.

use crate::posed::posed_models::PosedModels;
use crate::primitive::{self, Closest};
use crate::search::incumbent::MeasuredPair;
use crate::search::pair_alone::PairAlone;
use glam::DVec3;

/// The triangle id that names no triangle.
pub const NO_TRIANGLE: u32 = u32::MAX;

/// How far two triangles of a pair are apart and where; points and normal in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    pub triangle_a: u32,
    pub triangle_b: u32,
    /// World units; 0 for triangles that touch.
    pub distance: f64,
    /// The nearest point of A's triangle, and that of B's; equal where the triangles touch.
    pub point_a: DVec3,
    pub point_b: DVec3,
    /// Unit vector from A to B.
    pub normal: DVec3,
    /// Which features are nearest: that of A in the low byte, that of B in the next.
    pub feature: u32,
}

impl Contact {
    /// The contact of a pair that a search measured.
    pub(super) fn of_measured(models: &PosedModels, pair: &MeasuredPair) -> Self {
        if pair.distance == 0.0 {
            // No candidate is needed, and no second verdict.
            return Self::of_touching(models, pair.slots);
        }
        let (slot_a, slot_b) = pair.slots;
        let (a, b) = (models.triangle_a(slot_a), models.triangle_b(slot_b));
        Self::new(models, models.ids(pair.slots), primitive::closest_by(&a, &b, pair.candidate))
    }

    /// The contact of a pair that was measured alone: the same as `of_measured`, sooner.
    pub(super) fn of_alone(models: &PosedModels, alone: &PairAlone) -> Self {
        Self::new(models, models.ids(alone.pair.slots), alone.closest())
    }

    /// The contact of any two triangles, given by their slots.
    pub(super) fn of_slots(models: &PosedModels, slots: (u32, u32)) -> Self {
        let (a, b) = (models.triangle_a(slots.0), models.triangle_b(slots.1));
        Self::new(models, models.ids(slots), primitive::closest(&a, &b))
    }

    /// The contact of two triangles that are known to intersect: the same as `of_slots`, sooner.
    pub(super) fn of_touching(models: &PosedModels, slots: (u32, u32)) -> Self {
        let (a, b) = (models.triangle_a(slots.0), models.triangle_b(slots.1));
        Self::new(models, models.ids(slots), primitive::closest_of_intersecting(&a, &b))
    }

    /// Which triangles, and nothing else.
    pub(crate) fn of_ids((triangle_a, triangle_b): (u32, u32)) -> Self {
        let nowhere = DVec3::ZERO;
        Self { triangle_a, triangle_b, distance: 0.0, point_a: nowhere, point_b: nowhere, normal: nowhere, feature: 0 }
    }

    /// What was found in the working frame, in world space.
    pub(super) fn new(models: &PosedModels, (triangle_a, triangle_b): (u32, u32), closest: Closest) -> Self {
        let placement = models.placement;
        let point_a = placement.point_of_a_to_world(closest.point_a);
        let is_touching = closest.distance == 0.0;
        Self {
            triangle_a,
            triangle_b,
            distance: placement.distance_to_world(closest.distance),
            point_a,
            point_b: if is_touching { point_a } else { placement.point_of_b_to_world(closest.point_b) },
            normal: placement.normal_to_world(closest.normal, closest.point_a, closest.point_b),
            feature: closest.feature,
        }
    }
}
