//! Hash tables of ids that stand elsewhere: open addressing with linear probing, the one loop of it in the engine.

use crate::memory::{AllocError, try_filled};

/// The slot that matches, or else the free one at which the search ends; and whether it matches. A slot is free where it is
/// 0; the number of slots is a power of two, and one is always free.
#[inline(always)]
pub(crate) fn probe(slots: &[u64], hash: u64, is_match: impl Fn(u64) -> bool) -> (usize, bool) {
    let mask = slots.len() - 1;
    let mut at = hash as usize & mask;
    loop {
        let slot = slots[at];
        if slot == 0 {
            return (at, false);
        }
        if is_match(slot) {
            return (at, true);
        }
        at = (at + 1) & mask;
    }
}

/// A slot for the id at a position: hash << 32 | position + 1.
#[inline(always)]
fn slot(hash: u32, position: usize) -> u64 {
    u64::from(hash) << 32 | (position as u64 + 1)
}

#[inline(always)]
fn position(slot: u64) -> usize {
    (slot as u32 - 1) as usize
}

/// Note an id that is not there yet.
#[inline(always)]
pub(crate) fn insert_new(slots: &mut [u64], hash: u32, position: usize) {
    let (at, _) = probe(slots, u64::from(hash), |_| false);
    slots[at] = slot(hash, position);
}

/// The position at which an id was noted; `equal` compares it with the id at a position.
#[inline(always)]
pub(crate) fn find(slots: &[u64], hash: u32, equal: impl Fn(usize) -> bool) -> Option<usize> {
    let matches = |slot: u64| (slot >> 32) as u32 == hash && equal(position(slot));
    let (at, matched) = probe(slots, u64::from(hash), matches);
    matched.then(|| position(slots[at]))
}

/// Ids by position, to notice one that occurs twice or to find one again.
pub(crate) struct PositionTable {
    slots: Vec<u64>,
    count: usize,
}

impl PositionTable {
    pub(crate) fn new() -> Self {
        PositionTable { slots: vec![0; 256], count: 0 }
    }

    pub(crate) fn clear(&mut self) {
        let size = (4 * self.count).next_power_of_two().max(256);
        if size < self.slots.len() {
            self.slots.truncate(size);
        }
        self.slots.fill(0);
        self.count = 0;
    }

    /// Note an id at its position, unless an equal one is there: then its position. `equal` compares with an earlier one.
    #[inline(always)]
    pub(crate) fn insert_or_get(
        &mut self,
        hash: u32,
        position: usize,
        equal: impl Fn(usize) -> bool,
    ) -> Result<Option<usize>, AllocError> {
        if 2 * self.count >= self.slots.len() {
            self.grow()?;
        }
        let matches = |slot: u64| (slot >> 32) as u32 == hash && equal(self::position(slot));
        let (at, matched) = probe(&self.slots, u64::from(hash), matches);
        if matched {
            return Ok(Some(self::position(self.slots[at])));
        }
        self.slots[at] = slot(hash, position);
        self.count += 1;
        Ok(None)
    }

    /// The position at which an id was noted.
    pub(crate) fn get(&self, hash: u32, equal: impl Fn(usize) -> bool) -> Option<usize> {
        find(&self.slots, hash, equal)
    }

    #[cold]
    fn grow(&mut self) -> Result<(), AllocError> {
        let wider = try_filled(0, 4 * self.slots.len())?;
        let old = std::mem::replace(&mut self.slots, wider);
        for slot in old.into_iter().filter(|&slot| slot != 0) {
            let (at, _) = probe(&self.slots, slot >> 32, |_| false);
            self.slots[at] = slot;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_at_the_positions_at_which_they_were_noted() -> Result<(), AllocError> {
        // However badly they are mixed.
        for hash in [|id: u32| id.wrapping_mul(0x9e37_79b9), |id| id % 3, |_| u32::MAX] {
            let ids: Vec<u32> = (0..700).map(|id| id * 7 % 701).collect();
            let mut table = PositionTable::new();
            for round in 0..2 {
                for (at, &id) in ids.iter().enumerate() {
                    let earlier = table.insert_or_get(hash(id), at, |position| ids[position] == id)?;
                    assert_eq!(earlier, (round > 0).then_some(at));
                }
            }
            assert_eq!(table.get(hash(900), |position| ids[position] == 900), None);
            assert_eq!(table.get(hash(ids[5]), |position| ids[position] == ids[5]), Some(5));
            table.clear();
            assert_eq!(table.get(hash(ids[5]), |position| ids[position] == ids[5]), None);
        }
        Ok(())
    }
}
