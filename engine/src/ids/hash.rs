//! Hashes of ids, which are mostly short.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

/// All that a hash depends on besides its id: the number with which it begins, and those that are mixed in later.
pub(crate) struct Seeds {
    first: u64,
    later: SharedSeed,
}

impl Seeds {
    /// Of keys that nobody should know who writes ids.
    pub(crate) fn new(first: u64, later: u64) -> Self {
        Seeds { first, later: SharedSeed::from_u64(later) }
    }

    #[inline(always)]
    pub(crate) fn hasher(&self) -> FoldHasher<'_> {
        FoldHasher::with_seed(self.first, &self.later)
    }
}

/// Both chosen anew by each process: foldhash's own later numbers are public, and ids can be made that cancel them.
static SEEDS: LazyLock<Seeds> = LazyLock::new(|| {
    let random = RandomState::new();
    Seeds::new(random.hash_one(0u8), random.hash_one(1u8))
});

/// 32 bits in which all 64 take part.
///
/// By one more folded product: behind some seeds, one in some hundreds, the hashes of ids that differ in a few bits are
/// multiples of one number, which a table by their lowest bits would hold side by side.
#[inline(always)]
pub(crate) fn fold_to_u32(hash: u64) -> u32 {
    let wide = u128::from(hash) * 0x9e37_79b9_7f4a_7c15;
    (wide as u64 ^ (wide >> 64) as u64) as u32
}

/// Hashes ids by the seeds of this process.
#[derive(Clone, Copy)]
pub(crate) struct IdHasher {
    seeds: &'static Seeds,
}

impl IdHasher {
    pub(crate) fn new() -> Self {
        IdHasher { seeds: &SEEDS }
    }

    #[inline(always)]
    fn start(self) -> FoldHasher<'static> {
        self.seeds.hasher()
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
    use crate::ids::position_table::{insert_new, probe};

    const CRAFTED: usize = 20_000;

    /// What leaves a small number of the one that foldhash publishes for its second factor.
    const SMALL_FACTOR: [u8; 8] = [0x17, 0x08, 0xe7, 0xb5, 0xb5, 0xd5, 0x84, 0x3f];

    /// Text ids of 16 bytes that end in these.
    fn crafted_ids() -> impl Iterator<Item = [u8; 16]> {
        (0..CRAFTED as u64).map(|number| {
            let mut id = [0x40; 16];
            for (at, bits) in [(0, number), (4, number >> 5), (6, number >> 10)] {
                id[at] |= (bits & 31) as u8;
            }
            id[8..].copy_from_slice(&SMALL_FACTOR);
            id
        })
    }

    /// Slots passed over where ids are noted one after the other in a table that is half full in the end.
    fn slots_passed(hashes: impl Iterator<Item = u32>) -> usize {
        let mut slots = vec![0; (2 * CRAFTED).next_power_of_two()];
        let mut passed = 0;
        for (hash, position) in hashes.zip(0..) {
            let (at, _) = probe(&slots, u64::from(hash), |_| false);
            passed += at.wrapping_sub(hash as usize) & (slots.len() - 1);
            insert_new(&mut slots, hash, position);
        }
        passed
    }

    #[test]
    fn crafted_ids_take_no_more_steps_than_others() {
        let published = Seeds { first: 1, later: SharedSeed::global_fixed().clone() };
        let published = IdHasher { seeds: Box::leak(Box::new(published)) };
        let crafted = crafted_ids().map(|id| published.hash64(&id));
        let crafted = slots_passed(crafted.map(|hash| (hash ^ (hash >> 32)) as u32));
        assert!(crafted > 100 * CRAFTED, "{crafted} slots: these ids should be crafted");

        // Behind those after the sixteenth, 40 to 800 slots are passed for each id where the halves of a hash are added.
        let seeds = (1..=16u64).chain([8_551, 19_843, 22_122, 26_847, 30_559]);
        let seeds = seeds.map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let seeded = seeds.map(|number| IdHasher { seeds: Box::leak(Box::new(Seeds::new(number, !number))) });
        for hasher in seeded.chain([IdHasher::new()]) {
            let passed = slots_passed(crafted_ids().map(|id| hasher.hash32(&id)));
            assert!(passed < CRAFTED, "{passed} slots for text");
            let passed = slots_passed((0..CRAFTED as i64).map(|id| hasher.hash_int(id << 40)));
            assert!(passed < CRAFTED, "{passed} slots for whole numbers");
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
