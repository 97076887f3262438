//! The lists of a run in the order of the policy, where its documents are known by their numbers: ids are not looked at.

use crate::judging::list_order::{Entry, ListState, ranks_contradict_scores};
use crate::memory::{AllocError, TryVec, try_filled};
use crate::ranking::tie_order::TieBreak;

/// A run in memory: the rows `starts[t]..starts[t + 1]` are of the topic with the number `topics[t]`.
pub(crate) struct NumberedRun<'a> {
    pub starts: &'a [i64],
    pub topics: &'a [i64],
    /// Documents of topic n: `bounds[n]..bounds[n + 1]`, in the order of their ids.
    pub bounds: &'a [i64],
    pub document: &'a [i32],
    pub score: &'a [f64],
    pub rank: Option<&'a [i64]>,
}

/// Where the rows go, topic after topic by their numbers.
pub(crate) struct SortedOutput<'a> {
    pub document: &'a mut [i32],
    pub score: &'a mut [f64],
}

impl NumberedRun<'_> {
    /// Whether the parts are of equally many rows, and every document is one of its topic.
    pub(crate) fn is_consistent(&self, into: &SortedOutput) -> bool {
        let (rows, topics) = (self.document.len(), self.bounds.len().saturating_sub(1));
        let rising = |numbers: &[i64]| numbers.first() == Some(&0) && numbers.is_sorted();
        let shaped = [self.score.len(), into.document.len(), into.score.len()] == [rows; 3]
            && self.rank.is_none_or(|rank| rank.len() == rows)
            && rising(self.starts)
            && rising(self.bounds)
            && self.starts.len() == self.topics.len() + 1
            && self.starts.last() == Some(&(rows as i64));
        let known = |&topic: &i64| usize::try_from(topic).is_ok_and(|topic| topic < topics);
        shaped && self.topics.iter().all(known) && self.lists().all(|(topic, from, to)| self.within(topic, from, to))
    }

    fn within(&self, topic: usize, from: usize, to: usize) -> bool {
        let own = self.bounds[topic]..self.bounds[topic + 1];
        self.document[from..to].iter().all(|&document| own.contains(&i64::from(document)))
    }

    /// The topic and the rows of each list.
    fn lists(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let rows = self.starts.windows(2).map(|pair| (pair[0] as usize, pair[1] as usize));
        self.topics.iter().zip(rows).map(|(&topic, (from, to))| (topic as usize, from, to))
    }

    /// Order all lists; the topics whose ranks contradict their scores, in the order given. `None` where a document or a topic
    /// occurs twice.
    pub(crate) fn order(&self, ties: TieBreak, into: &mut SortedOutput) -> Result<Option<Vec<i64>>, AllocError> {
        let topics = self.bounds.len() - 1;
        let Some(list_starts) = self.list_starts(topics)? else { return Ok(None) };
        let widest = self.bounds.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        // Which list a document was met in last.
        let mut met = try_filled(0_u32, widest as usize)?;
        let (mut entries, mut contradicting): (Vec<Entry>, Vec<i64>) = (Vec::new(), Vec::new());
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
            let state = self.gather(ties, from, to, &mut entries);
            if state.unsorted {
                entries.sort_unstable_by(|a, b| cmp_rows(ties, a, b));
            }
            if state.rank_suspect && ranks_contradict_scores(&entries)? {
                contradicting.try_push(topic as i64)?;
            }
            let to = list_starts[topic]..list_starts[topic] + own.len();
            let places = into.document[to.clone()].iter_mut().zip(&mut into.score[to]);
            for (entry, (document, score)) in entries.iter().zip(places) {
                (*document, *score) = (entry.judged_row as i32, entry.score);
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

    /// Gather the rows of a list, for which there is room.
    fn gather(&self, ties: TieBreak, from: usize, to: usize, entries: &mut Vec<Entry>) -> ListState {
        let mut state = ListState::default();
        for at in from..to {
            let rank = self.rank.map_or(0, |ranks| ranks[at]);
            let mut entry = Entry::new(ties, 0, 0, self.score[at], rank, at);
            entry.judged_row = self.document[at] as u32;
            if let Some(before) = entries.last() {
                state.unsorted |= cmp_rows(ties, before, &entry).is_gt();
                state.rank_suspect |= self.rank.is_some() && (entry.rank < before.rank || entry.score > before.score);
            }
            entries.push(entry);
        }
        state
    }
}

/// The order of two rows of a list, whose documents are ordered as their ids are.
#[inline(always)]
fn cmp_rows(ties: TieBreak, a: &Entry, b: &Entry) -> std::cmp::Ordering {
    a.key.cmp(&b.key).then_with(|| ties.cmp_tied(|| a.judged_row.cmp(&b.judged_row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_ordered_by_score_and_number_topic_by_topic() {
        let mut run = NumberedRun {
            starts: &[0, 3, 5],
            topics: &[1, 0],
            bounds: &[0, 2, 5],
            document: &[2, 4, 3, 1, 0],
            score: &[1.0, 1.0, 2.0, 0.5, 0.5],
            rank: Some(&[1, 2, 3, 1, 2]),
        };
        let ordered = |run: &NumberedRun, ties| {
            let (mut document, mut score) = ([0; 5], [0.0; 5]);
            let mut into = SortedOutput { document: &mut document, score: &mut score };
            assert!(run.is_consistent(&into));
            run.order(ties, &mut into)
                .map(|contradicting| contradicting.map(|contradicting| (contradicting, document, score)))
        };
        let score = [0.5, 0.5, 2.0, 1.0, 1.0];
        assert_eq!(ordered(&run, TieBreak::Trec), Ok(Some((vec![1], [1, 0, 3, 4, 2], score))));
        assert_eq!(ordered(&run, TieBreak::Docid), Ok(Some((vec![1], [0, 1, 3, 2, 4], score))));
        run.rank = None;
        let as_given = ([1, 0, 2, 4, 3], [0.5, 0.5, 1.0, 1.0, 2.0]);
        assert_eq!(ordered(&run, TieBreak::File), Ok(Some((vec![], as_given.0, as_given.1))));
        run.document = &[2, 4, 2, 1, 0];
        assert_eq!(ordered(&run, TieBreak::Trec), Ok(None));
        run.document = &[2, 4, 1, 1, 0];
        assert!(!run.is_consistent(&SortedOutput { document: &mut [0; 5], score: &mut [0.0; 5] }));
    }
}
