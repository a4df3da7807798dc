//! The triangles of one model that a ball touches.

use super::kept::{Kept, Room};
use crate::error::Error;
use crate::math::transform::Transform;
use crate::model::Model;
use crate::posed::shape::{PlacedPoints, PosedModel};
use crate::search::around::{Around, Seeker};
use crate::search::triangle_batch::point_distances;
use fearless_simd::Simd;
use glam::DVec3;

struct Touched<'k, 'r> {
    kept: &'k mut Kept<'r, u32>,
    /// World units.
    radius: f64,
    /// Working units: nothing farther is within the radius.
    farthest: f64,
    slots: [u32; 4],
    count: usize,
}

impl Seeker for Touched<'_, '_> {
    fn limit(&self) -> f64 {
        self.farthest
    }

    #[inline(always)]
    fn take<S: Simd>(&mut self, simd: S, placed: &PlacedPoints, slot: u32) {
        self.slots[self.count] = slot;
        self.count += 1;
        if self.count == 4 {
            self.settle(simd, placed);
        }
    }

    #[inline(always)]
    fn settle<S: Simd>(&mut self, simd: S, placed: &PlacedPoints) -> bool {
        if self.count == 0 {
            return false;
        }
        let measures = point_distances(simd, placed, &self.slots[..self.count], self.farthest);
        for lane in 0..self.count {
            if placed.placement.distance_to_world(measures.distances[lane]) <= self.radius {
                self.kept.offer(placed.model.id_of_slot(self.slots[lane] as usize));
            }
        }
        self.count = 0;
        true
    }
}

impl Model {
    /// The triangles within `radius` of a point of the world, by id, as many as there is room for; returns how many there are.
    pub fn within_ball(
        &self,
        pose: &Transform,
        centre: DVec3,
        radius: f64,
        room: &mut dyn Room<Item = u32>,
    ) -> Result<u64, Error> {
        Ok(PosedModel::new(self, pose)?.within_ball(centre, radius, room))
    }
}

impl PosedModel<'_> {
    pub fn within_ball(&self, centre: DVec3, radius: f64, room: &mut dyn Room<Item = u32>) -> u64 {
        let placed = self.place([centre; 2]);
        let farthest = placed.placement.distance_from_world(radius);
        let mut kept = Kept::new(room, |p, q| p < q);
        let mut touched = Touched { kept: &mut kept, radius, farthest, slots: [0; 4], count: 0 };
        Around { placed: &placed, path: None, max_work: 0, seeker: &mut touched }.run();
        kept.sort();
        kept.found
    }
}
