//! From the bytes of a run to the ranks of its judged documents, never building the run.
//!
//! A file is cut at topic boundaries and the pieces are read side by side. Each list is finished as soon as its topic
//! ends; only judged documents are kept. Where a topic turns up again later, all of that is given up and the file is
//! read once more, whole, by `scattered`, which finds the lines of every topic first.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::assemble::assemble;
use crate::lists::{Gather, Lists, Open, earliest};
use crate::lookup::{Index, UNJUDGED, same};
use crate::order::{NO_RANK, Ties};
use crate::pieces::{Part, read};
use crate::problem::Problem;
use crate::run::{Layout, Notes, Reader, Row};
use crate::scattered::scattered;
use crate::source::Text;
use crate::tokens::{Field, LONGEST_ID, body};
use crate::unpack::Failure;

#[derive(Clone, Copy)]
pub struct Options {
    pub layout: Layout,
    pub ties: Ties,
    pub keep_first: bool,
    pub groups: bool,
    pub threads: usize,
}

/// What was read of a piece of the file; lines count from the beginning of the piece.
#[derive(Default)]
pub struct Piece {
    /// What the fields below are of, once the piece is `closed`.
    pub text: Vec<u8>,
    pub lines: usize,
    pub rows: usize,
    pub skipped: usize,
    pub notes: Notes,
    pub lists: Lists,
    pub problem: Option<Problem>,
    pub scattered: bool,
}

impl Piece {
    fn count(&mut self, reader: &Reader) {
        (self.lines, self.rows, self.skipped) = (reader.lines.line, reader.lines.rows, reader.lines.skipped);
    }

    /// Keep the names and tags themselves, for the bytes they were read from are replaced by those of another piece.
    pub fn closed(mut self, data: &[u8]) -> Piece {
        let text = &mut self.text;
        let mut keep = |field: &mut Field| {
            let start = text.len();
            text.extend_from_slice(field.of(data));
            *field = Field { start, end: text.len() };
        };
        self.lists.lists.iter_mut().for_each(|list| keep(&mut list.name));
        [&mut self.notes.tag, &mut self.notes.other_tag].into_iter().flatten().for_each(|(_, tag)| keep(tag));
        self
    }
}

/// The result: one list for each topic of the qrels.
#[derive(Default, Debug, PartialEq)]
pub struct Judged {
    pub length: Vec<i64>,
    pub starts: Vec<i64>,
    pub rank: Vec<i64>,
    pub document: Vec<i64>,
    pub first: Vec<i64>,
    pub last: Vec<i64>,
    pub facts: Facts,
}

#[derive(Default, Debug, PartialEq)]
pub struct Facts {
    pub rows: usize,
    pub skipped: usize,
    pub tag: String,
    pub other_tag: Option<(usize, String)>,
    pub rank_text: Option<(usize, usize, String)>,
    pub contradicts: Option<(usize, String)>,
    pub unjudged: Option<(usize, Vec<String>)>,
    pub repeated: Option<(usize, usize, String, String)>,
}

/// Judge the text of a run; and its hash.
pub fn judge(text: Text, index: &Index, options: Options) -> Result<(Judged, String), Failure> {
    let give_up = AtomicBool::new(false);
    let work = |part: Part| piece(&part, index, options, &give_up);
    let (mut pieces, text) = read(text, options.threads, work, |piece| piece.scattered || piece.problem.is_some())?;
    let hash = if pieces.iter().any(|piece| piece.scattered) || topics_return(&pieces, index.len()) {
        let (data, hash) = text.whole()?;
        pieces = scattered(&data, index, options);
        hash
    } else {
        text.end()?
    };
    if let Some(problem) = first_problem(&pieces) {
        return Err(problem.into());
    }
    if pieces.iter().all(|piece| piece.rows == 0) {
        return Err(Problem::new("empty", 0).into());
    }
    Ok((assemble(pieces, index.len(), options)?, hash))
}

/// The problem of the earliest line: pieces before one that failed were read to their end, so their lines are known.
fn first_problem(pieces: &[Piece]) -> Option<Problem> {
    let mut before = 0;
    let mut first = None;
    for piece in pieces {
        if let Some(problem) = &piece.problem {
            earliest(&mut first, Problem { line: problem.line + before, ..problem.clone() });
            if piece.lines > 0 {
                break;
            }
        }
        before += piece.lines;
    }
    first
}

