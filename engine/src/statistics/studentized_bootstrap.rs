//! What resamples say of pairs of columns: how often they reach what was observed, and which of them is the k-th largest.

use std::array::from_fn;

use crate::checked::{Check, Checked};
use crate::memory::{AllocError, try_filled};
use crate::statistics::kth_largest::{ColumnRanges, KthLargest};

/// Pairs whose statistics are held at a time.
const LANES: usize = 8;

/// Resamples that are looked at together, of one pair after the other.
const AT_ONCE: usize = LANES;

type Lanes = [f64; LANES];

/// All resamples of some pairs.
#[derive(Clone, Copy)]
pub(crate) struct ResampleBlock<'a> {
    /// Sums over the resampled rows of each column, [columns, resamples].
    pub sums: &'a [f64],
    /// The columns of each pair: a moment is the difference of their sums.
    pub left: &'a [i64],
    pub right: &'a [i64],
    /// Sums of the squared differences, [resamples, pairs].
    pub squares: &'a [f64],
    /// A resample reaches what was observed where its squared moment reaches `squares * limit + floor`, [pairs].
    pub limit: &'a [f64],
    pub floor: &'a [f64],
    /// The largest ratio of a squared moment and squares that there is.
    pub cap: f64,
    /// Of the resamples.
    pub parts: Checked<ColumnRanges<'a>>,
}

/// How many resamples reach what was observed, [pairs], and the moment of the k-th largest ratio of each part, [parts, pairs].
#[derive(Debug, PartialEq)]
pub(crate) struct BootstrapCounts {
    pub hits: Vec<i64>,
    pub moments: Vec<f64>,
}

impl ResampleBlock<'_> {
    fn resamples(&self) -> usize {
        self.squares.len().checked_div(self.limit.len()).unwrap_or(0)
    }
}

impl Check for ResampleBlock<'_> {
    /// Whether all is of equally many pairs, whose columns exist, and the parts are of the resamples.
    fn fits(&self) -> bool {
        let (pairs, resamples) = (self.limit.len(), self.resamples());
        let columns = self.sums.len().checked_div(resamples).unwrap_or(0);
        let exists = |&column: &i64| usize::try_from(column).is_ok_and(|column| column < columns);
        pairs > 0
            && self.squares.len().is_multiple_of(pairs)
            && [self.floor.len(), self.left.len(), self.right.len()] == [pairs; 3]
            && self.left.iter().chain(self.right).all(exists)
            && self.parts.width == resamples
    }
}

