//! The best weighted sum of many signs as a predictor of one: P(+ | x) = 1 / (1 + exp(-b x)). See `cranfield.engine.protocol` for what it
//! is given, and `cranfield.statistics.kernels.logistic` for the same in Python, which has the same bits.

use crate::memory::{AllocError, try_collect_exact, try_filled, try_to_vec};
use crate::statistics::sign_regression::coded_sums::CodedMatrix;
use crate::statistics::sign_regression::codes::{SILENT, SYSTEMS_PER_BYTE};
use crate::statistics::sign_regression::hessian::Hessian;
use crate::statistics::sign_regression::lbfgs::{QuasiNewton, dot};
use crate::statistics::sign_regression::logistic::{CellShares, CellState, sigmoid};

/// What another step must gain, in nats, to be taken: of many cells, and of few, whose signs are nearly separated.
const MIN_GAIN: f64 = 1.5e-5;
const MIN_GAIN_FEW: f64 = 1.5e-6;

/// Steps at most; lengths of a step that are tried.
const STEPS: usize = 100;
const ALONG: usize = 20;

/// Steps before which the curvature is found anew.
const HESSIAN_STEPS: [usize; 6] = [0, 4, 10, 20, 40, 70];

/// The slope at a step's end, of that at its beginning, where it is as good as flat.
const FLAT: f64 = 0.3;

/// Where steps end.
pub(crate) struct SignFit {
    pub weights: Vec<f64>,
    /// Of each cell, the sum of weights over its signs.
    pub score: Vec<f32>,
    /// Whether the sums have the sign of every cell that says something, and none has both signs.
    pub is_separated: bool,
}

/// The cells of a regression, and room for what is found of them.
pub(crate) struct SignRegression<'a> {
    sums: CodedMatrix<'a>,
    shares: CellShares,
    /// 1 and -1 as the signs of a cell are + or -; none where a cell has both.
    target_signs: Option<Vec<f32>>,
    bending: Hessian<'a>,
    curvature: QuasiNewton,
    /// The sums of a step over the signs of each cell, and what is not predicted of each.
    along: Vec<f32>,
    residual: Vec<f32>,
}

/// Weights, what is known of the cells there, and the slope of the cross entropy.
struct Iterate {
    b: Vec<f64>,
    cells: CellState,
    slope: Vec<f64>,
}

