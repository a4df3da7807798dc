//! A triangle while the builder moves it.

use crate::tree::build::looked_at::look_at;
use crate::volume::fit::cluster::Cluster;
use crate::volume::{Quality, Volume};
use arrayvec::ArrayVec;
use glam::{DVec3, Mat3A, Vec3A};

/// Number of triangles from which the axes of a large set are found.
const SAMPLE: usize = 128;

/// A triangle, the caller's number of it, and its bounds along the axes of its set.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub low: Vec3A,
    pub high: Vec3A,
    pub vertices: [u32; 3],
    pub id: u32,
}

impl Item {
    /// Twice the centre of the bounds. A cut compares this number.
    #[inline(always)]
    pub fn middle(&self) -> Vec3A {
        self.low + self.high
    }
}

/// Where the vertices are, and the origin of the node frame.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'a> {
    pub vertices: &'a [DVec3],
    pub origin: DVec3,
}

impl Mesh<'_> {
    /// Bounds all items along the axes that `V` chooses for them, relative to one of their vertices: then f32 is fine
    /// enough for any set, even a tiny part of the model.
    pub fn rebase<V: Volume>(&self, items: &mut [Item], quality: Quality) {
        look_at(items.len());
        let step = items.len().div_ceil(SAMPLE);
        let sample: ArrayVec<[u32; 3], SAMPLE> = items.iter().step_by(step).map(|item| item.vertices).collect();
        let cluster = Cluster::new(self.vertices, self.origin, &sample);
        let inverse = Mat3A::from(V::cut_axes(&cluster, quality).transpose().as_mat3());
        let reference = self.vertices[items[0].vertices[0] as usize];
        // Rounded to f32 relative to a vertex of the set, which is fine enough to choose a cut.
        let turned = |index: u32| inverse * Vec3A::from((self.vertices[index as usize] - reference).as_vec3());
        for item in items {
            let [a, b, c] = item.vertices;
            let (a, b, c) = (turned(a), turned(b), turned(c));
            (item.low, item.high) = (a.min(b).min(c), a.max(b).max(c));
        }
    }
}
