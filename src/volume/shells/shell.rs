//! Spherical shells: what lies between two concentric spheres and inside a cone from their centre [Krishnan 1998].
//!
//! A shell is stored from the point `base` where the axis of its cone leaves the middle sphere, half way between its
//! two radii. Symbols:
//! - `k` the curvature, one over the middle radius; `w = x - base`
//! - `h = w . axis + k |w|^2 / 2` the height; `s = 2 h / (1 + sqrt(1 + 2 k h))` the signed distance from the middle
//!   sphere
//!
//! The shell is the set of all points with
//!
//! ```text
//! |s| <= half_thickness   and   chord^2(x) = (|w|^2 - s^2) / (1 + k s) <= chord^2.
//! ```
//!
//! 1. The first condition says that `x` is between the two spheres.
//! 2. `|w|^2 = s^2 + (1 + k s) chord^2(x)` is the law of cosines for the triangle of centre, base and `x`, and
//!    `chord(x) = 2 sin(angle / 2) / k`. So the second condition is the cone, for any angle up to 180 degrees.
//! 3. Nothing cancels for large radii, and `k = 0` is a thick disc. So a flat set is no special case.
//!
//! # The tests
//!
//! Let `f(x) = g . w + q |w|^2 / 2` be the height over another sphere of curvature `q`, or a projection (`q = 0`),
//! minus its value at `base`. Let `c = g . axis`, `g'` the part of `g` across the axis, and `m = q - c k`. A point of
//! the shell at `s`, whose radial projection on the middle sphere is `v` from the base, has exactly
//!
//! ```text
//! f = c s + q s^2 / 2 + (1 + k s) B,   B = g' . v + m |v|^2 / 2.
//! ```
//!
//! 1. `B` over the cap has its extremes at the rim, or where `v` is along `g'` and the gradient vanishes. The latter
//!    gives `g'^2 / (|m| + sqrt(m^2 + k^2 g'^2))`.
//! 2. `f` is linear in `B` and convex in `s`. So `range` is exact for angles up to 90 degrees and safe beyond.
//! 3. With the two spheres of the other shell, `range` is the paper's radial condition for all radii at once, not only
//!    for extreme ones, which are not enough (figure 6). With the line through both bases it separates shells that are
//!    far apart.
//! 4. Points of both shells are within `radius` of both bases, so they are above a lens of two discs. `range_near` is
//!    the range of `f` over the rectangle around that lens. There `f - c h = g' . w + m |w|^2 / 2` is a sum of one
//!    parabola along the line of the discs and one across.
//! 5. `range_near` is not exact. `exact` would decide the pairs that it leaves open, in place of the quartic of [Krishnan
//!    1998, 6]. Queries do without: it saves 3 % of the tests and takes three to four times as long (docs/papers).
//! 6. For distances the discs grow by the distance `near` that is asked about. Pairs of points outside are farther
//!    apart than `near`. So the smaller of `near` and the gap in the lens is a lower bound.
//!
//! # Slack
//!
//! `u` is the unit roundoff, `r` the reach of the source, `T` the length of the translation, `M` the distance of the
//! bases plus both radii.
//! 1. The probe's base is off by `u (13.2 r + 2.8 T)`, as in `obb`. That moves the shell, and a distance changes by no
//!    more.
//! 2. Everything else happens near the bases. Radius, chord, lateral extent and thickness are below `M`, and `k M <=
//!    3`.
//! 3. The probe's axis is off by `7 u` and the length of an axis by `u`. So `c` is off by `11 u`, `g'` by `20 u`, `m`
//!    by `13 u k` (times `|g|`).
//! 4. `B` changes by at most the lateral extent times the error of `g'` and half the squared chord times that of `m`,
//!    because it is a maximum of functions linear in both.
//! 5. Evaluating `B` costs `12 u M`, the thickness `10 u M`, the gap `4 u M`, the centre of the lens twice `20 u M`.
//! 6. The sum is below `96 u (M + q M^2)`, because `|g| <= 1 + q M`. The kernel subtracts this, because it is far below
//!    any slack that would have to hold for the whole model.
//! 7. The rest of the source's 16 and the target's 1 covers the rounding of the radii that `near` is added to.
//! 8. In f64 the axes are still of unit length to `2^-24` only, which moves a projection by `4 * 2^-24` radii. A radius
//!    is at most two reaches.
//!
//! `slack_shares` finds inputs that need 0.18 of it in f32 and nothing in f64. The share is larger than for other
//! volumes because the kernel has already subtracted most of its error.

