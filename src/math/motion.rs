//! From the node frame of one model into the node frame of another: rotate, scale uniformly, translate.

use crate::simd::eight::Element;
use crate::simd::three::{map3, three};
use glam::{DMat3, DVec3};

/// `x_target = ratio * rotation * x_source + translation`, in the arithmetic of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Motion<E> {
    /// Rows of the rotation.
    pub rotation: [[E; 3]; 3],
    /// Absolute values of its entries, for volumes that all have the axes of their model.
    pub absolute: [[E; 3]; 3],
    pub translation: [E; 3],
    /// Lengths of the source times this are lengths of the target.
    pub ratio: E,
    /// A length of the target's node frame in the working frame, rounded down.
    pub unit: E,
    /// What any gap computed by a kernel may exceed the true gap by, in the target's node frame.
    pub slack: E,
}

impl<E: Element> Motion<E> {
    pub fn new(rotation: DMat3, translation: DVec3, ratio: f64, unit: f64, slack: f64) -> Self {
        let row = |i: usize| rotation.row(i).to_array().map(E::from_f64);
        let rows = [row(0), row(1), row(2)];
        Self {
            rotation: rows,
            absolute: rows.map(|row| row.map(E::abs)),
            translation: translation.to_array().map(E::from_f64),
            ratio: E::from_f64(ratio),
            unit: E::from_f64(unit),
            slack: E::from_f64(slack),
        }
    }

    /// A direction of the source in the target's frame.
    #[inline(always)]
    pub fn turn(&self, direction: [f32; 3]) -> [E; 3] {
        let [x, y, z] = map3(&direction, E::from_f32);
        let r = &self.rotation;
        three(
            #[inline(always)]
            |i| r[i][0] * x + r[i][1] * y + r[i][2] * z,
        )
    }

    /// The three axes of the source in the target's frame.
    #[inline(always)]
    pub fn axes(&self) -> [[E; 3]; 3] {
        columns(&self.rotation)
    }

    /// Absolute values of their components.
    #[inline(always)]
    pub fn absolute_axes(&self) -> [[E; 3]; 3] {
        columns(&self.absolute)
    }

    /// A point of the source in the target's frame.
    #[inline(always)]
    pub fn place(&self, point: [f32; 3]) -> [E; 3] {
        let [x, y, z] = self.turn(point);
        let t = &self.translation;
        [x * self.ratio + t[0], y * self.ratio + t[1], z * self.ratio + t[2]]
    }
}

#[inline(always)]
fn columns<E: Copy>(rows: &[[E; 3]; 3]) -> [[E; 3]; 3] {
    three(
        #[inline(always)]
        |k| [rows[0][k], rows[1][k], rows[2][k]],
    )
}
