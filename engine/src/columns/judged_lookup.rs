//! The documents of a list: which of them are judged, and whether one occurs twice.

use crate::columns::pools::Pools;
use crate::ids::column::IdType;
use crate::ids::hash_filter;
use crate::ids::position_table::{self, PositionTable, insert_new};
use crate::memory::{AllocError, TryVec};
use crate::ranking::UNJUDGED;

/// A topic with more judged documents has a table of them; fewer are compared with a row that may be one of them.
const TABLE_MIN: usize = 48;
/// So few rows are compared with these few whatever their hashes are.
const FILTER_MIN_ROWS: usize = 4;
/// Bits of a filter.
const BITS: usize = 1024;

/// Looks the documents of one topic up.
pub(crate) struct JudgedLookup {
    slots: Vec<u64>,
    /// Whether a document of such a hash may be judged, where there is no table.
    filter: [u64; BITS / 64],
}

impl JudgedLookup {
    pub(crate) fn new() -> Self {
        JudgedLookup { slots: Vec::new(), filter: [0; BITS / 64] }
    }

    /// Begin with a topic, of which this number of rows is looked up; `note` is given the hash of each judged document.
    pub(crate) fn open<T: IdType, D: IdType>(
        &mut self,
        pools: &Pools<T, D>,
        topic: usize,
        rows: usize,
        mut note: impl FnMut(u32),
    ) -> Result<(), AllocError> {
        self.slots.clear();
        let (judged, known) = (pools.rows_of(topic), pools.documents.as_slice());
        if judged.len() <= TABLE_MIN {
            self.filter = [if rows < FILTER_MIN_ROWS { u64::MAX } else { 0 }; BITS / 64];
            judged.for_each(|row| {
                let hash = D::hash(pools.hasher, D::id(known, row));
                note(hash);
                hash_filter::set(&mut self.filter, hash);
            });
            return Ok(());
        }
        let size = (2 * judged.len()).next_power_of_two().max(2);
        self.slots.try_reserve_more(size)?;
        self.slots.resize(size, 0);
        for (position, row) in judged.enumerate() {
            let hash = D::hash(pools.hasher, D::id(known, row));
            note(hash);
            insert_new(&mut self.slots, hash, position);
        }
        Ok(())
    }

    /// The pool row of a document, or `UNJUDGED`.
    #[inline(always)]
    pub(crate) fn find<T: IdType, D: IdType>(&self, pools: &Pools<T, D>, topic: usize, id: D::Id<'_>) -> u32 {
        let (judged, known) = (pools.rows_of(topic), pools.documents.as_slice());
        if self.slots.is_empty() {
            if !hash_filter::may_hold(&self.filter, D::hash(pools.hasher, id)) {
                return UNJUDGED;
            }
            let judged_row = judged.clone().find(|&row| D::eq(D::id(known, row), id));
            return judged_row.map_or(UNJUDGED, |row| row as u32);
        }
        let equal = |position: usize| D::eq(D::id(known, judged.start + position), id);
        let position = position_table::find(&self.slots, D::hash(pools.hasher, id), equal);
        position.map_or(UNJUDGED, |position| (judged.start + position) as u32)
    }
}

/// Lists up to this length are searched for an earlier row of a document; longer ones have a table.
const LINEAR_SCAN_MAX: usize = 4096;
/// The most marks, a byte each, that the nearest cache has room for.
const FILTER_BYTES: usize = 1 << 16;
const JUDGED: u8 = 2;
const PRESENT: u8 = 1;

/// Finds the few rows of a list whose documents may be judged, or may have occurred before: all others need no look-up.
pub(crate) struct CandidateFilter {
    marks: Vec<u8>,
    hashes: Vec<u32>,
    candidates: Vec<u32>,
    seen: PositionTable,
    /// Rows that are in `seen`.
    entered: usize,
}

impl CandidateFilter {
    pub(crate) fn new() -> Self {
        CandidateFilter {
            marks: Vec::new(),
            hashes: Vec::new(),
            candidates: Vec::new(),
            seen: PositionTable::new(),
            entered: 0,
        }
    }

