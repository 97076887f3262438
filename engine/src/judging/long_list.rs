//! A list that lasts very long is read in stretches, several at a time, none of which keeps its text: what is left of one
//! are its judged documents, the hashes of all, and the ids whose scores are tied with the neighbouring stretch.
//!
//! That is enough where scores never rise, ranks never fall, and no document occurs twice. Elsewhere the list has to be
//! read as a whole.

use crate::ids::distinct_hashes::BinnedHashes;
use crate::judging::list_order::{Entry, cmp_tied, ranks_may_contradict};
use crate::judging::tie_order::TieBreak;
use crate::judging::topic_index::UNJUDGED;
use crate::memory::{AllocError, TryVec, try_to_vec};

/// What is left of the rows of a list that stand in one window.
pub(crate) struct ListSegment {
    pub(super) topic: u32,
    pub(super) name: Vec<u8>,
    pub(super) first: Entry,
    pub(super) last: Entry,
    /// Rows tied with the first one; they may be all.
    pub(super) head: TieGroup,
    /// Judged documents of the rows between, and how many rows these are.
    pub(super) middle: Vec<RankedDocument>,
    pub(super) between: usize,
    /// Rows tied with the last one, where they are not those of the head.
    pub(super) tail: TieGroup,
    pub(super) hashes: BinnedHashes,
}

/// A judged document: its rank, and the ranks of the first and the last row of its score.
pub(super) struct RankedDocument {
    pub document: u32,
    pub rank: usize,
    pub first: usize,
    pub last: usize,
}

/// Rows of one score, with the text of their ids.
#[derive(Default)]
pub(super) struct TieGroup {
    pub entries: Vec<Entry>,
    pub text: Vec<u8>,
}

impl TieGroup {
    pub(super) fn add(&mut self, entries: &[Entry], data: &[u8]) -> Result<(), AllocError> {
        self.entries.try_reserve_more(entries.len())?;
        for &entry in entries {
            let id = entry.id(data);
            self.text.try_reserve_more(id.len())?;
            self.entries.push(entry.with_start(self.text.len()));
            self.text.extend_from_slice(id);
        }
        Ok(())
    }

    /// Place what is judged of these, which are all of their score, behind so many rows; these are none then.
    pub(super) fn flush(
        &mut self,
        ties: TieBreak,
        above: &mut usize,
        out: &mut Vec<RankedDocument>,
    ) -> Result<(), AllocError> {
        push_ranked(&mut self.entries, ties, &self.text, *above, out)?;
        *above += self.entries.len();
        self.entries.clear();
        self.text.clear();
        Ok(())
    }
}

/// Whether two rows are of one score, so that their ids decide.
pub(super) fn are_tied(ties: TieBreak, a: &Entry, b: &Entry) -> bool {
    ties != TieBreak::File && a.key == b.key
}

/// Place the judged documents of rows of one score, which stand below `above` others.
fn push_ranked(
    entries: &mut [Entry],
    ties: TieBreak,
    data: &[u8],
    above: usize,
    out: &mut Vec<RankedDocument>,
) -> Result<(), AllocError> {
    if entries.iter().all(|entry| entry.judged_row == UNJUDGED) {
        return Ok(());
    }
    entries.sort_unstable_by(|a, b| cmp_tied(ties, data, *a, *b));
    for (entry, rank) in entries.iter().zip(above + 1..).filter(|(entry, _)| entry.judged_row != UNJUDGED) {
        out.try_push(RankedDocument {
            document: entry.judged_row,
            rank,
            first: above + 1,
            last: above + entries.len(),
        })?;
    }
    Ok(())
}

/// Whether a row may stand below another one in a list that is read in stretches.
pub(super) fn may_follow(ties: TieBreak, before: Entry, next: Entry) -> bool {
    next.key >= before.key && !ranks_may_contradict(before, next) && !(ties == TieBreak::Rank && next.key == before.key)
}

impl ListSegment {
    /// What is left of these rows; None where the list has to be read as a whole.
    pub(crate) fn new(
        topic: u32,
        name: &[u8],
        entries: &mut [Entry],
        hashes: &[u64],
        ties: TieBreak,
        data: &[u8],
    ) -> Result<Option<ListSegment>, AllocError> {
        let (Some(&first), Some(&last)) = (entries.first(), entries.last()) else { return Ok(None) };
        if !entries.windows(2).all(|pair| may_follow(ties, pair[0], pair[1])) {
            return Ok(None);
        }
        let (mut head, mut middle, mut tail) = (TieGroup::default(), Vec::new(), TieGroup::default());
        let rows = entries.len();
        let mut above = 0;
        for group in entries.chunk_by_mut(|a, b| are_tied(ties, a, b)) {
            if above == 0 {
                head.add(group, data)?;
            } else if above + group.len() == rows {
                tail.add(group, data)?;
            } else {
                push_ranked(group, ties, data, above - head.entries.len(), &mut middle)?;
            }
            above += group.len();
        }
        let between = rows - head.entries.len() - tail.entries.len();
        let (name, hashes) = (try_to_vec(name)?, BinnedHashes::new(hashes)?);
        Ok(Some(ListSegment { topic, name, first, last, head, middle, between, tail, hashes }))
    }
}
