//! Who does the work of a build.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` once for every number below `tasks`, in any order and on any threads, and returns when all are done.
pub trait Workers {
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

/// So many threads of the standard library, the calling one included; starting them allocates, and aborts if it cannot.
#[derive(Clone, Copy, Debug)]
pub struct Threads(pub usize);

impl Workers for Threads {
    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        let queue = Queue::new(tasks, work);
        std::thread::scope(|scope| {
            for _ in 1..self.0.min(tasks) {
                scope.spawn(|| queue.drain());
            }
            queue.drain();
        });
    }
}

/// The tasks that nobody has begun yet.
pub struct Queue<'a> {
    next: AtomicUsize,
    tasks: usize,
    work: &'a (dyn Fn(usize) + Sync),
}

impl<'a> Queue<'a> {
    pub fn new(tasks: usize, work: &'a (dyn Fn(usize) + Sync)) -> Self {
        Self { next: AtomicUsize::new(0), tasks, work }
    }

    /// Works until nothing is left; what the tasks write is made visible by whoever joins the threads.
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
