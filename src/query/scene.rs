//! Two hierarchies in their poses: what every search of a query walks over.
//!
//! Bounds live in the working frame of the placement, relative to `base`, in f32. On the f32 path the base is 0. On
//! the f64 path, taken when the models are so far apart that f32 could not tell near parts from far ones, the base is
//! a lower bound of all distances, and what is left of a bound is small enough for f32 again.

use super::bucket_queue::{BUCKETS, Spread};
use super::pending::{Next, Opening, Pending};
use crate::math::motion::Motion;
use crate::math::placement::Placement;
use crate::model::{Hierarchy, Model};
use crate::simd::eight::{Eight, Element, bits};
use crate::simd::prefetch::prefetch;
use crate::tree::node::{Child, Lane, Node, Tree};
use crate::volume::{Family, Kind, LaneCounts, Slack, Volume};
use fearless_simd::{Simd, SimdBase, SimdFloat, f32x8, i32x8, u32x8};
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
    /// Radii of spheres around the models with their centres there, in stored coordinates.
    pub radius_a: f64,
    pub radius_b: f64,
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
    /// What placed vertices and `between` are off by because the models are far from their own origins.
    rounding: f64,
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
            rounding: placed.rounding(),
            turn: placement.rotation_b,
        }
    }

    /// Whether f32 would blur the difference between near and far parts.
    pub fn are_far(&self) -> bool {
        self.apart > FAR * (self.a.reach * self.a.unit).max(self.b.reach * self.b.unit)
    }

    /// What bounds are relative to: no computed distance is below this, all of them within a part in 1e13 of the true ones;
    /// 0 on the f32 path.
    fn base<E: Element>(&self) -> f64 {
        if E::ROUNDING > f64::EPSILON {
            return 0.0;
        }
        let reach = self.a.reach * self.a.unit + self.b.reach * self.b.unit;
        (self.apart - reach - self.rounding).max(0.0) * (1.0 - 1e-12)
    }

    /// The motion of probes from a source into the node frame of a target; each is given by its unit and its reach.
    #[inline(always)]
    fn motion<E: Element>(&self, turn: DMat3, shift: DVec3, source: Extent, target: Extent, slack: Slack) -> Motion<E> {
        let mut motion: Motion<E> = motion(turn, (shift, self.apart), source, target, slack);
        motion.slack += E::from_f64(self.rounding / target.unit * 1.0001);
        motion
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
        bound += f32::ROUNDING * slack.stored * (r + q);
    } else {
        // Squares below 2^-126 lose digits: a norm is then off by up to 5e-23, and what is divided by it by three times that.
        // A unit of the target is about its size, so that this matters for points only, whose reach is 0.
        bound += 4e-22;
    }
    // On the f32 path 256 roundings cover the relative errors of norms (`volume::obb`), of this conversion, and the 1e-12 by
    // which the triangle kernel may err; along centres, as on the f64 path, norms need 32. On the f64 path triangles are small against their distance d, and the kernel errs by less.
    // Before its Newton step the vector v between its points is short of d by 2u D, and its products with p and q, the
    // directions it slides on, are at most 4u D |p| and 10u D |q| off zero: a product with the start costs 3u D |p|,
    // rounding v costs u D |p|, and solving for x first adds 6u D |q|, however nearly parallel p and q are, because y and
    // x are then projected in turn. The step s solves the equations with residuals that are 3u D off, and with a
    // determinant of at least 8u |p|^2 |q|^2: it has at most 20 D / 8 in p, hence v.s is at most 20 * 14 / 8 u D^2. (No
    // determinant, no such step: then it is at most 22u D^2, the square of D times the sine of the angle.) So v loses 35u
    // D^2 / d, forming it 6u D, squares and root 3u d: with D / d <= 9 / 7, from `FAR`, 80u d together.
    let norms = if E::ROUNDING < f32::ROUNDING { 32.0 } else { 256.0 };
    let unit = target.unit * (1.0 - norms * E::ROUNDING - 40.0 * f64::EPSILON);
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
    /// What the pair leads to.
    fn next(&self, pair: &Pending) -> Next;

    /// Asks for the memory that opening a node will read.
    fn prefetch(&self, opening: Opening);

    /// Opens one side of the pair, tests its children against the other side, and notes them in `opened` as its `nth` node.
    #[allow(clippy::too_many_arguments)]
    fn expand(
        &self,
        simd: S,
        pair: &Pending,
        opening: Opening,
        request: Request,
        nth: usize,
        opened: &mut Opened,
        counts: &mut LaneCounts,
    );
}

