//! Two posed hierarchies of any volumes, reached through a table: searches over them are compiled once for all volumes.

use crate::coherence::certificate::{Proof, Witnessed};
use crate::coherence::relative_pose::RelativePose;
use crate::posed::expansion::{Ask, Certify, Expand, Request, TestCounts};
use crate::posed::survivors::Survivors;
use crate::tree::node::Child;
use crate::tree::node_pair::{LanePairs, Next, NodePair};
use fearless_simd::{Simd, SimdBase, f32x8, u32x8};

/// What is in the table besides `Expand`.
pub trait InTable<S: Simd>: Expand<S> {
    /// The pose for a front. None where a pair keeps none: bounds must be in f32, and the models without node frames.
    fn pose_of_front(&self) -> Option<RelativePose>;

    /// What certificates are made of. Whatever the volume is, its lower bounds are margins that motion uses up.
    fn proof_of_front(&self) -> Proof {
        Proof::Margin
    }

    /// `Certify::certify`.
    fn certify_for_front(&self, simd: S, pair: &NodePair, counts: &mut TestCounts) -> (LanePairs, u8, Witnessed<S>) {
        certify_margins(self, simd, pair, counts)
    }
}

/// Certificates of any volume: its lower bounds.
pub fn certify_margins<S: Simd>(
    nodes: &(impl Expand<S> + ?Sized),
    simd: S,
    pair: &NodePair,
    counts: &mut TestCounts,
) -> (LanePairs, u8, Witnessed<S>) {
    let request = Request { ask: Ask::Distance, limit: f32::MAX, pruned_above: f32::MAX, bound: 0.0 };
    let survivors = nodes.expand(simd, pair, request, counts);
    let children = u32x8::load_array_ref(simd, nodes.children(pair));
    let used = !crate::simd::eight::bits(children.simd_eq(u32x8::splat(simd, Child::EMPTY.0))) as u8;
    let gap = f32x8::load_array_ref(simd, &survivors.bounds);
    (survivors.pairs, used, Witnessed::margin(simd, gap))
}

/// Hierarchies of unknown volume.
#[derive(Clone, Copy)]
pub struct ThroughTable<'t, S: Simd>(pub &'t dyn InTable<S>);

impl<S: Simd> Expand<S> for ThroughTable<'_, S> {
    fn roots(&self) -> Survivors {
        self.0.roots()
    }

    #[inline(always)]
    fn next(&self, pairs: &LanePairs, lane: u32) -> Next {
        self.0.next(pairs, lane)
    }

    #[inline(always)]
    fn children(&self, opened: &NodePair) -> &[u32; 8] {
        self.0.children(opened)
    }

    #[inline(always)]
    fn radii(&self, pairs: &LanePairs, lane: u32) -> f32 {
        self.0.radii(pairs, lane)
    }

    #[inline(always)]
    fn prefetch(&self, pair: &NodePair) {
        self.0.prefetch(pair);
    }

    #[inline(always)]
    fn expand(&self, simd: S, pair: &NodePair, request: Request, counts: &mut TestCounts) -> Survivors {
        self.0.expand(simd, pair, request, counts)
    }
}

impl<S: Simd> Certify<S> for ThroughTable<'_, S> {
    fn proof(&self) -> Proof {
        self.0.proof_of_front()
    }

    fn pose(&self) -> Option<RelativePose> {
        self.0.pose_of_front()
    }

    #[inline(always)]
    fn certify(&self, simd: S, pair: &NodePair, counts: &mut TestCounts) -> (LanePairs, u8, Witnessed<S>) {
        self.0.certify_for_front(simd, pair, counts)
    }
}
