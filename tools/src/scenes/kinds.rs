//! The volumes that this version has, and which of them can be asked about each other.

use crate::{Mesh, meshes};
use feeler::internals::model::{BuildParams, VolumeKind};
use feeler::internals::tree::build::workers::Inline;
use feeler::{Model, Pair, Status};

/// A model of this volume; None when this version does not have it.
pub fn build(mesh: &Mesh, volume: VolumeKind) -> Option<Model> {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    match model.build_with(&BuildParams { volume, ..BuildParams::default() }, &Inline) {
        Ok(()) => Some(model),
        Err(error) if error.status == Status::Unsupported => None,
        Err(error) => panic!("{}: {error}", volume.name()),
    }
}

/// The volumes that this version has; the others are named once per test.
pub fn volumes() -> Vec<VolumeKind> {
    let probe = meshes::random_soup(1, 1.0, 1);
    let (have, lack): (Vec<_>, Vec<_>) = VolumeKind::ALL.into_iter().partition(|&kind| build(&probe, kind).is_some());
    if !lack.is_empty() {
        println!("skipped, not in this version: {:?}", lack.iter().map(|kind| kind.name()).collect::<Vec<_>>());
    }
    have
}

/// All ordered pairs of volumes that can be asked about each other; the default volume with itself comes first.
pub fn pairings() -> Vec<(VolumeKind, VolumeKind)> {
    let volumes = volumes();
    let probe = meshes::random_soup(1, 1.0, 1);
    let mut pairings = Vec::new();
    for &a in &volumes {
        for &b in &volumes {
            let (in_a, in_b) = (build(&probe, a).unwrap(), build(&probe, b).unwrap());
            match Pair::new(&in_a, &in_b) {
                Ok(_) => pairings.push((a, b)),
                Err(error) => assert_eq!(error.status, Status::Incompatible, "{} {}", a.name(), b.name()),
            }
        }
    }
    pairings
}
