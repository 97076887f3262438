//! Text ids from other forms: whole numbers, codes of a dictionary, and text that says itself where it is.

use crate::ids::column::{IdType, TextIds};
use crate::memory::AllocError;

/// Whole numbers as ids.
pub(crate) fn ints_to_ids(numbers: &[i64]) -> Result<TextIds, AllocError> {
    let (mut ids, mut buffer) = (TextIds::with_capacity(numbers.len(), 0)?, itoa::Buffer::new());
    numbers.iter().try_for_each(|&number| ids.try_push(buffer.format(number).as_bytes()))?;
    Ok(ids)
}

/// Ids, one behind the other; None where one is missing.
pub(crate) fn collect_ids<'a>(
    rows: usize,
    ids: impl Iterator<Item = Option<&'a [u8]>>,
) -> Result<Option<TextIds>, AllocError> {
    let mut out = TextIds::with_capacity(rows, 0)?;
    for id in ids {
        let Some(id) = id else { return Ok(None) };
        out.try_push(id)?;
    }
    Ok(Some(out))
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
