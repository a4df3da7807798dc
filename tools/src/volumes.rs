//! The volumes that the programs compare.

use feeler::internals::model::{BuildParams, HybridSelection, VolumeKind};

/// A name and the parameters for each volume, both hybrids included.
pub fn every_volume() -> Vec<(String, BuildParams)> {
    let mut volumes = Vec::new();
    for volume in VolumeKind::ALL {
        let params = BuildParams { volume, ..BuildParams::default() };
        volumes.push((volume.name().to_string(), params));
        if volume == VolumeKind::Hybrid {
            let dynamic = BuildParams { hybrid_selection: HybridSelection::Dynamic, ..params };
            volumes.push((format!("{}, dynamic", volume.name()), dynamic));
        }
    }
    volumes
}
