//! One list of one topic: its order under the tie policy, repeats, and ranks that contradict scores.

use crate::error::EqualRanks;
use crate::ids::duplicates::drop_duplicates;
use crate::ids::hash::IdHasher;
use crate::memory::{AllocError, try_collect_exact};
use crate::ranking::UNJUDGED;
use crate::ranking::contradiction::ranks_contradict_scores;
use crate::ranking::judged_ranks::{JudgedRanks, ListRow, sort_rows};
use crate::ranking::tie_order::{TieBreak, sort_key};

/// A retrieved document. `key` sorts ascending into the order of the policy, but for equal scores.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub key: u64,
    /// Where its id stands: offset << 16 | length.
    id_position: u64,
    pub score: f64,
    pub rank: i64,
    pub judged_row: u32,
    /// Line, or row of a run in memory; the largest that fits for those beyond.
    pub line: u32,
}

impl Entry {
    #[inline(always)]
    pub(crate) fn new(ties: TieBreak, start: usize, length: usize, score: f64, rank: i64, line: usize) -> Entry {
        Entry {
            key: sort_key(ties, score, rank),
            id_position: (start as u64) << 16 | length as u64,
            score,
            rank,
            judged_row: UNJUDGED,
            line: u32::try_from(line).unwrap_or(u32::MAX),
        }
    }

    /// The same as another policy orders it.
    pub(crate) fn with_tie_break(self, ties: TieBreak) -> Entry {
        Entry { key: sort_key(ties, self.score, self.rank), ..self }
    }

    /// The same, its id at another place.
    pub(crate) fn with_start(self, start: usize) -> Entry {
        Entry { id_position: (start as u64) << 16 | self.id_position & 0xffff, ..self }
    }

    #[inline(always)]
    pub(crate) fn id(self, data: &[u8]) -> &[u8] {
        let start = (self.id_position >> 16) as usize;
        &data[start..start + (self.id_position & 0xffff) as usize]
    }
}

impl ListRow for Entry {
    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline(always)]
    fn position(&self) -> u32 {
        self.line
    }

    #[inline(always)]
    fn document(&self) -> u32 {
        self.judged_row
    }
}

/// What is known of a list while it is read.
#[derive(Clone, Copy, Default)]
pub(crate) struct ListState {
    /// Some entry belongs before the one above it.
    pub unsorted: bool,
    /// Scores rise or ranks fall somewhere, so the rank column may contradict the scores.
    pub rank_suspect: bool,
    /// A document occurs twice.
    pub has_duplicate: bool,
}

impl ListState {
    /// Compare an entry with the one above it.
    #[inline(always)]
    pub(crate) fn observe(&mut self, ties: TieBreak, data: &[u8], before: Entry, next: Entry) {
        if next.key <= before.key && (next.key < before.key || cmp_tied(ties, data, before, next).is_gt()) {
            self.unsorted = true;
        }
        if ranks_may_contradict(before, next) {
            self.rank_suspect = true;
        }
    }
}

/// Whether, below one another, these give a reason to compare all ranks of a list with its scores.
#[inline(always)]
pub(crate) fn ranks_may_contradict(before: Entry, next: Entry) -> bool {
    next.rank < before.rank || next.score > before.score
}

/// What a finished list tells.
#[derive(Default)]
pub(crate) struct SortOutcome {
    pub dropped: usize,
    pub contradicts: bool,
    pub equal_ranks: Option<EqualRanks>,
}

/// Count the ranks of judged entries, given by their rows; false where the list is to be sorted: many are judged, or not only
/// scores and ids decide.
pub(crate) fn push_counted(
    judged_ranks: &mut JudgedRanks<u32>,
    entries: &[Entry],
    rows: &[(u32, u32)],
    ties: TieBreak,
    data: &[u8],
) -> Result<bool, AllocError> {
    if matches!(ties, TieBreak::Rank | TieBreak::File) || rows.len() > entries.len() / 8 {
        return Ok(false);
    }
    let mut judged = try_collect_exact(rows.iter().map(|&(row, _)| entries[row as usize]))?;
    let cmp = |a: &Entry, b: &Entry| cmp_tied(ties, data, *a, *b);
    judged_ranks
        .push_counted(&mut judged, entries.iter().map(|entry| (entry, entry.key)), cmp, |a, b| cmp(a, b).is_ge())?;
    Ok(true)
}

/// The order of two entries of one key.
#[inline(always)]
pub(crate) fn cmp_tied(ties: TieBreak, data: &[u8], a: Entry, b: Entry) -> std::cmp::Ordering {
    ties.cmp_tied(|| a.id(data).cmp(b.id(data)))
}

/// Order the entries of one topic, drop repeats that are to be dropped, and find equal ranks where ranks decide.
pub(crate) fn sort_list(
    entries: &mut Vec<Entry>,
    ties: TieBreak,
    data: &[u8],
    state: ListState,
) -> Result<SortOutcome, AllocError> {
    let mut done = SortOutcome::default();
    if state.unsorted {
        sort_rows(entries, |a, b| cmp_tied(ties, data, *a, *b));
    }
    if state.has_duplicate {
        let hasher = IdHasher::new();
        let same = |a: &Entry, b: &Entry| a.id(data) == b.id(data);
        done.dropped = drop_duplicates(entries, |entry| hasher.hash32(entry.id(data)), same)?;
    }
    if ties == TieBreak::Rank {
        let equal = entries.windows(2).filter(|pair| pair[0].key == pair[1].key);
        let equal = equal.map(|pair| (pair[0].line.max(pair[1].line) as usize, pair[0].rank));
        done.equal_ranks = equal.min().map(|(line, rank)| EqualRanks { line, rank });
        if done.equal_ranks.is_some() {
            return Ok(done);
        }
    }
    let ranks = entries.iter().map(|entry| (entry.score, entry.rank));
    done.contradicts = state.rank_suspect && ranks_contradict_scores(ranks)?;
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::NO_RANK;

    #[test]
    fn ranks_that_are_counted_are_those_of_an_order() {
        let data: Vec<u8> = (0..100u8).flat_map(|number| [b'0' + number % 10 * 7 % 10, b'0' + number / 10]).collect();
        for ties in [TieBreak::Trec, TieBreak::Trec9, TieBreak::Docid] {
            for (judged, scores) in (0..=12).flat_map(|judged| [1, 3, 50].map(|scores| (judged, scores))) {
                let mut entries: Vec<Entry> =
                    (0..100).map(|at| Entry::new(ties, 2 * at, 2, (at * 37 % scores) as f64, NO_RANK, at)).collect();
                let rows: Vec<(u32, u32)> = (0..judged).map(|number| (number * 8 + 1, 50 - number)).collect();
                for &(row, pool) in &rows {
                    entries[row as usize].judged_row = pool;
                }
                let (mut counted, mut sorted) = (JudgedRanks::<u32>::default(), JudgedRanks::default());
                assert!(push_counted(&mut counted, &entries, &rows, ties, &data).is_ok_and(|counted| counted));
                let state = ListState { unsorted: true, ..ListState::default() };
                assert!(sort_list(&mut entries, ties, &data, state).is_ok());
                assert!(sorted.push_sorted(&entries, false).is_ok());
                assert_eq!(counted, sorted, "{ties:?}, {judged} judged, {scores} scores");
            }
        }
    }
}
