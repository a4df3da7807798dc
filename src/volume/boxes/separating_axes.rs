//! The full separating axis test with all fifteen axes, for comparison. Queries use six axes, SAT lite [van den Bergen
//! 1997], or a selection [Chang 2009].

use crate::simd::eight::{Eight, largest};
use crate::volume::Volume;
use crate::volume::boxes::aabb::{self, Aabb};
use crate::volume::boxes::cross_axis::across;
use crate::volume::boxes::face_gaps::Gaps;
use crate::volume::boxes::obb;
use crate::volume::boxes::obb::{BoxProbe, Obb};
use fearless_simd::Simd;

/// Boxes that can be tested along all fifteen axes.
pub trait FifteenAxes: Volume<Family = obb::Boxes> {
    /// `Volume::separation` with fifteen axes, in f32 only: the cross axes take the axes as orthonormal.
    fn separation_fifteen<S: Simd, L: Eight<S>>(simd: S, wide: &Self::Wide, probe: &BoxProbe<L::Element>) -> L;
}

#[inline(always)]
fn fifteen<S: Simd, L: Eight<S>>(gaps: &Gaps<L>, probe: &BoxProbe<L::Element>) -> L {
    let mut most = largest::<S, L>(&gaps.in_probe).larger(largest::<S, L>(&gaps.in_lane));
    for i in 0..3 {
        for j in 0..3 {
            most = most.larger(across(gaps, probe, i, j));
        }
    }
    most
}

impl FifteenAxes for Obb {
    #[inline(always)]
    fn separation_fifteen<S: Simd, L: Eight<S>>(simd: S, wide: &Self::Wide, probe: &BoxProbe<L::Element>) -> L {
        fifteen(&Gaps::<L>::new(simd, wide, probe), probe)
    }
}

impl FifteenAxes for Aabb {
    #[inline(always)]
    fn separation_fifteen<S: Simd, L: Eight<S>>(simd: S, wide: &Self::Wide, probe: &BoxProbe<L::Element>) -> L {
        fifteen(&aabb::gaps::<S, L>(simd, wide, probe), probe)
    }
}
