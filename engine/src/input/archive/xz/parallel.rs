//! Blocks of xz that are unpacked side by side, each on a thread of its own, as `xz -T` makes it possible: their headers
//! state how large they are, so that the packed bytes of several can be had before the first is unpacked.

use std::io::{self, BufRead, Read};
use std::panic::resume_unwind;
use std::sync::{Arc, mpsc};
use std::thread::{Builder, JoinHandle};

use crate::input::archive::error::Fault;
use crate::input::archive::xz::block::Header;
use crate::input::archive::xz::check::Check;
use crate::memory::{HEADROOM, TryVec, probe_free_memory};

/// What a block may have of text, and its dictionary, to be held whole: `xz -6 -T0` makes blocks of 24 MiB with 8.
const TEXT: u64 = 32 << 20;
const DICTIONARY: u32 = 16 << 20;

/// The packed bytes of a block that may be held whole while it is unpacked; None of any other.
pub(crate) fn held(header: &Header) -> Option<usize> {
    let text = header.text.filter(|&text| text <= TEXT)?;
    let packed = header.packed.filter(|&packed| packed <= TEXT)?;
    let all = (text + packed) as usize + header.dictionary as usize + HEADROOM;
    (header.dictionary <= DICTIONARY && probe_free_memory(all, all).is_ok()).then_some(packed as usize)
}

/// What a block gave.
pub(crate) struct Unpacked {
    /// As much as there was before a fault.
    pub text: Vec<u8>,
    /// The check of the text.
    pub sum: Vec<u8>,
    /// What is wrong, and whether it is that the archive ends.
    pub fault: Option<(Fault, bool)>,
}

impl Unpacked {
    fn of(header: &Header, packed: &[u8], check: Check) -> Unpacked {
        let mut from = Ending { bytes: packed, missed: false };
        let mut text = Vec::new();
        let fault = fill(&mut text, header, &mut from).err().map(|fault| (fault, from.missed));
        let mut sum = check.begin();
        sum.update(&text);
        Unpacked { text, sum: sum.end(), fault }
    }
}

fn fill(text: &mut Vec<u8>, header: &Header, from: &mut Ending) -> Result<(), Fault> {
    let wanted = header.text.unwrap_or_default() as usize;
    let all = header.packed == Some(from.bytes.len() as u64);
    // Room for one byte too many, by which a text is told that is longer than stated.
    text.try_reserve_more(wanted + 1)?;
    text.resize(wanted + 1, 0);
    let mut decompressor = header.decompressor()?;
    let mut given = 0;
    let ended = loop {
        match decompressor.read(header, from, &mut text[given..]) {
            Ok(0) => break Ok(()),
            Ok(count) => given += count,
            Err(fault) => break Err(fault),
        }
    };
    text.truncate(given);
    ended?;
    if all && from.bytes.is_empty() && given == wanted { Ok(()) } else { Err(Fault::Data) }
}

/// Packed bytes, and whether more were wanted than there are.
struct Ending<'a> {
    bytes: &'a [u8],
    missed: bool,
}

impl Read for Ending<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Ending<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.missed |= self.bytes.is_empty();
        Ok(self.bytes)
    }

    fn consume(&mut self, count: usize) {
        self.bytes = &self.bytes[count..];
    }
}

/// A block that is being unpacked, or was where the system gave no thread.
pub(crate) struct Begun {
    work: Result<JoinHandle<Unpacked>, Unpacked>,
    /// Bytes of its header, and its packed bytes.
    pub size: u64,
    /// The check that it states; or why there is none, and whether it is that the archive ends.
    pub stated: Result<Vec<u8>, (Fault, bool)>,
}

impl Begun {
    pub(crate) fn new(header: Header, packed: Vec<u8>, check: Check, stated: Result<Vec<u8>, (Fault, bool)>) -> Begun {
        let size = (header.size + packed.len()) as u64;
        let block = Arc::new((header, packed));
        let work = started(&block, check).ok_or_else(|| Unpacked::of(&block.0, &block.1, check));
        Begun { work, size, stated }
    }

    /// What it gave, once that is there; and what is said of it above.
    pub(crate) fn end(self) -> (Unpacked, u64, Result<Vec<u8>, (Fault, bool)>) {
        let unpacked = self
            .work
            .map_or_else(|unpacked| unpacked, |thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (unpacked, self.size, self.stated)
    }
}

/// A thread that runs already: what it takes at its beginning must be there.
fn started(block: &Arc<(Header, Vec<u8>)>, check: Check) -> Option<JoinHandle<Unpacked>> {
    probe_free_memory(HEADROOM, HEADROOM).ok()?;
    let block = Arc::clone(block);
    let (begins, begun) = mpsc::channel();
    let work = move || {
        let _ = begins.send(());
        Unpacked::of(&block.0, &block.1, check)
    };
    let thread = Builder::new().spawn(work).ok()?;
    let _ = begun.recv();
    Some(thread)
}