/// A scene whose volumes the search does not know: its loops are compiled once for all scenes that hide like this.
pub struct Hidden<'a, S>(pub &'a dyn Expand<S>);

impl<S: Simd> Expand<S> for Hidden<'_, S> {
    #[inline(always)]
    fn next(&self, pair: &Pending) -> Next {
        self.0.next(pair)
    }

    #[inline(always)]
    fn prefetch(&self, opening: Opening) {
        self.0.prefetch(opening);
    }

    #[inline(always)]
    fn expand(
        &self,
        simd: S,
        pair: &Pending,
        opening: Opening,
        request: Request,
        nth: usize,
        opened: &mut Opened,
        counts: &mut LaneCounts,
    ) {
        self.0.expand(simd, pair, opening, request, nth, opened, counts);
    }
}

/// A scene to be hidden: a call through a table has to enter the instruction set anew.
pub struct Entered<'a, X>(pub &'a X);

impl<S: Simd, X: Expand<S>> Expand<S> for Entered<'_, X> {
    fn next(&self, pair: &Pending) -> Next {
        self.0.next(pair)
    }

    fn prefetch(&self, opening: Opening) {
        self.0.prefetch(opening);
    }

    #[inline(never)]
    fn expand(
        &self,
        simd: S,
        pair: &Pending,
        opening: Opening,
        request: Request,
        nth: usize,
        opened: &mut Opened,
        counts: &mut LaneCounts,
    ) {
        simd.vectorize(
            #[inline(always)]
            || self.0.expand(simd, pair, opening, request, nth, opened, counts),
        )
    }
}

/// How many pairs a search opens at a time: their kernels do not depend on each other, so that each fills the time that
/// the other waits for its own results.
pub const TOGETHER: usize = 2;

/// What the lanes of nodes that were opened together stand for.
pub struct Opened {
    /// Lanes that cannot be pruned, as bits, eight for each node.
    pub survivors: u32,
    /// Bound (or gap) of each lane.
    pub bounds: [f32; 8 * TOGETHER],
    /// Where a bucket queue as in the request keeps each lane.
    pub buckets: [i32; 8 * TOGETHER],
    /// For each node the pair of lanes that its first lane stands for.
    first: [u64; TOGETHER],
    /// Where the lanes of the opened side are in a pair: 0 or 32 bits up.
    shift: [u32; TOGETHER],
}

impl Opened {
    pub const NOTHING: Self = Self {
        survivors: 0,
        bounds: [0.0; 8 * TOGETHER],
        buckets: [0; 8 * TOGETHER],
        first: [0; TOGETHER],
        shift: [0; TOGETHER],
    };

    /// The lanes that a survivor stands for.
    #[inline(always)]
    pub fn lanes(&self, survivor: usize) -> u64 {
        let nth = survivor / 8 % TOGETHER;
        self.first[nth] + ((survivor as u64 % 8) << (self.shift[nth] % 64))
    }

    /// The pair that a survivor stands for.
    #[inline(always)]
    pub fn pending(&self, survivor: usize) -> Pending {
        Pending { bound: self.bounds[survivor % (8 * TOGETHER)], link: 0, lanes: self.lanes(survivor) }
    }
}

/// A question to a node besides the probe.
#[derive(Clone, Copy)]
pub struct Request {
    /// Lanes above this are pruned.
    pub limit: f32,
    pub ask: Ask,
    /// How a bucket queue sorts what survives.
    pub spread: Spread,
}

