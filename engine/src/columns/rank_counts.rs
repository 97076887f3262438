//! Topics whose rows are in several files: the judged documents of each are found in a first pass, and what is above each
//! of them is counted in a second one. Nothing else of a run is kept.
//!
//! The second pass need not know which document a row is about unless rows have equal scores: each judged document has
//! one row of its very score, its own, and if that is all, no other row does. Otherwise rows are counted again with their
//! documents.

use std::ops::Range;

use crate::columns::judged_lookup::JudgedLookup;
use crate::columns::list_judge::cmp_tied;
use crate::columns::pools::{Pools, RowBatch, run_end};
use crate::error::{InputError, NumberField};
use crate::ids::column::IdType;
use crate::memory::{AllocError, TryVec, try_collect_exact, try_filled};
use crate::ranking::NO_RANK;
use crate::ranking::UNJUDGED;
use crate::ranking::judged_ranks::JudgedRanks;
use crate::ranking::rank_slots::{find_key, pass_tied};
use crate::ranking::tie_order::{TieBreak, key_to_score, sort_key};

/// What the first pass finds in some rows.
#[derive(Default)]
pub(crate) struct JudgedRows {
    /// Topic of each stretch of rows, and how many rows it has.
    pub topic: Vec<i64>,
    pub rows: Vec<i64>,
    /// Pool row of each judged document, its score, and its row.
    pub document: Vec<u32>,
    pub score: Vec<f64>,
    pub row: Vec<u32>,
    /// Whether a row beside a judged document was seen to have its score; only some are looked at.
    pub tied: bool,
}

/// Columns of a batch whose documents are not always read.
pub(crate) struct ScoredBatch<'a, T: IdType, D: IdType> {
    pub topics: T::Slice<'a>,
    pub documents: Option<D::Slice<'a>>,
    pub score: &'a [f64],
}

/// The judged documents among some rows.
pub(crate) fn find_judged_rows<T: IdType, D: IdType>(
    pools: &Pools<T, D>,
    batch: RowBatch<T, D>,
) -> Result<JudgedRows, InputError> {
    let (mut out, mut finder) = (JudgedRows::default(), JudgedLookup::new());
    let rows = batch.number.len();
    let (mut from, mut last) = (0, 0);
    while from < rows {
        let to = run_end::<T>(batch.topics, from, rows);
        if let Some(topic) = pools.topics.find_after(T::id(batch.topics, from), last) {
            last = topic;
            let before = out.score.len();
            finder.open(pools, topic, to - from, |_| ())?;
            out.topic.try_push(topic as i64)?;
            out.rows.try_push((to - from) as i64)?;
            for row in from..to {
                let score = batch.number[row];
                if !score.is_finite() {
                    return Err(NumberField::Score.not_a_number(row + 1, score.to_string().as_bytes()));
                }
                let judged_row = finder.find(pools, topic, D::id(batch.documents, row));
                if judged_row != UNJUDGED {
                    out.document.try_push(judged_row)?;
                    out.score.try_push(score)?;
                    out.row.try_push(row as u32)?;
                }
            }
            if let (Some(&first), false) = (out.score.get(before), out.tied) {
                out.tied = batch.number[from..to].iter().filter(|&&score| score == first).count() > 1;
            }
        }
        from = to;
    }
    Ok(out)
}

/// The judged documents that were retrieved, by topic and in their order.
pub(crate) struct RankCounter {
    ties: TieBreak,
    /// Those of topic t: `starts[t]..starts[t + 1]`.
    starts: Vec<usize>,
    keys: Vec<u64>,
    document: Vec<u32>,
}

