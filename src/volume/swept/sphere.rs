//! Spheres: the point swept spheres of [Larsen 1999, 4].

use crate::math::enclosing_sphere::{Care, centre_of_triangle, sphere};
use crate::math::motion::Motion;
use crate::simd::eight::{Eight, Element};
use crate::simd::three::column;
use crate::volume::fit::cluster::Cluster;
use crate::volume::swept::rss::Rss;
use crate::volume::swept::swept_spheres::{self, RectangleProbe, SweptSpheres, point_rectangle};
use crate::volume::{Quality, Slack, Volume, VolumeKind};
use fearless_simd::Simd;
use glam::{DMat3, DVec3};

/// A sphere in the node frame of its model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sphere {
    pub centre: [f32; 3],
    pub radius: f32,
}

/// Eight spheres; rows of eight lanes. The radius is also the size.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct WideSphere {
    centre: [[f32; 8]; 3],
    radius: [f32; 8],
}

const _: () = assert!(size_of::<WideSphere>() == 4 * 32);

impl Sphere {
    /// The smallest enclosing sphere.
    pub fn around(cluster: &Cluster, care: Care) -> Self {
        let centre = match cluster.triangles {
            [_] if care == Care::Near => centre_of_triangle(cluster.triangle(0)),
            _ => sphere(cluster.points(), care).0,
        };
        let Rss { centre, radius, .. } = Rss::around(cluster, centre, [DVec3::ZERO; 2], [0.0; 2]);
        Self { centre, radius }
    }

    /// This volume as a rectangle without extent.
    #[inline(always)]
    pub fn as_rss(&self) -> Rss {
        Rss { centre: self.centre, axes: [[0.0; 3]; 2], half: [0.0; 2], radius: self.radius }
    }
}

impl Volume for Sphere {
    const KIND: VolumeKind = VolumeKind::Sphere;
    type Family = SweptSpheres;
    type Wide = WideSphere;
    const SLACK: Slack = swept_spheres::SLACK;

    type Union = ();

    fn fit(cluster: &Cluster, _quality: Quality) -> Self {
        Self::around(cluster, Care::Smallest)
    }

    /// A sphere has nothing to keep: it is found again, nearly the smallest one.
    fn refit(&self, _union: &(), cluster: &Cluster) -> Self {
        Self::around(cluster, Care::Near)
    }

    fn surface(&self) -> f64 {
        self.as_rss().surface()
    }

    /// A sphere has no directions, so the builder cuts along those of the model.
    fn split_axes(&self) -> DMat3 {
        DMat3::IDENTITY
    }

    fn excess(&self, point: DVec3) -> f64 {
        self.as_rss().excess(point)
    }

    fn reach(&self) -> f64 {
        self.as_rss().reach()
    }

    fn enclosing_radius(&self) -> f32 {
        self.radius
    }

    fn store(&self, wide: &mut WideSphere, lane: usize) {
        for k in 0..3 {
            wide.centre[k][lane] = self.centre[k];
        }
        wide.radius[lane] = self.radius;
    }

    #[inline(always)]
    fn load(wide: &WideSphere, lane: usize) -> Self {
        Self { centre: column(&wide.centre, lane), radius: wide.radius[lane] }
    }

    #[inline(always)]
    fn enclosing_radii(wide: &WideSphere) -> [f32; 8] {
        wide.radius
    }

    #[inline(always)]
    fn probe<S: Simd, E: Element>(simd: S, wide: &WideSphere, lane: usize, motion: &Motion<E>) -> RectangleProbe<E> {
        RectangleProbe::new(simd, &Self::load(wide, lane).as_rss(), motion)
    }

    #[inline(always)]
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideSphere,
        probe: &RectangleProbe<L::Element>,
        _beyond: L::Element,
        _first_stage: &mut u32,
    ) -> L {
        let radii = L::load(simd, &wide.radius) + probe.radius;
        point_rectangle::<S, L>(simd, &wide.centre, probe) - radii
    }

    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3])) {
        self.as_rss().triangulate(emit);
    }
}
