//! Where the k-th largest value of a part of a row stands.

use std::ops::Range;

use crate::checked::{Check, Checked};
use crate::memory::{AllocError, TryVec};

/// Values of a row that say which are large.
const SAMPLE: usize = 64;

/// So many times the share that is asked for is looked at.
const MARGIN: f64 = 3.0;

/// Parts of a row of values: where each begins and ends, and what is asked of it: 1 is the largest.
#[derive(Clone, Copy)]
pub(crate) struct ColumnRanges<'a> {
    /// How many values a row has.
    pub width: usize,
    pub begins: &'a [i64],
    pub ends: &'a [i64],
    pub kth: &'a [i64],
}

impl Check for ColumnRanges<'_> {
    /// Whether the parts are within rows, and have as many values as are asked for.
    fn fits(&self) -> bool {
        let width = self.width as i64;
        let within = |(begin, end, kth)| 0 <= begin && begin < end && end <= width && 0 < kth && kth <= end - begin;
        [self.ends.len(), self.kth.len()] == [self.begins.len(); 2] && self.each().all(within)
    }
}

impl ColumnRanges<'_> {
    fn each(&self) -> impl Iterator<Item = (i64, i64, i64)> {
        self.begins.iter().zip(self.ends).zip(self.kth).map(|((&begin, &end), &kth)| (begin, end, kth))
    }

    /// The share of the values of a row that is looked at: some times what is asked for; all where that is many.
    fn share(&self) -> f64 {
        let largest_share = self.each().map(|(begin, end, kth)| kth as f64 / (end - begin) as f64).fold(0.0, f64::max);
        if MARGIN * largest_share < 0.5 && self.width >= 4 * SAMPLE { MARGIN * largest_share } else { 1.0 }
    }
}

/// Finds what is asked of one row after the other, all of the same width.
pub(crate) struct KthLargest<'a> {
    parts: Checked<ColumnRanges<'a>>,
    share: f64,
    large: LargeValues,
    buffer: Vec<i64>,
}

impl<'a> KthLargest<'a> {
    pub(crate) fn new(parts: Checked<ColumnRanges<'a>>) -> Result<KthLargest<'a>, AllocError> {
        let (mut large, mut buffer) = (LargeValues { keys: Vec::new(), columns: Vec::new() }, Vec::new());
        large.keys.try_reserve_more(parts.width)?;
        large.columns.try_reserve_more(parts.width)?;
        buffer.try_reserve_more(parts.width)?;
        Ok(KthLargest { parts, share: parts.share(), large, buffer })
    }

    /// Columns of the first such values, part by part.
    pub(crate) fn columns(&mut self, row: &[f64]) -> impl Iterator<Item = i64> {
        self.large.gather(row, self.share, &mut self.buffer);
        self.parts.each().map(|(begin, end, kth)| {
            self.large.first_column(row, begin as usize..end as usize, kth as usize, &mut self.buffer) as i64
        })
    }
}

/// The large values of a row, in their order there, among which most of what is asked for is found.
struct LargeValues {
    keys: Vec<i64>,
    columns: Vec<u32>,
}

impl LargeValues {
    /// All values that are at least the one that a few of them say about such a share reaches.
    fn gather(&mut self, row: &[f64], share: f64, buffer: &mut Vec<i64>) {
        let mut border = i64::MIN;
        if share < 1.0 {
            buffer.clear();
            buffer.extend(row.iter().step_by(row.len() / SAMPLE).map(|&value| ordered_bits(value)));
            let at = (buffer.len() as f64 * (1.0 - share)) as usize;
            border = *buffer.select_nth_unstable(at).1;
        }
        self.keys.resize(row.len(), 0);
        self.columns.resize(row.len(), 0);
        let (keys, columns) = (&mut self.keys[..row.len()], &mut self.columns[..row.len()]);
        let mut size = 0;
        for (column, &value) in (0..).zip(row) {
            let key = ordered_bits(value);
            (keys[size], columns[size]) = (key, column);
            size += usize::from(key >= border);
        }
        self.keys.truncate(size);
        self.columns.truncate(size);
    }

    /// The first column of the k-th largest value of a part; there is room in `buffer` for all.
    fn first_column(&self, row: &[f64], part: Range<usize>, kth: usize, buffer: &mut Vec<i64>) -> usize {
        let bound = |column: usize| self.columns.partition_point(|&large| (large as usize) < column);
        let within = bound(part.start)..bound(part.end);
        buffer.clear();
        if within.len() < kth {
            buffer.extend(row[part.clone()].iter().map(|&value| ordered_bits(value)));
        } else {
            buffer.extend_from_slice(&self.keys[within.clone()]);
        }
        let at = buffer.len() - kth;
        let level = *buffer.select_nth_unstable(at).1;
        if within.len() < kth {
            return part.start + row[part].iter().position(|&value| ordered_bits(value) == level).unwrap_or(0);
        }
        let first = self.keys[within.clone()].iter().position(|&key| key == level).unwrap_or(0);
        self.columns[within.start + first] as usize
    }
}

/// A whole number that is larger where a value is; zeros are equal.
#[inline(always)]
fn ordered_bits(value: f64) -> i64 {
    let bits = (value + 0.0).to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;

    #[test]
    fn the_kth_largest_is_that_of_sorting() {
        let mut state = 1_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 - 2f64.powi(30)
        };
        let mixed: Vec<f64> = (0..1000).map(|_| draw()).collect();
        let mut rising = mixed.clone();
        rising.sort_by(f64::total_cmp);
        let few: Vec<f64> = mixed.iter().map(|value| (value % 3.0).trunc()).collect();
        for values in [mixed, rising, few] {
            let kths = [50, 1, 5, 5, 100];
            let (begins, ends) = (&[0, 0, 0, 900, 0], &[1000, 1000, 100, 1000, 1000]);
            let parts = checked(ColumnRanges { width: 1000, begins, ends, kth: &kths });
            let expected = parts.each().map(|(begin, end, kth)| {
                let part = &values[begin as usize..end as usize];
                let mut sorted = part.to_vec();
                sorted.sort_by(|a, b| b.total_cmp(a));
                begin + part.iter().position(|&value| value == sorted[kth as usize - 1]).map_or(-1, |at| at as i64)
            });
            assert!(parts.share() < 1.0);
            let columns = KthLargest::new(parts).map(|mut finder| finder.columns(&values).collect::<Vec<_>>());
            assert_eq!(columns, Ok(expected.collect()));
        }
        assert!([f64::NEG_INFINITY, -1.0, -0.0, 0.0, 1.0, f64::INFINITY, f64::NAN].map(ordered_bits).is_sorted());
    }

    #[test]
    fn the_first_of_equal_values_is_found() {
        let parts = ColumnRanges { width: 4, begins: &[0, 0, 2], ends: &[4, 4, 4], kth: &[2, 3, 2] };
        let columns = KthLargest::new(checked(parts)).map(|mut finder| {
            let first: Vec<_> = finder.columns(&[1.0, 3.0, 2.0, 3.0]).collect();
            (first, finder.columns(&[0.0, -0.0, 5.0, 5.0]).collect())
        });
        assert_eq!(columns, Ok((vec![1, 2, 2], vec![2, 0, 2])));
        assert!(!ColumnRanges { width: 3, ..parts }.fits());
        assert!(!ColumnRanges { kth: &[2, 3, 3], ..parts }.fits());
    }
}
