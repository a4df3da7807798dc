//! Two hierarchies in their poses: what every search of a query walks over.
//!
//! Bounds live in the working frame of the placement, relative to `base`, in f32. On the f32 path the base is 0. On
//! the f64 path, taken when the models are so far apart that f32 could not tell near parts from far ones, the base is
//! a lower bound of all distances, and what is left of a bound is small enough for f32 again.

use super::bucket_queue::BUCKETS;
use super::pending::{Next, Pending};
use crate::math::motion::Motion;
use crate::math::placement::Placement;
use crate::model::{Hierarchy, Model};
use crate::simd::eight::{Eight, Element, bits};
use crate::simd::prefetch::prefetch;
use crate::tree::node::{Child, Lane, Node, Tree};
use crate::volume::{Family, Kind, LaneCounts, Slack, Volume};
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask, f32x8, i32x8, mask32x8, u32x8};
use glam::{DMat3, DVec3};

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
    a: Extent,
    b: Extent,
    /// From the node origin of A to that of B, in A's axes, and its length.
    between: DVec3,
    apart: f64,
    /// Turns B's axes into A's.
    turn: DMat3,
}

impl Frames {
    #[inline(always)]
    pub fn new(placed: &Placed, reach_a: f64, reach_b: f64) -> Self {
        let placement = placed.placement;
        let between = placement.place_b(placed.origin_b) - placement.place_a(placed.origin_a);
        Self {
            a: Extent { unit: placement.scale_a.x, reach: reach_a },
            b: Extent { unit: placement.scale_b.x, reach: reach_b },
            between,
            apart: between.length(),
            turn: placement.rotation_b,
        }
    }

    /// Whether f32 would blur the difference between near and far parts.
    pub fn are_far(&self) -> bool {
        self.apart > FAR * (self.a.reach * self.a.unit).max(self.b.reach * self.b.unit)
    }

    /// No computed distance is below this, all of them within a part in 1e13 of the true ones; 0 on the f32 path.
    fn base<E: Element>(&self) -> f64 {
        if E::ROUNDING > f64::EPSILON {
            return 0.0;
        }
        (self.apart - self.a.reach * self.a.unit - self.b.reach * self.b.unit).max(0.0) * (1.0 - 1e-12)
    }

    /// The motion of probes from a source into the node frame of a target; each is given by its unit and its reach.
    #[inline(always)]
    fn motion<E: Element>(&self, turn: DMat3, shift: DVec3, source: Extent, target: Extent, slack: Slack) -> Motion<E> {
        motion(turn, (shift, self.apart), source, target, slack)
    }
}

/// The motion of probes from a source into the node frame of a target, shifted by a vector of the given length.
#[inline(always)]
pub(super) fn motion<E: Element>(
    turn: DMat3,
    (shift, apart): (DVec3, f64),
    source: Extent,
    target: Extent,
    slack: Slack,
) -> Motion<E> {
    let inverse = 1.0 / target.unit;
    let ratio = source.unit * inverse;
    let (r, t, q) = (source.reach * ratio, apart * inverse, target.reach);
    if !(r + t + q <= E::LONGEST) {
        // In units of the target everything else is so large that squares overflow. All of the target is then at one
        // distance, as far as f64 can tell, and an infinite slack says so: nothing is pruned.
        return Motion::new(turn, DVec3::ZERO, 1.0, 1.0, f64::INFINITY);
    }
    // On the f32 path everything else is far below the first term. On the f64 path, with u = 2^-53 and D = t + r + q:
    // a placed vertex is off by u D, `shift` by 4u t as it comes and by 5.2u t more when it is turned back, and turning
    // lengthens by half of what the rotation is off, a product of two of which each may be off by 8u per entry: 30u t.
    // Together below 64u t; the other roundings of placements and triangles are multiples of u (r + q), below 1024.
    let mut bound = E::ROUNDING * (slack.source * r + slack.translation * t + slack.target * q)
        + f64::EPSILON * (32.0 * t + 512.0 * (r + q));
    if E::ROUNDING < f32::ROUNDING {
        // Also for volumes that need none of it: placing rounds relative to the offset of a mesh from its own origin, which
        // neither reach nor translation show, and this covers offsets of up to 1e8 reaches.
        bound += f32::ROUNDING * slack.stored.max(8.0) * (r + q);
    } else {
        // Squares below 2^-126 lose digits: a norm is then off by up to 5e-23, and what is divided by it by three times that.
        // A unit of the target is about its size, so that this matters for points only, whose reach is 0.
        bound += 4e-22;
    }
    // 32 roundings cover the relative errors of norms and of this conversion, and on the f32 path the 1e-12 by which the
    // triangle kernel may err. On the f64 path triangles are small against their distance d, and the kernel errs by less.
    // Before its Newton step the vector v between its points is short of d by 2u D, and its products with p and q, the
    // directions it slides on, are at most 4u D |p| and 10u D |q| off zero: a product with the start costs 3u D |p|,
    // rounding v costs u D |p|, and solving for x first adds 6u D |q|, however nearly parallel p and q are, because y and
    // x are then projected in turn. The step s solves the equations with residuals that are 3u D off, and with a
    // determinant of at least 8u |p|^2 |q|^2: it has at most 20 D / 8 in p, hence v.s is at most 20 * 14 / 8 u D^2. (No
    // determinant, no such step: then it is at most 22u D^2, the square of D times the sine of the angle.) So v loses 35u
    // D^2 / d, forming it 6u D, squares and root 3u d: with D / d <= 9 / 7, from `FAR`, 80u d together.
    let unit = target.unit * (1.0 - 32.0 * E::ROUNDING - 40.0 * f64::EPSILON);
    Motion::new(turn, shift * inverse, ratio, unit, bound * 1.0001)
}

