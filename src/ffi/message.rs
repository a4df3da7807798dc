//! The message of the last failure on this thread, in fixed memory.
//!
//! A thread-local variable would be simpler. But in a library that was loaded at run time, the C library allocates such
//! variables when a thread first touches them, and ends the process when that fails. Then reporting that memory ran out
//! would be fatal. So on Linux the messages are in static slots, and a pthread key says which slot belongs to a thread. The
//! C library keeps the first keys of a program in memory that every thread has from its start.

use core::ffi::c_char;

/// Room for the longest message of the core and its terminating NUL.
const CAPACITY: usize = 240;

/// Copies a message and a NUL, and cuts the message off at the end of the buffer.
fn copy_to(buffer: &mut [u8; CAPACITY], sentence: &str) {
    let bytes = sentence.as_bytes();
    let length = bytes.len().min(CAPACITY - 1);
    buffer[..length].copy_from_slice(&bytes[..length]);
    buffer[length] = 0;
}

#[cfg(target_os = "linux")]
pub(super) use slots::{pointer, set};
#[cfg(not(target_os = "linux"))]
pub(super) use thread_local::{pointer, set};

#[cfg(target_os = "linux")]
mod slots {
    use super::{CAPACITY, c_char, copy_to};
    use core::cell::UnsafeCell;
    use core::ffi::{CStr, c_void};
    use core::ptr;
    use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use libc::{pthread_getspecific, pthread_key_create, pthread_key_delete, pthread_key_t, pthread_setspecific};

    /// Number of threads that can have a message at the same time. A thread that ends frees its slot.
    const THREADS: usize = 512;

    /// The message of a thread that found no free slot.
    const LOST: &CStr = c"the message of this failure was lost: too many threads of this program had failures";

    struct Slot {
        taken: AtomicBool,
        sentence: UnsafeCell<[u8; CAPACITY]>,
    }

    // SAFETY: only the thread that took a slot touches its message.
    unsafe impl Sync for Slot {}

    static SLOTS: [Slot; THREADS] =
        [const { Slot { taken: AtomicBool::new(false), sentence: UnsafeCell::new([0; CAPACITY]) } }; THREADS];

    /// The key plus 1. 0 before the first failure of the process.
    static KEY: AtomicU64 = AtomicU64::new(0);

    fn key() -> Option<pthread_key_t> {
        KEY.load(Ordering::Acquire).checked_sub(1).map(|key| key as pthread_key_t)
    }

    /// The key. The first failure makes it. None when the process has no key left.
    fn make_key() -> Option<pthread_key_t> {
        if let Some(key) = key() {
            return Some(key);
        }
        let mut made: pthread_key_t = 0;
        // SAFETY: the key is written by the call; the destructor is code of this library, which `delete_key` sees to.
        if unsafe { pthread_key_create(&mut made, Some(give_back)) } != 0 {
            return None;
        }
        match KEY.compare_exchange(0, u64::from(made) + 1, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => Some(made),
            Err(_) => {
                // SAFETY: nobody else knows this key.
                unsafe { pthread_key_delete(made) };
                key()
            }
        }
    }

    /// Runs at the end of a thread. `slot` is the value that the thread stored under the key.
    extern "C" fn give_back(slot: *mut c_void) {
        if let Some(slot) = SLOTS.iter().find(|candidate| ptr::from_ref(*candidate).cast::<c_void>() == slot) {
            slot.taken.store(false, Ordering::Release);
        }
    }

    /// Runs when the library is unloaded: threads that end later must not call its code.
    extern "C" fn delete_key() {
        if let Some(key) = KEY.swap(0, Ordering::AcqRel).checked_sub(1) {
            // SAFETY: a key that `make_key` made, and that nobody finds any more.
            unsafe { pthread_key_delete(key as pthread_key_t) };
        }
    }

    // SAFETY: the section holds pointers to functions without arguments, which the loader calls when the library is closed
    // and at the end of the program.
    #[used]
    #[unsafe(link_section = ".fini_array")]
    static AT_CLOSE: extern "C" fn() = delete_key;

