//! What lists in flat columns come to.

use crate::error::DuplicateDocument;
use crate::memory::{AllocError, TryVec, try_collect_exact, try_with_capacity};
use crate::ranking::judged_ranks::JudgedRanks;

/// Finished lists of judged topics, in the order in which they came.
#[derive(Default)]
pub(crate) struct JudgedLists {
    pub topic: Vec<i64>,
    /// The first row of each.
    pub row: Vec<i64>,
    pub length: Vec<i64>,
    pub starts: Vec<i64>,
    /// Documents are rows of the pools.
    pub judged: JudgedRanks<i64>,
    /// Lists of topics that are not judged, and the first names.
    pub unjudged_topics: usize,
    pub unjudged_names: Vec<String>,
    /// Rows that were dropped because their document occurs twice; the first of them.
    pub dropped: usize,
    pub first_duplicate: Option<DuplicateDocument>,
}

impl JudgedLists {
    /// The same in the order of their topics' numbers.
    pub(crate) fn by_topic(self) -> Result<JudgedLists, AllocError> {
        let mut order = try_collect_exact(0..self.topic.len())?;
        order.sort_unstable_by_key(|&list| self.topic[list]);
        let each = |values: &[i64]| try_collect_exact(order.iter().map(|&list| values[list]));
        let rows = order.iter().map(|&list| self.starts[list] as usize..self.starts[list + 1] as usize);
        let mut starts = try_with_capacity(self.starts.len())?;
        starts.push(0);
        starts.try_reserve_more(order.len())?;
        for list in &order {
            starts.push(starts[starts.len() - 1] + self.starts[list + 1] - self.starts[*list]);
        }
        Ok(JudgedLists {
            topic: each(&self.topic)?,
            row: each(&self.row)?,
            length: each(&self.length)?,
            judged: self.judged.select(rows)?,
            starts,
            ..self
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_put_in_the_order_of_their_topics() -> Result<(), AllocError> {
        let lists = JudgedLists {
            topic: vec![2, 0, 1],
            row: vec![0, 10, 20],
            length: vec![10, 10, 5],
            starts: vec![0, 2, 2, 3],
            judged: JudgedRanks { rank: vec![1, 4, 2], document: vec![7, 8, 9], ..JudgedRanks::default() },
            dropped: 3,
            ..JudgedLists::default()
        };
        let lists = lists.by_topic()?;
        assert_eq!((lists.topic, lists.row, lists.length), (vec![0, 1, 2], vec![10, 20, 0], vec![10, 5, 10]));
        assert_eq!((lists.starts, lists.judged.rank), (vec![0, 0, 1, 3], vec![2, 1, 4]));
        assert_eq!((lists.judged.document, lists.dropped), (vec![9, 7, 8], 3));
        Ok(())
    }
}
