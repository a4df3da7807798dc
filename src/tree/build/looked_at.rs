//! How many triangles a build looks at: once for every pass over a set that it bounds, turns, divides or fits a volume to. A pass takes
//! a bounded time for each triangle, so this is what the time of a build grows with; unlike a clock it is the same on every machine.

#[cfg(any(test, feature = "internals"))]
mod counted {
    use core::cell::Cell;

    std::thread_local! {
        static LOOKED_AT: Cell<u64> = const { Cell::new(0) };
    }

    pub fn look_at(triangles: usize) {
        LOOKED_AT.set(LOOKED_AT.get() + triangles as u64);
    }

    /// What this thread has looked at since it last asked.
    pub fn take() -> u64 {
        LOOKED_AT.take()
    }
}

#[cfg(any(test, feature = "internals"))]
pub use counted::{look_at, take};

#[cfg(not(any(test, feature = "internals")))]
#[inline(always)]
pub fn look_at(_triangles: usize) {}
