//! Four triangle pairs at once: gathered, placed into the working frame, measured, compared.

use crate::model::Model;
use crate::posed::posed_models::PosedModels;
use crate::posed::shape::PlacedPoints;
use crate::primitive::{self, Distances, PointBounds, Touching, Triangle, Witness};
use crate::simd::lanes::holds_eight;
use crate::simd::three::three;
use fearless_simd::{Simd, SimdBase, SimdMask, f64x2, f64x4};
use glam::DVec3;

pub use crate::primitive::NEVER;

/// Pairs of slots that wait for three more, or for seven.
#[derive(Clone, Copy, Debug)]
pub struct TriangleBatch {
    slots: [(u32, u32); 8],
    count: usize,
    /// The count at which it is full.
    size: usize,
}

impl Default for TriangleBatch {
    #[inline(always)]
    fn default() -> Self {
        Self { slots: [(0, 0); 8], count: 0, size: 4 }
    }
}

/// Distances of four pairs, and the candidates of the kernel that they belong to.
#[derive(Clone, Copy, Debug)]
pub struct PairDistances {
    pub distances: [f64; 4],
    pub candidates: [f64; 4],
}

impl PairDistances {
    /// And the lanes that are open.
    #[inline(always)]
    fn new<S: Simd>(found: &Distances<S>) -> (Self, u32) {
        (Self { distances: found.distances.to_array(), candidates: found.candidates.to_array() }, found.open)
    }

    #[inline(always)]
    fn in_lanes<S: Simd>(&self, simd: S, open: u32) -> Distances<S> {
        Distances {
            distances: f64x4::load_array(simd, self.distances),
            candidates: f64x4::load_array(simd, self.candidates),
            open,
        }
    }
}

/// Three vertices of three components of four lanes.
pub type Wide<S> = [[f64x4<S>; 3]; 3];

impl TriangleBatch {
    /// For `intersections` and `touching` of as many pairs as the instruction set takes at once.
    #[inline(always)]
    pub fn of_widest<S: Simd>() -> Self {
        Self { size: if const { holds_eight::<S>() } { 8 } else { 4 }, ..Self::default() }
    }

    /// Adds a pair; true when the batch is full.
    #[inline(always)]
    pub fn push(&mut self, slots: (u32, u32)) -> bool {
        self.slots[self.count] = slots;
        self.count += 1;
        self.count == self.size
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// The count at which the batch is full.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.size
    }

    #[inline]
    pub fn slots(&self) -> &[(u32, u32)] {
        &self.slots[..self.count]
    }

    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Distances of the pairs in the working frame, or infinity for pairs that are not worth measuring because they are
    /// farther than `beyond`, or something between the distance and `near` for pairs that are hard to measure and certainly
    /// that near; the last lanes repeat the first pair when the batch is not full. `until_touching`: pairs that are hard to
    /// measure may be infinitely far once another pair of the batch touches.
    /// Compiled once per instruction set, not once per search.
    #[inline(never)]
    pub fn distances<S: Simd>(
        &self,
        simd: S,
        models: &PosedModels,
        (near, beyond): (f64, f64),
        until_touching: bool,
        robust_tests: &mut u64,
    ) -> PairDistances {
        let (mut measures, open) = self.measure_lanes(simd, models, (near, beyond), f64::INFINITY);
        self.settle(simd, open, models, (near, until_touching), robust_tests, &mut measures);
        measures
    }

    /// The first step of `distances`: what plain arithmetic measures, and the pairs that it leaves open, as bits. None is measured
    /// if all are farther apart than `across` (`primitive::is_beyond`), which then is known to be above `beyond`.
    #[inline(always)]
    pub fn plain_distances<S: Simd>(
        &self,
        simd: S,
        models: &PosedModels,
        beyond: f64,
        across: f64,
    ) -> (PairDistances, u32) {
        let (measures, open) = self.measure_lanes(simd, models, (NEVER, beyond), across);
        (measures, open & ((1 << self.count) - 1))
    }

