//! What a segment or a moving ball meets of one model, and when.

use super::kept::{Kept, Room};
use crate::error::Error;
use crate::math::pose::Pose;
use crate::math::transform::Transform;
use crate::model::Model;
use crate::posed::shape::{Clipped, PlacedPoints, PosedModel};
use crate::primitive::{self, Closest, Estimate, Sifted, Triangle, barycentric, sift, winding_normal};
use crate::search::around::{Around, Before, Seeker};
use crate::search::triangle_batch::placed_triangles;
use crate::simd::level::{level, on_level};
use core::cmp::Ordering;
use fearless_simd::Simd;
use glam::DVec3;

#[derive(Clone, Copy, Debug)]
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

impl CastParams {
    /// The first hit of a segment.
    pub const FIRST: Self =
        Self { all: false, front_only: false, back_only: false, ignore_start_inside: false, max_work: 0, radius: 0.0 };
}

impl Default for CastParams {
    fn default() -> Self {
        Self::FIRST
    }
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
pub struct Cast<'c, 'm> {
    placed: &'c PlacedPoints<'m>,
    // Not copied: what was just stored in small pieces is slow to load in large ones.
    params: &'c CastParams,
    /// Working units.
    radius: f64,
    is_mirrored: bool,
}

impl<'c, 'm> Cast<'c, 'm> {
    /// `placed` are the ends of the path before the posed model.
    #[cfg(any(test, feature = "internals"))] // for `reference`
    pub fn new(posed: &PosedModel<'m>, placed: &'c PlacedPoints<'m>, params: &'c CastParams) -> Self {
        Self::of_points(placed, posed.is_mirrored(), params)
    }

    #[inline(always)]
    fn of_points(placed: &'c PlacedPoints<'m>, is_mirrored: bool, params: &'c CastParams) -> Self {
        let radius = if !(params.radius > 0.0) {
            0.0
        } else if placed.is_in_place() {
            placed.placement.length_from_world(params.radius)
        } else {
            // Models that far apart are pulled in, and so is the radius.
            placed.placement.distance_from_world(params.radius)
        };
        Self { placed, params, radius, is_mirrored }
    }

    /// Where the triangle in a slot is met, if it is and if that counts.
    pub fn hit(&self, slot: u32) -> Option<Hit> {
        let triangle = self.placed.triangle(slot);
        let (hit, from_side) = if self.params.radius > 0.0 {
            self.by_ball(&triangle)?
        } else {
            self.by_segment(&triangle, primitive::first_hit(self.placed.points, &triangle)?)
        };
        let is_left_out = self.params.ignore_start_inside && hit.time == 0.0 || self.is_other_side(from_side);
        (!is_left_out).then(|| self.in_world(slot, hit))
    }

    /// `hit` for a triangle whose inside the segment is known to cross, so that it counts.
    #[inline(always)]
    fn crossing<S: Simd>(&self, simd: S, slot: u32, about: [f64; 3], from_side: Ordering) -> Hit {
        let triangle = self.placed.triangle(slot);
        // First, because it takes as long as what follows, and needs nothing of that.
        let normal = self.normal_in_world(self.normal_for_segment(&triangle));
        let found = primitive::hit_inside(simd, self.placed.points, &triangle, about, from_side);
        let primitive::SegmentHit { time, point, barycentric, feature, .. } = found;
        let point = self.placed.placement.point_of_a_to_world(point);
        Hit { time, point, normal, barycentric, triangle: self.id(slot), feature }
    }

    fn in_world(&self, slot: u32, hit: Hit) -> Hit {
        let point = self.placed.placement.point_of_a_to_world(hit.point);
        Hit { point, normal: self.normal_in_world(hit.normal), triangle: self.id(slot), ..hit }
    }

    #[inline(always)]
    fn normal_in_world(&self, normal: DVec3) -> DVec3 {
        self.placed.placement.normal_to_world(normal, DVec3::ZERO, DVec3::ZERO)
    }

    #[inline(always)]
    fn id(&self, slot: u32) -> u32 {
        self.placed.model.id_of_slot(slot as usize)
    }

    /// Whether hits from that side are not asked for.
    fn is_other_side(&self, from_side: Ordering) -> bool {
        let from_side = if self.is_mirrored { from_side.reverse() } else { from_side };
        self.params.front_only && from_side != Ordering::Greater || self.params.back_only && from_side != Ordering::Less
    }

    fn by_segment(&self, triangle: &Triangle, hit: primitive::SegmentHit) -> (Hit, Ordering) {
        let normal = self.normal_for_segment(triangle);
        let primitive::SegmentHit { time, point, barycentric, feature, from_side } = hit;
        (Hit { time, point, normal, barycentric, triangle: 0, feature }, from_side)
    }

