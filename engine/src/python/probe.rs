//! What reading costs at least: the floor for anything that reads runs.

use std::path::PathBuf;

use pyo3::prelude::*;

use crate::error::Error;
use crate::input::parallel::{TextPart, map_parts};
use crate::input::source::{InputText, Source};
use crate::input::windows::WindowBoundary;
use crate::python::convert::run;
use crate::text::fields::{Field, FieldReader};

/// Cost of reading alone: the sum of all bytes of a file, unpacked.
#[pyfunction]
pub(crate) fn count_bytes(py: Python, path: PathBuf) -> PyResult<u64> {
    run(py, || Source::Path(path).open(0, false).and_then(sum_bytes))
}

/// Cost of tokenising alone: (lines, fields) of a file, unpacked, on this many threads.
#[pyfunction]
pub(crate) fn count_fields(py: Python, path: PathBuf, threads: usize) -> PyResult<(usize, usize)> {
    run(py, || Source::Path(path).open(0, false).and_then(|text| split_fields(text, threads)))
}

/// The sum of all bytes of a text.
fn sum_bytes(text: InputText) -> Result<u64, Error> {
    let sum = |part: TextPart| part.data[part.from..part.to].iter().map(|&byte| u64::from(byte)).sum::<u64>();
    let (sums, text) = map_parts(text, 1, WindowBoundary::TopicEnd, sum, |_| false)?;
    text.finish()?;
    Ok(sums.iter().sum())
}

/// Split every line of a run into its six fields and do nothing with them: (lines, fields).
fn split_fields(text: InputText, threads: usize) -> Result<(usize, usize), Error> {
    let count = |part: TextPart| {
        let mut lines = FieldReader::new(&part.data[..part.to]);
        lines.at = part.from;
        let mut fields = [Field::default(); 6];
        let mut bytes = 0;
        while let Ok(true) = lines.next_fields(&mut fields) {
            bytes += fields.iter().map(|field| field.end - field.start).sum::<usize>();
        }
        (lines.rows, std::hint::black_box(bytes) - bytes + 6 * lines.rows)
    };
    let (counts, text) = map_parts(text, threads, WindowBoundary::TopicEnd, count, |_| false)?;
    text.finish()?;
    Ok(counts.into_iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1)))
}
