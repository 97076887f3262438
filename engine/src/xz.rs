//! A stream of xz: its header, blocks, index and footer, as <https://tukaani.org/xz/xz-file-format.txt> lays them out. What
//! is packed in blocks is unpacked by `lzma_rust2`; every check and size that a stream states is verified.

use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lzma_rust2::lzma2_get_memory_usage;
use sha2::{Digest, Sha256};

use crate::crc::{Crc, crc32};
use crate::members::Fault;
use crate::packed::Packed;
use crate::room::{Refused, Room, SPARED, available};
use crate::xz_block::Header;

/// What a dictionary may ask for.
const MEMORY: usize = 1 << 30;

const MAGIC: &[u8; 6] = b"\xfd7zXZ\0";

/// What a stream is read from, shared with the decompressor of a block, which may lose its own where it fails.
#[derive(Clone)]
pub struct Handle(Arc<Mutex<Box<Packed>>>);

impl Handle {
    fn packed(&self) -> MutexGuard<'_, Box<Packed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next<const COUNT: usize>(&self) -> Result<[u8; COUNT], Fault> {
        let mut bytes = [0; COUNT];
        self.packed().read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

impl Read for Handle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.packed().read(buffer)
    }
}

/// How the text of a block is checked.
#[derive(Clone, Copy)]
enum Check {
    None,
    Crc32,
    Crc64,
    Sha256,
}

impl Check {
    fn of(code: u8) -> Option<Check> {
        match code {
            0x0 => Some(Check::None),
            0x1 => Some(Check::Crc32),
            0x4 => Some(Check::Crc64),
            0xa => Some(Check::Sha256),
            _ => None,
        }
    }

    fn begin(self) -> Sum {
        match self {
            Check::None => Sum::None,
            Check::Crc32 => Sum::Crc(Crc::of_32(), 4),
            Check::Crc64 => Sum::Crc(Crc::of_64(), 8),
            Check::Sha256 => Sum::Sha256(Sha256::new()),
        }
    }
}

/// A check, as far as it was taken; of a CRC with its bytes.
enum Sum {
    None,
    Crc(Crc, usize),
    Sha256(Sha256),
}

impl Sum {
    fn update(&mut self, text: &[u8]) {
        match self {
            Sum::None => {}
            Sum::Crc(crc, _) => crc.update(text),
            Sum::Sha256(hash) => hash.update(text),
        }
    }

    fn end(self) -> Vec<u8> {
        match self {
            Sum::None => Vec::new(),
            Sum::Crc(crc, bytes) => crc.end().to_le_bytes()[..bytes].to_vec(),
            Sum::Sha256(hash) => hash.finalize().to_vec(),
        }
    }
}

/// A block, as far as it was read.
struct Block {
    header: Header,
    from: Box<dyn Read + Send>,
    sum: Sum,
    /// Where its packed bytes begin, and how many bytes of text came out.
    begin: usize,
    given: u64,
}

pub struct Xz {
    packed: Handle,
    /// The flags of the header, which the footer repeats.
    flags: [u8; 2],
    check: Check,
    block: Option<Block>,
    /// Of every block until now its packed size, without padding, and that of its text.
    sizes: Vec<(u64, u64)>,
    ended: bool,
    /// Memory that a dictionary may take.
    most: usize,
    /// Why it could not be read on.
    pub fault: Option<Fault>,
}

impl Read for Xz {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.text(buffer).map_err(|fault| {
            self.fault = Some(fault);
            io::Error::other("the stream cannot be unpacked")
        })
    }
}

impl Xz {
    /// A stream that begins here; what it would be read from is given back where it cannot.
    pub fn new(packed: Box<Packed>) -> Result<Xz, (Fault, Box<Packed>)> {
        // The dictionary is had before it is asked for, or nothing larger than what can be had is.
        let most = match available(MEMORY + SPARED, SPARED) {
            Ok(most) => most.saturating_sub(SPARED).max(1 << 10),
            Err(refused) => return Err((refused.into(), packed)),
        };
        let packed = Handle(Arc::new(Mutex::new(packed)));
        match begin(&packed) {
            Ok((flags, check)) => {
                Ok(Xz { packed, flags, check, block: None, sizes: Vec::new(), ended: false, most, fault: None })
            }
            Err(fault) => Err((fault, taken(packed))),
        }
    }

    pub fn into_packed(self) -> Box<Packed> {
        let Xz { packed, block, .. } = self;
        drop(block);
        taken(packed)
    }

