//! Documents sorted by what the majority of runs prefers, a relation that may have cycles: so it is the textbook's merge sort,
//! which asks the same questions in the same turn wherever it is written.

use std::ops::Range;

use crate::leads::lead as lead_of;
use crate::room::{Refused, Room, filled};

/// So few runs that retrieve both of two documents are asked one by one.
const FEW: u32 = 12;

/// Ranks of documents in runs, [documents, runs]; `absent`, the largest number, where a run does not retrieve a document.
pub struct Ranks<'a, R> {
    pub rank: &'a [R],
    pub runs: usize,
    pub absent: R,
}

/// Which runs retrieve each document of a list: most comparisons are decided without a look at the ranks.
struct Holders {
    /// A bit for each run, [documents, words].
    bits: Vec<u64>,
    words: usize,
    count: Vec<u32>,
}

impl Holders {
    fn of(&self, document: usize) -> &[u64] {
        &self.bits[document * self.words..(document + 1) * self.words]
    }
}

impl<R: Copy + Ord> Ranks<'_, R> {
    /// Sort every list from the top down: list `l` holds the documents `starts[l]..starts[l + 1]`.
    pub fn order(&self, starts: &[usize]) -> Result<Vec<i64>, Refused> {
        let size = starts.last().copied().unwrap_or(0);
        let mut order = Vec::new();
        order.room(size)?;
        order.extend(0..size as i64);
        let mut merged = filled(0_i64, size)?;
        let mut holders = Holders { bits: Vec::new(), words: self.runs.div_ceil(64), count: Vec::new() };
        for list in starts.windows(2) {
            self.hold(list[0]..list[1], &mut holders)?;
            self.sort(&mut order[list[0]..list[1]], &mut merged, list[0], &holders);
        }
        Ok(order)
    }

    fn row(&self, document: usize) -> &[R] {
        &self.rank[document * self.runs..(document + 1) * self.runs]
    }

    /// See who retrieves some documents.
    fn hold(&self, documents: Range<usize>, holders: &mut Holders) -> Result<(), Refused> {
        holders.bits.clear();
        holders.count.clear();
        holders.bits.room(documents.len() * holders.words)?;
        holders.count.room(documents.len())?;
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

    fn sort(&self, list: &mut [i64], merged: &mut [i64], base: usize, holders: &Holders) {
        if list.len() < 2 {
            return;
        }
        let (left, right) = list.split_at_mut(list.len() / 2);
        self.sort(left, merged, base, holders);
        self.sort(right, merged, base, holders);
        let merged = &mut merged[..list.len()];
        let (mut i, mut j, middle) = (0, list.len() / 2, list.len() / 2);
        for to in merged.iter_mut() {
            let stays = |i: usize, j: usize| self.stays(list[i] as usize, list[j] as usize, base, holders);
            let first = j == list.len() || (i < middle && stays(i, j));
            *to = list[if first { i } else { j }];
            if first { i += 1 } else { j += 1 }
        }
        list.copy_from_slice(merged);
    }

    /// Whether at least as many runs put the first document before the second as the opposite. A run that retrieves one of them
    /// alone puts it first; those that retrieve both are asked only where they could turn what the others say.
    fn stays(&self, first: usize, second: usize, base: usize, holders: &Holders) -> bool {
        let (one, other) = (holders.of(first - base), holders.of(second - base));
        let common: u32 = one.iter().zip(other).map(|(one, other)| (one & other).count_ones()).sum();
        let lead = i64::from(holders.count[first - base]) - i64::from(holders.count[second - base]);
        if lead >= i64::from(common) || lead < -i64::from(common) {
            return lead >= i64::from(common);
        }
        let (ranks, against) = (self.row(first), self.row(second));
        if common > FEW {
            return lead_of(ranks, against) >= 0;
        }
        let mut lead = lead;
        for (word, (one, other)) in one.iter().zip(other).enumerate() {
            let mut both = one & other;
            while both != 0 {
                let run = word * 64 + both.trailing_zeros() as usize;
                lead += i64::from(ranks[run] < against[run]) - i64::from(ranks[run] > against[run]);
                both &= both - 1;
            }
        }
        lead >= 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_majority_decides_and_else_the_order_given() {
        const NONE: i16 = i16::MAX;
        // Two of three runs prefer each of 2, 1, 0 to the next; none retrieves 3 or 4, which stay as they are.
        let rank = [3, 2, 3, 2, 1, 2, 1, 3, 1, NONE, NONE, NONE, NONE, NONE, NONE];
        let ranks = Ranks { rank: &rank, runs: 3, absent: NONE };
        assert_eq!(ranks.order(&[0, 5]), Ok(vec![2, 1, 0, 3, 4]));
        assert_eq!(ranks.order(&[0, 2, 2, 5]), Ok(vec![1, 0, 2, 3, 4]));
        assert_eq!(ranks.order(&[0]), Ok(vec![]));
    }
}
