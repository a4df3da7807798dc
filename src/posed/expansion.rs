//! One step of a search: a node is opened, and its lanes are tested against one lane of the other hierarchy.

use crate::coherence::anchor::{Anchor, Whereabouts};
use crate::coherence::certificate::Witnessed;
use crate::coherence::front::Front;
use crate::coherence::relative_pose::CertificatePose;
use crate::posed::survivors::Survivors;
use crate::simd::eight::Element;
use crate::tree::node_pair::{LanePairs, Next, NodePair};
use crate::volume::{Volume, VolumeKind};
use fearless_simd::Simd;

/// What a search asks of two posed hierarchies, on one instruction set.
pub trait Expand<S: Simd> {
    /// The roots of both hierarchies, of which nothing is known.
    fn roots(&self) -> Survivors;

    /// What a lane leads to together with the other lane.
    fn next(&self, pairs: &LanePairs, lane: u32) -> Next;

    /// What each lane of an opened node leads to.
    fn children(&self, opened: &NodePair) -> &[u32; 8];

    /// The radii of a lane and of the other lane together, in working units.
    fn radii(&self, pairs: &LanePairs, lane: u32) -> f32;

    /// Prefetches the memory that opening a node will read.
    fn prefetch(&self, pair: &NodePair);

    /// Opens a node, tests its lanes against the other lane, and returns the lanes that survive.
    fn expand(&self, simd: S, pair: &NodePair, request: Request, counts: &mut TestCounts) -> Survivors;

    /// Whether searches take pairs two by two. The same on every instruction set, because it decides the order.
    #[inline(always)]
    fn pairs_up(&self) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Whether `expand_two` costs less than two expansions.
    #[inline(always)]
    fn takes_two(&self) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// `expand` for two pairs.
    #[inline(always)]
    fn expand_two(
        &self,
        simd: S,
        pairs: [&NodePair; 2],
        requests: [Request; 2],
        counts: &mut TestCounts,
    ) -> [Survivors; 2]
    where
        Self: Sized,
    {
        [self.expand(simd, pairs[0], requests[0], counts), self.expand(simd, pairs[1], requests[1], counts)]
    }
}

/// Two posed hierarchies that can prove why their lanes are apart.
pub trait Certify<S: Simd>: Expand<S> {
    /// Takes a front to the pose of these hierarchies (`Front::go_to`). None if there can be no certificates, too.
    fn go_to(&self, front: &mut Front, last: Option<(u32, u32)>, near: &Whereabouts) -> Option<(CertificatePose, f64)>;

    /// Opens a node as `expand` does: its pairs, which of its lanes are in use (as bits), and what certificates are made of; they are
    /// measured from the anchor, if there is one.
    fn certify(
        &self,
        simd: S,
        pair: &NodePair,
        anchor: Option<&Anchor>,
        counts: &mut TestCounts,
    ) -> (LanePairs, u8, Witnessed<S>);
}

/// What an expansion computes besides what it opens.
#[derive(Clone, Copy)]
pub struct Request {
    pub ask: Ask,
    /// Lanes above this are of no interest: their bounds need not be good; finite.
    pub limit: f32,
    /// Lanes above this are pruned; finite, and not below the limit.
    pub pruned_above: f32,
    /// What is known of the pair that is opened: none of its lanes is nearer.
    pub bound: f32,
}

/// What an expansion computes for each lane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// A lower bound of the distance.
    Distance,
    /// The same, or below 0 how deep volumes overlap: for the first of all near pairs.
    DistanceOrDepth,
    /// The largest gap: cheaper, and enough to tell overlap.
    Overlap,
}

/// Lanes that were tested, besides the number of expansions.
#[derive(Clone, Copy, Debug, Default)]
pub struct TestCounts {
    /// Lanes that are not in use, which do not count as tests.
    pub empty: u64,
    /// Lanes in use that a cheaper first stage decided.
    pub by_first_stage: u64,
}

/// Whether searches over this volume are compiled as one piece, without calls through a table: the default volume only,
/// because each further one makes the library a tenth larger.
pub const fn is_compiled_whole<V: Volume>() -> bool {
    V::KIND as u32 == VolumeKind::Obb as u32
}

/// Whether the tests of this volume with elements E are inlined into their searches; else they are reached through a table.
pub const fn is_inlined<V: Volume, E: Element>() -> bool {
    is_compiled_whole::<V>() && size_of::<E>() == size_of::<f32>()
}
