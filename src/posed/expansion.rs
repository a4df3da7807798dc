//! What a search asks of a scene, and what it hears: the step from a pair to the children of one of its sides.

use crate::coherence::certificate::Witnessed;
use crate::coherence::front::Block;
use crate::coherence::stance::RelativePose;
use crate::posed::survivors::{Next, Opening, Siblings, Taken};
use crate::volume::LaneCounts;
use fearless_simd::Simd;

/// What a search does with a scene, on one instruction set.
pub trait Expand<S: Simd> {
    /// The roots of both hierarchies, which nothing is known of.
    fn roots(&self) -> Siblings;

    /// What a pair leads to.
    fn next(&self, pair: &Taken) -> Next;

    /// What the lanes of an opened node lead to.
    fn children(&self, siblings: &Siblings) -> &[u32; 8];

    /// The sizes of both sides of a pair, in working units.
    fn size(&self, pair: &Taken) -> f32;

    /// Asks for the memory that opening a node will read.
    fn prefetch(&self, opening: &Opening);

    /// Opens a node, tests its children against the lane that is kept, and says which survive.
    fn expand(&self, simd: S, opening: &Opening, request: Request, counts: &mut LaneCounts) -> Siblings;
}

/// A scene that can say why pairs are apart: near enough for f32.
pub trait Certify<S: Simd>: Expand<S> {
    /// What `Volume::WITNESS` says, if the volumes of both hierarchies know directions.
    fn witness(&self) -> Option<f64>;

    fn pose(&self) -> RelativePose;

    /// Opens a node as `expand` does: a block without certificates, and what they are made of.
    fn certify(&self, simd: S, opening: &Opening, counts: &mut LaneCounts) -> (Block, Witnessed<S>);
}

/// A scene whose volumes the search does not know: its loops are compiled once for all scenes that hide like this.
pub struct Hidden<'a, S>(pub &'a dyn Expand<S>);

impl<S: Simd> Expand<S> for Hidden<'_, S> {
    fn roots(&self) -> Siblings {
        self.0.roots()
    }

    #[inline(always)]
    fn next(&self, pair: &Taken) -> Next {
        self.0.next(pair)
    }

    #[inline(always)]
    fn children(&self, siblings: &Siblings) -> &[u32; 8] {
        self.0.children(siblings)
    }

    #[inline(always)]
    fn size(&self, pair: &Taken) -> f32 {
        self.0.size(pair)
    }

    #[inline(always)]
    fn prefetch(&self, opening: &Opening) {
        self.0.prefetch(opening);
    }

    #[inline(always)]
    fn expand(&self, simd: S, opening: &Opening, request: Request, counts: &mut LaneCounts) -> Siblings {
        self.0.expand(simd, opening, request, counts)
    }
}

/// A scene to be hidden: a call through a table has to enter the instruction set anew.
pub struct Entered<'a, X>(pub &'a X);

impl<S: Simd, X: Expand<S>> Expand<S> for Entered<'_, X> {
    fn roots(&self) -> Siblings {
        self.0.roots()
    }

    fn next(&self, pair: &Taken) -> Next {
        self.0.next(pair)
    }

    fn children(&self, siblings: &Siblings) -> &[u32; 8] {
        self.0.children(siblings)
    }

    #[inline(always)]
    fn size(&self, pair: &Taken) -> f32 {
        self.0.size(pair)
    }

    fn prefetch(&self, opening: &Opening) {
        self.0.prefetch(opening);
    }

    #[inline(never)]
    fn expand(&self, simd: S, opening: &Opening, request: Request, counts: &mut LaneCounts) -> Siblings {
        simd.vectorize(
            #[inline(always)]
            || self.0.expand(simd, opening, request, counts),
        )
    }
}

/// A question to a node besides the probe.
#[derive(Clone, Copy)]
pub struct Request {
    /// Lanes above this are pruned; finite.
    pub limit: f32,
    pub ask: Ask,
}

/// What an expansion asks of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Lower bounds of the distance.
    Distance,
    /// Largest gaps: cheaper, and enough to tell overlap.
    Overlap,
}