/// How large a hierarchy is: working units per length of its node frame, and how far its volumes reach in that frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub unit: f64,
    pub reach: f64,
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
    fn expand(&self, simd: S, pair: Pending, request: Request, counts: &mut LaneCounts) -> Expansion;

    /// Asks for the memory that `expand` of this pair will read; the pair may be one of triangles.
    fn prefetch(&self, pair: Pending);
}

/// A scene whose volumes the search does not know: its loops are compiled once for all scenes that hide like this.
pub struct Hidden<'a, S>(pub &'a dyn Expand<S>);

impl<S: Simd> Expand<S> for Hidden<'_, S> {
    #[inline(always)]
    fn expand(&self, simd: S, pair: Pending, request: Request, counts: &mut LaneCounts) -> Expansion {
        self.0.expand(simd, pair, request, counts)
    }

    #[inline(always)]
    fn prefetch(&self, pair: Pending) {
        self.0.prefetch(pair);
    }
}

/// A scene to be hidden: a call through a table has to enter the instruction set anew.
pub struct Entered<'a, X>(pub &'a X);

impl<S: Simd, X: Expand<S>> Expand<S> for Entered<'_, X> {
    #[inline(never)]
    fn expand(&self, simd: S, pair: Pending, request: Request, counts: &mut LaneCounts) -> Expansion {
        simd.vectorize(
            #[inline(always)]
            || self.0.expand(simd, pair, request, counts),
        )
    }

    fn prefetch(&self, pair: Pending) {
        self.0.prefetch(pair);
    }
}

/// Whether searches over this scene are compiled as one piece: the default volume near by, which most users ask.
pub const fn is_inlined<A: Volume, B: Volume, E: Element>() -> bool {
    A::KIND as u32 == Kind::Obb as u32 && B::KIND as u32 == Kind::Obb as u32 && size_of::<E>() == size_of::<f32>()
}

/// Two hierarchies, the motions between them, and the base of their bounds.
pub struct Scene<'a, A: Volume, B: Volume, E: Element> {
    pub ground: Ground<'a>,
    pub nodes_a: &'a [Node<A::Wide>],
    pub nodes_b: &'a [Node<B::Wide>],
    into_a: Motion<E>,
    into_b: Motion<E>,
    /// A length of A's node frame in B's, and the other way round, for comparing sizes.
    a_in_b: f32,
    b_in_a: f32,
}

/// One volume of one model against the eight lanes of a node of the other: what the surviving lanes stand for, by rows.
pub struct Expansion {
    /// Lanes that cannot be pruned, as bits.
    pub survivors: u32,
    /// Bound (or gap) of each lane.
    pub bounds: [f32; 8],
    /// Where a bucket queue of the given scale keeps each lane.
    pub buckets: [i32; 8],
    kept: [u32; 8],
    opened: [u32; 8],
    next: [u32; 8],
}

