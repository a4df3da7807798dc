//! Nine pairs of planes with fixed normals: the axes and the diagonals of the coordinate planes, an 18-DOP.
//!
//! A slab is stored by centre and half width along its normal `n_k`, whose components are 0, 1 and -1. So a projection
//! rounds no more than a sum. Two volumes are apart along `n_k` if the centres differ by more than the half widths.
//!
//! # Re-bounding the probe
//!
//! The slabs of a turned volume do not have the normals of the lanes. So the probe is enclosed again by slabs along the
//! lanes' normals:
//! 1. The support of the source along `v = R^T n_t` is at most `sum w_k h_k` for every way to write `v = sum w_k
//!    (+-n_k)` with `w_k >= 0`.
//! 2. The tightest way uses the corners of the triangle of normals that `v` pierces. With `x_i = |v_i|`, the diagonal
//!    of the plane i, j gets `(x_i + x_j - x_k) / 2`, clamped to 0 and `min(x_i, x_j)`. Axis i gets what its two
//!    diagonals leave of `x_i`.
//! 3. This needs no branch: six terms for each of nine normals, eight normals at a time.
//!
//! The weights depend on the rotation only, but the trait gives a volume no other place to compute them than the
//! kernel. Re-bounding is most of what this volume costs. It also loses tightness: planes that no normal of the lanes
//! has.
//!
//! # Distance
//!
//! There are four orthogonal frames among the nine normals: the axes, and each axis with the two diagonals across it.
//! In each frame the gaps are independent, and the norm of the positive ones is a lower bound.
//!
//! # Slack
//!
//! `u`, `r`, `T`, `Q`, `D` are as in `obb`. Per normal of length up to `sqrt 2`:
//! 1. A component of `v` is off by `4 u` (rounded rotation, one sum). So the combination meets a direction that is off
//!    by `7 u` and, from the roundings of the weights (`3 u` each), by `6 sqrt 2 u`: `16 u r`.
//! 2. Six products and sums on numbers up to `2 r`: `14 u r` for the centre and for the half width.
//! 3. Ratio and translation: `u (4 r + 6 T)` for the centre, `2 u r` for the half width.
//! 4. The lanes are exact. The differences cost `3 u sqrt 2 (D + r + Q)`.
//! 5. Divided by the length of the normal where that is `sqrt 2`, and times `sqrt 3` for three errors: `u (sqrt 3 * 59
//!    r + sqrt 3 * 10 T + sqrt 3 * 8.5 Q)`.
//! 6. Nothing depends on rounded axes, so the f64 path has no error from stored numbers.
//!
//! `slack_shares` finds inputs that need 0.049 of it in f32 and nothing in f64. At most three of the six weights of a
//! direction are not 0.

use crate::math::motion::Motion;
use crate::math::rounding::round_up_length;
use crate::simd::eight::{Eight, Element, load3};
use crate::simd::three::{combination, dot};
use crate::volume::fit::cluster::Cluster;
use crate::volume::fit::tessellation;
use crate::volume::{Family, Quality, Slack, Union, Volume, VolumeKind, box_surface};
use fearless_simd::Simd;
use glam::{DMat3, DVec3};

/// Pairs of planes.
const SLABS: usize = 9;

/// The axes, then the diagonals `e_i + e_j` and `e_i - e_j` of the planes (1, 2), (2, 0), (0, 1).
const NORMALS: [[i8; 3]; SLABS] =
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1], [0, 1, -1], [1, 0, 1], [-1, 0, 1], [1, 1, 0], [1, -1, 0]];

/// A volume in the node frame of its model: slab k is `|n_k . x - centre[k]| <= half[k]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kdop18 {
    pub centre: [f32; SLABS],
    pub half: [f32; SLABS],
}

/// Eight of them; rows of eight lanes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct WideKdop18 {
    centre: [[f32; 8]; SLABS],
    half: [[f32; 8]; SLABS],
    enclosing_radius: [f32; 8],
}

const _: () = assert!(size_of::<WideKdop18>() == 19 * 32);
/// The family of slabs with these normals.
pub struct Slabs;

