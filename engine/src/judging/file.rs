//! From the bytes of a run to the ranks of its judged documents, never building the run.
//!
//! A file is cut at topic boundaries and the pieces are read side by side. Each list is finished as soon as its topic
//! ends; only judged documents are kept. Where a topic turns up again later, all of that is given up and the file is
//! read once more, whole, by `scattered`, which finds the lines of every topic first.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Problem;
use crate::ids::hash::same;
use crate::input::archive::reader::Failure;
use crate::input::parallel::{Part, read};
use crate::input::source::Text;
use crate::input::windows::Ends;
use crate::judging::interleaved::scattered;
use crate::judging::list_builder::{Gather, Lists, Open, earliest};
use crate::judging::list_order::{NO_RANK, Ties};
use crate::judging::long_list::{Stretch, joined};
use crate::judging::result::assemble;
use crate::judging::topic_index::{Index, UNJUDGED};
use crate::memory::{Refused, Room, copied, filled};
use crate::text::fields::{Field, LONGEST_ID, body};
use crate::trec::run_lines::{Layout, Notes, Reader, Row};

#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Options {
    pub layout: Layout,
    pub ties: Ties,
    pub keep_first: bool,
    pub groups: bool,
    pub threads: usize,
}

/// What was read of a piece of the file; lines count from the beginning of the piece.
#[derive(Default)]
pub(crate) struct Piece {
    /// What the fields below are of, once the piece is `closed`.
    pub text: Vec<u8>,
    pub lines: usize,
    pub rows: usize,
    pub skipped: usize,
    /// See `Lines`.
    pub commented: Option<(usize, usize, String)>,
    pub notes: Notes,
    /// Rows of a list that is read in stretches; they stand before those of `lists`.
    pub stretch: Option<Stretch>,
    pub lists: Lists,
    pub problem: Option<Problem>,
    pub scattered: bool,
    /// A list that is read in stretches has to be read as a whole.
    pub unfit: bool,
}

impl Piece {
    fn count(&mut self, reader: &Reader) {
        (self.lines, self.rows, self.skipped) = (reader.lines.line, reader.lines.rows, reader.lines.skipped);
        self.commented.clone_from(&reader.lines.commented);
    }

    /// Keep the names and tags themselves, for the bytes they were read from are replaced by those of another piece.
    pub(crate) fn closed(mut self, data: &[u8]) -> Result<Piece, Refused> {
        let text = &mut self.text;
        let mut keep = |field: &mut Field| {
            let start = text.len();
            text.room(field.end - field.start)?;
            text.extend_from_slice(field.of(data));
            *field = Field { start, end: text.len() };
            Ok(())
        };
        self.lists.lists.iter_mut().try_for_each(|list| keep(&mut list.name))?;
        let tags = [&mut self.notes.tag, &mut self.notes.other_tag];
        tags.into_iter().flatten().try_for_each(|(_, tag)| keep(tag))?;
        Ok(self)
    }
}

impl From<Refused> for Piece {
    fn from(refused: Refused) -> Piece {
        Piece { problem: Some(refused.into()), ..Piece::default() }
    }
}

/// The result: one list for each topic of the qrels.
#[derive(Default, Debug, PartialEq)]
pub(crate) struct Judged {
    pub length: Vec<i64>,
    pub starts: Vec<i64>,
    pub rank: Vec<i64>,
    pub document: Vec<i64>,
    pub first: Vec<i64>,
    pub last: Vec<i64>,
    pub facts: Facts,
}

#[derive(Default, Debug, PartialEq)]
pub(crate) struct Facts {
    pub rows: usize,
    pub skipped: usize,
    pub tag: String,
    pub other_tag: Option<(usize, String)>,
    pub rank_text: Option<(usize, usize, String)>,
    pub commented: Option<(usize, usize, String)>,
    pub contradicts: Option<(usize, String)>,
    pub unjudged: Option<(usize, Vec<String>)>,
    pub repeated: Option<(usize, usize, String, String)>,
}

