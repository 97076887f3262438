//! How many samples reach what was observed of each of many pairs, alone and beside the pairs before it.

use crate::memory::{AllocError, try_filled};

/// Samples that are gone through at a time: the sums of some hundred columns stay in the cache.
const AT_ONCE: usize = 512;

/// Pairs of columns, and samples of them.
pub(crate) struct PairSamples<'a> {
    /// Weighted sums of the columns, [columns, samples].
    pub sums: &'a [f64],
    pub left: &'a [i64],
    pub right: &'a [i64],
    /// Whether differences of sums are taken with their sign instead of squared.
    pub signed: bool,
    /// What a difference of sums, or its square, is multiplied by, [pairs].
    pub scale: &'a [f64],
    /// And what it is divided by, [pairs, samples].
    pub squares: Option<&'a [f64]>,
    /// What is to be reached, [pairs].
    pub levels: &'a [f64],
}

/// How many samples reach each level by the pair itself, and by the largest value up to there.
pub(crate) struct Exceedances {
    pub single: Vec<i64>,
    pub step_down: Vec<i64>,
}

impl PairSamples<'_> {
    /// Whether all parts are of so many samples and of equally many pairs, whose columns exist.
    pub(crate) fn fits(&self, samples: usize) -> bool {
        let pairs = self.left.len();
        let exists = |&column: &i64| {
            let end = usize::try_from(column).ok().and_then(|column| column.checked_add(1)?.checked_mul(samples));
            end.is_some_and(|end| end <= self.sums.len())
        };
        [self.right.len(), self.scale.len(), self.levels.len()] == [pairs; 3]
            && self.squares.is_none_or(|squares| Some(squares.len()) == pairs.checked_mul(samples))
            && self.left.iter().chain(self.right).all(exists)
    }

    /// Go through the pairs, with the largest value of each sample so far in ``largest``.
    pub(crate) fn count(&self, largest: &mut [f64]) -> Result<Exceedances, AllocError> {
        let (samples, pairs) = (largest.len(), self.left.len());
        let (mut single, mut step_down) = (try_filled(0_i64, pairs)?, try_filled(0_i64, pairs)?);
        for (number, largest) in largest.chunks_mut(AT_ONCE).enumerate() {
            let width = largest.len();
            let part = |row: usize| row * samples + number * AT_ONCE..row * samples + number * AT_ONCE + width;
            for pair in 0..pairs {
                let left = &self.sums[part(self.left[pair] as usize)];
                let right = &self.sums[part(self.right[pair] as usize)];
                let (scale, level) = (self.scale[pair], self.levels[pair]);
                let by = self.squares.map(|squares| &squares[part(pair)]);
                let apart = left.iter().zip(right).map(|(left, right)| left - right);
                let (single_count, step_down_count) = if self.signed {
                    divided(apart.map(|apart| apart * scale), by, level, largest)
                } else {
                    divided(apart.map(|apart| apart * apart * scale), by, level, largest)
                };
                single[pair] += single_count;
                step_down[pair] += step_down_count;
            }
        }
        Ok(Exceedances { single, step_down })
    }
}

#[inline(always)]
fn divided(values: impl Iterator<Item = f64>, by: Option<&[f64]>, level: f64, largest: &mut [f64]) -> (i64, i64) {
    match by {
        Some(by) => count_at_least(values.zip(by).map(|(value, by)| value / by), level, largest),
        None => count_at_least(values, level, largest),
    }
}

#[inline(always)]
fn count_at_least(values: impl Iterator<Item = f64>, level: f64, largest: &mut [f64]) -> (i64, i64) {
    let (mut single, mut step_down) = (0, 0);
    for (value, largest) in values.zip(largest) {
        *largest = if value > *largest { value } else { *largest };
        single += i64::from(value >= level);
        step_down += i64::from(*largest >= level);
    }
    (single, step_down)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_reach_a_level_alone_or_by_an_earlier_pair() {
        let (sums, squares) = ([0.0, 0.0, 1.0, 3.0, 2.0, 2.0], [1.0, 1.0, 1.0, 0.5]);
        let mut pairs = PairSamples {
            sums: &sums,
            left: &[1, 2],
            right: &[0, 1],
            signed: false,
            scale: &[1.0, 2.0],
            squares: None,
            levels: &[9.0, 2.5],
        };
        let mut largest = [0.0; 2];
        assert!(pairs.fits(2));
        let counts = pairs.count(&mut largest);
        assert!(counts.is_ok_and(|counts| counts.single == [1, 0] && counts.step_down == [1, 1]));
        assert_eq!(largest, [2.0, 9.0]);
        pairs.squares = Some(&squares);
        let counts = pairs.count(&mut [0.0; 2]);
        assert!(counts.is_ok_and(|counts| counts.single == [1, 1] && counts.step_down == [1, 1]));
        (pairs.signed, pairs.squares, pairs.levels) = (true, None, &[1.0, -1.0]);
        let mut largest = [f64::NEG_INFINITY; 2];
        let counts = pairs.count(&mut largest);
        assert!(counts.is_ok_and(|counts| counts.single == [2, 1] && counts.step_down == [2, 2]));
        assert_eq!(largest, [2.0, 3.0]);
        pairs.right = &[0, 3];
        assert!(!pairs.fits(2));
    }
}
