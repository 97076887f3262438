//! Hashes and equality of ids, which are mostly short.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// Chosen anew by each process, so that no file can be made whose ids collide.
static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0x9e37_79b9u32));

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline(always)]
fn folded_multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

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

#[derive(Clone, Copy)]
pub(crate) struct IdHasher {
    seed: u64,
}

impl IdHasher {
    pub(crate) fn new() -> Self {
        IdHasher { seed: *SEED | 1 }
    }

    /// 32 well-mixed bits of an id.
    #[inline(always)]
    pub(crate) fn hash32(self, id: &[u8]) -> u32 {
        fold_to_u32(self.hash64(id))
    }

    /// 64 well-mixed bits of an id.
    #[inline(always)]
    pub(crate) fn hash64(self, id: &[u8]) -> u64 {
        let mut state = self.seed ^ (id.len() as u64).wrapping_mul(MULTIPLIER);
        if id.len() < 8 {
            state = folded_multiply(state ^ load_short(id), MULTIPLIER ^ self.seed);
        } else {
            let mut at = 0;
            while at + 8 < id.len() {
                state = folded_multiply(state ^ load_u64(id, at), MULTIPLIER ^ self.seed);
                at += 8;
            }
            state = folded_multiply(state ^ load_u64(id, id.len() - 8), MULTIPLIER ^ self.seed);
        }
        state
    }

    /// The same of a whole number.
    #[inline(always)]
    pub(crate) fn hash_int(self, number: i64) -> u32 {
        fold_to_u32(folded_multiply(self.seed ^ number as u64, MULTIPLIER ^ self.seed))
    }
}
