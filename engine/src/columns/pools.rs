//! Judgments in flat columns, by topic.

use std::ops::Range;

use crate::columns::topics::TopicNumbers;
use crate::counting_sort::sort_into_groups;
use crate::error::{DuplicateDocument, FileError, InputError};
use crate::ids::column::IdType;
use crate::ids::hash::IdHasher;
use crate::ids::sort::IdSorter;
use crate::memory::{AllocError, TryVec, try_collect_exact};

/// Columns of equally many rows: topics, documents, and the score or label of each.
#[derive(Clone, Copy)]
pub(crate) struct RowBatch<'a, T: IdType, D: IdType> {
    pub topics: T::Slice<'a>,
    pub documents: D::Slice<'a>,
    pub number: &'a [f64],
}

/// Where the rows of the topic of a row end.
#[inline(always)]
pub(crate) fn run_end<T: IdType>(topics: T::Slice<'_>, from: usize, rows: usize) -> usize {
    let id = T::id(topics, from);
    let mut to = from + 1;
    while to < rows && T::eq(id, T::id(topics, to)) {
        to += 1;
    }
    to
}

/// Rows with the numbers of their topics, in the order in which they came.
#[derive(Default)]
pub(crate) struct PoolRows<D> {
    topic: Vec<u32>,
    pub documents: D,
    pub value: Vec<f64>,
}

impl<D: IdType> PoolRows<D> {
    pub(crate) fn len(&self) -> usize {
        self.topic.len()
    }

    pub(crate) fn room(&mut self, rows: usize) -> Result<(), AllocError> {
        self.topic.try_reserve_more(rows)?;
        self.documents.try_reserve_more(rows)?;
        self.value.try_reserve_more(rows)
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, topic: usize, document: D::Id<'_>, value: f64) -> Result<(), AllocError> {
        self.topic.try_push(topic as u32)?;
        self.documents.try_push(document)?;
        self.value.try_push(value)
    }

    /// The same by topic, those of a topic in the order of their documents' text; and where those of each topic begin. Of a
    /// document that occurs twice, the later row is the problem; `name` names its topic.
    fn group_by_topic(
        self,
        topics: usize,
        name: impl Fn(usize) -> String,
    ) -> Result<(PoolRows<D>, Vec<usize>), InputError> {
        let rows = self.topic.iter().zip(0_u32..).map(|(&topic, row)| (topic as usize, row));
        let (starts, mut order) = sort_into_groups(rows, topics)?;
        if let Some(row) = self.sort_each(&starts, &mut order)? {
            let document = D::to_text(D::id(self.documents.as_slice(), row));
            let topic = name(self.topic[row] as usize);
            return Err(DuplicateDocument { line: row + 1, topic, document }.into());
        }
        self.take(&order).map(|rows| (rows, starts)).map_err(InputError::from)
    }

    /// Sort the rows of each topic; the first row whose document occurs before.
    fn sort_each(&self, starts: &[usize], order: &mut [u32]) -> Result<Option<usize>, AllocError> {
        let documents = self.documents.as_slice();
        let id = |row: u32| D::id(documents, row as usize);
        let mut twice: Option<u32> = None;
        let mut sorter = IdSorter::new();
        for bounds in starts.windows(2) {
            let rows = &mut order[bounds[0]..bounds[1]];
            sorter.sort::<D>(rows, |&row| id(row), u32::cmp)?;
            for pair in rows.windows(2).filter(|pair| D::eq(id(pair[0]), id(pair[1]))) {
                twice = Some(twice.map_or(pair[1], |earlier| earlier.min(pair[1])));
            }
        }
        Ok(twice.map(|row| row as usize))
    }

    /// These rows in this order. What was taken is let go at once: judgments may be most of what memory holds.
    fn take(self, order: &[u32]) -> Result<PoolRows<D>, AllocError> {
        let PoolRows { topic, documents, value } = self;
        drop(topic);
        let (mut out, rows) = (PoolRows::<D>::default(), documents.as_slice());
        out.documents.try_reserve_more(order.len())?;
        for &row in order {
            out.documents.try_push(D::id(rows, row as usize))?;
        }
        drop(documents);
        out.value = try_collect_exact(order.iter().map(|&row| value[row as usize]))?;
        Ok(out)
    }
}

/// The judged documents of each topic, in the order of their text.
pub(crate) struct Pools<T, D> {
    pub topics: TopicNumbers<T>,
    pub starts: Vec<usize>,
    pub documents: D,
    pub hasher: IdHasher,
}

/// Judgments as they come.
pub(crate) struct PoolBuilder<T, D> {
    topics: TopicNumbers<T>,
    rows: PoolRows<D>,
}

impl<T: IdType, D: IdType> PoolBuilder<T, D> {
    pub(crate) fn new(rows: usize) -> Result<Self, AllocError> {
        let mut out = PoolBuilder { topics: TopicNumbers::new(), rows: PoolRows::default() };
        out.rows.room(rows)?;
        Ok(out)
    }

    pub(crate) fn add(
        &mut self,
        topics: T::Slice<'_>,
        documents: D::Slice<'_>,
        label: &[f64],
    ) -> Result<(), InputError> {
        let (mut from, mut number) = (0, 0);
        while from < label.len() {
            let to = run_end::<T>(topics, from, label.len());
            number = self.topics.number_or_add(T::id(topics, from), number)?;
            for (row, &label) in (from..to).zip(&label[from..to]) {
                self.rows.add(number, D::id(documents, row), label)?;
            }
            from = to;
        }
        if self.rows.len() >= u32::MAX as usize {
            return Err(FileError::TooMany.into());
        }
        Ok(())
    }

    /// The pools, and the label of each document.
    pub(crate) fn finish(self) -> Result<(Pools<T, D>, Vec<f64>), InputError> {
        let PoolBuilder { topics, rows } = self;
        let (PoolRows { documents, value, .. }, starts) =
            rows.group_by_topic(topics.len(), |topic| topics.text(topic))?;
        let topics = topics.with_direct_table()?;
        Ok((Pools { topics, starts, documents, hasher: IdHasher::new() }, value))
    }
}

impl<T: IdType, D: IdType> Pools<T, D> {
    #[inline(always)]
    pub(crate) fn rows_of(&self, topic: usize) -> Range<usize> {
        self.starts[topic]..self.starts[topic + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::column::IntIds;

    #[test]
    fn documents_of_a_topic_are_in_the_order_of_their_text() -> Result<(), InputError> {
        let mut builder = PoolBuilder::<IntIds, IntIds>::new(0)?;
        builder.add(&[7, 7, 3, 7], &[10, 9, 5, 1], &[2.0, 1.0, 0.0, 3.0])?;
        let (pools, labels) = builder.finish()?;
        assert_eq!((pools.rows_of(0), pools.rows_of(1)), (0..3, 3..4));
        assert_eq!((pools.documents.0, labels), (vec![1, 10, 9, 5], vec![3.0, 2.0, 1.0, 0.0]));
        Ok(())
    }

    #[test]
    fn the_later_row_of_a_document_that_occurs_twice_is_named() -> Result<(), InputError> {
        let mut builder = PoolBuilder::<IntIds, IntIds>::new(0)?;
        builder.add(&[7, 3, 7, 7], &[9, 9, 9, 9], &[1.0; 4])?;
        assert_eq!(builder.finish().err(), Some(DuplicateDocument::new(3, b"7", b"9").into()));
        Ok(())
    }
}
