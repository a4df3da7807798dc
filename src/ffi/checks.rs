//! Numbers and flags as they come from C.

use crate::error::{Error, Status};

/// Unknown flags may belong to a newer version; refuse them.
#[inline(always)]
pub(super) fn known_flags(flags: u32, known: u32, name: &str) -> Result<(), Error> {
    match flags & !known {
        0 => Ok(()),
        unknown => Err(unknown_flags(unknown, name)),
    }
}

#[cold]
fn unknown_flags(unknown: u32, name: &str) -> Error {
    Error::new(Status::Unsupported, format_args!("{name} has bits {unknown:#x}, which this version does not know"))
}

/// A newer version may give a reserved field a meaning, so a value there is unsupported, not invalid.
pub(super) fn reserved(value: u32, name: &str) -> Result<(), Error> {
    if value == 0 {
        return Ok(());
    }
    Err(Error::new(Status::Unsupported, format_args!("{name} is {value}, but it is reserved and kept 0")))
}

/// A number of entries to allocate, at most `most`.
pub(super) fn at_most(value: u32, most: u32, name: &str) -> Result<(), Error> {
    if value <= most {
        return Ok(());
    }
    Err(Error::new(Status::InvalidArgument, format_args!("{name} is {value}, more than {most}")))
}

/// A number that stands for a choice.
pub(super) fn choice<T: Copy>(value: u32, choices: &[T], name: &str) -> Result<T, Error> {
    choices.get(value as usize).copied().ok_or_else(|| {
        Error::new(Status::InvalidArgument, format_args!("{name} is {value}, not within 0 to {}", choices.len() - 1))
    })
}

/// A length or an error: finite and not negative.
pub(super) fn finite_amount(value: f64, name: &str) -> Result<f64, Error> {
    if value.is_infinite() {
        return Err(Error::new(Status::InvalidArgument, format_args!("{name} is infinite")));
    }
    amount(value, name)
}

/// A limit: not negative and not NaN. Infinity is legal.
pub(super) fn amount(value: f64, name: &str) -> Result<f64, Error> {
    if value.is_nan() {
        return Err(Error::new(Status::InvalidArgument, format_args!("{name} is not a number")));
    }
    if value < 0.0 {
        return Err(Error::new(Status::InvalidArgument, format_args!("{name} is negative")));
    }
    Ok(value)
}
