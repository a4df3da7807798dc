//! Boxes along the axes of the model [van den Bergen 1997].
//!
//! All boxes of a model share their axes. So the products of axes are the components of the probe's axes, the same for
//! all lanes, and their absolute values come with the probe. What the probe covers along the lanes' axes does not
//! depend on the lane. This leaves half of the kernel of an oriented box.
//!
//! # Slack
//!
//! The symbols are those of `obb`. `c` is the distance of the probe's centre from the origin of its model, and
//! `D = T + c + Q`.
//! 1. The probe may be an oriented box. By the first two steps of `obb` it is off by `u (13.2 c + 24 k + 2.8 T)`: the axes take
//!    `22 u k` of this, the rounded half extents `2 u k`. From here on it is the box with the computed axes, the rows of P with
//!    `P P^T = I + E`. The norm of E, and that of its absolute values, is at most `40 u`.
//! 2. The lanes are exact. `d_lane` is at most D long, and forming it costs `u D`.
//! 3. Gaps along the lanes' axes: what the probe covers is three products per axis, and two differences follow. As a vector
//!    this is `u (3 D + 2 h + 7 k)`.
//! 4. Gaps along the probe's axes: `d_probe` costs `u D + sqrt 3 * 3 u D = 6.2 u D`, what the lane covers `5.2 u h`, and the
//!    differences `u (2 D + 3.5 h + k)`. Along its axis i the probe covers `k_i` and at most row i of `|E| k` more. Together
//!    `u (8.2 D + 8.7 h + 41 k)`.
//! 5. The refinement is along `n_lane` as computed. `along` costs `4 u D`, the lane's radius `3 u h`, the differences
//!    `u (2 D + 2 k + h)`. `n_probe` is `P n_lane` to `5.2 u` if the lane's gaps are the longer ones, else to `45.2 u`, because
//!    `P P^T n = n + E n`; the radius costs `3 u k` on top. Together `u (6 D + 4 h + 50.2 k)`.
//! 6. An oriented box has `c + k <= r`. So the source needs the largest of 13.2 + 8.2 (for c, step 4), 24 + 41 (for k, step 4)
//!    and 24 + 50.2 (for k, step 5): `74.2 u r`. The translation needs `2.8 + 8.2`: `11 u T`. The target needs `8.2 + 8.7`:
//!    `16.9 u Q`. `SLACK` is larger.
//! 7. The axes of an axis-aligned probe are columns of the rounded rotation: `|E| <= 4 u`, and the terms of k add up to 18. It
//!    has `c + k <= sqrt 2 r` only, and needs `u (31 r + 11 T + 16.9 Q)`.
//! 8. The lengths of directions err by less than `60 u`. The factor in the unit of the motion covers this.
//! 9. On the f64 path both boxes are projected on the line between their centres: fewer operations of each sort. The axes of
//!    an oriented probe are then off in f32 only (`stored`).
//!
//! A witness is the longer gap vector, along the lanes' axes or along the rows of P, divided by its length. The rows of an
//! axis-aligned probe are off by `4 u`, three products and two sums add `5 u`, the length and the division `6 u`. So a witness is within
//! `16 u` of a direction of length 1 along which the boxes are as far apart as the bound says; `WITNESS` is larger.
//!
//! `slack_shares` finds inputs that need 0.042 of it in f32 and nothing in f64, and says why it is so little.

use crate::math::bounds::Bounds;
use crate::math::motion::Motion;
use crate::math::rounding::round_up_length;
use crate::simd::eight::{Eight, Element, largest, load3, splat3};
use crate::simd::three::{column, difference, dot, map3, three};
use crate::volume::boxes::face_gaps::Gaps;
use crate::volume::boxes::obb::{BoxProbe, Boxes, CORNERS, along_centres};
use crate::volume::boxes::slab_entry::slab_entry;
use crate::volume::fit::cluster::Cluster;
use crate::volume::fit::tessellation;
use crate::volume::ray::{Entries, Ray};
use crate::volume::{Quality, Slack, Volume, VolumeKind, box_surface};
use fearless_simd::{Simd, SimdBase, f32x8};
use glam::{DMat3, DVec3};

/// A box along the axes of the node frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aabb {
    pub centre: [f32; 3],
    pub half: [f32; 3],
}

/// Eight boxes; rows of eight lanes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct WideAabb {
    centre: [[f32; 8]; 3],
    half: [[f32; 8]; 3],
    enclosing_radius: [f32; 8],
}