impl Expansion {
    /// The pair that a surviving lane stands for.
    #[inline(always)]
    pub fn pending(&self, lane: usize) -> Pending {
        Pending {
            bound: self.bounds[lane % 8],
            kept: self.kept[lane % 8],
            opened: self.opened[lane % 8],
            next: Next(self.next[lane % 8]),
        }
    }
}

/// The side of a pair that is not opened: its lane, what that leads to, and its size in the unit of the opened side.
#[derive(Clone, Copy)]
struct Kept {
    lane: u32,
    child: Child,
    size: f32,
    is_b: bool,
}

/// A question to a node besides the probe.
#[derive(Clone, Copy)]
pub struct Request {
    /// The bound of the pair that is opened; filled in by `expand`.
    parent: f32,
    /// Lanes above this are pruned.
    pub limit: f32,
    pub ask: Ask,
    /// Buckets per unit of bound.
    pub scale: f32,
}

impl Request {
    #[inline(always)]
    pub fn new(ask: Ask, limit: f32, scale: f32) -> Self {
        Self { parent: 0.0, limit, ask, scale }
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
    #[inline(always)]
    pub fn new(placed: Placed<'a>, tree_a: &'a Tree<A>, tree_b: &'a Tree<B>, frames: &Frames) -> Self {
        let back = frames.turn.transpose();
        let (root_a, root_b) = (tree_a.nodes[0].child(0), tree_b.nodes[0].child(0));
        let root = if root_a.is_triangle() && root_b.is_triangle() {
            Pending::triangles(0.0, root_a.index(), root_b.index())
        } else {
            let size_a = A::lane_size(&tree_a.nodes[0].wide, 0) * frames.a.unit as f32;
            let size_b = B::lane_size(&tree_b.nodes[0].wide, 0) * frames.b.unit as f32;
            let of_b = !root_b.is_triangle() & (root_a.is_triangle() | (size_b >= size_a));
            let open = if of_b { Next::OF_B | root_b.0 } else { root_a.0 };
            Pending { bound: 0.0, kept: Lane::ROOT.0, opened: Lane::ROOT.0, next: Next(open) }
        };
        Self {
            ground: Ground { placed, root, base: frames.base::<E>() },
            nodes_a: &tree_a.nodes,
            nodes_b: &tree_b.nodes,
            into_a: frames.motion(frames.turn, frames.between, frames.b, frames.a, A::SLACK),
            into_b: frames.motion(back, back * -frames.between, frames.a, frames.b, B::SLACK),
            a_in_b: (frames.a.unit / frames.b.unit) as f32,
            b_in_a: (frames.b.unit / frames.a.unit) as f32,
        }
    }
}

/// Tests the lanes of a node and says what each survivor stands for: two triangles, or two volumes of which the larger
/// is going to be opened.
#[inline(always)]
fn test<S: Simd, E: Element, V: Volume>(
    simd: S,
    base: f64,
    (index, node): (usize, &Node<V::Wide>),
    (probe, motion): (&<V::Family as Family>::Probe<E>, &Motion<E>),
    kept: Kept,
    request: Request,
    counts: &mut LaneCounts,
) -> Expansion {
    let base = E::from_f64(base);
    let bounds = match request.ask {
        Ask::Distance => {
            // Only a hint for the kernel, which may skip refining lanes beyond it.
            let beyond = (E::from_f32(request.limit) + base) * motion.per_unit + motion.slack;
            let bounds: E::Lanes<S> = V::lower_bound(simd, &node.wide, probe, beyond, counts);
            let working = (bounds - motion.slack) * motion.unit;
            // A child is never nearer than its parent; this also makes intervals of anytime answers nested.
            f32x8::max(working.relative_down(simd, base), f32x8::splat(simd, request.parent))
        }
        Ask::Overlap => {
            let gaps: E::Lanes<S> = V::separation(simd, &node.wide, probe, motion.slack, counts);
            ((gaps - motion.slack) * motion.unit).relative_down(simd, E::from_f64(0.0))
        }
    };
    let child = u32x8::load_array_ref(simd, &node.children);
    let pruned = bounds.simd_gt(f32x8::splat(simd, request.limit)) | child.simd_eq(u32x8::splat(simd, Child::EMPTY.0));
    let triangle = child.simd_ge(u32x8::splat(simd, Child::TRIANGLE));
    let kept_is_triangle = mask32x8::splat(simd, kept.child.is_triangle());
    let larger = f32x8::load_array_ref(simd, V::sizes(&node.wide)).simd_ge(f32x8::splat(simd, kept.size));
    let both = triangle & kept_is_triangle;
    let same_side = !triangle & (kept_is_triangle | larger);
    let kept_flag = if kept.is_b { Next::KEPT_IS_B } else { 0 };
    let (open_kept, open_same) = if kept.is_b { (Next::OF_B, 0) } else { (0, Next::OF_B) };
    let next_volume = same_side.select(
        child | u32x8::splat(simd, kept_flag | open_same),
        u32x8::splat(simd, kept.child.0 & !Child::TRIANGLE | kept_flag | open_kept),
    );
    let lanes = u32x8::load_array_ref(simd, &[0, 1, 2, 3, 4, 5, 6, 7]) | u32x8::splat(simd, Lane::new(index, 0).0);
    let buckets = (bounds * request.scale).max(0.0).min((BUCKETS - 1) as f32);
    Expansion {
        survivors: !bits(pruned) & 0xff,
        bounds: bounds.to_array(),
        buckets: buckets.to_int::<i32x8<S>>().to_array(),
        kept: both.select(u32x8::splat(simd, kept.child.index() as u32), u32x8::splat(simd, kept.lane)).to_array(),
        opened: both.select(child & u32x8::splat(simd, !Child::TRIANGLE), lanes).to_array(),
        next: both.select(u32x8::splat(simd, Next::TRIANGLES | kept_flag), next_volume).to_array(),
    }
}

/// `test`, compiled once per volume and not once per pair of volumes: what the default volume gains from being inlined
/// is not worth the size of the library to the others.
#[inline(never)]
fn test_apart<S: Simd, E: Element, V: Volume>(
    simd: S,
    base: f64,
    node: (usize, &Node<V::Wide>),
    probe: (&<V::Family as Family>::Probe<E>, &Motion<E>),
    kept: Kept,
    request: Request,
    counts: &mut LaneCounts,
) -> Expansion {
    simd.vectorize(
        #[inline(always)]
        || test::<S, E, V>(simd, base, node, probe, kept, request, counts),
    )
}

impl<S, A, B, E> Expand<S> for Scene<'_, A, B, E>
where
    S: Simd,
    A: Volume,
    B: Volume<Family = A::Family>,
    E: Element,
{
    #[inline(always)]
    fn expand(&self, simd: S, pair: Pending, request: Request, counts: &mut LaneCounts) -> Expansion {
        let (a, b) = pair.sides();
        let ((node_a, lane_a), (node_b, lane_b)) = (Lane(a).split(), Lane(b).split());
        let (in_a, in_b) = (&self.nodes_a[node_a], &self.nodes_b[node_b]);
        let index = pair.next.node();
        let request = Request { parent: pair.bound, ..request };
        if pair.next.of_b() {
            let size = A::lane_size(&in_a.wide, lane_a) * self.a_in_b;
            let kept = Kept { lane: a, child: in_a.child(lane_a), size, is_b: false };
            let probe = A::probe(&in_a.wide, lane_a, &self.into_b);
            let node = (index, &self.nodes_b[index]);
            let (base, probe) = (self.ground.base, (&probe, &self.into_b));
            if const { is_inlined::<A, B, E>() } {
                test::<S, E, B>(simd, base, node, probe, kept, request, counts)
            } else {
                test_apart::<S, E, B>(simd, base, node, probe, kept, request, counts)
            }
        } else {
            let size = B::lane_size(&in_b.wide, lane_b) * self.b_in_a;
            let kept = Kept { lane: b, child: in_b.child(lane_b), size, is_b: true };
            let probe = B::probe(&in_b.wide, lane_b, &self.into_a);
            let node = (index, &self.nodes_a[index]);
            let (base, probe) = (self.ground.base, (&probe, &self.into_a));
            if const { is_inlined::<A, B, E>() } {
                test::<S, E, A>(simd, base, node, probe, kept, request, counts)
            } else {
                test_apart::<S, E, A>(simd, base, node, probe, kept, request, counts)
            }
        }
    }

    #[inline(always)]
    fn prefetch(&self, pair: Pending) {
        if pair.is_triangles() {
            return;
        }
        let (a, b) = pair.sides();
        if pair.next.of_b() {
            prefetch(&self.nodes_b[pair.next.node()]);
            prefetch(&self.nodes_a[Lane(a).split().0]);
        } else {
            prefetch(&self.nodes_a[pair.next.node()]);
            prefetch(&self.nodes_b[Lane(b).split().0]);
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
