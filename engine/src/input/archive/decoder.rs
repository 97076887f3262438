//! Decompressors of one member, stream or frame, each by the library of its kind, and the bytes that follow it.

use std::io::Read;

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use liblzma::bufread::XzDecoder;
use liblzma::stream::{MtStreamBuilder, Stream};
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::input::archive::bytes::ArchiveBytes;
use crate::input::archive::error::DecodeError;
use crate::input::archive::format::{Compression, MAGIC_BYTES};
use crate::memory::{HEADROOM, TryVec, probe_free_memory};

/// What the dictionary of an xz stream may ask for, and all blocks that are unpacked side by side, for each thread: those
/// that `xz -6 -T0` makes take 40 MiB, and a larger one is unpacked alone.
const XZ_MEMORY: u64 = 1 << 30;
const XZ_THREAD_MEMORY: usize = 48 << 20;

pub(crate) enum Decoder {
    Gzip(Box<GzDecoder<Box<ArchiveBytes>>>),
    Bzip2(BzDecoder<Box<ArchiveBytes>>),
    Xz(XzDecoder<Box<ArchiveBytes>>),
    /// And whether the frame names a dictionary.
    Zstd(ZstdDecoder<'static, Box<ArchiveBytes>>, bool),
}

impl Decoder {
    /// A member that begins here, of which as many blocks are unpacked side by side as it allows; the bytes are given back
    /// where it cannot be read.
    pub(crate) fn new(
        kind: Compression,
        mut packed: Box<ArchiveBytes>,
        threads: usize,
    ) -> Result<Decoder, (DecodeError, Box<ArchiveBytes>)> {
        match kind {
            Compression::Gzip => Ok(Decoder::Gzip(Box::new(GzDecoder::new(packed)))),
            Compression::Bzip2 => Ok(Decoder::Bzip2(BzDecoder::new(packed))),
            Compression::Xz => match xz_stream(threads) {
                Ok(stream) => Ok(Decoder::Xz(XzDecoder::new_stream(packed, stream))),
                Err(fault) => Err((fault, packed)),
            },
            Compression::Zstd => {
                let needs_dictionary = names_dictionary(packed.peek(MAGIC_BYTES).unwrap_or_default());
                let decoder = ZstdDecoder::try_with_buffer(packed).map_err(|(packed, error)| (error.into(), packed))?;
                Ok(Decoder::Zstd(decoder.single_frame(), needs_dictionary))
            }
        }
    }

    /// Append the next bytes, at most `count`; whether there are no more. What was had before a fault is there.
    pub(crate) fn read(&mut self, text: &mut Vec<u8>, count: usize) -> Result<bool, DecodeError> {
        match self {
            Decoder::Gzip(from) => read_at_most(&mut **from, text, count),
            Decoder::Bzip2(from) => read_at_most(from, text, count),
            Decoder::Xz(from) => read_at_most(from, text, count),
            Decoder::Zstd(from, needs_dictionary) => {
                read_at_most(from, text, count).map_err(|fault| match fault {
                    // Without the dictionary, no memory would be enough.
                    DecodeError::WindowTooLarge if *needs_dictionary => DecodeError::Corrupt,
                    fault => fault,
                })
            }
        }
    }

    pub(crate) fn into_inner(self) -> Box<ArchiveBytes> {
        match self {
            Decoder::Gzip(from) => from.into_inner(),
            Decoder::Bzip2(from) => from.into_inner(),
            Decoder::Xz(from) => from.into_inner(),
            Decoder::Zstd(from, _) => from.into_inner(),
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

/// What unpacks a stream of xz.
fn xz_stream(threads: usize) -> Result<Stream, DecodeError> {
    let stream = if threads > 1 {
        let enough = threads.saturating_mul(XZ_THREAD_MEMORY);
        let free = probe_free_memory(2 * enough, HEADROOM)? / 2;
        let threads = u32::try_from(threads).unwrap_or(u32::MAX);
        let mut builder = MtStreamBuilder::new();
        builder.threads(threads).memlimit_threading(free as u64).memlimit_stop(XZ_MEMORY).decoder()
    } else {
        Stream::new_stream_decoder(XZ_MEMORY, 0)
    };
    stream.map_err(|error| std::io::Error::from(error).into())
}

/// Whether the header of a frame names a dictionary, without which no memory would be enough to unpack it.
fn names_dictionary(head: &[u8]) -> bool {
    let descriptor = head.get(4).copied().unwrap_or_default();
    let size = [0, 1, 2, 4][usize::from(descriptor & 0b11)];
    let is_single_segment = descriptor & 0b10_0000 != 0;
    let start = if is_single_segment { 5 } else { 6 }; // only the other frames have a byte for the window
    head.get(start..start + size).is_some_and(|id| id.iter().any(|&byte| byte != 0))
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
