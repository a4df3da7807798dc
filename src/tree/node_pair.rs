//! Pairs of nodes, as every search walks over them: a node of one hierarchy against a lane of the other.

use crate::tree::node::{Child, Lane};

/// A node of one hierarchy that is opened against a lane of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodePair {
    /// The opened node.
    pub node: u32,
    /// The lane of the other hierarchy, packed as `Lane`.
    pub other: u32,
    /// The hierarchy of the opened node: 0 for A, 1 for B.
    pub side: u32,
}

/// The eight pairs that opening a node gives: each lane of the node with the lane of the other hierarchy.
#[derive(Clone, Copy, Debug)]
pub struct LanePairs {
    pub opened: NodePair,
    /// What the other lane leads to.
    pub other_child: u32,
    /// Lanes, as bits, that are opened next; for the rest the other lane is.
    pub opens: u8,
    /// Lanes, as bits, that are triangles while the other lane is one as well.
    pub triangles: u8,
}

/// What a pair of lanes leads to.
#[derive(Clone, Copy, Debug)]
pub enum Next {
    /// Both lanes are triangles, in these slots; that of A comes first.
    Triangles((u32, u32)),
    /// The larger lane is to be opened.
    Open(NodePair),
}

impl NodePair {
    /// Node 0 of each hierarchy holds the root in lane 0.
    pub const ROOTS: Self = Self { node: 0, other: 0, side: 0 };

    /// The opened side, as an index that needs no check.
    #[inline(always)]
    pub fn side(&self) -> usize {
        self.side as usize % 2
    }

    /// B's node, and its lane unless the node is opened.
    pub fn of_b(&self) -> (usize, Option<usize>) {
        if self.side() == 1 {
            return (self.node as usize, None);
        }
        let (node, lane) = Lane(self.other).split();
        (node, Some(lane))
    }
}

impl LanePairs {
    pub const NONE: Self = Self { opened: NodePair::ROOTS, other_child: 0, opens: 0, triangles: 0 };

    /// What a lane leads to together with the other lane; `child` is what the lane alone leads to.
    #[inline(always)]
    pub fn next(&self, lane: u32, child: Child) -> Next {
        if self.triangles as u32 >> lane & 1 != 0 {
            return Next::Triangles(self.slots(child));
        }
        let opens = self.opens as u32 >> lane & 1 != 0;
        let packed = Lane::new(self.opened.node as usize, lane as usize).0;
        Next::Open(NodePair {
            node: if opens { child.0 } else { self.other_child },
            other: if opens { self.opened.other } else { packed },
            side: self.opened.side ^ !opens as u32,
        })
    }

    /// The slots of a lane and of the other lane, both triangles; that of A comes first.
    #[inline(always)]
    pub fn slots(&self, child: Child) -> (u32, u32) {
        let (slot, other) = (child.index() as u32, Child(self.other_child).index() as u32);
        if self.opened.side == 0 { (slot, other) } else { (other, slot) }
    }
}
