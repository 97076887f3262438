//! Ranks by counting, for lists out of order of which few documents are wanted: much less work than sorting all.
//!
//! The wanted documents, the targets, are sorted by their keys and ids. The slot of a row is the number of targets that it
//! does not come before, so that the slots up to a target's hold the rows that are not below it: their number is its rank.

use crate::memory::{AllocError, try_collect_exact, try_filled};

/// Targets that are so few that the key of a row is compared with all of theirs, without asking after each.
pub(crate) const FEW: usize = 32;

/// Targets that are so few that all rows are compared with each by itself, several rows at a time.
const VERY_FEW: usize = 4;

/// The first target, of keys in ascending order, whose key is not below that of a row; their number where none is.
#[inline(always)]
pub(crate) fn find_key(keys: &[u64], key: u64) -> usize {
    if keys.len() <= FEW {
        keys.iter().filter(|&&target| target < key).count()
    } else {
        keys.partition_point(|&target| target < key)
    }
}

/// The slot of a row from the first target of its key on: past targets of that key which `is_past` lets it pass.
#[inline(always)]
pub(crate) fn pass_tied(keys: &[u64], key: u64, mut slot: usize, is_past: impl Fn(usize) -> bool) -> usize {
    while keys.get(slot) == Some(&key) && is_past(slot) {
        slot += 1;
    }
    slot
}

/// The rank of each target among rows, which come with their keys; `is_past` says whether a row is a target of its own key
/// or below it.
#[inline(always)]
pub(crate) fn count_ranks<R: Copy>(
    rows: impl Iterator<Item = (R, u64)> + Clone,
    keys: &[u64],
    is_past: impl Fn(R, usize) -> bool,
) -> Result<Vec<u32>, AllocError> {
    if keys.len() <= VERY_FEW {
        let rank = |(target, &key)| count_rank(rows.clone(), key, |row| is_past(row, target));
        return try_collect_exact(keys.iter().enumerate().map(rank));
    }
    // Rows below all targets are in a slot of their own.
    let mut ranks = try_filled(0_u32, keys.len() + 1)?;
    for (row, key) in rows {
        let slot = pass_tied(keys, key, find_key(keys, key), |target| is_past(row, target));
        ranks[slot] += 1;
    }
    let mut rank = 1;
    for count in &mut ranks {
        rank += *count;
        *count = rank;
    }
    ranks.truncate(keys.len());
    Ok(ranks)
}

/// The rank of one target, which is among the rows.
#[inline(always)]
fn count_rank<R>(rows: impl Iterator<Item = (R, u64)> + Clone, target: u64, is_past: impl Fn(R) -> bool) -> u32 {
    let count = |(above, tied), (_, key)| (above + u32::from(key < target), tied + u32::from(key == target));
    let (above, tied) = rows.clone().fold((0, 0), count);
    let is_above = |(row, key)| key == target && !is_past(row);
    1 + above + if tied > 1 { rows.map(is_above).map(u32::from).sum() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_a_sorted_list() {
        for (rows, step) in [(40_u64, 1), (40, 7), (40, 13), (40, 39), (200, 3), (200, 2)] {
            let row = |number: u64| (number * 37 % rows / 3, number);
            let mut sorted: Vec<_> = (0..rows).map(row).collect();
            sorted.sort_unstable();
            let targets: Vec<_> = sorted.iter().copied().filter(|(_, number)| number % step == 0).collect();
            let keys: Vec<u64> = targets.iter().map(|target| target.0).collect();
            let expected: Vec<u32> =
                (1..).zip(&sorted).filter(|(_, (_, number))| number % step == 0).map(|(rank, _)| rank).collect();
            let rows = (0..rows).map(|number| (number, row(number).0));
            assert_eq!(count_ranks(rows, &keys, |number, target| number >= targets[target].1), Ok(expected));
        }
    }

    #[test]
    fn few_keys_are_compared_as_many_are_searched() {
        for count in [0, 1, FEW, FEW + 1, 100] {
            let keys: Vec<u64> = (0..count as u64).map(|number| number / 3 * 2).collect();
            for key in 0..70 {
                assert_eq!(find_key(&keys, key), keys.iter().take_while(|&&target| target < key).count());
            }
        }
    }
}
