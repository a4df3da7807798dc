//! One model in its pose, and a point or a path before it: what the queries of one model walk over.
//!
//! The model is A of a placement, and the point or the ends of the path are the vertices of a model B at the identity. So the
//! placed point has the bits that a pair of models would give it.

use super::relative_frames::{Extent, F64_BEYOND, motion};
use crate::error::{Error, Status};
use crate::math::motion::Motion;
use crate::math::placement::{Placement, WorkingFrame};
use crate::math::pose::Pose;
use crate::math::power_of_two::{exponent_above, shift};
use crate::math::transform::{LARGEST_COORDINATE, Transform};
use crate::model::{Built, Model};
use crate::primitive::Triangle;
use crate::simd::eight::{Eight, Element, bits};
use crate::simd::prefetch::prefetch;
use crate::tree::Tree;
use crate::tree::node::{Child, Node, NodeFrame};
use crate::volume::ray::{Entries, Line, Ray, SMALLEST, Swept, inverse};
use crate::volume::{Family, Volume};
use fearless_simd::{Bytes, Select, Simd, SimdBase, f32x8, i32x8, mask32x8, u32x8};
use glam::{DMat3, DVec3};

/// A built model in a pose. Every volume takes every scale here: bounds of the node frame times the smallest factor are bounds of
/// the working frame.
#[derive(Clone, Copy)]
pub struct PosedModel<'m> {
    pub model: &'m Model,
    pub built: &'m Built,
    /// With a true rotation; None is the identity.
    pose: Option<Pose>,
}

impl<'m> PosedModel<'m> {
    pub fn new(model: &'m Model, pose: &Transform) -> Result<Self, Error> {
        Self::of_pose(model, &Pose::new(pose))
    }

    #[inline(always)]
    pub fn of_pose(model: &'m Model, pose: &Pose) -> Result<Self, Error> {
        Self::unless_refused(model, || pose.checked("pose"))
    }

    /// `of_pose` by who has entered an instruction set.
    #[inline(always)]
    pub fn of_pose_on<S: Simd>(simd: S, model: &'m Model, pose: &Pose) -> Result<Self, Error> {
        Self::unless_refused(
            model,
            #[inline(always)]
            || pose.checked_on(simd, "pose"),
        )
    }

    #[inline(always)]
    fn unless_refused(model: &'m Model, pose: impl FnOnce() -> Result<Option<Pose>, Error>) -> Result<Self, Error> {
        let Some(built) = model.built() else {
            return Err(not_built());
        };
        let pose = pose()?;
        if let Some(pose) = &pose {
            let [low, high] = model.bounds();
            if !((low.abs().max(high.abs()) * pose.scale().abs()).max_element() <= LARGEST_COORDINATE) {
                return Err(beyond_range());
            }
        }
        Ok(Self { model, built, pose })
    }

    /// The model where it was given.
    #[inline(always)]
    pub fn at_rest(model: &'m Model) -> Result<Self, Error> {
        match model.built() {
            Some(built) => Ok(Self { model, built, pose: None }),
            None => Err(not_built()),
        }
    }

