//! What documents of lists are worth by their ranks, by what stands above them and by the best lists of their topics,
//! without an array for each step on the way. Each number is computed by the steps that NumPy would take, in their order.

use crate::checked::{Check, Checked};
use crate::measures::segments;
use crate::memory::{AllocError, try_collect_exact, try_filled, try_with_capacity};

/// Some documents of lists.
#[derive(Clone, Copy)]
pub(crate) struct RankedRows<'a> {
    /// Where each list begins, and where the last one ends.
    pub starts: &'a [i64],
    /// The rank of each document, or its place among all judged ones of its list; from 1.
    pub rank: &'a [i64],
}

/// The best lists of topics, one after the other.
pub(crate) struct IdealSums<'a> {
    /// Documents of each.
    pub length: &'a [i64],
    /// The row in front of its first one; -1 for an empty list.
    pub before: &'a [i64],
    /// Sums down to each row, and a 0 behind all of them.
    pub sums: &'a [f64],
}

/// The pairs of documents that lists put right and wrong down to each of their rows.
#[derive(Clone, Copy)]
pub(crate) struct PairCounts<'a> {
    /// Where each list begins, and where the last one ends.
    pub starts: &'a [i64],
    pub right: &'a [f64],
    pub wrong: &'a [f64],
    /// All pairs of each list.
    pub pairs: &'a [f64],
}

/// What pairs tell down to some rows.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct PairShares<A> {
    /// The share of those put right among those that are not left open, a half where all are.
    pub share: A,
    /// It and what it lacks to 1, where these are 0 a 1; or the logarithms of these.
    pub p: A,
    pub one_minus_p: A,
    /// The share of those that are not left open among all; NaN where there are none.
    pub decided: A,
}

impl PairShares<&[f64]> {
    /// Of how many rows all parts are.
    pub(crate) fn len(&self) -> Option<usize> {
        let rows = self.share.len();
        ([self.p.len(), self.one_minus_p.len(), self.decided.len()] == [rows; 3]).then_some(rows)
    }
}

impl Check for RankedRows<'_> {
    fn fits(&self) -> bool {
        segments::valid_starts(self.starts, self.rank.len())
    }
}