/// Whether a topic has lists in several pieces.
fn topics_return(pieces: &[Piece], topics: usize) -> bool {
    if pieces.len() == 1 {
        return false;
    }
    let (mut judged, mut others) = (vec![false; topics], HashSet::new());
    let mut lists = pieces.iter().flat_map(|piece| piece.lists.lists.iter().map(move |list| (piece, list)));
    lists.any(|(piece, list)| match list.topic {
        UNJUDGED => !others.insert(list.name.of(&piece.text)),
        number => std::mem::replace(&mut judged[number as usize], true),
    })
}

/// Read one piece, finishing each list as its topic ends; gives up (`scattered`) where a topic turns up again.
fn piece(part: &Part, index: &Index, options: Options, give_up: &AtomicBool) -> Piece {
    let (mut out, data) = (Piece::default(), part.data);
    let mut reader = Reader::new(&data[..part.to], options.layout, options.ties == Ties::Rank);
    reader.lines.at = part.from;
    if part.number == 0 {
        match body(data) {
            Ok(start) => reader.lines.at = start,
            Err(problem) => return Piece { problem: Some(problem), ..out },
        }
    }
    let mut gather = Gather::new(data, options.ties, options.keep_first, options.groups);
    let mut judged = vec![false; index.len()];
    let mut others = HashSet::new();
    let mut open: Option<Open> = None;
    loop {
        let row = match reader.next() {
            Ok(Some(row)) => row,
            Ok(None) => break,
            Err(problem) => {
                out.problem = Some(problem);
                break;
            }
        };
        if open.as_ref().is_none_or(|list| !same(list.name.of(data), row.topic.of(data))) {
            if let Some(list) = open.take() {
                gather.close(&list);
            }
            let name = row.topic.of(data);
            let topic = index.topic(name);
            out.scattered = match topic {
                Some(number) => std::mem::replace(&mut judged[number as usize], true),
                None => !others.insert(name),
            };
            if out.scattered {
                give_up.store(true, Ordering::Relaxed);
            }
            if give_up.load(Ordering::Relaxed) {
                break;
            }
            open = Some(Open::new(index, topic, row.topic));
        }
        if let Some(list) = &mut open {
            gather.add(list, &row, reader.lines.line);
        }
    }
    if let Some(list) = open {
        gather.close(&list);
    }
    out.lists = gather.done;
    out.count(&reader);
    out.notes = reader.notes;
    out.closed(data)
}

/// Judge a run in memory: rows of topic t are `starts[t]..starts[t + 1]`.
pub struct Memory<'a> {
    pub topics: &'a [String],
    pub starts: &'a [i64],
    pub data: &'a [u8],
    pub offsets: &'a [i64],
    pub score: &'a [f64],
    pub rank: Option<&'a [i64]>,
}

impl Memory<'_> {
    /// Whether all bounds lie inside the arrays they are bounds of.
    pub fn fits(&self) -> bool {
        let rows = self.score.len();
        let rising = |bounds: &[i64], items: usize, end: usize| {
            bounds.len() == items + 1
                && bounds.first() == Some(&0)
                && bounds.is_sorted()
                && bounds.last().is_some_and(|&last| usize::try_from(last).is_ok_and(|last| last <= end))
        };
        rising(self.starts, self.topics.len(), rows)
            && rising(self.offsets, rows, self.data.len())
            && self.offsets.windows(2).all(|pair| pair[1] - pair[0] <= LONGEST_ID as i64)
            && self.rank.is_none_or(|ranks| ranks.len() == rows)
    }
}

pub fn judge_memory(run: &Memory, index: &Index, options: Options) -> Result<Judged, Problem> {
    // Names follow the ids, so that both are fields of the same bytes.
    let mut data = run.data.to_vec();
    let mut names = Vec::with_capacity(run.topics.len());
    for topic in run.topics {
        data.extend_from_slice(topic.as_bytes());
        names.push(Field { start: data.len() - topic.len(), end: data.len() });
    }
    let mut gather = Gather::new(&data, options.ties, options.keep_first, options.groups);
    for (&name, bounds) in names.iter().zip(run.starts.windows(2)) {
        let mut list = Open::new(index, index.topic(name.of(&data)), name);
        for at in bounds[0] as usize..bounds[1] as usize {
            let row = Row {
                topic: name,
                document: Field { start: run.offsets[at] as usize, end: run.offsets[at + 1] as usize },
                score: run.score[at],
                rank: run.rank.map_or(NO_RANK, |ranks| ranks[at]),
            };
            gather.add(&mut list, &row, at + 1);
        }
        gather.close(&list);
    }
    let piece = Piece { rows: run.score.len(), lists: gather.done, ..Piece::default() };
    assemble(vec![piece.closed(&data)], index.len(), options)
}
