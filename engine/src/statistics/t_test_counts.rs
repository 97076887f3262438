//! How many of very many t tests are significant, without a p-value of any: t^2 against critical values.

use crate::checked::{Check, Checked};
use crate::memory::{AllocError, try_filled, try_with_capacity};

/// Pieces of the range of the levels: where a value stands among them is looked up by the piece that it is in.
const PIECES: usize = 1 << 10;

/// Of each row the significant tests at each level, [rows, levels], and all tests.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestCounts {
    pub significant: Vec<i64>,
    pub tested: Vec<i64>,
}

impl TestCounts {
    fn new(rows: usize, levels: usize) -> Result<TestCounts, AllocError> {
        Ok(TestCounts { significant: try_filled(0, rows * levels)?, tested: try_filled(0, rows)? })
    }

    fn row(&mut self, row: usize, levels: usize) -> (&mut [i64], &mut i64) {
        (&mut self.significant[row * levels..][..levels], &mut self.tested[row])
    }
}

/// Ascending levels, and how many of them a value reaches.
struct LevelLookup {
    levels: Vec<f64>,
    scale: f64,
    /// For each piece of the range, the levels of the pieces below it.
    below: [u8; PIECES],
}

impl LevelLookup {
    fn new(levels: Vec<f64>) -> LevelLookup {
        let scale = PIECES as f64 / levels.last().copied().unwrap_or(1.0);
        let mut ladder = LevelLookup { levels, scale, below: [0; PIECES] };
        for &level in &ladder.levels {
            let piece = ladder.piece(level);
            ladder.below[piece + 1..].iter_mut().for_each(|count| *count += 1);
        }
        ladder
    }

    /// It never falls while values grow, so that a level of a piece below is smaller.
    #[inline(always)]
    fn piece(&self, value: f64) -> usize {
        ((value * self.scale) as i32).clamp(0, PIECES as i32 - 1) as usize
    }

    /// The levels that are at most this value; none where it is not a number.
    #[inline(always)]
    fn levels_at_most(&self, value: f64) -> usize {
        let mut count = usize::from(self.below[self.piece(value)]);
        while count < self.levels.len() && self.levels[count] <= value {
            count += 1;
        }
        count
    }
}

/// More levels than these are not counted in a byte.
pub(crate) const MOST_LEVELS: usize = 100;

fn ascend(levels: &[f64]) -> bool {
    levels.len() <= MOST_LEVELS && levels.is_sorted() && levels.iter().all(|&level| level >= 0.0)
}

/// Add, for each level, those that reach it or more: `reaching[k]` reach the first k levels.
fn add_up(reaching: &mut [i64], significant: &mut [i64]) {
    let mut so_far = 0;
    for level in (0..significant.len()).rev() {
        so_far += reaching[level + 1];
        significant[level] += so_far;
    }
    reaching.fill(0);
}

/// Means of each column, and squares of their standard errors, of two samples of the same size, [rows, columns].
#[derive(Clone, Copy)]
pub(crate) struct WelchTests<'a> {
    pub means: [&'a [f64]; 2],
    pub errors: [&'a [f64]; 2],
    pub columns: usize,
    /// Critical squares at the most and the fewest degrees of freedom that there can be.
    pub low: &'a [f64],
    pub high: &'a [f64],
    /// Critical squares between them as Chebyshev series in (n - 1) / df, of the range 1/2 to 1, [levels, terms].
    pub curves: &'a [f64],
}

/// Tests of every column with every other, and with itself.
pub(crate) struct WelchCounts {
    pub others: TestCounts,
    pub same: TestCounts,
}

impl Check for WelchTests<'_> {
    fn fits(&self) -> bool {
        let levels = self.low.len();
        let size = self.means[0].len();
        [self.means[1].len(), self.errors[0].len(), self.errors[1].len()] == [size; 3]
            && self.columns > 0
            && size.is_multiple_of(self.columns)
            && self.high.len() == levels
            && self.curves.len().is_multiple_of(levels.max(1))
            && self.curves.len() >= 2 * levels
            && ascend(self.low)
            && ascend(self.high)
    }
}

impl Checked<WelchTests<'_>> {
    pub(crate) fn count(&self) -> Result<WelchCounts, AllocError> {
        let (rows, levels, columns) = (self.means[0].len() / self.columns, self.low.len(), self.columns);
        let mut counts = WelchCounts { others: TestCounts::new(rows, levels)?, same: TestCounts::new(rows, levels)? };
        let sides = CriticalBounds::new(self)?;
        let (mut reaching, mut of_same) = (try_filled(0_i64, levels + 1)?, try_filled(0_i64, levels + 1)?);
        let (mut squares, mut errors) = (try_filled(0.0_f64, columns)?, try_filled(0.0_f64, columns)?);
        for row in 0..rows {
            let [first, second] = [0, 1].map(|side| &self.means[side][row * columns..][..columns]);
            let [spread, other] = [0, 1].map(|side| &self.errors[side][row * columns..][..columns]);
            for (one, (&mean, &error)) in first.iter().zip(spread).enumerate() {
                for (into, ((&theirs, &with), sum)) in
                    squares.iter_mut().zip(second.iter().zip(other).zip(errors.iter_mut()))
                {
                    *sum = error + with;
                    let difference = mean - theirs;
                    *into = difference * difference / *sum;
                }
                let (significant, tested) = counts.same.row(row, levels);
                sides.decide(one..one + 1, &squares, &errors, error, other, &mut of_same, significant, tested);
                let (significant, tested) = counts.others.row(row, levels);
                for part in [0..one, one + 1..columns] {
                    sides.decide(part, &squares, &errors, error, other, &mut reaching, significant, tested);
                }
            }
            add_up(&mut reaching, counts.others.row(row, levels).0);
            add_up(&mut of_same, counts.same.row(row, levels).0);
        }
        Ok(counts)
    }
}

