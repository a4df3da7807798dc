//! The C boundary.

#[cfg(unix)]
pub mod workers;
