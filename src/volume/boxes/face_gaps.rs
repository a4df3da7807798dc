//! Two boxes along their face directions, in the frame of the lanes. AABB, OBB_SPHERE and the test with fifteen axes
//! use it. `obb` computes the same along the probe's axes, which is cheaper when every lane has its own axes.

use crate::simd::eight::{Eight, Element, abs3, bits, choose3, load3};
use crate::simd::three::{combination, difference, dot, map3, three};
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
        let d: [L; 3] = difference(&centre, &probe.centre);
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
            |j| dot(&d, &axes[j]),
        );
        let absolute: [[L; 3]; 3] = [abs3(&r[0]), abs3(&r[1]), abs3(&r[2])];
        let in_probe = three(
            #[inline(always)]
            |i| d_probe[i].abs() - dot(&absolute[i], &half) - probe.half[i],
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
        let longer = self.longer(simd);
        let undecided = !longer.norm.greater(L::splat(simd, beyond));
        if bits(undecided) == 0 {
            return longer.norm;
        }
        self.refined(simd, probe, &longer).0
    }

    /// `lower_bound`, and the direction along which the boxes are that far apart, in the frame of the lanes: that of the longer gap
    /// vector. Along it they are apart by the norm of that vector, too, because they are apart by each of its entries along an axis.
    #[inline(always)]
    pub fn witness<S: Simd>(&self, simd: S, probe: &BoxProbe<L::Element>) -> (L, [L; 3])
    where
        L: Eight<S>,
    {
        let longer = self.longer(simd);
        let (bound, direction) = self.refined(simd, probe, &longer);
        let length = longer.norm.larger(L::splat(simd, L::Element::from_f64(SHORTEST)));
        let direction = map3(
            &direction,
            #[inline(always)]
            |entry| entry / length,
        );
        (bound, direction)
    }

    /// The longer of the gap vectors along the axes of the probe and of the lanes.
    #[inline(always)]
    fn longer<S: Simd>(&self, simd: S) -> Longer<S, L>
    where
        L: Eight<S>,
    {
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let in_probe = map3(
            &self.in_probe,
            #[inline(always)]
            |g| g.larger(zero),
        );
        let in_lane = map3(
            &self.in_lane,
            #[inline(always)]
            |g| g.larger(zero),
        );
        let (by_probe, by_lane) = (dot(&in_probe, &in_probe), dot(&in_lane, &in_lane));
        let norm = by_probe.larger(by_lane).sqrt();
        Longer { in_probe, in_lane, norm, probe_wins: by_probe.greater(by_lane) }
    }

    /// The larger of the norm of the longer gap vector and of the gap along it, and that vector in the frame of the lanes.
    #[inline(always)]
    fn refined<S: Simd>(&self, simd: S, probe: &BoxProbe<L::Element>, longer: &Longer<S, L>) -> (L, [L; 3])
    where
        L: Eight<S>,
    {
        let gaps = self;
        // Project both boxes on the direction of the longer gap vector. This is never worse for parallel faces, and
        // better for others.
        let signed_probe: [L; 3] = three(
            #[inline(always)]
            |i| longer.in_probe[i].copysign(gaps.d_probe[i]),
        );
        let signed_lane: [L; 3] = three(
            #[inline(always)]
            |j| longer.in_lane[j].copysign(gaps.d_lane[j]),
        );
        let r = &gaps.r;
        let n_probe: [L; 3] = choose3(
            longer.probe_wins,
            &signed_probe,
            &map3(
                r,
                #[inline(always)]
                |row| dot(&row, &signed_lane),
            ),
        );
        let n_lane: [L; 3] = choose3(longer.probe_wins, &combination(&signed_probe, r), &signed_lane);
        let along = dot(&n_lane, &gaps.d_lane);
        let radius_probe = dot(&abs3(&n_probe), &probe.half);
        let radius_lane = dot(&abs3(&n_lane), &gaps.half);
        // Gaps below 2^-75 have squares that underflow in f32. Then the norm is 0, while the rounding of `along` is
        // not.
        let norm = longer.norm;
        let refined =
            (along - radius_probe - radius_lane) / norm.larger(L::splat(simd, L::Element::from_f64(SHORTEST)));
        (L::choose(refined.greater(norm), refined, norm), n_lane)
    }
}

/// What is divided by at the least.
const SHORTEST: f64 = 1e-22;

/// Gaps along the axes of the probe and of the lanes, 0 where there is none; the norm of the longer vector, and which it is.
struct Longer<S: Simd, L: Eight<S>> {
    in_probe: [L; 3],
    in_lane: [L; 3],
    norm: L,
    probe_wins: L::Mask,
}
