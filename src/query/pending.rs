//! What a search still has to look at.

/// Two volumes, or two triangles, and a lower bound of the distance between what they hold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pending {
    /// Working frame, relative to the base of the query, never above the distance that the kernel would compute.
    pub bound: f32,
    /// Lanes of the two hierarchies, or slots of two triangles when `TRIANGLES` is set in `a`.
    pub a: u32,
    pub b: u32,
}

impl Pending {
    pub const TRIANGLES: u32 = 1 << 31;

    #[inline(always)]
    pub fn triangles(bound: f32, slot_a: usize, slot_b: usize) -> Self {
        Self { bound, a: slot_a as u32 | Self::TRIANGLES, b: slot_b as u32 }
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
