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
//! # Slack
//!
//! The symbols are those of `obb` and of `aabb`. `q` is the distance of the lane's centre from the origin of its model, and
//! `D = T + c + q`. `a0, a1, a2` are the axes of a lane, `p0, p1, p2` those of the probe, which are the rows of P.
//! 1. Spheres: the probe's centre is off by `u (13.2 c + 2.8 T)`. Forming `d` costs `u D`, its norm `2.5 u D`, the radii and the
//!    differences `u (2 D + 3 (r + Q))`.
//! 2. Boxes: the probe is off by `u (13.2 c + 24 k + 2.8 T)`, as in `aabb`. Entries of `r` are off by `3 u` and `d_probe`, as a
//!    vector, by `6.2 u D`.
//! 3. The stored axes a0 and a1 are 1 long to `u`, and their product is 0 to `2 u`. Turned, they are off by `6.9 u`. So
//!    `|p0|^2`, `|p1|^2` and `p0 . p1` are off by `15.9 u`. The third axes are rounded cross products, off by `2.9 u`.
//! 4. First faces: `u (6 D + 10.2 h + 24 k)` along p0, where the first row of E is `23 u` long, and less along a0.
//! 5. Cross axes: the computed numbers are those of the direction `P^T n` with `n = e_i x r_j`, r_j the column j of `r`.
//!    1. The centres are `n . (P d)` apart along it: `6.2 u D` from `d_probe` and `2 u D` from the products.
//!    2. The probe covers `|n + E n| . k`: `40 u k`, and `2 u k` from the products.
//!    3. The lane covers `sum |n . P a_l| h_l`. By `(P a) x (P b) = cof(P) (a x b)` these are products of row i of the
//!       cofactors of P with lanes' axes. The lanes' axes are each other's cross products to `6.9 u`, both together; the two
//!       entries of `r` are off by `4.3 u`, and n by `4.3 u`.
//!    4. Row 2 of the cofactors is `p0 x p1`, which is p2 to `2.9 u`. Together `18.4 u h`.
//!    5. Row 1 is `p2 x p0 = |p0|^2 p1 - (p0 . p1) p0`, to `2.9 u`. Here the direction is taken `(|p0|^2 - 1) / 2 <= 8 u`
//!       shorter, which leaves `8 u` along p1 beside `15.9 u` along p0: `17.8 u`. Together `36.2 u h`, and `8 u (D + k)` for the
//!       change of length.
//!    6. What the lane covers costs `2 u h` for its products, and the differences cost `u (2 D + 2 k + h)`. Together
//!       `u (18.2 D + 52 k + 39.2 h)`.
//! 6. With `c + k <= r` and `q + h <= Q`: the source needs 24 + 52, the translation 2.8 + 18.2, the target 39.2 (for h). Together
//!    `u (76 r + 21 T + 39.2 Q)`. An axis-aligned probe has `c + k <= sqrt 2 r`, but `|E| <= 4 u`, and needs less. `SLACK` is
//!    larger.
//! 7. The lower bound is that of the box, whose slack is smaller, or of the sphere.
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
use crate::volume::{Quality, Slack, Volume, VolumeKind};
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

const _: () = assert!(size_of::<WideObbSphere>() == 16 * 32);
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
    const KIND: VolumeKind = VolumeKind::ObbSphere;
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
    fn enclosing_radii(wide: &WideObbSphere) -> [f32; 8] {
        wide.radius
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
