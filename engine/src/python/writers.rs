//! Text that the engine writes for Python: runs, and rows of scores.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::checked::Checked;
use crate::ids::column::TextIdSlice;
use crate::ids::hash::IdHasher;
use crate::ids::position_table::PositionTable;
use crate::memory::AllocError;
use crate::python::convert::run;
use crate::trec::run_view::RunView;
use crate::trec::run_writer::{BLOCK_BYTES, LineBuffer, RunRows};
use crate::trec::score_writer::RowTemplate;

/// A run as TREC text, in blocks of whole lines; None where a word cannot stand in it, or a document occurs twice.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn run_lines<'py>(
    py: Python<'py>,
    topics: Vec<String>,
    starts: PyReadonlyArray1<'py, i64>,
    data: PyReadonlyArray1<'py, u8>,
    offsets: PyReadonlyArray1<'py, i64>,
    score: PyReadonlyArray1<'py, f64>,
    rank: Option<PyReadonlyArray1<'py, i64>>,
    tag: &str,
) -> PyResult<Option<Vec<Bound<'py, PyBytes>>>> {
    let Some(ids) = TextIdSlice::of_any_bytes(data.as_slice()?, offsets.as_slice()?) else { return Ok(None) };
    let run_view = RunView {
        topics: &topics,
        starts: starts.as_slice()?,
        ids,
        score: score.as_slice()?,
        rank: rank.as_ref().map(PyReadonlyArray1::as_slice).transpose()?,
    };
    let Some(rows) = Checked::new(RunRows { run: run_view, tag }) else { return Ok(None) };
    let (order, ranks) = (Vec::new(), Vec::new());
    let mut desk = LineBuffer { seen: PositionTable::new(), hasher: IdHasher::new(), order, ranks };
    let (mut blocks, mut out, mut topic) = (Vec::new(), Vec::new(), 0);
    while topic < topics.len() {
        // Whole lines, until a block is full.
        let write = || {
            while topic < topics.len() && out.len() < BLOCK_BYTES {
                if !rows.write_topic(topic, &mut desk, &mut out)? {
                    return Ok::<_, AllocError>(false);
                }
                topic += 1;
            }
            Ok(true)
        };
        if !run(py, write)? {
            return Ok(None);
        }
        blocks.push(to_bytes(py, &out)?);
        out.clear();
    }
    Ok(Some(blocks))
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
    let (topics, cells) = (TextIdSlice::of_any_bytes(data.as_slice()?, offsets.as_slice()?), cells.as_slice()?);
    let of_topic = measures.len() * ends.len();
    let fits = |topics: &TextIdSlice| of_topic > 0 && cells.len() == topics.len() * of_topic;
    let Some(topics) = topics.filter(fits) else { return Ok(None) };
    let form = RowTemplate { prefix: lead, measures: &measures, suffixes: &ends, missing };
    let write = || {
        let mut out = Vec::<u8>::new();
        for (topic, cells) in cells.chunks_exact(of_topic).enumerate() {
            if !form.write_topic(topics.get(topic), cells, &mut out)? {
                return Ok(None);
            }
        }
        Ok::<_, AllocError>(Some(out))
    };
    run(py, write)?.map(|out| to_bytes(py, &out)).transpose()
}

/// A copy for Python, or its error where there is no memory for it.
fn to_bytes<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, text.len(), |bytes| {
        bytes.copy_from_slice(text);
        Ok(())
    })
}
