//! Oriented box and smallest sphere in one node [Chang 2009].
//!
//! Spheres are tested first; they are the smallest ones, not those around the box's centre [Chang 2009, 3.1]. Lanes
//! that are left are in close proximity, where some axes separate more often than others: {a0, b0, c22, c12, c21} with
//! `c_ij = a_i x b_j` and ascending extents [Chang 2009, 3.2]. `fit` sorts the axes. A probe of another volume of the
//! family is not sorted, which costs tightness, not soundness.
//!
//! The gap along `c_ij` is not divided by the length of `c_ij`, which is at most 1. So a positive gap becomes smaller,
//! never larger.
//!
//! Slack, with the symbols of `obb`:
//! 1. Spheres: the probe's centre is off by `u (13.2 r + 2.8 T)`. Forming `d`, its norm and the differences costs `u (6
//!    D + 2 (r + Q))`.
//! 2. Cross axes: the probe's box is off by `u (36.4 r + 2.8 T)`.
//! 3. `d . c` comes from `d` along the probe's axes (off by `4 u D` each, `5.7 u D` together), the products of the axes
//!    (`4.2 u D`), two products and a difference (`3 u D`) and forming `d` (`u D`). It takes the axes as orthonormal,
//!    which they are to `6 u` (`8.5 u D`).
//! 4. The radii cost `12 u (r + Q)` and the differences `2 u (D + r + Q)`.
//! 5. Together: `u (75 r + 27.2 T + 38.4 Q)`. The lower bound is that of the box or of the sphere.
//!
//! `slack_shares` finds inputs that need 0.039 of it in f32 and 0.018 in f64, and says why it is so little. Where the
//! spheres decide, only a quarter of these terms exists.

use crate::math::enclosing_sphere::{Care, sphere};
use crate::math::motion::Motion;
use crate::math::rounding::round_up;
use crate::simd::eight::{Eight, Element, bits, load3};
use crate::simd::three::{column, difference, dot};
use crate::volume::boxes::cross_axis::across;
use crate::volume::boxes::face_gaps::Gaps;
use crate::volume::boxes::obb::{BoxProbe, Boxes, Obb, WideObb};
use crate::volume::fit::cluster::Cluster;
use crate::volume::fit::{orientation, tessellation};
use crate::volume::{Kind, Quality, Slack, Volume};
use fearless_simd::Simd;
use glam::{DMat3, DVec3};

/// A box with ascending extents and a sphere around the same triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObbSphere {
    pub obb: Obb,
    pub centre: [f32; 3],
    pub radius: f32,
}

/// Eight of them; rows of eight lanes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct WideObbSphere {
    obb: WideObb,
    centre: [[f32; 8]; 3],
    radius: [f32; 8],
}

const _: () = assert!(size_of::<WideObbSphere>() == 17 * 32);
/// The gap of the spheres.
#[inline(always)]
fn sphere_gap<S: Simd, L: Eight<S>>(simd: S, wide: &WideObbSphere, probe: &BoxProbe<L::Element>) -> L {
    let (centre, radius) = (load3::<S, L>(simd, &wide.centre), L::load(simd, &wide.radius));
    let d: [L; 3] = difference(&centre, &probe.sphere.0);
    dot(&d, &d).sqrt() - radius - probe.sphere.1
}

impl ObbSphere {
    /// The smallest sphere, and the box along these axes.
    fn along(cluster: &Cluster, axes: DMat3, care: Care) -> Self {
        let (centre, radius) = sphere(cluster.points(), care);
        let rounded = centre.as_vec3();
        // Moving the centre to f32 numbers costs its distance; the differences err by less than 2^-50 of the numbers.
        let moved = (rounded.as_dvec3() - centre).length();
        let allowance = (centre.abs().max_element() + radius) * 2f64.powi(-50);
        Self {
            obb: Self::sorted_box(cluster, axes),
            centre: rounded.to_array(),
            radius: round_up(radius + moved + allowance),
        }
    }

    /// The box with its axes in the order of its extents.
    fn sorted_box(cluster: &Cluster, axes: DMat3) -> Obb {
        let found = Obb::around(cluster, axes);
        // Axes of f32 numbers are only nearly at right angles, and must not become less so each time that they are sorted.
        let axes = orientation::orthonormal(found.axes);
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| found.half[i].total_cmp(&found.half[j]));
        if order == [0, 1, 2] {
            return found;
        }
        // The third axis is formed from the others, so fit the box again to the axes as they will be.
        Obb::around(cluster, DMat3::from_cols(axes.col(order[0]), axes.col(order[1]), axes.col(order[2])))
    }
}

