//! From what a caller names to its text: files and archives are read in bounded pieces, anything else is there whole; and
//! the SHA-256 of the bytes, taken from memory, so that it is of those that were read and of no others.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::input::archive::bytes::ArchiveBytes;
use crate::input::archive::format::{Compression, MAGIC_BYTES};
use crate::input::archive::reader::ArchiveReader;
use crate::input::file::{PlainFile, READ_SIZE, to_hex};
use crate::memory::TryVec;

/// The file or the bytes that a caller named.
pub(crate) enum Source {
    Path(PathBuf),
    Bytes(Vec<u8>),
}

pub(crate) enum InputText {
    /// All of it, and the hash of its bytes, empty where it was not asked for.
    InMemory(Vec<u8>, String),
    /// What is read some at a time.
    Stream(Stream),
}

/// A text that is not read yet, or in part.
pub(crate) enum Stream {
    /// A file whose bytes are the text.
    Plain(PlainFile),
    Archive(Box<ArchiveReader>),
}

impl Source {
    /// The text; `max_unpacked` of 0 means the default limit, and with `sign` its bytes are hashed.
    pub(crate) fn open(self, max_unpacked: usize, sign: bool) -> Result<InputText, Error> {
        let (bytes, hash) = match self {
            Source::Bytes(bytes) => with_sha256(bytes, sign),
            Source::Path(path) => {
                let mut file = File::open(path)?;
                let facts = file.metadata()?;
                if facts.is_file() && facts.len() > 0 {
                    let mut head = Vec::new();
                    (&mut file).take(MAGIC_BYTES as u64).read_to_end(&mut head)?;
                    let plain = PlainFile::new(file, sign)?;
                    return Ok(InputText::Stream(match Compression::detect(&head) {
                        None => Stream::Plain(plain),
                        Some(kind) => Stream::archive(kind, ArchiveBytes::of_file(plain), max_unpacked)?,
                    }));
                }
                with_sha256(read_remaining(&mut file)?, sign)
            }
        };
        Ok(match Compression::detect(&bytes) {
            None => InputText::InMemory(bytes, hash),
            Some(kind) => InputText::Stream(Stream::archive(kind, ArchiveBytes::of_bytes(bytes, hash), max_unpacked)?),
        })
    }
}

impl InputText {
    /// All of it in memory, and its hash.
    pub(crate) fn read_to_end(self) -> Result<(Vec<u8>, String), Error> {
        match self {
            InputText::InMemory(text, hash) => Ok((text, hash)),
            InputText::Stream(Stream::Plain(plain)) => plain.read_to_end(),
            InputText::Stream(Stream::Archive(packed)) => packed.read_to_end(),
        }
    }

    /// The same from its beginning, however far it was read.
    pub(crate) fn rewind(self) -> Result<InputText, Error> {
        Ok(match self {
            InputText::InMemory(text, hash) => InputText::InMemory(text, hash),
            InputText::Stream(Stream::Plain(plain)) => InputText::Stream(Stream::Plain(plain.rewind()?)),
            InputText::Stream(Stream::Archive(packed)) => {
                InputText::Stream(Stream::Archive(Box::new(packed.rewind()?)))
            }
        })
    }

    /// The hash, once all of it was read.
    pub(crate) fn finish(self) -> Result<String, Error> {
        match self {
            InputText::InMemory(_, hash) => Ok(hash),
            InputText::Stream(Stream::Plain(plain)) => plain.finish(),
            InputText::Stream(Stream::Archive(packed)) => packed.finish(),
        }
    }
}

impl Stream {
    fn archive(kind: Compression, packed: ArchiveBytes, max_unpacked: usize) -> Result<Stream, Error> {
        Ok(Stream::Archive(Box::new(ArchiveReader::new(kind, Box::new(packed), max_unpacked)?)))
    }

    /// Unpack on this number of threads, where the archive allows it.
    pub(crate) fn set_threads(&mut self, threads: usize) {
        if let Stream::Archive(packed) = self {
            packed.set_threads(threads);
        }
    }

    /// Append the next bytes of the text, at most `count`; whether there are no more.
    pub(crate) fn read(&mut self, bytes: &mut Vec<u8>, count: usize) -> Result<bool, Error> {
        match self {
            Stream::Plain(plain) => plain.read(bytes, count),
            Stream::Archive(packed) => packed.read(bytes, count),
        }
    }

    /// Where the hash of the text is kept, if it is to be hashed; that of an archive is of its packed bytes.
    pub(crate) fn hash(&mut self) -> Option<&mut Option<Sha256>> {
        match self {
            Stream::Plain(plain) => Some(&mut plain.hash),
            Stream::Archive(_) => None,
        }
    }
}

/// All bytes that follow.
fn read_remaining(file: &mut File) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    loop {
        bytes.try_reserve_more(READ_SIZE)?;
        if file.take(READ_SIZE as u64).read_to_end(&mut bytes)? < READ_SIZE {
            return Ok(bytes);
        }
    }
}

fn with_sha256(bytes: Vec<u8>, sign: bool) -> (Vec<u8>, String) {
    let hash = if sign { to_hex(Sha256::new().chain_update(&bytes)) } else { String::new() };
    (bytes, hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use std::io::Write;

    #[test]
    fn bytes_are_text_or_an_archive_and_the_hash_is_theirs() -> Result<(), Error> {
        let hash = |bytes: &[u8]| to_hex(Sha256::new().chain_update(bytes));
        let mut archive = GzEncoder::new(Vec::new(), flate2::Compression::default());
        archive.write_all(b"text")?;
        for bytes in [b"text".to_vec(), archive.finish()?] {
            let opened = Source::Bytes(bytes.clone()).open(0, true)?;
            assert_eq!(opened.rewind()?.read_to_end()?, (b"text".to_vec(), hash(&bytes)));
            assert_eq!(Source::Bytes(bytes.clone()).open(0, true)?.finish()?, hash(&bytes));
            assert_eq!(Source::Bytes(bytes).open(0, false)?.read_to_end()?, (b"text".to_vec(), String::new()));
        }
        let missing = Source::Path(PathBuf::from("a-file-that-is-not-there")).open(0, false);
        assert!(matches!(missing, Err(Error::Io(_))));
        Ok(())
    }
}
