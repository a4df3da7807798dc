//! Models of every volume, quality and split.

use arbitrary::{Result, Unstructured};
use feeler::{BuildParams, HybridSelection, Inline, Model, Quality, SplitRule, VolumeKind};
use feeler_tools::Mesh;

pub fn params(u: &mut Unstructured, volume: VolumeKind, deformable: bool) -> Result<BuildParams> {
    let splits = [SplitRule::SurfaceArea, SplitRule::Midpoint, SplitRule::Mean, SplitRule::Median];
    Ok(BuildParams {
        volume,
        deformable,
        no_topology: false,
        quality: if u.ratio(1, 4u8)? { Quality::Fast } else { Quality::High },
        split: if u.ratio(1, 3u8)? { *u.choose(&splits)? } else { SplitRule::default() },
        threads: 1,
        hybrid_selection: if u.arbitrary()? { HybridSelection::Dynamic } else { HybridSelection::Static },
    })
}

/// Two volumes that can be asked about each other.
pub fn volumes(u: &mut Unstructured) -> Result<[VolumeKind; 2]> {
    let a = *u.choose(&VolumeKind::ALL)?;
    let partners: Vec<_> = VolumeKind::ALL.into_iter().filter(|kind| a.pairs_with(*kind)).collect();
    Ok([a, *u.choose(&partners)?])
}

/// The model of a legal mesh.
pub fn model(mesh: &Mesh, params: &BuildParams) -> Model {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    model.build_with(params, &Inline).expect("a legal build");
    model
}

/// About half a diameter, and never 0.
pub fn size(model: &Model) -> f64 {
    let [low, high] = model.bounds();
    let size = (high * 0.5 - low * 0.5).max_element();
    if size > 0.0 { size } else { high.abs().max_element().max(1e-300) }
}
