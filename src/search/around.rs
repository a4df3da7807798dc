//! The walk of every query of one model: depth first, the nearest lane first, with a stack of fixed size.

use crate::model::TreeVisitor;
use crate::posed::shape::{
    Approach, Clipped, Entered, Hidden, Opened, PathBefore, PlacedPoints, PointBefore, is_far, limit_above,
};
use crate::simd::eight::{bits, smallest_lane};
use crate::simd::level::{level, on_level};
use crate::tree::Tree;
use crate::tree::node::Child;
use crate::volume::{Volume, VolumeKind};
use arrayvec::ArrayVec;
use fearless_simd::{Bytes, Select, Simd, SimdBase, SimdMask, f32x8, i32x8, mask32x8, u32x8};

/// More levels than a build makes (`tree::build::DEEPEST`).
const MOST_LEVELS: usize = 50;
/// Of every level seven lanes wait while the eighth is looked into.
const MOST_WAITING: usize = 7 * MOST_LEVELS + 1;

/// The lanes that wait for their turn: of the node that came last the nearest first, and of equals the first lane. Each is looked
/// for when it is its turn: a point leaves many lanes, most of which never get one.
#[derive(Default)]
struct Agenda<'t>(ArrayVec<Waiting<'t>, MOST_LEVELS>);

/// The lanes of a node that wait.
#[repr(C, align(16))]
struct Waiting<'t> {
    /// Infinite for lanes that never waited.
    bounds: [f32; 8],
    children: &'t [u32; 8],
    /// The lanes that still wait, as bits. Crossing out bounds instead would make the next look at all of them wait for that store.
    left: u32,
    /// The smallest bound of these, and its lane.
    nearest: f32,
    lane: u32,
}

impl<'t> Agenda<'t> {
    #[inline(always)]
    fn push<S: Simd>(&mut self, simd: S, opened: &Opened<'t>) {
        let (nearest, lane) = smallest_lane(f32x8::load_array_ref(simd, &opened.bounds));
        if opened.survivors != 0 {
            self.0.push(Waiting {
                bounds: opened.bounds,
                children: opened.children,
                left: opened.survivors,
                nearest,
                lane,
            });
        }
    }

    /// A triangle that was the next lane, and up to three that wait in the same node: four cost as much as one. The last repeats where there
    /// are fewer.
    #[inline(always)]
    fn with_neighbours<S: Simd>(&mut self, simd: S, triangle: Child) -> ([u32; 4], usize) {
        let slot = triangle.index() as u32;
        let Some(top) = self.0.last_mut() else { return ([slot; 4], 1) };
        let children = u32x8::load_array_ref(simd, top.children).bitcast::<i32x8<S>>();
        let triangles = top.left & bits(children.simd_lt(i32x8::splat(simd, 0)));
        if triangles == 0 {
            return ([slot; 4], 1);
        }
        let [first, second, third, _] = four_slots(top.children, triangles);
        let mut rest = triangles;
        for _ in 0..3 {
            rest &= rest.wrapping_sub(1);
        }
        top.left &= !triangles | rest;
        (top.nearest, top.lane) = nearest_of(simd, &top.bounds, top.left);
        ([slot, first, second, third], 1 + (triangles.count_ones() as usize).min(3))
    }

    /// The next lane and its bound. What is beyond the limit is dropped.
    #[inline(always)]
    fn pop<S: Simd>(&mut self, simd: S, limit: f32) -> Option<(f32, Child)> {
        loop {
            let top = self.0.last_mut()?;
            if top.nearest <= limit {
                let next = (top.nearest, Child(top.children[top.lane as usize % 8]));
                top.left &= !(1 << (top.lane % 8));
                (top.nearest, top.lane) = nearest_of(simd, &top.bounds, top.left);
                return Some(next);
            }
            self.0.pop();
        }
    }
}

/// The smallest bound of some lanes, and its lane.
#[inline(always)]
fn nearest_of<S: Simd>(simd: S, bounds: &[f32; 8], lanes: u32) -> (f32, u32) {
    let lanes = mask32x8::from_bitmask(simd, lanes as u64);
    smallest_lane(lanes.select(f32x8::load_array_ref(simd, bounds), f32x8::splat(simd, f32::INFINITY)))
}

/// What stands before a hierarchy.
pub enum Before {
    Point,
    Path,
}

