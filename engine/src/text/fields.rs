//! Bytes to fields: lines and blanks. Eight bytes at a time where it pays; a plain loop elsewhere.

use crate::error::{FileError, InputError, LineFault, preview};
use crate::notice::LineNotice;
use crate::text::parse_number::parse_float;

/// A field as a range of the data.
#[derive(Clone, Copy, Default)]
pub(crate) struct Field {
    pub start: usize,
    pub end: usize,
}

impl Field {
    #[inline(always)]
    pub(crate) fn slice(self, data: &[u8]) -> &[u8] {
        &data[self.start..self.end]
    }
}

/// Walks over the lines of `data`, skipping blank lines and comments.
pub(crate) struct FieldReader<'a> {
    pub data: &'a [u8],
    pub at: usize,
    /// Lines passed so far; the number of the current line, from 1.
    pub line: usize,
    pub rows: usize,
    pub skipped: usize,
    /// Comments that have the fields of a row: how many, the line of the first, its topic.
    pub commented: Option<LineNotice>,
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Where the byte order mark ends, or that the text is not UTF-8 at all.
pub(crate) fn skip_bom(data: &[u8]) -> Result<usize, FileError> {
    if data.starts_with(b"\xff\xfe\0\0") || data.starts_with(b"\0\0\xfe\xff") {
        return Err(FileError::Utf32);
    }
    if data.starts_with(b"\xff\xfe") || data.starts_with(b"\xfe\xff") {
        return Err(FileError::Utf16);
    }
    Ok(if data.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 })
}

