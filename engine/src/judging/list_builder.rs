//! Lists: what is gathered of a topic while its rows are read, and what is left of it when it is finished.

use memchr::arch::all::is_equal;

use crate::error::{DuplicateDocument, keep_earliest};
use crate::ids::duplicates::DuplicateFinder;
use crate::ids::hash::{IdHasher, fold_to_u32};
use crate::judging::finished_list::{FinishedList, FinishedLists};
use crate::judging::list_order::{Entry, ListState, SortOutcome, push_counted, sort_list};
use crate::judging::long_list::ListSegment;
use crate::judging::topic_index::{JudgedScan, TopicIndex, TopicTable};
use crate::memory::{AllocError, TryVec};
use crate::ranking::UNJUDGED;
use crate::ranking::tie_order::TieBreak;
use crate::text::fields::Field;
use crate::trec::run_lines::RunRow;

/// A list while its rows are read.
pub(crate) struct OpenList<'a> {
    topic: u32,
    pub name: Field,
    table: Option<TopicTable<'a>>,
    /// It began above, or goes on below, what is read here.
    is_segment: bool,
    state: ListState,
}

impl<'a> OpenList<'a> {
    pub(crate) fn new(index: &'a TopicIndex, topic: Option<u32>, name: Field, stretch: bool) -> Self {
        let table = topic.map(|number| index.table(number));
        OpenList { topic: topic.unwrap_or(UNJUDGED), name, table, is_segment: stretch, state: ListState::default() }
    }
}

/// Gathers rows list by list; one list is open at a time.
pub(crate) struct ListBuilder<'a> {
    data: &'a [u8],
    ties: TieBreak,
    keep_first: bool,
    groups: bool,
    entries: Vec<Entry>,
    /// Of the ids of the entries, which are looked up when the list is closed.
    hashes: Vec<u32>,
    /// The same of a stretch.
    hashes64: Vec<u64>,
    judged: JudgedScan,
    duplicates: DuplicateFinder,
    hasher: IdHasher,
    pub done: FinishedLists,
    pub segment: Option<ListSegment>,
    /// A list that is read in stretches has to be read as a whole.
    pub needs_whole_list: bool,
}

impl<'a> ListBuilder<'a> {
    pub(crate) fn new(data: &'a [u8], ties: TieBreak, keep_first: bool, groups: bool) -> Self {
        let (judged, repeats, hasher) = (JudgedScan::default(), DuplicateFinder::new(), IdHasher::new());
        let (entries, hashes, hashes64, done) = (Vec::new(), Vec::new(), Vec::new(), FinishedLists::default());
        let (stretch, unfit) = (None, false);
        ListBuilder {
            data,
            ties,
            keep_first,
            groups,
            entries,
            hashes,
            hashes64,
            judged,
            duplicates: repeats,
            hasher,
            done,
            segment: stretch,
            needs_whole_list: unfit,
        }
    }

    /// Add a row to the open list.
    #[inline(always)]
    pub(crate) fn push_row(&mut self, list: &mut OpenList, row: &RunRow, line: usize) -> Result<(), AllocError> {
        let (data, entries) = (self.data, &mut self.entries);
        let id = row.document.slice(data);
        let hash64 = self.hasher.hash64(id);
        self.hashes.try_push(fold_to_u32(hash64))?;
        if list.is_segment {
            self.hashes64.try_push(hash64)?;
        }
        let entry = Entry::new(self.ties, row.document.start, id.len(), row.score, row.rank, line);
        if let Some(&before) = entries.last() {
            list.state.observe(self.ties, data, before, entry);
        }
        entries.try_push(entry)
    }

    /// Order the open list and keep its judged documents.
    pub(crate) fn close(&mut self, list: &mut OpenList) -> Result<(), AllocError> {
        self.find_judged_and_duplicates(list)?;
        if list.is_segment { self.close_segment(list) } else { self.finish_list(list) }
    }

    /// Look up the documents of the open list, and whether one of them occurs twice.
    pub(crate) fn find_judged_and_duplicates(&mut self, list: &mut OpenList) -> Result<(), AllocError> {
        self.find_judged(list)?;
        if !list.is_segment {
            list.state.has_duplicate = self.find_duplicate(list)?;
        }
        Ok(())
    }