    /// Places two points of the world, which may be one.
    pub fn place(&self, points: [DVec3; 2]) -> PlacedPoints<'m> {
        self.placed_by(points, Placement::of_poses)
    }

    /// `place` by who has entered an instruction set.
    #[inline(always)]
    pub fn place_on<S: Simd>(&self, simd: S, points: [DVec3; 2]) -> PlacedPoints<'m> {
        self.placed_by(
            points,
            #[inline(always)]
            |a, b| Placement::of_poses_on(simd, a, b),
        )
    }

    #[inline(always)]
    fn placed_by(
        &self,
        points: [DVec3; 2],
        placement: impl FnOnce((&Pose, i32), (&Pose, i32)) -> Placement,
    ) -> PlacedPoints<'m> {
        let largest = points[0].abs().max(points[1].abs()).max_element();
        // Points at the origin have no size of their own.
        let exponent = if largest > 0.0 { exponent_above(largest) } else { self.model.exponent() };
        // Spelt out: `map` is a call.
        let stored = |point: DVec3, exponent: i32| {
            DVec3::new(shift(point.x, -exponent), shift(point.y, -exponent), shift(point.z, -exponent))
        };
        let given = points;
        let points = [stored(given[0], exponent), stored(given[1], exponent)];
        let (placement, points, stored) = match &self.pose {
            None => {
                let frame = WorkingFrame::of_identities(self.model.exponent(), exponent);
                let unit = shift(1.0, exponent - frame.exponent);
                // As a product with a matrix has it, -0 becomes 0.
                let placed = [points[0] * unit + DVec3::ZERO, points[1] * unit + DVec3::ZERO];
                // Not from these, which take longer.
                (frame, placed, [stored(given[0], self.model.exponent()), stored(given[1], self.model.exponent())])
            }
            Some(pose) => {
                let placement = placement((pose, self.model.exponent()), (&Pose::IDENTITY, exponent));
                let placed = [placement.place_b(points[0]), placement.place_b(points[1])];
                (placement.frame, placed, [placed[0] / placement.scale_a, placed[1] / placement.scale_a])
            }
        };
        let scale = placement.scale_a;
        let origin = placement.place_a(self.built.origin);
        let rounding = rounding(origin, &points);
        let unit = scale.abs().min_element();
        PlacedPoints { model: self.model, built: self.built, placement, points, stored, unit, rounding }
    }

    /// Whether the pose mirrors the model.
    pub fn is_mirrored(&self) -> bool {
        let is_mirror = |scale: DVec3| scale.x * scale.y.signum() * scale.z.signum() < 0.0;
        self.pose.as_ref().is_some_and(|pose| is_mirror(pose.scale()))
    }
}

#[cold]
fn not_built() -> Error {
    Error::new(Status::NotBuilt, format_args!("model has not been built"))
}

#[cold]
fn beyond_range() -> Error {
    Error::new(Status::InvalidArgument, format_args!("pose.scale moves the model beyond 1e300"))
}

/// As `Placed::rounding`: a product with a matrix and a translation costs 8 roundings of each.
fn rounding(origin: DVec3, points: &[DVec3; 2]) -> f64 {
    32.0 * f64::EPSILON * (size(origin) + size(points[0]).max(size(points[1])))
}

/// At least the length of a vector, and less than twice as much.
fn size(vector: DVec3) -> f64 {
    vector.abs().element_sum()
}

/// Two points in the working frame of a model.
#[derive(Clone, Copy)]
pub struct PlacedPoints<'m> {
    pub model: &'m Model,
    pub built: &'m Built,
    pub placement: WorkingFrame,
    pub points: [DVec3; 2],
    /// The same in stored coordinates of the model, as far as bounds need them.
    stored: [DVec3; 2],
    /// Working units per length of the node frame, the fewest of all directions.
    unit: f64,
    /// What placed vertices and points may be off by because they are far from the origin of the working frame.
    rounding: f64,
}

impl PlacedPoints<'_> {
    /// A triangle in the working frame.
    #[inline(always)]
    pub fn triangle(&self, slot: u32) -> Triangle {
        let [p, q, r] = self.model.triangle_in_slot(slot as usize);
        [self.placement.place_a(p), self.placement.place_a(q), self.placement.place_a(r)]
    }

    /// Whether the points are where they are, and not pulled in from afar.
    pub fn is_in_place(&self) -> bool {
        !self.placement.is_pulled()
    }

    /// The same model with other points of the working frame.
    pub fn with_points(&self, points: [DVec3; 2]) -> Self {
        let origin = self.placement.place_a(self.built.origin);
        let scale = self.placement.scale_a;
        let stored = [points[0] / scale, points[1] / scale];
        Self { points, stored, rounding: rounding(origin, &points), ..*self }
    }

    /// How far to go from the first point, in any direction, to be outside of a sphere around the model; None when the point
    /// is outside already.
    pub fn beyond(&self) -> Option<f64> {
        let radius = self.built.radius * self.placement.scale_a.abs().max_element() * (1.0 + 1e-9) + self.rounding;
        (self.apart() * (1.0 - 1e-9) <= radius).then_some(4.0 * radius)
    }

    /// From the origin of the node frame to the first point, in working units.
    fn apart(&self) -> f64 {
        (self.points[0] - self.placement.place_a(self.built.origin)).length()
    }

    /// What placed vertices about an origin and the points may be off by.
    fn rounding_about(&self, origin: DVec3) -> f64 {
        rounding(self.placement.place_a(origin), &self.points)
    }
}