impl RankCounter {
    /// Of the score of each pool row, NaN where it was not retrieved.
    pub(crate) fn new<T: IdType, D: IdType>(
        pools: &Pools<T, D>,
        score: &[f64],
        ties: TieBreak,
    ) -> Result<Self, AllocError> {
        let (mut starts, mut keys, mut document) = (Vec::new(), Vec::new(), Vec::new());
        starts.try_reserve_more(pools.starts.len())?;
        starts.push(0);
        let known = pools.documents.as_slice();
        let mut order: Vec<(u64, u32)> = Vec::new();
        for topic in 0..pools.topics.len() {
            order.clear();
            for row in pools.rows_of(topic).filter(|&row| !score[row].is_nan()) {
                order.try_push((sort_key(ties, score[row], NO_RANK), row as u32))?;
            }
            let id = |row: u32| D::id(known, row as usize);
            order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| cmp_tied::<D>(ties, id(a.1), id(b.1))));
            for &(key, row) in &order {
                keys.try_push(key)?;
                document.try_push(row)?;
            }
            starts.push(keys.len());
        }
        Ok(RankCounter { ties, starts, keys, document })
    }

    pub(crate) fn documents(&self) -> &[u32] {
        &self.document
    }

    pub(crate) fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// The score of each of the pool's rows, NaN where it was not retrieved.
    pub(crate) fn scores(&self, rows: usize) -> Result<Vec<f64>, AllocError> {
        let mut score = try_filled(f64::NAN, rows)?;
        self.document.iter().zip(&self.keys).for_each(|(&row, &key)| score[row as usize] = key_to_score(key));
        Ok(score)
    }

    /// Add the rows of a batch to the counts of what is at or above each document; how many rows have the score of one.
    pub(crate) fn count<T: IdType, D: IdType>(
        &self,
        pools: &Pools<T, D>,
        batch: &ScoredBatch<T, D>,
        counts: &mut RankCounts,
    ) -> usize {
        let rows = batch.score.len();
        let (mut from, mut last, mut equal) = (0, 0, 0);
        while from < rows {
            let to = run_end::<T>(batch.topics, from, rows);
            if let Some(topic) = pools.topics.find_after(T::id(batch.topics, from), last) {
                last = topic;
                let standing = self.starts[topic]..self.starts[topic + 1];
                equal += self.count_rows(pools, batch, standing, from..to, counts);
            }
            from = to;
        }
        equal
    }

    /// The same of the rows of one topic, whose documents are `standing`. Where nobody knows which document a row is about,
    /// it passes none of its score.
    #[inline(always)]
    fn count_rows<T: IdType, D: IdType>(
        &self,
        pools: &Pools<T, D>,
        batch: &ScoredBatch<T, D>,
        standing: Range<usize>,
        rows: Range<usize>,
        counts: &mut RankCounts,
    ) -> usize {
        let (keys, mut equal) = (&self.keys[standing.clone()], 0);
        let judged_id = |at: usize| D::id(pools.documents.as_slice(), self.document[standing.start + at] as usize);
        for row in rows {
            let own = sort_key(self.ties, batch.score[row], NO_RANK);
            let first = find_key(keys, own);
            let tied = keys.get(first) == Some(&own);
            equal += usize::from(tied);
            if first < keys.len() {
                counts.add_group(standing.start + first, tied);
            }
            let slot = match batch.documents {
                Some(documents) if tied => pass_tied(keys, own, first, |at| {
                    cmp_tied::<D>(self.ties, D::id(documents, row), judged_id(at)).is_gt()
                }),
                _ => first,
            };
            if slot < keys.len() {
                counts.above[standing.start + slot] += 1;
            }
        }
        equal
    }

    /// Turn counts of all rows, made without documents, into those that documents would have given, where no row has the
    /// score of a document but its own; false, and the counts are of no use, where they are of other rows.
    pub(crate) fn resolve_ties(&self, counts: &mut RankCounts) -> bool {
        for bounds in self.starts.windows(2) {
            let mut at = bounds[0];
            while at < bounds[1] {
                let tied = self.keys[at..bounds[1]].iter().take_while(|&&key| key == self.keys[at]).count();
                counts.above[at + 1..at + tied].fill(1);
                let Some(above @ 1..) = counts.above[at].checked_sub(tied as u32 - 1) else { return false };
                counts.above[at] = above;
                if !counts.tied.is_empty() {
                    counts.tied[at] = tied as u32;
                    counts.strict[at] = above - 1;
                }
                at += tied;
            }
        }
        true
    }

    /// Ranks in some topics, and where groups are wanted the first and the last rank of the documents of equal score.
    pub(crate) fn ranks(&self, counts: &RankCounts, topics: Range<usize>) -> Result<JudgedRanks<i64>, AllocError> {
        let (begin, end) = (self.starts[topics.start], self.starts[topics.end]);
        let groups = if counts.tied.is_empty() { 0 } else { end - begin };
        let (mut rank, mut first, mut last) =
            (try_filled(0i64, end - begin)?, try_filled(0i64, groups)?, try_filled(0i64, groups)?);
        for bounds in self.starts[topics.start..=topics.end].windows(2) {
            let (mut total, mut last_rank) = (0, 0);
            for at in bounds[0]..bounds[1] {
                total += i64::from(counts.above[at]);
                rank[at - begin] = total;
                if groups == 0 {
                    continue;
                }
                let own = at - begin;
                if at == bounds[0] || self.keys[at] != self.keys[at - 1] {
                    first[own] = last_rank + i64::from(counts.strict[at]) + 1;
                    last[own] = first[own] - 1 + i64::from(counts.tied[at]);
                    last_rank = last[own];
                } else {
                    (first[own], last[own]) = (first[own - 1], last[own - 1]);
                }
            }
        }
        let document = try_collect_exact(self.document[begin..end].iter().map(|&row| i64::from(row)))?;
        Ok(JudgedRanks { rank, document, first, last })
    }
}

