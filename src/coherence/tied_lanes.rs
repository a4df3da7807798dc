//! Lanes of the front that were tied with the nearest pair: pairs of triangles whose values were told from the features that they share
//! with it (`search/tied_pairs.rs`).
//!
//! In small steps most of them stay tied. Their certificates are due in every pose, so that each block that holds one would be looked at
//! for nothing else. Instead they are listed here and told one after the other. A lane that is no longer told is watched again.

use crate::allocation::try_collect;
use crate::error::Error;

/// Six triangles around each of two vertices make 36 pairs; at an end of an edge there are some more.
const MOST: usize = 128;

/// A lane of a block, which is a pair of triangles in these slots.
#[derive(Clone, Copy, Debug)]
pub struct TiedLane {
    pub block: u32,
    pub lane: u32,
    pub slots: (u32, u32),
}

impl TiedLane {
    const NONE: Self = Self { block: 0, lane: 0, slots: (0, 0) };
}

#[derive(Debug)]
pub struct TiedLanes {
    lanes: Box<[TiedLane]>,
    len: usize,
}

impl TiedLanes {
    /// Room for lanes of so many blocks, but not for very many.
    pub fn new(blocks: usize) -> Result<Self, Error> {
        let lanes = try_collect("front of a pair", (0..blocks.min(MOST)).map(|_| TiedLane::NONE))?.into_boxed_slice();
        Ok(Self { lanes, len: 0 })
    }

    pub fn memory(&self) -> usize {
        size_of_val(&*self.lanes)
    }

    pub fn forget(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    pub fn all(&self) -> &[TiedLane] {
        &self.lanes[..self.len]
    }

    /// Whether there was room.
    #[inline(always)]
    pub fn push(&mut self, lane: TiedLane) -> bool {
        let has_room = self.len < self.lanes.len();
        if has_room {
            self.lanes[self.len] = lane;
            self.len += 1;
        }
        has_room
    }

    /// Takes one out; the last one gets its place.
    pub fn take(&mut self, at: usize) -> TiedLane {
        let lane = self.lanes[at];
        self.len -= 1;
        self.lanes[at] = self.lanes[self.len];
        lane
    }

    /// Takes out the lanes of a block that is given back.
    #[cold]
    pub fn give_back(&mut self, block: u32) {
        for at in (0..self.len).rev() {
            if self.lanes[at].block == block {
                self.take(at);
            }
        }
    }

    /// Follows a block to another place.
    #[cold]
    pub fn rename(&mut self, from: u32, to: u32) {
        for lane in &mut self.lanes[..self.len] {
            if lane.block == from {
                lane.block = to;
            }
        }
    }
}
