//! Documents sorted by what the majority of runs prefers, a relation that may have cycles: so it is the textbook's merge sort,
//! which asks the same questions in the same turn wherever it is written.

use crate::room::{Refused, Room, filled};

/// Runs whose votes are counted in the small numbers before they are added to the large ones.
const AT_ONCE: usize = 1 << 13;

/// Ranks of documents in runs, [documents, runs]; the largest number where a run does not retrieve a document.
pub struct Ranks<'a, R> {
    pub rank: &'a [R],
    pub runs: usize,
}

impl<R: Copy + Ord> Ranks<'_, R> {
    /// Sort every list from the top down: list `l` holds the documents `starts[l]..starts[l + 1]`.
    pub fn order(&self, starts: &[usize]) -> Result<Vec<i64>, Refused> {
        let size = starts.last().copied().unwrap_or(0);
        let mut order = Vec::new();
        order.room(size)?;
        order.extend(0..size as i64);
        let mut merged = filled(0_i64, size)?;
        for list in starts.windows(2) {
            self.sort(&mut order[list[0]..list[1]], &mut merged);
        }
        Ok(order)
    }

    fn sort(&self, list: &mut [i64], merged: &mut [i64]) {
        if list.len() < 2 {
            return;
        }
        let (left, right) = list.split_at_mut(list.len() / 2);
        self.sort(left, merged);
        self.sort(right, merged);
        let merged = &mut merged[..list.len()];
        let (mut i, mut j, middle) = (0, list.len() / 2, list.len() / 2);
        for to in merged.iter_mut() {
            let stays = j == list.len() || (i < middle && self.stays(list[i], list[j]));
            *to = list[if stays { i } else { j }];
            if stays { i += 1 } else { j += 1 }
        }
        list.copy_from_slice(merged);
    }

    /// Whether at least as many runs put the first document before the second as the opposite.
    fn stays(&self, first: i64, second: i64) -> bool {
        let row = |document: i64| &self.rank[document as usize * self.runs..(document as usize + 1) * self.runs];
        let parts = row(first).chunks(AT_ONCE).zip(row(second).chunks(AT_ONCE));
        let votes = parts.map(|(one, other)| {
            let said = one.iter().zip(other).map(|(one, other)| i16::from(one < other) - i16::from(one > other));
            i64::from(said.sum::<i16>())
        });
        votes.sum::<i64>() >= 0
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
        let ranks = Ranks { rank: &rank, runs: 3 };
        assert_eq!(ranks.order(&[0, 5]), Ok(vec![2, 1, 0, 3, 4]));
        assert_eq!(ranks.order(&[0, 2, 2, 5]), Ok(vec![1, 0, 2, 3, 4]));
        assert_eq!(ranks.order(&[0]), Ok(vec![]));
    }
}
