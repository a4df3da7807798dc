//! Structs of the C header in memory that is larger than they are, so that every byte written beside them is noticed.

use crate::numbers;
use arbitrary::{Result, Unstructured};
use core::marker::PhantomData;

/// What no call may change.
const UNTOUCHED: u8 = 0xA5;
/// No struct_size above this is accepted.
const LARGEST_SIZE: usize = 4096;

/// A struct that starts with its size, or NULL.
pub struct Struct<T> {
    bytes: Vec<u8>,
    before: Vec<u8>,
    place: usize,
    is_null: bool,
    kind: PhantomData<T>,
}

impl<T: Copy> Struct<T> {
    /// The defaults, mostly with the right size, then some fields of it overwritten.
    pub fn new(u: &mut Unstructured, init: unsafe extern "C" fn(*mut T, usize) -> u32) -> Result<Self> {
        // Room for the largest struct at any alignment.
        let bytes = vec![UNTOUCHED; 8 + LARGEST_SIZE + 8];
        let place = if u.ratio(1, 4u8)? { u.int_in_range(0..=7)? } else { 0 };
        let size = match u.int_in_range(0..=15u8)? {
            0 => size_of::<T>() + u.int_in_range(1..=40)?,
            1 => u.int_in_range(0..=LARGEST_SIZE)?,
            _ => size_of::<T>(),
        };
        let mut value = Self { bytes, before: Vec::new(), place, is_null: u.ratio(1, 16u8)?, kind: PhantomData };
        // SAFETY: the memory has room for any size that is accepted.
        let status = unsafe { init(value.at(), size) };
        assert!(status == 0 || size < size_of::<T>(), "a size of {size}");
        value.check_outside(if status == 0 { size } else { 0 });
        for _ in 0..u.int_in_range(0..=2u8)? {
            let field = u.int_in_range(0..=size_of::<T>() / 4 - 1)? * 4;
            if field % 8 == 0 && u.arbitrary()? {
                value.set(field, &numbers::garbage(u)?.to_le_bytes());
            } else {
                let small = u32::from(u.int_in_range(0..=9u8)?);
                let word: u32 = if u.ratio(3, 4u8)? { small } else { u.arbitrary()? };
                value.set(field, &word.to_le_bytes());
            }
        }
        value.before = value.bytes.clone();
        Ok(value)
    }

    pub fn never_null(mut self) -> Self {
        self.is_null = false;
        self
    }

    fn at(&mut self) -> *mut T {
        self.bytes[self.place..].as_mut_ptr().cast()
    }

    /// Overwrites bytes of the struct.
    pub fn set(&mut self, offset: usize, bytes: &[u8]) {
        self.bytes[self.place + offset..][..bytes.len()].copy_from_slice(bytes);
        self.before = self.bytes.clone();
    }

    /// The pointer that the library receives.
    pub fn pointer(&mut self) -> *mut T {
        if self.is_null { core::ptr::null_mut() } else { self.at() }
    }

    /// What the struct says about its size.
    fn stated_size(&self) -> usize {
        u32::from_le_bytes(self.bytes[self.place..][..4].try_into().expect("four bytes")) as usize
    }

    /// The struct, if it is as large as this version's.
    pub fn value(&self) -> Option<T> {
        let is_whole = !self.is_null && self.stated_size() >= size_of::<T>();
        // SAFETY: the structs of the header are plain data, and the memory is larger than any of them.
        is_whole.then(|| unsafe { self.bytes[self.place..].as_ptr().cast::<T>().read_unaligned() })
    }

    /// What a failing call leaves: everything.
    pub fn check_unchanged(&self) {
        assert!(self.bytes == self.before, "a refused call changed a struct");
    }

    /// What a successful call leaves: the size, and all that is not part of the struct that both sides know.
    pub fn check_written(&self) {
        let known = self.stated_size().min(size_of::<T>());
        let (from, to) = (self.place + 4, self.place + known.max(4));
        assert!(self.bytes[..from] == self.before[..from], "the size or what lies before it changed");
        assert!(self.bytes[to..] == self.before[to..], "what lies behind the struct changed");
    }

    fn check_outside(&self, size: usize) {
        let is_untouched = |bytes: &[u8]| bytes.iter().all(|byte| *byte == UNTOUCHED);
        assert!(is_untouched(&self.bytes[..self.place]) && is_untouched(&self.bytes[self.place + size..]));
    }
}

/// An array for answers of exactly `capacity` items, unaligned; a sanitizer notices what is written behind it.
pub struct Answers<T> {
    bytes: Vec<u8>,
    pub capacity: usize,
    kind: PhantomData<T>,
}

impl<T: Copy> Answers<T> {
    pub fn new(capacity: usize) -> Self {
        Self { bytes: vec![UNTOUCHED; 1 + capacity * size_of::<T>()], capacity, kind: PhantomData }
    }

    pub fn pointer(&mut self) -> *mut T {
        if self.capacity == 0 { core::ptr::null_mut() } else { self.bytes[1..].as_mut_ptr().cast() }
    }

    /// The first items; what is behind them must be as it was unless it served as room.
    pub fn items(&self, count: usize) -> Vec<T> {
        assert!(count <= self.capacity, "{count} answers in an array of {}", self.capacity);
        // SAFETY: the items are plain data inside of the array.
        (0..count)
            .map(|k| unsafe { self.bytes[1 + k * size_of::<T>()..].as_ptr().cast::<T>().read_unaligned() })
            .collect()
    }

    pub fn check_unchanged(&self) {
        assert!(self.bytes.iter().all(|byte| *byte == UNTOUCHED), "a refused call changed an array");
    }
}