impl<'a> FieldReader<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        FieldReader { data, at: 0, line: 0, rows: 0, skipped: 0, commented: None }
    }

    /// The fields of the next line that holds data; None at the end. A line must have exactly `N` fields.
    #[inline(always)]
    pub(crate) fn next_fields<const N: usize>(&mut self, fields: &mut [Field; N]) -> Result<bool, InputError> {
        let data = self.data;
        while self.at < data.len() {
            let start = self.at;
            self.line += 1;
            if data[start] == b'#' {
                self.at = line_after(data, start);
                self.skipped += 1;
                self.note_comment(start, N);
                continue;
            }
            let (count, flagged) = self.split(fields);
            if count == 0 {
                self.skipped += 1;
                continue;
            }
            self.rows += 1;
            if count != N || flagged {
                self.diagnose(start, count, N)?;
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Step behind a line that was read by somebody else, to where the next one begins.
    #[inline(always)]
    pub(crate) fn skip_to(&mut self, next: usize) {
        self.at = next;
        self.line += 1;
        self.rows += 1;
    }

    /// Step behind the next line that holds data: where it begins, and its first field. Rows have this number of fields.
    #[inline(always)]
    pub(crate) fn next_first_field(&mut self, wanted: usize) -> Option<(usize, Field)> {
        let data = self.data;
        while self.at < data.len() {
            let line = self.at;
            self.line += 1;
            self.at = line_after(data, line);
            let end =
                line + data[line..self.at].iter().rposition(|byte| !b" \t\r\n".contains(byte)).map_or(0, |at| at + 1);
            let blank = |byte: &u8| *byte == b' ' || *byte == b'\t';
            let start = line + data[line..end].iter().take_while(|byte| blank(byte)).count();
            if data[line] == b'#' || start >= end {
                self.skipped += 1;
                self.note_comment(line, wanted);
                continue;
            }
            self.rows += 1;
            let length = data[start..end].iter().position(blank).unwrap_or(end - start);
            return Some((line, Field { start, end: start + length }));
        }
        None
    }

    /// Note a comment, from `start` to `self.at`, that is a row but for its topic, which begins as comments do.
    #[cold]
    fn note_comment(&mut self, start: usize, wanted: usize) {
        let blank = |byte: &u8| *byte == b' ' || *byte == b'\t';
        let mut fields = trim_blanks(&self.data[start..self.at]).split(blank).filter(|field| !field.is_empty());
        let topic = fields.next().unwrap_or_default();
        let number_at = if wanted == 6 { 3 } else { wanted - 2 };
        let is_row = topic.len() > 1
            && fields.clone().count() == wanted - 1
            && fields.nth(number_at).is_some_and(|field| parse_float(field).is_some());
        if is_row {
            LineNotice::count(&mut self.commented, self.line, || preview(topic));
        }
    }

    /// Split the line at `self.at` and step behind it: (number of fields, whether it holds a NUL or non-ASCII byte).
    #[inline(always)]
    fn split<const N: usize>(&mut self, fields: &mut [Field; N]) -> (usize, bool) {
        let data = self.data;
        let mut at = self.at;
        let mut count = 0;
        let mut high = 0;
        let mut nul = false;
        let mut tail = None;
        loop {
            while at < data.len() && (data[at] == b' ' || data[at] == b'\t') {
                at += 1;
            }
            let start = at;
            loop {
                at = find_blank_or_control(data, at, &mut high);
                let Some(&byte) = data.get(at) else { break };
                if byte == b' ' || byte == b'\n' || byte == b'\t' {
                    break;
                }
                if byte == b'\r' && at >= *tail.get_or_insert_with(|| trailing_blank_start(data, at)) {
                    break;
                }
                nul |= byte == 0;
                at += 1;
            }
            if at > start {
                if count < N {
                    fields[count] = Field { start, end: at };
                }
                count += 1;
            }
            if at < data.len() {
                if data[at] == b' ' || data[at] == b'\t' {
                    continue;
                }
                self.at = if data[at] == b'\n' { at + 1 } else { line_after(data, at) };
            } else {
                self.at = at;
            }
            return (count, nul || high & HIGH != 0);
        }
    }

    /// Say what is wrong with the line from `start` to `self.at`, if anything is.
    #[cold]
    fn diagnose(&self, start: usize, count: usize, wanted: usize) -> Result<(), InputError> {
        let line = trim_blanks(&self.data[start..self.at]);
        if line.contains(&0) {
            return Err(LineFault::Nul.on(self.line));
        }
        if std::str::from_utf8(line).is_err() {
            return Err(LineFault::Utf8.on(self.line));
        }
        if count != wanted {
            return Err(LineFault::Fields { text: preview(line), count, expected: wanted }.on(self.line));
        }
        Ok(())
    }
}

/// Without the blanks that separate fields at either end.
fn trim_blanks(line: &[u8]) -> &[u8] {
    let blank = |byte: &u8| *byte == b' ' || *byte == b'\t';
    let start = line.iter().position(|byte| !blank(byte)).unwrap_or(line.len());
    let end = line.iter().rposition(|byte| !blank(byte) && *byte != b'\r' && *byte != b'\n').map_or(start, |at| at + 1);
    &line[start.min(end)..end]
}

/// First byte at or after `at` that is a blank or a control character, or the end; ORs what it passed into `high`.
#[inline(always)]
fn find_blank_or_control(data: &[u8], mut at: usize, high: &mut u64) -> usize {
    while let Some(eight) = data.get(at..at + 8) {
        let mut word = [0; 8];
        word.copy_from_slice(eight);
        let word = u64::from_le_bytes(word);
        let marks = word.wrapping_sub(0x21 * LOW) & !word & HIGH;
        if marks != 0 {
            let bits = marks.trailing_zeros() & !7;
            *high |= word & ((1u64 << bits) - 1);
            return at + (bits / 8) as usize;
        }
        *high |= word;
        at += 8;
    }
    while at < data.len() && data[at] > 0x20 {
        *high |= u64::from(data[at]);
        at += 1;
    }
    at
}

/// Where a plain field that begins at `start` ends; None where it is empty, has other than ASCII, or nothing follows it.
#[inline(always)]
pub(crate) fn plain_field_end(data: &[u8], start: usize) -> Option<usize> {
    let mut high = 0;
    let end = find_blank_or_control(data, start, &mut high);
    (end > start && end < data.len() && high & HIGH == 0).then_some(end)
}

/// Where the blanks and carriage returns that end the line of `at` begin.
#[cold]
fn trailing_blank_start(data: &[u8], at: usize) -> usize {
    let line = &data[at..line_after(data, at)];
    at + line.iter().rposition(|byte| !b" \t\r\n".contains(byte)).map_or(0, |last| last + 1)
}

/// Start of the line after the one that holds `at`.
pub(crate) fn line_after(data: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &data[at..]).map_or(data.len(), |offset| at + offset + 1)
}

/// Longest id in bytes.
pub(crate) const MAX_ID_BYTES: usize = 4096;

#[inline(always)]
pub(crate) fn check_id_length(value: &[u8], field: &'static str, line: usize) -> Result<(), InputError> {
    if value.len() > MAX_ID_BYTES {
        return Err(LineFault::LongId { id: preview(value), bytes: value.len(), field }.on(line));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Result<Vec<Vec<&str>>, InputError> {
        let mut lines = FieldReader::new(text.as_bytes());
        let mut fields = [Field::default(); 2];
        let mut out = Vec::new();
        while lines.next_fields(&mut fields)? {
            out.push(fields.iter().map(|field| &text[field.start..field.end]).collect());
        }
        Ok(out)
    }

    #[test]
    fn blanks_separate_and_line_ends_end() {
        let text = " a \t bcdefghijklmnop\r\n\n#x y\nc d \r";
        assert_eq!(split(text), Ok(vec![vec!["a", "bcdefghijklmnop"], vec!["c", "d"]]));
    }

    #[test]
    fn a_comment_with_the_fields_of_a_row_is_noted() {
        let mut lines = FieldReader::new(b"#1 0 d 1\n# 0 d 1\n#2 0 d x\n#3 0 d 1 1\n #4 0 d 1\n#5\t0 d 2 \r\n");
        let mut fields = [Field::default(); 4];
        while lines.next_fields(&mut fields).is_ok_and(|more| more) {}
        assert_eq!(lines.commented, Some(LineNotice { count: 2, line: 1, value: "#1".to_owned() }));
    }

    #[test]
    fn a_carriage_return_inside_a_line_is_part_of_its_field() {
        assert_eq!(split("a\rb c\r\r\n"), Ok(vec![vec!["a\rb", "c"]]));
    }

    #[test]
    fn a_wrong_number_of_fields_names_the_line() {
        let expected = LineFault::Fields { text: "a b c".to_owned(), count: 3, expected: 2 }.on(3);
        assert_eq!(split("a b\n\na b c\n"), Err(expected));
    }
}
