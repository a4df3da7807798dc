//! The caller's vertex numbers: a build orders the vertices by their first use, and updates come in the caller's order.

/// A vertex that no triangle uses: a build leaves it out.
pub(super) const UNUSED: u32 = u32::MAX;

/// How the vertices of a model are numbered.
#[derive(Debug)]
pub(super) enum Numbering {
    /// As the caller numbered them.
    Given,
    /// The place of each of the caller's vertices, or `UNUSED`.
    Known(Vec<u32>),
    /// In an order that nobody knows: four bytes per vertex that a rigid model never needs.
    Forgotten,
}

impl Numbering {
    /// The place of each of the caller's vertices; None where that is not known, or the caller's own number.
    pub fn places(&self) -> Option<&[u32]> {
        match self {
            Self::Known(places) => Some(places),
            _ => None,
        }
    }

    /// After a build that moved each vertex to one of `places`.
    pub fn renumber(&mut self, places: Vec<u32>, is_kept: bool) {
        if !is_kept {
            *self = Self::Forgotten;
            return;
        }
        match self {
            Self::Known(known) => {
                for place in known.iter_mut().filter(|place| **place != UNUSED) {
                    *place = places[*place as usize];
                }
            }
            _ => *self = Self::Known(places),
        }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.places().map_or(0, size_of_val)
    }
}