impl Volume for ObbSphere {
    const KIND: Kind = Kind::ObbSphere;
    type Family = Boxes;
    type Wide = WideObbSphere;
    const SLACK: Slack = Slack { source: 88.0, translation: 28.0, target: 40.0, stored: 8.0 };

    type Union = ();

    fn fit(cluster: &Cluster, quality: Quality) -> Self {
        Self::along(cluster, orientation::axes(cluster, quality), Care::Smallest)
    }

    /// As for oriented boxes; the sphere has no directions, and is nearly the smallest one again.
    fn refit(&self, _union: &(), cluster: &Cluster) -> Self {
        if cluster.triangles.len() == 1 {
            return Self::along(cluster, orientation::axes(cluster, Quality::Fast), Care::Near);
        }
        Self::along(cluster, self.obb.split_axes(), Care::Near)
    }

    fn surface(&self) -> f64 {
        self.obb.surface()
    }

    fn split_axes(&self) -> DMat3 {
        self.obb.split_axes()
    }

    fn excess(&self, point: DVec3) -> f64 {
        let from_centre = (point - DVec3::from_array(self.centre.map(f64::from))).length();
        self.obb.excess(point).max(from_centre - self.radius as f64)
    }

    fn reach(&self) -> f64 {
        let sphere = DVec3::from_array(self.centre.map(f64::from)).length() + self.radius as f64;
        self.obb.reach().max(sphere * 1.000001)
    }

    fn enclosing_radius(&self) -> f32 {
        self.radius
    }

    fn store(&self, wide: &mut WideObbSphere, lane: usize) {
        self.obb.store(&mut wide.obb, lane);
        for k in 0..3 {
            wide.centre[k][lane] = self.centre[k];
        }
        wide.radius[lane] = self.radius;
    }

    #[inline(always)]
    fn load(wide: &WideObbSphere, lane: usize) -> Self {
        let (obb, centre) = (Obb::load(&wide.obb, lane), column(&wide.centre, lane));
        Self { obb, centre, radius: wide.radius[lane] }
    }

    #[inline(always)]
    fn enclosing_radii(wide: &WideObbSphere) -> &[f32; 8] {
        &wide.radius
    }

    #[inline(always)]
    fn probe<S: Simd, E: Element>(simd: S, wide: &WideObbSphere, lane: usize, motion: &Motion<E>) -> BoxProbe<E> {
        let sphere = (motion.place(simd, column(&wide.centre, lane)), E::from_f32(wide.radius[lane]) * motion.ratio);
        BoxProbe { sphere, ..Obb::probe(simd, &wide.obb, lane, motion) }
    }

    #[inline(always)]
    fn separation<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideObbSphere,
        probe: &BoxProbe<L::Element>,
        slack: L::Element,
        first_stage: &mut u32,
    ) -> L {
        let spheres = sphere_gap::<S, L>(simd, wide, probe);
        let left = bits(!spheres.greater(L::splat(simd, slack)));
        *first_stage = !left;
        if left == 0 {
            return spheres;
        }
        let gaps = Gaps::<L>::new(simd, &wide.obb, probe);
        let faces = gaps.in_probe[0].larger(gaps.in_lane[0]);
        if L::IS_F64 {
            // The cross axes would need axes that are orthonormal to f64, relative to the distance of the models.
            return spheres.larger(faces);
        }
        let crossed = across(&gaps, probe, 2, 2).larger(across(&gaps, probe, 1, 2)).larger(across(&gaps, probe, 2, 1));
        spheres.larger(faces).larger(crossed)
    }

    #[inline(always)]
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideObbSphere,
        probe: &BoxProbe<L::Element>,
        beyond: L::Element,
        first_stage: &mut u32,
    ) -> L {
        let spheres = sphere_gap::<S, L>(simd, wide, probe);
        let left = bits(!spheres.greater(L::splat(simd, beyond)));
        *first_stage = !left;
        if left == 0 {
            return spheres;
        }
        spheres.larger(Obb::lower_bound(simd, &wide.obb, probe, beyond, &mut 0))
    }

    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3])) {
        self.obb.triangulate(emit);
        let (centre, radius) = (DVec3::from_array(self.centre.map(f64::from)), self.radius as f64);
        tessellation::strictly_convex(&|direction| centre + direction * radius, emit);
    }
}
