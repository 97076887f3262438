//! Runs as TREC text.

use std::cmp::Ordering;

use memchr::arch::all::is_equal;

use crate::checked::{Check, Checked};
use crate::ids::hash::IdHasher;
use crate::ids::position_table::PositionTable;
use crate::memory::{AllocError, TryVec};
use crate::text::format_number::write_repr;
use crate::trec::run_view::RunView;

/// Bytes after which a block of lines is handed over.
pub(crate) const BLOCK_BYTES: usize = 8 << 20;

/// A run, and the name of its system.
#[derive(Clone, Copy)]
pub(crate) struct RunRows<'a> {
    pub run: RunView<'a>,
    pub tag: &'a str,
}

/// What lines are made with, kept from topic to topic.
pub(crate) struct LineBuffer {
    pub seen: PositionTable,
    pub hasher: IdHasher,
    pub order: Vec<u32>,
    pub ranks: Vec<i64>,
}

/// Whether a word can stand in TREC text, and not be taken for another.
fn is_writable_word(word: &[u8]) -> bool {
    !word.is_empty() && !word.iter().any(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0))
}

impl Check for RunRows<'_> {
    /// Whether all rows and all bytes of ids are of a topic and of a row, and the tag is a word.
    fn fits(&self) -> bool {
        let (rows, run) = (self.run.score.len(), &self.run);
        run.fits()
            && run.starts.last().is_some_and(|&end| usize::try_from(end) == Ok(rows))
            && run.ids.uses_all()
            && rows < u32::MAX as usize
            && is_writable_word(self.tag.as_bytes())
    }
}

impl Checked<RunRows<'_>> {
    /// Add the lines of a topic; false where a word cannot stand in them, or a document occurs twice.
    pub(crate) fn write_topic(
        &self,
        topic: usize,
        desk: &mut LineBuffer,
        out: &mut Vec<u8>,
    ) -> Result<bool, AllocError> {
        let name = &self.run.topics[topic];
        if !is_writable_word(name.as_bytes()) || name.starts_with(['#', '\u{feff}']) {
            return Ok(false);
        }
        let (begin, end) = (self.run.starts[topic] as usize, self.run.starts[topic + 1] as usize);
        desk.seen.clear();
        for row in begin..end {
            let id = self.run.ids.get(row);
            if !is_writable_word(id) {
                return Ok(false);
            }
            let same_id = |at: usize| is_equal(self.run.ids.get(at), id);
            if desk.seen.insert_or_get(desk.hasher.hash32(id), row, same_id)?.is_some() {
                return Ok(false);
            }
        }
        self.rank_rows(begin, end, desk)?;
        let mut buffer = itoa::Buffer::new();
        for row in begin..end {
            let id = self.run.ids.get(row);
            out.try_reserve_more(name.len() + id.len() + self.tag.len() + 64)?;
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b" Q0 ");
            out.extend_from_slice(id);
            out.push(b' ');
            out.extend_from_slice(buffer.format(desk.ranks[row - begin]).as_bytes());
            out.push(b' ');
            write_repr(self.run.score[row], out);
            out.push(b' ');
            out.extend_from_slice(self.tag.as_bytes());
            out.push(b'\n');
        }
        Ok(true)
    }

    /// The ranks of a topic's rows: those given, or by score descending, then id descending.
    fn rank_rows(&self, begin: usize, end: usize, desk: &mut LineBuffer) -> Result<(), AllocError> {
        desk.ranks.clear();
        desk.ranks.try_reserve_more(end - begin)?;
        if let Some(rank) = self.run.rank {
            desk.ranks.extend_from_slice(&rank[begin..end]);
            return Ok(());
        }
        desk.order.clear();
        desk.order.try_reserve_more(end - begin)?;
        desk.order.extend(begin as u32..end as u32);
        desk.order.sort_unstable_by(|&a, &b| {
            let (a, b) = (a as usize, b as usize);
            let falling = self.run.score[b].partial_cmp(&self.run.score[a]).unwrap_or(Ordering::Equal);
            falling.then_with(|| self.run.ids.get(b).cmp(self.run.ids.get(a)))
        });
        desk.ranks.resize(end - begin, 0);
        for (rank, &row) in (1..).zip(&desk.order) {
            desk.ranks[row as usize - begin] = rank;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;
    use crate::ids::column::TextIdSlice;

    fn lines(ids: &str, rank: Option<&[i64]>) -> Option<String> {
        let topics = ["1".to_owned()];
        let offsets: Vec<i64> = (0..=ids.len() as i64).collect();
        let (starts, score) = ([0, ids.len() as i64], &[1.0, 2.5, 1.0][..ids.len()]);
        let ids = TextIdSlice::of_any_bytes(ids.as_bytes(), &offsets)?;
        let run = RunView { topics: &topics, starts: &starts, ids, score, rank };
        let rows = checked(RunRows { run, tag: "t" });
        let mut buffer =
            LineBuffer { seen: PositionTable::new(), hasher: IdHasher::new(), order: Vec::new(), ranks: Vec::new() };
        let mut out = Vec::new();
        let written = rows.write_topic(0, &mut buffer, &mut out);
        written.is_ok_and(|written| written).then(|| String::from_utf8_lossy(&out).into_owned())
    }

    #[test]
    fn ranks_follow_the_score_and_then_the_id_where_there_are_none() {
        let by_score = "1 Q0 a 3 1 t\n1 Q0 b 1 2.5 t\n1 Q0 c 2 1 t\n";
        assert_eq!(lines("abc", None).as_deref(), Some(by_score));
        assert_eq!(lines("ab", Some(&[7, 5])).as_deref(), Some("1 Q0 a 7 1 t\n1 Q0 b 5 2.5 t\n"));
    }

    #[test]
    fn a_word_that_no_line_can_hold_and_a_repeated_document_are_refused() {
        for ids in ["a b", "a\n", "aba", "\0"] {
            assert_eq!(lines(ids, None), None, "{ids:?}");
        }
    }
}
