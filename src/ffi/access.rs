//! Who may use a handle now: many readers or one writer. Others get BUSY; nobody waits.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Number of readers, or `WRITER`.
#[derive(Debug, Default)]
pub(super) struct Access(AtomicU32);

const WRITER: u32 = u32::MAX;

impl Access {
    pub(super) const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Admits one more reader, unless somebody writes.
    #[inline]
    pub(super) fn try_read(&self) -> bool {
        // The largest number of readers is kept free of WRITER.
        let enter = |readers: u32| (readers < WRITER - 1).then(|| readers + 1);
        self.0.fetch_update(Ordering::Acquire, Ordering::Relaxed, enter).is_ok()
    }

    /// Releases the access of `try_read`.
    #[inline]
    pub(super) fn end_read(&self) {
        self.0.fetch_sub(1, Ordering::Release);
    }

    /// Admits one writer, unless somebody reads or writes.
    #[inline]
    pub(super) fn try_write(&self) -> bool {
        self.0.compare_exchange(0, WRITER, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Releases the access of `try_write`.
    #[inline]
    pub(super) fn end_write(&self) {
        self.0.store(0, Ordering::Release);
    }
}

/// Who needs a model and who may use it now, in one word, so that a call that reads costs two locked operations: readers in the
/// low half, then keepers, and on top a bit for the one writer. Readers keep the model alive, too.
#[derive(Debug)]
pub(super) struct ModelAccess(AtomicU64);

const READER: u64 = 1;
const KEEPER: u64 = 1 << 32;
const WRITING: u64 = 1 << 63;
const READERS: u64 = KEEPER - 1;

impl ModelAccess {
    /// One keeper: the handle.
    pub(super) const fn new() -> Self {
        Self(AtomicU64::new(KEEPER))
    }

    /// Admits one more reader, unless somebody writes.
    #[inline(always)]
    pub(super) fn try_read(&self) -> bool {
        let enter = |users: u64| (users & WRITING == 0 && users & READERS < READERS).then(|| users + READER);
        self.0.fetch_update(Ordering::Acquire, Ordering::Relaxed, enter).is_ok()
    }

    /// Releases the access of `try_read`; true if nobody needs the model any more.
    #[inline(always)]
    #[must_use]
    pub(super) fn end_read(&self) -> bool {
        self.0.fetch_sub(READER, Ordering::Release) == READER && self.wait_for_users()
    }

    /// Admits one writer, who is a keeper, unless somebody reads or writes.
    pub(super) fn try_write(&self) -> bool {
        let enter = |users: u64| (users & (WRITING | READERS) == 0).then_some(users | WRITING);
        self.0.fetch_update(Ordering::Acquire, Ordering::Relaxed, enter).is_ok()
    }

    /// Releases the access of `try_write`.
    pub(super) fn end_write(&self) {
        self.0.fetch_and(!WRITING, Ordering::Release);
    }

    pub(super) fn keep(&self) {
        self.0.fetch_add(KEEPER, Ordering::Relaxed);
    }

    /// Takes back a `keep`; true if nobody needs the model any more.
    #[must_use]
    pub(super) fn end_keep(&self) -> bool {
        // A writer whom a defect stopped has left its bit behind.
        self.0.fetch_sub(KEEPER, Ordering::Release) & !WRITING == KEEPER && self.wait_for_users()
    }

    /// Acquire: the model is freed after everything that its users did. A load, because the thread sanitizer does not understand
    /// fences.
    #[cold]
    fn wait_for_users(&self) -> bool {
        self.0.load(Ordering::Acquire);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_lasts_until_its_last_user_leaves() {
        let access = ModelAccess::new();
        assert!(access.try_read() && access.try_read());
        assert!(!access.try_write());
        access.keep();
        assert!(!access.end_read());
        assert!(!access.end_keep());
        assert!(!access.try_write());
        assert!(!access.end_keep(), "a reader is left");
        assert!(access.end_read());
        let access = ModelAccess::new();
        assert!(access.try_write());
        assert!(!access.try_read() && !access.try_write());
        access.end_write();
        assert!(access.try_read() && !access.end_read());
        assert!(access.end_keep());
    }

    #[test]
    fn many_readers_or_one_writer() {
        let access = Access::new();
        assert!(access.try_read() && access.try_read());
        assert!(!access.try_write());
        access.end_read();
        assert!(!access.try_write());
        access.end_read();
        assert!(access.try_write());
        assert!(!access.try_read() && !access.try_write());
        access.end_write();
        assert!(access.try_read());
    }
}
