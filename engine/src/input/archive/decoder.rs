//! Decompressors of one member, stream or frame, and what they read from, which follows them.

use std::io::{self, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::input::archive::bytes::ArchiveBytes;
use crate::input::archive::error::DecodeError;
use crate::input::archive::format::{Compression, MAGIC_BYTES};
use crate::input::archive::xz::stream::XzDecoder;
use crate::memory::{AllocError, HEADROOM, TryVec, probe_free_memory};

/// What a zstd window may ask for.
const ZSTD_WINDOW: usize = 128 << 20;

pub(crate) enum Decoder {
    Gzip(Box<GzDecoder<Box<ArchiveBytes>>>),
    Bzip2(BzDecoder<Box<ArchiveBytes>>),
    Xz(Box<XzDecoder>),
    Zstd(Box<ZstdDecoder>),
}

impl Decoder {
    /// A member that begins here, of which so many parts are unpacked side by side as it allows; what it would be read from is given back where it cannot.
    pub(crate) fn new(
        kind: Compression,
        packed: Box<ArchiveBytes>,
        threads: usize,
    ) -> Result<Decoder, (DecodeError, Box<ArchiveBytes>)> {
        match kind {
            Compression::Gzip => Ok(Decoder::Gzip(Box::new(GzDecoder::new(packed)))),
            Compression::Bzip2 => Ok(Decoder::Bzip2(BzDecoder::new(packed))),
            Compression::Xz => XzDecoder::new(packed, threads).map(|xz| Decoder::Xz(Box::new(xz))),
            Compression::Zstd => ZstdDecoder::new(packed).map(|zstd| Decoder::Zstd(Box::new(zstd))),
        }
    }

    /// Append the next bytes, at most `count`; whether there are no more. What was had before a fault is there.
    pub(crate) fn read(&mut self, text: &mut Vec<u8>, count: usize) -> Result<bool, DecodeError> {
        match self {
            Decoder::Gzip(from) => read_at_most(&mut **from, text, count),
            Decoder::Bzip2(from) => read_at_most(from, text, count),
            Decoder::Xz(from) => {
                read_at_most(&mut **from, text, count).map_err(|fault| from.fault.take().unwrap_or(fault))
            }
            Decoder::Zstd(from) => {
                let ended = read_at_most(&mut **from, text, count)?;
                if ended && !from.sizes_and_checksum_match() { Err(DecodeError::Corrupt) } else { Ok(ended) }
            }
        }
    }

    pub(crate) fn into_inner(self) -> Box<ArchiveBytes> {
        match self {
            Decoder::Gzip(from) => from.into_inner(),
            Decoder::Bzip2(from) => from.into_inner(),
            Decoder::Xz(from) => from.into_inner(),
            Decoder::Zstd(from) => from.packed,
        }
    }
}

/// Append what a decompressor gives, at most `count` bytes; the memory is asked for. Whether it has no more.
fn read_at_most(from: &mut impl Read, text: &mut Vec<u8>, count: usize) -> Result<bool, DecodeError> {
    let mut left = count;
    while left > 0 {
        if text.len() == text.capacity() {
            text.try_reserve_more(left.min(1 << 16))?;
            probe_free_memory(HEADROOM, HEADROOM)?;
        }
        let step = left.min(text.capacity() - text.len());
        let count = from.by_ref().take(step as u64).read_to_end(text)?;
        left -= count;
        if count < step {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A frame of zstd.
pub(crate) struct ZstdDecoder {
    decoder: FrameDecoder,
    packed: Box<ArchiveBytes>,
    /// Whether its header says how much comes out, and how much did.
    has_content_size: bool,
    produced: u64,
}

impl ZstdDecoder {
    fn new(mut packed: Box<ArchiveBytes>) -> Result<ZstdDecoder, (DecodeError, Box<ArchiveBytes>)> {
        let head = packed.peek(MAGIC_BYTES).unwrap_or_default();
        let needs_dictionary = names_dictionary(head);
        // The decoder does not tell a frame that promises nothing from one without a promise, nor looks at the reserved bit.
        let descriptor = head.get(4).copied().unwrap_or_default();
        if descriptor & 0b1000 != 0 {
            return Err((DecodeError::Corrupt, packed));
        }
        // The window is kept in a ring that doubles as it grows.
        let most = match probe_free_memory(4 * ZSTD_WINDOW, HEADROOM) {
            Ok(most) => most / 4,
            Err(refused) => return Err((refused.into(), packed)),
        };
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(most as u64);
        if let Err(error) = decoder.init(&mut packed) {
            let error = if needs_dictionary { DecodeError::Corrupt } else { window_error(&error, most) };
            return Err((error, packed));
        }
        Ok(ZstdDecoder { decoder, packed, has_content_size: descriptor & 0b1110_0000 != 0, produced: 0 })
    }

    /// Whether a frame that was read to its end held what its header and its checksum say.
    fn sizes_and_checksum_match(&self) -> bool {
        let decoder = &self.decoder;
        let sum = decoder.get_checksum_from_data();
        (!self.has_content_size || decoder.content_size() == self.produced)
            && (sum.is_none() || sum == decoder.get_calculated_checksum())
    }
}

impl Read for ZstdDecoder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let decoder = &mut self.decoder;
        while decoder.can_collect() == 0 && !decoder.is_finished() {
            let one = BlockDecodingStrategy::UptoBlocks(1);
            decoder.decode_blocks(&mut self.packed, one).map_err(io::Error::other)?;
        }
        let count = decoder.read(buffer)?;
        self.produced += count as u64;
        Ok(count)
    }
}

/// Whether the header of a frame names a dictionary, without which no memory would be enough to unpack it.
fn names_dictionary(head: &[u8]) -> bool {
    let descriptor = head.get(4).copied().unwrap_or_default();
    let size = [0, 1, 2, 4][usize::from(descriptor & 0b11)];
    let is_single_segment = descriptor & 0b10_0000 != 0;
    let start = if is_single_segment { 5 } else { 6 }; // only the other frames have a byte for the window
    head.get(start..start + size).is_some_and(|id| id.iter().any(|&byte| byte != 0))
}

fn window_error(error: &FrameDecoderError, most: usize) -> DecodeError {
    match error {
        FrameDecoderError::WindowSizeTooBig { requested, .. } if *requested > ZSTD_WINDOW as u64 => {
            DecodeError::WindowTooLarge
        }
        FrameDecoderError::WindowSizeTooBig { .. } => DecodeError::OutOfMemory(AllocError(8 * most)),
        _ => DecodeError::Corrupt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut archive = GzEncoder::new(Vec::new(), Compression::default());
        assert!(archive.write_all(text).is_ok());
        archive.finish().unwrap_or_default()
    }

    /// The text, read some bytes at a time, and whether it was read to its end.
    fn unpack(archive: Vec<u8>) -> (Vec<u8>, bool) {
        let bytes = Box::new(ArchiveBytes::of_bytes(archive, String::new()));
        let Ok(mut decoder) = Decoder::new(super::Compression::Gzip, bytes, 1) else { return (Vec::new(), false) };
        let mut text = Vec::new();
        loop {
            match decoder.read(&mut text, 7) {
                Ok(false) => {}
                ended => return (text, ended.is_ok()),
            }
        }
    }

    #[test]
    fn a_dictionary_is_named_by_a_number_other_than_0() {
        let names = |rest: &[u8]| names_dictionary(&[super::Compression::Zstd.magic(), rest].concat());
        for (flag, size) in [(1_u8, 1), (2, 2), (3, 4)] {
            let mut id = vec![0; size];
            assert!(!names(&[&[flag, 0xa0][..], &id].concat()), "{flag}");
            assert!(!names(&[&[0x20 | flag][..], &id].concat()), "{flag}, a single segment");
            id[size - 1] = 1;
            assert!(names(&[&[flag, 0xa0][..], &id].concat()), "{flag}");
            assert!(names(&[&[0x20 | flag][..], &id].concat()), "{flag}, a single segment");
            assert!(!names(&[&[flag, 0xa0][..], &id[..size - 1]].concat()), "{flag}, cut off");
        }
        assert!(!names(&[0, 0xa0, 1, 1, 1, 1]), "no field for it");
        assert!(!names(&[]));
    }

    #[test]
    fn a_member_is_read_in_pieces_and_a_part_of_it_as_far_as_it_goes() {
        let text: Vec<u8> = (0..1000_u32).flat_map(|number| number.to_string().into_bytes()).collect();
        let archive = gzip(&text);
        assert_eq!(unpack(archive.clone()), (text.clone(), true));
        for size in 0..archive.len() {
            let (part, ended) = unpack(archive[..size].to_vec());
            assert!(!ended && text.starts_with(&part), "{size}");
        }
    }
}
