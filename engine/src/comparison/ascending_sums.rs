//! Sums that do not depend on the order of what is added: of each row, its values from the smallest on.

use crate::memory::{AllocError, try_filled, try_with_capacity};

/// Of each of so many rows, the sum of the values that its ranks in lists have: list `l` has the rows
/// `starts[l]..starts[l + 1]`. The rank of the smallest value is added first, of all lists. `None` where a number is none of
/// a row, and where lists are longer than there are values.
pub(crate) fn sum_by_rank(
    row: &[i64],
    starts: &[i64],
    weight: &[f64],
    rows: usize,
) -> Result<Option<Vec<f64>>, AllocError> {
    let known = |&row: &i64| usize::try_from(row).is_ok_and(|row| row < rows);
    let rising = starts.first() == Some(&0) && starts.is_sorted() && starts.last() == Some(&(row.len() as i64));
    if !rising || !row.iter().all(known) {
        return Ok(None);
    }
    let longest = starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0) as usize;
    if longest > weight.len() {
        return Ok(None);
    }
    let mut ascending = try_with_capacity(longest)?;
    ascending.extend((0..longest).rev());
    ascending.sort_unstable_by(|&a: &usize, &b| weight[a].total_cmp(&weight[b]));
    let mut out = try_filled(0.0, rows)?;
    for index in ascending {
        for pair in starts.windows(2).filter(|pair| index < (pair[1] - pair[0]) as usize) {
            out[row[pair[0] as usize + index] as usize] += weight[index];
        }
    }
    Ok(Some(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_values_are_added_first() {
        let tiny = f64::EPSILON / 2.0;
        let sums = sum_by_rank(&[0, 1, 1, 1], &[0, 2, 3, 3, 4], &[1.0, tiny], 2);
        assert_eq!(sums, Ok(Some(vec![1.0, 2.0])));
        let sums = sum_by_rank(&[1, 0, 2, 0, 0], &[0, 2, 4, 5], &[1.0, tiny], 3);
        assert_eq!(sums, Ok(Some(vec![1.0 + f64::EPSILON, 1.0, 1.0])));
        let rising = sum_by_rank(&[0, 1, 0, 0], &[0, 2, 3, 4], &[tiny, 1.0], 2);
        assert_eq!(rising, Ok(Some(vec![3.0 * tiny, 1.0])));
        assert_eq!(sum_by_rank(&[0, 0], &[0, 2], &[1.0], 1), Ok(None));
    }

    #[test]
    fn rows_that_there_are_not_are_noticed() {
        assert_eq!(sum_by_rank(&[1], &[0, 1], &[1.0], 1), Ok(None));
        assert_eq!(sum_by_rank(&[-1], &[0, 1], &[1.0], 1), Ok(None));
        for starts in [&[0, i64::MIN, i64::MAX, 1][..], &[0, i64::MAX, i64::MIN, 1], &[i64::MIN, 1], &[0, 2], &[]] {
            assert_eq!(sum_by_rank(&[0], starts, &[1.0], 1), Ok(None), "{starts:?}");
        }
    }
}
