//! How a hierarchy is to be built: the choices that a caller has.

pub use crate::tree::SplitRule;
pub use crate::volume::{Kind as VolumeKind, Quality};

/// When a node of a hybrid hierarchy decides which of its volumes it uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HybridSelection {
    #[default]
    Static,
    Dynamic,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildParams {
    pub volume: VolumeKind,
    /// The vertices are going to move.
    pub deformable: bool,
    pub quality: Quality,
    pub split: SplitRule,
    /// Threads that build; 0 is all of the machine.
    pub threads: u32,
    pub hybrid_selection: HybridSelection,
}
