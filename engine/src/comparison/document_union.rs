//! All documents of several runs: each once, by topic and id, and where every row of every run is among them.

use std::cmp::Ordering;

use memchr::arch::all::is_equal;

use crate::checked::{Check, Checked};
use crate::ids::column::{IdType, TextIdSlice, TextIds};
use crate::ids::hash::IdHasher;
use crate::ids::position_table::PositionTable;
use crate::ids::sort::IdSorter;
use crate::memory::{AllocError, TryVec, try_collect_exact, try_filled};

/// The ids of a run, and its topics by their numbers among those of all runs: topic `topics[t]` has the rows
/// `starts[t]..starts[t + 1]`.
pub(crate) struct RunIds<'a> {
    pub ids: TextIdSlice<'a>,
    pub starts: &'a [i64],
    pub topics: &'a [i64],
}

/// Runs that are united, of this number of topics.
pub(crate) struct RunsOfTopics<'a> {
    pub runs: Vec<RunIds<'a>>,
    pub topics: usize,
}

/// The documents of each topic in id byte order.
#[derive(Default, Debug, PartialEq)]
pub(crate) struct DocumentUnion {
    pub documents: TextIds,
    /// Topic t has the documents `starts[t]..starts[t + 1]`.
    pub starts: Vec<i64>,
    /// Of each run, the document of every row.
    pub rows: Vec<Vec<i32>>,
}

impl Check for RunsOfTopics<'_> {
    /// Whether the rows of every run are those of its lists, and these of topics.
    fn fits(&self) -> bool {
        let known = |&topic: &i64| usize::try_from(topic).is_ok_and(|topic| topic < self.topics);
        self.runs.iter().all(|RunIds { ids, starts, topics }| {
            ids.begins_at_0()
                && ids.uses_all()
                && starts.first() == Some(&0)
                && starts.is_sorted()
                && starts.last().is_some_and(|&end| usize::try_from(end) == Ok(ids.len()))
                && topics.len() + 1 == starts.len()
                && topics.iter().all(known)
        })
    }
}

/// Unite runs. `None` where there are more documents than a row can name.
pub(crate) fn unite_documents(input: &Checked<RunsOfTopics>) -> Result<Option<DocumentUnion>, AllocError> {
    let RunsOfTopics { runs, topics } = &**input;
    let mut union = DocumentUnion { starts: vec![0], ..DocumentUnion::default() };
    for run in runs {
        union.rows.push(try_filled(0_i32, run.ids.len())?);
    }
    // Topic by topic, which runs have it, and where.
    let mut lists_by_topic: Vec<Vec<(usize, usize)>> = try_filled(Vec::new(), *topics)?;
    for (number, run) in runs.iter().enumerate() {
        for (at, &topic) in run.topics.iter().enumerate() {
            lists_by_topic[topic as usize].try_push((number, at))?;
        }
    }
    let (mut seen, mut sorter) = (PositionTable::new(), IdSorter::new());
    for lists in &lists_by_topic {
        if !union.add(runs, lists, &mut seen, &mut sorter)? {
            return Ok(None);
        }
    }
    Ok(Some(union))
}

impl DocumentUnion {
    /// Add a topic; whether there is room for its documents in the numbers of rows.
    fn add(
        &mut self,
        runs: &[RunIds],
        lists: &[(usize, usize)],
        seen: &mut PositionTable,
        sorter: &mut IdSorter<u32>,
    ) -> Result<bool, AllocError> {
        let (mut names, hasher): (Vec<&[u8]>, _) = (Vec::new(), IdHasher::new());
        let rows_of = |number: usize, at: usize| runs[number].starts[at] as usize..runs[number].starts[at + 1] as usize;
        seen.clear();
        for &(number, at) in lists {
            for row in rows_of(number, at) {
                let id = runs[number].ids.get(row);
                let known = seen.insert_or_get(hasher.hash32(id), names.len(), |at| is_equal(names[at], id))?;
                self.rows[number][row] = known.unwrap_or(names.len()) as i32;
                if known.is_none() {
                    names.try_push(id)?;
                }
            }
        }
        let before = self.documents.len();
        if i32::try_from(before + names.len()).is_err() {
            return Ok(false);
        }
        let mut order = try_collect_exact(0..names.len() as u32)?;
        sorter.sort::<TextIds>(&mut order, |&number| names[number as usize], |_, _| Ordering::Equal)?;
        let mut turn = try_filled(0_i32, names.len())?;
        for (to, &number) in (before..).zip(&order) {
            turn[number as usize] = to as i32;
            self.documents.try_push(names[number as usize])?;
        }
        self.starts.try_push((before + names.len()) as i64)?;
        for &(number, at) in lists {
            for row in &mut self.rows[number][rows_of(number, at)] {
                *row = turn[*row as usize];
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(runs: Vec<RunIds>, topics: usize) -> Option<Checked<RunsOfTopics>> {
        Checked::new(RunsOfTopics { runs, topics })
    }

    #[test]
    fn documents_are_united_by_topic_in_the_order_of_their_ids() {
        let united = |topics| {
            let left = TextIdSlice::of_any_bytes(b"bab", &[0, 1, 2, 3])?;
            let right = TextIdSlice::of_any_bytes(b"cba", &[0, 2, 3])?;
            let left = RunIds { ids: left, starts: &[0, 2, 3], topics: &[1, 0] };
            let right = RunIds { ids: right, starts: &[0, 2], topics: &[1] };
            unite_documents(&checked(vec![left, right], topics)?).ok()?
        };
        let documents = TextIds { data: b"babcb".to_vec(), offsets: vec![0, 1, 2, 3, 5] };
        let rows = vec![vec![2, 1, 0], vec![3, 1]];
        assert_eq!(united(2), Some(DocumentUnion { documents, starts: vec![0, 1, 4], rows }));
        assert_eq!(united(1), None);
    }

    #[test]
    fn numbers_that_fit_nothing_are_noticed() {
        let fit = |offsets, starts, topics| {
            let ids = TextIdSlice::of_any_bytes(b"ab", offsets)?;
            checked(vec![RunIds { ids, starts, topics }], 1)
        };
        assert!(fit(&[0, 2], &[0, 1], &[0]).is_some());
        assert!(fit(&[0, 1], &[0, 1], &[0]).is_none());
        assert!(fit(&[0, 2], &[0, 2], &[0]).is_none());
        assert!(fit(&[0, 2], &[0, 1], &[0, 0]).is_none());
        assert!(fit(&[0, 2], &[0, 1], &[1]).is_none());
        assert!(fit(&[], &[0], &[]).is_none());
    }
}
