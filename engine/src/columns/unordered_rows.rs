//! Lists whose rows come in any order: these are put into parts that fit the caches, and from there taken topic by topic.

use crate::columns::judged_lists::JudgedLists;
use crate::columns::list_judge::{ListJudge, ListOptions};
use crate::columns::pools::{Pools, RowBatch};
use crate::counting_sort::sort_into_groups;
use crate::error::{FileError, InputError};
use crate::ids::column::IdType;
use crate::memory::{AllocError, TryVec};

/// Rows of topic t are in part `t % PARTS`: few enough to be put in order within the nearest caches.
const PARTITIONS: usize = 64;
/// Rows of a part that are held side by side, so that none is ever copied to make room for others.
const BLOCK_ROWS: usize = 1024;
/// Rows whose topics are looked up side by side.
const AT_ONCE: usize = 256;
/// What stands for a topic that is not wanted.
const NONE: usize = usize::MAX;
/// Bits of where a row was in its file; the others are those of its topic within the part.
const ORIGIN_BITS: u32 = 40;

/// A row, 24 bytes where documents are whole numbers.
#[derive(Clone, Copy)]
struct UnorderedRow<H> {
    topic_and_origin: u64,
    document: H,
    score: f64,
}

impl<H> UnorderedRow<H> {
    #[inline(always)]
    fn topic(&self) -> usize {
        (self.topic_and_origin >> ORIGIN_BITS) as usize
    }

    fn origin(&self) -> u64 {
        self.topic_and_origin & ((1 << ORIGIN_BITS) - 1)
    }
}

/// Rows of some topics, in the order in which they came; all blocks but the last one are full.
struct Partition<D: IdType> {
    full: Vec<Vec<UnorderedRow<D::StoredId>>>,
    open: Vec<UnorderedRow<D::StoredId>>,
    /// Text of the documents.
    text: Vec<u8>,
}

impl<D: IdType> Partition<D> {
    fn new() -> Self {
        Partition { full: Vec::new(), open: Vec::new(), text: Vec::new() }
    }

    fn len(&self) -> usize {
        BLOCK_ROWS * self.full.len() + self.open.len()
    }

    #[inline(always)]
    fn add(&mut self, topic_and_origin: u64, document: D::Id<'_>, score: f64) -> Result<(), AllocError> {
        if self.open.len() == self.open.capacity() {
            self.begin()?;
        }
        let document = D::store(&mut self.text, document)?;
        self.open.push(UnorderedRow { topic_and_origin, document, score });
        Ok(())
    }

    /// A new block.
    #[cold]
    fn begin(&mut self) -> Result<(), AllocError> {
        let mut next = Vec::new();
        next.try_reserve_exact(BLOCK_ROWS)
            .map_err(|_| AllocError(BLOCK_ROWS * size_of::<UnorderedRow<D::StoredId>>()))?;
        let full = std::mem::replace(&mut self.open, next);
        if full.is_empty() { Ok(()) } else { self.full.try_push(full) }
    }

    fn rows(&self) -> impl Iterator<Item = &UnorderedRow<D::StoredId>> + Clone {
        self.full.iter().chain([&self.open]).flatten()
    }

    #[inline(always)]
    fn row(&self, at: u32) -> &UnorderedRow<D::StoredId> {
        let at = at as usize;
        &self.full.get(at / BLOCK_ROWS).unwrap_or(&self.open)[at % BLOCK_ROWS]
    }
}

/// Rows of lists of topics with some numbers.
pub(crate) struct UnorderedRows<D: IdType> {
    parts: Vec<Partition<D>>,
    low: usize,
    high: usize,
}

impl<D: IdType> UnorderedRows<D> {
    /// None yet, of topics from `low` to `high - 1`.
    pub(crate) fn new(low: usize, high: usize) -> Self {
        UnorderedRows { parts: (0..PARTITIONS).map(|_| Partition::new()).collect(), low, high }
    }