/// The lanes of a node after a test.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Opened<'t> {
    /// A bound for each lane, infinite for the others.
    pub bounds: [f32; 8],
    /// What is below the lanes, as `Child`.
    pub children: &'t [u32; 8],
    /// The lanes within the limit, as bits.
    pub survivors: u32,
    /// The lanes without a node below, as bits.
    pub triangles: u32,
}

/// A shape before a hierarchy: bounds of a measure that grows from a volume to what is inside of it.
pub trait Approach<S: Simd> {
    /// The lane that holds the whole hierarchy.
    fn root(&self) -> Child;

    /// Asks for the memory of a node that will be opened soon.
    fn prefetch(&self, node: u32);

    /// The lanes of a node, and which of them are within the limit; no bound is below that of the node.
    fn expand(&self, simd: S, node: u32, bound: f32, limit: f32) -> Opened<'_>;
}

/// Lanes beyond the limit do not survive.
#[inline(always)]
fn survivors<S: Simd, W>(simd: S, node: &Node<W>, bounds: f32x8<S>, limit: f32) -> Opened<'_> {
    opened(simd, node, bounds, bounds.simd_le(f32x8::splat(simd, limit)))
}

/// Lanes without a child do not survive.
#[inline(always)]
fn opened<S: Simd, W>(simd: S, node: &Node<W>, bounds: f32x8<S>, near: mask32x8<S>) -> Opened<'_> {
    let children = u32x8::load_array_ref(simd, &node.children);
    let survivors = near & !children.simd_eq(u32x8::splat(simd, Child::EMPTY.0));
    // The first bit of a word, as the sign of an integer.
    let triangles = children.bitcast::<i32x8<S>>().simd_lt(i32x8::splat(simd, 0));
    let mut opened =
        Opened { bounds: [0.0; 8], children: &node.children, survivors: bits(survivors), triangles: bits(triangles) };
    survivors.select(bounds, f32x8::splat(simd, f32::INFINITY)).store_slice(&mut opened.bounds);
    opened
}

/// Rounds up into f32; finite, so that a bound of infinity is above every limit.
pub fn limit_above(value: f64) -> f32 {
    let rounded = value as f32;
    if (rounded as f64) < value { rounded.next_up() } else { rounded }.min(f32::MAX)
}

/// A point before a hierarchy: bounds of its distance, relative to a base.
pub struct PointBefore<'t, V: Volume, E: Element> {
    placed: &'t PlacedPoints<'t>,
    tree: &'t Tree<V>,
    probe: <V::Family as Family>::Probe<E>,
    point: [E; 3],
    motion: Motion<E>,
    /// No distance is below this: 0 on the f32 path.
    base: f64,
}

impl<'t, V: Volume, E: Element> PointBefore<'t, V, E> {
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, placed: &'t PlacedPoints<'t>, tree: &'t Tree<V>) -> Self {
        let motion = point_motion::<V, E>(placed, tree, &whole(placed, tree));
        let base = if E::ROUNDING > f64::EPSILON {
            0.0
        } else {
            let reach = tree.reach * placed.placement.scale_a.abs().max_element();
            (placed.apart() - reach - placed.rounding).max(0.0) * (1.0 - 1e-12)
        };
        let probe = V::probe(simd, &tree.shapes.point, 0, &motion);
        Self { placed, tree, probe, point: motion.translation(), motion, base }
    }

    /// A distance of the working frame as a limit for bounds.
    pub fn limit(&self, distance: f64) -> f32 {
        limit_above(distance - self.base)
    }
}

