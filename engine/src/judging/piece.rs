//! What is read of a piece of a run, how a run is judged, and the result.

use crate::error::InputError;
use crate::judging::finished_list::FinishedLists;
use crate::judging::long_list::ListSegment;
use crate::memory::{AllocError, TryVec};
use crate::notice::{DocumentNotice, LineNotice, NamesNotice, TagNotice, TopicNotice};
use crate::ranking::judged_ranks::JudgedRanks;
use crate::ranking::tie_order::TieBreak;
use crate::text::fields::Field;
use crate::trec::run_lines::{Layout, RunNotes, RunReader};

#[derive(Clone, Copy)]
pub(crate) struct JudgeOptions {
    pub layout: Layout,
    pub ties: TieBreak,
    pub keep_first: bool,
    pub groups: bool,
    pub threads: usize,
}

/// What was read of a piece of the file; lines count from the beginning of the piece.
#[derive(Default)]
pub(crate) struct PieceResult {
    /// What the fields below are of, once the piece is `closed`.
    pub text: Vec<u8>,
    pub lines: usize,
    pub rows: usize,
    pub skipped: usize,
    /// See `Lines`.
    pub commented: Option<LineNotice>,
    pub notes: RunNotes,
    /// Rows of a list that is read in stretches; they stand before those of `lists`.
    pub segment: Option<ListSegment>,
    pub lists: FinishedLists,
    pub problem: Option<InputError>,
    pub interleaved: bool,
    /// A list that is read in stretches has to be read as a whole.
    pub needs_whole_list: bool,
}

impl PieceResult {
    pub(super) fn set_counts(&mut self, reader: &RunReader) {
        (self.lines, self.rows, self.skipped) = (reader.lines.line, reader.lines.rows, reader.lines.skipped);
        self.commented.clone_from(&reader.lines.commented);
    }

    /// Keep the names and tags themselves, for the bytes they were read from are replaced by those of another piece.
    pub(crate) fn detach_text(mut self, data: &[u8]) -> Result<PieceResult, AllocError> {
        let text = &mut self.text;
        let mut keep = |field: &mut Field| {
            let start = text.len();
            text.try_reserve_more(field.end - field.start)?;
            text.extend_from_slice(field.slice(data));
            *field = Field { start, end: text.len() };
            Ok(())
        };
        self.lists.lists.iter_mut().try_for_each(|list| keep(&mut list.name))?;
        let tags = [&mut self.notes.tag, &mut self.notes.other_tag];
        tags.into_iter().flatten().try_for_each(|found| keep(&mut found.tag))?;
        Ok(self)
    }
}

impl From<AllocError> for PieceResult {
    fn from(refused: AllocError) -> PieceResult {
        PieceResult { problem: Some(refused.into()), ..PieceResult::default() }
    }
}

/// The result: one list for each topic of the qrels.
#[derive(Default, Debug, PartialEq)]
pub(crate) struct JudgedRun {
    pub length: Vec<i64>,
    pub starts: Vec<i64>,
    pub judged: JudgedRanks<i64>,
    pub facts: RunFacts,
}

#[derive(Default, Debug, PartialEq)]
pub(crate) struct RunFacts {
    pub rows: usize,
    pub skipped: usize,
    pub tag: String,
    pub other_tag: Option<TagNotice>,
    pub rank_text: Option<LineNotice>,
    pub commented: Option<LineNotice>,
    pub contradicts: Option<TopicNotice>,
    pub unjudged: Option<NamesNotice>,
    pub duplicates: Option<DocumentNotice>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::finished_list::FinishedList;
    use crate::trec::run_lines::TagLine;

    #[test]
    fn names_and_tags_are_held_by_a_piece_that_is_done() -> Result<(), AllocError> {
        let data = b"..topic..tag..";
        let list = FinishedList { topic: 0, name: Field { start: 2, end: 7 }, length: 1, rows: 1, contradicts: false };
        let mut piece = PieceResult::default();
        piece.lists.lists.push(list);
        piece.notes.tag = Some(TagLine { line: 1, tag: Field { start: 9, end: 12 } });
        let piece = piece.detach_text(data)?;
        assert_eq!(piece.text, b"topictag");
        assert_eq!(piece.lists.lists[0].name.slice(&piece.text), b"topic");
        assert_eq!(piece.notes.tag.map(|first| first.tag.slice(&piece.text)), Some(&b"tag"[..]));
        Ok(())
    }
}
