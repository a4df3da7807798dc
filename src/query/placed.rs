//! Two models where a query finds them: what does not depend on volume or arithmetic.

use crate::math::placement::Placement;
use crate::model::{Hierarchy, Model};
use crate::primitive::Triangle;
use glam::DVec3;

/// Two built models and where they are.
#[derive(Clone, Copy)]
pub struct Placed<'a> {
    pub a: &'a Model,
    pub b: &'a Model,
    pub hierarchy_a: &'a Hierarchy,
    pub hierarchy_b: &'a Hierarchy,
    /// Origins of the node frames, in stored coordinates.
    pub origin_a: DVec3,
    pub origin_b: DVec3,
    /// Radii of spheres around the models with their centres there, in stored coordinates.
    pub radius_a: f64,
    pub radius_b: f64,
    pub placement: &'a Placement,
}

impl Placed<'_> {
    /// The rounding of placed vertices that the distance between the models and their sizes do not account for: a product
    /// with a matrix and a translation costs 8 roundings of each, and the translation is at most their sum and that distance.
    pub(super) fn rounding(&self) -> f64 {
        let placement = self.placement;
        let (a, b) = (placement.place_a(self.origin_a), self.origin_b * placement.scale_b);
        32.0 * f64::EPSILON * (a.length() + b.length())
    }

    /// No two points of the models are closer than this, because spheres around them are not: the cheapest of all tests.
    pub fn between_spheres(&self) -> f64 {
        let placement = self.placement;
        let between = placement.place_b(self.origin_b) - placement.place_a(self.origin_a);
        let radii = self.radius_a * placement.scale_a.x + self.radius_b * placement.scale_b.x;
        (between.length() - radii - self.rounding()) * (1.0 - 1e-9)
    }

    /// A triangle of A in the working frame.
    pub fn triangle_a(&self, slot: u32) -> Triangle {
        let [p, q, r] = self.a.triangle_in_slot(slot as usize);
        [self.placement.place_a(p), self.placement.place_a(q), self.placement.place_a(r)]
    }

    /// A triangle of B in the working frame.
    pub fn triangle_b(&self, slot: u32) -> Triangle {
        let [p, q, r] = self.b.triangle_in_slot(slot as usize);
        [self.placement.place_b(p), self.placement.place_b(q), self.placement.place_b(r)]
    }
}
