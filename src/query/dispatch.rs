//! From a search to the code that runs it: the volumes of the two hierarchies, f32 or f64 lanes, the instruction set.
//!
//! Static dispatch happens here, once per query. Searches over the default volume are compiled as one piece. All others share
//! their loops and reach their volumes through a table: one call per expansion, for a library that is a tenth of the size.

use crate::model::TreePairVisitor;
use crate::posed::bound_frame::BoundFrame;
use crate::posed::expansion::is_inlined;
use crate::posed::one_volume::OneVolume;
use crate::posed::posed_models::PosedModels;
use crate::posed::relative_frames::RelativeFrames;
use crate::posed::through_table::{InTable, ThroughTable};
use crate::posed::two_volumes::TwoVolumes;
use crate::search::RunSearch;
use crate::simd::level::{on_level, on_widest_level};
use crate::tree::Tree;
use crate::volume::Volume;
use fearless_simd::{Level, Simd};

/// A search that is about to learn the types of its hierarchies.
pub(super) struct Dispatch<'p, 'm, Q> {
    pub level: Level,
    pub models: &'p PosedModels<'m>,
    pub search: Q,
}

impl<Q: RunSearch> Dispatch<'_, '_, Q> {
    #[inline(always)]
    pub fn run(self) -> Q::Answer {
        let (a, b) = (self.models.hierarchy_a, self.models.hierarchy_b);
        match a.visit_pair(b, self).expect(ONE_FAMILY) {
            Ok(answer) => answer,
            Err(Self { level, models, search }) => on_level!(level, simd => through_table(simd, models, search)),
        }
    }
}

const ONE_FAMILY: &str = "a pair is made of one family";

/// Searches that are compiled as one piece: over the default volume, in one frame for each model, not far apart; they certify
/// along the front only.
impl<Q: RunSearch> TreePairVisitor for Dispatch<'_, '_, Q> {
    /// The search itself where its code is reached through a table.
    type Output = Result<Q::Answer, Self>;

    #[inline(always)]
    fn one_volume<V: Volume>(self, a: &Tree<V>, b: &Tree<V>) -> Self::Output {
        if const { !is_inlined::<V, f32>() } {
            return Err(self);
        }
        let frames = RelativeFrames::new(self.models, a, b);
        if frames.are_far() || frames.have_node_frames() || self.search.certifies_from_roots() {
            return Err(self);
        }
        let Self { level, models, search } = self;
        Ok(
            on_widest_level!(level, simd => in_one_piece(simd, &OneVolume::<V, f32, true>::new(models, a, b, &frames), search)),
        )
    }

    #[inline(always)]
    fn two_volumes<A: Volume, B: Volume<Family = A::Family>>(self, _: &Tree<A>, _: &Tree<B>) -> Self::Output {
        Err(self)
    }
}

#[inline(always)]
fn in_one_piece<S: Simd, V: Volume, Q: RunSearch>(simd: S, nodes: &OneVolume<V, f32, true>, search: Q) -> Q::Answer {
    search.run::<S, _, false>(simd, nodes.frame(), nodes)
}

#[inline(never)]
fn through_table<S: Simd, Q: RunSearch>(simd: S, models: &PosedModels, search: Q) -> Q::Answer {
    let (mut search, mut answer) = (Some(search), None);
    with_nodes(simd, models, &mut |frame, nodes| {
        if let Some(search) = search.take() {
            answer = Some(simd.vectorize(
                #[inline(always)]
                || search.run::<S, _, true>(simd, frame, &ThroughTable(nodes)),
            ));
        }
    });
    answer.expect(ONE_FAMILY)
}

/// What is done with the nodes of two hierarchies.
type UseNodes<'u, S> = &'u mut dyn FnMut(&BoundFrame, &dyn InTable<S>);

/// Hands over the nodes of any two hierarchies. No search is known here, so that this is compiled once for all of them.
#[inline(never)]
fn with_nodes<S: Simd>(simd: S, models: &PosedModels, use_nodes: UseNodes<S>) {
    let (a, b) = (models.hierarchy_a, models.hierarchy_b);
    a.visit_pair(b, WithNodes { simd, models, use_nodes });
}

struct WithNodes<'u, 'p, 'm, S> {
    simd: S,
    models: &'p PosedModels<'m>,
    use_nodes: UseNodes<'u, S>,
}

impl<S: Simd> TreePairVisitor for WithNodes<'_, '_, '_, S> {
    type Output = ();

    fn one_volume<V: Volume>(self, a: &Tree<V>, b: &Tree<V>) {
        let Self { simd, models, use_nodes } = self;
        let frames = RelativeFrames::new(models, a, b);
        simd.vectorize(
            #[inline(always)]
            || {
                if frames.are_far() {
                    let nodes = OneVolume::<V, f64, false>::new(models, a, b, &frames);
                    use_nodes(nodes.frame(), &nodes);
                } else {
                    let nodes = OneVolume::<V, f32, false>::new(models, a, b, &frames);
                    use_nodes(nodes.frame(), &nodes);
                }
            },
        );
    }

    fn two_volumes<A: Volume, B: Volume<Family = A::Family>>(self, a: &Tree<A>, b: &Tree<B>) {
        let Self { simd, models, use_nodes } = self;
        let frames = RelativeFrames::new(models, a, b);
        simd.vectorize(
            #[inline(always)]
            || {
                if frames.are_far() {
                    let nodes = TwoVolumes::<A, B, f64>::new(models, a, b, &frames);
                    use_nodes(nodes.frame(), &nodes);
                } else {
                    let nodes = TwoVolumes::<A, B, f32>::new(models, a, b, &frames);
                    use_nodes(nodes.frame(), &nodes);
                }
            },
        );
    }
}
