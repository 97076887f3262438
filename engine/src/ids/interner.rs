//! Numbers for names, in order of first appearance.

use memchr::arch::all::is_equal;

use crate::error::lossy_string;
use crate::ids::hash::IdHasher;
use crate::ids::position_table::PositionTable;
use crate::memory::{AllocError, TryVec, try_collect_exact};

/// Numbers names in order of first appearance; the name before is known at once.
pub(crate) struct Interner<'a> {
    names: Vec<&'a [u8]>,
    numbers: PositionTable,
    hasher: IdHasher,
    last: usize,
}

impl<'a> Interner<'a> {
    pub(crate) fn new() -> Self {
        Interner { names: Vec::new(), numbers: PositionTable::new(), hasher: IdHasher::new(), last: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    #[inline(always)]
    pub(crate) fn number(&mut self, name: &'a [u8]) -> Result<u32, AllocError> {
        if self.names.get(self.last).is_none_or(|last| !is_equal(last, name)) {
            self.last = self.number_or_add(name)?;
        }
        Ok(self.last as u32)
    }

    fn number_or_add(&mut self, name: &'a [u8]) -> Result<usize, AllocError> {
        let (next, names) = (self.names.len(), &self.names);
        let known = self.numbers.insert_or_get(self.hasher.hash32(name), next, |at| is_equal(names[at], name))?;
        if known.is_none() {
            self.names.try_push(name)?;
        }
        Ok(known.unwrap_or(next))
    }

    pub(crate) fn texts(&self) -> Result<Vec<String>, AllocError> {
        try_collect_exact(self.names.iter().map(|name| lossy_string(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_as_they_first_appear() -> Result<(), AllocError> {
        let mut names = Interner::new();
        for (name, number) in [("b", 0), ("b", 0), ("a", 1), ("b", 0), ("", 2), ("a", 1)] {
            assert_eq!(names.number(name.as_bytes()), Ok(number), "{name}");
        }
        assert_eq!((names.len(), names.texts()?), (3, vec!["b".to_owned(), "a".to_owned(), String::new()]));
        Ok(())
    }
}
