//! Vertices and triangles.

use glam::DVec3;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// What `Model::new` takes.
    pub fn source(&self) -> (&[DVec3], &[[u32; 3]]) {
        (&self.vertices, &self.triangles)
    }

    /// Three vertices per triangle, shared with nobody.
    pub fn soup(corners: impl IntoIterator<Item = [DVec3; 3]>) -> Self {
        let mut mesh = Self::default();
        for triangle in corners {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend(triangle);
            mesh.triangles.push([first, first + 1, first + 2]);
        }
        mesh
    }

    pub fn map(mut self, change: impl Fn(DVec3) -> DVec3) -> Self {
        for vertex in &mut self.vertices {
            *vertex = change(*vertex);
        }
        self
    }

    /// This mesh and the other one, with no vertex in common.
    pub fn with(mut self, other: &Self) -> Self {
        let first = self.vertices.len() as u32;
        self.vertices.extend(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|index| index + first)));
        self
    }

    /// Length of the diagonal of the box along the axes.
    pub fn diagonal(&self) -> f64 {
        let first = self.vertices.first().copied().unwrap_or_default();
        let low = self.vertices.iter().fold(first, |low, vertex| low.min(*vertex));
        let high = self.vertices.iter().fold(first, |high, vertex| high.max(*vertex));
        (high - low).length()
    }

    /// The corners of every triangle.
    pub fn corners(&self) -> Vec<[DVec3; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|index| self.vertices[index as usize])).collect()
    }
}
