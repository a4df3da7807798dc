//! Two pairs of nodes at a time.
//!
//! An expansion is a chain of steps: which pair is next, its node, the kernel, and where to put what is left. Of two pairs that are
//! taken before either is opened the chains overlap, and where registers have sixteen lanes one kernel tests both nodes. The second
//! pair is taken before it is known what the first one leads to, so this is for searches that will open the second pair
//! anyway: those that have to look at all that is near enough, and those that were not lucky soon. The order is
//! the same on every instruction set.

use crate::tree::node_pair::NodePair;

/// A pair that is going to be opened, and what is known of its distance.
#[derive(Clone, Copy)]
pub struct Opening {
    pub pair: NodePair,
    pub bound: f32,
}

/// What is opened next: the pair that waited together with this one, or this one alone.
#[inline(always)]
pub fn joined(waiting: &mut Option<Opening>, taken: Opening) -> (Opening, Option<Opening>) {
    match waiting.take() {
        Some(first) => (first, Some(taken)),
        None => (taken, None),
    }
}
