//! Oriented boxes: the default volume.
//!
//! A box is the parallelepiped `{centre + x0 axis0 + x1 axis1 + x2 axis2 : |xj| <= half_j}`. Its first two axes are the
//! rounded f32 numbers themselves, and its third axis is their f32 cross product. The fit encloses the triangles in
//! that set, so only the arithmetic of the kernel is left to err.
//!
//! # Slack
//!
//! Symbols:
//! - `u` the unit roundoff, `r` the reach of the source, `T` the length of the translation, `Q` the reach of the target
//! - `D = T + r + Q`; `k` and `h` half the diagonals of probe and lane
//!
//! Steps:
//! 1. The probe's centre is off by `u (10.4 r + 2.8 (T + r))`: rounded rotation, three products, ratio, translation.
//! 2. The probe's first two axes are off by `6.9 u` each. The third, their cross product, is off by `21 u`. This moves
//!    a point of the box by at most `24 u k`. From here on the probe is the box with the computed axes: the rows of a
//!    matrix P with `P P^T = I + E`, `|E| <= 40 u`.
//! 3. Everything is seen along the rows of P. `between` costs `u D` and a product with a row `3 u D`, so `along_probe`
//!    is off by `4 u D` per entry.
//! 4. The lanes' first two axes, along the rows of P, are off by `5.2 u`. The third is the cross product of these in
//!    P's frame. There `(P a) x (P b) = det P (I + E)^-1 P (a x b)` differs from `P (a x b)` by `100 u`, with rounding
//!    by `120 u`. So `covered_probe`, a vector of three, errs by `u (128 h + 8 k)`.
//! 5. The refinement: a direction that P sees as n is `P^T n`. Along it the centres are `n . along_probe` apart, off by
//!    `10 u D |n|`. The probe reaches `sum |n_i + (E n)_i| k_i`, off by `45 u k |n|`; the lane reaches `sum |n . P a_j|
//!    h_j`, off by `125 u h |n|`.
//! 6. For `n` a lane's axis, the lane reaches `h_j` and at most `u (45, 45, 165) . h` beyond. For all three axes this
//!    is a vector of length `380 u h`.
//! 7. Across the first axes, `n = x cross a`. The products left out or taken from others (`n . a = 0`, `n . b = c_x`,
//!    `n . c = -b_x` for the lane's axes a, b, c) are off by `u (5, 9, 270) |n|` where `|n| >= 1/2`. Elsewhere nothing
//!    is divided by `|n|`, and they are off by no more than at 1/2: `280 u h`.
//! 8. Together: `u (24 r + 13 T + 11 Q + 78 k + 400 h)`. The caller subtracts the first three terms (`SLACK`). The last two,
//!    which shrink with the boxes, are in the boxes: each is stored larger by `512 u` times half its diagonal (`LARGER`). Along a
//!    direction n a box that is larger by s to every side reaches `s sum |n . a_j|` farther, which is `s |n|` at least, less the
//!    roundings of the axes. That is more than either term asks for, and no kernel has to compute it.
//! 9. The lengths of directions err by less than `220 u`. The factor in the unit of the motion covers this.
//!
//! A witness is the direction `P^T n` of the bound, for n from the gaps along P's rows or along the lane's axes, or for
//! n across the longest axes:
//! 1. The lane's axes as P sees them are off by `120 u`, `P^T P` is off the identity by `40 u`, and a length is off by
//!    `110 u`.
//! 2. The division, the products and the sums add less than `10 u`.
//! 3. So a witness is within `300 u` of a direction of length 1 along which the boxes are as far apart as the bound
//!    says (`WITNESS`).
//!
//! # Why tests need so little of it
//!
//! The search for bad inputs in `posed/slack_holds.rs` needs a fifteenth of the slack in f32, because the worst cases
//! exclude each other. A rounding costs all of `u` only just above a power of two. A product with an axis is as long as
//! `D` along one axis only, while the sum counts it for three. A box at the reach of its model is counted for every
//! box. Forty errors would have to point along one gap with one sign. Without any slack, `tests/engine.rs` fails.

