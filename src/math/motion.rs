//! From the node frame of one model to that of another: rotate, scale uniformly, translate.

use crate::simd::eight::Element;
use crate::simd::three::{map3, three};
use core::any::Any;
use fearless_simd::{Simd, SimdBase};
use glam::{DMat3, DVec3};

/// `x_target = ratio * rotation * x_source + translation`, in the arithmetic of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Motion<E> {
    /// Columns of the rotation, each with its last entry twice, so that one instruction handles four numbers.
    columns: [[E; 4]; 3],
    translation: [E; 4],
    /// A length in the source frame times this is a length in the target frame.
    pub ratio: E,
    /// A length of 1 in the node frame of the target, in working units, rounded down.
    pub unit: E,
    /// The most by which a gap that a kernel computes can exceed the true gap, in the node frame of the target.
    pub slack: E,
}

impl<E: Element> Motion<E> {
    #[inline(always)]
    pub fn new(rotation: DMat3, translation: DVec3, ratio: f64, unit: f64, slack: f64) -> Self {
        let entry = E::from_f64;
        let column = |axis: DVec3| [entry(axis.x), entry(axis.y), entry(axis.z), entry(axis.z)];
        Self {
            columns: [column(rotation.x_axis), column(rotation.y_axis), column(rotation.z_axis)],
            translation: column(translation),
            ratio: E::from_f64(ratio),
            unit: E::from_f64(unit),
            slack: E::from_f64(slack),
        }
    }

    /// This motion, for code that knows elements to be f32.
    #[inline(always)]
    pub fn in_f32(&self) -> &Motion<f32> {
        (self as &dyn Any).downcast_ref().expect("a motion in f32")
    }

    /// A direction of the source in the target's frame.
    #[inline(always)]
    pub fn turn<S: Simd>(&self, simd: S, direction: [f32; 3]) -> [E; 3] {
        first_three(self.turned(simd, direction))
    }

    #[inline(always)]
    fn turned<S: Simd>(&self, simd: S, direction: [f32; 3]) -> E::Four<S> {
        let [x, y, z] = map3(&direction, E::from_f32);
        let [p, q, r] = &self.columns;
        E::Four::from_slice(simd, p) * x + E::Four::from_slice(simd, q) * y + E::Four::from_slice(simd, r) * z
    }

    /// Rows of the rotation.
    #[inline(always)]
    pub fn rows(&self) -> [[E; 3]; 3] {
        let c = &self.columns;
        three(
            #[inline(always)]
            |i| [c[0][i], c[1][i], c[2][i]],
        )
    }

    /// Where the origin of the source is in the target's frame.
    #[inline(always)]
    pub fn translation(&self) -> [E; 3] {
        let [x, y, z, _] = self.translation;
        [x, y, z]
    }

    /// The three axes of the source in the target's frame.
    #[inline(always)]
    pub fn axes(&self) -> [[E; 3]; 3] {
        map3(
            &self.columns,
            #[inline(always)]
            |[x, y, z, _]| [x, y, z],
        )
    }

    /// A point of the source in the target's frame.
    #[inline(always)]
    pub fn place<S: Simd>(&self, simd: S, point: [f32; 3]) -> [E; 3] {
        first_three(self.turned(simd, point) * self.ratio + E::Four::from_slice(simd, &self.translation))
    }
}

#[inline(always)]
fn first_three<S: Simd, E: Element, F: SimdBase<S, Element = E>>(four: F) -> [E; 3] {
    let entries = four.as_slice();
    [entries[0], entries[1], entries[2]]
}