/// What a walk looks for.
pub trait Seeker {
    /// What this seeker has before the hierarchy, if its walks over the commonest volumes are compiled as one piece: faster, and
    /// tens of kilobytes longer.
    const IN_ONE_PIECE: Option<Before> = None;

    /// What is farther than this is of no interest: working units for points, a time for paths.
    fn limit(&self) -> f64;

    /// Whether the budget may end the walk: not before something was measured.
    fn has_measured(&self) -> bool {
        true
    }

    /// Looks at a triangle (slot), or keeps it for later.
    fn take<S: Simd>(&mut self, simd: S, placed: &PlacedPoints, slot: u32);

    /// `take` of one to four triangles; the last repeats where there are fewer.
    #[inline(always)]
    fn take_four<S: Simd>(&mut self, simd: S, placed: &PlacedPoints, slots: [u32; 4], count: usize) {
        for &slot in &slots[..count] {
            self.take(simd, placed, slot);
        }
    }

    /// Looks at the triangles that were kept. False if there were none, so that the limit is what it was.
    #[inline(always)]
    fn settle<S: Simd>(&mut self, _simd: S, _placed: &PlacedPoints) -> bool {
        false
    }

    /// Whether nothing more needs to be looked at.
    fn is_done(&self) -> bool {
        false
    }
}

/// A walk with everything but its types.
pub struct Around<'a, 'm, K> {
    pub placed: &'a PlacedPoints<'m>,
    /// The path, or None for a point.
    pub path: Option<&'a Clipped>,
    pub max_work: u64,
    pub seeker: &'a mut K,
}

impl<K: Seeker> Around<'_, '_, K> {
    /// False when the budget ran out.
    pub fn run(self) -> bool {
        on_level!(level(), simd => self.run_on(simd))
    }

    /// `run` by who has entered an instruction set.
    #[inline(always)]
    pub fn run_on<S: Simd>(self, simd: S) -> bool {
        let hierarchy = &self.placed.built.hierarchy;
        match hierarchy.visit(InOnePiece { simd, around: self }) {
            Ok(is_complete) => is_complete,
            Err(hidden) => hidden.through_table(simd),
        }
    }
}

/// Walks that are compiled as one piece: of the seekers that ask for it, over the two commonest volumes.
struct InOnePiece<'a, 'm, S, K> {
    simd: S,
    around: Around<'a, 'm, K>,
}

impl<'a, 'm, S: Simd, K: Seeker> TreeVisitor for InOnePiece<'a, 'm, S, K> {
    /// The walk itself where its code is reached through a table.
    type Output = Result<bool, Around<'a, 'm, K>>;

    #[inline(always)]
    fn visit<V: Volume>(self, tree: &Tree<V>) -> Self::Output {
        let Self { simd, around } = self;
        if const { K::IN_ONE_PIECE.is_none() || !matches!(V::KIND, VolumeKind::Obb | VolumeKind::Aabb) } {
            return Err(around);
        }
        let Around { placed, path, max_work, seeker } = around;
        match path {
            Some(clipped) if const { matches!(K::IN_ONE_PIECE, Some(Before::Path)) } => {
                // Here, where what it is made of is still in registers.
                let before = PathBefore::new(simd, placed, tree, clipped);
                Ok(along_path(simd, placed, &before, max_work, seeker))
            }
            None if const { matches!(K::IN_ONE_PIECE, Some(Before::Point)) } && !is_far(placed, tree) => {
                Ok(around_point(simd, placed, tree, max_work, seeker))
            }
            _ => Err(Around { placed, path, max_work, seeker }),
        }
    }
}

// Each walk is a function of its own: it has the registers for itself.

#[inline(never)]
fn along_path<S: Simd, V: Volume, K: Seeker>(
    simd: S,
    placed: &PlacedPoints,
    before: &PathBefore<V>,
    max_work: u64,
    seeker: &mut K,
) -> bool {
    simd.vectorize(
        #[inline(always)]
        || along(simd, before, placed, max_work, seeker, |time| before.limit(time)),
    )
}

#[inline(never)]
fn around_point<S: Simd, V: Volume, K: Seeker>(
    simd: S,
    placed: &PlacedPoints,
    tree: &Tree<V>,
    max_work: u64,
    seeker: &mut K,
) -> bool {
    simd.vectorize(
        #[inline(always)]
        || {
            let before = PointBefore::<V, f32>::new(simd, placed, tree);
            if max_work == 0 {
                near(simd, &before, placed, seeker, limit_above);
                return true;
            }
            walk(simd, &before, placed, max_work, seeker, limit_above)
        },
    )
}

