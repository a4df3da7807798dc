//! Two boxes along their face directions, in the frame of the lanes. AABB, OBB_SPHERE and the test with fifteen axes
//! use it. `obb` computes the same along the probe's axes, which is cheaper when every lane has its own axes.

use crate::simd::eight::{Eight, Element, bits, load3};
use crate::simd::three::{dot, map3, three};
use crate::volume::boxes::obb::{BoxProbe, WideObb, lane_axes};
use fearless_simd::Simd;

/// The six face directions of the probe and of eight lanes.
pub struct Gaps<L> {
    /// Products of the axes: `r[i][j]` = probe axis i . lane axis j.
    pub r: [[L; 3]; 3],
    /// The vector from the probe's centre to the lane's, along the probe's axes and along the lane's.
    pub d_probe: [L; 3],
    pub d_lane: [L; 3],
    pub half: [L; 3],
    /// Signed gaps along the probe's axes and along the lane's.
    pub in_probe: [L; 3],
    pub in_lane: [L; 3],
}

impl<L> Gaps<L> {
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, wide: &WideObb, probe: &BoxProbe<L::Element>) -> Self
    where
        L: Eight<S>,
    {
        let axes = lane_axes::<S, L>(simd, wide);
        let half = load3::<S, L>(simd, &wide.half);
        let centre = load3::<S, L>(simd, &wide.centre);
        let d: [L; 3] = three(
            #[inline(always)]
            |k| centre[k] - probe.centre[k],
        );
        let r: [[L; 3]; 3] = three(
            #[inline(always)]
            |i| {
                three(
                    #[inline(always)]
                    |j| dot(&axes[j], &probe.axes[i]),
                )
            },
        );
        let d_probe: [L; 3] = three(
            #[inline(always)]
            |i| dot(&d, &probe.axes[i]),
        );
        let d_lane: [L; 3] = three(
            #[inline(always)]
            |j| d[0] * axes[j][0] + d[1] * axes[j][1] + d[2] * axes[j][2],
        );
        let absolute: [[L; 3]; 3] = map3(
            &r,
            #[inline(always)]
            |row| {
                map3(
                    &row,
                    #[inline(always)]
                    |entry| entry.abs(),
                )
            },
        );
        let in_probe = three(
            #[inline(always)]
            |i| {
                let radius = absolute[i][0] * half[0] + absolute[i][1] * half[1] + absolute[i][2] * half[2];
                d_probe[i].abs() - radius - probe.half[i]
            },
        );
        let in_lane = three(
            #[inline(always)]
            |j| {
                let radius =
                    absolute[0][j] * probe.half[0] + absolute[1][j] * probe.half[1] + absolute[2][j] * probe.half[2];
                d_lane[j].abs() - radius - half[j]
            },
        );
        Self { r, d_probe, d_lane, half, in_probe, in_lane }
    }

    /// The norm of the longer gap vector, refined for lanes that it does not put beyond the limit.
    #[inline(always)]
    pub fn lower_bound<S: Simd>(&self, simd: S, probe: &BoxProbe<L::Element>, beyond: L::Element) -> L
    where
        L: Eight<S>,
    {
        let gaps = self;
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let in_probe = map3(
            &gaps.in_probe,
            #[inline(always)]
            |g| g.larger(zero),
        );
        let in_lane = map3(
            &gaps.in_lane,
            #[inline(always)]
            |g| g.larger(zero),
        );
        let (by_probe, by_lane) = (dot(&in_probe, &in_probe), dot(&in_lane, &in_lane));
        let norm = by_probe.larger(by_lane).sqrt();
        let undecided = !norm.greater(L::splat(simd, beyond));
        if bits(undecided) == 0 {
            return norm;
        }
        // Project both boxes on the direction of the longer gap vector. This is never worse for parallel faces, and
        // better for others.
        let signed_probe: [L; 3] = three(
            #[inline(always)]
            |i| in_probe[i].copysign(gaps.d_probe[i]),
        );
        let signed_lane: [L; 3] = three(
            #[inline(always)]
            |j| in_lane[j].copysign(gaps.d_lane[j]),
        );
        let probe_wins = by_probe.greater(by_lane);
        let r = &gaps.r;
        let n_probe: [L; 3] = three(
            #[inline(always)]
            |i| {
                let turned = r[i][0] * signed_lane[0] + r[i][1] * signed_lane[1] + r[i][2] * signed_lane[2];
                L::choose(probe_wins, signed_probe[i], turned)
            },
        );
        let n_lane: [L; 3] = three(
            #[inline(always)]
            |j| {
                let turned = r[0][j] * signed_probe[0] + r[1][j] * signed_probe[1] + r[2][j] * signed_probe[2];
                L::choose(probe_wins, turned, signed_lane[j])
            },
        );
        let along = n_lane[0] * gaps.d_lane[0] + n_lane[1] * gaps.d_lane[1] + n_lane[2] * gaps.d_lane[2];
        let radius_probe =
            n_probe[0].abs() * probe.half[0] + n_probe[1].abs() * probe.half[1] + n_probe[2].abs() * probe.half[2];
        let radius_lane =
            n_lane[0].abs() * gaps.half[0] + n_lane[1].abs() * gaps.half[1] + n_lane[2].abs() * gaps.half[2];
        // Gaps below 2^-75 have squares that underflow in f32. Then the norm is 0, while the rounding of `along` is
        // not.
        let refined = (along - radius_probe - radius_lane) / norm.larger(L::splat(simd, L::Element::from_f64(1e-22)));
        L::choose(refined.greater(norm), refined, norm)
    }
}
