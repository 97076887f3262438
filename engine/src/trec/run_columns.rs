//! A whole run in columns, for those who want the run itself and not only its judged ranks.

use crate::counting_sort::group_starts;
use crate::error::{DuplicateDocument, FileError, InputError, keep_earliest, lossy_string};
use crate::ids::column::{IdType, TextIds};
use crate::ids::hash::IdHasher;
use crate::ids::interner::Interner;
use crate::ids::position_table::PositionTable;
use crate::memory::{AllocError, TryVec, try_collect_exact};
use crate::notice::{DocumentNotice, LineNotice, TagNotice, TopicLineNotice};
use crate::ranking::NO_RANK;
use crate::text::fields::{Field, skip_bom};
use crate::trec::run_lines::{Layout, RunReader, TagLine};

/// Rows grouped by topic in order of first appearance, in file order within a topic.
#[derive(Default)]
pub(crate) struct RunColumns {
    pub topics: Vec<String>,
    pub starts: Vec<i64>,
    pub documents: TextIds,
    pub score: Vec<f64>,
    pub rank: Option<Vec<i64>>,
    pub rows: usize,
    pub skipped: usize,
    pub tag: String,
    pub other_tag: Option<TagNotice>,
    pub rank_text: Option<LineNotice>,
    pub commented: Option<LineNotice>,
    pub duplicates: Option<DocumentNotice>,
    pub interleaved: Option<TopicLineNotice>,
}

/// What is kept of a line until all are read: there may be many, so its topic is a number.
#[derive(Clone, Copy)]
struct RunLine {
    topic: u32,
    document: Field,
    score: f64,
    rank: i64,
    line: usize,
}

/// Read a run. A document that occurs twice in a topic is refused, or its line of largest score is kept.
pub(crate) fn read_run(data: &[u8], layout: Layout, keep_first: bool) -> Result<RunColumns, InputError> {
    let mut reader = RunReader::new(data, layout, false);
    reader.lines.at = skip_bom(data)?;
    let mut names = Interner::new();
    let mut out = RunColumns::default();
    let mut rows: Vec<RunLine> = Vec::new();
    while let Some(row) = reader.next_row()? {
        let (name, topics) = (row.topic.slice(data), names.len());
        let topic = names.number(name)?;
        if names.len() == topics && rows.last().is_some_and(|above| above.topic != topic) {
            let first = || TopicLineNotice { count: 0, line: reader.lines.line, topic: lossy_string(name) };
            out.interleaved.get_or_insert_with(first).count += 1;
        }
        rows.try_push(RunLine {
            topic,
            document: row.document,
            score: row.score,
            rank: row.rank,
            line: reader.lines.line,
        })?;
    }
    if rows.is_empty() {
        return Err(FileError::Empty.into());
    }
    out.topics = names.texts()?;
    if out.interleaved.is_some() {
        // As a stable sort would, which takes memory.
        rows.sort_unstable_by_key(|row| (row.topic, row.line));
    }
    if let Some(problem) = keep_best_duplicate(&mut rows, data, &out.topics)? {
        if !keep_first {
            return Err(problem.into());
        }
        out.duplicates = Some(problem.into_notice(reader.lines.rows - rows.len()));
    }
    let starts = group_starts(rows.iter().map(|row| row.topic as usize), out.topics.len())?;
    out.starts = try_collect_exact(starts.iter().map(|&start| start as i64))?;
    let bytes = rows.iter().map(|row| row.document.slice(data).len()).sum();
    out.documents = TextIds::with_capacity(rows.len(), bytes)?;
    rows.iter().try_for_each(|row| out.documents.try_push(row.document.slice(data)))?;
    out.score = try_collect_exact(rows.iter().map(|row| row.score))?;
    if rows.iter().all(|row| row.rank != NO_RANK) {
        out.rank = Some(try_collect_exact(rows.iter().map(|row| row.rank))?);
    }
    (out.rows, out.skipped) = (reader.lines.rows, reader.lines.skipped);
    out.commented = reader.lines.commented;
    let notes = reader.notes;
    out.tag = notes.tag.map(|first| lossy_string(first.tag.slice(data))).unwrap_or_default();
    out.other_tag =
        notes.other_tag.map(|TagLine { line, tag }| TagNotice { line, value: lossy_string(tag.slice(data)) });
    out.rank_text = notes.rank_text;
    Ok(out)
}

/// Keep, of each document of a topic, the row of largest score; the first repeat of the file, if there is any.
fn keep_best_duplicate(
    rows: &mut Vec<RunLine>,
    data: &[u8],
    topics: &[String],
) -> Result<Option<DuplicateDocument>, AllocError> {
    let (mut seen, hasher) = (PositionTable::new(), IdHasher::new());
    let (mut count, mut topic) = (0, None);
    let mut first = None;
    for at in 0..rows.len() {
        let row = rows[at];
        if topic.replace(row.topic) != Some(row.topic) {
            seen.clear();
        }
        let id = row.document.slice(data);
        let Some(earlier) = seen.insert_or_get(hasher.hash32(id), count, |at| rows[at].document.slice(data) == id)?
        else {
            rows[count] = row;
            count += 1;
            continue;
        };
        keep_earliest(&mut first, DuplicateDocument::new(row.line, topics[row.topic as usize].as_bytes(), id));
        if rows[earlier].score < row.score {
            rows[earlier] = row;
        }
    }
    rows.truncate(count);
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_grouped_by_topic_and_tags_noticed() -> Result<(), InputError> {
        let text = b"b Q0 x 1 5 s\na Q0 y 1 4 s\nb Q0 z 2 3 other\n";
        let run = read_run(text, Layout::Trec, false)?;
        assert_eq!((run.topics, run.starts), (vec!["b".into(), "a".into()], vec![0, 2, 3]));
        assert_eq!((run.documents.data, run.documents.offsets), (b"xzy".into(), vec![0, 1, 2, 3]));
        assert_eq!((run.score, run.rank), (vec![5.0, 3.0, 4.0], Some(vec![1, 2, 1])));
        assert_eq!((run.tag, run.other_tag), ("s".to_owned(), Some(TagNotice { line: 3, value: "other".to_owned() })));
        Ok(())
    }

    #[test]
    fn of_a_document_that_occurs_twice_the_line_of_largest_score_is_kept() {
        let text = b"t Q0 a 1 5 s\nt Q0 b 2 4 s\nt Q0 a 3 9 s\n";
        let refused = read_run(text, Layout::Trec, false).err();
        assert_eq!(refused, Some(DuplicateDocument::new(3, b"t", b"a").into()));
        let run = read_run(text, Layout::Trec, true);
        assert!(run.is_ok_and(|run| run.score == [9.0, 4.0] && run.duplicates.is_some_and(|notice| notice.count == 1)));
        assert_eq!(read_run(b"", Layout::Trec, true).err(), Some(FileError::Empty.into()));
    }
}
