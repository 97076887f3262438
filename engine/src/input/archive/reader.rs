//! Packed bytes to text, as much of it at a time as is asked for.

use crate::error::{ArchiveError, ArchiveFault, Error};
use crate::input::archive::bytes::ArchiveBytes;
use crate::input::archive::decoder::Decoder;
use crate::input::archive::error::DecodeError;
use crate::input::archive::format::{Compression, MAGIC_BYTES, is_skippable};
use crate::input::file::READ_SIZE;
use crate::memory::{HEADROOM, TryVec, probe_free_memory};

/// Unpacking stops past this many times the packed size, plus `EXPANSION_SLACK`, unless the caller allows more.
const EXPANSION_LIMIT: usize = 200;
const EXPANSION_SLACK: usize = 64 << 20;

/// An archive, as far as it was unpacked: all members or streams, one after the other; zero bytes may follow each.
pub(crate) struct ArchiveReader {
    kind: Compression,
    state: ReaderState,
    /// The most bytes that may come out, and how many did.
    limit: usize,
    produced: usize,
    threads: usize,
}

enum ReaderState {
    BetweenMembers(Box<ArchiveBytes>),
    InMember(Box<Decoder>),
    /// Nothing can be had any more.
    Failed,
}

impl ArchiveReader {
    /// An archive from its beginning; `max_unpacked` of 0 means the default limit.
    pub(crate) fn new(
        kind: Compression,
        packed: Box<ArchiveBytes>,
        max_unpacked: usize,
    ) -> Result<ArchiveReader, Error> {
        let usual = packed.size().saturating_mul(EXPANSION_LIMIT).saturating_add(EXPANSION_SLACK);
        let limit = if max_unpacked > 0 { max_unpacked } else { usual };
        // What decompressors take at their beginning.
        probe_free_memory(HEADROOM, HEADROOM)?;
        Ok(ArchiveReader { kind, state: ReaderState::BetweenMembers(packed), limit, produced: 0, threads: 1 })
    }

    /// Unpack this number of blocks of a member side by side, where it has not begun and allows that.
    pub(crate) fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// Append the next bytes of the text, at most `count`; whether there are no more.
    pub(crate) fn read(&mut self, text: &mut Vec<u8>, count: usize) -> Result<bool, Error> {
        let enough = text.len().saturating_add(count);
        while text.len() < enough {
            self.state = match std::mem::replace(&mut self.state, ReaderState::Failed) {
                ReaderState::Failed => return Ok(true),
                ReaderState::BetweenMembers(mut packed) => {
                    if packed.peek(1)?.is_empty() {
                        self.state = ReaderState::BetweenMembers(packed);
                        return Ok(true);
                    }
                    self.open_member(packed)?
                }
                ReaderState::InMember(member) => self.read_member(member, text, enough)?,
            }
        }
        Ok(false)
    }

    /// The same archive from its beginning.
    pub(crate) fn rewind(self) -> Result<ArchiveReader, Error> {
        let (kind, limit) = (self.kind, self.limit);
        ArchiveReader::new(kind, Box::new(self.into_bytes()?.rewind()?), limit)
    }

    /// All of the text from its beginning, and the hash of the archive.
    pub(crate) fn read_to_end(self) -> Result<(Vec<u8>, String), Error> {
        let mut again = self.rewind()?;
        let (mut text, limit) = (Vec::new(), again.limit);
        if let ReaderState::BetweenMembers(packed) = &again.state {
            text.try_reserve_more(packed.size().saturating_mul(4).min(limit).min(1 << 30))?;
        }
        while !again.read(&mut text, READ_SIZE)? {}
        Ok((text, again.finish()?))
    }

    /// The hash of the archive. What was not read yet is unpacked before, to nowhere: of an archive that is damaged nothing
    /// is said but that.
    pub(crate) fn finish(mut self) -> Result<String, Error> {
        let mut passed = Vec::new();
        while !self.read(&mut passed, READ_SIZE)? {
            passed.clear();
        }
        self.into_bytes()?.finish()
    }

    fn into_bytes(self) -> Result<Box<ArchiveBytes>, Error> {
        match self.state {
            ReaderState::BetweenMembers(packed) => Ok(packed),
            ReaderState::InMember(member) => Ok(member.into_inner()),
            ReaderState::Failed => Err(self.error(ArchiveFault::Damaged)),
        }
    }

