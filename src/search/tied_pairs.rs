//! Pairs of triangles that are nearest where the best pair is: at the same two vertices, or at the same vertex and edge or face.
//!
//! Around a vertex there are six triangles or more, and all pairs of triangles around the two nearest vertices are as near to
//! rounding. What the kernel would compute for them is told by `primitive::tie` for a small part of the cost. If a vertex is over an edge, many
//! pairs are nearest at that vertex and an end of the edge; those are told, too. A triangle around one of two vertices
//! meets many of the other's, so that what it has to do with those is kept.

use crate::model::Model;
use crate::posed::posed_models::PosedModels;
use crate::primitive::Triangle;
use crate::primitive::tie::{
    Certified, Corner, EdgeAndVertex, EdgeSide, FaceAndVertex, Shared, VertexPair, VertexSide,
};
use crate::search::incumbent::MeasuredPair;
use fearless_simd::Simd;
use glam::DVec3;

/// Triangles that are kept of each model.
const KEPT: usize = 16;

/// No slot: no model has so many triangles.
const NONE: u32 = u32::MAX;

/// The features that pairs may share, by the numbers of vertices and the slots of faces.
#[derive(Clone, Copy, Debug)]
enum Features {
    Unknown,
    Vertices,
    /// And the two pairs of the vertex and an end of the edge.
    EdgeOfA(EdgeAndVertex),
    EdgeOfB(EdgeAndVertex),
    FaceOfA {
        slot: u32,
        number: u32,
        pair: FaceAndVertex,
    },
    FaceOfB {
        number: u32,
        slot: u32,
        pair: FaceAndVertex,
    },
}

/// What is known of the triangles in some slots.
#[derive(Clone, Copy, Debug)]
struct Around<T> {
    slots: [u32; KEPT],
    /// None where a triangle is not left behind.
    sides: [Option<T>; KEPT],
}

impl<T: Copy> Around<T> {
    const NOTHING: Self = Self { slots: [NONE; KEPT], sides: [None; KEPT] };

    fn forget(&mut self) {
        self.slots = [NONE; KEPT];
    }

    /// What is known of a slot, or what `find` finds for it at the corner or edge that `place` gives: nothing where that is not.
    #[inline(always)]
    fn side(
        &mut self,
        slot: u32,
        place: impl FnOnce() -> Option<usize>,
        find: impl FnOnce(usize) -> Option<T>,
    ) -> Option<&T> {
        let at = slot as usize % KEPT;
        if self.slots[at] != slot {
            self.sides[at] = find(place()?);
            self.slots[at] = slot;
        }
        self.sides[at].as_ref()
    }
}

/// Two vertices by their numbers, and triangles around them.
#[derive(Clone, Copy, Debug)]
struct Vertices {
    numbers: (u32, u32),
    pair: Option<VertexPair>,
    around: [Around<Corner>; 2],
}

impl Vertices {
    const NOTHING: Self = Self { numbers: (NONE, NONE), pair: None, around: [Around::NOTHING; 2] };

    /// Keeps what is known of these vertices already.
    fn learn(&mut self, numbers: (u32, u32), (from, to): (DVec3, DVec3)) {
        if self.numbers != numbers {
            self.numbers = numbers;
            self.pair = VertexPair::new(from, to);
            self.around[0].forget();
            self.around[1].forget();
        }
    }

    #[inline(always)]
    fn nearest(&mut self, models: &PosedModels, slots: (u32, u32)) -> Option<(f64, f64)> {
        let pair = self.pair.as_ref()?;
        let [around_a, around_b] = &mut self.around;
        let b = around_b.side(
            slots.1,
            #[inline(always)]
            || corner_of(models.b, slots.1, self.numbers.1),
            |corner| corner_of_b(pair, models, slots.1, corner),
        )?;
        let a = around_a.side(
            slots.0,
            #[inline(always)]
            || corner_of(models.a, slots.0, self.numbers.0),
            |corner| corner_of_a(pair, models, slots.0, corner),
        )?;
        Some(pair.nearest(a, b))
    }
}

