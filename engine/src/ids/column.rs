//! Ids of rows in flat columns: whole numbers as they are, or text. Both are ordered as their text is.

use std::cmp::Ordering;

use memchr::arch::all::is_equal;

use crate::ids::hash::IdHasher;
use crate::memory::{AllocError, TryVec, try_collect_exact, try_to_vec};
use crate::text::fields::MAX_ID_BYTES;

/// A kind of ids, and a store of some.
pub(crate) trait IdType: Default + Send + Sync + 'static {
    type Slice<'a>: Copy + Send + Sync;
    type Id<'a>: Copy;

    fn id(rows: Self::Slice<'_>, row: usize) -> Self::Id<'_>;
    fn hash(hasher: IdHasher, id: Self::Id<'_>) -> u32;
    fn eq(a: Self::Id<'_>, b: Self::Id<'_>) -> bool;
    /// Of their text, byte by byte.
    fn cmp_as_text(a: Self::Id<'_>, b: Self::Id<'_>) -> Ordering;
    /// Bytes with which the text of two ids begins alike, at most `limit`; of ids that are compared by all of theirs, 0.
    fn shared_prefix(a: Self::Id<'_>, b: Self::Id<'_>, limit: usize) -> usize;
    /// A number by which most ids are ordered already that share some bytes: of two that differ, the smaller one is of the
    /// earlier text.
    fn sort_key(id: Self::Id<'_>, shared: usize) -> u64;
    fn to_text(id: Self::Id<'_>) -> String;

    fn as_slice(&self) -> Self::Slice<'_>;
    fn try_push(&mut self, id: Self::Id<'_>) -> Result<(), AllocError>;
    fn try_reserve_more(&mut self, more: usize) -> Result<(), AllocError>;
    fn clear(&mut self);

    /// The id as a number, where ids are numbers.
    fn as_int(id: Self::Id<'_>) -> Option<i64>;

    /// Finds an id again that is held among others.
    type StoredId: Copy + Send + 'static;
    fn store(others: &mut Vec<u8>, id: Self::Id<'_>) -> Result<Self::StoredId, AllocError>;
    fn load(others: &[u8], held: Self::StoredId) -> Self::Id<'_>;
}

/// Whole numbers.
#[derive(Default)]
pub(crate) struct IntIds(pub Vec<i64>);

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
fn decimal_sort_key(number: i64) -> (u64, u32) {
    let size = number.unsigned_abs();
    let digits = size.checked_ilog10().unwrap_or(0);
    (size * POWERS[18 - digits.min(18) as usize], digits)
}

impl IdType for IntIds {
    type Slice<'a> = &'a [i64];
    type Id<'a> = i64;

    #[inline(always)]
    fn id<'a>(rows: Self::Slice<'a>, row: usize) -> Self::Id<'a>
    where
        'a: 'a,
    {
        rows[row]
    }

    #[inline(always)]
    fn hash(hasher: IdHasher, id: i64) -> u32 {
        hasher.hash_int(id)
    }

    #[inline(always)]
    fn eq(a: i64, b: i64) -> bool {
        a == b
    }

    fn cmp_as_text(a: i64, b: i64) -> Ordering {
        // A minus is before every digit.
        (a >= 0).cmp(&(b >= 0)).then_with(|| decimal_sort_key(a).cmp(&decimal_sort_key(b)))
    }

    #[inline(always)]
    fn shared_prefix(_: i64, _: i64, _: usize) -> usize {
        0
    }

    #[inline(always)]
    fn sort_key(id: i64, _: usize) -> u64 {
        decimal_sort_key(id).0 >> 1 | u64::from(id >= 0) << 63
    }

    fn to_text(id: i64) -> String {
        id.to_string()
    }

    fn as_slice(&self) -> &[i64] {
        &self.0
    }

    #[inline(always)]
    fn try_push(&mut self, id: i64) -> Result<(), AllocError> {
        self.0.try_push(id)
    }

    fn try_reserve_more(&mut self, more: usize) -> Result<(), AllocError> {
        self.0.try_reserve_more(more)
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline(always)]
    fn as_int(id: i64) -> Option<i64> {
        Some(id)
    }

    type StoredId = i64;

    #[inline(always)]
    fn store(_: &mut Vec<u8>, id: i64) -> Result<i64, AllocError> {
        Ok(id)
    }

    #[inline(always)]
    fn load(_: &[u8], held: i64) -> i64 {
        held
    }
}

/// Text, one behind the other, and where each ends: all ids of the engine that stand in arrays are of this form, in which
/// Python and Arrow have them too.
#[derive(Debug, PartialEq)]
pub(crate) struct TextIds {
    pub data: Vec<u8>,
    pub offsets: Vec<i64>,
}

impl Default for TextIds {
    fn default() -> Self {
        TextIds { data: Vec::new(), offsets: vec![0] }
    }
}

impl TextIds {
    /// None yet, with room for this number of ids, and of bytes.
    pub(crate) fn with_capacity(rows: usize, bytes: usize) -> Result<TextIds, AllocError> {
        let mut out = TextIds::default();
        out.offsets.try_reserve_more(rows)?;
        out.data.try_reserve_more(bytes)?;
        Ok(out)
    }

    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    #[inline(always)]
    pub(crate) fn get(&self, row: usize) -> &[u8] {
        self.as_slice().get(row)
    }
}

/// The same where it lies in arrays of others: text i is `data[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextIdSlice<'a> {
    data: &'a [u8],
    offsets: &'a [i64],
}

impl<'a> TextIdSlice<'a> {
    /// None where data and offsets do not fit together, or something is not an id.
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
        sound.then_some(TextIdSlice { data, offsets })
    }

    /// The same without a look at the text: any bytes may be an id.
    pub(crate) fn of_any_bytes(data: &'a [u8], offsets: &'a [i64]) -> Option<Self> {
        let within = |&offset: &i64| usize::try_from(offset).is_ok_and(|offset| offset <= data.len());
        let fits = offsets.first().is_some_and(within) && offsets.last().is_some_and(within) && offsets.is_sorted();
        fits.then_some(TextIdSlice { data, offsets })
    }

    pub(crate) fn len(self) -> usize {
        self.offsets.len() - 1
    }

    #[inline(always)]
    pub(crate) fn get(self, row: usize) -> &'a [u8] {
        let (start, end) = self.range(row);
        &self.data[start..end]
    }

    /// Where an id begins and ends in the data.
    #[inline(always)]
    pub(crate) fn range(self, row: usize) -> (usize, usize) {
        (self.offsets[row] as usize, self.offsets[row + 1] as usize)
    }

    /// All bytes, of which some may be of no id.
    pub(crate) fn data(self) -> &'a [u8] {
        self.data
    }

    pub(crate) fn offsets(self) -> &'a [i64] {
        self.offsets
    }

    /// The bytes that are of ids.
    pub(crate) fn used(self) -> &'a [u8] {
        &self.data[self.offsets[0] as usize..self.offsets[self.len()] as usize]
    }

    pub(crate) fn begins_at_0(self) -> bool {
        self.offsets[0] == 0
    }

    /// Whether every byte is of an id.
    pub(crate) fn uses_all(self) -> bool {
        self.used().len() == self.data.len()
    }

    /// A copy of the ids alone.
    pub(crate) fn to_owned(self) -> Result<TextIds, AllocError> {
        let begin = self.offsets[0];
        let offsets = try_collect_exact(self.offsets.iter().map(|offset| offset - begin))?;
        Ok(TextIds { data: try_to_vec(self.used())?, offsets })
    }
}