/// Whether f32 would blur the difference between near and far parts.
pub fn is_far<V: Volume>(placed: &PlacedPoints, tree: &Tree<V>) -> bool {
    placed.apart() > F64_BEYOND * tree.reach * placed.unit
}

/// The frame that all nodes share unless each has its own.
fn whole<V: Volume>(placed: &PlacedPoints, tree: &Tree<V>) -> NodeFrame {
    NodeFrame { origin: placed.built.origin, reach: tree.reach }
}

/// The motion of the first point into a frame.
#[inline(always)]
fn point_motion<V: Volume, E: Element>(placed: &PlacedPoints, tree: &Tree<V>, frame: &NodeFrame) -> Motion<E> {
    let point = placed.stored[0] - frame.origin;
    let source = Extent::new(placed.unit, tree.shapes.point_reach);
    moved::<V, E>(placed, frame, DMat3::IDENTITY, point, source)
}

/// The motion of a shape with its origin at `centre` into a frame; the slack is that of pairs.
#[inline(always)]
fn moved<V: Volume, E: Element>(
    placed: &PlacedPoints,
    frame: &NodeFrame,
    turn: DMat3,
    centre: DVec3,
    source: Extent,
) -> Motion<E> {
    let target = Extent::new(placed.unit, frame.reach);
    let shift = centre * placed.unit;
    motion(turn, (shift, shift.length()), source, target, V::SLACK, placed.rounding_about(frame.origin))
}

impl<S: Simd, V: Volume, E: Element> Approach<S> for PointBefore<'_, V, E> {
    #[inline(always)]
    fn root(&self) -> Child {
        self.tree.nodes[0].child(0)
    }

    #[inline(always)]
    fn prefetch(&self, node: u32) {
        prefetch(&self.tree.nodes[node as usize]);
    }

    #[inline(always)]
    fn expand(&self, simd: S, node: u32, bound: f32, limit: f32) -> Opened<'_> {
        let (index, node) = (node, &self.tree.nodes[node as usize]);
        let (mut motion, mut point, mut probe) = (self.motion, self.point, self.probe);
        if let Some(frame) = self.tree.frames.get(index as usize) {
            motion = point_motion::<V, E>(self.placed, self.tree, frame);
            (point, probe) = (motion.translation(), V::probe(simd, &self.tree.shapes.point, 0, &motion));
        }
        let base = E::from_f64(self.base);
        let beyond = (E::from_f32(limit) + base) / motion.unit + motion.slack;
        let bounds: E::Lanes<S> = V::to_point(simd, &node.wide, point, &probe, beyond);
        let working = (bounds - motion.slack) * motion.unit;
        let bounds = f32x8::max(working.relative_down(simd, base), f32x8::splat(simd, bound));
        survivors(simd, node, bounds, limit)
    }
}

/// The part of a path that can meet a model: where it begins and ends, as shares of the whole, and what that is in nodes.
#[derive(Clone, Copy, Debug)]
pub struct Clipped {
    pub begin: f64,
    pub end: f64,
    start: DVec3,
    motion: DVec3,
    /// Radius of the ball in the node frame, rounded up, and in working units.
    ball: f64,
    radius: f64,
    /// What the ends may be off by, in the node frame.
    error: f64,
    /// The sum of both ends' coordinates, whatever their signs.
    sizes: f64,
    /// In units of the model everything else is so large that f32 tells nothing: nothing is pruned.
    is_blind: bool,
}