#[inline(never)]
fn corner_of_a(pair: &VertexPair, models: &PosedModels, slot: u32, corner: usize) -> Option<Corner> {
    pair.corner_of_a(&models.triangle_a(slot), corner)
}

#[inline(never)]
fn corner_of_b(pair: &VertexPair, models: &PosedModels, slot: u32, corner: usize) -> Option<Corner> {
    pair.corner_of_b(&models.triangle_b(slot), corner)
}

/// Pairs whose values are told without measuring.
#[derive(Clone, Copy, Debug)]
pub struct TiedPairs {
    features: Features,
    only_vertices: bool,
    /// The two vertices, or the vertex and the ends of the edge.
    vertices: [Vertices; 2],
    edges: Around<EdgeSide>,
    corners: Around<VertexSide>,
}

impl Default for TiedPairs {
    fn default() -> Self {
        Self {
            features: Features::Unknown,
            only_vertices: false,
            vertices: [Vertices::NOTHING; 2],
            edges: Around::NOTHING,
            corners: Around::NOTHING,
        }
    }
}

impl TiedPairs {
    /// Nothing is told until `learn`, and then of pairs at edges and faces only if these are worth it: a search from the roots measures them
    /// sooner, because it keeps nothing of a pair.
    #[inline(always)]
    pub fn forget(&mut self, only_vertices: bool) {
        self.only_vertices = only_vertices;
        self.features = Features::Unknown;
        self.vertices[0].numbers = (NONE, NONE);
        self.vertices[1].numbers = (NONE, NONE);
    }

    /// Tells of pairs that share features with this one from now on.
    pub fn learn(&mut self, models: &PosedModels, pair: &MeasuredPair, triangles: [&Triangle; 2], found: &Certified) {
        let (slot_a, slot_b) = pair.slots;
        let [a, b] = triangles;
        let numbers_a = models.a.numbers_in_slot(slot_a as usize);
        let numbers_b = models.b.numbers_in_slot(slot_b as usize);
        let features = match found.shared(pair.candidate) {
            None => None,
            Some(shared) if self.only_vertices && !matches!(shared, Shared::Vertices(..)) => None,
            Some(Shared::Vertices(i, j)) => {
                self.vertices[0].learn((numbers_a[i], numbers_b[j]), (a[i], b[j]));
                Some(Features::Vertices)
            }
            Some(Shared::EdgeOfA(i, j)) => {
                let (from, to) = (i, (i + 1) % 3);
                let first = usize::from(numbers_a[from] > numbers_a[to]);
                self.vertices[first].learn((numbers_a[from], numbers_b[j]), (a[from], b[j]));
                self.vertices[1 - first].learn((numbers_a[to], numbers_b[j]), (a[to], b[j]));
                self.edges.forget();
                self.corners.forget();
                EdgeAndVertex::new(a[to] - a[from], false, found).map(Features::EdgeOfA)
            }
            Some(Shared::EdgeOfB(i, j)) => {
                let (from, to) = (j, (j + 1) % 3);
                let first = usize::from(numbers_b[from] > numbers_b[to]);
                self.vertices[first].learn((numbers_a[i], numbers_b[from]), (a[i], b[from]));
                self.vertices[1 - first].learn((numbers_a[i], numbers_b[to]), (a[i], b[to]));
                self.edges.forget();
                self.corners.forget();
                EdgeAndVertex::new(b[to] - b[from], true, found).map(Features::EdgeOfB)
            }
            Some(Shared::FaceOfA(j)) => FaceAndVertex::new(a, false, found).map(|pair| Features::FaceOfA {
                slot: slot_a,
                number: numbers_b[j],
                pair,
            }),
            Some(Shared::FaceOfB(i)) => FaceAndVertex::new(b, true, found).map(|pair| Features::FaceOfB {
                number: numbers_a[i],
                slot: slot_b,
                pair,
            }),
        };
        self.features = features.unwrap_or(Features::Unknown);
    }

    /// The measured pair, if it is nearest at the features.
    #[inline(always)]
    pub fn tell<S: Simd>(&mut self, simd: S, models: &PosedModels, slots: (u32, u32)) -> Option<MeasuredPair> {
        if let Features::Unknown = self.features {
            return None;
        }
        let (distance, candidate) = self.told(simd, models, slots)?;
        Some(MeasuredPair { distance, slots, candidate })
    }

