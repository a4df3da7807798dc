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

    #[inline(always)]
    fn side(&mut self, slot: u32, find: impl FnOnce() -> Option<T>) -> Option<&T> {
        let at = slot as usize % KEPT;
        if self.slots[at] != slot {
            (self.slots[at], self.sides[at]) = (slot, find());
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

    /// For triangles with the vertices at these corners.
    #[inline(always)]
    fn nearest(&mut self, models: &PosedModels, slots: (u32, u32), corners: (usize, usize)) -> Option<(f64, f64)> {
        let pair = self.pair.as_ref()?;
        let [around_a, around_b] = &mut self.around;
        let a = around_a.side(slots.0, || pair.corner_of_a(&models.triangle_a(slots.0), corners.0))?;
        let b = around_b.side(slots.1, || pair.corner_of_b(&models.triangle_b(slots.1), corners.1))?;
        Some(pair.nearest(a, b))
    }
}

/// Pairs whose values are told without measuring.
#[derive(Clone, Copy, Debug)]
pub struct TiedPairs {
    features: Features,
    /// The two vertices, or the vertex and the ends of the edge.
    vertices: [Vertices; 2],
    edges: Around<EdgeSide>,
    corners: Around<VertexSide>,
}

impl Default for TiedPairs {
    fn default() -> Self {
        Self {
            features: Features::Unknown,
            vertices: [Vertices::NOTHING; 2],
            edges: Around::NOTHING,
            corners: Around::NOTHING,
        }
    }
}

impl TiedPairs {
    /// Nothing is told until `learn`.
    #[inline(always)]
    pub fn forget(&mut self) {
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
    pub fn tell(&mut self, models: &PosedModels, slots: (u32, u32)) -> Option<MeasuredPair> {
        if let Features::Unknown = self.features {
            return None;
        }
        self.tell_known(models, slots)
    }

    #[inline(never)]
    fn tell_known(&mut self, models: &PosedModels, slots: (u32, u32)) -> Option<MeasuredPair> {
        let (slot_a, slot_b) = slots;
        let (distance, candidate) = match &self.features {
            Features::Unknown => return None,
            Features::Vertices => {
                let vertices = &mut self.vertices[0];
                let i = corner_of(models.a, slot_a, vertices.numbers.0)?;
                let j = corner_of(models.b, slot_b, vertices.numbers.1)?;
                vertices.nearest(models, slots, (i, j))?
            }
            Features::EdgeOfA(pair) => {
                let [first, second] = &mut self.vertices;
                let j = corner_of(models.b, slot_b, first.numbers.1)?;
                match ends_of(models.a, slot_a, (first.numbers.0, second.numbers.0)) {
                    (None, None) => return None,
                    (Some(i), None) => first.nearest(models, slots, (i, j))?,
                    (None, Some(i)) => second.nearest(models, slots, (i, j))?,
                    (Some(i), Some(k)) => {
                        let find = || pair.edge_side(&models.triangle_a(slot_a), edge_between(i, k));
                        let edge = self.edges.side(slot_a, find)?;
                        let find = || pair.vertex_side(&models.triangle_b(slot_b), j);
                        pair.nearest(edge, self.corners.side(slot_b, find)?)?
                    }
                }
            }
            Features::EdgeOfB(pair) => {
                let [first, second] = &mut self.vertices;
                let i = corner_of(models.a, slot_a, first.numbers.0)?;
                match ends_of(models.b, slot_b, (first.numbers.1, second.numbers.1)) {
                    (None, None) => return None,
                    (Some(j), None) => first.nearest(models, slots, (i, j))?,
                    (None, Some(j)) => second.nearest(models, slots, (i, j))?,
                    (Some(j), Some(k)) => {
                        let find = || pair.edge_side(&models.triangle_b(slot_b), edge_between(j, k));
                        let edge = self.edges.side(slot_b, find)?;
                        let find = || pair.vertex_side(&models.triangle_a(slot_a), i);
                        pair.nearest(edge, self.corners.side(slot_a, find)?)?
                    }
                }
            }
            Features::FaceOfA { slot, number, pair } => {
                if slot_a != *slot {
                    return None;
                }
                let j = corner_of(models.b, slot_b, *number)?;
                pair.nearest(&models.triangle_b(slot_b), j)?
            }
            Features::FaceOfB { number, slot, pair } => {
                if slot_b != *slot {
                    return None;
                }
                let i = corner_of(models.a, slot_a, *number)?;
                pair.nearest(&models.triangle_a(slot_a), i)?
            }
        };
        Some(MeasuredPair { distance, slots, candidate })
    }
}

/// Where a triangle has a vertex.
#[inline(always)]
fn corner_of(model: &Model, slot: u32, vertex: u32) -> Option<usize> {
    let [p, q, r] = model.numbers_in_slot(slot as usize);
    let corner = if p == vertex {
        0
    } else if q == vertex {
        1
    } else {
        2
    };
    ((p == vertex) | (q == vertex) | (r == vertex)).then_some(corner)
}

#[inline(always)]
fn ends_of(model: &Model, slot: u32, (from, to): (u32, u32)) -> (Option<usize>, Option<usize>) {
    (corner_of(model, slot, from), corner_of(model, slot, to))
}

/// The edge between two different corners.
#[inline(always)]
fn edge_between(i: usize, k: usize) -> usize {
    if (i + 1) % 3 == k { i } else { k }
}
