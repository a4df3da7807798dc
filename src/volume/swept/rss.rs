//! Rectangle swept spheres: all points within a radius of a rectangle.

use crate::math::motion::Motion;
use crate::math::rounding::round_up;
use crate::simd::eight::{Eight, Element};
use crate::simd::three::column;
use crate::volume::fit::cluster::Cluster;
use crate::volume::fit::orientation::{self, Sorted};
use crate::volume::fit::tessellation::strictly_convex;
use crate::volume::swept::swept_spheres::{self, RectangleProbe, SweptSpheres, rectangle_rectangle};
use crate::volume::{Quality, Slack, Volume, VolumeKind, box_surface};
use fearless_simd::Simd;
use glam::{DMat3, DVec3};

/// A rectangle swept sphere in the node frame of its model. Every probe of the family is one, too.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rss {
    pub centre: [f32; 3],
    /// Along the sides, of unit length to rounding. An axis of length 0 goes with a half length of 0.
    pub axes: [[f32; 3]; 2],
    pub half: [f32; 2],
    pub radius: f32,
}

/// Eight rectangle swept spheres; rows of eight lanes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct WideRss {
    pub centre: [[f32; 8]; 3],
    pub axes: [[[f32; 8]; 3]; 2],
    pub half: [[f32; 8]; 2],
    pub radius: [f32; 8],
    pub enclosing_radius: [f32; 8],
}

const _: () = assert!(size_of::<WideRss>() == 13 * 32);

impl Rss {
    /// The given core with the radius that encloses the cluster.
    pub fn around(cluster: &Cluster, centre: DVec3, axes: [DVec3; 2], half: [f64; 2]) -> Self {
        let mut volume = Self {
            centre: centre.as_vec3().to_array(),
            axes: axes.map(|axis| axis.as_vec3().to_array()),
            half: half.map(|half| half as f32),
            radius: 0.0,
        };
        // Any point of the core within the radius is enough. It need not be exactly the nearest.
        let (mut farthest, mut magnitude) = (0.0, DVec3::from_array(volume.centre.map(f64::from)).length());
        for point in cluster.points() {
            farthest = volume.distance_to_core(point).max(farthest);
            magnitude = point.length().max(magnitude);
        }
        // Recentring, projections and the norm err by less than 2^-48 of the magnitude of the coordinates.
        volume.radius = round_up(farthest + magnitude * 2f64.powi(-48));
        volume
    }

    /// [Larsen 1999, 4.1]: the smallest extent is across the rectangle. The sides are as short as the half circles
    /// allow, and then grow at 45 degrees until the corners hold all points.
    pub fn along(cluster: &Cluster, sorted: &Sorted) -> Self {
        let Sorted { axes, low, high } = sorted;
        let radius = 0.5 * (high.z - low.z);
        let middle = 0.5 * (high.z + low.z);
        let inverse = axes.transpose();
        // How far a point at this height may be beyond a side.
        let allowed = |z: f64| (radius * radius - (z - middle) * (z - middle)).max(0.0);
        let (mut first, mut last) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in cluster.points() {
            let local = inverse * point;
            let beyond = allowed(local.z).sqrt();
            for k in 0..2 {
                first[k] = first[k].min(local[k] + beyond);
                last[k] = last[k].max(local[k] - beyond);
            }
        }
        for k in 0..2 {
            if first[k] > last[k] {
                (first[k], last[k]) = (0.5 * (first[k] + last[k]), 0.5 * (first[k] + last[k]));
            }
        }
        for point in cluster.points() {
            let local = inverse * point;
            let over = [0, 1].map(|k| (local[k] - last[k]).max(first[k] - local[k]));
            let square = allowed(local.z);
            if over[0] > 0.0 && over[1] > 0.0 && over[0] * over[0] + over[1] * over[1] > square {
                // (over0 - grow)^2 + (over1 - grow)^2 = square, the smaller root.
                let difference = over[0] - over[1];
                let grow = 0.5 * (over[0] + over[1] - (2.0 * square - difference * difference).max(0.0).sqrt());
                for k in 0..2 {
                    if local[k] > last[k] {
                        last[k] += grow;
                    } else {
                        first[k] -= grow;
                    }
                }
            }
        }
        let centre = *axes * DVec3::new(0.5 * (first[0] + last[0]), 0.5 * (first[1] + last[1]), middle);
        let half = [0, 1].map(|k| 0.5 * (last[k] - first[k]));
        Self::around(cluster, centre, [axes.x_axis, axes.y_axis], half)
    }

    /// Distance of a point from the core. The axes are orthonormal to f32 only, so a second round corrects the first.
    /// What is left is a product of two such errors.
    pub fn distance_to_core(&self, point: DVec3) -> f64 {
        let offset = point - DVec3::from_array(self.centre.map(f64::from));
        let [first, second] = self.axes.map(|axis| DVec3::from_array(axis.map(f64::from)));
        let place = |rest: DVec3, k: usize, axis: DVec3| {
            let half = self.half[k] as f64;
            if half > 0.0 { (rest.dot(axis) / axis.length_squared()).clamp(-half, half) } else { 0.0 }
        };
        let s = place(offset, 0, first);
        let t = place(offset - first * s, 1, second);
        let s = place(offset - second * t, 0, first);
        let t = place(offset - first * s, 1, second);
        (offset - first * s - second * t).length()
    }

