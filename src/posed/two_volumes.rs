//! Two posed hierarchies of different volumes of one family.

use crate::coherence::anchor::{Anchor, Anchored, Whereabouts};
use crate::coherence::relative_pose::RelativePose;
use crate::posed::bound_frame::BoundFrame;
use crate::posed::expansion::{Expand, Request, TestCounts};
use crate::posed::node_test::{NodeTest, Nodes};
use crate::posed::posed_models::PosedModels;
use crate::posed::relative_frames::RelativeFrames;
use crate::posed::survivors::Survivors;
use crate::posed::through_table::InTable;
use crate::simd::eight::Element;
use crate::simd::prefetch::prefetch;
use crate::tree::node::Tree;
use crate::tree::node_pair::{LanePairs, Next, NodePair};
use crate::volume::Volume;
use fearless_simd::Simd;

/// Two posed hierarchies of different volumes of one family; searches reach this code through a table.
pub struct TwoVolumes<'a, A: Volume, B: Volume, E: Element> {
    test: NodeTest<'a, E>,
    nodes_a: &'a Nodes<A>,
    nodes_b: &'a Nodes<B>,
}

impl<'a, A: Volume, B: Volume, E: Element> TwoVolumes<'a, A, B, E> {
    #[inline(always)]
    pub fn new(models: &'a PosedModels<'a>, tree_a: &'a Tree<A>, tree_b: &'a Tree<B>, frames: &RelativeFrames) -> Self {
        let test = NodeTest::new(models, (tree_a, tree_b), frames);
        Self { test, nodes_a: &tree_a.nodes, nodes_b: &tree_b.nodes }
    }

    pub fn frame(&self) -> &BoundFrame<'a> {
        &self.test.frame
    }
}

impl<S, A, B, E> Expand<S> for TwoVolumes<'_, A, B, E>
where
    S: Simd,
    A: Volume,
    B: Volume<Family = A::Family>,
    E: Element,
{
    fn roots(&self) -> Survivors {
        self.test.roots::<A, B>(self.nodes_a, self.nodes_b)
    }

    #[inline(always)]
    fn next(&self, pairs: &LanePairs, lane: u32) -> Next {
        let (node, at) = (pairs.opened.node as usize, lane as usize);
        let is_a = pairs.opened.side == 0;
        pairs.next(lane, if is_a { self.nodes_a[node].child(at) } else { self.nodes_b[node].child(at) })
    }

    #[inline(always)]
    fn children(&self, opened: &NodePair) -> &[u32; 8] {
        let node = opened.node as usize;
        if opened.side == 0 { &self.nodes_a[node].children } else { &self.nodes_b[node].children }
    }

    #[inline(always)]
    fn radii(&self, pairs: &LanePairs, lane: u32) -> f32 {
        let (a, b, opened) = (self.nodes_a, self.nodes_b, &pairs.opened);
        if opened.side == 0 {
            self.test.radii::<A, B>((a, b), opened, lane)
        } else {
            self.test.radii::<B, A>((b, a), opened, lane)
        }
    }

    #[inline(always)]
    fn prefetch(&self, pair: &NodePair) {
        match pair.side {
            0 => prefetch(&self.nodes_a[pair.node as usize]),
            _ => prefetch(&self.nodes_b[pair.node as usize]),
        }
    }

    fn expand(&self, simd: S, pair: &NodePair, request: Request, counts: &mut TestCounts) -> Survivors {
        let (a, b) = (self.nodes_a, self.nodes_b);
        // Target features do not survive a call through a table, so the instruction set is entered again.
        simd.vectorize(
            #[inline(always)]
            || {
                if pair.side == 0 {
                    let motion = self.test.motion::<B>(b, pair);
                    self.test.open::<S, A, B>(simd, (a, b), (pair, &motion), request, counts)
                } else {
                    let motion = self.test.motion::<A>(a, pair);
                    self.test.open::<S, B, A>(simd, (b, a), (pair, &motion), request, counts)
                }
            },
        )
    }
}

impl<S, A, B, E> InTable<S> for TwoVolumes<'_, A, B, E>
where
    S: Simd,
    A: Volume,
    B: Volume<Family = A::Family>,
    E: Element,
{
    fn pose_of_front(&self, before: Option<&Anchor>, near: &Whereabouts) -> Option<(RelativePose, Option<Anchored>)> {
        self.test.pose_of_front(before, near)
    }

    fn beyond(&self, pair: &NodePair, anchor: &Anchor) -> [f32; 8] {
        self.test.beyond::<B>(anchor, self.nodes_b, pair.of_b())
    }
}
