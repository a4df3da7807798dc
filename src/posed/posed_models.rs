//! Two models in their poses: what depends on neither volume nor arithmetic.

use crate::coherence::clearance::Cores;
use crate::coherence::relative_pose::RelativePose;
use crate::math::placement::Placement;
use crate::model::{Hierarchy, Model};
use crate::primitive::Triangle;
use crate::tree::node::NodeFrame;
use glam::DVec3;

/// Two built models and their poses.
#[derive(Clone, Copy)]
pub struct PosedModels<'a> {
    pub a: &'a Model,
    pub b: &'a Model,
    pub hierarchy_a: &'a Hierarchy,
    pub hierarchy_b: &'a Hierarchy,
    /// Radii of spheres around the models with their centres at the node origins, in stored coordinates.
    pub radius_a: f64,
    pub radius_b: f64,
    /// The node origins, in stored coordinates.
    pub origin_a: DVec3,
    pub origin_b: DVec3,
    pub placement: &'a Placement,
    /// From the node origin of A to that of B in the working frame, and its length.
    pub a_to_b: DVec3,
    pub apart: f64,
    /// The rounding of placed vertices that the distance between the models and their sizes do not account for: a product
    /// with a matrix and a translation costs 8 roundings of each, and the translation is at most their sum and that distance.
    pub rounding: f64,
}

impl<'a> PosedModels<'a> {
    #[inline(always)]
    pub fn new(a: &'a Model, b: &'a Model, placement: &'a Placement) -> Self {
        let (built_a, built_b) = (a.built().expect("a pair is made of built models"), b.built().expect("as A"));
        let from = placement.place_a(built_a.origin);
        let a_to_b = placement.place_b(built_b.origin) - from;
        Self {
            a,
            b,
            hierarchy_a: &built_a.hierarchy,
            hierarchy_b: &built_b.hierarchy,
            radius_a: built_a.radius,
            radius_b: built_b.radius,
            origin_a: built_a.origin,
            origin_b: built_b.origin,
            placement,
            a_to_b,
            apart: a_to_b.length(),
            rounding: 32.0 * f64::EPSILON * (from.length() + (built_b.origin * placement.scale_b).length()),
        }
    }

    /// No two points of the models are nearer than this, because spheres around the models are not: the cheapest of all tests.
    #[inline(always)]
    pub fn between_spheres(&self) -> f64 {
        (self.apart - self.radii() - self.rounding) * (1.0 - 1e-9)
    }

    /// No two points of the models are farther apart than this; roundings come on top.
    #[inline(always)]
    pub fn farthest(&self) -> f64 {
        self.apart + self.radii()
    }

    /// Where B is relative to A; the reaches are those of the vertices.
    #[inline(always)]
    pub fn relative_pose(&self) -> RelativePose {
        let placement = self.placement;
        RelativePose {
            rotation: placement.rotation_b,
            between: self.a_to_b * placement.signs_a,
            units: [placement.unit_a, placement.unit_b],
            reach: [self.radius_a * placement.unit_a, self.radius_b * placement.unit_b],
        }
    }

    /// Spheres around most of the nodes of each model, in stored coordinates, if one of them has node frames.
    #[inline(always)]
    pub fn core_frames(&self) -> Option<[NodeFrame; 2]> {
        let (core_a, core_b) = (&self.a.built()?.core, &self.b.built()?.core);
        if core_a.is_none() & core_b.is_none() {
            return None;
        }
        Some([
            core_a.unwrap_or(NodeFrame { origin: self.origin_a, reach: self.radius_a }),
            core_b.unwrap_or(NodeFrame { origin: self.origin_b, reach: self.radius_b }),
        ])
    }

    /// These spheres in the working frame.
    #[inline(always)]
    pub fn cores(&self) -> Option<Cores> {
        self.core_frames().map(|frames| self.placed_cores(&frames))
    }

    #[cold]
    fn placed_cores(&self, [core_a, core_b]: &[NodeFrame; 2]) -> Cores {
        let placement = self.placement;
        Cores {
            between: (placement.place_b(core_b.origin) - placement.place_a(core_a.origin)) * placement.signs_a,
            radii: [core_a.reach * placement.unit_a, core_b.reach * placement.unit_b],
        }
    }

    /// The radii of both models, added, in the working frame.
    pub fn radii(&self) -> f64 {
        self.radius_a * self.placement.unit_a + self.radius_b * self.placement.unit_b
    }

    /// The caller's numbers of the triangles in these slots.
    #[inline(always)]
    pub fn ids(&self, (slot_a, slot_b): (u32, u32)) -> (u32, u32) {
        (self.a.id_of_slot(slot_a as usize), self.b.id_of_slot(slot_b as usize))
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