    /// Keep the rows of these topics; the first one is number `first` of its file.
    pub(crate) fn add<T: IdType>(
        &mut self,
        pools: &Pools<T, D>,
        RowBatch { topics, documents, number: score }: RowBatch<T, D>,
        first: u64,
    ) -> Result<(), InputError> {
        if first + score.len() as u64 > 1 << ORIGIN_BITS || pools.topics.len() / PARTITIONS >= 1 << (64 - ORIGIN_BITS) {
            return Err(FileError::TooMany.into());
        }
        let (low, high) = (self.low, self.high);
        let mut numbers = [NONE; AT_ONCE];
        for from in (0..score.len()).step_by(AT_ONCE) {
            let rows = from..(from + AT_ONCE).min(score.len());
            for (number, row) in numbers.iter_mut().zip(rows.clone()) {
                *number = pools.topics.find(T::id(topics, row)).unwrap_or(NONE);
            }
            for (row, number) in rows.zip(numbers) {
                if low <= number && number < high {
                    let topic_and_origin = ((number / PARTITIONS) as u64) << ORIGIN_BITS | (first + row as u64);
                    self.parts[number % PARTITIONS].add(topic_and_origin, D::id(documents, row), score[row])?;
                }
            }
        }
        if self.parts.iter().any(|rows| rows.len() >= u32::MAX as usize) {
            return Err(FileError::TooMany.into());
        }
        Ok(())
    }

    /// The lists of all rows, by topic. Of what is wrong, that in the first topic is the problem.
    pub(crate) fn judge<T: IdType>(self, pools: &Pools<T, D>, options: ListOptions) -> Result<JudgedLists, InputError> {
        let mut judge = ListJudge::<T, D>::new(pools, options);
        let (mut documents, mut score) = (D::default(), Vec::new());
        let mut wrong: Option<(usize, InputError)> = None;
        for (number, part) in self.parts.into_iter().enumerate().filter(|(_, part)| part.len() > 0) {
            let rows = part.rows().zip(0_u32..).map(|(row, number)| (row.topic(), number));
            let (starts, order) = sort_into_groups(rows, pools.topics.len().div_ceil(PARTITIONS))?;
            for (topic, bounds) in starts.windows(2).enumerate().filter(|(_, bounds)| bounds[0] < bounds[1]) {
                let (topic, rows) = (topic * PARTITIONS + number, &order[bounds[0]..bounds[1]]);
                documents.clear();
                score.clear();
                score.try_reserve_more(rows.len())?;
                for &row in rows {
                    let row = part.row(row);
                    documents.try_push(D::load(&part.text, row.document))?;
                    score.push(row.score);
                }
                let origin = |row: usize| part.row(rows[row]).origin();
                if let Err(problem) = judge.judge_list(topic, documents.as_slice(), &score, 0..rows.len(), origin) {
                    wrong = wrong.into_iter().chain([(topic, problem)]).min_by_key(|(topic, _)| *topic);
                    break;
                }
            }
        }
        wrong.map_or_else(|| Ok(judge.done.by_topic()?), |(_, problem)| Err(problem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::pools::PoolBuilder;
    use crate::ids::column::IntIds;
    use crate::ranking::tie_order::TieBreak;

    #[test]
    fn rows_in_any_order_become_the_lists_of_the_topics_that_are_wanted() -> Result<(), InputError> {
        let mut builder = PoolBuilder::<IntIds, IntIds>::new(0)?;
        builder.add(&[1, 1, 2], &[10, 11, 10], &[1.0; 3])?;
        let (pools, _) = builder.finish()?;
        let options = ListOptions { ties: TieBreak::Trec, groups: false, keep_first: false };
        for (high, found, rank, document) in
            [(2, vec![0, 1], vec![1, 2, 2], vec![1, 0, 2]), (1, vec![0], vec![1, 2], vec![1, 0])]
        {
            let mut rows = UnorderedRows::<IntIds>::new(0, high);
            let (topics, documents, number) = (&[2, 1, 9, 1, 2], &[10, 10, 5, 11, 12], &[1.0, 2.0, 9.0, 3.0, 4.0]);
            rows.add(&pools, RowBatch { topics, documents, number }, 0)?;
            let lists = rows.judge(&pools, options)?;
            assert_eq!((lists.topic, lists.judged.rank, lists.judged.document), (found, rank, document));
        }
        Ok(())
    }
}
