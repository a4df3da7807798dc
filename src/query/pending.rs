//! What a search still has to look at.

/// A lane of each hierarchy and a lower bound of the distance between what they hold.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Pending {
    /// Working frame, relative to the base of the query, never above the distance that the kernel would compute.
    pub bound: f32,
    /// For the queue that holds the pair: the one after it.
    pub link: u32,
    /// The lane of A in the lower half, that of B in the upper.
    pub lanes: u64,
}

impl Pending {
    /// The roots of both hierarchies, which nothing is known of.
    pub const ROOTS: Self = Self { bound: 0.0, link: 0, lanes: 0 };

    /// The lanes of A and B.
    #[inline(always)]
    pub fn sides(&self) -> [u32; 2] {
        [self.lanes as u32, (self.lanes >> 32) as u32]
    }
}

/// What a pair leads to.
#[derive(Clone, Copy, Debug)]
pub enum Next {
    /// Both sides are triangles, in these slots.
    Triangles((u32, u32)),
    /// The larger side is to be opened.
    Open(Opening),
}

/// A node to open: of A (side 0) or of B (side 1).
#[derive(Clone, Copy, Debug, Default)]
pub struct Opening {
    pub side: u32,
    pub node: u32,
}