impl<K: Seeker> Around<'_, '_, K> {
    #[inline(never)]
    fn through_table<S: Simd>(self, simd: S) -> bool {
        let Self { placed, path, max_work, seeker } = self;
        let mut is_complete = false;
        let mut use_approach = |approach: &dyn Approach<S>, to_limit: &dyn Fn(f64) -> f32| {
            is_complete = simd.vectorize(
                #[inline(always)]
                || walk(simd, &Hidden(approach), placed, max_work, seeker, to_limit),
            );
        };
        placed.built.hierarchy.visit(WithApproach { simd, placed, path, use_approach: &mut use_approach });
        is_complete
    }
}

/// What is done with an approach and with what turns measures into limits for it.
type UseApproach<'a, S> = &'a mut dyn FnMut(&dyn Approach<S>, &dyn Fn(f64) -> f32);

/// Hands over an approach to any hierarchy. No seeker is known here, so that this is compiled once for all of them.
struct WithApproach<'a, 'm, S> {
    simd: S,
    placed: &'a PlacedPoints<'m>,
    path: Option<&'a Clipped>,
    use_approach: UseApproach<'a, S>,
}

impl<S: Simd> TreeVisitor for WithApproach<'_, '_, S> {
    type Output = ();

    fn visit<V: Volume>(self, tree: &Tree<V>) {
        let Self { simd, placed, path, use_approach } = self;
        simd.vectorize(
            #[inline(always)]
            || {
                if let Some(clipped) = path {
                    let before = PathBefore::new(simd, placed, tree, clipped);
                    use_approach(&Entered(&before), &|time| clipped.limit(time));
                } else if is_far(placed, tree) {
                    let before = PointBefore::<V, f64>::new(simd, placed, tree);
                    use_approach(&Entered(&before), &|distance| before.limit(distance));
                } else {
                    let before = PointBefore::<V, f32>::new(simd, placed, tree);
                    use_approach(&Entered(&before), &limit_above);
                }
            },
        );
    }
}

/// The walk of a point, or of anything through a table.
#[inline(always)]
fn walk<S: Simd, A: Approach<S>, K: Seeker>(
    simd: S,
    approach: &A,
    placed: &PlacedPoints,
    max_work: u64,
    seeker: &mut K,
    to_limit: impl Fn(f64) -> f32,
) -> bool {
    let mut agenda = Agenda::default();
    let mut limit = to_limit(seeker.limit());
    let mut work = 0;
    let mut next = Some((0.0, approach.root()));
    while let Some((bound, child)) = next {
        if max_work != 0 && work >= max_work && seeker.has_measured() {
            seeker.settle(simd, placed);
            return false;
        }
        work += 1;
        if child.is_triangle() {
            seeker.take(simd, placed, child.index() as u32);
            if seeker.is_done() {
                return true;
            }
            limit = to_limit(seeker.limit());
        } else {
            // What waits to be measured may make the rest needless.
            if seeker.settle(simd, placed) {
                limit = to_limit(seeker.limit());
            }
            if bound <= limit {
                agenda.push(simd, &approach.expand(simd, child.index() as u32, bound, limit));
            }
        }
        next = agenda.pop(simd, limit);
    }
    seeker.settle(simd, placed);
    true
}

/// The walk of a point without a budget. Triangles are looked at together: those of a node without nodes below at once, the four nearest
/// first, and those of other nodes when the nearest of them has its turn.
#[inline(always)]
fn near<S: Simd, A: Approach<S>, K: Seeker>(
    simd: S,
    approach: &A,
    placed: &PlacedPoints,
    seeker: &mut K,
    to_limit: impl Fn(f64) -> f32,
) {
    let mut agenda = Agenda::default();
    let mut limit = to_limit(seeker.limit());
    let mut next = Some((0.0, approach.root()));
    while let Some((bound, child)) = next {
        if child.is_triangle() {
            let (slots, count) = agenda.with_neighbours(simd, child);
            seeker.take_four(simd, placed, slots, count);
            limit = to_limit(seeker.limit());
            next = agenda.pop(simd, limit);
            continue;
        }
        let opened = approach.expand(simd, child.index() as u32, bound, limit);
        if opened.survivors & !opened.triangles != 0 {
            agenda.push(simd, &opened);
            next = agenda.pop(simd, limit);
            continue;
        }
        let mut triangles = opened.survivors;
        while triangles != 0 {
            let count = triangles.count_ones() as usize;
            let slots = if count <= 4 {
                four_slots(opened.children, core::mem::take(&mut triangles))
            } else {
                four_nearest(simd, &opened, &mut triangles)
            };
            seeker.take_four(simd, placed, slots, count.min(4));
            limit = to_limit(seeker.limit());
            triangles &= bits(f32x8::load_array_ref(simd, &opened.bounds).simd_le(f32x8::splat(simd, limit)));
        }
        next = agenda.pop(simd, limit);
    }
}

