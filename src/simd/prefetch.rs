//! Prefetching: a search knows a node some steps before it opens that node.

/// Asks for all cache lines of the value.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = core::ptr::from_ref(value).cast::<i8>();
        let mut offset = 0;
        while offset < size_of::<T>() {
            // SAFETY: the address is inside a live value, and prefetching never faults.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.add(offset)) };
            offset += 64;
        }
        if offset - size_of::<T>() < align_of::<T>() && align_of::<T>() < 64 {
            // The value may begin inside a cache line and then ends in one more.
            // SAFETY: as above; no value that is prefetched is empty.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.add(size_of::<T>() - 1)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
