//! Whether the ranks of a list contradict its scores.

use crate::memory::{AllocError, TryVec};
use crate::ranking::NO_RANK;
use crate::ranking::tie_order::score_to_key;

/// Whether a document of larger score has a larger rank number than one of smaller score. Rows are scores and ranks.
pub(crate) fn ranks_contradict_scores(
    rows: impl ExactSizeIterator<Item = (f64, i64)> + Clone,
) -> Result<bool, AllocError> {
    let count = rows.len();
    let ranked = rows.filter(|(_, rank)| *rank != NO_RANK).map(|(score, rank)| (score_to_key(score), rank));
    if ranked.clone().is_sorted_by_key(|(score, _)| score) {
        return Ok(has_inversion(ranked));
    }
    let mut pairs: Vec<(u64, i64)> = Vec::new();
    pairs.try_reserve_more(count)?;
    pairs.extend(ranked);
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
            let mut drawn: Vec<_> = (0..4).map(|digit| kinds[number / kinds.len().pow(digit) % kinds.len()]).collect();
            assert_eq!(ranks_contradict_scores(drawn.iter().copied())?, plain(&drawn), "{drawn:?}");
            drawn.sort_by_key(|row| score_to_key(row.0));
            assert_eq!(ranks_contradict_scores(drawn.iter().copied())?, plain(&drawn), "{drawn:?}");
        }
        Ok(())
    }
}