/// Takes the four nearest of more triangles than that.
#[inline(always)]
fn four_nearest<S: Simd>(simd: S, opened: &Opened, triangles: &mut u32) -> [u32; 4] {
    let mut next = || {
        let (_, lane) = nearest_of(simd, &opened.bounds, *triangles);
        *triangles &= !(1 << lane);
        Child(opened.children[lane as usize % 8]).index() as u32
    };
    [next(), next(), next(), next()]
}

/// Nodes that a path enters later, as `EnteredLanes::waiting` tells them, the next one last.
type Later = ArrayVec<u64, MOST_WAITING>;

/// The walk of a path, which enters few lanes of a node: its triangles are looked at at once, the nearest node follows without
/// a detour, and the others wait.
#[inline(always)]
fn along<S: Simd, V: Volume, K: Seeker>(
    simd: S,
    path: &PathBefore<V>,
    placed: &PlacedPoints,
    max_work: u64,
    seeker: &mut K,
    to_limit: impl Fn(f64) -> f32,
) -> bool {
    let root = Approach::<S>::root(path);
    if root.is_triangle() {
        seeker.take_four(simd, placed, [root.index() as u32; 4], 1);
        return true;
    }
    let mut later = Later::new();
    let mut limit = to_limit(seeker.limit());
    let mut work = 0;
    let mut node = root.index() as u32;
    loop {
        if max_work != 0 && work >= max_work && seeker.has_measured() {
            return false;
        }
        work += 1;
        let entered = path.enter(simd, node, limit);
        let mut triangles = entered.triangles;
        if triangles != 0 {
            work += triangles.count_ones() as u64;
            while triangles != 0 {
                let slots = four_slots(entered.children, triangles);
                seeker.take_four(simd, placed, slots, (triangles.count_ones() as usize).min(4));
                for _ in 0..4 {
                    triangles &= triangles.wrapping_sub(1);
                }
            }
            if seeker.is_done() {
                return true;
            }
            limit = to_limit(seeker.limit());
        }
        // Most often there is no node, one or two of them: no branch asks which.
        let others = entered.nodes & entered.nodes.wrapping_sub(1);
        let [first, second] = [entered.waiting_or_none(entered.nodes), entered.waiting_or_none(others)];
        let (mut next, after) = (first.min(second), first.max(second));
        let bottom = later.len();
        Approach::<S>::prefetch(path, if others == 0 { node } else { after as u32 });
        later.push(after);
        later.truncate(bottom + (others != 0) as usize);
        let mut nodes = others & others.wrapping_sub(1);
        while nodes != 0 {
            let other = entered.waiting(nodes.trailing_zeros());
            nodes &= nodes - 1;
            let after = next.max(other);
            next = next.min(other);
            Approach::<S>::prefetch(path, after as u32);
            insert(&mut later, bottom, after);
        }
        let last = (limit.to_bits() as u64) << 32 | u32::MAX as u64;
        while next > last {
            let Some(waiting) = later.pop() else { return true };
            next = waiting;
        }
        node = next as u32;
    }
}

/// The slots of the first four of some triangles; the last repeats where there are fewer. Without a branch.
#[inline(always)]
fn four_slots(children: &[u32; 8], triangles: u32) -> [u32; 4] {
    let mut left = triangles;
    let mut next = || {
        let slot = Child(children[left.trailing_zeros() as usize % 8]).index() as u32;
        let others = left & left.wrapping_sub(1);
        left = if others != 0 { others } else { left };
        slot
    };
    [next(), next(), next(), next()]
}

/// Puts a node before those that come later than it, down to `bottom`.
#[inline(always)]
fn insert(later: &mut Later, bottom: usize, node: u64) {
    let mut place = later.len();
    later.push(node);
    while place > bottom && later[place - 1] <= node {
        later[place] = later[place - 1];
        place -= 1;
    }
    later[place] = node;
}
