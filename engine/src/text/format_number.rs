//! Numbers as text, with the shortest digits that read back exactly.

use std::io::Write;

/// Numbers that were written lately: many scores of a run or a measure are equal to the last bit.
const CACHE_BITS: u32 = 11;

/// The longest text of a number: `-1.7976931348623157e+308`.
const MAX_CHARS: usize = 24;

#[derive(Clone, Copy)]
struct CachedText {
    bits: u64,
    length: u8,
    text: [u8; MAX_CHARS],
}

/// Writes numbers.
pub(crate) struct ReprWriter {
    known: Vec<CachedText>,
    scratch: Vec<u8>,
    text: Vec<u8>,
}

impl ReprWriter {
    pub(crate) fn new() -> Self {
        // The text of 0 is known from the beginning in each place, where no other number with its bits is looked for.
        let mut zero = CachedText { bits: 0, length: 1, text: [0; MAX_CHARS] };
        zero.text[0] = b'0';
        ReprWriter { known: vec![zero; 1 << CACHE_BITS], scratch: Vec::new(), text: Vec::new() }
    }

    /// A finite number as Python writes it, but for a `.0` at the end.
    #[inline(always)]
    pub(crate) fn write_repr(&mut self, number: f64, out: &mut Vec<u8>) {
        let bits = number.to_bits();
        let at = (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - CACHE_BITS)) as usize;
        if self.known[at].bits != bits {
            self.remember(number, at);
        }
        let known = &self.known[at];
        out.extend_from_slice(&known.text[..usize::from(known.length)]);
    }

    #[cold]
    fn remember(&mut self, number: f64, at: usize) {
        self.text.clear();
        write_number(number, &mut self.scratch, &mut self.text);
        let length = self.text.len().min(MAX_CHARS);
        let known = &mut self.known[at];
        (known.bits, known.length) = (number.to_bits(), length as u8);
        known.text[..length].copy_from_slice(&self.text[..length]);
    }
}

/// The digits of a number, in the form `-1.25e3`.
fn write_digits(number: f64, scratch: &mut Vec<u8>) {
    scratch.clear();
    let _ = write!(scratch, "{number:e}");
    let digits = scratch.iter().take_while(|&&byte| byte != b'e').filter(|byte| byte.is_ascii_digit()).count();
    // Two texts can be the shortest and equally near: Python takes that with the even digit at the end. Only a number
    // whose own digits end right behind can lie between two, and none of those has more binary places than this.
    if digits >= 16 && (number * f64::from(1 << 26)).fract() == 0.0 {
        let nearest = format!("{number:.*e}", digits - 1);
        if nearest.parse() == Ok(number) {
            scratch.clear();
            scratch.extend_from_slice(nearest.as_bytes());
        }
    }
}

fn write_number(number: f64, scratch: &mut Vec<u8>, out: &mut Vec<u8>) {
    write_digits(number, scratch);
    let text = scratch.strip_prefix(b"-").unwrap_or(scratch);
    if text.len() < scratch.len() {
        out.push(b'-');
    }
    let end = text.iter().position(|&byte| byte == b'e').unwrap_or(text.len());
    let (first, rest) = (text[0], text.get(2..end).unwrap_or_default());
    let exponent: i32 = std::str::from_utf8(&text[end + 1..]).map_or(0, |text| text.parse().unwrap_or(0));
    let zeros = |out: &mut Vec<u8>, count: usize| out.resize(out.len() + count, b'0');
    if (0..16).contains(&exponent) {
        let whole = exponent as usize;
        out.push(first);
        out.extend_from_slice(&rest[..whole.min(rest.len())]);
        zeros(out, whole.saturating_sub(rest.len()));
        if rest.len() > whole {
            out.push(b'.');
            out.extend_from_slice(&rest[whole..]);
        }
    } else if (-4..0).contains(&exponent) {
        out.extend_from_slice(b"0.");
        zeros(out, (-exponent - 1) as usize);
        out.push(first);
        out.extend_from_slice(rest);
    } else {
        out.push(first);
        if !rest.is_empty() {
            out.push(b'.');
            out.extend_from_slice(rest);
        }
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "e{sign}{:02}", exponent.abs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_python_writes_them() {
        let expected = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (100.0, "100"),
            (0.1, "0.1"),
            (123_456_789.5, "123456789.5"),
            (0.0001, "0.0001"),
            (0.000_123_45, "0.00012345"),
            (1e-5, "1e-05"),
            (-1.5e-7, "-1.5e-07"),
            (1e15, "1000000000000000"),
            (1e16, "1e+16"),
            (1.25e300, "1.25e+300"),
            (5e-324, "5e-324"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (2_222_222_222_222_222.0 + 0.25, "2222222222222222.2"),
            (2_222_222_222_222_222.0 + 0.75, "2222222222222222.8"),
            (0.5 + 2f64.powi(-17), "0.5000076293945312"),
            (-0.5 - 3.0 * 2f64.powi(-17), "-0.5000228881835938"),
        ];
        let mut decimals = ReprWriter::new();
        for (number, text) in expected.into_iter().chain(expected) {
            let mut out = Vec::new();
            decimals.write_repr(number, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), text);
        }
    }

    #[test]
    fn no_number_is_taken_for_another_of_the_same_place() {
        let mut decimals = ReprWriter::new();
        for step in (0..20_000).chain(0..20_000) {
            let (mut out, number) = (Vec::new(), f64::from(step) / 7.0);
            decimals.write_repr(number, &mut out);
            assert_eq!(String::from_utf8_lossy(&out).parse(), Ok(number));
        }
        let mut out = Vec::new();
        decimals.write_repr(-f64::MAX, &mut out);
        assert_eq!(out.len(), MAX_CHARS);
    }
}
