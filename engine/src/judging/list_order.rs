//! One list of one topic: its order under the tie policy, repeats, and ranks that contradict scores.

use crate::error::{ErrorCode, InputError};
use crate::ids::duplicates::drop_duplicates;
use crate::ids::hash::IdHasher;
use crate::memory::{AllocError, TryVec, try_collect_exact};
use crate::ranking::UNJUDGED;
use crate::ranking::rank_slots::count_ranks;
use crate::ranking::tie_order::{TieBreak, score_to_key, sort_key};
use crate::trec::run_lines::NO_RANK;

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
}

/// Keep the judged ones of entries out of order, given by their rows, with their ranks, by counting what stands above
/// each: much less work than sorting all where few are judged. None where sorting is wanted: many are, or not only scores
/// and ids decide.
pub(crate) fn rank_judged_by_counting(
    entries: &[Entry],
    rows: &[(u32, u32)],
    ties: TieBreak,
    data: &[u8],
) -> Result<Option<Vec<(u32, Entry)>>, AllocError> {
    if matches!(ties, TieBreak::Rank | TieBreak::File) || rows.len() > entries.len() / 8 {
        return Ok(None);
    }
    let mut judged = try_collect_exact(rows.iter().map(|&(row, _)| (0, entries[row as usize])))?;
    judged.sort_unstable_by(|(_, a), (_, b)| a.key.cmp(&b.key).then_with(|| cmp_tied(ties, data, *a, *b)));
    let keys = try_collect_exact(judged.iter().map(|(_, entry)| entry.key))?;
    let is_past = |entry: &Entry, target: usize| cmp_tied(ties, data, *entry, judged[target].1).is_ge();
    let ranks = count_ranks(entries.iter().map(|entry| (entry, entry.key)), &keys, is_past)?;
    judged.iter_mut().zip(ranks).for_each(|((rank, _), counted)| *rank = counted);
    Ok(Some(judged))
}

/// The order of two entries of one key.
#[inline(always)]
pub(crate) fn cmp_tied(ties: TieBreak, data: &[u8], a: Entry, b: Entry) -> std::cmp::Ordering {
    ties.cmp_tied(|| a.id(data).cmp(b.id(data)))
}

/// Order the entries of one topic, drop repeats that are to be dropped, and refuse equal ranks where ranks decide.
pub(crate) fn sort_list(
    entries: &mut Vec<Entry>,
    ties: TieBreak,
    data: &[u8],
    state: ListState,
) -> Result<SortOutcome, InputError> {
    let mut done = SortOutcome::default();
    if state.unsorted {
        // A stable sort takes as much memory again, and does not ask.
        Vec::<Entry>::new().try_reserve_more(entries.len())?;
        // Stable: rows of equal rank keep the order of the file.
        entries.sort_by_key(|entry| entry.key);
        if !matches!(ties, TieBreak::Rank | TieBreak::File) {
            for tied in entries.chunk_by_mut(|a, b| a.key == b.key).filter(|tied| tied.len() > 1) {
                tied.sort_by(|a, b| cmp_tied(ties, data, *a, *b));
            }
        }
    }
    if state.has_duplicate {
        let hasher = IdHasher::new();
        let same = |a: &Entry, b: &Entry| a.id(data) == b.id(data);
        done.dropped = drop_duplicates(entries, |entry| hasher.hash32(entry.id(data)), same)?;
    }
    if ties == TieBreak::Rank {
        let equal = entries.windows(2).filter(|pair| pair[0].key == pair[1].key);
        let lines = equal.map(|pair| (pair[0].line.max(pair[1].line), pair[0].rank.to_string()));
        if let Some((line, rank)) = lines.min() {
            return Err(InputError::new(ErrorCode::EqualRanks, line as usize).with_value(rank.as_bytes()));
        }
    }
    done.contradicts = state.rank_suspect && ranks_contradict_scores(entries)?;
    Ok(done)
}

/// Whether a document of larger score has a larger rank number than one of smaller score.
pub(crate) fn ranks_contradict_scores(entries: &[Entry]) -> Result<bool, AllocError> {
    let ranked =
        || entries.iter().filter(|entry| entry.rank != NO_RANK).map(|entry| (score_to_key(entry.score), entry.rank));
    if ranked().is_sorted_by_key(|(score, _)| score) {
        return Ok(has_inversion(ranked()));
    }
    let mut pairs: Vec<(u64, i64)> = Vec::new();
    pairs.try_reserve_more(entries.len())?;
    pairs.extend(ranked());
    pairs.sort_unstable();
    Ok(has_inversion(pairs.into_iter()))
}

/// Whether, of scores in falling order and ranks, any is above the ranks of larger scores.
fn has_inversion(pairs: impl Iterator<Item = (u64, i64)>) -> bool {
    // The largest rank of larger scores, and of those that are equal to the last one.
    let (mut above, mut largest, mut score) = (NO_RANK, NO_RANK, None);
    for (next, rank) in pairs {
        if score != Some(next) {
            (above, score) = (largest, Some(next));
        }
        if rank < above {
            return true;
        }
        largest = largest.max(rank);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of every two, one by one.
    fn plain(drawn: &[(f64, i64)]) -> bool {
        let ranked = || drawn.iter().filter(|(_, rank)| *rank != NO_RANK);
        ranked().any(|above| ranked().any(|below| above.0 > below.0 && above.1 > below.1))
    }

    #[test]
    fn ranks_are_compared_with_scores_in_any_order_of_the_rows() -> Result<(), AllocError> {
        let kinds = [(2.0, 1), (2.0, 3), (1.0, 2), (1.0, 4), (0.0, 3), (-0.0, 5), (0.0, NO_RANK)];
        for number in 0..kinds.len().pow(4) {
            let drawn: Vec<_> = (0..4).map(|digit| kinds[number / kinds.len().pow(digit) % kinds.len()]).collect();
            let mut entries: Vec<Entry> =
                drawn.iter().map(|&(score, rank)| Entry::new(TieBreak::Trec, 0, 0, score, rank, 0)).collect();
            assert_eq!(ranks_contradict_scores(&entries)?, plain(&drawn), "{drawn:?}");
            entries.sort_by_key(|entry| entry.key);
            assert_eq!(ranks_contradict_scores(&entries)?, plain(&drawn), "{drawn:?}");
        }
        Ok(())
    }

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
                let counted = rank_judged_by_counting(&entries, &rows, ties, &data).ok().flatten().unwrap_or_default();
                assert!(
                    sort_list(&mut entries, ties, &data, ListState { unsorted: true, ..ListState::default() }).is_ok()
                );
                let ranked = entries.iter().zip(1..).filter(|(entry, _)| entry.judged_row != UNJUDGED);
                let expected: Vec<(u32, u32)> = ranked.map(|(entry, rank)| (rank, entry.judged_row)).collect();
                let counted: Vec<(u32, u32)> = counted.iter().map(|(rank, entry)| (*rank, entry.judged_row)).collect();
                assert_eq!(counted, expected, "{ties:?}, {judged} judged, {scores} scores");
            }
        }
    }
}
