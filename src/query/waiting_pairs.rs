//! Triangle pairs that wait to be judged as local minima, and which of them others rule out.
//!
//! A pair that is nearest at the features (f, g) is no local minimum if a pair around f and g is nearer by more than the kernel may err.
//! All pairs within the margin are measured anyway, so that the neighbour is nearly always among those that wait. Comparing
//! vertices tells whether triangles are around a feature: no neighbourhood is walked and no point is computed.
//!
//! The kernel's candidate tells the features but for the ends of edges: where it names an edge the feature may be a vertex of it. The
//! triangles at an edge are also around its vertices, so that what is ruled out by the edge is ruled out by the vertex.
//!
//! A face is seen as its three vertices. Another triangle with these vertices is as near to everything as that face, to what the kernel may
//! err, so that it may speak for it.

use crate::primitive::{FACE, features_of};
use crate::simd::eight::bits;
use fearless_simd::{Simd, SimdBase, f32x8, mask32x8, u32x8};

/// How many pairs wait at most: eight lanes of eight, one bit for each.
pub const MOST_WAITING: usize = 64;

/// A pair of slots, its distance in the working frame and the kernel's candidate.
#[derive(Clone, Copy, Debug, Default)]
pub struct WaitingPair {
    pub slots: [u32; 2],
    pub distance: f64,
    pub candidate: f64,
}

/// The pairs, and in lanes what is compared of them.
#[derive(Clone, Debug)]
pub struct WaitingPairs {
    pairs: [WaitingPair; MOST_WAITING],
    count: usize,
    /// Rounded up; infinite where no pair waits.
    distances: [[f32; 8]; MOST_WAITING / 8],
    /// Of the triangles of A, then of B.
    vertices: [[[[u32; 8]; 3]; 2]; MOST_WAITING / 8],
}

impl Default for WaitingPairs {
    fn default() -> Self {
        Self {
            pairs: [WaitingPair::default(); MOST_WAITING],
            count: 0,
            distances: [[f32::INFINITY; 8]; MOST_WAITING / 8],
            vertices: [[[[0; 8]; 3]; 2]; MOST_WAITING / 8],
        }
    }
}

impl WaitingPairs {
    /// `vertices` are those of the triangles of A and of B.
    pub fn push(&mut self, pair: WaitingPair, vertices: [[u32; 3]; 2]) {
        let (block, lane) = (self.count / 8, self.count % 8);
        self.pairs[self.count] = pair;
        self.distances[block][lane] = (pair.distance as f32).next_up();
        for side in 0..2 {
            for corner in 0..3 {
                self.vertices[block][side][corner][lane] = vertices[side][corner];
            }
        }
        self.count += 1;
    }

    pub fn is_full(&self) -> bool {
        self.count == MOST_WAITING
    }

    pub fn clear(&mut self) {
        self.count = 0;
        self.distances = [[f32::INFINITY; 8]; MOST_WAITING / 8];
    }

    pub fn pairs(&self) -> &[WaitingPair] {
        &self.pairs[..self.count]
    }

    /// The pairs that no nearer neighbour rules out by the features that candidates name, as bits. A neighbour is nearer if its distance
    /// is below `share` of a pair's own.
    #[inline(always)]
    pub fn left<S: Simd>(&self, simd: S, share: f64) -> u64 {
        let mut left = 0;
        for number in 0..self.count {
            let is_ruled_out = match features_of(self.pairs[number].candidate) {
                Some(features) => self.is_ruled_out(simd, number, features, share),
                None => false,
            };
            left |= (!is_ruled_out as u64) << number;
        }
        left
    }

    /// Names the vertex and the face that a pair is nearest at, if the candidate tells that it is.
    pub fn vertex_and_face(&self, number: usize) -> Option<u64> {
        let pair = &self.pairs[number];
        let (face, side, vertex) = match features_of(pair.candidate)? {
            [FACE, vertex] => (pair.slots[0], 1, vertex),
            [vertex, FACE] => (pair.slots[1], 0, vertex),
            _ => return None,
        };
        let [vertex, ..] = self.sought(number, side, vertex);
        // Slots are below 2^31.
        Some((side as u64) << 63 | (face as u64) << 32 | vertex as u64)
    }

    /// Whether a nearer pair is around the given features of a pair: 0-2 vertex, 3-5 edge, 6 face.
    #[inline(always)]
    pub fn is_ruled_out<S: Simd>(&self, simd: S, number: usize, features: [u32; 2], share: f64) -> bool {
        let nearer = f32x8::splat(simd, ((share * self.pairs[number].distance) as f32).next_down());
        let (a, b) = (self.sought(number, 0, features[0]), self.sought(number, 1, features[1]));
        let mut block = 0;
        while 8 * block < self.count {
            let near = f32x8::load_array_ref(simd, &self.distances[block]).simd_lt(nearer);
            let [rows_a, rows_b] = &self.vertices[block];
            if bits(near) != 0 && bits(near & has_all(simd, rows_a, a) & has_all(simd, rows_b, b)) != 0 {
                return true;
            }
            block += 1;
        }
        false
    }

    /// The vertices of a feature of a pair; fewer than three are repeated.
    #[inline(always)]
    fn sought(&self, number: usize, side: usize, feature: u32) -> [u32; 3] {
        let [x, y, z] = &self.vertices[number / 8][side];
        let corners = [x[number % 8], y[number % 8], z[number % 8]];
        let (from, to) = (corners[feature as usize % 3], corners[(feature as usize + 1) % 3]);
        match feature {
            0..3 => [from; 3],
            3..FACE => [from, to, to],
            _ => corners,
        }
    }
}

/// Which triangles of a block have all these vertices.
#[inline(always)]
fn has_all<S: Simd>(simd: S, rows: &[[u32; 8]; 3], sought: [u32; 3]) -> mask32x8<S> {
    has(simd, rows, sought[0]) & has(simd, rows, sought[1]) & has(simd, rows, sought[2])
}

#[inline(always)]
fn has<S: Simd>(simd: S, rows: &[[u32; 8]; 3], vertex: u32) -> mask32x8<S> {
    let vertex = u32x8::splat(simd, vertex);
    let [x, y, z] = rows;
    u32x8::load_array_ref(simd, x).simd_eq(vertex)
        | u32x8::load_array_ref(simd, y).simd_eq(vertex)
        | u32x8::load_array_ref(simd, z).simd_eq(vertex)
}
