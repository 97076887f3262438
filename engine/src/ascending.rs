//! Sums that do not depend on the order of what is added: of each row, its values from the smallest on.

use crate::room::{Refused, filled};

/// Of each of so many rows, the sum of the values that are of it. `None` where a number is none of a row.
pub fn sums(row: &[i64], values: &[f64], rows: usize) -> Result<Option<Vec<f64>>, Refused> {
    let known = |&row: &i64| usize::try_from(row).is_ok_and(|row| row < rows);
    if row.len() != values.len() || !row.iter().all(known) {
        return Ok(None);
    }
    // Where the values of each row begin, and, once they are all there, end.
    let mut ends = filled(0_usize, rows + 1)?;
    for &row in row {
        ends[row as usize + 1] += 1;
    }
    let mut begin = 0;
    for end in &mut ends {
        begin += *end;
        *end = begin;
    }
    let mut grouped = filled(0.0, values.len())?;
    for (&row, &value) in row.iter().zip(values) {
        let at = &mut ends[row as usize];
        grouped[*at] = value;
        *at += 1;
    }
    let (mut out, mut begin) = (filled(0.0, rows)?, 0);
    for (sum, &end) in out.iter_mut().zip(&ends) {
        let own = &mut grouped[begin..end];
        own.sort_unstable_by(f64::total_cmp);
        *sum = own.iter().fold(0.0, |sum, value| sum + value);
        begin = end;
    }
    Ok(Some(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_are_added_first() {
        let tiny = f64::EPSILON / 2.0;
        let found = sums(&[2, 0, 2, 2], &[1.0, 3.0, tiny, tiny], 3);
        assert_eq!(found, Ok(Some(vec![3.0, 0.0, 1.0 + f64::EPSILON])));
        assert_eq!(sums(&[], &[], 0), Ok(Some(vec![])));
    }

    #[test]
    fn rows_that_there_are_not_are_noticed() {
        assert_eq!(sums(&[1], &[1.0], 1), Ok(None));
        assert_eq!(sums(&[-1], &[1.0], 1), Ok(None));
        assert_eq!(sums(&[0], &[], 1), Ok(None));
    }
}
