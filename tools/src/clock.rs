//! Seconds that this thread has computed, so that other programs on the machine do not count.

pub fn thread_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the struct is ours.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// What two readings of the clock take by themselves.
pub fn reading() -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..2000 {
        let start = thread_seconds();
        least = least.min(thread_seconds() - start);
    }
    least
}

/// Of several runs, the shortest, in seconds of this thread.
pub fn quietest(runs: usize, mut work: impl FnMut()) -> f64 {
    (0..runs)
        .map(|_| {
            let start = thread_seconds();
            work();
            thread_seconds() - start
        })
        .fold(f64::INFINITY, f64::min)
}