const _: () = assert!(size_of::<WideAabb>() == 7 * 32);
impl Aabb {
    /// The box of points with these bounds in f64.
    #[inline(always)]
    fn around(bounds: &Bounds) -> Self {
        let Bounds { low, high } = *bounds;
        let centre = ((low + high) * 0.5).as_vec3();
        let middle = centre.as_dvec3();
        // Recentring and these differences err by less than 2^-51 of the coordinates' magnitude.
        let magnitude = low.abs().max(high.abs()).max(middle.abs());
        let half = (high - middle).max(middle - low) + magnitude * 2f64.powi(-51);
        Self {
            centre: centre.to_array(),
            half: [round_up_length(half.x), round_up_length(half.y), round_up_length(half.z)],
        }
    }

    #[inline(always)]
    fn as_dvec3(&self) -> (DVec3, DVec3) {
        // Spelt out: `map` would not be inlined.
        let ([x, y, z], [u, v, w]) = (self.centre, self.half);
        (DVec3::new(x as f64, y as f64, z as f64), DVec3::new(u as f64, v as f64, w as f64))
    }
}

/// The gaps along the six face directions.
#[inline(always)]
pub fn gaps<S: Simd, L: Eight<S>>(simd: S, wide: &WideAabb, probe: &BoxProbe<L::Element>) -> Gaps<L> {
    let (centre, half) = (load3::<S, L>(simd, &wide.centre), load3::<S, L>(simd, &wide.half));
    let d_lane: [L; 3] = difference(&centre, &probe.centre);
    let d_probe: [L; 3] = three(
        #[inline(always)]
        |i| dot(&d_lane, &probe.axes[i]),
    );
    let in_probe = three(
        #[inline(always)]
        |i| d_probe[i].abs() - dot(&half, &probe.absolute[i]) - probe.half[i],
    );
    let in_lane = three(
        #[inline(always)]
        |j| {
            let [x, y, z] = &probe.absolute;
            let radius = x[j] * probe.half[0] + y[j] * probe.half[1] + z[j] * probe.half[2];
            d_lane[j].abs() - half[j] - radius
        },
    );
    let r = three(
        #[inline(always)]
        |i| splat3(simd, &probe.axes[i]),
    );
    Gaps { r, d_probe, d_lane, half, in_probe, in_lane }
}

/// The lanes' axes as lanes, for formulas that oriented boxes share.
#[inline(always)]
fn unit_axes<S: Simd, L: Eight<S>>(simd: S) -> [[L; 3]; 3] {
    three(
        #[inline(always)]
        |i| {
            three(
                #[inline(always)]
                |j| L::splat(simd, L::Element::from_f64((i == j) as u32 as f64)),
            )
        },
    )
}

impl Volume for Aabb {
    const KIND: VolumeKind = VolumeKind::Aabb;
    type Family = Boxes;
    type Wide = WideAabb;
    const SLACK: Slack = Slack { source: 76.0, translation: 14.0, target: 30.0, stored: 8.0 };

    type Union = Bounds;

    fn fit(cluster: &Cluster, _quality: Quality) -> Self {
        let mut bounds = Bounds::EMPTY;
        cluster.points().for_each(|point| bounds.add(point));
        Self::around(&bounds)
    }

    /// The box of the boxes is the box of the triangles: the same bits as `fit`.
    #[inline(always)]
    fn refit(&self, union: &Bounds, _cluster: &Cluster) -> Self {
        Self::around(union)
    }

    fn surface(&self) -> f64 {
        let [x, y, z] = self.half;
        box_surface(x, y, z)
    }

    fn split_axes(&self) -> DMat3 {
        DMat3::IDENTITY
    }

    fn excess(&self, point: DVec3) -> f64 {
        let (centre, half) = self.as_dvec3();
        ((point - centre).abs() - half).max_element()
    }

    fn reach(&self) -> f64 {
        let (centre, half) = self.as_dvec3();
        (centre.abs() + half).length() * 1.000001
    }

    fn enclosing_radius(&self) -> f32 {
        let [x, y, z] = self.half;
        (x * x + y * y + z * z).sqrt()
    }

    fn store(&self, wide: &mut WideAabb, lane: usize) {
        for k in 0..3 {
            wide.centre[k][lane] = self.centre[k];
            wide.half[k][lane] = self.half[k];
        }
        wide.enclosing_radius[lane] = self.enclosing_radius();
    }

