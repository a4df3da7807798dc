//! Simultaneous descent through two trees, as the papers describe it: depth first, left before right.

use super::overlap_test::OverlapTest;
use crate::tally::Tally;
use fearless_simd::{Simd, SimdBase, SimdMask, f32x8};
use feeler::internals::math::motion::Motion;
use feeler::internals::simd::level::{Operation, dispatch, level};
use feeler::internals::tree::node::{Lane, Node, Tree};
use feeler::internals::volume::Volume;

/// A pair of lanes, packed as `Lane`: of A and of B.
pub type Lanes = (u32, u32);

/// Of two volumes a walk opens the larger one; this is what "larger" compares.
pub type Size<V> = fn(&<V as Volume>::Wide, usize) -> f32;

/// Larger by diameter [Larsen 1999, 3.1].
pub fn by_diameter<V: Volume>(wide: &V::Wide, lane: usize) -> f32 {
    V::enclosing_radii(wide)[lane]
}

/// Two trees, how probes get from one to the other, and how they are tested.
pub struct CollisionWalk<'a, V: Volume, T> {
    pub trees: (&'a Tree<V>, &'a Tree<V>),
    /// Into the node frame of A, and into that of B.
    pub into: (&'a Motion<f32>, &'a Motion<f32>),
    pub test: T,
    pub size: Size<V>,
    pub stack: &'a mut Vec<Lanes>,
}

impl<V: Volume, T: OverlapTest<V>> CollisionWalk<'_, V, T> {
    /// Calls `found` with the slots of the triangle pairs whose volumes overlap, until the call returns true.
    pub fn run(self, found: impl FnMut(usize, usize) -> bool) -> Tally {
        dispatch(level(), Walk { walk: self, found })
    }
}

struct Walk<'a, V: Volume, T, F> {
    walk: CollisionWalk<'a, V, T>,
    found: F,
}

impl<V: Volume, T: OverlapTest<V>, F: FnMut(usize, usize) -> bool> Operation for Walk<'_, V, T, F> {
    type Output = Tally;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> Tally {
        let mut tally = Tally::default();
        let CollisionWalk { trees, into: (into_a, into_b), test, size, stack } = self.walk;
        let (tree_a, tree_b) = trees;
        stack.clear();
        let root = V::probe(simd, &tree_a.nodes[0].wide, 0, into_b);
        if overlapping::<S, V, T>(simd, test, &tree_b.nodes[0], &root, into_b, &mut tally) != 0 {
            stack.push((0, 0));
        }
        while let Some((a, b)) = stack.pop() {
            let ((node_a, lane_a), (node_b, lane_b)) = (Lane(a).split(), Lane(b).split());
            let (in_a, in_b) = (&tree_a.nodes[node_a], &tree_b.nodes[node_b]);
            let (child_a, child_b) = (in_a.child(lane_a), in_b.child(lane_b));
            if child_a.is_triangle() && child_b.is_triangle() {
                tally.triangles += 1;
                if (self.found)(child_a.index(), child_b.index()) {
                    break;
                }
                continue;
            }
            let a_is_larger = size(&in_a.wide, lane_a) > size(&in_b.wide, lane_b);
            let opens_b = !child_b.is_triangle() && (child_a.is_triangle() || !a_is_larger);
            let (opened, probe, motion) = if opens_b {
                (child_b.index(), V::probe(simd, &in_a.wide, lane_a, into_b), into_b)
            } else {
                (child_a.index(), V::probe(simd, &in_b.wide, lane_b, into_a), into_a)
            };
            let node = if opens_b { &tree_b.nodes[opened] } else { &tree_a.nodes[opened] };
            let mut left = overlapping::<S, V, T>(simd, test, node, &probe, motion, &mut tally);
            // The last lane first, so that the first one is taken first.
            while left != 0 {
                let lane = 31 - left.leading_zeros();
                left ^= 1 << lane;
                let next = Lane::new(opened, lane as usize).0;
                stack.push(if opens_b { (a, next) } else { (next, b) });
            }
        }
        tally
    }
}

/// Lanes in use that are not apart from the probe, as bits.
#[inline(always)]
fn overlapping<S: Simd, V: Volume, T: OverlapTest<V>>(
    simd: S,
    test: T,
    node: &Node<V::Wide>,
    probe: &super::overlap_test::ProbeOf<V>,
    motion: &Motion<f32>,
    tally: &mut Tally,
) -> u32 {
    let used = node.used();
    let mut first_stage = 0;
    let gaps = test.gaps(simd, &node.wide, probe, motion.slack, &mut first_stage);
    tally.volumes += used.count_ones() as u64;
    tally.first_stage += (first_stage & used).count_ones() as u64;
    let apart = gaps.simd_gt(f32x8::splat(simd, motion.slack)).to_bitmask() as u32;
    used & !apart
}
