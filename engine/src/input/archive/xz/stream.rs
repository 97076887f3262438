//! A stream of xz: its header, blocks, index and footer, as <https://tukaani.org/xz/xz-file-format.txt> lays them out. What
//! is packed in blocks is unpacked by `liblzma`; every check and size that a stream states is verified.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::input::archive::bytes::ArchiveBytes;
use crate::input::archive::error::DecodeError;
use crate::input::archive::xz::block::{BlockDecoder, BlockHeader};
use crate::input::archive::xz::check::{Check, CheckHasher, crc32};
use crate::input::archive::xz::index::{self, BlockSizes};
use crate::input::archive::xz::parallel::{DecodedBlock, PendingBlock, bufferable_size};
use crate::memory::{AllocError, HEADROOM, TryVec, probe_free_memory};

/// What a dictionary may ask for.
const MAX_DICTIONARY: usize = 1 << 30;

const MAGIC: &[u8; 6] = b"\xfd7zXZ\0";

/// A block, as far as it was read.
enum CurrentBlock {
    /// From the archive.
    Streaming(Box<StreamedBlock>),
    /// From memory, where all of it is.
    Buffered(BufferedBlock),
}

struct BufferedBlock {
    block: DecodedBlock,
    /// Bytes of its header, and its packed bytes.
    size: u64,
    stated: Result<Vec<u8>, (DecodeError, bool)>,
    written: usize,
}

/// What follows the blocks that were begun.
enum Upcoming {
    Index,
    Block(BlockHeader),
    /// And whether it is that the archive ends.
    Fault(DecodeError, bool),
}

struct StreamedBlock {
    header: BlockHeader,
    from: BlockDecoder,
    sum: CheckHasher,
    /// Where its packed bytes begin, and how many bytes of text came out.
    begin: usize,
    written: u64,
}

pub(crate) struct XzDecoder {
    packed: Box<ArchiveBytes>,
    /// The flags of the header, which the footer repeats.
    flags: [u8; 2],
    check: Check,
    /// How many blocks are unpacked side by side.
    threads: usize,
    block: Option<CurrentBlock>,
    begun: VecDeque<PendingBlock>,
    next: Option<Upcoming>,
    /// Of every block until now.
    sizes: BlockSizes,
    /// The largest text of a block, where that is known.
    largest: Option<u64>,
    ended: bool,
    /// Memory that a dictionary may take.
    most: usize,
    /// Why it could not be read on.
    pub fault: Option<DecodeError>,
}

impl Read for XzDecoder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decode(buffer).map_err(|fault| {
            self.fault = Some(fault);
            io::Error::other("the stream cannot be unpacked")
        })
    }
}

impl XzDecoder {
    /// A stream that begins here; what it would be read from is given back where it cannot.
    pub(crate) fn new(
        mut packed: Box<ArchiveBytes>,
        threads: usize,
    ) -> Result<XzDecoder, (DecodeError, Box<ArchiveBytes>)> {
        // The dictionary is had before it is asked for, or nothing larger than what can be had is.
        let most = match probe_free_memory(MAX_DICTIONARY + HEADROOM, HEADROOM) {
            Ok(most) => most.saturating_sub(HEADROOM).max(1 << 10),
            Err(refused) => return Err((refused.into(), packed)),
        };
        let (flags, check) = match read_stream_header(&mut packed) {
            Ok(limit) => limit,
            Err(fault) => return Err((fault, packed)),
        };
        let stated = packed.remaining().and_then(index::decode);
        let largest = stated.and_then(|sizes| sizes.iter().map(|&(_, text)| text).max());
        let (begun, sizes) = (VecDeque::new(), Vec::new());
        let (block, next, fault) = (None, None, None);
        Ok(XzDecoder { packed, flags, check, threads, block, begun, next, sizes, largest, ended: false, most, fault })
    }

    pub(crate) fn into_inner(self) -> Box<ArchiveBytes> {
        self.packed
    }

    /// The next bytes of the text; 0 where the stream has ended.
    fn decode(&mut self, buffer: &mut [u8]) -> Result<usize, DecodeError> {
        while !self.ended && !buffer.is_empty() {
            let count = match &mut self.block {
                None => {
                    self.start_block()?;
                    continue;
                }
                Some(CurrentBlock::Buffered(held)) => held.read(buffer)?,
                Some(CurrentBlock::Streaming(block)) => {
                    let count = block.from.read(&block.header, &mut self.packed, buffer);
                    block.take(count.map_err(|fault| explain_memory_error(self.most, fault))?, buffer)?
                }
            };
            if count > 0 {
                return Ok(count);
            }
            match self.block.take() {
                Some(CurrentBlock::Buffered(held)) => self.end_buffered_block(held)?,
                Some(CurrentBlock::Streaming(block)) => self.end_streamed_block(block)?,
                None => {}
            }
        }
        Ok(0)
    }

