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
use crate::volume::ray::{Entries, Line, Ray, Swept, inverse};
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
        let Some(built) = model.built() else {
            return Err(not_built());
        };
        let pose = pose.checked("pose")?;
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
    #[inline(always)]
    pub fn place(&self, points: [DVec3; 2]) -> PlacedPoints<'m> {
        let largest = points[0].abs().max(points[1].abs()).max_element();
        // Points at the origin have no size of their own.
        let exponent = if largest > 0.0 { exponent_above(largest) } else { self.model.exponent() };
        // Spelt out: `map` is a call.
        let stored =
            |point: DVec3| DVec3::new(shift(point.x, -exponent), shift(point.y, -exponent), shift(point.z, -exponent));
        let points = [stored(points[0]), stored(points[1])];
        let (placement, points) = match &self.pose {
            None => {
                let frame = WorkingFrame::of_identities(self.model.exponent(), exponent);
                let unit = shift(1.0, exponent - frame.exponent);
                // As a product with a matrix has it, -0 becomes 0.
                (frame, [points[0] * unit + DVec3::ZERO, points[1] * unit + DVec3::ZERO])
            }
            Some(pose) => {
                let placement = Placement::of_poses((pose, self.model.exponent()), (&Pose::IDENTITY, exponent));
                (placement.frame, [placement.place_b(points[0]), placement.place_b(points[1])])
            }
        };
        let scale = placement.scale_a;
        let origin = placement.place_a(self.built.origin);
        let rounding = rounding(origin, &points);
        let unit = scale.abs().min_element();
        PlacedPoints { model: self.model, built: self.built, placement, points, unit, rounding }
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
    /// Working units per length of the node frame, the fewest of all directions.
    unit: f64,
    /// What placed vertices and points may be off by because they are far from the origin of the working frame.
    rounding: f64,
}

impl PlacedPoints<'_> {
    /// A triangle in the working frame.
    #[inline]
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
        Self { points, rounding: rounding(origin, &points), ..*self }
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

    /// A placed point in a frame with the axes of the model, given by its origin in stored coordinates.
    fn in_frame(&self, point: DVec3, origin: DVec3) -> DVec3 {
        point / self.placement.scale_a - origin
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
    let point = placed.in_frame(placed.points[0], frame.origin);
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
    /// The largest coordinate of the motion: how far the whole path goes in the node frame. Any measure that grows evenly along the path
    /// would do; this one needs no root.
    length: f64,
    /// Radius of the ball in the node frame, rounded up, and in working units.
    ball: f64,
    radius: f64,
    /// What the ends may be off by, in the node frame.
    error: f64,
    /// In units of the model everything else is so large that f32 tells nothing: nothing is pruned.
    is_blind: bool,
}

/// Squares of lengths up to this stay far inside of f32.
const BLIND_BEYOND: f64 = 1e15;

/// A path whose ends are within this many reaches of a model, both together and each as the sum of its coordinates, stays whole:
/// f32 sees it well enough, and cutting takes as long as opening two nodes.
const NEAR: f64 = 8.0;

impl Clipped {
    /// The part of the path of a ball (its radius in working units) that comes within reach of the model's enclosing sphere;
    /// None when no part does.
    #[inline(always)]
    pub fn new(placed: &PlacedPoints, radius: f64) -> Option<Self> {
        let whole = NodeFrame { origin: placed.built.origin, reach: placed.built.radius };
        Self::about(placed, radius, whole, placed.rounding)
    }

    /// The same for a sphere of the frame's reach around its origin.
    ///
    /// With o and e the ends, the computed middle of the chord is off by less than 16 roundings of |o| + |e|. The sphere is
    /// taken larger by 64, and so is the chord. `rounding` is what placed vertices and points may be off by.
    #[inline(always)]
    fn about(placed: &PlacedPoints, radius: f64, frame: NodeFrame, rounding: f64) -> Option<Self> {
        let [from, to] = placed.points;
        let (start, end) = (placed.in_frame(from, frame.origin), placed.in_frame(to, frame.origin));
        let motion = end - start;
        let length = motion.abs().max_element();
        let ball = if radius > 0.0 { radius / placed.unit * (1.0 + 1e-9) } else { 0.0 };
        let sizes = size(start) + size(end);
        let error = 64.0 * f64::EPSILON * sizes + rounding / placed.unit;
        let is_blind = !(sizes + ball + error <= BLIND_BEYOND);
        let whole = Self { begin: 0.0, end: 1.0, start, motion, length, ball, radius, error, is_blind };
        if is_blind || sizes <= NEAR * frame.reach && length > 0.0 {
            return Some(whole);
        }
        whole.cut(frame.reach)
    }

