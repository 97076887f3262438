//! A list that lasts very long is read in stretches, several at a time, none of which keeps its text: what is left of one
//! are its judged documents, the hashes of all, and the ids whose scores are tied with the neighbouring stretch.
//!
//! That is enough where scores never rise, ranks never fall, and no document occurs twice. Elsewhere the list has to be
//! read as a whole.

use crate::ids::distinct_hashes::BinnedHashes;
use crate::judging::list_order::{Entry, cmp_tied, ranks_may_contradict};
use crate::memory::{AllocError, TryVec, try_to_vec};
use crate::ranking::UNJUDGED;
use crate::ranking::tie_order::TieBreak;

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

    /// Place what is judged of these, which are all of their score, behind this number of rows; these are none then.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::NO_RANK;

    /// What is left of rows of these scores, whose ids are letters; the last one is judged.
    fn segment(score: &[f64], ties: TieBreak) -> Result<Option<ListSegment>, AllocError> {
        let mut entries: Vec<Entry> =
            score.iter().enumerate().map(|(at, &score)| Entry::new(ties, at, 1, score, NO_RANK, at + 1)).collect();
        if let Some(last) = entries.last_mut() {
            last.judged_row = 5;
        }
        let hashes: Vec<u64> = (0..score.len() as u64).collect();
        ListSegment::new(0, b"t", &mut entries, &hashes, ties, b"abcdefgh")
    }

    #[test]
    fn rows_tied_with_the_first_and_the_last_keep_their_ids() -> Result<(), AllocError> {
        let Some(whole) = segment(&[3.0, 3.0, 2.0, 1.0, 1.0], TieBreak::Trec)? else { panic!("scores fall") };
        assert_eq!((&whole.head.text[..], whole.between, &whole.tail.text[..]), (&b"ab"[..], 1, &b"de"[..]));
        let Some(tied) = segment(&[3.0, 3.0], TieBreak::Trec)? else { panic!("scores do not rise") };
        assert_eq!((&tied.head.text[..], tied.tail.entries.len()), (&b"ab"[..], 0));
        // As they stand in the file, no ids decide.
        let Some(as_read) = segment(&[3.0, 3.0], TieBreak::File)? else { panic!("scores do not rise") };
        assert_eq!((&as_read.head.text[..], &as_read.tail.text[..]), (&b"a"[..], &b"b"[..]));
        Ok(())
    }

    #[test]
    fn a_list_whose_scores_rise_is_read_as_a_whole() -> Result<(), AllocError> {
        assert!(segment(&[1.0, 2.0], TieBreak::Trec)?.is_none());
        assert!(segment(&[], TieBreak::Trec)?.is_none());
        Ok(())
    }

    #[test]
    fn judged_documents_of_one_score_are_placed_by_their_ids() -> Result<(), AllocError> {
        let mut group = TieGroup::default();
        let entry = |at| Entry::new(TieBreak::Trec, at, 1, 1.0, NO_RANK, at + 1);
        let mut judged = entry(0);
        judged.judged_row = 7;
        group.add(&[judged, entry(1)], b"ab")?;
        let (mut above, mut placed) = (3, Vec::new());
        group.flush(TieBreak::Trec, &mut above, &mut placed)?;
        let placed: Vec<_> = placed.iter().map(|it| (it.document, it.rank, it.first, it.last)).collect();
        assert_eq!((above, placed), (5, vec![(7, 5, 4, 5)]));
        assert!(group.entries.is_empty() && group.text.is_empty());
        Ok(())
    }
}
