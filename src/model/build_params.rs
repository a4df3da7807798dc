//! How a hierarchy is to be built: the choices that a caller has.

/// The bounding volume of a hierarchy; the numbers are those of `FEELER_VOLUME_...` in the C header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum VolumeKind {
    #[default]
    Obb = 0,
    Aabb = 1,
    Sphere = 2,
    Lss = 3,
    Rss = 4,
    Hybrid = 5,
    ObbSphere = 6,
    Shell = 7,
    Kdop18 = 8,
}

impl VolumeKind {
    pub const ALL: [Self; 9] = [
        Self::Obb,
        Self::Aabb,
        Self::Sphere,
        Self::Lss,
        Self::Rss,
        Self::Hybrid,
        Self::ObbSphere,
        Self::Shell,
        Self::Kdop18,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Obb => "OBB",
            Self::Aabb => "AABB",
            Self::Sphere => "SPHERE",
            Self::Lss => "LSS",
            Self::Rss => "RSS",
            Self::Hybrid => "HYBRID",
            Self::ObbSphere => "OBB_SPHERE",
            Self::Shell => "SHELL",
            Self::Kdop18 => "KDOP18",
        }
    }

    /// Whether hierarchies of these two volumes can be asked about each other: equal ones, and those of one family.
    pub fn pairs_with(self, other: Self) -> bool {
        let boxes = |kind| matches!(kind, Self::Obb | Self::Aabb | Self::ObbSphere);
        let swept_spheres = |kind| matches!(kind, Self::Sphere | Self::Lss | Self::Rss | Self::Hybrid);
        self == other || boxes(self) && boxes(other) || swept_spheres(self) && swept_spheres(other)
    }
}

/// Care against speed of the build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    #[default]
    High,
    Fast,
}

/// Where a set of triangles is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SplitRule {
    /// The rule that suits the volume.
    #[default]
    Auto,
    SurfaceArea,
    Midpoint,
    Mean,
    Median,
}

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

#[cfg(test)]
mod tests {
    use super::VolumeKind::{self, *};

    #[test]
    fn volumes_pair_within_their_family() {
        let families: [&[VolumeKind]; 4] = [&[Obb, Aabb, ObbSphere], &[Sphere, Lss, Rss, Hybrid], &[Shell], &[Kdop18]];
        assert_eq!(families.iter().map(|family| family.len()).sum::<usize>(), VolumeKind::ALL.len());
        for (number, kind) in VolumeKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
            for other in VolumeKind::ALL {
                let together = families.iter().any(|family| family.contains(&kind) && family.contains(&other));
                assert_eq!(kind.pairs_with(other), together, "{} {}", kind.name(), other.name());
            }
        }
    }
}
