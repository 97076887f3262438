//! Lines of a run that begin and end with the bytes of one above: only what is between them is read.

use memchr::arch::all::is_equal;

use crate::text::delimiters::{DelimiterMask, LANE_BYTES};
use crate::text::fields::{Field, MAX_ID_BYTES, plain_field_end};
use crate::text::parse_number::{parse_digits, parse_plain_decimal};

/// Bytes of text from which a field that begins among the first `WIDE` can be read eight at a time.
const LOOKAHEAD: usize = LANE_BYTES + 16;

/// The line that others are like, as one that was read in full.
#[derive(Clone, Copy)]
pub(crate) struct LineTemplate {
    pub topic: Field,
    /// From the topic up to the document.
    head: Field,
    /// From the tag to the end of the line.
    tail: Field,
}

/// What a line has between head and tail, and where the next line begins.
pub(crate) struct VariableFields {
    pub document: Field,
    pub rank: i64,
    pub score: f64,
    pub next: usize,
}

impl LineTemplate {
    /// What the next lines may be like; None of a line that nothing follows, or whose like would be a comment.
    #[inline(always)]
    pub(crate) fn new(data: &[u8], topic: Field, document: Field, tag: Field, next: usize) -> Option<LineTemplate> {
        let head = Field { start: topic.start, end: document.start };
        (data[next - 1] == b'\n' && data[topic.start] != b'#').then_some(LineTemplate {
            topic,
            head,
            tail: Field { start: tag.start, end: next },
        })
    }

    /// The line at `at`, if it is like this one and as plain as nearly all lines are: one blank after each field, a rank
    /// and a score of few digits. None says nothing of the line.
    #[inline(always)]
    pub(crate) fn match_line(&self, data: &[u8], at: usize) -> Option<VariableFields> {
        let (head, tail) = (self.head.slice(data), self.tail.slice(data));
        let start = at + head.len();
        if !is_equal(data.get(at..start)?, head) {
            return None;
        }
        let (mut from, mut text) = (start, lookahead(data, start)?);
        let mut ends = DelimiterMask::scan(text.first_chunk()?);
        if !ends.has_three() {
            // A long document is passed by, and what follows it is looked at.
            from = plain_field_end(data, start)?;
            text = lookahead(data, from)?;
            ends = DelimiterMask::scan(text.first_chunk()?);
        }
        let (first, second, third) = (ends.next(), ends.next(), ends.next());
        if third >= LANE_BYTES || !(is_blank_at(text, first) && is_blank_at(text, second) && is_blank_at(text, third)) {
            return None;
        }
        let end = from + first;
        let rank = parse_digits(text, first + 1, second - first - 1).filter(|_| second > first + 1)?;
        let score = parse_plain_decimal(text, second + 1, ends.decimal_point_after(second + 1), third)?;
        let tag = from + third + 1;
        let next = tag + tail.len();
        if end == start || end - start > MAX_ID_BYTES || !is_equal(data.get(tag..next)?, tail) {
            return None;
        }
        Some(VariableFields { document: Field { start, end }, rank: rank as i64, score, next })
    }
}

#[inline(always)]
fn lookahead(data: &[u8], at: usize) -> Option<&[u8; LOOKAHEAD]> {
    data.get(at..)?.first_chunk()
}

#[inline(always)]
fn is_blank_at(text: &[u8; LOOKAHEAD], at: usize) -> bool {
    matches!(text.get(at), Some(b' ' | b'\t'))
}

#[cfg(test)]
mod tests {
    use crate::trec::run_lines::{Layout, RunReader};

    const LONG: &str = "a-document-of-many-more-bytes-than-are-looked-at";

    type Read = (Option<(String, f64, i64)>, Option<usize>);

    /// What is read of the second line, after a first one that it may be like; and the tag that differs. As much follows as
    /// is wanted for reading it at once, and no more than a line.
    fn second(line: &str) -> Read {
        let rows = [10, 1].map(|lines| second_before(line, lines));
        assert_eq!(rows[0], rows[1], "{line}");
        rows[0].clone()
    }

    fn second_before(line: &str, lines: usize) -> Read {
        let text = format!("t Q0 first 1 2.5 tag\n{line}\n{}", "t Q0 more 3 0.5 tag\n".repeat(lines));
        let mut reader = RunReader::new(text.as_bytes(), Layout::Trec, false);
        assert!(matches!(reader.next_row(), Ok(Some(_))));
        let row = reader.next_row().ok().flatten();
        let rows = row.map(|row| (text[row.document.start..row.document.end].to_owned(), row.score, row.rank));
        (rows, reader.notes.other_tag.map(|other| other.line))
    }

    #[test]
    fn a_comment_is_one_after_a_topic_that_looks_like_it() {
        let mut reader = RunReader::new(b" #t Q0 a 1 2.5 tag\n#t Q0 b 2 1.5 tag\n", Layout::Trec, false);
        assert!(matches!(reader.next_row(), Ok(Some(_))));
        assert!(matches!(reader.next_row(), Ok(None)));
        assert_eq!((reader.lines.rows, reader.lines.skipped), (1, 1));
    }

    #[test]
    fn plain_lines_and_others_are_read_alike() {
        for (line, document, score, rank) in [
            ("t Q0 a 2 -12.0625 tag", "a", -12.0625, 2),
            ("t Q0 a-long-document 12345678 7 tag", "a-long-document", 7.0, 12_345_678),
            ("t Q0 a 123456789 0.30000000000000004 tag", "a", 0.300_000_000_000_000_04, 123_456_789),
            ("t\tQ0\ta\t2\t.5\ttag", "a", 0.5, 2),
            ("t Q0 a\t2 -0.5\ttag", "a", -0.5, 2),
            ("t Q0 a.b 2 5 tag", "a.b", 5.0, 2),
            ("t Q0 a 2 5. tag", "a", 5.0, 2),
            ("t Q0 a 2 12345678.12345678 tag", "a", 12_345_678.123_456_78, 2),
            ("t Q0 a 2 0.123456789012345 tag", "a", 0.123_456_789_012_345, 2),
            ("t Q0 a-document-of-thirty-one-bytes 2 5.25 tag", "a-document-of-thirty-one-bytes", 5.25, 2),
            ("t Q0 a-document-of-many-more-bytes-than-are-looked-at 2 5.25 tag", LONG, 5.25, 2),
            ("t Q0  a 2 1e-3 tag", "a", 0.001, 2),
            ("t Q0 a -2 +5. tag \r", "a", 5.0, -2),
            ("t Q0 \u{e9} 2 99999999.9999999999 tag", "\u{e9}", 99_999_999.999_999_999_9, 2),
            ("t Q0 a 2 9007199254740993 tag", "a", 9_007_199_254_740_992.0, 2),
        ] {
            assert_eq!(second(line), (Some((document.to_owned(), score, rank)), None), "{line}");
        }
        assert_eq!(second("t Q0 a 2 5 tags"), (Some(("a".to_owned(), 5.0, 2)), Some(2)));
        for line in [
            "t Q0 2 5 tag",
            "t Q0 a 2 5 tag more",
            "t Q0 a 2 5",
            "t Q0 a 2 5- tag",
            "t Q0 a 2 5. 1 tag",
            "t Q0 a 2 . tag",
            "t Q0 a 2 - tag",
            "t Q0 a 2 1.2.3 tag",
            "t Q0 a 2 1\x0b tag",
            "t Q0 a 2 1e9999999 tag",
            "t Q0 a 2 1.5e99999999 tag",
        ] {
            assert_eq!(second(line), (None, None), "{line}");
        }
    }
}
