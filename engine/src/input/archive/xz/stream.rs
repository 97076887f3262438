//! A stream of xz: its header, blocks, index and footer, as <https://tukaani.org/xz/xz-file-format.txt> lays them out. What
//! is packed in blocks is unpacked by `liblzma`; every check and size that a stream states is verified.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::input::archive::bytes::Packed;
use crate::input::archive::error::Fault;
use crate::input::archive::xz::block::{Decompressor, Header};
use crate::input::archive::xz::check::{Check, Sum, crc32};
use crate::input::archive::xz::index::{self, Sizes};
use crate::input::archive::xz::parallel::{Begun, Unpacked, held};
use crate::memory::{AllocError, HEADROOM, TryVec, probe_free_memory};

/// What a dictionary may ask for.
const MEMORY: usize = 1 << 30;

const MAGIC: &[u8; 6] = b"\xfd7zXZ\0";

/// A block, as far as it was read.
enum Block {
    /// From the archive.
    Streamed(Box<Streamed>),
    /// From memory, where all of it is.
    Held(Held),
}

struct Held {
    block: Unpacked,
    /// Bytes of its header, and its packed bytes.
    size: u64,
    stated: Result<Vec<u8>, (Fault, bool)>,
    given: usize,
}

/// What follows the blocks that were begun.
enum Next {
    Index,
    Block(Header),
    /// And whether it is that the archive ends.
    Fault(Fault, bool),
}

struct Streamed {
    header: Header,
    from: Decompressor,
    sum: Sum,
    /// Where its packed bytes begin, and how many bytes of text came out.
    begin: usize,
    given: u64,
}

pub(crate) struct Xz {
    packed: Box<Packed>,
    /// The flags of the header, which the footer repeats.
    flags: [u8; 2],
    check: Check,
    /// How many blocks are unpacked side by side.
    threads: usize,
    block: Option<Block>,
    begun: VecDeque<Begun>,
    next: Option<Next>,
    /// Of every block until now.
    sizes: Sizes,
    /// The largest text of a block, where that is known.
    largest: Option<u64>,
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
    pub(crate) fn new(mut packed: Box<Packed>, threads: usize) -> Result<Xz, (Fault, Box<Packed>)> {
        // The dictionary is had before it is asked for, or nothing larger than what can be had is.
        let most = match probe_free_memory(MEMORY + HEADROOM, HEADROOM) {
            Ok(most) => most.saturating_sub(HEADROOM).max(1 << 10),
            Err(refused) => return Err((refused.into(), packed)),
        };
        let (flags, check) = match begin(&mut packed) {
            Ok(found) => found,
            Err(fault) => return Err((fault, packed)),
        };
        let stated = packed.rest().and_then(index::read);
        let largest = stated.and_then(|sizes| sizes.iter().map(|&(_, text)| text).max());
        let (begun, sizes) = (VecDeque::new(), Vec::new());
        let (block, next, fault) = (None, None, None);
        Ok(Xz { packed, flags, check, threads, block, begun, next, sizes, largest, ended: false, most, fault })
    }

    pub(crate) fn into_packed(self) -> Box<Packed> {
        self.packed
    }

    /// The next bytes of the text; 0 where the stream has ended.
    fn text(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        while !self.ended && !buffer.is_empty() {
            let count = match &mut self.block {
                None => {
                    self.enter()?;
                    continue;
                }
                Some(Block::Held(held)) => held.read(buffer)?,
                Some(Block::Streamed(block)) => {
                    let count = block.from.read(&block.header, &mut self.packed, buffer);
                    block.take(count.map_err(|fault| explained(self.most, fault))?, buffer)?
                }
            };
            if count > 0 {
                return Ok(count);
            }
            match self.block.take() {
                Some(Block::Held(held)) => self.leave_held(held)?,
                Some(Block::Streamed(block)) => self.leave(block)?,
                None => {}
            }
        }
        Ok(0)
    }

    /// Into the next block, or past the index where there is none.
    fn enter(&mut self) -> Result<(), Fault> {
        self.look_ahead()?;
        if let Some(begun) = self.begun.pop_front() {
            let (block, size, stated) = begun.end();
            self.block = Some(Block::Held(Held { block, size, stated, given: 0 }));
            return self.look_ahead();
        }
        match self.next.take() {
            Some(Next::Block(header)) => {
                let begin = self.packed.position();
                let from = header.decompressor().map_err(|fault| explained(self.most, fault))?;
                let sum = self.check.begin();
                self.block = Some(Block::Streamed(Box::new(Streamed { header, from, sum, begin, given: 0 })));
            }
            Some(Next::Fault(fault, ended)) => return Err(self.failed(fault, ended)),
            Some(Next::Index) | None => {
                self.index()?;
                self.ended = true;
            }
        }
        Ok(())
    }

    /// Begin as many of the blocks that follow as are unpacked side by side, and find out what comes then.
    fn look_ahead(&mut self) -> Result<(), Fault> {
        while self.next.is_none() && self.begun.len() < self.threads.max(1) {
            match self.header() {
                Ok(None) => self.next = Some(Next::Index),
                Ok(Some(header)) => match held(&header).filter(|_| self.threads > 1) {
                    Some(size) => self.begin(header, size)?,
                    None => self.next = Some(Next::Block(header)),
                },
                Err(fault) => self.next = Some(Next::Fault(fault, self.packed.ended)),
            }
        }
        Ok(())
    }