use crate::math::bounds::Bounds;
use crate::math::motion::Motion;
use crate::math::rounding::round_up_length;
use crate::simd::eight::{Eight, Element, LaneArithmetic, abs3, choose3, largest, load3};
use crate::simd::sixteen::{load_both3, splat_both, splat_both3};
use crate::simd::three::{column, combination, cross, difference, dot, map3, three};
use crate::volume::boxes::slab_entry::{inverse, slab_entry};
use crate::volume::fit::cluster::Cluster;
use crate::volume::fit::orientation;
use crate::volume::fit::tessellation;
use crate::volume::fit::turned_bounds;
use crate::volume::ray::{Entries, Ray};
use crate::volume::{Family, Quality, Slack, Volume, VolumeKind, box_surface};
use core::ops::{Add, Mul, Sub};
use fearless_simd::{Simd, f32x8, f32x16};
use glam::{DMat3, DVec3};

/// A box in the node frame of its model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Obb {
    pub centre: [f32; 3],
    /// First and second axis, unit length to rounding.
    pub axes: [[f32; 3]; 2],
    pub half: [f32; 3],
}

/// Eight boxes; rows of eight lanes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct WideObb {
    pub centre: [[f32; 8]; 3],
    axes: [[[f32; 8]; 3]; 2],
    pub half: [[f32; 8]; 3],
}

const _: () = assert!(size_of::<WideObb>() == 12 * 32);

/// The family of boxes: every probe is an oriented box.
pub struct Boxes;

impl Family for Boxes {
    type Probe<E: Element> = BoxProbe<E>;
}

/// One box in the other model's frame.
#[derive(Clone, Copy, Debug)]
pub struct BoxProbe<E> {
    pub centre: [E; 3],
    pub axes: [[E; 3]; 3],
    /// Absolute values of the axes' components.
    pub absolute: [[E; 3]; 3],
    pub half: [E; 3],
    /// A sphere around the contents: centre and radius. Like `absolute`, it costs nothing when no kernel uses it.
    pub sphere: ([E; 3], E),
}

/// A stored box is larger than its contents by this many roundings of half its diagonal, to every side.
const LARGER: f64 = 512.0;

/// The corners of a box with axes orthonormal to rounding are within its half diagonal, times this.
pub const CORNERS: f64 = 1.000_001;

/// What two boxes are compared by when one of them is to be opened: the area across the longest axis, which is the first, and a
/// share of that axis' square. Empty space in a box is what a search opens it for, and a box has little of that if it is thin:
/// the parts of a long or wide box that is thin are hardly nearer to anything than the box is. The share tells flat boxes apart.
#[inline(always)]
fn cross_section<T>([x, y, z]: [T; 3]) -> T
where
    T: Copy + Add<Output = T> + Mul<Output = T> + Mul<f32, Output = T>,
{
    y * z + x * x * (1.0 / 64.0)
}

/// In f64. Spelt out, because `map` would not be inlined.
#[inline(always)]
fn widened(v: [f32; 3]) -> DVec3 {
    DVec3::new(v[0] as f64, v[1] as f64, v[2] as f64)
}

impl Obb {
    /// The tightest box with (the f32 rounding of) the given orthonormal axes.
    pub fn around(cluster: &Cluster, axes: DMat3) -> Self {
        let axes = [axes.x_axis.as_vec3().to_array(), axes.y_axis.as_vec3().to_array()];
        let third = cross(&axes[0], &axes[1]);
        let matrix = DMat3::from_cols(widened(axes[0]), widened(axes[1]), widened(third));
        let inverse = matrix.inverse();
        let Bounds { low, high } = turned_bounds::of_cluster(cluster, &inverse);
        let centre = (matrix * ((low + high) * 0.5)).as_vec3();
        let middle = inverse * centre.as_dvec3();
        // Recentring, the inverse and the products err by less than 2^-48 of the magnitude of the coordinates.
        let magnitude = low.abs().max(high.abs()).max_element().max(middle.abs().max_element());
        let half = (high - middle).max(middle - low) + DVec3::splat(magnitude * 2f64.powi(-48));
        let half = half + DVec3::splat(half.length() * LARGER * f32::ROUNDING);
        Self {
            centre: centre.to_array(),
            axes,
            half: [round_up_length(half.x), round_up_length(half.y), round_up_length(half.z)],
        }
    }

    /// The box around the cluster with its longest axis first. The kernel tests the direction across the first axes.
    fn longest_first(cluster: &Cluster, axes: DMat3) -> Self {
        let found = Self::around(cluster, axes);
        let [x, y, z] = found.half;
        if z > x && z > y {
            // The third axis is formed from the others, so fit the box again to the axes as they will be.
            return Self::around(cluster, DMat3::from_cols(axes.z_axis, axes.x_axis, axes.y_axis));
        }
        found.with_longer_first()
    }

