//! Judgments: lines to pools.

use crate::hashing::{Hasher, same};
use crate::numbers::{finite, number};
use crate::problem::{Problem, shown, text};
use crate::room::{Refused, Room};
use crate::seen::Seen;
use crate::tokens::{Field, Lines, body, check_id};

/// Judgments by topic in order of first appearance, documents of a topic in id byte order.
#[derive(Default)]
pub struct Columns {
    pub topics: Vec<String>,
    pub starts: Vec<i64>,
    pub data: Vec<u8>,
    pub offsets: Vec<i64>,
    pub grade: Vec<f64>,
    pub document: Vec<i64>,
    pub iteration: Vec<i64>,
    pub label: Vec<f64>,
    pub iterations: Vec<String>,
    pub rows: usize,
    pub skipped: usize,
    pub fractional: Option<(usize, usize, String)>,
    pub repeated: Option<(usize, usize, String, String)>,
    pub several: Option<(usize, usize, String, String)>,
}

#[derive(Clone, Copy)]
struct Judgment {
    topic: u32,
    iteration: u32,
    document: Field,
    label: f64,
    line: usize,
}

/// Read judgments: four fields, or with `header` three after a line of names.
pub fn read(data: &[u8], header: bool) -> Result<Columns, Problem> {
    let mut out = Columns::default();
    let mut rows = parse(data, header, &mut out)?;
    if rows.is_empty() {
        return Err(Problem::new("empty", 0));
    }
    sort(&mut rows, data)?;
    let kept = without_repeats(&rows, data, &mut out)?;
    group(&kept, data, &mut out)?;
    Ok(out)
}

fn parse(data: &[u8], header: bool, out: &mut Columns) -> Result<Vec<Judgment>, Problem> {
    let mut lines = Lines::new(data);
    lines.at = body(data)?;
    let (mut topics, mut iterations) = (Names::new(), Names::new());
    let mut rows = Vec::new();
    let mut header_left = header;
    loop {
        let (topic, iteration, document, label) = if header {
            let mut fields = [Field::default(); 3];
            if !lines.next(&mut fields)? {
                break;
            }
            let [topic, document, label] = fields;
            if std::mem::take(&mut header_left) && number(label.of(data)).is_none() {
                lines.rows -= 1;
                lines.skipped += 1;
                continue;
            }
            (topic, b"0".as_slice(), document, label)
        } else {
            let mut fields = [Field::default(); 4];
            if !lines.next(&mut fields)? {
                break;
            }
            let [topic, iteration, document, label] = fields;
            (topic, iteration.of(data), document, label)
        };
        let line = lines.line;
        check_id(topic.of(data), "topic", line)?;
        check_id(iteration, "field 2", line)?;
        check_id(document.of(data), "document", line)?;
        let value = finite(label.of(data), "label", line)?;
        if value.fract() != 0.0 {
            out.fractional.get_or_insert_with(|| (0, line, shown(label.of(data)))).0 += 1;
        }
        rows.add(Judgment {
            topic: topics.number(topic.of(data))?,
            iteration: iterations.number(iteration)?,
            document,
            label: value,
            line,
        })?;
    }
    (out.rows, out.skipped) = (lines.rows, lines.skipped);
    (out.topics, out.iterations) = (topics.texts(), iterations.texts());
    Ok(rows)
}

/// By topic, document, iteration and line. Ids of a topic tend to begin alike, so most comparisons are of the eight
/// bytes behind what all of them share.
fn sort(rows: &mut [Judgment], data: &[u8]) -> Result<(), Refused> {
    rows.sort_unstable_by_key(|row| (row.topic, row.line));
    let mut keyed: Vec<(u64, Judgment)> = Vec::new();
    for topic in rows.chunk_by_mut(|a, b| a.topic == b.topic) {
        let shared = shared_start(topic, data);
        keyed.clear();
        keyed.room(topic.len())?;
        keyed.extend(topic.iter().map(|row| (head(&row.document.of(data)[shared..]), *row)));
        keyed.sort_unstable_by(|(head, row), (other_head, other)| {
            let rest = |row: &Judgment| (row.document.of(data), row.iteration, row.line);
            head.cmp(other_head).then_with(|| rest(row).cmp(&rest(other)))
        });
        for (place, (_, row)) in topic.iter_mut().zip(&keyed) {
            *place = *row;
        }
    }
    Ok(())
}

/// Bytes with which all documents begin.
fn shared_start(rows: &[Judgment], data: &[u8]) -> usize {
    let first = rows[0].document.of(data);
    rows.iter().fold(first.len(), |shared, row| {
        first[..shared].iter().zip(row.document.of(data)).take_while(|(a, b)| a == b).count()
    })
}

