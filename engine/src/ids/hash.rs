//! Hashes and equality of ids, which are mostly short.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// Chosen anew by each process, so that no file can be made whose ids collide.
static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0x9e37_79b9u32));

const K: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(eight)
}

#[inline(always)]
fn half(bytes: &[u8], at: usize) -> u64 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[at..at + 4]);
    u64::from(u32::from_le_bytes(four))
}

/// All bytes of an id of fewer than eight, as one number.
#[inline(always)]
fn short(id: &[u8]) -> u64 {
    match *id {
        [] => 0,
        [a] => u64::from(a),
        [a, b] => u64::from(a) | u64::from(b) << 8,
        [a, b, c] => u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16,
        _ => half(id, 0) | half(id, id.len() - 4) << 32,
    }
}

/// Whether two ids are equal; they are mostly short, and a call to compare them costs more than the comparison.
#[inline(always)]
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if a.len() < 8 {
        return short(a) == short(b);
    }
    let mut at = 0;
    while at + 8 < a.len() {
        if word(a, at) != word(b, at) {
            return false;
        }
        at += 8;
    }
    word(a, a.len() - 8) == word(b, b.len() - 8)
}

/// 32 bits in which all 64 take part.
#[inline(always)]
pub(crate) fn narrow(hash: u64) -> u32 {
    (hash ^ (hash >> 32)) as u32
}

#[derive(Clone, Copy)]
pub(crate) struct Hasher {
    seed: u64,
}

impl Hasher {
    pub(crate) fn new() -> Self {
        Hasher { seed: *SEED | 1 }
    }

    /// 32 well-mixed bits of an id.
    #[inline(always)]
    pub(crate) fn of(self, id: &[u8]) -> u32 {
        narrow(self.wide(id))
    }

    /// 64 well-mixed bits of an id.
    #[inline(always)]
    pub(crate) fn wide(self, id: &[u8]) -> u64 {
        let mut state = self.seed ^ (id.len() as u64).wrapping_mul(K);
        if id.len() < 8 {
            state = fold(state ^ short(id), K ^ self.seed);
        } else {
            let mut at = 0;
            while at + 8 < id.len() {
                state = fold(state ^ word(id, at), K ^ self.seed);
                at += 8;
            }
            state = fold(state ^ word(id, id.len() - 8), K ^ self.seed);
        }
        state
    }

    /// The same of a whole number.
    #[inline(always)]
    pub(crate) fn of_number(self, number: i64) -> u32 {
        narrow(fold(self.seed ^ number as u64, K ^ self.seed))
    }
}
