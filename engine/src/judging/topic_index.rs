//! Looking topics and documents up: small tables, one for each topic.

use memchr::arch::all::is_equal;

use crate::ids::column::{IdType, TextIdSlice, TextIds};
use crate::ids::hash::IdHasher;
use crate::ids::hash_filter;
use crate::ids::position_table::{self, PositionTable, insert_new};
use crate::memory::{AllocError, TryVec, try_collect_present};
use crate::ranking::UNJUDGED;

/// The judged documents of every topic.
pub(crate) struct TopicIndex {
    topics: PositionTable,
    names: TextIds,
    /// Pool rows of topic t: `starts[t]..starts[t + 1]`.
    starts: Vec<usize>,
    documents: TextIds,
    /// Table of topic t: `slots[tables[t]..tables[t + 1]]`, its length a power of two; hash << 32 | pool row + 1.
    slots: Vec<u64>,
    tables: Vec<usize>,
    /// Bits of topic t: `bits[words[t]..words[t + 1]]`, their number a power of two, of which the hash of each judged
    /// document sets one.
    bits: Vec<u64>,
    words: Vec<usize>,
    hasher: IdHasher,
}

impl TopicIndex {
    /// Tables of these judgments; none where starts and documents do not fit together.
    pub(crate) fn new(
        topics: &[String],
        starts: &[i64],
        documents: TextIdSlice,
    ) -> Result<Option<TopicIndex>, AllocError> {
        let size = |&start: &i64| usize::try_from(start).ok();
        let Some(starts) = try_collect_present(starts.iter().map(size))? else { return Ok(None) };
        let fits = starts.len() == topics.len() + 1
            && starts.last() == Some(&documents.len())
            && documents.len() < u32::MAX as usize
            && starts.is_sorted();
        if !fits {
            return Ok(None);
        }
        let mut index = TopicIndex {
            topics: PositionTable::new(),
            names: TextIds::default(),
            starts,
            documents: documents.to_owned()?,
            slots: Vec::new(),
            tables: vec![0],
            bits: Vec::new(),
            words: vec![0],
            hasher: IdHasher::new(),
        };
        for (number, topic) in topics.iter().enumerate() {
            let (topic, names) = (topic.as_bytes(), &index.names);
            let equal = |at: usize| is_equal(names.get(at), topic);
            index.topics.insert_or_get(index.hasher.hash32(topic), number, equal)?;
            index.names.try_push(topic)?;
            index.add_table(number)?;
        }
        Ok(Some(index))
    }

    fn add_table(&mut self, topic: usize) -> Result<(), AllocError> {
        let rows = self.starts[topic]..self.starts[topic + 1];
        let size = (2 * rows.len()).next_power_of_two();
        let base = self.slots.len();
        self.slots.try_reserve_more(size)?;
        self.slots.resize(base + size, 0);
        // Sixteen bits for each document.
        let (first, words) = (self.bits.len(), (rows.len() / 4).next_power_of_two());
        self.bits.try_reserve_more(words)?;
        self.bits.resize(first + words, 0);
        for row in rows {
            let hash = self.hasher.hash32(self.documents.get(row));
            hash_filter::set(&mut self.bits[first..], hash);
            insert_new(&mut self.slots[base..], hash, row);
        }
        self.words.try_push(self.bits.len())?;
        self.tables.try_push(self.slots.len())
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn topic(&self, id: &[u8]) -> Option<u32> {
        let equal = |at: usize| is_equal(self.names.get(at), id);
        self.topics.get(self.hasher.hash32(id), equal).map(|number| number as u32)
    }

    #[inline(always)]
    pub(crate) fn table(&self, topic: u32) -> TopicTable<'_> {
        let topic = topic as usize;
        TopicTable {
            index: self,
            topic,
            slots: &self.slots[self.tables[topic]..self.tables[topic + 1]],
            bits: &self.bits[self.words[topic]..self.words[topic + 1]],
        }
    }
}

/// The judged documents of one topic.
#[derive(Clone, Copy)]
pub(crate) struct TopicTable<'a> {
    index: &'a TopicIndex,
    topic: usize,
    slots: &'a [u64],
    bits: &'a [u64],
}

/// The judged documents of a list.
#[derive(Default)]
pub(crate) struct JudgedScan {
    /// Row of the list and pool row of each, in the order of the list.
    pub rows: Vec<(u32, u32)>,
    /// Rows whose documents may be judged.
    candidates: Vec<u32>,
}

