//! How the cross entropy of a regression on signs bends. Few pairs are weighed, each by a whole number. Of many some are drawn, as
//! frequent as they bend: their signs are bits, so that what two systems say alike is counted many pairs at a time. Sums of whole
//! numbers are exact, so that every engine has the same bits.

use wide::u64x2;

use crate::memory::{AllocError, try_filled};
use crate::statistics::sign_regression::codes::{CODES, SYSTEMS_PER_BYTE, decode_byte};

/// Pairs of a word, and of two.
const A_WORD: usize = 64;
const BITS: usize = 2 * A_WORD;

/// Words that are counted at a time.
const AT_ONCE: usize = 8;

/// Pairs from which the curvature is learned, at least, and for each system.
const MIN_DRAWS: usize = 2048;
const DRAWS_PER_SYSTEM: usize = 8;

/// What all weights are together, as whole numbers, so that their sums are exact in single precision.
const WEIGHT_UNITS: f64 = 8_388_608.0;

/// Of 128 pairs, whether a system says something, and whether it puts the second document first.
#[derive(Clone, Copy, Default)]
struct SignBits {
    any: u64x2,
    second: u64x2,
}

/// Pairs that are drawn, and what is known of them.
pub(crate) struct Hessian<'a> {
    codes: &'a [u8],
    groups: usize,
    systems: usize,
    /// Pairs that are drawn.
    draws: usize,
    /// Sums of weights up to each pair.
    cumulative_weight: Vec<f64>,
    drawn: Vec<usize>,
    /// Of each code, a byte for each of five systems.
    any: Box<[u64; CODES]>,
    second: Box<[u64; CODES]>,
    /// [systems, words of 128 pairs]; silent where there are no more pairs.
    sign_bits: Vec<SignBits>,
    words: usize,
    /// Of one pair, what each system says, and of all, [systems, systems]: where all pairs are weighed.
    signs: Vec<f32>,
    products: Vec<f32>,
}

