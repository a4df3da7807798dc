//! Allocation that can fail: nothing in this library aborts for want of memory.

use crate::error::Error;

/// A vector of exactly the items, or `OutOfMemory` naming what it was for.
pub(crate) fn try_collect<T>(what: &str, items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(items.len()).map_err(|_| Error::out_of_memory(what))?;
    vector.extend(items);
    Ok(vector)
}
