//! From the rows of a list to the ranks of its judged documents: where a list is in order, by counting, or by sorting.

use std::cmp::Ordering;
use std::ops::Range;

use crate::memory::{AllocError, TryVec, try_collect_exact};
use crate::ranking::UNJUDGED;
use crate::ranking::rank_slots::count_ranks;

/// A row of a list that is put in order.
pub(crate) trait ListRow: Copy {
    /// Ascends in the order of the policy, but for rows of one key.
    fn key(&self) -> u64;
    /// Where it stood before.
    fn position(&self) -> u32;
    /// The judged document that it holds, or `UNJUDGED`.
    fn document(&self) -> u32;
}

/// Put rows in order: by their keys, those of one key by `cmp_tied`, and those that it does not order as they stood before.
pub(crate) fn sort_rows<R: ListRow>(rows: &mut [R], cmp_tied: impl Fn(&R, &R) -> Ordering) {
    rows.sort_unstable_by_key(R::key);
    for tied in rows.chunk_by_mut(|a, b| a.key() == b.key()).filter(|tied| tied.len() > 1) {
        tied.sort_unstable_by(|a, b| cmp_tied(a, b).then_with(|| a.position().cmp(&b.position())));
    }
}

/// The judged documents of lists, one list after the other, each in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JudgedRanks<N> {
    pub rank: Vec<N>,
    pub document: Vec<N>,
    /// First and last rank of the documents whose score equals that of each judged document; empty if not wanted.
    pub first: Vec<N>,
    pub last: Vec<N>,
}

impl<N: From<u32> + Copy> JudgedRanks<N> {
    pub(crate) fn len(&self) -> usize {
        self.rank.len()
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, rank: u32, document: u32) -> Result<(), AllocError> {
        self.rank.try_push(rank.into())?;
        self.document.try_push(document.into())
    }

    /// Between which ranks the documents are that are tied with the last one.
    #[inline(always)]
    pub(crate) fn push_ties(&mut self, first: u32, last: u32) -> Result<(), AllocError> {
        self.first.try_push(first.into())?;
        self.last.try_push(last.into())
    }

    /// Those of a list in order, given by their rows.
    #[inline(always)]
    pub(crate) fn push_in_order(&mut self, judged: &[(u32, u32)]) -> Result<(), AllocError> {
        judged.iter().try_for_each(|&(row, document)| self.push(row + 1, document))
    }

    /// Those of a list out of order in which no document occurs twice, by counting what is above each: much less work than
    /// sorting all where few are judged. Rows come with their keys, and `is_past` says whether one is a judged row of its own key
    /// or below it.
    #[inline(always)]
    pub(crate) fn push_counted<R: ListRow, O: Copy>(
        &mut self,
        judged: &mut [R],
        rows: impl Iterator<Item = (O, u64)> + Clone,
        cmp_tied: impl Fn(&R, &R) -> Ordering,
        is_past: impl Fn(O, &R) -> bool,
    ) -> Result<(), AllocError> {
        sort_rows(judged, cmp_tied);
        let keys = try_collect_exact(judged.iter().map(R::key))?;
        let ranks = count_ranks(rows, &keys, |row, target| is_past(row, &judged[target]))?;
        judged.iter().zip(ranks).try_for_each(|(row, rank)| self.push(rank, row.document()))
    }

    /// Those of a list whose rows are in order, with the ranks of tied documents where these are wanted.
    #[inline(always)]
    pub(crate) fn push_sorted<R: ListRow>(&mut self, rows: &[R], ties: bool) -> Result<(), AllocError> {
        if !ties {
            let judged = rows.iter().zip(1..).filter(|(row, _)| row.document() != UNJUDGED);
            return judged.map(|(row, rank)| (rank, row.document())).try_for_each(|(rank, row)| self.push(rank, row));
        }
        let mut above = 0;
        for tied in rows.chunk_by(|a, b| a.key() == b.key()) {
            let below = above + tied.len() as u32;
            for (row, rank) in tied.iter().zip(above + 1..).filter(|(row, _)| row.document() != UNJUDGED) {
                self.push(rank, row.document())?;
                self.push_ties(above + 1, below)?;
            }
            above = below;
        }
        Ok(())
    }

