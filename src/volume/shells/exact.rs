//! Whether two shells have a common point, decided to rounding: a last stage of their overlap test, for comparison. Queries do
//! not use it.
//!
//! [Krishnan 1998, 6] looks for common points on the spheres of extreme radii, by quartics, and misses those of its
//! figure 6. Here all radii are searched. The box around both shells is divided into eight cells. Cells that cannot
//! hold a common point are dropped, and the others are divided again, until no cell is left or a common point is found.
//!
//! # Why it is sound
//!
//! 1. A shell (see `shell`) is where the height `h` is in the range of its two spheres and the squared distance `q`
//!    from the base is at most `F(h)`, its value at the rim of the cone.
//! 2. `h` and `q` are quadratic with equal curvature in all directions. So is every combination of those of two shells.
//! 3. Around the centre of a cell with half sides `e`, such a function is `value + gradient . y + bend |y|^2 / 2`. It
//!    stays within `sum |gradient_i| e_i` and `bend |e|^2 / 2` of its value.
//! 4. A cell is dropped when this range misses the range that the conditions allow. That is sound for every
//!    combination.
//!
//! # Which combinations are used
//!
//! 1. At a common point that is about to vanish, the gradient of one condition is a combination of the gradients of two
//!    conditions of the other shell (a face or a cone against a face, a cone or their common rim), or the shells touch
//!    crosswise, rim on rim.
//! 2. So `gap` removes from each condition of one shell what the two gradients of the other shell explain. What is left
//!    vanishes at a touching point. So the range is off only by the square of the cell's size, and a few cells decide.
//! 3. For that, the condition of the cone must not depend on the height. `q - lean h`, with the derivative `lean` of
//!    `q` along a ray, has a gradient across the ray.
//! 4. Its limit `F(h) - lean h` is convex in `h` up to 90 degrees, so it is largest at an end. Beyond 90 degrees it
//!    exceeds its chord by at most `(k^2 c^2 - 2) / N^3 / 8` times the square of the range, with `N` the least distance
//!    from the centre in radii.
//!
//! So a pair is separated exactly when no two points of the shells are within the slack and a few roundings of each
//! other, as far as `DIVIDED` divisions reach. `tightness` checks this.
//!
//! # Rounding
//!
//! Lengths are in units of the size of the pair, so all coordinates are at most 1; they are converted in f64. `u` is
//! the unit roundoff of f32, `k` the curvature.
//! 1. An offset is wrong by `3.5 u` and the axis of the probe by `9 u`.
//! 2. So a height is wrong by `(16 + 8 k) u` and, over a cell, by another `12 (1 + k) u` of the gradient: below `32 (1
//!    + k) u` (`LINEAR`).
//! 3. `q` is wrong by as many roundings of the distance.
//! 4. Ranges are widened by that, and combinations by their weights times that. Cells overlap by a rounding, so no
//!    point is lost between them.

use crate::simd::eight::{Element, LaneArithmetic, bits};
use crate::simd::three::{dot, map3, minus_scaled, plus_scaled, three};
use arrayvec::ArrayVec;
use fearless_simd::{Simd, SimdBase, SimdFloat, f32x8};
use glam::DVec3;

/// A shell in f64; the names are those of `shell::Shell`.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    pub base: DVec3,
    pub axis: DVec3,
    pub curvature: f64,
    pub chord: f64,
    pub half_thickness: f64,
    pub lateral: f64,
    pub radius: f64,
}

/// After this many divisions a pair counts as overlapping.
pub const DIVIDED: u32 = 512;
/// Most cells that can wait: on each of 24 levels the seven siblings of the cell that is divided. No path is longer,
/// because each division halves the longest sides three times, from at most 1 down to 32 roundings, where a pair counts
/// as overlapping.
const WAITING: usize = 7 * 24 + 8;
/// Roundings of a height: see the head of this file.
const LINEAR: f64 = 32.0;

