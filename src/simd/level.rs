//! The instruction set of this process: detected once, or forced by the environment variable FEELER_ISA.

use fearless_simd::{Level, Simd};
use std::sync::OnceLock;

static LEVEL: OnceLock<(Level, &str)> = OnceLock::new();

fn chosen() -> &'static (Level, &'static str) {
    LEVEL.get_or_init(|| {
        // SAFETY: getenv returns NULL or a NUL-terminated string; unlike std::env it does not allocate.
        let forced = unsafe {
            let value = libc::getenv(c"FEELER_ISA".as_ptr());
            if value.is_null() { c"" } else { core::ffi::CStr::from_ptr(value) }
        };
        select(Level::new(), forced.to_str().unwrap_or_default())
    })
}

#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
fn select(best: Level, forced: &str) -> (Level, &'static str) {
    if let Some(avx512) = best.as_avx512().filter(|_| !matches!(forced, "avx2" | "sse2")) {
        return (Level::Avx512(avx512), "avx512");
    }
    match best.as_avx2() {
        Some(avx2) if forced != "sse2" => (Level::Avx2(avx2), "avx2"),
        _ => match best.as_sse2() {
            Some(sse2) => (Level::Sse2(sse2), "sse2"),
            None => (best, "portable"),
        },
    }
}

#[cfg(target_arch = "aarch64")]
fn select(best: Level, _forced: &str) -> (Level, &'static str) {
    (best, "neon")
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64")))]
fn select(best: Level, _forced: &str) -> (Level, &'static str) {
    (best, "portable")
}

/// The level that every query of this process runs on; a pair keeps it, so that no query meets the once-lock.
pub fn level() -> Level {
    chosen().0
}

/// Its name: "avx512", "avx2", "sse2", "neon" or "portable".
pub fn name() -> &'static str {
    chosen().1
}

/// Work that is compiled once per instruction set.
pub trait Operation {
    type Output;
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Runs the operation on the given level, up to AVX2; with `dispatch_widest` the one place where an instruction set is
/// chosen.
#[inline(always)]
pub fn dispatch<O: Operation>(level: Level, operation: O) -> O::Output {
    #[cfg(one_level)]
    return run(
        level.as_avx2().expect("FEELER_ONE_LEVEL=1 compiled AVX2 alone; FEELER_ONE_LEVEL=0 compiles all"),
        operation,
    );
    // Spelt out, because the crate's own macro would compile every query for levels that are never chosen.
    #[cfg(all(not(one_level), any(target_arch = "x86_64", target_arch = "x86")))]
    return match (level.as_avx2(), level.as_sse2()) {
        (Some(simd), _) => run(simd, operation),
        (_, Some(simd)) => run(simd, operation),
        _ => unreachable!("SSE2 is part of every x86 target with SIMD"),
    };
    #[cfg(all(not(one_level), not(any(target_arch = "x86_64", target_arch = "x86"))))]
    fearless_simd::dispatch!(level, simd => run(simd, operation))
}

/// `dispatch` for what is worth compiling once more: with the registers and masks of AVX-512 the searches of the default
/// volume spill and broadcast less, at the same width and with the same bits.
#[inline(always)]
pub fn dispatch_widest<O: Operation>(level: Level, operation: O) -> O::Output {
    #[cfg(all(not(one_level), any(target_arch = "x86_64", target_arch = "x86")))]
    if let Some(simd) = level.as_avx512() {
        return run(simd, operation);
    }
    dispatch(level, operation)
}

#[inline(always)]
fn run<S: Simd, O: Operation>(simd: S, operation: O) -> O::Output {
    simd.vectorize(
        #[inline(always)]
        || operation.run(simd),
    )
}
