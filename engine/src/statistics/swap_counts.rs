//! Which of two columns has the larger mean over each subset of the rows, and how often that is the answer of a minority.

use crate::checked::{Check, Checked};
use crate::memory::{AllocError, try_filled};

/// Decisions that are added up in a byte, where each may count twice.
const IN_A_BYTE: usize = 127;

/// Pairs of columns, and the mean of each column over each subset.
#[derive(Clone, Copy)]
pub(crate) struct SubsetMeans<'a> {
    /// [columns, subsets].
    pub columns: &'a [f64],
    pub subsets: usize,
    pub left: &'a [i64],
    pub right: &'a [i64],
    /// Two means are tied that differ by no more than this share of the larger one, and the slack.
    pub fuzziness: f64,
    pub slack: f64,
}

/// Of each subset.
pub(crate) struct SwapCounts {
    /// Twice the decisions of a minority; where both sides won equally often, either is half a minority.
    pub minority_twice: Vec<i64>,
    pub tied: Vec<i64>,
}

impl Check for SubsetMeans<'_> {
    /// Whether both columns of every pair exist.
    fn fits(&self) -> bool {
        let columns = self.columns.len().checked_div(self.subsets).unwrap_or(0);
        let exists = |&column: &i64| usize::try_from(column).is_ok_and(|column| column < columns);
        self.left.len() == self.right.len() && self.left.iter().chain(self.right).all(exists)
    }
}

impl Checked<SubsetMeans<'_>> {
    pub(crate) fn count(&self) -> Result<SwapCounts, AllocError> {
        let mut counts =
            SwapCounts { minority_twice: try_filled(0, self.subsets)?, tied: try_filled(0, self.subsets)? };
        let [mut won, mut lost, mut minority_twice, mut tied] = [
            try_filled(0_u8, self.subsets)?,
            try_filled(0, self.subsets)?,
            try_filled(0, self.subsets)?,
            try_filled(0, self.subsets)?,
        ];
        for (left, right) in self.left.chunks(IN_A_BYTE).zip(self.right.chunks(IN_A_BYTE)) {
            for (&left, &right) in left.iter().zip(right) {
                let lead = self.mark_winners(self.column(left), self.column(right), &mut won, &mut lost);
                let (of_winner, of_loser) = match lead {
                    0 => (1, 1),
                    1.. => (0, 2),
                    _ => (2, 0),
                };
                let each = won.iter().zip(&lost).zip(minority_twice.iter_mut().zip(&mut tied));
                for ((&won, &lost), (minority_twice, tied)) in each {
                    *minority_twice += won * of_winner + lost * of_loser;
                    *tied += 1 - won - lost;
                }
            }
            for (sums, partial) in [(&mut counts.minority_twice, &mut minority_twice), (&mut counts.tied, &mut tied)] {
                sums.iter_mut().zip(partial.iter()).for_each(|(sum, &partial)| *sum += i64::from(partial));
                partial.fill(0);
            }
        }
        Ok(counts)
    }

    fn column(&self, number: i64) -> &[f64] {
        &self.columns[number as usize * self.subsets..][..self.subsets]
    }

    /// Mark the subsets on which the left column wins, and those on which the right one does; how many more the first are.
    fn mark_winners(&self, left: &[f64], right: &[f64], won: &mut [u8], lost: &mut [u8]) -> i64 {
        for ((&left, &right), (won, lost)) in left.iter().zip(right).zip(won.iter_mut().zip(lost.iter_mut())) {
            let (a, b) = (left.abs(), right.abs());
            let enough = (if a > b { a } else { b }) * self.fuzziness + self.slack;
            *won = u8::from(left - right > enough);
            *lost = u8::from(left - right < -enough);
        }
        let marked =
            |marks: &[u8]| marks.chunks(IN_A_BYTE).map(|partial| i64::from(partial.iter().sum::<u8>())).sum::<i64>();
        marked(won) - marked(lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;

    #[test]
    fn the_minority_is_wrong_and_half_of_it_where_there_is_none() {
        let columns = [1.0, 1.0, 1.0, 0.5, 2.0, 1.0, 0.5, 0.5, 2.0];
        let mut means =
            SubsetMeans { columns: &columns, subsets: 3, left: &[0, 0], right: &[1, 2], fuzziness: 0.1, slack: 0.0 };
        // The first two columns win once each and tie once; of the first and the last, the first wins twice.
        assert!(
            checked(means).count().is_ok_and(|counts| counts.minority_twice == [1, 1, 2] && counts.tied == [0, 0, 1])
        );
        means.fuzziness = 1.0;
        assert!(checked(means).count().is_ok_and(|counts| counts.minority_twice == [0; 3] && counts.tied == [2; 3]));
        means.right = &[1, 3];
        assert!(!means.fits());
    }
}
