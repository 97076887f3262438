//! Lists in flat columns to the ranks of their judged documents: what `lists` does with lines, on ids as they are.

use std::cmp::Ordering;
use std::ops::Range;

use crate::columns::judged_lists::JudgedLists;
use crate::columns::judged_lookup::{CandidateFilter, JudgedLookup};
use crate::columns::pools::{Pools, RowBatch, run_end};
use crate::error::{DuplicateDocument, InputError, NumberField, keep_earliest};
use crate::ids::column::IdType;
use crate::ids::duplicates::drop_duplicates;
use crate::memory::{AllocError, TryVec};
use crate::ranking::NO_RANK;
use crate::ranking::UNJUDGED;
use crate::ranking::judged_ranks::{ListRow, sort_rows};
use crate::ranking::rank_slots::FEW;
use crate::ranking::tie_order::{TieBreak, sort_key};

#[derive(Clone, Copy)]
pub(crate) struct ListOptions {
    pub ties: TieBreak,
    pub groups: bool,
    pub keep_first: bool,
}

/// An entry of a list that is to be sorted.
#[derive(Clone, Copy)]
struct RowEntry {
    key: u64,
    row: u32,
    pool: u32,
}

impl ListRow for RowEntry {
    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline(always)]
    fn position(&self) -> u32 {
        self.row
    }

    #[inline(always)]
    fn document(&self) -> u32 {
        self.pool
    }
}

/// What is known of a list once its documents are looked up: whether it is in order, and whether a document occurs twice.
struct ListLookup {
    ordered: bool,
    repeated: bool,
}

/// Judges list by list.
pub(crate) struct ListJudge<'a, T: IdType, D: IdType> {
    pools: &'a Pools<T, D>,
    options: ListOptions,
    finder: JudgedLookup,
    sieve: CandidateFilter,
    /// Judged documents of the list, in its order: place in the list, and pool row.
    hits: Vec<(u32, u32)>,
    /// Whether each document of the pool was met.
    met: Vec<bool>,
    entries: Vec<RowEntry>,
    pub done: JudgedLists,
}

impl<'a, T: IdType, D: IdType> ListJudge<'a, T, D> {
    pub(crate) fn new(pools: &'a Pools<T, D>, options: ListOptions) -> Self {
        let done = JudgedLists { starts: vec![0], ..JudgedLists::default() };
        let (finder, sieve) = (JudgedLookup::new(), CandidateFilter::new());
        ListJudge { pools, options, finder, sieve, hits: Vec::new(), met: Vec::new(), entries: Vec::new(), done }
    }

    /// Lists whose rows are together.
    pub(crate) fn judge_grouped(
        &mut self,
        RowBatch { topics, documents, number: score }: RowBatch<T, D>,
    ) -> Result<(), InputError> {
        let (mut from, mut last) = (0, 0);
        while from < score.len() {
            let to = run_end::<T>(topics, from, score.len());
            let id = T::id(topics, from);
            if let Some(topic) = self.pools.topics.find_after(id, last) {
                self.judge_list(topic, documents, score, from..to, |row| row as u64)?;
                last = topic;
            } else {
                self.done.unjudged_topics += 1;
                if self.done.unjudged_names.len() < 5 {
                    self.done.unjudged_names.push(T::to_text(id));
                }
            }
            from = to;
        }
        Ok(())
    }

    /// The list of a topic.
    pub(crate) fn judge_list(
        &mut self,
        topic: usize,
        documents: D::Slice<'_>,
        score: &[f64],
        rows: Range<usize>,
        origin: impl Fn(usize) -> u64,
    ) -> Result<(), InputError> {
        let (from, before) = (rows.start, self.done.judged.len());
        let ListLookup { ordered, repeated } = self.look_up(topic, documents, score, rows.clone(), &origin)?;
        let length = if ordered && !repeated && !self.options.groups {
            self.done.judged.push_in_order(&self.hits)?;
            rows.len()
        } else if !ordered && !repeated && !self.options.groups && self.push_by_counting(documents, score, &rows)? {
            rows.len()
        } else {
            self.push_sorted(documents, score, &rows, ordered, repeated)?
        };
        let done = &mut self.done;
        done.topic.try_push(topic as i64)?;
        done.row.try_push(origin(from) as i64)?;
        done.length.try_push(length as i64)?;
        done.starts.try_push(done.judged.len() as i64)?;
        debug_assert!(done.judged.len() - before <= rows.len());
        Ok(())
    }