use crate::math::motion::Motion;
use crate::math::rounding::round_up;
use crate::simd::eight::{Eight, Element, bits, load3, splat3};
use crate::simd::three::{difference, dot, map3, plus_scaled};
use crate::volume::fit::cluster::Cluster;
use crate::volume::fit::orientation;
#[cfg(any(test, feature = "internals"))]
use crate::volume::shells::exact::{Exact, may_meet};
use crate::volume::shells::fit::{Fitted, Sphere, fit, refit};
use crate::volume::{Family, Quality, Slack, Volume, VolumeKind, box_surface};
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

impl Shell {
    #[cfg(any(test, feature = "internals"))]
    #[inline(always)]
    pub fn exact(&self) -> Exact {
        let vector = |[x, y, z]: [f32; 3]| DVec3::new(f64::from(x), f64::from(y), f64::from(z));
        Exact {
            base: vector(self.base),
            axis: vector(self.axis).normalize(),
            curvature: f64::from(self.curvature),
            chord: f64::from(self.chord),
            half_thickness: f64::from(self.half_thickness),
            lateral: f64::from(self.lateral),
            radius: f64::from(self.radius),
        }
    }

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
        let Fitted { sphere, axis, half_thickness, chord } = fitted;
        let (half_thickness, chord) = (round_up(half_thickness), round_up(chord));
        let (t, c, curvature) = (f64::from(half_thickness), f64::from(chord), sphere.curvature);
        // 1 - cos of the angle. The cap is widest at its rim, or at the equator.
        let versine = 0.5 * (curvature * c).powi(2);
        let lateral = if versine < 1.0 { c * (1.0 - 0.5 * versine).sqrt() } else { 1.0 / curvature };
        let radius = (t * t + (1.0 + curvature * t) * c * c).sqrt();
        let up = 1.0 + 2f64.powi(-48);
        Self {
            base: sphere.base.as_vec3().to_array(),
            axis,
            curvature: curvature as f32,
            chord,
            half_thickness,
            lateral: round_up(lateral * up),
            radius: round_up(radius * up),
        }
    }
}

impl Volume for Shell {
    const KIND: VolumeKind = VolumeKind::Shell;
    type Family = Shells;
    type Wide = WideShell;
    const SLACK: Slack = Slack { source: 16.0, translation: 3.0, target: 1.0, stored: 8.0 };

    type Union = ();

    fn fit(cluster: &Cluster, quality: Quality) -> Self {
        fit(cluster, quality).into()
    }

    /// Least squares from the plane across the old axis, and nothing of what makes a fit slow. One triangle gets its disc.
    fn refit(&self, _union: &(), cluster: &Cluster) -> Self {
        if cluster.triangles.len() == 1 {
            return fit(cluster, Quality::Fast).into();
        }
        refit(cluster, &self.sphere()).into()
    }

    /// As of a box: as wide as the shell in two directions, as high as the cap and the shell's thickness in the third.
    fn surface(&self) -> f64 {
        let sagitta = 0.25 * f64::from(self.curvature) * f64::from(self.chord).powi(2);
        box_surface(self.radius, self.radius, sagitta as f32 + self.half_thickness)
    }

    fn split_axes(&self) -> DMat3 {
        let axis = self.sphere().axis;
        let (first, second) = axis.any_orthonormal_pair();
        DMat3::from_cols(first, second, axis)
    }

    /// [Krishnan 1998, 7] cuts across the direction of the vertex that limits the cone. That vertex is a corner of its
    /// set, so the cut would be diagonal and leave long parts. These cuts go along the sides of a tight box.
    fn cut_axes(cluster: &Cluster, quality: Quality) -> DMat3 {
        orientation::axes(cluster, quality)
    }

    /// A shell is as long as it is wide, and its thickness grows with the square of that. So sets should be round.
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

