//! What reading costs at least: the floor for anything that reads runs.

use std::path::PathBuf;

use pyo3::prelude::*;

use crate::error::Error;
use crate::input::parallel::{Part, read};
use crate::input::source::{Source, Text};
use crate::input::windows::Ends;
use crate::panics::catch_panic;
use crate::python::convert::raise;
use crate::text::fields::{Field, FieldReader};

/// Cost of reading alone: the sum of all bytes of a file, unpacked.
#[pyfunction]
pub(crate) fn count_bytes(py: Python, path: PathBuf) -> PyResult<u64> {
    let done = py.detach(|| catch_panic(|| bytes_of(Source::Path(path).open(0, false)?)));
    done.map_err(|failure| raise(py, failure))
}

/// Cost of tokenising alone: (lines, fields) of a file, unpacked, on this many threads.
#[pyfunction]
pub(crate) fn count_fields(py: Python, path: PathBuf, threads: usize) -> PyResult<(usize, usize)> {
    let done = py.detach(|| catch_panic(|| fields_of(Source::Path(path).open(0, false)?, threads)));
    done.map_err(|failure| raise(py, failure))
}

/// The sum of all bytes of a text.
fn bytes_of(text: Text) -> Result<u64, Error> {
    let sum = |part: Part| part.data[part.from..part.to].iter().map(|&byte| u64::from(byte)).sum::<u64>();
    let (sums, text) = read(text, 1, Ends::AtTopics, sum, |_| false)?;
    text.end()?;
    Ok(sums.iter().sum())
}

/// Split every line of a run into its six fields and do nothing with them: (lines, fields).
fn fields_of(text: Text, threads: usize) -> Result<(usize, usize), Error> {
    let count = |part: Part| {
        let mut lines = FieldReader::new(&part.data[..part.to]);
        lines.at = part.from;
        let mut fields = [Field::default(); 6];
        let mut bytes = 0;
        while let Ok(true) = lines.next_fields(&mut fields) {
            bytes += fields.iter().map(|field| field.end - field.start).sum::<usize>();
        }
        (lines.rows, std::hint::black_box(bytes) - bytes + 6 * lines.rows)
    };
    let (counts, text) = read(text, threads, Ends::AtTopics, count, |_| false)?;
    text.end()?;
    Ok(counts.into_iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1)))
}