type Lanes<S> = f32x8<S>;

#[inline(always)]
fn splat<S: Simd>(simd: S, value: f64) -> Lanes<S> {
    Lanes::splat(simd, value as f32)
}

impl Exact {
    /// The range of `direction . (x - base)` over the shell.
    fn extent(&self, direction: DVec3) -> (f64, f64) {
        let along = direction.dot(self.axis);
        let across = (1.0 - along * along).max(0.0).sqrt();
        let stretch = 1.0 + self.curvature * self.half_thickness;
        let wide = self.half_thickness * along.abs() + stretch * self.lateral * across;
        let drop = -along * stretch * 0.5 * self.curvature * self.chord * self.chord;
        ((drop.min(0.0) - wide).max(-self.radius), (drop.max(0.0) + wide).min(self.radius))
    }
}

/// A box that is still to be searched: its centre and half its sides.
#[derive(Clone, Copy)]
struct Cell {
    centre: [f32; 3],
    half: [f32; 3],
}

/// How a cell is divided into eight: offsets of the centres and lengths of the sides, in units of the cell.
#[derive(Clone, Copy)]
struct Division {
    offsets: [[f32; 8]; 3],
    sizes: [f32; 3],
}

/// Indexed by how often the first and the second side are halved. Three halvings make eight parts.
static DIVISIONS: [[Division; 4]; 4] = divisions();

const fn divisions() -> [[Division; 4]; 4] {
    let mut all = [[Division { offsets: [[0.0; 8]; 3], sizes: [1.0; 3] }; 4]; 4];
    let mut first = 0;
    while first < 4 {
        let mut second = 0;
        while first + second < 4 {
            let halvings = [first, second, 3 - first - second];
            let (mut side, mut taken) = (0, 0);
            while side < 3 {
                let parts = 1 << halvings[side];
                let mut lane = 0;
                while lane < 8 {
                    let place = lane >> taken & (parts - 1);
                    all[first][second].offsets[side][lane] = (2 * place + 1) as f32 / parts as f32 - 1.0;
                    lane += 1;
                }
                all[first][second].sizes[side] = 1.0 / parts as f32;
                taken += halvings[side];
                side += 1;
            }
            second += 1;
        }
        first += 1;
    }
    all
}

impl Cell {
    /// Halves the longest side, three times.
    fn division(&self) -> &'static Division {
        let mut sides = self.half;
        let mut halvings = [0; 3];
        for _ in 0..3 {
            let longest = if sides[0] >= sides[1] && sides[0] >= sides[2] {
                0
            } else if sides[1] >= sides[2] {
                1
            } else {
                2
            };
            sides[longest] *= 0.5;
            halvings[longest] += 1;
        }
        &DIVISIONS[halvings[0]][halvings[1]]
    }
}

/// Eight cells of one size.
struct Cells<S: Simd> {
    centres: [Lanes<S>; 3],
    half: [f32; 3],
    /// Half the square of their diagonal's half.
    diagonal: f32,
}

impl<S: Simd> Cells<S> {
    #[inline(always)]
    fn of(simd: S, cell: &Cell) -> Self {
        let division = cell.division();
        let half = three(
            #[inline(always)]
            // A little larger than the part, so that rounded centres leave no gap between cells.
            |side| cell.half[side] * division.sizes[side] * (1.0 + 4.0 * f32::EPSILON) + 2.0 * f32::EPSILON,
        );
        let centres = three(
            #[inline(always)]
            |side| Lanes::load_array_ref(simd, &division.offsets[side]) * cell.half[side] + cell.centre[side],
        );
        Self { centres, half, diagonal: 0.5 * (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]) }
    }

    /// How much a function with this gradient changes within a cell, in first order.
    #[inline(always)]
    fn spread(&self, gradient: &[Lanes<S>; 3]) -> Lanes<S> {
        gradient[0].abs() * self.half[0] + gradient[1].abs() * self.half[1] + gradient[2].abs() * self.half[2]
    }
}