    fn enclosing_radius(&self) -> f32 {
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
    fn enclosing_radii(wide: &WideShell) -> [f32; 8] {
        wide.radius
    }

    #[inline(always)]
    fn probe<S: Simd, E: Element>(simd: S, wide: &WideShell, lane: usize, motion: &Motion<E>) -> ShellProbe<E> {
        let source = Self::load(wide, lane);
        ShellProbe {
            base: motion.place(simd, source.base),
            axis: motion.turn(simd, source.axis),
            // Finite for any ratio: nobody sees the shape of something so small.
            curvature: E::from_f64((f64::from(source.curvature) / motion.ratio.to_f64()).min(1e18)),
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
        _first_stage: &mut u32,
    ) -> L {
        let pair = PairOfLanes::<L>::new(simd, wide, probe);
        let gap = pair.along_bases(simd);
        let enough = L::splat(simd, slack);
        if L::IS_F64 || bits(!gap.greater(enough)) == 0 {
            return gap;
        }
        // After rounding, touching shells are at most the slack apart, so both points are in the lens.
        let near = enough + enough;
        let gap = pair.radial(simd, &pair.first, &pair.second, &pair.between, near, gap);
        if bits(!gap.greater(enough)) == 0 {
            return gap;
        }
        pair.radial(simd, &pair.second, &pair.first, &pair.backward(simd), near, gap)
    }

    #[inline(always)]
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &WideShell,
        probe: &ShellProbe<L::Element>,
        beyond: L::Element,
        _first_stage: &mut u32,
    ) -> L {
        let pair = PairOfLanes::<L>::new(simd, wide, probe);
        let bound = pair.along_bases(simd);
        let enough = L::splat(simd, beyond);
        if L::IS_F64 || bits(!bound.greater(enough)) == 0 {
            return bound;
        }
        // A little more than needed, but finite: no two points are farther apart than the second number.
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let near = (enough.larger(zero) * L::Element::from_f64(1.001)).smaller(pair.size + pair.size);
        let bound = pair.radial(simd, &pair.first, &pair.second, &pair.between, near, bound.larger(zero));
        if bits(!bound.greater(enough)) == 0 {
            return bound;
        }
        pair.radial(simd, &pair.second, &pair.first, &pair.backward(simd), near, bound)
    }

    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3])) {
        let sphere = self.sphere();
        let (u, v) = sphere.axis.any_orthonormal_pair();
        let (t, rim) = (f64::from(self.half_thickness), f64::from(self.chord));
        // The point at `part` of the chord, on the sphere `beyond` the middle one.
        let point = |beyond: f64, part: f64, meridian: usize| {
            let chord = rim * part;
            let drop = 0.5 * sphere.curvature * chord * chord;
            let lateral = chord * (1.0 - 0.5 * sphere.curvature * drop).max(0.0).sqrt();
            let (sine, cosine) = (core::f64::consts::TAU * meridian as f64 / MERIDIANS as f64).sin_cos();
            let on_middle = (u * cosine + v * sine) * lateral - sphere.axis * drop;
            sphere.base + on_middle * (1.0 + sphere.curvature * beyond) + sphere.axis * beyond
        };
        for meridian in 0..MERIDIANS {
            let next = meridian + 1;
            for band in 0..BANDS {
                let (from, to) = (band as f64 / BANDS as f64, (band + 1) as f64 / BANDS as f64);
                for (beyond, outward) in [(t, true), (-t, false)] {
                    let corners = [
                        point(beyond, from, meridian),
                        point(beyond, to, meridian),
                        point(beyond, to, next),
                        point(beyond, from, next),
                    ];
                    quadrilateral(corners, outward, emit);
                }
            }
            let side = [point(-t, 1.0, meridian), point(-t, 1.0, next), point(t, 1.0, next), point(t, 1.0, meridian)];
            quadrilateral(side, true, emit);
        }
    }
}

/// Meridians and rings of a shell that is shown.
const MERIDIANS: usize = 24;
const BANDS: usize = 8;

fn quadrilateral([a, b, c, d]: [DVec3; 4], outward: bool, emit: &mut dyn FnMut([DVec3; 3])) {
    if outward {
        emit([a, b, c]);
        emit([a, c, d]);
    } else {
        emit([a, c, b]);
        emit([a, d, c]);
    }
}

/// `Volume::separation` with the exact last stage, for comparison: a lane that the ranges leave open, but that has no common
/// point, gets a gap just above the slack.
#[cfg(any(test, feature = "internals"))]
#[inline(always)]
pub fn separation_to_rounding<S: Simd, L: Eight<S>>(
    simd: S,
    wide: &WideShell,
    probe: &ShellProbe<L::Element>,
    slack: L::Element,
) -> L {
    let gap = Shell::separation::<S, L>(simd, wide, probe, slack, &mut 0);
    if L::IS_F64 { gap } else { decided(simd, wide, probe, slack, gap) }
}

