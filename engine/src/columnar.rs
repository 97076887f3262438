//! Lists in flat columns to the ranks of their judged documents: what `lists` does with lines, on ids as they are.

use std::cmp::Ordering;
use std::ops::Range;

use crate::kinds::Kind;
use crate::lookup::UNJUDGED;
use crate::order::{NO_RANK, Ties, key};
use crate::pools::{Pools, Rows, end_of};
use crate::problem::Problem;
use crate::room::{Refused, Room};

#[derive(Clone, Copy)]
pub struct Wanted {
    pub ties: Ties,
    pub groups: bool,
    pub keep_first: bool,
}

/// Finished lists of judged topics, in the order in which they came.
#[derive(Default)]
pub struct Lists {
    pub topic: Vec<i64>,
    /// The first row of each.
    pub row: Vec<i64>,
    pub length: Vec<i64>,
    pub starts: Vec<i64>,
    pub rank: Vec<i64>,
    /// Pool row of each judged document.
    pub document: Vec<i64>,
    pub first: Vec<i64>,
    pub last: Vec<i64>,
    /// Lists of topics that are not judged, and the first names.
    pub others: usize,
    pub names: Vec<String>,
    /// Rows that were dropped because their document occurs twice; the first of them.
    pub dropped: usize,
    pub repeat: Option<Problem>,
}

/// An entry of a list that is to be sorted.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    row: u32,
    pool: u32,
}

/// Judges list by list.
pub struct Judge<'a, T: Kind, D: Kind> {
    pools: &'a Pools<T, D>,
    wanted: Wanted,
    /// Documents of the pool and of the list: hash << 32 | position + 1, those of the pool first.
    slots: Vec<u64>,
    /// Pool row of each document of the list.
    pool: Vec<u32>,
    /// Whether each document of the pool was met.
    met: Vec<bool>,
    entries: Vec<Entry>,
    pub done: Lists,
}

/// Judged documents of a list out of order that are so few that what is above each is counted.
const FEW: usize = 32;

impl<'a, T: Kind, D: Kind> Judge<'a, T, D> {
    pub fn new(pools: &'a Pools<T, D>, wanted: Wanted) -> Self {
        let done = Lists { starts: vec![0], ..Lists::default() };
        Judge { pools, wanted, slots: Vec::new(), pool: Vec::new(), met: Vec::new(), entries: Vec::new(), done }
    }

    /// Lists whose rows are together.
    pub fn together(&mut self, topics: T::Rows<'_>, documents: D::Rows<'_>, score: &[f64]) -> Result<(), Problem> {
        let mut from = 0;
        while from < score.len() {
            let to = end_of::<T>(topics, from, score.len());
            let id = T::id(topics, from);
            match self.pools.topics.find(id) {
                Some(topic) => self.list(topic, documents, score, from..to, |row| row as u64)?,
                None => {
                    self.done.others += 1;
                    if self.done.names.len() < 5 {
                        self.done.names.push(T::text(id));
                    }
                }
            }
            from = to;
        }
        Ok(())
    }

    /// Lists of rows that came in any order.
    pub fn scattered(&mut self, rows: &Rows<D>, starts: &[usize]) -> Result<(), Problem> {
        let documents = rows.documents.rows();
        for (topic, bounds) in starts.windows(2).enumerate().filter(|(_, bounds)| bounds[0] < bounds[1]) {
            self.list(topic, documents, &rows.value, bounds[0]..bounds[1], |row| rows.origin(row))?;
        }
        Ok(())
    }

    fn list(
        &mut self,
        topic: usize,
        documents: D::Rows<'_>,
        score: &[f64],
        rows: Range<usize>,
        origin: impl Fn(usize) -> u64,
    ) -> Result<(), Problem> {
        let (from, before) = (rows.start, self.done.rank.len());
        let (ordered, repeated) = self.look_up(topic, documents, score, rows.clone(), &origin)?;
        let length = if ordered && !repeated && !self.wanted.groups {
            self.in_place()?;
            rows.len()
        } else if !ordered && !repeated && !self.wanted.groups && self.counted(documents, score, &rows)? {
            rows.len()
        } else {
            self.sorted(documents, score, &rows, ordered, repeated)?
        };
        let done = &mut self.done;
        done.topic.add(topic as i64)?;
        done.row.add(origin(from) as i64)?;
        done.length.add(length as i64)?;
        done.starts.add(done.rank.len() as i64)?;
        debug_assert!(done.rank.len() - before <= rows.len());
        Ok(())
    }

