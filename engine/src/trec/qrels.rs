//! Judgments: lines to pools.

use crate::error::{FileError, InputError, LineFault, NumberField, lossy_string, preview};
use crate::ids::column::{IdType, TextIds};
use crate::ids::interner::Interner;
use crate::ids::sort::IdSorter;
use crate::memory::{AllocError, TryVec};
use crate::notice::{DocumentNotice, LabelsNotice, LineNotice};
use crate::text::fields::{Field, FieldReader, check_id_length, skip_bom};
use crate::text::parse_number::{parse_finite, parse_float};

/// Judgments by topic in order of first appearance, documents of a topic in id byte order.
#[derive(Default)]
pub(crate) struct QrelsColumns {
    pub topics: Vec<String>,
    pub starts: Vec<i64>,
    pub documents: TextIds,
    pub grade: Vec<f64>,
    pub document: Vec<i64>,
    pub iteration: Vec<i64>,
    pub label: Vec<f64>,
    pub iterations: Vec<String>,
    pub rows: usize,
    pub skipped: usize,
    pub commented: Option<LineNotice>,
    pub fractional: Option<LineNotice>,
    pub duplicates: Option<DocumentNotice>,
    pub several: Option<LabelsNotice>,
}

#[derive(Clone, Copy)]
struct Judgment {
    topic: u32,
    iteration: u32,
    document: Field,
    label: f64,
    line: usize,
}

/// A judgment that contradicts an earlier one.
struct Conflict {
    earlier: Judgment,
    later: Judgment,
}

/// How many judgments say the same again, and the first of them.
struct RepeatedJudgments {
    count: usize,
    first: Judgment,
}

/// How many documents have several judgments, how many different ones, and the first of the documents.
struct SeveralLabels {
    count: usize,
    differing: usize,
    first: Judgment,
}

/// Read judgments: four fields, or with `header` three after a line of names.
pub(crate) fn read_qrels(data: &[u8], header: bool) -> Result<QrelsColumns, InputError> {
    if let Some(out) = QrelsBuilder::default().read(data, header)? {
        return Ok(out);
    }
    let buffer_all = QrelsBuilder { buffer_all: true, ..QrelsBuilder::default() };
    Ok(buffer_all.read(data, header)?.unwrap_or_default())
}

/// Judgments as they are read. A topic is put in order as soon as it ends, so that only its rows are kept; where a topic
/// turns up again, all are kept to the end (`buffer_all`).
#[derive(Default)]
struct QrelsBuilder {
    buffer_all: bool,
    rows: Vec<Judgment>,
    merged: Vec<Judgment>,
    out: QrelsColumns,
    conflict: Option<Conflict>,
    repeated: Option<RepeatedJudgments>,
    several: Option<SeveralLabels>,
}

impl QrelsBuilder {
    /// All judgments; None where a topic turned up again and rows were not kept.
    fn read(mut self, data: &[u8], header: bool) -> Result<Option<QrelsColumns>, InputError> {
        let mut lines = FieldReader::new(data);
        lines.at = skip_bom(data)?;
        let (mut topics, mut iterations) = (Interner::new(), Interner::new());
        let mut header_left = header;
        self.out.starts.push(0);
        while let Some((topic, iteration, document, label)) = next_judgment(&mut lines, header, &mut header_left)? {
            let line = lines.line;
            check_id_length(topic.slice(data), "topic", line)?;
            check_id_length(iteration, "field 2", line)?;
            check_id_length(document.slice(data), "document", line)?;
            let value = parse_finite(label.slice(data), NumberField::Label, line)?;
            if value.fract() != 0.0 {
                LineNotice::count(&mut self.out.fractional, line, || preview(label.slice(data)));
            }
            let topic = topics.number(topic.slice(data))?;
            if !self.buffer_all && self.rows.last().is_some_and(|above| above.topic != topic) {
                if (topic as usize) < self.out.starts.len() {
                    return Ok(None);
                }
                self.finish_rows(data)?;
            }
            let iteration = iterations.number(iteration)?;
            self.rows.try_push(Judgment { topic, iteration, document, label: value, line })?;
        }
        if self.rows.is_empty() {
            return Err(FileError::Empty.into());
        }
        self.finish_rows(data)?;
        (self.out.rows, self.out.skipped, self.out.commented) = (lines.rows, lines.skipped, lines.commented);
        (self.out.topics, self.out.iterations) = (topics.texts()?, iterations.texts()?);
        self.finish(data).map(Some)
    }

    /// Put the rows that were kept in order, and add what they say.
    fn finish_rows(&mut self, data: &[u8]) -> Result<(), AllocError> {
        let mut rows = std::mem::take(&mut self.rows);
        sort(&mut rows, data)?;
        for topic in rows.chunk_by(|a, b| a.topic == b.topic) {
            self.merge_repeats(topic, data)?;
            self.push_topic(data)?;
        }
        rows.clear();
        self.rows = rows;
        Ok(())
    }

    /// Of the rows of a topic, leave out those that say the same again, and note those that contradict an earlier one; back to the
    /// order of lines within each document.
    fn merge_repeats(&mut self, rows: &[Judgment], data: &[u8]) -> Result<(), AllocError> {
        let merged = &mut self.merged;
        merged.clear();
        merged.try_reserve_more(rows.len())?;
        for group in rows.chunk_by(|a, b| a.document.slice(data) == b.document.slice(data)) {
            let from = merged.len();
            for same in group.chunk_by(|a, b| a.iteration == b.iteration) {
                merged.push(same[0]);
                for later in &same[1..] {
                    if later.label == same[0].label {
                        let again = self.repeated.get_or_insert(RepeatedJudgments { count: 0, first: *later });
                        again.count += 1;
                        if later.line < again.first.line {
                            again.first = *later;
                        }
                    } else if self.conflict.as_ref().is_none_or(|conflict| later.line < conflict.later.line) {
                        self.conflict = Some(Conflict { earlier: same[0], later: *later });
                    }
                }
            }
            merged[from..].sort_unstable_by_key(|row| row.line);
        }
        Ok(())
    }