impl<'a> SignRegression<'a> {
    /// From the codes of cells, how often each occurs and how often its sign is +, of all; `None` where these do not fit.
    pub(crate) fn new(
        codes: &'a [u8],
        share: &[f64],
        sign: &[f64],
        systems: usize,
    ) -> Result<Option<SignRegression<'a>>, AllocError> {
        let (cells, groups) = (share.len(), systems.div_ceil(SYSTEMS_PER_BYTE));
        if sign.len() != cells || cells.checked_mul(groups) != Some(codes.len()) {
            return Ok(None);
        }
        let one_sided = share.iter().zip(sign).all(|(share, sign)| *sign == 0.0 || sign == share);
        let target_signs = |&sign: &f64| if sign > 0.0 { 1.0 } else { -1.0 };
        let single = |numbers: &[f64]| try_collect_exact(numbers.iter().map(|&number| number as f32));
        Ok(Some(SignRegression {
            sums: CodedMatrix::new(codes, groups)?,
            shares: CellShares { share: single(share)?, sign: single(sign)? },
            target_signs: if one_sided { Some(try_collect_exact(sign.iter().map(target_signs))?) } else { None },
            bending: Hessian::new(codes, groups, systems, cells)?,
            curvature: QuasiNewton::new(systems)?,
            along: try_filled(0.0, cells)?,
            residual: try_filled(0.0, cells)?,
        }))
    }

    /// Where steps from some weights end; not at what separates the signs, but `continue_past_separation`.
    pub(crate) fn fit(&mut self, start: &[f64], continue_past_separation: bool) -> Result<SignFit, AllocError> {
        let (mut here, mut there) = (self.start(start)?, self.start(start)?);
        self.slope(&mut here);
        let enough = if self.bending.is_exact() { MIN_GAIN_FEW } else { MIN_GAIN };
        for number in 0..STEPS {
            if !continue_past_separation && self.is_separated(&here.cells.score) {
                break;
            }
            if HESSIAN_STEPS.contains(&number) {
                let (bending, share) = (&mut self.bending, &self.shares.share);
                self.curvature.reset(|bend| bending.compute(share, &here.cells.p, bend));
            }
            let step = self.curvature.step(&here.slope)?;
            let gained = dot(&here.slope, &step);
            if gained.is_nan() || gained < enough {
                break;
            }
            self.line_search(&here, &step, gained, &mut there);
            let moved = |there: &[f64], here: &[f64]| {
                try_collect_exact(there.iter().zip(here).map(|(there, here)| there - here))
            };
            self.curvature.update(moved(&there.b, &here.b)?, moved(&there.slope, &here.slope)?);
            std::mem::swap(&mut here, &mut there);
        }
        let is_separated = self.is_separated(&here.cells.score);
        Ok(SignFit { weights: here.b, score: here.cells.score, is_separated })
    }

    fn start(&mut self, b: &[f64]) -> Result<Iterate, AllocError> {
        let mut score = try_filled(0.0, self.along.len())?;
        if b.iter().any(|&weight| weight != 0.0) {
            self.sums.times_weights(b, &mut score);
        }
        let p = try_collect_exact(score.iter().map(|&score| sigmoid(score)))?;
        Ok(Iterate { b: try_to_vec(b)?, cells: CellState { score, p }, slope: try_filled(0.0, b.len())? })
    }

    /// Find the slope by what is known of the cells.
    fn slope(&mut self, point: &mut Iterate) {
        let known = self.shares.share.iter().zip(&self.shares.sign).zip(&point.cells.p);
        for (residual, ((share, sign), p)) in self.residual.iter_mut().zip(known) {
            *residual = share * p - sign;
        }
        self.sums.transpose_times(&self.residual, &mut point.slope);
    }

    /// Where a step arrives at the length at which it hardly descends any more.
    ///
    /// The slope along it rises from -gained on, and is as good as 0 where it is less than a share of that.
    fn line_search(&mut self, here: &Iterate, step: &[f64], gained: f64, there: &mut Iterate) {
        self.sums.times_weights(step, &mut self.along);
        let (mut size, mut short, mut long) = (1.0, 0.0, f64::INFINITY);
        let mut next = size;
        for _ in 0..ALONG {
            size = next;
            let (rising, bend) = self.shares.step_along(&here.cells.score, &self.along, size as f32, &mut there.cells);
            if rising.abs() <= FLAT * gained {
                break;
            }
            if rising < 0.0 {
                short = size;
            } else {
                long = size;
            }
            next = if bend > 0.0 { (size - rising / bend).min(3.0 * size) } else { 3.0 * size };
            if !(short < next && next < long) {
                next = 0.5 * (short + long);
            }
        }
        for (there, (here, step)) in there.b.iter_mut().zip(here.b.iter().zip(step)) {
            *there = here - size * step;
        }
        self.slope(there);
    }

    /// Whether the signs of all cells but silent ones are predicted: larger weights of the same ratios predict them as surely
    /// as one likes.
    fn is_separated(&self, score: &[f32]) -> bool {
        let Some(target_signs) = &self.target_signs else { return false };
        let groups = self.sums.groups;
        let silent = |cell: usize| self.sums.codes[cell * groups..][..groups].iter().all(|&code| code == SILENT);
        let mut scores = score.iter().zip(target_signs).enumerate();
        scores.all(|(cell, (&score, target_signs))| score * target_signs > 0.0 || score == 0.0 && silent(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells of one system that says + or -, or nothing, and how often each occurs and is +.
    fn fitted(codes: &[u8], share: &[f64], sign: &[f64], continue_past_separation: bool) -> SignFit {
        let Ok(Some(mut fit)) = SignRegression::new(codes, share, sign, 1) else { unreachable!() };
        let Ok(fitted) = fit.fit(&[0.0], continue_past_separation) else { unreachable!() };
        fitted
    }

    #[test]
    fn one_sign_weighs_the_log_of_its_odds() {
        // First of five, in base 3: 121 + 81 says +, 121 - 81 says -. Right are 0.6 + 0.15 of 1.
        let result = fitted(&[202, 40], &[0.8, 0.2], &[0.6, 0.05], false);
        assert!((result.weights[0] - 3.0_f64.ln()).abs() < 5e-3, "{}", result.weights[0]);
        assert_eq!((result.score[0], result.score[1]), (-result.score[1], -result.score[0]));
        assert!(!result.is_separated);
    }

    #[test]
    fn steps_end_where_signs_are_separated_or_go_beyond() {
        let (codes, share, sign) = ([202, 40, SILENT], [0.5, 0.3, 0.2], [0.5, 0.0, 0.2]);
        let result = fitted(&codes, &share, &sign, false);
        let further = fitted(&codes, &share, &sign, true);
        assert!(result.is_separated && further.is_separated);
        assert!(result.weights[0] > 0.0 && further.weights[0] > 2.0 * result.weights[0]);
        // A cell that is wrong, and one that is both, leave it open.
        assert!(!fitted(&codes, &share, &[0.5, 0.3, 0.2], false).is_separated);
        assert!(!fitted(&codes, &share, &[0.5, 0.0, 0.1], false).is_separated);
    }

    #[test]
    fn what_does_not_fit_is_noticed() {
        assert!(matches!(SignRegression::new(&[0; 2], &[1.0], &[1.0], 1), Ok(None)));
        assert!(matches!(SignRegression::new(&[0], &[1.0], &[], 1), Ok(None)));
        assert!(matches!(SignRegression::new(&[0], &[1.0], &[1.0], 6), Ok(None)));
    }
}
