//! How a hierarchy is to be built: the choices that a caller has.

pub use crate::tree::SplitRule;
pub use crate::volume::{HybridSelection, Kind as VolumeKind, Quality};

/// How a hierarchy is built; the default suits rigid models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildParams {
    /// The shape around the nodes.
    pub volume: VolumeKind,
    /// The vertices are going to move.
    pub deformable: bool,
    /// Keep no neighbourhoods: local minima and the side of a point are then refused.
    pub no_topology: bool,
    /// Care against time.
    pub quality: Quality,
    /// How nodes are divided.
    pub split: SplitRule,
    /// Threads that build; 0 is all of the machine.
    pub threads: u32,
    /// For the hybrid volume only.
    pub hybrid_selection: HybridSelection,
}

#[cfg(test)]
mod tests {
    use super::VolumeKind::{self, *};

    #[test]
    fn volumes_pair_within_their_family() {
        let families: [&[VolumeKind]; 3] = [&[Obb, Aabb, ObbSphere], &[Sphere, Lss, Rss, Hybrid], &[Shell]];
        for (number, kind) in VolumeKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
            assert!(kind.pairs_with(kind));
            for other in VolumeKind::ALL {
                assert_eq!(kind.pairs_with(other), other.pairs_with(kind));
                let known = families.iter().find(|family| family.contains(&kind));
                let together = known.is_some_and(|family| family.contains(&other));
                assert!(known.is_none() || kind.pairs_with(other) == together, "{} {}", kind.name(), other.name());
            }
        }
    }
}
