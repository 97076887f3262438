//! What is left of a list when it is finished: its length, and the ranks of its judged documents.

use crate::error::{DuplicateDocument, EqualRanks};
use crate::ranking::judged_ranks::JudgedRanks;
use crate::text::fields::Field;

/// One finished list.
pub(crate) struct FinishedList {
    /// Number of the topic in the qrels, `UNJUDGED` where they do not hold it.
    pub topic: u32,
    pub name: Field,
    pub length: usize,
    pub rows: usize,
    pub contradicts: bool,
}

/// Finished lists in order of first appearance; the judged documents of all, one list after the other.
#[derive(Default)]
pub(crate) struct FinishedLists {
    pub lists: Vec<FinishedList>,
    pub judged: JudgedRanks<u32>,
    pub dropped: usize,
    pub first_duplicate: Option<DuplicateDocument>,
    pub equal_ranks: Option<EqualRanks>,
}
