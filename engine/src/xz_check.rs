//! How xz checks the text of a block.

use sha2::{Digest, Sha256};

use crate::crc::Crc;

#[derive(Clone, Copy)]
pub enum Check {
    None,
    Crc32,
    Crc64,
    Sha256,
}

impl Check {
    pub fn of(code: u8) -> Option<Check> {
        match code {
            0x0 => Some(Check::None),
            0x1 => Some(Check::Crc32),
            0x4 => Some(Check::Crc64),
            0xa => Some(Check::Sha256),
            _ => None,
        }
    }

    /// Bytes that it takes.
    pub fn size(self) -> usize {
        match self {
            Check::None => 0,
            Check::Crc32 => 4,
            Check::Crc64 => 8,
            Check::Sha256 => 32,
        }
    }

    pub fn begin(self) -> Sum {
        match self {
            Check::None => Sum::None,
            Check::Crc32 => Sum::Crc(Crc::of_32(), self.size()),
            Check::Crc64 => Sum::Crc(Crc::of_64(), self.size()),
            Check::Sha256 => Sum::Sha256(Sha256::new()),
        }
    }
}

/// A check, as far as it was taken; of a CRC with its bytes.
pub enum Sum {
    None,
    Crc(Crc, usize),
    Sha256(Sha256),
}

impl Sum {
    pub fn update(&mut self, text: &[u8]) {
        match self {
            Sum::None => {}
            Sum::Crc(crc, _) => crc.update(text),
            Sum::Sha256(hash) => hash.update(text),
        }
    }

    pub fn end(self) -> Vec<u8> {
        match self {
            Sum::None => Vec::new(),
            Sum::Crc(crc, bytes) => crc.end().to_le_bytes()[..bytes].to_vec(),
            Sum::Sha256(hash) => hash.finalize().to_vec(),
        }
    }
}
