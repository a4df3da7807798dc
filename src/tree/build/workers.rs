//! Who does the work of a build.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` once for every number below `tasks`, in any order and on any threads, and returns when all are done.
pub trait Workers {
    /// Calls `work` once with every number below `tasks`, and returns when all calls have.
    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync));
}

/// The calling thread alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inline;

impl Workers for Inline {
    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(work);
    }
}

/// This many threads of the standard library, the calling one included. Starting them allocates, and aborts without
/// memory.
#[derive(Clone, Copy, Debug)]
pub struct Threads(pub usize);

impl Workers for Threads {
    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        let queue = Queue::new(tasks, work);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (1..self.0.min(tasks)).map(|_| scope.spawn(|| queue.drain())).collect();
            queue.drain();
            // The scope would wait for them, too, but in a way that a sanitizer does not see.
            for thread in threads {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
        });
    }
}

/// The tasks that no thread has started.
pub struct Queue<'a> {
    next: AtomicUsize,
    tasks: usize,
    work: &'a (dyn Fn(usize) + Sync),
}

impl<'a> Queue<'a> {
    pub fn new(tasks: usize, work: &'a (dyn Fn(usize) + Sync)) -> Self {
        Self { next: AtomicUsize::new(0), tasks, work }
    }

    /// Works until no task is left. Joining the threads makes visible what the tasks wrote.
    pub fn drain(&self) {
        loop {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            if task >= self.tasks {
                return;
            }
            (self.work)(task);
        }
    }
}
