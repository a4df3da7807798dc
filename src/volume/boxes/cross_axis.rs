//! The gap of two boxes along the cross product of an axis of each.

use crate::simd::eight::Eight;
use crate::volume::boxes::face_gaps::Gaps;
use crate::volume::boxes::obb::BoxProbe;
use fearless_simd::Simd;

/// The gap along `c = a_i x b_j` of the probe's axis i and the lanes' axis j, times the length of `c`, which is at most
/// 1. With orthonormal axes all products are entries of `r`: `a_k . (a_i x b_j) = (a_k x a_i) . b_j = +-r[m][j]`.
#[inline(always)]
pub fn across<S: Simd, L: Eight<S>>(gaps: &Gaps<L>, probe: &BoxProbe<L::Element>, i: usize, j: usize) -> L {
    let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
    let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
    let Gaps { r, d_probe, half, .. } = gaps;
    let along = (d_probe[i2] * r[i1][j] - d_probe[i1] * r[i2][j]).abs();
    let radius_probe = r[i2][j].abs() * probe.half[i1] + r[i1][j].abs() * probe.half[i2];
    let radius_lane = r[i][j2].abs() * half[j1] + r[i][j1].abs() * half[j2];
    along - radius_probe - radius_lane
}
