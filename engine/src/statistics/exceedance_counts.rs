//! How many samples reach what was observed of each of many pairs, alone and beside the pairs before it.

use crate::checked::{Check, Checked};
use crate::memory::{AllocError, try_filled};

/// Samples that are gone through at a time: the sums of some hundred columns stay in the cache.
const AT_ONCE: usize = 512;

/// Pairs of columns, and samples of them.
#[derive(Clone, Copy)]
pub(crate) struct PairSamples<'a> {
    pub samples: usize,
    /// Weighted sums of the columns, [columns, samples].
    pub sums: &'a [f64],
    pub left: &'a [i64],
    pub right: &'a [i64],
    /// Whether a squared difference of sums has the sign of the difference.
    pub signed: bool,
    /// What a squared difference of sums is multiplied by, [pairs].
    pub scale: &'a [f64],
    pub divisor: Divisor<'a>,
    /// What is to be reached, [pairs].
    pub levels: &'a [f64],
}

/// What a squared difference of sums is divided by, once it is scaled.
#[derive(Clone, Copy)]
pub(crate) enum Divisor<'a> {
    One,
    /// Numbers, [pairs, samples].
    Squares(&'a [f64]),
    /// Itself and what it leaves of 1: less the scaled product of the difference and that of these sums,
    /// [columns, samples].
    WithRest(&'a [f64]),
}

/// What is left of 1 up to this is rounding.
const ROUNDING: f64 = 1e-14;

/// How many samples reach each level by the pair itself, and by the largest value up to there.
pub(crate) struct Exceedances {
    pub single: Vec<i64>,
    pub step_down: Vec<i64>,
}

impl Check for PairSamples<'_> {
    /// Whether all parts are of the samples and of equally many pairs, whose columns exist.
    fn fits(&self) -> bool {
        let samples = self.samples;
        let pairs = self.left.len();
        let exists = |&column: &i64| {
            let end = usize::try_from(column).ok().and_then(|column| column.checked_add(1)?.checked_mul(samples));
            end.is_some_and(|end| end <= self.sums.len())
        };
        let divides = match self.divisor {
            Divisor::One => true,
            Divisor::Squares(squares) => Some(squares.len()) == pairs.checked_mul(samples),
            Divisor::WithRest(across) => across.len() == self.sums.len(),
        };
        divides
            && [self.right.len(), self.scale.len(), self.levels.len()] == [pairs; 3]
            && self.left.iter().chain(self.right).all(exists)
    }
}

impl Checked<PairSamples<'_>> {
    /// Go through the pairs, with the largest value of each sample so far in ``largest``.
    pub(crate) fn count(&self, largest: &mut [f64]) -> Result<Exceedances, AllocError> {
        let (samples, pairs) = (largest.len(), self.left.len());
        let (mut single, mut step_down) = (try_filled(0_i64, pairs)?, try_filled(0_i64, pairs)?);
        for (number, largest) in largest.chunks_mut(AT_ONCE).enumerate() {
            let width = largest.len();
            let part = |row: usize| row * samples + number * AT_ONCE..row * samples + number * AT_ONCE + width;
            for pair in 0..pairs {
                let (left, right) = (part(self.left[pair] as usize), part(self.right[pair] as usize));
                let (scale, level) = (self.scale[pair], self.levels[pair]);
                let apart = subtract(&self.sums[left.clone()], &self.sums[right.clone()]);
                let signed = |value: f64, apart: f64| if self.signed { value.copysign(apart) } else { value };
                let (single_count, step_down_count) = match self.divisor {
                    Divisor::One => {
                        let values = apart.map(|apart| signed(apart * apart * scale, apart));
                        count_at_least(values, level, largest)
                    }
                    Divisor::Squares(squares) => {
                        let values = apart.zip(&squares[part(pair)]);
                        let values = values.map(|(apart, square)| signed(apart * apart * scale / square, apart));
                        count_at_least(values, level, largest)
                    }
                    Divisor::WithRest(across) => {
                        let values = apart.zip(subtract(&across[left], &across[right]));
                        let values = values.map(|(apart, across)| {
                            let (square, rest) = (apart * apart * scale, 1.0 - apart * across * scale);
                            signed(square / (square + if rest > ROUNDING { rest } else { 0.0 }), apart)
                        });
                        count_at_least(values, level, largest)
                    }
                };
                single[pair] += single_count;
                step_down[pair] += step_down_count;
            }
        }
        Ok(Exceedances { single, step_down })
    }
}

#[inline(always)]
fn subtract<'a>(left: &'a [f64], right: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    left.iter().zip(right).map(|(left, right)| left - right)
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
    use crate::checked::checked;

    #[test]
    fn samples_reach_a_level_alone_or_by_an_earlier_pair() {
        let (sums, squares) = ([0.0, 0.0, 1.0, 3.0, 2.0, 2.0], [1.0, 1.0, 1.0, 0.5]);
        let mut pairs = PairSamples {
            samples: 2,
            sums: &sums,
            left: &[1, 2],
            right: &[0, 1],
            signed: false,
            scale: &[1.0, 2.0],
            divisor: Divisor::One,
            levels: &[9.0, 2.5],
        };
        let mut largest = [0.0; 2];
        let counts = checked(pairs).count(&mut largest);
        assert!(counts.is_ok_and(|counts| counts.single == [1, 0] && counts.step_down == [1, 1]));
        assert_eq!(largest, [2.0, 9.0]);
        pairs.divisor = Divisor::Squares(&squares);
        let counts = checked(pairs).count(&mut [0.0; 2]);
        assert!(counts.is_ok_and(|counts| counts.single == [1, 1] && counts.step_down == [1, 1]));
        (pairs.signed, pairs.divisor, pairs.levels) = (true, Divisor::One, &[1.0, -2.0]);
        let mut largest = [f64::NEG_INFINITY; 2];
        let counts = checked(pairs).count(&mut largest);
        assert!(counts.is_ok_and(|counts| counts.single == [2, 2] && counts.step_down == [2, 2]));
        assert_eq!(largest, [2.0, 9.0]);
        pairs.right = &[0, 3];
        assert!(!pairs.fits());
    }

    #[test]
    fn a_square_is_divided_by_itself_and_the_rest() {
        let mut pairs = PairSamples {
            samples: 2,
            sums: &[0.0, 0.0, 2.0, -3.0],
            left: &[1],
            right: &[0],
            signed: true,
            scale: &[0.25],
            divisor: Divisor::WithRest(&[0.0, 0.0, -4.0, -4.0 / 3.0]),
            levels: &[0.25],
        };
        // Of the first sample the square is 1 and the rest 3; of the second one the square is 9/4 and the rest 0.
        let mut largest = [f64::NEG_INFINITY; 2];
        assert!(checked(pairs).count(&mut largest).is_ok_and(|counts| counts.single == [1]));
        assert_eq!(largest, [0.25, -1.0]);
        pairs.divisor = Divisor::WithRest(&[0.0; 2]);
        assert!(!pairs.fits());
    }
}
