//! All documents of several runs: each once, by topic and id, and where every row of every run is among them.

use memchr::arch::all::is_equal;

use crate::ids::column::{IdType, TextIds};
use crate::ids::hash::IdHasher;
use crate::ids::position_table::PositionTable;
use crate::memory::{AllocError, TryVec, try_filled};

/// The ids of a run, and its topics by their numbers among those of all runs: topic `topics[t]` has the rows
/// `starts[t]..starts[t + 1]`.
pub(crate) struct RunIds<'a> {
    pub data: &'a [u8],
    pub offsets: &'a [i64],
    pub starts: &'a [i64],
    pub topics: &'a [i64],
}

/// Ids as one text, the documents of each topic in id byte order.
#[derive(Default, Debug, PartialEq)]
pub(crate) struct DocumentUnion {
    pub data: Vec<u8>,
    pub offsets: Vec<i64>,
    /// Topic t has the documents `starts[t]..starts[t + 1]`.
    pub starts: Vec<i64>,
    /// Of each run, the document of every row.
    pub rows: Vec<Vec<i32>>,
}

impl RunIds<'_> {
    /// Whether these numbers are those of text, rows and topics.
    pub(crate) fn is_consistent(&self, topics: usize) -> bool {
        let ascend = |numbers: &[i64], last: usize| {
            let ends = numbers.last().is_some_and(|&number| usize::try_from(number) == Ok(last));
            ends && numbers[0] == 0 && numbers.is_sorted()
        };
        ascend(self.offsets, self.data.len())
            && ascend(self.starts, self.offsets.len() - 1)
            && self.topics.len() + 1 == self.starts.len()
            && self.topics.iter().all(|&topic| usize::try_from(topic).is_ok_and(|topic| topic < topics))
    }

    fn id(&self, row: usize) -> &[u8] {
        &self.data[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }
}

/// An id of a topic, by the order of appearance.
#[derive(Clone, Copy)]
struct SortableId<'a> {
    /// Its first eight bytes as a number, which decides most comparisons without the bytes.
    begin: u64,
    id: &'a [u8],
    number: i32,
}

impl<'a> SortableId<'a> {
    #[inline(always)]
    fn new(id: &'a [u8], number: usize) -> SortableId<'a> {
        SortableId { begin: TextIds::sort_prefix(id), id, number: number as i32 }
    }

    #[inline(always)]
    fn equals(&self, other: &SortableId) -> bool {
        let begins = self.begin == other.begin && self.id.len() == other.id.len();
        begins && (self.id.len() <= 8 || is_equal(self.id, other.id))
    }
}

/// Unite runs that fit this number of topics. `None` where there are more documents than a row can name.
pub(crate) fn unite_documents(runs: &[RunIds], topics: usize) -> Result<Option<DocumentUnion>, AllocError> {
    let mut union = DocumentUnion { starts: vec![0], offsets: vec![0], ..DocumentUnion::default() };
    for run in runs {
        union.rows.push(try_filled(0_i32, run.offsets.len() - 1)?);
    }
    // Topic by topic, which runs have it, and where.
    let mut lists_by_topic: Vec<Vec<(usize, usize)>> = try_filled(Vec::new(), topics)?;
    for (number, run) in runs.iter().enumerate() {
        for (at, &topic) in run.topics.iter().enumerate() {
            lists_by_topic[topic as usize].try_push((number, at))?;
        }
    }
    let mut seen = PositionTable::new();
    for lists in &lists_by_topic {
        if !union.add(runs, lists, &mut seen)? {
            return Ok(None);
        }
    }
    Ok(Some(union))
}

impl DocumentUnion {
    /// Add a topic; whether there is room for its documents in the numbers of rows.
    fn add(&mut self, runs: &[RunIds], lists: &[(usize, usize)], seen: &mut PositionTable) -> Result<bool, AllocError> {
        let (mut names, hasher): (Vec<SortableId>, _) = (Vec::new(), IdHasher::new());
        let rows_of = |number: usize, at: usize| runs[number].starts[at] as usize..runs[number].starts[at + 1] as usize;
        seen.clear();
        for &(number, at) in lists {
            for row in rows_of(number, at) {
                let name = SortableId::new(runs[number].id(row), names.len());
                let known = seen.insert_or_get(hasher.hash32(name.id), names.len(), |at| name.equals(&names[at]))?;
                if known.is_none() {
                    names.try_push(name)?;
                }
                self.rows[number][row] = known.map_or(name.number, |at| at as i32);
            }
        }
        names.sort_unstable_by(|a, b| (a.begin, a.id).cmp(&(b.begin, b.id)));
        let before = self.offsets.len() - 1;
        if i32::try_from(before + names.len()).is_err() {
            return Ok(false);
        }
        let mut turn = try_filled(0_i32, names.len())?;
        self.data.try_reserve_more(names.iter().map(|name| name.id.len()).sum())?;
        for (to, name) in (before..).zip(&names) {
            turn[name.number as usize] = to as i32;
            self.data.extend_from_slice(name.id);
            self.offsets.try_push(self.data.len() as i64)?;
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

    #[test]
    fn documents_are_united_by_topic_in_the_order_of_their_ids() {
        let left = RunIds { data: b"bab", offsets: &[0, 1, 2, 3], starts: &[0, 2, 3], topics: &[1, 0] };
        let right = RunIds { data: b"cba", offsets: &[0, 2, 3], starts: &[0, 2], topics: &[1] };
        assert!(left.is_consistent(2) && right.is_consistent(2) && !left.is_consistent(1));
        let union = unite_documents(&[left, right], 2).ok().flatten().unwrap_or_default();
        assert_eq!((union.data, union.offsets), (b"babcb".to_vec(), vec![0, 1, 2, 3, 5]));
        assert_eq!((union.starts, union.rows), (vec![0, 1, 4], vec![vec![2, 1, 0], vec![3, 1]]));
    }

    #[test]
    fn numbers_that_fit_nothing_are_noticed() {
        let lists = |offsets, starts, topics| RunIds { data: b"ab", offsets, starts, topics };
        assert!(!lists(&[0, 1], &[0, 1], &[0]).is_consistent(1));
        assert!(!lists(&[0, 2], &[0, 2], &[0]).is_consistent(1));
        assert!(!lists(&[0, 2], &[0, 1], &[0, 0]).is_consistent(1));
        assert!(!lists(&[], &[0], &[]).is_consistent(1));
    }
}
