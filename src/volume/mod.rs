//! Bounding volumes: one per file, all behind the trait `Volume`.
//!
//! A new volume is one file that implements `Volume` and one line in `for_each_family`, with the next free number; numbers
//! are never reused. Modules, numbers, the C header, the tree builder, the queries and the property tests all come from that
//! list. A folder holds a family: `boxes`, `swept`, `shells`, `slabs`. `fit` holds what several volumes use to enclose
//! triangles and to be drawn.

pub mod fit;
#[cfg(test)]
pub(crate) mod properties;
pub mod ray;
#[cfg(test)]
mod slack_shares;

use crate::math::bounds::Bounds;
use crate::math::motion::Motion;
use crate::simd::eight::{Eight, Element};
use crate::volume::fit::cluster::Cluster;
use fearless_simd::{Simd, SimdBase, f32x8, f32x16};
use glam::{DMat3, DVec3, Vec3A};
use ray::{Entries, Ray};

/// The list of volumes, by family. It hands `folder (helpers) family { name: type = (module ...), ... }` to the macro
/// `use_list`. The helpers are modules of the folder that are not volumes. After the module of a volume come its kind,
/// its number and name in C, and its sentence in the header; volumes that share a kind give these once. The line of a cube:
///
/// ```text
/// Cube: $crate::volume::boxes::cube::Cube = (cube Cube 9 "CUBE" "Cubes along the axes of the model."),
/// |     |                                    |    |    | |      the sentence in the C header
/// |     |                                    |    |    | the name in C: FEELER_VOLUME_CUBE
/// |     |                                    |    |    the number in C
/// |     |                                    |    the kind: `VolumeKind::Cube`
/// |     |                                    the module: src/volume/boxes/cube.rs
/// |     the type that implements `Volume`
/// the name of the variant of `Hierarchy`
/// ```
macro_rules! for_each_family {
    ($use_list:ident) => {
        $crate::volume::for_each_family! { ($use_list) }
    };
    // The path of a macro, and its first argument.
    (($($use_list:tt)*) $($first:ident)?) => {
        $($use_list)*! {
            $($first)?
            boxes (mod cross_axis; mod face_gaps; mod slab_entry; #[cfg(any(test, feature = "internals"))] pub mod separating_axes;) $crate::volume::boxes::obb::Boxes {
                Obb: $crate::volume::boxes::obb::Obb = (obb Obb 0 "OBB" "Oriented boxes, the default."),
                Aabb: $crate::volume::boxes::aabb::Aabb = (aabb Aabb 1 "AABB" "Axis-aligned boxes."),
                ObbSphere: $crate::volume::boxes::obb_sphere::ObbSphere = (obb_sphere ObbSphere 6 "OBB_SPHERE" "Oriented boxes that are tested as spheres first."),
            }
            swept (pub mod swept_spheres; #[cfg(test)] mod properties;) $crate::volume::swept::swept_spheres::SweptSpheres {
                Sphere: $crate::volume::swept::sphere::Sphere = (sphere Sphere 2 "SPHERE" "Spheres."),
                Lss: $crate::volume::swept::lss::Lss = (lss Lss 3 "LSS" "Line-swept spheres."),
                Rss: $crate::volume::swept::rss::Rss = (rss Rss 4 "RSS" "Rectangle-swept spheres."),
                HybridStatic: $crate::volume::swept::hybrid_static::HybridStatic = (hybrid_static Hybrid 5 "HYBRID" "A point-, line- or rectangle-swept sphere per node."),
                HybridDynamic: $crate::volume::swept::hybrid_dynamic::HybridDynamic = (hybrid_dynamic),
            }
            shells (#[cfg(any(test, feature = "internals"))] mod exact; mod fit; #[cfg(test)] mod tightness;) $crate::volume::shells::shell::Shells {
                Shell: $crate::volume::shells::shell::Shell = (shell Shell 7 "SHELL" "Spherical shells."),
            }
            slabs () $crate::volume::slabs::kdop18::Slabs {
                Kdop18: $crate::volume::slabs::kdop18::Kdop18 = (kdop18 Kdop18 8 "KDOP18" "Slabs in nine fixed directions."),
            }
        }
    };
}
pub(crate) use for_each_family;

