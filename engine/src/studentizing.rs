//! What resamples say of pairs of columns: how often they reach what was observed, and the size of every statistic.

use crate::room::{Refused, filled};

/// Resamples whose statistics are put where they belong together.
const AT_ONCE: usize = 8;

/// Some resamples of some pairs.
pub struct Block<'a> {
    /// Sums of the resampled differences, [resamples, pairs].
    pub moments: &'a [f64],
    /// Sums of their squares, [resamples, pairs].
    pub squares: &'a [f64],
    /// A resample reaches what was observed where its squared moment reaches `squares * limit + floor`, [pairs].
    pub limit: &'a [f64],
    pub floor: &'a [f64],
    /// The largest ratio of a squared moment and squares that there is.
    pub cap: f64,
}

/// Where the statistics go, [pairs, all resamples], and the first of the resamples there.
pub struct Kept<'a> {
    pub ratio: &'a mut [f64],
    pub moments: &'a mut [f64],
    pub resamples: usize,
    pub begin: usize,
}

impl Block<'_> {
    /// Whether all parts are of equally many pairs, and the resamples fit.
    pub fn fits(&self, kept: &Kept) -> bool {
        let (pairs, size) = (self.limit.len(), self.moments.len());
        let room = kept.resamples.checked_sub(kept.begin).and_then(|left| left.checked_mul(pairs));
        self.squares.len() == size
            && self.floor.len() == pairs
            && pairs > 0
            && size.is_multiple_of(pairs)
            && room.is_some_and(|room| size <= room)
            && [kept.ratio.len(), kept.moments.len()].map(Some) == [kept.resamples.checked_mul(pairs); 2]
    }

    /// Keep the statistics; how many resamples reach what was observed of each pair.
    pub fn keep(&self, kept: &mut Kept) -> Result<Vec<i64>, Refused> {
        let pairs = self.limit.len();
        let (mut hits, mut ratios) = (filled(0_i64, pairs)?, filled(0.0, AT_ONCE * pairs)?);
        let some = self.moments.chunks(AT_ONCE * pairs).zip(self.squares.chunks(AT_ONCE * pairs));
        for (begin, (moments, squares)) in (kept.begin..).step_by(AT_ONCE).zip(some) {
            let samples = moments.chunks_exact(pairs).zip(squares.chunks_exact(pairs));
            for ((moments, squares), ratios) in samples.zip(ratios.chunks_exact_mut(pairs)) {
                self.studentize(moments, squares, ratios, &mut hits);
            }
            let to = begin..begin + moments.len() / pairs;
            let rows = kept.ratio.chunks_exact_mut(kept.resamples).zip(kept.moments.chunks_exact_mut(kept.resamples));
            for (pair, (ratio, moment)) in rows.enumerate() {
                for (at, (ratio, moment)) in ratio[to.clone()].iter_mut().zip(&mut moment[to.clone()]).enumerate() {
                    (*ratio, *moment) = (ratios[at * pairs + pair], moments[at * pairs + pair]);
                }
            }
        }
        Ok(hits)
    }

    /// The ratios of a resample, and what is reached in it.
    fn studentize(&self, moments: &[f64], squares: &[f64], ratios: &mut [f64], hits: &mut [i64]) {
        let borders = self.limit.iter().zip(self.floor);
        let given = moments.iter().zip(squares).zip(borders);
        for (((&moment, &squares), (&limit, &floor)), (ratio, hits)) in given.zip(ratios.iter_mut().zip(hits)) {
            let above = moment * moment;
            *hits += i64::from(above >= squares * limit + floor);
            let value = if squares > floor { above / squares } else { 0.0 };
            *ratio = if value > self.cap { self.cap } else { value };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resamples_are_counted_and_kept_where_they_belong() {
        let mut block = Block {
            moments: &[2.0, -3.0, 0.0, 1.0],
            squares: &[2.0, 1.0, 0.0, 4.0],
            limit: &[2.0, 2.0],
            floor: &[0.0, 0.5],
            cap: 5.0,
        };
        let (mut ratio, mut moments) = ([-1.0; 6], [-1.0; 6]);
        let mut kept = Kept { ratio: &mut ratio, moments: &mut moments, resamples: 3, begin: 1 };
        assert!(block.fits(&kept));
        assert_eq!(block.keep(&mut kept), Ok(vec![2, 1]));
        kept.begin = 2;
        assert!(!block.fits(&kept));
        block.moments = &[0.0; 2];
        assert!(!block.fits(&kept));
        assert_eq!(ratio, [-1.0, 2.0, 0.0, -1.0, 5.0, 0.25]);
        assert_eq!(moments, [-1.0, 2.0, 0.0, -1.0, -3.0, 1.0]);
    }
}
