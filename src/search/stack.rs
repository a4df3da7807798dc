//! The stack of depth-first searches: the survivors of one expansion per entry, in memory of fixed size.

use crate::error::Error;
use crate::posed::survivors::{Survivor, Survivors};
use fearless_simd::Simd;

/// A stack of fixed capacity.
#[derive(Debug)]
pub struct Stack {
    items: Vec<Survivors>,
    count: usize,
}

impl Stack {
    pub fn new(capacity: usize) -> Result<Self, Error> {
        let mut items = Vec::new();
        items.try_reserve_exact(capacity).map_err(|_| Error::out_of_memory("stack of a pair"))?;
        items.resize(capacity, Survivors::NONE);
        Ok(Self { items, count: 0 })
    }

    #[inline(always)]
    pub fn push(&mut self, survivors: &Survivors) {
        self.items[self.count] = *survivors;
        self.count += 1;
    }

    /// Takes the nearest pair out of what was pushed last, if it is within the limit; what is not is forgotten.
    #[inline(always)]
    pub fn pop<S: Simd>(&mut self, simd: S, limit: f32) -> Option<Survivor> {
        while let Some(last) = self.count.checked_sub(1) {
            let survivors = &mut self.items[last];
            let taken = survivors.take(simd);
            self.count -= !(survivors.nearest <= limit) as usize;
            if taken.bound <= limit {
                return Some(taken);
            }
        }
        None
    }

    /// Puts the nearest pair of what was pushed first on top, to be taken next, unless there is too little room: half of the stack
    /// is for what one descent leaves. What is forgotten by `pop` at this limit must not be on the stack.
    #[inline(never)]
    pub fn raise_first<S: Simd>(&mut self, simd: S, limit: f32) {
        if self.count == 0 || self.count > self.items.len() / 2 {
            return;
        }
        let first = self.items[0].first().alone();
        self.items[0].drop_first(simd);
        if !(self.items[0].nearest <= limit) {
            self.items.copy_within(1..self.count, 0);
            self.count -= 1;
        }
        self.push(&first);
    }

    /// Whether what two expansions leave may be pushed. Pairs that are opened two by two leave more than one entry for each level, so
    /// they do not use the half of the stack that is for what one descent leaves.
    #[inline(always)]
    pub fn has_room_for_two(&self) -> bool {
        self.count + 2 <= self.items.len() / 2
    }

    /// Whether `pop` would give a pair of triangles.
    pub fn ends_in_triangles(&self) -> bool {
        self.items[..self.count].last().is_some_and(Survivors::starts_with_triangles)
    }

    /// What was pushed last, as a whole.
    pub fn pop_all(&mut self) -> Option<Survivors> {
        self.count = self.count.checked_sub(1)?;
        Some(self.items[self.count])
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn smallest_bound(&self) -> f32 {
        self.items[..self.count].iter().fold(f32::INFINITY, |smallest, survivors| smallest.min(survivors.nearest))
    }

    pub fn memory(&self) -> usize {
        self.items.capacity() * size_of::<Survivors>()
    }
}