/// Judge the text of a run; and its hash.
pub(crate) fn judge(text: Text, index: &Index, options: Options) -> Result<(Judged, String), Failure> {
    let (mut pieces, text) = pieces_of(text, index, options)?;
    let hash = if pieces.iter().any(|piece| piece.scattered) || topics_return(&pieces, index.len())? {
        let (data, hash) = text.whole()?;
        pieces = scattered(&data, index, options)?;
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

/// All pieces of a text. Where a list turns out to be unfit for being read in stretches, all is read again, that list as a
/// whole.
fn pieces_of(text: Text, index: &Index, options: Options) -> Result<(Vec<Piece>, Text), Failure> {
    let all = |text: Text, ends: Ends| {
        let give_up = AtomicBool::new(false);
        let work = |part: Part| piece(&part, index, options, &give_up);
        read(text, options.threads, ends, work, |piece| piece.scattered || piece.unfit || piece.problem.is_some())
    };
    let (pieces, text) = all(text, Ends::WithinTopics)?;
    if pieces.iter().any(|piece| piece.scattered) {
        return Ok((pieces, text));
    }
    let joined = if pieces.iter().any(|piece| piece.unfit) { None } else { joined(pieces, options)? };
    match joined {
        Some(pieces) => Ok((pieces, text)),
        None => all(text.again()?, Ends::AtTopics),
    }
}

/// The problem of the earliest line: pieces before one that failed were read to their end, so their lines are known.
/// Memory that was refused comes before all: where that happened, nothing is known.
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
fn topics_return(pieces: &[Piece], topics: usize) -> Result<bool, Refused> {
    if pieces.len() == 1 {
        return Ok(false);
    }
    let mut met = Met::new(topics)?;
    for piece in pieces {
        for list in &piece.lists.lists {
            let judged = (list.topic != UNJUDGED).then_some(list.topic);
            if met.again(judged, list.name.of(&piece.text))? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Topics that were met: judged ones by their numbers, others by their names.
struct Met<'a> {
    judged: Vec<bool>,
    others: HashSet<&'a [u8]>,
}

impl<'a> Met<'a> {
    fn new(topics: usize) -> Result<Met<'a>, Refused> {
        Ok(Met { judged: filled(false, topics)?, others: HashSet::new() })
    }

    /// Whether a topic was met before.
    fn again(&mut self, judged: Option<u32>, name: &'a [u8]) -> Result<bool, Refused> {
        let Some(number) = judged else {
            let others = &mut self.others;
            others.try_reserve(1).map_err(|_| Refused(2 * others.len() * size_of::<&[u8]>()))?;
            return Ok(!others.insert(name));
        };
        Ok(std::mem::replace(&mut self.judged[number as usize], true))
    }
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
    match lists_of(&mut reader, &mut gather, index, part.within, give_up) {
        Ok(scattered) => out.scattered = scattered,
        Err(problem) => out.problem = Some(problem),
    }
    if gather.unfit {
        give_up.store(true, Ordering::Relaxed);
    }
    (out.lists, out.stretch, out.unfit) = (gather.done, gather.stretch, gather.unfit);
    out.count(&reader);
    out.notes = reader.notes;
    out.closed(data).unwrap_or_else(Piece::from)
}

/// Gather what a reader reads, list by list, the first one as a stretch where it is one; whether a topic turned up again.
/// What stands above a problem is gathered.
fn lists_of<'a>(
    reader: &mut Reader<'a>,
    gather: &mut Gather,
    index: &Index,
    mut stretch: bool,
    give_up: &AtomicBool,
) -> Result<bool, Problem> {
    let data: &'a [u8] = reader.lines.data;
    let mut met = Met::new(index.len())?;
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
        let goes_on = |list: &Open| list.name.start == row.topic.start || same(list.name.of(data), row.topic.of(data));
        if !open.as_ref().is_some_and(goes_on) {
            if let Some(mut list) = open.take() {
                gather.close(&mut list)?;
            }
            let name = row.topic.of(data);
            let topic = index.topic(name);
            if met.again(topic, name)? {
                ended = Ok(true);
                give_up.store(true, Ordering::Relaxed);
            }
            if give_up.load(Ordering::Relaxed) {
                break;
            }
            open = Some(Open::new(index, topic, row.topic, std::mem::take(&mut stretch)));
        }
        if let Some(list) = &mut open {
            gather.add(list, &row, reader.lines.line)?;
        }
    }
    if let Some(mut list) = open {
        gather.close(&mut list)?;
    }
    ended
}

/// Judge a run in memory: rows of topic t are `starts[t]..starts[t + 1]`.
pub(crate) struct Memory<'a> {
    pub topics: &'a [String],
    pub starts: &'a [i64],
    pub data: &'a [u8],
    pub offsets: &'a [i64],
    pub score: &'a [f64],
    pub rank: Option<&'a [i64]>,
}

impl Memory<'_> {
    /// Whether all bounds lie inside the arrays they are bounds of.
    pub(crate) fn fits(&self) -> bool {
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

/// Judge a run in memory under each of some options, which differ in the order of ties: a document is looked up once.
pub(crate) fn judge_memory(run: &Memory, index: &Index, orders: &[Options]) -> Result<Vec<Judged>, Problem> {
    // Names follow the ids, so that both are fields of the same bytes.
    let mut data = copied(run.data)?;
    let mut names: Vec<Field> = Vec::new();
    names.room(run.topics.len())?;
    for topic in run.topics {
        data.room(topic.len())?;
        data.extend_from_slice(topic.as_bytes());
        names.push(Field { start: data.len() - topic.len(), end: data.len() });
    }
    let gather = |&Options { ties, keep_first, groups, .. }: &Options| Gather::new(&data, ties, keep_first, groups);
    let mut gathers: Vec<Gather> = orders.iter().map(gather).collect();
    let Some((first, others)) = gathers.split_first_mut() else { return Ok(Vec::new()) };
    for (&name, bounds) in names.iter().zip(run.starts.windows(2)) {
        let mut list = Open::new(index, index.topic(name.of(&data)), name, false);
        for at in bounds[0] as usize..bounds[1] as usize {
            let row = Row {
                topic: name,
                document: Field { start: run.offsets[at] as usize, end: run.offsets[at + 1] as usize },
                score: run.score[at],
                rank: run.rank.map_or(NO_RANK, |ranks| ranks[at]),
            };
            first.add(&mut list, &row, at + 1)?;
        }
        first.look_up(&mut list)?;
        for other in &mut *others {
            let same = other.take(first, &list)?;
            other.order(&same)?;
        }
        first.order(&list)?;
    }
    let judged = |(gather, &options): (Gather, &Options)| {
        let piece = Piece { rows: run.score.len(), lists: gather.done, ..Piece::default() };
        assemble(vec![piece.closed(&data)?], index.len(), options)
    };
    gathers.into_iter().zip(orders).map(judged).collect()
}
