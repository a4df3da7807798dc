//! The front of a distance query: every expansion of it as a block of eight certificates, kept until the next query.
//!
//! Blocks form the tree of expansions. Every lane either has a block of its own (`opened`), or is a pair of triangles that was
//! measured, or is farther than what was found. The next query asks all certificates at its own pose, one block after the other
//! (DESIGN.md section 7), and looks again only at lanes that may have come near.

use super::certificate::Certificates;
use super::stance::{RelativePose, Stance};
use crate::allocation::try_collect;
use crate::error::Error;

/// One expansion: a node of one hierarchy against a lane of the other.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The blocks of lanes that are opened.
    pub children: [u32; 8],
    pub node: u32,
    pub kept: u32,
    /// What the kept lane leads to; of a block that is free the next such.
    pub kept_child: u32,
    /// The block that this one was opened from, and its lane there.
    pub parent: u32,
    pub parent_lane: u8,
    /// The pose that the block was last looked at in.
    pub epoch: u32,
    /// Which hierarchy the node belongs to: 0 for A, 1 for B.
    pub side: u8,
    /// Lanes, as bits: those in use, those opened rather than the kept lane, those that are triangles as the kept one is.
    pub used: u8,
    pub opens: u8,
    pub triangles: u8,
    /// Triangles that were measured in the pose of `epoch`.
    pub measured: u8,
}

/// What becomes of the lanes of a block, as bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lanes {
    /// In use and without a block of their own: they must stay far, or be looked at.
    pub watched: u8,
    /// With a block of their own, which is needed only while they are near.
    pub opened: u8,
}

impl Lanes {
    fn is_free(self) -> bool {
        self.watched | self.opened == 0
    }
}

impl Block {
    pub const NONE: Self = Self {
        children: [0; 8],
        node: 0,
        kept: 0,
        kept_child: NO_BLOCK,
        parent: NO_BLOCK,
        parent_lane: 0,
        epoch: 0,
        side: 0,
        used: 0,
        opens: 0,
        triangles: 0,
        measured: 0,
    };
}

pub const NO_BLOCK: u32 = u32::MAX;

/// A front pays while a step moves no point by more than this share of the smaller model; beyond, nearly every lane would have to
/// be looked at again.
const LARGEST_STEP: f64 = 0.04;

/// Queries without a front after one that did not pay: doubled each time, so that a path that never pays hardly notices.
const SHORTEST_WAIT: u32 = 8;
const LONGEST_WAIT: u32 = 1024;

/// Turns are added up to this, so that their sum keeps its digits.
const LONGEST_TURN: f64 = 1.0;

/// How far to look for the next block to be made anew.
const REFRESHED_WITHIN: usize = 16;

/// What a pair keeps of its last search. What every query reads of each block is apart from the rest.
#[derive(Debug)]
pub struct Front {
    pub certificates: Box<[Certificates]>,
    pub lanes: Box<[Lanes]>,
    pub blocks: Box<[Block]>,
    /// Blocks that wait to be looked at, those of them that are new, and those that wait to be given back.
    pub pending: Box<[u32]>,
    /// Blocks that were handed out once, and the first that was given back.
    used: usize,
    free: u32,
    /// Where the models were at the last query.
    pose: Option<RelativePose>,
    /// How far B turned since counting began.
    turned: f64,
    /// Counts the poses.
    pub epoch: u32,
    /// The nearest pair of the last walk.
    pub nearest: (u32, u32),
    /// Expansions of the last search that began at the roots.
    from_roots: u64,
    /// Whether the last query did not pay.
    is_doubted: bool,
    wait: u32,
    next_wait: u32,
    /// The block to be made anew next, so that all are in time.
    next_refreshed: usize,
}

impl Front {
    /// Room for `capacity` blocks; none for a pair that keeps no front.
    pub fn new(capacity: usize) -> Result<Self, Error> {
        let what = "front of a pair";
        Ok(Self {
            certificates: try_collect(what, (0..capacity).map(|_| Certificates::NONE))?.into_boxed_slice(),
            lanes: try_collect(what, (0..capacity).map(|_| Lanes::default()))?.into_boxed_slice(),
            blocks: try_collect(what, (0..capacity).map(|_| Block::NONE))?.into_boxed_slice(),
            pending: try_collect(what, (0..3 * capacity).map(|_| 0))?.into_boxed_slice(),
            used: 0,
            free: NO_BLOCK,
            pose: None,
            turned: 0.0,
            epoch: 0,
            nearest: (0, 0),
            from_roots: 0,
            is_doubted: false,
            wait: 0,
            next_wait: SHORTEST_WAIT,
            next_refreshed: 0,
        })
    }

    pub fn memory(&self) -> usize {
        let (certificates, lanes) = (size_of_val(&*self.certificates), size_of_val(&*self.lanes));
        certificates + lanes + size_of_val(&*self.blocks) + size_of_val(&*self.pending)
    }

    /// Forgets everything that earlier queries left behind.
    pub fn forget(&mut self) {
        self.start_over();
        (self.pose, self.epoch, self.nearest, self.from_roots) = (None, 0, (0, 0), 0);
        (self.wait, self.next_wait) = (0, SHORTEST_WAIT);
    }

    /// Keeps no blocks: the next query begins at the roots.
    pub fn start_over(&mut self) {
        (self.used, self.free, self.turned, self.next_refreshed) = (0, NO_BLOCK, 0.0, 0);
        self.is_doubted = false;
    }

