//! From what a caller names, a path or bytes, to text that the engine reads.
//!
//! `source` opens a file and recognises archives by their first bytes. Text is read in windows of bounded size (`windows`),
//! each of which ends where a topic or a line does, so that memory does not follow the size of the file; the parts of a
//! window are read by several threads (`parallel`). The bytes are hashed in the order of the file as they pass
//! (`ordered_sha256`), so that a signature is of those bytes that were scored. Files are read, never mapped:
//! one that is cut short meanwhile is an error, not the end of the process.

pub(crate) mod archive;
pub(crate) mod file;
pub(crate) mod ordered_sha256;
pub(crate) mod parallel;
pub(crate) mod source;
pub(crate) mod windows;
