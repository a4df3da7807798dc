//! Threads for builds that start from C: plain pthreads, because std's threads abort when memory runs out.

use crate::tree::build::workers::{Queue, Workers};
use core::mem::MaybeUninit;
use libc::{c_void, pthread_attr_destroy, pthread_attr_init, pthread_attr_setstacksize, pthread_attr_t};
use libc::{pthread_create, pthread_join, pthread_t};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// More threads than this have nothing to do: a build has 64 parts.
const MOST: usize = 64;

/// Bytes of a thread's stack: the builder's recursion is 48 levels deep at most, and needs less than a quarter.
const STACK: usize = 512 * 1024;

/// So many threads at most, the calling one included; fewer when the system refuses more.
#[derive(Clone, Copy, Debug)]
pub struct Pthreads(pub usize);

/// Processors that are online; unlike std's count this one never allocates.
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
    /// Works until nothing is left; a panic must not leave a thread that C created.
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
        // to `shared`, which outlives them because all of them are joined below, without a way to leave in between.
        unsafe {
            if wanted > 0 && pthread_attr_init(attributes.as_mut_ptr()) == 0 {
                let attributes = attributes.as_mut_ptr();
                let sized = pthread_attr_setstacksize(attributes, STACK) == 0;
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
