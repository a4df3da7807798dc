//! Pairs of triangles that are farther apart than the best pair so far, told by the direction of that pair alone.
//!
//! Near the nearest pair the surfaces face each other, so that the direction between its points separates other pairs, too. Seen
//! along that direction n, from the stored vertices, a pair costs six products instead of fifteen candidates.
//!
//! Rounding, with u = 2^-53, s the scale of A, M the matrix of B and t its translation; stored coordinates are at most 1:
//! 1. R is the sum over k of |n_k| (s_k + sum over j of |M_kj| + |t_k|): no vertex is farther along n.
//! 2. Placed vertices are off by 4u R along n.
//! 3. The products of n with s, M and t are off by 4u R, those with the vertices by 4u R, sums of both by 2u R.
//! 4. So the gap is off by less than 16u R; 32u R leaves twice the room, and more than the length of n is off.
//! 5. The value of a pair is below its true distance by a part in 2^38 at most (`Finished::is_beyond`).

use crate::posed::posed_models::PosedModels;
use crate::primitive::tie::{self, Certified};
use crate::primitive::{Triangle, Witness};
use crate::search::incumbent::MeasuredPair;
use crate::search::tied_pairs::TiedPairs;
use glam::DVec3;

/// What is farther than a pair of triangles.
#[derive(Clone, Copy, Debug)]
pub struct FartherPairs {
    /// The direction of the pair as stored vertices of A and of B see it.
    along_a: DVec3,
    along_b: DVec3,
    /// Pairs with a gap above this are farther.
    gap: f64,
    /// The direction itself in the working frame, and what a gap along it is above what separates the pair at the least.
    direction: DVec3,
    excess: f64,
}

const MARGIN: f64 = 1.0 + f64::from_bits((1023 - 37) << 52);
const ROUNDING: f64 = 32.0 * f64::from_bits((1023 - 53) << 52);

impl FartherPairs {
    /// None is known to be farther.
    pub const NONE: Self = Self {
        along_a: DVec3::ZERO,
        along_b: DVec3::ZERO,
        gap: f64::INFINITY,
        direction: DVec3::ZERO,
        excess: f64::INFINITY,
    };

    /// Farther than this pair, if its direction is easily told; `ties` learn of the pair, too.
    #[inline(never)]
    pub fn than(models: &PosedModels, pair: &MeasuredPair, ties: Option<&mut TiedPairs>) -> Self {
        let (a, b) = (models.triangle_a(pair.slots.0), models.triangle_b(pair.slots.1));
        let Some(certified) = tie::certified_by(&a, &b, pair.candidate) else { return Self::NONE };
        Self::than_certified(models, pair, [&a, &b], &certified, ties)
    }

    /// `than` of a pair whose direction is told.
    pub fn than_certified(
        models: &PosedModels,
        pair: &MeasuredPair,
        triangles: [&Triangle; 2],
        certified: &Certified,
        ties: Option<&mut TiedPairs>,
    ) -> Self {
        if let Some(ties) = ties {
            ties.learn(models, pair, triangles, certified);
        }
        let normal = certified.between / certified.squared.sqrt();
        let placement = models.placement;
        let (matrix, sizes) = (placement.matrix_b, normal.abs());
        let reach_b = matrix.x_axis.abs() + matrix.y_axis.abs() + matrix.z_axis.abs();
        let reach = sizes.dot(placement.scale_a.abs() + reach_b + placement.translation_b.abs());
        let excess = ROUNDING * reach - normal.dot(placement.translation_b);
        Self {
            along_a: normal * placement.scale_a,
            along_b: matrix.transpose() * normal,
            gap: pair.distance * MARGIN + excess,
            direction: normal,
            excess,
        }
    }

    /// Whether no direction tells anything.
    #[inline(always)]
    pub fn are_unknown(&self) -> bool {
        self.gap == f64::INFINITY
    }

    /// Whether the triangles in these slots are farther apart.
    #[inline(always)]
    pub fn have(&self, models: &PosedModels, slots: (u32, u32)) -> bool {
        self.between(models, slots) > self.gap
    }

    /// For triangles that are farther apart: the direction, of length 1 in the working frame, and what they are apart along it.
    #[inline(always)]
    pub fn witness(&self, models: &PosedModels, slots: (u32, u32)) -> Option<Witness> {
        let gap = self.between(models, slots);
        (gap > self.gap).then_some(Witness { direction: self.direction, gap: gap - self.excess })
    }

    #[inline(always)]
    fn between(&self, models: &PosedModels, (slot_a, slot_b): (u32, u32)) -> f64 {
        let [a, b]: [Triangle; 2] =
            [models.a.triangle_in_slot(slot_a as usize), models.b.triangle_in_slot(slot_b as usize)];
        let farthest = self.along_a.dot(a[0]).max(self.along_a.dot(a[1])).max(self.along_a.dot(a[2]));
        let nearest = self.along_b.dot(b[0]).min(self.along_b.dot(b[1])).min(self.along_b.dot(b[2]));
        nearest - farthest
    }
}
