//! Documents of lists by the level of their label or gain: how many others stand above each.

use crate::checked::{Check, Checked};
use crate::measures::segments;
use crate::memory::{AllocError, try_filled, try_with_capacity};

/// Some documents of lists, each of one of the levels, which ascend, or of none.
pub(crate) struct GradedRows<'a> {
    /// Where each list begins, and where the last one ends.
    pub starts: &'a [i64],
    pub value: &'a [f64],
    pub levels: &'a [f64],
}

/// Levels up to which it is quicker to look at all of them.
const FEW: usize = 16;

/// Levels up to which all counts, of 16 bits, have room in one number.
const PACKED: usize = 4;

impl Check for GradedRows<'_> {
    fn fits(&self) -> bool {
        segments::valid_starts(self.starts, self.value.len()) && self.levels.is_sorted_by(|level, next| level < next)
    }
}

impl Checked<GradedRows<'_>> {
    fn level(&self, value: f64) -> Option<usize> {
        let index = if self.levels.len() <= FEW {
            // Without a branch: labels come in no order that could be foreseen.
            self.levels.iter().map(|&level| usize::from(level < value)).sum()
        } else {
            self.levels.partition_point(|&level| level < value)
        };
        (self.levels.get(index) == Some(&value)).then_some(index)
    }

    /// The sum over each list of what a weight of its own, of `ideal`, is more than that of the rank above each document, or
    /// of its place in the best list where that is larger; `weights` begin with that of rank 0. The best list has the
    /// documents of higher levels first, `better` [topics, levels], and then those of the own level in the order of this
    /// list; the place is 0 for one of no level. The lists are those of all topics, once or several times over. `None`
    /// where they are not, or a place has no weight.
    pub(crate) fn compat_sums(
        &self,
        better: &[i64],
        rank: &[i64],
        ideal: &[f64],
        weights: &[f64],
    ) -> Result<Option<Vec<f64>>, AllocError> {
        let (kinds, lists) = (self.levels.len(), self.starts.len() - 1);
        let mut out = try_filled(0.0, lists)?;
        if kinds == 0 && self.value.is_empty() {
            return Ok(Some(out));
        }
        if better.is_empty() || !(lists * kinds).is_multiple_of(better.len()) || !better.len().is_multiple_of(kinds) {
            return Ok(None);
        }
        let mut count = try_filled(0, kinds)?;
        let facts = better.chunks_exact(kinds).cycle().zip(ideal);
        for ((sum, (begin, end)), (better, ideal)) in out.iter_mut().zip(segments::ranges(self.starts)).zip(facts) {
            count.copy_from_slice(better);
            for (&value, &rank) in self.value[begin..end].iter().zip(&rank[begin..end]) {
                let ideal_rank = self.level(value).map_or(0, |level| {
                    count[level] += 1;
                    count[level]
                });
                let above =
                    usize::try_from(rank.max(ideal_rank) - 1).ok().and_then(|ideal_rank| weights.get(ideal_rank));
                let Some(above) = above else { return Ok(None) };
                *sum += ideal - above;
            }
        }
        Ok(Some(out))
    }

    /// The sum over each list of its precisions by all levels: of each document, and each level that it reaches, the step
    /// from the level below, or 0, times the share of documents down to its rank that reach it. `None` where a sum is not
    /// finite. Levels are above 0, and a document of none of them has none.
    pub(crate) fn gap_sums(&self, rank: &[i64]) -> Result<Option<Vec<f64>>, AllocError> {
        let sums = if self.levels.len() <= PACKED {
            let mut levels = [f64::INFINITY; PACKED];
            levels[..self.levels.len()].copy_from_slice(self.levels);
            self.precisions_with(levels, [0.0; PACKED], rank)?
        } else {
            let mut levels = try_filled(0.0, self.levels.len())?;
            levels.copy_from_slice(self.levels);
            self.precisions_with(levels, try_filled(0.0, self.levels.len())?, rank)?
        };
        Ok(sums.iter().all(|sum| sum.is_finite()).then_some(sums))
    }

    /// The same with these levels, which no value reaches where they are infinite.
    fn precisions_with<A: AsMut<[f64]> + AsRef<[f64]> + Clone>(
        &self,
        levels: A,
        none: A,
        rank: &[i64],
    ) -> Result<Vec<f64>, AllocError> {
        let mut out = try_filled(0.0, self.starts.len() - 1)?;
        let mut steps = none.clone();
        let below = std::iter::once(&0.0).chain(self.levels);
        let heights = self.levels.iter().zip(below).map(|(level, below)| level - below);
        steps.as_mut().iter_mut().zip(heights).for_each(|(step, height)| *step = height);
        let mut count = none;
        for (sum, (begin, end)) in out.iter_mut().zip(segments::ranges(self.starts)) {
            count.as_mut().fill(0.0);
            for (&value, &rank) in self.value[begin..end].iter().zip(&rank[begin..end]) {
                let (rank, mut worth) = (rank as f64, 0.0);
                let known = levels.as_ref().iter().zip(steps.as_ref());
                for ((&level, &step), count) in known.zip(count.as_mut()) {
                    // Without a branch: labels come in no order that could be foreseen.
                    let reached = if value >= level { 1.0 } else { 0.0 };
                    *count += reached;
                    worth += step * (reached * *count / rank);
                }
                *sum += worth;
            }
        }
        Ok(out)
    }

    /// The sum of (g - g') / g over the documents above each one, g' < g being their gain and g its own, which is above 0;
    /// documents that are not rows, and rows of no level, have none. Ranks are those of the lists.
    pub(crate) fn rpref_penalties(&self, rank: &[i64]) -> Result<Vec<f64>, AllocError> {
        let longest = segments::ranges(self.starts).map(|(begin, end)| end - begin).max().unwrap_or(0);
        match self.levels.len() {
            0..=PACKED if u16::try_from(longest).is_ok() => self.penalties_packed(rank),
            0..=PACKED => self.penalties_general([0.0; PACKED], rank),
            5..=FEW => self.penalties_general([0.0; FEW], rank),
            many => self.penalties_general(try_filled(0.0, many)?, rank),
        }
    }

    /// The same of so few levels, in lists so short, that all counts have room in one number.
    fn penalties_packed(&self, rank: &[i64]) -> Result<Vec<f64>, AllocError> {
        let mut out = try_with_capacity(self.value.len())?;
        let (mut worth, mut known) = ([0.0; PACKED], [f64::INFINITY; PACKED + 1]);
        worth[..self.levels.len()].copy_from_slice(self.levels);
        known[..self.levels.len()].copy_from_slice(self.levels);
        for (begin, end) in segments::ranges(self.starts) {
            let (mut above, mut worthless) = (0_u64, 0);
            out.resize(end, 0.0);
            let rows = self.value[begin..end].iter().zip(&rank[begin..end]);
            for ((penalty, (&value, &rank)), position) in out[begin..end].iter_mut().zip(rows).zip(1..) {
                let level = known[..PACKED].iter().map(|&level| usize::from(level < value)).sum::<usize>();
                if known[level] != value || level == self.levels.len() {
                    worthless += i64::from(value == 0.0);
                    continue;
                }
                let smaller = above & ((1 << (16 * level)) - 1);
                let (mut count, mut gain) = (rank - position + worthless, 0.0);
                for (number, &worth) in worth.iter().enumerate() {
                    let above = (smaller >> (16 * number)) as u16;
                    count += i64::from(above);
                    gain += worth * f64::from(above);
                }
                *penalty = count as f64 - gain / value;
                above += 1 << (16 * level);
            }
        }
        Ok(out)
    }

    /// The same with room for the counts of this number of levels, at least.
    fn penalties_general<A: AsMut<[f64]> + AsRef<[f64]> + Clone>(
        &self,
        none: A,
        rank: &[i64],
    ) -> Result<Vec<f64>, AllocError> {
        let mut out = try_filled(0.0, self.value.len())?;
        let (mut worth, mut above) = (none.clone(), none);
        worth.as_mut()[..self.levels.len()].copy_from_slice(self.levels);
        let few = self.levels.len() <= FEW;
        for (begin, end) in segments::ranges(self.starts) {
            above.as_mut().fill(0.0);
            let mut worthless = 0;
            let rows = self.value[begin..end].iter().zip(&rank[begin..end]);
            for ((penalty, (&value, &rank)), position) in out[begin..end].iter_mut().zip(rows).zip(1..) {
                let Some(level) = self.level(value) else {
                    worthless += i64::from(value == 0.0);
                    continue;
                };
                let (mut count, mut gain) = ((rank - position + worthless) as f64, 0.0);
                // Where there are few, those of no smaller level count as none: the same is done for every row.
                let looked_at = if few { worth.as_ref().len() } else { level };
                let levels = worth.as_ref()[..looked_at].iter().zip(above.as_ref());
                for (number, (&worth, &above)) in levels.enumerate() {
                    let above = if number < level { above } else { 0.0 };
                    count += above;
                    gain += worth * above;
                }
                *penalty = count - gain / value;
                above.as_mut()[level] += 1.0;
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;

    const LISTS: GradedRows = GradedRows { starts: &[0, 4, 5], value: &[1.0, 2.0, 0.0, 2.0, 1.0], levels: &[1.0, 2.0] };

    #[test]
    fn overlaps_with_the_best_list_are_those_by_hand() {
        // Of the first topic, two documents are better than those of the label 1, and of the second, none.
        assert!(LISTS.fits() && !GradedRows { levels: &[2.0, 2.0], ..LISTS }.fits());
        // So the places are 3, 1, 0, 2 and 1; the ranks are larger for all but the first.
        let (rank, ideal, weights) = ([1, 2, 4, 5, 3], [8.0, 4.0], [0.0, 1.0, 2.0, 3.0, 4.0]);
        let sums = |better| checked(LISTS).compat_sums(better, &rank, &ideal, &weights);
        assert_eq!(sums(&[2, 0, 0, 0]), Ok(Some(vec![6.0 + 7.0 + 5.0 + 4.0, 2.0])));
        assert_eq!(sums(&[2, 0, 0]), Ok(None));
        assert_eq!(checked(LISTS).compat_sums(&[2, 0, 0, 0], &rank, &ideal, &weights[..4]), Ok(None));
    }

    #[test]
    fn precisions_by_levels_are_those_by_hand() {
        // 1/1, then 2/2 by the label 1 and 1/2 by the label 2, then 3/5 and 2/5; and 1/3.
        let sums = checked(LISTS).gap_sums(&[1, 2, 4, 5, 3]).ok().flatten();
        assert_eq!(sums, Some(vec![1.0 + (1.0 + 0.5) + (3.0 / 5.0 + 2.0 / 5.0), 1.0 / 3.0]));
        assert_eq!(checked(GradedRows { levels: &[], ..LISTS }).gap_sums(&[1, 2, 4, 5, 3]), Ok(Some(vec![0.0; 2])));
    }

    #[test]
    fn penalties_are_those_by_hand() {
        // Above the second document of gain 2, at rank 5, stand gains of 1, 2, 0 and one that is not a row.
        assert_eq!(checked(LISTS).rpref_penalties(&[1, 2, 4, 5, 3]), Ok(vec![0.0, 0.5, 0.0, 2.5, 2.0]));
    }
}
