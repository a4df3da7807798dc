//! From a search to the code that runs it: the volumes of the two hierarchies, f32 or f64 lanes, the instruction set.
//!
//! Static dispatch happens here, once per query. Searches over the default volume are compiled as one piece. All others share
//! their loops and reach their volumes through a table: one call per expansion, for a library that is a tenth of the size.

use crate::model::{Hierarchy, TreePairVisitor};
use crate::posed::bound_frame::BoundFrame;
use crate::posed::expansion::{Expand, is_compiled_whole};
use crate::posed::one_volume::OneVolume;
use crate::posed::posed_models::PosedModels;
use crate::posed::relative_frames::RelativeFrames;
use crate::posed::two_volumes::TwoVolumes;
use crate::search::RunSearch;
use crate::simd::level::{on_level, on_widest_level};
use crate::tree::Tree;
use crate::volume::Volume;
use fearless_simd::{Level, Simd};

/// A search that is about to learn the types of its hierarchies.
pub(super) struct Dispatch<'p, Q> {
    pub level: Level,
    pub models: PosedModels<'p>,
    pub search: Q,
}

impl<Q: RunSearch> Dispatch<'_, Q> {
    #[inline(always)]
    pub fn run(self) -> Q::Answer {
        let (a, b) = (self.models.hierarchy_a, self.models.hierarchy_b);
        a.visit_pair(b, self).expect("a pair is made of one family")
    }
}

impl<Q: RunSearch> TreePairVisitor for Dispatch<'_, Q> {
    type Output = Q::Answer;

    #[inline(always)]
    fn one_volume<V: Volume>(self, a: &Tree<V>, b: &Tree<V>) -> Q::Answer {
        let Self { level, models, search } = self;
        if const { is_compiled_whole::<V>() } {
            on_widest_level!(level, simd => over_one(simd, models, search, a, b))
        } else {
            on_level!(level, simd => over_one(simd, models, search, a, b))
        }
    }

    #[inline(always)]
    fn two_volumes<A: Volume, B: Volume<Family = A::Family>>(self, a: &Tree<A>, b: &Tree<B>) -> Q::Answer {
        let Self { level, models, search } = self;
        on_level!(level, simd => over_two(simd, models, search, a, b))
    }
}

#[inline(always)]
fn over_one<S: Simd, V: Volume, Q: RunSearch>(
    simd: S,
    models: PosedModels,
    search: Q,
    a: &Tree<V>,
    b: &Tree<V>,
) -> Q::Answer {
    let frames = RelativeFrames::new(&models, a, b);
    if frames.are_far() {
        let nodes = OneVolume::<V, f64>::new(models, a, b, &frames);
        through_table(simd, search, nodes.frame(), &nodes)
    } else if const { !OneVolume::<V, f32>::IS_INLINED } {
        let nodes = OneVolume::<V, f32>::new(models, a, b, &frames);
        through_table(simd, search, nodes.frame(), &nodes)
    } else if frames.have_node_frames() || search.certifies_from_roots() {
        // Code that is compiled whole knows no node frames, and certifies along the front only.
        let nodes = TwoVolumes::<V, V, f32>::new(models, a, b, &frames);
        through_table(simd, search, nodes.frame(), &nodes)
    } else {
        let nodes = OneVolume::<V, f32>::new(models, a, b, &frames);
        if const { OneVolume::<V, f32>::KEEPS_FRONT } {
            search.run_certified(simd, nodes.frame(), &nodes)
        } else {
            search.run(simd, nodes.frame(), &nodes)
        }
    }
}

#[inline(always)]
fn over_two<S: Simd, A: Volume, B: Volume<Family = A::Family>, Q: RunSearch>(
    simd: S,
    models: PosedModels,
    search: Q,
    a: &Tree<A>,
    b: &Tree<B>,
) -> Q::Answer {
    let frames = RelativeFrames::new(&models, a, b);
    if frames.are_far() {
        let nodes = TwoVolumes::<A, B, f64>::new(models, a, b, &frames);
        through_table(simd, search, nodes.frame(), &nodes)
    } else {
        let nodes = TwoVolumes::<A, B, f32>::new(models, a, b, &frames);
        through_table(simd, search, nodes.frame(), &nodes)
    }
}

#[inline(never)]
fn through_table<S: Simd, Q: RunSearch>(simd: S, search: Q, frame: &BoundFrame, nodes: &dyn Expand<S>) -> Q::Answer {
    simd.vectorize(
        #[inline(always)]
        || search.run(simd, frame, &nodes),
    )
}

/// Whether distance queries of these hierarchies keep a front.
pub fn keeps_front(a: &Hierarchy, b: &Hierarchy) -> bool {
    struct KeepsFront;
    impl TreePairVisitor for KeepsFront {
        type Output = bool;
        fn one_volume<V: Volume>(self, a: &Tree<V>, b: &Tree<V>) -> bool {
            OneVolume::<V, f32>::KEEPS_FRONT && a.frames.is_empty() && b.frames.is_empty()
        }
        fn two_volumes<A: Volume, B: Volume<Family = A::Family>>(self, _: &Tree<A>, _: &Tree<B>) -> bool {
            false
        }
    }
    a.visit_pair(b, KeepsFront).unwrap_or(false)
}
