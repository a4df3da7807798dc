//! Two posed hierarchies of one volume.

use crate::coherence::anchor::{Anchor, Anchored, Whereabouts};
use crate::coherence::certificate::{Proof, Witnessed};
use crate::coherence::front::Front;
use crate::coherence::relative_pose::{CertificatePose, RelativePose};
use crate::math::motion::Motion;
use crate::posed::bound_frame::BoundFrame;
use crate::posed::expansion::{Certify, Expand, Request, TestCounts, is_inlined};
use crate::posed::node_test::{NodeTest, Nodes};
use crate::posed::posed_models::PosedModels;
use crate::posed::relative_frames::RelativeFrames;
use crate::posed::survivors::Survivors;
use crate::posed::through_table::InTable;
use crate::simd::eight::{Element, bits, load3, splat3};
use crate::simd::prefetch::prefetch;
use crate::simd::sixteen::are_one_register;
use crate::simd::three::{column, dot, map3, scaled};
use crate::tree::node::{Child, Lane, Tree};
use crate::tree::node_pair::{LanePairs, Next, NodePair};
use crate::volume::Volume;
use fearless_simd::{Simd, SimdBase, f32x8, u32x8};

/// Two posed hierarchies of one volume: the opened side is an index, so that no branch has to guess it. WHOLE is for code that is inlined
/// into its searches and knows no node frames; else it is reached through a table.
pub struct OneVolume<'a, V: Volume, E: Element, const WHOLE: bool> {
    test: NodeTest<'a, E>,
    nodes: [&'a Nodes<V>; 2],
}

/// The points of a volume are within its radius of its centre, and a millionth of the radius; three roundings come on top.
const ROUND: f32 = 1.000_002;

impl<'a, V: Volume, E: Element, const WHOLE: bool> OneVolume<'a, V, E, WHOLE> {
    #[inline(always)]
    pub fn new(models: &'a PosedModels<'a>, tree_a: &'a Tree<V>, tree_b: &'a Tree<V>, frames: &RelativeFrames) -> Self {
        Self { test: NodeTest::new(models, (tree_a, tree_b), frames), nodes: [&tree_a.nodes, &tree_b.nodes] }
    }

    pub fn frame(&self) -> &BoundFrame<'a> {
        &self.test.frame
    }
}

impl<S: Simd, V: Volume, E: Element, const WHOLE: bool> Expand<S> for OneVolume<'_, V, E, WHOLE> {
    fn roots(&self) -> Survivors {
        self.test.roots::<V, V>(self.nodes[0], self.nodes[1])
    }

    #[inline(always)]
    fn next(&self, pairs: &LanePairs, lane: u32) -> Next {
        let opened = &pairs.opened;
        pairs.next(lane, self.nodes[opened.side()][opened.node as usize].child(lane as usize))
    }

    #[inline(always)]
    fn children(&self, opened: &NodePair) -> &[u32; 8] {
        &self.nodes[opened.side()][opened.node as usize].children
    }

    #[inline(always)]
    fn radii(&self, pairs: &LanePairs, lane: u32) -> f32 {
        let side = pairs.opened.side();
        self.test.radii::<V, V>((self.nodes[side], self.nodes[1 - side]), &pairs.opened, lane)
    }

    #[inline(always)]
    fn prefetch(&self, pair: &NodePair) {
        prefetch(&self.nodes[pair.side()][pair.node as usize]);
    }

    #[inline(always)]
    fn expand(&self, simd: S, pair: &NodePair, request: Request, counts: &mut TestCounts) -> Survivors {
        let side = pair.side();
        let nodes = (self.nodes[side], self.nodes[1 - side]);
        if const { WHOLE } {
            self.test.open::<S, V, V>(simd, nodes, (pair, &self.test.into[side]), request, counts)
        } else {
            // Target features do not survive a call through a table, so the instruction set is entered again.
            simd.vectorize(
                #[inline(always)]
                || {
                    let motion = self.test.motion::<V>(nodes.1, pair);
                    self.test.open::<S, V, V>(simd, nodes, (pair, &motion), request, counts)
                },
            )
        }
    }

    #[inline(always)]
    fn pairs_up(&self) -> bool {
        WHOLE
    }

    #[inline(always)]
    fn takes_two(&self) -> bool {
        const { WHOLE && are_one_register::<S>() }
    }

    #[inline(always)]
    fn expand_two(
        &self,
        simd: S,
        pairs: [&NodePair; 2],
        requests: [Request; 2],
        counts: &mut TestCounts,
    ) -> [Survivors; 2] {
        if const { WHOLE && are_one_register::<S>() } {
            self.test.open_two::<S, V>(simd, self.nodes, pairs, requests, counts)
        } else {
            [self.expand(simd, pairs[0], requests[0], counts), self.expand(simd, pairs[1], requests[1], counts)]
        }
    }
}

impl<V: Volume, E: Element> OneVolume<'_, V, E, false> {
    fn beyond(&self, pair: &NodePair, anchor: &Anchor) -> [f32; 8] {
        self.test.beyond::<V>(anchor, self.nodes[1], pair.of_b())
    }
}

impl<S: Simd, V: Volume> InTable<S> for OneVolume<'_, V, f64, false> {
    fn pose_of_front(&self, before: Option<&Anchor>, near: &Whereabouts) -> Option<(RelativePose, Option<Anchored>)> {
        self.test.pose_of_front(before, near)
    }

    fn beyond(&self, pair: &NodePair, anchor: &Anchor) -> [f32; 8] {
        OneVolume::beyond(self, pair, anchor)
    }
}