    /// Find the judged documents of a list.
    #[inline(always)]
    fn look_up(
        &mut self,
        topic: usize,
        documents: D::Slice<'_>,
        score: &[f64],
        rows: Range<usize>,
        origin: &impl Fn(usize) -> u64,
    ) -> Result<ListLookup, InputError> {
        let (pools, options, start) = (self.pools, self.options, rows.start);
        let (ordered, wrong) = is_in_order::<D>(options.ties, documents, score, rows.clone());
        let judged = pools.rows_of(topic);
        self.met.clear();
        self.met.try_reserve_more(judged.len())?;
        self.met.resize(judged.len(), false);
        self.hits.clear();
        self.sieve.open(rows.len())?;
        self.finder.open(pools, topic, rows.len(), |hash| self.sieve.mark_judged(hash))?;
        let id = |row: usize| D::id(documents, start + row);
        let candidates = self.sieve.filter(rows.len(), |row| D::hash(pools.hasher, id(row)))?;
        let mut repeated = false;
        for at in 0..candidates {
            let row = self.sieve.candidate(at);
            if wrong.is_some_and(|wrong| wrong < row) {
                break;
            }
            let judged_row = self.finder.find(pools, topic, id(row));
            let repeats = if judged_row == UNJUDGED {
                self.sieve.is_duplicate(row, |a, b| D::eq(id(a), id(b)))?
            } else {
                self.hits.try_push((row as u32, judged_row))?;
                std::mem::replace(&mut self.met[judged_row as usize - judged.start], true)
            };
            if repeats {
                repeated = true;
                let (line, document) = (origin(start + row) as usize + 1, D::to_text(id(row)));
                note_duplicate(
                    &mut self.done,
                    options,
                    DuplicateDocument { line, topic: pools.topics.text(topic), document },
                )?;
            }
        }
        if let Some(row) = wrong {
            let value = score[start + row].to_string();
            return Err(NumberField::Score.not_a_number(origin(start + row) as usize + 1, value.as_bytes()));
        }
        Ok(ListLookup { ordered, repeated })
    }

    /// Count what is above each judged document, where they are few; whether they are.
    fn push_by_counting(
        &mut self,
        documents: D::Slice<'_>,
        score: &[f64],
        rows: &Range<usize>,
    ) -> Result<bool, AllocError> {
        let ties = self.options.ties;
        let few = self.hits.len();
        if few > FEW || few > rows.len() / 4 {
            return Ok(false);
        }
        let id = |row: u32| D::id(documents, rows.start + row as usize);
        self.entries.clear();
        self.entries.try_reserve_more(few)?;
        for &(row, pool) in &self.hits {
            self.entries.push(RowEntry { key: sort_key(ties, score[rows.start + row as usize], NO_RANK), row, pool });
        }
        let rows = (0..).zip(&score[rows.clone()]).map(|(row, &value)| (row, sort_key(ties, value, NO_RANK)));
        let cmp = |a, b| cmp_tied::<D>(ties, id(a), id(b));
        let is_past = |row, judged: &RowEntry| cmp(row, judged.row).is_ge();
        self.done.judged.push_counted(&mut self.entries, rows, |a, b| cmp(a.row, b.row), is_past)?;
        Ok(true)
    }

    /// Sort the list and keep its judged documents; how long it is.
    fn push_sorted(
        &mut self,
        documents: D::Slice<'_>,
        score: &[f64],
        rows: &Range<usize>,
        ordered: bool,
        repeated: bool,
    ) -> Result<usize, AllocError> {
        let ties = self.options.ties;
        let id = |row: u32| D::id(documents, rows.start + row as usize);
        self.entries.clear();
        self.entries.try_reserve_more(rows.len())?;
        for (row, &score) in (0..).zip(&score[rows.clone()]) {
            self.entries.push(RowEntry { key: sort_key(ties, score, NO_RANK), row, pool: UNJUDGED });
        }
        self.hits.iter().for_each(|&(row, pool)| self.entries[row as usize].pool = pool);
        if !ordered {
            sort_rows(&mut self.entries, |a, b| cmp_tied::<D>(ties, id(a.row), id(b.row)));
        }
        if repeated {
            self.drop_duplicates(documents, rows)?;
        }
        self.done.judged.push_sorted(&self.entries, self.options.groups)?;
        Ok(self.entries.len())
    }

    /// Of a document that occurs twice, the entry higher up.
    fn drop_duplicates(&mut self, documents: D::Slice<'_>, rows: &Range<usize>) -> Result<(), AllocError> {
        let id = |entry: &RowEntry| D::id(documents, rows.start + entry.row as usize);
        let hash = |entry: &RowEntry| D::hash(self.pools.hasher, id(entry));
        self.done.dropped += drop_duplicates(&mut self.entries, hash, |a, b| D::eq(id(a), id(b)))?;
        Ok(())
    }
}