/// One of the shells, grown, in units of the size of the pair and in lanes.
struct Wall<S: Simd> {
    base: [Lanes<S>; 3],
    axis: [Lanes<S>; 3],
    curvature: Lanes<S>,
    /// Heights of the two spheres, with the rounding of a height.
    lowest: Lanes<S>,
    highest: Lanes<S>,
    error: Lanes<S>,
    chord_squared: Lanes<S>,
    /// What growth and rounding add to the squared distance from the base.
    beyond: Lanes<S>,
    /// `(k^2 c^2 - 2) / 8`, or 0 for cones up to 90 degrees.
    concave: Lanes<S>,
}

/// A height and its gradient.
struct Seen<S: Simd> {
    /// From the base.
    offset: [Lanes<S>; 3],
    height: Lanes<S>,
    gradient: [Lanes<S>; 3],
}

impl<S: Simd> Wall<S> {
    #[inline(always)]
    fn new(simd: S, shell: &Exact, (frame, origin, scale): (&[DVec3; 3], DVec3, f64), grown: f64) -> Self {
        let offset = (shell.base - origin) * scale;
        let (curvature, chord, radius) = (shell.curvature / scale, shell.chord * scale, shell.radius * scale);
        let half = shell.half_thickness * scale + grown;
        // Where the inner sphere has no radius left, nothing is below it.
        let lowest = if curvature * half < 1.0 { 0.5 * curvature * half * half - half } else { -half };
        // A point of the shell near by has another height, and `F` another value there: `N dF / dh = 2 s + k c^2`.
        let steepest = 2.0 * half + curvature * chord * chord;
        let rounding = LINEAR * f32::ROUNDING;
        let error = rounding * (1.0 + curvature);
        Self {
            base: three(
                #[inline(always)]
                |side| splat(simd, offset.dot(frame[side])),
            ),
            axis: three(
                #[inline(always)]
                |side| splat(simd, shell.axis.dot(frame[side])),
            ),
            curvature: splat(simd, curvature),
            lowest: splat(simd, lowest - error),
            highest: splat(simd, half + 0.5 * curvature * half * half + error),
            error: splat(simd, error),
            chord_squared: splat(simd, chord * chord),
            beyond: splat(simd, grown * (2.0 * radius + steepest + grown) + rounding * (radius + rounding)),
            concave: splat(simd, (chord * chord * curvature * curvature - 2.0).max(0.0) / 8.0),
        }
    }

    #[inline(always)]
    fn seen(&self, point: &[Lanes<S>; 3]) -> Seen<S> {
        let offset = [point[0] - self.base[0], point[1] - self.base[1], point[2] - self.base[2]];
        let k = self.curvature;
        let height = dot(&offset, &self.axis) + k * dot(&offset, &offset) * 0.5;
        let gradient = [self.axis[0] + k * offset[0], self.axis[1] + k * offset[1], self.axis[2] + k * offset[2]];
        Seen { offset, height, gradient }
    }