impl IdType for TextIds {
    type Slice<'a> = TextIdSlice<'a>;
    type Id<'a> = &'a [u8];

    #[inline(always)]
    fn id<'a>(rows: Self::Slice<'a>, row: usize) -> Self::Id<'a>
    where
        'a: 'a,
    {
        rows.get(row)
    }

    #[inline(always)]
    fn hash(hasher: IdHasher, id: &[u8]) -> u32 {
        hasher.hash32(id)
    }

    #[inline(always)]
    fn eq(a: &[u8], b: &[u8]) -> bool {
        is_equal(a, b)
    }

    fn cmp_as_text(a: &[u8], b: &[u8]) -> Ordering {
        a.cmp(b)
    }

    #[inline(always)]
    fn shared_prefix(a: &[u8], b: &[u8], limit: usize) -> usize {
        a[..limit.min(a.len())].iter().zip(b).take_while(|(a, b)| a == b).count()
    }

    #[inline(always)]
    fn sort_key(id: &[u8], shared: usize) -> u64 {
        let (mut first, id) = ([0; 8], &id[shared..]);
        let count = id.len().min(8);
        first[..count].copy_from_slice(&id[..count]);
        u64::from_be_bytes(first)
    }

    fn to_text(id: &[u8]) -> String {
        String::from_utf8_lossy(id).into_owned()
    }

    fn as_slice(&self) -> TextIdSlice<'_> {
        TextIdSlice { data: &self.data, offsets: &self.offsets }
    }

    #[inline(always)]
    fn try_push(&mut self, id: &[u8]) -> Result<(), AllocError> {
        if self.data.capacity() - self.data.len() < id.len() {
            self.data.try_reserve_more(id.len())?;
        }
        self.data.extend_from_slice(id);
        self.offsets.try_push(self.data.len() as i64)
    }

    fn try_reserve_more(&mut self, more: usize) -> Result<(), AllocError> {
        self.offsets.try_reserve_more(more)
    }

    fn clear(&mut self) {
        self.data.clear();
        self.offsets.truncate(1);
    }

    #[inline(always)]
    fn as_int(_: &[u8]) -> Option<i64> {
        None
    }

    /// Where it begins, and its length.
    type StoredId = (u64, u32);

    #[inline(always)]
    fn store(others: &mut Vec<u8>, id: &[u8]) -> Result<(u64, u32), AllocError> {
        let begin = others.len();
        if others.capacity() - begin < id.len() {
            others.try_reserve_more(id.len())?;
        }
        others.extend_from_slice(id);
        Ok((begin as u64, id.len() as u32))
    }

    #[inline(always)]
    fn load(others: &[u8], (begin, length): (u64, u32)) -> &[u8] {
        &others[begin as usize..][..length as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_ordered_as_their_text() {
        let numbers = [0, 1, 9, 10, 19, 2, 100, 101, 99, i64::MAX, i64::MAX / 10, -1, -2, -10, -19, i64::MIN];
        for a in numbers {
            for b in numbers {
                assert_eq!(IntIds::cmp_as_text(a, b), a.to_string().cmp(&b.to_string()), "{a} {b}");
                if IntIds::sort_key(a, 0) < IntIds::sort_key(b, 0) {
                    assert_eq!(IntIds::cmp_as_text(a, b), Ordering::Less, "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn prefixes_of_text_never_contradict_its_order() {
        let texts = ["a", "b", "ab", "abcdefgh", "abcdefghi", "abcdefg", "abcdefgz", "\u{1}", "é", "zzzzzzzzz"];
        for a in texts.map(str::as_bytes) {
            for b in texts.map(str::as_bytes) {
                let shared = TextIds::shared_prefix(a, b, usize::MAX);
                assert!(a[..shared] == b[..shared] && a.get(shared) != b.get(shared) || a == b);
                for shared in 0..=shared {
                    let keys = [a, b].map(|id| TextIds::sort_key(id, shared));
                    assert!(keys[0] == keys[1] || keys[0].cmp(&keys[1]) == a.cmp(b));
                }
            }
        }
    }

    #[test]
    fn offsets_that_fall_or_overflow_are_no_text() {
        let data = b"abcdef";
        assert!(TextIdSlice::new(data, &[0, 2, 6]).is_some());
        for offsets in [&[0, 4, 2, 6][..], &[0, i64::MIN, 6], &[0, i64::MAX, 6], &[0, 7], &[-1, 6], &[]] {
            assert!(TextIdSlice::new(data, offsets).is_none(), "{offsets:?}");
            assert!(TextIdSlice::of_any_bytes(data, offsets).is_none(), "{offsets:?}");
        }
        assert!(TextIdSlice::new(data, &[0, 3, 3, 6]).is_none());
        assert!(TextIdSlice::of_any_bytes(data, &[0, 3, 3, 6]).is_some());
        assert!(TextIdSlice::new("éa".as_bytes(), &[0, 1, 3]).is_none());
        assert!(TextIdSlice::new("éa".as_bytes(), &[0, 2, 3]).is_some());
    }
}
