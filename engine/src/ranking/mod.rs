//! The order of a list under a tie policy, and ranks by counting: what judging a file and judging columns share.
//!
//! `tie_order` has the policies, which say what decides between equal scores, and numbers that are ordered as scores are.
//! `rank_slots` ranks a few judged documents by counting the rows above each, without sorting the list.

pub(crate) mod rank_slots;
pub(crate) mod tie_order;

/// In place of the number of a topic or of a document that is not judged.
pub(crate) const UNJUDGED: u32 = u32::MAX;
