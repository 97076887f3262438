//! The header of a block of xz, and the decompressor that it asks for.

use std::io::BufRead;

use liblzma::stream::{Action, Error, Filters, Status, Stream};

use crate::input::archive::error::DecodeError;
use crate::input::archive::xz::check::crc32;
use crate::memory::AllocError;

const DELTA: u64 = 0x03;
const LZMA2: u64 = 0x21;

/// What a decompressor takes beside its dictionary.
const DECODER_MEMORY: usize = 128 << 10;

pub(crate) struct BlockHeader {
    /// Bytes of the header itself.
    pub size: usize,
    /// What it states, if it does: the packed size, without padding and check, and the size of the text.
    pub compressed_size: Option<u64>,
    pub uncompressed_size: Option<u64>,
    /// The dictionary of LZMA2.
    pub dictionary: u32,
    /// What was done to the text, in that order: a filter and its properties. LZMA2 is the last.
    filters: Vec<(u64, Vec<u8>)>,
}

impl BlockHeader {
    /// From its bytes, all of them.
    pub(crate) fn parse(bytes: &[u8]) -> Result<BlockHeader, DecodeError> {
        let (stated, sum) = bytes.split_last_chunk::<4>().ok_or(DecodeError::Corrupt)?;
        if *sum != crc32(stated) {
            return Err(DecodeError::Corrupt);
        }
        let mut fields = HeaderFields(stated.get(1..).unwrap_or_default());
        let flags = fields.byte()?;
        if flags & 0b0011_1100 != 0 {
            return Err(DecodeError::Corrupt);
        }
        let packed = if flags & 0x40 != 0 { Some(fields.varint()?) } else { None };
        let text = if flags & 0x80 != 0 { Some(fields.varint()?) } else { None };
        let mut filters = Vec::new();
        for _ in 0..flags & 3 {
            filters.push(fields.filter()?);
        }
        let (dictionary, code) = fields.dictionary()?;
        filters.push((LZMA2, vec![code]));
        if packed == Some(0) || fields.0.iter().any(|&byte| byte != 0) {
            return Err(DecodeError::Corrupt);
        }
        Ok(BlockHeader { size: bytes.len(), compressed_size: packed, uncompressed_size: text, dictionary, filters })
    }

    /// What unpacks the block.
    pub(crate) fn decoder(&self) -> Result<BlockDecoder, DecodeError> {
        let mut filters = Filters::new();
        let all = self.filters.iter().try_for_each(|(filter, properties)| {
            let added = match *filter {
                DELTA => filters.delta_properties(properties),
                0x04 => filters.x86_properties(properties),
                0x05 => filters.powerpc_properties(properties),
                0x06 => filters.ia64_properties(properties),
                0x07 => filters.arm_properties(properties),
                0x08 => filters.arm_thumb_properties(properties),
                0x09 => filters.sparc_properties(properties),
                0x0a => filters.arm64_properties(properties),
                0x0b => filters.riscv_properties(properties),
                _ => filters.lzma2_properties(properties),
            };
            added.map(|_| ())
        });
        let stream = all.and_then(|()| Stream::new_raw_decoder(&filters)).map_err(|error| self.decode_error(error))?;
        Ok(BlockDecoder { stream, left: self.compressed_size.unwrap_or(u64::MAX), ended: false })
    }

    /// Ask for no larger dictionary than a text of so many bytes can look back on: memory that is new to a process costs as
    /// much as to unpack into it. Where the text is larger than that, it is damaged, and is found to be.
    pub(crate) fn shrink_dictionary(&mut self, text: u64) {
        let wide = |code: &u8| u64::from(dictionary_size(*code)) >= text;
        if let Some([code]) = self.filters.last_mut().map(|(_, properties)| &mut properties[..]) {
            *code = (0..*code).find(wide).unwrap_or(*code);
            self.dictionary = dictionary_size(*code);
        }
    }

    /// Memory that unpacking takes.
    pub(crate) fn decoder_memory(&self) -> usize {
        self.dictionary as usize + DECODER_MEMORY
    }

    fn decode_error(&self, error: Error) -> DecodeError {
        match error {
            Error::Mem | Error::MemLimit => AllocError(self.decoder_memory()).into(),
            _ => DecodeError::Corrupt,
        }
    }
}

/// Unpacks one block.
pub(crate) struct BlockDecoder {
    stream: Stream,
    /// Packed bytes that are left, as far as the header states them.
    left: u64,
    ended: bool,
}