#[cfg(any(test, feature = "internals"))]
#[inline(always)]
fn decided<S: Simd, L: Eight<S>>(
    simd: S,
    wide: &WideShell,
    probe: &ShellProbe<L::Element>,
    slack: L::Element,
    gap: L,
) -> L {
    let mut undecided = bits(!gap.greater(L::splat(simd, slack))) & 0xff;
    if undecided == 0 {
        return gap;
    }
    let mut gaps = [slack; 8];
    gaps.copy_from_slice(gap.as_slice());
    let vector = |v: &[L::Element; 3]| DVec3::new(v[0].to_f64(), v[1].to_f64(), v[2].to_f64());
    let first = Exact {
        base: vector(&probe.base),
        axis: vector(&probe.axis).normalize(),
        curvature: probe.curvature.to_f64(),
        chord: probe.chord.to_f64(),
        half_thickness: probe.half_thickness.to_f64(),
        lateral: probe.lateral.to_f64(),
        radius: probe.radius.to_f64(),
    };
    // Farther apart than the gap says, by more than its rounding.
    let (near, above) = (slack.to_f64() * (1.0 + 1e-5), L::Element::from_f64(slack.to_f64() * (1.0 + 1e-6)));
    while undecided != 0 {
        let lane = undecided.trailing_zeros() as usize % 8;
        undecided &= undecided - 1;
        // Empty lanes have no size.
        if wide.radius[lane] > 0.0 {
            let second = Shell::load(wide, lane).exact();
            if !may_meet(simd, &first, &second, near).0 {
                gaps[lane] = above;
            }
        }
    }
    L::from_slice(simd, &gaps)
}

/// What the tests of the probe (`first`) and eight lanes (`second`) share.
struct PairOfLanes<L> {
    first: Lanes<L>,
    second: Lanes<L>,
    /// From the first base to the second.
    between: [L; 3],
    distance: L,
    /// The distance of the bases plus both radii: no two points are farther apart.
    size: L,
}

impl<L> PairOfLanes<L> {
    #[inline(always)]
    fn new<S: Simd>(simd: S, wide: &WideShell, probe: &ShellProbe<L::Element>) -> Self
    where
        L: Eight<S>,
    {
        let first = Lanes {
            base: splat3(simd, &probe.base),
            axis: splat3(simd, &probe.axis),
            curvature: L::splat(simd, probe.curvature),
            chord: L::splat(simd, probe.chord),
            half_thickness: L::splat(simd, probe.half_thickness),
            lateral: L::splat(simd, probe.lateral),
            radius: L::splat(simd, probe.radius),
        };
        let second: Lanes<L> = Lanes {
            base: load3(simd, &wide.base),
            axis: load3(simd, &wide.axis),
            curvature: L::load(simd, &wide.curvature),
            chord: L::load(simd, &wide.chord),
            half_thickness: L::load(simd, &wide.half_thickness),
            lateral: L::load(simd, &wide.lateral),
            radius: L::load(simd, &wide.radius),
        };
        let between = difference(&second.base, &first.base);
        let distance = dot(&between, &between).sqrt();
        Self { first, second, between, distance, size: distance + first.radius + second.radius }
    }

    /// From the second base to the first.
    #[inline(always)]
    fn backward<S: Simd>(&self, simd: S) -> [L; 3]
    where
        L: Eight<S>,
    {
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        [zero - self.between[0], zero - self.between[1], zero - self.between[2]]
    }

    /// The gap between the projections on the line through both bases.
    #[inline(always)]
    fn along_bases<S: Simd>(&self, simd: S) -> L
    where
        L: Eight<S>,
    {
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let inverse = reciprocal::<S, L>(simd, self.distance);
        let direction = plus_scaled(&[zero; 3], inverse, &self.between);
        let first = Slope::new(simd, &self.first, &direction, zero);
        let second = Slope::new(simd, &self.second, &direction, zero);
        let gap = self.distance - self.first.range(simd, &first).1 + self.second.range(simd, &second).0;
        gap - self.size * L::Element::from_f64(LINEAR * L::Element::ROUNDING)
    }

