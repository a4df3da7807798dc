//! Bounding volumes: one per file, all behind the trait `Volume`.
//!
//! A new volume is one file that implements `Volume` and one line in `for_each_family`, besides its `mod` and its number
//! in `Kind`; the tree builder, the four queries and the property tests are generic and pick it up from there.

pub mod aabb;
pub mod cluster;
mod face_gaps;
pub mod hybrid_dynamic;
pub mod hybrid_static;
pub mod kdop18;
pub mod lss;
pub mod obb;
pub mod obb_sphere;
pub mod orientation;
#[cfg(test)]
pub(crate) mod properties;
pub mod rss;
pub mod separating_axes;
pub mod shell;
mod shell_exact;
mod shell_fit;
#[cfg(test)]
mod shell_tightness;
#[cfg(test)]
mod slack_shares;
pub mod sphere;
#[cfg(test)]
mod swept_properties;
pub mod swept_spheres;
pub mod tessellation;
mod turned_bounds;

use crate::math::motion::Motion;
use crate::simd::eight::{Eight, Element};
use cluster::Cluster;
use fearless_simd::Simd;
use glam::{DMat3, DVec3, Vec3A};

macro_rules! kinds {
    ($($kind:ident = $number:literal $name:literal,)*) => {
        /// The volumes of the C header, with its numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        #[repr(u32)]
        pub enum Kind {
            #[default]
            $($kind = $number,)*
        }

        impl Kind {
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$kind),*];

            /// As in the constants of the C header.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    Obb = 0 "OBB",
    Aabb = 1 "AABB",
    Sphere = 2 "SPHERE",
    Lss = 3 "LSS",
    Rss = 4 "RSS",
    Hybrid = 5 "HYBRID",
    ObbSphere = 6 "OBB_SPHERE",
    Shell = 7 "SHELL",
    Kdop18 = 8 "KDOP18",
}

impl Kind {
    /// Whether hierarchies of these two volumes can be asked about each other: equal ones, and those of one family.
    pub fn pairs_with(self, other: Self) -> bool {
        macro_rules! one_holds_both {
            ($($family:ty { $($name:ident: $volume:ty,)* })*) => {
                [$(&[$(<$volume>::KIND),*][..]),*].iter().any(|kinds| kinds.contains(&self) && kinds.contains(&other))
            };
        }
        for_each_family!(one_holds_both)
    }
}

/// The list of volumes, by family: hands `family { name: type, ... }` of each to the macro `use_list`.
#[macro_export]
#[doc(hidden)]
macro_rules! for_each_family {
    ($use_list:ident) => {
        $crate::for_each_family! { ($use_list) }
    };
    // The path of a macro, and what it gets before the list.
    (($($use_list:tt)*) $($first:ident)?) => {
        $($use_list)*! {
            $($first)?
            $crate::volume::obb::Boxes {
                Obb: $crate::volume::obb::Obb,
                Aabb: $crate::volume::aabb::Aabb,
                ObbSphere: $crate::volume::obb_sphere::ObbSphere,
            }
            $crate::volume::swept_spheres::SweptSpheres {
                Sphere: $crate::volume::sphere::Sphere,
                Lss: $crate::volume::lss::Lss,
                Rss: $crate::volume::rss::Rss,
                HybridStatic: $crate::volume::hybrid_static::HybridStatic,
                HybridDynamic: $crate::volume::hybrid_dynamic::HybridDynamic,
            }
            $crate::volume::shell::Shells { Shell: $crate::volume::shell::Shell, }
            $crate::volume::kdop18::Slabs { Kdop18: $crate::volume::kdop18::Kdop18, }
        }
    };
}
pub use crate::for_each_family;

/// The same without the families: hands `name: type,` of each volume to the macro `use_list`.
#[macro_export]
#[doc(hidden)]
macro_rules! for_each_volume {
    ($use_list:ident) => {
        $crate::for_each_family! { ($crate::without_families) $use_list }
    };
}
pub use crate::for_each_volume;

#[macro_export]
#[doc(hidden)]
macro_rules! without_families {
    ($use_list:ident $($family:ty { $($name:ident: $volume:ty,)* })*) => {
        $use_list! { $($($name: $volume,)*)* }
    };
}

/// Volumes that can be tested against each other share a probe.
pub trait Family: 'static {
    /// One volume of model A in the node frame of model B, with the products that its test reuses.
    type Probe<E: Element>: Copy;
}

