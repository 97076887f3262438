//! The order of a list under a tie policy, and the ranks of its judged documents: what judging files, judging columns and
//! comparing runs share.
//!
//! `tie_order` has the policies, which say what decides between equal scores, and numbers that are ordered as scores are.
//! `judged_ranks` makes the ranks of all lists: of rows in order, of sorted rows, and of few judged documents by counting
//! the rows above each, for which `rank_slots` has the counts. `contradiction` compares ranks with scores.

pub(crate) mod contradiction;
pub(crate) mod judged_ranks;
pub(crate) mod rank_slots;
pub(crate) mod tie_order;

/// In place of the number of a topic or of a document that is not judged.
pub(crate) const UNJUDGED: u32 = u32::MAX;

/// What stands for a rank that is not a whole number of at most 18 digits.
pub(crate) const NO_RANK: i64 = i64::MIN;
