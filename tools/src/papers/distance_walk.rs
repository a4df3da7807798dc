//! Distance by two plain trees, with the search orders of [Larsen 1999, 6].

use super::collision_walk::Lanes;
use super::frames::Frames;
use super::plain_tree::PlainModel;
use crate::tally::Tally;
use fearless_simd::{Simd, SimdBase, f32x8};
use feeler::internals::primitive;
use feeler::internals::simd::level::{Operation, dispatch, level};
use feeler::internals::tree::node::{Child, Lane};
use feeler::internals::volume::Volume;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// In which order pairs of volumes are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Depth first, left before right [Larsen 1999, 6].
    LeftFirst,
    /// The closest pair first, from a heap of at most this many pairs; a full heap is followed by a heap of its own for the
    /// closest pair [Larsen 1999, 6.1].
    Priority(usize),
}

/// How a distance is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    pub order: Order,
    /// The answer may be too large by this share of the distance.
    pub relative_error: f64,
    /// A pair of triangles that is measured first: the nearest pair of the last query [Larsen 1999, 6.2].
    pub cached: Option<(usize, usize)>,
    /// Nothing farther than this is looked for. The distance itself makes the search ideal [Larsen 1999, 5.1].
    pub known: f64,
}

impl Default for Ask {
    fn default() -> Self {
        Self { order: Order::Priority(200), relative_error: 0.0, cached: None, known: f64::INFINITY }
    }
}

/// What was found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    pub distance: f64,
    pub slots: Option<(usize, usize)>,
}

/// Two placed models.
pub struct DistanceWalk<'a, V: Volume> {
    pub a: &'a PlainModel<V>,
    pub b: &'a PlainModel<V>,
    pub frames: &'a Frames,
    pub ask: Ask,
}

impl<V: Volume> DistanceWalk<'_, V> {
    pub fn run(self, tally: &mut Tally) -> Found {
        dispatch(level(), Walk { walk: self, tally })
    }
}

/// A pair that waits, and a bound of its distance.
#[derive(Clone, Copy)]
struct Waiting {
    bound: f64,
    lanes: Lanes,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.bound == other.bound
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
/// The closest pair is the greatest, because a heap gives the greatest first.
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound)
    }
}

/// The pairs that wait.
enum Agenda {
    Stack(Vec<Waiting>),
    Heaps(Vec<BinaryHeap<Waiting>>, usize),
}

impl Agenda {
    fn new(order: Order) -> Self {
        match order {
            Order::LeftFirst => Self::Stack(Vec::new()),
            Order::Priority(capacity) => Self::Heaps(vec![BinaryHeap::new()], capacity),
        }
    }

    fn push(&mut self, waiting: Waiting) {
        match self {
            Self::Stack(stack) => stack.push(waiting),
            Self::Heaps(heaps, _) => heaps.last_mut().expect("one heap at least").push(waiting),
        }
    }

    fn pop(&mut self) -> Option<Waiting> {
        match self {
            Self::Stack(stack) => stack.pop(),
            Self::Heaps(heaps, capacity) => loop {
                let heap = heaps.last_mut()?;
                let is_full = heap.len() >= *capacity;
                match heap.pop() {
                    Some(next) if is_full => {
                        heaps.push(BinaryHeap::new());
                        return Some(next);
                    }
                    Some(next) => return Some(next),
                    None => heaps.pop(),
                };
            },
        }
    }
}

struct Walk<'a, V: Volume> {
    walk: DistanceWalk<'a, V>,
    tally: &'a mut Tally,
}

impl<V: Volume> Operation for Walk<'_, V> {
    type Output = Found;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Found {
        let DistanceWalk { a: model_a, b: model_b, frames, ask } = self.walk;
        let (tree_a, tree_b, tally) = (&model_a.tree, &model_b.tree, self.tally);
        let shrink = 1.0 / (1.0 + ask.relative_error);
        let mut best = Found { distance: ask.known, slots: None };
        let measure = |slots: (usize, usize), best: &mut Found, tally: &mut Tally| {
            tally.triangles += 1;
            let placed = frames.placed(&model_b.triangles[slots.1]);
            let distance = primitive::distance(&model_a.triangles[slots.0], &placed).distance;
            if distance <= best.distance {
                *best = Found { distance, slots: Some(slots) };
            }
        };
        if let Some(slots) = ask.cached {
            measure(slots, &mut best, tally);
        }
        let mut agenda = Agenda::new(ask.order);
        tally.volumes += 1;
        agenda.push(Waiting { bound: 0.0, lanes: (0, 0) });
        while let Some(Waiting { bound, lanes: (a, b) }) = agenda.pop() {
            // Pairs at the distance itself are visited, so that the ideal search is the dilated collision query.
            if bound > best.distance * shrink || best.distance == 0.0 {
                continue;
            }
            let ((node_a, lane_a), (node_b, lane_b)) = (Lane(a).split(), Lane(b).split());
            let (in_a, in_b) = (&tree_a.nodes[node_a], &tree_b.nodes[node_b]);
            let (child_a, child_b) = (in_a.child(lane_a), in_b.child(lane_b));
            if child_a.is_triangle() && child_b.is_triangle() {
                measure((child_a.index(), child_b.index()), &mut best, tally);
                continue;
            }
            let a_is_larger = V::enclosing_radii(&in_a.wide)[lane_a] > V::enclosing_radii(&in_b.wide)[lane_b];
            let opens_b = !child_b.is_triangle() && (child_a.is_triangle() || !a_is_larger);
            let (opened, probe, motion) = if opens_b {
                (child_b.index(), V::probe(simd, &in_a.wide, lane_a, &frames.into_b), &frames.into_b)
            } else {
                (child_a.index(), V::probe(simd, &in_b.wide, lane_b, &frames.into_a), &frames.into_a)
            };
            let node = if opens_b { &tree_b.nodes[opened] } else { &tree_a.nodes[opened] };
            let beyond = (best.distance * shrink * 1.001).min(1e15) as f32 + motion.slack;
            let mut first_stage = 0;
            let bounds: f32x8<S> = V::lower_bound(simd, &node.wide, &probe, beyond, &mut first_stage);
            let used = node.children.iter().take_while(|&&child| child != Child::EMPTY.0).count();
            tally.volumes += used as u64;
            tally.first_stage += (first_stage & ((1 << used) - 1)).count_ones() as u64;
            for lane in (0..used).rev() {
                let gap = (bounds.as_slice()[lane] - motion.slack) * motion.unit;
                let bound = f64::from(gap).max(bound);
                if bound <= best.distance * shrink {
                    let next = Lane::new(opened, lane).0;
                    agenda.push(Waiting { bound, lanes: if opens_b { (a, next) } else { (next, b) } });
                }
            }
        }
        best
    }
}
