//! What a caller may choose about a pair.

use crate::model::Hierarchy;

/// Blocks of a front that is chosen from the models: a search opens each node about once, and of large models few.
const FEWEST_BLOCKS: usize = 256;
const MOST_BLOCKS: usize = 2048;

/// Entries of the search queue: more did not make searches faster.
const DEFAULT_QUEUE: usize = 1024;

/// What a pair remembers and how much memory it has; the default suits most models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairParams {
    /// Keep no front between queries.
    pub no_front: bool,
    /// Entries of the search queue, 64 bytes each; 0 means 1024. Models so small that no search can fill them get fewer.
    pub max_queue: u32,
    /// Entries of the front; 0 is chosen from the models.
    pub max_front: u32,
}

impl PairParams {
    /// Entries of the search queue.
    pub(super) fn queue_entries(&self, a: &Hierarchy, b: &Hierarchy) -> usize {
        let wanted = if self.max_queue == 0 { DEFAULT_QUEUE } else { self.max_queue as usize };
        // An entry is a node against a lane of the other hierarchy; a search opens each of these once at most.
        let most = a.node_count().saturating_mul(b.node_count()).saturating_mul(16);
        wanted.min(most)
    }

    /// Blocks of eight entries for the front.
    pub(super) fn front_blocks(&self, a: &Hierarchy, b: &Hierarchy) -> usize {
        if self.no_front {
            return 0;
        }
        match self.max_front {
            0 => (a.node_count() + b.node_count()).clamp(FEWEST_BLOCKS, MOST_BLOCKS),
            entries => (entries as usize).div_ceil(8),
        }
    }
}
