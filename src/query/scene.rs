//! Two hierarchies in their poses: what every search of a query walks over.
//!
//! Bounds live in the working frame of the placement, relative to `base`, in f32. On the f32 path the base is 0. On
//! the f64 path, taken when the models are so far apart that f32 could not tell near parts from far ones, the base is
//! a lower bound of all distances, and what is left of a bound is small enough for f32 again.

use super::bucket_queue::BUCKETS;
use super::expansion::{Ask, Expand, Opened, Step, TOGETHER};
use super::frames::Frames;
use super::pending::{Next, Opening, Pending};
use super::placed::Placed;
use crate::math::motion::Motion;
use crate::simd::eight::{Eight, Element, bits};
use crate::simd::prefetch::prefetch;
use crate::tree::node::{Child, Lane, Node, Tree};
use crate::volume::{Family, Kind, Slack, Volume};
use fearless_simd::{Simd, SimdBase, SimdFloat, f32x8, i32x8, u32x8};

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
    fn next<A: Volume, B: Volume>(&self, nodes_a: &Nodes<A>, nodes_b: &Nodes<B>, pair: &Pending) -> Next {
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
    fn open<S: Simd, O: Volume, K: Volume<Family = O::Family>>(
        &self,
        simd: S,
        (opened, kept): (&Nodes<O>, &Nodes<K>),
        step: &Step,
        out: &mut Opened,
    ) {
        let Step { pair, opening, nth, .. } = step;
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
            test::<S, E, O>(simd, base, &opened[index], against, step, out);
        } else {
            test_apart::<S, E, O>(simd, base, &opened[index], against, step, out);
        }
    }
}

/// Tests the lanes of a node against the kept side, given by its probe, its motion and the bound of the pair.
#[inline(always)]
fn test<S: Simd, E: Element, V: Volume>(
    simd: S,
    base: f64,
    node: &Node<V::Wide>,
    (probe, motion, bound): (&<V::Family as Family>::Probe<E>, &Motion<E>, f32),
    step: &Step,
    out: &mut Opened,
) {
    let (request, counts) = (&step.request, &mut out.counts);
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
    let start = 8 * (step.nth % TOGETHER);
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
fn test_apart<S: Simd, E: Element, V: Volume>(
    simd: S,
    base: f64,
    node: &Node<V::Wide>,
    against: (&<V::Family as Family>::Probe<E>, &Motion<E>, f32),
    step: &Step,
    out: &mut Opened,
) {
    simd.vectorize(
        #[inline(always)]
        || test::<S, E, V>(simd, base, node, against, step, out),
    )
}

/// Two hierarchies of one volume: which of them is opened is data, so that no branch has to guess it.
pub struct Alike<'a, V: Volume, E: Element> {
    between: Between<'a, E>,
    nodes: [&'a Nodes<V>; 2],
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
    fn expand(&self, simd: S, step: &Step, opened: &mut Opened) {
        let side = step.opening.side as usize % 2;
        let nodes = (self.nodes[side], self.nodes[1 - side]);
        self.between.open::<S, V, V>(simd, nodes, step, opened);
    }
}

/// Two hierarchies of different volumes of one family.
pub struct Mixed<'a, A: Volume, B: Volume, E: Element> {
    between: Between<'a, E>,
    nodes_a: &'a Nodes<A>,
    nodes_b: &'a Nodes<B>,
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
    fn expand(&self, simd: S, step: &Step, opened: &mut Opened) {
        let (a, b) = (self.nodes_a, self.nodes_b);
        if step.opening.side == 0 {
            self.between.open::<S, A, B>(simd, (a, b), step, opened);
        } else {
            self.between.open::<S, B, A>(simd, (b, a), step, opened);
        }
    }
}