macro_rules! modules_and_kinds {
    ($($folder:ident ($($helpers:tt)*) $family:ty { $($name:ident: $volume:ty = ($module:ident $($kind:ident $number:literal $c_name:literal $what:literal)?),)* })*) => {
        $(pub mod $folder {
            $($helpers)*
            $(pub mod $module;)*
        })*

        /// The volumes of the C header, with its numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        #[repr(u32)]
        pub enum VolumeKind {
            #[default]
            $($($($kind = $number,)?)*)*
        }

        impl VolumeKind {
            /// In the order of their numbers.
            pub const ALL: [Self; 0 $($($(+ [$number].len())?)*)*] = {
                let mut all = [Self::Obb; 0 $($($(+ [$number].len())?)*)*];
                $($($(all[$number] = Self::$kind;)?)*)*
                all
            };

            /// The name in the constants of the C header.
            pub fn name(self) -> &'static str {
                match self {
                    $($($(Self::$kind => $c_name,)?)*)*
                }
            }

            /// The sentence in the C header.
            pub fn description(self) -> &'static str {
                match self {
                    $($($(Self::$kind => $what,)?)*)*
                }
            }
        }
    };
}

for_each_family!(modules_and_kinds);

macro_rules! kinds_of_families {
    ($($folder:ident $helpers:tt $family:ty { $($name:ident: $volume:ty = $more:tt,)* })*) => {
        &[$(&[$(<$volume>::KIND),*]),*]
    };
}

impl VolumeKind {
    /// The kinds of each family. A kind that two volumes share is there twice.
    const FAMILIES: &[&[Self]] = for_each_family!(kinds_of_families);

    /// Whether models of these two volumes can form a pair: equal volumes, and volumes of one family.
    pub fn pairs_with(self, other: Self) -> bool {
        Self::FAMILIES.iter().any(|kinds| kinds.contains(&self) && kinds.contains(&other))
    }
}

/// The families of more than one kind, in words: "OBB, AABB, OBB_SPHERE or SPHERE, LSS, RSS, HYBRID".
pub struct FamiliesInWords;

impl core::fmt::Display for FamiliesInWords {
    fn fmt(&self, out: &mut core::fmt::Formatter) -> core::fmt::Result {
        let mixed = VolumeKind::FAMILIES.iter().filter(|kinds| kinds.iter().any(|&kind| kind != kinds[0]));
        for (number, kinds) in mixed.enumerate() {
            for (place, kind) in kinds.iter().enumerate().filter(|&(place, kind)| !kinds[..place].contains(kind)) {
                let before = if place > 0 {
                    ", "
                } else if number > 0 {
                    " or "
                } else {
                    ""
                };
                write!(out, "{before}{}", kind.name())?;
            }
        }
        Ok(())
    }
}

/// The list without the families: hands `name: type,` of each volume to the macro `use_list`.
macro_rules! for_each_volume {
    ($use_list:ident) => {
        $crate::volume::for_each_family! { ($crate::volume::without_families) $use_list }
    };
}
pub(crate) use for_each_volume;

macro_rules! without_families {
    ($use_list:ident $($folder:ident $helpers:tt $family:ty { $($name:ident: $volume:ty = $more:tt,)* })*) => {
        $use_list! { $($($name: $volume,)*)* }
    };
}
pub(crate) use without_families;

/// Volumes that can be tested against each other share a probe.
pub trait Family: 'static {
    /// One volume of model A in the node frame of model B, with the products that its test reuses.
    type Probe<E: Element>: Copy;
}

/// Factors of the unit roundoff; see `Volume::SLACK`.
#[derive(Clone, Copy, Debug)]
pub struct Slack {
    pub source: f64,
    pub translation: f64,
    pub target: f64,
    /// Factor of 2^-24 times both reaches: what the f64 path owes to axes that are orthonormal in f32 only. 0 when neither the
    /// lanes nor any probe of the family store axes.
    pub stored: f64,
}

