//! The lanes of a node of one model against a lane of the other model, whichever side is opened.

use crate::coherence::anchor::{Anchor, Anchored, Whereabouts};
use crate::coherence::relative_pose::RelativePose;
use crate::math::motion::Motion;
use crate::posed::at_anchor::{self, SeenFrom};
use crate::posed::bound_frame::BoundFrame;
use crate::posed::expansion::{Ask, Request, TestCounts, is_inlined};
use crate::posed::node_frames::NodeFrames;
use crate::posed::posed_models::PosedModels;
use crate::posed::relative_frames::RelativeFrames;
use crate::posed::survivors::Survivors;
use crate::simd::eight::{Eight, Element, bits};
use crate::simd::sixteen::splat_both;
use crate::tree::Tree;
use crate::tree::node::{Child, Lane, Node, NodeFrame};
use crate::tree::node_pair::{LanePairs, NodePair};
use crate::volume::{Family, Slack, Volume};
use fearless_simd::{Select, Simd, SimdBase, f32x8, u32x8};
use glam::DVec3;

/// The nodes of a hierarchy.
pub type Nodes<V> = [Node<<V as Volume>::Wide>];

/// What a test of nodes needs besides the nodes; index 0 is for opened nodes of A, 1 for those of B.
pub struct NodeTest<'a, E> {
    pub frame: BoundFrame<'a>,
    /// The motion of the other side into the frame of the opened side.
    pub into: [Motion<E>; 2],
    /// The length of one unit of each side in working units.
    pub unit: [f32; 2],
    /// The length of one unit of the other side in units of the opened side, for comparing sizes.
    other_unit: [f32; 2],
    /// How far the volumes of each side reach from the origin of its node frame, in working units.
    reach: [f64; 2],
    /// The factors along the axes of both node frames, at most 1, if they are not all 1.
    stretch: Option<[[f32; 3]; 2]>,
    /// Only for models with node frames.
    node_frames: Option<NodeFrames<'a>>,
}

/// What a stretched box is off by: its factor is rounded, and so is each product with it. A point of the box then moves by
/// 2 roundings of its distance from the origin at most; twice that.
const STRETCH_SLACK: f64 = 4.0;

impl<'a, E: Element> NodeTest<'a, E> {
    /// For trees of these volumes. Inlined for code that is compiled as one piece; all others share one function.
    #[inline(always)]
    pub fn new<A: Volume, B: Volume>(
        models: &'a PosedModels<'a>,
        (a, b): (&'a Tree<A>, &'a Tree<B>),
        frames: &RelativeFrames,
    ) -> Self {
        let stretches = const { A::STRETCHES || B::STRETCHES };
        let slack = const { [slack_between::<A, B>(), slack_between::<B, A>()] };
        let of_nodes: [&[_]; 2] = [&a.frames, &b.frames];
        if const { is_inlined::<A, E>() && is_inlined::<B, E>() } {
            Self::between(models, slack, stretches, of_nodes, frames)
        } else {
            Self::between_any(models, slack, stretches, of_nodes, frames)
        }
    }