    /// The second step: measures these pairs, too. Some may be infinitely far once another pair of the batch touches.
    #[inline(never)]
    pub fn settle_distances<S: Simd>(
        &self,
        simd: S,
        models: &PosedModels,
        open: u32,
        robust_tests: &mut u64,
        measures: &mut PairDistances,
    ) {
        self.settle(simd, open, models, (NEVER, true), robust_tests, measures);
    }

    // The steps of a measurement are called, so that none waits on the stack of another.

    #[inline(never)]
    fn measure_lanes<S: Simd>(
        &self,
        simd: S,
        models: &PosedModels,
        limits: (f64, f64),
        across: f64,
    ) -> (PairDistances, u32) {
        simd.vectorize(
            #[inline(always)]
            || {
                let (a, b) = self.gather(simd, models);
                if across < f64::INFINITY && primitive::is_beyond(&a, &b, f64x4::splat(simd, across)).all_true() {
                    return (PairDistances { distances: [f64::INFINITY; 4], candidates: [0.0; 4] }, 0);
                }
                PairDistances::new(&primitive::distance_4(simd, &a, &b, limits))
            },
        )
    }

    #[inline(never)]
    fn witness_lanes<S: Simd>(
        &self,
        simd: S,
        models: &PosedModels,
        beyond: f64,
    ) -> ((PairDistances, u32), [Witness; 4]) {
        simd.vectorize(
            #[inline(always)]
            || {
                let (a, b) = self.gather(simd, models);
                let (found, witnesses) = primitive::witness_4(simd, &a, &b, beyond);
                (PairDistances::new(&found), witnesses)
            },
        )
    }

    /// `distances` of pairs that are all measured, and what keeps them apart.
    #[inline(never)]
    pub fn witnesses<S: Simd>(
        &self,
        simd: S,
        models: &PosedModels,
        beyond: f64,
        robust_tests: &mut u64,
    ) -> (PairDistances, [Witness; 4]) {
        let ((mut measures, open), witnesses) = self.witness_lanes(simd, models, beyond);
        self.settle(simd, open, models, (NEVER, false), robust_tests, &mut measures);
        (measures, witnesses)
    }

    /// Measures the pairs that plain arithmetic left open: again in lanes, then one by one.
    #[inline(always)]
    fn settle<S: Simd>(
        &self,
        simd: S,
        open: u32,
        models: &PosedModels,
        (near, until_touching): (f64, bool),
        robust_tests: &mut u64,
        measures: &mut PairDistances,
    ) {
        if open & ((1 << self.count) - 1) != 0 {
            let still_open = self.settle_lanes(simd, open, models, until_touching, measures);
            self.measure_one_by_one(still_open, models, near, robust_tests, &mut measures.distances);
            for_each_bit(open, 4, |lane| measures.candidates[lane] += primitive::UNCERTAIN);
        }
    }

    /// Returns the lanes that are still open.
    #[cold]
    #[inline(never)]
    fn settle_lanes<S: Simd>(
        &self,
        simd: S,
        open: u32,
        models: &PosedModels,
        until_touching: bool,
        measures: &mut PairDistances,
    ) -> u32 {
        let still_open;
        (*measures, still_open) = simd.vectorize(
            #[inline(always)]
            || {
                let (a, b) = self.gather(simd, models);
                let found = measures.in_lanes(simd, open);
                PairDistances::new(&primitive::settle_4(simd, &a, &b, &found, until_touching))
            },
        );
        still_open
    }

    #[cold]
    #[inline(never)]
    fn measure_one_by_one(
        &self,
        open: u32,
        models: &PosedModels,
        near: f64,
        robust_tests: &mut u64,
        distances: &mut [f64; 4],
    ) {
        for_each_bit(open, self.count, |lane| {
            let (a, b) = self.triangles(models, lane);
            distances[lane] = primitive::between_vertices(&a, &b);
            if distances[lane] > near {
                *robust_tests += 1;
                distances[lane] = primitive::robust::distance(&a, &b).distance;
            }
        });
    }