impl Slack {
    /// More of it in proportion to the reach of the source.
    pub const fn plus_of_source(self, more: f64) -> Self {
        Self { source: self.source + more, ..self }
    }

    /// More of it in proportion to both reaches.
    pub fn plus(self, more: f64) -> Self {
        Self { source: self.source + more, target: self.target + more, stored: self.stored + more, ..self }
    }
}

/// How much time a fit may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Quality {
    /// Tight volumes.
    #[default]
    High,
    /// Looser volumes in a fraction of the time.
    Fast,
}

/// Who chooses the shape of a hybrid node: the build or the query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HybridSelection {
    /// At the build.
    #[default]
    Static,
    /// At every test.
    Dynamic,
}

/// What is known of a set of triangles such that of two sets it is known of both together.
pub trait Union: Copy + Send + Sync + core::fmt::Debug + 'static {
    /// Of no triangle.
    const NONE: Self;
    fn add_point(&mut self, point: DVec3);
    fn unite(&mut self, other: &Self);
}

/// Of triangles nothing is known that could be united.
impl Union for () {
    const NONE: Self = ();
    #[inline(always)]
    fn add_point(&mut self, _point: DVec3) {}
    #[inline(always)]
    fn unite(&mut self, _other: &Self) {}
}

/// The box of the boxes is the box of the triangles.
impl Union for Bounds {
    const NONE: Self = Self::EMPTY;
    #[inline(always)]
    fn add_point(&mut self, point: DVec3) {
        self.add(point);
    }
    #[inline(always)]
    fn unite(&mut self, other: &Self) {
        Bounds::unite(self, other);
    }
}

/// Half the surface of a box, given half its extents.
#[inline(always)]
fn box_surface(x: f32, y: f32, z: f32) -> f64 {
    let (x, y, z) = (x as f64, y as f64, z as f64);
    x * y + y * z + z * x
}

