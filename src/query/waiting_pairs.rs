//! Triangle pairs that wait to be judged as local minima, and which of them a nearer neighbour rules out.
//!
//! A pair that is nearest at the features (f, g) is no local minimum if a pair around f and g is nearer by more than the kernel may err.
//! All pairs within the margin are measured anyway, so that the neighbour is nearly always among those that wait. Comparing
//! vertices tells whether triangles are around a feature: no neighbourhood is walked and no point is computed.
//!
//! The kernel's candidate tells the features but for the ends of edges: where it names an edge the feature may be a vertex of it. The
//! triangles at an edge are also around its vertices, so that what is ruled out by the edge is ruled out by the vertex.

use crate::primitive::{FACE, features_of};
use arrayvec::ArrayVec;

/// How many pairs wait at most.
pub const MOST_WAITING: usize = 64;

/// A pair of slots, its distance in the working frame and the kernel's candidate.
#[derive(Clone, Copy, Debug)]
pub struct WaitingPair {
    pub slots: [u32; 2],
    pub distance: f64,
    pub candidate: f64,
}

#[derive(Clone, Debug, Default)]
pub struct WaitingPairs {
    pairs: ArrayVec<WaitingPair, MOST_WAITING>,
}

/// The vertices of the triangles in slots, for each model.
pub type Triangles<'t> = [&'t [[u32; 3]]; 2];

impl WaitingPairs {
    pub fn push(&mut self, pair: WaitingPair) {
        self.pairs.push(pair);
    }

    pub fn is_full(&self) -> bool {
        self.pairs.is_full()
    }

    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    pub fn pairs(&self) -> &[WaitingPair] {
        &self.pairs
    }

    /// Whether a pair that waits is nearer than `share` of a pair's distance and around its features, as the candidate names them.
    pub fn rule_out(&self, number: usize, share: f64, triangles: Triangles) -> bool {
        features_of(self.pairs[number].candidate)
            .is_some_and(|features| self.rule_out_at(number, features, share, triangles))
    }

    /// The same for features that are known: 0-2 vertex, 3-5 edge, 6 face.
    pub fn rule_out_at(&self, number: usize, features: [u32; 2], share: f64, triangles: Triangles) -> bool {
        let WaitingPair { slots, distance, .. } = self.pairs[number];
        let nearer = share * distance;
        let [a, b] = [0, 1].map(|side| Around::new(triangles[side], slots[side], features[side]));
        let rules_out = |other: &WaitingPair| {
            other.distance < nearer && a.has(triangles[0], other.slots[0]) && b.has(triangles[1], other.slots[1])
        };
        // Neighbours were mostly found one after the other.
        self.pairs[..number].iter().rev().any(rules_out) || self.pairs[number + 1..].iter().any(rules_out)
    }
}

/// The triangles around a feature: those with these two vertices, or one triangle.
#[derive(Clone, Copy)]
struct Around {
    vertices: [u32; 2],
    only: Option<u32>,
}

impl Around {
    fn new(triangles: &[[u32; 3]], slot: u32, feature: u32) -> Self {
        let vertices = triangles[slot as usize];
        let at = |k: u32| vertices[k as usize % 3];
        match feature {
            0..3 => Self { vertices: [at(feature); 2], only: None },
            3..FACE => Self { vertices: [at(feature), at(feature + 1)], only: None },
            _ => Self { vertices: [0; 2], only: Some(slot) },
        }
    }

    fn has(&self, triangles: &[[u32; 3]], slot: u32) -> bool {
        match self.only {
            Some(only) => slot == only,
            None => {
                let [p, q, r] = triangles[slot as usize];
                let has = |vertex: u32| (vertex == p) | (vertex == q) | (vertex == r);
                has(self.vertices[0]) & has(self.vertices[1])
            }
        }
    }
}
