//! Why pairs of volumes are apart, eight at a time: a direction for each, which stays a proof while the models move.
//!
//! Symbols: `n` is a direction in A's axes, of length 1 or less; `g` is the gap along `n` in the pose `R, t` of B; `c` and `r`
//! are the centre and the radius of B's volume; `R', t'` is a later pose; `turned` adds up `|R' - R|` from pose to pose.
//! 1. The proof when it is made: `n . (y - x) >= g` for all points x of A's volume and y of B's.
//! 2. A point `y = R b + t` of B's volume moves along `n` by `n . (R' c + t') - n . (R c + t) + n . (R' - R)(b - c)`.
//! 3. The last term is at least `-r |R' - R|`, and `|R' - R|` is at most what `turned` grew by.
//! 4. So the volumes are at least `n . (R' c + t') - offset - r turned'` apart with `offset = n . (R c + t) - g - r turned`.
//!
//! Volumes that know no direction have margins instead. With `moved` the way of the points of B, added up from pose to pose, they are at
//! least `g - (moved' - moved)` apart: the same sum with `n = 0`, `r = 0`, `offset = -g - moved` and `moved'` subtracted. Its roundings are
//! fewer than those of a position.
//!
//! Where certificates are measured from an anchor (`anchor`), `c` leads from there, and `moved` is counted for the points of B within its
//! reach only. The radius of a margin is then by how much B's volume reaches beyond that: its farther points go by `r turned` more.
//!
//! That is one product for every volume: the margin and the axis of [Tropp 2006, 4.2-4.3] in one number. `relative_pose` has
//! what the roundings of both poses cost.

use super::relative_pose::{CertificatePose, SHORTENED};
use crate::simd::eight::{Element, choose3, load3, store3};
use crate::simd::three::{dot, scaled, three};
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, f32x8};
use glam::DVec3;

/// What certificates of two hierarchies are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Proof {
    /// Directions, which may be off by some roundings (`Volume::WITNESS`).
    Direction { off_by: f64 },
    /// Nothing but the bound that was found, the margin of [Tropp 2006, 4.2]: it shrinks by as much as any point of B moves.
    Margin,
}

/// Eight certificates; working units, A's axes. Those of margins have no direction and no centre, and without an anchor no radius.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Certificates {
    direction: [[f32; 8]; 3],
    /// Of B's volume, from B's node origin or the anchor, in B's axes.
    centre: [[f32; 8]; 3],
    radius: [f32; 8],
    offset: [f32; 8],
}

const _: () = assert!(size_of::<Certificates>() == 8 * 32);

/// Certificates as a kernel leaves them: directions that are not shortened yet and gaps that are not rounded for it.
#[derive(Clone, Copy)]
pub struct Witnessed<S: Simd> {
    pub direction: [f32x8<S>; 3],
    pub centre: [f32x8<S>; 3],
    pub radius: f32x8<S>,
    pub gap: f32x8<S>,
    /// Lanes, as bits, whose volumes of B reach beyond the reach of the anchor; none without an anchor.
    pub beyond: u8,
}

impl<S: Simd> Witnessed<S> {
    /// A margin, with neither direction nor centre.
    #[inline(always)]
    pub fn margin(simd: S, gap: f32x8<S>) -> Self {
        let zero = f32x8::splat(simd, 0.0);
        Self { direction: [zero; 3], centre: [zero; 3], radius: zero, gap, beyond: 0 }
    }
}

impl Certificates {
    /// Certificates that prove nothing.
    pub const NONE: Self =
        Self { direction: [[0.0; 8]; 3], centre: [[0.0; 8]; 3], radius: [0.0; 8], offset: [f32::INFINITY; 8] };

    /// What they prove in a pose: the pairs are no nearer than this, less the slack of the pose.
    #[inline(always)]
    pub fn bounds<S: Simd>(&self, simd: S, pose: &CertificatePose) -> f32x8<S> {
        let position = along(simd, pose, &load3(simd, &self.direction), &load3(simd, &self.centre));
        let lost = f32x8::load_array_ref(simd, &self.radius) * pose.turned;
        position - f32x8::load_array_ref(simd, &self.offset) - lost - f32x8::splat(simd, pose.moved)
    }

    /// Takes over what a kernel found in this pose.
    #[inline(always)]
    pub fn set<S: Simd>(&mut self, simd: S, pose: &CertificatePose, found: &Witnessed<S>) {
        let (direction, gap) = shortened(simd, pose, found);
        let position = along(simd, pose, &direction, &found.centre);
        offset(simd, pose, position, gap, found.radius).store_slice(&mut self.offset);
        found.radius.store_slice(&mut self.radius);
        store3(&direction, &mut self.direction);
        store3(&found.centre, &mut self.centre);
    }

    /// Takes over what a kernel found in this pose, for lanes where that proves more than `bounds`, which they prove now.
    #[inline(always)]
    pub fn improve<S: Simd>(&mut self, simd: S, pose: &CertificatePose, found: &Witnessed<S>, bounds: f32x8<S>) {
        let (direction, gap) = shortened(simd, pose, found);
        let better = gap.simd_gt(bounds);
        let position = along(simd, pose, &direction, &found.centre);
        let offset = offset(simd, pose, position, gap, found.radius);
        better.select(offset, f32x8::load_array_ref(simd, &self.offset)).store_slice(&mut self.offset);
        let before: [f32x8<S>; 3] = load3(simd, &self.direction);
        let direction = choose3(better, &direction, &before);
        store3(&direction, &mut self.direction);
    }

