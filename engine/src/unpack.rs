//! Packed bytes to text: compression is recognised by content and not by name.

use std::io::{self, ErrorKind, Read};

use ruzstd::decoding::errors::FrameDecoderError;

use crate::problem::Problem;
use crate::room::{Refused, Room, SPARED, available};

/// Unpacking stops past this many times the packed size, plus `SPARE`, unless the caller allows more.
const FACTOR: usize = 200;
const SPARE: usize = 64 << 20;
/// What an xz dictionary or a zstd window may ask for.
const XZ_MEMORY: usize = 1 << 30;
const ZSTD_WINDOW: usize = 128 << 20;

#[derive(Debug)]
pub enum Failure {
    Io(io::Error),
    Problem(Problem),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Failure::Problem(refused.into())
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Failure::Problem(problem)
    }
}

/// The text behind raw bytes; `max_unpacked` of 0 means the default limit.
pub fn unpack(data: Vec<u8>, max_unpacked: usize) -> Result<Vec<u8>, Problem> {
    let Some(kind) = Kind::of(&data) else { return Ok(data) };
    let limit = if max_unpacked > 0 { max_unpacked } else { data.len().saturating_mul(FACTOR).saturating_add(SPARE) };
    kind.unpack(&data, limit)
}

/// So many bytes say whether a file is packed.
pub const HEAD: u64 = 10;

/// Whether bytes that begin so are packed.
pub fn is_packed(head: &[u8]) -> bool {
    Kind::of(head).is_some()
}

#[derive(Clone, Copy)]
enum Kind {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

/// Why a member cannot be unpacked.
enum Fault {
    /// The data are not what they should be.
    Data,
    /// They ask for a larger dictionary or window than is allowed.
    Window,
    Memory(Refused),
}

impl From<io::Error> for Fault {
    fn from(_: io::Error) -> Self {
        Fault::Data
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        Fault::Memory(refused)
    }
}

/// A source that remembers whether it was read past its end.
struct Watched<'a> {
    rest: &'a [u8],
    ended: bool,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.rest.read(buffer)?;
        self.ended |= count == 0 && !buffer.is_empty();
        Ok(count)
    }
}

impl io::BufRead for Watched<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.ended |= self.rest.is_empty();
        Ok(self.rest)
    }

    fn consume(&mut self, count: usize) {
        self.rest = &self.rest[count..];
    }
}

impl Kind {
    fn of(data: &[u8]) -> Option<Kind> {
        [Kind::Gzip, Kind::Bzip2, Kind::Xz, Kind::Zstd].into_iter().find(|kind| kind.begins(data))
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Gzip => "gzip",
            Kind::Bzip2 => "bzip2",
            Kind::Xz => "xz",
            Kind::Zstd => "zstd",
        }
    }

    /// What a member begins with; of zstd, its frames that are no skippable ones.
    fn magic(self) -> &'static [u8] {
        match self {
            Kind::Gzip => b"\x1f\x8b",
            Kind::Bzip2 => b"BZh",
            Kind::Xz => b"\xfd7zXZ\0",
            Kind::Zstd => b"\x28\xb5\x2f\xfd",
        }
    }

    /// Whether data begin as a member does.
    fn begins(self, data: &[u8]) -> bool {
        match (self, data) {
            // "BZh" alone could begin a text: a block follows it, or the end of an empty file.
            (Kind::Bzip2, [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]) => {
                let head = &rest[..rest.len().min(6)];
                b"1AY&SY".starts_with(head) || b"\x17rE8P\x90".starts_with(head)
            }
            (Kind::Bzip2, _) => false,
            (Kind::Zstd, data) => data.starts_with(self.magic()) || is_skippable(data),
            (_, data) => data.starts_with(self.magic()),
        }
    }

    /// All members or streams, one after the other; zero bytes may follow each.
    fn unpack(self, packed: &[u8], limit: usize) -> Result<Vec<u8>, Problem> {
        // What decompressors take at their beginning.
        available(SPARED, SPARED)?;
        let mut out = Vec::new();
        out.room(packed.len().saturating_mul(4).min(limit).min(1 << 30))?;
        let mut rest = packed;
        while !rest.is_empty() {
            if !self.begins(rest) && !self.magic().starts_with(rest) {
                return Err(Problem::new("trailing", 0).number(packed.len() - rest.len()).more(self.name()));
            }
            let mut source = Watched { rest, ended: false };
            let done = self.member(&mut source, &mut out, limit);
            if out.len() > limit {
                return Err(Problem::new("bomb", 0).number(limit).more(self.name()));
            }
            if let Err(fault) = done {
                return Err(match fault {
                    Fault::Memory(refused) => refused.into(),
                    Fault::Window => Problem::new("window", 0).more(self.name()),
                    Fault::Data if source.ended => Problem::new("truncated", 0).more(self.name()),
                    Fault::Data => Problem::new("damaged", 0).more(self.name()),
                });
            }
            let zeros = source.rest.iter().take_while(|&&byte| byte == 0).count();
            rest = &source.rest[zeros..];
        }
        Ok(out)
    }

    /// One member: stops after `limit` + 1 bytes of output in all.
    fn member(self, source: &mut Watched, out: &mut Vec<u8>, limit: usize) -> Result<(), Fault> {
        let room = limit.saturating_add(1).saturating_sub(out.len());
        match self {
            Kind::Gzip => pour(flate2::bufread::GzDecoder::new(source), out, room),
            Kind::Bzip2 => pour(bzip2::bufread::BzDecoder::new(source), out, room),
            Kind::Xz => xz_stream(source, out, room),
            Kind::Zstd => zstd_frame(source, out, room),
        }
    }
}

