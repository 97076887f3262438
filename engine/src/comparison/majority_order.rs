//! Documents sorted by what the majority of runs prefers, a relation that may have cycles: so it is the textbook's merge sort,
//! which asks the same questions in the same turn wherever it is written.

use std::ops::Range;

use crate::comparison::row_leads::win_margin;
use crate::memory::{AllocError, TryVec, try_filled};

/// So few runs that retrieve both of two documents are asked one by one.
const COMPARE_ONE_BY_ONE_MAX: u32 = 12;

/// Ranks of documents in runs, [documents, runs]; `absent`, the largest number, where a run does not retrieve a document.
pub(crate) struct RunRanks<'a, R> {
    pub rank: &'a [R],
    pub runs: usize,
    pub absent: R,
}

/// Which runs retrieve each document of a list: most comparisons are decided without a look at the ranks.
struct RetrievedBits {
    /// A bit for each run, [documents, words].
    bits: Vec<u64>,
    words: usize,
    count: Vec<u32>,
}

impl RetrievedBits {
    fn row(&self, document: usize) -> &[u64] {
        &self.bits[document * self.words..(document + 1) * self.words]
    }
}

impl<R: Copy + Ord> RunRanks<'_, R> {
    /// Sort every list from the top down by the majority: list `l` holds the documents `starts[l]..starts[l + 1]`.
    pub(crate) fn order(&self, starts: &[usize]) -> Result<Vec<i64>, AllocError> {
        self.sorted(starts, |pair| self.margin(pair) >= 0)
    }

    /// The same by this number of votes, see `wins`.
    pub(crate) fn order_by_votes(&self, starts: &[usize], label: &[f64], need: u32) -> Result<Vec<i64>, AllocError> {
        self.sorted(starts, |pair| self.vote_winner(pair, need).unwrap_or(label[pair.first] >= label[pair.second]))
    }

    fn sorted(&self, starts: &[usize], keeps_order: impl Fn(&DocumentPair) -> bool) -> Result<Vec<i64>, AllocError> {
        let size = starts.last().copied().unwrap_or(0);
        let mut order = Vec::new();
        order.try_reserve_more(size)?;
        order.extend(0..size as i64);
        let mut merged = try_filled(0_i64, size)?;
        let mut holders = RetrievedBits { bits: Vec::new(), words: self.runs.div_ceil(64), count: Vec::new() };
        for list in starts.windows(2) {
            self.mark_retrieved(list[0]..list[1], &mut holders)?;
            let keeps_order =
                |first, second| keeps_order(&DocumentPair { first, second, base: list[0], holders: &holders });
            sort(&mut order[list[0]..list[1]], &mut merged, &keeps_order);
        }
        Ok(order)
    }

    fn row(&self, document: usize) -> &[R] {
        &self.rank[document * self.runs..(document + 1) * self.runs]
    }

    /// See who retrieves some documents.
    fn mark_retrieved(&self, documents: Range<usize>, holders: &mut RetrievedBits) -> Result<(), AllocError> {
        holders.bits.clear();
        holders.count.clear();
        holders.bits.try_reserve_more(documents.len() * holders.words)?;
        holders.count.try_reserve_more(documents.len())?;
        for document in documents {
            let before = holders.bits.len();
            for ranks in self.row(document).chunks(64) {
                let bit = |(at, &rank): (usize, &R)| u64::from(rank < self.absent) << at;
                holders.bits.push(ranks.iter().enumerate().map(bit).fold(0, |all, bit| all | bit));
            }
            holders.count.push(holders.bits[before..].iter().map(|word| word.count_ones()).sum());
        }
        Ok(())
    }

    /// How many more runs put the first document before the second than the opposite, or a number of the same sign. A run that
    /// retrieves one of them alone puts it first; those that retrieve both are asked only where they could turn what the others say.
    fn margin(&self, pair: &DocumentPair) -> i64 {
        let (alone, common) = pair.alone_and_common();
        let margin = i64::from(alone[0]) - i64::from(alone[1]);
        if margin >= i64::from(common) || margin < -i64::from(common) {
            return margin;
        }
        let (ranks, against) = (self.row(pair.first), self.row(pair.second));
        if common > COMPARE_ONE_BY_ONE_MAX {
            return win_margin(ranks, against);
        }
        let [first, second] = pair.retrieved();
        let mut margin = margin;
        for (word, (first, second)) in first.iter().zip(second).enumerate() {
            let mut both = first & second;
            while both != 0 {
                let run = word * 64 + both.trailing_zeros() as usize;
                margin += i64::from(ranks[run] < against[run]) - i64::from(ranks[run] > against[run]);
                both &= both - 1;
            }
        }
        margin
    }

    /// Whether this number of runs puts the first document before the second, and fewer the opposite; or the other way round. `None` where
    /// neither is so. Who retrieves them often says enough.
    fn vote_winner(&self, pair: &DocumentPair, need: u32) -> Option<bool> {
        let (alone, common) = pair.alone_and_common();
        let (most, least) = (alone.map(|votes| votes + common >= need), alone.map(|votes| votes >= need));
        let (won, lost) = if most == least {
            (least[0], least[1])
        } else {
            let (ranks, against) = (self.row(pair.first), self.row(pair.second));
            let before = |first: &[R], second: &[R]| {
                first.iter().zip(second).map(|(first, second)| u32::from(first < second)).sum()
            };
            let [won, lost]: [u32; 2] = [before(ranks, against), before(against, ranks)];
            (won >= need, lost >= need)
        };
        (won != lost).then_some(won)
    }
}