    /// The next bytes of the text; 0 where the stream has ended.
    fn text(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        while !self.ended {
            match self.block.take() {
                None => self.enter()?,
                Some(mut block) => {
                    let count = block.from.read(buffer).map_err(|error| self.explained(&error))?;
                    block.sum.update(&buffer[..count]);
                    block.given += count as u64;
                    if count == 0 {
                        self.leave(block)?;
                    } else if block.header.text.is_some_and(|text| block.given > text) {
                        return Err(Fault::Data);
                    } else {
                        self.block = Some(block);
                        return Ok(count);
                    }
                }
            }
        }
        Ok(0)
    }

    /// Into the next block, or past the index where there is none.
    fn enter(&mut self) -> Result<(), Fault> {
        let [size] = self.packed.next()?;
        if size == 0 {
            self.index()?;
            self.ended = true;
            return Ok(());
        }
        let mut bytes = vec![0; (usize::from(size) + 1) * 4];
        bytes[0] = size;
        self.packed.packed().read_exact(&mut bytes[1..])?;
        let header = Header::of(&bytes)?;
        if lzma2_get_memory_usage(header.dictionary) as usize > self.most >> 10 {
            return Err(self.too_large());
        }
        let begin = self.packed.packed().position();
        let from = header.reader(self.packed.clone());
        self.block = Some(Block { header, from, sum: self.check.begin(), begin, given: 0 });
        Ok(())
    }

    /// Past what follows the data of a block: zeros to a multiple of four bytes, and its check.
    fn leave(&mut self, block: Block) -> Result<(), Fault> {
        let Block { header, sum, begin, given, .. } = block;
        let size = (self.packed.packed().position() - begin) as u64;
        let as_stated = |stated: Option<u64>, found| stated.is_none_or(|stated| stated == found);
        if !as_stated(header.packed, size) || !as_stated(header.text, given) {
            return Err(Fault::Data);
        }
        self.expect(&[0; 3][..(size.wrapping_neg() % 4) as usize])?;
        let found = sum.end();
        let mut stated = vec![0; found.len()];
        self.packed.packed().read_exact(&mut stated)?;
        if stated != found {
            return Err(Fault::Data);
        }
        self.sizes.add((header.size as u64 + size + found.len() as u64, given))?;
        Ok(())
    }

    /// Past the index, whose first byte was read, and the footer: what they must be follows from the blocks.
    fn index(&self) -> Result<(), Fault> {
        let mut index = vec![0];
        write_number(&mut index, self.sizes.len() as u64)?;
        for &(packed, text) in &self.sizes {
            write_number(&mut index, packed)?;
            write_number(&mut index, text)?;
        }
        while index.len() % 4 > 0 {
            index.add(0)?;
        }
        let back = (index.len() / 4) as u32;
        let footer = [&back.to_le_bytes(), &self.flags[..]].concat();
        for part in [&index[1..], &crc32(&index), &crc32(&footer), &footer, b"YZ"] {
            self.expect(part)?;
        }
        Ok(())
    }

    fn expect(&self, bytes: &[u8]) -> Result<(), Fault> {
        for &byte in bytes {
            if self.packed.next()? != [byte] {
                return Err(Fault::Data);
            }
        }
        Ok(())
    }

    fn explained(&self, error: &io::Error) -> Fault {
        if error.kind() == ErrorKind::OutOfMemory { self.too_large() } else { Fault::Data }
    }

    /// A dictionary that cannot be had.
    fn too_large(&self) -> Fault {
        if self.most >= MEMORY { Fault::Window } else { Fault::Memory(Refused(2 * self.most)) }
    }
}

/// Past the header of a stream, to its flags and the check of its blocks.
fn begin(packed: &Handle) -> Result<([u8; 2], Check), Fault> {
    let (magic, flags, stated) = (packed.next()?, packed.next()?, packed.next()?);
    if &magic != MAGIC || stated != crc32(&flags) || flags[0] != 0 {
        return Err(Fault::Data);
    }
    Ok((flags, Check::of(flags[1]).ok_or(Fault::Data)?))
}

/// What a stream was read from, once nothing else reads from it.
fn taken(packed: Handle) -> Box<Packed> {
    match Arc::try_unwrap(packed.0) {
        Ok(packed) => packed.into_inner().unwrap_or_else(PoisonError::into_inner),
        Err(_) => unreachable!("the reader is gone"),
    }
}

fn write_number(bytes: &mut Vec<u8>, mut number: u64) -> Result<(), Refused> {
    while number >= 0x80 {
        bytes.add(number as u8 | 0x80)?;
        number >>= 7;
    }
    bytes.add(number as u8)
}
