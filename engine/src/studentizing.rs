//! What resamples say of pairs of columns: how often they reach what was observed, and which of them is the k-th largest.

use std::array::from_fn;

use crate::room::{Refused, filled};
use crate::selecting::{Finder, Parts};

/// Pairs whose statistics are held at a time.
const LANES: usize = 8;

/// Resamples that are put where they belong together.
const AT_ONCE: usize = 8;

type Lanes = [f64; LANES];

/// All resamples of some pairs.
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

/// How many resamples reach what was observed, [pairs], and the k-th largest ratio of each part of them, [parts, pairs].
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    pub hits: Vec<i64>,
    pub places: Vec<i64>,
}

impl Block<'_> {
    fn resamples(&self) -> usize {
        self.moments.len().checked_div(self.limit.len()).unwrap_or(0)
    }

    /// Whether all is of equally many pairs, and the parts are of the resamples.
    pub fn fits(&self, parts: &Parts) -> bool {
        let (pairs, size) = (self.limit.len(), self.moments.len());
        self.squares.len() == size
            && self.floor.len() == pairs
            && pairs > 0
            && size.is_multiple_of(pairs)
            && parts.fits(self.resamples())
    }

    /// Of parts that fit.
    pub fn find(&self, parts: &Parts) -> Result<Found, Refused> {
        let (pairs, resamples) = (self.limit.len(), self.resamples());
        let mut found = Found { hits: filled(0, pairs)?, places: filled(0, parts.kth.len() * pairs)? };
        let (mut ratios, mut finder) = (filled(0.0, LANES * resamples)?, Finder::new(parts, resamples)?);
        for begin in (0..pairs).step_by(LANES) {
            let hits = self.studentize(begin, &mut ratios);
            let rows = ratios.chunks_exact(resamples.max(1));
            for ((pair, row), hits) in (begin..pairs).zip(rows).zip(hits) {
                found.hits[pair] = hits;
                for (part, place) in finder.places(row).enumerate() {
                    found.places[part * pairs + pair] = place;
                }
            }
        }
        Ok(found)
    }

    /// The ratios of some pairs in rows, [lanes, resamples], and how many resamples reach what was observed of each.
    fn studentize(&self, begin: usize, ratios: &mut [f64]) -> [i64; LANES] {
        let (pairs, resamples) = (self.limit.len(), self.resamples());
        let (limit, floor) = (lanes(&self.limit[begin..]), lanes(&self.floor[begin..]));
        let mut hits = [0; LANES];
        let some = self.moments.chunks(AT_ONCE * pairs).zip(self.squares.chunks(AT_ONCE * pairs));
        for (first, (moments, squares)) in (0..resamples).step_by(AT_ONCE).zip(some) {
            let mut block = [[0.0; LANES]; AT_ONCE];
            let samples = moments.chunks_exact(pairs).zip(squares.chunks_exact(pairs));
            for (values, (moments, squares)) in block.iter_mut().zip(samples) {
                let (moments, squares) = (lanes(&moments[begin..]), lanes(&squares[begin..]));
                let above = moments.map(|moment| moment * moment);
                let reached: [bool; LANES] = from_fn(|at| above[at] >= squares[at] * limit[at] + floor[at]);
                hits = from_fn(|at| hits[at] + i64::from(reached[at]));
                let ratio: Lanes = from_fn(|at| above[at] / squares[at]);
                let ratio: Lanes = from_fn(|at| if squares[at] > floor[at] { ratio[at] } else { 0.0 });
                *values = ratio.map(|ratio| if ratio > self.cap { self.cap } else { ratio });
            }
            let many = AT_ONCE.min(resamples - first);
            for (at, row) in ratios.chunks_exact_mut(resamples).enumerate() {
                let of_pair: [f64; AT_ONCE] = from_fn(|sample| block[sample][at]);
                match row[first..].first_chunk_mut() {
                    Some(whole) => *whole = of_pair,
                    None => row[first..].copy_from_slice(&of_pair[..many]),
                }
            }
        }
        hits
    }
}

/// The first values of a row; beyond its end 0.
#[inline(always)]
fn lanes(values: &[f64]) -> Lanes {
    values.first_chunk().copied().unwrap_or_else(|| from_fn(|at| values.get(at).copied().unwrap_or(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resamples_are_counted_and_the_largest_found() {
        let mut block = Block {
            moments: &[2.0, -3.0, 0.0, 1.0],
            squares: &[2.0, 1.0, 0.0, 4.0],
            limit: &[2.0, 2.0],
            floor: &[0.0, 0.5],
            cap: 5.0,
        };
        // Ratios are 2 and 0 of the first pair, 5 and 1/4 of the second one.
        let parts = Parts { begins: &[0, 0, 1], ends: &[2, 2, 2], kth: &[1, 2, 1] };
        assert!(block.fits(&parts));
        assert_eq!(block.find(&parts), Ok(Found { hits: vec![2, 1], places: vec![0, 0, 1, 1, 1, 1] }));
        assert!(!block.fits(&Parts { ends: &[2, 2, 3], ..parts }));
        block.moments = &[0.0; 2];
        assert!(!block.fits(&parts));
    }

    #[test]
    fn many_pairs_are_found_one_like_the_other() {
        let rising: Vec<f64> = (0..4 * 19).map(|at| (at / 19) as f64).collect();
        let block =
            Block { moments: &rising, squares: &[1.0; 4 * 19], limit: &[4.0; 19], floor: &[0.0; 19], cap: 99.0 };
        let parts = Parts { begins: &[0], ends: &[4], kth: &[2] };
        assert!(block.fits(&parts));
        assert_eq!(block.find(&parts), Ok(Found { hits: vec![2; 19], places: vec![2; 19] }));
    }
}
