//! The header of a block of xz, and the decompressors that it names.

use std::io::{self, Read};

use lzma_rust2::Lzma2Reader;
use lzma_rust2::filter::{bcj::BcjReader, delta::DeltaReader};

use crate::crc::crc32;
use crate::members::Fault;

const DELTA: u64 = 0x03;
const LZMA2: u64 = 0x21;

pub struct Header {
    /// Bytes of the header itself.
    pub size: usize,
    /// What it states, if it does: the packed size, without padding and check, and the size of the text.
    pub packed: Option<u64>,
    pub text: Option<u64>,
    /// The dictionary of LZMA2.
    pub dictionary: u32,
    /// What was done to the text before, in that order: a filter and its number.
    filters: Vec<(u64, usize)>,
}

impl Header {
    /// From its bytes, all of them.
    pub fn of(bytes: &[u8]) -> Result<Header, Fault> {
        let (stated, sum) = bytes.split_last_chunk::<4>().ok_or(Fault::Data)?;
        if *sum != crc32(stated) {
            return Err(Fault::Data);
        }
        let mut fields = Fields(stated.get(1..).unwrap_or_default());
        let flags = fields.byte()?;
        if flags & 0b0011_1100 != 0 {
            return Err(Fault::Data);
        }
        let packed = if flags & 0x40 != 0 { Some(fields.number()?) } else { None };
        let text = if flags & 0x80 != 0 { Some(fields.number()?) } else { None };
        let mut filters = Vec::new();
        for _ in 0..flags & 3 {
            filters.push(fields.filter()?);
        }
        let dictionary = fields.dictionary()?;
        if packed == Some(0) || fields.0.iter().any(|&byte| byte != 0) {
            return Err(Fault::Data);
        }
        Ok(Header { size: bytes.len(), packed, text, dictionary, filters })
    }

    /// The text of the block that is read from here.
    pub fn reader<'a>(&self, from: impl Read + Send + 'a) -> Box<dyn Read + Send + 'a> {
        let from = Stated { from, left: self.packed.unwrap_or(u64::MAX) };
        let mut text: Box<dyn Read + Send + 'a> = Box::new(Lzma2Reader::new(from, self.dictionary, None));
        for &(filter, number) in self.filters.iter().rev() {
            text = match filter {
                DELTA => Box::new(DeltaReader::new(text, number)),
                0x04 => Box::new(BcjReader::new_x86(text, number)),
                0x05 => Box::new(BcjReader::new_ppc(text, number)),
                0x06 => Box::new(BcjReader::new_ia64(text, number)),
                0x07 => Box::new(BcjReader::new_arm(text, number)),
                0x08 => Box::new(BcjReader::new_arm_thumb(text, number)),
                0x09 => Box::new(BcjReader::new_sparc(text, number)),
                0x0a => Box::new(BcjReader::new_arm64(text, number)),
                _ => Box::new(BcjReader::new_riscv(text, number)),
            }
        }
        text
    }
}

/// What is left of a header.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn byte(&mut self) -> Result<u8, Fault> {
        let (&byte, rest) = self.0.split_first().ok_or(Fault::Data)?;
        self.0 = rest;
        Ok(byte)
    }

    /// Seven bits a byte, the lowest first, in as few bytes as there can be, and in nine at most.
    fn number(&mut self) -> Result<u64, Fault> {
        let mut number = 0;
        for place in 0..9 {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                return if byte == 0 && place > 0 { Err(Fault::Data) } else { Ok(number) };
            }
        }
        Err(Fault::Data)
    }

    /// A filter before LZMA2: the distance of a difference, or where the text of a machine's instructions begins.
    fn filter(&mut self) -> Result<(u64, usize), Fault> {
        let (filter, size) = (self.number()?, self.number()?);
        // Such a text begins at a multiple of an instruction's size.
        let multiple = match filter {
            DELTA if size == 1 => return Ok((filter, usize::from(self.byte()?) + 1)),
            0x04 => 1,
            0x08 | 0x0b => 2,
            0x05 | 0x07 | 0x09 | 0x0a => 4,
            0x06 => 16,
            _ => return Err(Fault::Data),
        };
        let begin = match size {
            0 => 0,
            4 => u32::from_le_bytes([self.byte()?, self.byte()?, self.byte()?, self.byte()?]),
            _ => return Err(Fault::Data),
        };
        if begin % multiple == 0 { Ok((filter, begin as usize)) } else { Err(Fault::Data) }
    }

    /// LZMA2, which is the last: 2 or 3 times a power of two.
    fn dictionary(&mut self) -> Result<u32, Fault> {
        match (self.number()?, self.number()?, self.byte()?) {
            (LZMA2, 1, 40) => Ok(u32::MAX),
            (LZMA2, 1, code @ 0..40) => Ok((2 | u32::from(code & 1)) << (code / 2 + 11)),
            _ => Err(Fault::Data),
        }
    }
}

/// The packed bytes of a block, as many as its header states.
struct Stated<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for Stated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.from.read(&mut buffer[..most])?;
        self.left -= count as u64;
        Ok(count)
    }
}