    /// Into the next block, or past the index where there is none.
    fn start_block(&mut self) -> Result<(), DecodeError> {
        self.start_parallel_blocks()?;
        if let Some(begun) = self.begun.pop_front() {
            let (block, size, stated) = begun.join();
            self.block = Some(CurrentBlock::Buffered(BufferedBlock { block, size, stated, written: 0 }));
            return self.start_parallel_blocks();
        }
        match self.next.take() {
            Some(Upcoming::Block(header)) => {
                let begin = self.packed.position();
                let from = header.decoder().map_err(|fault| explain_memory_error(self.most, fault))?;
                let sum = self.check.hasher();
                self.block =
                    Some(CurrentBlock::Streaming(Box::new(StreamedBlock { header, from, sum, begin, written: 0 })));
            }
            Some(Upcoming::Fault(fault, ended)) => return Err(self.rethrow_at(fault, ended)),
            Some(Upcoming::Index) | None => {
                self.check_index_and_footer()?;
                self.ended = true;
            }
        }
        Ok(())
    }

    /// Begin as many of the blocks that follow as are unpacked side by side, and find out what comes then.
    fn start_parallel_blocks(&mut self) -> Result<(), DecodeError> {
        while self.next.is_none() && self.begun.len() < self.threads.max(1) {
            match self.header() {
                Ok(None) => self.next = Some(Upcoming::Index),
                Ok(Some(header)) => match bufferable_size(&header).filter(|_| self.threads > 1) {
                    Some(size) => self.start_parallel_block(header, size)?,
                    None => self.next = Some(Upcoming::Block(header)),
                },
                Err(fault) => self.next = Some(Upcoming::Fault(fault, self.packed.hit_end)),
            }
        }
        Ok(())
    }

    /// The header of the next block; None where the index follows.
    fn header(&mut self) -> Result<Option<BlockHeader>, DecodeError> {
        let [size] = read_array(&mut self.packed)?;
        if size == 0 {
            return Ok(None);
        }
        let mut bytes = vec![0; (usize::from(size) + 1) * 4];
        bytes[0] = size;
        self.packed.read_exact(&mut bytes[1..])?;
        let mut header = BlockHeader::parse(&bytes)?;
        if header.decoder_memory() > self.most {
            return Err(memory_error(self.most));
        }
        if let Some(text) = header.uncompressed_size.or(self.largest) {
            header.shrink_dictionary(text);
        }
        Ok(Some(header))
    }

    /// Begin a block of so many packed bytes.
    fn start_parallel_block(&mut self, header: BlockHeader, size: usize) -> Result<(), DecodeError> {
        let mut bytes = Vec::new();
        bytes.try_reserve_more(size)?;
        let read = (&mut self.packed).take(size as u64).read_to_end(&mut bytes);
        let complete = read.is_ok_and(|count| count == size);
        let stated = if complete { self.read_padding_and_check(size as u64) } else { Err(DecodeError::Corrupt) };
        let stated = stated.map_err(|fault| {
            // Where this one ends is not known, so none is begun after it.
            self.next = Some(Upcoming::Fault(DecodeError::Corrupt, false));
            (fault, self.packed.hit_end)
        });
        self.begun.push_back(PendingBlock::new(header, bytes, self.check, stated));
        Ok(())
    }

    /// What follows the data of a block: zeros to a multiple of four bytes, and its check.
    fn read_padding_and_check(&mut self, size: u64) -> Result<Vec<u8>, DecodeError> {
        self.expect(&[0; 3][..(size.wrapping_neg() % 4) as usize])?;
        let mut stated = vec![0; self.check.size()];
        self.packed.read_exact(&mut stated)?;
        Ok(stated)
    }

    /// A fault that was met before what stands in front of it was read to its end.
    fn rethrow_at(&mut self, fault: DecodeError, ended: bool) -> DecodeError {
        self.packed.hit_end = ended;
        fault
    }

    /// Past a block that was held whole.
    fn end_buffered_block(&mut self, held: BufferedBlock) -> Result<(), DecodeError> {
        let BufferedBlock { block, size, stated, .. } = held;
        if let Some((fault, ended)) = block.fault {
            return Err(self.rethrow_at(fault, ended));
        }
        let stated = stated.map_err(|(fault, ended)| self.rethrow_at(fault, ended))?;
        if stated != block.sum {
            return Err(self.rethrow_at(DecodeError::Corrupt, false));
        }
        self.sizes.try_push((size + stated.len() as u64, block.text.len() as u64))?;
        Ok(())
    }

