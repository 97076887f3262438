//! Topics of judgments by number.

use crate::ids::column::IdType;
use crate::ids::hash::IdHasher;
use crate::ids::position_table::PositionTable;
use crate::memory::{AllocError, try_filled};

/// Topics by number.
pub(crate) struct TopicNumbers<T> {
    names: T,
    numbers: PositionTable,
    count: usize,
    hasher: IdHasher,
    /// Of whole numbers that lie close together, the number of each from `least` on, and one more; else nothing.
    direct: Vec<u32>,
    least: i64,
}

/// The most places of the direct table for each topic: they take no more memory than hashes do.
const SPARSE: u64 = 8;

impl<T: IdType> TopicNumbers<T> {
    pub(crate) fn new() -> Self {
        let (names, numbers, hasher) = (T::default(), PositionTable::new(), IdHasher::new());
        TopicNumbers { names, numbers, count: 0, hasher, direct: Vec::new(), least: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn names(&self) -> &T {
        &self.names
    }

    pub(crate) fn text(&self, number: usize) -> String {
        T::to_text(T::id(self.names.as_slice(), number))
    }

    #[inline(always)]
    pub(crate) fn find(&self, id: T::Id<'_>) -> Option<usize> {
        if let (false, Some(number)) = (self.direct.is_empty(), T::as_int(id)) {
            let index = usize::try_from(number.wrapping_sub(self.least) as u64).ok()?;
            return (*self.direct.get(index)? as usize).checked_sub(1);
        }
        let names = self.names.as_slice();
        self.numbers.get(T::hash(self.hasher, id), |at| T::eq(T::id(names, at), id))
    }

    /// The same, which is quickest for the topic after the `last` one: files mostly have topics in one order.
    #[inline(always)]
    pub(crate) fn find_after(&self, id: T::Id<'_>, last: usize) -> Option<usize> {
        if self.follows(id, last) { Some(last + 1) } else { self.find(id) }
    }

    #[inline(always)]
    fn follows(&self, id: T::Id<'_>, last: usize) -> bool {
        last + 1 < self.count && T::eq(T::id(self.names.as_slice(), last + 1), id)
    }

    /// The number of a topic, which is a new one where it was not met before.
    pub(crate) fn number_or_add(&mut self, id: T::Id<'_>, last: usize) -> Result<usize, AllocError> {
        if self.follows(id, last) {
            return Ok(last + 1);
        }
        let names = self.names.as_slice();
        let hash = T::hash(self.hasher, id);
        if let Some(number) = self.numbers.insert_or_get(hash, self.count, |at| T::eq(T::id(names, at), id))? {
            return Ok(number);
        }
        self.names.try_push(id)?;
        self.count += 1;
        Ok(self.count - 1)
    }

    /// The same when all topics have come: whole numbers that lie close together are found without a hash.
    pub(crate) fn with_direct_table(mut self) -> Result<Self, AllocError> {
        let names = self.names.as_slice();
        let numbers = || (0..self.count).filter_map(|at| T::as_int(T::id(names, at)));
        let (Some(least), Some(most)) = (numbers().min(), numbers().max()) else { return Ok(self) };
        let last = most.abs_diff(least);
        if last >= SPARSE * self.count as u64 || self.count >= u32::MAX as usize {
            return Ok(self);
        }
        let mut direct = try_filled(0, last as usize + 1)?;
        for (at, number) in numbers().enumerate() {
            direct[number.abs_diff(least) as usize] = at as u32 + 1;
        }
        (self.direct, self.least, self.numbers) = (direct, least, PositionTable::new());
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::column::IntIds;

    #[test]
    fn topics_are_found_however_far_apart_their_numbers_are() {
        let far = [i64::MIN, -1, 0, 7, i64::MAX];
        let close = [5, 3, -2, 4, 19];
        for ids in [&far[..], &close[..], &[i64::MAX], &[i64::MIN], &[]] {
            let mut topics = TopicNumbers::<IntIds>::new();
            for &id in ids {
                assert!(topics.number_or_add(id, 0).is_ok());
            }
            let Ok(topics) = topics.with_direct_table() else { panic!("no memory") };
            for (at, &id) in ids.iter().enumerate() {
                assert_eq!(topics.find(id), Some(at), "{ids:?}");
            }
            for unknown in [i64::MIN + 1, -3, 1, 6, 18, 20, i64::MAX - 1] {
                assert_eq!(topics.find(unknown), ids.iter().position(|&id| id == unknown), "{unknown} in {ids:?}");
            }
        }
    }
}
