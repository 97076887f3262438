//! A list that lasts very long is read in stretches, several at a time, none of which keeps its text: what is left of one
//! are its judged documents, the hashes of all, and the ids whose scores are tied with the neighbouring stretch.
//!
//! That is enough where scores never rise, ranks never fall, and no document occurs twice. Elsewhere the list has to be
//! read as a whole.

use crate::ids::distinct_hashes::{Hashes, all_differ};
use crate::judging::file::{Options, Piece};
use crate::judging::list_builder::{List, Lists};
use crate::judging::list_order::{Entry, Ties, by_id, suspicious};
use crate::judging::topic_index::UNJUDGED;
use crate::memory::{Refused, Room, copied};
use crate::text::fields::Field;

/// What is left of the rows of a list that stand in one window.
pub(crate) struct Stretch {
    topic: u32,
    name: Vec<u8>,
    first: Entry,
    last: Entry,
    /// Rows tied with the first one; they may be all.
    head: Tied,
    /// Judged documents of the rows between, and how many rows these are.
    middle: Vec<Placed>,
    between: usize,
    /// Rows tied with the last one, where they are not those of the head.
    tail: Tied,
    hashes: Hashes,
}

/// A judged document: its rank, and the ranks of the first and the last row of its score.
struct Placed {
    document: u32,
    rank: usize,
    first: usize,
    last: usize,
}

/// Rows of one score, with the text of their ids.
#[derive(Default)]
struct Tied {
    entries: Vec<Entry>,
    text: Vec<u8>,
}

impl Tied {
    fn add(&mut self, entries: &[Entry], data: &[u8]) -> Result<(), Refused> {
        self.entries.room(entries.len())?;
        for &entry in entries {
            let id = entry.id(data);
            self.text.room(id.len())?;
            self.entries.push(entry.moved(self.text.len()));
            self.text.extend_from_slice(id);
        }
        Ok(())
    }

    /// Place what is judged of these, which are all of their score, behind so many rows; these are none then.
    fn close(&mut self, ties: Ties, above: &mut usize, out: &mut Vec<Placed>) -> Result<(), Refused> {
        place(&mut self.entries, ties, &self.text, *above, out)?;
        *above += self.entries.len();
        self.entries.clear();
        self.text.clear();
        Ok(())
    }
}

/// Whether two rows are of one score, so that their ids decide.
fn tied(ties: Ties, a: &Entry, b: &Entry) -> bool {
    ties != Ties::File && a.key == b.key
}

/// Place the judged documents of rows of one score, which stand below `above` others.
fn place(entries: &mut [Entry], ties: Ties, data: &[u8], above: usize, out: &mut Vec<Placed>) -> Result<(), Refused> {
    if entries.iter().all(|entry| entry.pool == UNJUDGED) {
        return Ok(());
    }
    entries.sort_unstable_by(|a, b| by_id(ties, data, *a, *b));
    for (entry, rank) in entries.iter().zip(above + 1..).filter(|(entry, _)| entry.pool != UNJUDGED) {
        out.add(Placed { document: entry.pool, rank, first: above + 1, last: above + entries.len() })?;
    }
    Ok(())
}

/// Whether a row may stand below another one in a list that is read in stretches.
fn follows(ties: Ties, before: Entry, next: Entry) -> bool {
    next.key >= before.key && !suspicious(before, next) && !(ties == Ties::Rank && next.key == before.key)
}

