//! Allocation that can fail: nothing in this library aborts when memory runs out.

use crate::error::Error;

/// A vector of exactly these items, or `OutOfMemory` with its purpose.
pub(crate) fn try_collect<T>(what: &str, items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(items.len()).map_err(|_| Error::out_of_memory(what))?;
    vector.extend(items);
    Ok(vector)
}