    /// The larger of `known` and of the distance that `moving` keeps from the two spheres of `fixed`: for all of
    /// `moving`, or, up to `near`, for the part of it that is that near to `fixed`. `between` leads from the base of
    /// `fixed` to that of `moving`.
    #[inline(always)]
    fn radial<S: Simd>(&self, simd: S, fixed: &Lanes<L>, moving: &Lanes<L>, between: &[L; 3], near: L, known: L) -> L
    where
        L: Eight<S>,
    {
        let height =
            dot(between, &fixed.axis) + fixed.curvature * self.distance * self.distance * L::Element::from_f64(0.5);
        let gradient = plus_scaled(&fixed.axis, fixed.curvature, between);
        let slope = Slope::new(simd, moving, &gradient, fixed.curvature);
        let (low, high) = moving.range(simd, &slope);
        let (near_low, near_high) = moving.range_near(simd, &slope, between, fixed.radius + near);
        let error =
            (self.size + fixed.curvature * self.size * self.size) * L::Element::from_f64(LINEAR * L::Element::ROUNDING);
        let all = fixed.gap(simd, height + low, height + high) - error;
        let part = fixed.gap(simd, height + near_low, height + near_high) - error;
        let found = known.larger(all).larger(part.smaller(near));
        // Beyond this the error exceeds the size, and numbers could overflow.
        let most = L::splat(simd, L::Element::from_f64(1e5));
        L::choose(most.greater((fixed.curvature + moving.curvature) * self.size), found, known)
    }
}

/// Roundings of the kernels at lengths near the bases; see the head of this file.
const LINEAR: f64 = 96.0;

#[inline(always)]
fn reciprocal<S: Simd, L: Eight<S>>(simd: S, value: L) -> L {
    let tiny = L::splat(simd, L::Element::from_f64(1e-30));
    L::splat(simd, L::Element::from_f64(1.0)) / value.larger(tiny)
}

/// A function `gradient . w + curvature |w|^2 / 2` around a shell, by c, g' and m of the head of this file.
struct Slope<L> {
    curvature: L,
    along: L,
    across: [L; 3],
    bend: L,
}

impl<L> Slope<L> {
    #[inline(always)]
    fn new<S: Simd>(simd: S, shell: &Lanes<L>, gradient: &[L; 3], curvature: L) -> Self
    where
        L: Eight<S>,
    {
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let product = dot(gradient, &shell.axis);
        let across = plus_scaled(gradient, zero - product, &shell.axis);
        Self { curvature, along: product, across, bend: curvature - product * shell.curvature }
    }
}

impl<L> Lanes<L> {
    /// The distance from heights in `low..=high` over the middle sphere to the two spheres. Exact outside. Inside, `-h`
    /// is at most the distance `-s`, and needs no root that is ill-conditioned near the centre.
    #[inline(always)]
    fn gap<S: Simd>(&self, simd: S, low: L, high: L) -> L
    where
        L: Eight<S>,
    {
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let one = L::splat(simd, L::Element::from_f64(1.0));
        let twice = low.larger(zero) * L::Element::from_f64(2.0);
        let outside = twice / (one + (one + self.curvature * twice).sqrt()) + low.smaller(zero);
        outside.larger(zero - high) - self.half_thickness
    }

    /// The range of the function over this shell.
    #[inline(always)]
    fn range<S: Simd>(&self, simd: S, slope: &Slope<L>) -> (L, L)
    where
        L: Eight<S>,
    {
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let tiny = L::splat(simd, L::Element::from_f64(1e-30));
        let half = L::Element::from_f64(0.5);
        let square = dot(&slope.across, &slope.across);
        let bend = slope.bend;
        let norm = (bend * bend + self.curvature * self.curvature * square).sqrt();
        let extreme = square / (norm + bend.abs()).larger(tiny);
        let half_square = self.chord * self.chord * half;
        let inside = !extreme.greater(norm * half_square);
        let (tilted, bent) = (square.sqrt() * self.lateral, bend * half_square);
        let upward = bend.greater(zero);
        let most = L::choose(inside, L::choose(upward, tilted + bent, extreme), tilted + bent);
        let least = L::choose(inside, L::choose(upward, zero - extreme, bent - tilted), bent - tilted);
        let t = self.half_thickness;
        let high = most + slope.curvature * t * t * half + (slope.along + self.curvature * most).abs() * t;
        let low = least - (slope.along + self.curvature * least).abs() * t;
        (low, high)
    }

