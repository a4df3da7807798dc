//! The distance query along the front of the last one (temporal_coherence 4): blocks are asked whether they are still far enough,
//! lanes that are not are looked at again and opened, blocks that are not needed any more are given back.
//!
//! The last nearest pair gives the limit from the start, and with that the order hardly matters. At the end every lane has
//! been opened, or measured, or is farther than the limit by its certificate; the limit only sinks. So nothing nearer was
//! left out.

use crate::coherence::front::{Block, Front, Lanes, NO_BLOCK};
use crate::coherence::stance::Stance;
use crate::posed::expansion::Certify;
use crate::posed::node_pairs::Ground;
use crate::posed::survivors::{Next, Opening, Taken};
use crate::query::answer::Counters;
use crate::search::incumbent::Incumbent;
use crate::search::nearest::{Best, NearestAnswer, NearestParams};
use crate::search::triangle_batch::TriangleBatch;
use crate::simd::eight::bits;
use crate::volume::LaneCounts;
use fearless_simd::{Select, Simd, SimdBase, f32x8, u32x8};

/// Blocks are kept while the lane that they belong to could come back within this share of a step like the last one: asking them
/// costs more than opening them again.
const STEPS_KEPT: f64 = 0.5;

/// What a budget must allow for besides asking all blocks, or besides the expansions that building a front may take: with less a
/// search from the roots has an interval sooner.
const ROOM: u64 = 64;

/// The pair of roots: node 0 of each hierarchy holds the root in lane 0.
const ROOTS: Opening = Opening { bound: 0.0, side: 0, node: 0, kept: 0 };

/// One walk along a front.
pub struct FrontWalk<'a, 's, X> {
    pub ground: &'a Ground<'a>,
    pub scene: &'a X,
    pub front: &'s mut Front,
    pub counters: &'s mut Counters,
    pub params: NearestParams,
}

/// What changes while a walk goes on.
struct Walking {
    stance: Stance,
    /// How much farther than the limit a lane must be for its block to be given back.
    kept: f32,
    incumbent: Incumbent,
    batch: TriangleBatch,
    /// The blocks and lanes of the pairs in the batch.
    owners: [(u32, u32); 4],
    counts: LaneCounts,
    /// Blocks in `Front::pending`.
    pending: usize,
    /// Whether the walk is over before its end, because the budget is used up, the models touch, or it is lost: the front is full, or
    /// more was opened than is worth it.
    is_over: bool,
    is_lost: bool,
    most_expansions: u64,
    /// What is nearest among the lanes that were left out then.
    left_out: f32,
}

impl<X> FrontWalk<'_, '_, X> {
    /// The answer, or None when the search has to begin at the roots.
    #[inline(always)]
    pub fn run<S: Simd>(mut self, simd: S, cached: (u32, u32)) -> Option<NearestAnswer>
    where
        X: Certify<S>,
    {
        let (stance, step) = self.front.go_to(&self.scene.pose(), self.scene.witness()?, cached)?;
        let asked = self.front.used() as u64;
        let is_built = asked == 0;
        let most_expansions = self.front.most_expansions();
        let room = if is_built { most_expansions + ROOM } else { asked + ROOM };
        if self.params.max_work != 0 && self.params.max_work < room {
            return None;
        }
        let mut walking = Walking {
            stance,
            kept: (STEPS_KEPT * step) as f32,
            incumbent: Incumbent::new(self.ground, &self.params),
            batch: TriangleBatch::default(),
            owners: [(NO_BLOCK, 0); 4],
            counts: LaneCounts::default(),
            pending: 0,
            is_over: false,
            is_lost: false,
            most_expansions,
            left_out: f32::INFINITY,
        };
        walking.batch.push(cached, 0.0);
        self.measure(simd, &mut walking);
        // The first pair is free.
        (self.counters.work, self.counters.front_tests) = (asked, asked);
        if is_built && !walking.is_over {
            self.counters.front_rebuilds += 1;
            self.open(simd, &mut walking, &ROOTS, (NO_BLOCK, 0));
        }
        self.go_through(simd, &mut walking);
        self.measure(simd, &mut walking);
        self.front.close_ranks();
        self.counters.volume_tests += walking.counts.full;
        let Incumbent { best, pruned_above, .. } = walking.incumbent;
        self.front.nearest = best.slots;
        if walking.is_lost {
            self.front.give_up();
            if self.params.max_work == 0 {
                return None;
            }
        } else if is_built && best.distance == 0.0 {
            // Too little was opened to be worth keeping.
            self.front.start_over();
        } else if !is_built && !walking.is_over {
            self.front.judge(self.counters.expansions);
        }
        let complete = !walking.is_over || best.distance == 0.0;
        let found = pruned_above.min(best.distance);
        let lower = if complete { found } else { self.ground.certified(walking.left_out).min(found) };
        Some(NearestAnswer { complete, lower, best: (best.distance < f64::INFINITY).then_some(best) })
    }

