//! What is left after a node was opened: the lanes that could not be pruned.
//!
//! The survivors of a node wait together, because most of them never get their turn. A few vector stores put them away,
//! and the nearest lane is found again each time that one is taken.

use crate::simd::eight::{bits, smallest_lane};
use crate::tree::node::Child;
use crate::tree::node_pair::LanePairs;
use fearless_simd::{Select, Simd, SimdBase, f32x8, u32x8};

/// The lanes of an opened node that could not be pruned.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Survivors {
    /// A bound (or gap) for each lane, infinite for lanes that are pruned or taken. Working frame, relative to the base of
    /// the query, never above the distance that the triangle kernel would compute.
    pub bounds: [f32; 8],
    /// The smallest of the bounds, and its lane.
    pub nearest: f32,
    pub lane: u32,
    /// For the queue that holds this entry: the next entry.
    pub link: u32,
    pub pairs: LanePairs,
}

const _: () = assert!(size_of::<Survivors>() == 64);

/// For each lane what the bounds are raised to when that lane is taken.
static WITHOUT: [[f32; 8]; 8] = {
    let mut without = [[f32::NEG_INFINITY; 8]; 8];
    let mut lane = 0;
    while lane < 8 {
        without[lane][lane] = f32::INFINITY;
        lane += 1;
    }
    without
};

/// One lane, taken from the survivors.
#[derive(Clone, Copy, Debug)]
pub struct Survivor {
    pub bound: f32,
    pub lane: u32,
    pub pairs: LanePairs,
}

impl Survivor {
    /// As the only lane that survived.
    pub fn alone(&self) -> Survivors {
        let mut survivors = Survivors { nearest: self.bound, lane: self.lane, pairs: self.pairs, ..Survivors::NONE };
        survivors.bounds[self.lane as usize % 8] = self.bound;
        survivors
    }
}

impl Survivors {
    /// No lane survived.
    pub const NONE: Self =
        Self { bounds: [f32::INFINITY; 8], nearest: f32::INFINITY, lane: 0, link: 0, pairs: LanePairs::NONE };

    /// `bounds` are infinite for lanes that were pruned.
    #[inline(always)]
    pub fn new<S: Simd>(pairs: LanePairs, bounds: f32x8<S>) -> Self {
        let (nearest, lane) = smallest_lane(bounds);
        let mut survivors = Self { bounds: [0.0; 8], nearest, lane, link: 0, pairs };
        bounds.store_slice(&mut survivors.bounds);
        survivors
    }

    /// The nearest lane, of which it is not even known how deep it overlaps.
    pub fn of_any_depth(mut self) -> Self {
        self.nearest = f32::NEG_INFINITY;
        self.bounds[self.lane as usize] = self.nearest;
        self
    }

    #[inline(always)]
    fn set_bounds<S: Simd>(&mut self, bounds: f32x8<S>) {
        bounds.store_slice(&mut self.bounds);
        (self.nearest, self.lane) = smallest_lane(bounds);
    }

    /// Removes the lanes above the limit; the smallest bound of those.
    #[inline(always)]
    pub fn prune<S: Simd>(&mut self, simd: S, limit: f32) -> f32 {
        let (bounds, never) = (f32x8::load_array_ref(simd, &self.bounds), f32x8::splat(simd, f32::INFINITY));
        let above = bounds.simd_gt(f32x8::splat(simd, limit));
        above.select(never, bounds).store_slice(&mut self.bounds);
        above.select(bounds, never).reduce_min()
    }

    /// The nearest lane.
    #[inline(always)]
    pub fn first(&self) -> Survivor {
        Survivor { bound: self.nearest, lane: self.lane, pairs: self.pairs }
    }

    /// Whether the nearest lane and the other lane are triangles.
    pub fn starts_with_triangles(&self) -> bool {
        self.pairs.triangles as u32 >> self.lane & 1 != 0
    }

    /// The pairs of triangles within the limit, as bits.
    #[inline(always)]
    pub fn triangles_within<S: Simd>(&self, simd: S, limit: f32) -> u32 {
        let bounds = f32x8::load_array_ref(simd, &self.bounds);
        self.pairs.triangles as u32 & bits(bounds.simd_le(f32x8::splat(simd, limit)))
    }

    /// The lanes that are not triangles, given what the lanes lead to.
    #[inline(always)]
    pub fn without_triangles<S: Simd>(&self, simd: S, children: &[u32; 8]) -> Self {
        let are_triangles = u32x8::load_array_ref(simd, children).simd_ge(u32x8::splat(simd, Child::TRIANGLE));
        let bounds = f32x8::load_array_ref(simd, &self.bounds);
        let mut others = *self;
        others.set_bounds::<S>(are_triangles.select(f32x8::splat(simd, f32::INFINITY), bounds));
        others
    }

    /// Removes the nearest lane.
    #[inline(always)]
    pub fn drop_first<S: Simd>(&mut self, simd: S) {
        // Not a selection: compilers turn that into a masked store, which takes some processors forty steps.
        let without = f32x8::load_array_ref(simd, &WITHOUT[self.lane as usize % 8]);
        self.set_bounds::<S>(without.max(f32x8::load_array_ref(simd, &self.bounds)));
    }

    /// Removes the nearest lane and returns it.
    #[inline(always)]
    pub fn take<S: Simd>(&mut self, simd: S) -> Survivor {
        let taken = self.first();
        self.drop_first(simd);
        taken
    }
}
