//! Why a call was refused: a status for programs and a sentence for people, in fixed memory.

use arrayvec::ArrayString;
use core::fmt::{self, Write};

/// Why a call can fail. The numbers are those of `feeler_status` in the C header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Status {
    /// A pointer that has to be given is null; C only.
    NullArgument = 1,
    /// An argument is out of range, NaN or infinite.
    InvalidArgument = 2,
    /// A struct has not the size or the flags of this version; C only.
    InvalidStruct = 3,
    /// A mesh is empty, has an index without a vertex, or a coordinate that is not finite.
    InvalidMesh = 4,
    /// A model has no hierarchy yet.
    NotBuilt = 5,
    /// The volumes of two models cannot be asked about each other.
    Incompatible = 6,
    /// This version does not have it.
    Unsupported = 7,
    /// Memory could not be had.
    OutOfMemory = 8,
    /// Another thread uses the handle; C only.
    Busy = 9,
    /// An error of the library itself.
    Internal = 10,
}

/// A refused call. A long message is cut off, because this type does not allocate.
#[derive(Clone, Debug)]
pub struct Error {
    /// The reason, for programs.
    pub status: Status,
    /// A sentence that names the argument, for people.
    pub message: ArrayString<232>,
}

impl Error {
    /// Formats the message into the fixed buffer and cuts it off at the end of the buffer.
    pub fn new(status: Status, sentence: fmt::Arguments) -> Self {
        let mut message = Truncated(ArrayString::new());
        let _ = message.write_fmt(sentence);
        Self { status, message: message.0 }
    }

    /// What could not be had memory for.
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
