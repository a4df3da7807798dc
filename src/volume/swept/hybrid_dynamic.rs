//! Hybrid swept spheres, chosen by the query [Larsen 1999, 4.2]: every lane has all three shapes.
//!
//! Spheres are tested first, segments if a sphere leaves its lane open, rectangles if a segment does. Each bound is
//! sound by itself, so the bound of a lane is the largest that was computed.

use crate::math::enclosing_sphere::Care;
use crate::math::motion::Motion;
use crate::simd::eight::{Eight, Element, bits};
use crate::simd::three::column;
use crate::volume::fit::cluster::Cluster;
use crate::volume::fit::orientation::{self, Sorted};
use crate::volume::swept::lss::Lss;
use crate::volume::swept::rss::Rss;
use crate::volume::swept::sphere::Sphere;
use crate::volume::swept::swept_spheres::{
    self, RectangleProbe, Segments, SweptSpheres, point_rectangle, rectangle_rectangle, segment_rectangle,
};
use crate::volume::{HybridSelection, Quality, Slack, Volume, VolumeKind};
use fearless_simd::Simd;
use glam::{DMat3, DVec3};

/// A sphere, a line swept sphere and a rectangle swept sphere around the same triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HybridDynamic {
    pub sphere: Sphere,
    pub line: Lss,
    /// The first axis of the rectangle is that of the line.
    pub rectangle: Rss,
}

/// Eight of each shape; rows of eight lanes.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct WideHybrid {
    sphere_centre: [[f32; 8]; 3],
    sphere_radius: [f32; 8],
    line_centre: [[f32; 8]; 3],
    line_half: [f32; 8],
    line_radius: [f32; 8],
    centre: [[f32; 8]; 3],
    /// The first axis is that of the line, too.
    axes: [[[f32; 8]; 3]; 2],
    half: [[f32; 8]; 2],
    radius: [f32; 8],
    enclosing_radius: [f32; 8],
}

const _: () = assert!(size_of::<WideHybrid>() == 22 * 32);

/// A radius so negative that an empty lane is beyond every limit and never needs the next stage.
const EMPTY: f32 = -1e30;

impl Default for WideHybrid {
    fn default() -> Self {
        Self {
            sphere_centre: [[0.0; 8]; 3],
            sphere_radius: [EMPTY; 8],
            line_centre: [[0.0; 8]; 3],
            line_half: [0.0; 8],
            line_radius: [0.0; 8],
            centre: [[0.0; 8]; 3],
            axes: [[[0.0; 8]; 3]; 2],
            half: [[0.0; 8]; 2],
            radius: [0.0; 8],
            enclosing_radius: [0.0; 8],
        }
    }
}

impl HybridDynamic {
    fn along(cluster: &Cluster, sorted: &Sorted, care: Care) -> Self {
        Self {
            sphere: Sphere::around(cluster, care),
            line: Lss::along(cluster, sorted, care),
            rectangle: Rss::along(cluster, sorted),
        }
    }
}

impl Volume for HybridDynamic {
    const KIND: VolumeKind = VolumeKind::Hybrid;
    const SELECTION: Option<HybridSelection> = Some(HybridSelection::Dynamic);
    type Family = SweptSpheres;
    type Wide = WideHybrid;
    const SLACK: Slack = swept_spheres::SLACK;

    type Union = ();

    fn fit(cluster: &Cluster, quality: Quality) -> Self {
        Self::along(cluster, &orientation::sorted(cluster, quality), Care::Smallest)
    }

    /// All three shapes are found again along the directions kept.
    fn refit(&self, _union: &(), cluster: &Cluster) -> Self {
        Self::along(cluster, &self.rectangle.refit_axes(cluster), Care::Near)
    }

    fn surface(&self) -> f64 {
        self.rectangle.surface()
    }

    fn split_axes(&self) -> DMat3 {
        self.rectangle.split_axes()
    }

