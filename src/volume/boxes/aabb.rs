//! Boxes along the axes of the model [van den Bergen 1997].
//!
//! All boxes of a model share their axes. So the products of axes are the components of the probe's axes, the same for
//! all lanes, and their absolute values come with the probe. What the probe covers along the lanes' axes does not
//! depend on the lane. This leaves half of the kernel of an oriented box.
//!
//! Slack, with the symbols of `obb`:
//! 1. The probe errs as an oriented box does, because it may be one.
//! 2. The lanes' axes are exact and no products of axes are computed: `3 u (r + Q)` instead of `8.2 u (r + Q)` per
//!    axis.
//! 3. Together: `u ((36.4 + sqrt 3 * 11) r + 13.2 T + sqrt 3 * 11 Q)`, and `u (20 r + 10 Q)` for the refinement.
//!
//! `slack_shares` finds inputs that need 0.042 of it in f32 and nothing in f64, and says why it is so little.

use crate::math::bounds::Bounds;
use crate::math::motion::Motion;
use crate::math::rounding::round_up_length;
use crate::simd::eight::{Eight, Element, largest, load3, splat3};
use crate::simd::three::{column, difference, dot, map3, three};
use crate::volume::boxes::face_gaps::Gaps;
use crate::volume::boxes::obb::{BoxProbe, Boxes, CORNERS, along_centres};
use crate::volume::fit::cluster::Cluster;
use crate::volume::fit::tessellation;
use crate::volume::{Kind, Quality, Slack, Volume, box_surface};
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
        Self { centre: centre.to_array(), half: [round_up_length(half.x), round_up_length(half.y), round_up_length(half.z)] }
    }

    fn as_dvec3(&self) -> (DVec3, DVec3) {
        (DVec3::from_array(self.centre.map(f64::from)), DVec3::from_array(self.half.map(f64::from)))
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
    const KIND: Kind = Kind::Aabb;
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
    fn enclosing_radii(wide: &WideAabb) -> &[f32; 8] {
        &wide.enclosing_radius
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

    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3])) {
        let (centre, half) = self.as_dvec3();
        tessellation::parallelepiped(centre, DMat3::from_diagonal(half), emit);
    }
}
