//! A run in memory, as its columns lie in the arrays of Python.

use crate::checked::Check;
use crate::ids::flat::slice_at;
use crate::text::fields::MAX_ID_BYTES;

/// Rows of topic t are `starts[t]..starts[t + 1]`, and the id of row r is `data[offsets[r]..offsets[r + 1]]`.
#[derive(Clone, Copy)]
pub(crate) struct RunView<'a> {
    pub topics: &'a [String],
    pub starts: &'a [i64],
    pub data: &'a [u8],
    pub offsets: &'a [i64],
    pub score: &'a [f64],
    pub rank: Option<&'a [i64]>,
}

impl Check for RunView<'_> {
    /// Whether all bounds lie inside the arrays they are bounds of.
    fn fits(&self) -> bool {
        let rows = self.score.len();
        let rising = |bounds: &[i64], items: usize, end: usize| {
            bounds.len() == items + 1
                && bounds.first() == Some(&0)
                && bounds.is_sorted()
                && bounds.last().is_some_and(|&last| usize::try_from(last).is_ok_and(|last| last <= end))
        };
        rising(self.starts, self.topics.len(), rows)
            && rising(self.offsets, rows, self.data.len())
            && self.offsets.windows(2).all(|pair| pair[1] - pair[0] <= MAX_ID_BYTES as i64)
            && self.rank.is_none_or(|ranks| ranks.len() == rows)
    }
}

impl<'a> RunView<'a> {
    /// The document of a row.
    pub(crate) fn id(&self, row: usize) -> Option<&'a [u8]> {
        slice_at(self.data, self.offsets[row], self.offsets[row + 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_lie_in_the_arrays_they_are_bounds_of() {
        let topics = ["1".to_owned(), "2".to_owned()];
        let fits = |starts, offsets, rank| {
            RunView { topics: &topics, starts, data: b"ab", offsets, score: &[1.0, 2.0], rank }.fits()
        };
        assert!(fits(&[0, 1, 2], &[0, 1, 2], Some(&[1, 2])));
        for (starts, offsets, rank) in [
            (&[0, 2][..], &[0, 1, 2][..], None),
            (&[0, 3, 2], &[0, 1, 2], None),
            (&[0, 1, 3], &[0, 1, 2], None),
            (&[0, 1, 2], &[0, 1, 3], None),
            (&[0, 1, 2], &[1, 1, 2], None),
            (&[0, 1, 2], &[0, 1, 2], Some(&[1][..])),
        ] {
            assert!(!fits(starts, offsets, rank), "{starts:?} {offsets:?} {rank:?}");
        }
    }
}
