//! Whether a document occurs twice in a list, found once the hashes of all its ids are there.

use crate::ids::hash_filter;
use crate::ids::position_table::PositionTable;
use crate::memory::{AllocError, TryVec};

/// Lists up to this length are searched for an earlier row where there may be one; longer ones have a table.
const LINEAR_SCAN_MAX: usize = 4096;

pub(crate) struct DuplicateFinder {
    /// 64 bits for each row, of which its hash sets one.
    marks: Vec<u64>,
    /// Rows that found their bit set.
    candidates: Vec<u32>,
    seen: PositionTable,
}

impl DuplicateFinder {
    pub(crate) fn new() -> Self {
        DuplicateFinder { marks: Vec::new(), candidates: Vec::new(), seen: PositionTable::new() }
    }

    /// The first row whose document occurs in an earlier one; `same` compares those of two rows.
    #[inline(always)]
    pub(crate) fn first_duplicate(
        &mut self,
        hashes: &[u32],
        same: impl Fn(usize, usize) -> bool,
    ) -> Result<Option<usize>, AllocError> {
        if hashes.len() > LINEAR_SCAN_MAX {
            return self.scan_with_table(hashes, same);
        }
        let earlier = |row: usize| {
            let (above, hash) = (&hashes[..row], hashes[row]);
            // Counting is done several rows at a time, which ending with the first one is not.
            above.iter().filter(|&&previous| previous == hash).count() > 0
                && (0..row).any(|previous| above[previous] == hash && same(previous, row))
        };
        Ok(self.candidates(hashes)?.iter().map(|&row| row as usize).find(|&row| earlier(row)))
    }

    /// Rows, few of them, among which are all whose hash occurs above. Nothing here waits for a guess that may be wrong.
    fn candidates(&mut self, hashes: &[u32]) -> Result<&[u32], AllocError> {
        let words = hashes.len().next_power_of_two();
        self.marks.clear();
        self.marks.try_reserve_more(words)?;
        self.marks.resize(words, 0);
        if self.candidates.len() < hashes.len() {
            self.candidates.try_reserve_more(hashes.len() - self.candidates.len())?;
            self.candidates.resize(hashes.len(), 0);
        }
        let mut count = 0;
        for (&hash, row) in hashes.iter().zip(0..) {
            self.candidates[count] = row;
            count += usize::from(hash_filter::may_hold(&self.marks, hash));
            hash_filter::set(&mut self.marks, hash);
        }
        Ok(&self.candidates[..count])
    }

    fn scan_with_table(
        &mut self,
        hashes: &[u32],
        same: impl Fn(usize, usize) -> bool,
    ) -> Result<Option<usize>, AllocError> {
        self.seen.clear();
        for (row, &hash) in hashes.iter().enumerate() {
            if self.seen.insert_or_get(hash, row, |earlier| same(earlier, row))?.is_some() {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }
}

/// Keep the first of every two items that are the same; how many were dropped.
pub(crate) fn drop_duplicates<T: Copy>(
    items: &mut Vec<T>,
    hash: impl Fn(&T) -> u32,
    same: impl Fn(&T, &T) -> bool,
) -> Result<usize, AllocError> {
    let (before, mut table) = (items.len(), PositionTable::new());
    let mut unique: Vec<T> = Vec::new();
    unique.try_reserve_more(before)?;
    for item in &*items {
        if table.insert_or_get(hash(item), unique.len(), |at| same(&unique[at], item))?.is_none() {
            unique.push(*item);
        }
    }
    *items = unique;
    Ok(before - items.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(documents: &[u32], hash: impl Fn(u32) -> u32) -> Result<Option<usize>, AllocError> {
        let hashes: Vec<u32> = documents.iter().map(|&document| hash(document)).collect();
        DuplicateFinder::new().first_duplicate(&hashes, |a, b| documents[a] == documents[b])
    }

    #[test]
    fn the_first_document_that_occurs_twice_is_found() {
        for size in [1u32, 2, 7, 63, 64, 100, 1000, 4096, 4097, 9000] {
            let documents: Vec<u32> = (0..size).map(|row| row.wrapping_mul(2_654_435_761)).collect();
            let (plain, poor) = (|document: u32| document >> 3, |document: u32| document >> 29);
            assert_eq!(first(&documents, plain), Ok(None), "{size}");
            for (a, b) in [(0, size / 2), (size / 3, size - 1), (size - 1, size - 1)] {
                let mut documents = documents.clone();
                documents[b as usize] = documents[a as usize];
                let expected = Ok((b > a).then_some(b as usize));
                assert_eq!(first(&documents, plain), expected, "{size}");
                if size <= 1000 {
                    assert_eq!(first(&documents, poor), expected, "{size}, badly mixed");
                }
                documents.push(documents[0]);
                assert_eq!(first(&documents, plain), Ok(expected.ok().flatten().or(Some(size as usize))), "{size}");
            }
        }
        assert_eq!(first(&[], |document| document), Ok(None));
    }

    #[test]
    fn the_first_of_the_same_items_is_left() {
        let mut items = vec![(3, 'a'), (1, 'b'), (3, 'c'), (2, 'd'), (1, 'e')];
        assert_eq!(drop_duplicates(&mut items, |item| item.0 % 2, |a, b| a.0 == b.0), Ok(2));
        assert_eq!(items, [(3, 'a'), (1, 'b'), (2, 'd')]);
    }
}
