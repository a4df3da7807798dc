//! Pairs of triangles across one coordinate axis that are no nearer than the best pair so far, told by that coordinate alone.
//!
//! Parts of machines face each other flat, and then nearly all pairs are as near as the nearest one. Such ties are as near in
//! the last bit, too, where all vertices of A have one coordinate `p` along an axis and all vertices of B have one, `q`:
//! 1. Every edge is 0 along that axis. So whichever candidate the kernel takes, in whichever arithmetic, the vector between its points is
//!    `q - p` along the axis: rounded once in f64, exact in double-double. Newton's step adds products with 0.
//! 2. Sums of squares and roots are monotonic as they are rounded, and the root of a rounded square is the number itself. So in f64 the
//!    value of the pair is at least the rounded `|q - p|`.
//! 3. In double-double, with or without a certificate, the value is `|q - p|` less a part in 2^97 at the least, rounded to f64.
//! 4. If `|q - p|` is not below the distance of the best pair, which is a number of f64, then none of these roundings goes below it.
//!
//! Distances near underflow are left out, because there the scaling of the robust path may round.

use crate::math::error_free::two_sum;
use crate::posed::posed_models::PosedModels;
use crate::search::incumbent::MeasuredPair;
use glam::DVec3;

/// What is no nearer than a pair of triangles across one axis.
#[derive(Clone, Copy, Debug)]
pub struct FlatPairs {
    /// The axis of the working frame, and the distance of the pair.
    axis: usize,
    distance: f64,
}

/// Far above underflow.
const SMALLEST: f64 = f64::from_bits((1023 - 400) << 52);

impl FlatPairs {
    /// No nearer than this pair, where one coordinate tells how far the triangles are apart, as it does between flat faces.
    pub fn than(models: &PosedModels, pair: &MeasuredPair) -> Option<Self> {
        let distance = pair.distance;
        let (a, b) = (models.triangle_a(pair.slots.0), models.triangle_b(pair.slots.1));
        let low = [a, b].map(|[u, v, w]| u.min(v).min(w));
        let high = [a, b].map(|[u, v, w]| u.max(v).max(w));
        let gaps = (low[1] - high[0]).max(low[0] - high[1]);
        let axis = (0..3).find(|&axis| gaps[axis] >= distance && distance >= SMALLEST)?;
        Some(Self { axis, distance })
    }

    /// Whether the triangles in these slots are across the axis and no nearer.
    #[inline(always)]
    pub fn have(&self, models: &PosedModels, (slot_a, slot_b): (u32, u32)) -> bool {
        let axis = self.axis % 3;
        let (a, b) = (models.a.triangle_in_slot(slot_a as usize), models.b.triangle_in_slot(slot_b as usize));
        let scale = models.placement.scale_a[axis];
        // Spelt out: `map` would not be inlined.
        let [p, p1, p2] = [a[0][axis] * scale, a[1][axis] * scale, a[2][axis] * scale];
        let place = |vertex: DVec3| models.placement.place_b(vertex)[axis];
        let [q, q1, q2] = [place(b[0]), place(b[1]), place(b[2])];
        let is_flat = (p == p1) & (p == p2) & (q == q1) & (q == q2);
        let (high, low) = two_sum(q.max(p), -q.min(p));
        is_flat & ((high > self.distance) | (high == self.distance) & (low >= 0.0))
    }
}
