//! Archives to text: gzip, bzip2, xz and zstd.
//!
//! `format` knows the first bytes of each kind, `bytes` the compressed bytes with their position, which a decompressor
//! draws from, and `decoder` the decompressor of one member. `reader` joins the text of all members, however many there
//! are, and refuses an archive that expands beyond its limit, asks for a larger window than is allowed, is cut short or
//! damaged, or is followed by something else. Text is had in pieces of at most the bytes that a caller asks for.

pub(crate) mod bytes;
pub(crate) mod decoder;
pub(crate) mod error;
pub(crate) mod format;
pub(crate) mod reader;
