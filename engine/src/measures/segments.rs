//! Sums and the like over lists that stand one after the other in flat arrays, number by number inside each, so that a
//! list gives the same bits alone and among others.

use crate::checked::{Check, Checked};
use crate::memory::{AllocError, try_collect_exact, try_filled, try_with_capacity};

/// What two numbers are combined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScanOp {
    Add,
    Multiply,
    Maximum,
}

impl ScanOp {
    pub(crate) fn parse(word: &str) -> Option<ScanOp> {
        match word {
            "add" => Some(ScanOp::Add),
            "multiply" => Some(ScanOp::Multiply),
            "maximum" => Some(ScanOp::Maximum),
            _ => None,
        }
    }
}

/// Whether lists that begin at `starts`, and end where the next begins, are those of this number of rows.
pub(crate) fn valid_starts(starts: &[i64], rows: usize) -> bool {
    starts.first() == Some(&0)
        && starts.last().is_some_and(|&end| usize::try_from(end) == Ok(rows))
        && starts.is_sorted()
}

/// A value of each row of lists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListValues<'a, T> {
    pub values: &'a [T],
    /// Where each list begins, and where the last one ends.
    pub starts: &'a [i64],
}

impl<T> Check for ListValues<'_, T> {
    fn fits(&self) -> bool {
        valid_starts(self.starts, self.values.len())
    }
}

/// Lists of which nothing is known but how long they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListLengths<'a> {
    /// Where each list begins, and where the last one ends.
    pub starts: &'a [i64],
}

impl ListLengths<'_> {
    /// The rows of all lists.
    pub(crate) fn rows(&self) -> usize {
        self.starts.last().and_then(|&rows| usize::try_from(rows).ok()).unwrap_or(0)
    }
}

impl Check for ListLengths<'_> {
    fn fits(&self) -> bool {
        valid_starts(self.starts, self.rows())
    }
}

/// Where each list begins and ends.
pub(crate) fn ranges(starts: &[i64]) -> impl ExactSizeIterator<Item = (usize, usize)> {
    starts.iter().zip(starts.iter().skip(1)).map(|(&begin, &end)| (begin as usize, end as usize))
}

/// Rows a list, on average, from which on some lists are added up at once.
const LANES_MIN_ROWS: usize = 16;

/// Lists that are added up at once: what is added in one of them does not wait for the others.
const LANES: usize = 4;

/// A list that is being added up.
#[derive(Clone, Copy, Default)]
struct Lane {
    list: usize,
    row: usize,
    end: usize,
}

fn sum_lanes(values: &[f64], starts: &[i64], out: &mut [f64]) {
    let mut waiting = ranges(starts).enumerate().filter(|(_, (begin, end))| begin < end);
    let mut next = || waiting.next().map(|(list, (row, end))| Lane { list, row, end });
    let mut lanes = [Lane::default(); LANES];
    let mut open = 0;
    while open < LANES {
        let Some(lane) = next() else { break };
        lanes[open] = lane;
        open += 1;
    }
    while open == LANES {
        let rows = lanes.iter().map(|lane| lane.end - lane.row).min().unwrap_or(0);
        let [a, b, c, d] = lanes.map(|lane| &values[lane.row..lane.row + rows]);
        let mut sum = lanes.map(|lane| out[lane.list]);
        for (((a, b), c), d) in a.iter().zip(b).zip(c).zip(d) {
            sum[0] += a;
            sum[1] += b;
            sum[2] += c;
            sum[3] += d;
        }
        for (lane, sum) in lanes.iter_mut().zip(sum) {
            out[lane.list] = sum;
            lane.row += rows;
        }
        for at in 0..LANES {
            while at < open && lanes[at].row == lanes[at].end {
                if let Some(lane) = next() {
                    lanes[at] = lane;
                } else {
                    open -= 1;
                    lanes.swap(at, open);
                }
            }
        }
    }
    for lane in &lanes[..open] {
        out[lane.list] = values[lane.row..lane.end].iter().fold(out[lane.list], |sum, value| sum + value);
    }
}

/// What `step` makes of each row and of what it left of the rows above it in its list, or of those below it where it goes
/// `upward`; the first row is preceded by `first`. `end` receives what is left of each list.
fn scan_rows<V: Copy, S: Copy, R>(
    values: &[V],
    starts: &[i64],
    upward: bool,
    first: S,
    step: impl Fn(S, V) -> (S, R),
    mut end: impl FnMut(S),
) -> Result<Vec<R>, AllocError> {
    let mut out = try_with_capacity(values.len())?;
    for (from, to) in ranges(starts) {
        let mut left = first;
        let next = |&value: &V| {
            let row;
            (left, row) = step(left, value);
            row
        };
        if upward {
            out.extend(values[from..to].iter().rev().map(next));
            out[from..].reverse();
        } else {
            out.extend(values[from..to].iter().map(next));
        }
        end(left);
    }
    Ok(out)
}