    /// Past a block that was read from the archive.
    fn end_streamed_block(&mut self, block: Box<StreamedBlock>) -> Result<(), DecodeError> {
        let StreamedBlock { header, sum, begin, written, .. } = *block;
        let size = (self.packed.position() - begin) as u64;
        let as_stated = |stated: Option<u64>, size| stated.is_none_or(|stated| stated == size);
        if !as_stated(header.compressed_size, size) || !as_stated(header.uncompressed_size, written) {
            return Err(DecodeError::Corrupt);
        }
        let stated = self.read_padding_and_check(size)?;
        if stated != sum.finalize() {
            return Err(DecodeError::Corrupt);
        }
        self.sizes.try_push((header.size as u64 + size + stated.len() as u64, written))?;
        Ok(())
    }

    /// Past the index, whose first byte was read, and the footer: what they must be follows from the blocks.
    fn check_index_and_footer(&mut self) -> Result<(), DecodeError> {
        let index = index::encode(&self.sizes)?;
        let back = (index.len() / 4) as u32;
        let footer = [&back.to_le_bytes(), &self.flags[..]].concat();
        for part in [&index[1..], &crc32(&index), &crc32(&footer), &footer, b"YZ"] {
            self.expect(part)?;
        }
        Ok(())
    }

    fn expect(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        for &byte in bytes {
            if read_array(&mut self.packed)? != [byte] {
                return Err(DecodeError::Corrupt);
            }
        }
        Ok(())
    }
}

impl BufferedBlock {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, DecodeError> {
        let count = (&self.block.text[self.written..]).read(buffer)?;
        self.written += count;
        Ok(count)
    }
}

impl StreamedBlock {
    /// Take so many bytes of text, which may be none.
    fn take(&mut self, count: usize, buffer: &[u8]) -> Result<usize, DecodeError> {
        self.sum.update(&buffer[..count]);
        self.written += count as u64;
        if self.header.uncompressed_size.is_some_and(|text| self.written > text) {
            Err(DecodeError::Corrupt)
        } else {
            Ok(count)
        }
    }
}

fn explain_memory_error(most: usize, fault: DecodeError) -> DecodeError {
    if matches!(fault, DecodeError::OutOfMemory(_)) { memory_error(most) } else { fault }
}

/// A dictionary that cannot be had.
fn memory_error(most: usize) -> DecodeError {
    if most >= MAX_DICTIONARY { DecodeError::WindowTooLarge } else { DecodeError::OutOfMemory(AllocError(2 * most)) }
}

fn read_array<const COUNT: usize>(packed: &mut ArchiveBytes) -> Result<[u8; COUNT], DecodeError> {
    let mut bytes = [0; COUNT];
    packed.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Past the header of a stream, to its flags and the check of its blocks.
fn read_stream_header(packed: &mut ArchiveBytes) -> Result<([u8; 2], Check), DecodeError> {
    let (magic, flags, stated) = (read_array(packed)?, read_array(packed)?, read_array(packed)?);
    if &magic != MAGIC || stated != crc32(&flags) || flags[0] != 0 {
        return Err(DecodeError::Corrupt);
    }
    Ok((flags, Check::from_id(flags[1]).ok_or(DecodeError::Corrupt)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use liblzma::write::XzEncoder;
    use std::io::Write;

    fn xz(text: &[u8]) -> Vec<u8> {
        let mut archive = XzEncoder::new(Vec::new(), 0);
        assert!(archive.write_all(text).is_ok());
        archive.finish().unwrap_or_default()
    }

    fn unpack(archive: &[u8], threads: usize) -> Option<Vec<u8>> {
        let bytes = Box::new(ArchiveBytes::of_bytes(archive.to_vec(), String::new()));
        let mut text = Vec::new();
        XzDecoder::new(bytes, threads).ok()?.read_to_end(&mut text).ok()?;
        Some(text)
    }

    #[test]
    fn every_byte_of_a_stream_is_verified() {
        let archive = xz(b"a text of some words");
        for threads in [1, 2] {
            assert_eq!(unpack(&archive, threads), Some(b"a text of some words".to_vec()));
            for at in 0..archive.len() {
                let mut damaged = archive.clone();
                damaged[at] ^= 1;
                assert_eq!(unpack(&damaged, threads), None, "byte {at}");
                assert_eq!(unpack(&archive[..at], threads), None, "{at} bytes");
            }
        }
    }
}
