//! Hashes and equality of ids, which are mostly short.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

/// Chosen anew by each process, so that no file can be made whose ids collide.
static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0x9e37_79b9u32));

#[inline(always)]
fn load_u64(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(eight)
}

#[inline(always)]
fn load_u32(bytes: &[u8], at: usize) -> u64 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[at..at + 4]);
    u64::from(u32::from_le_bytes(four))
}

/// All bytes of an id of fewer than eight, as one number.
#[inline(always)]
fn load_short(id: &[u8]) -> u64 {
    match *id {
        [] => 0,
        [a] => u64::from(a),
        [a, b] => u64::from(a) | u64::from(b) << 8,
        [a, b, c] => u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16,
        _ => load_u32(id, 0) | load_u32(id, id.len() - 4) << 32,
    }
}

/// Whether two ids are equal; they are mostly short, and a call to compare them costs more than the comparison.
#[inline(always)]
pub(crate) fn bytes_equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if a.len() < 8 {
        return load_short(a) == load_short(b);
    }
    let mut at = 0;
    while at + 8 < a.len() {
        if load_u64(a, at) != load_u64(b, at) {
            return false;
        }
        at += 8;
    }
    load_u64(a, a.len() - 8) == load_u64(b, b.len() - 8)
}

/// 32 bits in which all 64 take part.
#[inline(always)]
pub(crate) fn fold_to_u32(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

/// Hashes ids by the seed of this process.
#[derive(Clone, Copy)]
pub(crate) struct IdHasher {
    seed: u64,
}

impl IdHasher {
    pub(crate) fn new() -> Self {
        IdHasher { seed: *SEED }
    }

    #[inline(always)]
    fn start(self) -> FoldHasher<'static> {
        FoldHasher::with_seed(self.seed, SharedSeed::global_fixed())
    }

    /// 32 well-mixed bits of an id.
    #[inline(always)]
    pub(crate) fn hash32(self, id: &[u8]) -> u32 {
        fold_to_u32(self.hash64(id))
    }

    /// 64 well-mixed bits of an id.
    #[inline(always)]
    pub(crate) fn hash64(self, id: &[u8]) -> u64 {
        let mut hasher = self.start();
        hasher.write(id);
        hasher.finish()
    }

    /// 32 well-mixed bits of a whole number.
    #[inline(always)]
    pub(crate) fn hash_int(self, number: i64) -> u32 {
        let mut hasher = self.start();
        hasher.write_i64(number);
        fold_to_u32(hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_equal_where_slices_are() {
        for length in 0..40 {
            let id: Vec<u8> = (0..length).map(|at| at * 5 + 1).collect();
            assert!(bytes_equal(&id, &id.clone()));
            assert!(!bytes_equal(&id, &[&id[..], b"\0"].concat()), "{length}");
            for at in 0..id.len() {
                let mut other = id.clone();
                other[at] ^= 0x80;
                assert!(!bytes_equal(&id, &other), "{length}, {at}");
            }
        }
    }

    #[test]
    fn every_bit_of_a_hash_takes_part() {
        // Of 512 ids that differ in a few bytes, about half set each bit of their hashes.
        let hasher = IdHasher::new();
        let texts: Vec<u32> = (0..512).map(|id: i64| hasher.hash32(id.to_string().as_bytes())).collect();
        let numbers: Vec<u32> = (0..512).map(|id| hasher.hash_int(id)).collect();
        for hashes in [texts, numbers] {
            for bit in 0..32 {
                let count = hashes.iter().filter(|&&hash| hash >> bit & 1 == 1).count();
                assert!((160..352).contains(&count), "{count} of 512 set bit {bit}");
            }
        }
    }
}