    #[inline(never)]
    fn between_any(
        models: &'a PosedModels<'a>,
        slack: [Slack; 2],
        stretches: bool,
        of_nodes: [&'a [NodeFrame]; 2],
        frames: &RelativeFrames,
    ) -> Self {
        Self::between(models, slack, stretches, of_nodes, frames)
    }

    #[inline(always)]
    fn between(
        models: &'a PosedModels<'a>,
        slack: [Slack; 2],
        stretches: bool,
        of_nodes: [&'a [NodeFrame]; 2],
        frames: &RelativeFrames,
    ) -> Self {
        let back = frames.turn.transpose();
        let placement = models.placement;
        let factors = |scale: DVec3, unit: f64| (scale.abs() / unit).as_vec3().to_array();
        let is_stretched = stretches && placement.is_stretched;
        let stretch = is_stretched
            .then(|| [factors(placement.scale_a, placement.unit_a), factors(placement.scale_b, placement.unit_b)]);
        let more = |slack: Slack| if is_stretched { slack.plus(STRETCH_SLACK) } else { slack };
        // Spelt out: `map` would not be inlined.
        let slack = [more(slack[0]), more(slack[1])];
        Self {
            node_frames: NodeFrames::new(models, of_nodes, slack, frames),
            frame: BoundFrame { models, base: frames.base::<E>(), is_guess: frames.have_node_frames() },
            into: [
                frames.motion(frames.turn, frames.a_to_b, frames.b, frames.a, slack[0]),
                frames.motion(back, back * -frames.a_to_b, frames.a, frames.b, slack[1]),
            ],
            unit: [frames.a.unit as f32, frames.b.unit as f32],
            other_unit: [(frames.b.unit * frames.a.per_unit) as f32, (frames.a.unit * frames.b.per_unit) as f32],
            reach: [frames.a.reach * frames.a.unit, frames.b.reach * frames.b.unit],
            stretch,
        }
    }

    /// The pose for a front, and what its certificates are measured from if that is not the node origins, but an anchor; `before` is the
    /// anchor so far. None for models with node frames that are so far apart that bounds are in f64: their base is a guess.
    pub fn pose_of_front(
        &self,
        before: Option<&Anchor>,
        near: &Whereabouts,
    ) -> Option<(RelativePose, Option<Anchored>)> {
        let is_far = size_of::<E>() > size_of::<f32>();
        let (pose, anchored) = match (is_far, self.node_frames.is_some()) {
            (false, false) => return Some((self.pose(), None)),
            (false, true) => at_anchor::of_node_frames(self.frame.models, self.reach, before, near)?,
            (true, false) => at_anchor::of_far_models(self.frame.models, self.reach, before)?,
            (true, true) => return None,
        };
        Some((pose, Some(anchored)))
    }

    /// A node of B as seen from an anchor.
    pub fn seen_from<'f>(&'f self, anchor: &'f Anchor, node: usize) -> SeenFrom<'f> {
        let (models, unit) = (self.frame.models, self.frame.models.placement.unit_b);
        let of_model = NodeFrame { origin: models.origin_b, reach: self.reach[1] / unit };
        let frame = self.node_frames.as_ref().map_or(of_model, |frames| *frames.of(1, node));
        SeenFrom { anchor, frame, unit }
    }

    /// How far B's volumes of an opened pair reach beyond the reach of an anchor; their node and lane, or all of its lanes.
    pub fn beyond<V: Volume>(
        &self,
        anchor: &Anchor,
        of_b: &Nodes<V>,
        (node, lane): (usize, Option<usize>),
    ) -> [f32; 8] {
        self.seen_from(anchor, node).beyond(&reaches::<V>(&of_b[node].wide, lane))
    }

    /// No two points of an opened node and of the other lane are farther apart, in working units.
    pub fn spread<K: Volume>(&self, other: &Nodes<K>, pair: &NodePair) -> f64 {
        let (side, (other_node, other_lane)) = (pair.side(), Lane(pair.other).split());
        let Some(frames) = &self.node_frames else { return f64::INFINITY };
        let reach = K::load(&other[other_node].wide, other_lane).reach();
        frames.spread(self.frame.models, side, pair.node as usize, (other_node, reach))
    }

    /// Whether volumes are stretched before they are tested.
    #[inline(always)]
    pub fn is_stretched(&self) -> bool {
        self.stretch.is_some()
    }

    /// Whether nodes have frames of their own.
    #[inline(always)]
    pub fn has_node_frames(&self) -> bool {
        self.node_frames.is_some()
    }

    /// What certificates that are measured from the node origins need to know.
    pub fn pose(&self) -> RelativePose {
        RelativePose { reach: self.reach, ..self.frame.models.relative_pose() }
    }

    /// The roots, as the only survivors of A's first node against B's.
    pub fn roots<A: Volume, B: Volume>(&self, nodes_a: &Nodes<A>, nodes_b: &Nodes<B>) -> Survivors {
        let (a, b) = (nodes_a[0].child(0), nodes_b[0].child(0));
        let size_a = size::<A, B>(&nodes_a[0].wide, 0, self.unit[0]);
        let size_b = size::<B, A>(&nodes_b[0].wide, 0, self.unit[1]);
        let mut bounds = [f32::INFINITY; 8];
        bounds[0] = 0.0;
        let pairs = LanePairs {
            opened: NodePair::ROOTS,
            other_child: b.0,
            opens: (!a.is_triangle() & (b.is_triangle() | (size_a >= size_b))) as u8,
            triangles: (a.is_triangle() & b.is_triangle()) as u8,
        };
        Survivors { bounds, nearest: 0.0, pairs, ..Survivors::NONE }
    }

    /// The radii of a lane of the opened node and of the other lane together. O is the volume of the opened side, K that of the
    /// other side.
    #[inline(always)]
    pub fn radii<O: Volume, K: Volume>(
        &self,
        (opened, other): (&Nodes<O>, &Nodes<K>),
        pair: &NodePair,
        lane: u32,
    ) -> f32 {
        let (side, (other_node, other_lane)) = (pair.side(), Lane(pair.other).split());
        let radius = O::enclosing_radii(&opened[pair.node as usize].wide)[lane as usize % 8];
        radius * self.unit[side] + K::enclosing_radii(&other[other_node].wide)[other_lane] * self.unit[1 - side]
    }

    /// The pairs of an opened node: of two volumes the larger is opened next, and a volume rather than a triangle.
    #[inline(always)]
    pub fn lane_pairs<S: Simd, O: Volume, K: Volume>(
        &self,
        simd: S,
        opened: &NodePair,
        (node, other): (&Node<O::Wide>, &Node<K::Wide>),
    ) -> LanePairs {
        let (side, (_, other_lane)) = (opened.side(), Lane(opened.other).split());
        let other_child = Child(other.children[other_lane]);
        let children = u32x8::load_array_ref(simd, &node.children);
        let are_triangles = bits(children.simd_ge(u32x8::splat(simd, Child::TRIANGLE)));
        let is_triangle = if other_child.is_triangle() { 0xff } else { 0 };
        let other_size = size::<K, O>(&other.wide, other_lane, self.other_unit[side]);
        let larger = bits(sizes::<S, O, K>(simd, &node.wide).simd_ge(f32x8::splat(simd, other_size)));
        LanePairs {
            opened: *opened,
            other_child: other_child.0,
            opens: ((larger | is_triangle) & !are_triangles) as u8,
            triangles: (are_triangles & is_triangle) as u8,
        }
    }

    /// The motion that brings the other lane into the frame of the opened node. Code that is compiled whole takes `into`: there
    /// are no node frames then.
    #[inline(always)]
    pub fn motion<K: Volume>(&self, other: &Nodes<K>, pair: &NodePair) -> Motion<E> {
        let Some(frames) = &self.node_frames else { return self.into[pair.side()] };
        let (other_node, other_lane) = Lane(pair.other).split();
        let reach = K::load(&other[other_node].wide, other_lane).reach();
        frames.motion(self.frame.models, pair.side(), pair.node as usize, (other_node, reach))
    }

    /// Tests a node of `opened`, of volume O, against a lane of `other`, of volume K, which `motion` brings into the frame of the
    /// node.
    #[inline(always)]
    pub fn open<S: Simd, O: Volume, K: Volume<Family = O::Family>>(
        &self,
        simd: S,
        (opened, other): (&Nodes<O>, &Nodes<K>),
        (pair, motion): (&NodePair, &Motion<E>),
        request: Request,
        counts: &mut TestCounts,
    ) -> Survivors {
        let side = pair.side();
        let (other_node, other_lane) = Lane(pair.other).split();
        let base = self.frame.base;
        let (node, other) = (&opened[pair.node as usize], &other[other_node]);
        let (stretched_node, stretched_other);
        let (node, other) = match &self.stretch {
            Some(stretch) if const { O::STRETCHES || K::STRETCHES } => {
                stretched_node = Node { wide: O::stretched(simd, &node.wide, &stretch[side]), ..*node };
                stretched_other = Node { wide: K::stretched(simd, &other.wide, &stretch[1 - side]), ..*other };
                (&stretched_node, &stretched_other)
            }
            _ => (node, other),
        };
        let probe = K::probe(simd, &other.wide, other_lane, motion);
        let pairs = self.lane_pairs::<S, O, K>(simd, pair, (node, other));
        let bounds = if const { is_inlined::<O, E>() && is_inlined::<K, E>() } {
            test::<S, E, O>(simd, base, node, (&probe, motion), request, counts)
        } else {
            test_apart::<S, E, O>(simd, base, node, (&probe, motion), request, counts)
        };
        Survivors::new(pairs, bounds)
    }

    /// `open` for two pairs of one request, with bounds of their own, where both kernels run as one. For code that is compiled
    /// whole: bounds are in f32 and nodes have no frames.
    #[inline(always)]
    pub fn open_two<S: Simd, V: Volume>(
        &self,
        simd: S,
        nodes: [&Nodes<V>; 2],
        pairs: [&NodePair; 2],
        requests: [Request; 2],
        counts: &mut TestCounts,
    ) -> [Survivors; 2] {
        let sides = [pairs[0].side(), pairs[1].side()];
        let lanes = [Lane(pairs[0].other).split(), Lane(pairs[1].other).split()];
        let opened = [&nodes[sides[0]][pairs[0].node as usize], &nodes[sides[1]][pairs[1].node as usize]];
        let others = [&nodes[1 - sides[0]][lanes[0].0], &nodes[1 - sides[1]][lanes[1].0]];
        let motions = [self.into[sides[0]].in_f32(), self.into[sides[1]].in_f32()];
        let first = V::probe(simd, &others[0].wide, lanes[0].1, motions[0]);
        let second = V::probe(simd, &others[1].wide, lanes[1].1, motions[1]);
        let (wides, probes) = ([&opened[0].wide, &opened[1].wide], [&first, &second]);
        let bounds = match requests[0].ask {
            Ask::Distance => V::lower_bound_of_two(simd, wides, probes),
            Ask::DistanceOrDepth => V::bound_or_depth_of_two(simd, wides, probes),
            Ask::Overlap => V::separation_of_two(simd, wides, probes),
        };
        let slack = splat_both(simd, [motions[0].slack, motions[1].slack]);
        let mut working = (bounds - slack) * splat_both(simd, [motions[0].unit, motions[1].unit]);
        if requests[0].ask != Ask::Overlap {
            working = working.max(splat_both(simd, [requests[0].bound, requests[1].bound]));
        }
        let (low, high) = simd.split_f32x16(working);
        let above = requests[0].pruned_above;
        let low = without_pruned(simd, low, &opened[0].children, above, counts);
        let high = without_pruned(simd, high, &opened[1].children, above, counts);
        [
            Survivors::new(self.lane_pairs::<S, V, V>(simd, pairs[0], (opened[0], others[0])), low),
            Survivors::new(self.lane_pairs::<S, V, V>(simd, pairs[1], (opened[1], others[1])), high),
        ]
    }
}

/// How far a lane reaches from the origin of its frame, in all places; without a lane, each lane of the node.
#[inline(never)]
fn reaches<V: Volume>(wide: &V::Wide, lane: Option<usize>) -> [f64; 8] {
    match lane {
        Some(lane) => [V::load(wide, lane).reach(); 8],
        None => core::array::from_fn(|lane| V::load(wide, lane).reach()),
    }
}

/// Whether two volumes are of one kind. What tells which volume of a kind to open does not compare two kinds.
const fn are_of_one_kind<V: Volume, W: Volume>() -> bool {
    V::KIND as u32 == W::KIND as u32
}

/// The slack of kernels between lanes of V and probes of W.
const fn slack_between<V: Volume, W: Volume>() -> Slack {
    if are_of_one_kind::<V, W>() { V::SLACK } else { V::SLACK.plus_of_source(V::FOREIGN) }
}

/// What a lane of V is compared by with a lane of W.
#[inline(always)]
fn size<V: Volume, W: Volume>(wide: &V::Wide, lane: usize, unit: f32) -> f32 {
    if const { are_of_one_kind::<V, W>() } { V::size(wide, lane, unit) } else { V::enclosing_radii(wide)[lane] * unit }
}

/// `size` of all lanes.
#[inline(always)]
fn sizes<S: Simd, V: Volume, W: Volume>(simd: S, wide: &V::Wide) -> f32x8<S> {
    if const { are_of_one_kind::<V, W>() } {
        V::sizes(simd, wide)
    } else {
        f32x8::load_array(simd, V::enclosing_radii(wide))
    }
}

/// Tests the lanes of a node against the other lane, which is given by its probe and the motion that brought it here: a bound for
/// each lane, infinite for lanes that are pruned.
#[inline(always)]
fn test<S: Simd, E: Element, V: Volume>(
    simd: S,
    base: f64,
    node: &Node<V::Wide>,
    (probe, motion): (&<V::Family as Family>::Probe<E>, &Motion<E>),
    request: Request,
    counts: &mut TestCounts,
) -> f32x8<S> {
    let base = E::from_f64(base);
    let mut first_stage = 0;
    let bounds = match request.ask {
        Ask::Distance | Ask::DistanceOrDepth => {
            // Only a hint for the kernel, which may skip refining lanes beyond it.
            let beyond = (E::from_f32(request.limit) + base) / motion.unit + motion.slack;
            let bounds: E::Lanes<S> = match request.ask {
                Ask::Distance => V::lower_bound(simd, &node.wide, probe, beyond, &mut first_stage),
                _ => V::bound_or_depth(simd, &node.wide, probe, beyond, &mut first_stage),
            };
            let working = (bounds - motion.slack) * motion.unit;
            // A child is never nearer than its parent. This also makes the intervals of anytime answers nested.
            f32x8::max(working.relative_down(simd, base), f32x8::splat(simd, request.bound))
        }
        Ask::Overlap => {
            let mut enough = motion.slack;
            if request.limit > 0.0 {
                enough += E::from_f32(request.limit) / motion.unit;
            }
            let gaps: E::Lanes<S> = V::separation(simd, &node.wide, probe, enough, &mut first_stage);
            ((gaps - motion.slack) * motion.unit).relative_down(simd, E::from_f64(0.0))
        }
    };
    let empty = u32x8::load_array_ref(simd, &node.children).simd_eq(u32x8::splat(simd, Child::EMPTY.0));
    counts.by_first_stage += (first_stage & !bits(empty) & 0xff).count_ones() as u64;
    without_pruned(simd, bounds, &node.children, request.pruned_above, counts)
}

/// The bounds with those of lanes that are not in use, or above the limit, made infinite.
#[inline(always)]
fn without_pruned<S: Simd>(
    simd: S,
    bounds: f32x8<S>,
    children: &[u32; 8],
    pruned_above: f32,
    counts: &mut TestCounts,
) -> f32x8<S> {
    let empty = u32x8::load_array_ref(simd, children).simd_eq(u32x8::splat(simd, Child::EMPTY.0));
    counts.empty += bits(empty).count_ones() as u64;
    let pruned = bounds.simd_gt(f32x8::splat(simd, pruned_above)) | empty;
    pruned.select(f32x8::splat(simd, f32::INFINITY), bounds)
}

/// `test`, compiled once per volume and not once per pair of volumes: inlining is worth the size of the library for the
/// default volume only.
#[inline(never)]
fn test_apart<S: Simd, E: Element, V: Volume>(
    simd: S,
    base: f64,
    node: &Node<V::Wide>,
    other: (&<V::Family as Family>::Probe<E>, &Motion<E>),
    request: Request,
    counts: &mut TestCounts,
) -> f32x8<S> {
    simd.vectorize(
        #[inline(always)]
        || test::<S, E, V>(simd, base, node, other, request, counts),
    )
}
