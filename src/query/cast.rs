//! What a segment or a moving ball meets of one model, and when.

use super::kept::{Kept, Room};
use crate::error::Error;
use crate::math::transform::Transform;
use crate::model::Model;
use crate::posed::shape::{Clipped, PlacedPoints, PosedModel};
use crate::primitive::{self, Closest, Triangle, barycentric, winding_normal};
use crate::search::around::{Around, Before, Seeker};
use core::cmp::Ordering;
use fearless_simd::Simd;
use glam::DVec3;

#[derive(Clone, Copy, Debug, Default)]
pub struct CastParams {
    /// Find every triangle that is met, not only the first.
    pub all: bool,
    /// Only triangles that are met from the side that their winding's normal points to.
    pub front_only: bool,
    /// Only triangles that are met from the other side.
    pub back_only: bool,
    /// Leave out triangles that are touched at time 0.
    pub ignore_start_inside: bool,
    pub max_work: u64,
    /// Of the ball, world units; 0 is a segment.
    pub radius: f64,
}

/// Where a triangle is first met, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// 0 at the start, 1 at the end.
    pub time: f64,
    pub point: DVec3,
    /// Of unit length: by the winding for segments, from the point to the centre for balls.
    pub normal: DVec3,
    pub barycentric: [f64; 3],
    pub triangle: u32,
    pub feature: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CastAnswer {
    pub complete: bool,
    pub found: u64,
    pub written: u64,
}

/// By time, then by id.
pub fn is_earlier(p: &Hit, q: &Hit) -> bool {
    p.time < q.time || p.time == q.time && p.triangle < q.triangle
}

/// One cast: decides about one triangle at a time, so that a walk over all triangles is its definition.
#[derive(Clone, Copy)]
pub struct Cast<'m> {
    pub placed: PlacedPoints<'m>,
    params: CastParams,
    /// Working units.
    radius: f64,
    is_mirrored: bool,
}

impl<'m> Cast<'m> {
    /// Called, so that the walk does not wait on the stack of this.
    #[inline(never)]
    pub fn new(model: &'m Model, pose: &Transform, ends: [DVec3; 2], params: &CastParams) -> Result<Self, Error> {
        let posed = PosedModel::new(model, pose)?;
        let placed = posed.place(ends);
        let radius = if placed.is_in_place() {
            placed.placement.length_from_world(params.radius)
        } else {
            // Models that far apart are pulled in, and so is the radius.
            placed.placement.distance_from_world(params.radius)
        };
        Ok(Self { placed, params: *params, radius, is_mirrored: posed.is_mirrored() })
    }

    /// Where the triangle in a slot is met, if it is and if that counts.
    pub fn hit(&self, slot: u32) -> Option<Hit> {
        let triangle = self.placed.triangle(slot);
        let (hit, from_side) =
            if self.params.radius > 0.0 { self.by_ball(&triangle)? } else { self.by_segment(&triangle)? };
        let from_side = if self.is_mirrored { from_side.reverse() } else { from_side };
        let is_left_out = self.params.ignore_start_inside && hit.time == 0.0
            || self.params.front_only && from_side != Ordering::Greater
            || self.params.back_only && from_side != Ordering::Less;
        let placement = &self.placed.placement;
        (!is_left_out).then(|| Hit {
            point: placement.point_of_a_to_world(hit.point),
            normal: placement.normal_to_world(hit.normal, hit.point, hit.point),
            triangle: self.placed.model.id_of_slot(slot as usize),
            ..hit
        })
    }

    fn by_segment(&self, triangle: &Triangle) -> Option<(Hit, Ordering)> {
        let hit = primitive::first_hit(self.placed.points, triangle)?;
        let [from, to] = self.placed.points;
        let normal = self.winding(triangle).or_else(|| (from - to).try_normalize()).unwrap_or(DVec3::X);
        let primitive::SegmentHit { time, point, barycentric, feature, from_side } = hit;
        Some((Hit { time, point, normal, barycentric, triangle: 0, feature }, from_side))
    }

    fn by_ball(&self, triangle: &Triangle) -> Option<(Hit, Ordering)> {
        if self.radius < 0.0 {
            return None;
        }
        let [from, to] = self.placed.points;
        let (time, found) = primitive::first_contact(triangle, from, to, self.radius)?;
        let Closest { distance, point_a: point, normal, feature, .. } = found;
        let winding = winding_normal(triangle);
        let from_side = if distance == 0.0 {
            Ordering::Equal
        } else {
            winding.map_or(0.0, |winding| winding.dot(normal)).partial_cmp(&0.0).unwrap_or(Ordering::Equal)
        };
        let normal = if distance == 0.0 { self.winding(triangle).unwrap_or(normal) } else { normal };
        let feature = feature & 0xff;
        let barycentric = barycentric(triangle, feature, point);
        Some((Hit { time, point, normal, barycentric, triangle: 0, feature }, from_side))
    }

    fn winding(&self, triangle: &Triangle) -> Option<DVec3> {
        winding_normal(triangle).map(|normal| if self.is_mirrored { -normal } else { normal })
    }

    /// Answers by a walk over the hierarchy; the earliest hits go to `room`.
    pub fn run(&self, room: &mut dyn Room<Item = Hit>) -> CastAnswer {
        let mut kept = Kept::new(room, is_earlier);
        let mut complete = true;
        if let Some(clipped) = Clipped::new(&self.placed, self.radius.max(0.0)) {
            let mut hits = Hits { cast: self, kept: &mut kept, first: None };
            let max_work = self.params.max_work;
            complete = Around { placed: &self.placed, path: Some(clipped), max_work, seeker: &mut hits }.run();
            if let Some(first) = hits.first {
                kept.offer(first);
            }
        }
        kept.sort();
        CastAnswer { complete, found: kept.found, written: kept.written as u64 }
    }
}

struct Hits<'c, 'm, 'r> {
    cast: &'c Cast<'m>,
    kept: &'c mut Kept<'r, Hit>,
    /// The earliest, where only that is asked for.
    first: Option<Hit>,
}

impl Seeker for Hits<'_, '_, '_> {
    const IN_ONE_PIECE: Option<Before> = Some(Before::Path);

    fn limit(&self) -> f64 {
        self.first.map_or(1.0, |first| first.time)
    }

    fn take<S: Simd>(&mut self, _simd: S, _placed: &PlacedPoints, slot: u32) {
        let Some(hit) = self.cast.hit(slot) else { return };
        if self.cast.params.all {
            self.kept.offer(hit);
        } else if self.first.is_none_or(|first| is_earlier(&hit, &first)) {
            self.first = Some(hit);
        }
    }
}

impl Model {
    /// What a segment or a moving ball meets of this model in its pose.
    pub fn cast(
        &self,
        pose: &Transform,
        ends: [DVec3; 2],
        params: &CastParams,
        room: &mut dyn Room<Item = Hit>,
    ) -> Result<CastAnswer, Error> {
        Ok(Cast::new(self, pose, ends, params)?.run(room))
    }
}