    /// Asks all blocks, those that come of it, and makes one anew.
    #[inline(always)]
    fn go_through<S: Simd>(&mut self, simd: S, walking: &mut Walking)
    where
        X: Certify<S>,
    {
        for index in 0..self.front.used() {
            let bounds = self.front.certificates[index].bounds(simd, &walking.stance);
            let (near, far) = self.near_and_far(simd, walking, index, bounds);
            if near | far != 0 {
                self.front.pending[walking.pending] = index as u32;
                walking.pending += 1;
            }
        }
        if let Some(index) = self.front.refreshed().filter(|_| !walking.is_over) {
            self.refresh(simd, walking, index);
        }
        self.look_at_pending(simd, walking);
    }

    #[inline(always)]
    fn pair(&self, at: usize, lane: u32) -> Taken {
        let Block { side, node, kept, kept_child, opens, triangles, .. } = self.front.blocks[at];
        Taken {
            bound: 0.0,
            lane,
            node,
            kept,
            kept_child,
            side: side as u32,
            opens: opens >> lane & 1 != 0,
            triangles: triangles >> lane & 1 != 0,
        }
    }

    #[inline(always)]
    fn put_into_batch<S: Simd>(
        &mut self,
        simd: S,
        walking: &mut Walking,
        (block, lane): (u32, u32),
        slots: (u32, u32),
    ) {
        walking.owners[walking.batch.len()] = (block, lane);
        self.front.blocks[block as usize].measured |= 1 << lane;
        if walking.batch.push(slots, 0.0) {
            self.measure(simd, walking);
        }
    }

    /// Lanes that are watched and not farther than the limit, and lanes that are opened and too far to be needed again soon.
    #[inline(always)]
    fn near_and_far<S: Simd>(&self, simd: S, walking: &Walking, index: usize, bounds: f32x8<S>) -> (u8, u8) {
        let limit = walking.incumbent.limit + walking.stance.slack;
        let Lanes { watched, opened } = self.front.lanes[index];
        let near = bits(bounds.simd_le(f32x8::splat(simd, limit))) as u8 & watched;
        let far = bits(bounds.simd_gt(f32x8::splat(simd, limit + walking.kept))) as u8 & opened;
        (near, far)
    }

    #[inline(always)]
    fn look_at_pending<S: Simd>(&mut self, simd: S, walking: &mut Walking)
    where
        X: Certify<S>,
    {
        while walking.pending > 0 {
            walking.pending -= 1;
            let index = self.front.pending[walking.pending];
            if walking.is_over {
                let bounds = self.front.certificates[index as usize].bounds(simd, &walking.stance);
                let nearest = smallest(simd, bounds, self.front.lanes[index as usize].watched);
                walking.left_out = walking.left_out.min(nearest - walking.stance.slack);
            } else {
                self.look_at(simd, walking, index);
            }
        }
    }

    /// Looks at a block of which lanes may be within the limit, or need not be opened any more.
    #[inline(never)]
    fn look_at<S: Simd>(&mut self, simd: S, walking: &mut Walking, index: u32)
    where
        X: Certify<S>,
    {
        simd.vectorize(
            #[inline(always)]
            || self.look_again(simd, walking, index),
        )
    }

    #[inline(always)]
    fn look_again<S: Simd>(&mut self, simd: S, walking: &mut Walking, index: u32)
    where
        X: Certify<S>,
    {
        let at = index as usize;
        let bounds = self.front.certificates[at].bounds(simd, &walking.stance);
        let (mut near, far) = self.near_and_far(simd, walking, at, bounds);
        if far != 0 {
            self.close(simd, walking, index, far);
        }
        let Block { triangles, epoch, .. } = self.front.blocks[at];
        if epoch != self.front.epoch {
            self.start_epoch(at);
            if near & !triangles != 0 && !self.is_spent(walking) {
                let bounds = self.certify_again(simd, walking, at, bounds);
                near &= self.near_and_far(simd, walking, at, bounds).0;
            }
        }
        near &= !self.front.blocks[at].measured;
        while near != 0 && !self.is_spent(walking) {
            let lane = near.trailing_zeros();
            near &= near - 1;
            match self.scene.next(&self.pair(at, lane)) {
                Next::Triangles(slots) => self.put_into_batch(simd, walking, (index, lane), slots),
                Next::Open(opening) => {
                    if let Some(child) = self.open(simd, walking, &opening, (index, lane as u8)) {
                        self.front.blocks[at].children[lane as usize] = child;
                        self.front.lanes[at].opened |= 1 << lane;
                        self.front.lanes[at].watched &= !(1 << lane);
                    } else {
                        near |= 1 << lane;
                    }
                }
            }
        }
        if near != 0 {
            let bounds = self.front.certificates[at].bounds(simd, &walking.stance);
            walking.left_out = walking.left_out.min(smallest(simd, bounds, near) - walking.stance.slack);
        }
    }

    /// What was measured in the last pose does not count in this one.
    #[inline(always)]
    fn start_epoch(&mut self, at: usize) {
        let block = &mut self.front.blocks[at];
        (block.epoch, block.measured) = (self.front.epoch, 0);
    }

