//! Why an archive cannot be decompressed.

use std::io::{self};

use crate::memory::AllocError;

/// Why a member cannot be unpacked.
pub(crate) enum DecodeError {
    /// The data are not what they should be.
    Corrupt,
    /// They ask for a larger dictionary or window than is allowed.
    WindowTooLarge,
    OutOfMemory(AllocError),
}

impl From<io::Error> for DecodeError {
    fn from(_: io::Error) -> Self {
        DecodeError::Corrupt
    }
}

impl From<AllocError> for DecodeError {
    fn from(refused: AllocError) -> Self {
        DecodeError::OutOfMemory(refused)
    }
}