    /// `F(h)`, the squared distance from the base to the rim of the cone at this height, and the distance from the centre
    /// there, in radii.
    #[inline(always)]
    fn rim(&self, simd: S, height: Lanes<S>) -> (Lanes<S>, Lanes<S>) {
        let (zero, one) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 1.0));
        let twice = height + height;
        let reach = (one + self.curvature * twice).larger(zero).sqrt();
        let beyond = twice / (one + reach);
        (beyond * beyond + self.chord_squared * (one + self.curvature * beyond), reach)
    }

    /// How far a height is outside of the two spheres.
    #[inline(always)]
    fn miss(&self, seen: &Seen<S>) -> Lanes<S> {
        seen.height - seen.height.larger(self.lowest).smaller(self.highest)
    }

    /// How far points are outside, along the worst condition; 0 inside.
    #[inline(always)]
    fn outside(&self, simd: S, point: &[Lanes<S>; 3]) -> Lanes<S> {
        let seen = self.seen(point);
        let square = dot(&seen.offset, &seen.offset);
        self.miss(&seen).abs().larger(square - self.rim(simd, seen.height).0 - self.beyond)
    }

    /// Points moved towards the base until the cone holds them.
    #[inline(always)]
    fn pulled(&self, simd: S, point: &[Lanes<S>; 3]) -> [Lanes<S>; 3] {
        let seen = self.seen(point);
        let square = dot(&seen.offset, &seen.offset).larger(Lanes::splat(simd, 1e-30));
        let most = self.rim(simd, seen.height.larger(self.lowest).smaller(self.highest)).0;
        let shrink = (most / square).smaller(Lanes::splat(simd, 1.0)).sqrt();
        plus_scaled(&self.base, shrink, &seen.offset)
    }
}

/// A step of Newton's method to the heights of both shells. Parallel surfaces share the step.
#[inline(always)]
fn stepped<S: Simd>(simd: S, [a, b]: &[Wall<S>; 2], point: &[Lanes<S>; 3]) -> [Lanes<S>; 3] {
    let (first, second) = (a.seen(point), b.seen(point));
    let (miss_a, miss_b) = (a.miss(&first), b.miss(&second));
    let (aa, ab, bb) = (
        dot(&first.gradient, &first.gradient),
        dot(&first.gradient, &second.gradient),
        dot(&second.gradient, &second.gradient),
    );
    let determinant = (aa * bb * 1.000004 - ab * ab).larger(Lanes::splat(simd, 1e-7));
    let (of_a, of_b) = ((miss_a * bb - miss_b * ab) / determinant, (miss_b * aa - miss_a * ab) / determinant);
    minus_scaled(&minus_scaled(point, of_a, &first.gradient), of_b, &second.gradient)
}

/// How far a point near each centre is outside of one of the shells. At 0 it is a common point.
#[inline(always)]
fn nearly_common<S: Simd>(simd: S, walls: &[Wall<S>; 2], centres: &[Lanes<S>; 3], enough: Lanes<S>) -> Lanes<S> {
    let [a, b] = walls;
    let point = stepped(simd, walls, centres);
    let outside = a.outside(simd, &point).larger(b.outside(simd, &point));
    if bits(outside.greater(enough)) & 0xff != 0xff {
        return outside;
    }
    let point = stepped(simd, walls, &b.pulled(simd, &a.pulled(simd, &point)));
    a.outside(simd, &point).larger(b.outside(simd, &point))
}

/// A function `value + gradient . y + bend |y|^2 / 2` around the centres, and the range that the shell allows.
struct Condition<S: Simd> {
    value: Lanes<S>,
    gradient: [Lanes<S>; 3],
    bend: Lanes<S>,
    range: [Lanes<S>; 2],
}

/// A shell over eight cells: its two conditions.
struct Over<S: Simd> {
    height: Condition<S>,
    cone: Condition<S>,
    /// Roundings of the cone's value, in those of a height.
    weight: Lanes<S>,
    /// Above 0 where a condition by itself cannot be met.
    gap: Lanes<S>,
}

