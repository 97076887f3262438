//! A run in memory, as its columns lie in the arrays of Python.

use crate::checked::Check;
use crate::ids::column::TextIdSlice;
use crate::text::fields::MAX_ID_BYTES;

/// Rows of topic t are `starts[t]..starts[t + 1]`, and the documents of all are `ids`.
#[derive(Clone, Copy)]
pub(crate) struct RunView<'a> {
    pub topics: &'a [String],
    pub starts: &'a [i64],
    pub ids: TextIdSlice<'a>,
    pub score: &'a [f64],
    pub rank: Option<&'a [i64]>,
}

impl Check for RunView<'_> {
    /// Whether all bounds lie inside the arrays they are bounds of, and every row has an id.
    fn fits(&self) -> bool {
        let (rows, starts) = (self.score.len(), self.starts);
        starts.len() == self.topics.len() + 1
            && starts.first() == Some(&0)
            && starts.is_sorted()
            && starts.last().is_some_and(|&last| usize::try_from(last).is_ok_and(|last| last <= rows))
            && self.ids.len() == rows
            && self.ids.begins_at_0()
            && self.ids.offsets().windows(2).all(|pair| pair[1] - pair[0] <= MAX_ID_BYTES as i64)
            && self.rank.is_none_or(|ranks| ranks.len() == rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_lie_in_the_arrays_they_are_bounds_of() {
        let topics = ["1".to_owned(), "2".to_owned()];
        let fits = |starts, offsets, rank| {
            let ids = TextIdSlice::of_any_bytes(b"ab", offsets);
            ids.is_some_and(|ids| RunView { topics: &topics, starts, ids, score: &[1.0, 2.0], rank }.fits())
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
