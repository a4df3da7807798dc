//! The triangles that may be the nearest to a point: a walk bounds distances, and only what is left at its end is measured.

use crate::posed::shape::PlacedPoints;
use crate::primitive::{Closest, Measurement, PointBounds, closest_by, closest_of_point, measure_point, tag_of};
use crate::search::triangle_batch::{point_bounds, point_distances};
use arrayvec::ArrayVec;
use fearless_simd::Simd;

/// A triangle and its nearest candidate.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    slot: u32,
    /// For `primitive::closest_by`.
    candidate: f64,
}

#[derive(Clone, Copy, Debug)]
struct Contender {
    nearest: Nearest,
    /// The square of its distance is not below this.
    low: f64,
}

/// Room for the ties of a vertex and for what comes before them.
const MOST: usize = 16;
/// So many are measured one by one sooner than in lanes.
const FEW: usize = 6;

/// No contender has a distance whose square is below its `low`, and the nearest one has none whose square is above `most`.
#[derive(Debug)]
pub struct Contenders {
    most: f64,
    /// The root of that.
    distance: f64,
    all: ArrayVec<Contender, MOST>,
}

impl Contenders {
    #[inline(always)]
    pub fn new() -> Self {
        Self { most: f64::INFINITY, distance: f64::INFINITY, all: ArrayVec::new() }
    }

    /// Not below the smallest distance so far.
    #[inline(always)]
    pub fn distance(&self) -> f64 {
        self.distance
    }

    /// Takes up to four triangles; the last repeats where there are fewer. What is farther than `farthest` need not be measured.
    #[inline(always)]
    pub fn take_four<S: Simd>(&mut self, simd: S, placed: &PlacedPoints, slots: [u32; 4], count: usize, farthest: f64) {
        let bounds = point_bounds(simd, placed, slots, self.most);
        let lanes = (1 << count) - 1;
        if bounds.untold & lanes != 0 {
            self.measure(simd, placed, &slots[..count], farthest);
        } else if bounds.near & lanes != 0 {
            self.take_near(simd, placed, slots, &bounds, bounds.near & lanes);
        }
    }

    #[inline(always)]
    fn take_near<S: Simd>(
        &mut self,
        simd: S,
        placed: &PlacedPoints,
        slots: [u32; 4],
        bounds: &PointBounds,
        lanes: u32,
    ) {
        if self.all.len() + 4 > MOST {
            self.thin(simd, placed);
        }
        let mut most = self.most;
        let mut left = lanes;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % 4;
            left &= left - 1;
            most = most.min(bounds.high[lane]);
            let nearest = Nearest { slot: slots[lane], candidate: tag_of(bounds.squared[lane]) };
            self.all.push(Contender { nearest, low: bounds.low[lane] });
        }
        self.lower(most);
    }

    #[inline(always)]
    fn lower(&mut self, most: f64) {
        if most < self.most {
            (self.most, self.distance) = (most, most.sqrt());
        }
    }

    /// Triangles whose candidates tell nothing.
    #[cold]
    #[inline(never)]
    fn measure<S: Simd>(&mut self, simd: S, placed: &PlacedPoints, slots: &[u32], farthest: f64) {
        if self.all.len() + 4 > MOST {
            self.thin(simd, placed);
        }
        let measures = point_distances(simd, placed, slots, self.distance.min(farthest));
        for (lane, &slot) in slots.iter().enumerate() {
            let squared = measures.distances[lane] * measures.distances[lane];
            if squared < f64::INFINITY {
                let (low, high) = measured(squared);
                let nearest = Nearest { slot, candidate: measures.candidates[lane] };
                self.all.push(Contender { nearest, low });
                self.lower(high);
            }
        }
    }

    /// Drops what is not nearest for certain, and all but one if too many are left.
    #[inline(never)]
    fn thin<S: Simd>(&mut self, simd: S, placed: &PlacedPoints) {
        self.drop_farther();
        if self.all.len() + 4 > MOST
            && let Some((distance, nearest)) = self.nearest_of_all(simd, placed)
        {
            let (low, high) = measured(distance * distance);
            self.all.clear();
            self.all.push(Contender { nearest, low });
            self.lower(high);
        }
    }

    #[inline(always)]
    fn drop_farther(&mut self) {
        let mut kept = 0;
        for index in 0..self.all.len() {
            let contender = self.all[index];
            self.all[kept] = contender;
            kept += (contender.low <= self.most) as usize;
        }
        self.all.truncate(kept);
    }

    /// The nearest triangle, and among equals that with the smallest id: its slot, and where it is nearest.
    #[inline(always)]
    pub fn nearest<S: Simd>(&mut self, simd: S, placed: &PlacedPoints) -> Option<(u32, Closest)> {
        self.drop_farther();
        if self.all.is_empty() {
            return None;
        }
        let point = placed.points[0];
        if self.all.len() <= FEW
            && let Some((nearest, measured)) = self.nearest_of_few(placed)
        {
            return Some((nearest.slot, closest_of_point(&placed.triangle(nearest.slot), point, measured)));
        }
        let (_, nearest) = self.nearest_of_all(simd, placed)?;
        Some((nearest.slot, closest_by(&placed.triangle(nearest.slot), &[point; 3], nearest.candidate)))
    }

    /// One by one; None if plain arithmetic cannot measure one of them.
    #[inline(always)]
    fn nearest_of_few(&self, placed: &PlacedPoints) -> Option<(Nearest, Measurement)> {
        let mut best: Option<(Nearest, Measurement)> = None;
        for Contender { nearest, .. } in &self.all {
            let measured = measure_point(&placed.triangle(nearest.slot), placed.points[0], nearest.candidate)?;
            let is_nearer = best
                .as_ref()
                .is_none_or(|(other, least)| is_before(placed, (measured.distance, nearest), (least.distance, other)));
            if is_nearer {
                best = Some((*nearest, measured));
            }
        }
        best
    }

    #[inline(never)]
    fn nearest_of_all<S: Simd>(&self, simd: S, placed: &PlacedPoints) -> Option<(f64, Nearest)> {
        let mut best: Option<(f64, Nearest)> = None;
        for four in self.all.chunks(4) {
            let mut slots = [four[0].nearest.slot; 4];
            four.iter().zip(&mut slots).for_each(|(contender, slot)| *slot = contender.nearest.slot);
            let measures = point_distances(simd, placed, &slots[..four.len()], self.distance);
            for (lane, &slot) in slots[..four.len()].iter().enumerate() {
                let distance = measures.distances[lane];
                let nearest = Nearest { slot, candidate: measures.candidates[lane] };
                let is_nearer =
                    best.as_ref().is_none_or(|(least, other)| is_before(placed, (distance, &nearest), (*least, other)));
                if is_nearer {
                    best = Some((distance, nearest));
                }
            }
        }
        best
    }
}

#[inline(always)]
fn is_before(placed: &PlacedPoints, (distance, nearest): (f64, &Nearest), (least, other): (f64, &Nearest)) -> bool {
    let id = |nearest: &Nearest| placed.model.id_of_slot(nearest.slot as usize);
    distance < least || distance == least && id(nearest) < id(other)
}

/// Between which numbers the true square of a measured distance is, whose square was rounded or underflowed.
fn measured(squared: f64) -> (f64, f64) {
    (squared * (1.0 - f64::EPSILON) - f64::MIN_POSITIVE, squared * (1.0 + 4.0 * f64::EPSILON) + f64::MIN_POSITIVE)
}
