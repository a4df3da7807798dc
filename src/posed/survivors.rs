//! What a search still has to look at: the lanes of a node that was opened, each against one lane of the other hierarchy.
//!
//! They wait together, because most of them never get their turn: a node's survivors are put away by a few vector stores,
//! and the nearest of them is found again each time that one is taken.

use crate::simd::eight::{bits, smallest_lane};
use crate::tree::node::{Child, Lane};
use fearless_simd::{Select, Simd, SimdBase, f32x8, u32x8};

/// The lanes of one node that could not be pruned, against the lane that was kept.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Siblings {
    /// A bound (or gap) for each lane, infinite for lanes that are pruned or taken. Working frame, relative to the base of the
    /// query, never above the distance that the kernel would compute.
    pub bounds: [f32; 8],
    /// The smallest of them, and its lane.
    pub nearest: f32,
    pub lane: u32,
    /// For the queue that holds them: the entry after it.
    pub link: u32,
    /// The node that was opened, and the lane of the other hierarchy that it was tested against.
    pub node: u32,
    pub kept: u32,
    /// What the kept lane leads to.
    pub kept_child: u32,
    /// Which hierarchy the node belongs to: 0 for A, 1 for B.
    pub side: u8,
    /// Lanes that are to be opened rather than the kept lane, as bits.
    pub opens: u8,
    /// Lanes that are triangles as the kept one is, as bits.
    pub triangles: u8,
}

const _: () = assert!(size_of::<Siblings>() == 64);

/// For each lane what the bounds are raised to when it is taken.
static WITHOUT: [[f32; 8]; 8] = {
    let mut without = [[f32::NEG_INFINITY; 8]; 8];
    let mut lane = 0;
    while lane < 8 {
        without[lane][lane] = f32::INFINITY;
        lane += 1;
    }
    without
};

/// A lane of each hierarchy, taken from those that wait.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub bound: f32,
    pub lane: u32,
    pub node: u32,
    pub kept: u32,
    pub kept_child: u32,
    pub side: u32,
    pub opens: bool,
    pub triangles: bool,
}

/// What a pair leads to.
#[derive(Clone, Copy, Debug)]
pub enum Next {
    /// Both sides are triangles, in these slots.
    Triangles((u32, u32)),
    /// The larger side is to be opened.
    Open(Opening),
}

/// A node to open, of A (side 0) or of B (side 1), against a lane of the other, whose distance is at least `bound`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opening {
    pub bound: f32,
    pub side: u32,
    pub node: u32,
    pub kept: u32,
}

impl Siblings {
    /// Nothing waits.
    pub const NONE: Self = Self {
        bounds: [f32::INFINITY; 8],
        nearest: f32::INFINITY,
        lane: 0,
        link: 0,
        node: 0,
        kept: 0,
        kept_child: 0,
        side: 0,
        opens: 0,
        triangles: 0,
    };

    /// Puts in the bounds of the lanes that were not pruned.
    #[inline(always)]
    pub fn set_bounds<S: Simd>(&mut self, bounds: f32x8<S>) {
        bounds.store_slice(&mut self.bounds);
        (self.nearest, self.lane) = smallest_lane(bounds);
    }

    /// The nearest lane.
    #[inline(always)]
    pub fn first(&self) -> Taken {
        Taken {
            bound: self.nearest,
            lane: self.lane,
            node: self.node,
            kept: self.kept,
            kept_child: self.kept_child,
            side: self.side as u32,
            opens: self.opens as u32 >> self.lane & 1 != 0,
            triangles: self.triangles as u32 >> self.lane & 1 != 0,
        }
    }

    /// The lanes that are triangles, like the kept one, and within the limit, as bits.
    #[inline(always)]
    pub fn triangles_within<S: Simd>(&self, simd: S, limit: f32) -> u32 {
        let bounds = f32x8::load_array_ref(simd, &self.bounds);
        self.triangles as u32 & bits(bounds.simd_le(f32x8::splat(simd, limit)))
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

    /// Takes the nearest lane out.
    #[inline(always)]
    pub fn drop_first<S: Simd>(&mut self, simd: S) {
        // Not a selection: a compiler makes one masked store of that, which takes some processors forty steps.
        let without = f32x8::load_array_ref(simd, &WITHOUT[self.lane as usize % 8]);
        self.set_bounds::<S>(without.max(f32x8::load_array_ref(simd, &self.bounds)));
    }

    /// The nearest lane, taken out.
    #[inline(always)]
    pub fn take<S: Simd>(&mut self, simd: S) -> Taken {
        let taken = self.first();
        self.drop_first(simd);
        taken
    }
}

impl Taken {
    /// What the pair leads to, given what its lane leads to.
    #[inline(always)]
    pub fn next(&self, child: Child) -> Next {
        if self.triangles {
            return Next::Triangles(slots_by_side(self.side, child, Child(self.kept_child)));
        }
        let lane = Lane::new(self.node as usize, self.lane as usize).0;
        Next::Open(Opening {
            bound: self.bound,
            side: self.side ^ !self.opens as u32,
            node: if self.opens { child.0 } else { self.kept_child },
            kept: if self.opens { self.kept } else { lane },
        })
    }
}

/// The slots of two triangles, that of A first: the opened side is 0 for A, 1 for B.
#[inline(always)]
pub fn slots_by_side(side: u32, opened: Child, kept: Child) -> (u32, u32) {
    let (slot, kept) = (opened.index() as u32, kept.index() as u32);
    if side == 0 { (slot, kept) } else { (kept, slot) }
}

/// Which lanes are opened next, and which are triangles like the kept one: the larger of two volumes is opened, and a volume
/// rather than a triangle.
#[inline(always)]
pub fn opens_and_triangles<S: Simd>(
    simd: S,
    (sizes, kept_size): (f32x8<S>, f32),
    (children, kept_child): (&[u32; 8], Child),
) -> (u8, u8) {
    let children = u32x8::load_array_ref(simd, children);
    let are_triangles = bits(children.simd_ge(u32x8::splat(simd, Child::TRIANGLE)));
    let is_triangle = if kept_child.is_triangle() { 0xff } else { 0 };
    let larger = bits(sizes.simd_ge(f32x8::splat(simd, kept_size)));
    (((larger | is_triangle) & !are_triangles) as u8, (are_triangles & is_triangle) as u8)
}
