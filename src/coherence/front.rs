//! The front of a search: every expansion of the search as a block of eight certificates, kept until the next query.
//!
//! Blocks form the tree of expansions. Every lane either has a block of its own (`opened`), or is a pair of triangles that was
//! measured or is `tied` with the nearest one, or is farther than what was found. The next query checks certificates at its own pose and
//! looks again only at lanes that may have come near.
//!
//! Most blocks need not even be checked. With `moved` the way that points of B may have gone since counting began:
//! 1. When a block is checked, the volumes of its watched lanes are at least `bound` apart. Its deadline is `moved + bound`.
//! 2. Later no point of B's volumes has gone farther than `moved' - moved`, so these volumes are at least
//!    `deadline - moved'` apart.
//! 3. So while the deadline is above `moved' + limit`, none of them is within the limit. Deadlines are rounded down, the sum up.

use super::anchor::{Anchor, Anchored};
use super::certificate::{Certificates, Proof, Witnessed};
use super::relative_pose::{CertificatePose, RelativePose};
use super::tied_lanes::{TiedLane, TiedLanes};
use crate::allocation::try_collect;
use crate::error::Error;
use crate::simd::eight::bits;
use crate::tree::node_pair::LanePairs;
use fearless_simd::{Select, Simd, SimdBase, f32x8, u32x8};
use glam::DVec3;

/// One expansion.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The blocks of lanes that are opened.
    children: [u32; 8],
    pairs: LanePairs,
    /// The block that this one was opened from; for a free block the next free one.
    parent: u32,
    /// The pose that the block was last looked at in.
    epoch: u32,
    /// The lane of the parent that this block belongs to.
    parent_lane: u8,
    /// Triangles, as bits, that were measured in the pose of `epoch`.
    measured: u8,
}

/// What becomes of the lanes of a block, as bits.
#[derive(Clone, Copy, Debug, Default)]
struct Lanes {
    /// In use and without a block of their own: they must stay far, or be looked at.
    watched: u8,
    /// With a block of their own, which is needed only while they are near.
    opened: u8,
    /// Listed in `TiedLanes`.
    tied: u8,
    /// While the block waits: watched lanes that were found to be near, if these are known and all that is to be looked at; else 0.
    near: u8,
    /// With volumes of B that reach beyond the reach of the anchor (`Witnessed::beyond`).
    beyond: u8,
}

impl Lanes {
    fn is_free(self) -> bool {
        self.watched | self.opened | self.tied == 0
    }
}

impl Block {
    const NONE: Self =
        Self { children: [0; 8], pairs: LanePairs::NONE, parent: NO_BLOCK, epoch: 0, parent_lane: 0, measured: 0 };
}

pub const NO_BLOCK: u32 = u32::MAX;

/// A front pays while a step moves no point by more than this share of the smaller model. After a larger step nearly every lane
/// would have to be looked at again.
const LARGEST_STEP: f64 = 0.04;

/// Queries without a front after one that did not pay: doubled each time, so that a path that never pays hardly notices.
const SHORTEST_WAIT: u32 = 8;
const LONGEST_WAIT: u32 = 1024;

/// What any pass may cost: some expansions and triangle pairs.
const SMALL_COST: u64 = 64;

/// Queries that a front may take to be built.
const MOST_UNFINISHED: u32 = 12;

/// Turns are added up to this, so that their sum keeps its digits.
const LONGEST_TURN: f64 = 1.0;

/// Ways are added up to this share of the smaller model, for the same reason.
const LONGEST_WAY: f64 = 0.25;

/// The way after which one more block is refreshed, in the smaller reach: directions grow old by motion, not by queries.
const REFRESHED_AFTER: f64 = 5e-4;

/// How many blocks to look through for the next one to refresh.
const REFRESHED_WITHIN: usize = 16;

