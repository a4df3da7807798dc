//! Two hierarchies in their poses: what every search of a query walks over.
//!
//! Bounds live in the working frame of the placement, relative to `base`, in f32. On the f32 path the base is 0. On
//! the f64 path, taken when the models are so far apart that f32 could not tell near parts from far ones, the base is
//! a lower bound of all distances, and what is left of a bound is small enough for f32 again.

use crate::coherence::certificate::Witnessed;
use crate::coherence::front::Block;
use crate::coherence::stance::RelativePose;
use crate::math::motion::Motion;
use crate::posed::expansion::{Ask, Certify, Expand, Request};
use crate::posed::posed_models::Placed;
use crate::posed::relative_frames::Frames;
use crate::posed::survivors::{Next, Opening, Siblings, Taken, opens_and_triangles};
use crate::simd::eight::{Eight, Element, bits};
use crate::simd::prefetch::prefetch;
use crate::simd::three::{map3, three};
use crate::tree::node::{Child, Lane, Node, Tree};
use crate::volume::{Family, Kind, LaneCounts, Slack, Volume};
use fearless_simd::{Select, Simd, SimdBase, f32x8, u32x8};

/// What a search knows of its scene besides the volumes.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    pub placed: Placed<'a>,
    base: f64,
}

impl Ground<'_> {
    /// A distance of the working frame as a limit for relative bounds, rounded up: what is pruned above it is farther.
    /// Finite, so that a bound of infinity is above every limit.
    pub fn limit(&self, distance: f64) -> f32 {
        let relative = distance - self.base;
        let rounded = relative as f32;
        if (rounded as f64) < relative { rounded.next_up() } else { rounded }.min(f32::MAX)
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
    pose: RelativePose,
}

/// The points of a volume are within its size of its centre, and a millionth of it; three roundings come on top.
const ROUND: f32 = 1.000_002;

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
            pose: frames.pose(),
        }
    }

    /// The roots, as the only survivors of A's first node against B's.
    fn roots<A: Volume, B: Volume>(&self, nodes_a: &Nodes<A>, nodes_b: &Nodes<B>) -> Siblings {
        let (a, b) = (nodes_a[0].child(0), nodes_b[0].child(0));
        let size_a = A::sizes(&nodes_a[0].wide)[0] * self.unit[0];
        let size_b = B::sizes(&nodes_b[0].wide)[0] * self.unit[1];
        let mut bounds = [f32::INFINITY; 8];
        bounds[0] = 0.0;
        Siblings {
            bounds,
            nearest: 0.0,
            kept_child: b.0,
            opens: (!a.is_triangle() & (b.is_triangle() | (size_a >= size_b))) as u8,
            triangles: (a.is_triangle() & b.is_triangle()) as u8,
            ..Siblings::NONE
        }
    }

    /// The sizes of a lane of `opened` and of a lane of `kept`, together.
    #[inline(always)]
    fn size<O: Volume, K: Volume>(&self, (opened, kept): (&Nodes<O>, &Nodes<K>), pair: &Taken) -> f32 {
        let (side, (kept_index, kept_lane)) = (pair.side as usize % 2, Lane(pair.kept).split());
        let size = O::sizes(&opened[pair.node as usize].wide)[pair.lane as usize % 8];
        size * self.unit[side] + K::sizes(&kept[kept_index].wide)[kept_lane] * self.unit[1 - side]
    }

    /// Tests a node of `opened` against a lane of `kept`.
    #[inline(always)]
    fn open<S: Simd, O: Volume, K: Volume<Family = O::Family>>(
        &self,
        simd: S,
        (opened, kept): (&Nodes<O>, &Nodes<K>),
        opening: &Opening,
        request: Request,
        counts: &mut LaneCounts,
    ) -> Siblings {
        let (side, index) = (opening.side as usize % 2, opening.node as usize);
        let (kept_index, kept_lane) = Lane(opening.kept).split();
        let (motion, base) = (&self.into[side], self.ground.base);
        let (node, kept) = (&opened[index], &kept[kept_index]);
        let probe = K::probe(simd, &kept.wide, kept_lane, motion);
        let against = (&probe, motion, opening.bound);
        let mut survivors = Siblings {
            node: opening.node,
            kept: opening.kept,
            kept_child: kept.children[kept_lane],
            side: opening.side as u8,
            ..Siblings::NONE
        };
        let sizes = f32x8::load_array_ref(simd, O::sizes(&node.wide)) * self.unit[side];
        let kept_size = K::sizes(&kept.wide)[kept_lane] * self.unit[1 - side];
        (survivors.opens, survivors.triangles) =
            opens_and_triangles(simd, (sizes, kept_size), (&node.children, Child(survivors.kept_child)));
        if const { is_inlined::<O>() && is_inlined::<K>() && size_of::<E>() == size_of::<f32>() } {
            test::<S, E, O>(simd, base, node, against, request, counts, &mut survivors);
        } else {
            test_apart::<S, E, O>(simd, base, node, against, request, counts, &mut survivors);
        }
        survivors
    }
}

