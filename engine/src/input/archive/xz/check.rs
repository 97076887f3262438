//! How xz checks the text of a block.

use sha2::{Digest, Sha256};

#[derive(Clone, Copy)]
pub(crate) enum Check {
    None,
    Crc32,
    Crc64,
    Sha256,
}

impl Check {
    pub(crate) fn from_id(code: u8) -> Option<Check> {
        match code {
            0x0 => Some(Check::None),
            0x1 => Some(Check::Crc32),
            0x4 => Some(Check::Crc64),
            0xa => Some(Check::Sha256),
            _ => None,
        }
    }

    /// Bytes that it takes.
    pub(crate) fn size(self) -> usize {
        match self {
            Check::None => 0,
            Check::Crc32 => 4,
            Check::Crc64 => 8,
            Check::Sha256 => 32,
        }
    }

    pub(crate) fn hasher(self) -> CheckHasher {
        match self {
            Check::None => CheckHasher::None,
            Check::Crc32 => CheckHasher::Crc32(crc32fast::Hasher::new()),
            Check::Crc64 => CheckHasher::Crc64(crc64fast::Digest::new()),
            Check::Sha256 => CheckHasher::Sha256(Sha256::new()),
        }
    }
}

/// A check, as far as it was taken.
pub(crate) enum CheckHasher {
    None,
    Crc32(crc32fast::Hasher),
    Crc64(crc64fast::Digest),
    Sha256(Sha256),
}

impl CheckHasher {
    pub(crate) fn update(&mut self, text: &[u8]) {
        match self {
            CheckHasher::None => {}
            CheckHasher::Crc32(crc) => crc.update(text),
            CheckHasher::Crc64(crc) => crc.write(text),
            CheckHasher::Sha256(hash) => hash.update(text),
        }
    }

    pub(crate) fn finalize(self) -> Vec<u8> {
        match self {
            CheckHasher::None => Vec::new(),
            CheckHasher::Crc32(crc) => crc.finalize().to_le_bytes().to_vec(),
            CheckHasher::Crc64(crc) => crc.sum64().to_le_bytes().to_vec(),
            CheckHasher::Sha256(hash) => hash.finalize().to_vec(),
        }
    }
}

/// CRC-32 of all of it, the lowest byte first, as headers and the index end with it.
pub(crate) fn crc32(data: &[u8]) -> [u8; 4] {
    crc32fast::hash(data).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(check: Check, parts: [&[u8]; 2]) -> Vec<u8> {
        let mut sum = check.hasher();
        for part in parts {
            sum.update(part);
        }
        sum.finalize()
    }

    /// As it is defined, of bits that come lowest first.
    fn bit_by_bit(data: &[u8], polynomial: u64, ones: u64) -> u64 {
        let mut rest = ones;
        for &byte in data {
            rest ^= u64::from(byte);
            for _ in 0..8 {
                rest = if rest & 1 == 1 { (rest >> 1) ^ polynomial } else { rest >> 1 };
            }
        }
        rest ^ ones
    }

    #[test]
    fn of_the_digits_as_the_catalogue_of_checks_has_them() {
        let of = |check| sum(check, [b"1234", b"56789"]);
        assert_eq!(of(Check::Crc32), 0xCBF4_3926_u32.to_le_bytes());
        assert_eq!(of(Check::Crc64), 0x995D_C9BB_DF19_39FA_u64.to_le_bytes());
        assert!(of(Check::None).is_empty());
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926_u32.to_le_bytes());
    }

    #[test]
    fn bytes_in_parts_of_any_length_are_those_one_by_one() {
        let data: Vec<u8> = (0..700_u32).map(|at| (at * at * 7 + at) as u8).collect();
        let expected = bit_by_bit(&data, 0xC96C_5795_D787_0F42, u64::MAX).to_le_bytes();
        let shorter = bit_by_bit(&data, 0xEDB8_8320, u64::from(u32::MAX)) as u32;
        for cut in 0..data.len() {
            let parts = [&data[..cut], &data[cut..]];
            assert_eq!(sum(Check::Crc64, parts), expected, "{cut}");
            assert_eq!(sum(Check::Crc32, parts), shorter.to_le_bytes(), "{cut}");
        }
        for length in 0..300 {
            let expected = bit_by_bit(&data[..length], 0xC96C_5795_D787_0F42, u64::MAX);
            assert_eq!(sum(Check::Crc64, [&data[..length], &[]]), expected.to_le_bytes(), "{length}");
        }
    }
}
