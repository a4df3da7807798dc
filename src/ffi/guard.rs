//! Around every exported function: errors become a status and a message, and panics do not reach C.

use super::constants::{FEELER_STATUS_OK, feeler_status};
use super::float_environment::DefaultFloatEnvironment;
use super::message;
use crate::error::{Error, Status};
use core::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the body of an exported function that does not compute, or that computes with a `UsedPair`, which sets the
/// environment.
#[inline]
pub(super) fn guard(body: impl FnOnce() -> Result<(), Error>) -> feeler_status {
    // Only the status leaves the closure: an error has room for a sentence, and copying that room on success costs as much as half a short
    // query. A lease owns what a panic may have left half done, and notices the panic (see `block`).
    let status = || match body() {
        Ok(()) => FEELER_STATUS_OK,
        Err(error) => failed(&error),
    };
    catch_unwind(AssertUnwindSafe(status)).unwrap_or_else(|panic| internal(&*panic))
}

#[cold]
#[inline(never)]
fn failed(error: &Error) -> feeler_status {
    message::set(&error.message);
    error.status as feeler_status
}

/// Runs the body of an exported function that computes, in the default floating-point environment.
#[inline]
pub(super) fn guard_computation(body: impl FnOnce() -> Result<(), Error>) -> feeler_status {
    let _environment = DefaultFloatEnvironment::enter();
    guard(body)
}

#[cold]
fn internal(panic: &(dyn Any + Send)) -> feeler_status {
    let reason = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text.as_str(),
        _ => "a panic without a message",
    };
    failed(&Error::new(Status::Internal, format_args!("internal error in feeler: {reason}")))
}

/// "<name> is NULL".
#[cold]
pub(super) fn null_argument(name: &str) -> Error {
    Error::new(Status::NullArgument, format_args!("{name} is NULL"))
}

#[cfg(test)]
mod tests {
    use super::super::constants::FEELER_STATUS_INTERNAL;
    use super::super::library::feeler_last_error_message;
    use super::*;
    use core::ffi::CStr;

    fn last_message() -> String {
        // SAFETY: the message is NUL-terminated and outlives this call.
        unsafe { CStr::from_ptr(feeler_last_error_message()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn panics_become_internal_with_their_message() {
        assert_eq!(guard(|| panic!("a defect")), FEELER_STATUS_INTERNAL);
        assert_eq!(last_message(), "internal error in feeler: a defect");
        let number = std::hint::black_box(7);
        assert_eq!(guard_computation(|| panic!("defect {number}")), FEELER_STATUS_INTERNAL);
        assert_eq!(last_message(), "internal error in feeler: defect 7");
        assert_eq!(guard(|| std::panic::panic_any(1u8)), FEELER_STATUS_INTERNAL);
        assert_eq!(last_message(), "internal error in feeler: a panic without a message");
        assert_eq!(guard(|| panic!("{}", "ä".repeat(1000))), FEELER_STATUS_INTERNAL);
        assert!(last_message().ends_with("ä"));
    }

    #[test]
    fn success_keeps_the_last_message() {
        assert_eq!(guard(|| Err(null_argument("pair"))), Status::NullArgument as u32);
        assert_eq!(guard(|| Ok(())), FEELER_STATUS_OK);
        assert_eq!(last_message(), "pair is NULL");
    }
}