impl Family for Slabs {
    type Probe<E: Element> = SlabProbe<E>;
}

/// One volume and the motion to the frame of the other model. The kernels re-bound it.
#[derive(Clone, Copy, Debug)]
pub struct SlabProbe<E> {
    source: Kdop18,
    motion: Motion<E>,
}

/// A probe with the normals of the lanes.
struct Rebounded<E> {
    centre: [E; SLABS],
    half: [E; SLABS],
}

/// Components of eight normals in lanes: of the first eight, then of the last.
const COMPONENTS: [[[f32; 8]; 3]; 2] = {
    let mut components = [[[0.0; 8]; 3]; 2];
    let mut slab = 0;
    while slab < SLABS {
        let mut axis = 0;
        while axis < 3 {
            components[slab / 8][axis][slab % 8] = NORMALS[slab][axis] as f32;
            axis += 1;
        }
        slab += 1;
    }
    components
};

fn normal(slab: usize) -> DVec3 {
    DVec3::from_array(NORMALS[slab].map(f64::from))
}

/// A vector along normal `slab`, times the length of the normal.
#[inline(always)]
fn along<E: Element>(slab: usize, [x, y, z]: [E; 3]) -> E {
    match slab {
        0 => x,
        1 => y,
        2 => z,
        3 => y + z,
        4 => y - z,
        5 => z + x,
        6 => z - x,
        7 => x + y,
        _ => x - y,
    }
}

/// A stored number in all lanes.
#[inline(always)]
fn stored<S: Simd, L: Eight<S>>(simd: S, value: f32) -> L {
    L::splat(simd, L::Element::from_f32(value))
}

/// How far points reach along the normals, in f64.
#[derive(Clone, Copy, Debug)]
pub struct Offsets {
    low: [f64; SLABS],
    high: [f64; SLABS],
}

impl Union for Offsets {
    const NONE: Self = Self { low: [f64::INFINITY; SLABS], high: [f64::NEG_INFINITY; SLABS] };

    #[inline(always)]
    fn add_point(&mut self, point: DVec3) {
        for slab in 0..SLABS {
            let offset = along(slab, point.to_array());
            self.low[slab] = if offset < self.low[slab] { offset } else { self.low[slab] };
            self.high[slab] = if offset > self.high[slab] { offset } else { self.high[slab] };
        }
    }

    #[inline(always)]
    fn unite(&mut self, other: &Self) {
        for slab in 0..SLABS {
            self.low[slab] = if other.low[slab] < self.low[slab] { other.low[slab] } else { self.low[slab] };
            self.high[slab] = if other.high[slab] > self.high[slab] { other.high[slab] } else { self.high[slab] };
        }
    }
}

impl Kdop18 {
    /// The slabs of points that reach so far.
    #[inline(always)]
    fn between(offsets: &Offsets) -> Self {
        let Offsets { low, high } = offsets;
        let whole = cluster_magnitude(low, high);
        let mut fitted = Self::default();
        for slab in 0..SLABS {
            let centre = (low[slab] * 0.5 + high[slab] * 0.5) as f32;
            let middle = centre as f64;
            // Recentring, the sum along a diagonal and these differences err by less than 2^-50 of the coordinates.
            let magnitude = low[slab].abs().max(high[slab].abs()).max(middle.abs());
            let half = (high[slab] - middle).max(middle - low[slab]) + whole.max(magnitude) * 2f64.powi(-50);
            (fitted.centre[slab], fitted.half[slab]) = (centre, round_up_length(half));
        }
        fitted
    }

