//! The lists of a run in the order of the policy, where its documents are known by their numbers: ids are not looked at.

use std::cmp::Ordering;

use crate::checked::{Check, Checked};
use crate::memory::{AllocError, TryVec, try_filled};
use crate::ranking::contradiction::ranks_contradict_scores;
use crate::ranking::judged_ranks::{ListRow, sort_rows};
use crate::ranking::tie_order::{TieBreak, sort_key};

/// A run in memory: the rows `starts[t]..starts[t + 1]` are of the topic with the number `topics[t]`.
pub(crate) struct NumberedRun<'a> {
    pub starts: &'a [i64],
    pub topics: &'a [i64],
    /// Documents of topic n: `bounds[n]..bounds[n + 1]`, in the order of their ids.
    pub bounds: &'a [i64],
    pub document: &'a [i32],
    pub score: &'a [f64],
    pub rank: Option<&'a [i64]>,
    /// Where the rows go, topic after topic by their numbers.
    pub into_document: &'a mut [i32],
    pub into_score: &'a mut [f64],
}

/// A row of a list.
#[derive(Clone, Copy)]
struct NumberedRow {
    key: u64,
    score: f64,
    rank: i64,
    document: u32,
    row: u32,
}

impl ListRow for NumberedRow {
    fn key(&self) -> u64 {
        self.key
    }

    fn position(&self) -> u32 {
        self.row
    }

    fn document(&self) -> u32 {
        self.document
    }
}

impl Check for NumberedRun<'_> {
    /// Whether the parts are of equally many rows, and every document is one of its topic.
    fn fits(&self) -> bool {
        let (rows, topics) = (self.document.len(), self.bounds.len().saturating_sub(1));
        let rising = |numbers: &[i64]| numbers.first() == Some(&0) && numbers.is_sorted();
        let shaped = [self.score.len(), self.into_document.len(), self.into_score.len()] == [rows; 3]
            && self.rank.is_none_or(|rank| rank.len() == rows)
            && rising(self.starts)
            && rising(self.bounds)
            && self.starts.len() == self.topics.len() + 1
            && self.starts.last() == Some(&(rows as i64));
        let known = |&topic: &i64| usize::try_from(topic).is_ok_and(|topic| topic < topics);
        shaped && self.topics.iter().all(known) && self.lists().all(|(topic, from, to)| self.within(topic, from, to))
    }
}

impl NumberedRun<'_> {
    fn within(&self, topic: usize, from: usize, to: usize) -> bool {
        let own = self.bounds[topic]..self.bounds[topic + 1];
        self.document[from..to].iter().all(|&document| own.contains(&i64::from(document)))
    }

    /// The topic and the rows of each list.
    fn lists(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let rows = self.starts.windows(2).map(|pair| (pair[0] as usize, pair[1] as usize));
        self.topics.iter().zip(rows).map(|(&topic, (from, to))| (topic as usize, from, to))
    }

    fn order(&mut self, ties: TieBreak) -> Result<Option<Vec<i64>>, AllocError> {
        let topics = self.bounds.len() - 1;
        let Some(list_starts) = self.list_starts(topics)? else { return Ok(None) };
        let widest = self.bounds.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        // Which list a document was met in last.
        let mut met = try_filled(0_u32, widest as usize)?;
        let (mut entries, mut contradicting): (Vec<NumberedRow>, Vec<i64>) = (Vec::new(), Vec::new());
        let (into_document, into_score) =
            (std::mem::take(&mut self.into_document), std::mem::take(&mut self.into_score));
        for (number, (topic, from, to)) in (1..).zip(self.lists()) {
            let first = self.bounds[topic];
            let own = &self.document[from..to];
            for &document in own {
                let last_list = &mut met[(i64::from(document) - first) as usize];
                if std::mem::replace(last_list, number) == number {
                    return Ok(None);
                }
            }
            entries.clear();
            entries.try_reserve_more(own.len())?;
            let is_suspect = self.gather(ties, from, to, &mut entries);
            if !entries.is_sorted_by(|above, below| cmp_rows(ties, above, below).is_le()) {
                sort_rows(&mut entries, |a, b| cmp_tied(ties, a, b));
            }
            if is_suspect && ranks_contradict_scores(entries.iter().map(|entry| (entry.score, entry.rank)))? {
                contradicting.try_push(topic as i64)?;
            }
            let to = list_starts[topic]..list_starts[topic] + own.len();
            let places = into_document[to.clone()].iter_mut().zip(&mut into_score[to]);
            for (entry, (document, score)) in entries.iter().zip(places) {
                (*document, *score) = (entry.document as i32, entry.score);
            }
        }
        Ok(Some(contradicting))
    }

    /// Where the list of each topic goes; `None` where a topic occurs twice.
    fn list_starts(&self, topics: usize) -> Result<Option<Vec<usize>>, AllocError> {
        let (mut list_starts, mut met) = (try_filled(0_usize, topics)?, try_filled(false, topics)?);
        for (topic, from, to) in self.lists() {
            list_starts[topic] = to - from;
            if std::mem::replace(&mut met[topic], true) {
                return Ok(None);
            }
        }
        let mut next = 0;
        for start in &mut list_starts {
            next += std::mem::replace(start, next);
        }
        Ok(Some(list_starts))
    }

    /// Gather the rows of a list, for which there is room; whether its ranks may contradict its scores.
    fn gather(&self, ties: TieBreak, from: usize, to: usize, entries: &mut Vec<NumberedRow>) -> bool {
        let row = |at: usize| {
            let (score, rank) = (self.score[at], self.rank.map_or(0, |ranks| ranks[at]));
            let (document, row) = (self.document[at] as u32, (at - from) as u32);
            NumberedRow { key: sort_key(ties, score, rank), score, rank, document, row }
        };
        entries.extend((from..to).map(row));
        let suspect = |pair: &[NumberedRow]| pair[1].rank < pair[0].rank || pair[1].score > pair[0].score;
        self.rank.is_some() && entries.windows(2).any(suspect)
    }
}

