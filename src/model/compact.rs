//! Rows of whole numbers in as few bytes as they need.
//!
//! What a search reads of a mesh are numbers of vertices and triangles. In most models all of them are below 2^16, and half the bytes mean
//! fewer cache lines, too.

use crate::allocation::try_collect;
use crate::error::Error;
use crate::simd::prefetch::prefetch;

/// Rows of N whole numbers each.
#[derive(Debug)]
pub enum Compact<const N: usize> {
    /// All are below 2^16.
    Short(Vec<[u16; N]>),
    Long(Vec<[u32; N]>),
}

impl<const N: usize> Compact<N> {
    /// Rows of numbers below `end`, in the least room.
    pub fn new(what: &str, rows: Vec<[u32; N]>, end: usize) -> Result<Self, Error> {
        if end > 1 << 16 {
            return Ok(Self::Long(rows));
        }
        let short = rows.iter().map(|row| row.map(|number| number as u16));
        Ok(Self::Short(try_collect(what, short)?))
    }

    pub fn count(&self) -> usize {
        match self {
            Self::Short(rows) => rows.len(),
            Self::Long(rows) => rows.len(),
        }
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> [u32; N] {
        match self {
            Self::Short(rows) => long(&rows[index]),
            Self::Long(rows) => rows[index],
        }
    }

    /// Asks for the memory of a row that will be read soon.
    #[inline(always)]
    pub fn prefetch(&self, index: usize) {
        match self {
            Self::Short(rows) => prefetch(&rows[index]),
            Self::Long(rows) => prefetch(&rows[index]),
        }
    }

    /// Four rows at once, which costs one decision instead of four.
    #[inline(always)]
    pub fn four(&self, [p, q, r, s]: [u32; 4]) -> [[u32; N]; 4] {
        let [p, q, r, s] = [p as usize, q as usize, r as usize, s as usize];
        match self {
            Self::Short(rows) => [long(&rows[p]), long(&rows[q]), long(&rows[r]), long(&rows[s])],
            Self::Long(rows) => [rows[p], rows[q], rows[r], rows[s]],
        }
    }

    /// All rows as a slice, of numbers that are long.
    pub fn as_long(&self) -> &[[u32; N]] {
        match self {
            Self::Short(_) => &[],
            Self::Long(rows) => rows,
        }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        match self {
            Self::Short(rows) => rows.capacity() * size_of::<[u16; N]>(),
            Self::Long(rows) => rows.capacity() * size_of::<[u32; N]>(),
        }
    }
}

#[inline(always)]
fn long<const N: usize>(row: &[u16; N]) -> [u32; N] {
    // Spelt out: `map` would not be inlined where it matters.
    let mut numbers = [0; N];
    for k in 0..N {
        numbers[k] = row[k] as u32;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_numbers_that_fit_stay_as_they_are() {
        for end in [1, 2, 65_535, 65_536, 65_537, 1 << 31] {
            let rows = vec![[0, end as u32 - 1], [end as u32 - 1, 0]];
            let compact = Compact::new("rows", rows.clone(), end).unwrap();
            assert_eq!(matches!(compact, Compact::Short(_)), end <= 65_536);
            assert_eq!([compact.get(0), compact.get(1)], rows[..]);
            assert_eq!(compact.four([1, 0, 1, 1]), [rows[1], rows[0], rows[1], rows[1]]);
            assert_eq!((compact.count(), compact.memory()), (2, if end <= 65_536 { 8 } else { 16 }));
        }
    }
}
