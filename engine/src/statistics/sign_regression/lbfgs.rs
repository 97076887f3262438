//! Steps by a curvature, and by what earlier steps showed of it (limited-memory BFGS): every sum in one order, so that every
//! engine has the same bits.

use crate::memory::{AllocError, try_filled, try_to_vec};

/// Added to a curvature, of its largest part.
const RIDGE: f64 = 1e-3;

/// Moves that are learned from.
const HISTORY: usize = 8;

/// A curvature L L', by the rows of L and of L', and the moves since it was found.
pub(crate) struct QuasiNewton {
    size: usize,
    lower: Vec<f64>,
    upper: Vec<f64>,
    history: Vec<Correction>,
}

/// How weights moved, and the slope with them.
struct Correction {
    weights: Vec<f64>,
    slope: Vec<f64>,
    /// Of the two, the product.
    both: f64,
}

impl QuasiNewton {
    /// None yet, of this number of weights.
    pub(crate) fn new(size: usize) -> Result<QuasiNewton, AllocError> {
        let triangle = || try_filled(0.0, size.saturating_mul(size));
        Ok(QuasiNewton { size, lower: triangle()?, upper: triangle()?, history: Vec::new() })
    }

    /// Begin anew with the curvature that this writes, of which the lower triangle is looked at.
    pub(crate) fn reset(&mut self, write: impl FnOnce(&mut [f64])) {
        self.history.clear();
        write(&mut self.lower);
        let most = (0..self.size).fold(0.0_f64, |most, at| most.max(self.lower[at * (self.size + 1)]));
        for at in 0..self.size {
            self.lower[at * (self.size + 1)] += 1e-12 + RIDGE * most;
        }
        self.cholesky();
    }

    /// From the lower triangle of L L' to both triangles, column after column.
    fn cholesky(&mut self) {
        let size = self.size;
        for at in 0..size {
            let root = self.lower[at * (size + 1)].sqrt();
            let column = &mut self.upper[at * size..(at + 1) * size];
            column[at] = root;
            for (row, of_row) in self.lower.chunks_exact_mut(size).enumerate().skip(at + 1) {
                let times = of_row[at] / root;
                (of_row[at], column[row]) = (times, times);
                subtract_scaled(&mut of_row[at + 1..=row], times, &column[at + 1..=row]);
            }
            self.lower[at * (size + 1)] = root;
        }
    }

    /// Learn from a move where it went down as a curvature bends.
    pub(crate) fn update(&mut self, weights: Vec<f64>, slope: Vec<f64>) {
        let both = dot(&weights, &slope);
        if both > 0.0 {
            if self.history.len() == HISTORY {
                self.history.remove(0);
            }
            self.history.push(Correction { weights, slope, both });
        }
    }

    /// The step that a slope asks for.
    pub(crate) fn step(&self, slope: &[f64]) -> Result<Vec<f64>, AllocError> {
        let (mut step, mut shares) = (try_to_vec(slope)?, [0.0; HISTORY]);
        for (correction, share) in self.history.iter().zip(&mut shares).rev() {
            *share = dot(&correction.weights, &step) / correction.both;
            subtract_scaled(&mut step, *share, &correction.slope);
        }
        self.solve(&mut step);
        for (correction, share) in self.history.iter().zip(shares) {
            let times = dot(&correction.slope, &step) / correction.both - share;
            subtract_scaled(&mut step, times, &correction.weights);
        }
        Ok(step)
    }

    /// Solve L L' x = right.
    fn solve(&self, x: &mut [f64]) {
        for (row, column) in self.upper.chunks_exact(self.size.max(1)).enumerate() {
            x[row] /= column[row];
            let (above, below) = x.split_at_mut(row + 1);
            subtract_scaled(below, above[row], &column[row + 1..]);
        }
        for (row, column) in self.lower.chunks_exact(self.size.max(1)).enumerate().rev() {
            x[row] /= column[row];
            let (above, below) = x.split_at_mut(row);
            subtract_scaled(above, below[0], &column[..row]);
        }
    }
}

/// Take a multiple of a column away.
fn subtract_scaled(x: &mut [f64], times: f64, column: &[f64]) {
    for (x, column) in x.iter_mut().zip(column) {
        *x -= times * column;
    }
}

/// The sum of products, one after the other.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_solves_the_curvature_and_its_ridge() {
        let Ok(mut curvature) = QuasiNewton::new(2) else { unreachable!() };
        curvature.reset(|bend| bend.copy_from_slice(&[4.0, 0.0, 2.0, 10.0]));
        let ridge = 1e-12 + RIDGE * 10.0;
        let step = curvature.step(&[8.0, 22.0]).unwrap_or_default();
        let product = [(4.0 + ridge) * step[0] + 2.0 * step[1], 2.0 * step[0] + (10.0 + ridge) * step[1]];
        assert!((product[0] - 8.0).abs() < 1e-12 && (product[1] - 22.0).abs() < 1e-12);
    }

    #[test]
    fn what_a_move_showed_is_what_a_step_takes() {
        let Ok(mut curvature) = QuasiNewton::new(3) else { unreachable!() };
        curvature.reset(|bend| bend.copy_from_slice(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]));
        curvature.update(vec![1.0, 0.0, 0.0], vec![5.0, 1.0, 0.0]);
        // The slope changes so where the weights do: a step for the change is the move (the secant condition).
        let step = curvature.step(&[5.0, 1.0, 0.0]).unwrap_or_default();
        assert!((step[0] - 1.0).abs() < 1e-12 && step[1].abs() < 1e-12 && step[2].abs() < 1e-12);
        // Uphill is not learned from, and of nine moves the first is forgotten.
        curvature.update(vec![1.0, 0.0, 0.0], vec![-5.0, 1.0, 0.0]);
        assert_eq!(curvature.history.len(), 1);
        (0..8).for_each(|at| curvature.update(vec![0.0, 1.0, 0.0], vec![0.0, f64::from(at) + 1.0, 0.0]));
        assert_eq!((curvature.history.len(), curvature.history[0].both), (8, 1.0));
        curvature.reset(|bend| bend.fill(0.0));
        assert_eq!(curvature.history.len(), 0);
    }
}
