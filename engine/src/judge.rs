//! From the bytes of a run to the ranks of its judged documents, never building the run.
//!
//! A file is cut at topic boundaries and the pieces are read side by side. Each list is finished as soon as its topic
//! ends; only judged documents are kept. Where a topic turns up again later, all of that is given up and the file is
//! read once more by `scattered`, which finds the lines of every topic first.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::lists::{Gather, List, Lists, Open, earliest};
use crate::lookup::{Hasher, Index, Seen, UNJUDGED, same};
use crate::order::{NO_RANK, Ties};
use crate::pieces::{cut, side_by_side};
use crate::problem::{Problem, text};
use crate::room::{Refused, Room, copied, filled};
use crate::run::{Layout, Notes, Reader, Row};
use crate::tokens::{Field, LONGEST_ID, Lines, body};

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
struct Piece {
    lines: usize,
    rows: usize,
    skipped: usize,
    notes: Notes,
    lists: Lists,
    problem: Option<Problem>,
    scattered: bool,
}

impl Piece {
    fn count(&mut self, reader: &Reader) {
        (self.lines, self.rows, self.skipped) = (reader.lines.line, reader.lines.rows, reader.lines.skipped);
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

/// Judge the text of a run.
pub fn judge(data: &[u8], index: &Index, options: Options) -> Result<Judged, Problem> {
    let start = body(data)?;
    let cuts = cut(data, start, options.threads);
    let give_up = AtomicBool::new(false);
    let read = |&(from, to): &(usize, usize)| piece(data, from, to, index, options, &give_up);
    let mut pieces = side_by_side(&cuts, options.threads, read);
    if pieces.iter().any(|piece| piece.scattered) || topics_return(&pieces, data) {
        pieces = scattered(data, start, index, options)?;
    }
    if let Some(problem) = first_problem(&pieces) {
        return Err(problem);
    }
    if pieces.iter().all(|piece| piece.rows == 0) {
        return Err(Problem::new("empty", 0));
    }
    assemble(data, pieces, index.len(), options)
}

/// The problem of the earliest line: pieces before one that failed were read to their end, so their lines are known.
fn first_problem(pieces: &[Piece]) -> Option<Problem> {
    let refused = pieces.iter().filter_map(|piece| piece.problem.as_ref()).find(|problem| problem.code == "memory");
    if refused.is_some() {
        return refused.cloned();
    }
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
fn topics_return(pieces: &[Piece], data: &[u8]) -> bool {
    let mut met = HashSet::new();
    pieces.len() > 1 && !pieces.iter().flat_map(|piece| &piece.lists.lists).all(|list| met.insert(list.name.of(data)))
}

/// Read one piece, finishing each list as its topic ends; gives up (`scattered`) where a topic turns up again.
fn piece(data: &[u8], from: usize, to: usize, index: &Index, options: Options, give_up: &AtomicBool) -> Piece {
    let mut out = Piece::default();
    let mut reader = Reader::new(&data[..to], options.layout, options.ties == Ties::Rank);
    reader.lines.at = from;
    let mut gather = Gather::new(data, options.ties, options.keep_first, options.groups);
    let done = lists_of(&mut reader, &mut gather, index, give_up);
    match done {
        Ok(scattered) => out.scattered = scattered,
        Err(problem) => out.problem = Some(problem),
    }
    out.lists = gather.done;
    out.count(&reader);
    out.notes = reader.notes;
    out
}

/// Gather what a reader reads, list by list; whether a topic turned up again. What stands above a problem is gathered.
fn lists_of<'a>(
    reader: &mut Reader<'a>,
    gather: &mut Gather,
    index: &Index,
    give_up: &AtomicBool,
) -> Result<bool, Problem> {
    let data: &'a [u8] = reader.lines.data;
    let mut judged = filled(false, index.len())?;
    let mut others = HashSet::new();
    let mut open: Option<Open> = None;
    let mut ended = Ok(false);
    loop {
        let row = match reader.next() {
            Ok(Some(row)) => row,
            Ok(None) => break,
            Err(problem) => {
                ended = Err(problem);
                break;
            }
        };
        if open.as_ref().is_none_or(|list| !same(list.name.of(data), row.topic.of(data))) {
            if let Some(list) = open.take() {
                gather.close(&list)?;
            }
            let name = row.topic.of(data);
            let topic = index.topic(name);
            let met = match topic {
                Some(number) => std::mem::replace(&mut judged[number as usize], true),
                None => {
                    others.try_reserve(1).map_err(|_| Refused(2 * others.len() * size_of::<&[u8]>()))?;
                    !others.insert(name)
                }
            };
            if met {
                ended = Ok(true);
                give_up.store(true, Ordering::Relaxed);
            }
            if give_up.load(Ordering::Relaxed) {
                break;
            }
            open = Some(Open::new(index, topic, row.topic));
        }
        if let Some(list) = &mut open {
            gather.add(list, &row, reader.lines.line)?;
        }
    }
    if let Some(list) = open {
        gather.close(&list)?;
    }
    ended
}

/// Where a line of a topic is.
#[derive(Clone, Copy, Default)]
struct Place {
    start: usize,
    line: usize,
}

/// Find the lines of every topic first, then read them topic by topic. The pieces count lines of the whole file, which
/// they say by having no lines of their own.
fn scattered(data: &[u8], start: usize, index: &Index, options: Options) -> Result<Vec<Piece>, Problem> {
    let mut lines = Lines::new(data);
    lines.at = start;
    let (names, bounds, places) = by_topic(&mut lines)?;
    let mut first = Reader::new(data, options.layout, false);
    (first.lines.at, first.lines.line) = places.first().map_or((data.len(), 0), |place| (place.start, place.line - 1));
    // What is wrong with the first line, if anything is, comes up again below.
    let _ = first.next();
    let share = names.len().div_ceil(4 * options.threads).max(1);
    let parts: Vec<_> = (0..names.len()).step_by(share).map(|from| from..(from + share).min(names.len())).collect();
    let mut pieces = side_by_side(&parts, options.threads, |part| {
        let mut reader = Reader::new(data, options.layout, options.ties == Ties::Rank);
        reader.notes.tag = first.notes.tag;
        let mut gather = Gather::new(data, options.ties, options.keep_first, options.groups);
        let mut out = Piece::default();
        for topic in part.clone() {
            let list = Open::new(index, index.topic(names[topic].of(data)), names[topic]);
            let places = &places[bounds[topic]..bounds[topic + 1]];
            if let Err(refused) = list_of(places, list, &mut reader, &mut gather, &mut out.problem) {
                out.problem = Some(refused.into());
                break;
            }
        }
        out.lists = gather.done;
        out.rows = reader.lines.rows;
        out.notes = reader.notes;
        out
    });
    if let Some(first) = pieces.first_mut() {
        first.skipped = lines.skipped;
    }
    Ok(pieces)
}

/// Gather the list of one topic from the places of its lines, as far as there is no problem.
fn list_of(
    places: &[Place],
    mut list: Open,
    reader: &mut Reader,
    gather: &mut Gather,
    problem: &mut Option<Problem>,
) -> Result<(), Refused> {
    for place in places {
        (reader.lines.at, reader.lines.line) = (place.start, place.line - 1);
        match reader.next() {
            Ok(Some(row)) => gather.add(&mut list, &row, place.line)?,
            Ok(None) => break,
            Err(found) => {
                earliest(problem, found);
                break;
            }
        }
    }
    gather.close(&list)
}

type ByTopic = (Vec<Field>, Vec<usize>, Vec<Place>);

/// Topics in order of first appearance, and the places of their lines: topic t has `places[bounds[t]..bounds[t + 1]]`.
fn by_topic(lines: &mut Lines) -> Result<ByTopic, Refused> {
    let data = lines.data;
    let (mut seen, hasher) = (Seen::new(), Hasher::new());
    let mut names: Vec<Field> = Vec::new();
    let mut found: Vec<(u32, Place)> = Vec::new();
    let mut bounds = vec![0];
    while let Some((start, topic)) = lines.next_topic() {
        let id = topic.of(data);
        let met = seen.insert(hasher.of(id), names.len(), |at| same(names[at].of(data), id))?;
        let number = met.unwrap_or(names.len());
        if number == names.len() {
            names.add(topic)?;
            bounds.add(0)?;
        }
        bounds[number + 1] += 1;
        found.add((number as u32, Place { start, line: lines.line }))?;
    }
    for topic in 0..names.len() {
        bounds[topic + 1] += bounds[topic];
    }
    let mut next = copied(&bounds)?;
    let mut places = filled(Place::default(), found.len())?;
    for (number, place) in found {
        places[next[number as usize]] = place;
        next[number as usize] += 1;
    }
    Ok((names, bounds, places))
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
    let mut data = copied(run.data)?;
    let mut names: Vec<Field> = Vec::new();
    names.room(run.topics.len())?;
    for topic in run.topics {
        data.room(topic.len())?;
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
            gather.add(&mut list, &row, at + 1)?;
        }
        gather.close(&list)?;
    }
    let piece = Piece { rows: run.score.len(), lists: gather.done, ..Piece::default() };
    assemble(&data, vec![piece], index.len(), options)
}

/// Put the lists of all pieces into the order of the qrels' topics, and add up what was noticed.
fn assemble(data: &[u8], pieces: Vec<Piece>, topics: usize, options: Options) -> Result<Judged, Problem> {
    let mut out = Judged { facts: facts(data, &pieces, options)?, ..Judged::default() };
    out.length = vec![0; topics];
    out.starts = vec![0; topics + 1];
    let lists = || pieces.iter().flat_map(|piece| &piece.lists.lists);
    for list in lists().filter(|list| list.topic != UNJUDGED) {
        out.length[list.topic as usize] = list.length as i64;
        out.starts[list.topic as usize + 1] = list.rows as i64;
    }
    for topic in 0..topics {
        out.starts[topic + 1] += out.starts[topic];
    }
    let total = out.starts[topics] as usize;
    (out.rank, out.document) = (filled(0, total)?, filled(0, total)?);
    if options.groups {
        (out.first, out.last) = (filled(0, total)?, filled(0, total)?);
    }
    for piece in &pieces {
        let mut from = 0;
        for list in &piece.lists.lists {
            let rows = from..from + list.rows;
            from = rows.end;
            if list.topic != UNJUDGED {
                let to = out.starts[list.topic as usize] as usize;
                for (offset, row) in rows.enumerate() {
                    out.rank[to + offset] = i64::from(piece.lists.rank[row]);
                    out.document[to + offset] = i64::from(piece.lists.document[row]);
                    if options.groups {
                        out.first[to + offset] = i64::from(piece.lists.first[row]);
                        out.last[to + offset] = i64::from(piece.lists.last[row]);
                    }
                }
            }
        }
    }
    Ok(out)
}

fn facts(data: &[u8], pieces: &[Piece], options: Options) -> Result<Facts, Problem> {
    let mut out = Facts::default();
    let (mut repeat, mut equal_ranks): (Option<Problem>, Option<Problem>) = (None, None);
    let (mut before, mut dropped) = (0, 0);
    let mut tag: Option<Field> = None;
    for piece in pieces {
        out.rows += piece.rows;
        out.skipped += piece.skipped;
        dropped += piece.lists.dropped;
        for (kept, found) in [(&mut repeat, &piece.lists.repeat), (&mut equal_ranks, &piece.lists.equal_ranks)] {
            if let Some(problem) = found {
                earliest(kept, Problem { line: problem.line + before, ..problem.clone() });
            }
        }
        if let Some((line, own)) = piece.notes.tag {
            let first = *tag.get_or_insert(own);
            let other = if first.of(data) == own.of(data) { piece.notes.other_tag } else { Some((line, own)) };
            if let Some((line, other)) = other.map(|(line, other)| (before + line, other))
                && out.other_tag.as_ref().is_none_or(|(earlier, _)| line < *earlier)
            {
                out.other_tag = Some((line, text(other.of(data))));
            }
        }
        if let Some((count, line, value)) = &piece.notes.rank_text {
            let earlier = out.rank_text.take();
            let total = count + earlier.as_ref().map_or(0, |(count, _, _)| *count);
            out.rank_text = match earlier {
                Some((_, first, value)) if first < before + line => Some((total, first, value)),
                _ => Some((total, before + line, value.clone())),
            };
        }
        before += piece.lines;
    }
    if let Some(problem) = repeat {
        if !options.keep_first {
            return Err(problem);
        }
        out.repeated = Some((dropped, problem.line, problem.value, problem.more));
    }
    if let Some(problem) = equal_ranks {
        return Err(problem);
    }
    out.tag = tag.map(|field| text(field.of(data))).unwrap_or_default();
    let name = |list: &List| text(list.name.of(data));
    let lists = || pieces.iter().flat_map(|piece| &piece.lists.lists);
    if let Some(first) = lists().find(|list| list.contradicts) {
        out.contradicts = Some((lists().filter(|list| list.contradicts).count(), name(first)));
    }
    let unjudged = || lists().filter(|list| list.topic == UNJUDGED);
    if unjudged().next().is_some() {
        out.unjudged = Some((unjudged().count(), unjudged().take(5).map(name).collect()));
    }
    Ok(out)
}

/// Split every line of a run into its six fields and do nothing with them: the floor for anything that reads runs.
pub fn count_fields(data: &[u8], threads: usize) -> (usize, usize) {
    let counts = side_by_side(&cut(data, 0, threads), threads, |&(from, to)| {
        let mut lines = crate::tokens::Lines::new(&data[..to]);
        lines.at = from;
        let mut fields = [Field::default(); 6];
        let mut bytes = 0;
        while let Ok(true) = lines.next(&mut fields) {
            bytes += fields.iter().map(|field| field.end - field.start).sum::<usize>();
        }
        (lines.rows, std::hint::black_box(bytes) - bytes + 6 * lines.rows)
    });
    counts.into_iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1))
}
