//! Why an archive cannot be decompressed.

use std::io::{self, ErrorKind};

use liblzma::stream::Error as XzError;
use zstd::Error as ZstdError;
use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode;

use crate::memory::AllocError;

/// Why a member cannot be unpacked.
pub(crate) enum DecodeError {
    /// The data are not what they should be.
    Corrupt,
    /// They end before the member does.
    Truncated,
    /// They ask for a larger dictionary or window than is allowed.
    WindowTooLarge,
    OutOfMemory(AllocError),
}

/// Errors of the libraries by what they mean. How much memory was refused, they do not say.
impl From<io::Error> for DecodeError {
    fn from(error: io::Error) -> Self {
        if error.kind() == ErrorKind::UnexpectedEof {
            return DecodeError::Truncated;
        }
        let Some(cause) = error.get_ref() else { return DecodeError::Corrupt };
        let zstd = |kind| cause.downcast_ref::<ZstdError>().is_some_and(|error| error.is(kind));
        match cause.downcast_ref::<XzError>() {
            Some(XzError::MemLimit) => DecodeError::WindowTooLarge,
            Some(XzError::Mem) => AllocError(0).into(),
            _ if zstd(ZSTD_ErrorCode::ZSTD_error_frameParameter_windowTooLarge) => DecodeError::WindowTooLarge,
            _ if zstd(ZSTD_ErrorCode::ZSTD_error_memory_allocation) => AllocError(0).into(),
            _ => DecodeError::Corrupt,
        }
    }
}

impl From<AllocError> for DecodeError {
    fn from(refused: AllocError) -> Self {
        DecodeError::OutOfMemory(refused)
    }
}