    /// The part of a whole path in a sphere around the origin of its frame.
    #[inline(never)]
    fn cut(self, reach: f64) -> Option<Self> {
        let Self { start, motion, ball, error, .. } = self;
        let sphere = (reach + ball) * (1.0 + 1e-9) + error;
        let length = motion.length();
        if !(length > 0.0) {
            return (start.length() <= sphere + error).then_some(Self { end: 0.0, length: 0.0, ..self });
        }
        let direction = motion / length;
        let along = -start.dot(direction);
        let nearest = (start + direction * along).length();
        if nearest > sphere + error {
            return None;
        }
        let half = (sphere * sphere - nearest * nearest).max(0.0).sqrt() + 2.0 * error + sphere * 1e-6;
        let (begin, end) = (((along - half) / length).max(0.0), ((along + half) / length).min(1.0));
        if !(begin <= end) {
            return None;
        }
        Some(Self { begin, end, ..self })
    }

    fn at(&self, time: f64) -> DVec3 {
        if time > 0.0 { self.start + self.motion * time } else { self.start }
    }

    fn part(&self) -> f64 {
        self.length * (self.end - self.begin)
    }

    /// How far the ball has gone on this part at `time` or at its end, as a limit for bounds.
    #[inline(always)]
    pub fn limit(&self, time: f64) -> f32 {
        if self.is_blind {
            return f32::MAX;
        }
        let time = if time < self.end { time } else { self.end };
        roughly_above((time - self.begin) * self.length + self.part() * 1e-6 + self.error)
    }
}

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
        let blind;
        let seen = if clipped.is_blind {
            blind = Clipped { start: DVec3::ZERO, length: 0.0, ball: 0.0, error: 0.0, ..*clipped };
            &blind
        } else {
            clipped
        };
        let ray = ray_in(simd, placed, tree, seen, &frame);
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
    let part = clipped.part();
    let direction = if clipped.length > 0.0 { clipped.motion / clipped.length } else { DVec3::ZERO };
    let start = clipped.at(clipped.begin);
    let reach = size(start) + frame.reach + part;
    let ball = clipped.ball + 64.0 * f32::ROUNDING * reach + clipped.error;
    let (origin, along) = (start.as_vec3().to_array(), direction.as_vec3().to_array());
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
            // Bounds are true lengths, of which the path's measure is a share.
            let length = if clipped.length > 0.0 { clipped.motion.length() } else { 0.0 };
            let (share, direction, turn) = if length > 0.0 {
                let direction = clipped.motion / length;
                let (y, z) = direction.any_orthonormal_pair();
                ((clipped.length / length).min(1.0), direction, DMat3::from_cols(direction, y, z))
            } else {
                (1.0, DVec3::ZERO, DMat3::IDENTITY)
            };
            let part = length * (clipped.end - clipped.begin);
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
    children: &'t [u32; 8],
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

    #[inline(always)]
    pub fn child(&self, lane: u32) -> Child {
        Child(self.children[lane as usize % 8])
    }
}

impl<V: Volume> PathBefore<'_, V> {
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
        let Some(near) = Clipped::about(self.placed, self.clipped.radius, *frame, rounding) else {
            return entered(f32::INFINITY);
        };
        if near.is_blind {
            return entered(0.0);
        }
        let before = ((near.begin - self.clipped.begin) * self.clipped.length) as f32 * (1.0 - 4.0 * f32::EPSILON);
        simd.vectorize(
            #[inline(always)]
            || {
                let ray = ray_in(simd, self.placed, self.tree, &near, frame);
                let Entries { gone, entered } = V::entry(simd, &node.wide, &ray, near.limit(1.0));
                let gone = gone + f32x8::splat(simd, before);
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
