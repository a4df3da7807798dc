//! A pose as the caller gives it, checked and corrected. Every move of a model costs this, so it is written in lanes.
//!
//! A row of a rotation is four lanes, the last of them 0. A row times a matrix is then three products of lanes and
//! their sum, and the rows are stored as the caller stores them.

use super::transform::{LARGEST_COORDINATE, Transform};
use crate::error::Error;
use crate::simd::level::{Operation, dispatch, level};
use fearless_simd::{Select, Simd, SimdBase, SimdMask, f64x4, mask64x4};
use glam::{DMat3, DVec3};

/// Largest entry of `rotation^T rotation - I`: twice the 1e-6 by which entries may be off.
pub(super) const ORTHONORMAL_TOLERANCE: f64 = 2e-6;

/// The numbers of a `Transform`: the rows of its rotation, the translation, the scale.
#[derive(Clone, Copy, Debug)]
pub struct Pose(pub [f64; 15]);

impl Pose {
    /// Moves nothing.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);

    /// The same pose with other rows of its rotation.
    #[inline(always)]
    fn with_rows<S: Simd>(&self, rows: Rows<S>) -> Self {
        let [[a, b, c, _], [d, e, f, _], [g, h, i, _]] = rows.to_arrays();
        let [.., j, k, l, x, y, z] = self.0;
        Self([a, b, c, d, e, f, g, h, i, j, k, l, x, y, z])
    }

    /// This pose with the nearest rotation, None for the identity; an error if it is not a pose.
    pub fn checked(&self, name: &str) -> Result<Option<Self>, Error> {
        self.unless_refused(dispatch(level(), Check(self)), name)
    }

    /// `checked` by who has entered an instruction set.
    #[inline(always)]
    pub fn checked_on<S: Simd>(&self, simd: S, name: &str) -> Result<Option<Self>, Error> {
        self.unless_refused(Check(self).run(simd), name)
    }

    #[inline(always)]
    fn unless_refused(&self, checked: Checked, name: &str) -> Result<Option<Self>, Error> {
        match checked {
            Checked::Identity => Ok(None),
            Checked::Pose(pose) => Ok(Some(pose)),
            Checked::Refused => Err(self.transform().refusal(name)),
        }
    }

    pub fn new(transform: &Transform) -> Self {
        let (r, t, s) = (&transform.rotation, transform.translation, transform.scale);
        let [x, y, z] = [r.x_axis, r.y_axis, r.z_axis];
        Self([x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z, t.x, t.y, t.z, s.x, s.y, s.z])
    }

    pub fn transform(&self) -> Transform {
        let rotation = DMat3::from_cols_slice(&self.0[..9]).transpose();
        Transform { rotation, translation: self.translation(), scale: self.scale() }
    }

    #[inline(always)]
    pub fn translation(&self) -> DVec3 {
        DVec3::new(self.0[9], self.0[10], self.0[11])
    }

    #[inline(always)]
    pub fn scale(&self) -> DVec3 {
        DVec3::new(self.0[12], self.0[13], self.0[14])
    }

    /// Whether the two are the same pose.
    #[inline(always)]
    pub fn is_same<S: Simd>(&self, simd: S, other: &Self) -> bool {
        let same = |first: usize| self.four(simd, first).simd_eq(other.four(simd, first));
        (same(0) & same(4) & same(8) & same(11)).all_true()
    }

    #[inline(always)]
    fn four<S: Simd>(&self, simd: S, first: usize) -> f64x4<S> {
        f64x4::load_array(simd, [self.0[first], self.0[first + 1], self.0[first + 2], self.0[first + 3]])
    }

    #[inline(always)]
    fn three<S: Simd>(&self, simd: S, first: usize, last: f64) -> f64x4<S> {
        f64x4::load_array(simd, [self.0[first], self.0[first + 1], self.0[first + 2], last])
    }

    /// The rotation as it is given.
    #[inline(always)]
    pub fn rows<S: Simd>(&self, simd: S) -> Rows<S> {
        Rows([self.three(simd, 0, 0.0), self.three(simd, 3, 0.0), self.three(simd, 6, 0.0)])
    }