impl Checked<ListValues<'_, f64>> {
    /// The sum of each list, from its first row on.
    pub(crate) fn list_sums(&self) -> Result<Vec<f64>, AllocError> {
        let ListValues { values, starts } = **self;
        let lists = ranges(starts);
        if values.len() < LANES_MIN_ROWS * lists.len() {
            return try_collect_exact(
                lists.map(|(from, to)| values[from..to].iter().fold(0.0, |sum, value| sum + value)),
            );
        }
        let mut out = try_filled(0.0, lists.len())?;
        sum_lanes(values, starts, &mut out);
        Ok(out)
    }

    /// What the rows of each list down to each row come to, or from each row on where it goes `upward`. `None` where that
    /// is not finite somewhere.
    pub(crate) fn running_values(&self, combine: ScanOp, upward: bool) -> Result<Option<Vec<f64>>, AllocError> {
        let both = |value| (value, value);
        // Each begins with what leaves every number as it is, the sign of a zero too.
        match combine {
            // What is not finite stays so to the end of a list.
            ScanOp::Add => self.scan_finite(upward, -0.0, |total, value| both(total + value)),
            ScanOp::Multiply => self.scan_finite(upward, 1.0, |total, value| both(total * value)),
            ScanOp::Maximum if !self.values.iter().all(|value| value.is_finite()) => Ok(None),
            ScanOp::Maximum => {
                let larger = |largest, value| both(if largest >= value { largest } else { value });
                self.scan_finite(upward, f64::MIN, larger)
            }
        }
    }

    /// The product over the rows of each list before each row, 1 on the first. `None` where products, the row included,
    /// are not finite somewhere.
    pub(crate) fn products_before(&self) -> Result<Option<Vec<f64>>, AllocError> {
        self.scan_finite(false, 1.0, |product, value| (product * value, product))
    }

    /// The chance of each row to be the first of its list at which what has these chances happens. `None` where the
    /// chances that it has not happened yet are not finite.
    pub(crate) fn first_chances(&self) -> Result<Option<Vec<f64>>, AllocError> {
        self.scan_finite(false, 1.0, |not_yet, chance| (not_yet * (1.0 - chance), chance * not_yet))
    }

    /// What `scan_rows` makes of numbers; `None` where what is left of a list is not finite: NumPy says what becomes of
    /// such numbers.
    fn scan_finite(
        &self,
        upward: bool,
        first: f64,
        step: impl Fn(f64, f64) -> (f64, f64),
    ) -> Result<Option<Vec<f64>>, AllocError> {
        let mut finite = true;
        let out = scan_rows(self.values, self.starts, upward, first, step, |left| finite &= left.is_finite())?;
        Ok(finite.then_some(out))
    }
}

impl Checked<ListValues<'_, bool>> {
    /// How many rows of each list are marked down to each row.
    pub(crate) fn running_counts(&self) -> Result<Vec<i64>, AllocError> {
        let step = |above: i64, marked| (above + i64::from(marked), above + i64::from(marked));
        scan_rows(self.values, self.starts, false, 0, step, |_| ())
    }

    /// How many rows of each list are marked.
    pub(crate) fn list_counts(&self) -> Result<Vec<f64>, AllocError> {
        let count = |(from, to)| self.values[from..to].iter().filter(|&&marked| marked).count() as f64;
        try_collect_exact(ranges(self.starts).map(count))
    }
}

