//! The bytes of an archive: those of a file are read some at a time, and forgotten when they were unpacked.

use std::io::{self, BufRead, Read};

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::input::file::{PlainFile, READ_SIZE};

pub(crate) struct ArchiveBytes {
    /// Where the bytes come from; None where all of them were there from the beginning.
    file: Option<PlainFile>,
    bytes: Vec<u8>,
    /// How many of `bytes` were used.
    used: usize,
    /// How many of the archive stood in front of `bytes`.
    consumed_before: usize,
    size: usize,
    failure: Option<Error>,
    hash: String,
}

impl ArchiveBytes {
    /// Bytes in memory, and their hash.
    pub(crate) fn of_bytes(bytes: Vec<u8>, hash: String) -> ArchiveBytes {
        let size = bytes.len();
        ArchiveBytes { file: None, bytes, used: 0, consumed_before: 0, size, failure: None, hash }
    }

    /// A file from its beginning.
    pub(crate) fn of_file(file: PlainFile) -> ArchiveBytes {
        let size = usize::try_from(file.size()).unwrap_or(usize::MAX);
        ArchiveBytes { size, file: Some(file), ..ArchiveBytes::of_bytes(Vec::new(), String::new()) }
    }

    /// The same from its beginning.
    pub(crate) fn rewind(self) -> Result<ArchiveBytes, Error> {
        match self.file {
            Some(file) => Ok(ArchiveBytes::of_file(file.rewind()?)),
            None => Ok(ArchiveBytes::of_bytes(self.bytes, self.hash)),
        }
    }

    /// Bytes of the whole archive.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Bytes that were used.
    pub(crate) fn position(&self) -> usize {
        self.consumed_before + self.used
    }

    /// The next bytes, at least `count` of them where there are as many.
    pub(crate) fn peek(&mut self, count: usize) -> Result<&[u8], Error> {
        while self.bytes.len() - self.used < count && self.fill()? {}
        Ok(&self.bytes[self.used..])
    }

    /// Pass over bytes; whether there were as many.
    pub(crate) fn skip(&mut self, mut count: usize) -> Result<bool, Error> {
        while count > 0 {
            let there = self.peek(1)?.len().min(count);
            if there == 0 {
                return Ok(false);
            }
            self.used += there;
            count -= there;
        }
        Ok(true)
    }

    /// Pass over bytes of value 0.
    pub(crate) fn skip_zeros(&mut self) -> Result<(), Error> {
        while self.peek(1)?.first() == Some(&0) {
            self.used += self.bytes[self.used..].iter().take_while(|&&byte| byte == 0).count();
        }
        Ok(())
    }

    /// Why a decompressor failed where it was no fault of the data: they could not be read, or are no longer what they were.
    pub(crate) fn failure(self) -> Option<Error> {
        self.failure.or_else(|| self.file.and_then(|file| file.finish().err()))
    }

    /// The hash, once all was read.
    pub(crate) fn finish(self) -> Result<String, Error> {
        self.file.map_or(Ok(self.hash), PlainFile::finish)
    }

    /// Read on; whether there was more.
    fn fill(&mut self) -> Result<bool, Error> {
        let Some(file) = &mut self.file else { return Ok(false) };
        self.consumed_before += self.used;
        self.bytes.drain(..self.used);
        self.used = 0;
        let before = self.bytes.len();
        file.read(&mut self.bytes, READ_SIZE)?;
        if let Some(hash) = &mut file.hash {
            Sha256::update(hash, &self.bytes[before..]);
        }
        Ok(self.bytes.len() > before)
    }
}

impl BufRead for ArchiveBytes {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used == self.bytes.len() {
            if let Err(failure) = self.fill() {
                self.failure = Some(failure);
                return Err(io::Error::other("the archive cannot be read"));
            }
        }
        Ok(&self.bytes[self.used..])
    }

    fn consume(&mut self, count: usize) {
        self.used += count;
    }
}

impl Read for ArchiveBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_passed_over_until_they_end() -> Result<(), Error> {
        let mut bytes = ArchiveBytes::of_bytes(b"\0\0abc".to_vec(), "hash".to_owned());
        bytes.skip_zeros()?;
        assert_eq!((bytes.position(), bytes.peek(1)?), (2, &b"abc"[..]));
        assert!(bytes.skip(2)?);
        assert!(!bytes.skip(2)?);
        let mut again = bytes.rewind()?;
        assert_eq!((again.position(), again.size(), again.peek(9)?), (0, 5, &b"\0\0abc"[..]));
        assert_eq!(again.finish()?, "hash");
        Ok(())
    }
}
