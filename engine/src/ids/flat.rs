//! Ids in flat arrays from other forms: whole numbers, codes of a dictionary, and text that says itself where it is.

use crate::memory::{AllocError, TryVec};

/// Ids, one behind the other, and where each ends.
pub(crate) struct FlatIds {
    pub data: Vec<u8>,
    pub offsets: Vec<i64>,
}

impl FlatIds {
    fn new(rows: usize) -> Result<Self, AllocError> {
        let mut offsets = Vec::new();
        offsets.try_reserve_more(rows + 1)?;
        offsets.push(0);
        Ok(FlatIds { data: Vec::new(), offsets })
    }

    #[inline(always)]
    fn add(&mut self, id: &[u8]) -> Result<(), AllocError> {
        if self.data.capacity() - self.data.len() < id.len() {
            self.data.try_reserve_more(id.len())?;
        }
        self.data.extend_from_slice(id);
        self.offsets.try_push(self.data.len() as i64)
    }
}

/// Whole numbers as ids.
pub(crate) fn ints_to_ids(numbers: &[i64]) -> Result<FlatIds, AllocError> {
    let (mut flat, mut buffer) = (FlatIds::new(numbers.len())?, itoa::Buffer::new());
    numbers.iter().try_for_each(|&number| flat.add(buffer.format(number).as_bytes()))?;
    Ok(flat)
}

/// Ids, one behind the other; None where one is missing.
pub(crate) fn collect_ids<'a>(
    rows: usize,
    ids: impl Iterator<Item = Option<&'a [u8]>>,
) -> Result<Option<FlatIds>, AllocError> {
    let mut flat = FlatIds::new(rows)?;
    for id in ids {
        let Some(id) = id else { return Ok(None) };
        flat.add(id)?;
    }
    Ok(Some(flat))
}

/// The text between two offsets, where there is one.
#[inline(always)]
pub(crate) fn slice_at(data: &[u8], from: i64, to: i64) -> Option<&[u8]> {
    data.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)
}

/// Arrow's string view: length, then the text itself, or its beginning, the number of a buffer and an offset in it.
#[inline(always)]
pub(crate) fn resolve_string_view<'a>(view: &'a [u8], buffers: &[&'a [u8]]) -> Option<&'a [u8]> {
    let field = |at: usize| i32::from_le_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]);
    let length = usize::try_from(field(0)).ok()?;
    if length <= 12 {
        return Some(&view[4..4 + length]);
    }
    let (buffer, offset) = (usize::try_from(field(8)).ok()?, usize::try_from(field(12)).ok()?);
    buffers.get(buffer)?.get(offset..offset + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_hold_short_text_and_point_to_long_text() {
        let mut short = [0; 16];
        short[0] = 3;
        short[4..7].copy_from_slice(b"abc");
        let mut view = [0; 16];
        (view[0], view[8], view[12]) = (13, 1, 2);
        let buffer = b"xxabcdefghijklm";
        assert_eq!(resolve_string_view(&short, &[]), Some(&b"abc"[..]));
        assert_eq!(resolve_string_view(&view, &[b"", buffer]), Some(&b"abcdefghijklm"[..]));
        view[12] = 3;
        assert_eq!(resolve_string_view(&view, &[b"", buffer]), None, "it ends behind the buffer");
        assert_eq!(resolve_string_view(&view, &[b""]), None, "there is no such buffer");
    }
}
