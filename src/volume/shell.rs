use super::cluster::Cluster;
use super::obb::round_up;
use super::orientation;
use super::shell_fit::{Fitted, Sphere, fit};
use super::{Family, Kind, LaneCounts, Quality, Slack, Volume};
use crate::math::motion::Motion;
use crate::simd::eight::{Eight, Element, bits};
use crate::simd::three::{map3, three};
use fearless_simd::Simd;
use glam::{DMat3, DVec3, Vec3A};

/// A shell in the node frame of its model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shell {
    /// Where the axis of the cone leaves the sphere half way between the two radii.
    pub base: [f32; 3],
    /// Outward, unit length to rounding.
    pub axis: [f32; 3],
    /// One over the middle radius; 0 for a flat shell, a disc.
    pub curvature: f32,
    /// From `base` to the rim of the cap on the middle sphere: `2 sin(angle / 2) / curvature`.
    pub chord: f32,
    /// Half the difference of the two radii.
    pub half_thickness: f32,
    /// No point of the cap on the middle sphere is farther from the axis.
    pub lateral: f32,
    /// No point is farther from `base`.
    pub radius: f32,
}

/// Eight shells; rows of eight lanes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub struct WideShell {
    base: [[f32; 8]; 3],
    axis: [[f32; 8]; 3],
    curvature: [f32; 8],
    chord: [f32; 8],
    half_thickness: [f32; 8],
    lateral: [f32; 8],
    radius: [f32; 8],
}

const _: () = assert!(size_of::<WideShell>() == 11 * 32);
const _: () = assert!(size_of::<crate::tree::node::Node<WideShell>>() == 384);

/// The family of shells, which has one member.
pub struct Shells;

impl Family for Shells {
    type Probe<E: Element> = ShellProbe<E>;
}

/// One shell in the other model's frame.
#[derive(Clone, Copy, Debug)]
pub struct ShellProbe<E> {
    base: [E; 3],
    axis: [E; 3],
    curvature: E,
    chord: E,
    half_thickness: E,
    lateral: E,
    radius: E,
}

/// Eight shells in lanes: those of a node, or the probe eight times.
#[derive(Clone, Copy)]
struct Lanes<L> {
    base: [L; 3],
    axis: [L; 3],
    curvature: L,
    chord: L,
    half_thickness: L,
    lateral: L,
    radius: L,
}

