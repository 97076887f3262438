//! The index of a stream of xz, which stands behind the blocks: how large each of them is, packed and as text.

use crate::input::archive::xz::block::HeaderFields;
use crate::memory::{AllocError, TryVec};

/// Bytes of a footer, which are as many as those of a header.
pub(crate) const FOOTER: usize = 12;

/// Of every block its packed size, without padding, and that of its text.
pub(crate) type BlockSizes = Vec<(u64, u64)>;

/// The index, with its padding and without its checksum.
pub(crate) fn encode(sizes: &[(u64, u64)]) -> Result<Vec<u8>, AllocError> {
    let mut index = vec![0];
    write_number(&mut index, sizes.len() as u64)?;
    for &(packed, text) in sizes {
        write_number(&mut index, packed)?;
        write_number(&mut index, text)?;
    }
    while index.len() % 4 > 0 {
        index.try_push(0)?;
    }
    Ok(index)
}

/// What the index says of the blocks, where a stream is all that there is: `stream` are its bytes from the first block on. None
/// where anything follows it, or it is not as it should be. Whether this is true shows when the blocks are unpacked.
pub(crate) fn decode(stream: &[u8]) -> Option<BlockSizes> {
    let (rest, footer) = stream.split_last_chunk::<FOOTER>()?;
    let back = u32::from_le_bytes(footer[4..8].try_into().ok()?);
    let size = (back as usize).checked_add(1)?.checked_mul(4)?;
    let (blocks, index) = rest.split_at_checked(rest.len().checked_sub(size)?)?;
    let mut fields = HeaderFields(index.get(1..index.len() - 4)?);
    let count = fields.varint().ok()?;
    // A block takes two bytes of the index or more.
    let mut sizes = Vec::new();
    sizes.try_reserve_more(usize::try_from(count).ok().filter(|&count| count <= index.len() / 2)?).ok()?;
    let mut all = 0_u64;
    for _ in 0..count {
        let (packed, text) = (fields.varint().ok()?, fields.varint().ok()?);
        all = all.checked_add(packed.checked_next_multiple_of(4)?)?;
        sizes.push((packed, text));
    }
    (all == blocks.len() as u64 && index[0] == 0 && footer.ends_with(b"YZ")).then_some(sizes)
}

fn write_number(bytes: &mut Vec<u8>, mut number: u64) -> Result<(), AllocError> {
    while number >= 0x80 {
        bytes.try_push(number as u8 | 0x80)?;
        number >>= 7;
    }
    bytes.try_push(number as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream of blocks of zeros from the first on, with its index, and a checksum of neither.
    fn stream(sizes: &[(u64, u64)]) -> Vec<u8> {
        let blocks: u64 = sizes.iter().map(|(packed, _)| packed.next_multiple_of(4)).sum();
        let index = encode(sizes).unwrap_or_default();
        let back = (index.len() / 4) as u32;
        [&vec![0; blocks as usize][..], &index, &[0; 8], &back.to_le_bytes(), &[0, 4], b"YZ"].concat()
    }

    #[test]
    fn what_was_written_is_read() {
        for sizes in [vec![], vec![(5, 1_000_000)], vec![(128, 3), (16_384, u64::from(u32::MAX)), (1, 0)]] {
            assert_eq!(decode(&stream(&sizes)), Some(sizes));
        }
    }

    #[test]
    fn nothing_is_said_of_what_is_not_one_stream() {
        let one = stream(&[(5, 7), (8, 9)]);
        assert_eq!(decode(&[&one[..], &[0; 4]].concat()), None);
        assert_eq!(decode(&[&[0; 4], &one[..]].concat()), None);
        assert_eq!(decode(&[&one[..], &one[..]].concat()), None);
        for size in 0..one.len() {
            assert_eq!(decode(&one[..size]), None);
        }
        for at in 0..one.len() {
            let mut other = one.clone();
            other[at] ^= 0xff;
            // Checksums are not looked at, nor are blocks.
            assert!(
                decode(&other)
                    .is_none_or(|sizes| sizes.iter().map(|&(packed, _)| packed.div_ceil(4)).sum::<u64>() == 4)
            );
        }
    }
}