    /// Makes the certificates of a block anew where that proves more; the bounds in this pose.
    #[inline(always)]
    fn certify_again<S: Simd>(&mut self, simd: S, walking: &mut Walking, at: usize, bounds: f32x8<S>) -> f32x8<S>
    where
        X: Certify<S>,
    {
        self.counters.expansions += 1;
        self.counters.work += 1;
        self.counters.front_updates += 1;
        let Block { side, node, kept, .. } = self.front.blocks[at];
        let opening = Opening { bound: 0.0, side: side as u32, node, kept };
        let (_, found) = self.scene.certify(simd, &opening, &mut walking.counts);
        let certificates = &mut self.front.certificates[at];
        certificates.improve(simd, &walking.stance, &found, bounds);
        certificates.bounds(simd, &walking.stance)
    }

    /// Makes a block anew of which no lane came near, so that lanes may be closed.
    #[inline(always)]
    fn refresh<S: Simd>(&mut self, simd: S, walking: &mut Walking, index: u32)
    where
        X: Certify<S>,
    {
        let at = index as usize;
        if self.front.blocks[at].epoch == self.front.epoch || self.is_spent(walking) {
            return;
        }
        self.start_epoch(at);
        let bounds = self.front.certificates[at].bounds(simd, &walking.stance);
        let bounds = self.certify_again(simd, walking, at, bounds);
        let (_, far) = self.near_and_far(simd, walking, at, bounds);
        if far != 0 {
            self.close(simd, walking, index, far);
        }
    }

    /// Gives back the blocks of lanes that went far away.
    #[cold]
    fn close<S: Simd>(&mut self, simd: S, walking: &mut Walking, index: u32, far: u8) {
        // Pairs that wait to be measured may belong to what is given back.
        self.measure(simd, walking);
        self.front.close(index, far, walking.pending);
    }

    /// Opens a pair: a new block, which waits to be looked at.
    #[inline(always)]
    fn open<S: Simd>(
        &mut self,
        simd: S,
        walking: &mut Walking,
        opening: &Opening,
        (parent, parent_lane): (u32, u8),
    ) -> Option<u32>
    where
        X: Certify<S>,
    {
        let claimed = if self.counters.expansions < walking.most_expansions { self.front.claim() } else { None };
        let Some(index) = claimed else {
            (walking.is_lost, walking.is_over) = (true, true);
            return None;
        };
        self.counters.expansions += 1;
        self.counters.work += 1;
        let (header, found) = self.scene.certify(simd, opening, &mut walking.counts);
        let at = index as usize;
        self.front.certificates[at].set(simd, &walking.stance, &found);
        self.front.lanes[at] = Lanes { watched: header.used, opened: 0 };
        self.front.blocks[at] = Block { epoch: self.front.epoch, parent, parent_lane, ..header };
        self.front.pending[walking.pending] = index;
        walking.pending += 1;
        Some(index)
    }

    #[inline(always)]
    fn is_spent(&self, walking: &mut Walking) -> bool {
        let spent = self.counters.work + walking.batch.len() as u64;
        walking.is_over |= self.params.max_work != 0 && spent >= self.params.max_work;
        walking.is_over
    }

    /// Measures the pairs of the batch, tightens the limit, and keeps what holds them apart.
    #[inline(never)]
    fn measure<S: Simd>(&mut self, simd: S, walking: &mut Walking) {
        let count = walking.batch.len();
        if count == 0 {
            return;
        }
        self.counters.triangle_tests += count as u64;
        self.counters.work += count as u64;
        let (placed, robust) = (&self.ground.placed, &mut self.counters.robust_tests);
        let incumbent = &mut walking.incumbent;
        let (measures, witnesses) = walking.batch.witnesses(simd, placed, incumbent.best.distance, robust);
        let before = incumbent.best.distance;
        for (lane, &slots) in walking.batch.slots().iter().enumerate() {
            let (distance, candidate) = (measures.distances[lane], measures.candidates[lane]);
            incumbent.offer(placed, &self.params, Best { distance, slots, candidate });
            let (witness, (block, of_block)) = (&witnesses[lane], walking.owners[lane]);
            if block != NO_BLOCK && witness.gap > 0.0 {
                let certificates = &mut self.front.certificates[block as usize];
                certificates.set_lane(of_block as usize, &walking.stance, witness.direction, witness.gap);
            }
        }
        walking.batch.clear();
        if incumbent.best.distance < before {
            incumbent.tighten(self.ground, &self.params);
        }
        walking.is_over |= incumbent.best.distance == 0.0;
    }
}

/// The smallest of these lanes.
#[inline(always)]
fn smallest<S: Simd>(simd: S, values: f32x8<S>, lanes: u8) -> f32 {
    let bit = u32x8::load_array(simd, [1, 2, 4, 8, 16, 32, 64, 128]);
    let chosen = (u32x8::splat(simd, lanes as u32) & bit).simd_eq(bit);
    chosen.select(values, f32x8::splat(simd, f32::INFINITY)).reduce_min()
}
