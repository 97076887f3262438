//! Sums that a regression on signs needs, of codes of five systems each: over the systems of each pair, by looking up, and over
//! the pairs of each system, by counting. In single precision, in which the tables fit the nearest cache.

use crate::memory::{AllocError, try_filled};
use crate::statistics::sign_regression::codes::{CODES, SYSTEMS_PER_BYTE, decode_byte};

/// A number for each thing that five systems can say.
type CodeTable = [f32; CODES];

/// Pairs that are summed in single precision before they are added to the rest.
const BLOCK_PAIRS: usize = 4096;

/// Pairs whose sums are made side by side.
const LANE: usize = 4;

/// What five systems say, by code.
type Digits = [[f64; SYSTEMS_PER_BYTE]; CODES];

/// Codes of pairs, [pairs, groups of five systems], and room for tables of them.
pub(crate) struct CodedMatrix<'a> {
    pub codes: &'a [u8],
    pub groups: usize,
    digits: Box<Digits>,
    tables: Vec<CodeTable>,
    sums: Vec<[f64; CODES]>,
}

impl<'a> CodedMatrix<'a> {
    pub(crate) fn new(codes: &'a [u8], groups: usize) -> Result<CodedMatrix<'a>, AllocError> {
        let digits = Box::new(std::array::from_fn(|code| decode_byte(code).map(f64::from)));
        let (tables, sums) = (try_filled([0.0; CODES], groups)?, try_filled([0.0; CODES], groups)?);
        Ok(CodedMatrix { codes, groups, digits, tables, sums })
    }

    /// The sum of the systems' weights over what they say, of each pair.
    pub(crate) fn times_weights(&mut self, weights: &[f64], into: &mut [f32]) {
        for (table, weights) in self.tables.iter_mut().zip(weights.chunks(SYSTEMS_PER_BYTE)) {
            for (sum, signs) in table.iter_mut().zip(self.digits.iter()) {
                *sum = weights.iter().zip(signs).fold(0.0, |sum, (weight, signs)| sum + weight * signs) as f32;
            }
        }
        if self.groups == 0 {
            return into.fill(0.0);
        }
        let (groups, tables) = (self.groups, &self.tables);
        let (blocks, tail) = into.split_at_mut(into.len() / LANE * LANE);
        let mut rows = self.codes.chunks_exact(LANE * groups);
        for (row, into) in rows.by_ref().zip(blocks.chunks_exact_mut(LANE)) {
            let mut sums = [0.0_f32; LANE];
            let sides = row[..groups].iter().zip(&row[groups..2 * groups]);
            let others = row[2 * groups..3 * groups].iter().zip(&row[3 * groups..]);
            for (table, ((&one, &two), (&three, &four))) in tables.iter().zip(sides.zip(others)) {
                for (sum, code) in sums.iter_mut().zip([one, two, three, four]) {
                    *sum += table[code as usize];
                }
            }
            into.copy_from_slice(&sums);
        }
        for (row, into) in rows.remainder().chunks_exact(groups).zip(tail) {
            *into = row.iter().zip(tables).fold(0.0, |sum, (&code, table)| sum + table[code as usize]);
        }
    }

    /// The sum of the pairs' values times what each system says: 4,096 pairs one after the other by code, then what these sum to,
    /// and then the codes.
    pub(crate) fn transpose_times(&mut self, values: &[f32], into: &mut [f64]) {
        self.sums.as_flattened_mut().fill(0.0);
        for (codes, values) in self.codes.chunks(self.groups.max(1) * BLOCK_PAIRS).zip(values.chunks(BLOCK_PAIRS)) {
            let subtotals = &mut self.tables;
            subtotals.as_flattened_mut().fill(0.0);
            for (row, &value) in codes.chunks_exact(self.groups.max(1)).zip(values) {
                for (sums, &code) in subtotals.iter_mut().zip(row) {
                    sums[code as usize] += value;
                }
            }
            for (sum, &subtotals) in self.sums.as_flattened_mut().iter_mut().zip(subtotals.as_flattened()) {
                *sum += f64::from(subtotals);
            }
        }
        for (into, sums) in into.chunks_mut(SYSTEMS_PER_BYTE).zip(&self.sums) {
            into.fill(0.0);
            for (sum, signs) in sums.iter().zip(self.digits.iter()) {
                into.iter_mut().zip(signs).for_each(|(into, signs)| *into += sum * signs);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_products_with_the_signs() {
        let (pairs, systems) = (5003, 12);
        let codes: Vec<u8> = (0..3 * pairs).map(|at| (at * at % 251) as u8).collect();
        let sign = |pair: usize, system: usize| {
            decode_byte(codes[pair * 3 + system / SYSTEMS_PER_BYTE] as usize)[system % SYSTEMS_PER_BYTE]
        };
        let weights: Vec<f64> = (0..systems).map(|system| (system * system % 7) as f64 / 8.0 - 0.25).collect();
        let values: Vec<f32> = (0..pairs).map(|pair| (pair % 9) as f32 / 8.0 - 0.5).collect();
        let Ok(mut sums) = CodedMatrix::new(&codes, 3) else { unreachable!() };
        let (mut score, mut slope) = (vec![1.0; pairs], vec![1.0; systems]);
        sums.times_weights(&weights, &mut score);
        // Eighths, so that nothing is rounded.
        let expected = |pair| (0..systems).fold(0.0, |sum, at| sum + weights[at] * f64::from(sign(pair, at)));
        assert!(score.iter().enumerate().all(|(pair, &score)| f64::from(score) == expected(pair)));
        sums.transpose_times(&values, &mut slope);
        for (system, &slope) in slope.iter().enumerate() {
            assert_eq!(slope, (0..pairs).fold(0.0, |sum, pair| sum + f64::from(values[pair] * sign(pair, system))));
        }
        sums.times_weights(&weights, &mut score);
        assert_eq!(f64::from(score[7]), expected(7));
    }

    #[test]
    fn where_there_is_nothing_sums_are_0() {
        let Ok(mut sums) = CodedMatrix::new(&[], 0) else { unreachable!() };
        let mut score = [1.0; 2];
        sums.times_weights(&[], &mut score);
        sums.transpose_times(&[0.5; 2], &mut []);
        assert_eq!(score, [0.0; 2]);
    }
}