/// Between which times a path is within a sphere around the origin, as `Clipped` names what it has.
///
/// With o and e the ends, the computed middle of the chord is off by less than 16 roundings of |o| + |e|. The sphere is
/// taken larger by 64, and so is the chord.
#[inline(never)]
fn chord(start: DVec3, motion: DVec3, ball: f64, error: f64, reach: f64) -> Option<(f64, f64)> {
    let sphere = (reach + ball) * (1.0 + 1e-9) + error;
    let length = motion.length();
    let direction = motion / length;
    let along = -start.dot(direction);
    let nearest = (start + direction * along).length();
    if nearest > sphere + error {
        return None;
    }
    let half = (sphere * sphere - nearest * nearest).max(0.0).sqrt() + 2.0 * error + sphere * 1e-6;
    let (begin, end) = (((along - half) / length).max(0.0), ((along + half) / length).min(1.0));
    (begin <= end).then_some((begin, end))
}

/// Squares of lengths up to this stay far inside of f32.
const BLIND_BEYOND: f64 = 1e15;

/// A path whose ends are within this many reaches of a model, both together and each as the sum of its coordinates, stays whole:
/// f32 sees it well enough, and cutting takes as long as opening two nodes.
const NEAR: f64 = 8.0;

impl Clipped {
    /// The whole path of a ball (its radius in working units), to be shortened.
    #[inline(always)]
    pub fn whole(placed: &PlacedPoints, radius: f64) -> Self {
        Self::in_frame(placed, radius, placed.built.origin, placed.rounding)
    }

    /// The part of a whole path that comes within reach of the model's enclosing sphere; None when no part does.
    #[inline(always)]
    pub fn shortened(self, placed: &PlacedPoints) -> Option<Self> {
        self.shortened_to(placed.built.radius)
    }

    /// The whole path in the frame around an origin. `rounding` is what placed vertices and points may be off by.
    #[inline(always)]
    fn in_frame(placed: &PlacedPoints, radius: f64, origin: DVec3, rounding: f64) -> Self {
        let [start, end] = [placed.stored[0] - origin, placed.stored[1] - origin];
        let motion = end - start;
        let ball = if radius > 0.0 { radius / placed.unit * (1.0 + 1e-9) } else { 0.0 };
        let sizes = size(start) + size(end);
        let error = 64.0 * f64::EPSILON * sizes + rounding / placed.unit;
        let is_blind = !(sizes + ball + error <= BLIND_BEYOND);
        Self { begin: 0.0, end: 1.0, start, motion, ball, radius, error, sizes, is_blind }
    }

    /// `shortened` to a sphere around the origin of the frame. As values: what was just stored in small pieces is slow to load in large ones.
    #[inline(always)]
    fn shortened_to(self, reach: f64) -> Option<Self> {
        if self.is_blind || self.sizes <= NEAR * reach && self.motion != DVec3::ZERO {
            return Some(self);
        }
        if !(self.motion.length() > 0.0) {
            let sphere = (reach + self.ball) * (1.0 + 1e-9) + self.error;
            let is_near = self.start.length() <= sphere + self.error;
            return is_near.then_some(Self { end: 0.0, motion: DVec3::ZERO, ..self });
        }
        let (begin, end) = chord(self.start, self.motion, self.ball, self.error, reach)?;
        Some(Self { begin, end, ..self })
    }

    fn at(&self, time: f64) -> DVec3 {
        if time > 0.0 { self.start + self.motion * time } else { self.start }
    }

    /// How far the ball has gone on this part at `time` or at its end, as a limit for bounds. Computed times of segments are off by less than
    /// `TIME_OFF`; those of balls are at most as early as for a ball that is larger by a few roundings, which `Line::ball` has room for.
    #[inline(always)]
    pub fn limit(&self, time: f64) -> f32 {
        if self.is_blind {
            return f32::MAX;
        }
        let time = if time < self.end { time } else { self.end };
        roughly_above(time - self.begin + (self.end - self.begin) * 1e-6 + TIME_OFF)
    }
}