/// What an expansion asks of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Lower bounds of the distance.
    Distance,
    /// Largest gaps: cheaper, and enough to tell overlap.
    Overlap,
}

/// Whether searches over this volume are compiled as one piece: the default, which most users ask.
pub const fn is_inlined<V: Volume>() -> bool {
    V::KIND as u32 == Kind::Obb as u32
}

/// The nodes of a hierarchy.
type Nodes<V> = [Node<<V as Volume>::Wide>];

/// What the searches need besides the nodes, for each of the two sides that may be opened.
struct Between<'a, E> {
    ground: Ground<'a>,
    /// The motion into the frame of the opened side.
    into: [Motion<E>; 2],
    /// A length of each side in working units, for comparing sizes.
    unit: [f32; 2],
}

impl<'a, E: Element> Between<'a, E> {
    #[inline(always)]
    fn new(placed: Placed<'a>, slack: [Slack; 2], frames: &Frames) -> Self {
        let back = frames.turn.transpose();
        Self {
            ground: Ground { placed, base: frames.base::<E>() },
            into: [
                frames.motion(frames.turn, frames.between, frames.b, frames.a, slack[0]),
                frames.motion(back, back * -frames.between, frames.a, frames.b, slack[1]),
            ],
            unit: [frames.a.unit as f32, frames.b.unit as f32],
        }
    }

    /// What two lanes lead to: the larger of two volumes is opened, and a volume rather than a triangle.
    #[inline(always)]
    fn next<A: Volume, B: Volume>(&self, nodes_a: &[Node<A::Wide>], nodes_b: &[Node<B::Wide>], pair: &Pending) -> Next {
        let [(node_a, lane_a), (node_b, lane_b)] = [Lane(pair.sides()[0]).split(), Lane(pair.sides()[1]).split()];
        let (in_a, in_b) = (&nodes_a[node_a], &nodes_b[node_b]);
        let (child_a, child_b) = (in_a.child(lane_a), in_b.child(lane_b));
        if child_a.is_triangle() & child_b.is_triangle() {
            return Next::Triangles((child_a.index() as u32, child_b.index() as u32));
        }
        let size_a = A::lane_size(&in_a.wide, lane_a) * self.unit[0];
        let size_b = B::lane_size(&in_b.wide, lane_b) * self.unit[1];
        let of_b = !child_b.is_triangle() & (child_a.is_triangle() | (size_b >= size_a));
        Next::Open(Opening { side: of_b as u32, node: if of_b { child_b.0 } else { child_a.0 } })
    }

    /// Tests a node of `opened` against a lane of `kept`.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn open<S: Simd, O: Volume, K: Volume<Family = O::Family>>(
        &self,
        simd: S,
        (opened, kept): (&Nodes<O>, &Nodes<K>),
        pair: &Pending,
        opening: Opening,
        request: Request,
        nth: usize,
        out: &mut Opened,
        counts: &mut LaneCounts,
    ) {
        let (side, index) = (opening.side as usize % 2, opening.node as usize);
        let (shift, nth) = (32 * side as u32, nth % TOGETHER);
        let kept_lanes = pair.lanes & 0xffff_ffff << (32 - shift);
        out.first[nth] = kept_lanes | u64::from(Lane::new(index, 0).0) << shift;
        out.shift[nth] = shift;
        let (kept_index, kept_lane) = Lane(pair.sides()[1 - side]).split();
        let (motion, base) = (&self.into[side], self.ground.base);
        let probe = K::probe(simd, &kept[kept_index].wide, kept_lane, motion);
        let against = (&probe, motion, pair.bound);
        if const { is_inlined::<O>() && is_inlined::<K>() && size_of::<E>() == size_of::<f32>() } {
            test::<S, E, O>(simd, base, &opened[index], against, request, nth, out, counts);
        } else {
            test_apart::<S, E, O>(simd, base, &opened[index], against, request, nth, out, counts);
        }
    }
}