    /// Begin with a list of this number of rows.
    pub(crate) fn open(&mut self, rows: usize) -> Result<(), AllocError> {
        let size = rows.saturating_mul(64).clamp(1 << 10, FILTER_BYTES).next_power_of_two();
        self.marks.clear();
        self.marks.try_reserve_more(size)?;
        self.marks.resize(size, 0);
        Ok(())
    }

    /// A document with this hash is judged.
    #[inline(always)]
    pub(crate) fn mark_judged(&mut self, hash: u32) {
        let mask = self.marks.len() - 1;
        self.marks[hash as usize & mask] = JUDGED;
    }

    /// Look at all documents of a list; how many of them are kept.
    #[inline(always)]
    pub(crate) fn filter(&mut self, rows: usize, hash: impl Fn(usize) -> u32) -> Result<usize, AllocError> {
        for columns in [&mut self.hashes, &mut self.candidates] {
            columns.clear();
            columns.try_reserve_more(rows)?;
            columns.resize(rows, 0);
        }
        self.entered = 0;
        let mask = self.marks.len() - 1;
        let marks = &mut self.marks[..];
        let mut count = 0;
        for (row, slot) in self.hashes.iter_mut().enumerate() {
            let hash = hash(row);
            *slot = hash;
            let mark = &mut marks[hash as usize & mask];
            self.candidates[count] = row as u32;
            count += usize::from(*mark != 0);
            *mark |= PRESENT;
        }
        Ok(count)
    }

    /// The row that was kept as number `at`.
    #[inline(always)]
    pub(crate) fn candidate(&self, at: usize) -> usize {
        self.candidates[at] as usize
    }

    /// Whether the document of a row, of those that were kept, occurs in an earlier one; asked of rows in their order.
    pub(crate) fn is_duplicate(&mut self, row: usize, same: impl Fn(usize, usize) -> bool) -> Result<bool, AllocError> {
        let hash = self.hashes[row];
        if row <= LINEAR_SCAN_MAX {
            let earlier = &self.hashes[..row];
            // Counting is done several rows at a time, which ending with the first one is not.
            if earlier.iter().filter(|&&previous| previous == hash).count() == 0 {
                return Ok(false);
            }
            return Ok((0..row).any(|previous| earlier[previous] == hash && same(previous, row)));
        }
        if self.entered == 0 {
            self.seen = PositionTable::new();
        }
        for previous in self.entered..row {
            self.seen.insert_or_get(self.hashes[previous], previous, |earlier| same(earlier, previous))?;
        }
        self.entered = row;
        Ok(self.seen.get(hash, |earlier| same(earlier, row)).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a list, by a sieve, whose documents occur before.
    fn repeated(documents: &[u32], hash: impl Fn(u32) -> u32) -> Result<Vec<usize>, AllocError> {
        let (mut sieve, mut duplicates) = (CandidateFilter::new(), Vec::new());
        sieve.open(documents.len())?;
        let same = |a: usize, b: usize| documents[a] == documents[b];
        for at in 0..sieve.filter(documents.len(), |row| hash(documents[row]))? {
            let row = sieve.candidate(at);
            if sieve.is_duplicate(row, same)? {
                duplicates.push(row);
            }
        }
        Ok(duplicates)
    }

    #[test]
    fn every_document_that_occurs_twice_is_found() {
        for size in [1u32, 7, 100, 4_096, 4_097, 9_000, 70_000] {
            let mut documents: Vec<u32> = (0..size).map(|row| row.wrapping_mul(2_654_435_761)).collect();
            assert_eq!(repeated(&documents, |document| document >> 3), Ok(vec![]));
            let repeats: Vec<usize> =
                [size / 2, size - 1].iter().map(|&row| row as usize).filter(|&row| row > 0).collect();
            for &row in &repeats {
                documents[row] = documents[0];
            }
            let mut expected = repeats;
            expected.dedup();
            assert_eq!(repeated(&documents, |document| document >> 3), Ok(expected.clone()), "{size}");
            // However badly they are mixed.
            if size <= 100 {
                assert_eq!(repeated(&documents, |_| 5), Ok(expected), "{size}");
            }
        }
    }
}
