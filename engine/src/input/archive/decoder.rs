//! Decompressors of one member, stream or frame, and what they read from, which follows them.

use std::io::{self, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::input::archive::bytes::Packed;
use crate::input::archive::error::Fault;
use crate::input::archive::format::{HEAD, Kind};
use crate::input::archive::xz::stream::Xz;
use crate::memory::{AllocError, HEADROOM, TryVec, probe_free_memory};

/// What a zstd window may ask for.
const ZSTD_WINDOW: usize = 128 << 20;

pub(crate) enum Member {
    Gzip(Box<GzDecoder<Box<Packed>>>),
    Bzip2(BzDecoder<Box<Packed>>),
    Xz(Box<Xz>),
    Zstd(Box<Zstd>),
}

impl Member {
    /// A member that begins here, of which so many parts are unpacked side by side as it allows; what it would be read from is given back where it cannot.
    pub(crate) fn new(kind: Kind, packed: Box<Packed>, threads: usize) -> Result<Member, (Fault, Box<Packed>)> {
        match kind {
            Kind::Gzip => Ok(Member::Gzip(Box::new(GzDecoder::new(packed)))),
            Kind::Bzip2 => Ok(Member::Bzip2(BzDecoder::new(packed))),
            Kind::Xz => Xz::new(packed, threads).map(|xz| Member::Xz(Box::new(xz))),
            Kind::Zstd => Zstd::new(packed).map(|zstd| Member::Zstd(Box::new(zstd))),
        }
    }

    /// Append the next bytes, at most `count`; whether there are no more. What was had before a fault is there.
    pub(crate) fn read(&mut self, text: &mut Vec<u8>, count: usize) -> Result<bool, Fault> {
        match self {
            Member::Gzip(from) => pour(&mut **from, text, count),
            Member::Bzip2(from) => pour(from, text, count),
            Member::Xz(from) => pour(&mut **from, text, count).map_err(|fault| from.fault.take().unwrap_or(fault)),
            Member::Zstd(from) => {
                let ended = pour(&mut **from, text, count)?;
                if ended && !from.keeps_its_promises() { Err(Fault::Data) } else { Ok(ended) }
            }
        }
    }

    pub(crate) fn into_packed(self) -> Box<Packed> {
        match self {
            Member::Gzip(from) => from.into_inner(),
            Member::Bzip2(from) => from.into_inner(),
            Member::Xz(from) => from.into_packed(),
            Member::Zstd(from) => from.packed,
        }
    }
}

/// Append what a decompressor gives, at most `count` bytes; the memory is asked for. Whether it has no more.
fn pour(from: &mut impl Read, text: &mut Vec<u8>, count: usize) -> Result<bool, Fault> {
    let mut left = count;
    while left > 0 {
        if text.len() == text.capacity() {
            text.try_reserve_more(left.min(1 << 16))?;
            probe_free_memory(HEADROOM, HEADROOM)?;
        }
        let step = left.min(text.capacity() - text.len());
        let found = from.by_ref().take(step as u64).read_to_end(text)?;
        left -= found;
        if found < step {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A frame of zstd.
pub(crate) struct Zstd {
    decoder: FrameDecoder,
    packed: Box<Packed>,
    /// Whether its header says how much comes out, and how much did.
    promises: bool,
    given: u64,
}

impl Zstd {
    fn new(mut packed: Box<Packed>) -> Result<Zstd, (Fault, Box<Packed>)> {
        // The decoder does not tell a frame that promises nothing from one without a promise, nor looks at the reserved bit.
        let descriptor = packed.head(HEAD).ok().and_then(|head| head.get(4).copied()).unwrap_or_default();
        if descriptor & 0b1000 != 0 {
            return Err((Fault::Data, packed));
        }
        // The window is kept in a ring that doubles as it grows.
        let most = match probe_free_memory(4 * ZSTD_WINDOW, HEADROOM) {
            Ok(most) => most / 4,
            Err(refused) => return Err((refused.into(), packed)),
        };
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(most as u64);
        if let Err(error) = decoder.init(&mut packed) {
            return Err((refused_window(&error, most), packed));
        }
        Ok(Zstd { decoder, packed, promises: descriptor & 0b1110_0000 != 0, given: 0 })
    }

    /// Whether a frame that was read to its end held what its header and its checksum say.
    fn keeps_its_promises(&self) -> bool {
        let decoder = &self.decoder;
        let sum = decoder.get_checksum_from_data();
        (!self.promises || decoder.content_size() == self.given)
            && (sum.is_none() || sum == decoder.get_calculated_checksum())
    }
}

impl Read for Zstd {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let decoder = &mut self.decoder;
        while decoder.can_collect() == 0 && !decoder.is_finished() {
            let one = BlockDecodingStrategy::UptoBlocks(1);
            decoder.decode_blocks(&mut self.packed, one).map_err(io::Error::other)?;
        }
        let count = decoder.read(buffer)?;
        self.given += count as u64;
        Ok(count)
    }
}

fn refused_window(error: &FrameDecoderError, most: usize) -> Fault {
    match error {
        FrameDecoderError::WindowSizeTooBig { requested, .. } if *requested > ZSTD_WINDOW as u64 => Fault::Window,
        FrameDecoderError::WindowSizeTooBig { .. } => Fault::Memory(AllocError(8 * most)),
        _ => Fault::Data,
    }
}