/// What a pair keeps of its last search. The certificates and lanes, which every query reads, are apart from the rest.
#[derive(Debug)]
pub struct Front {
    certificates: Box<[Certificates]>,
    lanes: Box<[Lanes]>,
    blocks: Box<[Block]>,
    /// By eights, so that one comparison tells which of eight blocks to check.
    deadlines: Box<[[f32; 8]]>,
    tied: TiedLanes,
    /// Blocks that wait to be looked at, and behind them those that wait to be given back.
    pending: Box<[u32]>,
    /// How many wait to be looked at.
    waiting: usize,
    /// Blocks that were handed out once, and the first that was given back.
    used: usize,
    free: u32,
    /// Where the models were at the last query.
    pose: Option<RelativePose>,
    /// Whether its certificates have directions.
    is_directed: bool,
    /// What its certificates are measured from, if not from the node origins.
    anchor: Option<Anchor>,
    /// How far B turned, and how far its points went at most, since counting began.
    turned: f64,
    moved: f64,
    /// Counts the poses.
    epoch: u32,
    /// The nearest pair of the last pass, and whether that of the last query touched.
    nearest: (u32, u32),
    touched: bool,
    /// Expansions of the last search that began at the roots, and what it cost.
    from_roots: u64,
    cold_cost: u64,
    /// Passes that ended early since the front was begun, until one looks at everything.
    unfinished: u32,
    /// Whether the last query did not pay.
    is_doubted: bool,
    wait: u32,
    next_wait: u32,
    /// The block to refresh next, so that each gets its turn, and the way since the last one, in the smaller reach.
    next_refreshed: usize,
    unrefreshed: f64,
}

impl Front {
    /// Room for `capacity` blocks; none for a pair that keeps no front.
    pub fn new(capacity: usize) -> Result<Self, Error> {
        let what = "front of a pair";
        Ok(Self {
            certificates: try_collect(what, (0..capacity).map(|_| Certificates::NONE))?.into_boxed_slice(),
            lanes: try_collect(what, (0..capacity).map(|_| Lanes::default()))?.into_boxed_slice(),
            blocks: try_collect(what, (0..capacity).map(|_| Block::NONE))?.into_boxed_slice(),
            deadlines: try_collect(what, (0..capacity.div_ceil(8)).map(|_| [0.0; 8]))?.into_boxed_slice(),
            tied: TiedLanes::new(capacity)?,
            pending: try_collect(what, (0..3 * capacity).map(|_| 0))?.into_boxed_slice(),
            waiting: 0,
            used: 0,
            free: NO_BLOCK,
            pose: None,
            is_directed: false,
            anchor: None,
            turned: 0.0,
            moved: 0.0,
            epoch: 0,
            nearest: (0, 0),
            touched: false,
            from_roots: 0,
            cold_cost: 0,
            unfinished: 0,
            is_doubted: false,
            wait: 0,
            next_wait: SHORTEST_WAIT,
            next_refreshed: 0,
            unrefreshed: 0.0,
        })
    }

    pub fn memory(&self) -> usize {
        let (certificates, lanes) = (size_of_val(&*self.certificates), size_of_val(&*self.lanes));
        let rest = size_of_val(&*self.deadlines) + size_of_val(&*self.pending) + self.tied.memory();
        certificates + lanes + size_of_val(&*self.blocks) + rest
    }

    /// Forgets everything that earlier queries left behind.
    pub fn forget(&mut self) {
        self.start_over();
        (self.pose, self.epoch, self.nearest, self.from_roots, self.cold_cost) = (None, 0, (0, 0), 0, 0);
        (self.wait, self.next_wait, self.touched) = (0, SHORTEST_WAIT, false);
        self.anchor = None;
    }

    /// Drops all blocks: the next query begins at the roots.
    pub fn start_over(&mut self) {
        (self.used, self.free, self.next_refreshed) = (0, NO_BLOCK, 0);
        (self.waiting, self.is_doubted, self.unfinished) = (0, false, 1);
        (self.turned, self.moved) = (0.0, 0.0);
        self.tied.forget();
    }