impl Checked<ResampleBlock<'_>> {
    pub(crate) fn count(&self) -> Result<BootstrapCounts, AllocError> {
        let (pairs, resamples) = (self.limit.len(), self.resamples());
        let mut counts =
            BootstrapCounts { hits: try_filled(0, pairs)?, moments: try_filled(0.0, self.parts.kth.len() * pairs)? };
        let (mut ratios, mut finder) = (try_filled(0.0, LANES * resamples)?, KthLargest::new(self.parts)?);
        for begin in (0..pairs).step_by(LANES) {
            let last = pairs - 1;
            let columns: [[&[f64]; 2]; LANES] = from_fn(|at| self.columns((begin + at).min(last)));
            let hits = self.studentize(begin, columns, &mut ratios);
            let rows = ratios.chunks_exact(resamples.max(1));
            for (((pair, row), hits), [left, right]) in (begin..pairs).zip(rows).zip(hits).zip(columns) {
                counts.hits[pair] = hits;
                for (part, column) in finder.columns(row).enumerate() {
                    counts.moments[part * pairs + pair] = left[column as usize] - right[column as usize];
                }
            }
        }
        Ok(counts)
    }

    /// The sums of the two columns of a pair.
    fn columns(&self, pair: usize) -> [&[f64]; 2] {
        let of = |column: i64| &self.sums[column as usize * self.resamples()..][..self.resamples()];
        [of(self.left[pair]), of(self.right[pair])]
    }

    /// The ratios of some pairs in rows, [lanes, resamples], and how many resamples reach what was observed of each.
    fn studentize(&self, begin: usize, columns: [[&[f64]; 2]; LANES], ratios: &mut [f64]) -> [i64; LANES] {
        let (pairs, resamples) = (self.limit.len(), self.resamples());
        let (limit, floor) = (lanes(&self.limit[begin..]), lanes(&self.floor[begin..]));
        let mut hits = [0; LANES];
        let mut squared = [[0.0; AT_ONCE]; LANES];
        for (first, rows) in (0..resamples).step_by(AT_ONCE).zip(self.squares.chunks(AT_ONCE * pairs)) {
            for (sample, row) in rows.chunks_exact(pairs).enumerate() {
                for (squared, square) in squared.iter_mut().zip(lanes(&row[begin..])) {
                    squared[sample] = square;
                }
            }
            let many = AT_ONCE.min(resamples - first);
            for (at, (ratios, [left, right])) in ratios.chunks_exact_mut(resamples).zip(columns).enumerate() {
                let (squares, limit, floor) = (&squared[at], limit[at], floor[at]);
                let (left, right) = (lanes(&left[first..]), lanes(&right[first..]));
                let above: Lanes = from_fn(|at| (left[at] - right[at]) * (left[at] - right[at]));
                let reached: [bool; AT_ONCE] = from_fn(|at| above[at] >= squares[at] * limit + floor);
                hits[at] += reached[..many].iter().map(|&one| i64::from(one)).sum::<i64>();
                let ratio: Lanes = from_fn(|at| above[at] / squares[at]);
                let ratio: Lanes = from_fn(|at| if squares[at] > floor { ratio[at] } else { 0.0 });
                let ratio = ratio.map(|ratio| if ratio > self.cap { self.cap } else { ratio });
                match ratios[first..].first_chunk_mut() {
                    Some(cell) => *cell = ratio,
                    None => ratios[first..].copy_from_slice(&ratio[..many]),
                }
            }
        }
        hits
    }
}

/// The first values of a row; beyond its end 0.
#[inline(always)]
fn lanes(values: &[f64]) -> Lanes {
    values.first_chunk().copied().unwrap_or_else(|| from_fn(|at| values.get(at).copied().unwrap_or(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;

    #[test]
    fn resamples_are_counted_and_the_largest_found() {
        let block = ResampleBlock {
            sums: &[2.5, 0.5, 0.5, 0.5, 5.5, 1.5],
            left: &[0, 0],
            right: &[1, 2],
            squares: &[2.0, 1.0, 0.0, 4.0],
            limit: &[2.0, 2.0],
            floor: &[0.0, 0.5],
            cap: 5.0,
            parts: checked(ColumnRanges { width: 2, begins: &[0, 0, 1], ends: &[2, 2, 2], kth: &[1, 2, 1] }),
        };
        // Moments are 2 and 0 of the first pair, -3 and -1 of the second one; ratios 2 and 0, 5 and 1/4.
        assert_eq!(
            checked(block).count(),
            Ok(BootstrapCounts { hits: vec![2, 1], moments: vec![2.0, -3.0, 0.0, -1.0, 0.0, -1.0] })
        );
        assert!(!ResampleBlock { parts: checked(ColumnRanges { width: 3, ..*block.parts }), ..block }.fits());
        assert!(!ResampleBlock { sums: &[0.0; 5], ..block }.fits());
    }

    #[test]
    fn many_pairs_are_found_one_like_the_other() {
        let block = ResampleBlock {
            sums: &[0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0],
            left: &[0; 19],
            right: &[1; 19],
            squares: &[1.0; 4 * 19],
            limit: &[4.0; 19],
            floor: &[0.0; 19],
            cap: 99.0,
            parts: checked(ColumnRanges { width: 4, begins: &[0], ends: &[4], kth: &[2] }),
        };
        assert_eq!(checked(block).count(), Ok(BootstrapCounts { hits: vec![2; 19], moments: vec![2.0; 19] }));
    }
}
