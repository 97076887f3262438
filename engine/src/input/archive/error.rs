//! Why an archive cannot be decompressed.

use std::io::{self};

use crate::memory::AllocError;

/// Why a member cannot be unpacked.
pub(crate) enum Fault {
    /// The data are not what they should be.
    Data,
    /// They ask for a larger dictionary or window than is allowed.
    Window,
    Memory(AllocError),
}

impl From<io::Error> for Fault {
    fn from(_: io::Error) -> Self {
        Fault::Data
    }
}

impl From<AllocError> for Fault {
    fn from(refused: AllocError) -> Self {
        Fault::Memory(refused)
    }
}
