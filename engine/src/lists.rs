//! Lists: what is gathered of a topic while its rows are read, and what is left of it when it is finished.

use crate::hashing::{Hasher, narrow, same};
use crate::lookup::{Index, Table, UNJUDGED};
use crate::order::{Entry, Finished, State, Ties, counted, finish, repeated};
use crate::problem::Problem;
use crate::room::{Refused, Room};
use crate::run::Row;
use crate::seen::Seen;
use crate::stretches::Stretch;
use crate::tokens::Field;

/// One finished list.
pub struct List {
    /// Number of the topic in the qrels, `UNJUDGED` where they do not hold it.
    pub topic: u32,
    pub name: Field,
    pub length: usize,
    pub rows: usize,
    pub contradicts: bool,
}

/// Finished lists in order of first appearance; the judged documents of all, one list after the other.
#[derive(Default)]
pub struct Lists {
    pub lists: Vec<List>,
    pub rank: Vec<u32>,
    pub document: Vec<u32>,
    /// First and last rank of the documents whose score equals that of each judged document; empty if not wanted.
    pub first: Vec<u32>,
    pub last: Vec<u32>,
    pub dropped: usize,
    pub repeat: Option<Problem>,
    pub equal_ranks: Option<Problem>,
}

/// A list while its rows are read.
pub struct Open<'a> {
    topic: u32,
    pub name: Field,
    table: Option<Table<'a>>,
    far: bool,
    /// It began above, or goes on below, what is read here.
    stretch: bool,
    state: State,
}

impl<'a> Open<'a> {
    pub fn new(index: &'a Index, topic: Option<u32>, name: Field, stretch: bool) -> Self {
        let table = topic.map(|number| index.table(number));
        let far = table.is_some_and(Table::is_far);
        Open { topic: topic.unwrap_or(UNJUDGED), name, table, far, stretch, state: State::default() }
    }
}

/// Gathers rows list by list; one list is open at a time.
pub struct Gather<'a> {
    data: &'a [u8],
    ties: Ties,
    keep_first: bool,
    groups: bool,
    entries: Vec<Entry>,
    /// Of the entries, where they are looked up when the list is closed.
    hashes: Vec<u32>,
    /// Of the ids of a stretch.
    wide: Vec<u64>,
    seen: Seen,
    hasher: Hasher,
    pub done: Lists,
    pub stretch: Option<Stretch>,
    /// A list that is read in stretches has to be read as a whole.
    pub unfit: bool,
}

impl<'a> Gather<'a> {
    pub fn new(data: &'a [u8], ties: Ties, keep_first: bool, groups: bool) -> Self {
        let (seen, hasher) = (Seen::new(), Hasher::new());
        let (entries, hashes, wide, done) = (Vec::new(), Vec::new(), Vec::new(), Lists::default());
        let (stretch, unfit) = (None, false);
        Gather { data, ties, keep_first, groups, entries, hashes, wide, seen, hasher, done, stretch, unfit }
    }

    /// Add a row to the open list.
    #[inline(always)]
    pub fn add(&mut self, list: &mut Open, row: &Row, line: usize) -> Result<(), Refused> {
        let (data, entries) = (self.data, &mut self.entries);
        let id = row.document.of(data);
        let wide = self.hasher.wide(id);
        let hash = narrow(wide);
        let mut entry = Entry::new(self.ties, row.document.start, id.len(), row.score, row.rank, line);
        match list.table {
            Some(_) if list.far => self.hashes.add(hash)?,
            Some(table) => entry.pool = table.find(id, hash),
            None => {}
        }
        if list.stretch {
            self.wide.add(wide)?;
        } else if self.seen.insert(hash, entries.len(), |at| same(entries[at].id(data), id))?.is_some() {
            list.state.repeated = true;
            earliest(&mut self.done.repeat, repeated(line, list.name.of(data), id));
        }
        if let Some(&before) = entries.last() {
            list.state.note(self.ties, data, before, entry);
        }
        entries.add(entry)
    }

    /// Look up the documents of the open list that were not as they were read.
    pub fn look_up(&mut self, list: &Open) {
        if let Some(table) = list.table.filter(|_| list.far) {
            let (entries, data) = (&self.entries, self.data);
            table.find_all(&mut self.hashes, |at| entries[at].id(data));
            for (entry, &pool) in self.entries.iter_mut().zip(&self.hashes) {
                entry.pool = pool;
            }
            self.hashes.clear();
        }
    }

    /// Take the open list of another gatherer, all of whose documents are looked up: the same list in this order.
    pub fn take(&mut self, other: &Gather, list: &Open<'a>) -> Result<Open<'a>, Refused> {
        self.entries.room(other.entries.len())?;
        let mut state = State { repeated: list.state.repeated, ..State::default() };
        for &entry in &other.entries {
            let entry = entry.keyed(self.ties);
            if let Some(&before) = self.entries.last() {
                state.note(self.ties, self.data, before, entry);
            }
            self.entries.push(entry);
        }
        self.done.repeat.clone_from(&other.done.repeat);
        Ok(Open { state, ..*list })
    }

    /// Order the open list and keep its judged documents.
    pub fn close(&mut self, list: &Open) -> Result<(), Refused> {
        self.look_up(list);
        if list.stretch {
            return self.close_stretch(list);
        }
        let countable = list.state.disordered && !list.state.repeated && !self.groups;
        let judged = if countable { counted(&self.entries, self.ties, self.data)? } else { None };
        let state = State { disordered: list.state.disordered && judged.is_none(), ..list.state };
        let mut finished = Finished::default();
        if !list.state.repeated || self.keep_first {
            match finish(&mut self.entries, self.ties, self.data, state) {
                Ok(found) => finished = found,
                Err(problem) if problem.code == "memory" => return Err(Refused(problem.number as usize)),
                Err(problem) => earliest(&mut self.done.equal_ranks, problem),
            }
        }
        let done = &mut self.done;
        done.dropped += finished.dropped;
        let before = done.rank.len();
        if let Some(judged) = judged {
            for (rank, entry) in judged {
                done.rank.add(rank)?;
                done.document.add(entry.pool)?;
            }
        } else {
            for (entry, rank) in self.entries.iter().zip(1..).filter(|(entry, _)| entry.pool != UNJUDGED) {
                done.rank.add(rank)?;
                done.document.add(entry.pool)?;
            }
        }
        if self.groups {
            let mut above = 0;
            for tied in self.entries.chunk_by(|a, b| a.key == b.key) {
                let below = above + tied.len() as u32;
                for _ in tied.iter().filter(|entry| entry.pool != UNJUDGED) {
                    done.first.add(above + 1)?;
                    done.last.add(below)?;
                }
                above = below;
            }
        }
        done.lists.add(List {
            topic: list.topic,
            name: list.name,
            length: self.entries.len(),
            rows: done.rank.len() - before,
            contradicts: finished.contradicts,
        })?;
        self.entries.clear();
        self.seen.clear();
        Ok(())
    }

    /// Keep what is left of an open list that is a stretch of a longer one.
    fn close_stretch(&mut self, list: &Open) -> Result<(), Refused> {
        let name = list.name.of(self.data);
        self.stretch = Stretch::new(list.topic, name, &mut self.entries, &self.wide, self.ties, self.data)?;
        self.unfit = self.stretch.is_none();
        self.entries.clear();
        self.wide.clear();
        Ok(())
    }
}

/// Keep the problem of the earlier line.
pub fn earliest(kept: &mut Option<Problem>, problem: Problem) {
    if kept.as_ref().is_none_or(|earlier| problem.line < earlier.line) {
        *kept = Some(problem);
    }
}
