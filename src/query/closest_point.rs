//! The point of one model that is nearest to a point of space.
//!
//! The answer is that of a pair of models whose second has the point as its only vertex: the smallest value of the triangle
//! kernel, and among equals the smallest id.

use super::contact::NO_TRIANGLE;
use super::contenders::Contenders;
use super::side::{Side, side};
use crate::error::{Error, Status};
use crate::math::transform::Transform;
use crate::model::Model;
use crate::posed::shape::{PlacedPoints, PosedModel};
use crate::primitive::{Closest, barycentric, winding_normal};
use crate::search::around::{Around, Before, Seeker};
use crate::simd::level::{level, on_level};
use fearless_simd::Simd;
use glam::DVec3;

#[derive(Clone, Copy, Debug)]
pub struct ClosestParams {
    /// Tell whether the point is inside.
    pub side: bool,
    /// Expansions and triangles to spend at most; 0 is unlimited. The first triangle is free.
    pub max_work: u64,
    /// Nothing farther than this is looked for.
    pub max_distance: f64,
}

impl Default for ClosestParams {
    fn default() -> Self {
        Self { side: false, max_work: 0, max_distance: f64::INFINITY }
    }
}

/// A point of a surface, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Infinite when nothing is within the largest distance.
    pub distance: f64,
    pub point: DVec3,
    /// Unit vector from there to the point asked about; that of the surface where the distance is 0.
    pub normal: DVec3,
    /// Weights of the triangle's vertices.
    pub barycentric: [f64; 3],
    pub triangle: u32,
    /// 0-2 vertex, 3-5 edge, 6 face.
    pub feature: u32,
    pub side: Side,
    pub complete: bool,
}

impl SurfacePoint {
    const NONE: Self = Self {
        distance: f64::INFINITY,
        point: DVec3::ZERO,
        normal: DVec3::ZERO,
        barycentric: [0.0; 3],
        triangle: NO_TRIANGLE,
        feature: 0,
        side: Side::Unknown,
        complete: true,
    };
}

/// What a walk around a point looks for, and up to four triangles that wait.
struct Search {
    contenders: Contenders,
    /// Working units.
    farthest: f64,
    slots: [u32; 4],
    count: usize,
}

impl Seeker for Search {
    const IN_ONE_PIECE: Option<Before> = Some(Before::Point);

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.contenders.distance().min(self.farthest)
    }

    fn has_measured(&self) -> bool {
        self.contenders.distance() < f64::INFINITY
    }

    #[inline(always)]
    fn take<S: Simd>(&mut self, simd: S, placed: &PlacedPoints, slot: u32) {
        self.slots[self.count..].fill(slot);
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
        self.take_four(simd, placed, self.slots, self.count);
        self.count = 0;
        true
    }

    #[inline(always)]
    fn take_four<S: Simd>(&mut self, simd: S, placed: &PlacedPoints, slots: [u32; 4], count: usize) {
        self.contenders.take_four(simd, placed, slots, count, self.farthest);
    }
}

#[cold]
fn without_topology() -> Error {
    Error::new(
        Status::Unsupported,
        format_args!("params.flags asks for the side, but model has no topology: build it with topology"),
    )
}

/// One model that is asked about points.
pub struct ClosestPoints<'m> {
    posed: PosedModel<'m>,
    params: ClosestParams,
}

impl<'m> ClosestPoints<'m> {
    #[inline(always)]
    pub fn new(posed: PosedModel<'m>, params: &ClosestParams) -> Result<Self, Error> {
        if params.side && posed.built.topology.is_none() {
            return Err(without_topology());
        }
        Ok(Self { posed, params: *params })
    }

    pub fn ask(&self, point: DVec3) -> SurfacePoint {
        on_level!(level(), simd => self.ask_on(simd, point))
    }

    #[inline(always)]
    fn ask_on<S: Simd>(&self, simd: S, point: DVec3) -> SurfacePoint {
        let params = &self.params;
        let placed = self.posed.place_on(simd, [point; 2]);
        let farthest = placed.placement.distance_from_world(params.max_distance);
        let mut search = Search { contenders: Contenders::new(), farthest, slots: [0; 4], count: 0 };
        let walk = Around { placed: &placed, path: None, max_work: params.max_work, seeker: &mut search };
        let complete = walk.run_on(simd);
        let Some((slot, found)) = search.contenders.nearest(simd, &placed) else {
            return SurfacePoint { complete, ..SurfacePoint::NONE };
        };
        if complete && !(placed.placement.distance_to_world(found.distance) <= params.max_distance) {
            return SurfacePoint { complete, ..SurfacePoint::NONE };
        }
        let mut answer = self.in_world(&placed, slot, &found);
        answer.complete = complete;
        if params.side && complete {
            answer.side = side(&placed, found.distance);
        }
        answer
    }

    /// What was found in the working frame, in world space.
    pub fn in_world(&self, placed: &PlacedPoints, slot: u32, found: &Closest) -> SurfacePoint {
        let triangle = placed.triangle(slot);
        let mut normal = found.normal;
        if found.distance == 0.0
            && let Some(winding) = winding_normal(&triangle)
        {
            normal = if self.posed.is_mirrored() { -winding } else { winding };
        }
        let feature = found.feature & 0xff;
        SurfacePoint {
            distance: placed.placement.distance_to_world(found.distance),
            point: placed.placement.point_of_a_to_world(found.point_a),
            normal: placed.placement.normal_to_world(normal, found.point_a, found.point_b),
            barycentric: barycentric(&triangle, feature, found.point_a),
            triangle: placed.model.id_of_slot(slot as usize),
            feature,
            side: Side::Unknown,
            complete: true,
        }
    }
}

impl Model {
    /// The point of this model, in its pose, that is nearest to a point of the world.
    pub fn closest_point(&self, pose: &Transform, point: DVec3, params: &ClosestParams) -> Result<SurfacePoint, Error> {
        Ok(ClosestPoints::new(PosedModel::new(self, pose)?, params)?.ask(point))
    }
}
