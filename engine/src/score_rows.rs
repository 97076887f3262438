//! Scores in rows of text: a topic, a measure, its value and the ends of its interval.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::decimals::Decimals;
use crate::flat::between;
use crate::room::{Refused, Room};

/// What stands around the numbers of a row.
struct Form<'a> {
    /// Before the topic.
    lead: &'a [u8],
    /// Between the topic and the first number, for each measure.
    measures: &'a [PyBackedBytes],
    /// Behind each number of a row.
    ends: &'a [PyBackedBytes],
    /// In place of a number that is missing.
    missing: &'a [u8],
}

impl Form<'_> {
    /// The rows of a topic; false where a number is infinite.
    fn write(&self, topic: &[u8], cells: &[f64], decimals: &mut Decimals, out: &mut Vec<u8>) -> Result<bool, Refused> {
        for (measure, values) in self.measures.iter().zip(cells.chunks_exact(self.ends.len())) {
            out.room(self.lead.len() + topic.len() + measure.len())?;
            out.extend_from_slice(self.lead);
            out.extend_from_slice(topic);
            out.extend_from_slice(measure);
            for (&value, end) in values.iter().zip(self.ends) {
                out.room(self.missing.len() + 32 + end.len())?;
                if value.is_infinite() {
                    return Ok(false);
                }
                if value.is_nan() {
                    out.extend_from_slice(self.missing);
                } else {
                    let before = out.len();
                    decimals.write(value, out);
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

/// Rows of all topics, `cells` [topics, measures, numbers of a row]; None where a number is infinite, or these do not fit.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn score_rows<'py>(
    py: Python<'py>,
    data: PyReadonlyArray1<'py, u8>,
    offsets: PyReadonlyArray1<'py, i64>,
    cells: PyReadonlyArray1<'py, f64>,
    lead: &[u8],
    measures: Vec<PyBackedBytes>,
    ends: Vec<PyBackedBytes>,
    missing: &[u8],
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (data, offsets, cells) = (data.as_slice()?, offsets.as_slice()?, cells.as_slice()?);
    let of_topic = measures.len() * ends.len();
    let fits = of_topic > 0 && cells.len() == offsets.len().saturating_sub(1) * of_topic;
    if !fits {
        return Ok(None);
    }
    let form = Form { lead, measures: &measures, ends: &ends, missing };
    let (mut decimals, mut out) = (Decimals::new(), Vec::new());
    for (bounds, cells) in offsets.windows(2).zip(cells.chunks_exact(of_topic)) {
        let Some(topic) = between(data, bounds[0], bounds[1]) else { return Ok(None) };
        if !form.write(topic, cells, &mut decimals, &mut out).unwrap_or(false) {
            return Ok(None);
        }
    }
    Ok(Some(PyBytes::new(py, &out)))
}
