//! Who may use a handle now: many readers or one writer. Others get BUSY; nobody waits.

use core::sync::atomic::{AtomicU32, Ordering};

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

#[cfg(test)]
mod tests {
    use super::*;

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
