//! Hybrid swept spheres, chosen by the build [Larsen 1999, 4.2]: every lane is a sphere, an LSS or an RSS.
//!
//! All three are stored as rectangles, with half lengths of 0 for the simpler shapes. A node whose lanes are all
//! points, or all segments, takes the cheaper kernel. The half lengths tell which, so no tag is needed.

use crate::math::enclosing_sphere::Care;
use crate::math::motion::Motion;
use crate::simd::eight::{Eight, Element};
use crate::volume::fit::cluster::Cluster;
use crate::volume::fit::orientation::{self, Sorted};
use crate::volume::swept::lss::Lss;
use crate::volume::swept::rss::{Rss, WideRss};
use crate::volume::swept::sphere::Sphere;
use crate::volume::swept::swept_spheres::{
    self, RectangleProbe, Segments, SweptSpheres, point_rectangle, rectangle_rectangle, segment_rectangle,
};
use crate::volume::{HybridSelection, Quality, Slack, Volume, VolumeKind};
use fearless_simd::Simd;
use glam::{DMat3, DVec3};

/// One extent exceeds another when it is larger by this factor.
const FACTOR: f64 = 2.0;

/// A sphere, a line swept sphere or a rectangle swept sphere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HybridStatic(pub Rss);

/// An empty lane has half lengths of 0, so it never needs the larger kernel.
#[inline(always)]
fn all_zero(row: &[f32; 8]) -> bool {
    let mut sum = 0;
    for half in row {
        sum |= half.to_bits();
    }
    sum == 0
}

impl HybridStatic {
    /// The rule of [Larsen 1999, 4.2]: three similar extents make a sphere, one that exceeds two similar ones makes an
    /// LSS.
    fn select(cluster: &Cluster, sorted: &Sorted, care: Care) -> Rss {
        let extent = sorted.high - sorted.low;
        if extent.x <= FACTOR * extent.z {
            let sphere = Sphere::around(cluster, care).as_rss();
            // The builder cuts along these axes.
            return Rss {
                axes: [sorted.axes.x_axis, sorted.axes.y_axis].map(|axis| axis.as_vec3().to_array()),
                ..sphere
            };
        }
        if extent.x > FACTOR * extent.y && extent.y <= FACTOR * extent.z {
            let line = Lss::along(cluster, sorted, care).as_rss();
            return Rss { axes: [line.axes[0], sorted.axes.y_axis.as_vec3().to_array()], ..line };
        }
        Rss::along(cluster, sorted)
    }
}

impl Volume for HybridStatic {
    const KIND: VolumeKind = VolumeKind::Hybrid;
    const SELECTION: Option<HybridSelection> = Some(HybridSelection::Static);
    type Family = SweptSpheres;
    type Wide = WideRss;
    const SLACK: Slack = swept_spheres::SLACK;

    type Union = ();

    fn fit(cluster: &Cluster, quality: Quality) -> Self {
        Self(Self::select(cluster, &orientation::sorted(cluster, quality), Care::Smallest))
    }

    /// Which shape it is, is chosen again along the directions kept.
    fn refit(&self, _union: &(), cluster: &Cluster) -> Self {
        Self(Self::select(cluster, &self.0.refit_axes(cluster), Care::Near))
    }

    fn surface(&self) -> f64 {
        self.0.surface()
    }

    fn split_axes(&self) -> DMat3 {
        self.0.split_axes()
    }

    fn excess(&self, point: DVec3) -> f64 {
        self.0.excess(point)
    }

    fn reach(&self) -> f64 {
        self.0.reach()
    }

    fn enclosing_radius(&self) -> f32 {
        self.0.enclosing_radius()
    }

    fn store(&self, wide: &mut WideRss, lane: usize) {
        self.0.store(wide, lane);
    }

    #[inline(always)]
    fn load(wide: &WideRss, lane: usize) -> Self {
        Self(Rss::load(wide, lane))
    }

    #[inline(always)]
    fn enclosing_radii(wide: &WideRss) -> [f32; 8] {
        wide.enclosing_radius
    }

    #[inline(always)]
    fn probe<S: Simd, E: Element>(simd: S, wide: &WideRss, lane: usize, motion: &Motion<E>) -> RectangleProbe<E> {
        RectangleProbe::new(simd, &Rss::load(wide, lane), motion)
    }

    #[inline(always)]
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideRss,
        probe: &RectangleProbe<L::Element>,
        beyond: L::Element,
        first_stage: &mut u32,
    ) -> L {
        let radii = L::load(simd, &wide.radius) + probe.radius;
        if !all_zero(&wide.half[1]) {
            return rectangle_rectangle(simd, &wide.centre, &wide.axes, &wide.half, probe, radii + beyond) - radii;
        }
        *first_stage = !0;
        if !all_zero(&wide.half[0]) {
            let segments = Segments { centre: &wide.centre, axis: &wide.axes[0], half: &wide.half[0] };
            return segment_rectangle::<S, L>(simd, &segments, probe) - radii;
        }
        point_rectangle::<S, L>(simd, &wide.centre, probe) - radii
    }

    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3])) {
        self.0.triangulate(emit);
    }
}