    /// The same box with the longer of its first two axes first: the third axis changes its sign only.
    fn with_longer_first(self) -> Self {
        let ([x, y, z], [first, second]) = (self.half, self.axes);
        if y > x { Self { axes: [second, first], half: [y, x, z], ..self } } else { self }
    }

    fn matrix(&self) -> DMat3 {
        DMat3::from_cols(widened(self.axes[0]), widened(self.axes[1]), widened(cross(&self.axes[0], &self.axes[1])))
    }
}

impl Volume for Obb {
    const KIND: VolumeKind = VolumeKind::Obb;
    type Family = Boxes;
    type Wide = WideObb;
    const SLACK: Slack = Slack { source: 24.0, translation: 14.0, target: 12.0, stored: 8.0 };
    /// Boxes along the axes are stored as they are: step 8 without what a box is larger by. They have `k <= sqrt 2 r`.
    const FOREIGN: f64 = 112.0;
    const WITNESS: Option<f64> = Some(300.0);
    type Union = ();

    fn fit(cluster: &Cluster, quality: Quality) -> Self {
        Self::longest_first(cluster, orientation::axes(cluster, quality))
    }

    /// One triangle gets the box of its own that `fit` gives it. Larger sets keep their directions: fitted to the vertices
    /// along those, a box is as tight as they allow, while a box around the boxes below would grow from level to level.
    fn refit(&self, _union: &(), cluster: &Cluster) -> Self {
        if cluster.triangles.len() == 1 {
            return Self::fit(cluster, Quality::Fast);
        }
        let found = Self::around(cluster, self.matrix());
        let [x, y, z] = found.half;
        if z > x && z > y {
            // The third axis of f32 numbers is only nearly at right angles, and it must not become less so each time.
            let axes = orientation::orthonormal(self.axes);
            return Self::around(cluster, DMat3::from_cols(axes.z_axis, axes.x_axis, axes.y_axis));
        }
        found.with_longer_first()
    }

    fn surface(&self) -> f64 {
        let [x, y, z] = self.half;
        box_surface(x, y, z)
    }

    fn split_axes(&self) -> DMat3 {
        self.matrix()
    }

    fn cut_axes(cluster: &Cluster, quality: Quality) -> DMat3 {
        orientation::cut_axes(cluster, quality)
    }

    fn excess(&self, point: DVec3) -> f64 {
        let local = self.matrix().inverse() * (point - widened(self.centre));
        (local.abs() - widened(self.half)).max_element()
    }

    fn reach(&self) -> f64 {
        (widened(self.centre).length() + widened(self.half).length()) * 1.000001
    }

    #[inline(always)]
    fn enclosing_radius(&self) -> f32 {
        let [x, y, z] = self.half;
        (x * x + y * y + z * z).sqrt()
    }

    fn store(&self, wide: &mut WideObb, lane: usize) {
        for k in 0..3 {
            wide.centre[k][lane] = self.centre[k];
            wide.axes[0][k][lane] = self.axes[0][k];
            wide.axes[1][k][lane] = self.axes[1][k];
            wide.half[k][lane] = self.half[k];
        }
    }

    #[inline(always)]
    fn load(wide: &WideObb, lane: usize) -> Self {
        Self {
            centre: column(&wide.centre, lane),
            axes: [column(&wide.axes[0], lane), column(&wide.axes[1], lane)],
            half: column(&wide.half, lane),
        }
    }

    #[inline(always)]
    fn enclosing_radii(wide: &WideObb) -> [f32; 8] {
        let [x, y, z] = &wide.half;
        let mut radii = [0.0; 8];
        for (lane, radius) in radii.iter_mut().enumerate() {
            *radius = (x[lane] * x[lane] + y[lane] * y[lane] + z[lane] * z[lane]).sqrt();
        }
        radii
    }

    #[inline(always)]
    fn sizes<S: Simd>(simd: S, wide: &WideObb) -> f32x8<S> {
        cross_section(load3::<S, f32x8<S>>(simd, &wide.half))
    }