/// Tests the lanes of a node against the kept side, given by its probe, its motion and the bound of the pair.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn test<S: Simd, E: Element, V: Volume>(
    simd: S,
    base: f64,
    node: &Node<V::Wide>,
    (probe, motion, bound): (&<V::Family as Family>::Probe<E>, &Motion<E>, f32),
    request: Request,
    nth: usize,
    out: &mut Opened,
    counts: &mut LaneCounts,
) {
    let base = E::from_f64(base);
    let bounds = match request.ask {
        Ask::Distance => {
            // Only a hint for the kernel, which may skip refining lanes beyond it.
            let beyond = (E::from_f32(request.limit) + base) * motion.per_unit + motion.slack;
            let bounds: E::Lanes<S> = V::lower_bound(simd, &node.wide, probe, beyond, counts);
            let working = (bounds - motion.slack) * motion.unit;
            // A child is never nearer than its parent; this also makes intervals of anytime answers nested.
            f32x8::max(working.relative_down(simd, base), f32x8::splat(simd, bound))
        }
        Ask::Overlap => {
            let gaps: E::Lanes<S> = V::separation(simd, &node.wide, probe, motion.slack, counts);
            ((gaps - motion.slack) * motion.unit).relative_down(simd, E::from_f64(0.0))
        }
    };
    let empty = u32x8::load_array_ref(simd, &node.children).simd_eq(u32x8::splat(simd, Child::EMPTY.0));
    let pruned = bounds.simd_gt(f32x8::splat(simd, request.limit)) | empty;
    let start = 8 * (nth % TOGETHER);
    bounds.store_slice(&mut out.bounds[start..start + 8]);
    if request.ask == Ask::Distance {
        let buckets = ((bounds - request.spread.lowest) * request.spread.scale).max(0.0).min((BUCKETS - 1) as f32);
        buckets.to_int::<i32x8<S>>().store_slice(&mut out.buckets[start..start + 8]);
    }
    out.survivors |= (!bits(pruned) & 0xff) << start;
}

/// `test`, compiled once per volume and not once per pair of volumes: what the default volume gains from being inlined
/// is not worth the size of the library to the others.
#[inline(never)]
#[allow(clippy::too_many_arguments)]
fn test_apart<S: Simd, E: Element, V: Volume>(
    simd: S,
    base: f64,
    node: &Node<V::Wide>,
    against: (&<V::Family as Family>::Probe<E>, &Motion<E>, f32),
    request: Request,
    nth: usize,
    out: &mut Opened,
    counts: &mut LaneCounts,
) {
    simd.vectorize(
        #[inline(always)]
        || test::<S, E, V>(simd, base, node, against, request, nth, out, counts),
    )
}

/// Two hierarchies of one volume: which of them is opened is data, so that no branch has to guess it.
pub struct Alike<'a, V: Volume, E: Element> {
    between: Between<'a, E>,
    nodes: [&'a [Node<V::Wide>]; 2],
}

impl<'a, V: Volume, E: Element> Alike<'a, V, E> {
    #[inline(always)]
    pub fn new(placed: Placed<'a>, tree_a: &'a Tree<V>, tree_b: &'a Tree<V>, frames: &Frames) -> Self {
        Self { between: Between::new(placed, [V::SLACK; 2], frames), nodes: [&tree_a.nodes, &tree_b.nodes] }
    }

    pub fn ground(&self) -> &Ground<'a> {
        &self.between.ground
    }
}

impl<S: Simd, V: Volume, E: Element> Expand<S> for Alike<'_, V, E> {
    #[inline(always)]
    fn next(&self, pair: &Pending) -> Next {
        self.between.next::<V, V>(self.nodes[0], self.nodes[1], pair)
    }

    #[inline(always)]
    fn prefetch(&self, Opening { side, node }: Opening) {
        prefetch(&self.nodes[side as usize % 2][node as usize]);
    }

    #[inline(always)]
    fn expand(
        &self,
        simd: S,
        pair: &Pending,
        opening: Opening,
        request: Request,
        nth: usize,
        opened: &mut Opened,
        counts: &mut LaneCounts,
    ) {
        let side = opening.side as usize % 2;
        let nodes = (self.nodes[side], self.nodes[1 - side]);
        self.between.open::<S, V, V>(simd, nodes, pair, opening, request, nth, opened, counts);
    }
}