/// Which levels a square reaches for sure, and which it may reach.
struct CriticalBounds<'a> {
    ladder: LevelLookup,
    /// By the reached levels of both sides together: those reached for sure, and those that may be.
    sure_and_possible: Vec<(usize, usize)>,
    curves: &'a [f64],
    terms: usize,
}

impl CriticalBounds<'_> {
    fn new<'a>(welch: &WelchTests<'a>) -> Result<CriticalBounds<'a>, AllocError> {
        let mut both = try_with_capacity(welch.low.len() + welch.high.len())?;
        both.extend(welch.low.iter().chain(welch.high));
        both.sort_unstable_by(f64::total_cmp);
        let mut sure_and_possible = try_filled((0, 0), both.len() + 1)?;
        for (count, level) in both.iter().enumerate() {
            let most = |side: &[f64]| side.iter().take_while(|&critical| critical <= level).count();
            sure_and_possible[count + 1] = (most(welch.high), most(welch.low));
        }
        let terms = welch.curves.len().checked_div(welch.low.len()).unwrap_or(0);
        Ok(CriticalBounds { ladder: LevelLookup::new(both), sure_and_possible, curves: welch.curves, terms })
    }

    #[allow(clippy::too_many_arguments)] // What a row has in common
    #[inline(always)]
    fn decide(
        &self,
        part: std::ops::Range<usize>,
        squares: &[f64],
        sums: &[f64],
        error: f64,
        errors: &[f64],
        reaching: &mut [i64],
        significant: &mut [i64],
        tested: &mut i64,
    ) {
        for ((&square, &sum), &with) in squares[part.clone()].iter().zip(&sums[part.clone()]).zip(&errors[part]) {
            if sum > 0.0 {
                *tested += 1;
                let (sure, possible) = self.sure_and_possible[self.ladder.levels_at_most(square)];
                reaching[sure] += 1;
                if possible > sure {
                    let share = (error * error + with * with) / (sum * sum);
                    for (count, level) in significant[sure..possible].iter_mut().zip(sure..) {
                        *count += i64::from(square >= self.critical_value(level, share));
                    }
                }
            }
        }
    }

    /// Clenshaw's sum, in the order in which NumPy has it.
    fn critical_value(&self, level: usize, share: f64) -> f64 {
        let terms = &self.curves[level * self.terms..][..self.terms];
        let argument = -3.0 + 4.0 * share;
        let twice = 2.0 * argument;
        let (mut first, mut second) = (terms[self.terms - 2], terms[self.terms - 1]);
        for term in terms[..self.terms - 2].iter().rev() {
            (first, second) = (term - second, first + second * twice);
        }
        first + second * argument
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;

    #[test]
    fn a_value_reaches_the_levels_up_to_it() {
        let levels = [0.0, 0.25, 0.25, 1.5, 4.0];
        let ladder = LevelLookup::new(levels.to_vec());
        for value in [-1.0, 0.0, 0.2499, 0.25, 1.0, 1.5, 3.9999, 4.0, 4.1, f64::INFINITY, f64::NAN] {
            let expected = levels.iter().filter(|&&level| level <= value).count();
            assert_eq!(ladder.levels_at_most(value), expected, "{value}");
        }
    }

    #[test]
    fn squares_between_the_sides_ask_the_curve() {
        let welch = WelchTests {
            means: [&[2.0, 0.0], &[0.0, 0.0]],
            errors: [&[1.0, 0.0], &[0.0, 0.0]],
            columns: 2,
            low: &[3.0, 4.5],
            high: &[5.0, 6.0],
            curves: &[4.0, 0.0, 5.0, 0.0],
        };
        let counts = checked(welch).count();
        let expected = TestCounts { significant: vec![1, 0], tested: vec![1] };
        assert!(counts.as_ref().is_ok_and(|counts| counts.same == expected && counts.others == expected));
        // The first column with itself gives 36, with the other one 9; the other one has a test with the first alone.
        let welch = WelchTests { means: [&[6.0, 0.0], &[0.0, 3.0]], errors: [&[1.0, 0.0], &[0.0, 0.0]], ..welch };
        let counts = checked(welch).count();
        let expected = TestCounts { significant: vec![1, 1], tested: vec![1] };
        assert!(counts.as_ref().is_ok_and(|counts| counts.same == expected && counts.others == expected));
        let welch = WelchTests { errors: [&[1.0, 1.0], &[0.0, 1.0]], ..welch };
        let counts = checked(welch).count();
        // With themselves 36 and 9/2, which lies between; the others 9/2 and 0.
        let same = TestCounts { significant: vec![2, 1], tested: vec![2] };
        let others = TestCounts { significant: vec![1, 0], tested: vec![2] };
        assert!(counts.as_ref().is_ok_and(|counts| counts.same == same && counts.others == others));
    }
}