    #[inline(always)]
    fn normal_for_segment(&self, triangle: &Triangle) -> DVec3 {
        let [from, to] = self.placed.points;
        self.winding(triangle).or_else(|| (from - to).try_normalize()).unwrap_or(DVec3::X)
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

    #[inline(always)]
    fn winding(&self, triangle: &Triangle) -> Option<DVec3> {
        winding_normal(triangle).map(|normal| if self.is_mirrored { -normal } else { normal })
    }

    /// Answers by a walk over the hierarchy; the earliest hits go to `room`.
    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, room: &mut dyn Room<Item = Hit>) -> CastAnswer {
        let Some(clipped) = Clipped::whole(self.placed, self.radius.max(0.0)).shortened(self.placed) else {
            return CastAnswer { complete: true, found: 0, written: 0 };
        };
        let mut kept = Kept::new(room, is_earlier);
        let mut hits = Hits { cast: self, kept: &mut kept, first: First::None };
        let max_work = self.params.max_work;
        let walk = Around { placed: self.placed, path: Some(&clipped), max_work, seeker: &mut hits };
        let complete = walk.run_on(simd);
        if self.params.all {
            kept.sort();
        } else if let Some(hit) = hits.first.hit(simd, self) {
            kept.offer_only(hit);
        }
        CastAnswer { complete, found: kept.found, written: kept.written as u64 }
    }
}

/// The earliest hit so far, where only that is asked for.
#[derive(Clone, Copy)]
enum First {
    None,
    /// A hit of the triangle in a slot, whose time is between these. Only the earliest needs to be known better.
    About {
        slot: u32,
        estimate: Estimate,
        from_side: Ordering,
    },
    Known(Hit),
}

impl First {
    #[inline(always)]
    fn hit<S: Simd>(&self, simd: S, cast: &Cast) -> Option<Hit> {
        match *self {
            Self::None => None,
            Self::About { slot, estimate, from_side } => Some(cast.crossing(simd, slot, estimate.about, from_side)),
            Self::Known(hit) => Some(hit),
        }
    }

    /// The hit is between these times.
    fn range(&self) -> (f64, f64) {
        match *self {
            Self::None => (f64::INFINITY, f64::INFINITY),
            Self::About { estimate, .. } => (estimate.early, estimate.late),
            Self::Known(hit) => (hit.time, hit.time),
        }
    }
}

struct Hits<'c, 'm, 'r> {
    cast: &'c Cast<'c, 'm>,
    kept: &'c mut Kept<'r, Hit>,
    first: First,
}

impl Hits<'_, '_, '_> {
    /// A triangle that is crossed for certain.
    #[inline(always)]
    fn take_crossed<S: Simd>(&mut self, slot: u32, sifted: &Sifted<S>, lane: usize) {
        let from_side = if sifted.from_front >> lane & 1 != 0 { Ordering::Greater } else { Ordering::Less };
        if self.cast.is_other_side(from_side) {
            return;
        }
        if !self.cast.params.all {
            let (estimate, (first_early, first_late)) = (sifted.estimate(lane), self.first.range());
            if estimate.early > first_late {
                return;
            }
            if estimate.late < first_early {
                // In a large model this is far from everything that was read.
                self.cast.placed.model.prefetch_id(slot as usize);
                self.first = First::About { slot, estimate, from_side };
                return;
            }
        }
        self.measure(slot);
    }

    /// A triangle whose hit has to be known to the last bit.
    #[inline(never)]
    fn measure(&mut self, slot: u32) {
        let Some(hit) = self.cast.hit(slot) else { return };
        if self.cast.params.all {
            self.kept.offer(hit);
            return;
        }
        let first = on_level!(level(), simd => self.first.hit(simd, self.cast));
        if first.is_none_or(|first| is_earlier(&hit, &first)) {
            self.first = First::Known(hit);
        }
    }
}

impl Seeker for Hits<'_, '_, '_> {
    const IN_ONE_PIECE: Option<Before> = Some(Before::Path);

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.first.range().1.min(1.0)
    }

    #[inline(always)]
    fn take<S: Simd>(&mut self, simd: S, placed: &PlacedPoints, slot: u32) {
        self.take_four(simd, placed, [slot; 4], 1);
    }

    #[inline(always)]
    fn take_four<S: Simd>(&mut self, simd: S, placed: &PlacedPoints, slots: [u32; 4], count: usize) {
        let sifted = if self.cast.params.radius > 0.0 {
            Sifted::unknown(simd)
        } else {
            sift(simd, placed.points, &placed_triangles(simd, placed, slots))
        };
        let mut left = ((1 << count) - 1) & !sifted.missed;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % 4;
            left &= left - 1;
            if sifted.crossed >> lane & 1 != 0 {
                self.take_crossed(slots[lane], &sifted, lane);
            } else {
                self.measure(slots[lane]);
            }
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
        cast(self, || Some(Pose::new(pose)), || Ok(ends), params, room)
    }
}

/// The whole query; no pose is the identity. In one piece, and pose and ends are read by it: what is handed over between instruction sets
/// is stored in small pieces, which are slow to load in large ones.
#[inline]
pub fn cast(
    model: &Model,
    pose: impl FnOnce() -> Option<Pose>,
    ends: impl FnOnce() -> Result<[DVec3; 2], Error>,
    params: &CastParams,
    room: &mut dyn Room<Item = Hit>,
) -> Result<CastAnswer, Error> {
    on_level!(level(), simd => {
        let ends = ends()?;
        Ok(match pose() {
            None => {
                let placed = PosedModel::at_rest(model)?.place_on(simd, ends);
                Cast::of_points(&placed, false, params).run(simd, room)
            }
            Some(pose) => {
                let posed = PosedModel::of_pose_on(simd, model, &pose)?;
                let placed = posed.place_on(simd, ends);
                Cast::of_points(&placed, posed.is_mirrored(), params).run(simd, room)
            }
        })
    })
}
