//! What a volume is fitted to: some triangles of a model, in its node frame, in f64.

use crate::primitive::Triangle;
use glam::DVec3;

/// A contiguous range of triangles in slot order.
#[derive(Clone, Copy, Debug)]
pub struct Cluster<'a> {
    /// All vertices of the model, in stored coordinates.
    pub vertices: &'a [DVec3],
    /// Origin of the node frame in stored coordinates.
    pub origin: DVec3,
    /// Vertex numbers of the triangles of this cluster.
    pub triangles: &'a [[u32; 3]],
}

impl<'a> Cluster<'a> {
    /// Recentring is one subtraction: its rounding error is at most `2^-53` of the result.
    #[inline(always)]
    pub fn point(&self, index: u32) -> DVec3 {
        self.vertices[index as usize] - self.origin
    }

    pub fn points(&self) -> impl Iterator<Item = DVec3> + Clone + use<'a> {
        let cluster = *self;
        cluster.triangles.iter().flatten().map(move |&index| cluster.point(index))
    }

    #[inline(always)]
    pub fn triangle(&self, position: usize) -> Triangle {
        // Spelt out: `map` would not be inlined.
        let [a, b, c] = self.triangles[position];
        [self.point(a), self.point(b), self.point(c)]
    }
}
