//! The first few of many, in the caller's memory: the items that come first are kept while the others are only counted.
//!
//! While there is room items are appended. When there is none the items form a heap with the last on top, which makes way
//! for an earlier one.

/// The caller's array.
pub trait Room {
    type Item: Copy;
    fn capacity(&self) -> usize;
    /// Item number `index`, which was set before.
    fn item(&self, index: usize) -> Self::Item;
    fn set_item(&mut self, index: usize, item: Self::Item);
}

/// A room that grows, for users of the Rust API.
impl<T: Copy> Room for Vec<T> {
    type Item = T;

    fn capacity(&self) -> usize {
        usize::MAX
    }

    fn item(&self, index: usize) -> T {
        self[index]
    }

    fn set_item(&mut self, index: usize, item: T) {
        if index == self.len() { self.push(item) } else { self[index] = item }
    }
}

/// What is kept so far. The room is hidden behind a table, so that no search is compiled once per kind of room.
pub struct Kept<'r, T> {
    room: &'r mut dyn Room<Item = T>,
    /// A strict order of all items.
    is_before: fn(&T, &T) -> bool,
    pub found: u64,
    pub written: usize,
}

impl<'r, T: Copy> Kept<'r, T> {
    pub fn new(room: &'r mut dyn Room<Item = T>, is_before: fn(&T, &T) -> bool) -> Self {
        Self { room, is_before, found: 0, written: 0 }
    }

    /// Forgets all items.
    pub fn clear(&mut self) {
        (self.found, self.written) = (0, 0);
    }

    /// Counts an item, and keeps it if it is among the first.
    pub fn offer(&mut self, item: T) {
        self.found += 1;
        let capacity = self.room.capacity();
        if self.written < capacity {
            self.room.set_item(self.written, item);
            self.written += 1;
            if self.written == capacity {
                self.make_heap();
            }
        } else if capacity > 0 && (self.is_before)(&item, &self.room.item(0)) {
            self.sift_down(0, item, capacity);
        }
    }

    /// `offer` of the one item that there is.
    #[inline(always)]
    pub fn offer_only(&mut self, item: T) {
        self.found = 1;
        if self.room.capacity() > 0 {
            self.room.set_item(0, item);
            self.written = 1;
        }
    }

    /// Puts what is kept in order.
    pub fn sort(&mut self) {
        if self.written < self.room.capacity() {
            self.make_heap();
        }
        for end in (1..self.written).rev() {
            let (last, moved) = (self.room.item(0), self.room.item(end));
            self.room.set_item(end, last);
            self.sift_down(0, moved, end);
        }
    }

    pub fn room(&mut self) -> &mut dyn Room<Item = T> {
        self.room
    }

    fn make_heap(&mut self) {
        for start in (0..self.written / 2).rev() {
            let item = self.room.item(start);
            self.sift_down(start, item, self.written);
        }
    }

    /// Puts an item to where it belongs at or below `at` in the first `count` places.
    fn sift_down(&mut self, mut at: usize, item: T, count: usize) {
        loop {
            let mut child = 2 * at + 1;
            if child >= count {
                break;
            }
            if child + 1 < count && (self.is_before)(&self.room.item(child), &self.room.item(child + 1)) {
                child += 1;
            }
            if !(self.is_before)(&item, &self.room.item(child)) {
                break;
            }
            let below = self.room.item(child);
            self.room.set_item(at, below);
            at = child;
        }
        self.room.set_item(at, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Small(Vec<u32>, usize);

    impl Room for Small {
        type Item = u32;
        fn capacity(&self) -> usize {
            self.1
        }
        fn item(&self, index: usize) -> u32 {
            self.0[index]
        }
        fn set_item(&mut self, index: usize, item: u32) {
            self.0[index] = item;
        }
    }

    #[test]
    fn the_first_are_kept_in_order_and_all_are_counted() {
        let items: Vec<u32> = (0..97u32).map(|k| k * 31 % 97).collect();
        for capacity in [0, 1, 2, 7, 96, 97, 98, 200] {
            let mut room = Small(vec![u32::MAX; capacity], capacity);
            let mut kept = Kept::new(&mut room, |p, q| p < q);
            items.iter().for_each(|&item| kept.offer(item));
            kept.sort();
            let (found, written) = (kept.found, kept.written);
            assert_eq!((found, written), (97, capacity.min(97)));
            assert!(room.0.iter().take(written).copied().eq(0..written as u32), "{:?}", room.0);
            assert!(room.0[written..].iter().all(|&item| item == u32::MAX));
        }
    }
}