impl<S: Simd, V: Volume> InTable<S> for OneVolume<'_, V, f32, false> {
    fn pose_of_front(&self, before: Option<&Anchor>, near: &Whereabouts) -> Option<(RelativePose, Option<Anchored>)> {
        self.test.pose_of_front(before, near)
    }

    fn beyond(&self, pair: &NodePair, anchor: &Anchor) -> [f32; 8] {
        OneVolume::beyond(self, pair, anchor)
    }

    fn proof_of_front(&self) -> Proof {
        if self.is_directed() { self.directions() } else { Proof::Margin }
    }

    fn certify_directions(
        &self,
        simd: S,
        pair: &NodePair,
        anchor: Option<&Anchor>,
        counts: &mut TestCounts,
    ) -> Option<(LanePairs, u8, Witnessed<S>)> {
        if !self.is_directed() {
            return None;
        }
        // Target features do not survive a call through a table, so the instruction set is entered again.
        Some(simd.vectorize(
            #[inline(always)]
            || {
                let motion = self.test.motion::<V>(self.nodes[1 - pair.side()], pair);
                let mut certified = self.witnesses(simd, pair, &motion, counts);
                if let Some(anchor) = anchor {
                    let spread = self.test.spread::<V>(self.nodes[1 - pair.side()], pair);
                    let seen = self.test.seen_from(anchor, pair.of_b().0);
                    seen.shift(simd, &mut certified.2, (V::WITNESS.unwrap_or(0.0), spread));
                    let beyond = f32x8::load_array(simd, OneVolume::beyond(self, pair, anchor));
                    certified.2.beyond = bits(beyond.simd_gt(f32x8::splat(simd, 0.0))) as u8;
                }
                certified
            },
        ))
    }
}

impl<V: Volume> OneVolume<'_, V, f32, false> {
    /// Whether the volume knows directions, and is tested as it is stored. The default volume without node frames has a front elsewhere.
    #[inline(always)]
    fn is_directed(&self) -> bool {
        let has_no_other = const { !is_inlined::<V, f32>() } || self.test.has_node_frames();
        (const { V::WITNESS.is_some() }) && has_no_other && !self.test.is_stretched()
    }
}

impl<S: Simd, V: Volume> Certify<S> for OneVolume<'_, V, f32, true> {
    #[inline(always)]
    fn go_to(
        &self,
        front: &mut Front,
        last: Option<(u32, u32)>,
        _near: &Whereabouts,
    ) -> Option<(CertificatePose, f64)> {
        front.go_to(&self.pose(), self.directions(), None, last)
    }

    #[inline(always)]
    fn certify(
        &self,
        simd: S,
        pair: &NodePair,
        _anchor: Option<&Anchor>,
        counts: &mut TestCounts,
    ) -> (LanePairs, u8, Witnessed<S>) {
        self.witnesses(simd, pair, &self.test.into[pair.side()], counts)
    }
}

impl<V: Volume, const WHOLE: bool> OneVolume<'_, V, f32, WHOLE> {
    pub fn directions(&self) -> Proof {
        Proof::Direction { off_by: V::WITNESS.unwrap_or(0.0) }
    }

    /// Where B is relative to A, for certificates that are measured from the node origins.
    pub fn pose(&self) -> RelativePose {
        self.test.pose()
    }

    /// Opens a node and finds directions along which its lanes are apart from the other lane.
    #[inline(always)]
    pub fn witnesses<S: Simd>(
        &self,
        simd: S,
        pair: &NodePair,
        motion: &Motion<f32>,
        counts: &mut TestCounts,
    ) -> (LanePairs, u8, Witnessed<S>) {
        let (test, side) = (&self.test, pair.side());
        let (other_node, other_lane) = Lane(pair.other).split();
        let (node, other) = (&self.nodes[side][pair.node as usize], &self.nodes[1 - side][other_node]);
        let probe = V::probe(simd, &other.wide, other_lane, motion);
        let (bounds, toward_lane) = V::witness(simd, &node.wide, &probe);
        let gap = (bounds - f32x8::splat(simd, motion.slack)) * motion.unit;
        let pairs = test.lane_pairs::<S, V, V>(simd, pair, (node, other));
        let empty = u32x8::load_array_ref(simd, &node.children).simd_eq(u32x8::splat(simd, Child::EMPTY.0));
        let unit_b = test.unit[1];
        // Directions point from A to B; centres and radii are those of B.
        let (direction, centre, radius) = if side == 0 {
            let direction = map3(
                &toward_lane,
                #[inline(always)]
                |entry| -entry,
            );
            let centre = splat3(simd, &scaled(&column(V::centres(&other.wide), other_lane), unit_b));
            let radius = V::enclosing_radii(&other.wide)[other_lane] * unit_b;
            (direction, centre, f32x8::splat(simd, radius))
        } else {
            let rows = test.into[0].rows();
            let direction = map3(
                &rows,
                #[inline(always)]
                |row| dot(&toward_lane, &row),
            );
            let centre = scaled(&load3::<S, f32x8<S>>(simd, V::centres(&node.wide)), unit_b);
            (direction, centre, f32x8::load_array(simd, V::enclosing_radii(&node.wide)) * unit_b)
        };
        let used = !bits(empty) as u8;
        counts.empty += used.count_zeros() as u64;
        (pairs, used, Witnessed { direction, centre, radius: radius * ROUND, gap, beyond: 0 })
    }
}