impl<S: Simd> Over<S> {
    #[inline(always)]
    fn new(simd: S, wall: &Wall<S>, cells: &Cells<S>) -> Self {
        let zero = Lanes::splat(simd, 0.0);
        let Seen { offset, height, gradient } = wall.seen(&cells.centres);
        let wide = cells.spread(&gradient) + wall.error;
        let low = (height - wide).larger(wall.lowest);
        let high = (height + wide + wall.curvature * cells.diagonal).smaller(wall.highest);
        let ((rim_low, reach), (rim_high, _)) = (wall.rim(simd, low), wall.rim(simd, high));
        let rim = rim_low.larger(rim_high);

        let [x, y, z] = map3(
            &offset,
            #[inline(always)]
            |side| side.abs(),
        );
        let half = &cells.half;
        let nearest = [(x - half[0]).larger(zero), (y - half[1]).larger(zero), (z - half[2]).larger(zero)];
        let away = dot(&nearest, &nearest) - rim - wall.beyond;

        let steepness = dot(&gradient, &gradient).larger(Lanes::splat(simd, 0.1));
        let along = dot(&offset, &gradient);
        let lean = (along + along) / steepness;
        let double = map3(
            &offset,
            #[inline(always)]
            |side| side + side,
        );
        let across = minus_scaled(&double, lean, &gradient);
        let value = dot(&offset, &offset) - lean * height;
        let bend = Lanes::splat(simd, 2.0) - lean * wall.curvature;
        let weight = lean.abs() + (x + y + z + (half[0] + half[1] + half[2]));
        let (wide, bent) = (cells.spread(&across) + weight * wall.error, bend * cells.diagonal);
        let thick = high - low;
        let inward = reach.larger(Lanes::splat(simd, 0.01));
        let sag = wall.concave * thick * thick / (inward * inward * inward);
        let (lean_low, lean_high) = (lean * low, lean * high);
        let chordal = (rim_low - lean_low).larger(rim_high - lean_high) + sag;
        let apart = rim - lean_low.smaller(lean_high);
        // Next to the centre the bend has no limit.
        let limit = Lanes::choose(reach.greater(Lanes::splat(simd, 0.01)), chordal.smaller(apart), apart);
        let most = (value + wide + bent.larger(zero)).smaller(limit + wall.beyond);
        let least = value - wide + bent.smaller(zero);
        Self {
            height: Condition { value: height, gradient, bend: wall.curvature, range: [low, high] },
            cone: Condition { value, gradient: across, bend, range: [least, most] },
            weight,
            gap: (low - high).larger(away).larger(least - most),
        }
    }

    /// How far a condition of the other shell is from holding together with both conditions of this one.
    #[inline(always)]
    fn gap(&self, simd: S, of: &Condition<S>, cells: &Cells<S>, error: f32) -> Lanes<S> {
        let zero = Lanes::splat(simd, 0.0);
        let Self { height, cone, .. } = self;
        // The two gradients are orthogonal, so that each share is a projection.
        let steepness = dot(&height.gradient, &height.gradient).larger(Lanes::splat(simd, 0.1));
        let breadth = dot(&cone.gradient, &cone.gradient).larger(Lanes::splat(simd, 1e-4));
        let rise = dot(&of.gradient, &height.gradient) / steepness;
        let widen = dot(&of.gradient, &cone.gradient) / breadth;
        let rest = minus_scaled(&minus_scaled(&of.gradient, rise, &height.gradient), widen, &cone.gradient);
        let value = of.value - rise * height.value - widen * cone.value;
        let bend = (of.bend - rise * height.bend - widen * cone.bend) * cells.diagonal;
        let wide = cells.spread(&rest) + (rise.abs() + widen.abs() * self.weight + 1.0) * error;
        let (low, high) = (value - wide + bend.smaller(zero), value + wide + bend.larger(zero));
        let [rise_low, rise_high] = [rise * height.range[0], rise * height.range[1]];
        let [widen_low, widen_high] = [widen * cone.range[0], widen * cone.range[1]];
        let most = of.range[1] - rise_low.smaller(rise_high) - widen_low.smaller(widen_high);
        let least = of.range[0] - rise_low.larger(rise_high) - widen_low.larger(widen_high);
        (low - most).larger(least - high)
    }
}