    #[inline(always)]
    fn size(wide: &WideObb, lane: usize, unit: f32) -> f32 {
        cross_section(column(&wide.half, lane)) * (unit * unit)
    }

    #[inline(always)]
    fn probe<S: Simd, E: Element>(simd: S, wide: &WideObb, lane: usize, motion: &Motion<E>) -> BoxProbe<E> {
        let source = Self::load(wide, lane);
        let (first, second) = (motion.turn(simd, source.axes[0]), motion.turn(simd, source.axes[1]));
        let axes = [first, second, cross(&first, &second)];
        let centre = motion.place(simd, source.centre);
        BoxProbe {
            centre,
            axes,
            absolute: map3(
                &axes,
                #[inline(always)]
                |axis| map3(&axis, E::abs),
            ),
            half: map3(
                &source.half,
                #[inline(always)]
                |half| E::from_f32(half) * motion.ratio,
            ),
            sphere: (centre, E::from_f32(source.enclosing_radius()) * motion.ratio * E::from_f64(CORNERS)),
        }
    }

    #[inline(always)]
    fn separation<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideObb,
        probe: &BoxProbe<L::Element>,
        _slack: L::Element,
        _first_stage: &mut u32,
    ) -> L {
        View::<L>::new(simd, wide, probe).separation(probe)
    }

    #[inline(always)]
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideObb,
        probe: &BoxProbe<L::Element>,
        _beyond: L::Element,
        _first_stage: &mut u32,
    ) -> L {
        if L::IS_F64 {
            let axes = lane_axes::<S, L>(simd, wide);
            return along_centres(simd, probe, &axes, load3(simd, &wide.half), load3(simd, &wide.centre));
        }
        View::<L>::new(simd, wide, probe).lower_bound(simd, probe)
    }

    #[inline(always)]
    fn bound_or_depth<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideObb,
        probe: &BoxProbe<L::Element>,
        beyond: L::Element,
        first_stage: &mut u32,
    ) -> L {
        if L::IS_F64 {
            return Self::lower_bound(simd, wide, probe, beyond, first_stage);
        }
        View::<L>::new(simd, wide, probe).bound_or_depth(simd, probe)
    }

    #[inline(always)]
    fn separation_of_two<S: Simd>(simd: S, wides: [&WideObb; 2], probes: [&BoxProbe<f32>; 2]) -> f32x16<S> {
        let (view, probe) = view_two(simd, wides, probes);
        view.separation(&probe)
    }

    #[inline(always)]
    fn lower_bound_of_two<S: Simd>(simd: S, wides: [&WideObb; 2], probes: [&BoxProbe<f32>; 2]) -> f32x16<S> {
        let (view, probe) = view_two(simd, wides, probes);
        view.lower_bound(simd, &probe)
    }

    #[inline(always)]
    fn bound_or_depth_of_two<S: Simd>(simd: S, wides: [&WideObb; 2], probes: [&BoxProbe<f32>; 2]) -> f32x16<S> {
        let (view, probe) = view_two(simd, wides, probes);
        view.bound_or_depth(simd, &probe)
    }

    #[inline(always)]
    fn to_point<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideObb,
        point: [L::Element; 3],
        probe: &BoxProbe<L::Element>,
        beyond: L::Element,
    ) -> L {
        if L::IS_F64 {
            return Self::lower_bound(simd, wide, probe, beyond, &mut 0);
        }
        // A probe without extents, seen along the lanes' axes alone: each term of the slack above is smaller or missing.
        let (axes, half) = (lane_axes::<S, L>(simd, wide), load3::<S, L>(simd, &wide.half));
        let centre = load3::<S, L>(simd, &wide.centre);
        let between: [L; 3] = three(
            #[inline(always)]
            |k| centre[k] - point[k],
        );
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let gap: [L; 3] = three(
            #[inline(always)]
            |j| (dot(&between, &axes[j]).abs() - half[j]).larger(zero),
        );
        dot(&gap, &gap).sqrt()
    }

    const SEES_LINES: bool = true;

    #[inline(always)]
    fn entry<S: Simd>(simd: S, wide: &WideObb, ray: &Ray<BoxProbe<f32>>, limit: f32) -> Entries<S> {
        let axes = lane_axes::<S, f32x8<S>>(simd, wide);
        let (half, centre) = (load3::<S, f32x8<S>>(simd, &wide.half), load3::<S, f32x8<S>>(simd, &wide.centre));
        let between: [f32x8<S>; 3] = three(
            #[inline(always)]
            |k| centre[k] - ray.line.origin[k],
        );
        let offset = three(
            #[inline(always)]
            |j| dot(&between, &axes[j]),
        );
        let inverse = three(
            #[inline(always)]
            |j| inverse(simd, dot(&axes[j], &ray.line.direction)),
        );
        slab_entry(simd, [offset, inverse, half], &ray.line, limit)
    }

    #[inline(always)]
    fn witness<S: Simd>(simd: S, wide: &WideObb, probe: &BoxProbe<f32>) -> (f32x8<S>, [f32x8<S>; 3]) {
        View::<f32x8<S>>::new(simd, wide, probe).witness(simd, probe)
    }

    #[inline(always)]
    fn centres(wide: &WideObb) -> &[[f32; 8]; 3] {
        &wide.centre
    }

    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3])) {
        let matrix = self.matrix() * DMat3::from_diagonal(DVec3::from_array(self.half.map(f64::from)));
        tessellation::parallelepiped(DVec3::from_array(self.centre.map(f64::from)), matrix, emit);
    }
}