#[inline(always)]
fn dot<S: Simd, L: Eight<S>>(a: &[L; 3], b: &[L; 3]) -> L {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a + factor * b`.
#[inline(always)]
fn along<S: Simd, L: Eight<S>>(a: &[L; 3], factor: L, b: &[L; 3]) -> [L; 3] {
    [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]]
}

impl Shell {
    fn sphere(&self) -> Sphere {
        Sphere {
            base: DVec3::from_array(self.base.map(f64::from)),
            axis: DVec3::from_array(self.axis.map(f64::from)).normalize(),
            curvature: f64::from(self.curvature),
        }
    }
}

impl From<Fitted> for Shell {
    fn from(fitted: Fitted) -> Self {
        let Fitted { sphere, half_thickness, chord } = fitted;
        let (half_thickness, chord) = (round_up(half_thickness), round_up(chord));
        let (t, c, curvature) = (f64::from(half_thickness), f64::from(chord), sphere.curvature);
        // 1 - cos of the angle; the cap is widest at its rim, or at the equator.
        let versine = 0.5 * (curvature * c).powi(2);
        let lateral = if versine < 1.0 { c * (1.0 - 0.5 * versine).sqrt() } else { 1.0 / curvature };
        let radius = (t * t + (1.0 + curvature * t) * c * c).sqrt();
        let up = 1.0 + 2f64.powi(-48);
        Self {
            base: sphere.base.as_vec3().to_array(),
            axis: sphere.axis.as_vec3().to_array(),
            curvature: curvature as f32,
            chord,
            half_thickness,
            lateral: round_up(lateral * up),
            radius: round_up(radius * up),
        }
    }
}

impl Volume for Shell {
    const KIND: Kind = Kind::Shell;
    type Family = Shells;
    type Wide = WideShell;
    const SLACK: Slack = Slack { source: 14.0, translation: 3.0, target: 1.0, stored: 16.0 };

    fn fit(cluster: &Cluster, quality: Quality) -> Self {
        fit(cluster, quality).into()
    }

    fn split_axes(&self) -> DMat3 {
        let axis = self.sphere().axis;
        let (first, second) = axis.any_orthonormal_pair();
        DMat3::from_cols(first, second, axis)
    }

    /// Section 7 cuts across the direction of the vertex that limits the cone. That vertex is a corner of its set, so
    /// the cut is a diagonal one and leaves long parts: on teapot_patches it costs 30 to 60 % more tests than cuts along
    /// the sides of a tight box.
    fn cut_axes(cluster: &Cluster, quality: Quality) -> DMat3 {
        orientation::axes(cluster, quality)
    }

    /// Shells are as long as they are wide, and their thickness grows with the square of that: sets should be round.
    #[inline(always)]
    fn measure(extent: Vec3A) -> f32 {
        extent.length_squared()
    }

    fn excess(&self, point: DVec3) -> f64 {
        let sphere = self.sphere();
        let radial = sphere.beyond(sphere.height(point)).abs() - f64::from(self.half_thickness);
        radial.max(sphere.chord_squared(point).sqrt() - f64::from(self.chord))
    }

    fn reach(&self) -> f64 {
        (DVec3::from_array(self.base.map(f64::from)).length() + f64::from(self.radius)) * 1.000001
    }

    fn size(&self) -> f32 {
        self.radius
    }

    fn store(&self, wide: &mut WideShell, lane: usize) {
        for k in 0..3 {
            wide.base[k][lane] = self.base[k];
            wide.axis[k][lane] = self.axis[k];
        }
        wide.curvature[lane] = self.curvature;
        wide.chord[lane] = self.chord;
        wide.half_thickness[lane] = self.half_thickness;
        wide.lateral[lane] = self.lateral;
        wide.radius[lane] = self.radius;
    }

    #[inline(always)]
    fn load(wide: &WideShell, lane: usize) -> Self {
        Self {
            base: [wide.base[0][lane], wide.base[1][lane], wide.base[2][lane]],
            axis: [wide.axis[0][lane], wide.axis[1][lane], wide.axis[2][lane]],
            curvature: wide.curvature[lane],
            chord: wide.chord[lane],
            half_thickness: wide.half_thickness[lane],
            lateral: wide.lateral[lane],
            radius: wide.radius[lane],
        }
    }

    #[inline(always)]
    fn lane_size(wide: &WideShell, lane: usize) -> f32 {
        wide.radius[lane]
    }

    #[inline(always)]
    fn probe<E: Element>(wide: &WideShell, lane: usize, motion: &Motion<E>) -> ShellProbe<E> {
        let source = Self::load(wide, lane);
        ShellProbe {
            base: motion.place(source.base),
            axis: motion.turn(source.axis),
            curvature: E::from_f32(source.curvature) / motion.ratio,
            chord: E::from_f32(source.chord) * motion.ratio,
            half_thickness: E::from_f32(source.half_thickness) * motion.ratio,
            lateral: E::from_f32(source.lateral) * motion.ratio,
            radius: E::from_f32(source.radius) * motion.ratio,
        }
    }

    #[inline(always)]
    fn separation<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideShell,
        probe: &ShellProbe<L::Element>,
        slack: L::Element,
        counts: &mut LaneCounts,
    ) -> L {
        counts.full += 8;
        let pair = PairOfLanes::<L>::new(simd, wide, probe);
        let mut gap = pair.along_bases(simd);
        if L::FAR || bits(!gap.greater(L::splat(simd, slack))) == 0 {
            return gap;
        }
        let twice = L::splat(simd, slack + slack);
        for (bound, near) in [pair.radial(simd, twice, false), pair.radial(simd, twice, true)] {
            gap = gap.larger(bound).larger(near);
        }
        gap
    }

    #[inline(always)]
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideShell,
        probe: &ShellProbe<L::Element>,
        beyond: L::Element,
        counts: &mut LaneCounts,
    ) -> L {
        counts.full += 8;
        let pair = PairOfLanes::<L>::new(simd, wide, probe);
        let mut bound = pair.along_bases(simd);
        if L::FAR || bits(!bound.greater(L::splat(simd, beyond))) == 0 {
            return bound;
        }
        // Pairs of points that are at most `near` apart are near both bases; all others are farther apart than that.
        let near = L::splat(simd, beyond).larger(L::splat(simd, L::Element::from_f64(0.0)))
            * L::Element::from_f64(1.001);
        let near = near.smaller(pair.radius_sum() * L::Element::from_f64(4.0) + pair.distance);
        for (all, local) in [pair.radial(simd, near, false), pair.radial(simd, near, true)] {
            bound = bound.larger(all).larger(local.smaller(near));
        }
        bound
    }
}

/// What the tests of the probe (`first`) and eight lanes (`second`) share.
struct PairOfLanes<L> {
    first: Lanes<L>,
    second: Lanes<L>,
    /// From the first base to the second.
    between: [L; 3],
    distance: L,
}

impl<L> PairOfLanes<L> {
    #[inline(always)]
    fn new<S: Simd>(simd: S, wide: &WideShell, probe: &ShellProbe<L::Element>) -> Self
    where
        L: Eight<S>,
    {
        let first = Lanes {
            base: map3(
                &probe.base,
                #[inline(always)]
                |x| L::splat(simd, x),
            ),
            axis: map3(
                &probe.axis,
                #[inline(always)]
                |x| L::splat(simd, x),
            ),
            curvature: L::splat(simd, probe.curvature),
            chord: L::splat(simd, probe.chord),
            half_thickness: L::splat(simd, probe.half_thickness),
            lateral: L::splat(simd, probe.lateral),
            radius: L::splat(simd, probe.radius),
        };
        let second: Lanes<L> = Lanes {
            base: map3(
                &[0, 1, 2],
                #[inline(always)]
                |k| L::load(simd, &wide.base[k]),
            ),
            axis: map3(
                &[0, 1, 2],
                #[inline(always)]
                |k| L::load(simd, &wide.axis[k]),
            ),
            curvature: L::load(simd, &wide.curvature),
            chord: L::load(simd, &wide.chord),
            half_thickness: L::load(simd, &wide.half_thickness),
            lateral: L::load(simd, &wide.lateral),
            radius: L::load(simd, &wide.radius),
        };
        let between = three(
            #[inline(always)]
            |k| second.base[k] - first.base[k],
        );
        let distance = dot::<S, L>(&between, &between).sqrt();
        Self { first, second, between, distance }
    }

    #[inline(always)]
    fn radius_sum<S: Simd>(&self) -> L
    where
        L: Eight<S>,
    {
        self.first.radius + self.second.radius
    }

    /// The gap between the projections on the line through both bases.
    #[inline(always)]
    fn along_bases<S: Simd>(&self, simd: S) -> L
    where
        L: Eight<S>,
    {
        let tiny = L::splat(simd, L::Element::from_f64(1e-30));
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let inverse = L::splat(simd, L::Element::from_f64(1.0)) / self.distance.larger(tiny);
        let direction = along::<S, L>(&[zero; 3], inverse, &self.between);
        let (_, first) = self.first.range::<S>(simd, &direction, zero);
        let (second, _) = self.second.range::<S>(simd, &direction, zero);
        let gap = self.distance - first + second;
        gap - (self.distance + self.radius_sum::<S>()) * L::Element::from_f64(LINEAR * L::Element::ROUNDING)
    }

    /// How far all of one shell, and its part that is at most `near` from the other, keeps from the other's two
    /// spheres; `swapped` asks for the first shell and the spheres of the second.
    #[inline(always)]
    fn radial<S: Simd>(&self, simd: S, near: L, swapped: bool) -> (L, L)
    where
        L: Eight<S>,
    {
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let (fixed, moving) = if swapped { (&self.second, &self.first) } else { (&self.first, &self.second) };
        let between = if swapped {
            map3(
                &self.between,
                #[inline(always)]
                |x| zero - x,
            )
        } else {
            self.between
        };
        let half = L::Element::from_f64(0.5);
        let square = self.distance * self.distance;
        let height = dot::<S, L>(&between, &fixed.axis) + fixed.curvature * square * half;
        let gradient = along::<S, L>(&fixed.axis, fixed.curvature, &between);
        let (low, high) = moving.range::<S>(simd, &gradient, fixed.curvature);
        let (near_low, near_high) =
            moving.range_near::<S>(simd, &gradient, fixed.curvature, &between, fixed.radius + near);
        let size = self.distance + self.radius_sum::<S>();
        let error = (size + fixed.curvature * size * size) * L::Element::from_f64(LINEAR * L::Element::ROUNDING);
        (
            fixed.gap::<S>(simd, height + low, height + high) - error,
            fixed.gap::<S>(simd, height + near_low, height + near_high) - error,
        )
    }
}

/// See the head of this file.
const LINEAR: f64 = 32.0;

impl<L> Lanes<L> {
    /// The distance from heights in `low..=high` over this shell's middle sphere to its two spheres.
    #[inline(always)]
    fn gap<S: Simd>(&self, simd: S, low: L, high: L) -> L
    where
        L: Eight<S>,
    {
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let one = L::splat(simd, L::Element::from_f64(1.0));
        let above = low.larger(zero);
        let root = (one + self.curvature * (above + above)).sqrt();
        let outside = (above + above) / (one + root) + low.smaller(zero);
        outside.larger(zero - high) - self.half_thickness
    }

    /// The range of `gradient . w + curvature |w|^2 / 2` over this shell, `w` from its base.
    #[inline(always)]
    fn range<S: Simd>(&self, simd: S, gradient: &[L; 3], curvature: L) -> (L, L)
    where
        L: Eight<S>,
    {
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let tiny = L::splat(simd, L::Element::from_f64(1e-30));
        let half = L::Element::from_f64(0.5);
        let gamma = dot::<S, L>(gradient, &self.axis);
        let across = along::<S, L>(gradient, zero - gamma, &self.axis);
        let square = dot::<S, L>(&across, &across);
        let tilt = square.sqrt();
        let bend = curvature - gamma * self.curvature;
        let norm = (bend * bend + self.curvature * self.curvature * square).sqrt();
        let extreme = square / (norm + bend.abs()).larger(tiny);
        let chord_square = self.chord * self.chord * half;
        let inside = !extreme.greater(norm * chord_square);
        let (tilted, bent) = (tilt * self.lateral, bend * chord_square);
        let most = L::choose(inside, L::choose(bend.greater(zero), tilted + bent, extreme), tilted + bent);
        let least = L::choose(inside, L::choose(bend.greater(zero), zero - extreme, bent - tilted), bent - tilted);
        let t = self.half_thickness;
        let high = most + curvature * t * t * half + (gamma + self.curvature * most).abs() * t;
        let low = least - (gamma + self.curvature * least).abs() * t;
        (low, high)
    }

    /// The same over the part of this shell within `reach` of the point `-between` from its base.
    #[inline(always)]
    fn range_near<S: Simd>(&self, simd: S, gradient: &[L; 3], curvature: L, between: &[L; 3], reach: L) -> (L, L)
    where
        L: Eight<S>,
    {
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let tiny = L::splat(simd, L::Element::from_f64(1e-30));
        let half = L::Element::from_f64(0.5);
        let gamma = dot::<S, L>(gradient, &self.axis);
        let across = along::<S, L>(gradient, zero - gamma, &self.axis);
        let bend = curvature - gamma * self.curvature;
        let shift = along::<S, L>(between, zero - dot::<S, L>(between, &self.axis), &self.axis);
        let offset = dot::<S, L>(&shift, &shift).sqrt();
        let inverse = L::splat(simd, L::Element::from_f64(1.0)) / offset.larger(tiny);
        let direction = map3(
            &shift,
            #[inline(always)]
            |x| x * inverse,
        );
        let slope = dot::<S, L>(&across, &direction);
        let rest = along::<S, L>(&across, zero - slope, &direction);
        let sideways = dot::<S, L>(&rest, &rest).sqrt();
        // The lens of two discs around 0 and -offset, in a rectangle.
        let radius = self.radius;
        let (from, to) = ((zero - radius).larger(zero - offset - reach), radius.smaller(reach - offset));
        let (squared, other) = (radius * radius, reach * reach);
        let chord_line = ((other - squared) * inverse - offset) * half;
        let chord_line = chord_line.larger(zero - offset).smaller(zero);
        let width = (squared - chord_line * chord_line).smaller(other).larger(zero);
        let width = (width + (squared + offset * offset) * L::Element::from_f64(8.0 * L::Element::ROUNDING)).sqrt();
        let steep = L::choose(bend.abs().greater(tiny), bend, tiny);
        let (low_along, high_along) = parabola::<S, L>(slope, bend, steep, from, to);
        let (low_across, high_across) = parabola::<S, L>(sideways, bend, steep, zero - width, width);
        let t = self.half_thickness;
        let thick = gamma.abs() * (t + self.curvature * t * t * half);
        let axial = radius.smaller(t + self.curvature * (t * t + squared) * half);
        let bulge = bend * axial * axial * half;
        (
            low_along + low_across + bulge.smaller(zero) - thick,
            high_along + high_across + bulge.larger(zero) + thick,
        )
    }
}

/// The range of `slope y + bend y^2 / 2` for y in `from..=to`; `steep` is `bend`, but not 0.
#[inline(always)]
fn parabola<S: Simd, L: Eight<S>>(slope: L, bend: L, steep: L, from: L, to: L) -> (L, L) {
    let vertex = (from - from - slope / steep).larger(from).smaller(to);
    let [a, b, c] = map3(
        &[from, to, vertex],
        #[inline(always)]
        |y| y * (slope + bend * y * L::Element::from_f64(0.5)),
    );
    (a.smaller(b).smaller(c), a.larger(b).larger(c))
}