    /// Take the open list of another gatherer, whose documents are looked up: the same list in the order of this one.
    pub(crate) fn copy_from(&mut self, source: &ListBuilder, list: &OpenList<'a>) -> Result<OpenList<'a>, AllocError> {
        self.entries.try_reserve_more(source.entries.len())?;
        let mut state = ListState { has_duplicate: list.state.has_duplicate, ..ListState::default() };
        for &entry in &source.entries {
            let entry = entry.with_tie_break(self.ties);
            if let Some(&before) = self.entries.last() {
                state.observe(self.ties, self.data, before, entry);
            }
            self.entries.push(entry);
        }
        self.judged.rows.clear();
        self.judged.rows.try_reserve_more(source.judged.rows.len())?;
        self.judged.rows.extend_from_slice(&source.judged.rows);
        self.done.first_duplicate.clone_from(&source.done.first_duplicate);
        Ok(OpenList { state, ..*list })
    }

    /// Order the open list, whose documents are looked up, and keep its judged ones.
    pub(crate) fn finish_list(&mut self, list: &OpenList) -> Result<(), AllocError> {
        let (mut state, done) = (list.state, &mut self.done);
        let before = done.judged.len();
        let countable = state.unsorted && !state.has_duplicate && !self.groups;
        let counted =
            countable && push_counted(&mut done.judged, &self.entries, &self.judged.rows, self.ties, self.data)?;
        state.unsorted &= !counted;
        let mut finished = SortOutcome::default();
        if !state.has_duplicate || self.keep_first {
            finished = sort_list(&mut self.entries, self.ties, self.data, state)?;
        }
        if let Some(problem) = finished.equal_ranks {
            keep_earliest(&mut done.equal_ranks, problem);
        }
        done.dropped += finished.dropped;
        if state.unsorted || state.has_duplicate || self.groups {
            done.judged.push_sorted(&self.entries, self.groups)?;
        } else if !counted {
            done.judged.push_in_order(&self.judged.rows)?;
        }
        done.lists.try_push(FinishedList {
            topic: list.topic,
            name: list.name,
            length: self.entries.len(),
            rows: done.judged.len() - before,
            contradicts: finished.contradicts,
        })?;
        self.entries.clear();
        self.hashes.clear();
        Ok(())
    }

    /// Find the judged ones of the entries.
    fn find_judged(&mut self, list: &OpenList) -> Result<(), AllocError> {
        let Some(table) = list.table else {
            self.judged.rows.clear();
            return Ok(());
        };
        let (entries, data) = (&mut self.entries, self.data);
        self.judged.scan(table, &self.hashes, |at| entries[at].id(data))?;
        for &(row, pool) in &self.judged.rows {
            entries[row as usize].judged_row = pool;
        }
        Ok(())
    }

    /// Whether a document of the open list occurs twice, which is noted.
    fn find_duplicate(&mut self, list: &OpenList) -> Result<bool, AllocError> {
        let (entries, data) = (&self.entries, self.data);
        let equal = |a: usize, b: usize| is_equal(entries[a].id(data), entries[b].id(data));
        let Some(row) = self.duplicates.first_duplicate(&self.hashes, equal)? else { return Ok(false) };
        let later = entries[row];
        keep_earliest(
            &mut self.done.first_duplicate,
            DuplicateDocument::new(later.line as usize, list.name.slice(data), later.id(data)),
        );
        Ok(true)
    }

    /// Keep what is left of an open list that is a stretch of a longer one.
    fn close_segment(&mut self, list: &OpenList) -> Result<(), AllocError> {
        let name = list.name.slice(self.data);
        self.segment = ListSegment::new(list.topic, name, &mut self.entries, &self.hashes64, self.ties, self.data)?;
        self.needs_whole_list = self.segment.is_none();
        self.entries.clear();
        self.hashes.clear();
        self.hashes64.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::topic_index::sample_index;
    use crate::ranking::NO_RANK;

    /// The list of topic 1 of documents of one letter, by their scores.
    fn build(data: &[u8], score: &[f64], keep_first: bool, groups: bool) -> Result<FinishedLists, AllocError> {
        let index = sample_index();
        let topic = Field { start: 0, end: 0 };
        let mut builder = ListBuilder::new(data, TieBreak::Trec, keep_first, groups);
        let mut list = OpenList::new(&index, Some(0), topic, false);
        for (at, &score) in score.iter().enumerate() {
            let row = RunRow { topic, document: Field { start: at, end: at + 1 }, score, rank: NO_RANK };
            builder.push_row(&mut list, &row, at + 1)?;
        }
        builder.close(&mut list)?;
        Ok(builder.done)
    }

    #[test]
    fn judged_documents_have_their_ranks_in_the_order_of_scores() -> Result<(), AllocError> {
        let done = build(b"xbyac", &[1.0, 2.0, 3.0, 2.0, 0.5], false, true)?;
        assert_eq!((done.judged.rank, done.judged.document), (vec![2, 3, 5], vec![1, 0, 2]));
        assert_eq!((done.judged.first, done.judged.last), (vec![2, 2, 5], vec![3, 3, 5]));
        assert_eq!(done.lists.iter().map(|list| (list.topic, list.length, list.rows)).collect::<Vec<_>>(), [(0, 5, 3)]);
        Ok(())
    }

    #[test]
    fn a_document_that_occurs_twice_is_noted_and_dropped() -> Result<(), AllocError> {
        let done = build(b"abxb", &[1.0, 2.0, 3.0, 4.0], true, false)?;
        assert_eq!((done.judged.rank, done.judged.document, done.dropped), (vec![1, 3], vec![1, 0], 1));
        assert_eq!(done.first_duplicate.map(|twice| (twice.line, twice.document)), Some((4, "b".to_owned())));
        Ok(())
    }
}