    /// The nearest rotation, or None if this is not a pose; `Transform::refusal` says why.
    ///
    /// A NaN fails every comparison. No comparison is skipped, because nearly every pose passes all of them.
    #[inline(always)]
    pub fn corrected<S: Simd>(&self, simd: S) -> Option<Rows<S>> {
        let rows = self.rows(simd);
        let gram = rows.gram(simd);
        let far = f64x4::splat(simd, LARGEST_COORDINATE);
        let in_place = self.three(simd, 9, 0.0).abs().simd_le(far);
        let scale = self.three(simd, 12, 1.0).abs();
        let in_scale = scale.simd_ge(f64x4::splat(simd, 1.0 / LARGEST_COORDINATE)) & scale.simd_le(far);
        let fine = gram.is_within(simd, ORTHONORMAL_TOLERANCE) & in_place & in_scale;
        if !(fine.all_true() & (self.determinant() > 0.0)) {
            return None;
        }
        // A matrix that is orthonormal to rounding is its own nearest rotation. Rotations of real programs sometimes
        // are and sometimes are not, and no processor predicts which. So the step is always computed, and selected
        // where it is needed.
        let largest = gram.largest();
        let is_true = f64x4::splat(simd, largest).simd_le(f64x4::splat(simd, 4.0 * f64::EPSILON));
        let (Rows([r, s, t]), Rows([u, v, w])) = (rows, rows.newton_step(simd, &gram));
        let once = Rows([is_true.select(r, u), is_true.select(s, v), is_true.select(t, w)]);
        // The first step makes an error of 1e-6 one of 1e-12, the second one leaves only rounding. Rotations in single
        // precision need both.
        Some(if largest <= 1e-8 { once } else { once.newton_step(simd, &once.gram(simd)) })
    }

    /// The determinant of a rotation within `ORTHONORMAL_TOLERANCE` is 1 or -1 to a part in 1e5, so its sign is right.
    #[inline(always)]
    fn determinant(&self) -> f64 {
        let [a, b, c, d, e, f, g, h, i, ..] = self.0;
        a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)
    }
}

/// What `Pose::checked` finds.
enum Checked {
    Identity,
    Pose(Pose),
    Refused,
}

struct Check<'p>(&'p Pose);

impl Operation for Check<'_> {
    type Output = Checked;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Checked {
        let Self(pose) = self;
        if pose.is_same(simd, &Pose::IDENTITY) {
            return Checked::Identity;
        }
        match pose.corrected(simd) {
            Some(rows) => Checked::Pose(pose.with_rows(rows)),
            None => Checked::Refused,
        }
    }
}

/// The rows of a matrix in lanes.
#[derive(Clone, Copy)]
pub struct Rows<S: Simd>([f64x4<S>; 3]);

impl<S: Simd> Rows<S> {
    #[inline(always)]
    pub fn load(simd: S, &[r, s, t]: &[[f64; 4]; 3]) -> Self {
        Self([f64x4::load_array(simd, r), f64x4::load_array(simd, s), f64x4::load_array(simd, t)])
    }

    #[inline(always)]
    pub fn to_arrays(self) -> [[f64; 4]; 3] {
        let Self([r, s, t]) = self;
        [r.to_array(), s.to_array(), t.to_array()]
    }

    /// The transpose times a vector.
    #[inline(always)]
    pub fn turn_back(&self, simd: S, [x, y, z]: [f64; 3]) -> f64x4<S> {
        let Self([r, s, t]) = *self;
        r * f64x4::splat(simd, x) + s * f64x4::splat(simd, y) + t * f64x4::splat(simd, z)
    }

    /// The transpose times this matrix, minus the identity.
    #[inline(always)]
    fn gram(&self, simd: S) -> Self {
        let [[a, b, c, _], [d, e, f, _], [g, h, i, _]] = self.to_arrays();
        let column = |entries: [f64; 3], one: [f64; 4]| self.turn_back(simd, entries) - f64x4::load_array(simd, one);
        let (x, y, z) = ([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]);
        Self([column([a, d, g], x), column([b, e, h], y), column([c, f, i], z)])
    }

    /// The lanes in which no entry is NaN or larger than the tolerance.
    #[inline(always)]
    fn is_within(&self, simd: S, tolerance: f64) -> mask64x4<S> {
        let (Self([r, s, t]), tolerance) = (*self, f64x4::splat(simd, tolerance));
        r.abs().simd_le(tolerance) & s.abs().simd_le(tolerance) & t.abs().simd_le(tolerance)
    }

    /// The largest absolute value of an entry, if none is NaN.
    #[inline(always)]
    fn largest(&self) -> f64 {
        let Self([r, s, t]) = *self;
        let [x, y, z, _] = r.abs().max(s.abs()).max(t.abs()).to_array();
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        larger(larger(x, y), z)
    }

    /// `R (I - (R^T R - I) / 2)`: Newton's iteration for the polar factor.
    #[inline(always)]
    fn newton_step(&self, simd: S, gram: &Self) -> Self {
        let Self([r, s, t]) = *self;
        // Half of the deviation of each row. The Gram matrix is symmetric, so rows serve as columns.
        let off = |row: f64x4<S>| {
            let [x, y, z, _] = row.to_array();
            gram.turn_back(simd, [x, y, z]) * f64x4::splat(simd, 0.5)
        };
        Self([r - off(r), s - off(s), t - off(t)])
    }
}
