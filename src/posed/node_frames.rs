//! The frames of the nodes of two models, of which one or both have node frames.

use crate::math::motion::Motion;
use crate::posed::posed_models::PosedModels;
use crate::posed::relative_frames::RelativeFrames;
use crate::simd::eight::Element;
use crate::tree::node::NodeFrame;
use crate::volume::Slack;

/// Index 0 is for A, 1 for B.
pub struct NodeFrames<'a> {
    relative: RelativeFrames,
    of_nodes: [&'a [NodeFrame]; 2],
    /// The frames of the models, for nodes without one of their own.
    of_models: [NodeFrame; 2],
    slack: [Slack; 2],
}

impl<'a> NodeFrames<'a> {
    /// None for models without node frames.
    #[inline(always)]
    pub fn new(
        models: &PosedModels,
        of_nodes: [&'a [NodeFrame]; 2],
        slack: [Slack; 2],
        relative: &RelativeFrames,
    ) -> Option<Self> {
        if !relative.have_node_frames() {
            return None;
        }
        Some(Self {
            relative: *relative,
            of_nodes,
            of_models: [
                NodeFrame { origin: models.origin_a, reach: relative.a.reach },
                NodeFrame { origin: models.origin_b, reach: relative.b.reach },
            ],
            slack,
        })
    }

    pub fn of(&self, side: usize, node: usize) -> &NodeFrame {
        self.of_nodes[side].get(node).unwrap_or(&self.of_models[side])
    }

    /// The motion from the frame of a node of the other side into that of a node of `side`, for a volume that reaches as far as
    /// `reach`. The neighbours of that volume in its node may be strays, so the reach of the node is not asked.
    #[inline(always)]
    pub fn motion<E: Element>(
        &self,
        models: &PosedModels,
        side: usize,
        opened: usize,
        (other, reach): (usize, f64),
    ) -> Motion<E> {
        let other = NodeFrame { reach, ..*self.of(1 - side, other) };
        self.relative.between_nodes(models.placement, side, (self.of(side, opened), &other), self.slack[side])
    }

    /// No two points of a node of `side` and of a volume of the other side are farther apart, in working units; the arguments are those of
    /// `motion`.
    pub fn spread(&self, models: &PosedModels, side: usize, opened: usize, (other, reach): (usize, f64)) -> f64 {
        let (opened, other) = (self.of(side, opened), self.of(1 - side, other));
        let placement = models.placement;
        let (a, b) = if side == 0 { (opened.origin, other.origin) } else { (other.origin, opened.origin) };
        let units = if side == 0 { [placement.unit_a, placement.unit_b] } else { [placement.unit_b, placement.unit_a] };
        (placement.place_b(b) - placement.place_a(a)).length() + opened.reach * units[0] + reach * units[1]
    }
}
