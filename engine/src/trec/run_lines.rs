//! Lines of a run: topic, document, rank, score, tag.

use memchr::arch::all::is_equal;

use crate::error::{InputError, NumberField, preview};
use crate::notice::LineNotice;
use crate::ranking::NO_RANK;
use crate::text::fields::{Field, FieldReader, check_id_length};
use crate::text::parse_number::{parse_finite, parse_int};
use crate::trec::line_template::{LineTemplate, VariableFields};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// topic Q0 document rank score tag
    Trec,
    /// topic document rank
    Msmarco,
}

impl Layout {
    pub(crate) fn parse(word: &str) -> Option<Layout> {
        match word {
            "trec" | "beir" => Some(Layout::Trec),
            "msmarco" => Some(Layout::Msmarco),
            _ => None,
        }
    }

    /// Fields of a line.
    pub(crate) fn fields(self) -> usize {
        match self {
            Layout::Trec => 6,
            Layout::Msmarco => 3,
        }
    }
}

/// One line that holds a retrieved document.
#[derive(Clone, Copy)]
pub(crate) struct RunRow {
    pub topic: Field,
    pub document: Field,
    pub score: f64,
    pub rank: i64,
}

/// A tag, and the line it stands on.
#[derive(Clone, Copy)]
pub(crate) struct TagLine {
    pub line: usize,
    pub tag: Field,
}

/// What was noticed on the way.
#[derive(Default)]
pub(crate) struct RunNotes {
    /// The first one.
    pub tag: Option<TagLine>,
    /// The first one that differs from it.
    pub other_tag: Option<TagLine>,
    /// Ranks that are not whole numbers of at most 18 digits: how many lines, the first, its value.
    pub rank_text: Option<LineNotice>,
}

pub(crate) struct RunReader<'a> {
    pub lines: FieldReader<'a>,
    layout: Layout,
    need_rank: bool,
    pub notes: RunNotes,
    /// A line with the first tag that the next one may be like.
    template: Option<LineTemplate>,
}

impl<'a> RunReader<'a> {
    pub(crate) fn new(data: &'a [u8], layout: Layout, need_rank: bool) -> Self {
        RunReader { lines: FieldReader::new(data), layout, need_rank, notes: RunNotes::default(), template: None }
    }

    #[inline(always)]
    pub(crate) fn next_row(&mut self) -> Result<Option<RunRow>, InputError> {
        match self.layout {
            Layout::Trec => self.next_trec(),
            Layout::Msmarco => self.next_msmarco(),
        }
    }

    #[inline(always)]
    fn next_trec(&mut self) -> Result<Option<RunRow>, InputError> {
        if let Some(alike) = &self.template {
            if let Some(VariableFields { document, rank, score, next }) =
                alike.match_line(self.lines.data, self.lines.at)
            {
                self.lines.skip_to(next);
                return Ok(Some(RunRow { topic: alike.topic, document, score, rank }));
            }
        }
        self.parse_trec_line()
    }

    #[inline(always)]
    fn parse_trec_line(&mut self) -> Result<Option<RunRow>, InputError> {
        let mut fields = [Field::default(); 6];
        if !self.lines.next_fields(&mut fields)? {
            return Ok(None);
        }
        let (data, line) = (self.lines.data, self.lines.line);
        let [topic, _, document, rank, score, tag] = fields;
        check_id_length(topic.slice(data), "topic", line)?;
        check_id_length(document.slice(data), "document", line)?;
        let rank = self.parse_rank(rank.slice(data), line)?;
        let score = parse_finite(score.slice(data), NumberField::Score, line)?;
        let first = self.notes.tag.get_or_insert(TagLine { line, tag }).tag;
        if is_equal(first.slice(data), tag.slice(data)) {
            self.template = LineTemplate::new(data, topic, document, tag, self.lines.at);
        } else if self.notes.other_tag.is_none_or(|other| line < other.line) {
            self.notes.other_tag = Some(TagLine { line, tag });
        }
        Ok(Some(RunRow { topic, document, score, rank }))
    }

    fn next_msmarco(&mut self) -> Result<Option<RunRow>, InputError> {
        let mut fields = [Field::default(); 3];
        if !self.lines.next_fields(&mut fields)? {
            return Ok(None);
        }
        let (data, line) = (self.lines.data, self.lines.line);
        let [topic, document, rank] = fields;
        check_id_length(topic.slice(data), "topic", line)?;
        check_id_length(document.slice(data), "document", line)?;
        let Some(rank) = parse_int(rank.slice(data)) else {
            return Err(NumberField::Rank.not_a_number(line, rank.slice(data)));
        };
        Ok(Some(RunRow { topic, document, score: -(rank as f64), rank }))
    }

    #[inline(always)]
    fn parse_rank(&mut self, text: &[u8], line: usize) -> Result<i64, InputError> {
        if let Some(rank) = parse_int(text) {
            return Ok(rank);
        }
        if self.need_rank {
            return Err(NumberField::Rank.not_a_number(line, text));
        }
        match &mut self.notes.rank_text {
            Some(notice) => {
                notice.count += 1;
                if line < notice.line {
                    (notice.line, notice.value) = (line, preview(text));
                }
            }
            none => *none = Some(LineNotice { count: 1, line, value: preview(text) }),
        }
        Ok(NO_RANK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_msmarco_the_score_is_the_rank_below_zero() {
        let mut reader = RunReader::new(b"t d 3\nt e x\n", Layout::Msmarco, false);
        let row = reader.next_row();
        assert!(row.is_ok_and(|row| row.is_some_and(|row| (row.score, row.rank) == (-3.0, 3))));
        assert_eq!(reader.next_row().err(), Some(NumberField::Rank.not_a_number(2, b"x")));
    }

    #[test]
    fn ranks_that_are_no_whole_numbers_are_noted_or_refused() {
        let text = b"t Q0 a 1 5 s\nt Q0 b - 4 s\nt Q0 c 1.5 3 s\n";
        let mut reader = RunReader::new(text, Layout::Trec, false);
        let mut ranks = Vec::new();
        while let Ok(Some(row)) = reader.next_row() {
            ranks.push(row.rank);
        }
        assert_eq!(ranks, [1, NO_RANK, NO_RANK]);
        assert_eq!(reader.notes.rank_text, Some(LineNotice { count: 2, line: 2, value: "-".to_owned() }));
        let mut strict = RunReader::new(text, Layout::Trec, true);
        assert!(matches!(strict.next_row(), Ok(Some(_))));
        assert_eq!(strict.next_row().err(), Some(NumberField::Rank.not_a_number(2, b"-")));
    }
}
