//! The cross axes of the separating axis test, and the full test with all fifteen axes.
//!
//! Queries use six axes ("SAT lite", aabb_trees_deformable 4) or a selection (dual_obb_sphere); the full test is here
//! for experiments that repeat the papers' comparisons (`examples/separating_axes.rs`).

use super::aabb::{self, Aabb};
use super::face_gaps::Gaps;
use super::obb::{BoxProbe, Obb, largest};
use super::{Volume, obb};
use crate::simd::eight::Eight;
use fearless_simd::Simd;

/// The gap along `c = a_i x b_j` of the probe's axis i and the lanes' axis j, times the length of `c`, which is at
/// most 1. Orthonormal axes make all products entries of `r`: `a_k . (a_i x b_j) = (a_k x a_i) . b_j = +-r[m][j]`.
#[inline(always)]
pub(super) fn across<S: Simd, L: Eight<S>>(gaps: &Gaps<L>, probe: &BoxProbe<L::Element>, i: usize, j: usize) -> L {
    let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
    let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
    let Gaps { r, d_probe, half, .. } = gaps;
    let along = (d_probe[i2] * r[i1][j] - d_probe[i1] * r[i2][j]).abs();
    let radius_probe = r[i2][j].abs() * probe.half[i1] + r[i1][j].abs() * probe.half[i2];
    let radius_lane = r[i][j2].abs() * half[j1] + r[i][j1].abs() * half[j2];
    along - radius_probe - radius_lane
}

/// Boxes that can be tested along all fifteen axes.
pub trait FifteenAxes: Volume<Family = obb::Boxes> {
    /// As `Volume::separation`, in f32 only: the cross axes take the axes as orthonormal.
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
