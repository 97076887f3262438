//! Sums and the like over lists that stand one after the other in flat arrays, number by number inside each, so that a
//! list gives the same bits alone and among others.

use crate::room::{Refused, filled};

/// What two numbers are combined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    Add,
    Multiply,
    Maximum,
}

impl Combine {
    pub fn parse(word: &str) -> Option<Combine> {
        match word {
            "add" => Some(Combine::Add),
            "multiply" => Some(Combine::Multiply),
            "maximum" => Some(Combine::Maximum),
            _ => None,
        }
    }
}

/// Whether lists that begin at `starts`, and end where the next begins, are those of so many rows.
pub fn fits(starts: &[i64], rows: usize) -> bool {
    starts.first() == Some(&0)
        && starts.last().is_some_and(|&end| usize::try_from(end) == Ok(rows))
        && starts.is_sorted()
}

/// Where each list begins and ends.
pub fn lists(starts: &[i64]) -> impl Iterator<Item = (usize, usize)> {
    starts.iter().zip(starts.iter().skip(1)).map(|(&begin, &end)| (begin as usize, end as usize))
}

/// The sum of each list, from its first row on.
pub fn sums(values: &[f64], starts: &[i64]) -> Result<Vec<f64>, Refused> {
    let mut out = filled(0.0, starts.len().saturating_sub(1))?;
    for (sum, (begin, end)) in out.iter_mut().zip(lists(starts)) {
        *sum = values[begin..end].iter().fold(0.0, |sum, value| sum + value);
    }
    Ok(out)
}

/// What the rows of each list down to each row come to, or from each row on where it goes `upward`. `None` where that
/// is not finite somewhere: NumPy says what becomes of such numbers.
pub fn running(values: &[f64], starts: &[i64], combine: Combine, upward: bool) -> Result<Option<Vec<f64>>, Refused> {
    let mut out = filled(0.0, values.len())?;
    let finite = match combine {
        Combine::Add => run(values, starts, upward, &mut out, |total, value| total + value),
        Combine::Multiply => run(values, starts, upward, &mut out, |total, value| total * value),
        Combine::Maximum => {
            run(values, starts, upward, &mut out, |largest, value| if largest >= value { largest } else { value })
        }
    };
    Ok(finite.then_some(out))
}

fn run(values: &[f64], starts: &[i64], upward: bool, out: &mut [f64], combine: impl Fn(f64, f64) -> f64) -> bool {
    // What is not finite is not finite times 0 either, and a sum of zeros is 0.
    let mut odd = 0.0;
    for (begin, end) in lists(starts) {
        let (own, done) = (&values[begin..end], &mut out[begin..end]);
        odd += if upward {
            down(own.iter().rev(), done.iter_mut().rev(), &combine)
        } else {
            down(own.iter(), done.iter_mut(), &combine)
        };
    }
    odd == 0.0
}

fn down<'a>(
    mut values: impl Iterator<Item = &'a f64>,
    mut out: impl Iterator<Item = &'a mut f64>,
    combine: impl Fn(f64, f64) -> f64,
) -> f64 {
    let (Some(&first), Some(place)) = (values.next(), out.next()) else { return 0.0 };
    *place = first;
    let (mut total, mut odd) = (first, first * 0.0);
    for (&value, place) in values.zip(out) {
        // A number that is not finite can come and go in a maximum.
        odd += value * 0.0;
        total = combine(total, value);
        odd += total * 0.0;
        *place = total;
    }
    odd
}

/// How many rows of each list are marked down to each row.
pub fn running_count(marked: &[bool], starts: &[i64]) -> Result<Vec<i64>, Refused> {
    let mut out = filled(0, marked.len())?;
    for (begin, end) in lists(starts) {
        let mut count = 0;
        for (&marked, place) in marked[begin..end].iter().zip(&mut out[begin..end]) {
            count += i64::from(marked);
            *place = count;
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STARTS: [i64; 5] = [0, 2, 2, 5, 6];
    const VALUES: [f64; 6] = [1.0, 2.0, 3.0, 1.0, 4.0, 5.0];

    #[test]
    fn lists_are_added_up_one_by_one() {
        assert_eq!(sums(&VALUES, &STARTS), Ok(vec![3.0, 0.0, 8.0, 5.0]));
        assert_eq!(sums(&[], &[0]), Ok(vec![]));
    }

    #[test]
    fn lists_are_run_down_and_up() {
        let found = |combine, upward| running(&VALUES, &STARTS, combine, upward);
        assert_eq!(found(Combine::Add, false), Ok(Some(vec![1.0, 3.0, 3.0, 4.0, 8.0, 5.0])));
        assert_eq!(found(Combine::Multiply, false), Ok(Some(vec![1.0, 2.0, 3.0, 3.0, 12.0, 5.0])));
        assert_eq!(found(Combine::Maximum, false), Ok(Some(vec![1.0, 2.0, 3.0, 3.0, 4.0, 5.0])));
        assert_eq!(found(Combine::Add, true), Ok(Some(vec![3.0, 2.0, 8.0, 5.0, 4.0, 5.0])));
    }

    #[test]
    fn what_is_not_finite_is_left_to_others() {
        for values in [[f64::MAX, f64::MAX], [f64::INFINITY, 0.0], [0.0, f64::NAN]] {
            assert_eq!(running(&values, &[0, 2], Combine::Add, false), Ok(None));
            let maximum = running(&values, &[0, 2], Combine::Maximum, false);
            assert_eq!(maximum.map(|found| found.is_none()), Ok(values != [f64::MAX, f64::MAX]));
        }
    }

    #[test]
    fn marks_are_counted_list_by_list() {
        let marked = [true, true, false, true, true, false];
        assert_eq!(running_count(&marked, &STARTS), Ok(vec![1, 2, 0, 1, 2, 0]));
    }

    #[test]
    fn starts_that_do_not_fit_are_noticed() {
        assert!(fits(&STARTS, 6) && fits(&[0], 0));
        for (starts, rows) in [(&[0, 2][..], 3), (&[1, 2], 2), (&[0, 2, 1, 2], 2), (&[], 0), (&[0, -1], 0)] {
            assert!(!fits(starts, rows));
        }
    }
}
