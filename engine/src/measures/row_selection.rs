//! Some rows of lists that stand one after the other in flat arrays: those that are marked, and how many are down to a
//! rank.

use crate::checked::{Check, Checked};
use crate::measures::segments;
use crate::memory::{AllocError, TryVec, try_filled};

/// Judged documents of lists.
#[derive(Clone, Copy)]
pub(crate) struct SelectableRows<'a> {
    /// Which rows are selected.
    pub mask: &'a [bool],
    /// Where each list begins, and where the last one ends.
    pub starts: &'a [i64],
    pub rank: &'a [i64],
    pub document: &'a [i64],
    pub grade: &'a [f64],
}

/// Those of them that are kept.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct SelectedRows {
    pub starts: Vec<i64>,
    pub rank: Vec<i64>,
    pub document: Vec<i64>,
    pub grade: Vec<f64>,
    /// The place of each among all rows of its list, from 1.
    pub position: Vec<i64>,
}

impl Check for SelectableRows<'_> {
    fn fits(&self) -> bool {
        let rows = self.mask.len();
        let each = [self.rank.len(), self.document.len(), self.grade.len()];
        segments::valid_starts(self.starts, rows) && each.iter().all(|&count| count == rows)
    }
}

impl Checked<SelectableRows<'_>> {
    /// The rows that are marked, in their order.
    pub(crate) fn select_rows(&self) -> Result<SelectedRows, AllocError> {
        let count = self.mask.iter().filter(|&&marked| marked).count();
        let mut out = SelectedRows { starts: try_filled(0, self.starts.len())?, ..SelectedRows::default() };
        [&mut out.rank, &mut out.document, &mut out.position]
            .into_iter()
            .try_for_each(|column| column.try_reserve_more(count))?;
        out.grade.try_reserve_more(count)?;
        let longest = segments::ranges(self.starts).map(|(begin, end)| end - begin).max().unwrap_or(0);
        let mut chosen = try_filled(0, longest + 1)?;
        for (list, (begin, end)) in segments::ranges(self.starts).enumerate() {
            let mut count = 0;
            for (row, &marked) in self.mask[begin..end].iter().enumerate() {
                // Written whether it is kept or not, and the next one over it: to ask first would take longer.
                chosen[count] = row;
                count += usize::from(marked);
            }
            let (rank, document, grade) = (&self.rank[begin..end], &self.document[begin..end], &self.grade[begin..end]);
            let chosen = &chosen[..count];
            out.rank.extend(chosen.iter().map(|&row| rank[row]));
            out.document.extend(chosen.iter().map(|&row| document[row]));
            out.grade.extend(chosen.iter().map(|&row| grade[row]));
            out.position.extend(chosen.iter().map(|&row| row as i64 + 1));
            out.starts[list + 1] = out.rank.len() as i64;
        }
        Ok(out)
    }
}

/// Lists, and a rank of each down to which it is kept.
#[derive(Clone, Copy)]
pub(crate) struct CutLists<'a> {
    /// Where each list begins, and where the last one ends.
    pub starts: &'a [i64],
    /// Ranks of the rows, which ascend from 1 in each list.
    pub rank: &'a [i64],
    /// A rank of each list.
    pub depth: &'a [i64],
}

impl Check for CutLists<'_> {
    fn fits(&self) -> bool {
        segments::valid_starts(self.starts, self.rank.len()) && self.starts.len() == self.depth.len() + 1
    }
}

impl Checked<CutLists<'_>> {
    /// One past the last row of each list down to its rank; no more rows than ranks are looked at.
    pub(crate) fn rows_down_to(&self) -> Result<Vec<i64>, AllocError> {
        let mut out = try_filled(0, self.depth.len())?;
        for ((end_here, (begin, end)), &depth) in out.iter_mut().zip(segments::ranges(self.starts)).zip(self.depth) {
            let most = usize::try_from(depth).map_or(begin, |depth| end.min(begin.saturating_add(depth)));
            *end_here = (begin + self.rank[begin..most].partition_point(|&rank| rank <= depth)) as i64;
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;

    #[test]
    fn marked_rows_are_kept_list_by_list() {
        let rows = SelectableRows {
            mask: &[false, true, true, false],
            starts: &[0, 2, 2, 4],
            rank: &[1, 3, 2, 5],
            document: &[7, 6, 5, 4],
            grade: &[0.0, 1.0, 2.0, 0.0],
        };
        let (starts, rank, document) = (vec![0, 1, 1, 2], vec![3, 2], vec![6, 5]);
        let selected = SelectedRows { starts, rank, document, grade: vec![1.0, 2.0], position: vec![2, 1] };
        assert!(!SelectableRows { mask: &[true], ..rows }.fits());
        assert_eq!(checked(rows).select_rows(), Ok(selected));
        let none = SelectableRows { mask: &[false; 4], ..rows };
        assert_eq!(checked(none).select_rows().map(|selected| selected.rank), Ok(vec![]));
    }

    #[test]
    fn lists_are_cut_at_ranks_of_their_own() {
        let lists = CutLists { starts: &[0, 2, 2, 4], rank: &[1, 3, 2, 5], depth: &[2, 9, 5] };
        assert_eq!(checked(lists).rows_down_to(), Ok(vec![1, 2, 4]));
        assert_eq!(checked(CutLists { depth: &[0, 0, 4], ..lists }).rows_down_to(), Ok(vec![0, 2, 3]));
        assert!(!CutLists { depth: &[1, 1], ..lists }.fits() && !CutLists { rank: &[1], ..lists }.fits());
    }
}
