//! The caller's array of fixed size, for queries that keep the first of many answers.

use feeler::Room;

/// The items so far, and how many there is room for.
pub struct FixedRoom<T>(pub Vec<T>, pub usize);

impl<T: Copy> Room for FixedRoom<T> {
    type Item = T;
    fn capacity(&self) -> usize {
        self.1
    }
    fn item(&self, index: usize) -> T {
        self.0[index]
    }
    fn set_item(&mut self, index: usize, item: T) {
        assert!(index < self.1, "written beyond the array");
        if index == self.0.len() { self.0.push(item) } else { self.0[index] = item }
    }
}