/// Two documents of a list that begins with `base`.
struct DocumentPair<'a> {
    first: usize,
    second: usize,
    base: usize,
    holders: &'a RetrievedBits,
}

impl DocumentPair<'_> {
    fn retrieved(&self) -> [&[u64]; 2] {
        [self.first, self.second].map(|document| self.holders.row(document - self.base))
    }

    /// How many runs retrieve the first alone, the second alone, and both.
    fn alone_and_common(&self) -> ([u32; 2], u32) {
        let [first, second] = self.retrieved();
        let common: u32 = first.iter().zip(second).map(|(first, second)| (first & second).count_ones()).sum();
        let count = |document: usize| self.holders.count[document - self.base] - common;
        ([count(self.first), count(self.second)], common)
    }
}

fn sort(list: &mut [i64], merged: &mut [i64], keeps_order: &impl Fn(usize, usize) -> bool) {
    if list.len() < 2 {
        return;
    }
    let (left, right) = list.split_at_mut(list.len() / 2);
    sort(left, merged, keeps_order);
    sort(right, merged, keeps_order);
    let merged = &mut merged[..list.len()];
    let (mut i, mut j, middle) = (0, list.len() / 2, list.len() / 2);
    for to in merged.iter_mut() {
        let first = j == list.len() || (i < middle && keeps_order(list[i] as usize, list[j] as usize));
        *to = list[if first { i } else { j }];
        if first { i += 1 } else { j += 1 }
    }
    list.copy_from_slice(merged);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_majority_decides_and_else_the_order_given() {
        const NONE: i16 = i16::MAX;
        // Two of three runs prefer each of 2, 1, 0 to the next; none retrieves 3 or 4, which stay as they are.
        let rank = [3, 2, 3, 2, 1, 2, 1, 3, 1, NONE, NONE, NONE, NONE, NONE, NONE];
        let ranks = RunRanks { rank: &rank, runs: 3, absent: NONE };
        assert_eq!(ranks.order(&[0, 5]), Ok(vec![2, 1, 0, 3, 4]));
        assert_eq!(ranks.order(&[0, 2, 2, 5]), Ok(vec![1, 0, 2, 3, 4]));
        assert_eq!(ranks.order(&[0]), Ok(vec![]));
        // All three put 1 before 0, and any of 0, 1, 2 before 3 and 4; two decide as the majority; four cannot, but labels.
        let label = [0.0, 0.0, 0.0, 1.0, 2.0];
        assert_eq!(ranks.order_by_votes(&[0, 5], &label, 3), Ok(vec![1, 0, 2, 4, 3]));
        assert_eq!(ranks.order_by_votes(&[0, 5], &label, 2), Ok(vec![2, 1, 0, 4, 3]));
        assert_eq!(ranks.order_by_votes(&[0, 5], &label, 4), Ok(vec![4, 3, 0, 1, 2]));
    }
}