    /// Goes to a pose: the pose for certificates and the length of the step, if the front is worth a pass. `last` is the pair
    /// that the last query of any kind found; None for a pass that has to measure in every query what it measured before.
    /// `anchored` is for certificates that are measured from an anchor.
    #[inline(always)]
    pub fn go_to(
        &mut self,
        pose: &RelativePose,
        proof: Proof,
        anchored: Option<&Anchored>,
        last: Option<(u32, u32)>,
    ) -> Option<(CertificatePose, f64)> {
        if self.blocks.is_empty() {
            return None;
        }
        let before = self.pose.replace(*pose);
        let is_same = core::mem::replace(&mut self.is_directed, proof != Proof::Margin) == (proof != Proof::Margin);
        let is_same = self.stays_at(anchored) & is_same;
        let Some(before) = before.filter(|before| before.units == pose.units && pose.is_in_range() && is_same) else {
            self.start_over();
            return None;
        };
        let turned = pose.turned_since(&before);
        let step = match anchored {
            None => pose.moved_since(&before, turned),
            Some(anchored) => anchored.step((pose.between - before.between).length(), turned),
        };
        // Pairs that were measured in this pose are no nearer than the nearest pair only while that is known.
        if step > 0.0 || last != Some(self.nearest) {
            self.epoch = self.epoch.wrapping_add(1);
        }
        if self.wait > 0 {
            self.wait -= 1;
            return None;
        }
        if self.used == 0 && self.from_roots > self.blocks.len() as u64 {
            // There would not be room for it.
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
            self.moved += step;
            self.unrefreshed += step / pose.reach[0].min(pose.reach[1]);
            if self.moved > LONGEST_WAY * pose.reach[0].min(pose.reach[1]) {
                self.settle_deadlines();
            }
        }
        Some((CertificatePose::new(pose, (self.turned, self.moved), proof, anchored), step))
    }

    /// Whether certificates are measured from where those so far are.
    #[inline(always)]
    fn stays_at(&mut self, anchored: Option<&Anchored>) -> bool {
        let is_ordinary = self.anchor.is_none() & anchored.is_none();
        is_ordinary || self.change_anchor(anchored.map(|anchored| anchored.anchor))
    }

    #[cold]
    #[inline(never)]
    fn change_anchor(&mut self, anchor: Option<Anchor>) -> bool {
        core::mem::replace(&mut self.anchor, anchor) == anchor
    }

    /// What certificates are measured from, if not from the node origins.
    pub fn anchor(&self) -> Option<&Anchor> {
        self.anchor.as_ref()
    }

    /// Counts the way so far into the deadlines, so that counting can start again; rounded down.
    fn settle_deadlines(&mut self) {
        if !self.is_directed {
            self.certificates[..self.used].iter_mut().for_each(|certificates| certificates.settle_moved(self.moved));
        }
        for deadline in self.deadlines[..self.used.div_ceil(8)].as_flattened_mut() {
            *deadline = ((*deadline as f64 - self.moved) as f32).next_down();
        }
        self.moved = 0.0;
    }

    /// Blocks with deadlines that are not above this have to be checked for lanes within the limit.
    #[inline(always)]
    pub fn due(&self, limit: f32) -> f32 {
        ((self.moved + limit as f64) as f32).next_up()
    }

    /// What a deadline proves in this pose: the watched lanes of its block are no nearer.
    #[inline(always)]
    pub fn left_of(&self, deadline: f32) -> f32 {
        ((deadline as f64 - self.moved) as f32).next_down()
    }

    /// The blocks of a group of eight that have to be checked, as bits, and the smallest deadline of the others.
    #[inline(always)]
    pub fn due_in_group<S: Simd>(&self, simd: S, group: usize, due: f32x8<S>, least: &mut f32x8<S>) -> u32 {
        let deadlines = f32x8::load_array_ref(simd, &self.deadlines[group]);
        let later = deadlines.simd_gt(due);
        *least = least.min(later.select(deadlines, f32x8::splat(simd, f32::INFINITY)));
        let in_use = if self.used - 8 * group >= 8 { 0xff } else { (1 << (self.used - 8 * group)) - 1 };
        !bits(later) & in_use
    }

    /// The way so far, rounded down.
    pub fn moved_down(&self) -> f32 {
        (self.moved as f32).next_down().max(0.0)
    }

    /// Sets the deadline of a block that was checked, of which the watched lanes are no nearer than these bounds less the slack;
    /// what it proves in this pose. `moved` is `moved_down`.
    #[inline(always)]
    pub fn set_deadline<S: Simd>(&mut self, simd: S, index: u32, bounds: f32x8<S>, slack: f32, moved: f32) -> f32 {
        let nearest = smallest(simd, bounds, self.lanes[index as usize].watched) - slack;
        // The sum is off by half of `EPSILON`, and so are both products.
        let deadline = moved + nearest;
        let deadline = (deadline * (1.0 - 2.0 * f32::EPSILON)).min(deadline * (1.0 + 2.0 * f32::EPSILON));
        self.deadlines[index as usize / 8][index as usize % 8] = deadline;
        nearest
    }

