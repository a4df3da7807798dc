//! Pairs of triangles that plain arithmetic cannot measure, set aside while volumes that overlap still wait.
//!
//! Such pairs are very near, so that the models may touch where they are. Whether a pair touches is told much sooner than how far apart
//! it is; and once a pair touches, no other distance is needed. What is set aside only leaves the limit as it was, so the answer
//! keeps its bits.

use crate::search::triangle_batch::TriangleBatch;

/// Pairs of slots.
#[derive(Clone, Copy, Debug)]
pub struct OpenPairs {
    slots: [(u32, u32); Self::MOST],
    count: usize,
}

impl OpenPairs {
    /// As many pairs as may be set aside; a multiple of a batch.
    const MOST: usize = 32;

    pub const NONE: Self = Self { slots: [(0, 0); Self::MOST], count: 0 };

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether there is room for a whole batch.
    #[inline(always)]
    pub fn have_room(&self) -> bool {
        self.count + 4 <= Self::MOST
    }

    /// Sets the pairs of a batch aside whose bits are set.
    #[inline(always)]
    pub fn add(&mut self, batch: &TriangleBatch, open: u32) {
        for (lane, &slots) in batch.slots().iter().enumerate() {
            if open >> lane & 1 != 0 {
                self.slots[self.count % Self::MOST] = slots;
                self.count += 1;
            }
        }
    }

    /// Takes the pair that was set aside last.
    #[inline(always)]
    pub fn take(&mut self) -> Option<(u32, u32)> {
        self.count = self.count.checked_sub(1)?;
        Some(self.slots[self.count % Self::MOST])
    }
}
