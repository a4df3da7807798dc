//! One mesh as models of several volumes.

use super::build;
use crate::Mesh;
use feeler::Model;
use feeler::internals::model::VolumeKind;
use glam::DVec3;

/// One mesh as models of every volume.
pub struct Shape {
    pub name: &'static str,
    pub mesh: Mesh,
    models: Vec<(VolumeKind, Model)>,
}

impl Shape {
    pub fn new(name: &'static str, mesh: Mesh, volumes: &[VolumeKind]) -> Self {
        let models =
            volumes.iter().map(|&kind| (kind, build(&mesh, kind).expect("a volume of this version"))).collect();
        Self { name, mesh, models }
    }

    pub fn model(&self, kind: VolumeKind) -> &Model {
        &self.models.iter().find(|(other, _)| *other == kind).expect("a volume of this version").1
    }

    /// About half a diameter.
    pub fn reach(&self) -> f64 {
        let [low, high] = self.models[0].1.bounds();
        (high - low).max_element() * 0.5
    }

    pub fn centre(&self) -> DVec3 {
        let [low, high] = self.models[0].1.bounds();
        low * 0.5 + high * 0.5
    }
}