    /// Find every document of a list in the pool and among those above it: whether the list is in order, and whether a
    /// document occurs twice.
    #[inline(always)]
    fn look_up(
        &mut self,
        topic: usize,
        documents: D::Rows<'_>,
        score: &[f64],
        rows: Range<usize>,
        origin: &impl Fn(usize) -> u64,
    ) -> Result<(bool, bool), Problem> {
        let (pools, wanted) = (self.pools, self.wanted);
        let judged = pools.rows_of(topic);
        let size = (2 * (judged.len() + rows.len())).next_power_of_two();
        self.slots.clear();
        self.slots.room(size)?;
        self.slots.resize(size, 0);
        self.pool.clear();
        self.pool.room(rows.len())?;
        self.met.clear();
        self.met.room(judged.len())?;
        self.met.resize(judged.len(), false);
        let (slots, mask, known) = (&mut self.slots[..], size - 1, pools.documents.rows());
        for (position, row) in judged.clone().enumerate() {
            let hash = D::hash(pools.hasher, D::id(known, row));
            let mut at = hash as usize & mask;
            while slots[at] != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = u64::from(hash) << 32 | (position as u64 + 1);
        }
        let (mut above, mut ordered, mut repeated) = (0u64, true, false);
        for row in rows.clone() {
            let (id, value) = (D::id(documents, row), score[row]);
            let hash = D::hash(pools.hasher, id);
            let mut at = hash as usize & mask;
            let mut found = UNJUDGED;
            loop {
                let slot = slots[at];
                if slot == 0 {
                    slots[at] = u64::from(hash) << 32 | ((judged.len() + row - rows.start) as u64 + 1);
                    break;
                }
                if (slot >> 32) as u32 == hash {
                    let position = (slot as u32 - 1) as usize;
                    let in_pool = position < judged.len();
                    let alike = if in_pool {
                        D::same(D::id(known, judged.start + position), id)
                    } else {
                        D::same(D::id(documents, rows.start + position - judged.len()), id)
                    };
                    if alike {
                        let again = !in_pool || std::mem::replace(&mut self.met[position], true);
                        if in_pool {
                            found = (judged.start + position) as u32;
                        }
                        if again {
                            repeated = true;
                            note(&mut self.done, wanted, origin(row), || (pools.topics.text(topic), D::text(id)))?;
                        }
                        break;
                    }
                }
                at = (at + 1) & mask;
            }
            self.pool.push(found);
            if !value.is_finite() {
                return Err(Problem::new("score", origin(row) as usize + 1).value(value.to_string().as_bytes()));
            }
            let next = key(wanted.ties, value, NO_RANK);
            if next <= above && row > rows.start {
                let tied = next == above;
                ordered &= tied && by_id::<D>(wanted.ties, D::id(documents, row - 1), id).is_le();
            }
            above = next;
        }
        Ok((ordered, repeated))
    }

    fn in_place(&mut self) -> Result<(), Refused> {
        for (&pool, rank) in self.pool.iter().zip(1..).filter(|(pool, _)| **pool != UNJUDGED) {
            self.done.rank.add(rank)?;
            self.done.document.add(i64::from(pool))?;
        }
        Ok(())
    }