/// Rows counted at the documents of a `RankCounter`.
pub(crate) struct RankCounts<'a> {
    /// At or above each document, and below the one before it.
    pub above: &'a mut [u32],
    /// With its very score, at the first document that has it; empty where groups are not wanted, as is the next.
    pub tied: &'a mut [u32],
    /// Above its score and below that of the document before it, at the first document that has it.
    pub strict: &'a mut [u32],
}

impl RankCounts<'_> {
    /// A row whose score is that of a document, or above it and below that of the one before it.
    #[inline(always)]
    fn add_group(&mut self, at: usize, tied: bool) {
        let counts = if tied { &mut *self.tied } else { &mut *self.strict };
        if let Some(count) = counts.get_mut(at) {
            *count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::pools::PoolBuilder;
    use crate::ids::column::IntIds;

    #[test]
    fn ranks_are_counted_with_documents_and_without() -> Result<(), InputError> {
        let mut builder = PoolBuilder::<IntIds, IntIds>::new(0)?;
        builder.add(&[1; 3], &[10, 11, 12], &[1.0; 3])?;
        let (pools, _) = builder.finish()?;
        let (topics, documents, score) = ([1; 6], [20, 11, 21, 10, 22, 12], [5.0, 4.0, 4.5, 4.0, 1.0, 3.0]);
        let batch = RowBatch::<IntIds, IntIds> { topics: &topics, documents: &documents, number: &score };
        let found = find_judged_rows(&pools, batch)?;
        assert_eq!((found.document, found.row, found.tied), (vec![1, 0, 2], vec![1, 3, 5], true));
        let counter = RankCounter::new(&pools, &[4.0, 4.0, 3.0], TieBreak::Trec)?;
        assert_eq!(counter.documents(), [1, 0, 2]);
        assert_eq!(counter.scores(3)?, [4.0, 4.0, 3.0]);
        for known in [true, false] {
            let (mut above, mut tied, mut strict) = ([0; 3], [0; 3], [0; 3]);
            let mut counts = RankCounts { above: &mut above, tied: &mut tied, strict: &mut strict };
            let documents = known.then_some(&documents[..]);
            let batch = ScoredBatch::<IntIds, IntIds> { topics: &topics, documents, score: &score };
            assert_eq!(counter.count(&pools, &batch, &mut counts), 3);
            assert!(known || counter.resolve_ties(&mut counts));
            let (rank, document) = (vec![3, 4, 5], vec![1, 0, 2]);
            let expected = JudgedRanks { rank, document, first: vec![3, 3, 5], last: vec![4, 4, 5] };
            assert_eq!(counter.ranks(&counts, 0..1)?, expected);
        }
        Ok(())
    }
}