    /// Lowers the deadlines of blocks with lanes that reach beyond the anchor, which lose more than the front counts.
    #[cold]
    #[inline(never)]
    pub fn lower_deadlines<S: Simd>(&mut self, simd: S, pose: &CertificatePose) {
        simd.vectorize(
            #[inline(always)]
            || {
                for index in (0..self.used).filter(|&index| self.lanes[index].watched & self.lanes[index].beyond != 0) {
                    let (Lanes { watched, beyond, .. }, certificates) = (self.lanes[index], &self.certificates[index]);
                    let bounds = certificates.bounds(simd, pose) - f32x8::splat(simd, pose.slack);
                    let counted = smallest(simd, certificates.counted(simd, pose, bounds), watched & beyond);
                    let deadline = &mut self.deadlines[index / 8][index % 8];
                    *deadline = deadline.min(((self.moved + counted as f64) as f32).next_down());
                }
            },
        );
    }

    /// Whether the next pose may find a front, or build one.
    pub fn is_available(&self) -> bool {
        !self.blocks.is_empty() && self.wait == 0
    }

    /// Blocks that were handed out: those that are free among them have no lanes.
    pub fn used(&self) -> usize {
        self.used
    }

    /// The pairs of a block.
    #[inline(always)]
    pub fn pairs(&self, index: u32) -> &LanePairs {
        &self.blocks[index as usize].pairs
    }

    /// What the certificates of a block prove in a pose, before its slack.
    #[inline(always)]
    pub fn bounds<S: Simd>(&self, simd: S, index: u32, pose: &CertificatePose) -> f32x8<S> {
        self.certificates[index as usize].bounds(simd, pose)
    }

    /// Lanes that are watched and whose bounds are not above `near`, and lanes that are opened and whose bounds are above `far`.
    #[inline(always)]
    pub fn near_and_far<S: Simd>(&self, simd: S, index: u32, bounds: f32x8<S>, near: f32, far: f32) -> (u8, u8) {
        let Lanes { watched, opened, .. } = self.lanes[index as usize];
        let is_near = bits(bounds.simd_le(f32x8::splat(simd, near))) as u8 & watched;
        let is_far = bits(bounds.simd_gt(f32x8::splat(simd, far))) as u8 & opened;
        (is_near, is_far)
    }

    /// The smallest bound of the watched lanes of a block, but for `known` lanes.
    #[inline(always)]
    pub fn nearest_watched<S: Simd>(&self, simd: S, index: u32, pose: &CertificatePose, known: u8) -> f32 {
        smallest(simd, self.bounds(simd, index, pose), self.lanes[index as usize].watched & !known)
    }

    /// Lets a block wait to be looked at.
    #[inline(always)]
    fn wait(&mut self, index: u32) {
        self.pending[self.waiting] = index;
        self.waiting += 1;
    }

    /// Lets a block wait to be looked at if any of its lanes is near or far; whether it does.
    #[inline(always)]
    pub fn wait_if_any(&mut self, index: u32, near: u8, far: u8) -> bool {
        self.lanes[index as usize].near = if far == 0 { near } else { 0 };
        // The next block that waits overwrites one that does not.
        self.pending[self.waiting] = index;
        let waits = near | far != 0;
        self.waiting += usize::from(waits);
        waits
    }

    /// The lanes because of which a block waits, if that is known and they are still watched; else 0.
    #[inline(always)]
    pub fn known_to_be_near(&self, index: u32) -> u8 {
        let Lanes { watched, near, .. } = self.lanes[index as usize];
        watched & near
    }

    /// The block that began to wait last.
    #[inline(always)]
    pub fn next_waiting(&mut self) -> Option<u32> {
        self.waiting = self.waiting.checked_sub(1)?;
        Some(self.pending[self.waiting])
    }

    /// Whether a block was looked at in this pose.
    #[inline(always)]
    pub fn was_looked_at(&self, index: u32) -> bool {
        self.blocks[index as usize].epoch == self.epoch
    }

    /// Begins to look at a block in this pose: what was measured in the last pose does not count.
    #[inline(always)]
    pub fn begin_look(&mut self, index: u32) {
        let block = &mut self.blocks[index as usize];
        (block.epoch, block.measured) = (self.epoch, 0);
    }