    /// Which of the pairs touch, as bits. `one_is_enough`: if one touches, the others may be left out.
    #[inline(never)]
    pub fn intersections<S: Simd>(
        &self,
        simd: S,
        models: &PosedModels,
        one_is_enough: bool,
        robust_tests: &mut u64,
    ) -> u32 {
        let (mut hits, robust) = simd.vectorize(
            #[inline(always)]
            || {
                if const { holds_eight::<S>() } && self.count > 4 {
                    return primitive::intersects_8(simd, &self.gather_eight(simd, models));
                }
                let (a, b) = self.gather(simd, models);
                primitive::intersects_4(simd, &a, &b, one_is_enough)
            },
        );
        for_each_bit(robust, self.count, |lane| {
            *robust_tests += 1;
            let (a, b) = self.triangles(models, lane);
            hits = hits & !(1 << lane) | (primitive::robust::intersects(&a, &b) as u32) << lane;
        });
        hits & ((1 << self.count) - 1)
    }

    /// Where the pairs of the batch touch, all of which intersect; the second half says something of a batch of more than four.
    #[inline(always)]
    pub fn touching<S: Simd>(&self, simd: S, models: &PosedModels) -> [Touching<S>; 2] {
        if const { holds_eight::<S>() } && self.count > 4 {
            return primitive::touching_8(simd, &self.gather_eight(simd, models));
        }
        let (a, b) = self.gather(simd, models);
        [primitive::touching_4(&a, &b); 2]
    }

    /// The triangles of a pair in the working frame.
    pub fn triangles(&self, models: &PosedModels, lane: usize) -> (Triangle, Triangle) {
        let (slot_a, slot_b) = self.slots[lane];
        (models.triangle_a(slot_a), models.triangle_b(slot_b))
    }

    /// Four pairs from the one with this number on: the last lanes repeat the first pair when the batch is not full.
    #[inline(always)]
    fn filled(&self, start: usize) -> [(u32, u32); 4] {
        let slot = |lane: usize| if self.count > start + lane { self.slots[start + lane] } else { self.slots[0] };
        [slot(0), slot(1), slot(2), slot(3)]
    }

    #[inline(always)]
    fn gather_eight<S: Simd>(&self, simd: S, models: &PosedModels) -> [[Wide<S>; 2]; 2] {
        let [first, second] = [gather_four(simd, models, self.filled(0)), gather_four(simd, models, self.filled(4))];
        [[first.0, first.1], [second.0, second.1]]
    }

    #[inline(always)]
    fn gather<S: Simd>(&self, simd: S, models: &PosedModels) -> (Wide<S>, Wide<S>) {
        gather_four(simd, models, self.filled(0))
    }
}

/// Four pairs in the working frame.
#[inline(always)]
fn gather_four<S: Simd>(simd: S, models: &PosedModels, slots: [(u32, u32); 4]) -> (Wide<S>, Wide<S>) {
    let a = gathered(simd, models.a, [slots[0].0, slots[1].0, slots[2].0, slots[3].0]);
    let b = gathered(simd, models.b, [slots[0].1, slots[1].1, slots[2].1, slots[3].1]);
    let scale = models.placement.scale_a.to_array();
    let matrix = models.placement.matrix_b.to_cols_array_2d();
    let shift = models.placement.translation_b.to_array();
    let wide_a = three(
        #[inline(always)]
        |v| {
            three(
                #[inline(always)]
                |k| a[v][k] * scale[k],
            )
        },
    );
    // The same operations in the same order as `Placement::place_b`.
    let wide_b = three(
        #[inline(always)]
        |v| {
            let [x, y, z] = b[v];
            three(
                #[inline(always)]
                |k| x * matrix[0][k] + y * matrix[1][k] + z * matrix[2][k] + shift[k],
            )
        },
    );
    (wide_a, wide_b)
}