impl<'a> Hessian<'a> {
    pub(crate) fn new(codes: &'a [u8], groups: usize, systems: usize, pairs: usize) -> Result<Hessian<'a>, AllocError> {
        let draws = MIN_DRAWS.max(DRAWS_PER_SYSTEM * systems);
        let byte = |which: fn(f32) -> bool| {
            let bytes = move |code| {
                let mut bytes = [0; 8];
                bytes
                    .iter_mut()
                    .zip(decode_byte(code))
                    .for_each(|(byte, sign_bits)| *byte = u8::from(which(sign_bits)));
                u64::from_le_bytes(bytes)
            };
            Box::new(std::array::from_fn(bytes))
        };
        let (cumulative_weight, exact) = (try_filled(0.0, pairs)?, pairs <= draws);
        let words = if exact { 0 } else { draws.div_ceil(BITS).next_multiple_of(AT_ONCE) };
        let sign_bits = try_filled(SignBits::default(), groups * SYSTEMS_PER_BYTE * words)?;
        let drawn = try_filled(0, if exact { 0 } else { draws })?;
        let signs = try_filled(0.0, if exact { groups * SYSTEMS_PER_BYTE } else { 0 })?;
        let products = try_filled(0.0, if exact { systems.saturating_mul(systems) } else { 0 })?;
        let (any, second) = (byte(|sign_bits| sign_bits != 0.0), byte(|sign_bits| sign_bits < 0.0));
        Ok(Hessian {
            codes,
            groups,
            systems,
            draws,
            cumulative_weight,
            drawn,
            any,
            second,
            sign_bits,
            words,
            signs,
            products,
        })
    }

    /// Whether the pairs are so few that all are weighed.
    pub(crate) fn is_exact(&self) -> bool {
        self.drawn.is_empty()
    }

    /// The curvature, [systems, systems], of which the lower triangle is written; `p` is P(+) of each pair.
    pub(crate) fn compute(&mut self, share: &[f32], p: &[f32], bend: &mut [f64]) {
        let mut total = 0.0;
        let weights = || share.iter().zip(p).map(|(share, p)| share * (p * (1.0 - p)));
        for (cumulative_weight, weight) in self.cumulative_weight.iter_mut().zip(weights()) {
            total += f64::from(weight);
            *cumulative_weight = total;
        }
        if self.is_exact() {
            self.exact(weights(), total / WEIGHT_UNITS, bend);
        } else {
            self.sampled(total, bend);
        }
    }

    /// The same from all pairs, each as often as it has units.
    fn exact(&mut self, weights: impl Iterator<Item = f32>, unit: f64, bend: &mut [f64]) {
        self.products.fill(0.0);
        let often = weights.map(|weight| if unit > 0.0 { (f64::from(weight) / unit).floor() as f32 } else { 0.0 });
        for (codes, often) in self.codes.chunks_exact(self.groups.max(1)).zip(often) {
            for (signs, &code) in self.signs.chunks_exact_mut(SYSTEMS_PER_BYTE).zip(codes) {
                signs.copy_from_slice(&decode_byte(code as usize));
            }
            for (row, sums) in self.products.chunks_exact_mut(self.systems).enumerate() {
                let times = often * self.signs[row];
                if times == 0.0 {
                    continue;
                }
                sums.iter_mut().zip(&self.signs[..=row]).for_each(|(sum, sign)| *sum += times * sign);
            }
        }
        bend.iter_mut().zip(&self.products).for_each(|(bend, &sum)| *bend = f64::from(sum) * unit);
    }

    /// The same from pairs that are drawn.
    fn sampled(&mut self, total: f64, bend: &mut [f64]) {
        let unit = total / self.draws as f64;
        let mut pair = 0;
        for (number, drawn) in self.drawn.iter_mut().enumerate() {
            let target = (number as f64 + 0.5) * unit;
            while pair + 1 < self.cumulative_weight.len() && self.cumulative_weight[pair] < target {
                pair += 1;
            }
            *drawn = pair;
        }
        self.transpose_bits();
        for (row, left) in self.sign_bits.chunks_exact(self.words).take(self.systems).enumerate() {
            for (column, right) in self.sign_bits.chunks_exact(self.words).take(row + 1).enumerate() {
                bend[row * self.systems + column] = f64::from(sign_product_sum(left, right)) * unit;
            }
        }
    }

    /// What the systems say of the pairs that are drawn, system after system.
    fn transpose_bits(&mut self) {
        for (word, drawn) in self.drawn.chunks(BITS).enumerate() {
            for group in 0..self.groups {
                let mut bits = [[[[0_u8; 8]; 2]; 2]; SYSTEMS_PER_BYTE];
                for (at, eight) in drawn.chunks(8).enumerate() {
                    let (mut any, mut second) = (0_u64, 0_u64);
                    for &pair in eight {
                        let code = self.codes[pair * self.groups + group] as usize;
                        any = any << 1 | self.any[code];
                        second = second << 1 | self.second[code];
                    }
                    for (bits, (any, second)) in
                        bits.iter_mut().zip(any.to_le_bytes().into_iter().zip(second.to_le_bytes()))
                    {
                        bits[0][at / 8][at % 8] = any;
                        bits[1][at / 8][at % 8] = second;
                    }
                }
                for (digit, bits) in bits.into_iter().enumerate() {
                    let [any, second] = bits.map(|halves| u64x2::from(halves.map(u64::from_le_bytes)));
                    self.sign_bits[(group * SYSTEMS_PER_BYTE + digit) * self.words + word] = SignBits { any, second };
                }
            }
        }
    }
}

/// Of how many pairs two systems say the same, less of how many they say the opposite.
fn sign_product_sum(left: &[SignBits], right: &[SignBits]) -> i32 {
    let mut sum = 0;
    for (left, right) in left.chunks(2 * AT_ONCE).zip(right.chunks(2 * AT_ONCE)) {
        let (mut both, mut opposite) = (PopCounter::default(), PopCounter::default());
        for (left, right) in left.chunks_exact(AT_ONCE).zip(right.chunks_exact(AT_ONCE)) {
            let speak: [u64x2; AT_ONCE] = std::array::from_fn(|at| left[at].any & right[at].any);
            opposite.add(std::array::from_fn(|at| (left[at].second ^ right[at].second) & speak[at]));
            both.add(speak);
        }
        sum += both.sum() - 2 * opposite.sum();
    }
    sum
}

/// How many bits are set of up to 31 words: the first three bits of the numbers, each in a word of its own, and bytes of what is more
/// (Harley and Seal). Most processors count the bits of a word, but not by what every one of them understands.
#[derive(Default)]
struct PopCounter {
    ones: u64x2,
    twos: u64x2,
    fours: u64x2,
    eights: u64x2,
}

impl PopCounter {
    #[inline(always)]
    fn add(&mut self, words: [u64x2; AT_ONCE]) {
        let [mut fours, mut twos] = [[u64x2::default(); 2]; 2];
        for (fours, words) in fours.iter_mut().zip(words.chunks_exact(4)) {
            (self.ones, twos[0]) = add_three(self.ones, words[0], words[1]);
            (self.ones, twos[1]) = add_three(self.ones, words[2], words[3]);
            (self.twos, *fours) = add_three(self.twos, twos[0], twos[1]);
        }
        let eights;
        (self.fours, eights) = add_three(self.fours, fours[0], fours[1]);
        self.eights += in_bytes(eights);
    }