/// Append what a decompressor gives, at most `room` bytes; the memory is asked for.
fn pour(mut from: impl Read, out: &mut Vec<u8>, room: usize) -> Result<(), Fault> {
    let mut left = room;
    while left > 0 {
        if out.len() == out.capacity() {
            out.room(1 << 16)?;
            available(SPARED, SPARED)?;
        }
        let step = left.min(out.capacity() - out.len());
        let count = from.by_ref().take(step as u64).read_to_end(out)?;
        left -= count;
        if count < step {
            break;
        }
    }
    Ok(())
}

/// A stream of xz. The dictionary is had before it is asked for, or nothing larger than what can be had is.
fn xz_stream(source: &mut Watched, out: &mut Vec<u8>, room: usize) -> Result<(), Fault> {
    let most = available(XZ_MEMORY + SPARED, SPARED)?.saturating_sub(SPARED).max(1 << 10);
    let stream = lzma_rust2::XzReader::new_mem_limit(source, false, (most >> 10) as u32);
    let mut watched = Refusals { from: stream, refused: false };
    let done = pour(&mut watched, out, room);
    match done {
        Err(Fault::Data) if watched.refused && most >= XZ_MEMORY => Err(Fault::Window),
        Err(Fault::Data) if watched.refused => Err(Fault::Memory(Refused(2 * most))),
        done => done,
    }
}

/// A reader that remembers whether it wanted more memory than it may have.
struct Refusals<R> {
    from: R,
    refused: bool,
}

impl<R: Read> Read for Refusals<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer);
        self.refused |= read.as_ref().is_err_and(|error| error.kind() == ErrorKind::OutOfMemory);
        read
    }
}

/// Whether a frame of zstd that holds no data begins here; pzstd writes one in front.
fn is_skippable(data: &[u8]) -> bool {
    matches!(data, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

fn zstd_frame(source: &mut Watched, out: &mut Vec<u8>, room: usize) -> Result<(), Fault> {
    if is_skippable(source.rest) {
        let length = source.rest.get(4..8).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
        let after = length.and_then(|length| source.rest.get(8 + length as usize..));
        source.ended = after.is_none();
        source.rest = after.ok_or(Fault::Data)?;
        return Ok(());
    }
    // The decoder does not tell a frame that promises nothing from one without a promise, nor looks at the reserved bit.
    let descriptor = source.rest.get(4).copied().unwrap_or_default();
    let promises = descriptor & 0b1110_0000 != 0;
    if descriptor & 0b1000 != 0 {
        return Err(Fault::Data);
    }
    // The window is kept in a ring that doubles as it grows.
    let most = available(4 * ZSTD_WINDOW, SPARED)? / 4;
    let mut frame = ruzstd::decoding::StreamingDecoder::new_with_max_window_size(source, most as u64)
        .map_err(|error| refused_window(&error, most))?;
    let before = out.len();
    pour(frame.by_ref(), out, room)?;
    let whole = out.len() - before < room;
    let decoder = &frame.decoder;
    if whole && promises && decoder.content_size() != (out.len() - before) as u64 {
        return Err(Fault::Data);
    }
    if whole
        && decoder.get_checksum_from_data().is_some()
        && decoder.get_checksum_from_data() != decoder.get_calculated_checksum()
    {
        return Err(Fault::Data);
    }
    Ok(())
}

fn refused_window(error: &FrameDecoderError, most: usize) -> Fault {
    match error {
        FrameDecoderError::WindowSizeTooBig { requested, .. } if *requested > ZSTD_WINDOW as u64 => Fault::Window,
        FrameDecoderError::WindowSizeTooBig { .. } => Fault::Memory(Refused(8 * most)),
        _ => Fault::Data,
    }
}
