//! Documents of lists by the level of their label or gain: how many others stand above each.

use crate::room::{Refused, filled};
use crate::segments;

/// Some documents of lists, each of one of the levels, which ascend, or of none.
pub struct Levels<'a> {
    /// Where each list begins, and where the last one ends.
    pub starts: &'a [i64],
    pub value: &'a [f64],
    pub levels: &'a [f64],
}

/// Levels up to which it is quicker to look at all of them.
const FEW: usize = 16;

impl Levels<'_> {
    pub fn fits(&self) -> bool {
        segments::fits(self.starts, self.value.len()) && self.levels.is_sorted_by(|one, next| one < next)
    }

    fn level(&self, value: f64) -> Option<usize> {
        let place = if self.levels.len() <= FEW {
            // Without a branch: labels come in no order that could be foreseen.
            self.levels.iter().map(|&level| usize::from(level < value)).sum()
        } else {
            self.levels.partition_point(|&level| level < value)
        };
        (self.levels.get(place) == Some(&value)).then_some(place)
    }

    /// The place of each document in the list that has the better ones of `better` first, [topics, levels], and then
    /// those of its own level in the order of this list; 0 for one of no level. The lists are those of all topics, once
    /// or several times over. `None` where they are not.
    pub fn places(&self, better: &[i64]) -> Result<Option<Vec<i64>>, Refused> {
        let mut out = filled(0, self.value.len())?;
        let (kinds, lists) = (self.levels.len(), self.starts.len() - 1);
        if kinds == 0 {
            return Ok(Some(out));
        }
        if better.is_empty() || !(lists * kinds).is_multiple_of(better.len()) || !better.len().is_multiple_of(kinds) {
            return Ok(None);
        }
        let mut count = filled(0, kinds)?;
        for ((begin, end), better) in segments::lists(self.starts).zip(better.chunks_exact(kinds).cycle()) {
            count.copy_from_slice(better);
            for (place, &value) in out[begin..end].iter_mut().zip(&self.value[begin..end]) {
                if let Some(level) = self.level(value) {
                    count[level] += 1;
                    *place = count[level];
                }
            }
        }
        Ok(Some(out))
    }

    /// The sum of (g - g') / g over the documents above each one, g' < g being their gain and g its own, which is above 0;
    /// documents that are no rows, and rows of no level, have none. Ranks are those of the lists.
    pub fn penalties(&self, rank: &[i64]) -> Result<Vec<f64>, Refused> {
        match self.levels.len() {
            0..=4 => self.lost([0.0; 4], rank),
            5..=FEW => self.lost([0.0; FEW], rank),
            many => self.lost(filled(0.0, many)?, rank),
        }
    }

    /// The same with room for the counts of so many levels, at least.
    fn lost<A: AsMut<[f64]> + AsRef<[f64]> + Clone>(&self, none: A, rank: &[i64]) -> Result<Vec<f64>, Refused> {
        let mut out = filled(0.0, self.value.len())?;
        let (mut worth, mut above) = (none.clone(), none);
        worth.as_mut()[..self.levels.len()].copy_from_slice(self.levels);
        let few = self.levels.len() <= FEW;
        for (begin, end) in segments::lists(self.starts) {
            above.as_mut().fill(0.0);
            let mut worthless = 0;
            let rows = self.value[begin..end].iter().zip(&rank[begin..end]);
            for ((penalty, (&value, &rank)), place) in out[begin..end].iter_mut().zip(rows).zip(1..) {
                let Some(level) = self.level(value) else {
                    worthless += i64::from(value == 0.0);
                    continue;
                };
                let (mut count, mut gain) = ((rank - place + worthless) as f64, 0.0);
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

    const LISTS: Levels = Levels { starts: &[0, 4, 5], value: &[1.0, 2.0, 0.0, 2.0, 1.0], levels: &[1.0, 2.0] };

    #[test]
    fn places_in_the_best_list_are_those_by_hand() {
        // Of the first topic, two documents are better than those of the label 1, and of the second, none.
        assert!(LISTS.fits() && !Levels { levels: &[2.0, 2.0], ..LISTS }.fits());
        assert_eq!(LISTS.places(&[2, 0, 0, 0]), Ok(Some(vec![3, 1, 0, 2, 1])));
        assert_eq!(LISTS.places(&[2, 0, 0]), Ok(None));
        assert_eq!(Levels { levels: &[], ..LISTS }.places(&[]), Ok(Some(vec![0; 5])));
    }

    #[test]
    fn penalties_are_those_by_hand() {
        // Above the second document of gain 2, at rank 5, stand gains of 1, 2, 0 and one that is no row.
        assert_eq!(LISTS.penalties(&[1, 2, 4, 5, 3]), Ok(vec![0.0, 0.5, 0.0, 2.5, 2.0]));
    }
}
