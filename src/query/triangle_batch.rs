//! Four triangle pairs at once: gathered, placed into the working frame, measured, compared.

use super::scene::Placed;
use crate::primitive::{self, Triangle};
use crate::simd::three::three;
use fearless_simd::{Simd, SimdBase, f64x4};

/// Pairs of slots that wait for three more.
#[derive(Clone, Copy, Debug, Default)]
pub struct TriangleBatch {
    slots: [(u32, u32); 4],
    bounds: [f32; 4],
    count: usize,
}

/// Three vertices of three components of four lanes.
type Wide<S> = [[f64x4<S>; 3]; 3];

impl TriangleBatch {
    /// Adds a pair; true when the batch is full.
    #[inline(always)]
    pub fn push(&mut self, slots: (u32, u32), bound: f32) -> bool {
        self.slots[self.count] = slots;
        self.bounds[self.count] = bound;
        self.count += 1;
        self.count == 4
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// The smallest bound of the pairs that wait.
    pub fn smallest_bound(&self) -> f32 {
        self.bounds[..self.count].iter().fold(f32::INFINITY, |smallest, &bound| smallest.min(bound))
    }

    pub fn slots(&self) -> &[(u32, u32)] {
        &self.slots[..self.count]
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Distances of the pairs in the working frame, or infinity for pairs that are not worth measuring because they are
    /// farther than `beyond`; the last lanes repeat the first pair when the batch is not full.
    /// Compiled once per instruction set, not once per search.
    #[inline(never)]
    pub fn distances<S: Simd>(&self, simd: S, placed: &Placed, beyond: f64, robust_tests: &mut u64) -> [f64; 4] {
        let (mut distances, robust) = simd.vectorize(
            #[inline(always)]
            || {
                let (a, b) = self.gather(simd, placed);
                let (distances, robust) = primitive::distance_4(simd, &a, &b, beyond);
                (distances.to_array(), robust)
            },
        );
        for_each_bit(robust, self.count, |lane| {
            *robust_tests += 1;
            let (a, b) = self.triangles(placed, lane);
            distances[lane] = primitive::robust::distance(&a, &b).distance;
        });
        distances
    }

    /// Which of the pairs touch, as bits.
    #[inline(never)]
    pub fn intersections<S: Simd>(&self, simd: S, placed: &Placed, robust_tests: &mut u64) -> u32 {
        let (mut hits, robust) = simd.vectorize(
            #[inline(always)]
            || {
                let (a, b) = self.gather(simd, placed);
                primitive::intersects_4(simd, &a, &b)
            },
        );
        for_each_bit(robust, self.count, |lane| {
            *robust_tests += 1;
            let (a, b) = self.triangles(placed, lane);
            hits = hits & !(1 << lane) | (primitive::robust::intersects(&a, &b) as u32) << lane;
        });
        hits & ((1 << self.count) - 1)
    }

    fn triangles(&self, placed: &Placed, lane: usize) -> (Triangle, Triangle) {
        let (slot_a, slot_b) = self.slots[lane];
        (placed.triangle_a(slot_a), placed.triangle_b(slot_b))
    }

    #[inline(always)]
    fn gather<S: Simd>(&self, simd: S, placed: &Placed) -> (Wide<S>, Wide<S>) {
        let mut a = [[[0.0; 4]; 3]; 3];
        let mut b = [[[0.0; 4]; 3]; 3];
        for lane in 0..4 {
            let (slot_a, slot_b) = self.slots[if lane < self.count { lane } else { 0 }];
            let (in_a, in_b) = (placed.a.triangle_in_slot(slot_a as usize), placed.b.triangle_in_slot(slot_b as usize));
            for vertex in 0..3 {
                let (p, q) = (in_a[vertex].to_array(), in_b[vertex].to_array());
                for k in 0..3 {
                    a[vertex][k][lane] = p[k];
                    b[vertex][k][lane] = q[k];
                }
            }
        }
        let scale = placed.placement.scale_a.to_array();
        let matrix = placed.placement.matrix_b.to_cols_array_2d();
        let shift = placed.placement.translation_b.to_array();
        let wide_a = three(
            #[inline(always)]
            |v| {
                three(
                    #[inline(always)]
                    |k| f64x4::load_array_ref(simd, &a[v][k]) * scale[k],
                )
            },
        );
        // The same operations in the same order as `Placement::place_b`.
        let wide_b = three(
            #[inline(always)]
            |v| {
                let (x, y, z) = (
                    f64x4::load_array_ref(simd, &b[v][0]),
                    f64x4::load_array_ref(simd, &b[v][1]),
                    f64x4::load_array_ref(simd, &b[v][2]),
                );
                three(
                    #[inline(always)]
                    |k| x * matrix[0][k] + y * matrix[1][k] + z * matrix[2][k] + shift[k],
                )
            },
        );
        (wide_a, wide_b)
    }
}

fn for_each_bit(bits: u32, lanes: usize, mut visit: impl FnMut(usize)) {
    let mut left = bits & ((1 << lanes) - 1);
    while left != 0 {
        visit(left.trailing_zeros() as usize);
        left &= left - 1;
    }
}
