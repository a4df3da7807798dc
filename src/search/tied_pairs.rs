//! Pairs of triangles that are nearest where the best pair is: at the same two vertices, or at the same face and vertex.
//!
//! Around a vertex there are six triangles or more, and all pairs of triangles around the two nearest vertices are as near to
//! rounding. What the kernel would compute for them is told by `primitive::tie` for a small part of the cost. A triangle around one of the vertices
//! meets many of the other's, so that what it has to do with those is kept.

use crate::posed::posed_models::PosedModels;
use crate::primitive::Triangle;
use crate::primitive::tie::{Certified, Corner, FaceAndVertex, Shared, VertexPair};
use crate::search::incumbent::MeasuredPair;

/// Triangles that are kept of each model.
const KEPT: usize = 16;

/// No slot: no model has so many triangles.
const NONE: u32 = u32::MAX;

/// The features that pairs may share, by the numbers of vertices and the slots of faces.
#[derive(Clone, Copy, Debug)]
enum Features {
    Unknown,
    Vertices { numbers: (u32, u32), pair: VertexPair },
    FaceOfA { slot: u32, number: u32, pair: FaceAndVertex },
    FaceOfB { number: u32, slot: u32, pair: FaceAndVertex },
}

/// What is known of the triangles in some slots.
#[derive(Clone, Copy, Debug)]
struct Around {
    slots: [u32; KEPT],
    /// None where the triangle is not left behind at the vertex.
    corners: [Option<Corner>; KEPT],
}

impl Around {
    const NOTHING: Self = Self { slots: [NONE; KEPT], corners: [None; KEPT] };

    #[inline(always)]
    fn corner(&mut self, slot: u32, find: impl FnOnce() -> Option<Corner>) -> Option<&Corner> {
        let at = slot as usize % KEPT;
        if self.slots[at] != slot {
            (self.slots[at], self.corners[at]) = (slot, find());
        }
        self.corners[at].as_ref()
    }
}

/// Pairs whose values are told without measuring.
#[derive(Clone, Copy, Debug)]
pub struct TiedPairs {
    features: Features,
    around: [Around; 2],
}

impl Default for TiedPairs {
    fn default() -> Self {
        Self { features: Features::Unknown, around: [Around::NOTHING; 2] }
    }
}

impl TiedPairs {
    /// Nothing is told until `learn`.
    #[inline(always)]
    pub fn forget(&mut self) {
        self.features = Features::Unknown;
    }

    /// Tells of pairs that share features with this one from now on.
    pub fn learn(&mut self, models: &PosedModels, pair: &MeasuredPair, triangles: [&Triangle; 2], found: &Certified) {
        let (slot_a, slot_b) = pair.slots;
        let number_of_a = |corner: usize| models.a.numbers_in_slot(slot_a as usize)[corner];
        let number_of_b = |corner: usize| models.b.numbers_in_slot(slot_b as usize)[corner];
        let features = match found.shared(pair.candidate) {
            None => None,
            Some(Shared::Vertices(i, j)) => {
                let same = (number_of_a(i), number_of_b(j));
                if let Features::Vertices { numbers, .. } = self.features
                    && numbers == same
                {
                    return;
                }
                (self.around[0].slots, self.around[1].slots) = ([NONE; KEPT], [NONE; KEPT]);
                VertexPair::new(triangles[0][i], triangles[1][j])
                    .map(|pair| Features::Vertices { numbers: same, pair })
            }
            Some(Shared::FaceOfA(j)) => FaceAndVertex::new(triangles[0], false, found)
                .map(|pair| Features::FaceOfA { slot: slot_a, number: number_of_b(j), pair }),
            Some(Shared::FaceOfB(i)) => FaceAndVertex::new(triangles[1], true, found)
                .map(|pair| Features::FaceOfB { number: number_of_a(i), slot: slot_b, pair }),
        };
        self.features = features.unwrap_or(Features::Unknown);
    }

    /// The measured pair, if it is nearest at the features.
    #[inline(always)]
    pub fn tell(&mut self, models: &PosedModels, slots: (u32, u32)) -> Option<MeasuredPair> {
        let (slot_a, slot_b) = slots;
        let (distance, candidate) = match &self.features {
            Features::Unknown => return None,
            Features::Vertices { numbers, pair } => {
                let i = corner_of(models.a.numbers_in_slot(slot_a as usize), numbers.0)?;
                let j = corner_of(models.b.numbers_in_slot(slot_b as usize), numbers.1)?;
                let [around_a, around_b] = &mut self.around;
                let a = around_a.corner(slot_a, || pair.corner_of_a(&models.triangle_a(slot_a), i))?;
                let b = around_b.corner(slot_b, || pair.corner_of_b(&models.triangle_b(slot_b), j))?;
                pair.nearest(a, b)
            }
            Features::FaceOfA { slot, number, pair } => {
                if slot_a != *slot {
                    return None;
                }
                let j = corner_of(models.b.numbers_in_slot(slot_b as usize), *number)?;
                pair.nearest(&models.triangle_b(slot_b), j)?
            }
            Features::FaceOfB { number, slot, pair } => {
                if slot_b != *slot {
                    return None;
                }
                let i = corner_of(models.a.numbers_in_slot(slot_a as usize), *number)?;
                pair.nearest(&models.triangle_a(slot_a), i)?
            }
        };
        Some(MeasuredPair { distance, slots, candidate })
    }
}

/// Where a triangle has a vertex.
#[inline(always)]
fn corner_of(numbers: [u32; 3], vertex: u32) -> Option<usize> {
    let corner = if numbers[0] == vertex {
        0
    } else if numbers[1] == vertex {
        1
    } else {
        2
    };
    (numbers[corner] == vertex).then_some(corner)
}
