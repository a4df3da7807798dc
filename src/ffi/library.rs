//! Functions about the library itself: version, instruction set, status names, error message.

use super::constants::*;
use super::message;
use crate::simd::level;
use core::ffi::{CStr, c_char};

/// Cargo's version, part by part. The macros of the header come from the same source.
const VERSION: u32 = part(env!("CARGO_PKG_VERSION_MAJOR")) * 10_000
    + part(env!("CARGO_PKG_VERSION_MINOR")) * 100
    + part(env!("CARGO_PKG_VERSION_PATCH"));

const fn part(text: &str) -> u32 {
    match u32::from_str_radix(text, 10) {
        Ok(number) => number,
        Err(_) => panic!("a part of the version is not a number"),
    }
}

/// The version of the library that runs: major * 10000 + minor * 100 + patch. Compare with FEELER_VERSION.
#[unsafe(no_mangle)]
pub extern "C" fn feeler_version() -> u32 {
    VERSION
}

/// The version of the library that runs, for example "0.1.0". A constant string.
#[unsafe(no_mangle)]
pub extern "C" fn feeler_version_string() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The instruction set that queries use: "avx512", "avx2", "sse2", "neon" or "portable". A constant string. Answers do
/// not depend on it. On x86 the environment variable FEELER_ISA can ask for "avx2" or "sse2". It is read once.
#[unsafe(no_mangle)]
pub extern "C" fn feeler_instruction_set() -> *const c_char {
    let name: &CStr = match level::name() {
        "avx512" => c"avx512",
        "avx2" => c"avx2",
        "sse2" => c"sse2",
        "neon" => c"neon",
        _ => c"portable",
    };
    name.as_ptr()
}

/// The name of a status, for example "FEELER_STATUS_OK". A constant string, never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn feeler_status_name(status: u32) -> *const c_char {
    let name: &CStr = match status {
        FEELER_STATUS_OK => c"FEELER_STATUS_OK",
        FEELER_STATUS_NULL_ARGUMENT => c"FEELER_STATUS_NULL_ARGUMENT",
        FEELER_STATUS_INVALID_ARGUMENT => c"FEELER_STATUS_INVALID_ARGUMENT",
        FEELER_STATUS_INVALID_STRUCT => c"FEELER_STATUS_INVALID_STRUCT",
        FEELER_STATUS_INVALID_MESH => c"FEELER_STATUS_INVALID_MESH",
        FEELER_STATUS_NOT_BUILT => c"FEELER_STATUS_NOT_BUILT",
        FEELER_STATUS_INCOMPATIBLE => c"FEELER_STATUS_INCOMPATIBLE",
        FEELER_STATUS_UNSUPPORTED => c"FEELER_STATUS_UNSUPPORTED",
        FEELER_STATUS_OUT_OF_MEMORY => c"FEELER_STATUS_OUT_OF_MEMORY",
        FEELER_STATUS_BUSY => c"FEELER_STATUS_BUSY",
        FEELER_STATUS_INTERNAL => c"FEELER_STATUS_INTERNAL",
        _ => c"unknown status",
    };
    name.as_ptr()
}

/// Why the last failing call on this thread failed: a sentence that names the argument. Never NULL, empty before the
/// first failure. The sentence stays until the next failure on this thread; successful calls do not change it.
#[unsafe(no_mangle)]
pub extern "C" fn feeler_last_error_message() -> *const c_char {
    message::pointer()
}