    fn sum(&self) -> i32 {
        let bytes = self.eights + self.eights;
        let bytes = in_bytes(self.fours) + bytes;
        let bytes = in_bytes(self.twos) + bytes + bytes;
        let bytes: [u64; 2] = (in_bytes(self.ones) + bytes + bytes).into();
        bytes.iter().flat_map(|word| word.to_le_bytes()).map(i32::from).sum()
    }
}

/// The last bits of three numbers' sums, and what is carried.
#[inline(always)]
fn add_three(a: u64x2, b: u64x2, c: u64x2) -> (u64x2, u64x2) {
    let half = a ^ b;
    (half ^ c, (a & b) | (half & c))
}

/// How many bits each byte has.
#[inline(always)]
fn in_bytes(word: u64x2) -> u64x2 {
    let [left, two, four] = [0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0f0f_0f0f_0f0f_0f0f].map(u64x2::splat);
    let word = word - ((word >> 1_u64) & left);
    let word = (word & two) + ((word >> 2_u64) & two);
    (word + (word >> 4_u64)) & four
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes of two groups, shares and chances of this number of pairs.
    fn sample_pairs(pairs: usize) -> (Vec<u8>, Vec<f32>, Vec<f32>) {
        let codes = (0..2 * pairs).map(|at| (at * at % 243) as u8).collect();
        let share = (0..pairs).map(|at| (at % 5) as f32).collect();
        (codes, share, (0..pairs).map(|at| (at % 11) as f32 / 10.0).collect())
    }

    fn sign(codes: &[u8], pair: usize, system: usize) -> f64 {
        f64::from(decode_byte(codes[pair * 2 + system / SYSTEMS_PER_BYTE] as usize)[system % SYSTEMS_PER_BYTE])
    }

    /// What is found of seven systems, and how far it is from the weighted products of the signs, of all weights.
    fn tried(pairs: usize) -> (Vec<f64>, f64, Vec<usize>) {
        let (codes, share, p) = sample_pairs(pairs);
        let Ok(mut bending) = Hessian::new(&codes, 2, 7, pairs) else { unreachable!() };
        let mut bend = vec![0.0; 49];
        bending.compute(&share, &p, &mut bend);
        let weight = |pair: usize| f64::from(share[pair] * (p[pair] * (1.0 - p[pair])));
        let (total, mut far) = ((0..pairs).map(weight).sum::<f64>(), 0.0_f64);
        for row in 0..7 {
            for column in 0..=row {
                let product = |pair: usize| weight(pair) * sign(&codes, pair, row) * sign(&codes, pair, column);
                far = far.max((bend[row * 7 + column] - (0..pairs).map(product).sum::<f64>()).abs() / total);
            }
        }
        (bend, far, bending.drawn)
    }

    #[test]
    fn few_pairs_are_weighed() {
        let (_, far, drawn) = tried(MIN_DRAWS);
        assert!(far < MIN_DRAWS as f64 / WEIGHT_UNITS && drawn.is_empty(), "{far}");
    }

    #[test]
    fn of_many_pairs_some_are_drawn() {
        let pairs = MIN_DRAWS + 1000;
        let (bend, far, drawn) = tried(pairs);
        assert!(far < 0.02, "{far}");
        let (codes, share, p) = sample_pairs(pairs);
        let weight = |pair: usize| f64::from(share[pair] * (p[pair] * (1.0 - p[pair])));
        let unit = (0..pairs).map(weight).sum::<f64>() / MIN_DRAWS as f64;
        for row in 0..7 {
            for column in 0..=row {
                let product = |&pair: &usize| sign(&codes, pair, row) * sign(&codes, pair, column);
                assert_eq!(bend[row * 7 + column], drawn.iter().map(product).sum::<f64>() * unit);
            }
        }
        // As often as it weighs, to one more or less; never what weighs nothing.
        for pair in 0..pairs {
            let often = drawn.iter().filter(|&&drawn| drawn == pair).count() as f64;
            assert!((often - weight(pair) / unit).abs() < 1.0 + 1e-9);
        }
    }
}