    /// Into the next member.
    fn open_member(&self, mut packed: Box<ArchiveBytes>) -> Result<ReaderState, Error> {
        let at = packed.position();
        let head = packed.peek(MAGIC_BYTES)?;
        if !self.kind.matches(head) && !self.kind.magic().starts_with(head) {
            return Err(self.error(ArchiveFault::Trailing { at }));
        }
        if matches!(self.kind, Compression::Zstd) && is_skippable(head) {
            let length = head.get(4..8).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
            let complete = packed.skip(8)? && packed.skip(length.unwrap_or_default() as usize)?;
            return if complete { skip_padding(packed) } else { Err(self.error_of(DecodeError::Truncated, packed)) };
        }
        Decoder::new(self.kind, packed, self.threads)
            .map(|member| ReaderState::InMember(Box::new(member)))
            .map_err(|(fault, packed)| self.error_of(fault, packed))
    }

    /// On in a member, until there is enough of the text: into what follows it where it ends before.
    fn read_member(
        &mut self,
        mut member: Box<Decoder>,
        text: &mut Vec<u8>,
        enough: usize,
    ) -> Result<ReaderState, Error> {
        let before = text.len();
        let room = (self.limit - self.produced).saturating_add(1);
        let done = member.read(text, room.min(enough - before));
        self.produced += text.len() - before;
        if self.produced > self.limit {
            return Err(self.error(ArchiveFault::Bomb { limit: self.limit }));
        }
        match done {
            Ok(false) => Ok(ReaderState::InMember(member)),
            Ok(true) => skip_padding(member.into_inner()),
            Err(fault) => Err(self.error_of(fault, member.into_inner())),
        }
    }

    fn error_of(&self, fault: DecodeError, packed: Box<ArchiveBytes>) -> Error {
        if let Some(failure) = packed.failure() {
            return failure;
        }
        match fault {
            DecodeError::OutOfMemory(refused) => refused.into(),
            DecodeError::WindowTooLarge => self.error(ArchiveFault::Window),
            DecodeError::Truncated => self.error(ArchiveFault::Truncated),
            DecodeError::Corrupt => self.error(ArchiveFault::Damaged),
        }
    }

    fn error(&self, fault: ArchiveFault) -> Error {
        ArchiveError { format: self.kind.name(), fault }.into()
    }
}

fn skip_padding(mut packed: Box<ArchiveBytes>) -> Result<ReaderState, Error> {
    packed.skip_zeros()?;
    Ok(ReaderState::BetweenMembers(packed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut archive = GzEncoder::new(Vec::new(), flate2::Compression::default());
        assert!(archive.write_all(text).is_ok());
        archive.finish().unwrap_or_default()
    }

    /// The text of an archive, or what is wrong with it.
    fn read(archive: Vec<u8>, limit: usize) -> Result<Vec<u8>, Option<ArchiveFault>> {
        let bytes = Box::new(ArchiveBytes::of_bytes(archive, String::new()));
        let fault = |error| if let Error::Archive(error) = error { Some(error.fault) } else { None };
        let reader = ArchiveReader::new(Compression::Gzip, bytes, limit).map_err(fault)?;
        reader.read_to_end().map(|(text, _)| text).map_err(fault)
    }

    #[test]
    fn members_follow_each_other_and_zeros_may_follow_each() {
        let archive = [&gzip(b"one, ")[..], &gzip(b"two")].concat();
        assert_eq!(read(archive.clone(), 0), Ok(b"one, two".to_vec()));
        assert_eq!(read([&archive[..], &[0; 9]].concat(), 8), Ok(b"one, two".to_vec()));
        assert_eq!(read(archive.clone(), 7), Err(Some(ArchiveFault::Bomb { limit: 7 })));
        let at = archive.len();
        assert_eq!(read([&archive[..], b"more"].concat(), 0), Err(Some(ArchiveFault::Trailing { at })));
        assert_eq!(read(archive[..archive.len() - 1].to_vec(), 0), Err(Some(ArchiveFault::Truncated)));
        let mut damaged = archive;
        damaged[12] ^= 0xff;
        assert_eq!(read(damaged, 0), Err(Some(ArchiveFault::Damaged)));
    }
}
