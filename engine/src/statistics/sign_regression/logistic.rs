//! The chance of a sign by a score, and how a cross entropy falls along a line: in single precision, each number by the same
//! operations in every engine and each sum in one order, so that all have the same bits.

/// Numbers that are summed side by side: cell i is in the sum i mod 512, and these are added up one after the other.
const LANES: usize = 512;

/// Scores beyond which a chance is as good as 0 or 1.
const SURE: f32 = 80.0;

/// A number that pushes the part of another after the point out of single precision.
const WHOLE: f32 = 12_582_912.0;

/// 1 / (1 + exp(-score)).
#[inline(always)]
pub(crate) fn sigmoid(score: f32) -> f32 {
    1.0 / (1.0 + exp(-score.clamp(-SURE, SURE)))
}

/// The exponential of a number between -87 and 88, to 1.2e-7 of itself: 2^n exp(r) with |r| <= ln 2 / 2, as Cephes has it.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let shifted = x * std::f32::consts::LOG2_E + WHOLE;
    let n = shifted - WHOLE;
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    let mut sum = 1.987_569_1e-4;
    for part in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        sum = sum * r + part;
    }
    let two_to_n = f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
    (sum * (r * r) + r + 1.0) * two_to_n
}

/// How often a cell occurs, and how often its sign is +, of all.
pub(crate) struct CellShares {
    pub share: Vec<f32>,
    pub sign: Vec<f32>,
}

/// What is known of cells at some weights: the sums over their signs, and P(+) there.
pub(crate) struct CellState {
    pub score: Vec<f32>,
    pub p: Vec<f32>,
}

impl CellShares {
    /// Go along a line by so much: into `there`. The slope of the cross entropy there along the line, and how it bends.
    pub(crate) fn step_along(&self, here: &[f32], along: &[f32], size: f32, there: &mut CellState) -> (f64, f64) {
        let (mut rising, mut bend) = ([0.0; LANES], [0.0; LANES]);
        let points = here.chunks(LANES).zip(along.chunks(LANES));
        let known = self.share.chunks(LANES).zip(self.sign.chunks(LANES));
        let outputs = there.score.chunks_mut(LANES).zip(there.p.chunks_mut(LANES));
        for (((here, along), (share, sign)), (score, p)) in points.zip(known).zip(outputs) {
            for (score, (&here, &along)) in score.iter_mut().zip(here.iter().zip(along)) {
                *score = here - size * along;
            }
            for (p, &score) in p.iter_mut().zip(score.iter()) {
                *p = sigmoid(score);
            }
            let cells = share.iter().zip(sign).zip(along.iter().zip(p.iter()));
            for ((rising, bend), ((&share, &sign), (&along, &p))) in rising.iter_mut().zip(&mut bend).zip(cells) {
                let likely = share * p;
                *rising += along * (sign - likely);
                *bend += (likely - likely * p) * (along * along);
            }
        }
        let sum = |lanes: [f32; LANES]| lanes.iter().fold(0.0, |sum, &lane| sum + f64::from(lane));
        (sum(rising), sum(bend))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_as_good_as_single_precision() {
        for step in -8000..=8000 {
            let x = step as f32 / 100.0;
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 1.5e-7, "{x}");
        }
        assert_eq!((exp(0.0), sigmoid(0.0), sigmoid(1e9)), (1.0, 0.5, 1.0));
        assert!(sigmoid(-1e9) > 0.0 && sigmoid(-1e9) < 1e-34);
    }

    #[test]
    fn slopes_along_a_line_are_those_of_its_cross_entropy() {
        let count = 1300;
        let number = |at: usize, times: usize| (at * times % 17) as f32 / 17.0;
        let share: Vec<f32> = (0..count).map(|at| number(at, 3) + 0.1).collect();
        let sign: Vec<f32> = share.iter().enumerate().map(|(at, share)| share * number(at, 5)).collect();
        let here: Vec<f32> = (0..count).map(|at| number(at, 7) - 0.4).collect();
        let along: Vec<f32> = (0..count).map(|at| number(at, 11) - 0.5).collect();
        let loss = |size: f64| -> f64 {
            (0..count)
                .map(|at| {
                    let score = f64::from(here[at]) - size * f64::from(along[at]);
                    f64::from(share[at]) * score.exp().ln_1p() - f64::from(sign[at]) * score
                })
                .sum()
        };
        let shares = CellShares { share: share.clone(), sign: sign.clone() };
        let mut there = CellState { score: vec![0.0; count], p: vec![0.0; count] };
        let (rising, bend) = shares.step_along(&here, &along, 0.75, &mut there);
        let (less, same, more) = (loss(0.749), loss(0.75), loss(0.751));
        assert!((rising - (more - less) / 0.002).abs() < 1e-4, "{rising}");
        assert!((bend - (more - 2.0 * same + less) / 1e-6).abs() < 1e-2, "{bend}");
        assert_eq!(there.score[1299], here[1299] - 0.75 * along[1299]);
        assert_eq!(there.p[1299], sigmoid(there.score[1299]));
    }
}