    /// Centre and half width of the tightest slabs along eight directions that the planes of this volume imply.
    #[inline(always)]
    fn across<S: Simd, L: Eight<S>>(&self, simd: S, v: &[L; 3]) -> [L; 2] {
        let (zero, one): (L, L) = (stored(simd, 0.0), stored(simd, 1.0));
        let (mut centre, mut half) = (zero, zero);
        let (mut x, mut sign) = ([zero; 3], [zero; 3]);
        for k in 0..3 {
            (x[k], sign[k]) = (v[k].abs(), one.copysign(v[k]));
        }
        let mut left = x;
        for k in 0..3 {
            // The diagonals of the plane across axis k.
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let share = (x[i] + x[j] - x[k]) * L::Element::from_f32(0.5);
            let weight = share.smaller(x[i].smaller(x[j])).larger(zero);
            left[i] -= weight;
            left[j] -= weight;
            // `s_i e_i + s_j e_j` is `s_i` times the sum of both axes for equal signs, else times their difference.
            let (sum, difference) = (3 + 2 * k, 4 + 2 * k);
            let differ = zero.greater(sign[i] * sign[j]);
            let slab_centre = L::choose(differ, stored(simd, self.centre[difference]), stored(simd, self.centre[sum]));
            let slab_half = L::choose(differ, stored(simd, self.half[difference]), stored(simd, self.half[sum]));
            centre += sign[i] * weight * slab_centre;
            half += weight * slab_half;
        }
        for k in 0..3 {
            let weight = left[k].larger(zero);
            centre += sign[k] * weight * L::Element::from_f32(self.centre[k]);
            half += weight * L::Element::from_f32(self.half[k]);
        }
        [centre, half]
    }

    fn axis_part(&self) -> (DVec3, DVec3) {
        let three = |row: &[f32; SLABS]| DVec3::new(row[0] as f64, row[1] as f64, row[2] as f64);
        (three(&self.centre), three(&self.half))
    }
}

impl<E: Element> SlabProbe<E> {
    #[inline(always)]
    fn rebound<S: Simd, L: Eight<S, Element = E>>(&self, simd: S) -> Rebounded<E> {
        let zero = E::from_f64(0.0);
        let mut rebounded = Rebounded { centre: [zero; SLABS], half: [zero; SLABS] };
        let (rotation, translation, ratio) = (self.motion.rows(), self.motion.translation(), self.motion.ratio);
        for (part, components) in COMPONENTS.iter().enumerate() {
            let n = load3::<S, L>(simd, components);
            // Products with 0, 1 and -1 are exact, so this rounds like the sum or difference of two entries.
            let direction: [L; 3] = combination(&n, &rotation);
            let shift = dot(&n, &translation);
            let [centre, half] = self.source.across(simd, &direction);
            let (centre, half) = (centre * ratio + shift, half * ratio);
            let count = (SLABS - 8 * part).min(8);
            rebounded.centre[8 * part..][..count].copy_from_slice(&centre.as_slice()[..count]);
            rebounded.half[8 * part..][..count].copy_from_slice(&half.as_slice()[..count]);
        }
        rebounded
    }
}

/// Signed gaps along the nine normals, times their lengths.
#[inline(always)]
fn gap<S: Simd, L: Eight<S>>(simd: S, wide: &WideKdop18, probe: &Rebounded<L::Element>, slab: usize) -> L {
    let centre = L::load(simd, &wide.centre[slab]) - probe.centre[slab];
    centre.abs() - L::load(simd, &wide.half[slab]) - probe.half[slab]
}

impl Volume for Kdop18 {
    const KIND: VolumeKind = VolumeKind::Kdop18;
    type Family = Slabs;
    type Wide = WideKdop18;
    const SLACK: Slack = Slack { source: 104.0, translation: 18.0, target: 16.0, stored: 0.0 };

    type Union = Offsets;

    fn fit(cluster: &Cluster, _quality: Quality) -> Self {
        let mut offsets = Offsets::NONE;
        cluster.points().for_each(|point| offsets.add_point(point));
        Self::between(&offsets)
    }

    /// The slabs of the slabs are those of the triangles: the same bits as `fit`.
    #[inline(always)]
    fn refit(&self, union: &Offsets, _cluster: &Cluster) -> Self {
        Self::between(union)
    }

    fn surface(&self) -> f64 {
        let [x, y, z, ..] = self.half;
        box_surface(x, y, z)
    }