    fn take() -> Option<&'static Slot> {
        SLOTS.iter().find(|slot| slot.taken.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok())
    }

    /// Keeps a message until the next failure on this thread.
    pub(in super::super) fn set(sentence: &str) {
        let Some(key) = make_key() else { return };
        // SAFETY: the key exists. What stands under it is NULL, `LOST` or a slot that this thread took.
        unsafe {
            let found = pthread_getspecific(key).cast_const();
            let slot = if found.is_null() || found == LOST.as_ptr().cast() {
                let Some(slot) = take() else {
                    pthread_setspecific(key, LOST.as_ptr().cast());
                    return;
                };
                slot
            } else {
                &*found.cast::<Slot>()
            };
            // No other reference to the sentence exists: `pointer` hands out a raw pointer only, which the caller reads
            // between calls.
            copy_to(&mut *slot.sentence.get(), sentence);
            if !ptr::eq(found, ptr::from_ref(slot).cast()) && pthread_setspecific(key, ptr::from_ref(slot).cast()) != 0
            {
                // Only a program with many keys of its own gets here, and only when memory is short.
                slot.taken.store(false, Ordering::Release);
            }
        }
    }

    /// The NUL-terminated message. Empty before the first failure.
    pub(in super::super) fn pointer() -> *const c_char {
        let Some(key) = key() else { return c"".as_ptr() };
        // SAFETY: as in `set`.
        unsafe {
            let found = pthread_getspecific(key).cast_const();
            if found.is_null() {
                c"".as_ptr()
            } else if found == LOST.as_ptr().cast() {
                LOST.as_ptr()
            } else {
                (*found.cast::<Slot>()).sentence.get() as *const c_char
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::sync::Barrier;

        fn read() -> String {
            // SAFETY: the sentence ends with NUL and is this thread's.
            unsafe { CStr::from_ptr(pointer()) }.to_str().unwrap().to_owned()
        }

        #[test]
        fn every_thread_has_its_own_sentence_and_gives_the_slot_back() {
            // More threads than slots, one after the other: none finds the pool empty, and each starts without a message.
            for number in 0..2 * THREADS {
                std::thread::spawn(move || {
                    assert_eq!(read(), "");
                    set(&format!("failure {number}"));
                    assert_eq!(read(), format!("failure {number}"));
                })
                .join()
                .unwrap();
            }
        }

        #[test]
        fn with_more_failing_threads_than_slots_the_rest_are_told() {
            let (failed, told) = (Barrier::new(THREADS + 8), Barrier::new(THREADS + 8));
            let lost = std::sync::atomic::AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for number in 0..THREADS + 8 {
                    let (failed, told, lost) = (&failed, &told, &lost);
                    std::thread::Builder::new()
                        .stack_size(128 << 10)
                        .spawn_scoped(scope, move || {
                            set(&format!("failure {number}"));
                            failed.wait();
                            let message = read();
                            told.wait();
                            if message == LOST.to_str().unwrap() {
                                lost.fetch_add(1, Ordering::Relaxed);
                            } else {
                                assert_eq!(message, format!("failure {number}"));
                            }
                        })
                        .unwrap();
                }
            });
            // The other test may hold a slot at the time.
            assert!(lost.load(Ordering::Relaxed) >= 8, "{lost:?}");
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod thread_local {
    use super::{CAPACITY, c_char, copy_to};
    use core::cell::UnsafeCell;

    thread_local! {
        // Constant and without a destructor: where the program starts with the library, neither the first use nor the end
        // of the thread allocates.
        static MESSAGE: UnsafeCell<[u8; CAPACITY]> = const { UnsafeCell::new([0; CAPACITY]) };
    }

    /// Keeps a message until the next failure on this thread.
    pub(in super::super) fn set(sentence: &str) {
        // SAFETY: the buffer belongs to this thread, and no other reference to it exists: `pointer` hands out a raw pointer
        // only, which the caller reads between calls.
        MESSAGE.with(|message| copy_to(unsafe { &mut *message.get() }, sentence));
    }

    /// The NUL-terminated message. Empty before the first failure.
    pub(in super::super) fn pointer() -> *const c_char {
        MESSAGE.with(|message| message.get() as *const c_char)
    }
}