    /// The header of the next block; None where the index follows.
    fn header(&mut self) -> Result<Option<Header>, Fault> {
        let [size] = next(&mut self.packed)?;
        if size == 0 {
            return Ok(None);
        }
        let mut bytes = vec![0; (usize::from(size) + 1) * 4];
        bytes[0] = size;
        self.packed.read_exact(&mut bytes[1..])?;
        let mut header = Header::of(&bytes)?;
        if header.memory() > self.most {
            return Err(too_large(self.most));
        }
        if let Some(text) = header.text.or(self.largest) {
            header.narrow(text);
        }
        Ok(Some(header))
    }

    /// Begin a block of so many packed bytes.
    fn begin(&mut self, header: Header, size: usize) -> Result<(), Fault> {
        let mut bytes = Vec::new();
        bytes.try_reserve_more(size)?;
        let found = (&mut self.packed).take(size as u64).read_to_end(&mut bytes);
        let whole = found.is_ok_and(|found| found == size);
        let stated = if whole { self.stated(size as u64) } else { Err(Fault::Data) };
        let stated = stated.map_err(|fault| {
            // Where this one ends is not known, so none is begun after it.
            self.next = Some(Next::Fault(Fault::Data, false));
            (fault, self.packed.ended)
        });
        self.begun.push_back(Begun::new(header, bytes, self.check, stated));
        Ok(())
    }

    /// What follows the data of a block: zeros to a multiple of four bytes, and its check.
    fn stated(&mut self, size: u64) -> Result<Vec<u8>, Fault> {
        self.expect(&[0; 3][..(size.wrapping_neg() % 4) as usize])?;
        let mut stated = vec![0; self.check.size()];
        self.packed.read_exact(&mut stated)?;
        Ok(stated)
    }

    /// A fault that was met before what stands in front of it was read to its end.
    fn failed(&mut self, fault: Fault, ended: bool) -> Fault {
        self.packed.ended = ended;
        fault
    }

    /// Past a block that was held whole.
    fn leave_held(&mut self, held: Held) -> Result<(), Fault> {
        let Held { block, size, stated, .. } = held;
        if let Some((fault, ended)) = block.fault {
            return Err(self.failed(fault, ended));
        }
        let stated = stated.map_err(|(fault, ended)| self.failed(fault, ended))?;
        if stated != block.sum {
            return Err(self.failed(Fault::Data, false));
        }
        self.sizes.try_push((size + stated.len() as u64, block.text.len() as u64))?;
        Ok(())
    }

    /// Past a block that was read from the archive.
    fn leave(&mut self, block: Box<Streamed>) -> Result<(), Fault> {
        let Streamed { header, sum, begin, given, .. } = *block;
        let size = (self.packed.position() - begin) as u64;
        let as_stated = |stated: Option<u64>, found| stated.is_none_or(|stated| stated == found);
        if !as_stated(header.packed, size) || !as_stated(header.text, given) {
            return Err(Fault::Data);
        }
        let stated = self.stated(size)?;
        if stated != sum.end() {
            return Err(Fault::Data);
        }
        self.sizes.try_push((header.size as u64 + size + stated.len() as u64, given))?;
        Ok(())
    }

    /// Past the index, whose first byte was read, and the footer: what they must be follows from the blocks.
    fn index(&mut self) -> Result<(), Fault> {
        let index = index::written(&self.sizes)?;
        let back = (index.len() / 4) as u32;
        let footer = [&back.to_le_bytes(), &self.flags[..]].concat();
        for part in [&index[1..], &crc32(&index), &crc32(&footer), &footer, b"YZ"] {
            self.expect(part)?;
        }
        Ok(())
    }

    fn expect(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        for &byte in bytes {
            if next(&mut self.packed)? != [byte] {
                return Err(Fault::Data);
            }
        }
        Ok(())
    }
}

impl Held {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Fault> {
        let count = (&self.block.text[self.given..]).read(buffer)?;
        self.given += count;
        Ok(count)
    }
}

impl Streamed {
    /// Take so many bytes of text, which may be none.
    fn take(&mut self, count: usize, buffer: &[u8]) -> Result<usize, Fault> {
        self.sum.update(&buffer[..count]);
        self.given += count as u64;
        if self.header.text.is_some_and(|text| self.given > text) { Err(Fault::Data) } else { Ok(count) }
    }
}

fn explained(most: usize, fault: Fault) -> Fault {
    if matches!(fault, Fault::Memory(_)) { too_large(most) } else { fault }
}

/// A dictionary that cannot be had.
fn too_large(most: usize) -> Fault {
    if most >= MEMORY { Fault::Window } else { Fault::Memory(AllocError(2 * most)) }
}

fn next<const COUNT: usize>(packed: &mut Packed) -> Result<[u8; COUNT], Fault> {
    let mut bytes = [0; COUNT];
    packed.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Past the header of a stream, to its flags and the check of its blocks.
fn begin(packed: &mut Packed) -> Result<([u8; 2], Check), Fault> {
    let (magic, flags, stated) = (next(packed)?, next(packed)?, next(packed)?);
    if &magic != MAGIC || stated != crc32(&flags) || flags[0] != 0 {
        return Err(Fault::Data);
    }
    Ok((flags, Check::of(flags[1]).ok_or(Fault::Data)?))
}
