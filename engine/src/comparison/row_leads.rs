//! How often one row of numbers is below another.

use crate::memory::{AllocError, TryVec};

/// Columns that are counted in the small numbers before they are added to the large ones.
const AT_ONCE: usize = 1 << 13;

/// In how many columns more the first row has the smaller number than the second.
pub(crate) fn win_margin<R: Copy + Ord>(first: &[R], second: &[R]) -> i64 {
    let parts = first.chunks(AT_ONCE).zip(second.chunks(AT_ONCE));
    let leads = parts.map(|(a, b)| {
        let signs = a.iter().zip(b).map(|(a, b)| i16::from(a < b) - i16::from(a > b));
        i64::from(signs.sum::<i16>())
    });
    leads.sum()
}

/// The lead of the left row of every pair, of a table with this number of columns. `None` where a row is none of the table.
pub(crate) fn win_margins<R: Copy + Ord>(
    table: &[R],
    shape: [usize; 2],
    left: &[i64],
    right: &[i64],
) -> Result<Option<Vec<i64>>, AllocError> {
    let [rows, columns] = shape;
    let known = |&row: &i64| usize::try_from(row).is_ok_and(|row| row < rows);
    if left.len() != right.len() || !left.iter().chain(right).all(known) {
        return Ok(None);
    }
    let row = |number: i64| &table[number as usize * columns..(number as usize + 1) * columns];
    let mut margins = Vec::new();
    margins.try_reserve_more(left.len())?;
    margins.extend(left.iter().zip(right).map(|(&left, &right)| win_margin(row(left), row(right))));
    Ok(Some(margins))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_for_both_rows() {
        let table = [1_i16, 5, 9, 2, 5, 3, 2, 6, 4];
        assert_eq!(win_margins(&table, [3, 3], &[0, 1, 2], &[1, 0, 1]), Ok(Some(vec![0, 0, -2])));
        assert_eq!(win_margins(&table, [3, 3], &[3], &[0]), Ok(None));
        assert_eq!(win_margins(&table, [3, 3], &[0], &[-1]), Ok(None));
        assert_eq!(win_margins::<i16>(&[], [2, 0], &[0], &[1]), Ok(Some(vec![0])));
        let columns = if cfg!(miri) { 700 } else { 70_000 };
        assert_eq!(win_margin(&vec![1_i16; columns], &vec![2; columns]), columns as i64);
    }
}