/// Tests the lanes of a node against the kept side, given by its probe, its motion and the bound of the pair.
#[inline(always)]
fn test<S: Simd, E: Element, V: Volume>(
    simd: S,
    base: f64,
    node: &Node<V::Wide>,
    (probe, motion, bound): (&<V::Family as Family>::Probe<E>, &Motion<E>, f32),
    request: Request,
    counts: &mut LaneCounts,
    survivors: &mut Siblings,
) {
    let base = E::from_f64(base);
    let bounds = match request.ask {
        Ask::Distance => {
            // Only a hint for the kernel, which may skip refining lanes beyond it.
            let beyond = (E::from_f32(request.limit) + base) / motion.unit + motion.slack;
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
    survivors.set_bounds::<S>(pruned.select(f32x8::splat(simd, f32::INFINITY), bounds));
}

/// `test`, compiled once per volume and not once per pair of volumes: what the default volume gains from being inlined
/// is not worth the size of the library to the others.
#[inline(never)]
fn test_apart<S: Simd, E: Element, V: Volume>(
    simd: S,
    base: f64,
    node: &Node<V::Wide>,
    against: (&<V::Family as Family>::Probe<E>, &Motion<E>, f32),
    request: Request,
    counts: &mut LaneCounts,
    survivors: &mut Siblings,
) {
    simd.vectorize(
        #[inline(always)]
        || test::<S, E, V>(simd, base, node, against, request, counts, survivors),
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
    fn roots(&self) -> Siblings {
        self.between.roots::<V, V>(self.nodes[0], self.nodes[1])
    }

    #[inline(always)]
    fn next(&self, pair: &Taken) -> Next {
        pair.next(self.nodes[pair.side as usize % 2][pair.node as usize].child(pair.lane as usize))
    }

    #[inline(always)]
    fn children(&self, siblings: &Siblings) -> &[u32; 8] {
        &self.nodes[siblings.side as usize % 2][siblings.node as usize].children
    }

    #[inline(always)]
    fn size(&self, pair: &Taken) -> f32 {
        let side = pair.side as usize % 2;
        self.between.size::<V, V>((self.nodes[side], self.nodes[1 - side]), pair)
    }

    #[inline(always)]
    fn prefetch(&self, opening: &Opening) {
        prefetch(&self.nodes[opening.side as usize % 2][opening.node as usize]);
    }

    #[inline(always)]
    fn expand(&self, simd: S, opening: &Opening, request: Request, counts: &mut LaneCounts) -> Siblings {
        let side = opening.side as usize % 2;
        let nodes = (self.nodes[side], self.nodes[1 - side]);
        self.between.open::<S, V, V>(simd, nodes, opening, request, counts)
    }
}

impl<S: Simd, V: Volume> Certify<S> for Alike<'_, V, f32> {
    fn witness(&self) -> Option<f64> {
        V::WITNESS
    }

    fn pose(&self) -> RelativePose {
        self.between.pose
    }

    #[inline(always)]
    fn certify(&self, simd: S, opening: &Opening, counts: &mut LaneCounts) -> (Block, Witnessed<S>) {
        let between = &self.between;
        let side = opening.side as usize % 2;
        let motion = &between.into[side];
        let (kept_index, kept_lane) = Lane(opening.kept).split();
        let (node, kept) = (&self.nodes[side][opening.node as usize], &self.nodes[1 - side][kept_index]);
        let probe = V::probe(simd, &kept.wide, kept_lane, motion);
        let (bounds, toward_lane) = V::witness(simd, &node.wide, &probe, counts);
        let gap = (bounds - f32x8::splat(simd, motion.slack)) * motion.unit;
        let sizes = f32x8::load_array_ref(simd, V::sizes(&node.wide)) * between.unit[side];
        let kept_size = V::sizes(&kept.wide)[kept_lane] * between.unit[1 - side];
        let children = &node.children;
        let kept_child = Child(kept.children[kept_lane]);
        let (opens, triangles) = opens_and_triangles(simd, (sizes, kept_size), (children, kept_child));
        let empty = u32x8::load_array_ref(simd, children).simd_eq(u32x8::splat(simd, Child::EMPTY.0));
        let unit_b = between.unit[1];
        // Directions point from A to B, centres and radii are those of B.
        let (direction, centre, radius) = if side == 0 {
            let centre = V::centres(&kept.wide);
            let direction = map3(
                &toward_lane,
                #[inline(always)]
                |entry| -entry,
            );
            let centre = three(
                #[inline(always)]
                |k| f32x8::splat(simd, centre[k][kept_lane] * unit_b),
            );
            (direction, centre, f32x8::splat(simd, kept_size))
        } else {
            let rows = between.into[0].rows();
            let direction = three(
                #[inline(always)]
                |k| toward_lane[0] * rows[k][0] + toward_lane[1] * rows[k][1] + toward_lane[2] * rows[k][2],
            );
            let centre = three(
                #[inline(always)]
                |k| f32x8::load_array_ref(simd, &V::centres(&node.wide)[k]) * unit_b,
            );
            (direction, centre, sizes)
        };
        let radius = radius * ROUND;
        let block = Block {
            node: opening.node,
            kept: opening.kept,
            kept_child: kept_child.0,
            side: side as u8,
            used: !bits(empty) as u8,
            opens,
            triangles,
            ..Block::NONE
        };
        (block, Witnessed { direction, centre, radius, gap })
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
    fn roots(&self) -> Siblings {
        self.between.roots::<A, B>(self.nodes_a, self.nodes_b)
    }

    #[inline(always)]
    fn next(&self, pair: &Taken) -> Next {
        let (node, lane) = (pair.node as usize, pair.lane as usize);
        pair.next(if pair.side == 0 { self.nodes_a[node].child(lane) } else { self.nodes_b[node].child(lane) })
    }

    #[inline(always)]
    fn children(&self, siblings: &Siblings) -> &[u32; 8] {
        let node = siblings.node as usize;
        if siblings.side == 0 { &self.nodes_a[node].children } else { &self.nodes_b[node].children }
    }

    #[inline(always)]
    fn size(&self, pair: &Taken) -> f32 {
        let (a, b) = (self.nodes_a, self.nodes_b);
        if pair.side == 0 { self.between.size::<A, B>((a, b), pair) } else { self.between.size::<B, A>((b, a), pair) }
    }

    #[inline(always)]
    fn prefetch(&self, opening: &Opening) {
        match opening.side {
            0 => prefetch(&self.nodes_a[opening.node as usize]),
            _ => prefetch(&self.nodes_b[opening.node as usize]),
        }
    }

    #[inline(always)]
    fn expand(&self, simd: S, opening: &Opening, request: Request, counts: &mut LaneCounts) -> Siblings {
        let (a, b) = (self.nodes_a, self.nodes_b);
        if opening.side == 0 {
            self.between.open::<S, A, B>(simd, (a, b), opening, request, counts)
        } else {
            self.between.open::<S, B, A>(simd, (b, a), opening, request, counts)
        }
    }
}
