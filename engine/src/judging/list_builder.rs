//! Lists: what is gathered of a topic while its rows are read, and what is left of it when it is finished.

use crate::error::duplicate_error;
use crate::ids::duplicates::DuplicateFinder;
use crate::ids::hash::{IdHasher, bytes_equal, fold_to_u32};
use crate::judging::finished_list::{List, Lists, earliest};
use crate::judging::list_order::{Entry, Finished, State, counted, finish};
use crate::judging::long_list::Stretch;
use crate::judging::tie_order::Ties;
use crate::judging::topic_index::{Index, Judged, Table, UNJUDGED};
use crate::memory::{AllocError, TryVec};
use crate::text::fields::Field;
use crate::trec::run_lines::RunRow;

/// A list while its rows are read.
pub(crate) struct Open<'a> {
    topic: u32,
    pub name: Field,
    table: Option<Table<'a>>,
    /// It began above, or goes on below, what is read here.
    stretch: bool,
    state: State,
}

impl<'a> Open<'a> {
    pub(crate) fn new(index: &'a Index, topic: Option<u32>, name: Field, stretch: bool) -> Self {
        let table = topic.map(|number| index.table(number));
        Open { topic: topic.unwrap_or(UNJUDGED), name, table, stretch, state: State::default() }
    }
}

/// Gathers rows list by list; one list is open at a time.
pub(crate) struct Gather<'a> {
    data: &'a [u8],
    ties: Ties,
    keep_first: bool,
    groups: bool,
    entries: Vec<Entry>,
    /// Of the ids of the entries, which are looked up when the list is closed.
    hashes: Vec<u32>,
    /// The same of a stretch.
    wide: Vec<u64>,
    judged: Judged,
    repeats: DuplicateFinder,
    hasher: IdHasher,
    pub done: Lists,
    pub stretch: Option<Stretch>,
    /// A list that is read in stretches has to be read as a whole.
    pub unfit: bool,
}

impl<'a> Gather<'a> {
    pub(crate) fn new(data: &'a [u8], ties: Ties, keep_first: bool, groups: bool) -> Self {
        let (judged, repeats, hasher) = (Judged::default(), DuplicateFinder::new(), IdHasher::new());
        let (entries, hashes, wide, done) = (Vec::new(), Vec::new(), Vec::new(), Lists::default());
        let (stretch, unfit) = (None, false);
        Gather { data, ties, keep_first, groups, entries, hashes, wide, judged, repeats, hasher, done, stretch, unfit }
    }

    /// Add a row to the open list.
    #[inline(always)]
    pub(crate) fn add(&mut self, list: &mut Open, row: &RunRow, line: usize) -> Result<(), AllocError> {
        let (data, entries) = (self.data, &mut self.entries);
        let id = row.document.slice(data);
        let wide = self.hasher.hash64(id);
        self.hashes.try_push(fold_to_u32(wide))?;
        if list.stretch {
            self.wide.try_push(wide)?;
        }
        let entry = Entry::new(self.ties, row.document.start, id.len(), row.score, row.rank, line);
        if let Some(&before) = entries.last() {
            list.state.note(self.ties, data, before, entry);
        }
        entries.try_push(entry)
    }

    /// Order the open list and keep its judged documents.
    pub(crate) fn close(&mut self, list: &mut Open) -> Result<(), AllocError> {
        self.look_up(list)?;
        if list.stretch { self.close_stretch(list) } else { self.order(list) }
    }

    /// Look up the documents of the open list, and whether one of them occurs twice.
    pub(crate) fn look_up(&mut self, list: &mut Open) -> Result<(), AllocError> {
        self.find_judged(list)?;
        if !list.stretch {
            list.state.repeated = self.repeats(list)?;
        }
        Ok(())
    }

