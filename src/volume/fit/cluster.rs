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
    /// First and end of the vertices that are used by this cluster and by no triangle in front of it.
    own: (u32, u32),
}

/// No vertex is known to be the cluster's own: `points` goes through all corners.
const NONE_OWN: (u32, u32) = (u32::MAX, u32::MAX);

impl<'a> Cluster<'a> {
    pub fn new(vertices: &'a [DVec3], origin: DVec3, triangles: &'a [[u32; 3]]) -> Self {
        Self { vertices, origin, triangles, own: NONE_OWN }
    }

    /// Some of the triangles. The vertices `own` are used by them and by no triangle of a lower position in the model;
    /// vertices below are shared with such triangles.
    pub fn part(&self, triangles: &'a [[u32; 3]], own: (u32, u32)) -> Self {
        Self { triangles, own, ..*self }
    }

    /// The same triangles around another origin, which is given in stored coordinates.
    pub fn around(&self, origin: DVec3) -> Self {
        Self { origin, ..*self }
    }

    /// Recentring is one subtraction: its rounding error is at most `2^-53` of the result.
    #[inline(always)]
    pub fn point(&self, index: u32) -> DVec3 {
        self.vertices[index as usize] - self.origin
    }

    /// Every vertex of the triangles, at least once: those of its own once, the others once for every corner.
    #[inline(always)]
    pub fn points(&self) -> impl Iterator<Item = DVec3> + Clone + use<'a> {
        self.own_points().chain(self.shared_points())
    }

    /// Those of `points` that are the cluster's own.
    #[inline(always)]
    pub fn own_points(&self) -> impl Iterator<Item = DVec3> + Clone + use<'a> {
        let (origin, (first, end)) = (self.origin, self.own);
        let own = if first < end { &self.vertices[first as usize..end as usize] } else { &[] };
        own.iter().map(move |&vertex| vertex - origin)
    }

    /// Those of `points` that are not.
    #[inline(always)]
    pub fn shared_points(&self) -> impl Iterator<Item = DVec3> + Clone + use<'a> {
        let (cluster, (first, _)) = (*self, self.own);
        let shared = cluster.triangles.as_flattened().iter().filter(move |&&index| index < first);
        shared.map(move |&index| cluster.point(index))
    }

    #[inline(always)]
    pub fn triangle(&self, position: usize) -> Triangle {
        // Spelt out: `map` would not be inlined.
        let [a, b, c] = self.triangles[position];
        [self.point(a), self.point(b), self.point(c)]
    }
}