    #[inline(always)]
    fn load(wide: &WideAabb, lane: usize) -> Self {
        Self { centre: column(&wide.centre, lane), half: column(&wide.half, lane) }
    }

    const STRETCHES: bool = true;

    #[inline(always)]
    fn stretched<S: Simd>(simd: S, wide: &WideAabb, factors: &[f32; 3]) -> WideAabb {
        let mut stretched = *wide;
        for (k, &factor) in factors.iter().enumerate() {
            (f32x8::load_array_ref(simd, &wide.centre[k]) * factor).store_slice(&mut stretched.centre[k]);
            (f32x8::load_array_ref(simd, &wide.half[k]) * factor).store_slice(&mut stretched.half[k]);
        }
        stretched
    }

    #[inline(always)]
    fn enclosing_radii(wide: &WideAabb) -> [f32; 8] {
        wide.enclosing_radius
    }

    #[inline(always)]
    fn probe<S: Simd, E: Element>(simd: S, wide: &WideAabb, lane: usize, motion: &Motion<E>) -> BoxProbe<E> {
        let source = Self::load(wide, lane);
        let centre = motion.place(simd, source.centre);
        BoxProbe {
            centre,
            axes: motion.axes(),
            absolute: map3(
                &motion.axes(),
                #[inline(always)]
                |axis| map3(&axis, E::abs),
            ),
            half: map3(
                &source.half,
                #[inline(always)]
                |half| E::from_f32(half) * motion.ratio,
            ),
            sphere: (centre, E::from_f32(wide.enclosing_radius[lane]) * motion.ratio * E::from_f64(CORNERS)),
        }
    }

    #[inline(always)]
    fn separation<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideAabb,
        probe: &BoxProbe<L::Element>,
        _slack: L::Element,
        _first_stage: &mut u32,
    ) -> L {
        let gaps = gaps::<S, L>(simd, wide, probe);
        largest::<S, L>(&gaps.in_probe).larger(largest::<S, L>(&gaps.in_lane))
    }

    #[inline(always)]
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideAabb,
        probe: &BoxProbe<L::Element>,
        beyond: L::Element,
        _first_stage: &mut u32,
    ) -> L {
        if L::IS_F64 {
            let (centre, half) = (load3::<S, L>(simd, &wide.centre), load3::<S, L>(simd, &wide.half));
            return along_centres(simd, probe, &unit_axes(simd), half, centre);
        }
        gaps::<S, L>(simd, wide, probe).lower_bound(simd, probe, beyond)
    }

    const WITNESS: Option<f64> = Some(64.0);

    #[inline(always)]
    fn witness<S: Simd>(simd: S, wide: &WideAabb, probe: &BoxProbe<f32>) -> (f32x8<S>, [f32x8<S>; 3]) {
        gaps::<S, f32x8<S>>(simd, wide, probe).witness(simd, probe)
    }

    #[inline(always)]
    fn centres(wide: &WideAabb) -> &[[f32; 8]; 3] {
        &wide.centre
    }

    #[inline(always)]
    fn to_point<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideAabb,
        point: [L::Element; 3],
        probe: &BoxProbe<L::Element>,
        beyond: L::Element,
    ) -> L {
        if L::IS_F64 {
            return Self::lower_bound(simd, wide, probe, beyond, &mut 0);
        }
        let (centre, half) = (load3::<S, L>(simd, &wide.centre), load3::<S, L>(simd, &wide.half));
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let gap: [L; 3] = three(
            #[inline(always)]
            |k| ((centre[k] - point[k]).abs() - half[k]).larger(zero),
        );
        (gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]).sqrt()
    }

    const SEES_LINES: bool = true;

    #[inline(always)]
    fn entry<S: Simd>(simd: S, wide: &WideAabb, ray: &Ray<BoxProbe<f32>>, limit: f32) -> Entries<S> {
        let (centre, half) = (load3::<S, f32x8<S>>(simd, &wide.centre), load3::<S, f32x8<S>>(simd, &wide.half));
        let offset = three(
            #[inline(always)]
            |k| centre[k] - ray.line.origin[k],
        );
        let inverse = three(
            #[inline(always)]
            |k| f32x8::splat(simd, ray.line.inverse[k]),
        );
        slab_entry(simd, [offset, inverse, half], &ray.line, limit)
    }

    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3])) {
        let (centre, half) = self.as_dvec3();
        tessellation::parallelepiped(centre, DMat3::from_diagonal(half), emit);
    }
}