    /// Take the open list of another gatherer, whose documents are looked up: the same list in the order of this one.
    pub(crate) fn take(&mut self, other: &Gather, list: &Open<'a>) -> Result<Open<'a>, AllocError> {
        self.entries.try_reserve_more(other.entries.len())?;
        let mut state = State { repeated: list.state.repeated, ..State::default() };
        for &entry in &other.entries {
            let entry = entry.keyed(self.ties);
            if let Some(&before) = self.entries.last() {
                state.note(self.ties, self.data, before, entry);
            }
            self.entries.push(entry);
        }
        self.judged.rows.clear();
        self.judged.rows.try_reserve_more(other.judged.rows.len())?;
        self.judged.rows.extend_from_slice(&other.judged.rows);
        self.done.repeat.clone_from(&other.done.repeat);
        Ok(Open { state, ..*list })
    }

    /// Order the open list, whose documents are looked up, and keep its judged ones.
    pub(crate) fn order(&mut self, list: &Open) -> Result<(), AllocError> {
        let mut state = list.state;
        let countable = state.disordered && !state.repeated && !self.groups;
        let judged = if countable { counted(&self.entries, &self.judged.rows, self.ties, self.data)? } else { None };
        state.disordered &= judged.is_none();
        let mut finished = Finished::default();
        if !state.repeated || self.keep_first {
            match finish(&mut self.entries, self.ties, self.data, state) {
                Ok(found) => finished = found,
                Err(problem) if problem.code == "memory" => return Err(AllocError(problem.number as usize)),
                Err(problem) => earliest(&mut self.done.equal_ranks, problem),
            }
        }
        self.done.dropped += finished.dropped;
        let before = self.done.rank.len();
        if let Some(judged) = judged {
            for (rank, entry) in judged {
                self.done.judged(rank, entry.pool)?;
            }
        } else if state.disordered || state.repeated {
            for (entry, rank) in self.entries.iter().zip(1..).filter(|(entry, _)| entry.pool != UNJUDGED) {
                self.done.judged(rank, entry.pool)?;
            }
        } else {
            for &(row, pool) in &self.judged.rows {
                self.done.judged(row + 1, pool)?;
            }
        }
        if self.groups {
            self.keep_groups()?;
        }
        self.done.lists.try_push(List {
            topic: list.topic,
            name: list.name,
            length: self.entries.len(),
            rows: self.done.rank.len() - before,
            contradicts: finished.contradicts,
        })?;
        self.entries.clear();
        self.hashes.clear();
        Ok(())
    }

    /// Find the judged ones of the entries.
    fn find_judged(&mut self, list: &Open) -> Result<(), AllocError> {
        let Some(table) = list.table else {
            self.judged.rows.clear();
            return Ok(());
        };
        let (entries, data) = (&mut self.entries, self.data);
        self.judged.find(table, &self.hashes, |at| entries[at].id(data))?;
        for &(row, pool) in &self.judged.rows {
            entries[row as usize].pool = pool;
        }
        Ok(())
    }

    /// Whether a document of the open list occurs twice, which is noted.
    fn repeats(&mut self, list: &Open) -> Result<bool, AllocError> {
        let (entries, data) = (&self.entries, self.data);
        let equal = |one: usize, other: usize| bytes_equal(entries[one].id(data), entries[other].id(data));
        let Some(row) = self.repeats.first_duplicate(&self.hashes, equal)? else { return Ok(false) };
        let later = entries[row];
        earliest(&mut self.done.repeat, duplicate_error(later.line as usize, list.name.slice(data), later.id(data)));
        Ok(true)
    }

    /// Keep between which ranks the documents stand that are tied with each judged one.
    fn keep_groups(&mut self) -> Result<(), AllocError> {
        let mut above = 0;
        for tied in self.entries.chunk_by(|a, b| a.key == b.key) {
            let below = above + tied.len() as u32;
            for _ in tied.iter().filter(|entry| entry.pool != UNJUDGED) {
                self.done.first.try_push(above + 1)?;
                self.done.last.try_push(below)?;
            }
            above = below;
        }
        Ok(())
    }

    /// Keep what is left of an open list that is a stretch of a longer one.
    fn close_stretch(&mut self, list: &Open) -> Result<(), AllocError> {
        let name = list.name.slice(self.data);
        self.stretch = Stretch::new(list.topic, name, &mut self.entries, &self.wide, self.ties, self.data)?;
        self.unfit = self.stretch.is_none();
        self.entries.clear();
        self.hashes.clear();
        self.wide.clear();
        Ok(())
    }
}