    /// The range of the function over the part of this shell within `reach` of the point `-between` from its base.
    #[inline(always)]
    fn range_near<S: Simd>(&self, simd: S, slope: &Slope<L>, between: &[L; 3], reach: L) -> (L, L)
    where
        L: Eight<S>,
    {
        let zero = L::splat(simd, L::Element::from_f64(0.0));
        let tiny = L::splat(simd, L::Element::from_f64(1e-30));
        let half = L::Element::from_f64(0.5);
        let shift = plus_scaled(between, zero - dot(between, &self.axis), &self.axis);
        let offset = dot(&shift, &shift).sqrt();
        let inverse = reciprocal::<S, L>(simd, offset);
        let direction = plus_scaled(&[zero; 3], inverse, &shift);
        let forward = dot(&slope.across, &direction);
        let rest = plus_scaled(&slope.across, zero - forward, &direction);
        let sideways = dot(&rest, &rest).sqrt();
        // The discs have their centres at 0 and at -offset.
        let radius = self.radius;
        let (from, to) = ((zero - radius).larger(zero - offset - reach), radius.smaller(reach - offset));
        // The lens is widest at the common chord of the circles, or at the centre that lies beyond that chord.
        let (squared, other) = (radius * radius, reach * reach);
        let at = (((other - squared) * inverse - offset) * half).larger(zero - offset).smaller(zero);
        let width = (squared - at * at).smaller(other).larger(zero);
        // The difference of squares is off by some roundings, and its root by much more where it is small.
        let width = (width + (squared + offset * offset) * L::Element::from_f64(16.0 * L::Element::ROUNDING)).sqrt();
        let bend = slope.bend;
        let steep = L::choose(bend.abs().greater(tiny), bend, tiny);
        let (low_along, high_along) = parabola::<S, L>(forward, bend, steep, from, to);
        let (low_across, high_across) = parabola::<S, L>(sideways, bend, steep, zero - width, width);
        // What the height of this shell and the squared distance from its tangent plane add.
        let t = self.half_thickness;
        let thick = slope.along.abs() * (t + self.curvature * t * t * half);
        let axial = radius.smaller(t + self.curvature * (t * t + squared) * half);
        let bulge = bend * axial * axial * half;
        (low_along + low_across + bulge.smaller(zero) - thick, high_along + high_across + bulge.larger(zero) + thick)
    }
}

