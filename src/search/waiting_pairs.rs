//! Triangle pairs that wait to be judged as local minima, and which of them others rule out.
//!
//! A pair that is nearest at the features (f, g) is no local minimum if a pair around f and g is nearer by more than the kernel may err.
//! All pairs within the margin are measured anyway, so that the neighbour is nearly always among those that wait. Comparing
//! vertices tells whether triangles are around a feature: no neighbourhood is walked and no point is computed.
//!
//! A candidate of the kernel may leave open which end of an edge is meant: then the feature may be a vertex of the edge that it names. The
//! triangles at an edge are also around its vertices, so that what is ruled out by the edge is ruled out by the vertex.

use crate::primitive::{FACE, Named, features_of};
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
    /// What their candidates name.
    named: [Option<Named>; MOST_WAITING],
    count: usize,
    /// Rounded up; infinite where no pair waits.
    distances: [[f32; 8]; MOST_WAITING / 8],
    /// Of the triangles of A, then of B: the vertices, and the slots.
    vertices: [[[[u32; 8]; 3]; 2]; MOST_WAITING / 8],
    slots: [[[u32; 8]; 2]; MOST_WAITING / 8],
}

impl Default for WaitingPairs {
    fn default() -> Self {
        Self {
            pairs: [WaitingPair::default(); MOST_WAITING],
            named: [None; MOST_WAITING],
            count: 0,
            distances: [[f32::INFINITY; 8]; MOST_WAITING / 8],
            vertices: [[[[0; 8]; 3]; 2]; MOST_WAITING / 8],
            slots: [[[0; 8]; 2]; MOST_WAITING / 8],
        }
    }
}

impl WaitingPairs {
    /// `vertices` are those of the triangles of A and of B.
    pub fn push(&mut self, pair: WaitingPair, vertices: [[u32; 3]; 2]) {
        let number = self.count % MOST_WAITING;
        let (block, lane) = (number / 8, number % 8);
        self.pairs[number] = pair;
        self.named[number] = features_of(pair.candidate);
        self.distances[block][lane] = (pair.distance as f32).next_up();
        for (row, slot) in self.slots[block].iter_mut().zip(pair.slots) {
            row[lane] = slot;
        }
        for (rows, corners) in self.vertices[block].iter_mut().zip(vertices) {
            for (row, corner) in rows.iter_mut().zip(corners) {
                row[lane] = corner;
            }
        }
        self.count += 1;
    }

    pub fn is_full(&self) -> bool {
        self.count == MOST_WAITING
    }

    pub fn clear(&mut self) {
        self.distances[..self.count.div_ceil(8)].fill([f32::INFINITY; 8]);
        self.count = 0;
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
            let by = |named: Named| self.is_ruled_out(simd, number, named.features.map(u32::from), share);
            let is_ruled_out = self.named[number].is_some_and(by);
            left |= (!is_ruled_out as u64) << number;
        }
        left
    }

    /// The features that a pair is nearest at, if the candidate tells them.
    pub fn features(&self, number: usize) -> Option<[u32; 2]> {
        self.named[number].filter(|named| named.is_exact).map(|named| named.features.map(u32::from))
    }

    /// Whether a nearer pair is around the given features of a pair: 0-2 vertex, 3-5 edge, 6 face.
    #[inline(always)]
    pub fn is_ruled_out<S: Simd>(&self, simd: S, number: usize, features: [u32; 2], share: f64) -> bool {
        let nearer = f32x8::splat(simd, ((share * self.pairs[number].distance) as f32).next_down());
        let sought = self.sought(number, features);
        let mut block = 0;
        while 8 * block < self.count {
            let near = f32x8::load_array_ref(simd, &self.distances[block]).simd_lt(nearer);
            if bits(near) != 0 && bits(near & self.around(simd, block, &sought)) != 0 {
                return true;
            }
            block += 1;
        }
        false
    }

    #[inline(always)]
    fn sought(&self, number: usize, features: [u32; 2]) -> Sought {
        let corner = |side: usize, k: u32| self.vertices[number / 8][side][k as usize % 3][number % 8];
        let end = |side: usize, k: u32| corner(side, if k < 3 { k } else { k + 1 });
        // An edge from a vertex to itself is not what other triangles at the vertex have.
        let is_point = |side: usize, k: u32| (3..FACE).contains(&k) && corner(side, k) == end(side, k);
        let [slot_a, slot_b] = self.pairs[number].slots;
        match features {
            // Apart, triangles are nearest at a vertex or an edge.
            [FACE, FACE] => Sought::Nothing,
            [f, g] if is_point(0, f) || is_point(1, g) => Sought::Nothing,
            [f, FACE] => Sought::At { side: 0, vertices: [corner(0, f), end(0, f)], slot: slot_b },
            [FACE, g] => Sought::At { side: 1, vertices: [corner(1, g), end(1, g)], slot: slot_a },
            [f, g] => Sought::Both([[corner(0, f), end(0, f)], [corner(1, g), end(1, g)]]),
        }
    }

    /// Which pairs of a block are around both features.
    #[inline(always)]
    fn around<S: Simd>(&self, simd: S, block: usize, sought: &Sought) -> mask32x8<S> {
        let [a, b] = &self.vertices[block];
        match *sought {
            Sought::Nothing => u32x8::splat(simd, 0).simd_eq(u32x8::splat(simd, 1)),
            Sought::At { side, vertices: [p, q], slot } => {
                let slots = u32x8::load_array_ref(simd, &self.slots[block][1 - side]);
                let rows = &self.vertices[block][side];
                slots.simd_eq(u32x8::splat(simd, slot)) & has(simd, rows, p) & has(simd, rows, q)
            }
            Sought::Both([[p, q], [r, s]]) => has(simd, a, p) & has(simd, a, q) & has(simd, b, r) & has(simd, b, s),
        }
    }

    /// Names the mesh features of a pair: two pairs with the same name have the same features.
    pub fn name(&self, number: usize, features: [u32; 2]) -> Name {
        let pair = &self.pairs[number];
        let of_side = |side: usize| {
            let corner = |k: u32| self.vertices[number / 8][side][k as usize % 3][number % 8];
            match features[side] {
                FACE => [u32::MAX, pair.slots[side]],
                vertex @ 0..3 => [u32::MAX - 1, corner(vertex)],
                edge => {
                    let (from, to) = (corner(edge), corner(edge + 1));
                    [from.min(to), from.max(to)]
                }
            }
        };
        [of_side(0), of_side(1)]
    }
}

/// What triangles around two features have: the two ends of an edge, or a vertex twice.
enum Sought {
    Nothing,
    /// These vertices on one side, and on the other a face, which is one triangle.
    At {
        side: usize,
        vertices: [u32; 2],
        slot: u32,
    },
    Both([[u32; 2]; 2]),
}

/// For each model the two ends of an edge, or what no edge has, for a vertex and for the slot of a face.
pub type Name = [[u32; 2]; 2];

/// Which triangles of a block have a vertex.
#[inline(always)]
fn has<S: Simd>(simd: S, rows: &[[u32; 8]; 3], vertex: u32) -> mask32x8<S> {
    let vertex = u32x8::splat(simd, vertex);
    let [x, y, z] = rows;
    u32x8::load_array_ref(simd, x).simd_eq(vertex)
        | u32x8::load_array_ref(simd, y).simd_eq(vertex)
        | u32x8::load_array_ref(simd, z).simd_eq(vertex)
}