    /// Triangles of a block, as bits, that were measured in this pose.
    #[inline(always)]
    pub fn measured(&self, index: u32) -> u8 {
        self.blocks[index as usize].measured
    }

    #[inline(always)]
    pub fn set_measured(&mut self, index: u32, lane: u32) {
        self.blocks[index as usize].measured |= 1 << lane;
    }

    /// As if these lanes were measured, because another search looks at them in this pose.
    #[inline(always)]
    pub fn set_all_measured(&mut self, index: u32, lanes: u8) {
        self.blocks[index as usize].measured |= lanes;
    }

    /// Takes over certificates that were made in this pose, where they prove more than `bounds`; the bounds after that.
    #[inline(always)]
    pub fn improve<S: Simd>(
        &mut self,
        simd: S,
        index: u32,
        pose: &CertificatePose,
        found: &Witnessed<S>,
        bounds: f32x8<S>,
    ) -> f32x8<S> {
        let certificates = &mut self.certificates[index as usize];
        certificates.improve(simd, pose, found, bounds);
        certificates.bounds(simd, pose)
    }

    /// Takes over what separates a pair of triangles in this pose.
    #[inline(always)]
    pub fn set_lane(&mut self, index: u32, lane: u32, pose: &CertificatePose, direction: DVec3, gap: f64) {
        self.certificates[index as usize].set_lane(lane as usize, pose, direction, gap);
    }

    /// The lanes that are tied with the nearest pair, if they still are: who asks must ask for all of them.
    #[inline(always)]
    pub fn tied(&self) -> &[TiedLane] {
        self.tied.all()
    }

    /// Lists a watched lane as tied, if there is room; then it need not be watched.
    #[inline(always)]
    pub fn tie(&mut self, (block, lane): (u32, u32), slots: (u32, u32)) {
        if self.tied.push(TiedLane { block, lane, slots }) {
            let lanes = &mut self.lanes[block as usize];
            lanes.watched &= !(1 << lane);
            lanes.tied |= 1 << lane;
        }
    }

    /// Watches a lane again that is no longer tied.
    #[inline(never)]
    pub fn untie(&mut self, at: usize) {
        let TiedLane { block, lane, .. } = self.tied.take(at);
        let (at, lanes) = (block as usize, &mut self.lanes[block as usize]);
        lanes.tied &= !(1 << lane);
        lanes.watched |= 1 << lane;
        self.deadlines[at / 8][at % 8] = f32::NEG_INFINITY;
    }

    /// Room for one more block, if there is any.
    #[inline(always)]
    pub fn claim(&mut self) -> Option<u32> {
        if self.free != NO_BLOCK {
            let index = self.free;
            self.free = self.blocks[index as usize].parent;
            return Some(index);
        }
        if self.used == self.blocks.len() {
            return None;
        }
        self.used += 1;
        Some(self.used as u32 - 1)
    }

    /// Fills a claimed block, which then waits to be looked at; `used` are the lanes in use, `parent` is a block and its lane.
    #[inline(always)]
    pub fn fill<S: Simd>(
        &mut self,
        simd: S,
        index: u32,
        pose: &CertificatePose,
        (pairs, used, found): (LanePairs, u8, Witnessed<S>),
        (parent, parent_lane): (u32, u32),
    ) {
        let at = index as usize;
        self.certificates[at].set(simd, pose, &found);
        self.lanes[at] = Lanes { watched: used, beyond: found.beyond, ..Lanes::default() };
        self.deadlines[at / 8][at % 8] = f32::NEG_INFINITY;
        let (epoch, parent_lane) = (self.epoch, parent_lane as u8);
        self.blocks[at] = Block { children: [0; 8], pairs, parent, epoch, parent_lane, measured: 0 };
        if parent != NO_BLOCK {
            self.blocks[parent as usize].children[parent_lane as usize] = index;
            self.lanes[parent as usize].opened |= 1 << parent_lane;
            self.lanes[parent as usize].watched &= !(1 << parent_lane);
        }
        self.wait(index);
    }