/// Multiples of the unit roundoff; see `Volume::SLACK`.
#[derive(Clone, Copy, Debug)]
pub struct Slack {
    pub source: f64,
    pub translation: f64,
    pub target: f64,
    /// Multiples of 2^-24 times both reaches that remain on the f64 path, because nodes are stored in f32.
    pub stored: f64,
}

/// How much care the fit takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Quality {
    #[default]
    High,
    Fast,
}

/// When a node of a hybrid hierarchy decides which of its volumes it uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HybridSelection {
    #[default]
    Static,
    Dynamic,
}

/// How many lanes a kernel looked at: cheap first-stage tests and full ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneCounts {
    pub cheap: u64,
    pub full: u64,
}

/// A bounding volume; all lengths are in the node frame of its model (f32, recentred).
pub trait Volume: Copy + Send + Sync + core::fmt::Debug + 'static {
    const KIND: Kind;
    /// Which of the two hybrids this is; None for every other volume.
    const SELECTION: Option<HybridSelection> = None;
    /// A number for each type: that of the kind, and apart from those for the second hybrid.
    const VARIANT: u32 = match Self::SELECTION {
        Some(HybridSelection::Dynamic) => Self::KIND as u32 + 1000,
        _ => Self::KIND as u32,
    };
    type Family: Family;
    /// Eight volumes as structure of arrays: the payload of a node. `Default` is eight empty lanes, whose numbers
    /// are finite and whose children are marked empty by the node.
    type Wide: Copy + Send + Sync + Default + core::fmt::Debug + 'static;
    /// The slack of the kernels, derived in the volume's file: a computed gap or bound exceeds the true one by at most
    /// `ROUNDING * (source * reach of the source + translation * |translation| + target * reach of the target)`.
    const SLACK: Slack;

    /// Encloses the cluster, in the arithmetic that the kernels execute after rounding to f32.
    fn fit(cluster: &Cluster, quality: Quality) -> Self;

    /// The directions along which the builder may cut the cluster; columns, orthonormal to rounding.
    fn split_axes(&self) -> DMat3;

    /// The same for a volume that is not made yet.
    fn cut_axes(cluster: &Cluster, quality: Quality) -> DMat3 {
        Self::fit(cluster, quality).split_axes()
    }

    /// What the chance of visiting the volume of a set with these extents along `split_axes` grows with: half the
    /// surface of a box, unless the volume is as wide in all directions.
    #[inline(always)]
    fn measure(extent: Vec3A) -> f32 {
        extent.x * extent.y + extent.y * extent.z + extent.z * extent.x
    }

    /// How far `point` is outside along the worst constraint of this volume, in f64; at most 0 for enclosed points.
    fn excess(&self, point: DVec3) -> f64;

    /// Distance from the origin of the node frame to the farthest point of this volume, rounded up.
    fn reach(&self) -> f64;

    /// What decides which of two volumes is opened: about a diameter.
    fn size(&self) -> f32;

    fn store(&self, wide: &mut Self::Wide, lane: usize);
    fn load(wide: &Self::Wide, lane: usize) -> Self;

    /// `size` of each lane.
    fn sizes(wide: &Self::Wide) -> &[f32; 8];

    #[inline(always)]
    fn lane_size(wide: &Self::Wide, lane: usize) -> f32 {
        Self::sizes(wide)[lane]
    }

    /// Brings the volume of one lane into the node frame of the other model.
    fn probe<S: Simd, E: Element>(
        simd: S,
        wide: &Self::Wide,
        lane: usize,
        motion: &Motion<E>,
    ) -> <Self::Family as Family>::Probe<E>;

    /// The largest gap found between the probe and each lane along the tested directions: lanes whose gap is above
    /// the motion's slack are disjoint, and the most negative lane is the deepest. Volumes that are as cheap to measure as
    /// to separate have nothing to add.
    #[inline(always)]
    fn separation<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &Self::Wide,
        probe: &<Self::Family as Family>::Probe<L::Element>,
        slack: L::Element,
        counts: &mut LaneCounts,
    ) -> L {
        Self::lower_bound(simd, wide, probe, slack, counts)
    }

    /// A lower bound of the distance between the probe and each lane, not yet reduced by the slack; lanes whose bound
    /// exceeds `beyond` are pruned by the caller, so no lane above it needs to be refined.
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &Self::Wide,
        probe: &<Self::Family as Family>::Probe<L::Element>,
        beyond: L::Element,
        counts: &mut LaneCounts,
    ) -> L;

    /// Hands over triangles that show this volume, outward, in the node frame.
    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3]));
}
