//! What a caller may choose about a pair.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairParams {
    /// Keep no front between queries.
    pub no_front: bool,
    /// Entries of the search queue; 0 is chosen from the models.
    pub max_queue: u32,
    /// Entries of the front; 0 is chosen from the models.
    pub max_front: u32,
}