    /// Gives back the blocks of these lanes of a block, and all below.
    #[cold]
    pub fn close(&mut self, index: u32, lanes: u8) {
        let mut end = self.close_lanes(index, lanes, self.waiting);
        while end > self.waiting {
            end -= 1;
            let index = self.pending[end];
            end = self.close_lanes(index, self.lanes[index as usize].opened, end);
            if core::mem::take(&mut self.lanes[index as usize]).tied != 0 {
                self.tied.give_back(index);
            }
            self.blocks[index as usize] = Block { parent: self.free, ..Block::NONE };
            self.free = index;
        }
    }

    /// Moves the last blocks to where blocks were given back, so that a pass reads no free block.
    pub fn close_ranks(&mut self) {
        while self.free != NO_BLOCK {
            let index = self.free;
            self.free = self.blocks[index as usize].parent;
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
            self.deadlines[at / 8][at % 8] = self.deadlines[self.used / 8][self.used % 8];
            (self.lanes[at], self.blocks[at]) = (core::mem::take(&mut self.lanes[self.used]), block);
            if self.lanes[at].tied != 0 {
                self.tied.rename(self.used as u32, index);
            }
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
        self.deadlines[index as usize / 8][index as usize % 8] = f32::NEG_INFINITY;
        for lane in (0..8).filter(|lane| lanes >> lane & 1 != 0) {
            self.pending[end] = block.children[lane];
            end += 1;
        }
        end
    }

    /// A block to refresh although none of its lanes came near, so that its lanes may be closed in time: the next one with
    /// opened lanes, if one of the next few has any.
    pub fn next_to_refresh(&mut self) -> Option<u32> {
        if !(self.unrefreshed >= REFRESHED_AFTER) {
            return None;
        }
        self.unrefreshed = 0.0;
        for _ in 0..REFRESHED_WITHIN.min(self.used) {
            let index = if self.next_refreshed < self.used { self.next_refreshed } else { 0 };
            self.next_refreshed = index + 1;
            if self.lanes[index].opened != 0 {
                return Some(index as u32);
            }
        }
        None
    }

    /// Learns the nearest pair that a pass found, with the search that went on after it, and whether it touches.
    pub fn note_nearest(&mut self, slots: (u32, u32), touches: bool) {
        (self.nearest, self.touched) = (slots, touches);
    }

    /// Learns whether the nearest pair that another search found touches.
    pub fn note_touching(&mut self, touches: bool) {
        self.touched = touches;
    }

    /// Whether the nearest pair of the last query touched.
    pub fn touched(&self) -> bool {
        self.touched
    }

    /// Learns how many expansions a search from the roots needed, and what it cost (`Counters::cost`).
    pub fn note_from_roots(&mut self, expansions: u64, cost: u64) {
        (self.from_roots, self.cold_cost) = (expansions, cost);
    }

    /// What a pass may cost, in the units of `Counters::cost`, before the rest is left to a search without a front. A pass has no order, and
    /// order is what matters where the last nearest pair is a bad guess. Certificates and witnesses cost half as much as what they are
    /// made of, so that a pass costs half of a search from the roots at most.
    pub fn most_cost(&self) -> u64 {
        self.cold_cost.max(8 * self.used as u64) / 3 + SMALL_COST
    }

    /// Learns how a query with this front ended: whether the pass looked at everything that was near, and how many expansions
    /// the query needed in all; from the roots it would have been about one for each block.
    pub fn judge(&mut self, is_finished: bool, expansions: u64) {
        if is_finished {
            self.unfinished = 0;
        } else if self.unfinished > 0 && self.used < self.blocks.len() {
            // A front is built by several queries, so that none of them pays for all of it.
            self.unfinished += 1;
            if self.unfinished > MOST_UNFINISHED {
                self.give_up();
            }
            return;
        }
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

/// These lanes; the others are infinite.
#[inline(always)]
pub fn chosen<S: Simd>(simd: S, values: f32x8<S>, lanes: u8) -> f32x8<S> {
    let bit = u32x8::load_array(simd, [1, 2, 4, 8, 16, 32, 64, 128]);
    let chosen = (u32x8::splat(simd, lanes as u32) & bit).simd_eq(bit);
    chosen.select(values, f32x8::splat(simd, f32::INFINITY))
}

/// The smallest of these lanes.
#[inline(always)]
fn smallest<S: Simd>(simd: S, values: f32x8<S>, lanes: u8) -> f32 {
    chosen(simd, values, lanes).reduce_min()
}