impl Checked<RankedRows<'_>> {
    fn lists(&self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        segments::ranges(self.starts)
    }

    /// The sum over each list of the weight of each rank, times a value where there are some. `None` where a rank has no
    /// weight, or a sum is not finite.
    pub(crate) fn weighed_sums(&self, weights: &[f64], values: Option<&[f64]>) -> Result<Option<Vec<f64>>, AllocError> {
        let mut out = try_filled(0.0, self.starts.len() - 1)?;
        let mut known = true;
        for (sum, (begin, end)) in out.iter_mut().zip(self.lists()) {
            let mut weight = |&rank: &i64| {
                let known_weight = usize::try_from(rank).ok().and_then(|rank| weights.get(rank));
                known &= known_weight.is_some();
                known_weight.copied().unwrap_or(0.0)
            };
            let ranks = &self.rank[begin..end];
            *sum = match values {
                None => ranks.iter().fold(0.0, |sum, rank| sum + weight(rank)),
                Some(values) => {
                    let rows = ranks.iter().zip(&values[begin..end]);
                    rows.fold(0.0, |sum, (rank, value)| sum + value * weight(rank))
                }
            };
            known &= sum.is_finite();
        }
        Ok(known.then_some(out))
    }

    /// The sum over each list of 1 - min(n, most) / limit, n being the documents above each that are not rows.
    pub(crate) fn bpref_sums(&self, most: &[f64], limit: &[f64]) -> Result<Vec<f64>, AllocError> {
        try_collect_exact(self.lists().zip(most.iter().zip(limit)).map(|((begin, end), (&most, &limit))| {
            let above = self.rank[begin..end].iter().zip(1..).map(|(rank, position)| (rank - position) as f64);
            above.fold(0.0, |sum, above| sum + (1.0 - if above < most { above } else { most } / limit))
        }))
    }

    /// The sum over each list of 1 - n / (rank - 1) below its first rank, n being the documents above each that are not rows.
    pub(crate) fn bpref_relative_sums(&self) -> Result<Vec<f64>, AllocError> {
        try_collect_exact(self.lists().map(|(begin, end)| {
            let below = self.rank[begin..end].iter().zip(1..).filter(|&(&rank, _)| rank > 1);
            below.fold(0.0, |sum, (rank, position)| sum + (1.0 - (rank - position) as f64 / (rank - 1) as f64))
        }))
    }

    /// The sum over each list of value * (1 - penalty / limit), with limits of lists, or of max(rank - above, 1) where there
    /// are none; the first ranks, `above`, count nothing.
    pub(crate) fn rpref_sums(
        &self,
        value: &[f64],
        penalty: &[f64],
        limit: Option<&[f64]>,
        above: i64,
    ) -> Result<Vec<f64>, AllocError> {
        try_collect_exact(self.lists().enumerate().map(|(list, (begin, end))| {
            let of_list = limit.map(|limit| limit[list]);
            let rows = self.rank[begin..end].iter().zip(&value[begin..end]).zip(&penalty[begin..end]);
            rows.fold(0.0, |sum, ((&rank, &value), &penalty)| {
                let limit = of_list.unwrap_or((rank - above).max(1) as f64);
                sum + if rank > above { value } else { 0.0 } * (1.0 - penalty / limit)
            })
        }))
    }

    /// The sum over each list of (1 + n (a + hit) / (n + margin)) / rank, times a weight of its own: n judged documents stand
    /// above each, by its place among them, a of which are rows.
    pub(crate) fn infap_sums(
        &self,
        judged_rank: &[i64],
        weight: &[f64],
        hit: f64,
        margin: f64,
    ) -> Result<Vec<f64>, AllocError> {
        try_collect_exact(self.lists().zip(weight).map(|((begin, end), weight)| {
            let rows = self.rank[begin..end].iter().zip(&judged_rank[begin..end]).zip(0_i64..);
            rows.fold(0.0, |sum, ((&rank, &judged_rank), hits)| {
                let above = (judged_rank - 1) as f64;
                let share = (hits as f64 + hit) / (above + margin);
                sum + weight * ((1.0 + above * share) / rank as f64)
            })
        }))
    }

    /// The sum of the best list of its topic down to each rank, which stays what it is below the end. The lists are those
    /// of all topics, once or several times over; `None` where they are not.
    pub(crate) fn ideal_sums(&self, best: &IdealSums) -> Result<Option<Vec<f64>>, AllocError> {
        let (topics, lists) = (best.length.len(), self.starts.len() - 1);
        if best.before.len() != topics || (lists > 0 && (topics == 0 || !lists.is_multiple_of(topics))) {
            return Ok(None);
        }
        let Some(&behind) = best.sums.last() else { return Ok(None) };
        let mut out = try_with_capacity(self.rank.len())?;
        let of_topics = best.before.iter().zip(best.length).cycle();
        let mut known = true;
        for ((begin, end), (&before, &length)) in self.lists().zip(of_topics) {
            if length == 0 {
                out.resize(end, behind);
                continue;
            }
            let first = usize::try_from(before + 1).unwrap_or(usize::MAX);
            let own = first.checked_add(length as usize).and_then(|end| best.sums.get(first..end));
            let Some(own) = own else { return Ok(None) };
            out.extend(self.rank[begin..end].iter().map(|&rank| {
                let sum = own.get((rank.min(length) - 1) as usize);
                known &= sum.is_some();
                sum.copied().unwrap_or(0.0)
            }));
        }
        Ok(known.then_some(out))
    }

    /// What a reader expects of bits that are told down to each row, who comes to a rank with the chance `arrives` of it:
    /// the sum over each list of (the chance to come to the row, less that to come to the next) times the bits. `None`
    /// where a rank has no chance.
    pub(crate) fn reader_bits(&self, arrives: &[f64], of: &PairShares<&[f64]>) -> Result<Option<Vec<f64>>, AllocError> {
        let mut out = try_filled(0.0, self.starts.len() - 1)?;
        let most = i64::try_from(arrives.len()).unwrap_or(i64::MAX);
        if !self.rank.iter().all(|rank| (0..most).contains(rank)) {
            return Ok(None);
        }
        for (sum, (begin, end)) in out.iter_mut().zip(self.lists()) {
            for row in begin..end {
                let share = of.share[row];
                let entropy = -share * of.p[row] - (1.0 - share) * of.one_minus_p[row] + 0.0;
                let bits = of.decided[row] * (1.0 - entropy);
                let next = if row + 1 < end { arrives[self.rank[row + 1] as usize] } else { 0.0 };
                let here = arrives[self.rank[row] as usize] - next;
                *sum += here * if bits.is_nan() { 0.0 } else { bits };
            }
        }
        Ok(Some(out))
    }
}