/// See `primitive::segment_triangle`.
const TIME_OFF: f64 = f64::from_bits((1023 - 40) << 52);

/// A moving ball before a hierarchy: bounds of how far it has gone when it touches something.
pub struct PathBefore<'t, V: Volume> {
    placed: &'t PlacedPoints<'t>,
    tree: &'t Tree<V>,
    clipped: &'t Clipped,
    ray: Ray<<V::Family as Family>::Probe<f32>>,
    /// Whether the path can be seen, in a frame that all nodes share.
    is_plain: bool,
}

impl<'t, V: Volume> PathBefore<'t, V> {
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, placed: &'t PlacedPoints<'t>, tree: &'t Tree<V>, clipped: &'t Clipped) -> Self {
        let frame = whole(placed, tree);
        // As a value, which stays in registers.
        let seen = if clipped.is_blind {
            Clipped { start: DVec3::ZERO, motion: DVec3::ZERO, ball: 0.0, error: 0.0, ..*clipped }
        } else {
            *clipped
        };
        let ray = ray_in(simd, placed, tree, &seen, &frame);
        let is_plain = !clipped.is_blind && tree.frames.is_empty();
        Self { placed, tree, clipped, ray, is_plain }
    }
}

/// A part of a path as the volumes of a frame see it.
#[inline(always)]
fn ray_in<S: Simd, V: Volume>(
    simd: S,
    placed: &PlacedPoints,
    tree: &Tree<V>,
    clipped: &Clipped,
    frame: &NodeFrame,
) -> Ray<<V::Family as Family>::Probe<f32>> {
    let start = clipped.at(clipped.begin);
    let reach = size(start) + frame.reach + size(clipped.motion) * (clipped.end - clipped.begin);
    let ball = clipped.ball + 64.0 * f32::ROUNDING * reach + (clipped.error + 2.0 * SMALLEST as f64);
    let (origin, along) = (start.as_vec3().to_array(), clipped.motion.as_vec3().to_array());
    let line = Line { origin, direction: along, inverse: inverse(along), ball: up(ball) };
    let swept = if const { V::SEES_LINES } { None } else { Some(swept(simd, placed, tree, clipped, frame)) };
    Ray { line, swept }
}

/// A little more than a number.
#[inline(always)]
fn up(value: f64) -> f32 {
    roughly_above(value * (1.0 + 1e-6))
}

/// More than a number by up to a part in 2^21, or above 0; finite. Without a branch.
#[inline(always)]
fn roughly_above(value: f64) -> f32 {
    const MORE: f64 = 1.0 + 4.0 * f32::ROUNDING;
    let positive = if value > 0.0 { value } else { 0.0 };
    let above = positive * MORE + f32::MIN_POSITIVE as f64;
    (if above < f32::MAX as f64 { above } else { f32::MAX as f64 }) as f32
}

/// A part of a path as volumes of the hierarchy's kind.
#[inline(never)]
fn swept<S: Simd, V: Volume>(
    simd: S,
    placed: &PlacedPoints,
    tree: &Tree<V>,
    clipped: &Clipped,
    frame: &NodeFrame,
) -> Swept<<V::Family as Family>::Probe<f32>> {
    simd.vectorize(
        #[inline(always)]
        || {
            let start = clipped.at(clipped.begin);
            let length = clipped.motion.length();
            let (direction, turn) = if length > 0.0 {
                let direction = clipped.motion / length;
                let (y, z) = direction.any_orthonormal_pair();
                (direction, DMat3::from_cols(direction, y, z))
            } else {
                (DVec3::ZERO, DMat3::IDENTITY)
            };
            let part = length * (clipped.end - clipped.begin);
            // Bounds are lengths; these are shares of the path.
            let share = (1.0 / length).min(1e20);
            // The half length is a little longer than it is, so that the rounding of its middle stays inside.
            let half = 0.5 * part * (1.0 + 1e-6) + clipped.error;
            let middle = start + direction * (0.5 * part);
            let source = Extent::new(half.max(f64::MIN_POSITIVE) * placed.unit, tree.shapes.segment_reach);
            let path: Motion<f32> = moved::<V, f32>(placed, frame, turn, middle, source);
            let source = Extent::new(placed.unit, tree.shapes.point_reach);
            let begin: Motion<f32> = moved::<V, f32>(placed, frame, DMat3::IDENTITY, start, source);
            // At most 1, also where the unit is too small for f32 and bounds tell nothing.
            let shorter = (begin.unit as f64 / placed.unit).min(1.0) * (1.0 - 1e-6);
            Swept {
                path: V::probe(simd, &tree.shapes.segment, 0, &path),
                path_ball: up(clipped.ball * placed.unit / path.unit as f64 + path.slack as f64),
                start: V::probe(simd, &tree.shapes.point, 0, &begin),
                start_ball: up((begin.slack as f64 + clipped.ball + clipped.error) * share),
                shorter: (shorter * share * (1.0 - 1e-6)) as f32,
            }
        },
    )
}

