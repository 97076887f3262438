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

#[inline(always)]
pub(crate) fn sort_key(ties: TieBreak, score: f64, rank: i64) -> u64 {
    match ties {
        TieBreak::Trec | TieBreak::Docid => score_to_key(score),
        TieBreak::Trec9 => score_to_key(f64::from(score as f32)),
        TieBreak::Rank => (rank as u64) ^ (1 << 63),
        TieBreak::File => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::NO_RANK;

    #[test]
    fn larger_scores_have_smaller_keys() {
        let scores = [f64::MAX, 1.5, 1.0, f64::MIN_POSITIVE, 5e-324, 0.0, -5e-324, -1.0, f64::MIN];
        assert!(scores.map(score_to_key).is_sorted_by(|above, below| above < below));
        assert_eq!(score_to_key(-0.0), score_to_key(0.0));
    }

    #[test]
    fn policies_sort_by_what_they_are_named_after() {
        let near = 1.0 + f64::EPSILON;
        assert!(sort_key(TieBreak::Trec, near, NO_RANK) < sort_key(TieBreak::Trec, 1.0, NO_RANK));
        assert_eq!(sort_key(TieBreak::Trec9, near, NO_RANK), sort_key(TieBreak::Trec9, 1.0, NO_RANK), "as 32 bits");
        assert!([i64::MIN, -1, 0, 1, i64::MAX].map(|rank| sort_key(TieBreak::Rank, 0.0, rank)).is_sorted());
        assert_eq!(sort_key(TieBreak::File, 2.0, 1), sort_key(TieBreak::File, 1.0, 2));
        for word in ["trec", "trec9", "docid", "rank", "file", "expected", "bounds"] {
            assert!(TieBreak::parse(word).is_some(), "{word}");
        }
        assert_eq!(TieBreak::parse("random"), None);
    }
}
