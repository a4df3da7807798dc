//! Overlap tests that are compared with each other: what queries use, and what the papers use.

use fearless_simd::{Simd, f32x8};
use feeler::internals::simd::eight::{LaneArithmetic, largest};
use feeler::internals::volume::boxes::obb::{BoxProbe, Boxes};
use feeler::internals::volume::boxes::separating_axes::FifteenAxes;
use feeler::internals::volume::shells::shell::{Shell, ShellProbe, WideShell, separation_to_rounding};
use feeler::internals::volume::{Family, Volume};

/// The probe of a volume.
pub type ProbeOf<V> = <<V as Volume>::Family as Family>::Probe<f32>;

/// A kernel that tells eight volumes of a node from a probe.
pub trait OverlapTest<V: Volume>: Copy {
    /// Gaps; lanes above the slack are apart. Bits of `first_stage` are lanes that a cheaper stage decided.
    fn gaps<S: Simd>(self, simd: S, wide: &V::Wide, probe: &ProbeOf<V>, slack: f32, first_stage: &mut u32) -> f32x8<S>;
}

/// What queries use.
#[derive(Clone, Copy)]
pub struct Usual;

impl<V: Volume> OverlapTest<V> for Usual {
    #[inline(always)]
    fn gaps<S: Simd>(self, simd: S, wide: &V::Wide, probe: &ProbeOf<V>, slack: f32, first_stage: &mut u32) -> f32x8<S> {
        V::separation::<S, f32x8<S>>(simd, wide, probe, slack, first_stage)
    }
}

/// All fifteen axes, as RAPID.
#[derive(Clone, Copy)]
pub struct Fifteen;

impl<V: FifteenAxes> OverlapTest<V> for Fifteen {
    #[inline(always)]
    fn gaps<S: Simd>(self, simd: S, wide: &V::Wide, probe: &BoxProbe<f32>, _: f32, _: &mut u32) -> f32x8<S> {
        V::separation_fifteen::<S, f32x8<S>>(simd, wide, probe)
    }
}

/// The six face directions: SAT lite [van den Bergen 1997].
#[derive(Clone, Copy)]
pub struct Six;

impl<V: FifteenAxes + Volume<Family = Boxes>> OverlapTest<V> for Six {
    #[inline(always)]
    fn gaps<S: Simd>(self, simd: S, wide: &V::Wide, probe: &BoxProbe<f32>, _: f32, _: &mut u32) -> f32x8<S> {
        let gaps = V::face_gaps::<S, f32x8<S>>(simd, wide, probe);
        let (in_probe, in_lane): (f32x8<S>, f32x8<S>) = (largest(&gaps.in_probe), largest(&gaps.in_lane));
        LaneArithmetic::larger(in_probe, in_lane)
    }
}

/// Shells with an exact last stage.
#[derive(Clone, Copy)]
pub struct ExactShell;

impl OverlapTest<Shell> for ExactShell {
    #[inline(always)]
    fn gaps<S: Simd>(self, simd: S, wide: &WideShell, probe: &ShellProbe<f32>, slack: f32, _: &mut u32) -> f32x8<S> {
        separation_to_rounding(simd, wide, probe, slack)
    }
}