/// The first eight bytes as a number that sorts like them; what is shorter sorts first or alike.
fn head(bytes: &[u8]) -> u64 {
    let mut eight = [0; 8];
    let length = bytes.len().min(8);
    eight[..length].copy_from_slice(&bytes[..length]);
    u64::from_be_bytes(eight)
}

/// Numbers names in order of first appearance; the last one asked for is found at once.
struct Names<'a> {
    names: Vec<&'a [u8]>,
    numbers: Seen,
    hasher: Hasher,
    last: usize,
}

impl<'a> Names<'a> {
    fn new() -> Self {
        Names { names: Vec::new(), numbers: Seen::new(), hasher: Hasher::new(), last: 0 }
    }

    fn number(&mut self, name: &'a [u8]) -> Result<u32, Refused> {
        if self.names.get(self.last).is_none_or(|last| !same(last, name)) {
            let (next, names) = (self.names.len(), &self.names);
            let found = self.numbers.insert(self.hasher.of(name), next, |at| same(names[at], name))?;
            self.last = found.unwrap_or(next);
            if found.is_none() {
                self.names.add(name)?;
            }
        }
        Ok(self.last as u32)
    }

    fn texts(&self) -> Vec<String> {
        self.names.iter().map(|name| text(name)).collect()
    }
}

/// Drop judgments that say the same again, refuse those that contradict an earlier one; back to the order of lines
/// within each document.
fn without_repeats(rows: &[Judgment], data: &[u8], out: &mut Columns) -> Result<Vec<Judgment>, Problem> {
    let mut kept: Vec<Judgment> = Vec::new();
    kept.room(rows.len())?;
    let mut conflict: Option<(Judgment, Judgment)> = None;
    let mut repeat: Option<Judgment> = None;
    let mut count = 0;
    let same_document = |a: &Judgment, b: &Judgment| a.topic == b.topic && a.document.of(data) == b.document.of(data);
    for group in rows.chunk_by(same_document) {
        let from = kept.len();
        for same in group.chunk_by(|a, b| a.iteration == b.iteration) {
            kept.push(same[0]);
            for later in &same[1..] {
                if later.label != same[0].label {
                    if conflict.is_none_or(|(_, earlier)| later.line < earlier.line) {
                        conflict = Some((same[0], *later));
                    }
                } else {
                    count += 1;
                    if repeat.is_none_or(|earlier| later.line < earlier.line) {
                        repeat = Some(*later);
                    }
                }
            }
        }
        kept[from..].sort_unstable_by_key(|row| row.line);
    }
    if let Some((first, later)) = conflict {
        return Err(Problem {
            value: out.topics[later.topic as usize].clone(),
            more: text(later.document.of(data)),
            ..Problem::new("conflict", later.line).number(first.line)
        });
    }
    if let Some(row) = repeat {
        out.repeated = Some((count, row.line, out.topics[row.topic as usize].clone(), text(row.document.of(data))));
    }
    Ok(kept)
}

fn group(rows: &[Judgment], data: &[u8], out: &mut Columns) -> Result<(), Refused> {
    out.starts = vec![0; out.topics.len() + 1];
    out.offsets.push(0);
    for (row, judgments) in
        rows.chunk_by(|a, b| a.topic == b.topic && a.document.of(data) == b.document.of(data)).enumerate()
    {
        let first = judgments[0];
        out.starts[first.topic as usize + 1] += 1;
        let id = first.document.of(data);
        out.data.room(id.len())?;
        out.data.extend_from_slice(id);
        out.offsets.add(out.data.len() as i64)?;
        out.grade.add(judgments.iter().fold(f64::NEG_INFINITY, |largest, judgment| largest.max(judgment.label)))?;
        // What is left of a document after repeats are dropped has a value of field 2 of its own.
        if judgments.len() > 1 {
            let named = || (0, 0, out.topics[first.topic as usize].clone(), text(first.document.of(data)));
            let several = out.several.get_or_insert_with(named);
            several.0 += 1;
            several.1 += usize::from(judgments.iter().any(|judgment| judgment.label != first.label));
        }
        for judgment in judgments {
            out.document.add(row as i64)?;
            out.iteration.add(i64::from(judgment.iteration))?;
            out.label.add(judgment.label)?;
        }
    }
    for topic in 0..out.topics.len() {
        out.starts[topic + 1] += out.starts[topic];
    }
    Ok(())
}
