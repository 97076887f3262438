//! Blocks of xz that are unpacked side by side, each on a thread of its own, as `xz -T` makes it possible: their headers
//! state how large they are, so that the packed bytes of several can be had before the first is unpacked.

use std::io::{self, BufRead, Read};
use std::panic::resume_unwind;
use std::sync::{Arc, mpsc};
use std::thread::{Builder, JoinHandle};

use crate::input::archive::error::DecodeError;
use crate::input::archive::xz::block::BlockHeader;
use crate::input::archive::xz::check::Check;
use crate::memory::{HEADROOM, TryVec, probe_free_memory};

/// What a block may have of text, and its dictionary, to be held whole: `xz -6 -T0` makes blocks of 24 MiB with 8.
const MAX_BUFFERED_TEXT: u64 = 32 << 20;
const MAX_BUFFERED_DICTIONARY: u32 = 16 << 20;

/// The packed bytes of a block that may be held whole while it is unpacked; None of any other.
pub(crate) fn bufferable_size(header: &BlockHeader) -> Option<usize> {
    let text = header.uncompressed_size.filter(|&text| text <= MAX_BUFFERED_TEXT)?;
    let packed = header.compressed_size.filter(|&packed| packed <= MAX_BUFFERED_TEXT)?;
    let all = (text + packed) as usize + header.dictionary as usize + HEADROOM;
    (header.dictionary <= MAX_BUFFERED_DICTIONARY && probe_free_memory(all, all).is_ok()).then_some(packed as usize)
}

/// What a block gave.
pub(crate) struct DecodedBlock {
    /// As much as there was before a fault.
    pub text: Vec<u8>,
    /// The check of the text.
    pub sum: Vec<u8>,
    /// What is wrong, and whether it is that the archive ends.
    pub fault: Option<(DecodeError, bool)>,
}

impl DecodedBlock {
    fn decode(header: &BlockHeader, packed: &[u8], check: Check) -> DecodedBlock {
        let mut from = TrackedInput { bytes: packed, hit_end: false };
        let mut text = Vec::new();
        let fault = decode_block(&mut text, header, &mut from).err().map(|fault| (fault, from.hit_end));
        let mut sum = check.hasher();
        sum.update(&text);
        DecodedBlock { text, sum: sum.finalize(), fault }
    }
}

fn decode_block(text: &mut Vec<u8>, header: &BlockHeader, from: &mut TrackedInput) -> Result<(), DecodeError> {
    let wanted = header.uncompressed_size.unwrap_or_default() as usize;
    let all = header.compressed_size == Some(from.bytes.len() as u64);
    // Room for one byte too many, by which a text is told that is longer than stated.
    text.try_reserve_more(wanted + 1)?;
    text.resize(wanted + 1, 0);
    let mut decompressor = header.decoder()?;
    let mut written = 0;
    let ended = loop {
        match decompressor.read(header, from, &mut text[written..]) {
            Ok(0) => break Ok(()),
            Ok(count) => written += count,
            Err(fault) => break Err(fault),
        }
    };
    text.truncate(written);
    ended?;
    if all && from.bytes.is_empty() && written == wanted { Ok(()) } else { Err(DecodeError::Corrupt) }
}

/// Packed bytes, and whether more were wanted than there are.
struct TrackedInput<'a> {
    bytes: &'a [u8],
    hit_end: bool,
}

impl Read for TrackedInput<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for TrackedInput<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.hit_end |= self.bytes.is_empty();
        Ok(self.bytes)
    }

    fn consume(&mut self, count: usize) {
        self.bytes = &self.bytes[count..];
    }
}

/// A block that is being unpacked, or was where the system gave no thread.
pub(crate) struct PendingBlock {
    work: Result<JoinHandle<DecodedBlock>, DecodedBlock>,
    /// Bytes of its header, and its packed bytes.
    pub size: u64,
    /// The check that it states; or why there is none, and whether it is that the archive ends.
    pub stated: Result<Vec<u8>, (DecodeError, bool)>,
}

impl PendingBlock {
    pub(crate) fn new(
        header: BlockHeader,
        packed: Vec<u8>,
        check: Check,
        stated: Result<Vec<u8>, (DecodeError, bool)>,
    ) -> PendingBlock {
        let size = (header.size + packed.len()) as u64;
        let block = Arc::new((header, packed));
        let work = try_spawn(&block, check).ok_or_else(|| DecodedBlock::decode(&block.0, &block.1, check));
        PendingBlock { work, size, stated }
    }

    /// What it gave, once that is there; and what is said of it above.
    pub(crate) fn join(self) -> (DecodedBlock, u64, Result<Vec<u8>, (DecodeError, bool)>) {
        let unpacked = self
            .work
            .map_or_else(|unpacked| unpacked, |thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (unpacked, self.size, self.stated)
    }
}

/// A thread that runs already: what it takes at its beginning must be there.
fn try_spawn(block: &Arc<(BlockHeader, Vec<u8>)>, check: Check) -> Option<JoinHandle<DecodedBlock>> {
    probe_free_memory(HEADROOM, HEADROOM).ok()?;
    let block = Arc::clone(block);
    let (begins, begun) = mpsc::channel();
    let work = move || {
        let _ = begins.send(());
        DecodedBlock::decode(&block.0, &block.1, check)
    };
    let thread = Builder::new().spawn(work).ok()?;
    let _ = begun.recv();
    Some(thread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::archive::xz::check::crc32;

    /// A block of so many bytes of text, whose seven packed bytes are a piece of LZMA2 that is stored as it is.
    fn block(text: u8) -> Option<PendingBlock> {
        let stated = [2, 0xc0, 7, text, 0x21, 1, 0, 0];
        let header = BlockHeader::parse(&[&stated[..], &crc32(&stated)].concat()).ok()?;
        assert_eq!(bufferable_size(&header), Some(7));
        Some(PendingBlock::new(header, b"\x01\0\x02abc\0".to_vec(), Check::from_id(1)?, Ok(Vec::new())))
    }

    #[test]
    fn a_block_is_unpacked_as_its_header_states() {
        let Some((block, size, _)) = block(3).map(PendingBlock::join) else { panic!("the header is right") };
        assert_eq!((block.text, size), (b"abc".to_vec(), 19));
        assert_eq!(block.sum, crc32(b"abc"));
        assert!(block.fault.is_none());
    }

    #[test]
    fn a_text_longer_or_shorter_than_stated_is_a_fault() {
        for text in [0, 2, 4] {
            let fault = block(text).and_then(|block| block.join().0.fault);
            assert!(matches!(fault, Some((DecodeError::Corrupt, _))), "{text}");
        }
    }
}