    fn split_axes(&self) -> DMat3 {
        DMat3::IDENTITY
    }

    fn excess(&self, point: DVec3) -> f64 {
        let outside = |slab: usize| {
            let offset = normal(slab).dot(point) - self.centre[slab] as f64;
            (offset.abs() - self.half[slab] as f64) / normal(slab).length()
        };
        (0..SLABS).map(outside).fold(f64::NEG_INFINITY, f64::max)
    }

    fn reach(&self) -> f64 {
        let (centre, half) = self.axis_part();
        (centre.abs() + half).length() * 1.000001
    }

    fn enclosing_radius(&self) -> f32 {
        let [x, y, z, ..] = self.half;
        (x * x + y * y + z * z).sqrt()
    }

    fn store(&self, wide: &mut WideKdop18, lane: usize) {
        for slab in 0..SLABS {
            wide.centre[slab][lane] = self.centre[slab];
            wide.half[slab][lane] = self.half[slab];
        }
        wide.enclosing_radius[lane] = self.enclosing_radius();
    }

    #[inline(always)]
    fn load(wide: &WideKdop18, lane: usize) -> Self {
        let mut loaded = Self::default();
        for slab in 0..SLABS {
            loaded.centre[slab] = wide.centre[slab][lane];
            loaded.half[slab] = wide.half[slab][lane];
        }
        loaded
    }

    #[inline(always)]
    fn enclosing_radii(wide: &WideKdop18) -> [f32; 8] {
        wide.enclosing_radius
    }

    #[inline(always)]
    fn probe<S: Simd, E: Element>(_simd: S, wide: &WideKdop18, lane: usize, motion: &Motion<E>) -> SlabProbe<E> {
        SlabProbe { source: Self::load(wide, lane), motion: *motion }
    }

    #[inline(always)]
    fn separation<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideKdop18,
        probe: &SlabProbe<L::Element>,
        _slack: L::Element,
        _first_stage: &mut u32,
    ) -> L {
        let probe = &probe.rebound::<S, L>(simd);
        let mut axes = gap::<S, L>(simd, wide, probe, 0);
        for slab in 1..3 {
            axes = axes.larger(gap(simd, wide, probe, slab));
        }
        let mut diagonals = gap::<S, L>(simd, wide, probe, 3);
        for slab in 4..SLABS {
            diagonals = diagonals.larger(gap(simd, wide, probe, slab));
        }
        // Rounded down, so that dividing by the length of the normal cannot round up.
        axes.larger(diagonals * L::Element::from_f64(core::f64::consts::FRAC_1_SQRT_2 * (1.0 - 1e-7)))
    }

    #[inline(always)]
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideKdop18,
        probe: &SlabProbe<L::Element>,
        _beyond: L::Element,
        _first_stage: &mut u32,
    ) -> L {
        let probe = &probe.rebound::<S, L>(simd);
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let mut squares = [zero; SLABS];
        for (slab, square) in squares.iter_mut().enumerate() {
            let positive = gap::<S, L>(simd, wide, probe, slab).larger(zero);
            *square = positive * positive;
        }
        let mut most = squares[0] + squares[1] + squares[2];
        for k in 0..3 {
            let across = (squares[3 + 2 * k] + squares[4 + 2 * k]) * L::Element::from_f64(0.5);
            most = most.larger(squares[k] + across);
        }
        most.sqrt()
    }

    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3])) {
        let mut planes = [(DVec3::ZERO, 0.0); 2 * SLABS];
        for slab in 0..SLABS {
            let (centre, half) = (self.centre[slab] as f64, self.half[slab] as f64);
            planes[2 * slab] = (normal(slab), half + centre);
            planes[2 * slab + 1] = (-normal(slab), half - centre);
        }
        tessellation::polytope(&planes, emit);
    }
}

/// The largest coordinate of the points.
fn cluster_magnitude(low: &[f64; SLABS], high: &[f64; SLABS]) -> f64 {
    (0..3).fold(0.0, |most: f64, axis| most.max(low[axis].abs()).max(high[axis].abs()))
}