impl Checked<NumberedRun<'_>> {
    /// Order all lists; the topics whose ranks contradict their scores, in the order given. `None` where a document or a topic
    /// occurs twice.
    pub(crate) fn order(self, ties: TieBreak) -> Result<Option<Vec<i64>>, AllocError> {
        self.into_inner().order(ties)
    }
}

/// The order of two rows of one key, whose documents are ordered as their ids are.
#[inline(always)]
fn cmp_tied(ties: TieBreak, a: &NumberedRow, b: &NumberedRow) -> Ordering {
    ties.cmp_tied(|| a.document.cmp(&b.document))
}

#[inline(always)]
fn cmp_rows(ties: TieBreak, a: &NumberedRow, b: &NumberedRow) -> Ordering {
    a.key.cmp(&b.key).then_with(|| cmp_tied(ties, a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Ordered = Option<(Vec<i64>, [i32; 5], [f64; 5])>;

    /// What comes of a run with these documents and ranks; None where these do not fit.
    fn order(document: &[i32], rank: Option<&[i64]>, ties: TieBreak) -> Option<Ordered> {
        let (mut into_document, mut into_score) = ([0; 5], [0.0; 5]);
        let run = Checked::new(NumberedRun {
            starts: &[0, 3, 5],
            topics: &[1, 0],
            bounds: &[0, 2, 5],
            document,
            score: &[1.0, 1.0, 2.0, 0.5, 0.5],
            rank,
            into_document: &mut into_document,
            into_score: &mut into_score,
        });
        let Ok(contradicting) = run?.order(ties) else { panic!("memory is there") };
        Some(contradicting.map(|contradicting| (contradicting, into_document, into_score)))
    }

    #[test]
    fn lists_are_ordered_by_score_and_number_topic_by_topic() {
        let (documents, ranks) = ([2, 4, 3, 1, 0], Some(&[1, 2, 3, 1, 2][..]));
        let score = [0.5, 0.5, 2.0, 1.0, 1.0];
        assert_eq!(order(&documents, ranks, TieBreak::Trec), Some(Some((vec![1], [1, 0, 3, 4, 2], score))));
        assert_eq!(order(&documents, ranks, TieBreak::Docid), Some(Some((vec![1], [0, 1, 3, 2, 4], score))));
        let as_given = ([1, 0, 2, 4, 3], [0.5, 0.5, 1.0, 1.0, 2.0]);
        assert_eq!(order(&documents, None, TieBreak::File), Some(Some((vec![], as_given.0, as_given.1))));
        assert_eq!(order(&[2, 4, 2, 1, 0], None, TieBreak::Trec), Some(None));
        assert_eq!(order(&[2, 4, 1, 1, 0], None, TieBreak::Trec), None, "a document of the other topic");
        assert_eq!(order(&[2, 4, 3, 1, 0], Some(&[1]), TieBreak::Trec), None);
    }
}
