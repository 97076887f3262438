//! Whether the ids of a very long list are all different, known by 64-bit hashes alone: no id need be kept.

use crate::counting_sort::sort_into_groups;
use crate::ids::position_table::probe;
use crate::memory::{AllocError, TryVec};

/// Hashes are kept apart by their first bits, so that those which could be equal fit the caches.
const HASH_BIN_BITS: u32 = if cfg!(any(test, fuzzing)) { 2 } else { 10 };
const HASH_BINS: usize = 1 << HASH_BIN_BITS;

#[inline(always)]
fn bin_of(hash: u64) -> usize {
    (hash >> (u64::BITS - HASH_BIN_BITS)) as usize
}

/// The hashes of a stretch of a list, by bins: bin b is `values[starts[b]..starts[b + 1]]`.
pub(crate) struct BinnedHashes {
    starts: Vec<usize>,
    values: Vec<u64>,
}

impl BinnedHashes {
    pub(crate) fn new(hashes: &[u64]) -> Result<BinnedHashes, AllocError> {
        let (starts, values) = sort_into_groups(hashes.iter().map(|&hash| (bin_of(hash), hash)), HASH_BINS)?;
        Ok(BinnedHashes { starts, values })
    }

    fn bin(&self, bin: usize) -> &[u64] {
        &self.values[self.starts[bin]..self.starts[bin + 1]]
    }
}

/// Whether no two hashes of these stretches are equal: then no two ids are. Where two are, two ids most probably are.
pub(crate) fn all_distinct(stretches: &[&BinnedHashes]) -> Result<bool, AllocError> {
    let mut slots: Vec<u64> = Vec::new();
    for bin in 0..HASH_BINS {
        let count: usize = stretches.iter().map(|stretch| stretch.bin(bin).len()).sum();
        let size = (2 * count).next_power_of_two().max(2);
        slots.clear();
        slots.try_reserve_more(size)?;
        slots.resize(size, 0);
        // A slot of 0 is free, so a hash of 0 is taken for 1.
        for hash in stretches.iter().flat_map(|stretch| stretch.bin(bin)).map(|&hash| hash.max(1)) {
            let (at, again) = probe(&slots, hash, |slot| slot == hash);
            if again {
                return Ok(false);
            }
            slots[at] = hash;
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_hashes_are_found_wherever_they_are() -> Result<(), AllocError> {
        for size in [1u64, 2, 3, 100, 1000] {
            let hashes: Vec<u64> = (1..=size).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            for cut in [0, 1, hashes.len() / 2, hashes.len()] {
                let (left, right) = hashes.split_at(cut);
                assert!(all_distinct(&[&BinnedHashes::new(left)?, &BinnedHashes::new(right)?])?, "{size}, {cut}");
                for &twice in &[hashes[0], hashes[hashes.len() / 3], hashes[hashes.len() - 1]] {
                    let more = [right, &[twice]].concat();
                    assert!(!all_distinct(&[&BinnedHashes::new(left)?, &BinnedHashes::new(&more)?])?, "{size}, {cut}");
                }
            }
        }
        assert!(!all_distinct(&[&BinnedHashes::new(&[0, u64::MAX])?, &BinnedHashes::new(&[0])?])?);
        assert!(all_distinct(&[])?);
        Ok(())
    }
}