    /// Goes to a pose; the stance there, and the step that it took, if the front is worth asking. `last` is the pair that the
    /// last query of any kind found.
    pub fn go_to(&mut self, pose: &RelativePose, witness: f64, last: (u32, u32)) -> Option<(Stance, f64)> {
        if self.blocks.is_empty() {
            return None;
        }
        let before = self.pose.replace(*pose);
        let Some(before) = before.filter(|before| before.units == pose.units && pose.is_in_range()) else {
            self.start_over();
            return None;
        };
        let turned = pose.turned_since(&before);
        let step = pose.moved_since(&before, turned);
        // Pairs that were measured in this pose are no nearer than the nearest pair only while that is known.
        if step > 0.0 || last != self.nearest {
            self.epoch = self.epoch.wrapping_add(1);
        }
        if self.wait > 0 {
            self.wait -= 1;
            return None;
        }
        if !(step <= LARGEST_STEP * pose.reach[0].min(pose.reach[1])) {
            self.start_over();
            return None;
        }
        if self.used > 0 {
            self.turned += turned;
            if self.turned > LONGEST_TURN {
                let turned = (self.turned * (1.0 + 1e-6)) as f32;
                self.certificates[..self.used].iter_mut().for_each(|certificates| certificates.settle(turned));
                self.turned = 0.0;
            }
        }
        Some((Stance::new(pose, self.turned, witness), step))
    }

    /// Blocks that were handed out: those that are free among them have no lanes.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Room for one more block, if there is any.
    #[inline(always)]
    pub fn claim(&mut self) -> Option<u32> {
        if self.free != NO_BLOCK {
            let index = self.free;
            self.free = self.blocks[index as usize].kept_child;
            return Some(index);
        }
        if self.used == self.blocks.len() {
            return None;
        }
        self.used += 1;
        Some(self.used as u32 - 1)
    }

    /// Gives back the blocks of these lanes of a block, and all below; `waiting` is what `pending` holds already.
    #[cold]
    pub fn close(&mut self, index: u32, lanes: u8, waiting: usize) {
        let mut end = self.close_lanes(index, lanes, waiting);
        while end > waiting {
            end -= 1;
            let index = self.pending[end];
            end = self.close_lanes(index, self.lanes[index as usize].opened, end);
            self.lanes[index as usize] = Lanes::default();
            self.blocks[index as usize] = Block { kept_child: self.free, ..Block::NONE };
            self.free = index;
        }
    }

    /// Moves the last blocks to where blocks were given back, so that none of those is asked.
    pub fn close_ranks(&mut self) {
        while self.free != NO_BLOCK {
            let index = self.free;
            self.free = self.blocks[index as usize].kept_child;
            while self.used > 0 && self.lanes[self.used - 1].is_free() {
                self.used -= 1;
            }
            if index as usize >= self.used {
                continue;
            }
            self.used -= 1;
            let block = self.blocks[self.used];
            let (at, opened) = (index as usize, self.lanes[self.used].opened);
            self.certificates[at] = self.certificates[self.used];
            (self.lanes[at], self.blocks[at]) = (core::mem::take(&mut self.lanes[self.used]), block);
            if block.parent != NO_BLOCK {
                self.blocks[block.parent as usize].children[block.parent_lane as usize] = index;
            }
            for lane in (0..8).filter(|lane| opened >> lane & 1 != 0) {
                self.blocks[block.children[lane] as usize].parent = index;
            }
        }
    }

    /// Puts the blocks of these lanes at the end of what waits; the new end.
    fn close_lanes(&mut self, index: u32, lanes: u8, mut end: usize) -> usize {
        let (block, of_block) = (&self.blocks[index as usize], &mut self.lanes[index as usize]);
        of_block.opened &= !lanes;
        of_block.watched |= lanes;
        for lane in (0..8).filter(|lane| lanes >> lane & 1 != 0) {
            self.pending[end] = block.children[lane];
            end += 1;
        }
        end
    }

    /// A block to be made anew although none of its lanes came near, so that lanes may be closed in time: the next one with
    /// opened lanes, if it is not far away.
    pub fn refreshed(&mut self) -> Option<u32> {
        for _ in 0..REFRESHED_WITHIN.min(self.used) {
            let index = if self.next_refreshed < self.used { self.next_refreshed } else { 0 };
            self.next_refreshed = index + 1;
            if self.lanes[index].opened != 0 {
                return Some(index as u32);
            }
        }
        None
    }

    /// Learns how many expansions a search from the roots needed.
    pub fn note_from_roots(&mut self, expansions: u64) {
        self.from_roots = expansions;
    }

    /// Expansions beyond which a walk had better begin at the roots: it knows no order, and where the last nearest pair is a bad guess
    /// order is what matters.
    pub fn most_expansions(&self) -> u64 {
        2 * self.from_roots.max(self.used as u64) + 16
    }

    /// Learns how many expansions a query needed that had a front to ask; from the roots it would have been one for about each block.
    pub fn judge(&mut self, expansions: u64) {
        if 2 * expansions <= self.used as u64 + 16 {
            self.next_wait = (self.next_wait / 2).max(SHORTEST_WAIT);
            self.is_doubted = false;
        } else if self.is_doubted {
            self.give_up();
        } else {
            // Once may be a nearest pair that jumped; what was opened for it serves the next query.
            self.is_doubted = true;
        }
    }

    /// Does without a front for a while.
    pub fn give_up(&mut self) {
        self.start_over();
        self.wait = self.next_wait;
        self.next_wait = (self.next_wait * 2).min(LONGEST_WAIT);
    }
}
