//! Numbers as text, as Python's `repr` has it: the shortest digits that read back exactly.

/// Append a finite number as Python writes it, but for a `.0` at the end.
pub(crate) fn write_repr(number: f64, out: &mut Vec<u8>) {
    // Most scores of a topic with few judged documents are 0 or 1.
    let digit = number as u8;
    if digit < 10 && f64::from(digit).to_bits() == number.to_bits() {
        return out.push(b'0' + digit);
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(number);
    let text = text.strip_suffix(".0").unwrap_or(text);
    let (sign, size) = text.split_at(usize::from(text.starts_with('-')));
    // Python writes an exponent from four zeros after the point on, and with two digits at least.
    let parts = if let Some(digits) = size.strip_prefix("0.0000") {
        let (first, rest) = digits.split_at(1);
        [sign, first, if rest.is_empty() { "" } else { "." }, rest, "e-05"]
    } else if let [digits @ .., b'e', b'-', b'6'..=b'9'] = size.as_bytes() {
        let (digits, exponent) = size.split_at(digits.len());
        [sign, digits, "e-0", &exponent["e-".len()..], ""]
    } else {
        [text, "", "", "", ""]
    };
    for part in parts {
        out.extend_from_slice(part.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repr(number: f64) -> String {
        let mut out = Vec::new();
        write_repr(number, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn numbers_are_written_as_python_writes_them() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (9.0, "9"),
            (10.0, "10"),
            (9.5, "9.5"),
            (-2.5, "-2.5"),
            (100.0, "100"),
            (0.1, "0.1"),
            (123_456_789.5, "123456789.5"),
            (0.0001, "0.0001"),
            (0.000_123_45, "0.00012345"),
            (1e-5, "1e-05"),
            (-1.25e-5, "-1.25e-05"),
            (-1.5e-7, "-1.5e-07"),
            (1e-9, "1e-09"),
            (1e-10, "1e-10"),
            (1e15, "1000000000000000"),
            (1e16, "1e+16"),
            (1.25e300, "1.25e+300"),
            (5e-324, "5e-324"),
            (-f64::MAX, "-1.7976931348623157e+308"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            // Two texts are the shortest and equally near: the last digit is even.
            (2_222_222_222_222_222.0 + 0.25, "2222222222222222.2"),
            (2_222_222_222_222_222.0 + 0.75, "2222222222222222.8"),
            (0.5 + 2f64.powi(-17), "0.5000076293945312"),
            (-0.5 - 3.0 * 2f64.powi(-17), "-0.5000228881835938"),
        ] {
            assert_eq!(repr(number), text);
        }
    }

    #[test]
    fn every_number_reads_back() {
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            for number in [f64::from_bits(state ^ state >> 29), (state >> 40) as f64 / 7.0] {
                assert!(!number.is_finite() || repr(number).parse() == Ok(number), "{number:e}");
            }
        }
    }
}
