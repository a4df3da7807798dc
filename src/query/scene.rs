//! Two hierarchies in their poses: what every search of a query walks over.
//!
//! Bounds live in the working frame of the placement, relative to `base`, in f32. On the f32 path the base is 0. On
//! the f64 path, taken when the models are so far apart that f32 could not tell near parts from far ones, the base is
//! a lower bound of all distances, and what is left of a bound is small enough for f32 again.

use super::pending::Pending;
use crate::math::motion::Motion;
use crate::math::placement::Placement;
use crate::model::{Hierarchy, Model};
use crate::simd::eight::{Eight, Element, bits};
use crate::tree::node::{Child, Lane, Node, Tree};
use crate::volume::{Family, LaneCounts, Slack, Volume};
use fearless_simd::{Simd, SimdBase, f32x8};
use glam::DVec3;

/// How many times farther than their own size two models must be for the f64 path.
const FAR: f64 = 16.0;

/// The part of a scene that does not depend on volume or arithmetic.
#[derive(Clone, Copy)]
pub struct Placed<'a> {
    pub a: &'a Model,
    pub b: &'a Model,
    pub hierarchy_a: &'a Hierarchy,
    pub hierarchy_b: &'a Hierarchy,
    /// Origins of the node frames, in stored coordinates.
    pub origin_a: DVec3,
    pub origin_b: DVec3,
    pub placement: &'a Placement,
}

/// How the node frames of the two models lie to each other, in f64 and working units.
#[derive(Clone, Copy, Debug)]
pub struct Frames {
    reach_a: f64,
    reach_b: f64,
    /// Distance of the two node origins.
    apart: f64,
    unit_a: f64,
    unit_b: f64,
    turn_a: glam::DMat3,
    turn_b: glam::DMat3,
    from_a_to_b: DVec3,
}

impl Frames {
    pub fn new(placed: &Placed, reach_a: f64, reach_b: f64) -> Self {
        let placement = placed.placement;
        let (unit_a, unit_b) = (placement.scale_a.x, placement.scale_b.x);
        let from_a_to_b = placement.place_b(placed.origin_b) - placement.place_a(placed.origin_a);
        Self {
            reach_a,
            reach_b,
            apart: from_a_to_b.length(),
            unit_a,
            unit_b,
            turn_a: placement.rotation_b.transpose(),
            turn_b: placement.rotation_b,
            from_a_to_b,
        }
    }

    /// Whether f32 would blur the difference between near and far parts.
    pub fn are_far(&self) -> bool {
        self.apart > FAR * (self.reach_a * self.unit_a).max(self.reach_b * self.unit_b)
    }

    /// No two points of the models are closer than this; 0 on the f32 path.
    fn base<E: Element>(&self) -> f64 {
        if E::ROUNDING > f64::EPSILON {
            return 0.0;
        }
        (self.apart - self.reach_a * self.unit_a - self.reach_b * self.unit_b).max(0.0) * (1.0 - 1e-9)
    }

    /// The motion of probes that come from `source` into the node frame of `target`.
    #[allow(clippy::too_many_arguments)]
    fn motion<E: Element>(
        turn: glam::DMat3,
        shift: DVec3,
        source: (f64, f64),
        target: (f64, f64),
        slack: Slack,
    ) -> Motion<E> {
        let (source_unit, source_reach) = source;
        let (target_unit, target_reach) = target;
        let ratio = source_unit / target_unit;
        let translation = shift / target_unit;
        let (r, t, q) = (source_reach * ratio, translation.length(), target_reach);
        // The last term covers the rounding of the placed vertices, of this motion and of the triangle kernel (1e-12),
        // against which bounds are compared; it is far below the first on the f32 path.
        let mut bound = E::ROUNDING * (slack.source * r + slack.translation * t + slack.target * q)
            + 64.0 * f64::EPSILON * (r + t + q);
        if E::ROUNDING < f32::ROUNDING {
            bound += f32::ROUNDING * slack.stored * (r + q);
        }
        // 32 roundings cover the relative errors of norms, of this conversion and the kernel's 1e-12.
        Motion::new(turn, translation, ratio, target_unit * (1.0 - 32.0 * E::ROUNDING - 4e-12), bound * 1.0001)
    }
}

/// What a search knows of its scene besides the volumes.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    pub placed: Placed<'a>,
    /// The pair to start from.
    pub root: Pending,
    base: f64,
}