    /// The documents of some ranges, one after the other.
    pub(crate) fn select(&self, ranges: impl Iterator<Item = Range<usize>> + Clone) -> Result<Self, AllocError> {
        let each = |values: &[N]| {
            let mut out = Vec::new();
            out.try_reserve_more(values.len())?;
            for range in ranges.clone().filter(|_| !values.is_empty()) {
                out.try_reserve_more(range.len())?;
                out.extend_from_slice(&values[range]);
            }
            Ok(out)
        };
        let (rank, document) = (each(&self.rank)?, each(&self.document)?);
        Ok(JudgedRanks { rank, document, first: each(&self.first)?, last: each(&self.last)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    struct Row(u64, u32, u32);

    impl ListRow for Row {
        fn key(&self) -> u64 {
            self.0
        }
        fn position(&self) -> u32 {
            self.1
        }
        fn document(&self) -> u32 {
            self.2
        }
    }

    /// Rows of few keys, every third of which is judged; those of one key are ordered by the last digit of their positions.
    fn rows(step: u32) -> Vec<Row> {
        let row = |at: u32| Row(u64::from(at * step % 60 / 4), at, if at.is_multiple_of(3) { at } else { UNJUDGED });
        (0..60).map(row).collect()
    }

    fn cmp_tied(a: &Row, b: &Row) -> Ordering {
        (a.1 % 10).cmp(&(b.1 % 10))
    }

    #[test]
    fn rows_are_sorted_as_a_stable_sort_would() {
        for step in [1, 7, 13, 59, 0] {
            let (mut sorted, mut expected) = (rows(step), rows(step));
            sort_rows(&mut sorted, cmp_tied);
            expected.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| cmp_tied(a, b)));
            assert!(sorted.iter().map(|row| row.1).eq(expected.iter().map(|row| row.1)), "{step}");
        }
    }

    #[test]
    fn counted_and_sorted_ranks_are_those_of_a_list_in_order() -> Result<(), AllocError> {
        for step in [1, 7, 13, 59] {
            let (mut sorted, given) = (rows(step), rows(step));
            sort_rows(&mut sorted, cmp_tied);
            let positions: Vec<_> =
                (0..).zip(&sorted).filter(|(_, row)| row.2 != UNJUDGED).map(|(at, row)| (at, row.2)).collect();
            let (mut in_order, mut by_sorting, mut tied, mut counted) =
                (JudgedRanks::<u32>::default(), JudgedRanks::default(), JudgedRanks::default(), JudgedRanks::default());
            in_order.push_in_order(&positions)?;
            by_sorting.push_sorted(&sorted, false)?;
            tied.push_sorted(&sorted, true)?;
            let mut judged: Vec<Row> = given.iter().filter(|row| row.2 != UNJUDGED).copied().collect();
            // Rows that tie in their keys and in the last digits of their positions are as they stood before.
            let total = |a: &Row, b: &Row| cmp_tied(a, b).then(a.1.cmp(&b.1));
            counted.push_counted(&mut judged, given.iter().map(|row| (row, row.0)), total, |row, target| {
                total(row, target).is_ge()
            })?;
            assert_eq!((&by_sorting, &counted), (&in_order, &in_order), "{step}");
            assert_eq!((&tied.rank, tied.len()), (&in_order.rank, 20));
            let expected: Vec<_> =
                tied.rank.iter().map(|rank| ((rank - 1) / 4 * 4 + 1, (rank - 1) / 4 * 4 + 4)).collect();
            assert_eq!(tied.first.iter().copied().zip(tied.last.iter().copied()).collect::<Vec<_>>(), expected);
        }
        Ok(())
    }

    #[test]
    fn ranges_are_selected_in_their_order() -> Result<(), AllocError> {
        let all = JudgedRanks { rank: vec![1_i64, 4, 2], document: vec![7, 8, 9], ..JudgedRanks::default() };
        let selected = all.select([2..3, 0..2].into_iter())?;
        assert_eq!((selected.rank, selected.document), (vec![2, 1, 4], vec![9, 7, 8]));
        assert!(selected.first.is_empty(), "of what there is none, there is none after");
        Ok(())
    }
}
