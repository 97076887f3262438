//! How documents of equal score are ordered: the tie policies, and numbers that sort as scores or ranks do.

use std::cmp::Ordering;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TieBreak {
    Trec,
    Trec9,
    Docid,
    Rank,
    File,
}

impl TieBreak {
    pub(crate) fn parse(word: &str) -> Option<TieBreak> {
        Some(match word {
            // Ties that are to be weighed or bounded stand as trec orders them, see `needs_tie_groups`.
            "trec" | "expected" | "bounds" => TieBreak::Trec,
            "trec9" => TieBreak::Trec9,
            "docid" => TieBreak::Docid,
            "rank" => TieBreak::Rank,
            "file" => TieBreak::File,
            _ => return None,
        })
    }

    /// The order of two documents of one key, whose ids are in the order that `cmp_ids` returns.
    #[inline(always)]
    pub(crate) fn cmp_tied(self, cmp_ids: impl FnOnce() -> Ordering) -> Ordering {
        match self {
            TieBreak::Trec | TieBreak::Trec9 => cmp_ids().reverse(),
            TieBreak::Docid => cmp_ids(),
            TieBreak::Rank | TieBreak::File => Ordering::Equal,
        }
    }
}

/// Whether the policy needs to know which documents have equal scores.
pub(crate) fn needs_tie_groups(word: &str) -> bool {
    matches!(word, "expected" | "bounds")
}

/// Larger scores first: smaller keys. -0.0 and 0.0 are equal.
#[inline(always)]
pub(crate) fn score_to_key(score: f64) -> u64 {
    let bits = (score + 0.0).to_bits();
    !(if bits >> 63 == 1 { !bits } else { bits | 1 << 63 })
}

/// The score of a key, but for the sign of zero.
pub(crate) fn key_to_score(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 0 { !key & !(1 << 63) } else { key })
}

#[inline(always)]
pub(crate) fn sort_key(ties: TieBreak, score: f64, rank: i64) -> u64 {
    match ties {
        TieBreak::Trec | TieBreak::Docid => score_to_key(score),
        TieBreak::Trec9 => score_to_key(f64::from(score as f32)),
        TieBreak::Rank => (rank as u64) ^ (1 << 63),
        TieBreak::File => 0,
    }
}
