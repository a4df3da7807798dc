//! Why a call was refused: a status for programs and a sentence for people, in fixed memory.

use arrayvec::ArrayString;
use core::fmt::{self, Write};

/// Why a call can fail. The numbers are those of `feeler_status` in the C header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Status {
    NullArgument = 1,
    InvalidArgument = 2,
    InvalidStruct = 3,
    InvalidMesh = 4,
    NotBuilt = 5,
    Incompatible = 6,
    Unsupported = 7,
    OutOfMemory = 8,
    Busy = 9,
    Internal = 10,
}

/// A refused call. A long message is cut off, because this type does not allocate.
#[derive(Clone, Debug)]
pub struct Error {
    pub status: Status,
    pub message: ArrayString<232>,
}

impl Error {
    /// Formats the message into the fixed buffer and cuts it off at the end of the buffer.
    pub fn new(status: Status, sentence: fmt::Arguments) -> Self {
        let mut message = Truncated(ArrayString::new());
        let _ = message.write_fmt(sentence);
        Self { status, message: message.0 }
    }

    pub fn out_of_memory(what: &str) -> Self {
        Self::new(Status::OutOfMemory, format_args!("out of memory: {what}"))
    }
}

struct Truncated(ArrayString<232>);

impl Write for Truncated {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            self.0.try_push(character).map_err(|_| fmt::Error)?;
        }
        Ok(())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
