//! How a hierarchy is to be built: the choices that a caller has.

pub use crate::tree::SplitRule;
pub use crate::volume::{HybridSelection, Quality, VolumeKind};

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
    use super::VolumeKind;

    /// Numbers are places in the list, and pairing is an equivalence: what its families say.
    #[test]
    fn volumes_pair_within_their_family() {
        let all = VolumeKind::ALL;
        for (number, kind) in all.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
            assert!(kind.pairs_with(kind));
            for other in all {
                assert_eq!(kind.pairs_with(other), other.pairs_with(kind), "{} {}", kind.name(), other.name());
                for third in all.into_iter().filter(|&third| kind.pairs_with(other) && other.pairs_with(third)) {
                    assert!(kind.pairs_with(third), "{} {} {}", kind.name(), other.name(), third.name());
                }
            }
        }
        assert!(all.iter().any(|&kind| kind != VolumeKind::Obb && kind.pairs_with(VolumeKind::Obb)));
        assert!(!VolumeKind::Obb.pairs_with(VolumeKind::Sphere));
    }
}
