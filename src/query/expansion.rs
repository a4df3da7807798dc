//! What a search asks of a scene, and what it hears: the step from a pair to the children of one of its sides.

use super::bucket_queue::{Children, Spread};
use super::pending::{Next, Opening, Pending};
use crate::volume::LaneCounts;
use fearless_simd::Simd;

/// What a search does with a scene, on one instruction set.
pub trait Expand<S: Simd> {
    /// What the pair leads to.
    fn next(&self, pair: &Pending) -> Next;

    /// Asks for the memory that opening a node will read.
    fn prefetch(&self, opening: Opening);

    /// Opens one side of a pair, tests its children against the other side, and notes them in `opened`.
    fn expand(&self, simd: S, step: &Step, opened: &mut Opened);
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
    fn expand(&self, simd: S, step: &Step, opened: &mut Opened) {
        self.0.expand(simd, step, opened);
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
    fn expand(&self, simd: S, step: &Step, opened: &mut Opened) {
        simd.vectorize(
            #[inline(always)]
            || self.0.expand(simd, step, opened),
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
    /// Where a bucket queue with the spread of the request keeps each lane.
    pub buckets: [i32; 8 * TOGETHER],
    /// For each node the pair of lanes that its first lane stands for.
    pub(super) first: [u64; TOGETHER],
    /// Where the lanes of the opened side are in a pair: 0 or 32 bits up.
    pub(super) shift: [u32; TOGETHER],
    /// Lanes looked at so far, over all nodes of the search.
    pub counts: LaneCounts,
}

impl Opened {
    pub const NOTHING: Self = Self {
        survivors: 0,
        bounds: [0.0; 8 * TOGETHER],
        buckets: [0; 8 * TOGETHER],
        first: [0; TOGETHER],
        shift: [0; TOGETHER],
        counts: LaneCounts { cheap: 0, full: 0 },
    };

    /// What survived of one of the nodes.
    #[inline(always)]
    pub fn children(&self, nth: usize) -> Children<'_> {
        let nth = nth % TOGETHER;
        let (bounds, buckets) = (self.bounds.as_chunks().0, self.buckets.as_chunks().0);
        Children {
            survivors: self.survivors >> (8 * nth) & 0xff,
            bounds: &bounds[nth],
            buckets: &buckets[nth],
            first: self.first[nth],
            shift: self.shift[nth],
        }
    }

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

/// A node to open: of which pair, what to ask of its children, and which of the nodes opened together it is.
#[derive(Clone, Copy)]
pub struct Step {
    pub pair: Pending,
    pub opening: Opening,
    pub request: Request,
    pub nth: usize,
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