    /// One lane: a direction of length 1 in A's axes along which the pair is `gap` apart in this pose.
    pub fn set_lane(&mut self, lane: usize, pose: &CertificatePose, direction: DVec3, gap: f64) {
        let lane = lane % 8;
        let direction = if pose.is_directed { direction } else { DVec3::ZERO };
        // Rounding a vector of length 1 makes it longer by less than two roundings.
        let n = (direction * (1.0 - 4.0 * f32::ROUNDING)).as_vec3().to_array();
        let at = self.place(lane, pose);
        let position = n[0] * at[0] + n[1] * at[1] + n[2] * at[2];
        // The gap is positive, so that less of it is safe; what rounding the direction costs is less than the slack of a position.
        let mut gap = (gap * (1.0 - 8.0 * f32::ROUNDING)) as f32 - 2.0 * pose.slack;
        if pose.beyond > 0.0 {
            gap -= self.reach(lane) * pose.beyond;
        }
        for (row, entry) in self.direction.iter_mut().zip(n) {
            row[lane] = entry;
        }
        self.offset[lane] = position - gap - self.radius[lane] * pose.turned - pose.moved;
    }

    /// No less than how far B's volume of a lane reaches from the anchor, up to roundings; of a margin, how far beyond its reach.
    fn reach(&self, lane: usize) -> f32 {
        let [x, y, z] = three(|j| self.centre[j][lane].abs());
        x + y + z + self.radius[lane]
    }

    /// Bounds of this pose as a deadline counts them (`Front`), of lanes that reach beyond the reach of the anchor.
    ///
    /// With `L` that reach, a lane that reaches as far as `k L` with `k > 1` loses at most `k` times what the front counts. If the
    /// deadline holds the k-th part of a bound and that is above what was counted since, the bound is so by `k` times as much.
    #[inline(always)]
    pub fn counted<S: Simd>(&self, simd: S, pose: &CertificatePose, bounds: f32x8<S>) -> f32x8<S> {
        let centre: [f32x8<S>; 3] = load3(simd, &self.centre);
        let from_anchor = dot(&centre, &centre).sqrt() + f32x8::load_array_ref(simd, &self.radius);
        let within = if pose.is_directed { 0.0 } else { 1.0 };
        let times = from_anchor * ((1.0 + 1e-5) / pose.anchor_reach) + f32x8::splat(simd, within);
        (bounds / times.max(f32x8::splat(simd, 1.0))).min(bounds)
    }

    /// Where the centre of a lane is, from A's node origin, or from where the anchor was.
    #[inline(always)]
    fn place(&self, lane: usize, pose: &CertificatePose) -> [f32; 3] {
        let [x, y, z] = three(|j| self.centre[j][lane % 8]);
        let [p, q, r] = &pose.columns;
        three(|k| x * p[k] + y * q[k] + z * r[k] + pose.shift[k])
    }

    /// Counts the way so far into the offsets, so that counting can start again; rounded up.
    pub fn settle_moved(&mut self, moved: f64) {
        for offset in &mut self.offset {
            *offset = ((*offset as f64 + moved) as f32).next_up();
        }
    }

    /// Counts what B turned so far into the offsets, so that counting can start again; rounded up.
    pub fn settle(&mut self, turned: f32) {
        for (offset, &radius) in self.offset.iter_mut().zip(&self.radius) {
            let settled = *offset + radius * turned;
            *offset = settled + (settled.abs() + radius * turned) * (4.0 * f32::EPSILON);
        }
    }
}

/// What is subtracted in later poses, of certificates that prove `gap` in this one.
#[inline(always)]
fn offset<S: Simd>(simd: S, pose: &CertificatePose, position: f32x8<S>, gap: f32x8<S>, radius: f32x8<S>) -> f32x8<S> {
    position - gap - radius * pose.turned - f32x8::splat(simd, pose.moved)
}

/// `n . (R c + t)`.
#[inline(always)]
fn along<S: Simd>(simd: S, pose: &CertificatePose, direction: &[f32x8<S>; 3], centre: &[f32x8<S>; 3]) -> f32x8<S> {
    let [p, q, r] = &pose.columns;
    let at: [f32x8<S>; 3] = three(
        #[inline(always)]
        |k| centre[0] * p[k] + centre[1] * q[k] + centre[2] * r[k] + f32x8::splat(simd, pose.shift[k]),
    );
    dot(direction, &at)
}

/// Directions that are surely at most 1 long, and what they prove.
#[inline(always)]
fn shortened<S: Simd>(simd: S, pose: &CertificatePose, found: &Witnessed<S>) -> ([f32x8<S>; 3], f32x8<S>) {
    let shorter = (1.0 - SHORTENED * f32::ROUNDING) as f32;
    let longer = (1.0 + SHORTENED * f32::ROUNDING) as f32;
    let direction = scaled(&found.direction, shorter);
    let mut gap = (found.gap * shorter).min(found.gap * longer) - f32x8::splat(simd, pose.fresh_slack);
    if pose.beyond > 0.0 {
        gap -= (dot(&found.centre, &found.centre).sqrt() + found.radius) * pose.beyond;
    }
    (direction, gap)
}