/// All three axes of the lanes.
#[inline(always)]
pub fn lane_axes<S: Simd, L: Eight<S>>(simd: S, wide: &WideObb) -> [[L; 3]; 3] {
    let (first, second) = (load3::<S, L>(simd, &wide.axes[0]), load3::<S, L>(simd, &wide.axes[1]));
    [first, second, cross(&first, &second)]
}

/// Boxes as the probe sees them, eight as one probe does or sixteen as two do: everything along the probe's axes.
struct View<L> {
    /// The lanes' axes: `axes[j][i]` along probe axis i.
    axes: [[L; 3]; 3],
    half: [L; 3],
    /// From the probe's centre to the lane's, along the axes of the probe and of the lane.
    along_probe: [L; 3],
    along_lane: [L; 3],
    /// What both boxes cover together: the sum of their half widths along the same axes.
    covered_probe: [L; 3],
    covered_lane: [L; 3],
}

/// Lanes that are computed with the numbers of a probe: the same for all of them, or one for each.
trait Beside<P>: Add<P, Output = Self> + Sub<P, Output = Self> + Mul<P, Output = Self> + Sized {}

impl<L, P> Beside<P> for L where L: Add<P, Output = L> + Sub<P, Output = L> + Mul<P, Output = L> {}

/// The boxes of two nodes, each as the probe of the same number sees them, and both probes.
#[inline(always)]
fn view_two<S: Simd>(
    simd: S,
    [low, high]: [&WideObb; 2],
    [first, second]: [&BoxProbe<f32>; 2],
) -> (View<f32x16<S>>, BoxProbe<f32x16<S>>) {
    let axes = three(
        #[inline(always)]
        |i| splat_both3(simd, [&first.axes[i], &second.axes[i]]),
    );
    let probe = BoxProbe {
        centre: splat_both3(simd, [&first.centre, &second.centre]),
        axes,
        absolute: map3(
            &axes,
            #[inline(always)]
            |axis| abs3(&axis),
        ),
        half: splat_both3(simd, [&first.half, &second.half]),
        sphere: (
            splat_both3(simd, [&first.sphere.0, &second.sphere.0]),
            splat_both(simd, [first.sphere.1, second.sphere.1]),
        ),
    };
    let centre = load_both3(simd, [&low.centre, &high.centre]);
    let axes = [load_both3(simd, [&low.axes[0], &high.axes[0]]), load_both3(simd, [&low.axes[1], &high.axes[1]])];
    let half = load_both3(simd, [&low.half, &high.half]);
    (View::of_rows(centre, axes, half, &probe), probe)
}

impl<L> View<L> {
    #[inline(always)]
    fn new<S: Simd>(simd: S, wide: &WideObb, probe: &BoxProbe<L::Element>) -> Self
    where
        L: Eight<S>,
    {
        let axes = [load3(simd, &wide.axes[0]), load3(simd, &wide.axes[1])];
        Self::of_rows(load3(simd, &wide.centre), axes, load3(simd, &wide.half), probe)
    }

