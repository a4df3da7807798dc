//! What a caller may choose about a pair.

use crate::volume::Kind;

/// What the searches of large models need.
const DEFAULT_FRONT_BLOCKS: usize = 1024;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairParams {
    /// Keep no front between queries.
    pub no_front: bool,
    /// Entries of the search queue; 0 is chosen from the models.
    pub max_queue: u32,
    /// Entries of the front; 0 is chosen from the models.
    pub max_front: u32,
}

impl PairParams {
    /// Blocks of eight entries for the front; none for volumes that keep none.
    pub(super) fn front_blocks(&self, a: Kind, b: Kind) -> usize {
        if self.no_front || (a, b) != (Kind::Obb, Kind::Obb) {
            return 0;
        }
        if self.max_front == 0 { DEFAULT_FRONT_BLOCKS } else { (self.max_front as usize).div_ceil(8) }
    }
}
