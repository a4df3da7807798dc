//! What a search still has to look at.

/// Two volumes, or two triangles, and a lower bound of the distance between what they hold.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Pending {
    /// Working frame, relative to the base of the query, never above the distance that the kernel would compute.
    pub bound: f32,
    /// The side that was kept and the side that was opened when the pair was met: lanes of hierarchies, or slots of
    /// triangles when `next` says so.
    pub kept: u32,
    pub opened: u32,
    pub next: Next,
}

/// What to do with a pair, chosen when it was met, so that the memory can be asked for ahead: the node to open next and
/// flags, packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Next(pub u32);

impl Next {
    /// The node to open belongs to B.
    pub const OF_B: u32 = 1 << 31;
    /// The kept side is B.
    pub const KEPT_IS_B: u32 = 1 << 30;
    /// Both sides are triangles.
    pub const TRIANGLES: u32 = 1 << 29;
    const NODE: u32 = Self::TRIANGLES - 1;

    #[inline(always)]
    pub fn of_b(self) -> bool {
        self.0 & Self::OF_B != 0
    }

    /// The node to open.
    #[inline(always)]
    pub fn node(self) -> usize {
        (self.0 & Self::NODE) as usize
    }
}

impl Pending {
    /// A pair of triangles by their slots.
    #[inline(always)]
    pub fn triangles(bound: f32, slot_a: usize, slot_b: usize) -> Self {
        Self { bound, kept: slot_a as u32, opened: slot_b as u32, next: Next(Next::TRIANGLES) }
    }

    #[inline(always)]
    pub fn is_triangles(&self) -> bool {
        self.next.0 & Next::TRIANGLES != 0
    }

    /// The side of A and the side of B: lanes, or slots of triangles.
    #[inline(always)]
    pub fn sides(&self) -> (u32, u32) {
        if self.next.0 & Next::KEPT_IS_B != 0 { (self.opened, self.kept) } else { (self.kept, self.opened) }
    }
}