/// The lanes of a node that a path enters.
pub struct EnteredLanes<'t> {
    /// Lanes as bits: those that lead to nodes, and those that lead to triangles.
    pub nodes: u32,
    pub triangles: u32,
    /// How far the path goes before it enters each of these.
    gone: Aligned,
    /// What is below the lanes, as `Child`.
    pub children: &'t [u32; 8],
}

#[repr(C, align(32))]
struct Aligned([f32; 8]);

impl EnteredLanes<'_> {
    /// How far the path goes before it enters a lane, and what is below: in one number, which grows with the way.
    #[inline(always)]
    pub fn waiting(&self, lane: u32) -> u64 {
        let lane = lane as usize % 8;
        // Without the sign of a zero the bits are in the order of the numbers.
        let gone = self.gone.0[lane].to_bits() & 0x7fff_ffff;
        (gone as u64) << 32 | self.children[lane] as u64
    }

    /// `waiting` of the first of some lanes; the largest number if there is none.
    #[inline(always)]
    pub fn waiting_or_none(&self, lanes: u32) -> u64 {
        let waiting = self.waiting(lanes.trailing_zeros());
        if lanes == 0 { u64::MAX } else { waiting }
    }
}

impl<V: Volume> PathBefore<'_, V> {
    /// `Clipped::limit`.
    #[inline(always)]
    pub fn limit(&self, time: f64) -> f32 {
        self.clipped.limit(time)
    }

    /// The lanes of a node that the path enters within the limit.
    #[inline(always)]
    pub fn enter<S: Simd>(&self, simd: S, node: u32, limit: f32) -> EnteredLanes<'_> {
        let (index, node) = (node, &self.tree.nodes[node as usize]);
        let entries = if self.is_plain {
            V::entry(simd, &node.wide, &self.ray, limit)
        } else {
            self.entry_apart(simd, index, limit)
        };
        let children = u32x8::load_array_ref(simd, &node.children);
        // The first bit of a word, as the sign of an integer. Lanes without a child have it.
        let others = bits(children.bitcast::<i32x8<S>>().simd_lt(i32x8::splat(simd, 0)));
        let entered = bits(entries.entered);
        let mut triangles = entered & others;
        if triangles != 0 {
            triangles &= !bits(children.simd_eq(u32x8::splat(simd, Child::EMPTY.0)));
        }
        let mut gone = Aligned([0.0; 8]);
        entries.gone.store_slice(&mut gone.0);
        EnteredLanes { nodes: entered & !others, triangles, gone, children: &node.children }
    }

    /// The entries of a node where not all nodes share a frame, or where nothing can be told.
    #[inline(never)]
    fn entry_apart<S: Simd>(&self, simd: S, index: u32, limit: f32) -> Entries<S> {
        simd.vectorize(
            #[inline(always)]
            || {
                let node = &self.tree.nodes[index as usize];
                match self.tree.frames.get(index as usize) {
                    Some(frame) if !self.clipped.is_blind => self.entry_in(simd, node, frame, limit),
                    _ => {
                        let gone = f32x8::splat(simd, 0.0);
                        Entries { gone, entered: gone.simd_le(f32x8::splat(simd, limit)) }
                    }
                }
            },
        )
    }

    /// The entries of a node with a frame of its own, which sees only the part of the path that comes near.
    #[inline(never)]
    fn entry_in<S: Simd>(&self, simd: S, node: &Node<V::Wide>, frame: &NodeFrame, limit: f32) -> Entries<S> {
        let entered = |gone: f32| {
            let gone = f32x8::splat(simd, gone);
            Entries { gone, entered: gone.simd_le(f32x8::splat(simd, limit)) }
        };
        let rounding = self.placed.rounding_about(frame.origin);
        let near = Clipped::in_frame(self.placed, self.clipped.radius, frame.origin, rounding);
        let Some(near) = near.shortened_to(frame.reach) else { return entered(f32::INFINITY) };
        if near.is_blind {
            return entered(0.0);
        }
        let before = (near.begin - self.clipped.begin) as f32 * (1.0 - 4.0 * f32::EPSILON);
        simd.vectorize(
            #[inline(always)]
            || {
                let ray = ray_in(simd, self.placed, self.tree, &near, frame);
                let Entries { gone, entered } = V::entry(simd, &node.wide, &ray, near.limit(1.0));
                // Never below 0, which rounding could make of the sum.
                let gone = (gone + f32x8::splat(simd, before)).max(f32x8::splat(simd, 0.0));
                Entries { gone, entered: entered & gone.simd_le(f32x8::splat(simd, limit)) }
            },
        )
    }
}

