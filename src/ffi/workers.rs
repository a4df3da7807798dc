//! Threads for builds that start from C: plain pthreads, because std's threads abort when memory runs out. The host's
//! signals and cancellation requests find none of them.

use crate::tree::build::workers::{Queue, Workers};
use core::mem::MaybeUninit;
use libc::{SIG_SETMASK, pthread_sigmask, sigfillset, sigset_t};
use libc::{c_int, c_void, pthread_attr_destroy, pthread_attr_init, pthread_attr_setstacksize, pthread_attr_t};
use libc::{pthread_create, pthread_join, pthread_t};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// A build has 64 parts, so more threads have nothing to do.
const MOST: usize = 64;

/// Stack of a thread in bytes. The recursion of the builder is at most 48 levels deep and needs less than a quarter of
/// it.
const STACK: usize = 512 * 1024;

/// The stack size to request. The GNU C library puts the thread-local variables of the host on the stack, and tells how
/// much of the stack they need.
fn stack_size(attributes: *const pthread_attr_t) -> usize {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        type LeastStack = unsafe extern "C" fn(*const pthread_attr_t) -> usize;
        // SAFETY: the C library has this function since version 2.15, with this signature, for the sake of runtimes; where
        // the name is unknown the answer is NULL, which is `None`.
        unsafe {
            let found = libc::dlsym(libc::RTLD_DEFAULT, c"__pthread_get_minstack".as_ptr());
            if let Some(least) = core::mem::transmute::<*mut c_void, Option<LeastStack>>(found) {
                return STACK.saturating_add(least(attributes));
            }
        }
    }
    let _ = attributes;
    STACK
}

/// While this value lives, the calling thread cannot be cancelled. It could be cancelled while it joins the workers, and
/// these would then use freed memory. A request to cancel waits until the host's next cancellation point.
pub struct NotCancelled {
    found: c_int,
}

#[cfg(not(target_os = "android"))]
impl NotCancelled {
    pub fn begin() -> Self {
        let mut found = 0;
        // SAFETY: the state before is written to `found`.
        unsafe { pthread_setcancelstate(CANCEL_DISABLE, &mut found) };
        Self { found }
    }
}

#[cfg(not(target_os = "android"))]
impl Drop for NotCancelled {
    fn drop(&mut self) {
        let mut disabled = 0;
        // SAFETY: the state is one that the system gave.
        unsafe { pthread_setcancelstate(self.found, &mut disabled) };
    }
}

/// There is no cancellation on Android.
#[cfg(target_os = "android")]
impl NotCancelled {
    pub fn begin() -> Self {
        Self { found: 0 }
    }
}

#[cfg(not(target_os = "android"))]
const CANCEL_DISABLE: c_int = if cfg!(any(target_vendor = "apple", target_os = "netbsd")) { 0 } else { 1 };

#[cfg(not(target_os = "android"))]
unsafe extern "C" {
    fn pthread_setcancelstate(state: c_int, old: *mut c_int) -> c_int;
}

/// While this value lives, the calling thread and the threads that it starts receive no signals.
struct NoSignals {
    found: MaybeUninit<sigset_t>,
    is_set: bool,
}

impl NoSignals {
    fn begin() -> Self {
        let (mut all, mut found) = (MaybeUninit::<sigset_t>::uninit(), MaybeUninit::<sigset_t>::uninit());
        // SAFETY: `all` is filled before it is read; the mask before is written to `found`.
        let is_set = unsafe {
            sigfillset(all.as_mut_ptr());
            pthread_sigmask(SIG_SETMASK, all.as_ptr(), found.as_mut_ptr()) == 0
        };
        Self { found, is_set }
    }
}

impl Drop for NoSignals {
    fn drop(&mut self) {
        if self.is_set {
            // SAFETY: `found` was written when the mask was set.
            unsafe { pthread_sigmask(SIG_SETMASK, self.found.as_ptr(), core::ptr::null_mut()) };
        }
    }
}

/// At most this many threads, the calling one included. Fewer when the system refuses.
#[derive(Clone, Copy, Debug)]
pub struct Pthreads(pub usize);

/// Number of processors that are online. Unlike std's function, this one never allocates.
pub fn processors() -> usize {
    // SAFETY: a query without arguments in memory.
    let count = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
    count.max(1) as usize
}

/// What the threads of one run share.
struct Shared<'a> {
    queue: Queue<'a>,
    panicked: AtomicBool,
}

impl Shared<'_> {
    /// Works until no task is left. A panic must not leave a thread that C created.
    fn drain(&self) {
        if catch_unwind(AssertUnwindSafe(|| self.queue.drain())).is_err() {
            self.panicked.store(true, Ordering::Relaxed);
        }
    }
}

extern "C" fn thread_main(shared: *mut c_void) -> *mut c_void {
    // SAFETY: `run` passes a pointer to its `Shared`, which is `Sync`, and joins this thread before that goes away.
    let shared = unsafe { &*shared.cast::<Shared>() };
    shared.drain();
    core::ptr::null_mut()
}

impl Workers for Pthreads {
    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        let shared = Shared { queue: Queue::new(tasks, work), panicked: AtomicBool::new(false) };
        let wanted = self.0.min(tasks).min(MOST).saturating_sub(1);
        let mut started = arrayvec::ArrayVec::<pthread_t, MOST>::new();
        let mut attributes = MaybeUninit::<pthread_attr_t>::uninit();
        // SAFETY: the attributes are initialised before their other uses and destroyed once; the threads get a pointer
        // to `shared`, which outlives them because all of them are joined below, without a way to leave in between: the caller
        // saw to it that this thread is not cancelled (`NotCancelled`), and `drain` lets no panic out.
        unsafe {
            if wanted > 0 && pthread_attr_init(attributes.as_mut_ptr()) == 0 {
                let attributes = attributes.as_mut_ptr();
                let _no_signals = NoSignals::begin();
                let sized = pthread_attr_setstacksize(attributes, stack_size(attributes)) == 0;
                while sized && started.len() < wanted {
                    let mut thread = MaybeUninit::<pthread_t>::uninit();
                    let argument = (&raw const shared).cast_mut().cast::<c_void>();
                    if pthread_create(thread.as_mut_ptr(), attributes, thread_main, argument) != 0 {
                        break;
                    }
                    started.push(thread.assume_init());
                }
                pthread_attr_destroy(attributes);
            }
            shared.drain();
            for thread in started {
                pthread_join(thread, core::ptr::null_mut());
            }
        }
        assert!(!shared.panicked.load(Ordering::Relaxed), "a build task panicked");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn every_task_runs_once() {
        for threads in [0, 1, 2, 3, 8, 1000] {
            let counts: [AtomicUsize; 100] = core::array::from_fn(|_| AtomicUsize::new(0));
            Pthreads(threads).run(100, &|task| {
                counts[task].fetch_add(1, Ordering::Relaxed);
            });
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1));
        }
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let outcome = catch_unwind(|| Pthreads(3).run(10, &|task| assert!(task != 5)));
        assert!(outcome.is_err());
    }
}