impl Checked<ListLengths<'_>> {
    /// The position of each row among those of its list, from 1.
    pub(crate) fn list_positions(&self) -> Result<Vec<i64>, AllocError> {
        let mut out = try_with_capacity(self.rows())?;
        for (begin, end) in ranges(self.starts) {
            out.extend(1..=(end - begin) as i64);
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;

    const STARTS: [i64; 5] = [0, 2, 2, 5, 6];
    const VALUES: [f64; 6] = [1.0, 2.0, 3.0, 1.0, 4.0, 5.0];

    fn lists<'a, T>(values: &'a [T], starts: &'a [i64]) -> Checked<ListValues<'a, T>> {
        checked(ListValues { values, starts })
    }

    #[test]
    fn lists_are_added_up_one_by_one() {
        assert_eq!(lists(&VALUES, &STARTS).list_sums(), Ok(vec![3.0, 0.0, 8.0, 5.0]));
        assert_eq!(lists(&[], &[0]).list_sums(), Ok(vec![]));
    }

    #[test]
    fn lists_that_are_added_up_at_once_are_so_one_by_one() {
        let values: Vec<f64> = (0..700).map(|row| 1.0 / f64::from(row + 1)).collect();
        for sizes in [&[90, 0, 300, 10, 100, 200][..], &[100, 600], &[1, 2, 3, 4, 690]] {
            let mut starts = vec![0_i64];
            for size in sizes {
                starts.push(starts[starts.len() - 1] + size);
            }
            let each =
                ranges(&starts).map(|(begin, end)| values[begin..end].iter().fold(0.0, |sum, value| sum + value));
            assert_eq!(lists(&values, &starts).list_sums(), Ok(each.collect()));
        }
    }

    #[test]
    fn lists_are_run_down_and_up() {
        let scanned = |combine, upward| lists(&VALUES, &STARTS).running_values(combine, upward);
        assert_eq!(scanned(ScanOp::Add, false), Ok(Some(vec![1.0, 3.0, 3.0, 4.0, 8.0, 5.0])));
        assert_eq!(scanned(ScanOp::Multiply, false), Ok(Some(vec![1.0, 2.0, 3.0, 3.0, 12.0, 5.0])));
        assert_eq!(scanned(ScanOp::Maximum, false), Ok(Some(vec![1.0, 2.0, 3.0, 3.0, 4.0, 5.0])));
        assert_eq!(scanned(ScanOp::Add, true), Ok(Some(vec![3.0, 2.0, 8.0, 5.0, 4.0, 5.0])));
    }

    #[test]
    fn zeros_keep_their_sign() {
        for (combine, upward) in
            [(ScanOp::Add, false), (ScanOp::Add, true), (ScanOp::Multiply, false), (ScanOp::Maximum, false)]
        {
            let sums = lists(&[-0.0, 0.0, -0.0], &[0, 1, 2, 2, 3])
                .running_values(combine, upward)
                .ok()
                .flatten()
                .unwrap_or_default();
            assert_eq!(sums.iter().map(|sum| sum.to_bits()).collect::<Vec<_>>(), [1 << 63, 0, 1 << 63], "{combine:?}");
        }
    }

    #[test]
    fn what_is_not_finite_is_left_to_others() {
        for values in [[f64::MAX, f64::MAX], [f64::INFINITY, 0.0], [0.0, f64::NAN]] {
            assert_eq!(lists(&values, &[0, 2]).running_values(ScanOp::Add, false), Ok(None));
            let maximum = lists(&values, &[0, 2]).running_values(ScanOp::Maximum, false);
            assert_eq!(maximum.map(|sums| sums.is_none()), Ok(values != [f64::MAX, f64::MAX]));
        }
    }

    #[test]
    fn products_end_above_each_row() {
        assert_eq!(lists(&VALUES, &STARTS).products_before(), Ok(Some(vec![1.0, 1.0, 1.0, 3.0, 3.0, 1.0])));
        assert_eq!(lists(&[1e300, 1e300], &[0, 2]).products_before(), Ok(None));
    }

    #[test]
    fn what_happened_is_not_the_first_again() {
        let chances = [0.5, 0.5, 0.25, 1.0, 0.5, 0.0];
        assert_eq!(lists(&chances, &STARTS).first_chances(), Ok(Some(vec![0.5, 0.25, 0.25, 0.75, 0.0, 0.0])));
        assert_eq!(lists(&[-1e300, -1e300], &[0, 2]).first_chances(), Ok(None));
    }

    #[test]
    fn marks_are_counted_list_by_list() {
        let marked = [true, true, false, true, true, false];
        assert_eq!(lists(&marked, &STARTS).running_counts(), Ok(vec![1, 2, 0, 1, 2, 0]));
        assert_eq!(lists(&marked, &STARTS).list_counts(), Ok(vec![2.0, 0.0, 2.0, 0.0]));
    }

    #[test]
    fn starts_that_do_not_fit_are_noticed() {
        assert!(valid_starts(&STARTS, 6) && valid_starts(&[0], 0));
        for (starts, rows) in [(&[0, 2][..], 3), (&[1, 2], 2), (&[0, 2, 1, 2], 2), (&[], 0), (&[0, -1], 0)] {
            assert!(!valid_starts(starts, rows));
        }
    }
}