impl JudgedScan {
    /// Find those of these documents, given by their hashes and ids. Most are passed by bits that are near, and without
    /// waiting for a guess that may be wrong.
    pub(crate) fn scan<'b>(
        &mut self,
        table: TopicTable,
        hashes: &[u32],
        id: impl Fn(usize) -> &'b [u8],
    ) -> Result<(), AllocError> {
        if self.candidates.len() < hashes.len() {
            self.candidates.try_reserve_more(hashes.len() - self.candidates.len())?;
            self.candidates.resize(hashes.len(), 0);
        }
        let mut count = 0;
        for (&hash, row) in hashes.iter().zip(0..) {
            self.candidates[count] = row;
            count += usize::from(hash_filter::may_hold(table.bits, hash));
        }
        if count > table.slots.len() / PREFETCH_RATIO {
            table.prefetch();
        }
        self.rows.clear();
        self.rows.try_reserve_more(count)?;
        for &row in &self.candidates[..count] {
            let pool_row = table.find(id(row as usize), hashes[row as usize]);
            if pool_row != UNJUDGED {
                self.rows.push((row, pool_row));
            }
        }
        Ok(())
    }
}

/// A table is passed over where no more than one of this number of its places is looked up.
const PREFETCH_RATIO: usize = 16;
/// Bytes that come into a cache together.
const CACHE_LINE: usize = 64;

impl TopicTable<'_> {
    /// Look at all of it from its beginning to its end: what is looked up next, here and there, is then in the nearest
    /// caches. It was far away where many other topics were read since, and is fetched much faster in this order.
    fn prefetch(&self) {
        let index = self.index;
        let rows = index.starts[self.topic]..index.starts[self.topic + 1];
        let (all, documents) = (&index.documents.offsets, &index.documents.data);
        let data = &documents[all[rows.start] as usize..all[rows.end] as usize];
        let slots = self.slots.iter().step_by(CACHE_LINE / size_of::<u64>()).fold(0, |all, &slot| all | slot);
        let offsets = all[rows].iter().step_by(CACHE_LINE / size_of::<i64>()).fold(0, |all, &offset| all | offset);
        let bytes = data.iter().step_by(CACHE_LINE).fold(0, |all, &byte| all | byte);
        std::hint::black_box((slots, offsets, bytes));
    }

    #[inline(always)]
    pub(crate) fn find(self, id: &[u8], hash: u32) -> u32 {
        let equal = |row: usize| is_equal(self.index.documents.get(row), id);
        position_table::find(self.slots, hash, equal).map_or(UNJUDGED, |row| row as u32)
    }
}

/// Topic 1 with the judged documents a, b and c, and topic 2 with a.
#[cfg(test)]
pub(super) fn sample_index() -> TopicIndex {
    let topics = ["1".to_owned(), "2".to_owned()];
    let documents = TextIdSlice::of_any_bytes(b"abca", &[0, 1, 2, 3, 4]);
    match documents.map(|documents| TopicIndex::new(&topics, &[0, 3, 4], documents)) {
        Some(Ok(Some(index))) => index,
        _ => panic!("these fit together"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(topics: &[&str], starts: &[i64], data: &[u8], offsets: &[i64]) -> Option<TopicIndex> {
        let topics: Vec<String> = topics.iter().map(|&topic| topic.to_owned()).collect();
        TopicIndex::new(&topics, starts, TextIdSlice::of_any_bytes(data, offsets)?).ok().flatten()
    }

    #[test]
    fn documents_are_found_in_the_table_of_their_topic_alone() {
        let Some(index) = index(&["1", "2"], &[0, 2, 3], b"abcdb", &[0, 1, 3, 5]) else { panic!("these fit") };
        let hasher = IdHasher::new();
        let find = |topic, id: &[u8]| index.table(topic).find(id, hasher.hash32(id));
        assert_eq!((index.len(), index.topic(b"1"), index.topic(b"2"), index.topic(b"3")), (2, Some(0), Some(1), None));
        assert_eq!((find(0, b"a"), find(0, b"bc"), find(0, b"db")), (0, 1, UNJUDGED));
        assert_eq!((find(1, b"a"), find(1, b"db")), (UNJUDGED, 2));
    }

    #[test]
    fn columns_that_do_not_fit_together_have_no_index() {
        assert!(index(&["1"], &[0, 1], b"a", &[0, 1]).is_some());
        for (starts, offsets) in
            [(&[0, 1][..], &[0, 2][..]), (&[0, 2], &[0, 1]), (&[0, -1], &[0, 1]), (&[0], &[0]), (&[0, 1], &[1, 0])]
        {
            assert!(index(&["1"], starts, b"a", offsets).is_none(), "{starts:?} {offsets:?}");
        }
    }
}
