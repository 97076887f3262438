//! From what a caller names to its text: files and archives are read in bounded pieces, anything else is there whole; and
//! the SHA-256 of the bytes, taken from memory, so that it is of those that were read and of no others.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::input::archive::bytes::Packed;
use crate::input::archive::format::{HEAD, Kind};
use crate::input::archive::reader::Unpacking;
use crate::input::file::{Plain, STEP, hexadecimal};
use crate::memory::TryVec;

/// The file or the bytes that a caller named.
#[derive(Clone, PartialEq)]
pub(crate) enum Source {
    Path(PathBuf),
    Bytes(Vec<u8>),
}

pub(crate) enum Text {
    /// All of it, and the hash of its bytes, empty where it was not asked for.
    Whole(Vec<u8>, String),
    /// What is read some at a time.
    Stream(Stream),
}

/// A text that is not read yet, or in part.
pub(crate) enum Stream {
    /// A file whose bytes are the text.
    Plain(Plain),
    Packed(Box<Unpacking>),
}

impl Source {
    /// The text; `max_unpacked` of 0 means the default limit, and with `sign` its bytes are hashed.
    pub(crate) fn open(self, max_unpacked: usize, sign: bool) -> Result<Text, Error> {
        let (bytes, hash) = match self {
            Source::Bytes(bytes) => hashed(bytes, sign),
            Source::Path(path) => {
                let mut file = File::open(path)?;
                let facts = file.metadata()?;
                if facts.is_file() && facts.len() > 0 {
                    let mut head = Vec::new();
                    (&mut file).take(HEAD as u64).read_to_end(&mut head)?;
                    let plain = Plain::new(file, sign)?;
                    return Ok(Text::Stream(match Kind::of(&head) {
                        None => Stream::Plain(plain),
                        Some(kind) => Stream::packed(kind, Packed::of_file(plain), max_unpacked)?,
                    }));
                }
                hashed(rest(&mut file)?, sign)
            }
        };
        Ok(match Kind::of(&bytes) {
            None => Text::Whole(bytes, hash),
            Some(kind) => Text::Stream(Stream::packed(kind, Packed::of_bytes(bytes, hash), max_unpacked)?),
        })
    }
}

impl Text {
    /// All of it in memory, and its hash.
    pub(crate) fn whole(self) -> Result<(Vec<u8>, String), Error> {
        match self {
            Text::Whole(text, hash) => Ok((text, hash)),
            Text::Stream(Stream::Plain(plain)) => plain.whole(),
            Text::Stream(Stream::Packed(packed)) => packed.whole(),
        }
    }

    /// The same from its beginning, however far it was read.
    pub(crate) fn again(self) -> Result<Text, Error> {
        Ok(match self {
            Text::Whole(text, hash) => Text::Whole(text, hash),
            Text::Stream(Stream::Plain(plain)) => Text::Stream(Stream::Plain(plain.again()?)),
            Text::Stream(Stream::Packed(packed)) => Text::Stream(Stream::Packed(Box::new(packed.again()?))),
        })
    }

    /// The hash, once all of it was read.
    pub(crate) fn end(self) -> Result<String, Error> {
        match self {
            Text::Whole(_, hash) => Ok(hash),
            Text::Stream(Stream::Plain(plain)) => plain.end(),
            Text::Stream(Stream::Packed(packed)) => packed.end(),
        }
    }
}

impl Stream {
    fn packed(kind: Kind, packed: Packed, max_unpacked: usize) -> Result<Stream, Error> {
        Ok(Stream::Packed(Box::new(Unpacking::new(kind, Box::new(packed), max_unpacked)?)))
    }

    /// Unpack on so many threads, where the archive allows it.
    pub(crate) fn on(&mut self, threads: usize) {
        if let Stream::Packed(packed) = self {
            packed.on(threads);
        }
    }

    /// Append the next bytes of the text, at most `count`; whether there are no more.
    pub(crate) fn read(&mut self, bytes: &mut Vec<u8>, count: usize) -> Result<bool, Error> {
        match self {
            Stream::Plain(plain) => plain.read(bytes, count),
            Stream::Packed(packed) => packed.read(bytes, count),
        }
    }

    /// Where the hash of the text is kept, if it is to be hashed; that of an archive is of its packed bytes.
    pub(crate) fn hash(&mut self) -> Option<&mut Option<Sha256>> {
        match self {
            Stream::Plain(plain) => Some(&mut plain.hash),
            Stream::Packed(_) => None,
        }
    }
}

/// All bytes that follow.
fn rest(file: &mut File) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    loop {
        bytes.try_reserve_more(STEP)?;
        if file.take(STEP as u64).read_to_end(&mut bytes)? < STEP {
            return Ok(bytes);
        }
    }
}

fn hashed(bytes: Vec<u8>, sign: bool) -> (Vec<u8>, String) {
    let hash = if sign { hexadecimal(Sha256::new().chain_update(&bytes)) } else { String::new() };
    (bytes, hash)
}