    #[inline(never)]
    fn told<S: Simd>(&mut self, simd: S, models: &PosedModels, slots: (u32, u32)) -> Option<(f64, f64)> {
        simd.vectorize(
            #[inline(always)]
            || self.nearest(models, slots),
        )
    }

    #[inline(always)]
    fn nearest(&mut self, models: &PosedModels, slots: (u32, u32)) -> Option<(f64, f64)> {
        let (slot_a, slot_b) = slots;
        let [first, second] = &mut self.vertices;
        match &self.features {
            Features::Unknown => None,
            Features::Vertices => first.nearest(models, slots),
            Features::EdgeOfA(pair) => {
                let ends = (first.numbers.0, second.numbers.0);
                let numbers = models.a.numbers_in_slot(slot_a as usize);
                if !has(numbers, ends.0) || !has(numbers, ends.1) {
                    return nearest_at_end(&mut self.vertices, usize::from(has(numbers, ends.1)), models, slots);
                }
                let vertex = self.corners.side(
                    slot_b,
                    || corner_of(models.b, slot_b, first.numbers.1),
                    |corner| pair.vertex_side(&models.triangle_b(slot_b), corner),
                )?;
                let edge = self.edges.side(
                    slot_a,
                    || edge_of(models.a, slot_a, ends),
                    |edge| pair.edge_side(&models.triangle_a(slot_a), edge),
                )?;
                pair.nearest(edge, vertex)
            }
            Features::EdgeOfB(pair) => {
                let ends = (first.numbers.1, second.numbers.1);
                let numbers = models.b.numbers_in_slot(slot_b as usize);
                if !has(numbers, ends.0) || !has(numbers, ends.1) {
                    return nearest_at_end(&mut self.vertices, usize::from(has(numbers, ends.1)), models, slots);
                }
                let vertex = self.corners.side(
                    slot_a,
                    || corner_of(models.a, slot_a, first.numbers.0),
                    |corner| pair.vertex_side(&models.triangle_a(slot_a), corner),
                )?;
                let edge = self.edges.side(
                    slot_b,
                    || edge_of(models.b, slot_b, ends),
                    |edge| pair.edge_side(&models.triangle_b(slot_b), edge),
                )?;
                pair.nearest(edge, vertex)
            }
            Features::FaceOfA { slot, number, pair } => {
                if slot_a != *slot {
                    return None;
                }
                let j = corner_of(models.b, slot_b, *number)?;
                pair.nearest(&models.triangle_b(slot_b), j)
            }
            Features::FaceOfB { number, slot, pair } => {
                if slot_b != *slot {
                    return None;
                }
                let i = corner_of(models.a, slot_a, *number)?;
                pair.nearest(&models.triangle_a(slot_a), i)
            }
        }
    }
}

/// At the vertex and an end of the edge. Called, so that the code is there once.
#[inline(never)]
fn nearest_at_end(
    vertices: &mut [Vertices; 2],
    end: usize,
    models: &PosedModels,
    slots: (u32, u32),
) -> Option<(f64, f64)> {
    vertices[end % 2].nearest(models, slots)
}

#[inline(always)]
fn has(numbers: [u32; 3], vertex: u32) -> bool {
    (numbers[0] == vertex) | (numbers[1] == vertex) | (numbers[2] == vertex)
}

/// Where a triangle has a vertex.
#[inline(always)]
fn corner_of(model: &Model, slot: u32, vertex: u32) -> Option<usize> {
    let numbers = model.numbers_in_slot(slot as usize);
    let corner = if numbers[0] == vertex { 0 } else { 2 - usize::from(numbers[1] == vertex) };
    has(numbers, vertex).then_some(corner)
}

/// The edge between two different vertices that a triangle has.
fn edge_of(model: &Model, slot: u32, (from, to): (u32, u32)) -> Option<usize> {
    let (i, k) = (corner_of(model, slot, from)?, corner_of(model, slot, to)?);
    Some(if (i + 1) % 3 == k { i } else { k })
}