/// A bounding volume. All lengths are in the node frame of its model: f32, with the origin at the middle of the model.
pub trait Volume: Copy + Send + Sync + core::fmt::Debug + 'static {
    const KIND: VolumeKind;
    /// Which of the two hybrids this is. None for every other volume.
    const SELECTION: Option<HybridSelection> = None;
    /// A different number for each type: the number of the kind, and another one for the second hybrid.
    const VARIANT: u32 = match Self::SELECTION {
        Some(HybridSelection::Dynamic) => Self::KIND as u32 + 1000,
        _ => Self::KIND as u32,
    };
    type Family: Family;
    /// Eight volumes as a structure of arrays: the payload of a node. `Default` is eight empty lanes. Their numbers are
    /// finite; the node marks their children as empty.
    type Wide: Copy + Send + Sync + Default + core::fmt::Debug + 'static;
    /// The slack of the kernels, derived in the file of the volume. A computed gap or bound exceeds the true one by at
    /// most `ROUNDING * (source * reach of the source + translation * |translation| + target * reach of the target)`. This
    /// must hold for the probe of every volume of the family.
    const SLACK: Slack;
    /// More of `SLACK.source` for probes of other volumes of the family.
    const FOREIGN: f64 = 0.0;

    /// Encloses the cluster. The volume is the one with the rounded f32 numbers, which the kernels use.
    fn fit(cluster: &Cluster, quality: Quality) -> Self;

    /// What a refit of the nodes above needs of a node; `()` where it needs the triangles themselves.
    type Union: Union;

    /// Encloses triangles that moved, in the same arithmetic as `fit` and much sooner. Directions of this volume, which
    /// enclosed them before, may be kept, but no position: the model may be anywhere. `union` is that of the triangles.
    fn refit(&self, union: &Self::Union, cluster: &Cluster) -> Self;

    /// Half the surface, or what is like it: the chance of visiting this volume grows with it.
    fn surface(&self) -> f64;

    /// The directions along which the builder may cut the cluster, as columns, orthonormal to rounding.
    fn split_axes(&self) -> DMat3;

    /// `split_axes` for a cluster that has no volume yet.
    fn cut_axes(cluster: &Cluster, quality: Quality) -> DMat3 {
        Self::fit(cluster, quality).split_axes()
    }

    /// A number that grows with the chance that a search visits a set with these extents along `split_axes`. The
    /// default is half the surface of a box.
    #[inline(always)]
    fn measure(extent: Vec3A) -> f32 {
        extent.x * extent.y + extent.y * extent.z + extent.z * extent.x
    }

    /// How far `point` is outside of this volume, along its worst constraint, in f64. At most 0 for enclosed points.
    fn excess(&self, point: DVec3) -> f64;

    /// Distance from the origin of the node frame to the farthest point of this volume, rounded up.
    fn reach(&self) -> f64;

    /// Radius of a sphere around this volume, whose centre is given by `centres` if the volume has witnesses.
    fn enclosing_radius(&self) -> f32;

    fn store(&self, wide: &mut Self::Wide, lane: usize);
    fn load(wide: &Self::Wide, lane: usize) -> Self;

    /// Whether a volume stays one of its kind when its model is stretched by different factors along its axes.
    const STRETCHES: bool = false;

    /// The volumes of a node whose frame is stretched by these factors, which are positive and at most 1. Reaches and radii
    /// may stay as they are, because nothing grows.
    #[inline(always)]
    fn stretched<S: Simd>(_simd: S, wide: &Self::Wide, _factors: &[f32; 3]) -> Self::Wide {
        debug_assert!(!Self::STRETCHES);
        *wide
    }

    /// `enclosing_radius` of each lane.
    fn enclosing_radii(wide: &Self::Wide) -> [f32; 8];

    /// What decides which of two volumes of this kind a search opens: the one of the larger size.
    #[inline(always)]
    fn sizes<S: Simd>(simd: S, wide: &Self::Wide) -> f32x8<S> {
        f32x8::load_array(simd, Self::enclosing_radii(wide))
    }

    /// `sizes` of one lane, in a frame where a length of 1 is `unit` long.
    #[inline(always)]
    fn size(wide: &Self::Wide, lane: usize, unit: f32) -> f32 {
        Self::enclosing_radii(wide)[lane] * unit
    }

    /// Brings the volume of one lane to the node frame of the other model.
    fn probe<S: Simd, E: Element>(
        simd: S,
        wide: &Self::Wide,
        lane: usize,
        motion: &Motion<E>,
    ) -> <Self::Family as Family>::Probe<E>;

    /// The largest gap between the probe and each lane along the tested directions: a lower bound of their distance, before the
    /// slack of the motion is subtracted. The most negative lane is the deepest. A lane above `enough`, which is that slack or
    /// more, needs no further test. The default is `lower_bound`, for volumes that gain nothing from a separate test.
    #[inline(always)]
    fn separation<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &Self::Wide,
        probe: &<Self::Family as Family>::Probe<L::Element>,
        enough: L::Element,
        first_stage: &mut u32,
    ) -> L {
        Self::lower_bound(simd, wide, probe, enough, first_stage)
    }

    /// A lower bound of the distance between the probe and each lane, before the slack is subtracted. The caller prunes
    /// lanes above `beyond`, so a lane above it needs no refinement.
    /// A volume with a cheaper first stage sets the bits of the lanes that this stage decided in `first_stage`. Others leave it
    /// alone.
    fn lower_bound<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &Self::Wide,
        probe: &<Self::Family as Family>::Probe<L::Element>,
        beyond: L::Element,
        first_stage: &mut u32,
    ) -> L;

    /// `lower_bound`, and for lanes that overlap how deep they do, below 0: a search for any near pair begins with the deepest.
    /// The default does not tell.
    #[inline(always)]
    fn bound_or_depth<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &Self::Wide,
        probe: &<Self::Family as Family>::Probe<L::Element>,
        beyond: L::Element,
        first_stage: &mut u32,
    ) -> L {
        Self::lower_bound(simd, wide, probe, beyond, first_stage)
    }

    /// `separation` of two nodes, each from the probe of the same number: overridden where one instruction can serve both nodes.
    #[inline(always)]
    fn separation_of_two<S: Simd>(
        simd: S,
        wides: [&Self::Wide; 2],
        probes: [&<Self::Family as Family>::Probe<f32>; 2],
    ) -> f32x16<S> {
        simd.combine_f32x8(
            Self::separation(simd, wides[0], probes[0], f32::MAX, &mut 0),
            Self::separation(simd, wides[1], probes[1], f32::MAX, &mut 0),
        )
    }

    /// `lower_bound` of two nodes.
    #[inline(always)]
    fn lower_bound_of_two<S: Simd>(
        simd: S,
        wides: [&Self::Wide; 2],
        probes: [&<Self::Family as Family>::Probe<f32>; 2],
    ) -> f32x16<S> {
        simd.combine_f32x8(
            Self::lower_bound(simd, wides[0], probes[0], f32::MAX, &mut 0),
            Self::lower_bound(simd, wides[1], probes[1], f32::MAX, &mut 0),
        )
    }

    /// `bound_or_depth` of two nodes.
    #[inline(always)]
    fn bound_or_depth_of_two<S: Simd>(
        simd: S,
        wides: [&Self::Wide; 2],
        probes: [&<Self::Family as Family>::Probe<f32>; 2],
    ) -> f32x16<S> {
        simd.combine_f32x8(
            Self::bound_or_depth(simd, wides[0], probes[0], f32::MAX, &mut 0),
            Self::bound_or_depth(simd, wides[1], probes[1], f32::MAX, &mut 0),
        )
    }

    /// `lower_bound` for a probe that is a point, given as well in the node frame of the lanes; overridden where that is cheaper.
    #[inline(always)]
    fn to_point<S: Simd, L: Eight<S>>(
        simd: S,
        wide: &Self::Wide,
        _point: [L::Element; 3],
        probe: &<Self::Family as Family>::Probe<L::Element>,
        beyond: L::Element,
    ) -> L {
        Self::lower_bound(simd, wide, probe, beyond, &mut 0)
    }

    /// Whether `entry` looks at the line of a ray alone.
    const SEES_LINES: bool = false;

    /// What a moving ball touches within a limit of how far it goes.
    #[inline(always)]
    fn entry<S: Simd>(
        simd: S,
        wide: &Self::Wide,
        ray: &Ray<<Self::Family as Family>::Probe<f32>>,
        limit: f32,
    ) -> Entries<S> {
        let Some(swept) = &ray.swept else {
            let nothing = f32x8::splat(simd, 0.0);
            return Entries { gone: nothing, entered: nothing.simd_le(f32x8::splat(simd, limit)) };
        };
        let apart: f32x8<S> = Self::lower_bound(simd, wide, &swept.path, swept.path_ball, &mut 0);
        let before: f32x8<S> = Self::lower_bound(simd, wide, &swept.start, f32::MAX, &mut 0);
        let gone = before * swept.shorter - swept.start_ball;
        let entered = !apart.simd_gt(f32x8::splat(simd, swept.path_ball)) & gone.simd_le(f32x8::splat(simd, limit));
        Entries { gone, entered }
    }

    /// By how many roundings a direction of `witness` may be off. None for volumes without witnesses.
    const WITNESS: Option<f64> = None;

    /// `lower_bound`, and for each lane a direction from the probe to the lane, of length 1 or less. For all points x
    /// of the probe and y of the lane, `direction . (y - x)` is at least the bound, up to slack and `WITNESS`. The
    /// default returns minus infinity: no certificate.
    #[inline(always)]
    fn witness<S: Simd>(
        simd: S,
        _wide: &Self::Wide,
        _probe: &<Self::Family as Family>::Probe<f32>,
    ) -> (f32x8<S>, [f32x8<S>; 3]) {
        (f32x8::splat(simd, f32::NEG_INFINITY), [f32x8::splat(simd, 0.0); 3])
    }

    /// A centre of each lane: no point of the lane is farther from it than `enclosing_radius` and a millionth of that. Witnesses
    /// need it.
    #[inline(always)]
    fn centres(_wide: &Self::Wide) -> &[[f32; 8]; 3] {
        &[[0.0; 8]; 3]
    }

    /// Calls `emit` for triangles that show this volume, facing outward, in the node frame.
    fn triangulate(&self, emit: &mut dyn FnMut([DVec3; 3]));
}