    #[inline(always)]
    fn of_rows<S: Simd, P: Copy>(
        centre: [L; 3],
        [stored_first, stored_second]: [[L; 3]; 2],
        half: [L; 3],
        probe: &BoxProbe<P>,
    ) -> Self
    where
        L: LaneArithmetic<S> + Beside<P>,
    {
        let between = difference(&centre, &probe.centre);
        // One axis of the probe after the other, so that only one has to stay in registers.
        let seen: [[L; 3]; 3] = three(
            #[inline(always)]
            |i| {
                let axis = &probe.axes[i];
                [dot(&between, axis), dot(&stored_first, axis), dot(&stored_second, axis)]
            },
        );
        let along_probe = [seen[0][0], seen[1][0], seen[2][0]];
        let first = [seen[0][1], seen[1][1], seen[2][1]];
        let second = [seen[0][2], seen[1][2], seen[2][2]];
        let axes = [first, second, cross(&first, &second)];
        let along_lane: [L; 3] = three(
            #[inline(always)]
            |j| dot(&along_probe, &axes[j]),
        );
        let absolute: [[L; 3]; 3] = [abs3(&axes[0]), abs3(&axes[1]), abs3(&axes[2])];
        let covered_probe = three(
            #[inline(always)]
            |i| absolute[0][i] * half[0] + absolute[1][i] * half[1] + absolute[2][i] * half[2] + probe.half[i],
        );
        let covered_lane = three(
            #[inline(always)]
            |j| dot(&absolute[j], &probe.half) + half[j],
        );
        Self { axes, half, along_probe, along_lane, covered_probe, covered_lane }
    }

    /// The largest gap along the faces; negative where the boxes overlap along all of them.
    #[inline(always)]
    fn largest_gap<S: Simd>(&self) -> L
    where
        L: LaneArithmetic<S>,
    {
        let in_probe: [L; 3] = three(
            #[inline(always)]
            |i| self.along_probe[i].abs() - self.covered_probe[i],
        );
        let in_lane: [L; 3] = three(
            #[inline(always)]
            |j| self.along_lane[j].abs() - self.covered_lane[j],
        );
        largest::<S, L>(&in_probe).larger(largest::<S, L>(&in_lane))
    }

    /// The larger of the norm of the longer gap vector and of the gap along that vector.
    #[inline(always)]
    fn lower_bound<S: Simd, P: Copy>(&self, simd: S, probe: &BoxProbe<P>) -> L
    where
        L: LaneArithmetic<S> + Beside<P>,
    {
        let gaps = self.gaps(simd, probe);
        gaps.by_faces.larger(gaps.across)
    }

    /// `lower_bound`, or the largest gap where that is not above 0.
    #[inline(always)]
    fn bound_or_depth<S: Simd, P: Copy>(&self, simd: S, probe: &BoxProbe<P>) -> L
    where
        L: LaneArithmetic<S> + Beside<P>,
    {
        let bound = self.lower_bound(simd, probe);
        let apart = bound.greater(L::splat(simd, L::Element::from_f64(0.0)));
        L::choose(apart, bound, self.largest_gap())
    }

    /// The largest gap along the directions of `lower_bound` that need no division.
    #[inline(always)]
    fn separation<S: Simd, P: Copy>(&self, probe: &BoxProbe<P>) -> L
    where
        L: LaneArithmetic<S> + Beside<P>,
    {
        self.largest_gap().larger(self.across_longest(probe))
    }

    /// `lower_bound`, and the direction along which the boxes are that far apart, in the frame of the lanes.
    #[inline(always)]
    fn witness<S: Simd>(&self, simd: S, probe: &BoxProbe<L::Element>) -> (L, [L; 3])
    where
        L: Eight<S>,
    {
        let gaps = self.gaps(simd, probe);
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let is_across = gaps.across.greater(gaps.by_faces);
        let [_, y, z] = self.axes[0];
        let is_behind = zero.greater(self.along_probe[2] * y - self.along_probe[1] * z);
        let across = [zero, L::choose(is_behind, z, -z), L::choose(is_behind, -y, y)];
        let length = L::choose(is_across, gaps.length_across, gaps.length);
        let seen: [L; 3] = three(
            #[inline(always)]
            |i| L::choose(is_across, across[i], gaps.direction[i]) / length,
        );
        let direction = combination(&seen, &probe.axes);
        (gaps.by_faces.larger(gaps.across), direction)
    }