/// The cells that may hold a common point, as bits.
#[inline(always)]
fn open<S: Simd>(simd: S, [a, b]: &[Wall<S>; 2], cells: &Cells<S>, error: f32) -> u32 {
    let zero = Lanes::splat(simd, 0.0);
    let (first, second) = (Over::new(simd, a, cells), Over::new(simd, b, cells));
    let gap = first
        .gap
        .larger(second.gap)
        .larger(second.gap(simd, &first.height, cells, error))
        .larger(first.gap(simd, &second.height, cells, error))
        .larger(second.gap(simd, &first.cone, cells, error))
        .larger(first.gap(simd, &second.cone, cells, error));
    bits(!gap.greater(zero)) & 0xff
}

/// Whether two shells may come within `near` of each other, and the number of divisions that it took.
#[inline(never)]
pub fn may_meet<S: Simd>(simd: S, first: &Exact, second: &Exact, near: f64) -> (bool, u32) {
    simd.vectorize(
        #[inline(always)]
        || search(simd, first, second, near),
    )
}

#[inline(always)]
fn search<S: Simd>(simd: S, first: &Exact, second: &Exact, near: f64) -> (bool, u32) {
    let (small, large) = if first.radius < second.radius { (first, second) } else { (second, first) };
    let size = (large.base - small.base).length() + small.radius + large.radius;
    let scale = 1.0 / size;
    let (near, bent) = (near * scale, (small.curvature + large.curvature) * size);
    // Smaller than the slack, or so curved that rounding exceeds the size; see `shell`.
    if !(near < 0.25 && bent < 1e4 && scale.is_finite()) {
        return (true, 0);
    }
    // Cells along the axis of the smaller shell are as flat as that shell.
    let (u, v) = small.axis.any_orthonormal_pair();
    let frame = [u, v, small.axis];
    let place = (&frame, small.base, scale);
    let walls = [Wall::new(simd, small, place, 0.0), Wall::new(simd, large, place, near)];
    let rounding = LINEAR * f32::ROUNDING;
    let (mut centre, mut half) = ([0.0; 3], [0.0; 3]);
    for side in 0..3 {
        let (of_small, of_large) = (small.extent(frame[side]), large.extent(frame[side]));
        let offset = (large.base - small.base).dot(frame[side]);
        let low = of_small.0.max(of_large.0 + offset) * scale - near - rounding;
        let high = of_small.1.min(of_large.1 + offset) * scale + near + rounding;
        if low > high {
            return (false, 0);
        }
        (centre[side], half[side]) = ((0.5 * (low + high)) as f32, (0.5 * (high - low)) as f32);
    }
    let error = (rounding * (1.0 + bent)) as f32;
    let (enough, least) = (Lanes::splat(simd, 3.0 * error), (0.5 * (near + rounding)) as f32);
    let mut waiting = ArrayVec::<Cell, WAITING>::new();
    waiting.push(Cell { centre, half });
    for divided in 1..=DIVIDED {
        let Some(cell) = waiting.pop() else { return (false, divided - 1) };
        if cell.half[0].max(cell.half[1]).max(cell.half[2]) < least {
            return (true, divided);
        }
        let cells = Cells::of(simd, &cell);
        // Most pairs that get here overlap, and most of those are found at once.
        let outside = nearly_common(simd, &walls, &cells.centres, enough);
        if bits(outside.greater(enough)) & 0xff != 0xff {
            return (true, divided);
        }
        let mut left = open(simd, &walls, &cells, error);
        while left != 0 {
            // The most promising cell is pushed last, so that it is taken first.
            let (mut worst, mut chosen) = (f32::NEG_INFINITY, left.trailing_zeros() as usize % 8);
            for (lane, &outside) in outside.as_slice().iter().enumerate() {
                if left >> lane & 1 == 1 && outside > worst {
                    (worst, chosen) = (outside, lane);
                }
            }
            left &= !(1 << chosen);
            let centre = [0, 1, 2].map(|side: usize| cells.centres[side].as_slice()[chosen]);
            if waiting.try_push(Cell { centre, half: cells.half }).is_err() {
                return (true, divided);
            }
        }
    }
    (true, DIVIDED)
}
