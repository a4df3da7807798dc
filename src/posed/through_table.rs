//! Two posed hierarchies of any volumes, reached through a table: searches over them are compiled once for all volumes.

use crate::coherence::anchor::{Anchor, Anchored, Whereabouts};
use crate::coherence::certificate::{Proof, Witnessed};
use crate::coherence::front::Front;
use crate::coherence::relative_pose::{CertificatePose, RelativePose};
use crate::posed::expansion::{Ask, Certify, Expand, Request, TestCounts};
use crate::posed::survivors::Survivors;
use crate::simd::eight::bits;
use crate::tree::node::Child;
use crate::tree::node_pair::{LanePairs, Next, NodePair};
use fearless_simd::{Simd, SimdBase, f32x8, u32x8};

/// What is in the table besides `Expand`.
pub trait InTable<S: Simd>: Expand<S> {
    /// The pose for a front (`NodeTest::pose_of_front`).
    fn pose_of_front(&self, before: Option<&Anchor>, near: &Whereabouts) -> Option<(RelativePose, Option<Anchored>)>;

    /// How far B's volumes of an opened pair reach beyond the reach of an anchor; working units.
    fn beyond(&self, pair: &NodePair, anchor: &Anchor) -> [f32; 8];

    /// What certificates are made of. Whatever the volume is, its lower bounds are margins that motion uses up.
    fn proof_of_front(&self) -> Proof {
        Proof::Margin
    }

    /// `Certify::certify`, where the volume knows directions. The others share `certify_margins`, which is compiled once for all of them.
    fn certify_directions(
        &self,
        _simd: S,
        _pair: &NodePair,
        _anchor: Option<&Anchor>,
        _counts: &mut TestCounts,
    ) -> Option<(LanePairs, u8, Witnessed<S>)> {
        None
    }
}

/// Certificates of any volume: its lower bounds.
pub fn certify_margins<S: Simd>(
    nodes: &dyn InTable<S>,
    simd: S,
    pair: &NodePair,
    anchor: Option<&Anchor>,
    counts: &mut TestCounts,
) -> (LanePairs, u8, Witnessed<S>) {
    let request = Request { ask: Ask::Distance, limit: f32::MAX, pruned_above: f32::MAX, bound: 0.0 };
    let survivors = nodes.expand(simd, pair, request, counts);
    let children = u32x8::load_array_ref(simd, nodes.children(pair));
    let used = !bits(children.simd_eq(u32x8::splat(simd, Child::EMPTY.0))) as u8;
    let gap = f32x8::load_array_ref(simd, &survivors.bounds);
    let mut margins = Witnessed::margin(simd, gap);
    if let Some(anchor) = anchor {
        margins.radius = f32x8::load_array(simd, nodes.beyond(pair, anchor));
        margins.beyond = bits(margins.radius.simd_gt(f32x8::splat(simd, 0.0))) as u8;
    }
    (survivors.pairs, used, margins)
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
    fn go_to(&self, front: &mut Front, last: Option<(u32, u32)>, near: &Whereabouts) -> Option<(CertificatePose, f64)> {
        let (pose, anchored) = self.0.pose_of_front(front.anchor(), near)?;
        front.go_to(&pose, self.0.proof_of_front(), anchored.as_ref(), last)
    }

    #[inline(always)]
    fn certify(
        &self,
        simd: S,
        pair: &NodePair,
        anchor: Option<&Anchor>,
        counts: &mut TestCounts,
    ) -> (LanePairs, u8, Witnessed<S>) {
        let directions = self.0.certify_directions(simd, pair, anchor, counts);
        directions.unwrap_or_else(|| certify_margins(self.0, simd, pair, anchor, counts))
    }
}
