//! The instruction set of this process: detected once, or forced by the environment variable FEELER_ISA.

use fearless_simd::{Level, Simd};
use std::sync::OnceLock;

static LEVEL: OnceLock<(Level, &str)> = OnceLock::new();

fn chosen() -> &'static (Level, &'static str) {
    LEVEL.get_or_init(|| {
        // SAFETY: getenv returns NULL or a NUL-terminated string, which stays while no other thread changes the environment.
        // A host that does so while it makes its first pair breaks the rules of setenv. Unlike std::env, getenv does not
        // allocate.
        #[cfg_attr(feature = "portable", expect(unused_variables))]
        let forced = unsafe {
            let value = libc::getenv(c"FEELER_ISA".as_ptr());
            if value.is_null() { c"" } else { core::ffi::CStr::from_ptr(value) }
        };
        #[cfg(feature = "portable")]
        return (Level::fallback(), "portable");
        #[cfg(not(feature = "portable"))]
        select(Level::new(), forced.to_str().unwrap_or_default())
    })
}

#[cfg(all(not(feature = "portable"), any(target_arch = "x86_64", target_arch = "x86")))]
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

#[cfg(all(not(feature = "portable"), target_arch = "aarch64"))]
fn select(best: Level, _forced: &str) -> (Level, &'static str) {
    (best, "neon")
}

#[cfg(not(any(feature = "portable", target_arch = "x86_64", target_arch = "x86", target_arch = "aarch64")))]
fn select(best: Level, _forced: &str) -> (Level, &'static str) {
    (best, "portable")
}

/// The level that every query of this process runs on. A pair keeps it, so that no query takes the once-lock.
pub fn level() -> Level {
    chosen().0
}

/// Name of the level: "avx512", "avx2", "sse2", "neon" or "portable".
pub fn name() -> &'static str {
    chosen().1
}

/// Runs an expression on the given level, up to AVX2, with `$simd` bound to its instruction set. With `on_widest_level` the one
/// place where an instruction set is chosen.
macro_rules! on_level {
    ($level:expr, $simd:ident => $work:expr) => {{
        #[cfg(feature = "portable")]
        let result = {
            let (_, $simd) = ($level, fearless_simd::Fallback::new());
            $crate::simd::level::enter(
                $simd,
                #[inline(always)]
                || $work,
            )
        };
        #[cfg(one_level)]
        let result = {
            let avx2: Option<fearless_simd::Avx2> = $level.as_avx2();
            let $simd = avx2.expect("FEELER_ONE_LEVEL=1 compiled AVX2 alone; FEELER_ONE_LEVEL=0 compiles all");
            $crate::simd::level::enter(
                $simd,
                #[inline(always)]
                || $work,
            )
        };
        // Spelt out, because `fearless_simd::dispatch` would compile every query for levels that are never chosen.
        #[cfg(all(not(any(one_level, feature = "portable")), any(target_arch = "x86_64", target_arch = "x86")))]
        let result = {
            let level = $level;
            match (level.as_avx2(), level.as_sse2()) {
                (Some($simd), _) => $crate::simd::level::enter(
                    $simd,
                    #[inline(always)]
                    || $work,
                ),
                (_, Some($simd)) => $crate::simd::level::enter_apart(
                    $simd,
                    #[inline(always)]
                    || $work,
                ),
                _ => unreachable!("SSE2 is part of every x86 target with SIMD"),
            }
        };
        #[cfg(not(any(one_level, feature = "portable", target_arch = "x86_64", target_arch = "x86")))]
        let result = fearless_simd::dispatch!($level, $simd => $work);
        result
    }};
}
pub(crate) use on_level;

/// `on_level` for what is worth compiling once more: with the registers and masks of AVX-512 the searches of the default volume
/// spill and broadcast less, at the same width and with the same bits.
macro_rules! on_widest_level {
    ($level:expr, $simd:ident => $work:expr) => {{
        let level = $level;
        #[cfg(all(not(any(one_level, feature = "portable")), any(target_arch = "x86_64", target_arch = "x86")))]
        let result = match level.as_avx512() {
            Some($simd) => $crate::simd::level::enter(
                $simd,
                #[inline(always)]
                || $work,
            ),
            None => $crate::simd::level::on_level!(level, $simd => $work),
        };
        #[cfg(any(one_level, feature = "portable", not(any(target_arch = "x86_64", target_arch = "x86"))))]
        let result = $crate::simd::level::on_level!(level, $simd => $work);
        result
    }};
}
pub(crate) use on_widest_level;

/// Runs the work with the features of an instruction set.
#[inline(always)]
pub fn enter<S: Simd, R>(simd: S, work: impl FnOnce() -> R) -> R {
    simd.vectorize(work)
}

/// `enter` for instructions that every processor of the target has: the work would be inlined, and whoever runs better
/// instructions would still reserve the stack of it.
#[cfg(all(not(any(one_level, feature = "portable")), any(target_arch = "x86_64", target_arch = "x86")))]
#[inline(never)]
pub fn enter_apart<S: Simd, R>(simd: S, work: impl FnOnce() -> R) -> R {
    simd.vectorize(work)
}

/// Work that is compiled once per instruction set, for callers that cannot use `on_level`.
pub trait Operation {
    type Output;
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Runs the operation on the given level, up to AVX2.
#[inline(always)]
pub fn dispatch<O: Operation>(level: Level, operation: O) -> O::Output {
    on_level!(level, simd => operation.run(simd))
}
