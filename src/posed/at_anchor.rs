//! The anchor of a front, and certificates that are measured from it.

use crate::coherence::anchor::{Anchor, Anchored, Whereabouts};
use crate::coherence::certificate::Witnessed;
use crate::coherence::relative_pose::RelativePose;
use crate::posed::posed_models::PosedModels;
use crate::simd::eight::Element;
use crate::tree::node::NodeFrame;
use fearless_simd::{Simd, SimdBase, f32x8};
use glam::DVec3;

/// What the triangle kernel errs by, relative to the distance of far models.
const KERNEL: f64 = 1e-13;

/// Roundings of the extent that a placed point is off by besides `PosedModels::rounding`, of 2^-52.
const PLACED: f64 = 256.0;

/// An anchor is given up when it has gone this many times its reach, because positions grow with its way.
const LONGEST_WAY: f64 = 16.0;

/// A little more than the radius of a core: an eighth of its nodes reach farther, mostly not by much.
const SPARE: f64 = 1.2;

/// And when its reach is this many times larger than needed.
const TOO_LARGE: f64 = 8.0;

/// The pose of B's anchor, whatever it was.
fn pose_at(models: &PosedModels, anchor: &Anchor, reach: [f64; 2]) -> RelativePose {
    let placement = models.placement;
    let between = (placement.place_b(anchor.of_b) - anchor.placed) * placement.signs_a;
    RelativePose { between, reach, ..models.relative_pose() }
}

fn rounding(models: &PosedModels) -> f64 {
    models.rounding + PLACED * f64::EPSILON * models.farthest()
}

/// Whether B has gone so far that positions from where the anchor was are coarse.
fn is_near(pose: &RelativePose, anchor: &Anchor) -> bool {
    pose.between.length() <= LONGEST_WAY * anchor.reach
}

/// For models that are far apart: the anchor is B's node origin, and all of B is within its reach.
#[cold]
#[inline(never)]
pub fn of_far_models(
    models: &PosedModels,
    reach: [f64; 2],
    before: Option<&Anchor>,
) -> Option<(RelativePose, Anchored)> {
    if models.placement.is_pulled() {
        return None;
    }
    let fresh = Anchor { of_b: models.origin_b, placed: models.placement.place_b(models.origin_b), reach: reach[1] };
    let kept = before.filter(|anchor| (anchor.of_b, anchor.reach) == (fresh.of_b, fresh.reach)).copied();
    let kept = kept.map(|anchor| (anchor, pose_at(models, &anchor, reach))).filter(|(anchor, at)| is_near(at, anchor));
    let (anchor, pose) = kept.unwrap_or_else(|| (fresh, pose_at(models, &fresh, reach)));
    let kernel = KERNEL * models.farthest();
    // The base is the distance to a part in 1e12.
    let sway = 1.2 * (reach[0] + reach[1]) / models.apart + 2e-12;
    Some((pose, Anchored { anchor, rounding: rounding(models), kernel, sway }))
}

/// For models with node frames: the anchor is in the middle of B's core, or where A's core is, if that needs less reach.
#[cold]
#[inline(never)]
pub fn of_node_frames(
    models: &PosedModels,
    reach: [f64; 2],
    before: Option<&Anchor>,
    near: &Whereabouts,
) -> Option<(RelativePose, Anchored)> {
    let placement = models.placement;
    let [core_a, core_b] = models.core_frames()?;
    // Where all nodes share a frame, no volume reaches beyond that.
    let radius = |core: Option<NodeFrame>, unit: f64, reach: f64| core.map_or(reach, |core| core.reach * unit * SPARE);
    let radii = [
        radius(models.a.built()?.core, placement.unit_a, reach[0]),
        radius(models.b.built()?.core, placement.unit_b, reach[1]),
    ];
    let middle_a = placement.place_a(core_a.origin);
    // As far from A's core as the nearest points of B, and once more.
    let away = match near.remembered {
        Some((_, slot)) => (models.triangle_b(slot)[0] - middle_a).length(),
        None => near.beyond.min(models.farthest()),
    };
    let around_a = 2.0 * (radii[0] + away);
    let is_in_core = before.is_some_and(|anchor| (anchor.of_b, anchor.reach) == (core_b.origin, radii[1]));
    // What is in use is kept until the other is clearly better, because to change costs a search from the roots.
    let (fresh, is_usable) = if radii[1] <= if is_in_core { 2.0 * around_a } else { around_a } {
        (Anchor { of_b: core_b.origin, placed: placement.place_b(core_b.origin), reach: radii[1] }, is_in_core)
    } else {
        let of_b = into_b(models, middle_a);
        let fresh = Anchor { of_b, placed: placement.place_b(of_b), reach: around_a };
        let is_usable = before.is_some_and(|anchor| {
            let from_core = (placement.place_b(anchor.of_b) - middle_a).length();
            let wanted = around_a * 0.5..=around_a * TOO_LARGE;
            from_core <= 0.5 * anchor.reach && wanted.contains(&anchor.reach)
        });
        (fresh, is_usable)
    };
    let reach = |anchor: &Anchor| [radii[0].min(radii[1]), anchor.reach];
    let kept = before.filter(|_| is_usable).map(|anchor| (*anchor, pose_at(models, anchor, reach(anchor))));
    let kept = kept.filter(|(anchor, at)| is_near(at, anchor));
    let (anchor, pose) = kept.unwrap_or_else(|| (fresh, pose_at(models, &fresh, reach(&fresh))));
    if !(anchor.of_b.is_finite() && anchor.placed.is_finite() && anchor.reach.is_finite()) {
        return None;
    }
    Some((pose, Anchored { anchor, rounding: rounding(models), kernel: 0.0, sway: 1.0 }))
}