    /// Add the rows of a topic that were kept to the columns.
    fn push_topic(&mut self, data: &[u8]) -> Result<(), AllocError> {
        let out = &mut self.out;
        for judgments in self.merged.chunk_by(|a, b| a.document.slice(data) == b.document.slice(data)) {
            let (first, row) = (judgments[0], out.grade.len());
            out.documents.try_push(first.document.slice(data))?;
            out.grade
                .try_push(judgments.iter().fold(f64::NEG_INFINITY, |largest, judgment| largest.max(judgment.label)))?;
            // What is left of a document after repeats are dropped has a value of field 2 of its own.
            if judgments.len() > 1 {
                let several = self.several.get_or_insert(SeveralLabels { count: 0, differing: 0, first });
                several.count += 1;
                several.differing += usize::from(judgments.iter().any(|judgment| judgment.label != first.label));
            }
            for judgment in judgments {
                out.document.try_push(row as i64)?;
                out.iteration.try_push(i64::from(judgment.iteration))?;
                out.label.try_push(judgment.label)?;
            }
        }
        out.starts.try_push(out.grade.len() as i64)
    }

    /// The columns with what was noticed, or the problem.
    fn finish(self, data: &[u8]) -> Result<QrelsColumns, InputError> {
        let out = self.out;
        let named = |row: &Judgment| (out.topics[row.topic as usize].clone(), lossy_string(row.document.slice(data)));
        if let Some(Conflict { earlier, later }) = self.conflict {
            let (topic, document) = named(&later);
            return Err(LineFault::Conflict { topic, document, earlier: earlier.line }.on(later.line));
        }
        let duplicates = self.repeated.map(|RepeatedJudgments { count, first }| {
            let (topic, document) = named(&first);
            DocumentNotice { count, line: first.line, topic, document }
        });
        let several = self.several.map(|SeveralLabels { count, differing, first }| {
            let (topic, document) = named(&first);
            LabelsNotice { count, differing, topic, document }
        });
        Ok(QrelsColumns { duplicates, several, ..out })
    }
}

type QrelsFields<'a> = (Field, &'a [u8], Field, Field);

/// Topic, field 2, document and label of the next line; None at the end.
#[inline(always)]
fn next_judgment<'a>(
    lines: &mut FieldReader<'a>,
    header: bool,
    header_left: &mut bool,
) -> Result<Option<QrelsFields<'a>>, InputError> {
    let data = lines.data;
    if !header {
        let mut fields = [Field::default(); 4];
        let [topic, iteration, document, label] =
            if lines.next_fields(&mut fields)? { fields } else { return Ok(None) };
        return Ok(Some((topic, iteration.slice(data), document, label)));
    }
    loop {
        let mut fields = [Field::default(); 3];
        if !lines.next_fields(&mut fields)? {
            return Ok(None);
        }
        let [topic, document, label] = fields;
        if std::mem::take(header_left) && parse_float(label.slice(data)).is_none() {
            lines.rows -= 1;
            lines.skipped += 1;
            continue;
        }
        return Ok(Some((topic, b"0".as_slice(), document, label)));
    }
}

/// By topic, document, iteration and line.
fn sort(rows: &mut [Judgment], data: &[u8]) -> Result<(), AllocError> {
    rows.sort_unstable_by_key(|row| (row.topic, row.line));
    let mut sorter = IdSorter::new();
    let then = |a: &Judgment, b: &Judgment| (a.iteration, a.line).cmp(&(b.iteration, b.line));
    for topic in rows.chunk_by_mut(|a, b| a.topic == b.topic) {
        sorter.sort::<TextIds>(topic, |row| row.document.slice(data), then)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_stand_in_their_order_and_documents_in_that_of_their_ids() -> Result<(), InputError> {
        let lines = ["2 0 b 1", "2 0 a 2", "1 0 c 0", "2 x a 3", "2 0 b 1"];
        // Topics that turn up again are read alike.
        for order in [[0, 1, 3, 4, 2], [0, 1, 2, 3, 4]] {
            let text = order.map(|line| lines[line]).join("\n");
            let read = read_qrels(text.as_bytes(), false)?;
            assert_eq!(
                (read.topics, read.starts, read.documents.data),
                (vec!["2".into(), "1".into()], vec![0, 2, 3], b"abc".into())
            );
            assert_eq!((read.grade, read.label), (vec![3.0, 1.0, 0.0], vec![2.0, 3.0, 1.0, 0.0]));
            assert_eq!(
                read.duplicates.map(|notice| (notice.count, notice.topic + &notice.document)),
                Some((1, "2b".into()))
            );
            assert_eq!(read.several.map(|notice| (notice.count, notice.differing)), Some((1, 1)));
        }
        Ok(())
    }

    #[test]
    fn labels_that_contradict_each_other_are_refused() {
        let conflict = LineFault::Conflict { topic: "1".to_owned(), document: "a".to_owned(), earlier: 1 }.on(3);
        assert_eq!(read_qrels(b"1 0 a 1\n1 0 b 1\n1 0 a 2\n", false).err(), Some(conflict));
    }

    #[test]
    fn a_line_of_names_is_passed_over_where_there_may_be_one() {
        for text in ["query-id corpus-id score\n1 a 1\n", "1 a 1\n"] {
            assert!(read_qrels(text.as_bytes(), true).is_ok_and(|read| read.grade == [1.0]));
        }
    }
}
