//! Ids of rows in flat columns: whole numbers as they are, or text. Both are ordered as their text is.

use std::cmp::Ordering;

use crate::ids::hash::{Hasher, same};
use crate::memory::{AllocError, TryVec};
use crate::text::fields::MAX_ID_BYTES;

/// A kind of ids, and a store of some.
pub(crate) trait Kind: Default + Send + Sync + 'static {
    type Rows<'a>: Copy + Send + Sync;
    type Id<'a>: Copy;

    fn id(rows: Self::Rows<'_>, row: usize) -> Self::Id<'_>;
    fn hash(hasher: Hasher, id: Self::Id<'_>) -> u32;
    fn same(one: Self::Id<'_>, other: Self::Id<'_>) -> bool;
    /// Of their text, byte by byte.
    fn order(one: Self::Id<'_>, other: Self::Id<'_>) -> Ordering;
    /// A number by which most ids are ordered already: of two that differ, the smaller one is of the earlier text.
    fn prefix(id: Self::Id<'_>) -> u64;
    fn text(id: Self::Id<'_>) -> String;

    fn rows(&self) -> Self::Rows<'_>;
    fn add(&mut self, id: Self::Id<'_>) -> Result<(), AllocError>;
    fn room(&mut self, more: usize) -> Result<(), AllocError>;
    fn clear(&mut self);

    /// The id as a number, where ids are numbers.
    fn number(id: Self::Id<'_>) -> Option<i64>;

    /// Finds an id again that is held among others.
    type Held: Copy + Send + 'static;
    fn hold(others: &mut Vec<u8>, id: Self::Id<'_>) -> Result<Self::Held, AllocError>;
    fn held(others: &[u8], held: Self::Held) -> Self::Id<'_>;
}

/// Whole numbers.
#[derive(Default)]
pub(crate) struct Whole(pub Vec<i64>);

const POWERS: [u64; 19] = {
    let mut powers = [1; 19];
    let mut at = 1;
    while at < 19 {
        powers[at] = 10 * powers[at - 1];
        at += 1;
    }
    powers
};

/// Digits, and the number with zeros put behind it until it has as many as the longest: what its text is ordered by.
#[inline(always)]
fn aligned(number: i64) -> (u64, u32) {
    let size = number.unsigned_abs();
    let digits = size.checked_ilog10().unwrap_or(0);
    (size * POWERS[18 - digits.min(18) as usize], digits)
}

impl Kind for Whole {
    type Rows<'a> = &'a [i64];
    type Id<'a> = i64;

    #[inline(always)]
    fn id<'a>(rows: Self::Rows<'a>, row: usize) -> Self::Id<'a>
    where
        'a: 'a,
    {
        rows[row]
    }

    #[inline(always)]
    fn hash(hasher: Hasher, id: i64) -> u32 {
        hasher.of_number(id)
    }

    #[inline(always)]
    fn same(one: i64, other: i64) -> bool {
        one == other
    }

    fn order(one: i64, other: i64) -> Ordering {
        // A minus is before every digit.
        (one >= 0).cmp(&(other >= 0)).then_with(|| aligned(one).cmp(&aligned(other)))
    }

    #[inline(always)]
    fn prefix(id: i64) -> u64 {
        aligned(id).0 >> 1 | u64::from(id >= 0) << 63
    }

    fn text(id: i64) -> String {
        id.to_string()
    }

    fn rows(&self) -> &[i64] {
        &self.0
    }

    #[inline(always)]
    fn add(&mut self, id: i64) -> Result<(), AllocError> {
        self.0.try_push(id)
    }

    fn room(&mut self, more: usize) -> Result<(), AllocError> {
        self.0.try_reserve_more(more)
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline(always)]
    fn number(id: i64) -> Option<i64> {
        Some(id)
    }

    type Held = i64;

    #[inline(always)]
    fn hold(_: &mut Vec<u8>, id: i64) -> Result<i64, AllocError> {
        Ok(id)
    }

    #[inline(always)]
    fn held(_: &[u8], held: i64) -> i64 {
        held
    }
}

/// Text, one behind the other, and where each begins.
pub(crate) struct Texts {
    pub data: Vec<u8>,
    pub offsets: Vec<i64>,
}

impl Default for Texts {
    fn default() -> Self {
        Texts { data: Vec::new(), offsets: vec![0] }
    }
}

/// Text i is `data[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Copy)]
pub(crate) struct TextRows<'a> {
    data: &'a [u8],
    offsets: &'a [i64],
}

impl<'a> TextRows<'a> {
    /// None where data and offsets do not fit together, or something is no id.
    pub(crate) fn new(data: &'a [u8], offsets: &'a [i64]) -> Option<Self> {
        let (first, last) = (usize::try_from(*offsets.first()?).ok()?, usize::try_from(*offsets.last()?).ok()?);
        let used = data.get(first..last)?;
        // All pairs are looked at, which takes a fraction of what ending with the first wrong one would.
        let lengths = offsets.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]).wrapping_sub(1) as u64);
        let sound = lengths.fold(true, |sound, length| sound & (length < MAX_ID_BYTES as u64))
            && memchr::memchr(0, used).is_none()
            && (used.is_ascii()
                || std::str::from_utf8(used)
                    .is_ok_and(|text| offsets.iter().all(|&at| text.is_char_boundary(at as usize - first))));
        sound.then_some(TextRows { data, offsets })
    }

    /// The same without a look at them, for who looks at few: a row that is none ends in a panic, and not in the wrong text.
    pub(crate) fn unseen(data: &'a [u8], offsets: &'a [i64]) -> Option<Self> {
        (!offsets.is_empty()).then_some(TextRows { data, offsets })
    }

    pub(crate) fn count(self) -> usize {
        self.offsets.len() - 1
    }
}

impl Kind for Texts {
    type Rows<'a> = TextRows<'a>;
    type Id<'a> = &'a [u8];

    #[inline(always)]
    fn id<'a>(rows: Self::Rows<'a>, row: usize) -> Self::Id<'a>
    where
        'a: 'a,
    {
        &rows.data[rows.offsets[row] as usize..rows.offsets[row + 1] as usize]
    }

    #[inline(always)]
    fn hash(hasher: Hasher, id: &[u8]) -> u32 {
        hasher.of(id)
    }

    #[inline(always)]
    fn same(one: &[u8], other: &[u8]) -> bool {
        same(one, other)
    }

    fn order(one: &[u8], other: &[u8]) -> Ordering {
        one.cmp(other)
    }

    #[inline(always)]
    fn prefix(id: &[u8]) -> u64 {
        let mut first = [0; 8];
        let count = id.len().min(8);
        first[..count].copy_from_slice(&id[..count]);
        u64::from_be_bytes(first)
    }

    fn text(id: &[u8]) -> String {
        String::from_utf8_lossy(id).into_owned()
    }

    fn rows(&self) -> TextRows<'_> {
        TextRows { data: &self.data, offsets: &self.offsets }
    }

    #[inline(always)]
    fn add(&mut self, id: &[u8]) -> Result<(), AllocError> {
        if self.data.capacity() - self.data.len() < id.len() {
            self.data.try_reserve_more(id.len())?;
        }
        self.data.extend_from_slice(id);
        self.offsets.try_push(self.data.len() as i64)
    }

    fn room(&mut self, more: usize) -> Result<(), AllocError> {
        self.offsets.try_reserve_more(more)
    }

    fn clear(&mut self) {
        self.data.clear();
        self.offsets.truncate(1);
    }

    #[inline(always)]
    fn number(_: &[u8]) -> Option<i64> {
        None
    }

    /// Where it begins, and its length.
    type Held = (u64, u32);

    #[inline(always)]
    fn hold(others: &mut Vec<u8>, id: &[u8]) -> Result<(u64, u32), AllocError> {
        let begin = others.len();
        if others.capacity() - begin < id.len() {
            others.try_reserve_more(id.len())?;
        }
        others.extend_from_slice(id);
        Ok((begin as u64, id.len() as u32))
    }

    #[inline(always)]
    fn held(others: &[u8], (begin, length): (u64, u32)) -> &[u8] {
        &others[begin as usize..][..length as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_ordered_as_their_text() {
        let numbers = [0, 1, 9, 10, 19, 2, 100, 101, 99, i64::MAX, i64::MAX / 10, -1, -2, -10, -19, i64::MIN];
        for one in numbers {
            for other in numbers {
                assert_eq!(Whole::order(one, other), one.to_string().cmp(&other.to_string()), "{one} {other}");
                if Whole::prefix(one) < Whole::prefix(other) {
                    assert_eq!(Whole::order(one, other), Ordering::Less, "{one} {other}");
                }
            }
        }
    }

    #[test]
    fn prefixes_of_text_never_contradict_its_order() {
        let texts = ["a", "b", "ab", "abcdefgh", "abcdefghi", "abcdefg", "abcdefgz", "\u{1}", "é", "zzzzzzzzz"];
        for one in texts.map(str::as_bytes) {
            for other in texts.map(str::as_bytes) {
                if Texts::prefix(one) != Texts::prefix(other) {
                    assert_eq!(Texts::prefix(one).cmp(&Texts::prefix(other)), one.cmp(other));
                }
            }
        }
    }

    #[test]
    fn offsets_that_fall_or_overflow_are_no_text() {
        let data = b"abcdef";
        assert!(TextRows::new(data, &[0, 2, 6]).is_some());
        for offsets in [&[0, 4, 2, 6][..], &[0, 3, 3, 6], &[0, i64::MIN, 6], &[0, i64::MAX, 6], &[0, 7]] {
            assert!(TextRows::new(data, offsets).is_none(), "{offsets:?}");
        }
        assert!(TextRows::new("éa".as_bytes(), &[0, 1, 3]).is_none());
        assert!(TextRows::new("éa".as_bytes(), &[0, 2, 3]).is_some());
    }
}
