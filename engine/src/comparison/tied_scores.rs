//! Equal scores near the top of lists.

use crate::memory::{AllocError, TryVec};

/// Lists whose scores are equal near the top.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct TieCounts {
    /// As they are.
    pub exactly: usize,
    /// As they are, or in single precision.
    pub either: usize,
    /// Whether scores of any list, wherever they stand, are equal in single precision alone.
    pub float32_only: bool,
}

/// The scores of each list; `None` where the lists are not all rows, one after the other.
fn lists<'a>(starts: &'a [i64], score: &'a [f64]) -> Option<impl Iterator<Item = &'a [f64]>> {
    let covers_all = starts.first() == Some(&0) && starts.last() == Some(&(score.len() as i64));
    (covers_all && starts.is_sorted()).then(|| starts.windows(2).map(|ends| &score[ends[0] as usize..ends[1] as usize]))
}

/// Lists in which neighbours among the first `depth` and the next have equal scores, in falling order.
pub(crate) fn count_ties(starts: &[i64], score: &[f64], depth: usize) -> Result<Option<TieCounts>, AllocError> {
    let Some(lists) = lists(starts, score) else { return Ok(None) };
    let (mut result, mut falling) = (TieCounts::default(), Vec::new());
    for mut own in lists {
        if !own.is_sorted_by(|above, below| above >= below) {
            falling.clear();
            falling.try_reserve_more(own.len())?;
            falling.extend_from_slice(own);
            falling.sort_unstable_by(|a, b| f64::total_cmp(b, a));
            own = &falling;
        }
        let near = || own.windows(2).take(depth);
        let exactly = near().any(|pair| pair[0] == pair[1]);
        result.exactly += usize::from(exactly);
        result.either += usize::from(exactly || near().any(|pair| pair[0] as f32 == pair[1] as f32));
        result.float32_only |= own.windows(2).any(|pair| pair[0] != pair[1] && pair[0] as f32 == pair[1] as f32);
    }
    Ok(Some(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_count_near_the_top_alone() {
        let near = 1.0 + f64::EPSILON;
        let score = [3.0, 3.0, 1.0, 1.0, near, 5.0, 2.0, 1.0, 1.0];
        let ties = count_ties(&[0, 3, 5, 9], &score, 2);
        assert_eq!(ties, Ok(Some(TieCounts { exactly: 1, either: 2, float32_only: true })));
        assert_eq!(count_ties(&[0, 4], &[5.0, 2.0, 1.0, 1.0], 2), Ok(Some(TieCounts::default())));
        assert_eq!(count_ties(&[0, 2], &[1.0], 2), Ok(None));
        assert_eq!(count_ties(&[0, 2, 1], &[1.0], 2), Ok(None));
    }
}
