//! A whole run in columns, for those who want the run itself and not only its judged ranks.

use std::collections::HashMap;

use crate::lookup::{Hasher, Seen};
use crate::order::{NO_RANK, repeated};
use crate::problem::{Problem, text};
use crate::room::{Refused, Room, gathered};
use crate::run::{Layout, Reader, Row};
use crate::tokens::body;

/// Rows grouped by topic in order of first appearance, in file order within a topic.
#[derive(Default)]
pub struct Columns {
    pub topics: Vec<String>,
    pub starts: Vec<i64>,
    pub data: Vec<u8>,
    pub offsets: Vec<i64>,
    pub score: Vec<f64>,
    pub rank: Option<Vec<i64>>,
    pub rows: usize,
    pub skipped: usize,
    pub tag: String,
    pub other_tag: Option<(usize, String)>,
    pub rank_text: Option<(usize, usize, String)>,
    pub repeated: Option<(usize, usize, String, String)>,
    pub returns: Option<(usize, usize, String)>,
}

/// Read a run. A document that occurs twice in a topic is refused, or its line of largest score is kept.
pub fn read(data: &[u8], layout: Layout, keep_first: bool) -> Result<Columns, Problem> {
    let mut reader = Reader::new(data, layout, false);
    reader.lines.at = body(data)?;
    let mut number_of: HashMap<&[u8], usize> = HashMap::new();
    let mut out = Columns::default();
    let mut rows: Vec<(usize, Row, usize)> = Vec::new();
    let mut before = None;
    while let Some(row) = reader.next()? {
        let name = row.topic.of(data);
        let next = out.topics.len();
        let number = *number_of.entry(name).or_insert(next);
        if number == next {
            out.topics.push(text(name));
        } else if before != Some(number) {
            out.returns.get_or_insert_with(|| (0, reader.lines.line, text(name))).0 += 1;
        }
        before = Some(number);
        rows.add((number, row, reader.lines.line))?;
    }
    if rows.is_empty() {
        return Err(Problem::new("empty", 0));
    }
    // As a stable sort would, which takes memory.
    rows.sort_unstable_by_key(|(number, _, line)| (*number, *line));
    if let Some(problem) = drop_repeats(&mut rows, data)? {
        if !keep_first {
            return Err(problem);
        }
        out.repeated = Some((reader.lines.rows - rows.len(), problem.line, problem.value, problem.more));
    }
    out.starts = vec![0; out.topics.len() + 1];
    out.offsets.room(rows.len() + 1)?;
    out.offsets.push(0);
    out.data.room(rows.iter().map(|(_, row, _)| row.document.of(data).len()).sum())?;
    for (number, row, _) in &rows {
        out.starts[number + 1] += 1;
        out.data.extend_from_slice(row.document.of(data));
        out.offsets.push(out.data.len() as i64);
    }
    for topic in 0..out.topics.len() {
        out.starts[topic + 1] += out.starts[topic];
    }
    out.score = gathered(rows.iter().map(|(_, row, _)| row.score))?;
    if rows.iter().all(|(_, row, _)| row.rank != NO_RANK) {
        out.rank = Some(gathered(rows.iter().map(|(_, row, _)| row.rank))?);
    }
    (out.rows, out.skipped) = (reader.lines.rows, reader.lines.skipped);
    let notes = reader.notes;
    out.tag = notes.tag.map(|(_, field)| text(field.of(data))).unwrap_or_default();
    out.other_tag = notes.other_tag.map(|(line, field)| (line, text(field.of(data))));
    out.rank_text = notes.rank_text;
    Ok(out)
}

/// Keep, of each document of a topic, the row of largest score; the first repeat of the file, if there is any.
fn drop_repeats(rows: &mut Vec<(usize, Row, usize)>, data: &[u8]) -> Result<Option<Problem>, Refused> {
    let (mut seen, hasher) = (Seen::new(), Hasher::new());
    let mut kept: Vec<(usize, Row, usize)> = Vec::new();
    kept.room(rows.len())?;
    let mut first: Option<Problem> = None;
    for group in rows.chunk_by(|a, b| a.0 == b.0) {
        seen.clear();
        for row in group {
            let id = row.1.document.of(data);
            let found = seen.insert(hasher.of(id), kept.len(), |at| kept[at].1.document.of(data) == id)?;
            let Some(earlier) = found else {
                kept.push(*row);
                continue;
            };
            if first.as_ref().is_none_or(|problem| row.2 < problem.line) {
                first = Some(repeated(row.2, row.1.topic.of(data), id));
            }
            if kept[earlier].1.score < row.1.score {
                kept[earlier] = *row;
            }
        }
    }
    *rows = kept;
    Ok(first)
}
