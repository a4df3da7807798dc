//! What a search still has to look at.

/// Two volumes, or two triangles, and a lower bound of the distance between what they hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pending {
    /// Working frame, relative to the base of the query, never above the distance that the kernel would compute.
    pub bound: f32,
    /// Lanes of the two hierarchies, or slots of two triangles when `TRIANGLES` is set in `a`.
    pub a: u32,
    pub b: u32,
    /// The node to open next, chosen when the pair was met, so that it can be asked for ahead.
    pub open: Open,
}

/// A node of A or of B.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open(u32);

impl Open {
    const OF_B: u32 = 1 << 31;

    #[inline(always)]
    pub fn new(of_b: bool, node: usize) -> Self {
        Self(node as u32 | (of_b as u32) << 31)
    }

    #[inline(always)]
    pub fn of_b(self) -> bool {
        self.0 & Self::OF_B != 0
    }

    #[inline(always)]
    pub fn node(self) -> usize {
        (self.0 & !Self::OF_B) as usize
    }
}

impl Pending {
    pub const TRIANGLES: u32 = 1 << 31;

    #[inline(always)]
    pub fn triangles(bound: f32, slot_a: usize, slot_b: usize) -> Self {
        Self { bound, a: slot_a as u32 | Self::TRIANGLES, b: slot_b as u32, open: Open(0) }
    }

    #[inline(always)]
    pub fn is_triangles(&self) -> bool {
        self.a & Self::TRIANGLES != 0
    }

    /// The slots of a pair of triangles.
    #[inline(always)]
    pub fn slots(&self) -> (u32, u32) {
        (self.a & !Self::TRIANGLES, self.b)
    }
}
