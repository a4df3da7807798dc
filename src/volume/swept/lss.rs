//! Line swept spheres, also called capsules: all points within a radius of a segment.

use crate::math::enclosing_sphere::{Care, sphere};
use crate::math::motion::Motion;
use crate::simd::eight::{Eight, Element};
use crate::simd::three::column;
use crate::volume::fit::cluster::Cluster;
use crate::volume::fit::orientation::{self, Sorted};
use crate::volume::swept::rss::Rss;
use crate::volume::swept::swept_spheres::{self, RectangleProbe, Segments, SweptSpheres, segment_rectangle};
use crate::volume::{Quality, Slack, Volume, VolumeKind};
use fearless_simd::Simd;
use glam::{DMat3, DVec3};

/// A line swept sphere in the node frame of its model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lss {
    pub centre: [f32; 3],
    /// Unit length to rounding.
    pub axis: [f32; 3],
    pub half: f32,
    pub radius: f32,
}

/// Eight line swept spheres; rows of eight lanes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct WideLss {
    centre: [[f32; 8]; 3],
    axis: [[f32; 8]; 3],
    half: [f32; 8],
    radius: [f32; 8],
    enclosing_radius: [f32; 8],
}

const _: () = assert!(size_of::<WideLss>() == 9 * 32);

impl Lss {
    /// [Larsen 1999, 4.1]: along the largest extent, inside the smallest circle around the points seen in that
    /// direction, with caps as near as the extreme points allow.
    pub fn along(cluster: &Cluster, sorted: &Sorted, care: Care) -> Self {
        let axes = sorted.axes;
        let inverse = axes.transpose();
        let seen = |local: DVec3| DVec3::new(0.0, local.y, local.z);
        let (middle, radius) = sphere(cluster.points().map(|point| seen(inverse * point)), care);
        let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in cluster.points() {
            let local = inverse * point;
            let beyond = (radius * radius - (seen(local) - middle).length_squared()).max(0.0).sqrt();
            first = first.min(local.x + beyond);
            last = last.max(local.x - beyond);
        }
        let centre = axes * DVec3::new(0.5 * (first + last), middle.y, middle.z);
        let half = (0.5 * (last - first)).max(0.0);
        let Rss { centre, axes: [axis, _], half: [half, _], radius } =
            Rss::around(cluster, centre, [axes.x_axis, DVec3::ZERO], [half, 0.0]);
        Self { centre, axis, half, radius }
    }

    /// This volume as a rectangle of width 0.
    #[inline(always)]
    pub fn as_rss(&self) -> Rss {
        Rss { centre: self.centre, axes: [self.axis, [0.0; 3]], half: [self.half, 0.0], radius: self.radius }
    }
}

impl Volume for Lss {
    const KIND: VolumeKind = VolumeKind::Lss;
    type Family = SweptSpheres;
    type Wide = WideLss;
    const SLACK: Slack = swept_spheres::SLACK;

    type Union = ();

    fn fit(cluster: &Cluster, quality: Quality) -> Self {
        Self::along(cluster, &orientation::sorted(cluster, quality), Care::Smallest)
    }

    /// The segment and the radius are found again along the direction kept.
    fn refit(&self, _union: &(), cluster: &Cluster) -> Self {
        Self::along(cluster, &self.as_rss().refit_axes(cluster), Care::Near)
    }

    fn surface(&self) -> f64 {
        self.as_rss().surface()
    }

    fn split_axes(&self) -> DMat3 {
        self.as_rss().basis()
    }

    fn excess(&self, point: DVec3) -> f64 {
        self.as_rss().excess(point)
    }

    fn reach(&self) -> f64 {
        self.as_rss().reach()
    }

    fn enclosing_radius(&self) -> f32 {
        self.half + self.radius
    }

    fn store(&self, wide: &mut WideLss, lane: usize) {
        for k in 0..3 {
            wide.centre[k][lane] = self.centre[k];
            wide.axis[k][lane] = self.axis[k];
        }
        wide.half[lane] = self.half;
        wide.radius[lane] = self.radius;
        wide.enclosing_radius[lane] = self.enclosing_radius();
    }

    #[inline(always)]
    fn load(wide: &WideLss, lane: usize) -> Self {
        Self {
            centre: column(&wide.centre, lane),
            axis: column(&wide.axis, lane),
            half: wide.half[lane],
            radius: wide.radius[lane],
        }
    }

    #[inline(always)]
    fn enclosing_radii(wide: &WideLss) -> [f32; 8] {
        wide.enclosing_radius
    }

    #[inline(always)]
    fn probe<S: Simd, E: Element>(simd: S, wide: &WideLss, lane: usize, motion: &Motion<E>) -> RectangleProbe<E> {
        RectangleProbe::new(simd, &Self::load(wide, lane).as_rss(), motion)
    }

    #[inline(always)]
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideLss,
        probe: &RectangleProbe<L::Element>,
        _beyond: L::Element,
        _first_stage: &mut u32,
    ) -> L {
        let radii = L::load(simd, &wide.radius) + probe.radius;
        let segments = Segments { centre: &wide.centre, axis: &wide.axis, half: &wide.half };
        segment_rectangle::<S, L>(simd, &segments, probe) - radii
    }

    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3])) {
        self.as_rss().triangulate(emit);
    }
}