impl Ground<'_> {
    /// A distance of the working frame as a limit for relative bounds, rounded up: what is pruned above it is farther.
    pub fn limit(&self, distance: f64) -> f32 {
        let relative = distance - self.base;
        let rounded = relative as f32;
        if (rounded as f64) < relative { rounded.next_up() } else { rounded }
    }

    /// A relative bound as a certified lower bound in the working frame.
    pub fn certified(&self, bound: f32) -> f64 {
        self.base + bound.max(0.0) as f64
    }
}

/// What a search does with a scene, on one instruction set.
pub trait Expand<S: Simd> {
    /// Opens the larger volume of the pair and tests its children against the other volume.
    fn expand(&self, simd: S, pair: Pending, limit: f32, ask: Ask, counts: &mut LaneCounts) -> Expansion;
}

/// A scene whose volumes the search does not know: its loops are compiled once for all scenes that hide like this.
pub struct Hidden<'a, S>(pub &'a dyn Expand<S>);

impl<S: Simd> Expand<S> for Hidden<'_, S> {
    #[inline(always)]
    fn expand(&self, simd: S, pair: Pending, limit: f32, ask: Ask, counts: &mut LaneCounts) -> Expansion {
        self.0.expand(simd, pair, limit, ask, counts)
    }
}

/// A scene to be hidden: a call through a table has to enter the instruction set anew.
pub struct Entered<'a, X>(pub &'a X);

impl<S: Simd, X: Expand<S>> Expand<S> for Entered<'_, X> {
    fn expand(&self, simd: S, pair: Pending, limit: f32, ask: Ask, counts: &mut LaneCounts) -> Expansion {
        simd.vectorize(
            #[inline(always)]
            || self.0.expand(simd, pair, limit, ask, counts),
        )
    }
}

/// Two hierarchies, the motions between them, and the base of their bounds.
pub struct Scene<'a, A: Volume, B: Volume, E: Element> {
    pub ground: Ground<'a>,
    pub nodes_a: &'a [Node<A::Wide>],
    pub nodes_b: &'a [Node<B::Wide>],
    into_a: Motion<E>,
    into_b: Motion<E>,
    /// One length of a node frame in working units, for comparing sizes.
    unit_a: f32,
    unit_b: f32,
}

/// One volume of one model against the eight lanes of a node of the other.
pub struct Expansion {
    /// Lanes that cannot be pruned, as bits.
    pub survivors: u32,
    /// Bound (or gap) of each lane.
    pub bounds: [f32; 8],
    opened: usize,
    opened_b: bool,
    kept: u32,
    /// Slot of the kept triangle, if the kept side is one.
    kept_triangle: Child,
    children: [Child; 8],
}

impl Expansion {
    /// The pair that a surviving lane stands for.
    #[inline(always)]
    pub fn pending(&self, lane: usize) -> Pending {
        let bound = self.bounds[lane];
        let child = self.children[lane];
        if child.is_triangle() && self.kept_triangle.is_triangle() {
            let (kept, opened) = (self.kept_triangle.index(), child.index());
            let (a, b) = if self.opened_b { (kept, opened) } else { (opened, kept) };
            return Pending::triangles(bound, a, b);
        }
        let opened = Lane::new(self.opened, lane).0;
        let (a, b) = if self.opened_b { (self.kept, opened) } else { (opened, self.kept) };
        Pending { bound, a, b }
    }
}

/// What an expansion asks of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Lower bounds of the distance.
    Distance,
    /// Largest gaps: cheaper, and enough to tell overlap.
    Overlap,
}