/// The point of B's stored coordinates that is placed near a point of the working frame.
fn into_b(models: &PosedModels, point: DVec3) -> DVec3 {
    let (matrix, scale) = (&models.placement.matrix_b, models.placement.scale_b);
    let from = point - models.placement.translation_b;
    let along = |axis: DVec3, scale: f64| (axis / scale).dot(from) / scale;
    DVec3::new(along(matrix.x_axis, scale.x), along(matrix.y_axis, scale.y), along(matrix.z_axis, scale.z))
}

/// What a certificate at an anchor keeps of the gap between two triangles, relative to the base. Rounding the direction costs a share of
/// how far points of A are from those of B; how far those of B are from the anchor is counted for the lane.
#[cold]
#[inline(never)]
pub fn kept_gap(models: &PosedModels, anchor: &Anchor, base: f64, slot_a: u32, gap: f64) -> f64 {
    let triangle = models.triangle_a(slot_a);
    let away = triangle.iter().fold(0.0f64, |away, vertex| away.max((*vertex - anchor.placed).length()));
    let gap = gap - base - 8.0 * f32::ROUNDING * away;
    // It is rounded down by taking a share of it away.
    if gap < 0.0 { gap * 2.0 } else { gap }
}

/// Nodes of B as seen from an anchor.
pub struct SeenFrom<'a> {
    pub anchor: &'a Anchor,
    /// The frame that the volumes of B are stored in.
    pub frame: NodeFrame,
    /// B's unit in working units.
    pub unit: f64,
}

impl SeenFrom<'_> {
    /// How far volumes that reach as far as this in their frame reach beyond the reach of the anchor, in working units, rounded up.
    pub fn beyond(&self, reaches: &[f64; 8]) -> [f32; 8] {
        let middle = (self.frame.origin - self.anchor.of_b).length() * (1.0 + 1e-12);
        reaches.map(|reach| {
            let beyond = (middle + reach) * (self.unit * (1.0 + 1e-12)) - self.anchor.reach;
            (beyond.max(0.0) * (1.0 + f32::ROUNDING * 2.0)) as f32
        })
    }

    /// Moves certificates with directions from the frame of the nodes to the anchor. `off_by` is what their directions may be off by,
    /// `spread` how far any points of the volumes are apart at most.
    ///
    /// A direction that is off costs that share of the spread. The middle of the frame is rounded once, and a centre once more when it is
    /// added, so that points of the volume are farther from the centre by as much.
    #[inline(always)]
    pub fn shift<S: Simd>(&self, simd: S, found: &mut Witnessed<S>, (off_by, spread): (f64, f64)) {
        let middle = (self.frame.origin - self.anchor.of_b) * self.unit;
        let rounded = 4.0 * f32::ROUNDING * (middle.length() + self.frame.reach * self.unit);
        for (centre, middle) in found.centre.iter_mut().zip(middle.to_array()) {
            *centre += f32x8::splat(simd, middle as f32);
        }
        found.radius += f32x8::splat(simd, (rounded * 1.001) as f32);
        found.gap -= f32x8::splat(simd, (f32::ROUNDING * (off_by + 32.0) * spread * 1.001) as f32);
    }
}
