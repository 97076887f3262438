//! Packed bytes to text: compression is recognised by content and not by name.

use std::io::{self, Read};

use crate::problem::Problem;

/// Unpacking stops past this many times the packed size, plus `SPARE`, unless the caller allows more.
const FACTOR: usize = 200;
const SPARE: usize = 64 << 20;
/// What an xz dictionary or a zstd window may ask for.
const XZ_MEMORY_KB: u32 = 1 << 20;
const ZSTD_WINDOW: u64 = 128 << 20;

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
        // "BZh" alone could begin a text: a block follows it, or the end of an empty file.
        if let [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] = data {
            let head = &rest[..rest.len().min(6)];
            if b"1AY&SY".starts_with(head) || b"\x17rE8P\x90".starts_with(head) {
                return Some(Kind::Bzip2);
            }
        }
        const MAGIC: [(&[u8], Kind); 3] =
            [(b"\x1f\x8b", Kind::Gzip), (b"\xfd7zXZ\0", Kind::Xz), (b"\x28\xb5\x2f\xfd", Kind::Zstd)];
        MAGIC.iter().find(|(magic, _)| data.starts_with(magic)).map(|(_, kind)| *kind)
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Gzip => "gzip",
            Kind::Bzip2 => "bzip2",
            Kind::Xz => "xz",
            Kind::Zstd => "zstd",
        }
    }

    /// All members or streams, one after the other; zero bytes may follow each.
    fn unpack(self, packed: &[u8], limit: usize) -> Result<Vec<u8>, Problem> {
        let mut out = Vec::with_capacity(packed.len().saturating_mul(4).min(limit).min(1 << 30));
        let mut rest = packed;
        while !rest.is_empty() {
            let mut source = Watched { rest, ended: false };
            let done = self.member(&mut source, &mut out, limit);
            if out.len() > limit {
                return Err(Problem::new("bomb", 0).number(limit).more(self.name()));
            }
            if done.is_err() {
                let code = if source.ended { "truncated" } else { "damaged" };
                return Err(Problem::new(code, 0).more(self.name()));
            }
            let zeros = source.rest.iter().take_while(|&&byte| byte == 0).count();
            rest = &source.rest[zeros..];
        }
        Ok(out)
    }

    /// One member: stops after `limit` + 1 bytes of output in all.
    fn member(self, source: &mut Watched, out: &mut Vec<u8>, limit: usize) -> io::Result<()> {
        let room = (limit + 1).saturating_sub(out.len()) as u64;
        match self {
            Kind::Gzip => flate2::bufread::GzDecoder::new(source).take(room).read_to_end(out)?,
            Kind::Bzip2 => bzip2::bufread::BzDecoder::new(source).take(room).read_to_end(out)?,
            Kind::Xz => lzma_rust2::XzReader::new_mem_limit(source, false, XZ_MEMORY_KB).take(room).read_to_end(out)?,
            Kind::Zstd => return zstd_frame(source, out, room),
        };
        Ok(())
    }
}

fn zstd_frame(source: &mut Watched, out: &mut Vec<u8>, room: u64) -> io::Result<()> {
    if let [a, 0x2a, 0x4d, 0x18, b, c, d, e, ..] = *source.rest
        && a & 0xf0 == 0x50
    {
        let length = u32::from_le_bytes([b, c, d, e]) as usize;
        source.ended = source.rest.len() < 8 + length;
        source.rest = source.rest.get(8 + length..).ok_or(io::ErrorKind::UnexpectedEof)?;
        return Ok(());
    }
    // The decoder does not tell a frame that promises nothing from one without a promise, nor looks at the reserved bit.
    let descriptor = source.rest.get(4).copied().unwrap_or_default();
    let promises = descriptor & 0b1110_0000 != 0;
    if descriptor & 0b1000 != 0 {
        return Err(io::Error::other("reserved"));
    }
    let mut frame =
        ruzstd::decoding::StreamingDecoder::new_with_max_window_size(source, ZSTD_WINDOW).map_err(io::Error::other)?;
    let before = out.len();
    frame.by_ref().take(room).read_to_end(out)?;
    let whole = ((out.len() - before) as u64) < room;
    let decoder = &frame.decoder;
    if whole && promises && decoder.content_size() != (out.len() - before) as u64 {
        return Err(io::Error::other("content size"));
    }
    if whole
        && decoder.get_checksum_from_data().is_some()
        && decoder.get_checksum_from_data() != decoder.get_calculated_checksum()
    {
        return Err(io::Error::other("checksum"));
    }
    Ok(())
}
