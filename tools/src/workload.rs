//! Two meshes and poses of the second in the frame of the first.

use crate::{Mesh, stored, workloads};
use feeler::Transform;
use feeler::internals::model::{BuildParams, Model};
use feeler::internals::tree::build::workers::Inline;

pub struct Workload {
    pub name: String,
    pub a: Mesh,
    pub b: Mesh,
    pub poses: Vec<Transform>,
}

/// How fine the programs have the meshes of the project's own workloads: some ten thousand triangles.
pub const DETAIL: u32 = 6;

impl Workload {
    /// A workload of the project, or one that is stored.
    pub fn named(name: &str) -> Self {
        if let Some(recipe) = workloads::find(name) {
            return recipe.make(DETAIL);
        }
        let data = stored::folder();
        let stored = data.as_ref().filter(|data| data.join("workloads").join(name).is_dir());
        let Some(data) = stored else {
            panic!("no workload {name}; one of {:?}, or set FEELER_DATA", workloads::names());
        };
        stored::read(data, name)
    }

    /// The names that were given; without any the stored workloads, or those of the project.
    pub fn names(given: Vec<String>) -> Vec<String> {
        if !given.is_empty() {
            return given;
        }
        stored::folder().map_or_else(workloads::names, |data| stored::names(&data))
    }

    /// The names that were given; without any those of the first list where data is stored, else those of the second.
    pub fn names_or(given: Vec<String>, stored: &[&str], own: &[&str]) -> Vec<String> {
        if !given.is_empty() {
            return given;
        }
        let names = if stored::folder().is_some() { stored } else { own };
        names.iter().map(|name| name.to_string()).collect()
    }

    /// What other libraries answered, where that is stored.
    pub fn answers(&self, query: &str) -> Vec<f64> {
        stored::folder().map_or_else(Vec::new, |data| stored::answers(&data, &self.name, query))
    }

    /// Both models, built on this thread.
    pub fn models(&self, params: &BuildParams) -> [Model; 2] {
        [&self.a, &self.b].map(|mesh| {
            let mut model = Model::new(&mesh.source()).expect("a legal mesh");
            model.build_with(params, &Inline).expect("memory");
            model
        })
    }
}
