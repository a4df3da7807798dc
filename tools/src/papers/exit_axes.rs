//! Which of the fifteen axes tell boxes apart: an overlap test that keeps records.

use super::overlap_test::{OverlapTest, Usual};
use core::cell::RefCell;
use fearless_simd::{Simd, SimdBase, f32x8};
use feeler::internals::volume::Volume;
use feeler::internals::volume::boxes::obb::{BoxProbe, Obb, WideObb};
use feeler::internals::volume::boxes::obb_sphere::{ObbSphere, WideObbSphere};
use feeler::internals::volume::boxes::separating_axes::FifteenAxes;

/// The axes of the first box, of the second box, and the nine cross products. Where extents are sorted, 0 is the shortest.
pub const AXES: [&str; 15] =
    ["a0", "a1", "a2", "b0", "b1", "b2", "c00", "c01", "c02", "c10", "c11", "c12", "c20", "c21", "c22"];

/// The test with fifteen axes; counts at which axis it could first have ended, and in the last place the overlapping boxes.
#[derive(Clone, Copy)]
pub struct FirstExit<'a>(pub &'a RefCell<[u64; 16]>);

impl<V: FifteenAxes> OverlapTest<V> for FirstExit<'_> {
    #[inline(always)]
    fn gaps<S: Simd>(self, simd: S, wide: &V::Wide, probe: &BoxProbe<f32>, slack: f32, _: &mut u32) -> f32x8<S> {
        let gaps = V::fifteen_gaps::<S, f32x8<S>>(simd, wide, probe);
        let mut counts = self.0.borrow_mut();
        // Lanes that are not in use have no extent.
        for lane in (0..8).filter(|&lane| V::enclosing_radii(wide)[lane] > 0.0) {
            let first = gaps.iter().position(|gap| gap.as_slice()[lane] > slack);
            counts[first.unwrap_or(15)] += 1;
        }
        V::separation_fifteen(simd, wide, probe)
    }
}

/// The dual test; records of boxes whose spheres meet which axes tell them apart, as bits.
#[derive(Clone, Copy)]
pub struct CloseBoxes<'a>(pub &'a RefCell<Vec<u16>>);

impl OverlapTest<ObbSphere> for CloseBoxes<'_> {
    #[inline(always)]
    fn gaps<S: Simd>(
        self,
        simd: S,
        wide: &WideObbSphere,
        probe: &BoxProbe<f32>,
        slack: f32,
        first_stage: &mut u32,
    ) -> f32x8<S> {
        let usual = OverlapTest::<ObbSphere>::gaps(Usual, simd, wide, probe, slack, first_stage);
        let mut boxes = WideObb::default();
        for lane in 0..8 {
            ObbSphere::load(wide, lane).obb.store(&mut boxes, lane);
        }
        let gaps = Obb::fifteen_gaps::<S, f32x8<S>>(simd, &boxes, probe);
        let mut records = self.0.borrow_mut();
        let is_close = |lane: &usize| ObbSphere::enclosing_radii(wide)[*lane] > 0.0 && *first_stage >> lane & 1 == 0;
        for lane in (0..8).filter(is_close) {
            let apart = (0..15).filter(|&axis| gaps[axis].as_slice()[lane] > slack);
            records.push(apart.fold(0, |bits, axis| bits | 1 << axis));
        }
        usual
    }
}
