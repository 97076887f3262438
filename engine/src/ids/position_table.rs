//! The set of ids met in a list.

use crate::memory::{AllocError, try_filled};

/// Ids by position, to notice one that occurs twice or to find one again. Slots: hash << 32 | position + 1.
pub(crate) struct PositionTable {
    slots: Vec<u64>,
    count: usize,
}

impl PositionTable {
    pub(crate) fn new() -> Self {
        PositionTable { slots: vec![0; 256], count: 0 }
    }

    pub(crate) fn clear(&mut self) {
        let wanted = (4 * self.count).next_power_of_two().max(256);
        if wanted < self.slots.len() {
            self.slots.truncate(wanted);
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
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                self.slots[at] = u64::from(hash) << 32 | (position as u64 + 1);
                self.count += 1;
                return Ok(None);
            }
            let earlier = (slot as u32 - 1) as usize;
            if (slot >> 32) as u32 == hash && equal(earlier) {
                return Ok(Some(earlier));
            }
            at = (at + 1) & mask;
        }
    }

    /// The position at which an id was noted.
    pub(crate) fn get(&self, hash: u32, equal: impl Fn(usize) -> bool) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            let earlier = (self.slots[at] as u32 - 1) as usize;
            if (self.slots[at] >> 32) as u32 == hash && equal(earlier) {
                return Some(earlier);
            }
            at = (at + 1) & mask;
        }
        None
    }

    #[cold]
    fn grow(&mut self) -> Result<(), AllocError> {
        let wider = try_filled(0, 4 * self.slots.len())?;
        let old = std::mem::replace(&mut self.slots, wider);
        let mask = self.slots.len() - 1;
        for slot in old.into_iter().filter(|&slot| slot != 0) {
            let mut at = (slot >> 32) as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
        Ok(())
    }
}