/// Two hierarchies of different volumes of one family.
pub struct Mixed<'a, A: Volume, B: Volume, E: Element> {
    between: Between<'a, E>,
    nodes_a: &'a [Node<A::Wide>],
    nodes_b: &'a [Node<B::Wide>],
}

impl<'a, A: Volume, B: Volume, E: Element> Mixed<'a, A, B, E> {
    #[inline(always)]
    pub fn new(placed: Placed<'a>, tree_a: &'a Tree<A>, tree_b: &'a Tree<B>, frames: &Frames) -> Self {
        let between = Between::new(placed, [A::SLACK, B::SLACK], frames);
        Self { between, nodes_a: &tree_a.nodes, nodes_b: &tree_b.nodes }
    }

    pub fn ground(&self) -> &Ground<'a> {
        &self.between.ground
    }
}

impl<S, A, B, E> Expand<S> for Mixed<'_, A, B, E>
where
    S: Simd,
    A: Volume,
    B: Volume<Family = A::Family>,
    E: Element,
{
    #[inline(always)]
    fn next(&self, pair: &Pending) -> Next {
        self.between.next::<A, B>(self.nodes_a, self.nodes_b, pair)
    }

    #[inline(always)]
    fn prefetch(&self, Opening { side, node }: Opening) {
        match side {
            0 => prefetch(&self.nodes_a[node as usize]),
            _ => prefetch(&self.nodes_b[node as usize]),
        }
    }

    #[inline(always)]
    fn expand(
        &self,
        simd: S,
        pair: &Pending,
        opening: Opening,
        request: Request,
        nth: usize,
        opened: &mut Opened,
        counts: &mut LaneCounts,
    ) {
        let (a, b) = (self.nodes_a, self.nodes_b);
        if opening.side == 0 {
            self.between.open::<S, A, B>(simd, (a, b), pair, opening, request, nth, opened, counts);
        } else {
            self.between.open::<S, B, A>(simd, (b, a), pair, opening, request, nth, opened, counts);
        }
    }
}

impl Placed<'_> {
    /// The rounding of placed vertices that the distance between the models and their sizes do not account for: a product
    /// with a matrix and a translation costs 8 roundings of each, and the translation is at most their sum and that distance.
    fn rounding(&self) -> f64 {
        let placement = self.placement;
        let (a, b) = (placement.place_a(self.origin_a), self.origin_b * placement.scale_b);
        32.0 * f64::EPSILON * (a.length() + b.length())
    }

    /// No two points of the models are closer than this, because spheres around them are not: the cheapest of all tests.
    pub fn between_spheres(&self) -> f64 {
        let placement = self.placement;
        let between = placement.place_b(self.origin_b) - placement.place_a(self.origin_a);
        let radii = self.radius_a * placement.scale_a.x + self.radius_b * placement.scale_b.x;
        (between.length() - radii - self.rounding()) * (1.0 - 1e-9)
    }

    /// A triangle of A in the working frame.
    pub fn triangle_a(&self, slot: u32) -> crate::primitive::Triangle {
        let [p, q, r] = self.a.triangle_in_slot(slot as usize);
        [self.placement.place_a(p), self.placement.place_a(q), self.placement.place_a(r)]
    }

    /// A triangle of B in the working frame.
    pub fn triangle_b(&self, slot: u32) -> crate::primitive::Triangle {
        let [p, q, r] = self.b.triangle_in_slot(slot as usize);
        [self.placement.place_b(p), self.placement.place_b(q), self.placement.place_b(r)]
    }
}