    pub fn half_diagonal(&self) -> f32 {
        (self.half[0] * self.half[0] + self.half[1] * self.half[1]).sqrt()
    }

    /// The axes and the direction across them, orthonormal also where an axis is missing.
    pub fn basis(&self) -> DMat3 {
        orientation::orthonormal(self.axes)
    }

    /// The directions that a refit uses: those of one triangle are its own, larger sets keep theirs.
    pub fn refit_axes(&self, cluster: &Cluster) -> Sorted {
        if cluster.triangles.len() == 1 {
            return orientation::sorted(cluster, Quality::Fast);
        }
        // Axes that stay in order keep their bits; others are made orthonormal again, so that they stay so to rounding.
        let basis = self.basis();
        let [x, y] = self.axes.map(|axis| DVec3::from_array(axis.map(f64::from)));
        let kept = |axis: DVec3, or: DVec3| if axis == DVec3::ZERO { or } else { axis };
        let (x, y) = (kept(x, basis.x_axis), kept(y, basis.y_axis));
        let sorted = orientation::sorted_along(cluster, DMat3::from_cols(x, y, basis.z_axis));
        if sorted.axes.x_axis == x && sorted.axes.y_axis == y {
            return sorted;
        }
        orientation::sorted_along(cluster, basis)
    }
}

impl Volume for Rss {
    const KIND: VolumeKind = VolumeKind::Rss;
    type Family = SweptSpheres;
    type Wide = WideRss;
    const SLACK: Slack = swept_spheres::SLACK;

    type Union = ();

    fn fit(cluster: &Cluster, quality: Quality) -> Self {
        Self::along(cluster, &orientation::sorted(cluster, quality))
    }

    /// The rectangle and the radius are found again along the directions kept.
    fn refit(&self, _union: &(), cluster: &Cluster) -> Self {
        Self::along(cluster, &self.refit_axes(cluster))
    }

    fn surface(&self) -> f64 {
        let [x, y] = self.half;
        box_surface(x + self.radius, y + self.radius, self.radius)
    }

    fn split_axes(&self) -> DMat3 {
        self.basis()
    }

    fn excess(&self, point: DVec3) -> f64 {
        self.distance_to_core(point) - self.radius as f64
    }

    fn reach(&self) -> f64 {
        let length = |v: [f32; 3]| DVec3::from_array(v.map(f64::from)).length();
        (length(self.centre) + self.half_diagonal() as f64 + self.radius as f64) * 1.000001
    }

    fn enclosing_radius(&self) -> f32 {
        self.half_diagonal() + self.radius
    }

    fn store(&self, wide: &mut WideRss, lane: usize) {
        for k in 0..3 {
            wide.centre[k][lane] = self.centre[k];
            wide.axes[0][k][lane] = self.axes[0][k];
            wide.axes[1][k][lane] = self.axes[1][k];
        }
        wide.half[0][lane] = self.half[0];
        wide.half[1][lane] = self.half[1];
        wide.radius[lane] = self.radius;
        wide.enclosing_radius[lane] = self.enclosing_radius();
    }

    #[inline(always)]
    fn load(wide: &WideRss, lane: usize) -> Self {
        Self {
            centre: column(&wide.centre, lane),
            axes: [column(&wide.axes[0], lane), column(&wide.axes[1], lane)],
            half: [wide.half[0][lane], wide.half[1][lane]],
            radius: wide.radius[lane],
        }
    }

    #[inline(always)]
    fn enclosing_radii(wide: &WideRss) -> [f32; 8] {
        wide.enclosing_radius
    }

    #[inline(always)]
    fn probe<S: Simd, E: Element>(simd: S, wide: &WideRss, lane: usize, motion: &Motion<E>) -> RectangleProbe<E> {
        RectangleProbe::new(simd, &Self::load(wide, lane), motion)
    }

    #[inline(always)]
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideRss,
        probe: &RectangleProbe<L::Element>,
        beyond: L::Element,
        _first_stage: &mut u32,
    ) -> L {
        let radii = L::load(simd, &wide.radius) + probe.radius;
        rectangle_rectangle(simd, &wide.centre, &wide.axes, &wide.half, probe, radii + beyond) - radii
    }

    /// The farthest point along a direction is a corner of the rectangle, moved by the radius.
    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3])) {
        let vector = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
        let farthest = |n: DVec3| {
            let side = |k: usize| vector(self.axes[k]) * (self.half[k] as f64).copysign(n.dot(vector(self.axes[k])));
            vector(self.centre) + side(0) + side(1) + n * self.radius as f64
        };
        strictly_convex(&farthest, emit);
    }
}
