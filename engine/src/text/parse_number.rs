//! Fields to numbers, by the grammar of `cranfield.engine.protocol`.

use crate::error::{InputError, LineFault, NumberField, preview};

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// A number: optional sign, digits with an optional point, optional decimal exponent; correctly rounded. None if the
/// text is not one; infinite if it is too large.
#[inline]
pub(crate) fn parse_float(text: &[u8]) -> Option<f64> {
    let (first, after) = text.split_first()?;
    if after.is_empty() && first.is_ascii_digit() {
        return Some(f64::from(first - b'0')); // as most labels are
    }
    let first = if matches!(first, b'-' | b'+') { after.first()? } else { first };
    // The standard library also reads infinity and NaN, whose names begin with a letter.
    if !(first.is_ascii_digit() || *first == b'.') {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// A whole number over a power of ten, correctly rounded; None where that takes more than is done here: of long ones of
/// many digits about one in four hundred.
#[inline(always)]
fn divide_by_power_of_ten(mantissa: u64, decimals: usize) -> Option<f64> {
    if decimals == 0 {
        return Some(mantissa as f64);
    }
    if mantissa < 1 << 53 {
        // Both are exact doubles, so one division rounds correctly (Clinger 1990).
        return Some(mantissa as f64 / POWERS.get(decimals)?);
    }
    // Times the reciprocal, whose first 64 bits are known, as (Lemire 2021): the upper half of the product is too small by
    // less than two. Of its 63 or 64 bits, 53 are kept, and the next one says whether to round up.
    let (reciprocal, bits) = RECIPROCALS.get(decimals)?;
    let zeros = mantissa.leading_zeros();
    let upper = ((u128::from(mantissa << zeros) * u128::from(*reciprocal)) >> 64) as u64;
    let beyond = 10 - upper.leading_zeros();
    let (leading, dropped) = (upper >> beyond, upper & ((1 << beyond) - 1));
    // Exactly a half or not, or the next number or not: the bits that are not known would say.
    let doubtful = if leading & 1 == 1 { dropped == 0 } else { dropped + 2 > 1 << beyond };
    let exponent = i64::from(beyond) + 2 - i64::from(zeros) - i64::from(*bits);
    let scale = f64::from_bits(((1023 + exponent) as u64) << 52);
    (!doubtful).then(|| ((leading >> 1) + (leading & 1)) as f64 * scale)
}

/// Of each power of ten, the first 64 bits of its reciprocal, and how many bits it has itself.
const RECIPROCALS: [(u64, u32); POWERS.len()] = {
    let mut reciprocals = [(0, 1); POWERS.len()];
    let (mut power, mut at) = (1u128, 1);
    while at < POWERS.len() {
        power *= 10;
        let bits = u128::BITS - power.leading_zeros();
        let (mut reciprocal, mut rest, mut known) = (0, 1u128 << (bits - 1), 0);
        while known < u64::BITS {
            rest *= 2;
            reciprocal = reciprocal << 1 | (rest >= power) as u64;
            rest -= if rest >= power { power } else { 0 };
            known += 1;
        }
        reciprocals[at] = (reciprocal, bits);
        at += 1;
    }
    reciprocals
};

const TENS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The number of the digits from `at` on, of which there are at most eight; None where others are among them, or hardly
/// any text follows.
#[inline(always)]
pub(crate) fn parse_digits(text: &[u8], at: usize, count: usize) -> Option<u64> {
    if count > 8 {
        return None;
    }
    // Zeros come in front of fewer than eight.
    eight_digits_to_int(if count == 0 { 0 } else { load_eight_digits(text, at)? << (64 - 8 * count) })
}

/// Eight bytes, as digits if they are such.
#[inline(always)]
fn load_eight_digits(text: &[u8], at: usize) -> Option<u64> {
    let mut word = [0; 8];
    word.copy_from_slice(text.get(at..at + 8)?);
    Some(u64::from_le_bytes(word) ^ 0x3030_3030_3030_3030)
}

/// The number of eight digits; None where others are among them.
#[inline(always)]
fn eight_digits_to_int(eight: u64) -> Option<u64> {
    if (eight.wrapping_add(0x7676_7676_7676_7676) | eight) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    // Neighbours are joined: digits, pairs, and fours.
    let pairs = (eight.wrapping_mul(10)).wrapping_add(eight >> 8);
    let ends = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let middles = (pairs >> 16 & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    Some(ends.wrapping_add(middles) >> 32)
}

/// The number between `start` and `end` where it is a plain one of few enough digits, with its point at `point` if that is
/// inside; None says nothing.
#[inline(always)]
pub(crate) fn parse_plain_decimal(text: &[u8], start: usize, point: usize, end: usize) -> Option<f64> {
    let negative = *text.get(start)? == b'-';
    let start = start + usize::from(negative);
    let integer_digits = point.min(end).checked_sub(start).filter(|&count| count > 0)?;
    let decimals = end.saturating_sub(point + 1);
    let signed = |value: f64| if negative { -value } else { value };
    if decimals > 0 && integer_digits + decimals <= 8 {
        // All digits at once: those before the point in front of those behind it.
        let before = load_eight_digits(text, start)? << (64 - 8 * integer_digits) >> (8 * decimals);
        let mantissa = eight_digits_to_int(before | load_eight_digits(text, point + 1)? << (64 - 8 * decimals))?;
        return Some(signed(mantissa as f64 / POWERS[decimals]));
    }
    let mut mantissa = parse_digits(text, start, integer_digits)?;
    let mut at = point + 1;
    while at < end {
        // Eight more digits, where there are as many.
        let count = (end - at).min(8);
        mantissa = mantissa.checked_mul(TENS[count])?.checked_add(parse_digits(text, at, count)?)?;
        at += count;
    }
    divide_by_power_of_ten(mantissa, decimals).map(signed)
}

/// A whole number of at most 18 digits with an optional sign.
#[inline]
pub(crate) fn parse_int(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let mut value = 0i64;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.wrapping_mul(10).wrapping_add(i64::from(digit));
    }
    (1..=18).contains(&digits.len()).then_some(if negative { -value } else { value })
}

/// The finite number of a field.
#[inline(always)]
pub(crate) fn parse_finite(value: &[u8], field: NumberField, line: usize) -> Result<f64, InputError> {
    match parse_float(value) {
        Some(parsed) if parsed.is_finite() => Ok(parsed),
        Some(_) => Err(LineFault::Overflow { field, value: preview(value) }.on(line)),
        None => Err(field.not_a_number(line, value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_the_grammar() {
        for (text, value) in [("1", 1.0), ("+.5", 0.5), ("2.", 2.0), ("-0.0", 0.0), ("1e-3", 0.001), ("0.1", 0.1)] {
            assert_eq!(parse_float(text.as_bytes()), Some(value), "{text}");
        }
        assert_eq!(parse_float(b"1e999"), Some(f64::INFINITY));
        for text in ["", ".", "+", "1e", "1e+", "nan", "inf", "0x1", "1_0", "1,5", "1.2.3", "--1"] {
            assert_eq!(parse_float(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn quotients_are_rounded_as_the_standard_library_rounds() {
        let known = |mantissa: u64, decimals: usize| {
            let exact: f64 = format!("{mantissa}e-{decimals}").parse().unwrap_or(f64::NAN);
            let quotient = divide_by_power_of_ten(mantissa, decimals);
            assert_eq!(quotient.unwrap_or(exact).to_bits(), exact.to_bits(), "{mantissa} over {decimals} tens");
            quotient.is_some()
        };
        let (mut state, mut left) = (1u64, 0);
        for (decimals, &power) in POWERS.iter().enumerate() {
            for _ in 0..5_000 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                left += usize::from(!known(state, decimals));
                known(state / [1, 10, 100, 1000][(state >> 7) as usize % 4], decimals);
                // What lies between two doubles, and next to it.
                let half = (state >> 11 | 1 << 52) << 1 | 1;
                for near in [half - 1, half, half + 1, half.wrapping_mul(power as u64)] {
                    known(near, decimals);
                }
            }
            for mantissa in [0, 1, u64::MAX, 1 << 53, (1 << 53) - 1, (1 << 53) + 1] {
                known(mantissa, decimals);
            }
        }
        assert!(left < POWERS.len() * 5_000 / 300, "{left} are left to others");
        assert_eq!(divide_by_power_of_ten(1, POWERS.len()), None);
    }

    /// The number of a text with enough behind it, where it is a plain one.
    fn plain(text: &str) -> Option<f64> {
        let data = [text.as_bytes(), &[b'7'; 16]].concat();
        parse_plain_decimal(&data, 0, text.find('.').unwrap_or(data.len()), text.len())
    }

    #[test]
    fn plain_numbers_are_read_as_others_are() {
        for whole in 0..=10 {
            for decimals in 0..=18 {
                for (sign, point) in [("", "."), ("-", "."), ("", ""), ("-", "")] {
                    let (before, behind) = (&"9081726354"[..whole], &"504030209988776655"[..decimals]);
                    let text = [sign, before, point, if point.is_empty() { "" } else { behind }].concat();
                    let digits = whole + if point.is_empty() { 0 } else { decimals };
                    match plain(&text) {
                        Some(value) => {
                            assert_eq!(parse_float(text.as_bytes()).map(f64::to_bits), Some(value.to_bits()), "{text}");
                        }
                        None => assert!(whole == 0 || whole > 8 || digits > 18, "{text}"),
                    }
                    for place in sign.len()..text.len() {
                        let odd = [&text[..place], ":", &text[place + 1..]].concat();
                        assert_eq!(plain(&odd), None, "{odd}");
                    }
                }
            }
        }
    }
}
