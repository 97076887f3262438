//! Lines of a run that begin and end with the bytes of one above: only what is between them is read.

use crate::hashing::same;
use crate::numbers::{Digits, decimal};
use crate::tokens::{Field, LONGEST_ID, token};

/// The line that others are like, as one that was read in full.
#[derive(Clone, Copy)]
pub struct Alike {
    pub topic: Field,
    /// From the topic up to the document.
    head: Field,
    /// From the tag to the end of the line.
    tail: Field,
}

/// What a line has between head and tail, and where the next line begins.
pub struct Between {
    pub document: Field,
    pub rank: i64,
    pub score: f64,
    pub next: usize,
}

impl Alike {
    /// What the next lines may be like; None of a line that nothing follows, or whose like would be a comment.
    #[inline(always)]
    pub fn new(data: &[u8], topic: Field, document: Field, tag: Field, next: usize) -> Option<Alike> {
        let head = Field { start: topic.start, end: document.start };
        (data[next - 1] == b'\n' && data[topic.start] != b'#').then_some(Alike {
            topic,
            head,
            tail: Field { start: tag.start, end: next },
        })
    }

    /// The line at `at`, if it is like this one and as plain as nearly all lines are: one blank after each field, a rank
    /// and a score of few digits. None says nothing of the line.
    #[inline(always)]
    pub fn between(&self, data: &[u8], at: usize) -> Option<Between> {
        let (head, tail) = (self.head.of(data), self.tail.of(data));
        let start = at + head.len();
        if !same(data.get(at..start)?, head) {
            return None;
        }
        let end = token(data, start)?;
        let rank = Digits::at(data, blank(data, end)?)?;
        let (score, behind) = decimal(data, blank(data, rank.end)?)?;
        let tag = blank(data, behind)?;
        let next = tag + tail.len();
        if end - start > LONGEST_ID || !same(data.get(tag..next)?, tail) {
            return None;
        }
        Some(Between { document: Field { start, end }, rank: rank.value as i64, score, next })
    }
}

/// What follows the blank at `at`.
#[inline(always)]
fn blank(data: &[u8], at: usize) -> Option<usize> {
    matches!(data.get(at), Some(b' ' | b'\t')).then_some(at + 1)
}

#[cfg(test)]
mod tests {
    use crate::run::{Layout, Reader};

    /// What is read of the second line, after a first one that it may be like; and the tag that differs.
    fn second(line: &str) -> (Option<(String, f64, i64)>, Option<usize>) {
        let text = format!("t Q0 first 1 2.5 tag\n{line}\nt Q0 more 3 0.5 tag\n");
        let mut reader = Reader::new(text.as_bytes(), Layout::Trec, false);
        assert!(matches!(reader.next(), Ok(Some(_))));
        let row = reader.next().ok().flatten();
        let found = row.map(|row| (text[row.document.start..row.document.end].to_owned(), row.score, row.rank));
        (found, reader.notes.other_tag.map(|(line, _)| line))
    }

    #[test]
    fn a_comment_is_one_after_a_topic_that_looks_like_it() {
        let mut reader = Reader::new(b" #t Q0 a 1 2.5 tag\n#t Q0 b 2 1.5 tag\n", Layout::Trec, false);
        assert!(matches!(reader.next(), Ok(Some(_))));
        assert!(matches!(reader.next(), Ok(None)));
        assert_eq!((reader.lines.rows, reader.lines.skipped), (1, 1));
    }

    #[test]
    fn plain_lines_and_others_are_read_alike() {
        for (line, document, score, rank) in [
            ("t Q0 a 2 -12.0625 tag", "a", -12.0625, 2),
            ("t Q0 a-long-document 12345678 7 tag", "a-long-document", 7.0, 12_345_678),
            ("t Q0 a 123456789 0.30000000000000004 tag", "a", 0.300_000_000_000_000_04, 123_456_789),
            ("t\tQ0\ta\t2\t.5\ttag", "a", 0.5, 2),
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
        ] {
            assert_eq!(second(line), (None, None), "{line}");
        }
    }
}