    #[inline(always)]
    fn gaps<S: Simd, P: Copy>(&self, simd: S, probe: &BoxProbe<P>) -> Separations<L>
    where
        L: LaneArithmetic<S> + Beside<P>,
    {
        let gap_probe: [L; 3] = three(
            #[inline(always)]
            |i| beyond(self.along_probe[i], self.covered_probe[i]),
        );
        let gap_lane: [L; 3] = three(
            #[inline(always)]
            |j| beyond(self.along_lane[j], self.covered_lane[j]),
        );
        let (by_probe, by_lane) = (dot(&gap_probe, &gap_probe), dot(&gap_lane, &gap_lane));
        let norm = by_probe.larger(by_lane).sqrt();
        // Project both boxes on the direction of the longer gap vector. This is never worse for parallel faces, and
        // better for others.
        let probe_wins = by_probe.greater(by_lane);
        let axes = &self.axes;
        let direction: [L; 3] = choose3(probe_wins, &gap_probe, &combination(&gap_lane, axes));
        let along = dot(&direction, &self.along_probe);
        let radius_probe = dot(&abs3(&direction), &probe.half);
        let in_lane: [L; 3] = three(
            #[inline(always)]
            |j| dot(&direction, &axes[j]).abs(),
        );
        let radius_lane = dot(&in_lane, &self.half);
        // Gaps below 2^-75 have squares that underflow in f32. Then the norm is 0, while the rounding of `along` is
        // not.
        let length = norm.larger(L::splat(simd, L::Element::from_f64(1e-22)));
        let refined = (along - radius_probe - radius_lane) / length;
        // A direction of length 1/2 or more is normalised. Below that, the error of its length would matter.
        let first = &self.axes[0];
        let squared = first[1] * first[1] + first[2] * first[2];
        let quarter = L::splat(simd, L::Element::from_f64(0.25));
        let below = L::splat(simd, L::Element::from_f64(-1.0));
        let length_across = squared.sqrt();
        let across = L::choose(squared.greater(quarter), self.across_longest(probe) / length_across, below);
        Separations { by_faces: refined.larger(norm), across, direction, length, length_across }
    }

    /// The gap along the direction across the longest axes of both boxes: in the probe's frame `x` times the lane's
    /// first axis. It separates long thin boxes that cross, and no other direction does. The direction is at most 1
    /// long, so the gap is at most the true one.
    #[inline(always)]
    fn across_longest<S: Simd, P: Copy>(&self, probe: &BoxProbe<P>) -> L
    where
        L: LaneArithmetic<S> + Beside<P>,
    {
        let [first, second, third] = &self.axes;
        let along = (self.along_probe[2] * first[1] - self.along_probe[1] * first[2]).abs();
        let radius_probe = first[2].abs() * probe.half[1] + first[1].abs() * probe.half[2];
        let radius_lane = third[0].abs() * self.half[1] + second[0].abs() * self.half[2];
        along - radius_probe - radius_lane
    }
}

/// How far the boxes are apart along the directions that were tried.
struct Separations<L> {
    /// Along `direction`, which points from the probe to the lane and has this `length`, in the frame of the probe.
    by_faces: L,
    direction: [L; 3],
    length: L,
    /// Across the longest axes, a direction of this length.
    across: L,
    length_across: L,
}

/// The part of a signed length that is more than `covered` away from zero.
#[inline(always)]
fn beyond<S: Simd, L: LaneArithmetic<S>>(length: L, covered: L) -> L {
    length - length.smaller(covered).larger(-covered)
}

/// For models far apart, in f64: project both boxes on the line between their centres. This uses no property of the
/// axes, so their f32 rounding is negligible against the distance.
#[inline(always)]
pub fn along_centres<S: Simd, L: Eight<S>>(
    simd: S,
    probe: &BoxProbe<L::Element>,
    axes: &[[L; 3]; 3],
    half: [L; 3],
    centre: [L; 3],
) -> L {
    let d: [L; 3] = difference(&centre, &probe.centre);
    let length = dot(&d, &d).sqrt();
    let mut radius = L::splat(simd, L::Element::from_f64(0.0));
    for i in 0..3 {
        radius += dot(&d, &probe.axes[i]).abs() * probe.half[i];
        radius += dot(&d, &axes[i]).abs() * half[i];
    }
    let tiny = L::splat(simd, L::Element::from_f64(f64::MIN_POSITIVE));
    length - radius / length.larger(tiny)
}
