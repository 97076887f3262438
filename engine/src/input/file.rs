//! Regular files, read from their beginning to their end in bounded steps.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::memory::TryVec;

/// Bytes that are read at a time; a window of a file begins with as many. Small enough for the cache of a core, where
/// they are still found when they are hashed and split.
pub(crate) const READ_SIZE: usize = if cfg!(any(test, fuzzing)) { 16 } else { 1 << 20 };

/// The bytes of a regular file, as far as it was read. It is read and never mapped: one that is cut short meanwhile
/// is noticed and refused, where a mapped one would end the process.
pub(crate) struct PlainFile {
    file: File,
    size: u64,
    modified: Option<SystemTime>,
    bytes_read: u64,
    /// Of what was read, where it was asked for; whoever reads adds to it.
    pub hash: Option<Sha256>,
}

impl PlainFile {
    /// The file from its beginning.
    pub(crate) fn new(mut file: File, sign: bool) -> io::Result<PlainFile> {
        file.rewind()?;
        let facts = file.metadata()?;
        let hash = sign.then(Sha256::new);
        Ok(PlainFile { file, size: facts.len(), modified: facts.modified().ok(), bytes_read: 0, hash })
    }

    /// Append the next bytes, at most `count`; whether they were the last.
    pub(crate) fn read(&mut self, bytes: &mut Vec<u8>, count: usize) -> Result<bool, Error> {
        let limit = (self.size - self.bytes_read).min(count as u64);
        bytes.try_reserve_more(usize::try_from(limit).unwrap_or(usize::MAX))?;
        let length = (&mut self.file).take(limit).read_to_end(bytes)?;
        self.bytes_read += length as u64;
        if (length as u64) < limit {
            return Err(Error::Changed);
        }
        Ok(self.bytes_read == self.size)
    }

    /// Bytes of all of it.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The same file from its beginning.
    pub(crate) fn rewind(self) -> io::Result<PlainFile> {
        PlainFile::new(self.file, self.hash.is_some())
    }

    /// All of it, from its beginning.
    pub(crate) fn read_to_end(self) -> Result<(Vec<u8>, String), Error> {
        let mut again = self.rewind()?;
        let mut bytes = Vec::new();
        bytes.try_reserve_more(usize::try_from(again.size).unwrap_or(usize::MAX))?;
        let mut over = false;
        while !over {
            let before = bytes.len();
            over = again.read(&mut bytes, READ_SIZE)?;
            if let Some(hash) = &mut again.hash {
                hash.update(&bytes[before..]);
            }
        }
        Ok((bytes, again.finish()?))
    }

    /// The hash; a file that is no longer what it was when it was opened is refused.
    pub(crate) fn finish(self) -> Result<String, Error> {
        let facts = self.file.metadata()?;
        if facts.len() != self.size || facts.modified().ok() != self.modified {
            return Err(Error::Changed);
        }
        Ok(self.hash.map(to_hex).unwrap_or_default())
    }
}

pub(crate) fn to_hex(hash: Sha256) -> String {
    let mut text = String::new();
    for byte in hash.finalize() {
        _ = write!(text, "{byte:02x}"); // a text takes what is written
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_in_pieces_and_refused_once_it_has_changed() -> Result<(), Error> {
        let path = std::env::temp_dir().join(format!("cranfield-engine-{}", std::process::id()));
        std::fs::write(&path, "abc")?;
        let mut file = PlainFile::new(File::open(&path)?, true)?;
        let mut bytes = Vec::new();
        assert!(!file.read(&mut bytes, 2)?);
        assert!(file.read(&mut bytes, 2)?);
        assert_eq!((bytes.as_slice(), file.size()), (&b"abc"[..], 3));
        let (text, hash) = file.read_to_end()?;
        assert_eq!((text.as_slice(), &hash[..8], hash.len()), (&b"abc"[..], "ba7816bf", 64));
        let file = PlainFile::new(File::open(&path)?, false)?;
        std::fs::write(&path, "abcd")?;
        let refused = file.finish();
        std::fs::remove_file(&path)?;
        assert!(matches!(refused, Err(Error::Changed)));
        Ok(())
    }
}