/// The range of `slope y + bend y^2 / 2` for y in `from..=to`; `steep` is `bend`, but not 0.
#[inline(always)]
fn parabola<S: Simd, L: Eight<S>>(slope: L, bend: L, steep: L, from: L, to: L) -> (L, L) {
    // For either sign of `bend`, the vertex is one extreme if it is in range, and the ends hold the others.
    let vertex = (-(slope / steep)).larger(from).smaller(to);
    let [a, b, c] = map3(
        &[from, to, vertex],
        #[inline(always)]
        |y| y * (slope + bend * y * L::Element::from_f64(0.5)),
    );
    (a.smaller(b).smaller(c), a.larger(b).larger(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::level::{Operation, dispatch, level};
    use crate::volume::properties::Random;
    use fearless_simd::{SimdBase, f32x8};

    impl Random {
        fn direction(&mut self) -> DVec3 {
            loop {
                let point = DVec3::new(self.number(), self.number(), self.number());
                if point.length() < 1.0 && point.length() > 0.1 {
                    return point.normalize();
                }
            }
        }

        /// Thin and thick, narrow and closed.
        fn shell(&mut self, base: DVec3) -> Shell {
            let curvature = if self.number() < -0.8 { 0.0 } else { 4.0 * self.number().abs() };
            let axis = self.direction().as_vec3().to_array();
            let most = if curvature > 0.0 { 2.0 / curvature } else { 1.0 };
            let chord = most.min(2.0) * self.number().abs();
            let thin = 10f64.powf(-1.5 + 1.5 * self.number());
            let half_thickness = if curvature > 0.0 { thin.min(0.9 / curvature) } else { thin };
            Fitted {
                sphere: Sphere {
                    base: base.as_vec3().as_dvec3(),
                    axis: DVec3::from_array(axis.map(f64::from)).normalize(),
                    curvature: f64::from(curvature as f32),
                },
                axis,
                half_thickness,
                chord,
            }
            .into()
        }
    }

    /// Points all over the shell, its rim included.
    fn points(shell: &Shell) -> Vec<DVec3> {
        let mut points = Vec::new();
        let sphere = shell.sphere();
        let (u, v) = sphere.axis.any_orthonormal_pair();
        for layer in -2..=2 {
            let beyond = f64::from(shell.half_thickness) * layer as f64 / 2.0;
            for ring in 0..=8 {
                let chord = f64::from(shell.chord) * ring as f64 / 8.0;
                let drop = 0.5 * sphere.curvature * chord * chord;
                let lateral = chord * (1.0 - 0.5 * sphere.curvature * drop).max(0.0).sqrt();
                for step in 0..if ring == 0 { 1 } else { 24 } {
                    let (sine, cosine) = (step as f64 / 24.0 * core::f64::consts::TAU).sin_cos();
                    let on_middle = (u * cosine + v * sine) * lateral - sphere.axis * drop;
                    let stretch = 1.0 + sphere.curvature * beyond;
                    points.push(sphere.base + on_middle * stretch + sphere.axis * beyond);
                }
            }
        }
        points
    }

    struct Ask<'a>(&'a Shell, &'a Shell, f32);

    impl Operation for Ask<'_> {
        type Output = (f32, f32, f32);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> (f32, f32, f32) {
            let (mut source, mut target) = (WideShell::default(), WideShell::default());
            self.0.store(&mut source, 0);
            self.1.store(&mut target, 0);
            let motion = Motion::<f32>::new(DMat3::IDENTITY, DVec3::ZERO, 1.0, 1.0, 1e-5);
            let probe = Shell::probe(simd, &source, 0, &motion);
            let first_stage = &mut 0;
            let gap: f32x8<S> = Shell::separation(simd, &target, &probe, 1e-5, first_stage);
            let bound: f32x8<S> = Shell::lower_bound(simd, &target, &probe, self.2, first_stage);
            let far: f32x8<S> = Shell::lower_bound(simd, &target, &probe, f32::INFINITY, first_stage);
            (gap.as_slice()[0], bound.as_slice()[0], far.as_slice()[0])
        }
    }

    /// Any shells, not only those of triangles: a point that both contain refutes a gap. Figure 6 is included.
    #[test]
    fn points_of_shells_are_no_nearer_than_the_bounds() {
        let mut random = Random(7);
        let (mut common, mut apart, mut told, mut refined) = (0, 0, 0, 0);
        for _ in 0..3000 {
            let first = random.shell(DVec3::ZERO);
            let place = random.direction() * (1.0 + random.number());
            let second = random.shell(place);
            let (of_first, of_second) = (points(&first), points(&second));
            assert!(of_first.iter().all(|&point| first.excess(point) < 1e-6), "{first:?}");
            let overlap = of_first.iter().any(|&point| second.excess(point) <= -1e-6)
                || of_second.iter().any(|&point| first.excess(point) <= -1e-6);
            let mut nearest = f64::INFINITY;
            for (index, a) in of_first.iter().enumerate() {
                for b in of_second.iter().skip(index % 7).step_by(7) {
                    nearest = nearest.min((*a - *b).length());
                }
            }
            let (gap, bound, far) = dispatch(level(), Ask(&first, &second, 0.9 * nearest as f32));
            if overlap {
                common += 1;
                assert!(gap <= 1e-5 && bound <= 1e-5 && far <= 1e-5, "{gap} {bound} {far}: {first:?} {second:?}");
            } else {
                apart += 1;
                told += (gap > 1e-5) as u32;
                refined += (f64::from(bound) > 0.9 * nearest) as u32;
            }
            for value in [gap, bound, far] {
                assert!(f64::from(value) <= nearest + 1e-5, "{gap} {bound} {far} {nearest}: {first:?} {second:?}");
            }
        }
        // Sampling is coarse: some of the pairs without a common sample do overlap.
        assert!(common > 500 && apart > 500, "{common} {apart}");
        assert!(told * 10 > apart * 7, "{told} of {apart} told apart");
        assert!(refined * 10 > apart * 3, "{refined} of {apart} bounded by 90 % of the distance");
    }
}
