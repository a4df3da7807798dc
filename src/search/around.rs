//! The walk of every query of one model: depth first, the nearest lane first, with a stack of fixed size.

use crate::model::TreeVisitor;
use crate::posed::shape::{
    Approach, Clipped, Entered, Hidden, PathBefore, PlacedPoints, PointBefore, Waiting, is_far, limit_above,
};
use crate::simd::level::{level, on_level};
use crate::tree::Tree;
use crate::volume::{Kind, Volume};
use arrayvec::ArrayVec;
use fearless_simd::Simd;

/// More levels than a build makes (`tree::build::DEEPEST`).
const MOST_LEVELS: usize = 50;

/// What a walk looks for.
pub trait Seeker {
    /// What is farther than this is of no interest: working units for points, a time for paths.
    fn limit(&self) -> f64;

    /// Whether the budget may end the walk: not before something was measured.
    fn has_measured(&self) -> bool {
        true
    }

    /// Looks at a triangle (slot), or keeps it for later.
    fn take<S: Simd>(&mut self, simd: S, placed: &PlacedPoints, slot: u32);

    /// Looks at the triangles that were kept.
    fn settle<S: Simd>(&mut self, _simd: S, _placed: &PlacedPoints) {}

    /// Whether nothing more needs to be looked at.
    fn is_done(&self) -> bool {
        false
    }
}

/// A walk with everything but its types.
pub struct Around<'a, 'm, K> {
    pub placed: &'a PlacedPoints<'m>,
    /// The path, or None for a point.
    pub path: Option<Clipped>,
    pub max_work: u64,
    pub seeker: &'a mut K,
}

impl<K: Seeker> Around<'_, '_, K> {
    /// False when the budget ran out.
    pub fn run(self) -> bool {
        let hierarchy = &self.placed.built.hierarchy;
        hierarchy.visit(self)
    }
}

impl<K: Seeker> TreeVisitor for Around<'_, '_, K> {
    type Output = bool;

    fn visit<V: Volume>(self, tree: &Tree<V>) -> bool {
        on_level!(level(), simd => self.over(simd, tree))
    }
}

/// Whether walks over this volume are compiled as one piece.
const fn is_inlined<V: Volume>() -> bool {
    matches!(V::KIND, Kind::Obb | Kind::Aabb)
}

impl<K: Seeker> Around<'_, '_, K> {
    #[inline(always)]
    fn over<S: Simd, V: Volume>(self, simd: S, tree: &Tree<V>) -> bool {
        let Self { placed, path, max_work, seeker } = self;
        if let Some(clipped) = path {
            let before = PathBefore::new(simd, placed, tree, &clipped);
            let limit = |time: f64| clipped.limit(time);
            if const { is_inlined::<V>() } {
                walk(simd, &before, placed, max_work, seeker, limit)
            } else {
                walk_hidden(simd, &Entered(&before), placed, max_work, seeker, &limit)
            }
        } else if is_far(placed, tree) {
            let before = PointBefore::<V, f64>::new(simd, placed, tree);
            let limit = |distance: f64| before.limit(distance);
            walk_hidden(simd, &Entered(&before), placed, max_work, seeker, &limit)
        } else {
            let before = PointBefore::<V, f32>::new(simd, placed, tree);
            if const { is_inlined::<V>() } {
                walk(simd, &before, placed, max_work, seeker, limit_above)
            } else {
                walk_hidden(simd, &Entered(&before), placed, max_work, seeker, &limit_above)
            }
        }
    }
}

/// All but the two commonest volumes share their loops.
#[inline(never)]
fn walk_hidden<S: Simd, K: Seeker>(
    simd: S,
    approach: &dyn Approach<S>,
    placed: &PlacedPoints,
    max_work: u64,
    seeker: &mut K,
    limit: &dyn Fn(f64) -> f32,
) -> bool {
    simd.vectorize(
        #[inline(always)]
        || walk(simd, &Hidden(approach), placed, max_work, seeker, limit),
    )
}

#[inline(always)]
fn walk<S: Simd, A: Approach<S>, K: Seeker>(
    simd: S,
    approach: &A,
    placed: &PlacedPoints,
    max_work: u64,
    seeker: &mut K,
    to_limit: impl Fn(f64) -> f32,
) -> bool {
    let mut stack = ArrayVec::<Waiting, MOST_LEVELS>::new();
    stack.push(approach.root());
    let mut limit = to_limit(seeker.limit());
    let mut work = 0;
    while let Some(top) = stack.last_mut() {
        if !(top.nearest <= limit) {
            stack.pop();
            continue;
        }
        if max_work != 0 && work >= max_work && seeker.has_measured() {
            seeker.settle(simd, placed);
            return false;
        }
        let (bound, lane, node) = (top.nearest, top.lane, top.node);
        top.drop_first(simd);
        let child = approach.child(node, lane);
        work += 1;
        if child.is_triangle() {
            seeker.take(simd, placed, child.index() as u32);
            if seeker.is_done() {
                return true;
            }
            limit = to_limit(seeker.limit());
        } else {
            // What waits to be measured may make the rest needless.
            seeker.settle(simd, placed);
            limit = to_limit(seeker.limit());
            if !(bound <= limit) {
                continue;
            }
            let waiting = approach.expand(simd, child.index() as u32, bound, limit);
            if waiting.nearest <= limit {
                stack.push(waiting);
            }
        }
    }
    seeker.settle(simd, placed);
    true
}
