//! A list that lasts very long is read in stretches, several at a time, none of which keeps its text: what is left of one
//! are its judged documents, the hashes of all, and the ids whose scores are tied with the neighbouring stretch.
//!
//! That is enough where scores never rise, ranks never fall, and no document occurs twice. Elsewhere the list has to be
//! read as a whole.

use crate::ids::distinct_hashes::BinnedHashes;
use crate::judging::list_order::{Entry, by_id, suspicious};
use crate::judging::tie_order::Ties;
use crate::judging::topic_index::UNJUDGED;
use crate::memory::{AllocError, TryVec, try_to_vec};

/// What is left of the rows of a list that stand in one window.
pub(crate) struct Stretch {
    pub(super) topic: u32,
    pub(super) name: Vec<u8>,
    pub(super) first: Entry,
    pub(super) last: Entry,
    /// Rows tied with the first one; they may be all.
    pub(super) head: Tied,
    /// Judged documents of the rows between, and how many rows these are.
    pub(super) middle: Vec<Placed>,
    pub(super) between: usize,
    /// Rows tied with the last one, where they are not those of the head.
    pub(super) tail: Tied,
    pub(super) hashes: BinnedHashes,
}

/// A judged document: its rank, and the ranks of the first and the last row of its score.
pub(super) struct Placed {
    pub document: u32,
    pub rank: usize,
    pub first: usize,
    pub last: usize,
}

/// Rows of one score, with the text of their ids.
#[derive(Default)]
pub(super) struct Tied {
    pub entries: Vec<Entry>,
    pub text: Vec<u8>,
}

impl Tied {
    pub(super) fn add(&mut self, entries: &[Entry], data: &[u8]) -> Result<(), AllocError> {
        self.entries.try_reserve_more(entries.len())?;
        for &entry in entries {
            let id = entry.id(data);
            self.text.try_reserve_more(id.len())?;
            self.entries.push(entry.moved(self.text.len()));
            self.text.extend_from_slice(id);
        }
        Ok(())
    }

    /// Place what is judged of these, which are all of their score, behind so many rows; these are none then.
    pub(super) fn close(&mut self, ties: Ties, above: &mut usize, out: &mut Vec<Placed>) -> Result<(), AllocError> {
        place(&mut self.entries, ties, &self.text, *above, out)?;
        *above += self.entries.len();
        self.entries.clear();
        self.text.clear();
        Ok(())
    }
}

/// Whether two rows are of one score, so that their ids decide.
pub(super) fn tied(ties: Ties, a: &Entry, b: &Entry) -> bool {
    ties != Ties::File && a.key == b.key
}

/// Place the judged documents of rows of one score, which stand below `above` others.
fn place(
    entries: &mut [Entry],
    ties: Ties,
    data: &[u8],
    above: usize,
    out: &mut Vec<Placed>,
) -> Result<(), AllocError> {
    if entries.iter().all(|entry| entry.pool == UNJUDGED) {
        return Ok(());
    }
    entries.sort_unstable_by(|a, b| by_id(ties, data, *a, *b));
    for (entry, rank) in entries.iter().zip(above + 1..).filter(|(entry, _)| entry.pool != UNJUDGED) {
        out.try_push(Placed { document: entry.pool, rank, first: above + 1, last: above + entries.len() })?;
    }
    Ok(())
}

/// Whether a row may stand below another one in a list that is read in stretches.
pub(super) fn follows(ties: Ties, before: Entry, next: Entry) -> bool {
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
    ) -> Result<Option<Stretch>, AllocError> {
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
        let (name, hashes) = (try_to_vec(name)?, BinnedHashes::new(hashes)?);
        Ok(Some(Stretch { topic, name, first, last, head, middle, between, tail, hashes }))
    }
}