/// Whether a list is in order, and the place of the first score that is not a finite number.
#[inline(always)]
fn is_in_order<D: IdType>(
    ties: TieBreak,
    documents: D::Slice<'_>,
    score: &[f64],
    rows: Range<usize>,
) -> (bool, Option<usize>) {
    let own = &score[rows.clone()];
    // Where each is below the one before it, all are numbers, and none but the first and the last can be infinite.
    let falling = own.windows(2).fold(true, |falling, pair| falling & (pair[0] > pair[1]));
    if falling
        && matches!(ties, TieBreak::Trec | TieBreak::Docid)
        && own[0].is_finite()
        && own[own.len() - 1].is_finite()
    {
        return (true, None);
    }
    // Where one is above the one before it, the list is not in order.
    let finite = own.iter().fold(true, |finite, value| finite & value.is_finite());
    let rising = own.windows(2).fold(false, |rising, pair| rising | (pair[0] < pair[1]));
    if finite && rising && matches!(ties, TieBreak::Trec | TieBreak::Docid) {
        return (false, None);
    }
    let (mut above, mut ordered) = (0u64, true);
    for (index, &value) in own.iter().enumerate() {
        if !value.is_finite() {
            return (ordered, Some(index));
        }
        let next = sort_key(ties, value, NO_RANK);
        if next <= above && index > 0 {
            let row = rows.start + index;
            ordered &= next == above && cmp_tied::<D>(ties, D::id(documents, row - 1), D::id(documents, row)).is_le();
        }
        above = next;
    }
    (ordered, None)
}

/// The order of two documents of one score.
#[inline(always)]
pub(crate) fn cmp_tied<D: IdType>(ties: TieBreak, a: D::Id<'_>, b: D::Id<'_>) -> Ordering {
    ties.cmp_tied(|| D::cmp_as_text(a, b))
}

/// Refuse a document that occurs twice, or note the first one.
#[cold]
fn note_duplicate(done: &mut JudgedLists, options: ListOptions, twice: DuplicateDocument) -> Result<(), InputError> {
    if !options.keep_first {
        return Err(twice.into());
    }
    keep_earliest(&mut done.first_duplicate, twice);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::pools::PoolBuilder;
    use crate::ids::column::IntIds;

    /// Ranks and pool rows of the judged of 40 documents with scores in groups of three, whose rows come in steps.
    fn judge(step: i64, judged: &[i64], groups: bool) -> Result<(Vec<i64>, Vec<i64>), InputError> {
        let mut builder = PoolBuilder::<IntIds, IntIds>::new(0)?;
        builder.add(&vec![1; judged.len()], judged, &vec![1.0; judged.len()])?;
        let (pools, _) = builder.finish()?;
        let documents: Vec<i64> = (0..40).map(|row| 10 + row * step % 40).collect();
        let score: Vec<f64> = documents.iter().map(|document| -(document / 3) as f64).collect();
        let options = ListOptions { ties: TieBreak::Trec, groups, keep_first: false };
        let mut judge = ListJudge::new(&pools, options);
        judge.judge_grouped(RowBatch { topics: &[1; 40], documents: &documents, number: &score })?;
        let mut found: Vec<_> = judge.done.judged.rank.into_iter().zip(judge.done.judged.document).collect();
        found.sort_unstable();
        Ok(found.into_iter().unzip())
    }

    #[test]
    fn lists_in_any_order_have_the_ranks_of_a_sorted_list() -> Result<(), InputError> {
        let (few, many) = ([12, 30, 31], (10..40).collect::<Vec<_>>());
        for judged in [&few[..], &many] {
            let expected = judge(1, judged, true)?;
            for step in [1, 3, 7, 39] {
                assert_eq!(judge(step, judged, false)?, expected, "{step}");
                assert_eq!(judge(step, judged, true)?, expected, "{step}");
            }
        }
        // Larger ids come first among equal scores: 12 stands below 11, 10, 14 and 13.
        assert_eq!(judge(1, &few, false)?, (vec![5, 22, 23], vec![0, 2, 1]));
        Ok(())
    }

    #[test]
    fn a_document_that_occurs_twice_is_refused_or_dropped() -> Result<(), InputError> {
        let mut builder = PoolBuilder::<IntIds, IntIds>::new(0)?;
        builder.add(&[1], &[5], &[1.0])?;
        let (pools, _) = builder.finish()?;
        for keep_first in [false, true] {
            let mut judge = ListJudge::new(&pools, ListOptions { ties: TieBreak::Trec, groups: false, keep_first });
            let judged =
                judge.judge_grouped(RowBatch { topics: &[1; 3], documents: &[5, 6, 5], number: &[1.0, 2.0, 3.0] });
            let refused = (!keep_first).then(|| DuplicateDocument::new(3, b"1", b"5").into());
            assert_eq!(judged.err(), refused);
            assert_eq!(
                (judge.done.judged.rank, judge.done.dropped),
                if keep_first { (vec![1], 1) } else { (vec![], 0) }
            );
        }
        Ok(())
    }
}
