//! The separating axis test with all fifteen axes, and each axis alone, for comparison. Queries use six axes, SAT lite
//! [van den Bergen 1997], or a selection [Chang 2009].

use crate::simd::eight::Eight;
use crate::volume::Volume;
use crate::volume::boxes::aabb::{self, Aabb};
use crate::volume::boxes::cross_axis::across;
use crate::volume::boxes::face_gaps::Gaps;
use crate::volume::boxes::obb;
use crate::volume::boxes::obb::{BoxProbe, Obb};
use fearless_simd::Simd;

/// Boxes that can be tested along all fifteen axes.
pub trait FifteenAxes: Volume<Family = obb::Boxes> {
    /// The six face directions.
    fn face_gaps<S: Simd, L: Eight<S>>(simd: S, wide: &Self::Wide, probe: &BoxProbe<L::Element>) -> Gaps<L>;

    /// The gap along each axis: those of the probe, those of the lane, then `probe axis i x lane axis j` at `6 + 3 i + j`. In
    /// f32 only: the cross axes take the axes as orthonormal.
    #[inline(always)]
    fn fifteen_gaps<S: Simd, L: Eight<S>>(simd: S, wide: &Self::Wide, probe: &BoxProbe<L::Element>) -> [L; 15] {
        let gaps = Self::face_gaps::<S, L>(simd, wide, probe);
        let (p, q) = (&gaps.in_probe, &gaps.in_lane);
        let ([a0, a1, a2], [b0, b1, b2]) = (*p, *q);
        let [c00, c01, c02] = [across(&gaps, probe, 0, 0), across(&gaps, probe, 0, 1), across(&gaps, probe, 0, 2)];
        let [c10, c11, c12] = [across(&gaps, probe, 1, 0), across(&gaps, probe, 1, 1), across(&gaps, probe, 1, 2)];
        let [c20, c21, c22] = [across(&gaps, probe, 2, 0), across(&gaps, probe, 2, 1), across(&gaps, probe, 2, 2)];
        [a0, a1, a2, b0, b1, b2, c00, c01, c02, c10, c11, c12, c20, c21, c22]
    }

    /// `Volume::separation` with fifteen axes.
    #[inline(always)]
    fn separation_fifteen<S: Simd, L: Eight<S>>(simd: S, wide: &Self::Wide, probe: &BoxProbe<L::Element>) -> L {
        let gaps = Self::fifteen_gaps::<S, L>(simd, wide, probe);
        let mut most = gaps[0];
        for gap in &gaps[1..] {
            most = most.larger(*gap);
        }
        most
    }
}

impl FifteenAxes for Obb {
    #[inline(always)]
    fn face_gaps<S: Simd, L: Eight<S>>(simd: S, wide: &Self::Wide, probe: &BoxProbe<L::Element>) -> Gaps<L> {
        Gaps::new(simd, wide, probe)
    }
}

impl FifteenAxes for Aabb {
    #[inline(always)]
    fn face_gaps<S: Simd, L: Eight<S>>(simd: S, wide: &Self::Wide, probe: &BoxProbe<L::Element>) -> Gaps<L> {
        aabb::gaps(simd, wide, probe)
    }
}
