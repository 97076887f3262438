//! Scores in rows of text: a topic, a measure, its value and the ends of its interval.

use crate::memory::{AllocError, TryVec};
use crate::text::format_number::write_repr;

/// What stands around the numbers of a row.
pub(crate) struct RowTemplate<'a, B> {
    /// Before the topic.
    pub prefix: &'a [u8],
    /// Between the topic and the first number, for each measure.
    pub measures: &'a [B],
    /// Behind each number of a row.
    pub suffixes: &'a [B],
    /// In place of a number that is missing.
    pub missing: &'a [u8],
}

impl<B: AsRef<[u8]>> RowTemplate<'_, B> {
    /// The rows of a topic; false where a number is infinite.
    pub(crate) fn write_topic(&self, topic: &[u8], cells: &[f64], out: &mut Vec<u8>) -> Result<bool, AllocError> {
        for (measure, values) in self.measures.iter().zip(cells.chunks_exact(self.suffixes.len())) {
            let measure = measure.as_ref();
            out.try_reserve_more(self.prefix.len() + topic.len() + measure.len())?;
            out.extend_from_slice(self.prefix);
            out.extend_from_slice(topic);
            out.extend_from_slice(measure);
            for (&value, end) in values.iter().zip(self.suffixes) {
                let end = end.as_ref();
                out.try_reserve_more(self.missing.len() + 32 + end.len())?;
                if value.is_infinite() {
                    return Ok(false);
                }
                if value.is_nan() {
                    out.extend_from_slice(self.missing);
                } else {
                    let before = out.len();
                    write_repr(value, out);
                    if !out[before..].iter().any(|byte| matches!(byte, b'.' | b'e')) {
                        out.extend_from_slice(b".0");
                    }
                }
                out.extend_from_slice(end);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_every_number_and_what_is_missing() {
        let form =
            RowTemplate { prefix: b"s\t", measures: &["\tAP\t", "\tP@5\t"], suffixes: &["\t", "\n"], missing: b"-" };
        let mut out = Vec::new();
        assert_eq!(form.write_topic(b"1", &[1.0, f64::NAN, 0.25, 1e-7], &mut out), Ok(true));
        assert_eq!(String::from_utf8_lossy(&out), "s\t1\tAP\t1.0\t-\ns\t1\tP@5\t0.25\t1e-07\n");
        assert_eq!(form.write_topic(b"1", &[1.0, f64::INFINITY, 0.0, 0.0], &mut out), Ok(false));
    }
}