impl<S: Simd, V: Volume> Approach<S> for PathBefore<'_, V> {
    #[inline(always)]
    fn root(&self) -> Child {
        self.tree.nodes[0].child(0)
    }

    #[inline(always)]
    fn prefetch(&self, node: u32) {
        prefetch(&self.tree.nodes[node as usize]);
    }

    #[inline(always)]
    fn expand(&self, simd: S, node: u32, bound: f32, limit: f32) -> Opened<'_> {
        let (index, node) = (node, &self.tree.nodes[node as usize]);
        if self.clipped.is_blind {
            return survivors(simd, node, f32x8::splat(simd, bound), limit);
        }
        let entries = match self.tree.frames.get(index as usize) {
            None => V::entry(simd, &node.wide, &self.ray, limit),
            Some(frame) => self.entry_in(simd, node, frame, limit),
        };
        opened(simd, node, f32x8::max(entries.gone, f32x8::splat(simd, bound)), entries.entered)
    }
}

/// An approach whose volume the walk does not know: the loops are compiled once for all that hide like this.
pub struct Hidden<'a, S>(pub &'a dyn Approach<S>);

impl<S: Simd> Approach<S> for Hidden<'_, S> {
    #[inline(always)]
    fn root(&self) -> Child {
        self.0.root()
    }

    fn prefetch(&self, node: u32) {
        self.0.prefetch(node);
    }

    #[inline(always)]
    fn expand(&self, simd: S, node: u32, bound: f32, limit: f32) -> Opened<'_> {
        self.0.expand(simd, node, bound, limit)
    }
}

/// An approach to be hidden: a call through a table has to enter the instruction set again.
pub struct Entered<'a, A>(pub &'a A);

impl<S: Simd, A: Approach<S>> Approach<S> for Entered<'_, A> {
    fn root(&self) -> Child {
        self.0.root()
    }

    fn prefetch(&self, node: u32) {
        self.0.prefetch(node);
    }

    fn expand(&self, simd: S, node: u32, bound: f32, limit: f32) -> Opened<'_> {
        simd.vectorize(
            #[inline(always)]
            || self.0.expand(simd, node, bound, limit),
        )
    }
}