/// The vertices of four triangles, one lane for each. Coordinates are loaded where they are: vertices that are copied first are copied
/// number by number.
#[inline(always)]
fn gathered<S: Simd>(simd: S, model: &Model, slots: [u32; 4]) -> Wide<S> {
    let (vertices, corners) = model.corners_in_slots(slots);
    three(
        #[inline(always)]
        |v| {
            let vertex = |lane: usize| -> &[f64; 3] { vertices[corners[lane][v]].as_ref() };
            let [p, q, r, s] = [vertex(0), vertex(1), vertex(2), vertex(3)];
            let xy = |vertex: &[f64; 3]| f64x2::load_array_ref(simd, vertex.first_chunk().unwrap_or(&[0.0; 2]));
            let [pq, rs] = [[xy(p), xy(q)], [xy(r), xy(s)]];
            [
                simd.combine_f64x2(simd.zip_low_f64x2(pq[0], pq[1]), simd.zip_low_f64x2(rs[0], rs[1])),
                simd.combine_f64x2(simd.zip_high_f64x2(pq[0], pq[1]), simd.zip_high_f64x2(rs[0], rs[1])),
                f64x4::load_array(simd, [p[2], q[2], r[2], s[2]]),
            ]
        },
    )
}

/// Distances of up to four triangles of a model from a placed point, as `TriangleBatch::distances` gives them.
#[inline(never)]
pub fn point_distances<S: Simd>(simd: S, placed: &PlacedPoints, slots: &[u32], beyond: f64) -> PairDistances {
    let (mut measures, open) = simd.vectorize(
        #[inline(always)]
        || {
            let (a, point) = gather_point(simd, placed, slots);
            PairDistances::new(&primitive::point_distance_4(simd, &a, &point, beyond))
        },
    );
    if open & ((1 << slots.len()) - 1) != 0 {
        let open = settle_point_lanes(simd, open, placed, slots, &mut measures);
        for_each_bit(open, slots.len(), |lane| {
            let (triangle, point) = (placed.triangle(slots[lane]), placed.points[0]);
            measures.distances[lane] = primitive::robust::distance(&triangle, &[point; 3]).distance;
        });
    }
    measures
}

/// Bounds of the distances of four triangles of a model from a placed point.
#[inline(never)]
pub fn point_bounds<S: Simd>(simd: S, placed: &PlacedPoints, slots: [u32; 4], most: f64) -> PointBounds {
    simd.vectorize(
        #[inline(always)]
        || {
            let a = placed_triangles(simd, placed, slots);
            primitive::point_bounds_4(simd, &a, &in_lanes(simd, placed.points[0]), most)
        },
    )
}

#[inline(always)]
fn in_lanes<S: Simd>(simd: S, point: DVec3) -> [f64x4<S>; 3] {
    [f64x4::splat(simd, point.x), f64x4::splat(simd, point.y), f64x4::splat(simd, point.z)]
}

#[cold]
#[inline(never)]
fn settle_point_lanes<S: Simd>(
    simd: S,
    open: u32,
    placed: &PlacedPoints,
    slots: &[u32],
    measures: &mut PairDistances,
) -> u32 {
    let still_open;
    (*measures, still_open) = simd.vectorize(
        #[inline(always)]
        || {
            let (a, point) = gather_point(simd, placed, slots);
            PairDistances::new(&primitive::settle_4(simd, &a, &[point; 3], &measures.in_lanes(simd, open), false))
        },
    );
    still_open
}

/// Four triangles of a model in the working frame.
#[inline(always)]
pub fn placed_triangles<S: Simd>(simd: S, placed: &PlacedPoints, slots: [u32; 4]) -> Wide<S> {
    let given = gathered(simd, placed.model, slots);
    let scale = placed.placement.scale_a.to_array();
    three(
        #[inline(always)]
        |v| {
            three(
                #[inline(always)]
                |k| given[v][k] * scale[k],
            )
        },
    )
}

/// Up to four triangles in the working frame, and the placed point; the last lanes repeat the first.
#[inline(always)]
fn gather_point<S: Simd>(simd: S, placed: &PlacedPoints, slots: &[u32]) -> (Wide<S>, [f64x4<S>; 3]) {
    let slot = |lane: usize| if lane < slots.len() { slots[lane] } else { slots[0] };
    let a = placed_triangles(simd, placed, [slot(0), slot(1), slot(2), slot(3)]);
    (a, in_lanes(simd, placed.points[0]))
}

fn for_each_bit(bits: u32, lanes: usize, mut visit: impl FnMut(usize)) {
    let mut left = bits & ((1 << lanes) - 1);
    while left != 0 {
        visit(left.trailing_zeros() as usize);
        left &= left - 1;
    }
}