impl BlockDecoder {
    /// The next bytes of the text: 0 where it has ended, or none are wanted.
    pub(crate) fn read(
        &mut self,
        header: &BlockHeader,
        packed: &mut impl BufRead,
        text: &mut [u8],
    ) -> Result<usize, DecodeError> {
        while !self.ended && !text.is_empty() {
            let bytes = if self.left > 0 { packed.fill_buf()? } else { &[] };
            let bytes = &bytes[..bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX))];
            let (used, written) = (self.stream.total_in(), self.stream.total_out());
            let done = self.stream.process(bytes, text, Action::Run);
            let (used, written) = (self.stream.total_in() - used, self.stream.total_out() - written);
            packed.consume(used as usize);
            self.left -= used;
            match done.map_err(|error| header.decode_error(error))? {
                Status::StreamEnd => self.ended = true,
                // More is needed than there is.
                Status::MemNeeded => return Err(DecodeError::Corrupt),
                _ => {}
            }
            if written > 0 {
                return Ok(written as usize);
            }
        }
        Ok(0)
    }
}

/// What is left of a header, or of an index.
pub(crate) struct HeaderFields<'a>(pub &'a [u8]);

impl HeaderFields<'_> {
    fn byte(&mut self) -> Result<u8, DecodeError> {
        let (&byte, rest) = self.0.split_first().ok_or(DecodeError::Corrupt)?;
        self.0 = rest;
        Ok(byte)
    }

    /// Seven bits a byte, the lowest first, in as few bytes as there can be, and in nine at most.
    pub(crate) fn varint(&mut self) -> Result<u64, DecodeError> {
        let mut number = 0;
        for place in 0..9 {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return if byte == 0 && place > 0 { Err(DecodeError::Corrupt) } else { Ok(number) };
            }
        }
        Err(DecodeError::Corrupt)
    }

    /// A filter before LZMA2: the distance of a difference, or where the text of a machine's instructions begins.
    fn filter(&mut self) -> Result<(u64, Vec<u8>), DecodeError> {
        let (filter, size) = (self.varint()?, self.varint()?);
        // Such a text begins at a multiple of an instruction's size.
        let multiple = match filter {
            DELTA if size == 1 => return Ok((filter, vec![self.byte()?])),
            0x04 => 1,
            0x08 | 0x0b => 2,
            0x05 | 0x07 | 0x09 | 0x0a => 4,
            0x06 => 16,
            _ => return Err(DecodeError::Corrupt),
        };
        let properties = match size {
            0 => Vec::new(),
            4 => vec![self.byte()?, self.byte()?, self.byte()?, self.byte()?],
            _ => return Err(DecodeError::Corrupt),
        };
        let begin = properties.iter().rev().fold(0, |begin, &byte| begin << 8 | u32::from(byte));
        if begin % multiple == 0 { Ok((filter, properties)) } else { Err(DecodeError::Corrupt) }
    }

    /// LZMA2, which is the last: its dictionary, which is 2 or 3 times a power of two, and the code of that.
    fn dictionary(&mut self) -> Result<(u32, u8), DecodeError> {
        match (self.varint()?, self.varint()?, self.byte()?) {
            (LZMA2, 1, code @ 0..=40) => Ok((dictionary_size(code), code)),
            _ => Err(DecodeError::Corrupt),
        }
    }
}

/// The dictionary behind a code of at most 40.
fn dictionary_size(code: u8) -> u32 {
    if code < 40 { (2 | u32::from(code & 1)) << (code / 2 + 11) } else { u32::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of LZMA2 with this code, and nothing stated.
    fn header(code: u8) -> Option<BlockHeader> {
        let stated = [2, 0, 0x21, 1, code, 0, 0, 0];
        BlockHeader::parse(&[&stated[..], &crc32(&stated)].concat()).ok()
    }

    #[test]
    fn a_dictionary_is_no_larger_than_the_text_needs() {
        let narrowed = |code, text| {
            let mut header = header(code)?;
            header.shrink_dictionary(text);
            Some((header.dictionary, header.filters.pop()?.1))
        };
        assert_eq!(narrowed(28, 1_777_768), Some((2 << 20, vec![18])));
        assert_eq!(narrowed(28, 2 << 20), Some((2 << 20, vec![18])));
        assert_eq!(narrowed(28, (2 << 20) + 1), Some((3 << 20, vec![19])));
        assert_eq!(narrowed(28, 0), Some((4096, vec![0])));
        // What was asked for is enough, as the text is looked back on no further.
        assert_eq!(narrowed(28, 1 << 40), Some((64 << 20, vec![28])));
        assert_eq!(narrowed(40, u64::MAX), Some((u32::MAX, vec![40])));
    }
}
