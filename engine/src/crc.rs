//! Cyclic redundancy checks of 32 and 64 bits as xz has them, sixteen bytes at a time.

const STEP: usize = 16;

/// What a byte does to the remainder, by the number of bytes that follow it in a step.
type Tables = [[u64; 256]; STEP];

static OF_32: Tables = tables(0xEDB8_8320);
static OF_64: Tables = tables(0xC96C_5795_D787_0F42);

/// A check, as far as it was taken.
pub struct Crc {
    tables: &'static Tables,
    ones: u64,
    rest: u64,
}

impl Crc {
    /// CRC-32/ISO-HDLC.
    pub fn of_32() -> Crc {
        Crc { tables: &OF_32, ones: u64::from(u32::MAX), rest: u64::from(u32::MAX) }
    }

    /// CRC-64/XZ.
    pub fn of_64() -> Crc {
        Crc { tables: &OF_64, ones: u64::MAX, rest: u64::MAX }
    }

    pub fn update(&mut self, data: &[u8]) {
        let mut steps = data.chunks_exact(STEP);
        for step in &mut steps {
            let mut mixed = [0; STEP];
            mixed.copy_from_slice(step);
            mixed = (u128::from_le_bytes(mixed) ^ u128::from(self.rest)).to_le_bytes();
            self.rest = 0;
            for (table, &byte) in self.tables.iter().rev().zip(&mixed) {
                self.rest ^= table[usize::from(byte)];
            }
        }
        for &byte in steps.remainder() {
            self.rest = self.tables[0][usize::from(self.rest as u8 ^ byte)] ^ (self.rest >> 8);
        }
    }

    pub fn end(&self) -> u64 {
        self.rest ^ self.ones
    }
}

/// CRC-32 of all of it, the lowest byte first.
pub fn crc32(data: &[u8]) -> [u8; 4] {
    let mut crc = Crc::of_32();
    crc.update(data);
    (crc.end() as u32).to_le_bytes()
}

const fn tables(polynomial: u64) -> Tables {
    let mut tables = [[0; 256]; STEP];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            rest = if rest & 1 == 1 { (rest >> 1) ^ polynomial } else { rest >> 1 };
            bit += 1;
        }
        tables[0][byte] = rest;
        byte += 1;
    }
    let mut behind = 1;
    while behind < STEP {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[behind - 1][byte];
            tables[behind][byte] = tables[0][(before & 0xff) as usize] ^ (before >> 8);
            byte += 1;
        }
        behind += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::Crc;

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
        for (mut crc, wanted) in [(Crc::of_32(), 0xCBF4_3926), (Crc::of_64(), 0x995D_C9BB_DF19_39FA)] {
            crc.update(b"123456789");
            assert_eq!(crc.end(), wanted);
        }
    }

    #[test]
    fn bytes_in_parts_of_any_length_are_those_one_by_one() {
        let data: Vec<u8> = (0..200_u32).map(|at| (at * at * 7 + at) as u8).collect();
        for cut in 0..data.len() {
            let (mut short, mut long) = (Crc::of_32(), Crc::of_64());
            for part in [&data[..cut], &data[cut..]] {
                short.update(part);
                long.update(part);
            }
            assert_eq!(short.end(), bit_by_bit(&data, 0xEDB8_8320, u64::from(u32::MAX)), "{cut}");
            assert_eq!(long.end(), bit_by_bit(&data, 0xC96C_5795_D787_0F42, u64::MAX), "{cut}");
        }
    }
}
