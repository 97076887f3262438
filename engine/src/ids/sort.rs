//! Rows in the order of the text of their ids.

use std::cmp::Ordering;

use crate::ids::column::IdType;
use crate::memory::{AllocError, TryVec};

/// Sorts rows by their ids; what it takes is kept from one list to the next.
pub(crate) struct IdSorter<R> {
    keyed: Vec<(u64, R)>,
}

impl<R: Copy> IdSorter<R> {
    pub(crate) fn new() -> Self {
        IdSorter { keyed: Vec::new() }
    }

    /// Sort rows by their ids, and those of one id by `then`. Ids of a topic tend to begin alike, so most comparisons are of
    /// the eight bytes behind what all of them share.
    pub(crate) fn sort<'a, D: IdType>(
        &mut self,
        rows: &mut [R],
        id: impl Fn(&R) -> D::Id<'a>,
        then: impl Fn(&R, &R) -> Ordering,
    ) -> Result<(), AllocError> {
        let Some(first) = rows.first().map(&id) else { return Ok(()) };
        let shared = rows.iter().fold(usize::MAX, |shared, row| D::shared_prefix(first, id(row), shared));
        self.keyed.clear();
        self.keyed.try_reserve_more(rows.len())?;
        self.keyed.extend(rows.iter().map(|row| (D::sort_key(id(row), shared), *row)));
        self.keyed.sort_unstable_by(|(key, row), (other_key, other)| {
            let by_text = || D::cmp_as_text(id(row), id(other)).then_with(|| then(row, other));
            key.cmp(other_key).then_with(by_text)
        });
        rows.iter_mut().zip(&self.keyed).for_each(|(row, (_, sorted))| *row = *sorted);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::column::{IntIds, TextIds};

    #[test]
    fn rows_are_ordered_by_all_the_bytes_of_their_ids() -> Result<(), AllocError> {
        let mut sorter = IdSorter::new();
        for ids in [
            &["doc10", "doc1", "doc", "doc2", "doc1 ", "dob", "é", "e", "doc1"][..],
            &["a-long-prefix-00000000002", "a-long-prefix-0000000000", "a-long-prefix-00000000001", "a-long-prefix-1"],
            &["only"],
            &["12345678", "123456789", "1234567", "12345678a", "12345678", "12345678\0"],
            &["same", "same"],
            &[],
        ] {
            let mut rows: Vec<usize> = (0..ids.len()).collect();
            let mut expected = rows.clone();
            expected.sort_by_key(|&row| (ids[row], row));
            sorter.sort::<TextIds>(&mut rows, |&row| ids[row].as_bytes(), usize::cmp)?;
            assert_eq!(rows, expected, "{ids:?}");
        }
        let mut numbers = [10, -1, 9, 100, 1, -10, 2];
        IdSorter::new().sort::<IntIds>(&mut numbers, |&number| number, |_, _| Ordering::Equal)?;
        assert_eq!(numbers, [-1, -10, 1, 10, 100, 2, 9]);
        Ok(())
    }
}