impl Check for PairCounts<'_> {
    fn fits(&self) -> bool {
        segments::valid_starts(self.starts, self.right.len())
            && self.wrong.len() == self.right.len()
            && self.pairs.len() + 1 == self.starts.len()
    }
}

impl Checked<PairCounts<'_>> {
    /// Down to rows that have these places in the same lists, from 1; with the sign of the majority where they are
    /// `signed`. `None` where a list has no such place.
    pub(crate) fn pair_shares(
        &self,
        rows: &Checked<RankedRows>,
        signed: bool,
    ) -> Result<Option<PairShares<Vec<f64>>>, AllocError> {
        let count = rows.rank.len();
        let mut out = PairShares {
            share: try_with_capacity(count)?,
            p: try_with_capacity(count)?,
            one_minus_p: try_with_capacity(count)?,
            decided: try_with_capacity(count)?,
        };
        if rows.starts.len() != self.starts.len() {
            return Ok(None);
        }
        for (((begin, end), (first, last)), &pairs) in rows.lists().zip(segments::ranges(self.starts)).zip(self.pairs) {
            let (right, wrong) = (&self.right[first..last], &self.wrong[first..last]);
            for part in [&mut out.share, &mut out.p, &mut out.one_minus_p, &mut out.decided] {
                part.resize(end, 0.0);
            }
            for row in begin..end {
                let index = usize::try_from(rows.rank[row] - 1).unwrap_or(usize::MAX);
                let (Some(&right), Some(&wrong)) = (right.get(index), wrong.get(index)) else { return Ok(None) };
                let spoken = right + wrong;
                let all = spoken + (pairs - right - wrong);
                let share = if spoken > 0.0 { right / spoken } else { 0.5 };
                let decided = if all > 0.0 { spoken / all } else { f64::NAN };
                let apart = right - wrong;
                let sign = if apart == 0.0 { 0.0 } else { apart.signum() };
                out.share[row] = share;
                out.p[row] = if share > 0.0 { share } else { 1.0 };
                out.one_minus_p[row] = if 1.0 - share > 0.0 { 1.0 - share } else { 1.0 };
                out.decided[row] = if signed { decided * sign } else { decided };
            }
        }
        Ok(Some(out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;

    const LISTS: RankedRows = RankedRows { starts: &[0, 2, 2, 3], rank: &[1, 4, 2] };

    #[test]
    fn ranks_are_weighed_list_by_list() {
        let weights = [0.0, 1.0, 0.5, 0.25, 0.125];
        assert_eq!(checked(LISTS).weighed_sums(&weights, None), Ok(Some(vec![1.125, 0.0, 0.5])));
        assert_eq!(checked(LISTS).weighed_sums(&weights, Some(&[2.0, 8.0, 1.0])), Ok(Some(vec![3.0, 0.0, 0.5])));
        assert_eq!(checked(LISTS).weighed_sums(&weights[..4], None), Ok(None));
        assert_eq!(checked(LISTS).weighed_sums(&weights, Some(&[f64::INFINITY, 8.0, 1.0])), Ok(None));
        assert_eq!(checked(segments::ListLengths { starts: &[0, 2, 2, 3] }).list_positions(), Ok(vec![1, 2, 1]));
    }

    #[test]
    fn documents_above_count_up_to_a_limit() {
        // Above the second document of the first list stand two others, above that of the last one.
        assert_eq!(checked(LISTS).bpref_sums(&[1.0, 1.0, 9.0], &[2.0, 1.0, 4.0]), Ok(vec![1.5, 0.0, 0.75]));
        // The first of all has nothing above it and counts nothing, that of the last list one document, which is not a row.
        assert_eq!(checked(LISTS).bpref_relative_sums(), Ok(vec![1.0 - 2.0 / 3.0, 0.0, 0.0]));
    }

    #[test]
    fn what_is_kept_of_values_is_that_by_hand() {
        let (value, penalty) = ([2.0, 4.0, 1.0], [0.0, 1.5, 1.0]);
        assert_eq!(
            checked(LISTS).rpref_sums(&value, &penalty, Some(&[3.0, 1.0, 4.0]), 0),
            Ok(vec![2.0 + 2.0, 0.0, 0.75])
        );
        assert_eq!(checked(LISTS).rpref_sums(&value, &penalty, None, 1), Ok(vec![2.0, 0.0, 0.0]));
        assert_eq!(checked(LISTS).rpref_sums(&value, &penalty, None, 0), Ok(vec![2.0 + 2.5, 0.0, 0.5]));
    }

    #[test]
    fn precisions_are_inferred() {
        // Above the second document stand two judged ones, one of which is a row: (1 + 2 (1 + 1) / (2 + 2)) / 4.
        assert_eq!(
            checked(LISTS).infap_sums(&[1, 3, 2], &[1.0, 1.0, 4.0], 1.0, 2.0),
            Ok(vec![1.5, 0.0, 4.0 * (1.0 + 1.0 / 3.0) / 2.0])
        );
    }

    #[test]
    fn best_lists_end() {
        let best = IdealSums { length: &[2, 0, 1], before: &[-1, -1, 1], sums: &[3.0, 4.0, 7.0, 0.0] };
        assert_eq!(checked(LISTS).ideal_sums(&best), Ok(Some(vec![3.0, 4.0, 7.0])));
        let empty = IdealSums { length: &[0], before: &[-1], sums: &[3.0, 4.0, 7.0, 0.0] };
        assert_eq!(checked(LISTS).ideal_sums(&empty), Ok(Some(vec![0.0; 3])));
        assert_eq!(checked(LISTS).ideal_sums(&IdealSums { length: &[2, 1], before: &[-1, 1], ..best }), Ok(None));
        assert_eq!(checked(LISTS).ideal_sums(&IdealSums { length: &[2, 0, 9], ..best }), Ok(None));
    }

    #[test]
    fn bits_are_those_by_hand() {
        let counts = PairCounts {
            starts: &[0, 2, 2, 3],
            right: &[1.0, 3.0, 0.0],
            wrong: &[0.0, 1.0, 0.0],
            pairs: &[8.0, 0.0, 0.0],
        };
        let rows = RankedRows { starts: &[0, 2, 2, 3], rank: &[1, 2, 1] };
        let shares = checked(counts).pair_shares(&checked(rows), false).ok().flatten();
        let shares = shares.unwrap_or_default();
        assert_eq!(shares.share, [1.0, 0.75, 0.5]);
        assert_eq!((&shares.p[..], &shares.one_minus_p[..]), (&[1.0, 0.75, 0.5][..], &[1.0, 0.25, 0.5][..]));
        assert_eq!(shares.decided[..2], [0.125, 0.5]);
        assert!(shares.decided[2].is_nan());
        // Logarithms that are easy to add up: one bit of all, and then none of a half.
        let logarithms = &[0.0, -1.0, -1.0][..];
        let shares = PairShares {
            share: &shares.share[..],
            p: logarithms,
            one_minus_p: logarithms,
            decided: &shares.decided[..],
        };
        assert_eq!(shares.len(), Some(3));
        assert_eq!(
            checked(LISTS).reader_bits(&[0.0, 1.0, 0.5, 0.25, 0.125], &shares),
            Ok(Some(vec![0.875 * 0.125, 0.0, 0.0]))
        );
        assert_eq!(checked(LISTS).reader_bits(&[0.0, 1.0], &shares), Ok(None));
        assert_eq!(checked(counts).pair_shares(&checked(RankedRows { rank: &[1, 3, 1], ..rows }), false), Ok(None));
    }
}