    /// Count what is above each judged document, where they are few; whether they are.
    fn counted(&mut self, documents: D::Rows<'_>, score: &[f64], rows: &Range<usize>) -> Result<bool, Refused> {
        let ties = self.wanted.ties;
        let few = self.pool.iter().filter(|&&pool| pool != UNJUDGED).count();
        if few > FEW || few > rows.len() / 4 {
            return Ok(false);
        }
        let id = |row: u32| D::id(documents, rows.start + row as usize);
        self.entries.clear();
        self.entries.room(few)?;
        for (row, &pool) in (0..).zip(&self.pool).filter(|(_, pool)| **pool != UNJUDGED) {
            self.entries.push(Entry { key: key(ties, score[rows.start + row as usize], NO_RANK), row, pool });
        }
        self.entries.sort_unstable_by(|a, b| a.key.cmp(&b.key).then_with(|| by_id::<D>(ties, id(a.row), id(b.row))));
        let mut keys = [u64::MAX; FEW];
        keys.iter_mut().zip(&self.entries).for_each(|(key, entry)| *key = entry.key);
        let (keys, mut above) = (&keys[..few], [0i64; FEW + 1]);
        for (row, &value) in (0..).zip(&score[rows.clone()]) {
            let own = key(ties, value, NO_RANK);
            let mut place = keys.iter().filter(|&&other| other < own).count();
            while place < few && keys[place] == own && by_id::<D>(ties, id(row), id(self.entries[place].row)).is_ge() {
                place += 1;
            }
            above[place] += 1;
        }
        let mut rank = 1;
        for (entry, above) in self.entries.iter().zip(above) {
            rank += above;
            self.done.rank.add(rank)?;
            self.done.document.add(i64::from(entry.pool))?;
        }
        Ok(true)
    }

    /// Sort the list and keep its judged documents; how long it is.
    fn sorted(
        &mut self,
        documents: D::Rows<'_>,
        score: &[f64],
        rows: &Range<usize>,
        ordered: bool,
        repeated: bool,
    ) -> Result<usize, Refused> {
        let ties = self.wanted.ties;
        let id = |row: u32| D::id(documents, rows.start + row as usize);
        self.entries.clear();
        self.entries.room(rows.len())?;
        for (row, &pool) in (0..).zip(&self.pool) {
            self.entries.push(Entry { key: key(ties, score[rows.start + row as usize], NO_RANK), row, pool });
        }
        if !ordered {
            let order = |a: &Entry, b: &Entry| {
                a.key.cmp(&b.key).then_with(|| by_id::<D>(ties, id(a.row), id(b.row))).then(a.row.cmp(&b.row))
            };
            self.entries.sort_unstable_by(order);
        }
        if repeated {
            self.keep_first(documents, rows)?;
        }
        let (mut rank, done) = (0, &mut self.done);
        for tied in self.entries.chunk_by(|a, b| a.key == b.key) {
            let (first, last) = (rank + 1, rank + tied.len() as i64);
            for entry in tied {
                rank += 1;
                if entry.pool != UNJUDGED {
                    done.rank.add(rank)?;
                    done.document.add(i64::from(entry.pool))?;
                    if self.wanted.groups {
                        done.first.add(first)?;
                        done.last.add(last)?;
                    }
                }
            }
        }
        Ok(self.entries.len())
    }

    /// Of a document that occurs twice, the entry higher up.
    fn keep_first(&mut self, documents: D::Rows<'_>, rows: &Range<usize>) -> Result<(), Refused> {
        let id = |entry: &Entry| D::id(documents, rows.start + entry.row as usize);
        let mut seen = crate::seen::Seen::new();
        let mut kept: Vec<Entry> = Vec::new();
        kept.room(self.entries.len())?;
        for &entry in &self.entries {
            let hash = D::hash(self.pools.hasher, id(&entry));
            if seen.insert(hash, kept.len(), |at| D::same(id(&kept[at]), id(&entry)))?.is_none() {
                kept.push(entry);
            }
        }
        self.done.dropped += self.entries.len() - kept.len();
        self.entries = kept;
        Ok(())
    }
}

/// Order of ids under equal scores.
#[inline(always)]
fn by_id<D: Kind>(ties: Ties, one: D::Id<'_>, other: D::Id<'_>) -> Ordering {
    match ties {
        Ties::File | Ties::Rank => Ordering::Equal,
        Ties::Docid => D::order(one, other),
        Ties::Trec | Ties::Trec9 => D::order(other, one),
    }
}

/// Refuse a document that occurs twice, or note the first one.
#[cold]
fn note(done: &mut Lists, wanted: Wanted, row: u64, names: impl Fn() -> (String, String)) -> Result<(), Problem> {
    let (value, more) = names();
    let problem = Problem { value, more, ..Problem::new("duplicate", row as usize + 1) };
    if !wanted.keep_first {
        return Err(problem);
    }
    if done.repeat.as_ref().is_none_or(|earlier| problem.line < earlier.line) {
        done.repeat = Some(problem);
    }
    Ok(())
}