impl Stretch {
    /// What is left of these rows; None where the list has to be read as a whole.
    pub(crate) fn new(
        topic: u32,
        name: &[u8],
        entries: &mut [Entry],
        hashes: &[u64],
        ties: Ties,
        data: &[u8],
    ) -> Result<Option<Stretch>, Refused> {
        let (Some(&first), Some(&last)) = (entries.first(), entries.last()) else { return Ok(None) };
        if !entries.windows(2).all(|pair| follows(ties, pair[0], pair[1])) {
            return Ok(None);
        }
        let (mut head, mut middle, mut tail) = (Tied::default(), Vec::new(), Tied::default());
        let rows = entries.len();
        let mut above = 0;
        for group in entries.chunk_by_mut(|a, b| tied(ties, a, b)) {
            if above == 0 {
                head.add(group, data)?;
            } else if above + group.len() == rows {
                tail.add(group, data)?;
            } else {
                place(group, ties, data, above - head.entries.len(), &mut middle)?;
            }
            above += group.len();
        }
        let between = rows - head.entries.len() - tail.entries.len();
        let (name, hashes) = (copied(name)?, Hashes::new(hashes)?);
        Ok(Some(Stretch { topic, name, first, last, head, middle, between, tail, hashes }))
    }
}

/// Pieces in which every stretch has become part of its list; None where some list has to be read as a whole.
pub(crate) fn joined(pieces: Vec<Piece>, options: Options) -> Result<Option<Vec<Piece>>, Refused> {
    let mut out = Vec::new();
    let mut open: Vec<Stretch> = Vec::new();
    for mut piece in pieces {
        let stretch = piece.stretch.take();
        let other = |stretch: &Stretch| open.first().is_some_and(|first| first.name != stretch.name);
        if stretch.as_ref().is_some_and(other) && !close(&mut open, options, &mut out)? {
            return Ok(None);
        }
        open.extend(stretch);
        if !piece.lists.lists.is_empty() && !close(&mut open, options, &mut out)? {
            return Ok(None);
        }
        out.add(piece)?;
    }
    Ok(close(&mut open, options, &mut out)?.then_some(out))
}

/// Add the list of these stretches, if there are any, as a piece without lines of its own; whether that can be done.
fn close(open: &mut Vec<Stretch>, options: Options, out: &mut Vec<Piece>) -> Result<bool, Refused> {
    let stretches = std::mem::take(open);
    let follow = |pair: &[Stretch]| follows(options.ties, pair[0].last, pair[1].first);
    let hashes: Vec<&Hashes> = stretches.iter().map(|stretch| &stretch.hashes).collect();
    if !stretches.windows(2).all(follow) || !all_differ(&hashes)? {
        return Ok(false);
    }
    if !stretches.is_empty() {
        out.add(list_of(stretches, options)?)?;
    }
    Ok(true)
}

fn list_of(stretches: Vec<Stretch>, options: Options) -> Result<Piece, Refused> {
    let ties = options.ties;
    let (topic, text) = (stretches[0].topic, copied(&stretches[0].name)?);
    let (mut open, mut above, mut placed) = (Tied::default(), 0, Vec::new());
    for stretch in stretches {
        let Stretch { head, middle, between, tail, .. } = stretch;
        if !open.entries.first().is_some_and(|entry| tied(ties, entry, &head.entries[0])) {
            open.close(ties, &mut above, &mut placed)?;
        }
        open.add(&head.entries, &head.text)?;
        if !tail.entries.is_empty() {
            open.close(ties, &mut above, &mut placed)?;
            placed.room(middle.len())?;
            placed.extend(middle.into_iter().map(|Placed { document, rank, first, last }| Placed {
                document,
                rank: above + rank,
                first: above + first,
                last: above + last,
            }));
            above += between;
            open = tail;
        }
    }
    open.close(ties, &mut above, &mut placed)?;
    let mut lists = Lists::default();
    let name = Field { start: 0, end: text.len() };
    lists.lists.add(List { topic, name, length: above, rows: placed.len(), contradicts: false })?;
    for Placed { document, rank, first, last } in placed {
        lists.rank.add(rank as u32)?;
        lists.document.add(document)?;
        if options.groups {
            lists.first.add(first as u32)?;
            lists.last.add(last as u32)?;
        }
    }
    Ok(Piece { text, lists, ..Piece::default() })
}