    fn excess(&self, point: DVec3) -> f64 {
        self.sphere.excess(point).max(self.line.excess(point)).max(self.rectangle.excess(point))
    }

    /// The sphere may reach farther than the rectangle, and the slack must cover its arithmetic, too.
    fn reach(&self) -> f64 {
        self.sphere.reach().max(self.line.reach()).max(self.rectangle.reach())
    }

    fn enclosing_radius(&self) -> f32 {
        self.rectangle.enclosing_radius()
    }

    fn store(&self, wide: &mut WideHybrid, lane: usize) {
        for k in 0..3 {
            wide.sphere_centre[k][lane] = self.sphere.centre[k];
            wide.line_centre[k][lane] = self.line.centre[k];
            wide.centre[k][lane] = self.rectangle.centre[k];
            wide.axes[0][k][lane] = self.rectangle.axes[0][k];
            wide.axes[1][k][lane] = self.rectangle.axes[1][k];
        }
        wide.sphere_radius[lane] = self.sphere.radius;
        wide.line_half[lane] = self.line.half;
        wide.line_radius[lane] = self.line.radius;
        wide.half[0][lane] = self.rectangle.half[0];
        wide.half[1][lane] = self.rectangle.half[1];
        wide.radius[lane] = self.rectangle.radius;
        wide.enclosing_radius[lane] = self.enclosing_radius();
    }

    fn load(wide: &WideHybrid, lane: usize) -> Self {
        let rectangle = rectangle(wide, lane);
        Self {
            sphere: Sphere { centre: column(&wide.sphere_centre, lane), radius: wide.sphere_radius[lane] },
            line: Lss {
                centre: column(&wide.line_centre, lane),
                axis: rectangle.axes[0],
                half: wide.line_half[lane],
                radius: wide.line_radius[lane],
            },
            rectangle,
        }
    }

    #[inline(always)]
    fn enclosing_radii(wide: &WideHybrid) -> [f32; 8] {
        wide.enclosing_radius
    }

    #[inline(always)]
    fn probe<S: Simd, E: Element>(simd: S, wide: &WideHybrid, lane: usize, motion: &Motion<E>) -> RectangleProbe<E> {
        RectangleProbe::new(simd, &rectangle(wide, lane), motion)
    }

    #[inline(always)]
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideHybrid,
        probe: &RectangleProbe<L::Element>,
        beyond: L::Element,
        first_stage: &mut u32,
    ) -> L {
        let limit = L::splat(simd, beyond);
        let radii = L::load(simd, &wide.sphere_radius) + probe.radius;
        let bound = point_rectangle::<S, L>(simd, &wide.sphere_centre, probe) - radii;
        let open = bits(!bound.greater(limit));
        *first_stage = !open;
        if open == 0 {
            return bound;
        }
        let radii = L::load(simd, &wide.line_radius) + probe.radius;
        let segments = Segments { centre: &wide.line_centre, axis: &wide.axes[0], half: &wide.line_half };
        let tighter = segment_rectangle::<S, L>(simd, &segments, probe) - radii;
        let bound = bound.larger(tighter);
        let open = bits(!bound.greater(limit));
        *first_stage = !open;
        if open == 0 {
            return bound;
        }
        let radii = L::load(simd, &wide.radius) + probe.radius;
        let core = rectangle_rectangle(simd, &wide.centre, &wide.axes, &wide.half, probe, radii + beyond);
        bound.larger(core - radii)
    }

    /// The tightest of the three shapes.
    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3])) {
        self.rectangle.triangulate(emit);
    }
}

#[inline(always)]
fn rectangle(wide: &WideHybrid, lane: usize) -> Rss {
    Rss {
        centre: column(&wide.centre, lane),
        axes: [column(&wide.axes[0], lane), column(&wide.axes[1], lane)],
        half: [wide.half[0][lane], wide.half[1][lane]],
        radius: wide.radius[lane],
    }
}