impl<'a, A, B, E> Scene<'a, A, B, E>
where
    A: Volume,
    B: Volume<Family = A::Family>,
    E: Element,
{
    pub fn new(placed: Placed<'a>, tree_a: &'a Tree<A>, tree_b: &'a Tree<B>, frames: &Frames) -> Self {
        let (a, b) = ((frames.unit_a, frames.reach_a), (frames.unit_b, frames.reach_b));
        let (root_a, root_b) = (tree_a.nodes[0].child[0], tree_b.nodes[0].child[0]);
        let root = if root_a.is_triangle() && root_b.is_triangle() {
            Pending::triangles(0.0, root_a.index(), root_b.index())
        } else {
            Pending { bound: 0.0, a: Lane::ROOT.0, b: Lane::ROOT.0 }
        };
        Self {
            ground: Ground { placed, root, base: frames.base::<E>() },
            nodes_a: &tree_a.nodes,
            nodes_b: &tree_b.nodes,
            into_a: Frames::motion(frames.turn_b, frames.from_a_to_b, b, a, A::SLACK),
            into_b: Frames::motion(frames.turn_a, frames.turn_a * -frames.from_a_to_b, a, b, B::SLACK),
            unit_a: frames.unit_a as f32,
            unit_b: frames.unit_b as f32,
        }
    }

    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn test<S: Simd, L: Eight<S, Element = E>, V: Volume>(
        &self,
        simd: S,
        node: &Node<V::Wide>,
        probe: &<V::Family as Family>::Probe<E>,
        motion: &Motion<E>,
        parent: f32,
        limit: f32,
        ask: Ask,
        counts: &mut LaneCounts,
    ) -> (u32, [f32; 8]) {
        let base = E::from_f64(self.ground.base);
        let bounds = match ask {
            Ask::Distance => {
                // Only a hint for the kernel, which may skip refining lanes beyond it.
                let beyond = (E::from_f32(limit) + base) / motion.unit + motion.slack;
                let bounds: L = V::lower_bound(simd, &node.wide, probe, beyond, counts);
                let working = (bounds - motion.slack) * motion.unit;
                // A child is never nearer than its parent; this also makes intervals of anytime answers nested.
                f32x8::max(working.relative_down(simd, base), f32x8::splat(simd, parent))
            }
            Ask::Overlap => {
                let gaps: L = V::separation(simd, &node.wide, probe, motion.slack, counts);
                ((gaps - motion.slack) * motion.unit).relative_down(simd, E::from_f64(0.0))
            }
        };
        let pruned = bits(bounds.simd_gt(f32x8::splat(simd, limit)));
        (!pruned & node.used(), bounds.to_array())
    }
}

impl<S, A, B, E> Expand<S> for Scene<'_, A, B, E>
where
    S: Simd,
    A: Volume,
    B: Volume<Family = A::Family>,
    E: Element,
{
    #[inline(always)]
    fn expand(&self, simd: S, pair: Pending, limit: f32, ask: Ask, counts: &mut LaneCounts) -> Expansion {
        let (node_a, lane_a) = Lane(pair.a).split();
        let (node_b, lane_b) = Lane(pair.b).split();
        let (in_a, in_b) = (&self.nodes_a[node_a], &self.nodes_b[node_b]);
        let (child_a, child_b) = (in_a.child[lane_a], in_b.child[lane_b]);
        let a_is_larger =
            A::lane_size(&in_a.wide, lane_a) * self.unit_a > B::lane_size(&in_b.wide, lane_b) * self.unit_b;
        let opened_b = !child_b.is_triangle() & (child_a.is_triangle() | !a_is_larger);
        if opened_b {
            let node = &self.nodes_b[child_b.index()];
            let probe = A::probe(&in_a.wide, lane_a, &self.into_b);
            let (survivors, bounds) =
                self.test::<S, E::Lanes<S>, B>(simd, node, &probe, &self.into_b, pair.bound, limit, ask, counts);
            let (opened, kept, kept_triangle) = (child_b.index(), pair.a, child_a);
            Expansion { survivors, bounds, opened, opened_b, kept, kept_triangle, children: node.child }
        } else {
            let node = &self.nodes_a[child_a.index()];
            let probe = B::probe(&in_b.wide, lane_b, &self.into_a);
            let (survivors, bounds) =
                self.test::<S, E::Lanes<S>, A>(simd, node, &probe, &self.into_a, pair.bound, limit, ask, counts);
            let (opened, kept, kept_triangle) = (child_a.index(), pair.b, child_b);
            Expansion { survivors, bounds, opened, opened_b, kept, kept_triangle, children: node.child }
        }
    }
}

impl Placed<'_> {
    /// A triangle of A in the working frame.
    pub fn triangle_a(&self, slot: u32) -> crate::primitive::Triangle {
        self.a.triangle_in_slot(slot as usize).map(|vertex| self.placement.place_a(vertex))
    }

    /// A triangle of B in the working frame.
    pub fn triangle_b(&self, slot: u32) -> crate::primitive::Triangle {
        self.b.triangle_in_slot(slot as usize).map(|vertex| self.placement.place_b(vertex))
    }
}
