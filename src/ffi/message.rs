//! The message of the last failure on this thread, in fixed memory.

use core::cell::UnsafeCell;
use core::ffi::c_char;

/// Room for the longest message of the core and its terminating NUL.
const CAPACITY: usize = 240;

thread_local! {
    // Constant and without a destructor, so neither the first use nor the end of the thread allocates.
    static MESSAGE: UnsafeCell<[u8; CAPACITY]> = const { UnsafeCell::new([0; CAPACITY]) };
}

/// Keeps a message until the next failure on this thread.
pub(super) fn set(sentence: &str) {
    let bytes = sentence.as_bytes();
    let length = bytes.len().min(CAPACITY - 1);
    MESSAGE.with(|message| {
        // SAFETY: the buffer belongs to this thread, and no other reference to it exists: `pointer` hands out a raw
        // pointer only, which the caller reads between calls.
        let buffer = unsafe { &mut *message.get() };
        buffer[..length].copy_from_slice(&bytes[..length]);
        buffer[length] = 0;
    });
}

/// The NUL-terminated message. Empty before the first failure.
pub(super) fn pointer() -> *const c_char {
    MESSAGE.with(|message| message.get() as *const c_char)
}
